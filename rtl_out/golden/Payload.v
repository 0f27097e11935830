`default_nettype none

// What a slice reads of the instruction that it issues: its word and its address.
// Latency: none for reads; what is written shows in the next cycle.
// Reset: none.
// Invariants: one bank is read.
module Payload (
  input wire         clock,         // Rising edge moves the state.
  input wire         write_enable,  // Writes a bank.
  input wire  [2:0]  write_address, // At {rank of the warp, slot}, or with `--fetch-width 2` at the rank alone.
  input wire  [63:0] write_data,    // Address and word of the instruction.
  input wire  [2:0]  read_address,  // The same.
  input wire         read_bank,     // B bits, one-hot: the slice of the warp; without effect with one bank.
  output wire [63:0] word           // Address and word.
);

  wire [63:0] read;

  LutRam_8x64 memories (
    .clock         (clock),
    .read_address  (read_address),
    .read_data     (read),
    .write_enable  (write_enable),
    .write_address (write_address),
    .write_data    (write_data)
  );

  assign word = read;

  // Not read: a single bank is always the one.
  wire unused_read_bank = &{1'b0, read_bank};
endmodule

`default_nettype wire
