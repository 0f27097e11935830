// `swas:lrr`: the contract of the unified scheduler, and that a warp that stays eligible waits for at most W - 1 selections of
// others. Cycles in which it is suspended, or in which the cache takes no request, begin its wait anew.
// fault: last_fired <= stage_fired_oh => last_fired <= last_fired
module swas_lrr_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0] \contract.policy.policy.last_fired ;
  (* hierconn *) wire [W-1:0] \contract.eligible_warps ;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS), .UNIFIED(1)) contract (.*);

  waiting #(.W(W), .WID_BITS(WID_BITS)) bound (
    .clock   (clock),
    .started (started),
    .restart (reset | kernel_start),
    .last_oh (\contract.policy.policy.last_fired ),
    .asking  (\contract.eligible_warps ),
    .served  (fire ? grant_oh : {W{1'b0}}),
    .passes  (fire)
  );
endmodule
