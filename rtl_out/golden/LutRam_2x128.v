`default_nettype none

// 2 words of 128 bits, asynchronous read, synchronous write.
module LutRam_2x128 (
  input wire          clock,
  input wire          read_address,
  output wire [127:0] read_data,
  input wire          write_enable,
  input wire          write_address,
  input wire  [127:0] write_data
);

  reg [127:0] stored [0:1];

  assign read_data = stored[read_address];
  always @(posedge clock) if (write_enable) stored[write_address] <= write_data;
endmodule

`default_nettype wire
