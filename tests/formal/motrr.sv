// `motrr`: loads and stores first, the oldest of them; while no ready warp has one, a warp that stays ready waits for at most
// W - 1 fires of others. (A load or store that fires in between moves the pointer, and the round begins anew.)
// fault: last_fired <= stage_fired_oh => last_fired <= last_fired
// fault: memory = stage_ready_warps & stage_memory_warps => memory = stage_ready_warps
module motrr_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0]   \contract.stage_memory_warps ;
  (* hierconn *) wire [W*W-1:0] \contract.core_older ;
  (* hierconn *) wire [W-1:0]   \contract.policy.last_fired ;
  wire [W-1:0] memory = ready_warps & \contract.stage_memory_warps ;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS)) contract (.*);

  waiting #(.W(W), .WID_BITS(WID_BITS)) bound (
    .clock   (clock),
    .started (started),
    .restart (reset | kernel_start | |memory),
    .last_oh (\contract.policy.last_fired ),
    .asking  (ready_warps),
    .served  (fire ? grant_oh : {W{1'b0}}),
    .passes  (fire)
  );

  integer i;
  always @* if (started && |memory) begin
    assert ((grant_oh & ~memory) == 0);
    for (i = 0; i < W; i = i + 1) begin
      if (grant_oh[i]) assert ((memory & \contract.core_older [i*W +: W]) == 0);
    end
  end
endmodule
