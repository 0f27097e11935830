// The candidates with the smallest count are candidates, nobody else has less, and there are some unless there is none to
// choose from.
module fewest_properties #(
  parameter W = 4,
  parameter BITS = 4
) (
  input wire clock
);

  (* anyseq *) wire [W-1:0]    candidates;
  (* anyseq *) wire [BITS*W-1:0] counts;
  wire [W-1:0]                 fewest_warps;

  integer i, j;

  FewestOf cell_of (.candidates(candidates), .counts(counts), .fewest_warps(fewest_warps));

  always @* begin
    assert ((fewest_warps & ~candidates) == 0);
    assert (|fewest_warps == |candidates);
    for (i = 0; i < W; i = i + 1)
      for (j = 0; j < W; j = j + 1)
        if (fewest_warps[i] & candidates[j]) begin
          assert (counts[i*BITS +: BITS] <= counts[j*BITS +: BITS]);
          if (counts[i*BITS +: BITS] == counts[j*BITS +: BITS]) assert (fewest_warps[j]);
        end
  end
endmodule
