`default_nettype none

// The registers of one warp that wait for a result, and what that means for the head of its queue.
// Latency: none; what issues, enters or is freed shows in the next cycle. The masks follow the operand stages, so that
// the grant need not reach them in its own cycle: the head that issues is compared.
// Reset: nothing waits.
// Invariants: a register has one writer in flight, so it is never taken and freed at once.
module HazardRow (
  input wire         clock,            // Rising edge moves the state.
  input wire         reset,            // Synchronous, active high.
  input wire  [31:0] taken_mask,       // That destination, or none.
  input wire         freed_valid,      // A register of this warp has its value.
  input wire  [5:0]  freed_rd,         // Its number.
  input wire  [31:0] freed_mask,       // The same as a mask.
  // The head's registers.
  input wire  [17:0] head_number,      // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [2:0]  head_used,        // It uses them, and they are not x0.

  input wire         head_issues,      // The head issues, and what comes next is the head.
  input wire         head_enters,      // There is no head, and what comes next will be.
  input wire         flush,            // There will be no head, or one that uses no register.
  // Registers of what comes next.
  input wire  [17:0] following_number, // Their numbers; bit 5 is set for those of the floating-point file.
  input wire  [2:0]  following_used,   // It uses them, and they are not x0.

  output wire        raw,              // A source waits for its value, or any register of a warp that drains.
  output wire        waw               // The destination waits for an older one.
);

  wire [31:0] pending;
  reg  [31:0] registers;
  reg  [2:0]  waits_next;
  reg  [2:0]  waits;

  always @(posedge clock) begin
    if (reset) begin
      waits <= 3'd0;
    end else begin
      waits <= waits_next;
    end
  end

  // 1. read after write, write after write
  assign waw = waits[0];
  assign raw = waits[1] | waits[2];

  // 2. what the head waits for in the next cycle: the same less what is freed, or what the next one waits for
  assign pending = registers | taken_mask;

  always @* begin : waits_next_logic
    integer i;
    reg busy;
    reg freed;
    reg taken;
    i = 0;
    waits_next = waits;
    if (freed_valid) begin
      for (i = 0; i < 3; i = i + 1) begin
        if (freed_rd == head_number[i*6 +: 6]) begin
          waits_next[i] = 1'b0;
        end
      end
    end
    busy = 1'b0;
    freed = 1'b0;
    taken = 1'b0;
    if (head_issues | head_enters) begin
      for (i = 0; i < 3; i = i + 1) begin
        busy = pending[following_number[i*6 +: 5]];
        freed = freed_valid & (freed_rd == following_number[i*6 +: 6]);
        // The head that issues now is not in the operand stage yet.
        taken = head_used[0] & !head_enters & (head_number[5:0] == following_number[i*6 +: 6]);
        // Whether the register is used is decoded late.
        waits_next[i] = following_used[i] & ((busy & !freed) | taken);
      end
    end
    if (flush) begin
      waits_next = 3'd0;
    end
  end

  // 3. remember
  always @(posedge clock) begin
    if (reset) begin
      registers <= 32'd0;
    end else begin
      registers <= pending & ~freed_mask;
    end
  end

  // Not read: its sources were looked up when it followed.
  wire unused_head_used = &{1'b0, head_used[2:1]};
endmodule

`default_nettype wire
