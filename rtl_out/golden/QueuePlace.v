`default_nettype none

// One place of an instruction queue: it takes the instruction that is pushed, or that of the place behind it.
// Latency: one cycle.
// Reset: none (SWaS: a NOP, by `clear`).
// Invariants: none.
module QueuePlace (
  input wire        clock,                   // Rising edge moves the state.
  input wire        takes,                   // It takes an instruction.
  input wire        moves_up,                // That of the place behind, not the pushed one.
  // The instruction that is pushed.
  // Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake, and so do
  // atomic ones, which are done when they have their result.
  input wire [17:0] pushed_registers_number, // Their numbers; bit 5 is set for those of the floating-point file.
  input wire [2:0]  pushed_registers_used,   // It uses them, and they are not x0.

  input wire        pushed_blocks_issue,     // Nothing younger of the warp issues until it is resolved: branches,
                                             // jumps, warp control, barriers, fences, illegal instructions.
  input wire        pushed_memory,           // Reads or writes memory.

  input wire        pushed_sp,               // It goes to collector SP.
  input wire        pushed_sfu,              // It goes to collector SFU.
  input wire        pushed_mem,              // It goes to collector MEM.

  // That of the place behind.
  // Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake, and so do
  // atomic ones, which are done when they have their result.
  input wire [17:0] behind_registers_number, // Their numbers; bit 5 is set for those of the floating-point file.
  input wire [2:0]  behind_registers_used,   // It uses them, and they are not x0.

  input wire        behind_blocks_issue,     // Nothing younger of the warp issues until it is resolved: branches,
                                             // jumps, warp control, barriers, fences, illegal instructions.
  input wire        behind_memory,           // Reads or writes memory.

  input wire        behind_sp,               // It goes to collector SP.
  input wire        behind_sfu,              // It goes to collector SFU.
  input wire        behind_mem,              // It goes to collector MEM.

  // The instruction here.
  // Its registers. Instructions of a floating-point unit always have a destination, for their flags' sake, and so do
  // atomic ones, which are done when they have their result.
  output reg [17:0] entry_registers_number,  // Their numbers; bit 5 is set for those of the floating-point file.
  output reg [2:0]  entry_registers_used,    // It uses them, and they are not x0.

  output reg        entry_blocks_issue,      // Nothing younger of the warp issues until it is resolved: branches,
                                             // jumps, warp control, barriers, fences, illegal instructions.
  output reg        entry_memory,            // Reads or writes memory.

  output reg        entry_sp,                // It goes to collector SP.
  output reg        entry_sfu,               // It goes to collector SFU.
  output reg        entry_mem                // It goes to collector MEM.
);

  always @(posedge clock) begin
    if (takes) begin
      entry_registers_number <= pushed_registers_number;
      entry_registers_used <= pushed_registers_used;
      entry_blocks_issue <= pushed_blocks_issue;
      entry_memory <= pushed_memory;
      entry_sp <= pushed_sp;
      entry_sfu <= pushed_sfu;
      entry_mem <= pushed_mem;
      if (moves_up) begin
        entry_registers_number <= behind_registers_number;
        entry_registers_used <= behind_registers_used;
        entry_blocks_issue <= behind_blocks_issue;
        entry_memory <= behind_memory;
        entry_sp <= behind_sp;
        entry_sfu <= behind_sfu;
        entry_mem <= behind_mem;
      end
    end
  end
endmodule

`default_nettype wire
