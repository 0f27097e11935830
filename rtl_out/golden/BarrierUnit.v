`default_nettype none

// Holds back warps until as many as each barrier asks for have arrived.
// Latency: release combinational, `waiting_warps` a register.
// Reset: nobody waits.
// Invariants: a warp waits at one barrier at most. A count of 1 passes at once and leaves the barrier as it is; a count
// of 0 stands for the full range of a warp identifier. There is a power of two of barriers; higher bits of the id are
// ignored. In a grid barriers are of the warp's block, and a count of 0 or of all its warps asks for all that have not
// ended; with `--warp-dispatch` for those too that have yet to start.
module BarrierUnit (
  input wire        clock,           // Rising edge moves the state.
  input wire        reset,           // Synchronous, active high.
  input wire        arrive,          // A warp arrives.
  input wire [1:0]  arrive_warp_oh,  // The warp, one-hot.
  input wire [31:0] barrier_id,      // Barrier it arrives at.
  input wire [31:0] barrier_count,   // Warps that meet there.
  output reg [1:0]  release_warps,   // Warps that go on.
  output reg        too_many,        // More warps are asked for than the core has.
  output reg [1:0]  waiting_warps,   // Warps that wait.
  // With a dispatcher: where warps belong.
  input wire        map_in_grid,     // A grid was launched; nothing else here has a meaning before.
  input wire [5:0]  map_size,        // Warps of a block.
  input wire [1:0]  map_slot,        // CTA slot of each warp slot.
  input wire [1:0]  map_rank,        // Rank of each warp in its block.
  input wire [1:0]  map_last_warps,  // The warps that are the last of their block.
  input wire [1:0]  map_last_lanes,  // Lanes of such a warp.
  input wire [27:0] map_local_base,  // Where the local memory of each warp's block begins in that of the core.
  input wire [14:0] map_local_bytes, // Bytes of it; 0: all of the core's.

  input wire [1:0]  active_warps,    // With a dispatcher: warps that are active.
  input wire        ended_wid        // With a dispatcher: the warp that ended last, from when it is not active any
                                     // more.
);

  localparam [31:0] WARPS = 32'd2;
  localparam [5:0]  ZERO_MEANS = 6'd2;
  localparam        ZERO_ILLEGAL = 1'b0;

  reg  [1:0] here;
  reg  [1:0] peers;
  reg  [1:0] ended_peers;
  wire [1:0] there;
  reg  [1:0] opened_warps;
  reg  [5:0] others;
  reg        whole;
  reg        slot;
  wire       ended_slot;
  reg  [5:0] needed;
  reg        complete;
  wire       passes;
  wire       waits;
  reg  [1:0] whole_warps;  // Those who wait for all of their block.

  // 1. how many are asked for
  always @* begin
    needed = barrier_count[5:0];
    too_many = barrier_count > WARPS;
    if (barrier_count == 32'd0) begin
      needed = ZERO_MEANS;
      too_many = ZERO_ILLEGAL;
    end
    whole = 1'b0;
    if (map_in_grid) begin
      // Of a block there are fewer warps, and 0 stands for all of them, as their number does.
      too_many = barrier_count > {26'd0, map_size};
      whole = (barrier_count == 32'd0) | (barrier_count == {26'd0, map_size});
    end
  end

  assign passes = barrier_count == 32'd1;

  // 2. who is there already
  always @* begin
    here = waiting_warps;
    // A barrier serves all blocks at once, since a warp is of one block alone.
    if (map_in_grid) begin
      here = here & peers;
    end
  end

  always @* begin : slot_logic
    integer w;
    slot = 1'b0;
    for (w = 0; w < 2; w = w + 1) begin
      if (arrive_warp_oh[w]) begin
        slot = slot | map_slot[w];
      end
    end
  end

  always @* begin : peers_logic
    integer w;
    peers = 2'd0;
    for (w = 0; w < 2; w = w + 1) begin
      peers[w] = map_slot[w] == slot;
    end
  end

  always @* begin : others_logic
    integer w;
    reg here_bit;
    others = 6'd0;
    for (w = 0; w < 2; w = w + 1) begin
      here_bit = here[w];
      others = others + {5'd0, here_bit};
    end
  end

  // 3. whether that is all
  always @* begin
    complete = (others + 6'd1) == needed;
    if (whole) begin
      complete = (peers & active_warps & ~(here & whole_warps) & ~arrive_warp_oh) == 2'd0;
    end
  end

  always @* begin
    release_warps = 2'd0;
    if (arrive & !too_many) begin
      if (passes) begin
        release_warps = arrive_warp_oh;
      end else if (complete) begin
        release_warps = here | arrive_warp_oh;
      end
    end
    // The end of a warp may leave none of its block that has not arrived; at other times there is no such block.
    release_warps = release_warps | opened_warps;
  end

  assign ended_slot = map_slot[ended_wid];

  always @* begin : ended_peers_logic
    integer w;
    ended_peers = 2'd0;
    for (w = 0; w < 2; w = w + 1) begin
      ended_peers[w] = map_slot[w] == ended_slot;
    end
  end

  assign there = waiting_warps & whole_warps & ended_peers;

  always @* begin
    opened_warps = 2'd0;
    if (map_in_grid & ((active_warps & ended_peers & ~there) == 2'd0)) begin
      opened_warps = there;
    end
  end

  // 4. remember
  assign waits = arrive & !too_many & !passes;

  // What other blocks, and other kinds of barrier, have here stays.
  always @(posedge clock) begin
    if (reset) begin
      waiting_warps <= 2'd0;
      whole_warps <= 2'd0;
    end else begin
      waiting_warps <= waiting_warps & ~release_warps;
      if (waits) begin
        waiting_warps <= (waiting_warps | arrive_warp_oh) & ~release_warps;
      end
      if (arrive) begin
        whole_warps <= whole_warps & ~arrive_warp_oh;
        if (whole) begin
          whole_warps <= whole_warps | arrive_warp_oh;
        end
      end
    end
  end

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, map_rank, map_last_warps, map_last_lanes, map_local_base, map_local_bytes};

  // Not read: a register names the barrier, of which there are few.
  wire unused_barrier_id = &{1'b0, barrier_id};
endmodule

`default_nettype wire
