`default_nettype none

// The integer unit of a slice: ALU and multiplier for each thread, one result register, branch resolution.
// Latency: the condition is known in the cycle the instruction is in the collector. A branch that is not taken lets its
// warp go on at once; what goes elsewhere does so a cycle later, from registers, because the comparison leaves no time
// for the front end. The result is registered at the end of the collector's cycle, too: ALU, multiplier and what
// crosses lanes have a register each, and all but one of them show 0.
// Reset: no result, no branch.
// Invariants: the condition of a warp is that of its last active lane; an instruction that writes nothing never waits
// for the result register.
module Alu (
  input wire         clock,               // Rising edge moves the state.
  input wire         reset,               // Synchronous, active high.
  // From the sp collector: an instruction for the integer unit.
  input wire         sp_valid,            // An instruction is there.
  input wire         sp_wid,              // Its warp.
  input wire  [5:0]  sp_rd,               // Destination register.
  input wire  [1:0]  sp_tmask,            // Its lanes.

  input wire         sp_use_rd,           // There is a destination.
  input wire  [2:0]  sp_funct3,           // Minor opcode.

  input wire  [1:0]  sp_last_lane,        // The last active lane, one hot.
  input wire  [10:0] sp_alu_control,      // Operation of the ALU.
  input wire         sp_multiplies,       // It is for the multiplier.
  input wire  [3:0]  sp_multiply_control, // Operation of the multiplier.
  input wire         sp_resolves,         // It is a branch or a jump.
  input wire  [31:0] sp_target,           // Where it branches to.
  input wire  [63:0] sp_a,                // First operand of each lane.
  input wire  [63:0] sp_b,                // Second operand of each lane, or its complement, for operations that
                                          // subtract or compare.

  output wire        alu_ready,           // The instruction in the collector leaves it this cycle.
  output wire        passed_valid,        // The branch in the collector leaves it and is not taken.
  // To the front end and the scoreboard: a branch or jump left the collector in the cycle before.
  output reg         branch_valid,        // A branch or jump is resolved.
  output reg         branch_wid,          // Its warp.
  output reg         branch_taken,        // It is taken.
  output reg  [31:0] branch_target,       // Where to.

  // A result that waits for the write port.
  output reg         alu_result_valid,    // A result is offered.
  output reg         alu_result_wid,      // Its warp.
  output reg  [5:0]  alu_result_rd,       // Destination register.
  output reg  [1:0]  alu_result_tmask,    // Its lanes.

  output wire [63:0] alu_result_data,     // Value of each lane.

  input wire         alu_result_ready     // It is taken in this cycle.
);

  wire [1:0]  taken_lanes;
  wire        resolves;
  wire        goes_elsewhere;
  wire        free;
  wire        load;
  reg  [63:0] result_data;
  wire [63:0] lanes_result;
  wire [63:0] multipliers_result;

  genvar i;

  // 1. lanes
  generate
    for (i = 0; i < 2; i = i + 1) begin : lanes
      AluLane unit (
        .control   (sp_alu_control),
        .a         (sp_a[i*32 +: 32]),
        .b         (sp_b[i*32 +: 32]),
        .result    (lanes_result[i*32 +: 32]),
        .condition (taken_lanes[i])
      );
    end
  endgenerate

  generate
    for (i = 0; i < 2; i = i + 1) begin : multipliers
      MultiplyLane unit (
        .clock      (clock),
        .load       (load),
        .multiplies (sp_multiplies),
        .control    (sp_multiply_control),
        .a          (sp_a[i*32 +: 32]),
        .b          (sp_b[i*32 +: 32]),
        .result     (multipliers_result[i*32 +: 32])
      );
    end
  endgenerate

  // 2. who may go: only what writes a register needs the result register
  assign free = !alu_result_valid | alu_result_ready;
  assign alu_ready = free | !sp_use_rd;
  assign load = sp_valid & sp_use_rd & free;

  // 3. resolution: the last active lane decides for the warp
  assign resolves = sp_valid & sp_resolves & alu_ready;
  assign goes_elsewhere = (taken_lanes & sp_last_lane) != 2'd0;

  // What writes a register, and so may wait, is a jump and, unless that is predicted, goes elsewhere.
  assign passed_valid = sp_valid & sp_resolves & !goes_elsewhere;

  always @(posedge clock) begin
    if (reset) begin
      branch_valid <= 1'b0;
    end else begin
      branch_valid <= resolves;
    end
  end

  always @(posedge clock) begin
    branch_taken <= goes_elsewhere;
    branch_wid <= sp_wid;
    branch_target <= sp_target;
  end

  // 4. result register
  always @(posedge clock) begin
    if (reset) begin
      alu_result_valid <= 1'b0;
    end else if (free) begin
      alu_result_valid <= load;
    end
  end

  always @(posedge clock) begin
    if (load) begin
      alu_result_wid <= sp_wid;
      alu_result_rd <= sp_rd;
      alu_result_tmask <= sp_tmask;
      result_data <= lanes_result;
      if (sp_multiplies) begin
        result_data <= 64'd0;
      end
    end
  end

  assign alu_result_data = result_data | multipliers_result;

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, sp_funct3};
endmodule

`default_nettype wire
