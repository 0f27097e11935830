`default_nettype none

// One stack a warp; an entry is what SPLIT leaves for its JOINs.
// Latency: combinational reads; a push is on top in the next cycle.
// Reset: all stacks empty.
// Invariants: `push` only if not `full`, `pop` and `start_other` only if `depth` is not 0, one of the three a cycle.
module IpdomStack (
  input wire         clock,        // Rising edge moves the state.
  input wire         reset,        // Synchronous, active high.
  input wire         wid,          // Whose stack.
  input wire         push,         // SPLIT diverges.
  input wire  [1:0]  push_restore, // Lanes after both sides.
  input wire  [1:0]  push_other,   // Lanes of the side that waits.
  input wire  [31:0] push_pc,      // Where that side starts.
  input wire         start_other,  // The first JOIN.
  input wire         pop,          // The second JOIN.
  output wire        depth,        // Entries in use.
  output wire        full,         // No entry is free.
  output wire [1:0]  top_restore,  // Lanes after both sides of the top entry.
  output wire [1:0]  top_other,    // Lanes of its other side.
  output wire [31:0] top_pc,       // Where its other side starts.
  output wire        top_started,  // Its other side has started.
  input wire  [1:0]  start_warps   // With a dispatcher: warps of a block that starts, whose stacks begin empty.
);

  localparam       LIMIT = 1'b1;
  localparam [2:0] SHIFT = 3'd1;

  wire       used;
  wire       below;
  wire [1:0] base;
  wire [1:0] top_address;
  wire [1:0] push_address;
  reg  [1:0] pointer;
  reg  [1:0] started_write_address;
  reg        started_write_data;

  // 1. the stack pointer
  assign used = pointer[wid];
  assign depth = used;
  assign full = used == LIMIT;

  // 2. the top entry
  assign below = used - 1'b1;
  assign base = {1'b0, wid} << SHIFT;
  assign top_address = base | {1'b0, below};
  assign push_address = base | {1'b0, used};

  // 3. changes
  LutRam_4x2 restore (
    .clock         (clock),
    .read_address  (top_address),
    .read_data     (top_restore),
    .write_enable  (push),
    .write_address (push_address),
    .write_data    (push_restore)
  );

  LutRam_4x2 other (
    .clock         (clock),
    .read_address  (top_address),
    .read_data     (top_other),
    .write_enable  (push),
    .write_address (push_address),
    .write_data    (push_other)
  );

  LutRam_4x32 pc (
    .clock         (clock),
    .read_address  (top_address),
    .read_data     (top_pc),
    .write_enable  (push),
    .write_address (push_address),
    .write_data    (push_pc)
  );

  LutRam_4x1 started (
    .clock         (clock),
    .read_address  (top_address),
    .read_data     (top_started),
    .write_enable  (push | start_other),
    .write_address (started_write_address),
    .write_data    (started_write_data)
  );

  always @* begin
    started_write_address = top_address;
    started_write_data = 1'b1;
    if (push) begin
      started_write_address = push_address;
      started_write_data = 1'b0;
    end
  end

  always @(posedge clock) begin : state
    integer w;
    if (reset) begin
      pointer <= 2'd0;
    end else begin
      for (w = 0; w < 2; w = w + 1) begin
        if (wid == w[0]) begin
          if (push) begin
            pointer[w] <= used + 1'b1;
          end else if (pop) begin
            pointer[w] <= below;
          end
        end
        if (start_warps[w]) begin
          pointer[w] <= 1'b0;
        end
      end
    end
  end
endmodule

`default_nettype wire
