// `kaws`: the order of dispatch and that of progress are strict total orders for ever; a CTA goes before another if, as of
// the cycle before, it had issued less, or as much and was dispatched later. Before the milestone nobody is granted before
// an older ready warp; behind it nobody before a ready warp of a CTA that goes before, or an older one of its own CTA.
// (What is counted and compared, of three warps: with four it takes a minute.)
// fault: if (core_last_cta_dispatched) => if (!core_last_cta_dispatched)
// fault: preceding[d] = age_older => preceding[d] = !age_older
module kaws_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W*WID_BITS-1:0] \contract.core_cta ;
  (* hierconn *) wire [W*W-1:0]        \contract.core_older ;
  (* hierconn *) wire [W-1:0]          \contract.core_issue_fire_warps ;
  (* hierconn *) wire [W-1:0]          \contract.core_cta_start ;
  (* hierconn *) wire                  \contract.core_last_cta_dispatched ;
  (* hierconn *) wire [W*32-1:0]       \contract.policy.tracker.progress.issued ;
  (* hierconn *) wire [W*W-1:0]        \contract.policy.tracker.progress.ahead ;
  (* hierconn *) wire [W*W-1:0]        \contract.policy.tracker.progress.age.older ;
  wire [W*WID_BITS-1:0] cta = \contract.core_cta ;
  wire [W*W-1:0]  older = \contract.core_older ;
  wire [W*32-1:0] issued = \contract.policy.tracker.progress.issued ;
  wire [W*W-1:0]  ahead = \contract.policy.tracker.progress.ahead ;
  wire [W*W-1:0]  dispatched = \contract.policy.tracker.progress.age.older ;
  wire            ahead_is_order, dispatched_is_order;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS)) contract (.*);
  total_order #(.W(W)) by_progress (.older(ahead), .holds(ahead_is_order));
  total_order #(.W(W)) by_dispatch (.older(dispatched), .holds(dispatched_is_order));

  reg            was_reset;
  reg [W*32-1:0] was_issued;
  reg [W*W-1:0]  was_dispatched;
  reg [W-1:0]    was_fired, was_cta_start;
  reg [W*WID_BITS-1:0] was_cta;
  reg            was_kernel_start;
  always @(posedge clock) begin
    was_reset <= reset;
    was_issued <= issued;
    was_dispatched <= dispatched;
    was_fired <= \contract.core_issue_fire_warps ;
    was_cta_start <= \contract.core_cta_start ;
    was_kernel_start <= kernel_start;
    was_cta <= cta;
  end

  integer i, j;
  reg [WID_BITS-1:0] c, d;
  reg [31:0]         counted;
  always @* begin
    c = 0;
    d = 0;
    counted = 0;
    if (started) begin
      assert (dispatched_is_order);
      assert (ahead_is_order);
      for (i = 0; i < W; i = i + 1) begin
        // One slice: one instruction a cycle.
        assume (!was_fired[i] || (was_fired & (was_fired - 1'b1)) == 0);
        counted = was_cta_start[i] | was_kernel_start ? 32'd0 : was_issued[i*32 +: 32];
        for (j = 0; j < W; j = j + 1) if (was_fired[j] && was_cta[j*WID_BITS +: WID_BITS] == i) counted = counted + 1;
        if (W < 4) assert (issued[i*32 +: 32] == (was_reset ? 32'd0 : counted));
        for (j = 0; j < W; j = j + 1) begin
          if (W < 4 && i != j && !was_reset) begin
            assert (ahead[i*W + j] == (was_issued[j*32 +: 32] < was_issued[i*32 +: 32]
                || was_issued[j*32 +: 32] == was_issued[i*32 +: 32] && was_dispatched[j*W + i]));
          end
          if (grant_oh[i] && ready_warps[j]) begin
            c = cta[i*WID_BITS +: WID_BITS];
            d = cta[j*WID_BITS +: WID_BITS];
            if (c == d || ! \contract.core_last_cta_dispatched ) assert (!older[i*W + j]);
            else assert (!ahead[c*W + d]);
          end
        end
      end
    end
  end
endmodule
