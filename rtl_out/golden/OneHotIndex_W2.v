`default_nettype none

// Index of the only bit set in a mask; 0 for an empty mask.
// Latency: combinational.
// Reset: none.
// Invariants: `mask_oh` has at most one bit set.
// W2 is the width of `mask_oh`.
module OneHotIndex_W2 (
  input wire [1:0] mask_oh, // Mask with at most one bit set.
  output reg       index    // Its index.
);

  // An OR of the chosen constants, not a chain of multiplexers: at most one of them is chosen.
  always @* begin : index_logic
    integer i;
    index = 1'b0;
    for (i = 0; i < 2; i = i + 1) begin
      if (mask_oh[i]) begin
        index = index | i[0];
      end
    end
  end
endmodule

`default_nettype wire
