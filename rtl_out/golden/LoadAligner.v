`default_nettype none

// Selects the addressed byte or half of a word and extends it to 32 bits.
// Latency: combinational.
// Reset: none.
// Invariants: none; since accesses are aligned, the low byte is always the addressed one and the next always that of
// the addressed half.
module LoadAligner (
  input wire  [2:0]  funct3,  // Size and extension.
  input wire  [1:0]  offset,  // Byte within the word.
  input wire  [31:0] word,    // Word that was read.
  output wire [31:0] register // Value for the register.
);

  reg [15:0] half_value;
  reg [15:0] upper;
  reg [15:0] extension;
  reg [7:0]  byte_0;
  reg [7:0]  byte_1;
  reg        sign;

  // 1. the addressed half and byte
  always @* begin
    half_value = word[15:0];
    if (offset[1]) begin
      half_value = word[31:16];
    end
  end

  always @* begin
    byte_0 = half_value[7:0];
    if (offset[0]) begin
      byte_0 = half_value[15:8];
    end
  end

  // 2. the sign
  always @* begin
    sign = half_value[15];
    if (funct3[1:0] == 2'd0) begin
      sign = byte_0[7];
    end
  end

  always @* begin
    extension = 16'd0;
    if (sign & !funct3[2]) begin
      extension = 16'hffff;
    end
  end

  // 3. what lies above the byte and the half
  always @* begin
    byte_1 = half_value[15:8];
    if (funct3[1:0] == 2'd0) begin
      byte_1 = extension[7:0];
    end
  end

  always @* begin
    upper = extension;
    if (funct3[1]) begin
      upper = word[31:16];
    end
  end

  assign register = {upper, byte_1, byte_0};
endmodule

`default_nettype wire
