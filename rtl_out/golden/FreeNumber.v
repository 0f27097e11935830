`default_nettype none

// Keeps a number ready that is not in use, so that whoever takes it need not search.
// Latency: a number out of use in cycle c is ready in c+1 at best.
// Reset: none ready for a cycle.
// Invariants: `take` only while `ready`; what is ready is not in use.
module FreeNumber (
  input wire        clock,  // Rising edge moves the state.
  input wire        reset,  // Synchronous, active high.
  input wire [15:0] in_use, // The numbers that are taken.
  input wire        take,   // Takes the number.
  output reg        ready,  // There is a number.
  output reg [3:0]  number  // The number.
);

  localparam [15:0] SIZES = 16'h1248;          // How many numbers the half that is searched in each step has: half of
                                               // all, a quarter, and so on down to one.
  localparam [63:0] LOWER = 64'h10003000f00ff; // Masks of as many numbers, from number 0 on.

  reg       ready_next;
  reg [3:0] number_next;

  always @(posedge clock) begin
    if (reset) begin
      ready <= 1'b0;
      number <= 4'd0;
    end else begin
      ready <= ready_next;
      number <= number_next;
    end
  end

  always @* begin : ready_next_logic
    integer k;
    reg [15:0] free;
    reg [3:0]  first;
    k = 0;
    ready_next = ready;
    number_next = number;
    // When none is ready, or the one that is gets taken: the lowest number that is neither in use nor ready.
    free = 16'd0;
    first = 4'd0;
    if (!ready | take) begin
      free = ~in_use;
      if (ready) begin
        free[number] = 1'b0;
      end
      ready_next = |free;
      // It is in the upper half if the lower one has none, and so on.
      first = 4'd0;
      for (k = 0; k < 4; k = k + 1) begin
        if ((free & LOWER[k*16 +: 16]) == 16'd0) begin
          free = free >> SIZES[k*4 +: 4];
          first = first | SIZES[k*4 +: 4];
        end
      end
      number_next = first;
    end
  end
endmodule

`default_nettype wire
