`default_nettype none

// The sweep that makes every set invalid, and the walk that finds what memory does not have yet.
module FlushControl (
  input wire        clock,        // Rising edge moves the state.
  input wire        reset,        // Synchronous, active high.
  input wire        sweep,        // All sets are to become invalid.
  input wire        paused,       // Something else is written in this cycle.
  output wire       sweeping,     // There are sets that count as invalid.
  output wire [7:0] sweep_set,    // The first of them.
  input wire        walk,         // Dirty lines are to be found.
  input wire        walk_dirty,   // The set that was read has a dirty line.
  input wire        walk_written, // That line goes out.
  output wire       walk_read,    // A set is read.
  output wire       walk_looked,  // The set was read.
  output wire [7:0] walk_set      // Which set.
);

  localparam [7:0] LAST = 8'hff;
  localparam [7:0] ONE = 8'd1;

  reg       active;
  reg [7:0] set;
  reg       looked;
  reg [7:0] position;

  // 1. sweep
  assign sweeping = active;
  assign sweep_set = set;

  always @(posedge clock) begin
    if (reset) begin
      active <= 1'b1;
      set <= 8'd0;
    end else begin
      if (active & !paused) begin
        set <= set + ONE;
        if (set == LAST) begin
          set <= 8'd0;
          active <= 1'b0;
        end
      end
      if (sweep) begin
        set <= 8'd0;
        active <= 1'b1;
      end
    end
  end

  // 2. walk: read, then look; a dirty line that cannot go out yet stays in view
  assign walk_read = walk & !looked;
  assign walk_looked = looked;
  assign walk_set = position;

  always @(posedge clock) begin
    if (reset) begin
      looked <= 1'b0;
      position <= 8'd0;
    end else begin
      looked <= (walk & !looked) | (looked & walk_dirty & !walk_written);
      if (looked & !walk_dirty) begin
        position <= position + ONE;
        if (position == LAST) begin
          position <= 8'd0;
        end
      end
    end
  end
endmodule

`default_nettype wire
