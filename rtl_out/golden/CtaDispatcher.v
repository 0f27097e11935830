`default_nettype none

// Takes a grid, lays out its blocks, and starts one a cycle while CTA slots are free; with `--warp-dispatch` one warp a
// cycle, where `WarpPlacer` says.
// Latency: docs/ISA.md, section 7.1, "Time".
// Reset: no grid.
// Invariants: a CTA slot is given away only while none of its warps is active or starting, so that a block never meets
// another's warps; every block is started once, in order.
module CtaDispatcher (
  input wire         clock,                  // Rising edge moves the state.
  input wire         reset,                  // Synchronous, active high.
  // The launch port.
  input wire         launch_valid,           // A grid is to run.
  // Its shape, which stays as it is until the grid has ended.
  input wire  [31:0] launch_grid_x,          // Blocks along x.
  input wire  [31:0] launch_grid_y,          // Blocks along y.
  input wire  [31:0] launch_grid_z,          // Blocks along z.
  input wire  [10:0] launch_block_x,         // Threads of a block along x.
  input wire  [10:0] launch_block_y,         // Threads of a block along y.
  input wire  [10:0] launch_block_z,         // Threads of a block along z.
  input wire  [14:0] launch_local_bytes,     // Bytes of local memory that a block gets.

  output wire        launch_ready,           // It is taken in this cycle.

  input wire         may_launch,             // The core rests.
  input wire  [31:0] start_pc,               // Where the warps of a grid start.
  input wire  [1:0]  active_warps,           // Warps that are active.
  output wire        taken,                  // A grid is taken.
  output wire        busy,                   // Blocks have yet to be started.
  // What the others see of the grid.
  // What it looks like.
  output wire [31:0] grid_shape_grid_x,      // Blocks along x.
  output wire [31:0] grid_shape_grid_y,      // Blocks along y.
  output wire [31:0] grid_shape_grid_z,      // Blocks along z.
  output wire [10:0] grid_shape_block_x,     // Threads of a block along x.
  output wire [10:0] grid_shape_block_y,     // Threads of a block along y.
  output wire [10:0] grid_shape_block_z,     // Threads of a block along z.
  output wire [14:0] grid_shape_local_bytes, // Bytes of local memory that a block gets.

  // Where warps belong.
  output wire        grid_map_in_grid,       // A grid was launched; nothing else here has a meaning before.
  output wire [5:0]  grid_map_size,          // Warps of a block.
  output wire [1:0]  grid_map_slot,          // CTA slot of each warp slot.
  output wire [1:0]  grid_map_rank,          // Rank of each warp in its block.
  output wire [1:0]  grid_map_last_warps,    // The warps that are the last of their block.
  output wire [1:0]  grid_map_last_lanes,    // Lanes of such a warp.
  output wire [27:0] grid_map_local_base,    // Where the local memory of each warp's block begins in that of the core.
  output wire [14:0] grid_map_local_bytes,   // Bytes of it; 0: all of the core's.

  // Where threads belong.
  output wire        grid_thread_valid,      // A place is told.
  output wire        grid_thread_rank,       // Rank of its warp in the block.
  output wire [1:0]  grid_thread_lane_oh,    // Its lane, one-hot.
  output wire [9:0]  grid_thread_x,          // Its coordinates, 0 for a lane behind the block's last thread.
  output wire [9:0]  grid_thread_y,          // Along y.
  output wire [9:0]  grid_thread_z,          // Along z.

  // The block that starts in this cycle.
  output wire        grid_start_valid,       // A block starts.
  output wire        grid_start_slot,        // Its CTA slot.
  output reg  [1:0]  grid_start_slot_oh,     // The same, one-hot; 0 if there is none.
  output reg  [1:0]  grid_start_warps,       // Its warps; 0 if there is none.
  output reg  [31:0] grid_start_id,          // Its number in the grid.
  output reg  [31:0] grid_start_x,           // Its place along x.
  output reg  [31:0] grid_start_y,           // Its place along y.
  output reg  [31:0] grid_start_z,           // Its place along z.

  output reg         last_dispatched,        // All blocks have started.
  // The grid cannot run.
  output wire        fault_valid,            // There is a fault.
  output wire        fault_wid,              // Its warp.
  output wire [31:0] fault_pc,               // Its address.
  output wire [3:0]  fault_cause,            // The cause, numbered as in docs/ISA.md, section 8.
  output wire [31:0] fault_addr              // The address, instruction word, count or CSR number at fault; 0 where
                                             // there is none.
);

  localparam [1:0] ONE = 2'd1;
  localparam [3:0] CAUSE = 4'd11;

  wire       empty;
  wire       x_ends;
  wire       y_ends;
  wire       grid_ends;
  wire [1:0] taken_warps;
  reg  [1:0] free_slots;
  reg        running;
  wire       layout_busy;
  wire       layout_done;
  wire       layout_failed;
  wire [1:0] layout_map_slot;
  wire [5:0] layout_slots;
  wire [3:0] ctas_members;

  // 1. take a grid
  assign launch_ready = may_launch;
  assign taken = launch_valid & may_launch;
  assign empty = (launch_grid_x == 32'd0) | (launch_grid_y == 32'd0) | (launch_grid_z == 32'd0) |
      (launch_block_x == 11'd0) | (launch_block_y == 11'd0) | (launch_block_z == 11'd0);

  BlockLayout layout (
    .clock             (clock),
    .reset             (reset),
    .start             (taken & !empty),
    .shape_grid_x      (launch_grid_x),
    .shape_grid_y      (launch_grid_y),
    .shape_grid_z      (launch_grid_z),
    .shape_block_x     (launch_block_x),
    .shape_block_y     (launch_block_y),
    .shape_block_z     (launch_block_z),
    .shape_local_bytes (launch_local_bytes),
    .busy              (layout_busy),
    .done              (layout_done),
    .failed            (layout_failed),
    .map_in_grid       (grid_map_in_grid),
    .map_size          (grid_map_size),
    .map_slot          (layout_map_slot),
    .map_rank          (grid_map_rank),
    .map_last_warps    (grid_map_last_warps),
    .map_last_lanes    (grid_map_last_lanes),
    .map_local_base    (grid_map_local_base),
    .map_local_bytes   (grid_map_local_bytes),
    .slots             (layout_slots),
    .thread_valid      (grid_thread_valid),
    .thread_rank       (grid_thread_rank),
    .thread_lane_oh    (grid_thread_lane_oh),
    .thread_x          (grid_thread_x),
    .thread_y          (grid_thread_y),
    .thread_z          (grid_thread_z)
  );

  assign grid_shape_grid_x = launch_grid_x;
  assign grid_shape_grid_y = launch_grid_y;
  assign grid_shape_grid_z = launch_grid_z;
  assign grid_shape_block_x = launch_block_x;
  assign grid_shape_block_y = launch_block_y;
  assign grid_shape_block_z = launch_block_z;
  assign grid_shape_local_bytes = launch_local_bytes;
  assign grid_map_slot = layout_map_slot;

  // 2. whether this block is the last
  assign x_ends = (grid_start_x + 32'd1) == launch_grid_x;
  assign y_ends = (grid_start_y + 32'd1) == launch_grid_y;
  assign grid_ends = x_ends & y_ends & ((grid_start_z + 32'd1) == launch_grid_z);

  // 3. the block that starts: given its slot a cycle ago, so that it starts far from the choice
  assign grid_start_valid = |grid_start_slot_oh;

  OneHotIndex_W2 number (
    .mask_oh (grid_start_slot_oh),
    .index   (grid_start_slot)
  );

  CtaMembers ctas (
    .cta     (layout_map_slot),
    .members (ctas_members)
  );

  always @* begin : grid_start_warps_logic
    integer c;
    grid_start_warps = 2'd0;
    for (c = 0; c < 2; c = c + 1) begin
      if (grid_start_slot_oh[c]) begin
        grid_start_warps = grid_start_warps | ctas_members[c*2 +: 2];
      end
    end
  end

  // 4. the next block gets the smallest free CTA slot: none of its warps is active or about to be started
  assign taken_warps = active_warps | grid_start_warps;

  always @* begin : free_slots_logic
    integer c;
    free_slots = 2'd0;
    for (c = 0; c < 2; c = c + 1) begin
      free_slots[c] = !(|(taken_warps & ctas_members[c*2 +: 2])) & (layout_slots > c[5:0]);
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      grid_start_slot_oh <= 2'd0;
    end else begin
      grid_start_slot_oh <= 2'd0;
      if (running & !((|grid_start_slot_oh) & grid_ends)) begin
        grid_start_slot_oh <= free_slots & (~free_slots + ONE);
      end
    end
  end

  // 5. on to the next block: x first, then y, then z
  always @(posedge clock) begin
    if (|grid_start_slot_oh) begin
      grid_start_id <= grid_start_id + 32'd1;
      grid_start_x <= grid_start_x + 32'd1;
      if (x_ends) begin
        grid_start_x <= 32'd0;
        grid_start_y <= grid_start_y + 32'd1;
        if (y_ends) begin
          grid_start_y <= 32'd0;
          grid_start_z <= grid_start_z + 32'd1;
        end
      end
    end
    if (taken) begin
      grid_start_id <= 32'd0;
      grid_start_x <= 32'd0;
      grid_start_y <= 32'd0;
      grid_start_z <= 32'd0;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      running <= 1'b0;
      last_dispatched <= 1'b0;
    end else begin
      if (|grid_start_slot_oh) begin
        if (grid_ends) begin
          running <= 1'b0;
          last_dispatched <= 1'b1;
        end
      end
      if (layout_done & !layout_failed) begin
        running <= 1'b1;
      end
      if (taken) begin
        last_dispatched <= 1'b0;
      end
    end
  end

  assign busy = layout_busy | running;

  // 6. a grid that cannot run
  assign fault_valid = (taken & empty) | layout_failed;
  assign fault_wid = 1'b0;
  assign fault_pc = start_pc;
  assign fault_cause = CAUSE;
  assign fault_addr = 32'd0;
endmodule

`default_nettype wire
