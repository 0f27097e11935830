`default_nettype none

// The cycle after issue: the registers arrive, the instruction is decoded in full, operands are selected.
// Latency: one cycle.
// Reset: empty.
// Invariants: register 0 reads as 0, a register that the instruction does not have as 0 too; the second operand of a
// jump is the link address, that of AUIPC the result; the third one is defined only where there is one. An instruction
// whose rounding mode is reserved is not legal (the issue slice sends it to the special unit). While `operand_stall` is
// 1 the stage holds and nothing may fire.
module Operands (
  input wire         clock,                       // Rising edge moves the state.
  input wire         reset,                       // Synchronous, active high.
  // The instruction that issues.
  input wire         issue_valid,                 // There is one, which a NOP is not.
  input wire         issue_wid,                   // Its warp.
  input wire  [31:0] issue_pc,                    // Its address.
  input wire  [31:0] issue_instr,                 // Its word.
  input wire  [1:0]  issue_tmask,                 // Its active lanes.

  // Its registers.
  input wire  [17:0] registers_number,            // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [2:0]  registers_used,              // It uses them, and they are not x0.

  input wire  [1:0]  issue_write_warps,           // Its warp if it has a destination, as a mask; without regard to
                                                  // `operand_stall`.
  input wire         issue_mem,                   // It goes to the mem collector.
  input wire         issue_sfu,                   // It goes to the sfu collector.
  // Register write.
  input wire         commit_valid,                // A register is written.
  input wire         commit_wid,                  // Its warp.
  input wire  [5:0]  commit_rd,                   // Destination register.
  input wire  [1:0]  commit_tmask,                // Its lanes.

  input wire         commit_last,                 // The instruction has now written all its lanes.

  input wire  [63:0] commit_data,                 // Value of each lane.

  input wire         collector_ready,             // It has room.
  output wire        operand_stall,               // The stage holds: nothing may fire this cycle.
  output reg  [1:0]  operand_write_warps,         // The warp of an instruction with a destination that the stage holds,
                                                  // or none.
  // What the stage holds.
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
  output reg  [63:0] operand_sp_b,                // Second operand of each lane, or its complement, for operations that
                                                  // subtract or compare.

  // One of class mem.
  output reg         operand_mem_valid,           // A load, store or fence is there.
  output wire        operand_mem_wid,             // Its warp.
  output wire [5:0]  operand_mem_rd,              // Destination register.
  output wire [1:0]  operand_mem_tmask,           // Its lanes.

  output wire        operand_mem_use_rd,          // There is a destination.
  output wire [2:0]  operand_mem_funct3,          // Minor opcode.

  output reg  [31:0] operand_mem_pc,              // Its address.
  output wire        operand_mem_store,           // It is a store.
  output wire        operand_mem_fence,           // It is FENCE.
  output wire        operand_mem_fence_i,         // It is FENCE.I.
  output wire [31:0] operand_mem_imm,             // Offset.
  output wire [63:0] operand_mem_rs1,             // Base address of each lane.
  output wire [63:0] operand_mem_rs2,             // Value to store of each lane, or operand.
  input wire         operand_mem_ready,           // It is taken in this cycle.

  // One of class sfu.
  output reg         operand_sfu_valid,           // An instruction is there.
  output wire        operand_sfu_wid,             // Its warp.
  output wire [5:0]  operand_sfu_rd,              // Destination register.
  output wire [1:0]  operand_sfu_tmask,           // Its lanes.

  output wire        operand_sfu_use_rd,          // There is a destination.
  output wire [2:0]  operand_sfu_funct3,          // Minor opcode.

  output wire [31:0] operand_sfu_pc,              // Its address.
  output reg  [31:0] operand_sfu_instr,           // The instruction.
  output wire        operand_sfu_csr,             // It is a CSR access.
  output wire        operand_sfu_csr_imm,         // Its CSR operand is the immediate in the instruction.
  output wire        operand_sfu_wctl,            // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  output wire        operand_sfu_barrier,         // It is BAR.
  output wire        operand_sfu_legal,           // It is a legal instruction.
  output wire        operand_sfu_div,             // It is for the divider.
  output wire [31:0] operand_sfu_last_rs1,        // First register of the last active lane.
  output wire [31:0] operand_sfu_last_rs2,        // Second register of the last active lane.

  output wire [63:0] operand_sfu_rs1,             // First register of each lane.
  output wire [63:0] operand_sfu_rs2              // Second register of each lane.
);

  wire        head_wid;
  wire [5:0]  head_rd;
  wire [1:0]  head_tmask;
  wire        head_use_rd;
  wire [2:0]  head_funct3;
  wire        is_sp;
  wire        advance;
  wire        use_common;
  wire        legal;
  reg  [31:0] common;
  reg  [31:0] from_pc;
  wire [31:0] last_rs1;
  reg  [31:0] base;
  reg         last_now;
  reg  [1:0]  last_lane;
  reg         held_valid;
  reg         held_wid;
  reg  [1:0]  held_tmask;
  reg  [5:0]  rd;
  reg         use_rd;
  reg         last;                       // The last active lane, found before the stage: a number that comes from
                                          // registers selects with fewer LUTs.
  wire [63:0] register_file_words_rs1;
  wire [63:0] register_file_words_rs2;
  wire [31:0] decoder_imm;
  wire        decoder_operand_b_imm;
  wire        decoder_operand_b_inverted;
  wire        decoder_auipc;
  wire        decoder_branch;
  wire        decoder_jump;
  wire        decoder_jalr;

  // 1. hold while the sp collector has no room; the other classes issue only into room
  assign is_sp = !operand_mem_valid & !operand_sfu_valid;
  assign operand_stall = held_valid & is_sp & !collector_ready;
  assign advance = !operand_stall;

  always @* begin : last_now_logic
    integer i;
    last_now = 1'b0;
    for (i = 0; i < 2; i = i + 1) begin
      if (issue_tmask[i]) begin
        last_now = i[0];
      end
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      held_valid <= 1'b0;
      operand_mem_valid <= 1'b0;
      operand_sfu_valid <= 1'b0;
      operand_write_warps <= 2'd0;
    end else if (advance) begin
      held_valid <= issue_valid;
      operand_mem_valid <= issue_valid & issue_mem;
      operand_sfu_valid <= issue_valid & issue_sfu;
      operand_write_warps <= issue_write_warps;
    end
  end

  always @(posedge clock) begin
    if (advance) begin
      held_wid <= issue_wid;
      operand_mem_pc <= issue_pc;
      operand_sfu_instr <= issue_instr;
      held_tmask <= issue_tmask;
      rd <= registers_number[5:0];
      use_rd <= registers_used[0];
      last <= last_now;
    end
  end

  assign operand_sp_valid = held_valid & is_sp;

  // 2. registers
  RegisterFile register_file (
    .clock            (clock),
    .issue_wid        (issue_wid),
    .registers_number (registers_number),
    .registers_used   (registers_used),
    .read_enable      (advance),
    .commit_valid     (commit_valid),
    .commit_wid       (commit_wid),
    .commit_rd        (commit_rd),
    .commit_tmask     (commit_tmask),
    .commit_last      (commit_last),
    .commit_data      (commit_data),
    .words_rs1        (register_file_words_rs1),
    .words_rs2        (register_file_words_rs2)
  );

  // 3. decode
  Decoder decoder (
    .instr                    (operand_sfu_instr),
    .decoded_registers_number (),
    .decoded_registers_used   (),
    .decoded_blocks_issue     (),
    .decoded_memory           (),
    .decoded_collector        (),
    .legal                    (legal),
    .imm                      (decoder_imm),
    .funct3                   (head_funct3),
    .alu_control              (operand_sp_alu_control),
    .multiply_control         (operand_sp_multiply_control),
    .operand_b_imm            (decoder_operand_b_imm),
    .operand_b_inverted       (decoder_operand_b_inverted),
    .auipc                    (decoder_auipc),
    .branch                   (decoder_branch),
    .jump                     (decoder_jump),
    .jalr                     (decoder_jalr),
    .multiplies               (operand_sp_multiplies),
    .div                      (operand_sfu_div),
    .store                    (operand_mem_store),
    .fence                    (operand_mem_fence),
    .fence_i                  (operand_mem_fence_i),
    .csr                      (operand_sfu_csr),
    .csr_imm                  (operand_sfu_csr_imm),
    .wctl                     (operand_sfu_wctl),
    .barrier                  (operand_sfu_barrier),
    .stops_fetch              ()
  );

  assign operand_sp_resolves = decoder_branch | decoder_jump;
  assign operand_mem_imm = decoder_imm;

  // 4. what all lanes share: the immediate, the link address of a jump, or the result of AUIPC
  assign use_common = decoder_operand_b_imm | decoder_jump;

  always @* begin
    from_pc = 32'd4;
    if (decoder_auipc) begin
      from_pc = operand_sfu_instr & 32'hfffff000;
    end
  end

  always @* begin
    common = decoder_imm;
    if (decoder_auipc | decoder_jump) begin
      common = operand_mem_pc + from_pc;
    end
  end

  // 5. registers and operands; register 0 is 0, for the register file is not asked for it
  assign operand_sp_a = register_file_words_rs1;
  assign operand_mem_rs1 = register_file_words_rs1;
  assign operand_mem_rs2 = register_file_words_rs2;
  assign operand_sfu_rs1 = register_file_words_rs1;
  assign operand_sfu_rs2 = register_file_words_rs2;

  always @* begin : operand_sp_b_logic
    integer i;
    operand_sp_b = register_file_words_rs2;
    for (i = 0; i < 2; i = i + 1) begin
      if (use_common) begin
        operand_sp_b[i*32 +: 32] = common;
      end
      if (decoder_operand_b_inverted) begin
        operand_sp_b[i*32 +: 32] = ~operand_sp_b[i*32 +: 32];
      end
    end
  end

  // 6. the last active lane
  always @* begin : last_lane_logic
    integer i;
    last_lane = 2'd0;
    for (i = 0; i < 2; i = i + 1) begin
      last_lane[i] = last == i[0];
    end
  end

  // 7. its registers, and the branch target: JALR takes the first one. The decoder's word on it comes last.
  assign last_rs1 = register_file_words_rs1[last*32 +: 32];
  assign operand_sfu_last_rs1 = last_rs1;
  assign operand_sfu_last_rs2 = register_file_words_rs2[last*32 +: 32];

  always @* begin
    base = operand_mem_pc;
    if (decoder_jalr) begin
      base = last_rs1;
    end
  end

  assign operand_sp_target = (base + decoder_imm) & 32'hfffffffe;

  // 9. what all classes have alike, and the rest
  assign head_wid = held_wid;
  assign head_tmask = held_tmask;
  assign head_rd = rd;
  assign head_use_rd = use_rd;
  assign operand_sfu_legal = legal;
  assign operand_sp_last_lane = last_lane;
  assign operand_sp_wid = head_wid;
  assign operand_sp_rd = head_rd;
  assign operand_sp_tmask = head_tmask;
  assign operand_sp_use_rd = head_use_rd;
  assign operand_sp_funct3 = head_funct3;
  assign operand_mem_wid = head_wid;
  assign operand_mem_rd = head_rd;
  assign operand_mem_tmask = head_tmask;
  assign operand_mem_use_rd = head_use_rd;
  assign operand_mem_funct3 = head_funct3;
  assign operand_sfu_wid = head_wid;
  assign operand_sfu_rd = head_rd;
  assign operand_sfu_tmask = head_tmask;
  assign operand_sfu_use_rd = head_use_rd;
  assign operand_sfu_funct3 = head_funct3;
  assign operand_sfu_pc = operand_mem_pc;

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, operand_mem_ready};
endmodule

`default_nettype wire
