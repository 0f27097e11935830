// ECP5's PLL for simulation: the clock passes through as it is, and is said to be steady after a while.
// Only the ports and parameters that `src/rtl/board/pll.rs` uses.
// All but the clock is the real one's business.
// verilator lint_off UNUSEDPARAM
// verilator lint_off UNUSEDSIGNAL
module EHXPLLL #(
  parameter CLKI_DIV = 1,
  parameter CLKFB_DIV = 1,
  parameter CLKOP_ENABLE = "ENABLED",
  parameter CLKOP_DIV = 8,
  parameter CLKOP_CPHASE = 0,
  parameter CLKOS_ENABLE = "DISABLED",
  parameter CLKOS_DIV = 8,
  parameter CLKOS_CPHASE = 0,
  parameter FEEDBK_PATH = "CLKOP"
) (
  input wire CLKI,
  input wire CLKFB,
  output wire CLKOP,
  output wire CLKOS,
  output wire LOCK,
  input wire RST,
  input wire STDBY,
  input wire ENCLKOP,
  input wire ENCLKOS
);
  reg [4:0] cycles;

  initial cycles = 5'd0;
  assign CLKOP = CLKI;
  assign CLKOS = CLKI;
  assign LOCK = cycles[4];
  always @(posedge CLKI) if (!cycles[4]) cycles <= cycles + 5'd1;
endmodule
// verilator lint_on UNUSEDPARAM
// verilator lint_on UNUSEDSIGNAL
