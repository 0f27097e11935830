`default_nettype none

// Counts what the core does, and gives each issue slot of each cycle to one class.
// Latency: an event of cycle c is in what is read from c+2 on; `value` comes in the cycle after `read`.
// Reset: all counts 0; the memory cannot be reset, so its words count as 0 in the first rotation, as many cycles after
// reset as there are counters, in which reads give 0 and take no turn.
// Invariants: `read` not in two cycles running (the special unit holds the result of the first in the second), so each
// accumulator has its turn within two rotations, and what comes in these fits (`growth.rs`); issued, nops, idle,
// scoreboard and pipeline together grow by the number of slices in every busy cycle; of the idle slots' three causes at
// most one grows, in the order control, ibuffer, barrier (an idle slot with none of them has no active warp). Counts
// wrap at 44 bits.
module PerfCounters (
  input wire         clock,                      // Rising edge moves the state.
  input wire         reset,                      // Synchronous, active high.
  // What is counted.
  input wire         busy,                       // The core runs.
  // Of each slice.
  input wire         issue_fire,                 // An instruction issues, which a NOP is not.
  input wire  [1:0]  issue_fire_warps,           // The warp whose head leaves its queue, or none.
  input wire  [1:0]  issue_tmask,                // Its lanes.
  input wire         issue_store,                // Bit 5 of its word: it is a store, if it is a load or store.
  // Why warps do not issue.
  input wire  [1:0]  stall_on_ibuffer,           // The queue is empty.
  input wire  [1:0]  stall_on_control,           // A branch, warp control, fence or barrier is unresolved.
  input wire  [1:0]  stall_on_scoreboard,        // A register of the head waits for its value.
  input wire  [1:0]  stall_on_pipeline,          // The collector of the head's class is not free.

  input wire  [1:0]  fetch_ready_warps,          // Warps that could fetch.
  input wire         fetch_fire,                 // One does.
  // Lookups of the instruction cache.
  input wire         icache_hit,                 // The line is there.
  input wire         icache_miss,                // It is not.

  input wire  [1:0]  head_memory_warps,          // The head of the queue is a load or store.
  input wire  [1:0]  head_use_rd_warps,          // The head writes a register.
  input wire  [1:0]  barrier_warps,              // Warps that wait at a barrier.
  // What is written back of loads: by all slices together, or by each.
  input wire         load_commit_valid,          // Lanes of a load are written back.
  input wire         load_commit_wid,            // The load's warp.
  input wire  [1:0]  load_commit_tmask,          // The lanes.
  input wire         load_commit_last,           // They are the last ones.

  // What the data cache and local memory do.
  // The banks of the data cache.
  input wire         memory_dcache_read,         // A load's line is looked up, hit or miss.
  input wire         memory_dcache_write,        // A store's line is.
  input wire         memory_dcache_read_miss,    // A load's line is not there.
  input wire         memory_dcache_write_miss,   // A store's line is not there.
  input wire         memory_dcache_mshr_stall,   // A request waits for a free MSHR in this cycle.
  input wire         memory_dcache_bank_stall,   // A request waits for something else: the memories, the bus, the way
                                                 // back.
  input wire  [3:0]  memory_dcache_mshrs_in_use, // MSHRs in use: lines on their way.

  // Local memory.
  input wire         memory_local_read,          // Lanes read it.
  input wire         memory_local_write,         // Lanes write it.
  input wire  [1:0]  memory_local_lanes,         // These lanes do.
  input wire         memory_local_bank_stall,    // Others of their instruction wait for the same banks.

  input wire  [1:0]  suspended_warps,            // Warps that wait for a line of instructions.
  // What happens on the bus.
  input wire         bus_read,                   // A read of a line is accepted, by memory or by what speaks AXI4 for
                                                 // the core.
  input wire         bus_write,                  // A write is.
  input wire         bus_response,               // A line arrives.

  input wire  [7:0]  mpm_class,                  // Which counters the numbers mean.
  input wire  [4:0]  select,                     // Number of the counter.
  input wire         upper,                      // Its upper half is meant.
  input wire         read,                       // It is read in this cycle.
  output reg  [31:0] value,                      // What it had counted, in the cycle after; 0 if there is none, and in
                                                 // any other cycle.
  // What is written into the memory.
  output reg  [4:0]  counter_number,             // Number of the counter.
  output wire [43:0] counter_total               // What it has counted.
);

  // Of each accumulator, a 1 for each bit that it has.
  localparam [402:0] ACCUMULATOR_MASKS = 403'hfc0fe07f0ff80fc07e03f01f80fc07e03f7ff80fc07e03f01ffffc3fe07f03f80fc07e03f01f80fc07e03f01f80fc07e03f;
  localparam [4:0]   LAST_TURN = 5'd30;
  localparam [30:0]  FIRST = 31'd1;
  localparam [1:0]   FIRST_WARP = 2'd1;
  localparam [4:0]   ONE_LOAD_LESS = 5'h1f;
  localparam [6:0]   ONE_READ_LESS = 7'h7f;
  // Of each counter its class (upper 3 bits) and number in it, as Vortex has them; none: 0xFF.
  localparam [247:0] VORTEX_KEYS = 248'h5d5c5bff4b4a49484746ff5a595844433231302f2e2423272a26ffffffffff;
  // The same of this core's own classes.
  localparam [247:0] OWN_KEYS = 248'hffffff6cffffffffffff6bffffffffffffffffffffffff6a69686766656463;

  reg  [4:0]   number;
  reg  [4:0]   wanted;
  reg          there;
  wire         steals;
  wire         counts;
  reg  [30:0]  taken;                           // N bits: the accumulator begins again.
  reg  [43:0]  base;
  wire [43:0]  total;
  reg  [1:0]   loading_warps;
  reg  [1:0]   load_issues_warps;
  reg  [1:0]   load_ends_warps;
  wire [1:0]   memory_warps;
  reg  [12:0]  amounts_issued;
  reg  [12:0]  amounts_idle;
  reg  [12:0]  amounts_idle_control;
  reg  [12:0]  amounts_idle_ibuffer;
  reg  [12:0]  amounts_idle_barrier;
  reg  [12:0]  amounts_scoreboard;
  reg  [12:0]  amounts_scoreboard_load;
  reg  [12:0]  amounts_pipeline;
  reg  [12:0]  amounts_fetch_idle;
  reg  [12:0]  amounts_fetch_stall;
  reg  [12:0]  amounts_fetches;
  reg  [12:0]  amounts_loads;
  reg  [12:0]  amounts_stores;
  wire [12:0]  amounts_fetch_latency;
  wire [12:0]  amounts_load_latency;
  wire [12:0]  amounts_icache_reads;
  reg  [12:0]  amounts_icache_misses;
  reg  [12:0]  amounts_memory_reads;
  reg  [12:0]  amounts_memory_writes;
  wire [12:0]  amounts_memory_latency;
  reg  [12:0]  amounts_nops;
  reg  [12:0]  amounts_dcache_reads;
  reg  [12:0]  amounts_dcache_writes;
  reg  [12:0]  amounts_dcache_read_misses;
  reg  [12:0]  amounts_dcache_write_misses;
  reg  [12:0]  amounts_dcache_bank_stalls;
  reg  [12:0]  amounts_dcache_mshr_stalls;
  wire [12:0]  amounts_dcache_mshrs;
  reg  [12:0]  amounts_local_reads;
  reg  [12:0]  amounts_local_writes;
  reg  [12:0]  amounts_local_bank_stalls;
  wire [402:0] growths;                         // The amounts, in the order of the counters' numbers.
  reg  [12:0]  committed_lanes;
  reg  [12:0]  local_accesses;
  reg  [12:0]  suspended;
  wire [12:0]  still_loading;
  wire [12:0]  accumulated;
  reg  [6:0]   opened;
  wire [3:0]   mshrs_in_use;
  wire [7:0]   key;
  reg          last_busy;
  reg          last_issue_fire;
  reg  [1:0]   last_issue_fire_warps;
  reg  [1:0]   last_issue_tmask;
  reg          last_issue_store;
  reg  [1:0]   last_stall_on_ibuffer;
  reg  [1:0]   last_stall_on_control;
  reg  [1:0]   last_stall_on_scoreboard;
  reg  [1:0]   last_stall_on_pipeline;
  reg  [1:0]   last_fetch_ready_warps;
  reg          last_fetch_fire;
  reg          last_icache_hit;
  reg          last_icache_miss;
  reg  [1:0]   last_head_memory_warps;
  reg  [1:0]   last_head_use_rd_warps;
  reg  [1:0]   last_barrier_warps;
  reg          last_load_commit_valid;
  reg          last_load_commit_wid;
  reg  [1:0]   last_load_commit_tmask;
  reg          last_load_commit_last;
  reg          last_memory_dcache_read;
  reg          last_memory_dcache_write;
  reg          last_memory_dcache_read_miss;
  reg          last_memory_dcache_write_miss;
  reg          last_memory_dcache_mshr_stall;
  reg          last_memory_dcache_bank_stall;
  reg  [3:0]   last_memory_dcache_mshrs_in_use;
  reg          last_memory_local_read;
  reg          last_memory_local_write;
  reg  [1:0]   last_memory_local_lanes;
  reg          last_memory_local_bank_stall;
  reg  [1:0]   last_suspended_warps;
  reg          last_bus_read;
  reg          last_bus_write;
  reg          last_bus_response;
  reg  [4:0]   turn;
  reg          filled;                          // The first rotation is over.
  reg  [12:0]  added;
  reg          onto_memory;
  reg          shows_low;
  reg          shows_high;
  reg  [9:0]   loads_of_next;
  reg  [9:0]   loads_of;
  reg  [6:0]   loading_lanes;
  reg  [6:0]   open_reads;
  wire [43:0]  totals_read_data;
  wire [402:0] accumulators_amount;

  genvar gi;

  // 1. what happened in the last cycle: here the events' paths end
  always @(posedge clock) begin
    if (reset) begin
      last_busy <= 1'b0;
      last_issue_fire <= 1'b0;
      last_issue_store <= 1'b0;
      last_fetch_fire <= 1'b0;
      last_icache_hit <= 1'b0;
      last_icache_miss <= 1'b0;
      last_load_commit_valid <= 1'b0;
      last_load_commit_last <= 1'b0;
      last_memory_dcache_read <= 1'b0;
      last_memory_dcache_write <= 1'b0;
      last_memory_dcache_read_miss <= 1'b0;
      last_memory_dcache_write_miss <= 1'b0;
      last_memory_dcache_mshr_stall <= 1'b0;
      last_memory_dcache_bank_stall <= 1'b0;
      last_memory_local_read <= 1'b0;
      last_memory_local_write <= 1'b0;
      last_memory_local_bank_stall <= 1'b0;
      last_bus_read <= 1'b0;
      last_bus_write <= 1'b0;
      last_bus_response <= 1'b0;
    end else begin
      last_busy <= busy;
      last_issue_fire <= issue_fire;
      last_issue_store <= issue_store;
      last_fetch_fire <= fetch_fire;
      last_icache_hit <= icache_hit;
      last_icache_miss <= icache_miss;
      last_load_commit_valid <= load_commit_valid;
      last_load_commit_last <= load_commit_last;
      last_memory_dcache_read <= memory_dcache_read;
      last_memory_dcache_write <= memory_dcache_write;
      last_memory_dcache_read_miss <= memory_dcache_read_miss;
      last_memory_dcache_write_miss <= memory_dcache_write_miss;
      last_memory_dcache_mshr_stall <= memory_dcache_mshr_stall;
      last_memory_dcache_bank_stall <= memory_dcache_bank_stall;
      last_memory_local_read <= memory_local_read;
      last_memory_local_write <= memory_local_write;
      last_memory_local_bank_stall <= memory_local_bank_stall;
      last_bus_read <= bus_read;
      last_bus_write <= bus_write;
      last_bus_response <= bus_response;
    end
  end

  always @(posedge clock) begin
    last_issue_fire_warps <= issue_fire_warps;
    last_issue_tmask <= issue_tmask;
    last_stall_on_ibuffer <= stall_on_ibuffer;
    last_stall_on_control <= stall_on_control;
    last_stall_on_scoreboard <= stall_on_scoreboard;
    last_stall_on_pipeline <= stall_on_pipeline;
    last_fetch_ready_warps <= fetch_ready_warps;
    last_head_memory_warps <= head_memory_warps;
    last_head_use_rd_warps <= head_use_rd_warps;
    last_barrier_warps <= barrier_warps;
    last_load_commit_wid <= load_commit_wid;
    last_load_commit_tmask <= load_commit_tmask;
    last_memory_dcache_mshrs_in_use <= memory_dcache_mshrs_in_use;
    last_memory_local_lanes <= memory_local_lanes;
    last_suspended_warps <= suspended_warps;
  end

  // 2. warps with a load under way
  always @* begin : loading_warps_logic
    integer w;
    loading_warps = 2'd0;
    for (w = 0; w < 2; w = w + 1) begin
      loading_warps[w] = loads_of[w*5 +: 5] != 5'd0;
    end
  end

  // 3. each slot's class, in the order of precedence
  always @* begin
    amounts_issued = 13'd0;
    amounts_nops = 13'd0;
    amounts_idle = 13'd0;
    amounts_idle_control = 13'd0;
    amounts_idle_ibuffer = 13'd0;
    amounts_idle_barrier = 13'd0;
    amounts_scoreboard = 13'd0;
    amounts_scoreboard_load = 13'd0;
    amounts_pipeline = 13'd0;
    if (last_issue_fire) begin
      amounts_issued = 13'd1;
    end else if (last_issue_fire_warps != 2'd0) begin
      amounts_nops = 13'd1;
    end else if (last_stall_on_pipeline != 2'd0) begin
      amounts_pipeline = 13'd1;
    end else if (last_stall_on_scoreboard != 2'd0) begin
      amounts_scoreboard = 13'd1;
      if ((last_stall_on_scoreboard & loading_warps) != 2'd0) begin
        amounts_scoreboard_load = 13'd1;
      end
    end else begin
      amounts_idle = 13'd1;
      if ((last_stall_on_control & ~last_barrier_warps) != 2'd0) begin
        amounts_idle_control = 13'd1;
      end else if (last_stall_on_ibuffer != 2'd0) begin
        amounts_idle_ibuffer = 13'd1;
      end else if (last_stall_on_control != 2'd0) begin
        amounts_idle_barrier = 13'd1;
      end
    end
  end

  // 4. loads and stores that issue, a thread each
  assign memory_warps = last_issue_fire_warps & last_head_memory_warps;

  always @* begin : amounts_loads_logic
    integer i;
    reg        lane_bit;
    reg [12:0] lanes;
    i = 0;
    amounts_loads = 13'd0;
    amounts_stores = 13'd0;
    load_issues_warps = 2'd0;
    lane_bit = 1'b0;
    lanes = 13'd0;
    if (last_issue_fire & (memory_warps != 2'd0)) begin
      lanes = 13'd0;
      for (i = 0; i < 2; i = i + 1) begin
        lane_bit = last_issue_tmask[i];
        lanes = lanes + {12'd0, lane_bit};
      end
      if (last_issue_store) begin
        amounts_stores = lanes;
      end
      // A load to x0 makes no access.
      if ((memory_warps & last_head_use_rd_warps) != 2'd0) begin
        amounts_loads = lanes;
        load_issues_warps = memory_warps;
      end
    end
  end

  // 5. loads that end
  always @* begin : committed_lanes_logic
    integer i;
    reg lane_bit;
    i = 0;
    committed_lanes = 13'd0;
    lane_bit = 1'b0;
    if (last_load_commit_valid) begin
      for (i = 0; i < 2; i = i + 1) begin
        lane_bit = last_load_commit_tmask[i];
        committed_lanes = committed_lanes + {12'd0, lane_bit};
      end
    end
  end

  assign amounts_load_latency = {6'd0, loading_lanes};
  assign still_loading = amounts_load_latency + amounts_loads - committed_lanes;

  always @(posedge clock) begin
    if (reset) begin
      loads_of <= 10'd0;
      loading_lanes <= 7'd0;
    end else begin
      loading_lanes <= still_loading[6:0];
      loads_of <= loads_of_next;
    end
  end

  always @* begin
    load_ends_warps = 2'd0;
    if (last_load_commit_valid & last_load_commit_last) begin
      load_ends_warps = FIRST_WARP << last_load_commit_wid;
    end
  end

  always @* begin : loads_of_next_logic
    integer w;
    reg [4:0] change;
    for (w = 0; w < 2; w = w + 1) begin
      // One adder for both ways: less one is more by all ones.
      change = 5'd0;
      if (load_issues_warps[w] & !load_ends_warps[w]) begin
        change = 5'd1;
      end
      if (!load_issues_warps[w] & load_ends_warps[w]) begin
        change = ONE_LOAD_LESS;
      end
      loads_of_next[w*5 +: 5] = loads_of[w*5 +: 5] + change;
    end
  end

  // 6. reads on the bus that have not been answered
  always @* begin
    opened = 7'd0;
    if (last_bus_read & !last_bus_response) begin
      opened = 7'd1;
    end
    if (!last_bus_read & last_bus_response) begin
      opened = ONE_READ_LESS;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      open_reads <= 7'd0;
    end else begin
      open_reads <= open_reads + opened;
    end
  end

  // 7. warps that wait for instructions
  always @* begin : suspended_logic
    integer w;
    reg lane_bit;
    suspended = 13'd0;
    for (w = 0; w < 2; w = w + 1) begin
      lane_bit = last_suspended_warps[w];
      suspended = suspended + {12'd0, lane_bit};
    end
  end

  // 8. threads that local memory serves
  always @* begin : local_accesses_logic
    integer i;
    reg lane_bit;
    local_accesses = 13'd0;
    for (i = 0; i < 2; i = i + 1) begin
      lane_bit = last_memory_local_lanes[i];
      local_accesses = local_accesses + {12'd0, lane_bit};
    end
  end

  // 9. what the fetch slots do
  always @* begin
    amounts_fetch_idle = 13'd0;
    amounts_fetch_stall = 13'd0;
    if (last_fetch_ready_warps == 2'd0) begin
      amounts_fetch_idle = 13'd1;
    end else if (!last_fetch_fire) begin
      amounts_fetch_stall = 13'd1;
    end
  end

  always @* begin
    amounts_fetches = 13'd0;
    if (last_icache_hit) begin
      amounts_fetches = 13'd1;
    end
  end

  always @* begin
    amounts_icache_misses = 13'd0;
    if (last_icache_miss) begin
      amounts_icache_misses = 13'd1;
    end
  end

  // A hit takes three cycles; a warp that missed is suspended until its line is there.
  assign amounts_fetch_latency = suspended + amounts_fetches + amounts_fetches + amounts_fetches;
  assign amounts_icache_reads = amounts_fetches + amounts_icache_misses;

  // 10. what the memories do
  always @* begin
    amounts_memory_reads = 13'd0;
    if (last_bus_read) begin
      amounts_memory_reads = 13'd1;
    end
  end

  always @* begin
    amounts_memory_writes = 13'd0;
    if (last_bus_write) begin
      amounts_memory_writes = 13'd1;
    end
  end

  assign amounts_memory_latency = {6'd0, open_reads};

  always @* begin
    amounts_dcache_reads = 13'd0;
    if (last_memory_dcache_read) begin
      amounts_dcache_reads = 13'd1;
    end
  end

  always @* begin
    amounts_dcache_writes = 13'd0;
    if (last_memory_dcache_write) begin
      amounts_dcache_writes = 13'd1;
    end
  end

  always @* begin
    amounts_dcache_read_misses = 13'd0;
    if (last_memory_dcache_read_miss) begin
      amounts_dcache_read_misses = 13'd1;
    end
  end

  always @* begin
    amounts_dcache_write_misses = 13'd0;
    if (last_memory_dcache_write_miss) begin
      amounts_dcache_write_misses = 13'd1;
    end
  end

  always @* begin
    amounts_dcache_bank_stalls = 13'd0;
    if (last_memory_dcache_bank_stall) begin
      amounts_dcache_bank_stalls = 13'd1;
    end
  end

  always @* begin
    amounts_dcache_mshr_stalls = 13'd0;
    if (last_memory_dcache_mshr_stall) begin
      amounts_dcache_mshr_stalls = 13'd1;
    end
  end

  assign mshrs_in_use = last_memory_dcache_mshrs_in_use;
  assign amounts_dcache_mshrs = {9'd0, mshrs_in_use};

  always @* begin
    amounts_local_reads = 13'd0;
    if (last_memory_local_read) begin
      amounts_local_reads = local_accesses;
    end
  end

  always @* begin
    amounts_local_writes = 13'd0;
    if (last_memory_local_write) begin
      amounts_local_writes = local_accesses;
    end
  end

  always @* begin
    amounts_local_bank_stalls = 13'd0;
    if (last_memory_local_bank_stall) begin
      amounts_local_bank_stalls = 13'd1;
    end
  end

  // By how much each counter grows, in the order of the table.
  assign growths[12:0] = amounts_issued;
  assign growths[25:13] = amounts_idle;
  assign growths[38:26] = amounts_idle_control;
  assign growths[51:39] = amounts_idle_ibuffer;
  assign growths[64:52] = amounts_idle_barrier;
  assign growths[77:65] = amounts_scoreboard;
  assign growths[90:78] = amounts_scoreboard_load;
  assign growths[103:91] = amounts_pipeline;
  assign growths[116:104] = amounts_fetch_idle;
  assign growths[129:117] = amounts_fetch_stall;
  assign growths[142:130] = amounts_fetches;
  assign growths[155:143] = amounts_loads;
  assign growths[168:156] = amounts_stores;
  assign growths[181:169] = amounts_fetch_latency;
  assign growths[194:182] = amounts_load_latency;
  assign growths[207:195] = amounts_icache_reads;
  assign growths[220:208] = amounts_icache_misses;
  assign growths[233:221] = amounts_memory_reads;
  assign growths[246:234] = amounts_memory_writes;
  assign growths[259:247] = amounts_memory_latency;
  assign growths[272:260] = amounts_nops;
  assign growths[285:273] = amounts_dcache_reads;
  assign growths[298:286] = amounts_dcache_writes;
  assign growths[311:299] = amounts_dcache_read_misses;
  assign growths[324:312] = amounts_dcache_write_misses;
  assign growths[337:325] = amounts_dcache_bank_stalls;
  assign growths[350:338] = amounts_dcache_mshr_stalls;
  assign growths[363:351] = amounts_dcache_mshrs;
  assign growths[376:364] = amounts_local_reads;
  assign growths[389:377] = amounts_local_writes;
  assign growths[402:390] = amounts_local_bank_stalls;

  // 11. the counter that is brought up to date: one that is read, else the one whose turn it is
  assign key = {mpm_class[2:0], select};

  always @* begin : there_logic
    integer k;
    k = 0;
    there = 1'b0;
    wanted = 5'd0;
    if (read & (mpm_class < 8'd4)) begin
      for (k = 0; k < 31; k = k + 1) begin
        if ((key == VORTEX_KEYS[k*8 +: 8]) | (key == OWN_KEYS[k*8 +: 8])) begin
          there = 1'b1;
          wanted = wanted | k[4:0];
        end
      end
    end
  end

  assign steals = there & filled;

  always @* begin
    number = turn;
    if (steals) begin
      number = wanted;
    end
  end

  always @(posedge clock) begin
    if (reset) begin
      turn <= 5'd0;
      filled <= 1'b0;
    end else if (!steals) begin
      turn <= turn + 5'd1;
      if (turn == LAST_TURN) begin
        turn <= 5'd0;
        filled <= 1'b1;
      end
    end
  end

  // 12. what it has accumulated. Reset takes all accumulators, so that they need no other.
  always @* begin
    taken = FIRST << number;
    if (reset) begin
      taken = 31'h7fffffff;
    end
  end

  assign accumulated = accumulators_amount[number*13 +: 13];

  always @(posedge clock) begin
    counter_number <= number;
    added <= accumulated;
  end

  always @(posedge clock) begin
    if (reset) begin
      onto_memory <= 1'b0;
      shows_low <= 1'b0;
      shows_high <= 1'b0;
    end else begin
      onto_memory <= filled;
      shows_low <= steals & !upper;
      shows_high <= steals & upper;
    end
  end

  // 13. a cycle later: its total; in the first rotation the memory holds nothing yet
  LutRam_31x44 totals (
    .clock         (clock),
    .read_address  (counter_number),
    .read_data     (totals_read_data),
    .write_enable  (1'b1),
    .write_address (counter_number),
    .write_data    (total)
  );

  always @* begin
    base = 44'd0;
    if (onto_memory) begin
      base = totals_read_data;
    end
  end

  assign total = base + {31'd0, added};
  assign counter_total = total;

  always @* begin
    value = 32'd0;
    if (shows_low) begin
      value = total[31:0];
    end
    if (shows_high) begin
      value = value | {20'd0, total[43:32]};
    end
  end

  // 14. count; the accumulator that has been added goes on from what comes in this cycle
  assign counts = last_busy & !reset;

  generate
    for (gi = 0; gi < 31; gi = gi + 1) begin : accumulators
      Accumulator unit (
        .clock  (clock),
        .counts (counts),
        .growth (growths[gi*13 +: 13]),
        .mask   (ACCUMULATOR_MASKS[gi*13 +: 13]),
        .taken  (taken[gi]),
        .amount (accumulators_amount[gi*13 +: 13])
      );
    end
  endgenerate

  // Not read: what can be under way needs fewer bits than the widest accumulator.
  wire unused_still_loading = &{1'b0, still_loading[12:7]};
endmodule

`default_nettype wire
