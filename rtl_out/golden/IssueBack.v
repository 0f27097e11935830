`default_nettype none

// Collectors, units and commit of a slice. What it holds says its warp; only where warps are shared does it know which
// are its own.
// Reset: nothing in flight.
// Invariants: what enters the collectors for memory and for the special unit finds room, for the scoreboard issues
// these classes only while they are free; at most one result a cycle is written.
module IssueBack (
  input wire         clock,                       // Rising edge moves the state.
  input wire         reset,                       // Synchronous, active high.
  // What it holds.
  // An instruction of class sp.
  input wire         operand_sp_valid,            // An instruction is there.
  input wire         operand_sp_wid,              // Its warp.
  input wire  [5:0]  operand_sp_rd,               // Destination register.
  input wire  [1:0]  operand_sp_tmask,            // Its lanes.

  input wire         operand_sp_use_rd,           // There is a destination.
  input wire  [2:0]  operand_sp_funct3,           // Minor opcode.

  input wire  [1:0]  operand_sp_last_lane,        // The last active lane, one hot.
  input wire  [10:0] operand_sp_alu_control,      // Operation of the ALU.
  input wire         operand_sp_multiplies,       // It is for the multiplier.
  input wire  [3:0]  operand_sp_multiply_control, // Operation of the multiplier.
  input wire         operand_sp_resolves,         // It is a branch or a jump.
  input wire  [31:0] operand_sp_target,           // Where it branches to.
  input wire  [63:0] operand_sp_a,                // First operand of each lane.
  input wire  [63:0] operand_sp_b,                // Second operand of each lane, or its complement, for operations that
                                                  // subtract or compare.

  // One of class mem.
  input wire         operand_mem_valid,           // A load, store or fence is there.
  input wire         operand_mem_wid,             // Its warp.
  input wire  [5:0]  operand_mem_rd,              // Destination register.
  input wire  [1:0]  operand_mem_tmask,           // Its lanes.

  input wire         operand_mem_use_rd,          // There is a destination.
  input wire  [2:0]  operand_mem_funct3,          // Minor opcode.

  input wire  [31:0] operand_mem_pc,              // Its address.
  input wire         operand_mem_store,           // It is a store.
  input wire         operand_mem_fence,           // It is FENCE.
  input wire         operand_mem_fence_i,         // It is FENCE.I.
  input wire  [31:0] operand_mem_imm,             // Offset.
  input wire  [63:0] operand_mem_rs1,             // Base address of each lane.
  input wire  [63:0] operand_mem_rs2,             // Value to store of each lane, or operand.
  output wire        operand_mem_ready,           // It is taken in this cycle.

  // One of class sfu.
  input wire         operand_sfu_valid,           // An instruction is there.
  input wire         operand_sfu_wid,             // Its warp.
  input wire  [5:0]  operand_sfu_rd,              // Destination register.
  input wire  [1:0]  operand_sfu_tmask,           // Its lanes.

  input wire         operand_sfu_use_rd,          // There is a destination.
  input wire  [2:0]  operand_sfu_funct3,          // Minor opcode.

  input wire  [31:0] operand_sfu_pc,              // Its address.
  input wire  [31:0] operand_sfu_instr,           // The instruction.
  input wire         operand_sfu_csr,             // It is a CSR access.
  input wire         operand_sfu_csr_imm,         // Its CSR operand is the immediate in the instruction.
  input wire         operand_sfu_wctl,            // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  input wire         operand_sfu_barrier,         // It is BAR.
  input wire         operand_sfu_legal,           // It is a legal instruction.
  input wire         operand_sfu_div,             // It is for the divider.
  input wire  [31:0] operand_sfu_last_rs1,        // First register of the last active lane.
  input wire  [31:0] operand_sfu_last_rs2,        // Second register of the last active lane.

  input wire  [63:0] operand_sfu_rs1,             // First register of each lane.
  input wire  [63:0] operand_sfu_rs2,             // Second register of each lane.

  // A result for this slice.
  input wire         sfu_result_valid,            // A result is offered.
  input wire         sfu_result_wid,              // Its warp.
  input wire  [5:0]  sfu_result_rd,               // Destination register.
  input wire  [1:0]  sfu_result_tmask,            // Its lanes.

  input wire  [63:0] sfu_result_data,             // Value of each lane.

  output wire        sfu_result_ready,            // It is taken in this cycle.

  // A result for this slice.
  input wire         lsu_result_valid,            // A result is offered.
  input wire         lsu_result_wid,              // Its warp.
  input wire  [5:0]  lsu_result_rd,               // Destination register.
  input wire  [1:0]  lsu_result_tmask,            // Its lanes.

  input wire  [63:0] lsu_result_data,             // Value of each lane.

  output wire        lsu_result_ready,            // It is taken in this cycle.

  input wire         lsu_result_last,             // It completes the load.
  // Room, branches, and what is written to the register file.
  output wire        sp_free,                     // The sp collector takes what the operand stage holds.
  output wire        mem_free,                    // What issues in this cycle will find room in the mem collector.
  output wire        sfu_free,                    // What issues in this cycle will find room in the sfu collector.
  output wire        passed_valid,                // The branch in the sp collector leaves it and is not taken.
  output wire        passed_wid,                  // Its warp.
  // A branch or jump was resolved in the cycle before.
  output wire        branch_valid,                // A branch or jump is resolved.
  output wire        branch_wid,                  // Its warp.
  output wire        branch_taken,                // It is taken.
  output wire [31:0] branch_target,               // Where to.

  // What is written to the register file.
  output wire        commit_valid,                // A register is written.
  output wire        commit_wid,                  // Its warp.
  output wire [5:0]  commit_rd,                   // Destination register.
  output wire [1:0]  commit_tmask,                // Its lanes.

  output wire        commit_last,                 // The instruction has now written all its lanes.

  output wire [63:0] commit_data,                 // Value of each lane.

  // The instruction that waits in the mem collector.
  output wire        mem_valid,                   // A load, store or fence is there.
  output wire        mem_wid,                     // Its warp.
  output wire [5:0]  mem_rd,                      // Destination register.
  output wire [1:0]  mem_tmask,                   // Its lanes.

  output wire        mem_use_rd,                  // There is a destination.
  output wire [2:0]  mem_funct3,                  // Minor opcode.

  output wire [31:0] mem_pc,                      // Its address.
  output wire        mem_store,                   // It is a store.
  output wire        mem_fence,                   // It is FENCE.
  output wire        mem_fence_i,                 // It is FENCE.I.
  output wire [31:0] mem_imm,                     // Offset.
  output wire [63:0] mem_rs1,                     // Base address of each lane.
  output wire [63:0] mem_rs2,                     // Value to store of each lane, or operand.
  input wire         mem_ready,                   // It is taken in this cycle.

  // The instruction for the special unit that waits in the sfu collector.
  output wire        sfu_valid,                   // An instruction is there.
  output wire        sfu_wid,                     // Its warp.
  output wire [5:0]  sfu_rd,                      // Destination register.
  output wire [1:0]  sfu_tmask,                   // Its lanes.

  output wire        sfu_use_rd,                  // There is a destination.
  output wire [2:0]  sfu_funct3,                  // Minor opcode.

  output wire [31:0] sfu_pc,                      // Its address.
  output wire [31:0] sfu_instr,                   // The instruction.
  output wire        sfu_csr,                     // It is a CSR access.
  output wire        sfu_csr_imm,                 // Its CSR operand is the immediate in the instruction.
  output wire        sfu_wctl,                    // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  output wire        sfu_barrier,                 // It is BAR.
  output wire        sfu_legal,                   // It is a legal instruction.
  output wire        sfu_div,                     // It is for the divider.
  output wire [31:0] sfu_last_rs1,                // First register of the last active lane.
  output wire [31:0] sfu_last_rs2,                // Second register of the last active lane.

  output wire [31:0] sfu_rs1,                     // First register of lane 0.
  output reg  [1:0]  sfu_flags,                   // Bit 0 of each lane's first register.
  input wire         sfu_ready,                   // It is taken in this cycle.

  output wire        busy                         // Anything is in the operand stage or behind it.
);

  wire         sp_collector_sp_valid;
  wire         sp_collector_sp_wid;
  wire [5:0]   sp_collector_sp_rd;
  wire [1:0]   sp_collector_sp_tmask;
  wire         sp_collector_sp_use_rd;
  wire [2:0]   sp_collector_sp_funct3;
  wire [1:0]   sp_collector_sp_last_lane;
  wire [10:0]  sp_collector_sp_alu_control;
  wire         sp_collector_sp_multiplies;
  wire [3:0]   sp_collector_sp_multiply_control;
  wire         sp_collector_sp_resolves;
  wire [31:0]  sp_collector_sp_target;
  wire [63:0]  sp_collector_sp_a;
  wire [63:0]  sp_collector_sp_b;
  reg          sfu_collector_sfu_ready;
  wire         sfu_collector_sfu_valid;
  wire [63:0]  sfu_collector_sfu_rs1;
  wire [63:0]  sfu_collector_sfu_rs2;
  wire         alu_ready;
  wire         alu_result_valid;
  wire         alu_result_wid;
  wire [5:0]   alu_result_rd;
  wire [1:0]   alu_result_tmask;
  wire [63:0]  alu_result_data;
  wire         divider_div_ready;
  wire         divider_div_result_valid;
  wire         divider_div_result_wid;
  wire [5:0]   divider_div_result_rd;
  wire [1:0]   divider_div_result_tmask;
  wire [63:0]  divider_div_result_data;
  wire         divider_div_busy;
  wire [3:0]   writer_results_valid;
  wire [3:0]   writer_results_wid;
  wire [23:0]  writer_results_rd;
  wire [7:0]   writer_results_tmask;
  wire [255:0] writer_results_data;
  wire [3:0]   writer_results_ready;

  // 1. collectors
  SpCollector sp_collector (
    .clock                    (clock),
    .reset                    (reset),
    .operand_valid            (operand_sp_valid),
    .operand_wid              (operand_sp_wid),
    .operand_rd               (operand_sp_rd),
    .operand_tmask            (operand_sp_tmask),
    .operand_use_rd           (operand_sp_use_rd),
    .operand_funct3           (operand_sp_funct3),
    .operand_last_lane        (operand_sp_last_lane),
    .operand_alu_control      (operand_sp_alu_control),
    .operand_multiplies       (operand_sp_multiplies),
    .operand_multiply_control (operand_sp_multiply_control),
    .operand_resolves         (operand_sp_resolves),
    .operand_target           (operand_sp_target),
    .operand_a                (operand_sp_a),
    .operand_b                (operand_sp_b),
    .sp_ready                 (alu_ready),
    .collector_ready          (sp_free),
    .sp_valid                 (sp_collector_sp_valid),
    .sp_wid                   (sp_collector_sp_wid),
    .sp_rd                    (sp_collector_sp_rd),
    .sp_tmask                 (sp_collector_sp_tmask),
    .sp_use_rd                (sp_collector_sp_use_rd),
    .sp_funct3                (sp_collector_sp_funct3),
    .sp_last_lane             (sp_collector_sp_last_lane),
    .sp_alu_control           (sp_collector_sp_alu_control),
    .sp_multiplies            (sp_collector_sp_multiplies),
    .sp_multiply_control      (sp_collector_sp_multiply_control),
    .sp_resolves              (sp_collector_sp_resolves),
    .sp_target                (sp_collector_sp_target),
    .sp_a                     (sp_collector_sp_a),
    .sp_b                     (sp_collector_sp_b)
  );

  MemCollector mem_collector (
    .clock           (clock),
    .reset           (reset),
    .operand_valid   (operand_mem_valid),
    .operand_wid     (operand_mem_wid),
    .operand_rd      (operand_mem_rd),
    .operand_tmask   (operand_mem_tmask),
    .operand_use_rd  (operand_mem_use_rd),
    .operand_funct3  (operand_mem_funct3),
    .operand_pc      (operand_mem_pc),
    .operand_store   (operand_mem_store),
    .operand_fence   (operand_mem_fence),
    .operand_fence_i (operand_mem_fence_i),
    .operand_imm     (operand_mem_imm),
    .operand_rs1     (operand_mem_rs1),
    .operand_rs2     (operand_mem_rs2),
    .operand_ready   (operand_mem_ready),
    .mem_free        (mem_free),
    .mem_valid       (mem_valid),
    .mem_wid         (mem_wid),
    .mem_rd          (mem_rd),
    .mem_tmask       (mem_tmask),
    .mem_use_rd      (mem_use_rd),
    .mem_funct3      (mem_funct3),
    .mem_pc          (mem_pc),
    .mem_store       (mem_store),
    .mem_fence       (mem_fence),
    .mem_fence_i     (mem_fence_i),
    .mem_imm         (mem_imm),
    .mem_rs1         (mem_rs1),
    .mem_rs2         (mem_rs2),
    .mem_ready       (mem_ready)
  );

  SfuCollector sfu_collector (
    .clock            (clock),
    .reset            (reset),
    .operand_valid    (operand_sfu_valid),
    .operand_wid      (operand_sfu_wid),
    .operand_rd       (operand_sfu_rd),
    .operand_tmask    (operand_sfu_tmask),
    .operand_use_rd   (operand_sfu_use_rd),
    .operand_funct3   (operand_sfu_funct3),
    .operand_pc       (operand_sfu_pc),
    .operand_instr    (operand_sfu_instr),
    .operand_csr      (operand_sfu_csr),
    .operand_csr_imm  (operand_sfu_csr_imm),
    .operand_wctl     (operand_sfu_wctl),
    .operand_barrier  (operand_sfu_barrier),
    .operand_legal    (operand_sfu_legal),
    .operand_div      (operand_sfu_div),
    .operand_last_rs1 (operand_sfu_last_rs1),
    .operand_last_rs2 (operand_sfu_last_rs2),
    .operand_rs1      (operand_sfu_rs1),
    .operand_rs2      (operand_sfu_rs2),
    .sfu_ready        (sfu_collector_sfu_ready),
    .sfu_valid        (sfu_collector_sfu_valid),
    .sfu_wid          (sfu_wid),
    .sfu_rd           (sfu_rd),
    .sfu_tmask        (sfu_tmask),
    .sfu_use_rd       (sfu_use_rd),
    .sfu_funct3       (sfu_funct3),
    .sfu_pc           (sfu_pc),
    .sfu_instr        (sfu_instr),
    .sfu_csr          (sfu_csr),
    .sfu_csr_imm      (sfu_csr_imm),
    .sfu_wctl         (sfu_wctl),
    .sfu_barrier      (sfu_barrier),
    .sfu_legal        (sfu_legal),
    .sfu_div          (sfu_div),
    .sfu_last_rs1     (sfu_last_rs1),
    .sfu_last_rs2     (sfu_last_rs2),
    .sfu_rs1          (sfu_collector_sfu_rs1),
    .sfu_rs2          (sfu_collector_sfu_rs2)
  );

  // Registered state alone: what a unit does this cycle is known too late for the scheduler.
  assign sfu_free = !operand_sfu_valid & !sfu_collector_sfu_valid;

  always @* begin
    sfu_collector_sfu_ready = sfu_ready;
    if (sfu_div) begin
      // A division without a destination is dropped.
      sfu_collector_sfu_ready = divider_div_ready | !sfu_use_rd;
    end
  end

  // 2. units of the slice
  Alu alu (
    .clock               (clock),
    .reset               (reset),
    .sp_valid            (sp_collector_sp_valid),
    .sp_wid              (sp_collector_sp_wid),
    .sp_rd               (sp_collector_sp_rd),
    .sp_tmask            (sp_collector_sp_tmask),
    .sp_use_rd           (sp_collector_sp_use_rd),
    .sp_funct3           (sp_collector_sp_funct3),
    .sp_last_lane        (sp_collector_sp_last_lane),
    .sp_alu_control      (sp_collector_sp_alu_control),
    .sp_multiplies       (sp_collector_sp_multiplies),
    .sp_multiply_control (sp_collector_sp_multiply_control),
    .sp_resolves         (sp_collector_sp_resolves),
    .sp_target           (sp_collector_sp_target),
    .sp_a                (sp_collector_sp_a),
    .sp_b                (sp_collector_sp_b),
    .alu_ready           (alu_ready),
    .passed_valid        (passed_valid),
    .branch_valid        (branch_valid),
    .branch_wid          (branch_wid),
    .branch_taken        (branch_taken),
    .branch_target       (branch_target),
    .alu_result_valid    (alu_result_valid),
    .alu_result_wid      (alu_result_wid),
    .alu_result_rd       (alu_result_rd),
    .alu_result_tmask    (alu_result_tmask),
    .alu_result_data     (alu_result_data),
    .alu_result_ready    (writer_results_ready[3])
  );

  DivideUnit divider (
    .clock            (clock),
    .reset            (reset),
    .sfu_valid        (sfu_collector_sfu_valid & sfu_div & sfu_use_rd),
    .sfu_wid          (sfu_wid),
    .sfu_rd           (sfu_rd),
    .sfu_tmask        (sfu_tmask),
    .sfu_use_rd       (sfu_use_rd),
    .sfu_funct3       (sfu_funct3),
    .sfu_pc           (sfu_pc),
    .sfu_instr        (sfu_instr),
    .sfu_csr          (sfu_csr),
    .sfu_csr_imm      (sfu_csr_imm),
    .sfu_wctl         (sfu_wctl),
    .sfu_barrier      (sfu_barrier),
    .sfu_legal        (sfu_legal),
    .sfu_div          (sfu_div),
    .sfu_last_rs1     (sfu_last_rs1),
    .sfu_last_rs2     (sfu_last_rs2),
    .sfu_rs1          (sfu_collector_sfu_rs1),
    .sfu_rs2          (sfu_collector_sfu_rs2),
    .div_ready        (divider_div_ready),
    .div_result_valid (divider_div_result_valid),
    .div_result_wid   (divider_div_result_wid),
    .div_result_rd    (divider_div_result_rd),
    .div_result_tmask (divider_div_result_tmask),
    .div_result_data  (divider_div_result_data),
    .div_result_ready (writer_results_ready[2]),
    .div_busy         (divider_div_busy)
  );

  // 3. commit
  assign writer_results_valid[0] = lsu_result_valid;
  assign writer_results_valid[1] = sfu_result_valid;
  assign writer_results_valid[2] = divider_div_result_valid;
  assign writer_results_valid[3] = alu_result_valid;

  Commit writer (
    .results_valid (writer_results_valid),
    .results_wid   (writer_results_wid),
    .results_rd    (writer_results_rd),
    .results_tmask (writer_results_tmask),
    .results_data  (writer_results_data),
    .results_ready (writer_results_ready),
    .lsu_last      (lsu_result_last),
    .commit_valid  (commit_valid),
    .commit_wid    (commit_wid),
    .commit_rd     (commit_rd),
    .commit_tmask  (commit_tmask),
    .commit_last   (commit_last),
    .commit_data   (commit_data)
  );

  assign writer_results_wid[0] = lsu_result_wid;
  assign writer_results_wid[1] = sfu_result_wid;
  assign writer_results_wid[2] = divider_div_result_wid;
  assign writer_results_wid[3] = alu_result_wid;
  assign writer_results_rd[5:0] = lsu_result_rd;
  assign writer_results_rd[11:6] = sfu_result_rd;
  assign writer_results_rd[17:12] = divider_div_result_rd;
  assign writer_results_rd[23:18] = alu_result_rd;
  assign writer_results_tmask[1:0] = lsu_result_tmask;
  assign writer_results_tmask[3:2] = sfu_result_tmask;
  assign writer_results_tmask[5:4] = divider_div_result_tmask;
  assign writer_results_tmask[7:6] = alu_result_tmask;
  assign writer_results_data[63:0] = lsu_result_data;
  assign writer_results_data[127:64] = sfu_result_data;
  assign writer_results_data[191:128] = divider_div_result_data;
  assign writer_results_data[255:192] = alu_result_data;
  assign lsu_result_ready = writer_results_ready[0];
  assign sfu_result_ready = writer_results_ready[1];

  // 4. to the outside
  assign passed_wid = sp_collector_sp_wid;
  assign sfu_valid = sfu_collector_sfu_valid & !sfu_div;
  assign sfu_rs1 = sfu_collector_sfu_rs1[31:0];

  always @* begin : sfu_flags_logic
    integer i;
    sfu_flags = 2'd0;
    for (i = 0; i < 2; i = i + 1) begin
      sfu_flags[i] = sfu_collector_sfu_rs1[i*32];
    end
  end

  // 5. what is under way here; the units outside have signals of their own
  assign busy = operand_sp_valid | operand_mem_valid | operand_sfu_valid | sp_collector_sp_valid | mem_valid |
      sfu_collector_sfu_valid | alu_result_valid | divider_div_busy;
endmodule

`default_nettype wire
