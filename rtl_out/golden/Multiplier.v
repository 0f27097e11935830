`default_nettype none

// Signed 33 x 33 bit multiplier: registers for four partial products, which stay while enable is 0, then their sum.
module Multiplier (
  input wire         clock,
  input wire         enable,
  input wire  [32:0] a,
  input wire  [32:0] b,
  output wire [63:0] product
);

  reg [33:0] low_low;
  reg [32:0] high_low;
  reg [32:0] low_high;
  reg [29:0] high_high;
  wire [33:0] middle;

  always @(posedge clock) if (enable) begin
    low_low <= {17'd0, a[16:0]} * {17'd0, b[16:0]};
    high_low <= $signed({{17{a[32]}}, a[32:17]}) * $signed({16'd0, b[16:0]});
    low_high <= $signed({16'd0, a[16:0]}) * $signed({{17{b[32]}}, b[32:17]});
    high_high <= $signed({{14{a[32]}}, a[32:17]}) * $signed({{14{b[32]}}, b[32:17]});
  end

  assign middle = {high_low[32], high_low} + {low_high[32], low_high};
  assign product = {high_high, low_low} + {{13{middle[33]}}, middle, 17'd0};
endmodule

`default_nettype wire
