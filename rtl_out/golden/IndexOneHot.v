`default_nettype none

// The mask with the bit of an index set, empty unless `valid`.
module IndexOneHot (
  input wire       valid,  // Whether a bit is set at all.
  input wire       index,  // The bit to set.
  (* nowrshmsk *) // written at an index: decoded by yosys, instead of by a shifted mask
  output reg [1:0] mask_oh // The mask.
);

  always @* begin
    mask_oh = 2'd0;
    if (valid) begin
      mask_oh[index] = 1'b1;
    end
  end
endmodule

`default_nettype wire
