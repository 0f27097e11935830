`default_nettype none

// Miss status holding registers: for each line on its way, the loads that wait for it.
// Latency: combinational; changes show in the next cycle.
// Reset: no line on its way.
// Invariants: no two joinable entries hold one line; `allocate`, `joins`, `part` and `filled` never coincide.
module MissTable (
  input wire         clock,          // Rising edge moves the state.
  input wire         reset,          // Synchronous, active high.
  input wire  [25:0] line,           // Line that is looked up.
  input wire  [4:0]  slot,           // Load that looks it up.
  output wire        joinable,       // The line is on its way, for further loads too.
  output wire        mshr_ready,     // An entry is free.
  output reg  [4:0]  mshr,           // The entry that an allocation takes.
  input wire         allocate,       // The line is asked for.
  input wire         allocate_alone, // It would be for this load alone, and not to be cached; says so before `allocate`
                                     // does.
  input wire         joins,          // The load waits for the line that is on its way.
  input wire         part,           // A store goes to the line: what is on its way is older.
  input wire         filled,         // A line arrives.
  input wire  [4:0]  filled_mshr,    // Entry by which it was asked for.
  output reg  [25:0] filled_line,    // Its address.
  output reg         filled_alone,   // It is not to be cached.
  output reg  [15:0] filled_loads,   // Loads that wait for it, a bit a slot.
  output reg  [3:0]  mshrs_in_use    // Entries in use.
);

  localparam [15:0] FIRST_SLOT = 16'd1;

  reg  [7:0]   same;
  reg  [7:0]   free_oh;
  reg  [7:0]   filled_oh;
  reg  [7:0]   in_use_now;
  reg  [7:0]   open_now;
  reg          found;
  wire [15:0]  slot_mask;
  reg  [7:0]   in_use;
  reg  [7:0]   open;
  reg  [207:0] lines;
  reg  [127:0] loads;

  // 1. the entry that holds the line
  always @* begin : same_logic
    integer m;
    same = 8'd0;
    for (m = 0; m < 8; m = m + 1) begin
      same[m] = in_use[m] & open[m] & (lines[m*26 +: 26] == line);
    end
  end

  assign joinable = |same;

  // 2. the lowest free entry
  always @* begin : mshr_logic
    integer m;
    mshr = 5'd0;
    found = 1'b0;
    free_oh = 8'd0;
    mshrs_in_use = 4'd0;
    for (m = 0; m < 8; m = m + 1) begin
      if (in_use[m]) begin
        mshrs_in_use = mshrs_in_use + 4'd1;
      end else if (!found) begin
        mshr = m[4:0];
        free_oh[m] = 1'b1;
        found = 1'b1;
      end
    end
  end

  assign mshr_ready = found;

  // 3. a line arrives
  always @* begin : filled_line_logic
    integer m;
    filled_line = 26'd0;
    filled_loads = 16'd0;
    filled_alone = 1'b0;
    filled_oh = 8'd0;
    for (m = 0; m < 8; m = m + 1) begin
      filled_oh[m] = filled_mshr == m[4:0];
      if (filled_oh[m]) begin
        filled_line = filled_line | lines[m*26 +: 26];
        filled_loads = filled_loads | loads[m*16 +: 16];
        filled_alone = filled_alone | !open[m];
      end
    end
  end

  // 4. remember; a free entry holds what it would be taken for, since whether it is taken is known late
  assign slot_mask = FIRST_SLOT << slot;

  always @* begin
    in_use_now = in_use;
    if (allocate) begin
      in_use_now = in_use | free_oh;
    end
    if (filled) begin
      in_use_now = in_use_now & ~filled_oh;
    end
  end

  always @* begin : open_now_logic
    integer m;
    open_now = open;
    if (part) begin
      open_now = open & ~same;
    end
    for (m = 0; m < 8; m = m + 1) begin
      if (free_oh[m]) begin
        open_now[m] = !allocate_alone;
      end
    end
  end

  always @(posedge clock) begin : pipeline
    integer m;
    for (m = 0; m < 8; m = m + 1) begin
      if (joins & same[m]) begin
        loads[m*16 +: 16] <= loads[m*16 +: 16] | slot_mask;
      end
      if (free_oh[m]) begin
        lines[m*26 +: 26] <= line;
        loads[m*16 +: 16] <= slot_mask;
      end
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      in_use <= 8'd0;
      open <= 8'd0;
    end else begin
      in_use <= in_use_now;
      open <= open_now;
    end
  end
endmodule

`default_nettype wire
