`default_nettype none

// Index of the only bit set in a mask; 0 for an empty mask.
// Latency: combinational.
// Reset: none.
// Invariants: `mask_oh` has at most one bit set.
// W1 is the width of `mask_oh`.
module OneHotIndex_W1 (
  input wire mask_oh, // Mask with at most one bit set.
  output reg index    // Its index.
);

  // An OR of the chosen constants, not a chain of multiplexers: at most one of them is chosen.
  always @* begin
    index = 1'b0;
    if (mask_oh) begin
      index = 1'b0;
    end
  end
endmodule

`default_nettype wire
