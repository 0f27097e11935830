`default_nettype none

// Finds, for the first lane still to be served, every lane that can share its request.
// Latency: combinational.
// Reset: none.
// Invariants: `joined` is a subset of `lanes`, and not 0 unless `lanes` is 0.
module Coalescer (
  input wire  [1:0]  lanes,    // Lanes still to be served.
  input wire  [63:0] address,  // Byte address of each lane.
  output wire [25:0] line,     // Line of this cycle's request.
  output wire        in_local, // This cycle serves local memory.
  output reg  [1:0]  joined    // Lanes that the request can serve.
);

  reg         leader;
  reg         found;
  wire [31:0] leader_address;

  // 1. leader: the first lane still to be served
  always @* begin : leader_logic
    integer i;
    i = 0;
    leader = 1'b0;
    found = 1'b0;
    if (|lanes) begin
      for (i = 0; i < 2; i = i + 1) begin
        if (lanes[i] & !found) begin
          leader = i[0];
          found = 1'b1;
        end
      end
    end
  end

  assign leader_address = address[leader*32 +: 32];

  // 2. where it goes
  assign line = leader_address[31:6];
  assign in_local = leader_address[31:16] == 16'hffff;

  // 3. lanes that go there too
  always @* begin : joined_logic
    integer i;
    reg lane_local;
    i = 0;
    joined = 2'd0;
    lane_local = 1'b0;
    if (|lanes) begin
      for (i = 0; i < 2; i = i + 1) begin
        lane_local = address[i*32 + 16 +: 16] == 16'hffff;
        if (lanes[i] & (lane_local == in_local) & (in_local | (address[i*32 + 6 +: 26] == line))) begin
          joined[i] = 1'b1;
        end
      end
    end
  end

  // Not read: a group is a line, wherever in it its lanes are.
  wire unused_leader_address = &{1'b0, leader_address[5:0]};
endmodule

`default_nettype wire
