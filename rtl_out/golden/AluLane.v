`default_nettype none

// One lane of the ALU: every integer operation but shifts and those of M, and every branch condition.
// Latency: combinational.
// Reset: none.
// Invariants: none.
module AluLane (
  input wire  [10:0] control,  // What to do.
  input wire  [31:0] a,        // First operand.
  input wire  [31:0] b,        // Second operand or its complement.
  output reg  [31:0] result,   // Value for `rd`.
  output wire        condition // The branch condition holds.
);

  wire        sum;
  wire        mixed;
  wire        as_unsigned;
  wire        if_zero;
  wire        unless_zero;
  wire        if_less;
  wire        unless_less;
  wire        keep;
  wire        below;
  reg         less;
  wire        zero;
  wire        met;
  wire        carry;
  wire [1:0]  mixing;
  reg  [31:0] mix;
  wire [33:0] total;

  // 1. what to do
  assign carry = control[0];
  assign mixing = control[2:1];
  assign sum = control[3];
  assign mixed = control[4];
  assign as_unsigned = control[5];
  assign if_zero = control[6];
  assign unless_zero = control[7];
  assign if_less = control[8];
  assign unless_less = control[9];
  assign keep = control[10];

  // 2. one function of both operands serves adder, logic and the test for zero
  always @* begin
    mix = b;
    if (mixing == 2'd1) begin
      mix = a ^ b;
    end
    if (mixing == 2'd2) begin
      mix = a | b;
    end
    if (mixing == 2'd3) begin
      mix = a & b;
    end
  end

  assign zero = mix == 32'd0;

  // 3. one adder for sum and difference: a complement and a carry subtract. The carry enters at an extra lowest bit, so
  // that it costs no second adder.
  assign total = {1'b0, a, 1'b1} + {1'b0, mix, carry};

  // 4. comparisons: no carry out of a difference means below. Of operands that differ in sign, which the complement
  // makes equal, the negative one is less.
  assign below = !total[33];

  always @* begin
    less = below;
    if ((a[31] == b[31]) & !as_unsigned) begin
      less = a[31];
    end
  end

  assign met = (if_zero & zero) | (unless_zero & !zero) | (if_less & less) | (unless_less & !less);
  assign condition = met;

  // 5. result; what is neither of these is a comparison. Whether a word is kept is known late.
  always @* begin
    result = 32'd0;
    if (sum) begin
      result = total[32:1];
    end
    if (mixed) begin
      result = result | mix;
    end
    if (keep & met) begin
      result = result | a;
    end
    if (met & !sum & !mixed & !keep) begin
      result = result | 32'd1;
    end
  end

  // Not read: the lowest bit is the sum of the carry that goes in.
  wire unused_total = &{1'b0, total[0]};
endmodule

`default_nettype wire
