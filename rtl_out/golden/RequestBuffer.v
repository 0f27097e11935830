`default_nettype none

// Holds one line request until the bus accepts it; a store may be filled in several steps.
// Latency: one cycle.
// Reset: empty.
// Invariants: the request is stable from its first cycle until accepted; after a step that is not the last, only a
// store step of the same line is put; a later step overwrites bytes of an earlier one.
module RequestBuffer (
  input wire          clock,          // Rising edge moves the state.
  input wire          reset,          // Synchronous, active high.
  input wire          put,            // A step is put in.
  input wire          put_store,      // It is part of a store.
  input wire          put_last,       // It completes the request.
  input wire  [25:0]  put_line,       // Line address.
  input wire  [4:0]   put_tag,        // Load slot.
  // The words to store, as the banks hold them.
  input wire  [1:0]   bank_valid,     // Banks that take part.
  input wire  [23:0]  bank_word,      // Word address of each bank.
  input wire  [7:0]   bank_bytes,     // Bytes that each bank stores.
  input wire  [63:0]  bank_data,      // Word that each bank stores.

  output wire         request_ready,  // A step can be put in.
  output wire         pending,        // A request is held.
  // The complete request.
  output reg          lsu_req_valid,  // A request is made.
  output reg          lsu_req_rw,     // 1 writes, 0 reads.
  output reg  [63:0]  lsu_req_byteen, // Bytes to write.
  output reg  [25:0]  lsu_req_addr,   // Line address: byte address / 64.
  output reg  [511:0] lsu_req_data,   // 16 words to write.
  output reg  [4:0]   lsu_req_tag,    // Comes back with the line that is read.
  input wire          lsu_req_ready   // The request is accepted in this cycle.
);

  localparam [5:0] BANK_MASK = 6'd1;

  wire [95:0]  number;            // The bank of each word, what it stores, and which bytes of that.
  wire [511:0] stored;
  reg  [63:0]  put_bytes;
  wire         stores;
  reg          filling;
  reg  [63:0]  bytes;
  reg  [511:0] lsu_req_data_next;

  genvar gw;

  // 1. room
  assign request_ready = !lsu_req_valid | lsu_req_ready;
  assign pending = lsu_req_valid | filling;

  // 2. the request
  always @(posedge clock) begin
    if (put) begin
      lsu_req_rw <= put_store;
      lsu_req_addr <= put_line;
      lsu_req_tag <= put_tag;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      lsu_req_valid <= 1'b0;
      filling <= 1'b0;
    end else if (put) begin
      lsu_req_valid <= put_last;
      filling <= !put_last;
    end else if (lsu_req_ready) begin
      lsu_req_valid <= 1'b0;
    end
  end

  // 3. a store's words: each comes from the bank that its address maps to
  assign stores = put & put_store;

  generate
    for (gw = 0; gw < 16; gw = gw + 1) begin : number_each
      assign number[gw*6 +: 6] = gw[5:0] & BANK_MASK;
      assign stored[gw*32 +: 32] = bank_data[number[gw*6]*32 +: 32];
    end
  endgenerate

  always @* begin : put_bytes_logic
    integer w;
    w = 0;
    put_bytes = 64'd0;
    if (stores) begin
      for (w = 0; w < 16; w = w + 1) begin
        if ((bank_word[number[w*6]*12 +: 4] == w[3:0]) & bank_valid[number[w*6]]) begin
          put_bytes[w*4 +: 4] = bank_bytes[number[w*6]*4 +: 4];
        end
      end
    end
  end

  always @(posedge clock) begin
    bytes <= bytes | put_bytes;
    if (stores & !filling) begin
      bytes <= put_bytes;
    end
    lsu_req_data <= lsu_req_data_next;
  end

  always @* begin : lsu_req_data_next_logic
    integer w;
    reg [7:0] byte_0;
    reg [7:0] byte_1;
    reg [7:0] byte_2;
    reg [7:0] byte_3;
    lsu_req_data_next = lsu_req_data;
    byte_0 = 8'd0;
    byte_1 = 8'd0;
    byte_2 = 8'd0;
    byte_3 = 8'd0;
    for (w = 0; w < 16; w = w + 1) begin
      if (|put_bytes[w*4 +: 4]) begin
        byte_0 = lsu_req_data[w*32 +: 8];
        byte_1 = lsu_req_data[w*32 + 8 +: 8];
        byte_2 = lsu_req_data[w*32 + 16 +: 8];
        byte_3 = lsu_req_data[w*32 + 24 +: 8];
        if (put_bytes[w*4]) begin
          byte_0 = stored[w*32 +: 8];
        end
        if (put_bytes[w*4 + 1]) begin
          byte_1 = stored[w*32 + 8 +: 8];
        end
        if (put_bytes[w*4 + 2]) begin
          byte_2 = stored[w*32 + 16 +: 8];
        end
        if (put_bytes[w*4 + 3]) begin
          byte_3 = stored[w*32 + 24 +: 8];
        end
        lsu_req_data_next[w*32 +: 32] = {byte_3, byte_2, byte_1, byte_0};
      end
    end
  end

  // 4. to the bus
  always @* begin : lsu_req_byteen_logic
    integer w;
    reg [3:0] word_bytes;
    lsu_req_byteen = 64'd0;
    for (w = 0; w < 16; w = w + 1) begin
      word_bytes = bytes[w*4 +: 4];
      lsu_req_byteen = {word_bytes, lsu_req_byteen[63:4]};
    end
  end

  // Not read: words of a line have 16 places at most.
  wire unused_number = &{1'b0, number};
endmodule

`default_nettype wire
