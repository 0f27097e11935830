`default_nettype none

// Which warps are older than which, in order of their activation.
// Latency: one cycle.
// Reset: a smaller slot is older.
// Invariants: a strict total order of all slots; warps that start together are younger than all others and ordered by
// slot among themselves; no counter, so nothing wraps.
module AgeMatrix (
  input wire       clock,       // Rising edge moves the state.
  input wire       reset,       // Synchronous, active high.
  input wire [1:0] start_warps, // Warps activated this cycle.
  output reg [3:0] older        // Bit `j` of element `i`: warp `j` is older than warp `i`.
);

  localparam [3:0] BELOW = 4'd4; // Of each warp, the warps with smaller slots.

  always @(posedge clock) begin : state
    integer i;
    if (reset) begin
      older <= 4'd4;
    end else begin
      for (i = 0; i < 2; i = i + 1) begin
        // A starter is younger than everybody else; of those that start with it, the smaller slots are older.
        older[i*2 +: 2] <= older[i*2 +: 2] & ~start_warps;
        if (start_warps[i]) begin
          older[i*2 +: 2] <= ~start_warps | (start_warps & BELOW[i*2 +: 2]);
        end
      end
    end
  end
endmodule

`default_nettype wire
