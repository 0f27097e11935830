`default_nettype none

// Holds one line request until the bus accepts it; a store may be filled in several steps.
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
  output wire         lsu_req_valid,  // A request is made.
  output wire         lsu_req_rw,     // 1 writes, 0 reads.
  output reg  [63:0]  lsu_req_byteen, // Bytes to write.
  output wire [25:0]  lsu_req_addr,   // Line address: byte address / 64.
  output wire [511:0] lsu_req_data,   // 16 words to write.
  output wire [4:0]   lsu_req_tag,    // Comes back with the line that is read.
  input wire          lsu_req_ready   // The request is accepted in this cycle.
);

  localparam [5:0] BANK_MASK = 6'd1;
  localparam [5:0] HALF = 6'd16;

  wire         stores;
  reg          valid;
  reg          filling;
  reg          store;
  reg  [25:0]  line;
  reg  [4:0]   tag;
  reg  [63:0]  bytes_next;
  reg  [63:0]  bytes;
  reg  [511:0] words_next;
  reg  [511:0] words;

  // 1. room
  assign request_ready = !valid | lsu_req_ready;
  assign pending = valid | filling;

  // 2. the request
  always @(posedge clock) begin
    if (put) begin
      store <= put_store;
      line <= put_line;
      tag <= put_tag;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      valid <= 1'b0;
      filling <= 1'b0;
    end else if (put) begin
      valid <= put_last;
      filling <= !put_last;
    end else if (lsu_req_ready) begin
      valid <= 1'b0;
    end
  end

  // 3. a store's words: each comes from the bank that its address maps to
  assign stores = put & put_store;

  always @* begin : words_next_logic
    integer w;
    reg [31:0] stored;
    reg [3:0]  word_bytes;
    reg [7:0]  byte_0;
    reg [7:0]  byte_1;
    reg [7:0]  byte_2;
    reg [7:0]  byte_3;
    // Not read as a whole: words of a line have 16 places at most.
    // verilator lint_off UNUSEDSIGNAL
    reg [5:0] number;
    // verilator lint_on UNUSEDSIGNAL
    words_next = words;
    byte_0 = 8'd0;
    byte_1 = 8'd0;
    byte_2 = 8'd0;
    byte_3 = 8'd0;
    for (w = 0; w < 16; w = w + 1) begin
      number = w[5:0];
      if (put_line[0]) begin
        number = w[5:0] | HALF;
      end
      number = number & BANK_MASK;
      stored = bank_data[number[0]*32 +: 32];
      word_bytes = 4'd0;
      if ((bank_word[number[0]*12 +: 4] == w[3:0]) & bank_valid[number[0]] & stores) begin
        word_bytes = bank_bytes[number[0]*4 +: 4];
      end
      bytes_next[w*4 +: 4] = bytes[w*4 +: 4] | word_bytes;
      if (stores & !filling) begin
        bytes_next[w*4 +: 4] = word_bytes;
      end
      if (|word_bytes) begin
        byte_0 = words[w*32 +: 8];
        byte_1 = words[w*32 + 8 +: 8];
        byte_2 = words[w*32 + 16 +: 8];
        byte_3 = words[w*32 + 24 +: 8];
        if (word_bytes[0]) begin
          byte_0 = stored[7:0];
        end
        if (word_bytes[1]) begin
          byte_1 = stored[15:8];
        end
        if (word_bytes[2]) begin
          byte_2 = stored[23:16];
        end
        if (word_bytes[3]) begin
          byte_3 = stored[31:24];
        end
        words_next[w*32 +: 32] = {byte_3, byte_2, byte_1, byte_0};
      end
    end
  end

  always @(posedge clock) begin
    bytes <= bytes_next;
    words <= words_next;
  end

  // 4. to the bus
  assign lsu_req_valid = valid;
  assign lsu_req_rw = store;
  assign lsu_req_addr = line;
  assign lsu_req_tag = tag;
  assign lsu_req_data = words;

  always @* begin : lsu_req_byteen_logic
    integer w;
    reg [3:0] word_bytes;
    lsu_req_byteen = 64'd0;
    for (w = 0; w < 16; w = w + 1) begin
      word_bytes = bytes[w*4 +: 4];
      lsu_req_byteen = {word_bytes, lsu_req_byteen[63:4]};
    end
  end
endmodule

`default_nettype wire
