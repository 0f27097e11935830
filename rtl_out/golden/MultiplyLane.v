`default_nettype none

// One lane of the multiplier: 33-bit factors make signed and unsigned alike, half of the product is the result. A shift
// by n to the left is the lower half of a product by 2^n, one to the right the upper half of one by 2^(32 - n), or for
// n = 0 the lower half of one by 1.
// Latency: 1; without `load` the result stays.
// Reset: none.
// Invariants: of what is not for it the result is 0.
module MultiplyLane (
  input wire        clock,      // Rising edge moves the state.
  input wire        load,       // The registers take what is here.
  input wire        multiplies, // That is for the multiplier.
  input wire [3:0]  control,    // What to do.
  input wire [31:0] a,          // First factor, or what is shifted.
  input wire [31:0] b,          // Second factor, or by how much.
  output reg [31:0] result      // Half of the product.
);

  wire        upper;
  wire        a_signed;
  wire        b_signed;
  wire        shift;
  wire        in_upper;
  reg  [4:0]  amount;
  reg  [31:0] factor;
  reg  [32:0] a_extended;
  reg  [32:0] b_extended;
  reg         shows_lower;
  reg         shows_upper;
  wire [63:0] multiplier_product;

  assign upper = control[0];
  assign a_signed = control[1];
  assign b_signed = control[2];
  assign shift = control[3];

  // 1. factors; 32 less the amount is the amount's complement modulo 32
  always @* begin
    amount = b[4:0];
    if (upper) begin
      amount = 5'd0 - b[4:0];
    end
  end

  always @* begin
    factor = b;
    if (shift) begin
      factor = 32'd1 << amount;
    end
  end

  always @* begin
    a_extended = {1'b0, a};
    if (a_signed & a[31]) begin
      a_extended = {1'b1, a};
    end
  end

  always @* begin
    b_extended = {1'b0, factor};
    if (b_signed & b[31]) begin
      b_extended = {1'b1, factor};
    end
  end

  Multiplier multiplier (
    .clock   (clock),
    .enable  (load & multiplies),
    .a       (a_extended),
    .b       (b_extended),
    .product (multiplier_product)
  );

  // 2. the half where the result is; zeros are a choice of neither, so that commit adds them to other results
  assign in_upper = upper & !(shift & (amount == 5'd0));

  always @(posedge clock) begin
    if (load) begin
      shows_lower <= multiplies & !in_upper;
      shows_upper <= multiplies & in_upper;
    end
  end

  always @* begin
    result = 32'd0;
    if (shows_lower) begin
      result = multiplier_product[31:0];
    end
    if (shows_upper) begin
      result = result | multiplier_product[63:32];
    end
  end
endmodule

`default_nettype wire
