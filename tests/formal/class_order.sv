// What a warp has of a class in the collectors is in one slice at a time, if a warp visits another slice only when nothing of
// it waits, and issues through its own only when nothing of it is away. Slice 0 is its own.
module class_order_properties #(
  parameter W = 2,
  parameter S = 2,
  parameter WID_BITS = 1
) (
  input wire clock
);

  (* anyseq *) wire         reset;
  (* anyseq *) wire [W-1:0] own, visits_warps;
  (* anyseq *) wire [S-1:0] leaves;
  (* anyseq *) wire [S*WID_BITS-1:0] leaves_wid;
  (* anyseq *) wire         to;
  wire [W-1:0]              waiting_warps, away_warps;
  wire [W-1:0]              enters_warps = own | visits_warps;
  (* hierconn *) wire [3*W-1:0] \unit.waiting ;

  order unit (.*);

  // How many of each warp are in which slice.
  reg [2:0] held [0:W*S-1];
  reg started = 1'b0;
  always @(posedge clock) started <= 1'b1;

  integer w, s;
  always @(posedge clock)
    for (w = 0; w < W; w = w + 1)
      for (s = 0; s < S; s = s + 1)
        if (reset) held[w*S + s] <= 0;
        else
          held[w*S + s] <= held[w*S + s] + (s == 0 ? own[w] : visits_warps[w])
            - (leaves[s] && leaves_wid[s*WID_BITS +: WID_BITS] == w);

  always @* begin
    if (!started) assume (reset);
    assume ((own & visits_warps) == 0);
    assume ((own & away_warps) == 0);
    assume ((visits_warps & waiting_warps) == 0);
    for (w = 0; w < W; w = w + 1) begin
      // A collector holds four, and the operand stage one.
      if (held[w*S] + held[w*S + 1] >= 5) assume (!enters_warps[w]);
      for (s = 0; s < S; s = s + 1)
        if (leaves[s] && leaves_wid[s*WID_BITS +: WID_BITS] == w) assume (held[w*S + s] != 0);
    end
    if (started)
      for (w = 0; w < W; w = w + 1) begin
        assert (held[w*S] == 0 || held[w*S + 1] == 0);
        assert (held[w*S] <= 5 && held[w*S + 1] <= 1);
        assert (\unit.waiting [3*w +: 3] == held[w*S] + held[w*S + 1]);
        assert (away_warps[w] == (held[w*S + 1] != 0));
        assert (waiting_warps[w] == (held[w*S] != 0 || held[w*S + 1] != 0));
      end
  end
endmodule
