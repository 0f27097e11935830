`default_nettype none

// The sweep that makes every set invalid, and the walk that finds what memory does not have yet.
// Latency: one set a cycle to sweep, two to walk over, two more a dirty line.
// Reset: a sweep starts.
// Invariants: none.
module FlushControl (
  input wire        clock,        // Rising edge moves the state.
  input wire        reset,        // Synchronous, active high.
  input wire        sweep,        // All sets are to become invalid.
  input wire        paused,       // Something else is written in this cycle.
  output reg        sweeping,     // There are sets that count as invalid.
  output reg  [7:0] sweep_set,    // The first of them.
  input wire        walk,         // Dirty lines are to be found.
  input wire        walk_dirty,   // The set that was read has a dirty line.
  input wire        walk_written, // That line goes out.
  output wire       walk_read,    // A set is read.
  output reg        walk_looked,  // The set was read.
  output reg  [7:0] walk_set      // Which set.
);

  localparam [7:0] LAST = 8'hff;
  localparam [7:0] ONE = 8'd1;

  // 1. sweep
  always @(posedge clock) begin
    if (reset) begin
      sweeping <= 1'b1;
      sweep_set <= 8'd0;
    end else begin
      if (sweeping & !paused) begin
        sweep_set <= sweep_set + ONE;
        if (sweep_set == LAST) begin
          sweep_set <= 8'd0;
          sweeping <= 1'b0;
        end
      end
      if (sweep) begin
        sweep_set <= 8'd0;
        sweeping <= 1'b1;
      end
    end
  end

  // 2. walk: read, then look; a dirty line that cannot go out yet stays in view
  assign walk_read = walk & !walk_looked;

  always @(posedge clock) begin
    if (reset) begin
      walk_looked <= 1'b0;
      walk_set <= 8'd0;
    end else begin
      walk_looked <= (walk & !walk_looked) | (walk_looked & walk_dirty & !walk_written);
      if (walk_looked & !walk_dirty) begin
        walk_set <= walk_set + ONE;
        if (walk_set == LAST) begin
          walk_set <= 8'd0;
        end
      end
    end
  end
endmodule

`default_nettype wire
