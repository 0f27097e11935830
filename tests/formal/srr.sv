// `srr`: an active warp that stays ready is granted within W cycles, whatever the others do.
// fault: last_turn <= turn => last_turn <= last_turn
// fault: candidates = members => candidates = after_last
module srr_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0] \contract.policy.last_turn ;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS), .STRICT(1)) contract (.*);

  waiting #(.W(W), .WID_BITS(WID_BITS)) bound (
    .clock   (clock),
    .started (started),
    .restart (reset | kernel_start),
    .last_oh (\contract.policy.last_turn ),
    .asking  (ready_warps),
    .served  (grant_oh),
    .passes  (1'b1)
  );
endmodule
