// The barrier unit: a barrier opens when as many warps as it asks for have arrived, and then it releases exactly the warps
// that wait at it, the last to arrive included; no warp waits at two barriers.
module barrier_properties #(
  parameter W = 4,
  parameter WID_BITS = 2,
  parameter BARRIERS = 2,
  parameter ID_BITS = 1
) (
  input wire clock
);

  (* anyseq *) wire         reset, arrive;
  (* anyseq *) wire [W-1:0] arrive_warp_oh;
  (* anyseq *) wire [31:0]  barrier_id, barrier_count;
  wire [W-1:0]              release_warps, waiting_warps;
  wire                      too_many;
  (* hierconn *) wire [BARRIERS*W-1:0] \unit.arrived ;

  barrier unit (.*);

  reg                  started = 1'b0;
  // Who waits at which barrier, by what has been seen.
  reg [BARRIERS*W-1:0] at;
  wire [ID_BITS-1:0]   id = barrier_id[ID_BITS-1:0];
  wire [W-1:0]         here = at[id*W +: W];
  // A count of 0 stands for the full range of a warp identifier.
  wire [31:0]          asked = barrier_count == 0 ? 1 << WID_BITS : barrier_count;
  reg [31:0]           present;
  reg [W-1:0]          all_waiting;
  integer i, b;

  always @* begin
    present = 1;
    for (i = 0; i < W; i = i + 1) present = present + here[i];
    all_waiting = 0;
    for (b = 0; b < BARRIERS; b = b + 1) all_waiting = all_waiting | at[b*W +: W];
  end

  wire counts = arrive & asked <= W & asked != 1;
  wire opens = counts & present == asked;

  always @(posedge clock) begin
    started <= 1'b1;
    if (reset) at <= 0;
    else if (opens) at[id*W +: W] <= 0;
    else if (counts) at[id*W +: W] <= here | arrive_warp_oh;
  end

  always @* begin
    if (!started) assume (reset);
    // One warp arrives at a time, and one that waits cannot.
    assume (|arrive_warp_oh & (arrive_warp_oh & (arrive_warp_oh - 1'b1)) == 0);
    if (started) assume ((arrive_warp_oh & all_waiting) == 0);
    if (started) begin
      assert (too_many == (asked > W));
      if (opens) assert (release_warps == (here | arrive_warp_oh));
      else if (arrive & asked == 1) assert (release_warps == arrive_warp_oh);
      else assert (release_warps == 0);
      assert (waiting_warps == all_waiting);
      for (b = 0; b < BARRIERS; b = b + 1) begin
        for (i = 0; i < b; i = i + 1) assert ((at[b*W +: W] & at[i*W +: W]) == 0);
      end
      assert (at == \unit.arrived );
    end
  end
endmodule
