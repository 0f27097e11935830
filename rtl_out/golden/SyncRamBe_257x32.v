`default_nettype none

// 257 words of 32 bits with byte enables; a word is not read while it is written.
module SyncRamBe_257x32 (
  input wire        clock,
  input wire        read_enable,
  input wire [8:0]  read_address,
  output reg [31:0] read_data,
  input wire [3:0]  write_enable,
  input wire [8:0]  write_address,
  input wire [31:0] write_data
);

  (* no_rw_check *)
  reg [31:0] stored [0:256];

  always @(posedge clock) begin
    if (read_enable) read_data <= stored[read_address];
    if (write_enable != 4'd0) begin
      if (write_enable[0]) stored[write_address][7:0] <= write_data[7:0];
      if (write_enable[1]) stored[write_address][15:8] <= write_data[15:8];
      if (write_enable[2]) stored[write_address][23:16] <= write_data[23:16];
      if (write_enable[3]) stored[write_address][31:24] <= write_data[31:24];
    end
  end
endmodule

`default_nettype wire
