// `motrr-recency`: loads and stores first, then the recent warps, then the others.
// fault: memory = stage_ready_warps & stage_memory_warps => memory = stage_ready_warps
// fault: recent = stage_ready_warps & recency_recent_warps => recent = stage_ready_warps
module motrr_recency_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0] \contract.stage_memory_warps ;
  (* hierconn *) wire [W-1:0] \contract.policy.recency.recent ;
  wire [W-1:0] memory = ready_warps & \contract.stage_memory_warps ;
  wire [W-1:0] recent = ready_warps & \contract.policy.recency.recent ;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS)) contract (.*);

  always @* if (started) begin
    if (|memory) assert ((grant_oh & ~memory) == 0);
    else if (|recent) assert ((grant_oh & ~recent) == 0);
  end
endmodule
