`default_nettype none

// Holds one request until the bus takes it: a store, a line that is wanted, or a line's dirty bytes.
// Latency: one cycle.
// Reset: empty.
// Invariants: `put` and `evict` do not coincide, and come only while `put_ready`; a request stays as it is until taken;
// requests leave in the order put.
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
  output reg          pending,        // A request is held.
  // The request, to memory.
  output wire         mem_req_valid,  // A request is made.
  output reg          mem_req_rw,     // 1 writes, 0 reads.
  output reg  [63:0]  mem_req_byteen, // Bytes to write.
  output reg  [25:0]  mem_req_addr,   // Line address: byte address / 64.
  output reg  [511:0] mem_req_data,   // 16 words to write.
  output reg  [4:0]   mem_req_tag,    // Comes back with the line that is read.
  input wire          mem_req_ready   // The request is accepted in this cycle.
);

  assign put_ready = !pending | mem_req_ready;

  // While there is room the registers follow the request, since whether it is put is known late.
  always @(posedge clock) begin
    if (put_ready) begin
      mem_req_rw <= put_rw;
      mem_req_byteen <= put_byteen;
      mem_req_addr <= put_addr;
      mem_req_data <= put_data;
      mem_req_tag <= put_tag;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      pending <= 1'b0;
    end else begin
      if (mem_req_ready) begin
        pending <= 1'b0;
      end
      if (put_valid) begin
        pending <= 1'b1;
      end
    end
  end

  assign mem_req_valid = pending;

  // Not read: only write-back has dirty bytes.
  wire unused_evict = &{1'b0, evict};
  wire unused_evict_line = &{1'b0, evict_line};
  wire unused_evict_mask = &{1'b0, evict_mask};
endmodule

`default_nettype wire
