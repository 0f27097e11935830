// Whether `older` (bit j of element i: j is older than i) is a strict total order of W warps.
module total_order #(
  parameter W = 4
) (
  input wire [W*W-1:0] older,
  output reg           holds
);

  integer i, j, k;

  always @* begin
    holds = 1'b1;
    for (i = 0; i < W; i = i + 1) begin
      for (j = 0; j < W; j = j + 1) begin
        // Of two warps exactly one is older; none is older than itself.
        holds = holds & (older[i*W + j] == ((i != j) & ~older[j*W + i]));
        for (k = 0; k < W; k = k + 1) begin
          holds = holds & (older[i*W + k] | ~older[i*W + j] | ~older[j*W + k]);
        end
      end
    end
  end
endmodule
