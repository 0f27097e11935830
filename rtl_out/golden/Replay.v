`default_nettype none

// Reads the line that has just been written and hands it to each load that waited for it, one a cycle.
// Latency: filled in c, read in c+1, first load served in c+2.
// Reset: empty.
// Invariants: the line is read before another is written, so nothing comes between; lines are served in the order
// filled.
module Replay (
  input wire         clock,        // Rising edge moves the state.
  input wire         reset,        // Synchronous, active high.
  input wire         filled,       // A line is written.
  input wire  [15:0] filled_loads, // Loads that wait for it, a bit a slot; one at least.
  input wire  [8:0]  filled_row,   // The row where it is written.
  input wire         filled_way,   // The way, one hot.
  output wire        replay_ready, // A line may be written.
  output wire        replay_read,  // The row is read.
  output reg  [8:0]  replay_row,   // Which one.
  output reg         serve_valid,  // The line that the memories show goes to a load.
  output reg  [4:0]  serve_slot,   // The load.
  output reg         serve_way,    // The way to take it from, one hot.
  input wire         serve_taken,  // The load has it.
  output wire        holds,        // What the memories show must stay.
  output wire        busy          // Some load is still to be served.
);

  localparam [15:0] ONE = 16'd1;

  reg         found;
  wire        ends;
  wire        read;
  reg  [15:0] remaining;
  reg  [15:0] next_loads;
  reg         waiting;
  reg  [15:0] waiting_loads;
  reg         waiting_way;
  reg  [15:0] loads;
  reg         last;

  // 1. the lowest load
  always @* begin : serve_slot_logic
    integer i;
    i = 0;
    serve_slot = 5'd0;
    found = 1'b0;
    remaining = loads;
    if (serve_valid) begin
      for (i = 0; i < 16; i = i + 1) begin
        if (loads[i] & !found) begin
          serve_slot = i[4:0];
          remaining = loads;
          remaining[i] = 1'b0;
          found = 1'b1;
        end
      end
    end
  end

  assign ends = serve_valid & serve_taken & last;
  assign holds = serve_valid & !ends;

  always @* begin
    next_loads = loads;
    if (serve_taken) begin
      next_loads = remaining;
    end
    // 2. the line is read when the one before it has been served
    if (read) begin
      next_loads = waiting_loads;
    end
  end

  assign read = waiting & (!serve_valid | ends);
  assign replay_read = read;

  always @(posedge clock) begin
    if (read) begin
      serve_way <= waiting_way;
    end
    loads <= next_loads;
    last <= (next_loads & (next_loads - ONE)) == 16'd0;
  end

  always @(posedge clock) begin
    if (reset) begin
      waiting <= 1'b0;
      serve_valid <= 1'b0;
    end else begin
      if (ends) begin
        serve_valid <= 1'b0;
      end
      if (read) begin
        serve_valid <= 1'b1;
        waiting <= 1'b0;
      end
      // 3. a line is written
      if (filled) begin
        waiting <= 1'b1;
      end
    end
  end

  assign replay_ready = !waiting;

  always @(posedge clock) begin
    if (filled) begin
      waiting_loads <= filled_loads;
      replay_row <= filled_row;
      waiting_way <= filled_way;
    end
  end

  assign busy = waiting | serve_valid;
endmodule

`default_nettype wire
