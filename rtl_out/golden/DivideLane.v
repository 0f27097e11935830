`default_nettype none

// One lane of the divider: magnitudes in, one to four quotient bits a step, signs put back at the end.
// Latency: the steps from the place of the dividend's highest bit, or any higher one, to place 0.
// Reset: none (the unit's counter says when `result` means anything).
// Invariants: the remainder is below the divisor's magnitude before each bit, unless that is 0, so the 33-bit
// difference shows its borrow in bit 32. A quotient by zero is kept at 0 and inverted at the end, since bits above the
// first place are never found. The divisor is kept as what is added to subtract its magnitude: itself if it is
// negative, else its complement, with a carry.
module DivideLane (
  input wire         clock,          // Rising edge moves the state.
  input wire         start,          // Load the operands.
  input wire         busy,           // They are loaded.
  input wire         step,           // Produce quotient bits.
  input wire  [4:0]  place,          // Where the dividend's bits of this step are.
  input wire         is_signed,      // DIV or REM rather than DIVU or REMU.
  input wire         want_remainder, // The result is the remainder.
  input wire  [31:0] dividend,       // Dividend.
  input wire  [31:0] divisor,        // Divisor.
  output wire [31:0] result          // Quotient or remainder.
);

  localparam [9:0] OFFSETS = 10'd1; // Of each bit that a step finds, its place above the step's lowest.

  reg  [31:0] magnitude;
  reg  [31:0] sign;
  wire        by_zero;
  wire        negate;
  wire        dividend_negative;
  wire        divisor_negative;
  reg         inverts;
  reg         increments;
  reg         carry_in;
  reg  [31:0] digits;
  reg  [31:0] remainder_next;
  reg  [31:0] remainder;
  reg  [31:0] quotient_next;
  reg  [31:0] quotient;
  reg  [31:0] addend;
  reg         carry;
  reg         invert;
  reg         increment;

  always @(posedge clock) begin
    remainder <= remainder_next;
    quotient <= quotient_next;
  end

  // 1. one step: for each bit shift the next dividend bit in, subtract if that leaves something. The carry enters at an
  // extra lowest bit, so that it costs no second adder.
  always @* begin : remainder_next_logic
    integer k;
    reg [4:0]  at;
    reg [31:0] rest;
    reg [31:0] found;
    reg [32:0] shifted;
    // Not read as a whole: the lowest bit is the sum of the carry that goes in.
    // verilator lint_off UNUSEDSIGNAL
    reg [33:0] total;
    // verilator lint_on UNUSEDSIGNAL
    k = 0;
    remainder_next = remainder;
    quotient_next = quotient;
    at = 5'd0;
    rest = 32'd0;
    found = 32'd0;
    shifted = 33'd0;
    total = 34'd0;
    if (step) begin
      rest = remainder;
      found = quotient;
      for (k = 0; k < 2; k = k + 1) begin
        at = place | OFFSETS[k*5 +: 5];
        shifted = {1'b0, rest} << 6'd1;
        if (digits[at]) begin
          shifted = {rest, 1'b1};
        end
        total = {shifted, 1'b1} + {1'b1, addend, carry};
        rest = shifted[31:0];
        found = found << 5'd1;
        if (!total[33]) begin
          rest = total[32:1];
          found = found | 32'd1;
        end
      end
      remainder_next = rest;
      quotient_next = found;
    end
    // start. What the result lacks is its sign or, of a quotient by zero, all bits
    if (start) begin
      remainder_next = 32'd0;
    end
    if (start | (invert & !increment)) begin
      quotient_next = 32'd0;
    end
  end

  // 2. one adder takes the dividend's sign away at the start and gives the result its own at the end
  assign dividend_negative = is_signed & dividend[31];
  assign divisor_negative = is_signed & divisor[31];

  always @* begin
    magnitude = quotient;
    if (want_remainder) begin
      magnitude = remainder;
    end
    inverts = invert;
    increments = increment;
    if (!busy) begin
      magnitude = dividend;
      inverts = dividend_negative;
      increments = dividend_negative;
    end
  end

  always @* begin
    sign = 32'd0;
    if (inverts) begin
      sign = 32'hffffffff;
    end
  end

  always @* begin
    carry_in = 1'b0;
    if (increments) begin
      carry_in = 1'b1;
    end
  end

  assign result = (magnitude ^ sign) + {31'd0, carry_in};

  // 3. start. What the result lacks is its sign or, of a quotient by zero, all bits
  assign by_zero = (divisor == 32'd0) & !want_remainder;
  assign negate = dividend_negative ^ (divisor_negative & !want_remainder);

  always @(posedge clock) begin
    if (start) begin
      digits <= result;
      addend <= ~divisor;
      carry <= 1'b1;
      if (divisor_negative) begin
        addend <= divisor;
        carry <= 1'b0;
      end
      invert <= negate | by_zero;
      increment <= negate & !by_zero;
    end
  end
endmodule

`default_nettype wire
