`default_nettype none

// Non-blocking cache of 64-byte lines between the load/store unit and the bus, one line access a cycle.
// Latency: the memories are read while the request is on its way; a hit answers in the cycle in which the request is
// there. A miss is on the bus in the next cycle; its line answers two cycles after it has come.
// Reset: empty; a sweep makes one set a cycle invalid and what it has not reached counts as invalid.
// Invariants: requests act in the order in which they come, on the bus too; while a line is asked for with loads
// joining, the cache does not hold it; a store to such a line makes the asking private to the loads before it, and its
// line is not kept. A line that comes serves its loads before anything else can touch it, so every load ends. I/O
// addresses (below 0x10000) are never kept: their lines pass through a row of their own.
module DataCache (
  input wire          clock,              // Rising edge moves the state.
  input wire          reset,              // Synchronous, active high.
  // The line whose request may be there in the next cycle.
  input wire          look_valid,         // There may be one.
  input wire  [25:0]  look_line,          // The line.
  input wire          look_load,          // It would be a load.

  // A request; its tag is the load's slot.
  input wire          lsu_req_valid,      // A request is made.
  input wire          lsu_req_rw,         // 1 writes, 0 reads.
  input wire  [63:0]  lsu_req_byteen,     // Bytes to write.
  input wire  [25:0]  lsu_req_addr,       // Line address: byte address / 64.
  input wire  [511:0] lsu_req_data,       // 16 words to write.
  input wire  [4:0]   lsu_req_tag,        // Comes back with the line that is read.
  output wire         lsu_req_ready,      // The request is accepted in this cycle.

  // A line for a load.
  output wire         lsu_rsp_valid,      // A line is there.
  output reg  [511:0] lsu_rsp_data,       // 16 words read.
  output reg  [4:0]   lsu_rsp_tag,        // Tag of the request.
  input wire          lsu_rsp_ready,      // The line is taken in this cycle.

  input wire          flush,              // A fence waits, and nothing else is under way in the load/store unit.
  output wire         flush_done,         // Memory has all stores, and no line from before will be hit.
  input wire          drain,              // Nothing but this cache is busy.
  output wire         busy,               // A line is under way, or memory lacks stored bytes.
  // A request to memory; its tag is an MSHR.
  output wire         mem_req_valid,      // A request is made.
  output wire         mem_req_rw,         // 1 writes, 0 reads.
  output wire [63:0]  mem_req_byteen,     // Bytes to write.
  output wire [25:0]  mem_req_addr,       // Line address: byte address / 64.
  output wire [511:0] mem_req_data,       // 16 words to write.
  output wire [4:0]   mem_req_tag,        // Comes back with the line that is read.
  input wire          mem_req_ready,      // The request is accepted in this cycle.

  // A line that was read.
  input wire          mem_rsp_valid,      // A line is there.
  input wire  [511:0] mem_rsp_data,       // 16 words read.
  input wire  [4:0]   mem_rsp_tag,        // Tag of the request.
  output wire         mem_rsp_ready,      // The line is taken in this cycle.

  // What happens.
  output wire         events_read,        // A load's line is looked up, hit or miss.
  output wire         events_write,       // A store's line is.
  output wire         events_read_miss,   // A load's line is not there.
  output wire         events_write_miss,  // A store's line is not there.
  output wire         events_mshr_stall,  // A request waits for a free MSHR in this cycle.
  output wire         events_bank_stall,  // A request waits for something else: the memories, the bus, the way back.
  output wire [3:0]   events_mshrs_in_use // MSHRs in use: lines on their way.
);

  localparam [63:0] ALL_BYTES = 64'hffffffffffffffff;
  localparam        FIRST_WAY = 1'b1;
  localparam        LAST_WAY = 1'b1;
  localparam [8:0]  SPARE_ROW = 9'h100;

  wire [25:0]  req_fold;
  wire [25:0]  look_fold;
  wire [25:0]  fill_fold;
  reg  [25:0]  evict_line;
  wire [7:0]   req_set;
  wire [7:0]   look_set;
  wire [7:0]   fill_set;
  reg  [7:0]   write_set;
  reg  [7:0]   read_set;
  reg  [7:0]   kept_set;
  wire         uncached;
  wire         any_full;
  wire         hit;
  wire         partial;
  wire         victim_dirty;
  wire         act;
  wire         load;
  wire         store;
  wire         miss_room;
  wire         accept;
  wire         allocate;
  wire         pass_store;
  wire         keep_store;
  wire         fill_ready;
  wire         fill;
  wire         fill_alone;
  wire         idle;
  wire         flushed;
  reg          new_full;
  wire         was_dirty;
  wire         writes;
  wire         writes_tag;
  wire         retry;
  wire         waits;
  wire         free;
  wire         read;
  reg          read_words;
  reg          collides;
  wire         present_ways;
  wire         dirty_ways;
  reg          fill_way;
  wire         evict_way;
  wire         store_way;
  reg          response_ways;
  reg  [8:0]   fill_row;
  reg  [8:0]   write_row;
  reg  [8:0]   read_row;
  reg  [63:0]  evict_mask;
  reg  [63:0]  old_mask;
  reg  [63:0]  new_mask;
  reg          looked;
  reg          known_hit;
  reg          unswept;
  reg          fill_looked;
  reg          victim;
  wire         ways_present;
  wire         ways_full;
  wire [25:0]  ways_line;
  wire [63:0]  ways_mask;
  wire [511:0] ways_words;
  reg          ways_write_tag;
  reg  [7:0]   ways_write_set;
  reg          ways_write_valid;
  reg  [25:0]  ways_write_line;
  reg  [63:0]  ways_write_bytes;
  reg  [511:0] ways_write_data;
  wire         misses_joinable;
  wire         misses_mshr_ready;
  wire [4:0]   misses_mshr;
  wire [25:0]  misses_filled_line;
  wire [15:0]  misses_filled_loads;
  wire [3:0]   misses_mshrs_in_use;
  wire         replay_read;
  wire [8:0]   replay_row;
  wire         replay_serve_valid;
  wire [4:0]   replay_serve_slot;
  wire         replay_serve_way;
  wire         replay_holds;
  wire         replay_busy;
  wire         out_put_ready;
  wire         out_pending;
  wire         flush_control_sweeping;
  wire [7:0]   flush_control_sweep_set;
  wire         flush_control_walk_read;
  wire         flush_control_walk_looked;
  wire [7:0]   flush_control_walk_set;

  // 1. what the memories know of the request
  // Lines that are a power of two apart, like the threads' stacks, are in different sets.
  assign req_fold = lsu_req_addr ^ {8'd0, lsu_req_addr[25:8]} ^ {16'd0, lsu_req_addr[25:16]};
  assign look_fold = look_line ^ {8'd0, look_line[25:8]} ^ {16'd0, look_line[25:16]};
  assign fill_fold = misses_filled_line ^ {8'd0, misses_filled_line[25:8]} ^ {16'd0, misses_filled_line[25:16]};
  assign req_set = req_fold[7:0];
  assign look_set = look_fold[7:0];
  assign fill_set = fill_fold[7:0];
  assign uncached = lsu_req_addr[25:10] == 16'd0;
  assign present_ways = ways_present;
  assign any_full = ways_present & ways_full;
  assign hit = any_full;
  assign partial = present_ways & !any_full;
  assign victim_dirty = dirty_ways & victim;

  MissTable misses (
    .clock          (clock),
    .reset          (reset),
    .line           (lsu_req_addr),
    .slot           (lsu_req_tag),
    .joinable       (misses_joinable),
    .mshr_ready     (misses_mshr_ready),
    .mshr           (misses_mshr),
    .allocate       (allocate),
    .allocate_alone (uncached),
    .joins          (accept & !lsu_req_rw & misses_joinable),
    .part           (accept & lsu_req_rw),
    .filled         (fill),
    .filled_mshr    (mem_rsp_tag),
    .filled_line    (misses_filled_line),
    .filled_alone   (fill_alone),
    .filled_loads   (misses_filled_loads),
    .mshrs_in_use   (misses_mshrs_in_use)
  );

  // 2. a line that comes is written at once; with write-back its victim is looked at first
  assign mem_rsp_ready = fill_ready;
  assign fill = mem_rsp_valid & fill_ready;

  always @* begin
    fill_way = victim;
    fill_row = {1'b0, fill_set};
    if (fill_alone) begin
      fill_way = FIRST_WAY;
      fill_row = SPARE_ROW;
    end
  end

  Replay replay (
    .clock        (clock),
    .reset        (reset),
    .filled       (fill),
    .filled_loads (misses_filled_loads),
    .filled_row   (fill_row),
    .filled_way   (fill_way),
    .replay_ready (fill_ready),
    .replay_read  (replay_read),
    .replay_row   (replay_row),
    .serve_valid  (replay_serve_valid),
    .serve_slot   (replay_serve_slot),
    .serve_way    (replay_serve_way),
    .serve_taken  (lsu_rsp_ready),
    .holds        (replay_holds),
    .busy         (replay_busy)
  );

  // 3. the request acts, if the memories show its set and nothing else happens to them
  assign act = lsu_req_valid & looked & !fill;
  assign load = act & !lsu_req_rw;
  assign store = act & lsu_req_rw;

  // As for a line of its own: comparing with the lines on their way would come late.
  assign miss_room = misses_mshr_ready & out_put_ready;
  assign accept = (load & lsu_rsp_ready & (known_hit | miss_room)) | (store & out_put_ready);
  assign evict_way = victim;
  assign lsu_req_ready = accept;
  assign allocate = accept & !lsu_req_rw & !hit & !misses_joinable;

  // What is on its way is not here: this needs no look at the tags.
  assign pass_store = accept & lsu_req_rw;

  // A store changes the line where it is; with write-back it takes the victim's place if it is nowhere.
  assign store_way = present_ways;
  assign keep_store = accept & lsu_req_rw & present_ways;

  always @(posedge clock) begin
    if (reset) begin
      known_hit <= 1'b0;
    end else begin
      known_hit <= load & hit & !accept;
    end
  end

  // 4. answers: a line that came goes first
  assign lsu_rsp_valid = replay_serve_valid | (accept & !lsu_req_rw & hit);

  always @* begin
    lsu_rsp_tag = lsu_req_tag;
    response_ways = present_ways;
    if (replay_serve_valid) begin
      lsu_rsp_tag = replay_serve_slot;
      response_ways = replay_serve_way;
    end
  end

  always @* begin
    lsu_rsp_data = 512'd0;
    if (response_ways) begin
      lsu_rsp_data = ways_words;
    end
  end

  // 5. to the bus: a store, a line that is wanted, or dirty bytes
  always @* begin
    evict_line = 26'd0;
    evict_mask = 64'd0;
    if (evict_way) begin
      evict_line = ways_line;
      evict_mask = ways_mask;
    end
  end

  always @* begin
    old_mask = 64'd0;
    if (present_ways) begin
      old_mask = ways_mask;
    end
  end

  OutBuffer out (
    .clock          (clock),
    .reset          (reset),
    .put_valid      (pass_store | allocate),
    .put_rw         (lsu_req_rw),
    .put_byteen     (lsu_req_byteen),
    .put_addr       (lsu_req_addr),
    .put_data       (lsu_req_data),
    .put_tag        (misses_mshr),
    .put_ready      (out_put_ready),
    .evict          (1'b0),
    .evict_line     (evict_line),
    .evict_mask     (evict_mask),
    .pending        (out_pending),
    .mem_req_valid  (mem_req_valid),
    .mem_req_rw     (mem_req_rw),
    .mem_req_byteen (mem_req_byteen),
    .mem_req_addr   (mem_req_addr),
    .mem_req_data   (mem_req_data),
    .mem_req_tag    (mem_req_tag),
    .mem_req_ready  (mem_req_ready)
  );

  // 6. fences and the end: dirty lines go to memory, set after set; after a fence all lines are forgotten
  assign idle = !lsu_req_valid & !out_pending & !replay_busy & (misses_mshrs_in_use == 4'd0);
  assign flushed = flush & idle;
  assign flush_done = flushed;

  FlushControl flush_control (
    .clock        (clock),
    .reset        (reset),
    .sweep        (flushed),
    .paused       (writes_tag),
    .sweeping     (flush_control_sweeping),
    .sweep_set    (flush_control_sweep_set),
    .walk         (1'b0),
    .walk_dirty   (dirty_ways),
    .walk_written (1'b0),
    .walk_read    (flush_control_walk_read),
    .walk_looked  (flush_control_walk_looked),
    .walk_set     (flush_control_walk_set)
  );

  assign busy = out_pending | replay_busy | (misses_mshrs_in_use != 4'd0);

  // 7. writes
  always @* begin
    write_set = req_set;
    write_row = {1'b0, req_set};
    if (flush_control_walk_looked) begin
      write_set = flush_control_walk_set;
    end
    if (fill) begin
      write_set = fill_set;
      write_row = fill_row;
    end
  end

  assign writes = fill | keep_store;

  // A line that comes changes a tag; with write-back stores and evictions do too.
  assign writes_tag = fill;

  always @* begin
    new_mask = old_mask | lsu_req_byteen;
    new_full = fill | hit | (new_mask == ALL_BYTES);
    if (fill) begin
      new_mask = 64'd0;
    end
  end

  DataWay ways (
    .clock       (clock),
    .read        (read),
    .read_set    (read_set),
    .read_words  (replay_read | (read & read_words)),
    .read_row    (read_row),
    .lookup_line (lsu_req_addr),
    .ignore      (unswept),
    .present     (ways_present),
    .full        (ways_full),
    .dirty       (dirty_ways),
    .line        (ways_line),
    .mask        (ways_mask),
    .words       (ways_words),
    .write_tag   (ways_write_tag),
    .write_set   (ways_write_set),
    .write_valid (ways_write_valid),
    .write_line  (ways_write_line),
    .write_full  (new_full),
    .write_mask  (new_mask),
    .write_words ((fill & fill_way) | (keep_store & store_way)),
    .write_row   (write_row),
    .write_bytes (ways_write_bytes),
    .write_data  (ways_write_data)
  );

  always @* begin
    ways_write_bytes = lsu_req_byteen;
    if (fill) begin
      ways_write_bytes = ALL_BYTES;
    end
  end

  always @* begin
    ways_write_data = lsu_req_data;
    if (fill) begin
      ways_write_data = mem_rsp_data;
    end
  end

  always @* begin
    ways_write_line = lsu_req_addr;
    ways_write_valid = 1'b0;
    ways_write_tag = flush_control_sweeping;
    ways_write_set = flush_control_sweep_set;
    if (writes_tag) begin
      ways_write_tag = 1'b0;
      ways_write_set = write_set;
    end
    if (fill & !fill_alone & fill_way) begin
      ways_write_tag = 1'b1;
      ways_write_valid = 1'b1;
      ways_write_line = misses_filled_line;
    end
  end

  assign was_dirty = dirty_ways & store_way;

  always @(posedge clock) begin
    if (reset) begin
      victim <= 1'b1;
    end else if ((fill & !fill_alone) | (keep_store & !present_ways)) begin
      victim <= 1'b0;
      if (victim == LAST_WAY) begin
        victim <= FIRST_WAY;
      end
    end
  end

  // 8. what the memories read next: a line that came, a victim, a request that has not been looked up, the next one
  assign waits = lsu_req_valid & !accept;
  assign retry = lsu_req_valid & !looked;
  assign free = !replay_read & !replay_holds & !fill_looked;

  always @* begin
    read_set = look_set;
    read_words = look_load;
    if (retry) begin
      read_set = req_set;
      read_words = 1'b1;
    end
    if (flush_control_walk_read) begin
      read_set = flush_control_walk_set;
      read_words = 1'b1;
    end
  end

  assign read = flush_control_walk_read | (free & (retry | (look_valid & !waits)));

  always @* begin
    read_row = {1'b0, read_set};
    if (replay_read) begin
      read_row = replay_row;
    end
  end

  always @(posedge clock) begin
    if (read) begin
      unswept <= flush_control_sweeping & (read_set >= flush_control_sweep_set);
    end
  end

  // What is read of a set that is written now is not to be used: look again. A store without write-back changes no tag,
  // and a store behind it needs nothing else.
  always @* begin
    kept_set = read_set;
    if (waits) begin
      kept_set = req_set;
    end
  end

  always @* begin
    collides = writes & (write_set == kept_set);
    if (!waits & keep_store & !look_load) begin
      collides = 1'b0;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      looked <= 1'b0;
      fill_looked <= 1'b0;
    end else begin
      looked <= free & !collides;
      fill_looked <= fill_looked & !fill;
    end
  end

  // 9. for the counters
  assign events_read = accept & !lsu_req_rw & !uncached;
  assign events_write = accept & lsu_req_rw & !uncached;
  assign events_read_miss = events_read & !hit;
  assign events_write_miss = events_write & !present_ways;
  assign events_mshr_stall = load & !hit & !misses_mshr_ready;
  assign events_bank_stall = waits & !events_mshr_stall;
  assign events_mshrs_in_use = misses_mshrs_in_use;

  // Not read: without write-back nothing is dirty.
  wire unused_drain = &{1'b0, drain};

  // Not read: the set is the low bits of the folded address.
  wire unused_req_fold = &{1'b0, req_fold[25:8]};
  wire unused_look_fold = &{1'b0, look_fold[25:8]};
  wire unused_fill_fold = &{1'b0, fill_fold[25:8]};

  // Not read: only write-back has lines that lack bytes.
  wire unused_partial = &{1'b0, partial};

  // Not read: only write-back has dirty bytes.
  wire unused_victim_dirty = &{1'b0, victim_dirty};
  wire unused_was_dirty = &{1'b0, was_dirty};
endmodule

`default_nettype wire
