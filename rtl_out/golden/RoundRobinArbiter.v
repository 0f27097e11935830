`default_nettype none

// Grants the first requester after the last one whose grant was taken, wrapping.
// Latency: combinational; the pointer moves at the edge after `advance`.
// Reset: as if the highest requester was served last.
// Invariants: one grant if and only if there is a request; a requester that keeps asking is served within `count`
// grants.
module RoundRobinArbiter (
  input wire  clock,       // Rising edge moves the state.
  input wire  reset,       // Synchronous, active high.
  input wire  requests,    // Who asks.
  input wire  advance,     // The grant is taken this cycle.
  output wire grant_valid, // Whether anybody asks.
  output wire grant_oh,    // Who is granted.
  output wire grant_index  // Its index, 0 without a request.
);

  localparam ONE = 1'b1;

  wire above;
  reg  candidates;
  reg  last_oh;

  // 1. candidates: the requesters above the last one served, or all when there is none
  assign above = requests & !(last_oh | (last_oh - ONE));

  always @* begin
    candidates = above;
    if (!above) begin
      candidates = requests;
    end
  end

  // 2. pick the lowest
  assign grant_oh = candidates & (!candidates + ONE);
  assign grant_valid = requests;

  OneHotIndex_W1 encoder (
    .mask_oh (grant_oh),
    .index   (grant_index)
  );

  // 3. remember it
  always @(posedge clock) begin
    if (reset) begin
      last_oh <= 1'b1;
    end else if (advance & grant_valid) begin
      last_oh <= grant_oh;
    end
  end
endmodule

`default_nettype wire
