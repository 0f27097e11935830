`default_nettype none

// One entry for the class `sfu`: CSR access, warp control, barriers, illegal instructions, divisions, and what the slow
// floating-point unit does.
// Latency: one cycle.
// Reset: empty.
// Invariants: the scoreboard issues this class only when the entry and the operand stage are empty of it, so what
// arrives always finds room.
module SfuCollector (
  input wire        clock,            // Rising edge moves the state.
  input wire        reset,            // Synchronous, active high.
  // From the operand stage: an instruction of this class.
  input wire        operand_valid,    // An instruction is there.
  input wire        operand_wid,      // Its warp.
  input wire [5:0]  operand_rd,       // Destination register.
  input wire [1:0]  operand_tmask,    // Its lanes.

  input wire        operand_use_rd,   // There is a destination.
  input wire [2:0]  operand_funct3,   // Minor opcode.

  input wire [31:0] operand_pc,       // Its address.
  input wire [31:0] operand_instr,    // The instruction.
  input wire        operand_csr,      // It is a CSR access.
  input wire        operand_csr_imm,  // Its CSR operand is the immediate in the instruction.
  input wire        operand_wctl,     // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  input wire        operand_barrier,  // It is BAR.
  input wire        operand_legal,    // It is a legal instruction.
  input wire        operand_div,      // It is for the divider.
  input wire [31:0] operand_last_rs1, // First register of the last active lane.
  input wire [31:0] operand_last_rs2, // Second register of the last active lane.

  input wire [63:0] operand_rs1,      // First register of each lane.
  input wire [63:0] operand_rs2,      // Second register of each lane.

  input wire        sfu_ready,        // The unit that the entry is for takes it this cycle.
  // To the units: the entry.
  output reg        sfu_valid,        // An instruction is there.
  output reg        sfu_wid,          // Its warp.
  output reg [5:0]  sfu_rd,           // Destination register.
  output reg [1:0]  sfu_tmask,        // Its lanes.

  output reg        sfu_use_rd,       // There is a destination.
  output reg [2:0]  sfu_funct3,       // Minor opcode.

  output reg [31:0] sfu_pc,           // Its address.
  output reg [31:0] sfu_instr,        // The instruction.
  output reg        sfu_csr,          // It is a CSR access.
  output reg        sfu_csr_imm,      // Its CSR operand is the immediate in the instruction.
  output reg        sfu_wctl,         // It is TMC, WSPAWN, SPLIT, JOIN or PRED.
  output reg        sfu_barrier,      // It is BAR.
  output reg        sfu_legal,        // It is a legal instruction.
  output reg        sfu_div,          // It is for the divider.
  output reg [31:0] sfu_last_rs1,     // First register of the last active lane.
  output reg [31:0] sfu_last_rs2,     // Second register of the last active lane.

  output reg [63:0] sfu_rs1,          // First register of each lane.
  output reg [63:0] sfu_rs2           // Second register of each lane.
);

  // 1. load
  always @(posedge clock) begin
    if (operand_valid) begin
      sfu_wid <= operand_wid;
      sfu_rd <= operand_rd;
      sfu_tmask <= operand_tmask;
      sfu_use_rd <= operand_use_rd;
      sfu_funct3 <= operand_funct3;
      sfu_pc <= operand_pc;
      sfu_instr <= operand_instr;
      sfu_csr <= operand_csr;
      sfu_csr_imm <= operand_csr_imm;
      sfu_wctl <= operand_wctl;
      sfu_barrier <= operand_barrier;
      sfu_legal <= operand_legal;
      sfu_div <= operand_div;
      sfu_last_rs1 <= operand_last_rs1;
      sfu_last_rs2 <= operand_last_rs2;
      sfu_rs1 <= operand_rs1;
      sfu_rs2 <= operand_rs2;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      sfu_valid <= 1'b0;
    end else begin
      sfu_valid <= operand_valid | (sfu_valid & !sfu_ready);
    end
  end
endmodule

`default_nettype wire
