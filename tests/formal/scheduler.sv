// What every warp scheduler promises, whatever its inputs do: at most one grant, to a ready warp only, and one whenever some
// warp is ready (unless the policy is strict). Module `scheduler` is the policy's Verilog as `gen` writes it. The ages are
// assumed to be a strict total order, which age_matrix.sv proves of the module that makes them. For the unified scheduler of
// SWaS ready means eligible: not suspended by a cache miss, and the cache takes a request.
module scheduler_properties #(
  parameter W = 4,
  parameter WID_BITS = 2,
  parameter QUEUE = 4,
  parameter COUNT_BITS = 3,
  parameter STRICT = 0,
  parameter UNIFIED = 0
) (
  input wire          clock,
  // For the properties of single policies: reset is over, and what the policy sees and does.
  output reg          started,
  output wire         reset,
  output wire         kernel_start,
  output wire [W-1:0] member_warps,
  output wire [W-1:0] ready_warps,
  output wire         fire,
  output wire [W-1:0] grant_oh
);

  (* anyseq *) wire                    any_reset, any_kernel_start, any_fire;
  (* anyseq *) wire [W-1:0]            any_ready_warps;
  (* anyseq *) wire [W-1:0]            data_ready_warps, own_warps, fetch_fire_warps, issue_fire_warps;
  (* anyseq *) wire [W-1:0]            memory_warps, empty_warps, barrier_warps, memory_done_warps;
  (* anyseq *) wire [W-1:0]            barrier_arrive_warps, barrier_release_warps;
  (* anyseq *) wire [W-1:0]            active_warps, start_warps, exit_warps, cta_start;
  (* anyseq *) wire [W-1:0]            suspended_warps;
  (* anyseq *) wire                    last_cta_dispatched, icache_req_ready;
  (* anyseq *) wire [W*COUNT_BITS-1:0] unissued;
  (* anyseq *) wire [W*W-1:0]          older;
  (* anyseq *) wire [W*WID_BITS-1:0]   cta;
  wire                                 grant_valid;
  wire [WID_BITS-1:0]                  grant_wid;
  wire                                 older_is_order;
  wire [W-1:0]                         fired_oh, eligible_warps;

  assign reset = any_reset;
  assign kernel_start = any_kernel_start;
  assign ready_warps = any_ready_warps;
  assign fire = any_fire & grant_valid;
  assign fired_oh = fire ? grant_oh : {W{1'b0}};
  assign eligible_warps =
      UNIFIED ? (icache_req_ready ? ready_warps & ~suspended_warps : {W{1'b0}}) : ready_warps;
  assign member_warps = active_warps & own_warps;

  scheduler policy (.*);
  total_order #(.W(W)) ages (.older(older), .holds(older_is_order));

  initial started = 1'b0;
  always @(posedge clock) started <= 1'b1;

  integer i;
  always @* begin
    if (!started) assume (reset);
    assume (older_is_order);
    // A warp that is ready is resident, and this scheduler's.
    assume ((ready_warps & ~member_warps) == 0);
    // The stage never fetches more than a queue holds.
    for (i = 0; i < W; i = i + 1) assume (unissued[i*COUNT_BITS +: COUNT_BITS] <= QUEUE);
  end

  always @* if (started) begin
    assert ((grant_oh & (grant_oh - 1'b1)) == 0);
    assert ((grant_oh & ~eligible_warps) == 0);
    assert (grant_valid == |grant_oh);
    if (!STRICT) assert (grant_valid == |eligible_warps);
    for (i = 0; i < W; i = i + 1) if (grant_oh[i]) assert (grant_wid == i);
    if (!grant_valid) assert (grant_wid == 0);
  end
endmodule
