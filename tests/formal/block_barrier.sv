// The barriers of blocks: a barrier of some warps opens when as many of the block have arrived as it asks for, a barrier of
// the whole block when every warp of it that has not ended has arrived; then exactly those go on that wait there. No block
// is left with all its warps waiting at a barrier of the whole, whichever of its warps arrives or ends last. With PARTIAL one
// block at a time has warps that are still to start, for which a barrier of the whole waits too.
module block_barrier_properties #(
  parameter W = 4,
  parameter WID_BITS = 2,
  parameter BARRIERS = 2,
  parameter ID_BITS = 1,
  parameter PARTIAL = 0
) (
  input wire clock
);

  (* anyseq *) wire                  reset, arrive;
  (* anyseq *) wire [WID_BITS-1:0]   arrive_wid;
  (* anyseq *) wire [31:0]           barrier_id, barrier_count;
  (* anyconst *) wire [W*WID_BITS-1:0] map_slot;
  (* anyconst *) wire [5:0]          map_size;
  (* anyseq *) wire                  ends, starts;
  (* anyseq *) wire [WID_BITS-1:0]   ends_wid, starts_slot;
  wire                               map_in_grid = 1'b1;
  wire [W*WID_BITS-1:0]              map_rank = 0;
  wire [W-1:0]                       map_last_warps = 0;
  wire [3:0]                         map_last_lanes = 0;
  wire [W*14-1:0]                    map_local_base = 0;
  wire [14:0]                        map_local_bytes = 0;
  (* anyseq *) wire                  some_partial;
  (* anyseq *) wire [WID_BITS-1:0]   map_partial_slot;
  wire                               map_partial = PARTIAL & some_partial;
  reg                                was_partial;
  reg  [WID_BITS-1:0]                partial_slot;
  wire [W-1:0]                       arrive_warp_oh = arrive ? 1 << arrive_wid : 0;
  reg  [WID_BITS-1:0]                ended_wid;
  reg  [W-1:0]                       active_warps;
  wire [W-1:0]                       release_warps, waiting_warps;
  wire                               too_many;
  (* hierconn *) wire [BARRIERS*W-1:0] \unit.arrived ;
  (* hierconn *) wire [W-1:0]          \unit.whole_warps ;

  barrier unit (.*);

  reg                  started = 1'b0;
  // Who waits at which barrier, and for the whole block, by what has been seen.
  reg [BARRIERS*W-1:0] at;
  reg [W-1:0]          for_all;
  wire [ID_BITS-1:0]   id = barrier_id[ID_BITS-1:0];
  wire [31:0]          asked = barrier_count == 0 ? map_size : barrier_count;
  reg [W-1:0]          all_waiting, peers, ended_peers, of_partial, starting, opened;
  reg [31:0]           present;
  reg [W-1:0]          there;
  integer i, b;

  always @* begin
    all_waiting = 0;
    for (b = 0; b < BARRIERS; b = b + 1) all_waiting = all_waiting | at[b*W +: W];
    for (i = 0; i < W; i = i + 1) begin
      peers[i] = map_slot[i*WID_BITS +: WID_BITS] == map_slot[arrive_wid*WID_BITS +: WID_BITS];
      ended_peers[i] = map_slot[i*WID_BITS +: WID_BITS] == map_slot[ended_wid*WID_BITS +: WID_BITS];
      of_partial[i] = map_slot[i*WID_BITS +: WID_BITS] == partial_slot;
      starting[i] = starts & map_slot[i*WID_BITS +: WID_BITS] == starts_slot;
    end
    present = 1;
    for (i = 0; i < W; i = i + 1) present = present + (at[id*W + i] & peers[i]);
    // The end of a warp.
    opened = 0;
    for (b = 0; b < BARRIERS; b = b + 1) begin
      there = at[b*W +: W] & for_all & ended_peers;
      if ((active_warps & ended_peers & ~there) == 0 & !is_partial(ended_wid)) opened = opened | there;
    end
  end

  wire         whole = asked == map_size;
  wire         counts = arrive & asked <= map_size & barrier_count != 1;
  wire [W-1:0] here = at[id*W +: W] & peers;
  wire         opens = counts & (whole ? (active_warps & peers & ~(here & for_all) & ~arrive_warp_oh) == 0 & !is_partial(arrive_wid) : present == asked);
  wire [W-1:0] released = opened | (opens ? here | arrive_warp_oh : 0) | (arrive & barrier_count == 1 ? arrive_warp_oh : 0);

  always @(posedge clock) begin
    started <= 1'b1;
    if (ends) ended_wid <= ends_wid;
    was_partial <= map_partial;
    partial_slot <= map_partial_slot;
    active_warps <= reset ? 0 : (active_warps & ~(ends ? 1 << ends_wid : 0)) | starting;
    for (b = 0; b < BARRIERS; b = b + 1)
      at[b*W +: W] <= reset ? 0 : (at[b*W +: W] | (counts & id == b ? arrive_warp_oh : 0)) & ~released;
    for_all <= reset ? 0 : arrive ? (for_all & ~arrive_warp_oh) | (whole ? arrive_warp_oh : 0) : for_all;
  end

  always @* begin
    if (!started) assume (reset);
    assume (map_size != 0 && map_size <= W);
    // A warp that arrives or ends is active, and one that waits does neither; nor does one do both.
    if (arrive) assume (active_warps[arrive_wid] & !all_waiting[arrive_wid] & !reset);
    if (ends) assume (active_warps[ends_wid] & !all_waiting[ends_wid] & !(arrive & arrive_wid == ends_wid) & !reset);
    // When the last warp of a block has started, it is active and waits nowhere.
    if (was_partial & !(map_partial & map_partial_slot == partial_slot)) assume (|(active_warps & ~all_waiting & of_partial));
    // A block starts where no other is.
    assume ((starting & active_warps) == 0);
    if (started) begin
      assert (too_many == (barrier_count > map_size));
      assert (release_warps == released);
      assert (waiting_warps == all_waiting);
      assert (at == \unit.arrived );
      assert ((for_all & all_waiting) == (\unit.whole_warps & all_waiting));
      assert ((all_waiting & ~active_warps) == 0);
      for (b = 0; b < BARRIERS; b = b + 1)
        for (i = 0; i < b; i = i + 1) assert ((at[b*W +: W] & at[i*W +: W]) == 0);
      // Nobody is lost.
      for (b = 0; b < BARRIERS; b = b + 1)
        for (i = 0; i < W; i = i + 1)
          if (at[b*W + i] & for_all[i] & !release_warps[i]) assert (is_partial(i) | waits_for_somebody(b, i));
    end
  end

  // Warps of the block of `warp` are still to start.
  function is_partial(input [WID_BITS-1:0] warp);
    is_partial = map_partial & map_partial_slot == map_slot[warp*WID_BITS +: WID_BITS];
  endfunction

  // A warp of the block of `warp` is active and does not wait at `barrier` for the whole block.
  function waits_for_somebody(input integer barrier, input integer warp);
    integer j;
    begin
      waits_for_somebody = 0;
      for (j = 0; j < W; j = j + 1)
        if (map_slot[j*WID_BITS +: WID_BITS] == map_slot[warp*WID_BITS +: WID_BITS] && active_warps[j]
            && !(at[barrier*W + j] & for_all[j])) waits_for_somebody = 1;
    end
  endfunction
endmodule
