`default_nettype none

// 2 words of 30 bits, asynchronous read, synchronous write.
module LutRam_2x30 (
  input wire         clock,
  input wire         read_address,
  output wire [29:0] read_data,
  input wire         write_enable,
  input wire         write_address,
  input wire  [29:0] write_data
);

  reg [29:0] stored [0:1];

  assign read_data = stored[read_address];
  always @(posedge clock) if (write_enable) stored[write_address] <= write_data;
endmodule

`default_nettype wire
