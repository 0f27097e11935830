`default_nettype none

// Tells the last partial result of a load, whatever order its lines come back in.
// Latency: combinational.
// Reset: no load in flight.
// Invariants: `open` only while `group_ready`; returned lanes were waiting.
module LoadTracker (
  input wire        clock,       // Rising edge moves the state.
  input wire        reset,       // Synchronous, active high.
  input wire        open,        // A load starts.
  input wire  [1:0] open_lanes,  // Its lanes.
  output wire       group_ready, // A number is free.
  output wire [4:0] group,       // The number that a starting load gets.
  // A partial result of each path that goes to commit.
  input wire        part_valid,  // A part of a load is there.
  input wire  [4:0] part_group,  // Number of the load.
  input wire  [1:0] part_lanes,  // Its lanes.
  output wire       part_last,   // It completes the load.

  output wire       in_flight    // Some load is in flight.
);

  reg  [15:0] in_use;
  wire [1:0]  served;
  reg  [1:0]  remaining;
  reg  [31:0] waiting;
  wire [3:0]  next_group_number;

  // 1. a free number; a load is in flight while one of its lanes waits
  always @* begin : in_use_logic
    integer g;
    in_use = 16'd0;
    for (g = 0; g < 16; g = g + 1) begin
      in_use[g] = waiting[g*2 +: 2] != 2'd0;
    end
  end

  assign in_flight = in_use != 16'd0;

  FreeNumber next_group (
    .clock  (clock),
    .reset  (reset),
    .in_use (in_use),
    .take   (open),
    .ready  (group_ready),
    .number (next_group_number)
  );

  assign group = {1'b0, next_group_number};

  // 2. what remains after this cycle's partial results
  assign served = part_lanes;

  always @* begin
    remaining = 2'd0;
    if (part_group < 5'd16) begin
      remaining = waiting[part_group[3:0]*2 +: 2] & ~served;
    end
  end

  assign part_last = remaining == 2'd0;

  // 3. remember
  always @(posedge clock) begin : state
    integer g;
    if (reset) begin
      waiting <= 32'd0;
    end else begin
      for (g = 0; g < 16; g = g + 1) begin
        if (part_valid & (part_group == g[4:0])) begin
          waiting[g*2 +: 2] <= remaining;
        end
        if (open & (group == g[4:0])) begin
          waiting[g*2 +: 2] <= open_lanes;
        end
      end
    end
  end
endmodule

`default_nettype wire
