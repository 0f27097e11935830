`default_nettype none

// 16 words of 5 bits, asynchronous read, synchronous write.
module LutRam_16x5 (
  input wire        clock,
  input wire  [3:0] read_address,
  output wire [4:0] read_data,
  input wire        write_enable,
  input wire  [3:0] write_address,
  input wire  [4:0] write_data
);

  reg [4:0] stored [0:15];

  assign read_data = stored[read_address];
  always @(posedge clock) if (write_enable) stored[write_address] <= write_data;
endmodule

`default_nettype wire
