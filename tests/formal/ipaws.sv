// `ipaws`: the contract, for which at most one warp may have fired last; greedy unless its phase is Recover or Execute.
// Its decision may come at any time and be any, its counts may be anything; of the fewest counts it is assumed what
// fewest.sv proves.
// free: IssueCounts
// free: IssuePattern
// free: FewestOf
// fault: last_fired <= stage_fired_oh => last_fired <= last_fired | stage_fired_oh
module ipaws_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0] \contract.policy.last_fired ;
  (* hierconn *) wire [2:0]   \contract.policy.phase ;
  wire [W-1:0] last = \contract.policy.last_fired ;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS)) contract (.*);

  (* hierconn *) wire [W-1:0] \contract.policy.fewest_warps ;
  wire [W-1:0] fewest = \contract.policy.fewest_warps ;

  always @* begin
    assume ((fewest & ~ready_warps) == 0);
    assume (|fewest == |ready_warps);
  end

  always @* if (started) begin
    assert ((last & (last - 1'b1)) == 0);
    if (\contract.policy.phase < 3 && |(ready_warps & last)) assert (grant_oh == last);
  end
endmodule
