`default_nettype none

// Merges the requests of several masters into one stream, and splits the responses by tag.
// Latency: none, requests and responses pass combinationally.
// Reset: nothing pending.
// Invariants: a request once raised stays as it is until accepted, because the masters hold theirs and the choice is
// held too. Each master takes turns with all those before it together, so none starves.
module MemoryArbiter (
  input wire           clock,           // Rising edge moves the state.
  input wire           reset,           // Synchronous, active high.
  // What the masters ask for.
  input wire  [1:0]    requests_valid,  // A request is made.
  input wire  [1:0]    requests_rw,     // 1 writes, 0 reads.
  input wire  [127:0]  requests_byteen, // Bytes to write.
  input wire  [51:0]   requests_addr,   // Line address: byte address / 64.
  input wire  [1023:0] requests_data,   // 16 words to write.
  input wire  [9:0]    requests_tag,    // Comes back with the line that is read.
  output reg  [1:0]    requests_ready,  // The request is accepted in this cycle.

  // Lines for them.
  output reg  [1:0]    responses_valid, // A line is there.
  output wire [1023:0] responses_data,  // 16 words read.
  output wire [9:0]    responses_tag,   // Tag of the request.
  input wire  [1:0]    responses_ready, // The line is taken in this cycle.

  // A request to memory.
  output wire          mem_req_valid,   // A request is made.
  output wire          mem_req_rw,      // 1 writes, 0 reads.
  output wire [63:0]   mem_req_byteen,  // Bytes to write.
  output reg  [25:0]   mem_req_addr,    // Line address: byte address / 64.
  output wire [511:0]  mem_req_data,    // 16 words to write.
  output reg  [7:0]    mem_req_tag,     // Comes back with the line that is read.
  input wire           mem_req_ready,   // The request is accepted in this cycle.

  // A line that was read.
  input wire           mem_rsp_valid,   // A line is there.
  input wire  [511:0]  mem_rsp_data,    // 16 words read.
  input wire  [7:0]    mem_rsp_tag,     // Tag of the request.
  output wire          mem_rsp_ready,   // The line is taken in this cycle.

  // What happens in this cycle.
  output wire          events_read,     // A read of a line is accepted, by memory or by what speaks AXI4 for the core.
  output wire          events_write,    // A write is.
  output wire          events_response  // A line arrives.
);

  localparam [15:0] NUMBERS = 16'h8000;   // What stands for each master in a tag, at its place there.
  localparam [7:0]  NUMBER_MASK = 8'd128; // The bits of a tag that tell the master.

  reg [1:0] turn_now;
  reg       takes;
  reg [1:0] chosen;   // Bit m: master m's request goes before those of the masters before it.
  reg       asked;    // One of the masters so far has a request.
  reg [4:0] own_tag;
  reg [1:0] from;     // Bit m: the line that comes is master m's.
  reg [1:0] turn;     // Bit m: master m goes before all those before it. Master 0 has none before it.

  genvar gm;

  // 1. choose: each master goes behind those before it, unless they ask for nothing or it is its turn
  always @* begin
    asked = requests_valid[0];
    takes = turn[1] | !asked;
    asked = requests_valid[1] | asked;
  end

  always @* begin
    chosen = 2'd1;
    chosen[1] = takes;
  end

  // 2. the chosen request
  assign mem_req_valid = asked;
  assign mem_req_byteen = requests_byteen[63:0];

  always @* begin
    mem_req_addr = requests_addr[25:0];
    own_tag = requests_tag[4:0];
    mem_req_tag = {3'd0, own_tag};
    if (chosen[1]) begin
      mem_req_addr = requests_addr[51:26];
      own_tag = requests_tag[9:5];
      mem_req_tag = {3'd0, own_tag} | NUMBERS[15:8];
    end
  end

  assign mem_req_rw = requests_rw[0] & !chosen[1];
  assign mem_req_data = requests_data[511:0];

  // 3. a master's turn comes when it was passed over, and stays until it is served; what was shown and not accepted is
  // shown again
  always @* begin : turn_now_logic
    integer m;
    reg offered;
    reg passed_over;
    turn_now = 2'd0;
    for (m = 0; m < 2; m = m + 1) begin
      offered = mem_req_ready;
      if (m < 32'd1) begin
        offered = offered & !turn[1];
      end
      requests_ready[m] = offered & chosen[m];
      passed_over = requests_valid[m] & offered;
      if (chosen[m]) begin
        passed_over = requests_valid[m] & !offered;
      end
      turn_now[m] = passed_over;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      turn <= 2'd0;
    end else begin
      turn <= turn_now;
      turn[0] <= 1'b0;
    end
  end

  // 4. responses
  always @* begin : from_logic
    integer m;
    from = 2'd0;
    for (m = 0; m < 2; m = m + 1) begin
      from[m] = (mem_rsp_tag & NUMBER_MASK) == NUMBERS[m*8 +: 8];
      responses_valid[m] = mem_rsp_valid & from[m];
    end
  end

  generate
    for (gm = 0; gm < 2; gm = gm + 1) begin : responses_tag_each
      assign responses_tag[gm*5 +: 5] = mem_rsp_tag[4:0];
      assign responses_data[gm*512 +: 512] = mem_rsp_data;
    end
  endgenerate

  assign mem_rsp_ready = responses_ready[0] | from[1];

  // 5. what happens
  assign events_read = mem_req_valid & mem_req_ready & !mem_req_rw;
  assign events_write = mem_req_valid & mem_req_ready & mem_req_rw;
  assign events_response = mem_rsp_valid & mem_rsp_ready;

  // Not read: the instruction caches only read.
  wire unused_requests_rw = &{1'b0, requests_rw[1]};
  wire unused_requests_byteen = &{1'b0, requests_byteen[127:64]};
  wire unused_requests_data = &{1'b0, requests_data[1023:512]};

  // Not read: the instruction caches always take a line.
  wire unused_responses_ready = &{1'b0, responses_ready[1]};

  // Not read: before the first master there is none.
  wire unused_turn = &{1'b0, turn[0]};
endmodule

`default_nettype wire
