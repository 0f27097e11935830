`default_nettype none

// One line of a casez for each instruction of the table; what is said of one comes from as few bits as tell it from the
// others.
module Decoder (
  input wire  [31:0] instr,                    // The word.
  // For the instruction queues.
  // Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake, and so do
  // atomic ones, which are done when they have their result.
  output wire [17:0] decoded_registers_number, // Their numbers; bit 5 is set for those of the floating-point file.
  output wire [2:0]  decoded_registers_used,   // It uses them, and they are not x0.

  output wire        decoded_blocks_issue,     // Nothing younger of the warp issues until it is resolved: branches,
                                               // jumps, warp control, barriers, fences, illegal instructions.
  output wire        decoded_memory,           // Reads or writes memory.

  output wire [1:0]  decoded_collector,        // Collector through which it gets to its unit.

  output wire        legal,                    // It is an instruction of the table.
  output wire [31:0] imm,                      // Immediate operand of an instruction for the ALU, of a shift or for the
                                               // load/store unit; of a shift amount bits 4..0 count; 4 for the
                                               // instructions that jump to PC + 4. The other units read theirs from the
                                               // word.
  output wire [2:0]  funct3,                   // Bits 14..12.
  output wire [10:0] alu_control,              // What the ALU does: `AluOp::control`.
  output wire [3:0]  multiply_control,         // What the multiplier does: `MultiplyOp::control`.
  output wire        operand_b_imm,            // Of the collector `sp`: operand `b` is the immediate or made with it,
                                               // else rs2.
  output wire        operand_b_inverted,       // Of the collector `sp`: its complement is the operand.
  output wire        auipc,                    // Of those with the immediate: it is PC + `imm`.
  output wire        branch,                   // Of the collector `sp`: conditional branch; its target is PC + `imm`.
  output wire        jump,                     // Of the collector `sp`: unconditional jump, JALR among them.
  output wire        jalr,                     // Of branches and jumps: JALR, whose target is rs1 + `imm` with bit 0
                                               // cleared, not PC + `imm`.
  output wire        multiplies,               // Of the collector `sp`: it is for the multiplier.
  output wire        div,                      // Of the collector `sfu`: it is for the divider.
  output wire        store,                    // Of the collector `mem`: writes it.
  output wire        fence,                    // Of the collector `mem`: FENCE or FENCE.I.
  output wire        fence_i,                  // FENCE.I.
  output wire        csr,                      // CSR access.
  output wire        csr_imm,                  // Of those: the operand is the immediate.
  output wire        wctl,                     // TMC, WSPAWN, SPLIT, JOIN or PRED.
  output wire        barrier,                  // Of the collector `sfu`: BAR.
  output wire        stops_fetch               // Nothing younger of the warp is fetched until it is resolved: warp
                                               // control, FENCE.I (what follows may be stale), illegal instructions;
                                               // with branch prediction also JALR, whose target nobody knows.
);

  reg listed;
  reg [31:0] immediate;

  always @* begin
    // The table proves that no two patterns of an opcode overlap.
    case (instr[6:0])
      7'b0000011:
        (* parallel_case *)
        casez (instr[31:7])
          25'b???????_?????_?????_000_?????: listed = 1'b1;  // lb
          25'b???????_?????_?????_001_?????: listed = 1'b1;  // lh
          25'b???????_?????_?????_010_?????: listed = 1'b1;  // lw
          25'b???????_?????_?????_100_?????: listed = 1'b1;  // lbu
          25'b???????_?????_?????_101_?????: listed = 1'b1;  // lhu
          default: listed = 1'b0;
        endcase
      7'b0001011:
        (* parallel_case *)
        casez (instr[31:7])
          25'b0000000_00000_?????_000_00000: listed = 1'b1;  // vx_tmc
          25'b0000000_?????_?????_001_00000: listed = 1'b1;  // vx_wspawn
          25'b0000000_0000?_?????_010_?????: listed = 1'b1;  // vx_split
          25'b0000000_00000_?????_011_00000: listed = 1'b1;  // vx_join
          25'b0000000_?????_?????_100_00000: listed = 1'b1;  // vx_bar
          25'b0000000_?????_?????_101_0000?: listed = 1'b1;  // vx_pred
          default: listed = 1'b0;
        endcase
      7'b0001111:
        (* parallel_case *)
        casez (instr[31:7])
          25'b???????_?????_?????_000_?????: listed = 1'b1;  // fence
          25'b???????_?????_?????_001_?????: listed = 1'b1;  // fence.i
          default: listed = 1'b0;
        endcase
      7'b0010011:
        (* parallel_case *)
        casez (instr[31:7])
          25'b???????_?????_?????_000_?????: listed = 1'b1;  // addi
          25'b???????_?????_?????_010_?????: listed = 1'b1;  // slti
          25'b???????_?????_?????_011_?????: listed = 1'b1;  // sltiu
          25'b???????_?????_?????_100_?????: listed = 1'b1;  // xori
          25'b???????_?????_?????_110_?????: listed = 1'b1;  // ori
          25'b???????_?????_?????_111_?????: listed = 1'b1;  // andi
          25'b0000000_?????_?????_001_?????: listed = 1'b1;  // slli
          25'b0000000_?????_?????_101_?????: listed = 1'b1;  // srli
          25'b0100000_?????_?????_101_?????: listed = 1'b1;  // srai
          default: listed = 1'b0;
        endcase
      7'b0010111:
        (* parallel_case *)
        casez (instr[31:7])
          25'b???????_?????_?????_???_?????: listed = 1'b1;  // auipc
          default: listed = 1'b0;
        endcase
      7'b0100011:
        (* parallel_case *)
        casez (instr[31:7])
          25'b???????_?????_?????_000_?????: listed = 1'b1;  // sb
          25'b???????_?????_?????_001_?????: listed = 1'b1;  // sh
          25'b???????_?????_?????_010_?????: listed = 1'b1;  // sw
          default: listed = 1'b0;
        endcase
      7'b0110011:
        (* parallel_case *)
        casez (instr[31:7])
          25'b0000000_?????_?????_000_?????: listed = 1'b1;  // add
          25'b0100000_?????_?????_000_?????: listed = 1'b1;  // sub
          25'b0000000_?????_?????_001_?????: listed = 1'b1;  // sll
          25'b0000000_?????_?????_010_?????: listed = 1'b1;  // slt
          25'b0000000_?????_?????_011_?????: listed = 1'b1;  // sltu
          25'b0000000_?????_?????_100_?????: listed = 1'b1;  // xor
          25'b0000000_?????_?????_101_?????: listed = 1'b1;  // srl
          25'b0100000_?????_?????_101_?????: listed = 1'b1;  // sra
          25'b0000000_?????_?????_110_?????: listed = 1'b1;  // or
          25'b0000000_?????_?????_111_?????: listed = 1'b1;  // and
          25'b0000001_?????_?????_000_?????: listed = 1'b1;  // mul
          25'b0000001_?????_?????_001_?????: listed = 1'b1;  // mulh
          25'b0000001_?????_?????_010_?????: listed = 1'b1;  // mulhsu
          25'b0000001_?????_?????_011_?????: listed = 1'b1;  // mulhu
          25'b0000001_?????_?????_100_?????: listed = 1'b1;  // div
          25'b0000001_?????_?????_101_?????: listed = 1'b1;  // divu
          25'b0000001_?????_?????_110_?????: listed = 1'b1;  // rem
          25'b0000001_?????_?????_111_?????: listed = 1'b1;  // remu
          25'b0000111_?????_?????_101_?????: listed = 1'b1;  // czero.eqz
          25'b0000111_?????_?????_111_?????: listed = 1'b1;  // czero.nez
          default: listed = 1'b0;
        endcase
      7'b0110111:
        (* parallel_case *)
        casez (instr[31:7])
          25'b???????_?????_?????_???_?????: listed = 1'b1;  // lui
          default: listed = 1'b0;
        endcase
      7'b1100011:
        (* parallel_case *)
        casez (instr[31:7])
          25'b???????_?????_?????_000_?????: listed = 1'b1;  // beq
          25'b???????_?????_?????_001_?????: listed = 1'b1;  // bne
          25'b???????_?????_?????_100_?????: listed = 1'b1;  // blt
          25'b???????_?????_?????_101_?????: listed = 1'b1;  // bge
          25'b???????_?????_?????_110_?????: listed = 1'b1;  // bltu
          25'b???????_?????_?????_111_?????: listed = 1'b1;  // bgeu
          default: listed = 1'b0;
        endcase
      7'b1100111:
        (* parallel_case *)
        casez (instr[31:7])
          25'b???????_?????_?????_000_?????: listed = 1'b1;  // jalr
          default: listed = 1'b0;
        endcase
      7'b1101111:
        (* parallel_case *)
        casez (instr[31:7])
          25'b???????_?????_?????_???_?????: listed = 1'b1;  // jal
          default: listed = 1'b0;
        endcase
      7'b1110011:
        (* parallel_case *)
        casez (instr[31:7])
          25'b0000000_00000_00000_000_00000: listed = 1'b1;  // ecall
          25'b0000000_00001_00000_000_00000: listed = 1'b1;  // ebreak
          25'b0000000_00010_00000_000_00000: listed = 1'b1;  // uret
          25'b0001000_00010_00000_000_00000: listed = 1'b1;  // sret
          25'b0011000_00010_00000_000_00000: listed = 1'b1;  // mret
          25'b0001000_00101_00000_000_00000: listed = 1'b1;  // wfi
          25'b???????_?????_?????_001_?????: listed = 1'b1;  // csrrw
          25'b???????_?????_?????_010_?????: listed = 1'b1;  // csrrs
          25'b???????_?????_?????_011_?????: listed = 1'b1;  // csrrc
          25'b???????_?????_?????_101_?????: listed = 1'b1;  // csrrwi
          25'b???????_?????_?????_110_?????: listed = 1'b1;  // csrrsi
          25'b???????_?????_?????_111_?????: listed = 1'b1;  // csrrci
          default: listed = 1'b0;
        endcase
      default: listed = 1'b0;
    endcase
  end

  always @* begin
    case (instr[6:2])
      5'b00101: immediate = {instr[31:12], 12'd0};
      5'b01000: immediate = {{20{instr[31]}}, instr[31:25], instr[11:7]};
      5'b01101: immediate = {instr[31:12], 12'd0};
      5'b11000: immediate = {{20{instr[31]}}, instr[7], instr[30:25], instr[11:8], 1'b0};
      5'b11011: immediate = {{12{instr[31]}}, instr[19:12], instr[20], instr[30:21], 1'b0};
      5'b11100: immediate = 32'd4;
      default: immediate = {{20{instr[31]}}, instr[31:20]};
    endcase
  end

  wire for_sp = (~instr[14] & ~instr[6] & instr[4] |
                ~instr[13] & ~instr[12] & instr[6] |
                ~instr[25] & ~instr[6] & instr[4] |
                instr[6] & ~instr[4] |
                ~instr[5] & instr[4] |
                instr[26] & ~instr[6] & instr[4] |
                instr[5] & instr[2]);
  wire for_mem = (~instr[6] & ~instr[4] & ~instr[3] |
                ~instr[6] & ~instr[4] & instr[2]);
  wire writes_rd = (~instr[6] & instr[4] |
                ~instr[5] & ~instr[3] |
                instr[12] & instr[4] |
                instr[6] & instr[2] |
                instr[13] & instr[4] |
                instr[13] & ~instr[12] & ~instr[5]);
  wire reads_rs1 = (~instr[6] & ~instr[2] |
                ~instr[4] & ~instr[3] |
                ~instr[14] & instr[12] & ~instr[2] |
                ~instr[14] & instr[13] & ~instr[2]);
  wire reads_rs2 = (~instr[6] & instr[5] & ~instr[2] |
                instr[6] & ~instr[4] & ~instr[2] |
                ~instr[13] & instr[12] & instr[3] & ~instr[2] |
                instr[14] & ~instr[6] & instr[3]);
  wire names_float = 1'b0;
  wire rd_is_float = 1'b0;
  wire rs1_is_float = 1'b0;
  wire rs2_is_float = 1'b0;
  assign operand_b_imm = (~instr[5] |
                instr[6] & instr[4] |
                instr[2]);
  assign operand_b_inverted = (instr[14] & instr[6] & ~instr[3] |
                ~instr[14] & instr[13] & ~instr[5] & ~instr[2] |
                ~instr[25] & ~instr[14] & instr[13] & ~instr[2] |
                instr[30] & ~instr[12] & ~instr[6] & instr[5] & ~instr[2]);
  assign auipc = ~instr[5] & instr[2];
  assign branch = ~instr[4] & ~instr[2];
  assign jump = (instr[6] & instr[4] |
                instr[6] & instr[2]);
  assign jalr = ~instr[3] & instr[2];
  assign multiplies = (~instr[25] & ~instr[13] & instr[12] & ~instr[6] & ~instr[2] |
                instr[25] & ~instr[14] & ~instr[6] & instr[5] & ~instr[2]);
  wire divides = ~instr[6] & instr[5];
  wire accesses = ~instr[6] & ~instr[4] & ~instr[3];
  assign store = instr[5];
  assign fence = instr[3];
  assign fence_i = instr[12] & ~instr[6] & ~instr[4] & instr[2];
  assign csr = (instr[12] & instr[6] & instr[4] |
                instr[13] & instr[6] & instr[4]);
  assign csr_imm = instr[14];
  assign wctl = (~instr[14] & instr[3] & ~instr[2] |
                instr[12] & instr[3] & ~instr[2]);
  assign barrier = instr[14] & ~instr[12] & ~instr[5];
  wire blocks = (instr[3] |
                ~instr[13] & ~instr[12] & instr[6] |
                instr[6] & ~instr[4]);

  assign alu_control[0] = (instr[13] |
                instr[6] |
                instr[30] & instr[5]);
  assign alu_control[1] = (~instr[14] & ~instr[4] & ~instr[2] |
                instr[14] & ~instr[13] & ~instr[12] & ~instr[6] & ~instr[2] |
                instr[14] & instr[12] & ~instr[5] & ~instr[2] |
                ~instr[25] & instr[14] & instr[12] & ~instr[6] & ~instr[2]);
  assign alu_control[2] = (instr[14] & instr[13] & ~instr[5] & ~instr[2] |
                instr[14] & instr[13] & ~instr[12] & ~instr[6] & ~instr[2] |
                ~instr[25] & instr[14] & instr[12] & ~instr[6] & ~instr[2]);
  assign alu_control[3] = ~instr[14] & ~instr[13] & ~instr[6] & ~instr[2];
  assign alu_control[4] = (instr[6] |
                instr[14] & ~instr[12] |
                instr[2] |
                instr[14] & ~instr[5] |
                ~instr[25] & instr[14]);
  assign alu_control[5] = (instr[13] & instr[6] |
                instr[12] & ~instr[6]);
  assign alu_control[6] = (~instr[14] & ~instr[12] & instr[6] |
                instr[3] |
                instr[14] & instr[13] & ~instr[6]);
  assign alu_control[7] = (~instr[13] & instr[4] |
                instr[2] |
                ~instr[14] & instr[12] & ~instr[4]);
  assign alu_control[8] = (~instr[14] & ~instr[6] |
                instr[14] & ~instr[12]);
  assign alu_control[9] = instr[14] & instr[12] & instr[6];
  assign alu_control[10] = instr[25] & instr[5] & ~instr[2];
  assign multiply_control[0] = (instr[14] |
                instr[25] & instr[12] |
                instr[13]);
  assign multiply_control[1] = (instr[30] |
                ~instr[14] & ~instr[13] |
                ~instr[12]);
  assign multiply_control[2] = ~instr[14] & ~instr[13];
  assign multiply_control[3] = ~instr[25];

  assign legal = listed;
  assign decoded_collector = legal && for_sp ? 2'd0 : legal && for_mem ? 2'd2 : 2'd1;
  assign decoded_registers_number[5:0] = {rd_is_float, instr[11:7]};
  assign decoded_registers_used[0] = legal && writes_rd && (instr[11:7] != 5'd0 || names_float);
  assign decoded_registers_number[11:6] = {rs1_is_float, instr[19:15]};
  assign decoded_registers_used[1] = legal && reads_rs1 && (instr[19:15] != 5'd0 || rs1_is_float);
  assign decoded_registers_number[17:12] = {rs2_is_float, instr[24:20]};
  assign decoded_registers_used[2] = legal && reads_rs2 && (instr[24:20] != 5'd0 || rs2_is_float);
  assign imm = immediate;
  assign funct3 = instr[14:12];
  assign div = legal && divides;
  assign decoded_memory = legal && accesses;
  assign decoded_blocks_issue = !legal || blocks;
  assign stops_fetch = !legal || wctl || fence_i;
endmodule

`default_nettype wire
