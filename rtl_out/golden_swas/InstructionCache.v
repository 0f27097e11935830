`default_nettype none

// Read-only cache of 64-byte lines, one request a cycle, several misses at once.
// Latency: a request of cycle c is in stage 1 in c+1, where its tag is compared, in stage 2 in c+2, where its word is
// read, and the word comes out in c+3 (t_F = 3). A miss is reported from a register, in c+2; what its warp requested in
// c+1 is void. The line is asked for from c+3 on.
// Reset: empty, nothing in flight. `flush_icache` makes all lines invalid; lines then on their way are not installed.
// For as many cycles as there are sets after either, lines of the upper sets may be lost and fetched again
// (`CacheWay`). Under SWaS a request that misses goes on as a NOP, in its place among the others of its warp, and so
// does a void one.
// Invariants: a request that is killed neither hits nor misses; `icache_req_ready` is 0 while a line is written, so a
// request never reads the tag being written; a woken warp that fetches at once hits (unless its line was stale or its
// set not yet swept).
module InstructionCache (
  input wire          clock,               // Rising edge moves the state.
  input wire          reset,               // Synchronous, active high.
  // A request; taken if `icache_req_ready`.
  input wire          fetch_valid,         // An instruction is fetched.
  input wire          fetch_wid,           // Its warp.
  input wire  [31:0]  fetch_pc,            // Its address.

  input wire  [1:0]   kill_warps,          // A bit a warp: requests of these warps in stages 1 and 2, and the one made
                                           // this very cycle, are dropped.
  input wire  [1:0]   parked_warps,        // A bit a warp: warps that cannot fetch until another warp lets them, so
                                           // that no line is kept for them (SWaS only).
  input wire          flush_icache,        // All lines become invalid (FENCE.I).
  output wire         icache_req_ready,    // A request is taken this cycle.
  // What becomes of requests.
  output wire [1:0]   events_stage_valid,  // Stages 1 and 2 hold a request.
  output wire [1:0]   events_stage_wid,    // Their warps.
  // The request that was in stage 1 a cycle ago missed. A request of the same warp that was made then is void.
  output reg          events_missed_valid, // An instruction is fetched.
  output reg          events_missed_wid,   // Its warp.
  output reg  [31:0]  events_missed_pc,    // Its address.

  output wire [1:0]   events_wake_warps,   // A bit a warp: warps whose line has arrived, or that should try again.

  // What was fetched.
  output reg          fetched_valid,       // An instruction is fetched.
  output reg          fetched_wid,         // Its warp.
  output reg  [31:0]  fetched_pc,          // Its address.

  output reg  [31:0]  fetched_instr,       // Its word.
  output reg          fetched_nop,         // It is a NOP in the place of an instruction that missed (SWaS only).
  // A line that is wanted.
  output wire         mem_req_valid,       // A request is made.
  output wire         mem_req_rw,          // 1 writes, 0 reads.
  output wire [63:0]  mem_req_byteen,      // Bytes to write.
  output wire [25:0]  mem_req_addr,        // Line address: byte address / 64.
  output wire [511:0] mem_req_data,        // 16 words to write.
  output wire [4:0]   mem_req_tag,         // Comes back with the line that is read.
  input wire          mem_req_ready,       // The request is accepted in this cycle.

  // A line that arrives; it is always taken.
  input wire          mem_rsp_valid,       // A line is there.
  input wire  [511:0] mem_rsp_data,        // 16 words read.
  input wire  [4:0]   mem_rsp_tag,         // Tag of the request.
  output wire         mem_rsp_ready,       // The line is taken in this cycle.

  // Event: a request hits or misses.
  output wire         icache_hit,          // The line is there.
  output wire         icache_miss          // It is not.
);

  localparam ONE_WAY = 1'b1;
  localparam LAST_WAY = 1'b0;

  wire        request;
  wire        there_1;
  wire        live_1;
  wire        any_hit;
  wire        miss;
  wire [7:0]  request_set;
  wire [7:0]  lookup_set;
  wire [7:0]  fill_set;
  wire [25:0] lookup_line;
  reg  [31:0] word;
  reg         stage_1_valid;
  reg         stage_1_wid;
  reg  [31:0] stage_1_pc;
  reg         stage_2_valid;
  reg         hit_2;
  reg         nop_2;
  reg         victim;
  wire        ways_hit;
  wire [31:0] ways_read_word;
  wire        fill_valid;
  wire [25:0] fill_line;

  // 1. request: read the tags of every way, unless a line is being written
  assign icache_req_ready = !mem_rsp_valid;
  assign request = fetch_valid & !mem_rsp_valid;
  assign request_set = fetch_pc[13:6];

  always @(posedge clock) begin
    stage_1_wid <= fetch_wid;
    stage_1_pc <= fetch_pc;
  end

  // 2. stage 1: look the line up
  // A request made behind a miss of its warp is younger than the miss, which is known too late to stop it then.
  assign there_1 = stage_1_valid & !(events_missed_valid & (events_missed_wid == stage_1_wid));
  assign live_1 = there_1 & !kill_warps[stage_1_wid];
  assign lookup_line = stage_1_pc[31:6];
  assign lookup_set = lookup_line[7:0];
  assign any_hit = ways_hit;
  assign miss = live_1 & !any_hit;

  always @(posedge clock) begin
    if (reset) begin
      stage_1_valid <= 1'b0;
      stage_2_valid <= 1'b0;
      events_missed_valid <= 1'b0;
    end else begin
      events_missed_valid <= miss;
      stage_1_valid <= request & !kill_warps[fetch_wid];
      // a NOP goes on in the place of an instruction that missed, and of what was requested behind it
      stage_2_valid <= stage_1_valid & !kill_warps[stage_1_wid];
    end
  end

  assign icache_miss = miss;
  assign icache_hit = live_1 & any_hit;

  always @(posedge clock) begin
    nop_2 <= !(there_1 & any_hit);
    fetched_nop <= nop_2;
    events_missed_wid <= stage_1_wid;
    events_missed_pc <= stage_1_pc;
  end

  // 3. stage 2: take the word of the way that hit
  always @(posedge clock) begin
    hit_2 <= ways_hit;
    fetched_wid <= events_missed_wid;
    fetched_pc <= events_missed_pc;
    fetched_instr <= word;
    // There is no instruction between two words: 0 is illegal.
    if (events_missed_pc[1:0] != 2'd0) begin
      fetched_instr <= 32'd0;
    end
  end

  always @* begin
    word = 32'd0;
    if (hit_2) begin
      word = ways_read_word;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      fetched_valid <= 1'b0;
    end else begin
      fetched_valid <= stage_2_valid & !kill_warps[events_missed_wid];
    end
  end

  // 4. what is in the stages
  assign events_stage_valid[0] = stage_1_valid;
  assign events_stage_valid[1] = stage_2_valid;
  assign events_stage_wid[0] = stage_1_wid;
  assign events_stage_wid[1] = events_missed_wid;

  // 5. misses
  FillTable fills (
    .clock          (clock),
    .reset          (reset),
    .miss_valid     (miss),
    .miss_wid       (stage_1_wid),
    .miss_line      (lookup_line),
    .hit_valid      (live_1 & any_hit),
    .kill_warps     (kill_warps),
    .parked_warps   (parked_warps),
    .clear          (flush_icache),
    .mem_req_valid  (mem_req_valid),
    .mem_req_rw     (mem_req_rw),
    .mem_req_byteen (mem_req_byteen),
    .mem_req_addr   (mem_req_addr),
    .mem_req_data   (mem_req_data),
    .mem_req_tag    (mem_req_tag),
    .mem_req_ready  (mem_req_ready),
    .mem_rsp_valid  (mem_rsp_valid),
    .mem_rsp_tag    (mem_rsp_tag[2:0]),
    .fill_valid     (fill_valid),
    .fill_line      (fill_line),
    .wake_warps     (events_wake_warps)
  );

  assign mem_rsp_ready = 1'b1;

  // 6. write the line that arrives
  assign fill_set = fill_line[7:0];

  always @(posedge clock) begin
    if (reset) begin
      victim <= 1'b0;
    end else if (fill_valid) begin
      victim <= victim + ONE_WAY;
      if (victim == LAST_WAY) begin
        victim <= 1'b0;
      end
    end
  end

  CacheWay ways (
    .clock       (clock),
    .reset       (reset),
    .read_set    (request_set),
    .lookup      (stage_1_valid),
    .lookup_set  (lookup_set),
    .lookup_line (lookup_line),
    .lookup_word (stage_1_pc[5:2]),
    .hit         (ways_hit),
    .read_word   (ways_read_word),
    .fill        (fill_valid & (victim == 1'b0)),
    .fill_set    (fill_set),
    .fill_line   (fill_line),
    .fill_data   (mem_rsp_data),
    .clear       (flush_icache)
  );

  // Not read: lines on their way have few numbers.
  wire unused_mem_rsp_tag = &{1'b0, mem_rsp_tag[4:3]};
endmodule

`default_nettype wire
