`default_nettype none

// T banks of 32-bit words; each serves one word a cycle, so a warp without bank conflicts is served at once.
// Latency: `read_data` one cycle after `read`, held until the next `read`.
// Reset: contents are undefined.
// Invariants: never read and written in one cycle.
module LocalMemory (
  input wire         clock,      // Rising edge moves the state.
  input wire         read,       // The valid banks read their word.
  input wire         write,      // The valid banks store into their word.
  // What the banks do.
  input wire  [1:0]  bank_valid, // Banks that take part.
  input wire  [23:0] bank_word,  // Word address of each bank.
  input wire  [7:0]  bank_bytes, // Bytes that each bank stores.
  input wire  [63:0] bank_data,  // Word that each bank stores.

  output wire [63:0] read_data   // Word that each bank read last.
);

  reg [21:0] banks_read_address;
  reg [7:0]  banks_write_enable;
  reg [21:0] banks_write_address;

  genvar i;

  generate
    for (i = 0; i < 2; i = i + 1) begin : banks
      SyncRamBe_2048x32 unit (
        .clock         (clock),
        .read_enable   (read & bank_valid[i]),
        .read_address  (banks_read_address[i*11 +: 11]),
        .read_data     (read_data[i*32 +: 32]),
        .write_enable  (banks_write_enable[i*4 +: 4]),
        .write_address (banks_write_address[i*11 +: 11]),
        .write_data    (bank_data[i*32 +: 32])
      );
    end
  endgenerate

  always @* begin : banks_write_enable_logic
    integer b;
    reg [10:0] row;
    // Not read as a whole: a memory of this size has fewer rows.
    // verilator lint_off UNUSEDSIGNAL
    reg [11:0] bank_word_now;
    // verilator lint_on UNUSEDSIGNAL
    banks_write_enable = 8'd0;
    for (b = 0; b < 2; b = b + 1) begin
      bank_word_now = {1'b0, bank_word[b*12 + 1 +: 11]};
      row = bank_word_now[10:0];
      banks_read_address[b*11 +: 11] = row;
      if (write & bank_valid[b]) begin
        banks_write_enable[b*4 +: 4] = bank_bytes[b*4 +: 4];
      end
      banks_write_address[b*11 +: 11] = row;
    end
  end
endmodule

`default_nettype wire
