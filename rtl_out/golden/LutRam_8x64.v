`default_nettype none

// 8 words of 64 bits, asynchronous read, synchronous write.
module LutRam_8x64 (
  input wire         clock,
  input wire  [2:0]  read_address,
  output wire [63:0] read_data,
  input wire         write_enable,
  input wire  [2:0]  write_address,
  input wire  [63:0] write_data
);

  reg [63:0] stored [0:7];

  assign read_data = stored[read_address];
  always @(posedge clock) if (write_enable) stored[write_address] <= write_data;
endmodule

`default_nettype wire
