// `mwf-gto`: of each CTA at most one warp is the last that fired; nobody is granted before a ready warp of a CTA in which more
// wait (of three warps: with four it takes a minute), or as many, unless its own CTA has a ready warp older than that one (of two).
// depth: 4
// fault: last_fired <= fired_oh => last_fired <= last_fired | fired_oh
// fault: (last_warps & ~forgotten) | fired_oh => last_warps | fired_oh
module mwf_gto_properties #(
  parameter W = 4,
  parameter WID_BITS = 2
) (
  input wire clock
);

  wire         started, reset, kernel_start, fire;
  wire [W-1:0] member_warps, ready_warps, grant_oh;
  (* hierconn *) wire [W-1:0]          \contract.policy.policy.choice.last_fired ;
  (* hierconn *) wire [W-1:0]          \contract.policy.policy.choice.of_cta.last_warps ;
  (* hierconn *) wire [W*WID_BITS-1:0] \contract.policy.tracker.priorities.waiting ;
  (* hierconn *) wire [W*WID_BITS-1:0] \contract.core_cta ;
  (* hierconn *) wire [W*W-1:0]        \contract.core_older ;
  wire [W-1:0] last_of_all = \contract.policy.policy.choice.last_fired ;
  wire [W-1:0] last_of_cta = \contract.policy.policy.choice.of_cta.last_warps ;
  wire [W*WID_BITS-1:0] count = \contract.policy.tracker.priorities.waiting ;
  wire [W*WID_BITS-1:0] cta = \contract.core_cta ;
  wire [W*W-1:0] older = \contract.core_older ;

  scheduler_properties #(.W(W), .WID_BITS(WID_BITS)) contract (.*);

  integer i, j, k;
  reg [WID_BITS-1:0] c, d;
  reg has_older;
  always @* begin
    c = 0;
    d = 0;
    has_older = 0;
    if (started) begin
      assert ((last_of_all & (last_of_all - 1'b1)) == 0);
      for (i = 0; i < W; i = i + 1) for (j = 0; j < W; j = j + 1) begin
        c = cta[i*WID_BITS +: WID_BITS];
        d = cta[j*WID_BITS +: WID_BITS];
        if (i != j && c == d) assert (!(last_of_cta[i] & last_of_cta[j]));
        if (W < 4 && grant_oh[i] & ready_warps[j] & (|count)) begin
          assert (count[c*WID_BITS +: WID_BITS] >= count[d*WID_BITS +: WID_BITS]);
          has_older = c == d;
          for (k = 0; k < W; k = k + 1)
            has_older = has_older | (ready_warps[k] & cta[k*WID_BITS +: WID_BITS] == c & older[j*W + k]);
          if (W < 3 && count[c*WID_BITS +: WID_BITS] == count[d*WID_BITS +: WID_BITS]) assert (has_older);
        end
      end
    end
  end
endmodule
