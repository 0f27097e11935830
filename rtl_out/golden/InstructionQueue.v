`default_nettype none

// The queue of one warp: what the issue stage must know of each instruction, and how many there are.
// Latency: an entry pushed is at the head one cycle later at best.
// Reset: empty (SWaS: full of NOPs).
// Invariants: `push` only with room (with `--fetch-width 2` only when empty), `pop` only when not empty; `flush` wins
// over both.
module InstructionQueue (
  input wire         clock,                   // Rising edge moves the state.
  input wire         reset,                   // Synchronous, active high.
  input wire         push,                    // Appends an instruction.
  // That instruction.
  // Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake, and so do
  // atomic ones, which are done when they have their result.
  input wire  [17:0] pushed_registers_number, // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [2:0]  pushed_registers_used,   // It uses them, and they are not x0.

  input wire         pushed_blocks_issue,     // Nothing younger of the warp issues until it is resolved: branches,
                                              // jumps, warp control, barriers, fences, illegal instructions.
  input wire         pushed_memory,           // Reads or writes memory.

  input wire         pushed_sp,               // It goes to collector SP.
  input wire         pushed_sfu,              // It goes to collector SFU.
  input wire         pushed_mem,              // It goes to collector MEM.

  input wire         pop,                     // Removes the head.
  input wire         flush,                   // Empties the queue (SWaS: makes it full of NOPs).
  output reg  [2:0]  count,                   // Instructions held.
  output wire        head_valid,              // The queue holds at least one.
  // The head; meaningless in an empty queue.
  // Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake, and so do
  // atomic ones, which are done when they have their result.
  output wire [17:0] head_registers_number,   // Their numbers; bit 5 is set for those of the floating-point file.
  output wire [2:0]  head_registers_used,     // It uses them, and they are not x0.

  output wire        head_blocks_issue,       // Nothing younger of the warp issues until it is resolved: branches,
                                              // jumps, warp control, barriers, fences, illegal instructions.
  output wire        head_memory,             // Reads or writes memory.

  output wire        head_sp,                 // It goes to collector SP.
  output wire        head_sfu,                // It goes to collector SFU.
  output wire        head_mem,                // It goes to collector MEM.

  // Registers of the head in the next cycle, if the present one is popped or a first one enters.
  output reg  [17:0] following_number,        // Their numbers; bit 5 is set for those of the floating-point file.
  output reg  [2:0]  following_used,          // It uses them, and they are not x0.

  output wire        head_enters,             // A first instruction enters the empty queue.
  output reg  [1:0]  read_slot,               // Payload slot of the head.
  output reg  [1:0]  write_slot               // Payload slot of an instruction pushed now.
);

  localparam [2:0] FLUSHED_COUNT = 3'd0;
  localparam [2:0] ONE = 3'd1;
  localparam [1:0] ONE_SLOT = 2'd1;

  wire [71:0] present_registers_number;
  wire [11:0] present_registers_used;
  wire [3:0]  present_blocks_issue;
  wire [3:0]  present_memory;
  wire [3:0]  present_sp;
  wire [3:0]  present_sfu;
  wire [3:0]  present_mem;
  reg  [2:0]  after_pop;
  (* nowrshmsk *) // written at an index: decoded by yosys, instead of by a shifted mask
  reg  [3:0]  behind_oh;
  reg  [3:0]  before_oh;
  reg  [3:0]  places_takes;
  reg  [3:0]  places_moves_up;
  reg  [71:0] places_behind_registers_number;
  reg  [11:0] places_behind_registers_used;
  reg  [3:0]  places_behind_blocks_issue;
  reg  [3:0]  places_behind_memory;
  reg  [3:0]  places_behind_sp;
  reg  [3:0]  places_behind_sfu;
  reg  [3:0]  places_behind_mem;

  genvar gi;

  assign head_valid = |count;
  assign head_registers_number = present_registers_number[17:0];
  assign head_registers_used = present_registers_used[2:0];
  assign head_blocks_issue = present_blocks_issue[0];
  assign head_memory = present_memory[0];
  assign head_sp = present_sp[0];
  assign head_sfu = present_sfu[0];
  assign head_mem = present_mem[0];

  // 1. pop, then push behind what is left
  always @* begin
    after_pop = count;
    if (pop) begin
      after_pop = count - ONE;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      count <= 3'd0;
      read_slot <= 2'd0;
      write_slot <= 2'd0;
    end else begin
      if (pop) begin
        read_slot <= read_slot + ONE_SLOT;
      end
      count <= after_pop;
      if (push) begin
        count <= after_pop + ONE;
        write_slot <= write_slot + ONE_SLOT;
      end
      // flush
      if (flush) begin
        count <= FLUSHED_COUNT;
        read_slot <= 2'd0;
        write_slot <= 2'd0;
      end
    end
  end

  // 2. where it goes: behind the last, or, since a pop is known late, one before that
  always @* begin : behind_oh_logic
    integer i;
    behind_oh = 4'd0;
    before_oh = 4'd0;
    if (count < 3'd4) begin
      behind_oh[count[1:0]] = push;
    end
    for (i = 0; i < 4; i = i + 1) begin
      if (count == (i[2:0] + 3'd1)) begin
        before_oh[i] = push;
      end
    end
  end

  // 3. entries move up at a pop, so that the head is a register without a multiplexer; which it will be does not wait
  // for the pop
  generate
    for (gi = 0; gi < 4; gi = gi + 1) begin : places
      QueuePlace unit (
        .clock                   (clock),
        .takes                   (places_takes[gi]),
        .moves_up                (places_moves_up[gi]),
        .pushed_registers_number (pushed_registers_number),
        .pushed_registers_used   (pushed_registers_used),
        .pushed_blocks_issue     (pushed_blocks_issue),
        .pushed_memory           (pushed_memory),
        .pushed_sp               (pushed_sp),
        .pushed_sfu              (pushed_sfu),
        .pushed_mem              (pushed_mem),
        .behind_registers_number (places_behind_registers_number[gi*18 +: 18]),
        .behind_registers_used   (places_behind_registers_used[gi*3 +: 3]),
        .behind_blocks_issue     (places_behind_blocks_issue[gi]),
        .behind_memory           (places_behind_memory[gi]),
        .behind_sp               (places_behind_sp[gi]),
        .behind_sfu              (places_behind_sfu[gi]),
        .behind_mem              (places_behind_mem[gi]),
        .entry_registers_number  (present_registers_number[gi*18 +: 18]),
        .entry_registers_used    (present_registers_used[gi*3 +: 3]),
        .entry_blocks_issue      (present_blocks_issue[gi]),
        .entry_memory            (present_memory[gi]),
        .entry_sp                (present_sp[gi]),
        .entry_sfu               (present_sfu[gi]),
        .entry_mem               (present_mem[gi])
      );
    end
  endgenerate

  always @* begin : places_takes_logic
    integer i;
    for (i = 0; i < 4; i = i + 1) begin
      places_takes[i] = pop | behind_oh[i];
    end
    places_takes[3] = behind_oh[3] | (pop & before_oh[3]);
  end

  always @* begin
    places_behind_blocks_issue[2:0] = present_blocks_issue[3:1];
    places_behind_blocks_issue[3] = pushed_blocks_issue;
  end

  always @* begin
    places_behind_memory[2:0] = present_memory[3:1];
    places_behind_memory[3] = pushed_memory;
  end

  always @* begin
    places_behind_sp[2:0] = present_sp[3:1];
    places_behind_sp[3] = pushed_sp;
  end

  always @* begin
    places_behind_sfu[2:0] = present_sfu[3:1];
    places_behind_sfu[3] = pushed_sfu;
  end

  always @* begin
    places_behind_mem[2:0] = present_mem[3:1];
    places_behind_mem[3] = pushed_mem;
  end

  always @* begin : places_behind_registers_number_logic
    integer i;
    for (i = 0; i < 3; i = i + 1) begin
      places_behind_registers_number[i*18 +: 18] = present_registers_number[(i + 1)*18 +: 18];
      places_behind_registers_used[i*3 +: 3] = present_registers_used[(i + 1)*3 +: 3];
    end
    places_behind_registers_number[71:54] = pushed_registers_number;
    places_behind_registers_used[11:9] = pushed_registers_used;
  end

  always @* begin : places_moves_up_logic
    integer i;
    places_moves_up[0] = count > ONE;
    for (i = 1; i < 3; i = i + 1) begin
      places_moves_up[i] = pop & !before_oh[i];
    end
    places_moves_up[3] = 1'b0;
  end

  assign head_enters = behind_oh[0];

  always @* begin
    following_number = pushed_registers_number;
    following_used = pushed_registers_used;
    if (count > ONE) begin
      following_number = present_registers_number[35:18];
      following_used = present_registers_used[5:3];
    end
  end

  // Not read: what the pop makes room for in the first entry is the second one.
  wire unused_before_oh = &{1'b0, before_oh[0]};
endmodule

`default_nettype wire
