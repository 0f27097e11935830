`default_nettype none

// Adds up what comes to one counter, until that is added to its total.
// Latency: what comes in cycle c is in `amount` from c+1 on.
// Reset: `taken`.
// Invariants: it is taken before `mask` is exceeded.
module Accumulator (
  input wire        clock,  // Rising edge moves the state.
  input wire        counts, // The core counts.
  input wire [12:0] growth, // What comes.
  input wire [12:0] mask,   // The bits that it has; all accumulators have one width here, and what is left out is
                            // always 0.
  input wire        taken,  // It begins again with what comes.
  output reg [12:0] amount  // What has come.
);

  reg [12:0] comes;

  always @* begin
    comes = 13'd0;
    if (counts) begin
      comes = growth;
    end
  end

  always @(posedge clock) begin
    amount <= (amount + comes) & mask;
    if (taken) begin
      amount <= comes;
    end
  end
endmodule

`default_nettype wire
