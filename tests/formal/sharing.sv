// The warp-sharing control unit: whoever visits a slice is a data-ready warp of another, which that one cannot issue in the
// same cycle; no warp visits two slices, and nobody visits a slice that issues a warp of its own or whose operand stage
// holds. Of each slice's registers one warp's are read. The unit keeps nothing: one cycle shows it all.
// depth: 1
module sharing_properties #(
  parameter W = 4,
  parameter S = 2,
  parameter WID_BITS = 2
) (
  input wire clock
);

  (* anyseq *) wire [3*S-1:0] room;
  (* anyseq *) wire [S-1:0]   arithmetic_held;
  (* anyseq *) wire [S-1:0]   idle, stalled;
  (* anyseq *) wire [3*W-1:0] candidates;
  (* anyseq *) wire [W*W-1:0] older;
  // A collector for memory or the special unit has room or not; that for arithmetic is neither while it passes on.
  wire [3*S-1:0]              full = {arithmetic_held & ~room[2*S +: S], ~room[0 +: 2*S]};
  wire [3*W-1:0]              shared_warps;
  wire [3*S-1:0]              through;
  wire [S-1:0]                visits_valid;
  wire [S*W-1:0]              visits_oh;
  wire [S*WID_BITS-1:0]       visits_wid;

  control unit (.*);

  integer x, y, u, w;
  always @* begin
    // A head is of one class.
    assume ((candidates[0 +: W] & candidates[W +: W]) == 0);
    assume ((candidates[0 +: W] & candidates[2*W +: W]) == 0);
    assume ((candidates[W +: W] & candidates[2*W +: W]) == 0);
    // Age is an order.
    for (w = 0; w < W; w = w + 1) begin
      assume (!older[w*W + w]);
      for (y = 0; y < W; y = y + 1) if (y != w) assume (older[w*W + y] != older[y*W + w]);
    end

    for (x = 0; x < S; x = x + 1) begin
      assert ((visits_oh[x*W +: W] & (visits_oh[x*W +: W] - 1'b1)) == 0);
      if (visits_valid[x]) begin
        assert (|visits_oh[x*W +: W]);
        assert (idle[x] & !stalled[x]);
      end
      for (w = 0; w < W; w = w + 1)
        if (visits_oh[x*W + w]) begin
          assert (w % S != x);
          assert (visits_wid[x*WID_BITS +: WID_BITS] == w);
          // No other slice has room for its class, its own neither; for arithmetic all of them hold, so that its own does not
          // issue it.
          for (u = 0; u < 3; u = u + 1)
            if (candidates[u*W + w]) begin
              for (y = 0; y < S; y = y + 1)
                if (y != x) begin
                  assert (room[u*S + x] & full[u*S + y]);
                  if (u == 2 && visits_valid[x]) assert (stalled[y]);
                end
            end
          assert (candidates[w] | candidates[W + w] | candidates[2*W + w]);
          for (y = 0; y < S; y = y + 1)
            if (y != x) assert (visits_oh[y*W +: W] != visits_oh[x*W +: W]);
          // One warp of each slice.
          for (y = 0; y < W; y = y + 1)
            if (y % S == w % S && y != w)
              for (u = 0; u < S; u = u + 1) assert (!visits_oh[u*W + y]);
        end
    end
  end
endmodule
