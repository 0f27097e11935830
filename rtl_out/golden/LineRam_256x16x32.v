`default_nettype none

// 256 lines of 16 words of 32 bits, written a line and read a word at a time; a line is not read while it is written.
module LineRam_256x16x32 (
  input wire         clock,
  input wire         read_enable,
  input wire [11:0]  read_address,
  output reg [31:0]  read_data,
  input wire         write_enable,
  input wire [7:0]   write_address,
  input wire [511:0] write_data
);

  (* no_rw_check *)
  reg [31:0] stored [0:4095];
  integer i;

  always @(posedge clock) begin
    if (read_enable) read_data <= stored[read_address];
    if (write_enable)
      for (i = 0; i < 16; i = i + 1) stored[{write_address, i[3:0]}] <= write_data[i*32 +: 32];
  end
endmodule

`default_nettype wire
