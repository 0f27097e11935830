// The candidates with the smallest count are a subset that is not empty unless the candidates are. (That they have the
// smallest count is for the contract tests to show: for a solver it takes minutes.)
module fewest_properties #(
  parameter W = 4
) (
  input wire clock
);

  (* anyseq *) wire [W-1:0]    candidates;
  (* anyseq *) wire [32*W-1:0] counts;
  wire [W-1:0]                 fewest_warps;

  FewestOf cell_of (.candidates(candidates), .counts(counts), .fewest_warps(fewest_warps));

  always @* begin
    assert ((fewest_warps & ~candidates) == 0);
    assert (|fewest_warps == |candidates);
  end
endmodule
