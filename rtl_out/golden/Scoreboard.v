`default_nettype none

// Registers that wait for a result, warps that wait for a branch, and the issue decision's inputs.
// Latency: combinational; what issues or commits shows in the next cycle.
// Reset: nothing pending.
// Invariants: an active warp of the slice is in `ready_warps` or in exactly one of the stall masks, which exclude each
// other in the order control, queue, scoreboard, unit. `operand_stall` puts all ready warps into `stall_on.pipeline`
// too: it comes late, so it stops the grant from firing and not the warps from being ready. A register has one writer
// in flight.
module Scoreboard (
  input wire         clock,                  // Rising edge moves the state.
  input wire         reset,                  // Synchronous, active high.
  input wire  [1:0]  own_warps,              // The warps of this slice.
  input wire  [1:0]  active_warps,           // Resident and not exited.
  input wire  [1:0]  start_warps,            // Activated this cycle.
  input wire  [1:0]  barrier_warps,          // Waiting at a barrier.
  input wire  [1:0]  resume_warps,           // What blocked the warp is done: warp control, barrier, fence.
  // The heads.
  input wire  [1:0]  heads_valid_warps,      // A bit a warp: the queue is not empty.
  input wire  [1:0]  heads_enters_warps,     // A bit a warp: a first instruction enters the empty queue.
  // The heads' registers.
  input wire  [35:0] heads_registers_number, // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [5:0]  heads_registers_used,   // It uses them, and they are not x0.

  // Registers of what is at the head in the next cycle, if the present head issues or one enters.
  input wire  [35:0] heads_following_number, // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [5:0]  heads_following_used,   // It uses them, and they are not x0.

  input wire  [1:0]  heads_write_warps,      // A bit a warp: it has a destination.
  input wire  [1:0]  heads_sfu_warps,        // A bit a warp: it goes to collector SFU.
  input wire  [1:0]  heads_mem_warps,        // A bit a warp: it goes to collector MEM.
  input wire  [1:0]  heads_blocks_warps,     // A bit a warp: nothing younger issues until it is resolved.
  input wire  [1:0]  heads_memory_warps,     // A bit a warp: it is a load or a store.

  input wire  [1:0]  flush_warps,            // The queue is emptied (SWaS: filled with NOPs).
  input wire  [1:0]  issue_fire_warps,       // The warp that fires, or none.
  input wire  [1:0]  operand_write_warps,    // The warp of an instruction with a destination in the operand stage, or
                                             // none.
  input wire  [5:0]  operand_rd,             // Its destination.
  input wire         operand_stall,          // The stage holds: nothing may fire.
  input wire         mem_free,               // An instruction of class mem finds its collector free.
  input wire         sfu_free,               // An instruction of class sfu finds its collector free.
  input wire         passed_valid,           // A branch is not taken.
  input wire         passed_wid,             // Its warp.
  // A branch or jump was resolved in the cycle before.
  input wire         branch_valid,           // A branch or jump is resolved.
  input wire         branch_wid,             // Its warp.
  input wire         branch_taken,           // It is taken.
  input wire  [31:0] branch_target,          // Where to.

  // From commit: a register got its value.
  input wire         commit_valid,           // A register is written.
  input wire         commit_wid,             // Its warp.
  input wire  [5:0]  commit_rd,              // Destination register.
  input wire  [1:0]  commit_tmask,           // Its lanes.

  input wire         commit_last,            // The instruction has now written all its lanes.

  output wire [1:0]  ready_warps,            // May issue but for `operand_stall`.
  output wire [1:0]  data_ready_warps,       // May issue but for the unit.
  // Why the others may not.
  output wire [1:0]  stall_on_ibuffer,       // The queue is empty.
  output wire [1:0]  stall_on_control,       // A branch, warp control, fence or barrier is unresolved.
  output wire [1:0]  stall_on_scoreboard,    // A register of the head waits for its value.
  output reg  [1:0]  stall_on_pipeline       // The collector of the head's class is not free.
);

  localparam [1:0] FIRST_WARP = 2'd1;

  wire [1:0]  issuing_warps;
  wire [1:0]  raw;
  wire [1:0]  waw;
  reg  [1:0]  resolved;
  wire [1:0]  candidates;
  wire [1:0]  unblocked;
  wire [1:0]  fetched;
  reg  [1:0]  unit_busy;
  wire [4:0]  taken;
  wire [4:0]  freed;
  wire [31:0] taken_mask;
  reg  [31:0] freed_mask;
  reg  [1:0]  control_pending;
  reg  [63:0] rows_taken_mask;
  (* nowrshmsk *) // written at an index: decoded by yosys, instead of by a shifted mask
  reg  [1:0]  rows_freed_valid;
  (* nowrshmsk *) // written at an index: decoded by yosys, instead of by a shifted mask
  reg  [63:0] rows_freed_mask;

  genvar gi;

  // 1. a register waits from issue until its last lane is written
  assign issuing_warps = issue_fire_warps;
  assign taken = operand_rd[4:0];
  assign taken_mask = 32'd1 << taken;
  assign freed = commit_rd[4:0];

  always @* begin
    freed_mask = 32'd0;
    if (commit_valid & commit_last) begin
      freed_mask = 32'd1 << freed;
    end
  end

  generate
    for (gi = 0; gi < 2; gi = gi + 1) begin : rows
      HazardRow unit (
        .clock            (clock),
        .reset            (reset),
        .taken_mask       (rows_taken_mask[gi*32 +: 32]),
        .freed_valid      (rows_freed_valid[gi]),
        .freed_rd         (commit_rd),
        .freed_mask       (rows_freed_mask[gi*32 +: 32]),
        .head_number      (heads_registers_number[gi*18 +: 18]),
        .head_used        (heads_registers_used[gi*3 +: 3]),
        .head_issues      (issuing_warps[gi]),
        .head_enters      (heads_enters_warps[gi]),
        .flush            (flush_warps[gi]),
        .following_number (heads_following_number[gi*18 +: 18]),
        .following_used   (heads_following_used[gi*3 +: 3]),
        // 2. hazards of the heads
        .raw              (raw[gi]),
        .waw              (waw[gi])
      );
    end
  endgenerate

  always @* begin : rows_taken_mask_logic
    integer i;
    rows_taken_mask = 64'd0;
    rows_freed_mask = 64'd0;
    rows_freed_valid = 2'd0;
    for (i = 0; i < 2; i = i + 1) begin
      if (operand_write_warps[i]) begin
        rows_taken_mask[i*32 +: 32] = taken_mask;
      end
    end
    rows_freed_mask[commit_wid*32 +: 32] = freed_mask;
    rows_freed_valid[commit_wid] = commit_valid & commit_last;
  end

  // 3. what blocks a warp: unresolved branch, jump, warp control, barrier, fence. A warp that starts is free of what
  // its predecessor left behind.
  always @* begin
    resolved = resume_warps | start_warps;
    if (passed_valid) begin
      resolved = resolved | (FIRST_WARP << passed_wid);
    end
    if (branch_valid & branch_taken) begin
      resolved = resolved | (FIRST_WARP << branch_wid);
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      control_pending <= 2'd0;
    end else begin
      control_pending <= (control_pending & ~resolved) | (issuing_warps & heads_blocks_warps);
    end
  end

  // 4. one cause for each warp that may not issue
  assign candidates = own_warps & active_warps;

  // What follows a branch, warp control, barrier or fence may not be what the queue holds, or not yet.
  assign stall_on_control = candidates & (control_pending | barrier_warps);
  assign unblocked = candidates & ~control_pending & ~barrier_warps;

  // Nothing fetched yet: start, cache miss, taken branch.
  assign stall_on_ibuffer = unblocked & ~heads_valid_warps;
  assign fetched = unblocked & heads_valid_warps;

  // A source is still on its way, or an older write to the destination is.
  assign stall_on_scoreboard = fetched & (raw | waw);
  assign data_ready_warps = fetched & ~raw & ~waw;

  // The instruction would have nowhere to go.
  always @* begin
    unit_busy = 2'd0;
    if (!mem_free) begin
      unit_busy = heads_mem_warps;
    end
    if (!sfu_free) begin
      unit_busy = unit_busy | heads_sfu_warps;
    end
  end

  assign ready_warps = data_ready_warps & ~unit_busy;

  always @* begin
    stall_on_pipeline = data_ready_warps & unit_busy;
    if (operand_stall) begin
      stall_on_pipeline = data_ready_warps;
    end
  end

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, heads_write_warps, heads_memory_warps, branch_target, commit_tmask};

  // Not read: without a floating-point unit there are 32 registers.
  wire unused_operand_rd = &{1'b0, operand_rd[5]};
endmodule

`default_nettype wire
