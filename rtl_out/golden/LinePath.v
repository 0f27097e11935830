`default_nettype none

// Serves groups of lanes in the order in which they come, one line or one local pass a cycle.
// Latency: pushed in c, line request in c+2 with the cache, its result two cycles after the line; local result in c+3.
// Reset: nothing held.
// Invariants: requests reach the cache in the order pushed.
module LinePath (
  input wire          clock,              // Rising edge moves the state.
  input wire          reset,              // Synchronous, active high.
  // A group of lanes.
  input wire          push_valid,         // A group is there.
  input wire  [1:0]   push_lanes,         // The lanes.
  input wire          push_in_local,      // They go to local memory.
  input wire  [25:0]  push_line,          // Their line, if they do not.
  input wire          push_store,         // They are part of a store.
  input wire          push_ends,          // No other group of the instruction follows.
  // Where a load's words go.
  input wire          push_load_wid,      // Its warp.
  input wire  [5:0]   push_load_rd,       // Destination register.
  input wire  [2:0]   push_load_funct3,   // Size and extension.
  input wire  [4:0]   push_load_group,    // Number of the load.

  input wire  [27:0]  push_offset,        // Low address bits of each lane.
  input wire  [3:0]   push_same_bank,     // For each lane, the lanes before it that want the same bank.
  input wire  [3:0]   push_same_word,     // For each lane, the lanes before it that want the same word.
  input wire  [63:0]  push_word,          // Aligned word to store of each lane.
  input wire  [7:0]   push_bytes,         // Bytes to store of each lane.
  output wire         push_ready,         // They are taken in this cycle.

  // What local memory shall do.
  output wire         local_read,         // Lanes read it.
  output wire         local_write,        // Lanes write it.
  output wire [1:0]   local_lanes,        // These lanes do.
  output wire         local_bank_stall,   // Others of their instruction wait for the same banks.

  // In which of its words, and what it stores.
  output wire [1:0]   bank_valid,         // Banks that take part.
  output wire [23:0]  bank_word,          // Word address of each bank.
  output wire [7:0]   bank_bytes,         // Bytes that each bank stores.
  output wire [63:0]  bank_data,          // Word that each bank stores.

  input wire  [63:0]  local_data,         // What it has read.
  // A partial result that is made.
  output wire         part_valid,         // A part of a load is there.
  output wire [4:0]   part_group,         // Number of the load.
  output wire [1:0]   part_lanes,         // Its lanes.
  input wire          part_last,          // It completes the load.

  // A result waits.
  output wire         result_valid,       // A result is offered.
  output wire         result_wid,         // Its warp.
  output wire [5:0]   result_rd,          // Destination register.
  output wire [1:0]   result_tmask,       // Its lanes.

  output wire [63:0]  result_data,        // Value of each lane.

  input wire          result_ready,       // It is taken in this cycle.

  output wire         result_last,        // The load has no further result.

  output wire         store_done,         // A store has been served completely.
  output wire         wid,                // The warp of the group that is served.
  output wire         rests,              // Nothing is held here, whatever the cache has under way.
  input wire          flush,              // A fence waits, and nothing else is under way in the unit.
  output wire         flush_done,         // Memory has all stores of this path, and no line from before will be hit.
  input wire          drain,              // The core rests, and so does the unit: what is dirty goes to memory.
  output wire         cache_busy,         // A line is under way, or memory lacks stored bytes.
  // A request to memory.
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

  // What the cache does.
  output wire         events_read,        // A load's line is looked up, hit or miss.
  output wire         events_write,       // A store's line is.
  output wire         events_read_miss,   // A load's line is not there.
  output wire         events_write_miss,  // A store's line is not there.
  output wire         events_mshr_stall,  // A request waits for a free MSHR in this cycle.
  output wire         events_bank_stall,  // A request waits for something else: the memories, the bus, the way back.
  output wire [3:0]   events_mshrs_in_use // MSHRs in use: lines on their way.
);

  wire         pass_look_valid;
  wire [25:0]  pass_look_line;
  wire         pass_look_load;
  wire         pass_to_bus;
  wire         pass_to_local;
  wire         pass_last;
  wire [1:0]   pass_lanes;
  wire         pass_single;
  wire         pass_load_wid;
  wire [5:0]   pass_load_rd;
  wire [2:0]   pass_load_funct3;
  wire [4:0]   pass_load_group;
  wire [27:0]  pass_offset;
  wire         pass_busy;
  wire         request_ready;
  wire         request_pending;
  wire         request_lsu_req_valid;
  wire         request_lsu_req_rw;
  wire [63:0]  request_lsu_req_byteen;
  wire [25:0]  request_lsu_req_addr;
  wire [511:0] request_lsu_req_data;
  wire [4:0]   request_lsu_req_tag;
  reg  [11:0]  loads_allocation_offset;
  wire         loads_slot_ready;
  wire [4:0]   loads_slot;
  wire         loads_entry_load_wid;
  wire [5:0]   loads_entry_load_rd;
  wire [2:0]   loads_entry_load_funct3;
  wire [4:0]   loads_entry_load_group;
  wire         loads_entry_single;
  wire [1:0]   loads_entry_lanes;
  wire [11:0]  loads_entry_offset;
  wire         loads_in_flight;
  wire         returns_lsu_rsp_ready;
  wire         returns_rsp_taken;
  reg  [13:0]  returns_local_offset;
  wire         returns_local_ready;
  wire         returns_in_flight;
  wire         cache_lsu_req_ready;
  wire         cache_lsu_rsp_valid;
  wire [511:0] cache_lsu_rsp_data;
  wire [4:0]   cache_lsu_rsp_tag;

  // 1. the group goes to the banks
  BankStage pass (
    .clock            (clock),
    .reset            (reset),
    .push_valid       (push_valid),
    .push_lanes       (push_lanes),
    .push_in_local    (push_in_local),
    .push_line        (push_line),
    .push_store       (push_store),
    .push_ends        (push_ends),
    .push_load_wid    (push_load_wid),
    .push_load_rd     (push_load_rd),
    .push_load_funct3 (push_load_funct3),
    .push_load_group  (push_load_group),
    .push_offset      (push_offset),
    .push_same_bank   (push_same_bank),
    .push_same_word   (push_same_word),
    .push_word        (push_word),
    .push_bytes       (push_bytes),
    .push_ready       (push_ready),
    .request_ready    (request_ready),
    .slot_ready       (loads_slot_ready),
    .local_ready      (returns_local_ready),
    .look_valid       (pass_look_valid),
    .look_line        (pass_look_line),
    .look_load        (pass_look_load),
    .to_bus           (pass_to_bus),
    .to_local         (pass_to_local),
    .pass_last        (pass_last),
    .pass_lanes       (pass_lanes),
    .pass_single      (pass_single),
    .load_wid         (pass_load_wid),
    .load_rd          (pass_load_rd),
    .load_funct3      (pass_load_funct3),
    .load_group       (pass_load_group),
    .pass_offset      (pass_offset),
    .bank_valid       (bank_valid),
    .bank_word        (bank_word),
    .bank_bytes       (bank_bytes),
    .bank_data        (bank_data),
    .store_done       (store_done),
    .busy             (pass_busy)
  );

  assign wid = pass_load_wid;

  // 2. local memory, or a step of a bus request
  assign local_read = pass_to_local & pass_look_load;
  assign local_write = pass_to_local & !pass_look_load;
  assign local_lanes = pass_lanes;
  assign local_bank_stall = pass_to_local & !pass_last;

  RequestBuffer request (
    .clock          (clock),
    .reset          (reset),
    .put            (pass_to_bus),
    .put_store      (!pass_look_load),
    .put_last       (pass_last),
    .put_line       (pass_look_line),
    .put_tag        (loads_slot),
    .bank_valid     (bank_valid),
    .bank_word      (bank_word),
    .bank_bytes     (bank_bytes),
    .bank_data      (bank_data),
    .request_ready  (request_ready),
    .pending        (request_pending),
    .lsu_req_valid  (request_lsu_req_valid),
    .lsu_req_rw     (request_lsu_req_rw),
    .lsu_req_byteen (request_lsu_req_byteen),
    .lsu_req_addr   (request_lsu_req_addr),
    .lsu_req_data   (request_lsu_req_data),
    .lsu_req_tag    (request_lsu_req_tag),
    .lsu_req_ready  (cache_lsu_req_ready)
  );

  // 3. what to do with the line when it comes, or with the words that local memory reads
  LoadTable loads (
    .clock                  (clock),
    .reset                  (reset),
    .allocate               (pass_to_bus & pass_look_load),
    .allocation_load_wid    (pass_load_wid),
    .allocation_load_rd     (pass_load_rd),
    .allocation_load_funct3 (pass_load_funct3),
    .allocation_load_group  (pass_load_group),
    .allocation_single      (pass_single),
    .allocation_lanes       (pass_lanes),
    .allocation_offset      (loads_allocation_offset),
    .slot_ready             (loads_slot_ready),
    .slot                   (loads_slot),
    .lookup_slot            (cache_lsu_rsp_tag),
    // 4. data come back
    .free                   (returns_rsp_taken),
    .entry_load_wid         (loads_entry_load_wid),
    .entry_load_rd          (loads_entry_load_rd),
    .entry_load_funct3      (loads_entry_load_funct3),
    .entry_load_group       (loads_entry_load_group),
    .entry_single           (loads_entry_single),
    .entry_lanes            (loads_entry_lanes),
    .entry_offset           (loads_entry_offset),
    .in_flight              (loads_in_flight)
  );

  LoadReturn returns (
    .clock             (clock),
    .reset             (reset),
    .lsu_rsp_valid     (cache_lsu_rsp_valid),
    .lsu_rsp_data      (cache_lsu_rsp_data),
    .lsu_rsp_tag       (cache_lsu_rsp_tag),
    .lsu_rsp_ready     (returns_lsu_rsp_ready),
    .rsp_taken         (returns_rsp_taken),
    .entry_load_wid    (loads_entry_load_wid),
    .entry_load_rd     (loads_entry_load_rd),
    .entry_load_funct3 (loads_entry_load_funct3),
    .entry_load_group  (loads_entry_load_group),
    .entry_single      (loads_entry_single),
    .entry_lanes       (loads_entry_lanes),
    .entry_offset      (loads_entry_offset),
    .local_read        (local_read),
    .local_load_wid    (pass_load_wid),
    .local_load_rd     (pass_load_rd),
    .local_load_funct3 (pass_load_funct3),
    .local_load_group  (pass_load_group),
    .local_lanes       (pass_lanes),
    .local_offset      (returns_local_offset),
    .local_ready       (returns_local_ready),
    .local_data        (local_data),
    .part_valid        (part_valid),
    .part_group        (part_group),
    .part_lanes        (part_lanes),
    .part_last         (part_last),
    .result_valid      (result_valid),
    .result_wid        (result_wid),
    .result_rd         (result_rd),
    .result_tmask      (result_tmask),
    .result_data       (result_data),
    .result_ready      (result_ready),
    .result_last       (result_last),
    .in_flight         (returns_in_flight)
  );

  always @* begin : loads_allocation_offset_logic
    integer i;
    // Not read as a whole: a line is read by the place in it.
    // verilator lint_off UNUSEDSIGNAL
    reg [13:0] lane_offset;
    // verilator lint_on UNUSEDSIGNAL
    for (i = 0; i < 2; i = i + 1) begin
      lane_offset = pass_offset[i*14 +: 14];
      loads_allocation_offset[i*6 +: 6] = lane_offset[5:0];
      returns_local_offset[i*7 +: 7] = lane_offset[6:0];
    end
  end

  // 5. through the data cache to the bus, or straight
  assign rests = !(pass_busy | request_pending | loads_in_flight | returns_in_flight);

  DataCache cache (
    .clock               (clock),
    .reset               (reset),
    .look_valid          (pass_look_valid),
    .look_line           (pass_look_line),
    .look_load           (pass_look_load),
    .lsu_req_valid       (request_lsu_req_valid),
    .lsu_req_rw          (request_lsu_req_rw),
    .lsu_req_byteen      (request_lsu_req_byteen),
    .lsu_req_addr        (request_lsu_req_addr),
    .lsu_req_data        (request_lsu_req_data),
    .lsu_req_tag         (request_lsu_req_tag),
    .lsu_req_ready       (cache_lsu_req_ready),
    .lsu_rsp_valid       (cache_lsu_rsp_valid),
    .lsu_rsp_data        (cache_lsu_rsp_data),
    .lsu_rsp_tag         (cache_lsu_rsp_tag),
    .lsu_rsp_ready       (returns_lsu_rsp_ready),
    .flush               (flush),
    .flush_done          (flush_done),
    .drain               (drain),
    .busy                (cache_busy),
    .mem_req_valid       (mem_req_valid),
    .mem_req_rw          (mem_req_rw),
    .mem_req_byteen      (mem_req_byteen),
    .mem_req_addr        (mem_req_addr),
    .mem_req_data        (mem_req_data),
    .mem_req_tag         (mem_req_tag),
    .mem_req_ready       (mem_req_ready),
    .mem_rsp_valid       (mem_rsp_valid),
    .mem_rsp_data        (mem_rsp_data),
    .mem_rsp_tag         (mem_rsp_tag),
    .mem_rsp_ready       (mem_rsp_ready),
    .events_read         (events_read),
    .events_write        (events_write),
    .events_read_miss    (events_read_miss),
    .events_write_miss   (events_write_miss),
    .events_mshr_stall   (events_mshr_stall),
    .events_bank_stall   (events_bank_stall),
    .events_mshrs_in_use (events_mshrs_in_use)
  );
endmodule

`default_nettype wire
