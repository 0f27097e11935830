// The round-robin arbiter: one grant if and only if there is a request, to a requester, and whoever keeps asking is served
// after at most W - 1 others.
module arbiter_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  (* anyseq *) wire         reset, advance;
  (* anyseq *) wire [W-1:0] requests;
  wire                      grant_valid;
  wire [W-1:0]              grant_oh;
  wire [WID_BITS-1:0]       grant_index;
  (* hierconn *) wire [W-1:0] \unit.last_oh ;

  arbiter unit (.*);

  reg started = 1'b0;
  always @(posedge clock) started <= 1'b1;

  wire taken = grant_valid & advance;

  waiting #(.W(W), .WID_BITS(WID_BITS)) bound (
    .clock   (clock),
    .started (started),
    .restart (reset),
    .last_oh (\unit.last_oh ),
    .asking  (requests),
    .served  (taken ? grant_oh : {W{1'b0}}),
    .passes  (taken)
  );

  integer i;
  always @* begin
    if (!started) assume (reset);
    if (started) begin
      assert ((grant_oh & (grant_oh - 1'b1)) == 0);
      assert ((grant_oh & ~requests) == 0);
      assert (grant_valid == |requests);
      assert (grant_valid == |grant_oh);
      for (i = 0; i < W; i = i + 1) if (grant_oh[i]) assert (grant_index == i);
    end
  end
endmodule
