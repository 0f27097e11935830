`default_nettype none

// Replicates the low byte or half of a register over the word and enables the bytes that are stored.
// Latency: combinational.
// Reset: none.
// Invariants: none.
module StoreAligner (
  input wire [1:0]  size,     // Size of the access, `funct3` bits 1..0.
  input wire [1:0]  offset,   // Byte within the word.
  input wire [31:0] register, // Value to store, in its low bits.
  output reg [31:0] word,     // The value at every place it could go to.
  output reg [3:0]  bytes     // Bytes of `word` that are stored.
);

  wire [31:0] byte_value;
  wire [31:0] half_value;

  assign byte_value = {24'd0, register[7:0]};
  assign half_value = {16'd0, register[15:0]};

  always @* begin
    word = register;
    bytes = 4'hf;
    if (size == 2'd0) begin
      word = byte_value | (byte_value << 5'd8) | (byte_value << 5'd16) | (byte_value << 5'd24);
      bytes = 4'd1 << offset;
    end else if (size == 2'd1) begin
      word = half_value | (half_value << 5'd16);
      bytes = 4'd3 << offset;
    end
  end
endmodule

`default_nettype wire
