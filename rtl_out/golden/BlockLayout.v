`default_nettype none

// Walks over the threads of a block, a lane a cycle, then over the warps of the core; with `--warp-dispatch` over the
// CTA slots instead, and remembers where each warp starts.
// Latency: n T + W cycles for blocks of n warps.
// Reset: resting, `map.in_grid` 0.
// Invariants: neither multiplies nor divides, since each step is from a thread, or a warp, to the next.
module BlockLayout (
  input wire         clock,             // Rising edge moves the state.
  input wire         reset,             // Synchronous, active high.
  input wire         start,             // A grid is taken.
  // What it looks like.
  input wire  [31:0] shape_grid_x,      // Blocks along x.
  input wire  [31:0] shape_grid_y,      // Blocks along y.
  input wire  [31:0] shape_grid_z,      // Blocks along z.
  input wire  [10:0] shape_block_x,     // Threads of a block along x.
  input wire  [10:0] shape_block_y,     // Threads of a block along y.
  input wire  [10:0] shape_block_z,     // Threads of a block along z.
  input wire  [14:0] shape_local_bytes, // Bytes of local memory that a block gets.

  output wire        busy,              // At work.
  output wire        done,              // The last cycle of it.
  output wire        failed,            // A block cannot run on this core.
  // Where each warp belongs.
  output reg         map_in_grid,       // A grid was launched; nothing else here has a meaning before.
  output reg  [5:0]  map_size,          // Warps of a block.
  output reg  [1:0]  map_slot,          // CTA slot of each warp slot.
  output reg  [1:0]  map_rank,          // Rank of each warp in its block.
  output reg  [1:0]  map_last_warps,    // The warps that are the last of their block.
  output reg  [1:0]  map_last_lanes,    // Lanes of such a warp.
  output reg  [27:0] map_local_base,    // Where the local memory of each warp's block begins in that of the core.
  output wire [14:0] map_local_bytes,   // Bytes of it; 0: all of the core's.

  output reg  [5:0]  slots,             // CTA slots that there are.
  // Where each thread belongs.
  output reg         thread_valid,      // A place is told.
  output reg         thread_rank,       // Rank of its warp in the block.
  output reg  [1:0]  thread_lane_oh,    // Its lane, one-hot.
  output reg  [9:0]  thread_x,          // Its coordinates, 0 for a lane behind the block's last thread.
  output reg  [9:0]  thread_y,          // Along y.
  output reg  [9:0]  thread_z           // Along z.
);

  localparam [1:0]  FIRST_LANE = 2'd1;
  localparam [1:0]  FIRST_WARP = 2'd1;
  localparam [1:0]  TOP_LANE = 2'd2;
  localparam [1:0]  TOP_WARP = 2'd2;
  localparam        LAST_ROW = 1'b1;
  localparam [15:0] ROOM = 16'h4000;
  localparam        ONE = 1'b1;

  wire        x_ends;
  wire        y_ends;
  wire        block_ends;
  wire        row_ends;
  wire        threads_end;
  wire        too_many;
  wire        cta_ends;
  wire        fits;
  wire        warps_end;
  reg  [1:0]  lanes_now;
  wire [15:0] behind;
  reg  [10:0] x;
  reg  [10:0] y;
  reg  [10:0] z;
  reg         beyond;
  reg  [1:0]  row_lanes;
  reg         on_warps;
  reg  [1:0]  warp;
  reg         slot;
  reg         rank;
  reg  [15:0] base;
  reg         full;

  // 1. this lane's thread, and whether it is the last of its block
  assign x_ends = (x + 11'd1) == shape_block_x;
  assign y_ends = (y + 11'd1) == shape_block_y;
  assign block_ends = !beyond & x_ends & y_ends & ((z + 11'd1) == shape_block_z);

  always @* begin
    thread_x = 10'd0;
    thread_y = 10'd0;
    thread_z = 10'd0;
    lanes_now = row_lanes;
    if (!beyond) begin
      thread_x = x[9:0];
      thread_y = y[9:0];
      thread_z = z[9:0];
      lanes_now = row_lanes | thread_lane_oh;
    end
  end

  // 2. the next lane; behind the last thread the warp's upper lanes are walked over too
  assign row_ends = |(thread_lane_oh & TOP_LANE);
  assign threads_end = thread_valid & row_ends & (beyond | block_ends);
  assign too_many = thread_valid & row_ends & !(beyond | block_ends) & (thread_rank == LAST_ROW);

  always @(posedge clock) begin
    if (thread_valid) begin
      x <= x + 11'd1;
      if (x_ends) begin
        x <= 11'd0;
        y <= y + 11'd1;
        if (y_ends) begin
          y <= 11'd0;
          z <= z + 11'd1;
        end
      end
      thread_lane_oh <= thread_lane_oh << 1'b1;
      row_lanes <= lanes_now;
      if (row_ends) begin
        thread_lane_oh <= FIRST_LANE;
        row_lanes <= 2'd0;
        thread_rank <= thread_rank + ONE;
      end
    end
    if (threads_end) begin
      map_size <= {5'd0, thread_rank} + 6'd1;
      map_last_lanes <= lanes_now;
    end
    // start
    if (start) begin
      thread_lane_oh <= FIRST_LANE;
      thread_rank <= 1'b0;
      x <= 11'd0;
      y <= 11'd0;
      z <= 11'd0;
      row_lanes <= 2'd0;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      thread_valid <= 1'b0;
      beyond <= 1'b0;
      on_warps <= 1'b0;
    end else begin
      if (thread_valid) begin
        beyond <= beyond | block_ends;
      end
      if (threads_end) begin
        thread_valid <= 1'b0;
        on_warps <= 1'b1;
      end
      if (warps_end) begin
        on_warps <= 1'b0;
      end
      // a grid of which no block can run ends here
      if (too_many) begin
        thread_valid <= 1'b0;
      end
      if (start) begin
        thread_valid <= 1'b1;
        beyond <= 1'b0;
      end
    end
  end

  // 3. this warp: it is of the same block as the one before, or the first of the next CTA slot
  assign cta_ends = ({5'd0, rank} + 6'd1) == map_size;
  assign behind = base + {1'b0, shape_local_bytes};
  assign fits = cta_ends & !full & (behind <= ROOM);
  assign warps_end = on_warps & (|(warp & TOP_WARP));

  always @(posedge clock) begin : pipeline_2
    integer i;
    if (on_warps) begin
      for (i = 0; i < 2; i = i + 1) begin
        if (warp[i]) begin
          map_slot[i] <= slot;
          map_rank[i] <= rank;
          map_local_base[i*14 +: 14] <= base[13:0];
        end
      end
      map_last_warps <= map_last_warps & ~warp;
      warp <= warp << 1'b1;
      rank <= rank + ONE;
      if (cta_ends) begin
        map_last_warps <= map_last_warps | warp;
        rank <= 1'b0;
        slot <= slot + ONE;
        base <= behind;
      end
    end
    if (start) begin
      warp <= FIRST_WARP;
      slot <= 1'b0;
      rank <= 1'b0;
      base <= 16'd0;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      full <= 1'b0;
      slots <= 6'd0;
    end else begin
      if (on_warps) begin
        if (cta_ends) begin
          full <= !fits;
        end
        if (fits) begin
          slots <= slots + 6'd1;
        end
      end
      if (start) begin
        full <= 1'b0;
        slots <= 6'd0;
      end
    end
  end

  // 4. a grid of which no block can run ends here
  assign failed = too_many | (warps_end & !fits & (slots == 6'd0));
  assign done = warps_end;
  assign busy = thread_valid | on_warps;

  // 5. start
  always @(posedge clock) begin
    if (reset) begin
      map_in_grid <= 1'b0;
    end else if (start) begin
      map_in_grid <= 1'b1;
    end
  end

  // 6. what the others see
  assign map_local_bytes = shape_local_bytes;

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, shape_grid_x, shape_grid_y, shape_grid_z};
endmodule

`default_nettype wire
