`default_nettype none

// The mask with the bit of an index set, empty unless `valid`.
// Latency: combinational.
// Reset: none.
// Invariants: `mask_oh` has at most one bit set, none for an index beyond `count`.
module IndexOneHot (
  input wire       valid,  // Whether a bit is set at all.
  input wire       index,  // The bit to set.
  output reg [1:0] mask_oh // The mask.
);

  localparam [1:0] FIRST = 2'd1;

  always @* begin
    mask_oh = 2'd0;
    if (valid) begin
      mask_oh = FIRST << index;
    end
  end
endmodule

`default_nettype wire
