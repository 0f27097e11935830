`default_nettype none

// 256 words of 27 bits, one read and one write port; what is read of a word while it is written is not used.
module SyncRam_256x27_no_collision (
  input wire        clock,
  input wire        read_enable,
  input wire [7:0]  read_address,
  output reg [26:0] read_data,
  input wire        write_enable,
  input wire [7:0]  write_address,
  input wire [26:0] write_data
);

  (* no_rw_check *)
  reg [26:0] stored [0:255];

  always @(posedge clock) begin
    if (read_enable) read_data <= stored[read_address];
    if (write_enable) stored[write_address] <= write_data;
  end
endmodule

`default_nettype wire
