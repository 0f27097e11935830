`default_nettype none

// Computes the lane mask that a warp-control instruction leaves, and keeps the divergence stacks.
// Latency: combinational; stacks change at the end of the cycle.
// Reset: stacks empty.
// Invariants: of SPLIT's two sides the larger goes on, that of the true condition if they are equal.
module WarpControl (
  input wire         clock,      // Rising edge moves the state.
  input wire         reset,      // Synchronous, active high.
  input wire         go,         // The instruction is performed.
  // Its head. The minor opcode says which: 0 TMC, 2 SPLIT, 3 JOIN, 5 PRED; others leave the mask.
  input wire         wid,        // Its warp.
  input wire  [5:0]  rd,         // Destination register.
  input wire  [1:0]  tmask,      // Its lanes.

  input wire         use_rd,     // There is a destination.
  input wire  [2:0]  funct3,     // Minor opcode.

  input wire  [31:0] pc,         // Its address.
  input wire  [1:0]  condition,  // Lanes whose condition holds.
  input wire  [31:0] rs1_last,   // First operand of the last active lane.
  input wire  [31:0] rs2_last,   // Second operand of the last active lane.
  output reg  [1:0]  next_tmask, // Active lanes afterwards.
  output wire        jump,       // The warp goes on elsewhere.
  output wire [31:0] jump_pc,    // Where.
  output wire [31:0] token,      // Depth of the stack before the instruction.
  output wire        overflow,   // SPLIT finds no free entry.
  output wire        join_empty, // JOIN finds no entry.
  input wire  [1:0]  start_warps // With a dispatcher: warps of a block that starts.
);

  wire [1:0] met;
  wire [1:0] unmet;
  reg  [5:0] met_count;
  reg  [5:0] unmet_count;
  wire       met_first;
  wire       diverges;
  wire       joins;
  reg  [1:0] stack_push_other;
  wire       stack_depth;
  wire       stack_full;
  wire [1:0] stack_top_restore;
  wire [1:0] stack_top_other;
  wire       stack_top_started;

  assign token = {31'd0, stack_depth};

  // 1. the two sides of the condition
  assign met = tmask & condition;
  assign unmet = tmask & ~condition;

  always @* begin : met_count_logic
    integer i;
    reg met_bit;
    reg unmet_bit;
    met_count = 6'd0;
    unmet_count = 6'd0;
    for (i = 0; i < 2; i = i + 1) begin
      met_bit = met[i];
      unmet_bit = unmet[i];
      met_count = met_count + {5'd0, met_bit};
      unmet_count = unmet_count + {5'd0, unmet_bit};
    end
  end

  assign met_first = met_count >= unmet_count;

  // 2. SPLIT pushes if both sides have lanes
  assign diverges = (funct3 == 3'd2) & (met_count != 6'd0) & (unmet_count != 6'd0);
  assign overflow = diverges & stack_full;

  IpdomStack stack (
    .clock        (clock),
    .reset        (reset),
    .wid          (wid),
    .push         (go & diverges & !stack_full),
    .push_restore (tmask),
    .push_other   (stack_push_other),
    .push_pc      (pc + 32'd4),
    .start_other  (go & joins & !join_empty & !stack_top_started),
    .pop          (go & joins & !join_empty & stack_top_started),
    .depth        (stack_depth),
    .full         (stack_full),
    .top_restore  (stack_top_restore),
    .top_other    (stack_top_other),
    .top_pc       (jump_pc),
    .top_started  (stack_top_started),
    .start_warps  (start_warps)
  );

  always @* begin
    stack_push_other = met;
    if (met_first) begin
      stack_push_other = unmet;
    end
  end

  // 3. JOIN acts if its SPLIT pushed: the other side first, then both
  assign joins = (funct3 == 3'd3) & (rs1_last != token);
  assign join_empty = joins & (token == 32'd0);
  assign jump = joins & !stack_top_started;

  // 4. the new mask
  always @* begin
    next_tmask = tmask;
    if (funct3 == 3'd0) begin
      next_tmask = rs1_last[1:0];
    end
    if (diverges) begin
      next_tmask = unmet;
      if (met_first) begin
        next_tmask = met;
      end
    end
    if (joins) begin
      next_tmask = stack_top_other;
      if (stack_top_started) begin
        next_tmask = stack_top_restore;
      end
    end
    if (funct3 == 3'd5) begin
      next_tmask = met;
      if (met == 2'd0) begin
        next_tmask = rs2_last[1:0];
      end
    end
  end

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, rd, use_rd};

  // Not read: a thread mask has a bit a lane.
  wire unused_rs2_last = &{1'b0, rs2_last[31:2]};
endmodule

`default_nettype wire
