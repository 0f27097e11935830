`default_nettype none

// Tags, valid bits and data of one way; a line is filled in one cycle.
// Reset: all lines invalid. The valid bits are in the tag memory, which costs nothing, but a memory has no reset: after
// reset and after `clear` a sweep writes one set a cycle, and a set that it has not reached counts as invalid. A line
// that is filled ahead of the sweep is lost.
// Invariants: no request reads a tag while a line is filled (the cache takes none then); a line that is looked up while
// another takes its place is no hit.
module CacheWay (
  input wire          clock,       // Rising edge moves the state.
  input wire          reset,       // Synchronous, active high.
  input wire  [7:0]   read_set,    // Set whose tag is read, in every cycle: whether a request comes is known too late
                                   // to read for it alone.
  input wire          lookup,      // Reads the word.
  input wire  [7:0]   lookup_set,  // Set that was read.
  input wire  [25:0]  lookup_line, // Line address to find there.
  input wire  [3:0]   lookup_word, // Word of the line.
  output wire         hit,         // The line is there.
  output wire [31:0]  read_word,   // The word that was looked up in the cycle before; meaningless without a hit.
  input wire          fill,        // Writes a line and makes it valid.
  input wire  [7:0]   fill_set,    // Its set.
  input wire  [25:0]  fill_line,   // Its address.
  input wire  [511:0] fill_data,   // Its 16 words.
  input wire          clear        // Makes all lines invalid.
);

  localparam [7:0] LAST_SET = 8'hff;
  localparam [7:0] ONE = 8'd1;

  wire        unswept;
  wire        replaced;
  reg  [11:0] word_address;
  reg         sweeping;
  reg  [7:0]  sweep_set;
  reg         sweeping_then;      // The sweep when the tag was read.
  reg  [7:0]  sweep_set_then;
  wire [26:0] tags_read_data;
  reg  [7:0]  tags_write_address;
  reg  [26:0] tags_write_data;

  // 1. read the tag, then the word
  SyncRam_256x27_no_collision tags (
    .clock         (clock),
    .read_enable   (1'b1),
    .read_address  (read_set),
    .read_data     (tags_read_data),
    .write_enable  (fill | sweeping),
    .write_address (tags_write_address),
    .write_data    (tags_write_data)
  );

  always @* begin
    word_address = {8'd0, lookup_word};
    word_address[11:4] = lookup_set;
  end

  LineRam_256x16x32 words (
    .clock         (clock),
    .read_enable   (lookup),
    .read_address  (word_address),
    .read_data     (read_word),
    .write_enable  (fill),
    .write_address (fill_set),
    .write_data    (fill_data)
  );

  always @(posedge clock) begin
    sweeping_then <= sweeping;
    sweep_set_then <= sweep_set;
  end

  // 2. compare
  assign unswept = sweeping_then & (lookup_set >= sweep_set_then);
  assign replaced = fill & (fill_set == lookup_set);
  assign hit = tags_read_data[26] & (tags_read_data[25:0] == lookup_line) & !unswept & !replaced;

  // 3. fill, else sweep
  always @* begin
    tags_write_address = sweep_set;
    tags_write_data = 27'd0;
    if (fill) begin
      tags_write_address = fill_set;
      tags_write_data = {1'b0, fill_line};
      tags_write_data[26] = 1'b1;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      sweeping <= 1'b1;
      sweep_set <= 8'd0;
    end else begin
      if (!fill) begin
        if (sweeping) begin
          sweep_set <= sweep_set + ONE;
          if (sweep_set == LAST_SET) begin
            sweep_set <= 8'd0;
            sweeping <= 1'b0;
          end
        end
      end
      // 4. clear: sweep from the start
      if (clear) begin
        sweep_set <= 8'd0;
        sweeping <= 1'b1;
      end
    end
  end
endmodule

`default_nettype wire
