`default_nettype none

// Remembers which lines were asked for and which warps wait for them.
// Latency: a lookup is taken into registers, because the cache's memory and the comparison of the tags have used up its
// cycle; a miss raises `mem_req` two cycles later. A response wakes its warps in the same cycle.
// Reset: empty.
// Invariants: no two live entries hold lines of one set; every line that arrives for a warp is fetched from at least
// once, so the core makes progress; every warp whose miss was taken is woken by a later (or the present) response or
// end of a guard. An entry that was on its way when `clear` came installs nothing, its warps just try again.
module FillTable (
  input wire          clock,          // Rising edge moves the state.
  input wire          reset,          // Synchronous, active high.
  input wire          miss_valid,     // A warp missed.
  input wire          miss_wid,       // The warp.
  input wire  [25:0]  miss_line,      // The line it wants.
  input wire          hit_valid,      // `miss_line` was found: a warp fetches from it.
  input wire  [1:0]   kill_warps,     // A bit a warp: warps whose fetches in flight are dropped, so that they wait for
                                      // no line.
  input wire          clear,          // What is on its way must not be installed (FENCE.I).
  // A line that is wanted.
  output wire         mem_req_valid,  // A request is made.
  output wire         mem_req_rw,     // 1 writes, 0 reads.
  output wire [63:0]  mem_req_byteen, // Bytes to write.
  output wire [25:0]  mem_req_addr,   // Line address: byte address / 64.
  output wire [511:0] mem_req_data,   // 16 words to write.
  output wire [4:0]   mem_req_tag,    // Comes back with the line that is read.
  input wire          mem_req_ready,  // The request is accepted in this cycle.

  input wire          mem_rsp_valid,  // A line arrives.
  input wire  [2:0]   mem_rsp_tag,    // Its entry.
  output reg          fill_valid,     // The line that arrives is to be installed.
  output wire [25:0]  fill_line,      // Its address.
  output reg  [1:0]   wake_warps      // A bit a warp: warps to fetch again.
);

  localparam [25:0]  SET_MASK = 26'd255;
  localparam         NO_REQUEST_RW = 1'b0;
  localparam [63:0]  NO_REQUEST_BYTEEN = 64'd0;
  localparam [511:0] NO_REQUEST_DATA = 512'd0;

  wire [7:0]   awaited;
  wire [25:0]  wanted_line;
  reg  [3:0]   same_line;
  reg  [3:0]   same_set;
  reg  [3:0]   join_oh;
  reg  [3:0]   release_oh;
  (* nowrshmsk *) // written at an index: decoded by yosys, instead of by a shifted mask
  reg  [3:0]   allocate_oh;
  (* nowrshmsk *) // written at an index: decoded by yosys, instead of by a shifted mask
  reg  [3:0]   request_oh;
  reg  [3:0]   arrive_oh;
  wire         left_over;
  wire         refused;
  wire         freed;
  wire         request;
  reg  [3:0]   busy;
  reg  [3:0]   unasked;
  reg  [3:0]   stale;
  reg  [3:0]   guarded;
  reg          missed;            // The lookup of the cycle before, and what was guarded then.
  reg          found;
  reg          looked_wid;
  reg  [25:0]  looked_line;
  reg  [3:0]   guarded_then;
  reg  [103:0] line;              // The lines, all at once to compare with them; and in two memories, where one of them
                                  // is wanted.
  reg  [7:0]   waiting;
  reg  [1:0]   overflow;
  reg  [1:0]   free_pointer;
  reg  [1:0]   request_pointer;
  wire [1:0]   miss_warp_mask_oh;

  always @(posedge clock) begin
    if (reset) begin
      missed <= 1'b0;
      found <= 1'b0;
    end else begin
      missed <= miss_valid;
      found <= hit_valid;
    end
  end

  always @(posedge clock) begin
    looked_wid <= miss_wid;
    looked_line <= miss_line;
    guarded_then <= guarded;
  end

  // 1. a miss joins the entry of its line, if that was still on its way then
  // A warp that is sent elsewhere just now does not wait, but its line comes: who is killed is known too late.
  IndexOneHot miss_warp (
    .valid   (missed),
    .index   (looked_wid),
    .mask_oh (miss_warp_mask_oh)
  );

  assign wanted_line = looked_line;

  always @* begin : same_line_logic
    integer i;
    same_line = 4'd0;
    same_set = 4'd0;
    join_oh = 4'd0;
    for (i = 0; i < 4; i = i + 1) begin
      if (busy[i] & !stale[i]) begin
        same_line[i] = line[i*26 +: 26] == wanted_line;
        same_set[i] = (line[i*26 +: 26] & SET_MASK) == (wanted_line & SET_MASK);
      end
      if (missed & same_line[i] & !(guarded[i] & guarded_then[i])) begin
        join_oh[i] = 1'b1;
      end
    end
  end

  // 2. a guard ends with a fetch from its line, found or lost again, or when nobody waits any more
  assign awaited = waiting;

  always @* begin : release_oh_logic
    integer i;
    release_oh = 4'd0;
    for (i = 0; i < 4; i = i + 1) begin
      release_oh[i] = guarded[i] & (clear | !(|awaited[i*2 +: 2]) |
          (same_line[i] & (found | (missed & guarded_then[i]))));
    end
  end

  // 3. or takes the next entry; refused, it waits for any change
  assign left_over = missed & !(|join_oh);
  assign refused = left_over & (busy[free_pointer] | (|same_set));

  always @(posedge clock) begin : state_2
    integer i;
    if (reset) begin
      waiting <= 8'd0;
      free_pointer <= 2'd0;
    end else begin
      if (left_over & !refused) begin
        free_pointer <= free_pointer + 2'd1;
      end
      for (i = 0; i < 4; i = i + 1) begin
        waiting[i*2 +: 2] <= waiting[i*2 +: 2] & ~kill_warps;
        if (join_oh[i]) begin
          waiting[i*2 +: 2] <= (waiting[i*2 +: 2] | miss_warp_mask_oh) & ~kill_warps;
        end
        if (allocate_oh[i]) begin
          waiting[i*2 +: 2] <= miss_warp_mask_oh & ~kill_warps;
        end
      end
    end
  end

  always @* begin
    allocate_oh = 4'd0;
    if (left_over & !refused) begin
      allocate_oh[free_pointer] = 1'b1;
    end
  end

  always @(posedge clock) begin : pipeline_2
    integer i;
    for (i = 0; i < 4; i = i + 1) begin
      if (allocate_oh[i]) begin
        line[i*26 +: 26] <= wanted_line;
      end
    end
  end

  LutRam_4x26 requested_line (
    .clock         (clock),
    .read_address  (request_pointer),
    .read_data     (mem_req_addr),
    .write_enable  (|allocate_oh),
    .write_address (free_pointer),
    .write_data    (wanted_line)
  );

  LutRam_4x26 arriving_line (
    .clock         (clock),
    .read_address  (mem_rsp_tag[1:0]),
    .read_data     (fill_line),
    .write_enable  (|allocate_oh),
    .write_address (free_pointer),
    .write_data    (wanted_line)
  );

  // 4. request the lines in the order of their misses
  // Entries are taken in rotation, so if any has yet to be asked for, that is the one whose turn it is.
  assign request = |unasked;
  assign mem_req_rw = NO_REQUEST_RW;
  assign mem_req_byteen = NO_REQUEST_BYTEEN;
  assign mem_req_data = NO_REQUEST_DATA;
  assign mem_req_valid = request;
  assign mem_req_tag = {3'd0, request_pointer};

  always @(posedge clock) begin
    if (reset) begin
      request_pointer <= 2'd0;
    end else if (request & mem_req_ready) begin
      request_pointer <= request_pointer + 2'd1;
    end
  end

  always @* begin
    request_oh = 4'd0;
    if (request & mem_req_ready) begin
      request_oh[request_pointer] = 1'b1;
    end
  end

  // 5. a line that arrives wakes those who wait for it, a miss that joins now included; any change wakes the refused
  assign freed = mem_rsp_valid | (|release_oh);

  always @(posedge clock) begin
    if (reset) begin
      overflow <= 2'd0;
    end else begin
      overflow <= overflow & ~kill_warps;
      if (refused) begin
        overflow <= (overflow | miss_warp_mask_oh) & ~kill_warps;
      end
      if (freed) begin
        overflow <= 2'd0;
      end
    end
  end

  always @* begin : arrive_oh_logic
    integer i;
    arrive_oh = 4'd0;
    fill_valid = 1'b0;
    wake_warps = 2'd0;
    if (freed) begin
      wake_warps = overflow;
      if (refused) begin
        wake_warps = overflow | miss_warp_mask_oh;
      end
    end
    for (i = 0; i < 4; i = i + 1) begin
      if (mem_rsp_valid & (mem_rsp_tag == i[2:0])) begin
        arrive_oh[i] = 1'b1;
        fill_valid = !stale[i];
        wake_warps = wake_warps | waiting[i*2 +: 2];
        if (join_oh[i]) begin
          wake_warps = wake_warps | waiting[i*2 +: 2] | miss_warp_mask_oh;
        end
      end
      // The line came between the lookup and now.
      if (join_oh[i] & guarded[i]) begin
        wake_warps = wake_warps | miss_warp_mask_oh;
      end
    end
  end

  // 6. what the entries are next: a stale line is not installed and needs no guard
  always @(posedge clock) begin
    if (reset) begin
      busy <= 4'd0;
      unasked <= 4'd0;
      stale <= 4'd0;
      guarded <= 4'd0;
    end else begin
      busy <= (busy | allocate_oh) & ~release_oh & ~(arrive_oh & stale);
      guarded <= (guarded & ~release_oh) | (arrive_oh & ~stale);
      unasked <= (unasked | allocate_oh) & ~request_oh;
      stale <= stale & ~arrive_oh;
      if (clear) begin
        stale <= (busy | allocate_oh) & ~arrive_oh & ~guarded;
      end
    end
  end
endmodule

`default_nettype wire
