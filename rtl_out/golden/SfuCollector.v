`default_nettype none

// One entry for the class `sfu`: CSR access, warp control, barriers, illegal instructions, divisions, and what
// the slow floating-point unit does.
module SfuCollector (
  input wire         clock,            // Rising edge moves the state.
  input wire         reset,            // Synchronous, active high.
  // From the operand stage: an instruction of this class.
  input wire         operand_valid,    // An instruction is there.
  input wire         operand_wid,      // Its warp.
  input wire  [5:0]  operand_rd,       // Destination register.
  input wire  [1:0]  operand_tmask,    // Its lanes.
  input wire         operand_use_rd,   // There is a destination.
  input wire  [2:0]  operand_funct3,   // Minor opcode.
  input wire  [31:0] operand_pc,       // Its address.
  input wire  [31:0] operand_instr,    // The instruction.
  input wire         operand_csr,      // It is a CSR access.
  input wire         operand_csr_imm,  // Its CSR operand is the immediate in the instruction.
  input wire         operand_wctl,     // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  input wire         operand_barrier,  // It is BAR.
  input wire         operand_legal,    // It is a legal instruction.
  input wire         operand_div,      // It is for the divider.
  input wire  [31:0] operand_last_rs1, // First register of the last active lane.
  input wire  [31:0] operand_last_rs2, // Second register of the last active lane.
  input wire  [63:0] operand_rs1,      // First register of each lane.
  input wire  [63:0] operand_rs2,      // Second register of each lane.

  input wire         sfu_ready,        // The unit that the entry is for takes it this cycle.
  // To the units: the entry.
  output wire        sfu_valid,        // An instruction is there.
  output wire        sfu_wid,          // Its warp.
  output wire [5:0]  sfu_rd,           // Destination register.
  output wire [1:0]  sfu_tmask,        // Its lanes.
  output wire        sfu_use_rd,       // There is a destination.
  output wire [2:0]  sfu_funct3,       // Minor opcode.
  output wire [31:0] sfu_pc,           // Its address.
  output wire [31:0] sfu_instr,        // The instruction.
  output wire        sfu_csr,          // It is a CSR access.
  output wire        sfu_csr_imm,      // Its CSR operand is the immediate in the instruction.
  output wire        sfu_wctl,         // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  output wire        sfu_barrier,      // It is BAR.
  output wire        sfu_legal,        // It is a legal instruction.
  output wire        sfu_div,          // It is for the divider.
  output wire [31:0] sfu_last_rs1,     // First register of the last active lane.
  output wire [31:0] sfu_last_rs2,     // Second register of the last active lane.
  output wire [63:0] sfu_rs1,          // First register of each lane.
  output wire [63:0] sfu_rs2           // Second register of each lane.
);

  reg        entry_valid;
  reg        entry_wid;
  reg [5:0]  entry_rd;
  reg [1:0]  entry_tmask;
  reg        entry_use_rd;
  reg [2:0]  entry_funct3;
  reg [31:0] entry_pc;
  reg [31:0] entry_instr;
  reg        entry_csr;
  reg        entry_csr_imm;
  reg        entry_wctl;
  reg        entry_barrier;
  reg        entry_legal;
  reg        entry_div;
  reg [31:0] entry_last_rs1;
  reg [31:0] entry_last_rs2;
  reg [63:0] entry_rs1;
  reg [63:0] entry_rs2;

  // 1. load
  always @(posedge clock) begin
    if (operand_valid) begin
      entry_wid <= operand_wid;
      entry_rd <= operand_rd;
      entry_tmask <= operand_tmask;
      entry_use_rd <= operand_use_rd;
      entry_funct3 <= operand_funct3;
      entry_pc <= operand_pc;
      entry_instr <= operand_instr;
      entry_csr <= operand_csr;
      entry_csr_imm <= operand_csr_imm;
      entry_wctl <= operand_wctl;
      entry_barrier <= operand_barrier;
      entry_legal <= operand_legal;
      entry_div <= operand_div;
      entry_last_rs1 <= operand_last_rs1;
      entry_last_rs2 <= operand_last_rs2;
      entry_rs1 <= operand_rs1;
      entry_rs2 <= operand_rs2;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      entry_valid <= 1'b0;
    end else begin
      entry_valid <= operand_valid | (entry_valid & !sfu_ready);
    end
  end

  // 2. entry
  assign sfu_valid = entry_valid;
  assign sfu_wid = entry_wid;
  assign sfu_rd = entry_rd;
  assign sfu_tmask = entry_tmask;
  assign sfu_use_rd = entry_use_rd;
  assign sfu_funct3 = entry_funct3;
  assign sfu_pc = entry_pc;
  assign sfu_instr = entry_instr;
  assign sfu_csr = entry_csr;
  assign sfu_csr_imm = entry_csr_imm;
  assign sfu_wctl = entry_wctl;
  assign sfu_barrier = entry_barrier;
  assign sfu_legal = entry_legal;
  assign sfu_div = entry_div;
  assign sfu_last_rs1 = entry_last_rs1;
  assign sfu_last_rs2 = entry_last_rs2;
  assign sfu_rs1 = entry_rs1;
  assign sfu_rs2 = entry_rs2;
endmodule

`default_nettype wire
