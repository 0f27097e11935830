// `gtlo`: at most one warp is greedy; a ready warp that fired last is granted, otherwise nobody is passed over by a younger.
// fault: last_fired <= stage_fired_oh => last_fired <= last_fired | stage_fired_oh
// fault: .candidates (stage_ready_warps) => .candidates (stage_ready_warps & stage_ready_warps << 1)
module gtlo_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0]   \contract.policy.last_fired ;
  (* hierconn *) wire [W*W-1:0] \contract.core_older ;
  wire [W-1:0] last = \contract.policy.last_fired ;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS)) contract (.*);

  // The warp that fired last, from what is seen outside.
  reg [W-1:0] fired;
  always @(posedge clock) begin
    if (reset | kernel_start) fired <= 0;
    else if (fire) fired <= grant_oh;
  end

  integer i;
  always @* if (started) begin
    assert ((last & (last - 1'b1)) == 0);
    assert (last == fired);
    if (|(ready_warps & fired)) assert (grant_oh == fired);
    else for (i = 0; i < W; i = i + 1) begin
      if (grant_oh[i]) assert ((ready_warps & \contract.core_older [i*W +: W]) == 0);
    end
  end
endmodule
