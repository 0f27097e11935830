`default_nettype none

// Remembers which block is in each CTA slot, and where each lane's thread is in its block.
// Latency: reads are combinational, writes show in the next cycle.
// Reset: none; before the first grid it reads 0.
module CtaCsrs (
  input wire        clock,                  // Rising edge moves the state.
  input wire [11:0] number,                 // CSR number.
  input wire        wid,                    // Warp of the access.
  // The grid.
  // What it looks like.
  input wire [31:0] grid_shape_grid_x,      // Blocks along x.
  input wire [31:0] grid_shape_grid_y,      // Blocks along y.
  input wire [31:0] grid_shape_grid_z,      // Blocks along z.
  input wire [10:0] grid_shape_block_x,     // Threads of a block along x.
  input wire [10:0] grid_shape_block_y,     // Threads of a block along y.
  input wire [10:0] grid_shape_block_z,     // Threads of a block along z.
  input wire [14:0] grid_shape_local_bytes, // Bytes of local memory that a block gets.

  // Where warps belong.
  input wire        grid_map_in_grid,       // A grid was launched; nothing else here has a meaning before.
  input wire [5:0]  grid_map_size,          // Warps of a block.
  input wire [1:0]  grid_map_slot,          // CTA slot of each warp slot.
  input wire [1:0]  grid_map_rank,          // Rank of each warp in its block.
  input wire [1:0]  grid_map_last_warps,    // The warps that are the last of their block.
  input wire [1:0]  grid_map_last_lanes,    // Lanes of such a warp.
  input wire [27:0] grid_map_local_base,    // Where the local memory of each warp's block begins in that of the core.
  input wire [14:0] grid_map_local_bytes,   // Bytes of it; 0: all of the core's.

  // Where threads belong.
  input wire        grid_thread_valid,      // A place is told.
  input wire        grid_thread_rank,       // Rank of its warp in the block.
  input wire [1:0]  grid_thread_lane_oh,    // Its lane, one-hot.
  input wire [9:0]  grid_thread_x,          // Its coordinates, 0 for a lane behind the block's last thread.
  input wire [9:0]  grid_thread_y,          // Along y.
  input wire [9:0]  grid_thread_z,          // Along z.

  // The block that starts in this cycle.
  input wire        grid_start_valid,       // A block starts.
  input wire        grid_start_slot,        // Its CTA slot.
  input wire [1:0]  grid_start_slot_oh,     // The same, one-hot; 0 if there is none.
  input wire [1:0]  grid_start_warps,       // Its warps; 0 if there is none.
  input wire [31:0] grid_start_id,          // Its number in the grid.
  input wire [31:0] grid_start_x,           // Its place along x.
  input wire [31:0] grid_start_y,           // Its place along y.
  input wire [31:0] grid_start_z,           // Its place along z.

  input wire [31:0] start_pc,               // Where its warps start.
  output reg [31:0] value,                  // What all lanes read.
  output reg [19:0] coordinate              // What each lane reads beside it, 0 for the numbers of others.
);

  localparam [11:0] ID = 12'hcd0;
  localparam [11:0] RANK_NUMBER = 12'hcd1;
  localparam [11:0] SIZE = 12'hcd2;
  localparam [11:0] THREAD_ID = 12'hcd3;
  localparam [11:0] BLOCK_ID = 12'hcd6;
  localparam [11:0] BLOCK_DIM = 12'hcd9;
  localparam [11:0] GRID_DIM = 12'hcdc;
  localparam [11:0] LMEM_ADDR = 12'hcdf;
  localparam [11:0] CLUSTER_SIZE = 12'hce0;
  localparam [11:0] ENTRY = 12'hce1;
  localparam [31:0] LOCAL_MEMORY = 32'hffff0000;

  wire [127:0] block;
  wire [29:0]  place;
  wire         slot;
  wire         rank;
  wire [127:0] blocks_read_data;
  wire [59:0]  threads_read_data;

  genvar gi;

  // 1. the warp's CTA slot, and its rank there
  assign slot = grid_map_slot[wid];
  assign rank = grid_map_rank[wid];

  // 2. what becomes known of blocks and threads
  assign block = {grid_start_z, grid_start_y, grid_start_x, grid_start_id};

  LutRam_2x128 blocks (
    .clock         (clock),
    .read_address  (slot),
    .read_data     (blocks_read_data),
    .write_enable  (grid_start_valid),
    .write_address (grid_start_slot),
    .write_data    (block)
  );

  assign place = {grid_thread_z, grid_thread_y, grid_thread_x};

  generate
    for (gi = 0; gi < 2; gi = gi + 1) begin : threads
      LutRam_2x30 unit (
        .clock         (clock),
        .read_address  (rank),
        .read_data     (threads_read_data[gi*30 +: 30]),
        .write_enable  (grid_thread_valid & grid_thread_lane_oh[gi]),
        .write_address (grid_thread_rank),
        .write_data    (place)
      );
    end
  endgenerate

  // 3. read; before the first grid most of it is 0
  always @* begin : value_logic
    integer axis;
    axis = 0;
    value = 32'd0;
    if (grid_map_in_grid) begin
      if (number == ID) begin
        value = blocks_read_data[31:0];
      end
      if (number == RANK_NUMBER) begin
        value = {31'd0, rank};
      end
      if (number == SIZE) begin
        value = {26'd0, grid_map_size};
      end
      for (axis = 0; axis < 3; axis = axis + 1) begin
        if (number == (BLOCK_ID + axis[11:0])) begin
          value = blocks_read_data[axis*32 + 32 +: 32];
        end
      end
      if (number == BLOCK_DIM) begin
        value = {21'd0, grid_shape_block_x};
      end
      if (number == (BLOCK_DIM + 12'd1)) begin
        value = {21'd0, grid_shape_block_y};
      end
      if (number == (BLOCK_DIM + 12'd2)) begin
        value = {21'd0, grid_shape_block_z};
      end
      if (number == GRID_DIM) begin
        value = grid_shape_grid_x;
      end
      if (number == (GRID_DIM + 12'd1)) begin
        value = grid_shape_grid_y;
      end
      if (number == (GRID_DIM + 12'd2)) begin
        value = grid_shape_grid_z;
      end
    end
    if (number == LMEM_ADDR) begin
      value = LOCAL_MEMORY;
    end
    if (number == CLUSTER_SIZE) begin
      value = 32'd1;
    end
    if (number == ENTRY) begin
      value = start_pc;
    end
  end

  // 4. what each lane reads for itself, of the three axes one
  always @* begin : coordinate_logic
    integer i, axis;
    i = 0;
    axis = 0;
    coordinate = 20'd0;
    if (grid_map_in_grid) begin
      for (i = 0; i < 2; i = i + 1) begin
        for (axis = 0; axis < 3; axis = axis + 1) begin
          if (number == (THREAD_ID + axis[11:0])) begin
            coordinate[i*10 +: 10] = threads_read_data[i*30 + axis*10 +: 10];
          end
        end
      end
    end
  end

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, grid_shape_local_bytes, grid_map_last_warps, grid_map_last_lanes, grid_map_local_base,
      grid_map_local_bytes, grid_start_slot_oh, grid_start_warps};
endmodule

`default_nettype wire
