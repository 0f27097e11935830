`default_nettype none

// Scoreboard, warp scheduler and operand stage of a slice.
// Latency: an instruction that issues in cycle i is in the operand stage in i+1.
// Reset: nothing in flight.
// Invariants: one instruction issues a cycle, of a warp in `own_warps` or, where warps are shared, of a shared warp; a
// class whose collector may be occupied does not issue, so only class sp can hold the operand stage.
module IssueFront (
  input wire         clock,                       // Rising edge moves the state.
  input wire         reset,                       // Synchronous, active high.
  // Heads, warps, lanes, events.
  input wire  [1:0]  own_warps,                   // The warps that the slice owns.
  // The heads of the instruction queues.
  input wire  [1:0]  heads_valid_warps,           // A bit a warp: the queue is not empty.
  input wire  [1:0]  heads_enters_warps,          // A bit a warp: a first instruction enters the empty queue.
  // The heads' registers.
  input wire  [35:0] heads_registers_number,      // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [5:0]  heads_registers_used,        // It uses them, and they are not x0.

  // Registers of what is at the head in the next cycle, if the present head issues or one enters.
  input wire  [35:0] heads_following_number,      // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [5:0]  heads_following_used,        // It uses them, and they are not x0.

  input wire  [1:0]  heads_write_warps,           // A bit a warp: it has a destination.
  input wire  [1:0]  heads_sfu_warps,             // A bit a warp: it goes to collector SFU.
  input wire  [1:0]  heads_mem_warps,             // A bit a warp: it goes to collector MEM.
  input wire  [1:0]  heads_blocks_warps,          // A bit a warp: nothing younger issues until it is resolved.
  input wire  [1:0]  heads_memory_warps,          // A bit a warp: it is a load or a store.
  input wire  [1:0]  heads_nop_warps,             // A bit a warp: it is a NOP, which issues without any unit (SWaS
                                                  // only).

  input wire  [1:0]  flush_warps,                 // The queue is emptied (SWaS: filled with NOPs).
  input wire  [31:0] head_instr,                  // The instruction at the head of the granted queue.
  input wire  [31:0] head_pc,                     // Its address.
  // What all schedulers see alike.
  input wire  [1:0]  core_active_warps,           // Resident and not exited.
  input wire  [1:0]  core_start_warps,            // Activated this cycle; active from the next cycle on.
  input wire  [1:0]  core_exit_warps,             // Exits this cycle; inactive from the next cycle on.
  input wire  [3:0]  core_older,                  // Bit `j` of element `i` says that warp `j` is older than warp `i`.
  input wire  [1:0]  core_cta,                    // CTA slot of each warp.
  input wire  [1:0]  core_cta_start,              // One bit a CTA slot: a CTA was dispatched to the slot.
  input wire         core_last_cta_dispatched,    // All CTAs of the grid have been dispatched.
  input wire         core_kernel_start,           // A kernel begins.
  input wire  [1:0]  core_held_warps,             // Waiting for a line of the instruction cache, from the second cycle
                                                  // after the request on.
  input wire         core_icache_req_ready,       // The instruction cache takes a request this cycle.
  input wire  [1:0]  core_fetch_fire_warps,       // The warp for which an instruction was requested this cycle.
  input wire  [1:0]  core_issue_fire_warps,       // The warps whose head issued this cycle, of all slices.
  input wire  [1:0]  core_blocked_warps,          // Data-ready and not issue-ready: the head's class has no room, in
                                                  // whichever slice.
  // Barriers.
  input wire  [1:0]  core_barrier_warps,          // Waiting at a barrier.
  input wire  [1:0]  core_barrier_arrive_warps,   // Arrives at a barrier and, unless released in the same cycle, will
                                                  // wait.
  input wire  [1:0]  core_barrier_release_warps,  // Released from a barrier.

  // Loads and stores.
  input wire  [1:0]  core_memory_done_warps,      // A load returned completely or a store was accepted completely.

  input wire  [3:0]  tmask,                       // Active lanes of each warp.
  input wire  [1:0]  resume_warps,                // Event: warp control, barrier or fence done; of the special and the
                                                  // load-store unit.

  // Room, branches, and what is written to the register file.
  input wire         sp_free,                     // The sp collector takes what the operand stage holds.
  input wire         mem_free,                    // What issues in this cycle will find room in the mem collector.
  input wire         sfu_free,                    // What issues in this cycle will find room in the sfu collector.
  input wire         passed_valid,                // The branch in the sp collector leaves it and is not taken.
  input wire         passed_wid,                  // Its warp.
  // A branch or jump was resolved in the cycle before.
  input wire         branch_valid,                // A branch or jump is resolved.
  input wire         branch_wid,                  // Its warp.
  input wire         branch_taken,                // It is taken.
  input wire  [31:0] branch_target,               // Where to.

  // What is written to the register file.
  input wire         commit_valid,                // A register is written.
  input wire         commit_wid,                  // Its warp.
  input wire  [5:0]  commit_rd,                   // Destination register.
  input wire  [1:0]  commit_tmask,                // Its lanes.

  input wire         commit_last,                 // The instruction has now written all its lanes.

  input wire  [63:0] commit_data,                 // Value of each lane.

  // What the operand stage holds.
  // An instruction of class sp.
  output wire        operand_sp_valid,            // An instruction is there.
  output wire        operand_sp_wid,              // Its warp.
  output wire [5:0]  operand_sp_rd,               // Destination register.
  output wire [1:0]  operand_sp_tmask,            // Its lanes.

  output wire        operand_sp_use_rd,           // There is a destination.
  output wire [2:0]  operand_sp_funct3,           // Minor opcode.

  output wire [1:0]  operand_sp_last_lane,        // The last active lane, one hot.
  output wire [10:0] operand_sp_alu_control,      // Operation of the ALU.
  output wire        operand_sp_multiplies,       // It is for the multiplier.
  output wire [3:0]  operand_sp_multiply_control, // Operation of the multiplier.
  output wire        operand_sp_resolves,         // It is a branch or a jump.
  output wire [31:0] operand_sp_target,           // Where it branches to.
  output wire [63:0] operand_sp_a,                // First operand of each lane.
  output wire [63:0] operand_sp_b,                // Second operand of each lane, or its complement, for operations that
                                                  // subtract or compare.

  // One of class mem.
  output wire        operand_mem_valid,           // A load, store or fence is there.
  output wire        operand_mem_wid,             // Its warp.
  output wire [5:0]  operand_mem_rd,              // Destination register.
  output wire [1:0]  operand_mem_tmask,           // Its lanes.

  output wire        operand_mem_use_rd,          // There is a destination.
  output wire [2:0]  operand_mem_funct3,          // Minor opcode.

  output wire [31:0] operand_mem_pc,              // Its address.
  output wire        operand_mem_store,           // It is a store.
  output wire        operand_mem_fence,           // It is FENCE.
  output wire        operand_mem_fence_i,         // It is FENCE.I.
  output wire [31:0] operand_mem_imm,             // Offset.
  output wire [63:0] operand_mem_rs1,             // Base address of each lane.
  output wire [63:0] operand_mem_rs2,             // Value to store of each lane, or operand.
  input wire         operand_mem_ready,           // It is taken in this cycle.

  // One of class sfu.
  output wire        operand_sfu_valid,           // An instruction is there.
  output wire        operand_sfu_wid,             // Its warp.
  output wire [5:0]  operand_sfu_rd,              // Destination register.
  output wire [1:0]  operand_sfu_tmask,           // Its lanes.

  output wire        operand_sfu_use_rd,          // There is a destination.
  output wire [2:0]  operand_sfu_funct3,          // Minor opcode.

  output wire [31:0] operand_sfu_pc,              // Its address.
  output wire [31:0] operand_sfu_instr,           // The instruction.
  output wire        operand_sfu_csr,             // It is a CSR access.
  output wire        operand_sfu_csr_imm,         // Its CSR operand is the immediate in the instruction.
  output wire        operand_sfu_wctl,            // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  output wire        operand_sfu_barrier,         // It is BAR.
  output wire        operand_sfu_legal,           // It is a legal instruction.
  output wire        operand_sfu_div,             // It is for the divider.
  output wire [31:0] operand_sfu_last_rs1,        // First register of the last active lane.
  output wire [31:0] operand_sfu_last_rs2,        // Second register of the last active lane.

  output wire [63:0] operand_sfu_rs1,             // First register of each lane.
  output wire [63:0] operand_sfu_rs2,             // Second register of each lane.

  // What issues, and what does not.
  output wire [1:0]  issue_oh,                    // A bit a warp: the warp whose head is granted issue through this
                                                  // slice.
  output wire [1:0]  issue_fire_warps,            // A bit a warp: the warp whose head leaves its queue, if one does.
  // The granted head, an instruction that issues if it leaves its queue and is no NOP (which only SWaS has).
  output wire        issue_valid,                 // There is one, which a NOP is not.
  output wire        issue_wid,                   // Its warp.
  output wire [31:0] issue_pc,                    // Its address.
  output wire [31:0] issue_instr,                 // Its word.
  output reg  [1:0]  issue_tmask,                 // Its active lanes.

  // What the scheduler sees of the slice, and chooses; `fire`: the granted head leaves its queue.
  // What it sees of its stage.
  output wire [1:0]  sched_ready_warps,           // The candidates. At fetch: fetch-ready; at issue: issue-ready.
  output wire [1:0]  sched_data_ready_warps,      // Ready but for the unit that is to take the instruction. At fetch:
                                                  // as `ready_warps`.
  output wire [1:0]  sched_own_warps,             // The warps that this scheduler may ever grant.
  output wire [1:0]  sched_memory_warps,          // The head of the queue is a load or a store.
  output wire [1:0]  sched_empty_warps,           // The queue is empty. At fetch: and nothing is on its way to it.
  output wire [5:0]  sched_unissued,              // Instructions fetched and not yet issued. At issue: 0.
  output wire        sched_fire,                  // The grant of this cycle left the stage.
  output reg  [1:0]  sched_fired_oh,              // The warp that left the stage through this scheduler: the grant, if
                                                  // `fire`.

  output wire [1:0]  sched_grant_oh,              // Its choice.

  output wire        operand_stall,               // The operand stage holds: whatever is chosen, nothing issues.
  // Why the others do not issue.
  output wire [1:0]  stall_on_ibuffer,            // The queue is empty.
  output wire [1:0]  stall_on_control,            // A branch, warp control, fence or barrier is unresolved.
  output wire [1:0]  stall_on_scoreboard,         // A register of the head waits for its value.
  output wire [1:0]  stall_on_pipeline,           // The collector of the head's class is not free.

  // With oracles: what they say.
  output wire        oracle_discrepancy,          // The scheduler that knows of all instructions, fetched or not,
                                                  // grants another warp.
  output wire        oracle_error,                // So does the one that excuses what has not been fetched in time.
  output wire [31:0] oracle_discrepancies,        // Cycles with a discrepancy so far.
  output wire [31:0] oracle_errors,               // Cycles with an error so far.

  // Its registers.
  output reg  [17:0] granted_number,              // Their numbers; bit 5 is set for those of the floating-point file.
  output wire [2:0]  granted_used,                // It uses them, and they are not x0.

  output wire [1:0]  special_warps                // Heads that go to the special unit.
);

  reg  [5:0] used_warps;
  wire       scheduler_grant_valid;
  wire [1:0] scheduler_grant_oh;
  wire [1:0] operand_write_warps;

  genvar gk;

  // 1. the grant. A full operand stage is known late: it stops the grant, not the choice.
  assign sched_fire = scheduler_grant_valid & !operand_stall;

  // a NOP goes nowhere
  assign issue_valid = sched_fire & !(|(scheduler_grant_oh & heads_nop_warps));
  assign issue_oh = scheduler_grant_oh;
  assign issue_pc = head_pc;
  assign issue_instr = head_instr;

  always @* begin
    sched_fired_oh = 2'd0;
    if (!operand_stall) begin
      sched_fired_oh = scheduler_grant_oh;
    end
  end

  assign issue_fire_warps = sched_fired_oh;

  // The granted head is an OR of masked fields, for the grant is one hot.
  always @* begin : issue_tmask_logic
    integer i;
    issue_tmask = 2'd0;
    for (i = 0; i < 2; i = i + 1) begin
      if (issue_oh[i]) begin
        issue_tmask = issue_tmask | tmask[i*2 +: 2];
      end
    end
  end

  always @* begin : granted_number_logic
    integer k, i;
    granted_number = 18'd0;
    used_warps = 6'd0;
    for (k = 0; k < 3; k = k + 1) begin
      for (i = 0; i < 2; i = i + 1) begin
        used_warps[k*2 + i] = heads_registers_used[i*3 + k];
        if (issue_oh[i]) begin
          granted_number[k*6 +: 6] = granted_number[k*6 +: 6] | heads_registers_number[(i*3 + k)*6 +: 6];
        end
      end
    end
  end

  generate
    for (gk = 0; gk < 3; gk = gk + 1) begin : granted_used_each
      assign granted_used[gk] = (issue_oh & used_warps[gk*2 +: 2]) != 2'd0;
    end
  endgenerate

  // 2. who may issue. What a reserved rounding mode makes illegal is for the special unit, which reports it.
  assign special_warps = heads_sfu_warps;

  Scoreboard scoreboard (
    .clock                  (clock),
    .reset                  (reset),
    .own_warps              (own_warps),
    .active_warps           (core_active_warps),
    .start_warps            (core_start_warps),
    .barrier_warps          (core_barrier_warps),
    .resume_warps           (resume_warps),
    .heads_valid_warps      (heads_valid_warps),
    .heads_enters_warps     (heads_enters_warps),
    .heads_registers_number (heads_registers_number),
    .heads_registers_used   (heads_registers_used),
    .heads_following_number (heads_following_number),
    .heads_following_used   (heads_following_used),
    .heads_write_warps      (heads_write_warps),
    .heads_sfu_warps        (special_warps),
    .heads_mem_warps        (heads_mem_warps),
    .heads_blocks_warps     (heads_blocks_warps),
    .heads_memory_warps     (heads_memory_warps),
    .heads_nop_warps        (heads_nop_warps),
    .flush_warps            (flush_warps),
    .issue_fire_warps       (sched_fired_oh),
    .operand_write_warps    (operand_write_warps),
    .operand_rd             (operand_sp_rd),
    .operand_stall          (operand_stall),
    .mem_free               (mem_free),
    .sfu_free               (sfu_free),
    .passed_valid           (passed_valid),
    .passed_wid             (passed_wid),
    .branch_valid           (branch_valid),
    .branch_wid             (branch_wid),
    .branch_taken           (branch_taken),
    .branch_target          (branch_target),
    .commit_valid           (commit_valid),
    .commit_wid             (commit_wid),
    .commit_rd              (commit_rd),
    .commit_tmask           (commit_tmask),
    .commit_last            (commit_last),
    .ready_warps            (sched_ready_warps),
    .data_ready_warps       (sched_data_ready_warps),
    .stall_on_ibuffer       (stall_on_ibuffer),
    .stall_on_control       (stall_on_control),
    .stall_on_scoreboard    (stall_on_scoreboard),
    .stall_on_pipeline      (stall_on_pipeline)
  );

  // 3. who does
  assign sched_own_warps = own_warps;
  assign sched_memory_warps = heads_memory_warps;
  assign sched_empty_warps = ~heads_valid_warps;
  assign sched_unissued = 6'd0;

  UnifiedScheduler scheduler (
    .clock                      (clock),
    .reset                      (reset),
    .stage_ready_warps          (sched_ready_warps),
    .stage_data_ready_warps     (sched_data_ready_warps),
    .stage_own_warps            (sched_own_warps),
    .stage_memory_warps         (sched_memory_warps),
    .stage_empty_warps          (sched_empty_warps),
    .stage_unissued             (sched_unissued),
    .stage_fire                 (sched_fire),
    .stage_fired_oh             (sched_fired_oh),
    .core_active_warps          (core_active_warps),
    .core_start_warps           (core_start_warps),
    .core_exit_warps            (core_exit_warps),
    .core_older                 (core_older),
    .core_cta                   (core_cta),
    .core_cta_start             (core_cta_start),
    .core_last_cta_dispatched   (core_last_cta_dispatched),
    .core_kernel_start          (core_kernel_start),
    .core_held_warps            (core_held_warps),
    .core_icache_req_ready      (core_icache_req_ready),
    .core_fetch_fire_warps      (core_fetch_fire_warps),
    .core_issue_fire_warps      (core_issue_fire_warps),
    .core_blocked_warps         (core_blocked_warps),
    .core_barrier_warps         (core_barrier_warps),
    .core_barrier_arrive_warps  (core_barrier_arrive_warps),
    .core_barrier_release_warps (core_barrier_release_warps),
    .core_memory_done_warps     (core_memory_done_warps),
    .grant_valid                (scheduler_grant_valid),
    .grant_oh                   (scheduler_grant_oh),
    .grant_wid                  (issue_wid)
  );

  Oracles oracles (
    .clock                      (clock),
    .reset                      (reset),
    .stage_ready_warps          (sched_ready_warps),
    .stage_data_ready_warps     (sched_data_ready_warps),
    .stage_own_warps            (sched_own_warps),
    .stage_memory_warps         (sched_memory_warps),
    .stage_empty_warps          (sched_empty_warps),
    .stage_unissued             (sched_unissued),
    .stage_fire                 (sched_fire),
    .stage_fired_oh             (sched_fired_oh),
    .absent_warps               (stall_on_ibuffer),
    .core_active_warps          (core_active_warps),
    .core_start_warps           (core_start_warps),
    .core_exit_warps            (core_exit_warps),
    .core_older                 (core_older),
    .core_cta                   (core_cta),
    .core_cta_start             (core_cta_start),
    .core_last_cta_dispatched   (core_last_cta_dispatched),
    .core_kernel_start          (core_kernel_start),
    .core_held_warps            (core_held_warps),
    .core_icache_req_ready      (core_icache_req_ready),
    .core_fetch_fire_warps      (core_fetch_fire_warps),
    .core_issue_fire_warps      (core_issue_fire_warps),
    .core_blocked_warps         (core_blocked_warps),
    .core_barrier_warps         (core_barrier_warps),
    .core_barrier_arrive_warps  (core_barrier_arrive_warps),
    .core_barrier_release_warps (core_barrier_release_warps),
    .core_memory_done_warps     (core_memory_done_warps),
    .branch_valid               (branch_valid),
    .branch_wid                 (branch_wid),
    .branch_taken               (branch_taken),
    .branch_target              (branch_target),
    .grant_oh                   (scheduler_grant_oh),
    .stalled                    (operand_stall | !core_icache_req_ready),
    .view_discrepancy           (oracle_discrepancy),
    .view_error                 (oracle_error),
    .view_discrepancies         (oracle_discrepancies),
    .view_errors                (oracle_errors)
  );

  // 4. operand stage
  Operands operands (
    .clock                       (clock),
    .reset                       (reset),
    .issue_valid                 (issue_valid),
    .issue_wid                   (issue_wid),
    .issue_pc                    (issue_pc),
    .issue_instr                 (issue_instr),
    .issue_tmask                 (issue_tmask),
    .registers_number            (granted_number),
    .registers_used              (granted_used),
    .issue_write_warps           (issue_oh & heads_write_warps),
    .issue_mem                   ((issue_oh & heads_mem_warps) != 2'd0),
    .issue_sfu                   ((issue_oh & special_warps) != 2'd0),
    .commit_valid                (commit_valid),
    .commit_wid                  (commit_wid),
    .commit_rd                   (commit_rd),
    .commit_tmask                (commit_tmask),
    .commit_last                 (commit_last),
    .commit_data                 (commit_data),
    .collector_ready             (sp_free),
    .operand_stall               (operand_stall),
    .operand_write_warps         (operand_write_warps),
    .operand_sp_valid            (operand_sp_valid),
    .operand_sp_wid              (operand_sp_wid),
    .operand_sp_rd               (operand_sp_rd),
    .operand_sp_tmask            (operand_sp_tmask),
    .operand_sp_use_rd           (operand_sp_use_rd),
    .operand_sp_funct3           (operand_sp_funct3),
    .operand_sp_last_lane        (operand_sp_last_lane),
    .operand_sp_alu_control      (operand_sp_alu_control),
    .operand_sp_multiplies       (operand_sp_multiplies),
    .operand_sp_multiply_control (operand_sp_multiply_control),
    .operand_sp_resolves         (operand_sp_resolves),
    .operand_sp_target           (operand_sp_target),
    .operand_sp_a                (operand_sp_a),
    .operand_sp_b                (operand_sp_b),
    .operand_mem_valid           (operand_mem_valid),
    .operand_mem_wid             (operand_mem_wid),
    .operand_mem_rd              (operand_mem_rd),
    .operand_mem_tmask           (operand_mem_tmask),
    .operand_mem_use_rd          (operand_mem_use_rd),
    .operand_mem_funct3          (operand_mem_funct3),
    .operand_mem_pc              (operand_mem_pc),
    .operand_mem_store           (operand_mem_store),
    .operand_mem_fence           (operand_mem_fence),
    .operand_mem_fence_i         (operand_mem_fence_i),
    .operand_mem_imm             (operand_mem_imm),
    .operand_mem_rs1             (operand_mem_rs1),
    .operand_mem_rs2             (operand_mem_rs2),
    .operand_mem_ready           (operand_mem_ready),
    .operand_sfu_valid           (operand_sfu_valid),
    .operand_sfu_wid             (operand_sfu_wid),
    .operand_sfu_rd              (operand_sfu_rd),
    .operand_sfu_tmask           (operand_sfu_tmask),
    .operand_sfu_use_rd          (operand_sfu_use_rd),
    .operand_sfu_funct3          (operand_sfu_funct3),
    .operand_sfu_pc              (operand_sfu_pc),
    .operand_sfu_instr           (operand_sfu_instr),
    .operand_sfu_csr             (operand_sfu_csr),
    .operand_sfu_csr_imm         (operand_sfu_csr_imm),
    .operand_sfu_wctl            (operand_sfu_wctl),
    .operand_sfu_barrier         (operand_sfu_barrier),
    .operand_sfu_legal           (operand_sfu_legal),
    .operand_sfu_div             (operand_sfu_div),
    .operand_sfu_last_rs1        (operand_sfu_last_rs1),
    .operand_sfu_last_rs2        (operand_sfu_last_rs2),
    .operand_sfu_rs1             (operand_sfu_rs1),
    .operand_sfu_rs2             (operand_sfu_rs2)
  );

  assign sched_grant_oh = scheduler_grant_oh;
endmodule

`default_nettype wire
