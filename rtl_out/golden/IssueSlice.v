`default_nettype none

// One issue slice: its front half, scoreboard, warp scheduler and operand stage, and its back half, collectors, integer
// units and commit.
// Reset: nothing in flight.
// Invariants: one instruction issues a cycle, of a warp in `own_warps` or, where warps are shared, of a shared warp; a
// class whose collector may be occupied does not issue, so only the integer units, by a result that finds the write
// port taken, can hold the operand stage.
module IssueSlice (
  input wire         clock,                      // Rising edge moves the state.
  input wire         reset,                      // Synchronous, active high.
  // Heads, warps, lanes, events.
  input wire  [1:0]  own_warps,                  // The warps that the slice owns.
  // The heads of the instruction queues.
  input wire  [1:0]  heads_valid_warps,          // A bit a warp: the queue is not empty.
  input wire  [1:0]  heads_enters_warps,         // A bit a warp: a first instruction enters the empty queue.
  // The heads' registers.
  input wire  [35:0] heads_registers_number,     // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [5:0]  heads_registers_used,       // It uses them, and they are not x0.

  // Registers of what is at the head in the next cycle, if the present head issues or one enters.
  input wire  [35:0] heads_following_number,     // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [5:0]  heads_following_used,       // It uses them, and they are not x0.

  input wire  [1:0]  heads_write_warps,          // A bit a warp: it has a destination.
  input wire  [1:0]  heads_sfu_warps,            // A bit a warp: it goes to collector SFU.
  input wire  [1:0]  heads_mem_warps,            // A bit a warp: it goes to collector MEM.
  input wire  [1:0]  heads_blocks_warps,         // A bit a warp: nothing younger issues until it is resolved.
  input wire  [1:0]  heads_memory_warps,         // A bit a warp: it is a load or a store.

  input wire  [1:0]  flush_warps,                // The queue is emptied (SWaS: filled with NOPs).
  input wire  [31:0] head_instr,                 // The instruction at the head of the granted queue.
  input wire  [31:0] head_pc,                    // Its address.
  // What all schedulers see alike.
  input wire  [1:0]  core_active_warps,          // Resident and not exited.
  input wire  [1:0]  core_start_warps,           // Activated this cycle; active from the next cycle on.
  input wire  [1:0]  core_exit_warps,            // Exits this cycle; inactive from the next cycle on.
  input wire  [3:0]  core_older,                 // Bit `j` of element `i` says that warp `j` is older than warp `i`.
  input wire  [1:0]  core_cta,                   // CTA slot of each warp.
  input wire  [1:0]  core_cta_start,             // One bit a CTA slot: a CTA was dispatched to the slot.
  input wire         core_last_cta_dispatched,   // All CTAs of the grid have been dispatched.
  input wire         core_kernel_start,          // A kernel begins.
  input wire  [1:0]  core_held_warps,            // Waiting for a line of the instruction cache, from the second cycle
                                                 // after the request on.
  input wire         core_icache_req_ready,      // The instruction cache takes a request this cycle.
  input wire  [1:0]  core_fetch_fire_warps,      // The warp for which an instruction was requested this cycle.
  input wire  [1:0]  core_issue_fire_warps,      // The warps whose head issued this cycle, of all slices.
  input wire  [1:0]  core_blocked_warps,         // Data-ready and not issue-ready: the head's class has no room, in
                                                 // whichever slice.
  // Barriers.
  input wire  [1:0]  core_barrier_warps,         // Waiting at a barrier.
  input wire  [1:0]  core_barrier_arrive_warps,  // Arrives at a barrier and, unless released in the same cycle, will
                                                 // wait.
  input wire  [1:0]  core_barrier_release_warps, // Released from a barrier.

  // Loads and stores.
  input wire  [1:0]  core_memory_done_warps,     // A load returned completely or a store was accepted completely.

  input wire  [3:0]  tmask,                      // Active lanes of each warp.
  input wire  [1:0]  resume_warps,               // Event: warp control, barrier or fence done; of the special and the
                                                 // load-store unit.

  // A result for this slice.
  input wire         sfu_result_valid,           // A result is offered.
  input wire         sfu_result_wid,             // Its warp.
  input wire  [5:0]  sfu_result_rd,              // Destination register.
  input wire  [1:0]  sfu_result_tmask,           // Its lanes.

  input wire  [63:0] sfu_result_data,            // Value of each lane.

  output wire        sfu_result_ready,           // It is taken in this cycle.

  // A result for this slice.
  input wire         lsu_result_valid,           // A result is offered.
  input wire         lsu_result_wid,             // Its warp.
  input wire  [5:0]  lsu_result_rd,              // Destination register.
  input wire  [1:0]  lsu_result_tmask,           // Its lanes.

  input wire  [63:0] lsu_result_data,            // Value of each lane.

  output wire        lsu_result_ready,           // It is taken in this cycle.

  input wire         lsu_result_last,            // It completes the load.
  // A branch or jump was resolved in the cycle before.
  output wire        branch_valid,               // A branch or jump is resolved.
  output wire        branch_wid,                 // Its warp.
  output wire        branch_taken,               // It is taken.
  output wire [31:0] branch_target,              // Where to.

  // The instruction that waits in the mem collector.
  output wire        mem_valid,                  // A load, store or fence is there.
  output wire        mem_wid,                    // Its warp.
  output wire [5:0]  mem_rd,                     // Destination register.
  output wire [1:0]  mem_tmask,                  // Its lanes.

  output wire        mem_use_rd,                 // There is a destination.
  output wire [2:0]  mem_funct3,                 // Minor opcode.

  output wire [31:0] mem_pc,                     // Its address.
  output wire        mem_store,                  // It is a store.
  output wire        mem_fence,                  // It is FENCE.
  output wire        mem_fence_i,                // It is FENCE.I.
  output wire [31:0] mem_imm,                    // Offset.
  output wire [63:0] mem_rs1,                    // Base address of each lane.
  output wire [63:0] mem_rs2,                    // Value to store of each lane, or operand.
  input wire         mem_ready,                  // It is taken in this cycle.

  // The instruction for the special unit that waits in the sfu collector.
  output wire        sfu_valid,                  // An instruction is there.
  output wire        sfu_wid,                    // Its warp.
  output wire [5:0]  sfu_rd,                     // Destination register.
  output wire [1:0]  sfu_tmask,                  // Its lanes.

  output wire        sfu_use_rd,                 // There is a destination.
  output wire [2:0]  sfu_funct3,                 // Minor opcode.

  output wire [31:0] sfu_pc,                     // Its address.
  output wire [31:0] sfu_instr,                  // The instruction.
  output wire        sfu_csr,                    // It is a CSR access.
  output wire        sfu_csr_imm,                // Its CSR operand is the immediate in the instruction.
  output wire        sfu_wctl,                   // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  output wire        sfu_barrier,                // It is BAR.
  output wire        sfu_legal,                  // It is a legal instruction.
  output wire        sfu_div,                    // It is for the divider.
  output wire [31:0] sfu_last_rs1,               // First register of the last active lane.
  output wire [31:0] sfu_last_rs2,               // Second register of the last active lane.

  output wire [31:0] sfu_rs1,                    // First register of lane 0.
  output wire [1:0]  sfu_flags,                  // Bit 0 of each lane's first register.
  input wire         sfu_ready,                  // It is taken in this cycle.

  // What issues, and what does not.
  output wire [1:0]  issue_oh,                   // A bit a warp: the warp whose head is granted issue through this
                                                 // slice.
  output wire [1:0]  issue_fire_warps,           // A bit a warp: the warp whose head leaves its queue, if one does.
  // The granted head, an instruction that issues if it leaves its queue and is no NOP (which only SWaS has).
  output wire        issue_valid,                // There is one, which a NOP is not.
  output wire        issue_wid,                  // Its warp.
  output wire [31:0] issue_pc,                   // Its address.
  output wire [31:0] issue_instr,                // Its word.
  output wire [1:0]  issue_tmask,                // Its active lanes.

  // What the scheduler sees of the slice, and chooses; `fire`: the granted head leaves its queue.
  // What it sees of its stage.
  output wire [1:0]  sched_ready_warps,          // The candidates. At fetch: fetch-ready; at issue: issue-ready.
  output wire [1:0]  sched_data_ready_warps,     // Ready but for the unit that is to take the instruction. At fetch: as
                                                 // `ready_warps`.
  output wire [1:0]  sched_own_warps,            // The warps that this scheduler may ever grant.
  output wire [1:0]  sched_memory_warps,         // The head of the queue is a load or a store.
  output wire [1:0]  sched_empty_warps,          // The queue is empty. At fetch: and nothing is on its way to it.
  output wire [5:0]  sched_unissued,             // Instructions fetched and not yet issued. At issue: 0.
  output wire        sched_fire,                 // The grant of this cycle left the stage.
  output wire [1:0]  sched_fired_oh,             // The warp that left the stage through this scheduler: the grant, if
                                                 // `fire`.

  output wire [1:0]  sched_grant_oh,             // Its choice.

  output wire        operand_stall,              // The operand stage holds: whatever is chosen, nothing issues.
  // Why the others do not issue.
  output wire [1:0]  stall_on_ibuffer,           // The queue is empty.
  output wire [1:0]  stall_on_control,           // A branch, warp control, fence or barrier is unresolved.
  output wire [1:0]  stall_on_scoreboard,        // A register of the head waits for its value.
  output wire [1:0]  stall_on_pipeline,          // The collector of the head's class is not free.

  // What is written to the register file.
  output wire        commit_valid,               // A register is written.
  output wire        commit_wid,                 // Its warp.
  output wire [5:0]  commit_rd,                  // Destination register.
  output wire [1:0]  commit_tmask,               // Its lanes.

  output wire        commit_last,                // The instruction has now written all its lanes.

  output wire [63:0] commit_data,                // Value of each lane.

  output wire        busy                        // Anything is in the slice: between issue and commit, or a unit of the
                                                 // core.
);

  wire        front_operand_sp_valid;
  wire        front_operand_sp_wid;
  wire [5:0]  front_operand_sp_rd;
  wire [1:0]  front_operand_sp_tmask;
  wire        front_operand_sp_use_rd;
  wire [2:0]  front_operand_sp_funct3;
  wire [1:0]  front_operand_sp_last_lane;
  wire [10:0] front_operand_sp_alu_control;
  wire        front_operand_sp_multiplies;
  wire [3:0]  front_operand_sp_multiply_control;
  wire        front_operand_sp_resolves;
  wire [31:0] front_operand_sp_target;
  wire [63:0] front_operand_sp_a;
  wire [63:0] front_operand_sp_b;
  wire        front_operand_mem_valid;
  wire        front_operand_mem_wid;
  wire [5:0]  front_operand_mem_rd;
  wire [1:0]  front_operand_mem_tmask;
  wire        front_operand_mem_use_rd;
  wire [2:0]  front_operand_mem_funct3;
  wire [31:0] front_operand_mem_pc;
  wire        front_operand_mem_store;
  wire        front_operand_mem_fence;
  wire        front_operand_mem_fence_i;
  wire [31:0] front_operand_mem_imm;
  wire [63:0] front_operand_mem_rs1;
  wire [63:0] front_operand_mem_rs2;
  wire        front_operand_sfu_valid;
  wire        front_operand_sfu_wid;
  wire [5:0]  front_operand_sfu_rd;
  wire [1:0]  front_operand_sfu_tmask;
  wire        front_operand_sfu_use_rd;
  wire [2:0]  front_operand_sfu_funct3;
  wire [31:0] front_operand_sfu_pc;
  wire [31:0] front_operand_sfu_instr;
  wire        front_operand_sfu_csr;
  wire        front_operand_sfu_csr_imm;
  wire        front_operand_sfu_wctl;
  wire        front_operand_sfu_barrier;
  wire        front_operand_sfu_legal;
  wire        front_operand_sfu_div;
  wire [31:0] front_operand_sfu_last_rs1;
  wire [31:0] front_operand_sfu_last_rs2;
  wire [63:0] front_operand_sfu_rs1;
  wire [63:0] front_operand_sfu_rs2;
  wire        back_operand_mem_ready;
  wire        back_sp_free;
  wire        back_mem_free;
  wire        back_sfu_free;
  wire        back_passed_valid;
  wire        back_passed_wid;

  // 1. the front half
  IssueFront front (
    .clock                       (clock),
    .reset                       (reset),
    .own_warps                   (own_warps),
    .heads_valid_warps           (heads_valid_warps),
    .heads_enters_warps          (heads_enters_warps),
    .heads_registers_number      (heads_registers_number),
    .heads_registers_used        (heads_registers_used),
    .heads_following_number      (heads_following_number),
    .heads_following_used        (heads_following_used),
    .heads_write_warps           (heads_write_warps),
    .heads_sfu_warps             (heads_sfu_warps),
    .heads_mem_warps             (heads_mem_warps),
    .heads_blocks_warps          (heads_blocks_warps),
    .heads_memory_warps          (heads_memory_warps),
    .flush_warps                 (flush_warps),
    .head_instr                  (head_instr),
    .head_pc                     (head_pc),
    .core_active_warps           (core_active_warps),
    .core_start_warps            (core_start_warps),
    .core_exit_warps             (core_exit_warps),
    .core_older                  (core_older),
    .core_cta                    (core_cta),
    .core_cta_start              (core_cta_start),
    .core_last_cta_dispatched    (core_last_cta_dispatched),
    .core_kernel_start           (core_kernel_start),
    .core_held_warps             (core_held_warps),
    .core_icache_req_ready       (core_icache_req_ready),
    .core_fetch_fire_warps       (core_fetch_fire_warps),
    .core_issue_fire_warps       (core_issue_fire_warps),
    .core_blocked_warps          (core_blocked_warps),
    .core_barrier_warps          (core_barrier_warps),
    .core_barrier_arrive_warps   (core_barrier_arrive_warps),
    .core_barrier_release_warps  (core_barrier_release_warps),
    .core_memory_done_warps      (core_memory_done_warps),
    .tmask                       (tmask),
    .resume_warps                (resume_warps),
    .sp_free                     (back_sp_free),
    .mem_free                    (back_mem_free),
    .sfu_free                    (back_sfu_free),
    .passed_valid                (back_passed_valid),
    .passed_wid                  (back_passed_wid),
    .branch_valid                (branch_valid),
    .branch_wid                  (branch_wid),
    .branch_taken                (branch_taken),
    .branch_target               (branch_target),
    .commit_valid                (commit_valid),
    .commit_wid                  (commit_wid),
    .commit_rd                   (commit_rd),
    .commit_tmask                (commit_tmask),
    .commit_last                 (commit_last),
    .commit_data                 (commit_data),
    .operand_sp_valid            (front_operand_sp_valid),
    .operand_sp_wid              (front_operand_sp_wid),
    .operand_sp_rd               (front_operand_sp_rd),
    .operand_sp_tmask            (front_operand_sp_tmask),
    .operand_sp_use_rd           (front_operand_sp_use_rd),
    .operand_sp_funct3           (front_operand_sp_funct3),
    .operand_sp_last_lane        (front_operand_sp_last_lane),
    .operand_sp_alu_control      (front_operand_sp_alu_control),
    .operand_sp_multiplies       (front_operand_sp_multiplies),
    .operand_sp_multiply_control (front_operand_sp_multiply_control),
    .operand_sp_resolves         (front_operand_sp_resolves),
    .operand_sp_target           (front_operand_sp_target),
    .operand_sp_a                (front_operand_sp_a),
    .operand_sp_b                (front_operand_sp_b),
    .operand_mem_valid           (front_operand_mem_valid),
    .operand_mem_wid             (front_operand_mem_wid),
    .operand_mem_rd              (front_operand_mem_rd),
    .operand_mem_tmask           (front_operand_mem_tmask),
    .operand_mem_use_rd          (front_operand_mem_use_rd),
    .operand_mem_funct3          (front_operand_mem_funct3),
    .operand_mem_pc              (front_operand_mem_pc),
    .operand_mem_store           (front_operand_mem_store),
    .operand_mem_fence           (front_operand_mem_fence),
    .operand_mem_fence_i         (front_operand_mem_fence_i),
    .operand_mem_imm             (front_operand_mem_imm),
    .operand_mem_rs1             (front_operand_mem_rs1),
    .operand_mem_rs2             (front_operand_mem_rs2),
    .operand_mem_ready           (back_operand_mem_ready),
    .operand_sfu_valid           (front_operand_sfu_valid),
    .operand_sfu_wid             (front_operand_sfu_wid),
    .operand_sfu_rd              (front_operand_sfu_rd),
    .operand_sfu_tmask           (front_operand_sfu_tmask),
    .operand_sfu_use_rd          (front_operand_sfu_use_rd),
    .operand_sfu_funct3          (front_operand_sfu_funct3),
    .operand_sfu_pc              (front_operand_sfu_pc),
    .operand_sfu_instr           (front_operand_sfu_instr),
    .operand_sfu_csr             (front_operand_sfu_csr),
    .operand_sfu_csr_imm         (front_operand_sfu_csr_imm),
    .operand_sfu_wctl            (front_operand_sfu_wctl),
    .operand_sfu_barrier         (front_operand_sfu_barrier),
    .operand_sfu_legal           (front_operand_sfu_legal),
    .operand_sfu_div             (front_operand_sfu_div),
    .operand_sfu_last_rs1        (front_operand_sfu_last_rs1),
    .operand_sfu_last_rs2        (front_operand_sfu_last_rs2),
    .operand_sfu_rs1             (front_operand_sfu_rs1),
    .operand_sfu_rs2             (front_operand_sfu_rs2),
    .issue_oh                    (issue_oh),
    .issue_fire_warps            (issue_fire_warps),
    .issue_valid                 (issue_valid),
    .issue_wid                   (issue_wid),
    .issue_pc                    (issue_pc),
    .issue_instr                 (issue_instr),
    .issue_tmask                 (issue_tmask),
    .sched_ready_warps           (sched_ready_warps),
    .sched_data_ready_warps      (sched_data_ready_warps),
    .sched_own_warps             (sched_own_warps),
    .sched_memory_warps          (sched_memory_warps),
    .sched_empty_warps           (sched_empty_warps),
    .sched_unissued              (sched_unissued),
    .sched_fire                  (sched_fire),
    .sched_fired_oh              (sched_fired_oh),
    .sched_grant_oh              (sched_grant_oh),
    .operand_stall               (operand_stall),
    .stall_on_ibuffer            (stall_on_ibuffer),
    .stall_on_control            (stall_on_control),
    .stall_on_scoreboard         (stall_on_scoreboard),
    .stall_on_pipeline           (stall_on_pipeline),
    .granted_number              (),
    .granted_used                (),
    .special_warps               ()
  );

  // 2. the back half
  IssueBack back (
    .clock                       (clock),
    .reset                       (reset),
    .operand_sp_valid            (front_operand_sp_valid),
    .operand_sp_wid              (front_operand_sp_wid),
    .operand_sp_rd               (front_operand_sp_rd),
    .operand_sp_tmask            (front_operand_sp_tmask),
    .operand_sp_use_rd           (front_operand_sp_use_rd),
    .operand_sp_funct3           (front_operand_sp_funct3),
    .operand_sp_last_lane        (front_operand_sp_last_lane),
    .operand_sp_alu_control      (front_operand_sp_alu_control),
    .operand_sp_multiplies       (front_operand_sp_multiplies),
    .operand_sp_multiply_control (front_operand_sp_multiply_control),
    .operand_sp_resolves         (front_operand_sp_resolves),
    .operand_sp_target           (front_operand_sp_target),
    .operand_sp_a                (front_operand_sp_a),
    .operand_sp_b                (front_operand_sp_b),
    .operand_mem_valid           (front_operand_mem_valid),
    .operand_mem_wid             (front_operand_mem_wid),
    .operand_mem_rd              (front_operand_mem_rd),
    .operand_mem_tmask           (front_operand_mem_tmask),
    .operand_mem_use_rd          (front_operand_mem_use_rd),
    .operand_mem_funct3          (front_operand_mem_funct3),
    .operand_mem_pc              (front_operand_mem_pc),
    .operand_mem_store           (front_operand_mem_store),
    .operand_mem_fence           (front_operand_mem_fence),
    .operand_mem_fence_i         (front_operand_mem_fence_i),
    .operand_mem_imm             (front_operand_mem_imm),
    .operand_mem_rs1             (front_operand_mem_rs1),
    .operand_mem_rs2             (front_operand_mem_rs2),
    .operand_mem_ready           (back_operand_mem_ready),
    .operand_sfu_valid           (front_operand_sfu_valid),
    .operand_sfu_wid             (front_operand_sfu_wid),
    .operand_sfu_rd              (front_operand_sfu_rd),
    .operand_sfu_tmask           (front_operand_sfu_tmask),
    .operand_sfu_use_rd          (front_operand_sfu_use_rd),
    .operand_sfu_funct3          (front_operand_sfu_funct3),
    .operand_sfu_pc              (front_operand_sfu_pc),
    .operand_sfu_instr           (front_operand_sfu_instr),
    .operand_sfu_csr             (front_operand_sfu_csr),
    .operand_sfu_csr_imm         (front_operand_sfu_csr_imm),
    .operand_sfu_wctl            (front_operand_sfu_wctl),
    .operand_sfu_barrier         (front_operand_sfu_barrier),
    .operand_sfu_legal           (front_operand_sfu_legal),
    .operand_sfu_div             (front_operand_sfu_div),
    .operand_sfu_last_rs1        (front_operand_sfu_last_rs1),
    .operand_sfu_last_rs2        (front_operand_sfu_last_rs2),
    .operand_sfu_rs1             (front_operand_sfu_rs1),
    .operand_sfu_rs2             (front_operand_sfu_rs2),
    .sfu_result_valid            (sfu_result_valid),
    .sfu_result_wid              (sfu_result_wid),
    .sfu_result_rd               (sfu_result_rd),
    .sfu_result_tmask            (sfu_result_tmask),
    .sfu_result_data             (sfu_result_data),
    .sfu_result_ready            (sfu_result_ready),
    .lsu_result_valid            (lsu_result_valid),
    .lsu_result_wid              (lsu_result_wid),
    .lsu_result_rd               (lsu_result_rd),
    .lsu_result_tmask            (lsu_result_tmask),
    .lsu_result_data             (lsu_result_data),
    .lsu_result_ready            (lsu_result_ready),
    .lsu_result_last             (lsu_result_last),
    .sp_free                     (back_sp_free),
    .mem_free                    (back_mem_free),
    .sfu_free                    (back_sfu_free),
    .passed_valid                (back_passed_valid),
    .passed_wid                  (back_passed_wid),
    .branch_valid                (branch_valid),
    .branch_wid                  (branch_wid),
    .branch_taken                (branch_taken),
    .branch_target               (branch_target),
    .commit_valid                (commit_valid),
    .commit_wid                  (commit_wid),
    .commit_rd                   (commit_rd),
    .commit_tmask                (commit_tmask),
    .commit_last                 (commit_last),
    .commit_data                 (commit_data),
    .mem_valid                   (mem_valid),
    .mem_wid                     (mem_wid),
    .mem_rd                      (mem_rd),
    .mem_tmask                   (mem_tmask),
    .mem_use_rd                  (mem_use_rd),
    .mem_funct3                  (mem_funct3),
    .mem_pc                      (mem_pc),
    .mem_store                   (mem_store),
    .mem_fence                   (mem_fence),
    .mem_fence_i                 (mem_fence_i),
    .mem_imm                     (mem_imm),
    .mem_rs1                     (mem_rs1),
    .mem_rs2                     (mem_rs2),
    .mem_ready                   (mem_ready),
    .sfu_valid                   (sfu_valid),
    .sfu_wid                     (sfu_wid),
    .sfu_rd                      (sfu_rd),
    .sfu_tmask                   (sfu_tmask),
    .sfu_use_rd                  (sfu_use_rd),
    .sfu_funct3                  (sfu_funct3),
    .sfu_pc                      (sfu_pc),
    .sfu_instr                   (sfu_instr),
    .sfu_csr                     (sfu_csr),
    .sfu_csr_imm                 (sfu_csr_imm),
    .sfu_wctl                    (sfu_wctl),
    .sfu_barrier                 (sfu_barrier),
    .sfu_legal                   (sfu_legal),
    .sfu_div                     (sfu_div),
    .sfu_last_rs1                (sfu_last_rs1),
    .sfu_last_rs2                (sfu_last_rs2),
    .sfu_rs1                     (sfu_rs1),
    .sfu_flags                   (sfu_flags),
    .sfu_ready                   (sfu_ready),
    .busy                        (busy)
  );
endmodule

`default_nettype wire
