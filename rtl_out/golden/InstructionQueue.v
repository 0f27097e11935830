`default_nettype none

// The queue of one warp: what the issue stage must know of each instruction, and how many there are.
module InstructionQueue (
  input wire         clock,                   // Rising edge moves the state.
  input wire         reset,                   // Synchronous, active high.
  input wire         push,                    // Appends an instruction.
  // That instruction.
  // Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake.
  input wire  [17:0] pushed_registers_number, // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [2:0]  pushed_registers_used,   // It uses them, and they are not x0.
  input wire         pushed_blocks_issue,     // Nothing younger of the warp issues until it is resolved: branches, jumps, warp control, barriers, fences, illegal instructions.
  input wire         pushed_memory,           // Reads or writes memory.
  input wire         pushed_sp,               // It goes to collector SP.
  input wire         pushed_sfu,              // It goes to collector SFU.
  input wire         pushed_mem,              // It goes to collector MEM.

  input wire         pop,                     // Removes the head.
  input wire         flush,                   // Empties the queue (SWaS: makes it full of NOPs).
  output wire [2:0]  count,                   // Instructions held.
  output wire        head_valid,              // The queue holds at least one.
  // The head; meaningless in an empty queue.
  // Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake.
  output wire [17:0] head_registers_number,   // Their numbers; bit 5 is set for those of the floating-point file.
  output wire [2:0]  head_registers_used,     // It uses them, and they are not x0.
  output wire        head_blocks_issue,       // Nothing younger of the warp issues until it is resolved: branches, jumps, warp control, barriers, fences, illegal instructions.
  output wire        head_memory,             // Reads or writes memory.
  output wire        head_sp,                 // It goes to collector SP.
  output wire        head_sfu,                // It goes to collector SFU.
  output wire        head_mem,                // It goes to collector MEM.

  // Registers of the head in the next cycle, if the present one is popped or a first one enters.
  output wire [17:0] following_number,        // Their numbers; bit 5 is set for those of the floating-point file.
  output wire [2:0]  following_used,          // It uses them, and they are not x0.

  output wire        head_enters,             // A first instruction enters the empty queue.
  output wire [1:0]  read_slot,               // Payload slot of the head.
  output wire [1:0]  write_slot               // Payload slot of an instruction pushed now.
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
  reg  [17:0] next_head_registers_number;
  reg  [2:0]  next_head_registers_used;
  reg         next_head_blocks_issue;
  reg         next_head_memory;
  reg         next_head_sp;
  reg         next_head_sfu;
  reg         next_head_mem;
  reg  [2:0]  after_pop;
  (* nowrshmsk *) // written at an index: decoded by yosys, instead of by a shifted mask
  reg  [3:0]  behind_oh;
  reg  [3:0]  before_oh;
  reg  [71:0] entries_registers_number;
  reg  [11:0] entries_registers_used;
  reg  [3:0]  entries_blocks_issue;
  reg  [3:0]  entries_memory;
  reg  [3:0]  entries_sp;
  reg  [3:0]  entries_sfu;
  reg  [3:0]  entries_mem;
  reg  [2:0]  held;
  reg  [1:0]  read_pointer;
  reg  [1:0]  write_pointer;

  assign count = held;
  assign head_valid = |held;
  assign present_registers_number = entries_registers_number;
  assign present_registers_used = entries_registers_used;
  assign present_blocks_issue = entries_blocks_issue;
  assign present_memory = entries_memory;
  assign present_sp = entries_sp;
  assign present_sfu = entries_sfu;
  assign present_mem = entries_mem;
  assign head_registers_number = present_registers_number[17:0];
  assign head_registers_used = present_registers_used[2:0];
  assign head_blocks_issue = present_blocks_issue[0];
  assign head_memory = present_memory[0];
  assign head_sp = present_sp[0];
  assign head_sfu = present_sfu[0];
  assign head_mem = present_mem[0];
  assign read_slot = read_pointer;
  assign write_slot = write_pointer;

  // 1. pop, then push behind what is left
  always @* begin
    after_pop = held;
    if (pop) begin
      after_pop = held - ONE;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      held <= 3'd0;
      read_pointer <= 2'd0;
      write_pointer <= 2'd0;
    end else begin
      if (pop) begin
        read_pointer <= read_pointer + ONE_SLOT;
      end
      held <= after_pop;
      if (push) begin
        held <= after_pop + ONE;
        write_pointer <= write_pointer + ONE_SLOT;
      end
      // flush
      if (flush) begin
        held <= FLUSHED_COUNT;
        read_pointer <= 2'd0;
        write_pointer <= 2'd0;
      end
    end
  end

  // 2. where it goes: behind the last, or, since a pop is known late, one before that
  always @* begin : behind_oh_logic
    integer i;
    behind_oh = 4'd0;
    before_oh = 4'd0;
    if (held < 3'd4) begin
      behind_oh[held[1:0]] = push;
    end
    for (i = 0; i < 4; i = i + 1) begin
      if (held == (i[2:0] + 3'd1)) begin
        before_oh[i] = push;
      end
    end
  end

  // 3. entries move up at a pop, so that the head is a register without a multiplexer
  always @* begin
    next_head_registers_number = pushed_registers_number;
    next_head_registers_used = pushed_registers_used;
    next_head_blocks_issue = pushed_blocks_issue;
    next_head_memory = pushed_memory;
    next_head_sp = pushed_sp;
    next_head_sfu = pushed_sfu;
    next_head_mem = pushed_mem;
    if (held > ONE) begin
      next_head_registers_number = present_registers_number[35:18];
      next_head_registers_used = present_registers_used[5:3];
      next_head_blocks_issue = present_blocks_issue[1];
      next_head_memory = present_memory[1];
      next_head_sp = present_sp[1];
      next_head_sfu = present_sfu[1];
      next_head_mem = present_mem[1];
    end
  end

  assign following_number = next_head_registers_number;
  assign following_used = next_head_registers_used;
  assign head_enters = behind_oh[0];

  always @(posedge clock) begin : pipeline
    integer i, j;
    if (pop | head_enters) begin
      entries_registers_number[17:0] <= next_head_registers_number;
      entries_registers_used[2:0] <= next_head_registers_used;
      entries_blocks_issue[0] <= next_head_blocks_issue;
      entries_memory[0] <= next_head_memory;
      entries_sp[0] <= next_head_sp;
      entries_sfu[0] <= next_head_sfu;
      entries_mem[0] <= next_head_mem;
    end
    for (i = 1; i < 3; i = i + 1) begin
      if (pop | behind_oh[i]) begin
        for (j = 0; j < 3; j = j + 1) begin
          entries_registers_number[(i*3 + j)*6 +: 6] <= pushed_registers_number[j*6 +: 6];
        end
        for (j = 0; j < 3; j = j + 1) begin
          entries_registers_used[i*3 + j] <= pushed_registers_used[j];
        end
        entries_blocks_issue[i] <= pushed_blocks_issue;
        entries_memory[i] <= pushed_memory;
        entries_sp[i] <= pushed_sp;
        entries_sfu[i] <= pushed_sfu;
        entries_mem[i] <= pushed_mem;
        if (pop & !before_oh[i]) begin
          for (j = 0; j < 3; j = j + 1) begin
            entries_registers_number[(i*3 + j)*6 +: 6] <= present_registers_number[((i + 1)*3 + j)*6 +: 6];
          end
          for (j = 0; j < 3; j = j + 1) begin
            entries_registers_used[i*3 + j] <= present_registers_used[(i + 1)*3 + j];
          end
          entries_blocks_issue[i] <= present_blocks_issue[i + 1];
          entries_memory[i] <= present_memory[i + 1];
          entries_sp[i] <= present_sp[i + 1];
          entries_sfu[i] <= present_sfu[i + 1];
          entries_mem[i] <= present_mem[i + 1];
        end
      end
    end
    if (behind_oh[3] | (pop & before_oh[3])) begin
      entries_registers_number[71:54] <= pushed_registers_number;
      entries_registers_used[11:9] <= pushed_registers_used;
      entries_blocks_issue[3] <= pushed_blocks_issue;
      entries_memory[3] <= pushed_memory;
      entries_sp[3] <= pushed_sp;
      entries_sfu[3] <= pushed_sfu;
      entries_mem[3] <= pushed_mem;
    end
  end

  // Not read: what the pop makes room for in the first entry is the second one.
  wire unused_before_oh = &{1'b0, before_oh[0]};
endmodule

`default_nettype wire
