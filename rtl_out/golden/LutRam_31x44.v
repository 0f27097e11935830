`default_nettype none

// 31 words of 44 bits, asynchronous read, synchronous write.
module LutRam_31x44 (
  input wire         clock,
  input wire  [4:0]  read_address,
  output wire [43:0] read_data,
  input wire         write_enable,
  input wire  [4:0]  write_address,
  input wire  [43:0] write_data
);

  reg [43:0] stored [0:30];

  assign read_data = stored[read_address];
  always @(posedge clock) if (write_enable) stored[write_address] <= write_data;
endmodule

`default_nettype wire
