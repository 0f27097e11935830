// `lrr`: a warp that stays ready waits for at most W - 1 fires of others.
// fault: last_fired <= stage_fired_oh => last_fired <= last_fired
// fault: ~(last_oh | (last_oh => ~((last_oh
module lrr_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0] \contract.policy.last_fired ;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS)) contract (.*);

  waiting #(.W(W), .WID_BITS(WID_BITS)) bound (
    .clock   (clock),
    .started (started),
    .restart (reset | kernel_start),
    .last_oh (\contract.policy.last_fired ),
    .asking  (ready_warps),
    .served  (fire ? grant_oh : {W{1'b0}}),
    .passes  (fire)
  );
endmodule
