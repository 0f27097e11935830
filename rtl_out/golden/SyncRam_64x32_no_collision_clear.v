`default_nettype none

// 64 words of 32 bits, one read and one write port; what is read of a word while it is written is not used.
module SyncRam_64x32_no_collision_clear (
  input wire        clock,
  input wire        read_enable,
  input wire        clear,
  input wire [5:0]  read_address,
  output reg [31:0] read_data,
  input wire        write_enable,
  input wire [5:0]  write_address,
  input wire [31:0] write_data
);

  (* no_rw_check *)
  reg [31:0] stored [0:63];

  always @(posedge clock) begin
    if (clear) read_data <= 0;
    else if (read_enable) read_data <= stored[read_address];
    if (write_enable) stored[write_address] <= write_data;
  end
endmodule

`default_nettype wire
