`default_nettype none

// Reads and writes CSRs, and counts cycles and thread instructions.
// Latency: combinational.
// Reset: counters 0; mscratch takes `start_arg` in the first cycle after reset, and when a grid is taken.
// Invariants: only mscratch and the floating-point state can be written, other writes are ignored; set and clear with
// an operand of 0 do not write.
module CsrFile (
  input wire         clock,                  // Rising edge moves the state.
  input wire         reset,                  // Synchronous, active high.
  input wire         access,                 // The instruction is performed.
  input wire         active,                 // The instruction that waits, performed or not, accesses a CSR.
  input wire  [11:0] number,                 // CSR number.
  // The instruction, of whose minor opcode bits 1..0 are: 1 write, 2 set, 3 clear.
  input wire         wid,                    // Its warp.
  input wire  [5:0]  rd,                     // Destination register.
  input wire  [1:0]  tmask,                  // Its lanes.

  input wire         use_rd,                 // There is a destination.
  input wire  [2:0]  funct3,                 // Minor opcode.

  // What the CSRs show.
  input wire         issue_fire,             // Slices that issue.
  input wire  [1:0]  issue_tmask,            // Lanes of the instruction that each slice issues.
  input wire  [1:0]  active_warps,           // Warps that are active.
  input wire  [31:0] start_arg,              // Reset value of mscratch.
  input wire         running,                // The core runs.
  input wire         launch,                 // With a dispatcher: a grid is taken.
  // With a dispatcher: the grid.
  // What it looks like.
  input wire  [31:0] grid_shape_grid_x,      // Blocks along x.
  input wire  [31:0] grid_shape_grid_y,      // Blocks along y.
  input wire  [31:0] grid_shape_grid_z,      // Blocks along z.
  input wire  [10:0] grid_shape_block_x,     // Threads of a block along x.
  input wire  [10:0] grid_shape_block_y,     // Threads of a block along y.
  input wire  [10:0] grid_shape_block_z,     // Threads of a block along z.
  input wire  [14:0] grid_shape_local_bytes, // Bytes of local memory that a block gets.

  // Where warps belong.
  input wire         grid_map_in_grid,       // A grid was launched; nothing else here has a meaning before.
  input wire  [5:0]  grid_map_size,          // Warps of a block.
  input wire  [1:0]  grid_map_slot,          // CTA slot of each warp slot.
  input wire  [1:0]  grid_map_rank,          // Rank of each warp in its block.
  input wire  [1:0]  grid_map_last_warps,    // The warps that are the last of their block.
  input wire  [1:0]  grid_map_last_lanes,    // Lanes of such a warp.
  input wire  [27:0] grid_map_local_base,    // Where the local memory of each warp's block begins in that of the core.
  input wire  [14:0] grid_map_local_bytes,   // Bytes of it; 0: all of the core's.

  // Where threads belong.
  input wire         grid_thread_valid,      // A place is told.
  input wire         grid_thread_rank,       // Rank of its warp in the block.
  input wire  [1:0]  grid_thread_lane_oh,    // Its lane, one-hot.
  input wire  [9:0]  grid_thread_x,          // Its coordinates, 0 for a lane behind the block's last thread.
  input wire  [9:0]  grid_thread_y,          // Along y.
  input wire  [9:0]  grid_thread_z,          // Along z.

  // The block that starts in this cycle.
  input wire         grid_start_valid,       // A block starts.
  input wire         grid_start_slot,        // Its CTA slot.
  input wire  [1:0]  grid_start_slot_oh,     // The same, one-hot; 0 if there is none.
  input wire  [1:0]  grid_start_warps,       // Its warps; 0 if there is none.
  input wire  [31:0] grid_start_id,          // Its number in the grid.
  input wire  [31:0] grid_start_x,           // Its place along x.
  input wire  [31:0] grid_start_y,           // Its place along y.
  input wire  [31:0] grid_start_z,           // Its place along z.

  input wire  [31:0] start_pc,               // With a dispatcher: where its warps start.

  input wire  [31:0] operand,                // What is written, set or cleared.
  output reg  [31:0] value,                  // Value that is read.
  output wire        per_lane,               // The lane's number is part of the value.
  output wire        illegal,                // The access is a fault.
  output wire        reads_counter,          // The number is that of a performance counter, or of a half of one.
  output wire [19:0] coordinate              // With a dispatcher: what each lane reads beside `value`.
);

  localparam        YES = 1'b1;
  localparam [2:0]  HART_SHIFT = 3'd1;
  localparam [11:0] THREAD_ID = 12'hcc0;
  localparam [11:0] WARP_ID = 12'hcc1;
  localparam [11:0] ACTIVE_WARPS_NUMBER = 12'hcc3;
  localparam [11:0] ACTIVE_THREADS_NUMBER = 12'hcc4;
  localparam [11:0] NUM_THREADS = 12'hfc0;
  localparam [11:0] NUM_WARPS = 12'hfc1;
  localparam [11:0] NUM_CORES = 12'hfc2;
  localparam [11:0] LOCAL_MEM_BASE = 12'hfc3;
  localparam [11:0] MHARTID = 12'hf14;
  localparam [11:0] MISA = 12'h301;
  localparam [11:0] MSCRATCH_NUMBER = 12'h340;
  localparam [11:0] MCYCLE_NUMBER = 12'hb00;
  localparam [11:0] MCYCLEH_NUMBER = 12'hb80;
  localparam [11:0] MINSTRET_NUMBER = 12'hb02;
  localparam [11:0] MINSTRETH_NUMBER = 12'hb82;
  localparam [31:0] LANES_VALUE = 32'd2;
  localparam [31:0] WARPS_VALUE = 32'd2;
  localparam [31:0] MISA_VALUE = 32'h40901100;
  localparam [31:0] LOCAL_MEM_VALUE = 32'hffff0000;

  reg  [7:0]  threads;
  reg  [31:0] written;
  reg  [31:0] scratch_operand;
  reg  [31:0] scratch_written;
  wire        starts;
  wire        writes;
  reg         booted;
  reg  [31:0] mscratch;
  reg  [43:0] mcycle;
  reg  [43:0] minstret;
  reg  [1:0]  issued_lanes;
  reg  [7:0]  issued_threads;
  wire [31:0] cta_value;
  wire        numbers_known;

  // 1. read: an OR, because at most one number matches; whatever is not listed here reads 0
  assign per_lane = (number == THREAD_ID) | (number == MHARTID);

  always @* begin
    value = 32'd0;
    if (number == WARP_ID) begin
      value = {31'd0, wid};
    end
    if (number == MHARTID) begin
      value = value | ({31'd0, wid} << HART_SHIFT);
    end
    if (number == ACTIVE_WARPS_NUMBER) begin
      value = value | {30'd0, active_warps};
    end
    if (number == ACTIVE_THREADS_NUMBER) begin
      value = value | {30'd0, tmask};
    end
    if (number == NUM_THREADS) begin
      value = value | LANES_VALUE;
    end
    if (number == NUM_WARPS) begin
      value = value | WARPS_VALUE;
    end
    if (number == NUM_CORES) begin
      value = value | 32'd1;
    end
    if (number == LOCAL_MEM_BASE) begin
      value = value | LOCAL_MEM_VALUE;
    end
    if (number == MISA) begin
      value = value | MISA_VALUE;
    end
    if (number == MSCRATCH_NUMBER) begin
      value = value | mscratch;
    end
    if (number == MCYCLE_NUMBER) begin
      value = value | mcycle[31:0];
    end
    if (number == MCYCLEH_NUMBER) begin
      value = value | {20'd0, mcycle[43:32]};
    end
    if (number == MINSTRET_NUMBER) begin
      value = value | minstret[31:0];
    end
    if (number == MINSTRETH_NUMBER) begin
      value = value | {20'd0, minstret[43:32]};
    end
    value = value | cta_value;
  end

  CtaCsrs cta (
    .clock                  (clock),
    .number                 (number),
    .wid                    (wid),
    .grid_shape_grid_x      (grid_shape_grid_x),
    .grid_shape_grid_y      (grid_shape_grid_y),
    .grid_shape_grid_z      (grid_shape_grid_z),
    .grid_shape_block_x     (grid_shape_block_x),
    .grid_shape_block_y     (grid_shape_block_y),
    .grid_shape_block_z     (grid_shape_block_z),
    .grid_shape_local_bytes (grid_shape_local_bytes),
    .grid_map_in_grid       (grid_map_in_grid),
    .grid_map_size          (grid_map_size),
    .grid_map_slot          (grid_map_slot),
    .grid_map_rank          (grid_map_rank),
    .grid_map_last_warps    (grid_map_last_warps),
    .grid_map_last_lanes    (grid_map_last_lanes),
    .grid_map_local_base    (grid_map_local_base),
    .grid_map_local_bytes   (grid_map_local_bytes),
    .grid_thread_valid      (grid_thread_valid),
    .grid_thread_rank       (grid_thread_rank),
    .grid_thread_lane_oh    (grid_thread_lane_oh),
    .grid_thread_x          (grid_thread_x),
    .grid_thread_y          (grid_thread_y),
    .grid_thread_z          (grid_thread_z),
    .grid_start_valid       (grid_start_valid),
    .grid_start_slot        (grid_start_slot),
    .grid_start_slot_oh     (grid_start_slot_oh),
    .grid_start_warps       (grid_start_warps),
    .grid_start_id          (grid_start_id),
    .grid_start_x           (grid_start_x),
    .grid_start_y           (grid_start_y),
    .grid_start_z           (grid_start_z),
    .start_pc               (start_pc),
    .value                  (cta_value),
    .coordinate             (coordinate)
  );

  // mhpmcounter3 to 31 are B03 to B1F, their high halves B83 to B9F; the value comes from elsewhere.
  assign reads_counter = (number[11:5] == 7'd88) | (number[11:5] == 7'd92);

  // 2. write
  assign writes = (funct3[1:0] == 2'd1) | (operand != 32'd0);

  CsrNumbers numbers (
    .active (active),
    .number (number),
    .known  (numbers_known)
  );

  assign illegal = !numbers_known | (writes & (number[11:10] == 2'd3));

  always @* begin
    written = operand;
    if (funct3[1:0] == 2'd2) begin
      written = value | operand;
    end else if (funct3[1:0] == 2'd3) begin
      written = value & ~operand;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      booted <= 1'b0;
    end else begin
      booted <= YES;
    end
  end

  assign starts = !booted | launch;

  // A start puts its argument in the operand's place, so that it needs no choice of its own behind the operation.
  always @* begin
    scratch_operand = operand;
    if (starts) begin
      scratch_operand = start_arg;
    end
  end

  // mscratch is written from its own value, since the one that is read has passed all the numbers.
  always @* begin
    scratch_written = scratch_operand;
    if (!starts & (funct3[1:0] == 2'd2)) begin
      scratch_written = mscratch | scratch_operand;
    end
    if (!starts & (funct3[1:0] == 2'd3)) begin
      scratch_written = mscratch & ~scratch_operand;
    end
  end

  always @(posedge clock) begin
    if (starts | (access & writes & (number == MSCRATCH_NUMBER))) begin
      mscratch <= scratch_written;
    end
  end

  // 3. count
  always @(posedge clock) begin
    if (reset) begin
      mcycle <= 44'd0;
      minstret <= 44'd0;
      issued_lanes <= 2'd0;
      issued_threads <= 8'd0;
    end else begin
      if (running) begin
        mcycle <= mcycle + 44'd1;
      end
      issued_lanes <= 2'd0;
      if (issue_fire) begin
        issued_lanes <= issue_tmask;
      end
      issued_threads <= threads;
      minstret <= minstret + {36'd0, issued_threads};
    end
  end

  always @* begin : threads_logic
    integer i;
    reg thread_bit;
    threads = 8'd0;
    for (i = 0; i < 2; i = i + 1) begin
      thread_bit = issued_lanes[i];
      threads = threads + {7'd0, thread_bit};
    end
  end

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, rd, use_rd};

  // Not read: bit 2 is an immediate operand, which has been chosen before.
  wire unused_funct3 = &{1'b0, funct3[2]};

  // Not read: mscratch, the only register as wide, has a value of its own.
  wire unused_written = &{1'b0, written};
endmodule

`default_nettype wire
