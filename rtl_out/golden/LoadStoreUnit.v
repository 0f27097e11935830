`default_nettype none

// Performs the memory instructions of all slices, in the order it takes them: each path one line or one local pass a
// cycle.
// Latency: taken in c, local load result in c+4; line request in c+3, its result two cycles after the line, so in c+5
// if the data cache has it.
// Reset: nothing held.
// Invariants: accesses to a line, which has one path, are performed in the order taken, since no instruction enters a
// path before one that was taken earlier and still has lanes for it, or any if one of the two is atomic; a load to x0
// makes no access and no result, faults excepted; a faulting instruction makes none either, misalignment goes before
// range. Stages: entrance (addresses, checks), access (one group of lanes a path and cycle); `LinePath`s: pass (banks),
// request or local memory, return; merge.
module LoadStoreUnit (
  input wire          clock,                      // Rising edge moves the state.
  input wire          reset,                      // Synchronous, active high.
  // Instructions of the slices.
  input wire          mem_valid,                  // A load, store or fence is there.
  input wire          mem_wid,                    // Its warp.
  input wire  [5:0]   mem_rd,                     // Destination register.
  input wire  [1:0]   mem_tmask,                  // Its lanes.

  input wire          mem_use_rd,                 // There is a destination.
  input wire  [2:0]   mem_funct3,                 // Minor opcode.

  input wire  [31:0]  mem_pc,                     // Its address.
  input wire          mem_store,                  // It is a store.
  input wire          mem_fence,                  // It is FENCE.
  input wire          mem_fence_i,                // It is FENCE.I.
  input wire  [31:0]  mem_imm,                    // Offset.
  input wire  [63:0]  mem_rs1,                    // Base address of each lane.
  input wire  [63:0]  mem_rs2,                    // Value to store of each lane, or operand.
  output wire         mem_ready,                  // It is taken in this cycle.

  output wire         lsu_result_valid,           // A load result for the slice.
  // That result: one for all slices, or for each its own.
  output wire         lsu_result_wid,             // Its warp.
  output wire [5:0]   lsu_result_rd,              // Destination register.
  output wire [1:0]   lsu_result_tmask,           // Its lanes.

  output wire [63:0]  lsu_result_data,            // Value of each lane.

  output wire         lsu_result_last,            // The load has no further result.
  input wire          lsu_result_ready,           // The slice takes the result.
  // A request to memory.
  output wire         lsu_req_valid,              // A request is made.
  output wire         lsu_req_rw,                 // 1 writes, 0 reads.
  output wire [63:0]  lsu_req_byteen,             // Bytes to write.
  output wire [25:0]  lsu_req_addr,               // Line address: byte address / 64.
  output wire [511:0] lsu_req_data,               // 16 words to write.
  output wire [4:0]   lsu_req_tag,                // Comes back with the line that is read.
  input wire          lsu_req_ready,              // The request is accepted in this cycle.

  // A line that was read.
  input wire          lsu_rsp_valid,              // A line is there.
  input wire  [511:0] lsu_rsp_data,               // 16 words read.
  input wire  [4:0]   lsu_rsp_tag,                // Tag of the request.
  output wire         lsu_rsp_ready,              // The line is taken in this cycle.

  input wire          writes_pending,             // A store has left for memory and may not have been performed yet;
                                                  // fences wait.
  output reg  [1:0]   fence_done_warps,           // Warps whose fence is done.
  output wire         flush_icache,               // FENCE.I is done: instruction lines must be read again.
  // What becomes of loads and stores.
  output reg  [1:0]   memory_done_warps,          // A load returned completely or a store was accepted completely.

  // An instruction must not access its address: see `AccessStage`.
  output wire         fault_valid,                // There is a fault.
  output wire         fault_wid,                  // Its warp.
  output wire [31:0]  fault_pc,                   // Its address.
  output wire [3:0]   fault_cause,                // The cause, numbered as in docs/ISA.md, section 8.
  output wire [31:0]  fault_addr,                 // The address, instruction word, count or CSR number at fault; 0
                                                  // where there is none.

  input wire          drain,                      // The core rests but for this unit: what is dirty goes to memory.
  // What the data cache and local memory do.
  // The banks of the data cache.
  output wire         events_dcache_read,         // A load's line is looked up, hit or miss.
  output wire         events_dcache_write,        // A store's line is.
  output wire         events_dcache_read_miss,    // A load's line is not there.
  output wire         events_dcache_write_miss,   // A store's line is not there.
  output wire         events_dcache_mshr_stall,   // A request waits for a free MSHR in this cycle.
  output wire         events_dcache_bank_stall,   // A request waits for something else: the memories, the bus, the way
                                                  // back.
  output wire [3:0]   events_dcache_mshrs_in_use, // MSHRs in use: lines on their way.

  // Local memory.
  output wire         events_local_read,          // Lanes read it.
  output wire         events_local_write,         // Lanes write it.
  output wire [1:0]   events_local_lanes,         // These lanes do.
  output wire         events_local_bank_stall,    // Others of their instruction wait for the same banks.

  output wire         load_started,               // Event: a load instruction starts.
  output wire         load_done,                  // Event: the last result of a load instruction is taken.
  output wire         lsu_busy,                   // Something is in flight, or memory lacks stored bytes.
  // A load or store that begins; of several the lower number acts first.
  output wire         access_valid,               // A load or store is there.
  output wire         access_store,               // It is a store.
  output wire         access_wid,                 // Its warp.
  output wire [31:0]  access_pc,                  // Its own address.
  output wire [1:0]   access_tmask,               // Its lanes.
  output wire [2:0]   access_funct3,              // Size and extension.
  output wire [63:0]  access_addr,                // Byte address of each lane.
  output wire [63:0]  access_data,                // Of a store or atomic instruction, the register value of each lane,
                                                  // not cut to the size.

  // With a dispatcher: where warps belong.
  input wire          map_in_grid,                // A grid was launched; nothing else here has a meaning before.
  input wire  [5:0]   map_size,                   // Warps of a block.
  input wire  [1:0]   map_slot,                   // CTA slot of each warp slot.
  input wire  [1:0]   map_rank,                   // Rank of each warp in its block.
  input wire  [1:0]   map_last_warps,             // The warps that are the last of their block.
  input wire  [1:0]   map_last_lanes,             // Lanes of such a warp.
  input wire  [27:0]  map_local_base,             // Where the local memory of each warp's block begins in that of the
                                                  // core.
  input wire  [14:0]  map_local_bytes             // Bytes of it; 0: all of the core's.
);

  localparam [1:0] FIRST_WARP = 2'd1;

  wire        push;                      // A group of an instruction goes to a path.
  wire        load;
  wire        starts;
  wire        pushed;
  wire        rests;
  wire        cache_busy;
  wire        flushed;
  wire        fence_done;
  wire        result_valid;
  wire        result_wid;
  wire [5:0]  result_rd;
  wire [1:0]  result_tmask;
  wire [63:0] result_data;
  reg         result_ready;
  wire        result_last;
  reg  [4:0]  group;
  reg  [1:0]  done_oh;
  reg  [4:0]  held_group;
  wire        entrance_arrive_valid;
  wire        entrance_arrive_store;
  wire        entrance_arrive_wid;
  wire [31:0] entrance_arrive_pc;
  wire [1:0]  entrance_arrive_tmask;
  wire [2:0]  entrance_arrive_funct3;
  wire [63:0] entrance_arrive_addr;
  wire [63:0] entrance_arrive_data;
  wire [5:0]  entrance_arrive_rd;
  wire        entrance_arrive_use_rd;
  wire        entrance_arrive_fence;
  wire        entrance_arrive_fence_i;
  wire        stage_advance;
  wire        stage_access_valid;
  wire        stage_access_fence;
  wire        stage_access_discard;
  wire        stage_access_first;
  wire        stage_access_last;
  wire [1:0]  stage_access_lanes;
  wire        stage_instruction_valid;
  wire        stage_instruction_store;
  wire        stage_instruction_wid;
  wire [1:0]  stage_instruction_tmask;
  wire [2:0]  stage_instruction_funct3;
  wire [63:0] stage_instruction_addr;
  wire [63:0] stage_instruction_data;
  wire [5:0]  stage_instruction_rd;
  wire        stage_instruction_fence_i;
  wire [27:0] stage_offset;
  wire [25:0] coalescers_line;
  wire        coalescers_in_local;
  wire [1:0]  coalescers_joined;
  reg  [3:0]  aligners_offset;
  wire [63:0] aligners_word;
  wire [7:0]  aligners_bytes;
  reg  [23:0] conflicts_word;
  wire [3:0]  conflicts_same_bank;
  wire [3:0]  conflicts_same_word;
  wire [63:0] local_memory_read_data;
  wire        paths_push_ready;
  wire        paths_local_read;
  wire        paths_local_write;
  wire [1:0]  paths_bank_valid;
  wire [23:0] paths_bank_word;
  wire [7:0]  paths_bank_bytes;
  wire [63:0] paths_bank_data;
  wire        paths_part_valid;
  wire [4:0]  paths_part_group;
  wire [1:0]  paths_part_lanes;
  wire        paths_store_done;
  wire        paths_wid;
  wire        paths_rests;
  wire        tracker_open;
  wire        tracker_group_ready;
  wire [4:0]  tracker_group;
  wire        tracker_part_last;
  wire        tracker_in_flight;

  genvar gi;

  // 1. the instruction
  AccessInput entrance (
    .clock          (clock),
    .reset          (reset),
    .mem_valid      (mem_valid),
    .mem_wid        (mem_wid),
    .mem_rd         (mem_rd),
    .mem_tmask      (mem_tmask),
    .mem_use_rd     (mem_use_rd),
    .mem_funct3     (mem_funct3),
    .mem_pc         (mem_pc),
    .mem_store      (mem_store),
    .mem_fence      (mem_fence),
    .mem_fence_i    (mem_fence_i),
    .mem_imm        (mem_imm),
    .mem_rs1        (mem_rs1),
    .mem_rs2        (mem_rs2),
    .mem_ready      (mem_ready),
    .advance        (stage_advance),
    .arrive_valid   (entrance_arrive_valid),
    .arrive_store   (entrance_arrive_store),
    .arrive_wid     (entrance_arrive_wid),
    .arrive_pc      (entrance_arrive_pc),
    .arrive_tmask   (entrance_arrive_tmask),
    .arrive_funct3  (entrance_arrive_funct3),
    .arrive_addr    (entrance_arrive_addr),
    .arrive_data    (entrance_arrive_data),
    .arrive_rd      (entrance_arrive_rd),
    .arrive_use_rd  (entrance_arrive_use_rd),
    .arrive_fence   (entrance_arrive_fence),
    .arrive_fence_i (entrance_arrive_fence_i)
  );

  AccessStage stage (
    .clock               (clock),
    .reset               (reset),
    .arrive_valid        (entrance_arrive_valid),
    .arrive_store        (entrance_arrive_store),
    .arrive_wid          (entrance_arrive_wid),
    .arrive_pc           (entrance_arrive_pc),
    .arrive_tmask        (entrance_arrive_tmask),
    .arrive_funct3       (entrance_arrive_funct3),
    .arrive_addr         (entrance_arrive_addr),
    .arrive_data         (entrance_arrive_data),
    .arrive_rd           (entrance_arrive_rd),
    .arrive_use_rd       (entrance_arrive_use_rd),
    .arrive_fence        (entrance_arrive_fence),
    .arrive_fence_i      (entrance_arrive_fence_i),
    .advance             (stage_advance),
    .serve               (push),
    .served              (coalescers_joined),
    .fence_done          (fence_done),
    .access_valid        (stage_access_valid),
    .access_fence        (stage_access_fence),
    .access_discard      (stage_access_discard),
    .access_first        (stage_access_first),
    .access_last         (stage_access_last),
    .access_lanes        (stage_access_lanes),
    .instruction_valid   (stage_instruction_valid),
    .instruction_store   (stage_instruction_store),
    .instruction_wid     (stage_instruction_wid),
    .instruction_pc      (access_pc),
    .instruction_tmask   (stage_instruction_tmask),
    .instruction_funct3  (stage_instruction_funct3),
    .instruction_addr    (stage_instruction_addr),
    .instruction_data    (stage_instruction_data),
    .instruction_rd      (stage_instruction_rd),
    .instruction_use_rd  (),
    .instruction_fence   (),
    .instruction_fence_i (stage_instruction_fence_i),
    .fault_valid         (fault_valid),
    .fault_wid           (fault_wid),
    .fault_pc            (fault_pc),
    .fault_cause         (fault_cause),
    .fault_addr          (fault_addr),
    .offset              (stage_offset),
    .map_in_grid         (map_in_grid),
    .map_size            (map_size),
    .map_slot            (map_slot),
    .map_rank            (map_rank),
    .map_last_warps      (map_last_warps),
    .map_last_lanes      (map_last_lanes),
    .map_local_base      (map_local_base),
    .map_local_bytes     (map_local_bytes)
  );

  assign load = !stage_instruction_store;

  // 2. lanes that go to one line, or to local memory, are a group; each path takes one
  assign starts = stage_access_valid & (stage_instruction_store | tracker_group_ready | !stage_access_first);

  Coalescer coalescers (
    .lanes    (stage_access_lanes),
    .address  (stage_instruction_addr),
    .line     (coalescers_line),
    .in_local (coalescers_in_local),
    .joined   (coalescers_joined)
  );

  assign push = starts & paths_push_ready & (stage_access_lanes != 2'd0);
  assign pushed = push;

  // 3. a load's groups have a number in common
  assign tracker_open = pushed & load & stage_access_first;

  LoadTracker tracker (
    .clock       (clock),
    .reset       (reset),
    .open        (tracker_open),
    .open_lanes  (stage_instruction_tmask),
    .group_ready (tracker_group_ready),
    .group       (tracker_group),
    .part_valid  (paths_part_valid),
    .part_group  (paths_part_group),
    .part_lanes  (paths_part_lanes),
    .part_last   (tracker_part_last),
    .in_flight   (tracker_in_flight)
  );

  always @* begin
    group = held_group;
    if (stage_access_first) begin
      group = tracker_group;
    end
  end

  always @(posedge clock) begin
    held_group <= group;
  end

  // 4. the group goes to the banks of its path
  BankConflicts_W24 conflicts (
    .active    (stage_instruction_valid),
    .word      (conflicts_word),
    .same_bank (conflicts_same_bank),
    .same_word (conflicts_same_word)
  );

  generate
    for (gi = 0; gi < 2; gi = gi + 1) begin : aligners
      StoreAligner unit (
        .size     (stage_instruction_funct3[1:0]),
        .offset   (aligners_offset[gi*2 +: 2]),
        .register (stage_instruction_data[gi*32 +: 32]),
        .word     (aligners_word[gi*32 +: 32]),
        .bytes    (aligners_bytes[gi*4 +: 4])
      );
    end
  endgenerate

  always @* begin : aligners_offset_logic
    integer i;
    // Not read as a whole: the aligner needs the place in a word.
    // verilator lint_off UNUSEDSIGNAL
    reg [31:0] lane_address;
    // verilator lint_on UNUSEDSIGNAL
    // Not read as a whole: banks hold whole words.
    // verilator lint_off UNUSEDSIGNAL
    reg [13:0] lane_offset;
    // verilator lint_on UNUSEDSIGNAL
    for (i = 0; i < 2; i = i + 1) begin
      lane_address = stage_instruction_addr[i*32 +: 32];
      aligners_offset[i*2 +: 2] = lane_address[1:0];
      lane_offset = stage_offset[i*14 +: 14];
      conflicts_word[i*12 +: 12] = lane_offset[13:2];
    end
  end

  // If several groups end an instruction, the group of the last path counts as its end.
  LinePath paths (
    .clock               (clock),
    .reset               (reset),
    .push_valid          (push),
    .push_lanes          (coalescers_joined),
    .push_in_local       (coalescers_in_local),
    .push_line           (coalescers_line),
    .push_store          (stage_instruction_store),
    .push_ends           (stage_access_last),
    .push_load_wid       (stage_instruction_wid),
    .push_load_rd        (stage_instruction_rd),
    .push_load_funct3    (stage_instruction_funct3),
    .push_load_group     (group),
    .push_offset         (stage_offset),
    .push_same_bank      (conflicts_same_bank),
    .push_same_word      (conflicts_same_word),
    .push_word           (aligners_word),
    .push_bytes          (aligners_bytes),
    .push_ready          (paths_push_ready),
    .local_read          (paths_local_read),
    .local_write         (paths_local_write),
    .local_lanes         (events_local_lanes),
    .local_bank_stall    (events_local_bank_stall),
    .bank_valid          (paths_bank_valid),
    .bank_word           (paths_bank_word),
    .bank_bytes          (paths_bank_bytes),
    .bank_data           (paths_bank_data),
    .local_data          (local_memory_read_data),
    .part_valid          (paths_part_valid),
    .part_group          (paths_part_group),
    .part_lanes          (paths_part_lanes),
    .part_last           (tracker_part_last),
    .result_valid        (result_valid),
    .result_wid          (result_wid),
    .result_rd           (result_rd),
    .result_tmask        (result_tmask),
    .result_data         (result_data),
    .result_ready        (result_ready),
    .result_last         (result_last),
    .store_done          (paths_store_done),
    .wid                 (paths_wid),
    .rests               (paths_rests),
    .flush               (stage_access_fence & rests),
    .flush_done          (flushed),
    .drain               (drain & rests & !stage_instruction_valid),
    .cache_busy          (cache_busy),
    .mem_req_valid       (lsu_req_valid),
    .mem_req_rw          (lsu_req_rw),
    .mem_req_byteen      (lsu_req_byteen),
    .mem_req_addr        (lsu_req_addr),
    .mem_req_data        (lsu_req_data),
    .mem_req_tag         (lsu_req_tag),
    .mem_req_ready       (lsu_req_ready),
    .mem_rsp_valid       (lsu_rsp_valid),
    .mem_rsp_data        (lsu_rsp_data),
    .mem_rsp_tag         (lsu_rsp_tag),
    .mem_rsp_ready       (lsu_rsp_ready),
    .events_read         (events_dcache_read),
    .events_write        (events_dcache_write),
    .events_read_miss    (events_dcache_read_miss),
    .events_write_miss   (events_dcache_write_miss),
    .events_mshr_stall   (events_dcache_mshr_stall),
    .events_bank_stall   (events_dcache_bank_stall),
    .events_mshrs_in_use (events_dcache_mshrs_in_use)
  );

  // 5. local memory is path 0's
  LocalMemory local_memory (
    .clock      (clock),
    .read       (paths_local_read),
    .write      (paths_local_write),
    .bank_valid (paths_bank_valid),
    .bank_word  (paths_bank_word),
    .bank_bytes (paths_bank_bytes),
    .bank_data  (paths_bank_data),
    .read_data  (local_memory_read_data)
  );

  assign events_local_read = paths_local_read;
  assign events_local_write = paths_local_write;

  // 6. to the bus and back
  assign rests = !tracker_in_flight & paths_rests;

  // 7. results
  assign lsu_result_valid = result_valid;

  always @* begin
    result_ready = 1'b0;
    if (lsu_result_ready) begin
      result_ready = result_valid;
    end
  end

  assign lsu_result_wid = result_wid;
  assign lsu_result_rd = result_rd;
  assign lsu_result_tmask = result_tmask;
  assign lsu_result_data = result_data;
  assign lsu_result_last = result_last;

  // 8. fences wait until nothing is in flight and memory has all stores
  assign fence_done = stage_access_fence & rests & flushed & !writes_pending;
  assign flush_icache = fence_done & stage_instruction_fence_i;
  assign lsu_busy = stage_instruction_valid | !rests | cache_busy | writes_pending;

  // 9. events
  assign load_started = tracker_open;
  assign load_done = result_ready & result_last;

  always @* begin
    fence_done_warps = 2'd0;
    memory_done_warps = 2'd0;
    done_oh = FIRST_WARP << stage_instruction_wid;
    if (fence_done) begin
      fence_done_warps = done_oh;
    end
    if (stage_access_discard) begin
      memory_done_warps = done_oh;
    end
    done_oh = FIRST_WARP << paths_wid;
    if (paths_store_done) begin
      memory_done_warps = memory_done_warps | done_oh;
    end
    done_oh = FIRST_WARP << result_wid;
    if (load_done) begin
      memory_done_warps = memory_done_warps | done_oh;
    end
  end

  assign access_store = stage_instruction_store;
  assign access_wid = stage_instruction_wid;
  assign access_tmask = stage_instruction_tmask;
  assign access_funct3 = stage_instruction_funct3;
  assign access_addr = stage_instruction_addr;
  assign access_data = stage_instruction_data;
  assign access_valid = pushed & stage_access_first;
endmodule

`default_nettype wire
