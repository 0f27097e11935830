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

  (* anyseq *) wire            any_reset, any_kernel_start, any_fire;
  (* anyseq *) wire [W-1:0]    any_ready_warps;
  // All other inputs: anything.
`include "ports.vh"
  wire                         grant_valid, older_is_order;
  wire [WID_BITS-1:0]          grant_wid;
  wire [W-1:0]                 fired_oh, eligible_warps;

  assign reset = any_reset;
  assign kernel_start = any_kernel_start;
  assign ready_warps = any_ready_warps;
  assign fire = any_fire & grant_valid;
  assign fired_oh = fire ? grant_oh : {W{1'b0}};
  assign eligible_warps =
      UNIFIED ? (core_icache_req_ready ? ready_warps & ~core_held_warps : {W{1'b0}}) : ready_warps;
  assign member_warps = core_active_warps & stage_own_warps;

  scheduler policy (
    .stage_ready_warps(ready_warps), .stage_fire(fire), .stage_fired_oh(fired_oh), .core_kernel_start(kernel_start),
    .grant_valid(grant_valid), .grant_oh(grant_oh), .grant_wid(grant_wid), .*
  );
  total_order #(.W(W)) ages (.older(core_older), .holds(older_is_order));

  initial started = 1'b0;
  always @(posedge clock) started <= 1'b1;

  reg [W*WID_BITS-1:0] last_cta;
  reg [W-1:0]          last_start_warps;
  always @(posedge clock) begin
    last_cta <= core_cta;
    last_start_warps <= core_start_warps;
  end

  integer i;
  always @* begin
    if (!started) assume (reset);
    assume (older_is_order);
    // A warp that is ready is resident, and this scheduler's.
    assume ((ready_warps & ~member_warps) == 0);
    // A slot that is taken anew was free.
    assume ((core_start_warps & core_active_warps) == 0);
    // A warp is in one of W CTA slots, and moves to another only when its slot is taken anew.
    for (i = 0; i < W; i = i + 1) begin
      assume (core_cta[i*WID_BITS +: WID_BITS] < W);
      if (started & !last_start_warps[i])
        assume (core_cta[i*WID_BITS +: WID_BITS] == last_cta[i*WID_BITS +: WID_BITS]);
    end
    // The stage never fetches more than a queue holds.
    for (i = 0; i < W; i = i + 1) assume (stage_unissued[i*COUNT_BITS +: COUNT_BITS] <= QUEUE);
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
