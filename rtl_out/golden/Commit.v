`default_nettype none

// Chooses one result a cycle and writes it: load-store unit, special unit, divider, floating-point units, integer unit.
// Latency: combinational.
// Reset: none.
// Invariants: at most one unit is ready; a result that is not taken waits in its unit. The order puts first what has
// been in flight longest and can least be held back; the integer unit comes last because its next instruction is one
// cycle behind it and can wait in the collector.
module Commit (
  // The results of load-store unit, special unit, divider, integer unit.
  input wire  [3:0]   results_valid, // A result is offered.
  input wire  [3:0]   results_wid,   // Its warp.
  input wire  [23:0]  results_rd,    // Destination register.
  input wire  [7:0]   results_tmask, // Its lanes.

  input wire  [255:0] results_data,  // Value of each lane.

  output wire [3:0]   results_ready, // It is taken in this cycle.

  input wire          lsu_last,      // The load-store unit's result completes the instruction.
  // To the register file, the scoreboard and the trace.
  output reg          commit_valid,  // A register is written.
  output reg          commit_wid,    // Its warp.
  output reg  [5:0]   commit_rd,     // Destination register.
  output reg  [1:0]   commit_tmask,  // Its lanes.

  output wire         commit_last,   // The instruction has now written all its lanes.

  output reg  [63:0]  commit_data    // Value of each lane.
);

  localparam        NOTHING_WID = 1'b0;
  localparam [5:0]  NOTHING_RD = 6'd0;
  localparam [1:0]  NOTHING_TMASK = 2'd0;
  localparam [63:0] NOTHING_DATA = 64'd0;

  // 1. priority
  assign results_ready[0] = 1'b1;
  assign results_ready[1] = !results_valid[0];
  assign results_ready[2] = !results_valid[0] & !results_valid[1];
  assign results_ready[3] = !results_valid[0] & !results_valid[1] & !results_valid[2];

  // 2. result: an OR of the one that is taken, which is smaller than multiplexers
  assign commit_last = !results_valid[0] | lsu_last;

  always @* begin : commit_valid_logic
    integer u;
    commit_valid = 1'b0;
    commit_wid = NOTHING_WID;
    commit_rd = NOTHING_RD;
    commit_tmask = NOTHING_TMASK;
    commit_data = NOTHING_DATA;
    for (u = 0; u < 4; u = u + 1) begin
      commit_valid = commit_valid | results_valid[u];
      if (results_valid[u] & results_ready[u]) begin
        commit_wid = commit_wid | results_wid[u];
        commit_rd = commit_rd | results_rd[u*6 +: 6];
        commit_tmask = commit_tmask | results_tmask[u*2 +: 2];
        commit_data = commit_data | results_data[u*64 +: 64];
      end
    end
  end
endmodule

`default_nettype wire
