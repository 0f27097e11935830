`default_nettype none

// One entry for the class `sp`.
// Latency: one cycle.
// Reset: empty.
// Invariants: an entry stays until it is taken; `collector_ready` lets the next one in the same cycle, so the class
// runs at full rate.
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
  input wire  [63:0] operand_b,                // Second operand of each lane, or its complement, for operations that
                                               // subtract or compare.

  input wire         sp_ready,                 // The unit that the entry is for takes it this cycle.
  output wire        collector_ready,          // The operand stage may move on.
  // To the units: the entry.
  output reg         sp_valid,                 // An instruction is there.
  output reg         sp_wid,                   // Its warp.
  output reg  [5:0]  sp_rd,                    // Destination register.
  output reg  [1:0]  sp_tmask,                 // Its lanes.

  output reg         sp_use_rd,                // There is a destination.
  output reg  [2:0]  sp_funct3,                // Minor opcode.

  output reg  [1:0]  sp_last_lane,             // The last active lane, one hot.
  output reg  [10:0] sp_alu_control,           // Operation of the ALU.
  output reg         sp_multiplies,            // It is for the multiplier.
  output reg  [3:0]  sp_multiply_control,      // Operation of the multiplier.
  output reg         sp_resolves,              // It is a branch or a jump.
  output reg  [31:0] sp_target,                // Where it branches to.
  output reg  [63:0] sp_a,                     // First operand of each lane.
  output reg  [63:0] sp_b                      // Second operand of each lane, or its complement, for operations that
                                               // subtract or compare.
);

  wire free;

  // 1. room
  assign free = !sp_valid | sp_ready;
  assign collector_ready = free;

  // 2. load
  always @(posedge clock) begin
    if (reset) begin
      sp_valid <= 1'b0;
    end else if (free) begin
      sp_valid <= operand_valid;
    end
  end

  always @(posedge clock) begin
    if (free & operand_valid) begin
      sp_wid <= operand_wid;
      sp_rd <= operand_rd;
      sp_tmask <= operand_tmask;
      sp_use_rd <= operand_use_rd;
      sp_funct3 <= operand_funct3;
      sp_last_lane <= operand_last_lane;
      sp_alu_control <= operand_alu_control;
      sp_multiplies <= operand_multiplies;
      sp_multiply_control <= operand_multiply_control;
      sp_resolves <= operand_resolves;
      sp_target <= operand_target;
      sp_a <= operand_a;
      sp_b <= operand_b;
    end
  end
endmodule

`default_nettype wire
