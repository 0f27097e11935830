// `mto`: a grant goes to a load or a store while a ready warp has one, and passes over nobody who is older and of its kind.
// fault: memory = stage_ready_warps & stage_memory_warps => memory = stage_ready_warps
module mto_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0]   \contract.stage_memory_warps ;
  (* hierconn *) wire [W*W-1:0] \contract.core_older ;
  wire [W-1:0] memory = ready_warps & \contract.stage_memory_warps ;
  wire [W-1:0] candidates = |memory ? memory : ready_warps;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS)) contract (.*);

  integer i;
  always @* if (started) begin
    assert ((grant_oh & ~candidates) == 0);
    for (i = 0; i < W; i = i + 1) begin
      if (grant_oh[i]) assert ((candidates & \contract.core_older [i*W +: W]) == 0);
    end
  end
endmodule
