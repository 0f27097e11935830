`default_nettype none

// Holds one request until the bus takes it: a store, a line that is wanted, or a line's dirty bytes.
module OutBuffer (
  input wire          clock,          // Rising edge moves the state.
  input wire          reset,          // Synchronous, active high.
  // The load/store unit's request goes out; its tag is the MSHR of a read.
  input wire          put_valid,      // A request is made.
  input wire          put_rw,         // 1 writes, 0 reads.
  input wire  [63:0]  put_byteen,     // Bytes to write.
  input wire  [25:0]  put_addr,       // Line address: byte address / 64.
  input wire  [511:0] put_data,       // 16 words to write.
  input wire  [4:0]   put_tag,        // Comes back with the line that is read.
  output wire         put_ready,      // The request is accepted in this cycle.

  input wire          evict,          // Dirty bytes go out.
  input wire  [25:0]  evict_line,     // Their line.
  input wire  [63:0]  evict_mask,     // Which bytes they are.
  output wire         pending,        // A request is held.
  // The request, to memory.
  output wire         mem_req_valid,  // A request is made.
  output wire         mem_req_rw,     // 1 writes, 0 reads.
  output wire [63:0]  mem_req_byteen, // Bytes to write.
  output wire [25:0]  mem_req_addr,   // Line address: byte address / 64.
  output wire [511:0] mem_req_data,   // 16 words to write.
  output wire [4:0]   mem_req_tag,    // Comes back with the line that is read.
  input wire          mem_req_ready   // The request is accepted in this cycle.
);

  reg         held_valid;
  reg         held_rw;
  reg [63:0]  held_byteen;
  reg [25:0]  held_addr;
  reg [511:0] held_data;
  reg [4:0]   held_tag;

  assign put_ready = !held_valid | mem_req_ready;
  assign pending = held_valid;

  // While there is room the registers follow the request, since whether it is put is known late.
  always @(posedge clock) begin
    if (reset) begin
      held_valid <= 1'b0;
    end else begin
      if (put_ready) begin
        held_valid <= put_valid;
      end
      held_valid <= held_valid;
      if (mem_req_ready) begin
        held_valid <= 1'b0;
      end
      if (put_valid) begin
        held_valid <= 1'b1;
      end
    end
  end

  always @(posedge clock) begin
    if (put_ready) begin
      held_rw <= put_rw;
      held_byteen <= put_byteen;
      held_addr <= put_addr;
      held_data <= put_data;
      held_tag <= put_tag;
    end
  end

  assign mem_req_valid = held_valid;
  assign mem_req_rw = held_rw;
  assign mem_req_byteen = held_byteen;
  assign mem_req_addr = held_addr;
  assign mem_req_data = held_data;
  assign mem_req_tag = held_tag;

  // Not read: only write-back has dirty bytes.
  wire unused_evict = &{1'b0, evict};

  // Not read: only write-back has dirty bytes.
  wire unused_evict_line = &{1'b0, evict_line};

  // Not read: only write-back has dirty bytes.
  wire unused_evict_mask = &{1'b0, evict_mask};
endmodule

`default_nettype wire
