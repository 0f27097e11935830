`default_nettype none

// Picks the first candidate after a given warp, in slot order, wrapping.
// Latency: combinational.
// Reset: none.
// Invariants: one warp if and only if there is a candidate.
module NextInTurn (
  input wire [1:0] candidates, // Whom to choose from.
  input wire [1:0] last_oh,    // Who had the last turn.
  output reg [1:0] next_oh     // The next candidate, or none.
);

  localparam [1:0] ONE = 2'd1;

  wire [1:0] after_last;

  assign after_last = candidates & ~(last_oh | (last_oh - ONE));

  always @* begin
    next_oh = after_last & (~after_last + ONE);
    if (!(|after_last)) begin
      next_oh = candidates & (~candidates + ONE);
    end
  end
endmodule

`default_nettype wire
