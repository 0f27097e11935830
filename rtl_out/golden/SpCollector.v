`default_nettype none

// One entry for the class `sp`.
module SpCollector (
  input wire         clock,                    // Rising edge moves the state.
  input wire         reset,                    // Synchronous, active high.
  // From the operand stage: an instruction of this class.
  input wire         operand_valid,            // An instruction is there.
  input wire         operand_wid,              // Its warp.
  input wire  [5:0]  operand_rd,               // Destination register.
  input wire  [1:0]  operand_tmask,            // Its lanes.
  input wire         operand_use_rd,           // There is a destination.
  input wire  [2:0]  operand_funct3,           // Minor opcode.
  input wire  [1:0]  operand_last_lane,        // The last active lane, one hot.
  input wire  [10:0] operand_alu_control,      // Operation of the ALU.
  input wire         operand_multiplies,       // It is for the multiplier.
  input wire  [3:0]  operand_multiply_control, // Operation of the multiplier.
  input wire         operand_resolves,         // It is a branch or a jump.
  input wire  [31:0] operand_target,           // Where it branches to.
  input wire  [63:0] operand_a,                // First operand of each lane.
  input wire  [63:0] operand_b,                // Second operand of each lane, or its complement (`AluOp::inverts_b`).

  input wire         sp_ready,                 // The unit that the entry is for takes it this cycle.
  output wire        collector_ready,          // The operand stage may move on.
  // To the units: the entry.
  output wire        sp_valid,                 // An instruction is there.
  output wire        sp_wid,                   // Its warp.
  output wire [5:0]  sp_rd,                    // Destination register.
  output wire [1:0]  sp_tmask,                 // Its lanes.
  output wire        sp_use_rd,                // There is a destination.
  output wire [2:0]  sp_funct3,                // Minor opcode.
  output wire [1:0]  sp_last_lane,             // The last active lane, one hot.
  output wire [10:0] sp_alu_control,           // Operation of the ALU.
  output wire        sp_multiplies,            // It is for the multiplier.
  output wire [3:0]  sp_multiply_control,      // Operation of the multiplier.
  output wire        sp_resolves,              // It is a branch or a jump.
  output wire [31:0] sp_target,                // Where it branches to.
  output wire [63:0] sp_a,                     // First operand of each lane.
  output wire [63:0] sp_b                      // Second operand of each lane, or its complement (`AluOp::inverts_b`).
);

  wire        free;
  reg         entry_valid;
  reg         entry_wid;
  reg  [5:0]  entry_rd;
  reg  [1:0]  entry_tmask;
  reg         entry_use_rd;
  reg  [2:0]  entry_funct3;
  reg  [1:0]  entry_last_lane;
  reg  [10:0] entry_alu_control;
  reg         entry_multiplies;
  reg  [3:0]  entry_multiply_control;
  reg         entry_resolves;
  reg  [31:0] entry_target;
  reg  [63:0] entry_a;
  reg  [63:0] entry_b;

  // 1. room
  assign free = !entry_valid | sp_ready;
  assign collector_ready = free;

  // 2. load
  always @(posedge clock) begin
    if (reset) begin
      entry_valid <= 1'b0;
    end else if (free) begin
      entry_valid <= operand_valid;
    end
  end

  always @(posedge clock) begin
    if (free & operand_valid) begin
      entry_wid <= operand_wid;
      entry_rd <= operand_rd;
      entry_tmask <= operand_tmask;
      entry_use_rd <= operand_use_rd;
      entry_funct3 <= operand_funct3;
      entry_last_lane <= operand_last_lane;
      entry_alu_control <= operand_alu_control;
      entry_multiplies <= operand_multiplies;
      entry_multiply_control <= operand_multiply_control;
      entry_resolves <= operand_resolves;
      entry_target <= operand_target;
      entry_a <= operand_a;
      entry_b <= operand_b;
    end
  end

  // 3. entry
  // The third operand keeps still for all others.
  assign sp_valid = entry_valid;
  assign sp_wid = entry_wid;
  assign sp_rd = entry_rd;
  assign sp_tmask = entry_tmask;
  assign sp_use_rd = entry_use_rd;
  assign sp_funct3 = entry_funct3;
  assign sp_last_lane = entry_last_lane;
  assign sp_alu_control = entry_alu_control;
  assign sp_multiplies = entry_multiplies;
  assign sp_multiply_control = entry_multiply_control;
  assign sp_resolves = entry_resolves;
  assign sp_target = entry_target;
  assign sp_a = entry_a;
  assign sp_b = entry_b;
endmodule

`default_nettype wire
