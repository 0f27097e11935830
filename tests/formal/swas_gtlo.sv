// `swas:gtlo`: the contract of the unified scheduler, with what makes it inductive: at most one warp is greedy.
module swas_gtlo_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0] \contract.policy.policy.last_fired ;
  wire [W-1:0] last = \contract.policy.policy.last_fired ;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS), .UNIFIED(1)) contract (.*);

  always @* if (started) assert ((last & (last - 1'b1)) == 0);
endmodule
