`default_nettype none

// Which warps are active, with which lanes, where each fetches next, and which of each slice fetches now.
// Latency: fetch choice combinational; every event moves the registers at the end of its cycle, so a redirected warp
// fetches from its target in the next cycle.
// Reset: no warp active; in the first cycle after it, warp 0 starts at `start_pc` with lane 0, unless a grid is
// launched.
// Invariants: a warp's queue and fetches in flight never exceed the queue depth; a warp is never suspended or waiting
// while inactive; no warp jumps in the cycle in which others are spawned. Of the events of one warp in one cycle, exit
// or fault wins over warp control, then taken branch (with branch prediction: one that goes elsewhere than predicted),
// then what decode says of fetching, then a miss: each older instruction's event wins over a younger one's.
module WarpTable (
  input wire         clock,                      // Rising edge moves the state.
  input wire         reset,                      // Synchronous, active high.
  input wire  [31:0] start_pc,                   // Where warp 0 starts.
  input wire         icache_req_ready,           // A fetch is taken this cycle.
  // What becomes of fetches.
  input wire  [1:0]  icache_stage_valid,         // Stages 1 and 2 hold a request.
  input wire  [1:0]  icache_stage_wid,           // Their warps.
  // The request that was in stage 1 a cycle ago missed. A request of the same warp that was made then is void.
  input wire         icache_missed_valid,        // An instruction is fetched.
  input wire         icache_missed_wid,          // Its warp.
  input wire  [31:0] icache_missed_pc,           // Its address.

  input wire  [1:0]  icache_wake_warps,          // A bit a warp: warps whose line has arrived, or that should try
                                                 // again.

  // The instruction in decode (the cache's response); of two the younger that is not void.
  input wire         decode_valid,               // An instruction is fetched.
  input wire         decode_wid,                 // Its warp.
  input wire  [31:0] decode_pc,                  // Its address.

  input wire         decode_stops_fetch,         // Nothing younger of its warp is fetched until it is resolved.
  input wire  [5:0]  ibuffer_count,              // W counts: instructions queued.
  input wire  [1:0]  head_memory_warps,          // A bit a warp: the head is a load or a store.
  input wire  [1:0]  issue_grant_warps,          // A bit a warp: heads that are granted issue.
  input wire  [1:0]  issue_fire_warps,           // A bit a warp: those of them that issue this cycle.
  input wire  [1:0]  blocked_warps,              // A bit a warp: data-ready heads for which there is no room.
  // Of each slice: a branch or jump is resolved.
  input wire         branch_valid,               // A branch or jump is resolved.
  input wire         branch_wid,                 // Its warp.
  input wire         branch_taken,               // It is taken.
  input wire  [31:0] branch_target,              // Where to.

  input wire  [31:0] issue_pc,                   // Address of the instruction that issues (SWaS only).
  // A warp-control instruction is done.
  input wire         wctl_valid,                 // Such an instruction is done.
  input wire         wctl_wid,                   // Its warp.
  input wire  [1:0]  wctl_tmask,                 // The warp's lanes from now on; 0 ends it.
  input wire         wctl_jump,                  // The warp goes on at `pc` (JOIN), else behind the instruction.
  input wire  [31:0] wctl_pc,                    // Where, if `jump`.

  input wire  [1:0]  spawn_warps,                // A bit a warp: inactive warps to start with lane 0.
  input wire  [31:0] spawn_pc,                   // Where they start.
  // What barriers do.
  input wire  [1:0]  barrier_warps,              // Waiting at a barrier.
  input wire  [1:0]  barrier_arrive_warps,       // Arrives at a barrier and, unless released in the same cycle, will
                                                 // wait.
  input wire  [1:0]  barrier_release_warps,      // Released from a barrier.

  input wire  [1:0]  fence_i_done_warps,         // A bit a warp: a FENCE.I completes, so the warp may fetch again.
  // What becomes of loads and stores.
  input wire  [1:0]  memory_done_warps,          // A load returned completely or a store was accepted completely.

  input wire         launch,                     // A grid is taken.
  // The block that starts.
  input wire         cta_valid,                  // A block starts.
  input wire         cta_slot,                   // Its CTA slot.
  input wire  [1:0]  cta_slot_oh,                // The same, one-hot; 0 if there is none.
  input wire  [1:0]  cta_warps,                  // Its warps; 0 if there is none.
  input wire  [31:0] cta_id,                     // Its number in the grid.
  input wire  [31:0] cta_x,                      // Its place along x.
  input wire  [31:0] cta_y,                      // Its place along y.
  input wire  [31:0] cta_z,                      // Its place along z.

  // Where warps belong.
  input wire         map_in_grid,                // A grid was launched; nothing else here has a meaning before.
  input wire  [5:0]  map_size,                   // Warps of a block.
  input wire  [1:0]  map_slot,                   // CTA slot of each warp slot.
  input wire  [1:0]  map_rank,                   // Rank of each warp in its block.
  input wire  [1:0]  map_last_warps,             // The warps that are the last of their block.
  input wire  [1:0]  map_last_lanes,             // Lanes of such a warp.
  input wire  [27:0] map_local_base,             // Where the local memory of each warp's block begins in that of the
                                                 // core.
  input wire  [14:0] map_local_bytes,            // Bytes of it; 0: all of the core's.

  input wire         last_dispatched,            // All blocks have started.
  input wire         fault_valid,                // An instruction faults, which ends its warp.
  input wire         fault_wid,                  // The warp.
  // The fetches that are requested, one a slice.
  output wire        fetch_valid,                // An instruction is fetched.
  output wire        fetch_wid,                  // Its warp.
  output wire [31:0] fetch_pc,                   // Its address.

  output wire [1:0]  kill_warps,                 // A bit a warp: fetches of these warps in stages 1 and 2, and the one
                                                 // requested now, are dropped.
  output wire [1:0]  flush_warps,                // A bit a warp: the queue and the instruction in decode are dropped
                                                 // (taken branch, fault, exit; SWaS: mask change, FENCE.I).
  output reg  [3:0]  tmask,                      // W masks of T bits: active lanes; 0 for an inactive warp.
  output reg  [1:0]  waiting_warps,              // A bit a warp: not fetching until an instruction is resolved.
  // What all schedulers see alike, this stage's among them.
  output reg  [1:0]  core_active_warps,          // Resident and not exited.
  output wire [1:0]  core_start_warps,           // Activated this cycle; active from the next cycle on.
  output wire [1:0]  core_exit_warps,            // Exits this cycle; inactive from the next cycle on.
  output wire [3:0]  core_older,                 // Bit `j` of element `i` says that warp `j` is older than warp `i`.
  output reg  [1:0]  core_cta,                   // CTA slot of each warp.
  output reg  [1:0]  core_cta_start,             // One bit a CTA slot: a CTA was dispatched to the slot.
  output wire        core_last_cta_dispatched,   // All CTAs of the grid have been dispatched.
  output wire        core_kernel_start,          // A kernel begins.
  output wire [1:0]  core_held_warps,            // Waiting for a line of the instruction cache, from the second cycle
                                                 // after the request on.
  output wire        core_icache_req_ready,      // The instruction cache takes a request this cycle.
  output wire [1:0]  core_fetch_fire_warps,      // The warp for which an instruction was requested this cycle.
  output wire [1:0]  core_issue_fire_warps,      // The warps whose head issued this cycle, of all slices.
  output wire [1:0]  core_blocked_warps,         // Data-ready and not issue-ready: the head's class has no room, in
                                                 // whichever slice.
  // Barriers.
  output wire [1:0]  core_barrier_warps,         // Waiting at a barrier.
  output wire [1:0]  core_barrier_arrive_warps,  // Arrives at a barrier and, unless released in the same cycle, will
                                                 // wait.
  output wire [1:0]  core_barrier_release_warps, // Released from a barrier.

  // Loads and stores.
  output wire [1:0]  core_memory_done_warps,     // A load returned completely or a store was accepted completely.

  // What they see.
  // What it sees of its stage.
  output wire [1:0]  sched_ready_warps,          // The candidates. At fetch: fetch-ready; at issue: issue-ready.
  output wire [1:0]  sched_data_ready_warps,     // Ready but for the unit that is to take the instruction. At fetch: as
                                                 // `ready_warps`.
  output wire [1:0]  sched_own_warps,            // The warps that this scheduler may ever grant.
  output wire [1:0]  sched_memory_warps,         // The head of the queue is a load or a store.
  output wire [1:0]  sched_empty_warps,          // The queue is empty. At fetch: and nothing is on its way to it.
  output wire [5:0]  sched_unissued,             // Instructions fetched and not yet issued. At issue: 0.
  output wire        sched_fire,                 // The grant of this cycle left the stage.
  output wire [1:0]  sched_fired_oh,             // The warp that left the stage through this scheduler: the grant, if
                                                 // `fire`.

  output wire [1:0]  sched_grant_oh,             // Its choice.

  output wire [1:0]  full_queue_warps            // A bit a warp: queue and fetches in flight make up the queue depth.
);

  localparam [1:0] OWN_WARPS = 2'd3;
  localparam [2:0] DEPTH = 3'd4;
  localparam [2:0] ONE = 3'd1;
  localparam [1:0] FIRST_LANE = 2'd1;
  localparam [1:0] OWN_CTA = 2'd2;    // Without a grid: the CTA slot of each warp.
  localparam [1:0] ALL_LANES = 2'd3;

  wire        boot;
  wire [1:0]  wake_warps;
  wire [1:0]  unfetched_warps;
  wire [1:0]  unserved_warps;
  wire [1:0]  able_warps;
  wire [1:0]  branch_warps;
  wire [1:0]  stop_warps;
  reg  [1:0]  ended_warps;
  reg  [1:0]  begun_warps;
  wire [1:0]  flushed_warps;
  reg  [1:0]  full_warps;
  wire [1:0]  fire_warps;
  reg  [1:0]  jump_warps;
  wire [31:0] behind_decode_pc;
  reg  [31:0] control_pc;
  wire [1:0]  control_warps;        // Warps that start or jump.
  wire [1:0]  sharing_warps;
  wire [1:0]  void_warps;
  wire [1:0]  sent_warps;
  wire [1:0]  halted_warps;
  reg  [63:0] target;
  reg  [5:0]  occupancy;
  wire [1:0]  resumed_warps;
  wire        boots_bare;
  reg  [1:0]  suspended;
  reg  [63:0] pc;
  reg         booted;
  reg  [63:0] behind;               // SWaS: the address behind the instruction of each warp that issued last, and the
                                    // warps that go on there.
  wire [1:0]  stop_warp_mask_oh;
  wire [1:0]  control_warp_mask_oh;
  wire [1:0]  fault_warp_mask_oh;

  // 1. events, as masks of the warps they happen to
  always @(posedge clock) begin
    if (reset) begin
      booted <= 1'b0;
    end else begin
      booted <= 1'b1;
    end
  end

  assign boot = !booted & !reset;
  assign boots_bare = boot & !launch;

  always @* begin
    begun_warps = spawn_warps | cta_warps;
    begun_warps[0] = begun_warps[0] | boots_bare;
  end

  IndexOneHot branch_warp (
    .valid   (branch_valid & branch_taken),
    .index   (branch_wid),
    .mask_oh (branch_warps)
  );

  IndexOneHot control_warp (
    .valid   (wctl_valid),
    .index   (wctl_wid),
    .mask_oh (control_warp_mask_oh)
  );

  IndexOneHot fault_warp (
    .valid   (fault_valid),
    .index   (fault_wid),
    .mask_oh (fault_warp_mask_oh)
  );

  always @* begin
    ended_warps = fault_warp_mask_oh;
    if (!(|wctl_tmask)) begin
      ended_warps = fault_warp_mask_oh | control_warp_mask_oh;
    end
  end

  IndexOneHot stop_warp (
    .valid   (1'b0),
    .index   (decode_wid),
    .mask_oh (stop_warp_mask_oh)
  );

  assign stop_warps = stop_warp_mask_oh & ~flushed_warps;

  // SWaS: what was fetched behind a mask change or FENCE.I is void when that is done
  assign resumed_warps = control_warp_mask_oh | fence_i_done_warps;
  assign flushed_warps = branch_warps | ended_warps | resumed_warps;

  // The tags are late: a miss suspends its warp, and brings its address back, in the cycle after.
  IndexOneHot missed_warp (
    .valid   (icache_missed_valid),
    .index   (icache_missed_wid),
    .mask_oh (unfetched_warps)
  );

  assign unserved_warps = suspended | unfetched_warps;
  assign flush_warps = flushed_warps;
  assign kill_warps = flushed_warps | stop_warps;

  // 2. who may fetch, and whose queue is full
  always @* begin : full_warps_logic
    integer i, k;
    k = 0;
    full_warps = 2'd0;
    occupancy = ibuffer_count;
    for (i = 0; i < 2; i = i + 1) begin
      // what is queued and what is in flight; never more than the depth, so full means equal
      if (OWN_WARPS[i]) begin
        for (k = 0; k < 2; k = k + 1) begin
          if (icache_stage_valid[k] & (icache_stage_wid[k] == i[0])) begin
            occupancy[i*3 +: 3] = occupancy[i*3 +: 3] + ONE;
          end
        end
        if (decode_valid & (decode_wid == i[0])) begin
          occupancy[i*3 +: 3] = occupancy[i*3 +: 3] + ONE;
        end
      end
      full_warps[i] = occupancy[i*3 +: 3] == DEPTH;
    end
  end

  assign able_warps = core_active_warps & ~unserved_warps & ~waiting_warps;
  assign full_queue_warps = full_warps;

  // 3. one of each slice fetches
  FetchSelect select (
    .clock                      (clock),
    .reset                      (reset),
    .own_warps                  (OWN_WARPS),
    .able_warps                 (able_warps),
    .full_warps                 (full_warps),
    .issue_grant_warps          (issue_grant_warps),
    .issue_fire_warps           (issue_fire_warps),
    .head_memory_warps          (head_memory_warps),
    .occupancy                  (occupancy),
    .pc                         (pc),
    .core_active_warps          (core_active_warps),
    .core_start_warps           (core_start_warps),
    .core_exit_warps            (core_exit_warps),
    .core_older                 (core_older),
    .core_cta                   (core_cta),
    .core_cta_start             (core_cta_start),
    .core_last_cta_dispatched   (core_last_cta_dispatched),
    .core_kernel_start          (core_kernel_start),
    .core_held_warps            (core_held_warps),
    .core_icache_req_ready      (core_icache_req_ready),
    .core_fetch_fire_warps      (core_fetch_fire_warps),
    .core_issue_fire_warps      (core_issue_fire_warps),
    .core_blocked_warps         (core_blocked_warps),
    .core_barrier_warps         (core_barrier_warps),
    .core_barrier_arrive_warps  (core_barrier_arrive_warps),
    .core_barrier_release_warps (core_barrier_release_warps),
    .core_memory_done_warps     (core_memory_done_warps),
    .icache_req_ready           (icache_req_ready),
    .fetch_valid                (fetch_valid),
    .fetch_wid                  (fetch_wid),
    .fetch_pc                   (fetch_pc),
    .fire_warps                 (fire_warps),
    .sched_ready_warps          (sched_ready_warps),
    .sched_data_ready_warps     (sched_data_ready_warps),
    .sched_own_warps            (sched_own_warps),
    .sched_memory_warps         (sched_memory_warps),
    .sched_empty_warps          (sched_empty_warps),
    .sched_unissued             (sched_unissued),
    .sched_fire                 (sched_fire),
    .sched_fired_oh             (sched_fired_oh),
    .sched_grant_oh             (sched_grant_oh)
  );

  AgeMatrix age (
    .clock       (clock),
    .reset       (reset),
    .start_warps (begun_warps),
    .older       (core_older)
  );

  // 4. where each warp fetches next: what comes later here wins
  assign behind_decode_pc = decode_pc + 32'd4;

  // The first warp, those of WSPAWN and what JOIN sends back share one address, for WSPAWN's caller is alone when they
  // start. A block may start in the cycle of a JOIN.
  always @* begin
    jump_warps = 2'd0;
    control_pc = spawn_pc;
    if (boot) begin
      control_pc = start_pc;
    end
    if (wctl_valid & wctl_jump) begin
      jump_warps = control_warp_mask_oh;
      control_pc = wctl_pc;
    end
  end

  assign control_warps = begun_warps | jump_warps;
  assign sharing_warps = control_warps & ~cta_warps;
  assign void_warps = control_warps | branch_warps | resumed_warps;

  // Which warp fetches is known late, so it only lets the address be written.
  assign sent_warps = unfetched_warps | stop_warps | void_warps;

  always @* begin : target_logic
    integer i;
    reg [1:0]  way;
    reg [31:0] missed_pc;
    reg [31:0] stop_pc;
    reg [31:0] branch_pc;
    for (i = 0; i < 2; i = i + 1) begin
      // A number selects one of four addresses with fewer LUTs than masks do.
      way = 2'd0;
      if (unfetched_warps[i]) begin
        way = 2'd1;
      end
      if (stop_warps[i]) begin
        way = 2'd2;
      end
      if (branch_warps[i]) begin
        way = 2'd3;
      end
      missed_pc = icache_missed_pc;
      stop_pc = behind_decode_pc;
      branch_pc = branch_target;
      target[i*32 +: 32] = pc[i*32 +: 32] + 32'd4;
      if (way[0]) begin
        target[i*32 +: 32] = missed_pc;
      end
      if (way[1]) begin
        target[i*32 +: 32] = stop_pc;
        if (way[0]) begin
          target[i*32 +: 32] = branch_pc;
        end
      end
      if (resumed_warps[i] & !branch_warps[i]) begin
        target[i*32 +: 32] = behind[i*32 +: 32];
      end
      if (sharing_warps[i]) begin
        target[i*32 +: 32] = control_pc;
      end
      if (cta_warps[i]) begin
        target[i*32 +: 32] = start_pc;
      end
    end
  end

  always @(posedge clock) begin : pipeline
    integer i;
    for (i = 0; i < 2; i = i + 1) begin
      if (fire_warps[i] | sent_warps[i]) begin
        pc[i*32 +: 32] <= target[i*32 +: 32];
      end
    end
    for (i = 0; i < 2; i = i + 1) begin
      if (issue_fire_warps[i]) begin
        behind[i*32 +: 32] <= issue_pc + 32'd4;
      end
    end
  end

  // 5. why a warp does not fetch
  assign wake_warps = icache_wake_warps;

  always @(posedge clock) begin
    if (reset) begin
      suspended <= 2'd0;
      waiting_warps <= 2'd0;
    end else begin
      suspended <= unserved_warps & ~wake_warps & ~(flushed_warps | stop_warps | begun_warps);
      waiting_warps <= ((waiting_warps & ~(control_warp_mask_oh | fence_i_done_warps)) | halted_warps) &
          ~(flushed_warps | begun_warps);
    end
  end

  assign halted_warps = stop_warps;

  // 6. active warps and lanes
  always @(posedge clock) begin : state_3
    integer i;
    if (reset) begin
      core_active_warps <= 2'd0;
      tmask <= 4'd0;
    end else begin
      core_active_warps <= (core_active_warps & ~ended_warps) | begun_warps;
      for (i = 0; i < 2; i = i + 1) begin
        if (control_warp_mask_oh[i]) begin
          tmask[i*2 +: 2] <= wctl_tmask;
        end
        if (fault_warp_mask_oh[i]) begin
          tmask[i*2 +: 2] <= 2'd0;
        end
        if (begun_warps[i]) begin
          tmask[i*2 +: 2] <= FIRST_LANE;
          if (map_in_grid) begin
            tmask[i*2 +: 2] <= ALL_LANES;
            if (map_last_warps[i]) begin
              tmask[i*2 +: 2] <= map_last_lanes;
            end
          end
        end
      end
    end
  end

  // 7. what the others see, all schedulers among them
  assign core_start_warps = begun_warps;
  assign core_exit_warps = ended_warps;

  always @* begin
    core_cta_start = begun_warps;
    core_cta = OWN_CTA;
    if (map_in_grid) begin
      core_cta_start = cta_slot_oh;
      core_cta = map_slot;
    end
  end

  assign core_held_warps = unserved_warps;
  assign core_icache_req_ready = icache_req_ready;
  assign core_fetch_fire_warps = fire_warps;
  assign core_issue_fire_warps = issue_fire_warps;
  assign core_blocked_warps = blocked_warps;
  assign core_barrier_warps = barrier_warps;
  assign core_barrier_arrive_warps = barrier_arrive_warps;
  assign core_barrier_release_warps = barrier_release_warps;
  assign core_memory_done_warps = memory_done_warps;
  assign core_kernel_start = boot | launch;
  assign core_last_cta_dispatched = last_dispatched;

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, cta_valid, cta_slot, cta_id, cta_x, cta_y, cta_z, map_size, map_rank, map_local_base,
      map_local_bytes};

  // Not read: under the unified scheduler fetching does not stop.
  wire unused_decode_stops_fetch = &{1'b0, decode_stops_fetch};
endmodule

`default_nettype wire
