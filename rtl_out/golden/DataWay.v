`default_nettype none

// Tags and lines of one way, and with write-back which bytes of a line memory does not have yet.
// Reset: none, the owner sweeps the tags.
// Invariants: what is read of a set in the cycle in which that set is written is not used. One row more than there are
// sets keeps a line that is not to be cached, until it has been read. `lookup_line` is of the set and of the bank that
// were read: from these and the bits above, those below the power of two `known` follow.
module DataWay (
  input wire          clock,       // Rising edge moves the state.
  input wire          read,        // Reads tag and state.
  input wire  [7:0]   read_set,    // Their set.
  input wire          read_words,  // Reads a line.
  input wire  [8:0]   read_row,    // Its row: its set, or the one beyond.
  input wire  [25:0]  lookup_line, // Line to compare with the tag that was read.
  input wire          ignore,      // What was read counts as invalid.
  output wire         present,     // The line to compare is here.
  output wire         full,        // The line that was read has all its bytes.
  output wire         dirty,       // The line that was read is valid and has bytes that memory does not have.
  output wire [25:0]  line,        // Address of the line that was read.
  output wire [63:0]  mask,        // Its dirty bytes.
  output wire [511:0] words,       // Its words.
  input wire          write_tag,   // Writes a tag.
  input wire  [7:0]   write_set,   // Set of the tag and of the state.
  input wire          write_valid, // The line becomes valid, or invalid.
  input wire  [25:0]  write_line,  // Its address.
  input wire          write_full,  // It has all its bytes.
  input wire  [63:0]  write_mask,  // Its dirty bytes.
  input wire          write_words, // Writes words.
  input wire  [8:0]   write_row,   // Their row.
  input wire  [63:0]  write_bytes, // Bytes to write.
  input wire  [511:0] write_data   // The words.
);

  localparam [25:0] ABOVE_SET = 26'h3ffff00;

  wire        valid;
  wire [26:0] tags_read_data;
  reg  [26:0] tags_write_data;
  reg  [63:0] rows_write_enable;

  genvar i;

  // 1. tag
  SyncRam_256x27_no_collision tags (
    .clock         (clock),
    .read_enable   (read),
    .read_address  (read_set),
    .read_data     (tags_read_data),
    .write_enable  (write_tag),
    .write_address (write_set),
    .write_data    (tags_write_data)
  );

  always @* begin
    tags_write_data = 27'd0;
    if (write_valid) begin
      tags_write_data = {1'b0, write_line};
      tags_write_data[26] = 1'b1;
    end
  end

  assign valid = tags_read_data[26] & !ignore;
  assign line = tags_read_data[25:0];

  // The bits that number set and bank are those of the line that was looked up.
  assign present = valid & ((line & ABOVE_SET) == (lookup_line & ABOVE_SET));

  // 2. state: a line is complete and as memory has it, unless the cache is write-back
  assign full = 1'b1;
  assign dirty = 1'b0;
  assign mask = 64'd0;

  // 3. words
  generate
    for (i = 0; i < 16; i = i + 1) begin : rows
      SyncRamBe_257x32 unit (
        .clock         (clock),
        .read_enable   (read_words),
        .read_address  (read_row),
        .read_data     (words[i*32 +: 32]),
        .write_enable  (rows_write_enable[i*4 +: 4]),
        .write_address (write_row),
        .write_data    (write_data[i*32 +: 32])
      );
    end
  endgenerate

  always @* begin : rows_write_enable_logic
    integer w;
    w = 0;
    rows_write_enable = 64'd0;
    if (write_words) begin
      for (w = 0; w < 16; w = w + 1) begin
        rows_write_enable[w*4 +: 4] = write_bytes[w*4 +: 4];
      end
    end
  end

  // Not read: only write-back has lines that lack bytes.
  wire unused_write_full = &{1'b0, write_full};

  // Not read: only write-back has dirty bytes.
  wire unused_write_mask = &{1'b0, write_mask};
endmodule

`default_nettype wire
