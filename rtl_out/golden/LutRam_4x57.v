`default_nettype none

// 4 words of 57 bits, asynchronous read, synchronous write.
module LutRam_4x57 (
  input wire         clock,
  input wire  [1:0]  read_address,
  output wire [56:0] read_data,
  input wire         write_enable,
  input wire  [1:0]  write_address,
  input wire  [56:0] write_data
);

  reg [56:0] stored [0:3];

  assign read_data = stored[read_address];
  always @(posedge clock) if (write_enable) stored[write_address] <= write_data;
endmodule

`default_nettype wire
