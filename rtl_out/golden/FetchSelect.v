`default_nettype none

// The choice of the warp of a slice that fetches in this cycle.
// Latency: combinational but for the policy's state.
// Reset: that of the policy.
// Invariants: a fetch for which only a head that is granted issue makes room is given up if that does not leave.
module FetchSelect (
  input wire         clock,                      // Rising edge moves the state.
  input wire         reset,                      // Synchronous, active high.
  input wire  [1:0]  own_warps,                  // The warps of the slice.
  input wire  [1:0]  able_warps,                 // Warps that fetch if there is room.
  input wire  [1:0]  full_warps,                 // There is no room in the queue.
  input wire  [1:0]  issue_grant_warps,          // The head is granted issue.
  input wire  [1:0]  issue_fire_warps,           // The head issues.
  input wire  [1:0]  head_memory_warps,          // The head is a load or a store.
  input wire  [5:0]  occupancy,                  // Instructions of each warp that are queued or in flight.
  input wire  [63:0] pc,                         // Where each warp fetches next.
  // What all schedulers see alike.
  input wire  [1:0]  core_active_warps,          // Resident and not exited.
  input wire  [1:0]  core_start_warps,           // Activated this cycle; active from the next cycle on.
  input wire  [1:0]  core_exit_warps,            // Exits this cycle; inactive from the next cycle on.
  input wire  [3:0]  core_older,                 // Bit `j` of element `i` says that warp `j` is older than warp `i`.
  input wire  [1:0]  core_cta,                   // CTA slot of each warp.
  input wire  [1:0]  core_cta_start,             // One bit a CTA slot: a CTA was dispatched to the slot.
  input wire         core_last_cta_dispatched,   // All CTAs of the grid have been dispatched.
  input wire         core_kernel_start,          // A kernel begins.
  input wire  [1:0]  core_held_warps,            // Waiting for a line of the instruction cache, from the second cycle
                                                 // after the request on.
  input wire         core_icache_req_ready,      // The instruction cache takes a request this cycle.
  input wire  [1:0]  core_fetch_fire_warps,      // The warp for which an instruction was requested this cycle.
  input wire  [1:0]  core_issue_fire_warps,      // The warps whose head issued this cycle, of all slices.
  input wire  [1:0]  core_blocked_warps,         // Data-ready and not issue-ready: the head's class has no room, in
                                                 // whichever slice.
  // Barriers.
  input wire  [1:0]  core_barrier_warps,         // Waiting at a barrier.
  input wire  [1:0]  core_barrier_arrive_warps,  // Arrives at a barrier and, unless released in the same cycle, will
                                                 // wait.
  input wire  [1:0]  core_barrier_release_warps, // Released from a barrier.

  // Loads and stores.
  input wire  [1:0]  core_memory_done_warps,     // A load returned completely or a store was accepted completely.

  input wire         icache_req_ready,           // The instruction cache takes a fetch this cycle.
  // The fetch that is requested.
  output wire        fetch_valid,                // An instruction is fetched.
  output reg         fetch_wid,                  // Its warp.
  output wire [31:0] fetch_pc,                   // Its address.

  output reg  [1:0]  fire_warps,                 // The warp of the fetch that is taken.
  // What the policy sees.
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

  output reg  [1:0]  sched_grant_oh              // Its choice.
);

  reg  [1:0]  starved_warps;
  wire [1:0]  open_warps;
  wire [1:0]  leaving_warps;
  reg  [1:0]  ready_warps;
  wire [1:0]  roomy_warps;
  reg  [31:0] fetch_address;
  wire [1:0]  scheduler_grant_oh;
  wire        scheduler_grant_wid;
  wire        leaving_index_index;

  // 1. candidates: fetch-ready warps; and who has nothing, nor anything on its way
  always @* begin : starved_warps_logic
    integer i;
    starved_warps = own_warps;
    for (i = 0; i < 2; i = i + 1) begin
      if (|occupancy[i*3 +: 3]) begin
        starved_warps[i] = 1'b0;
      end
    end
  end

  assign open_warps = own_warps & able_warps & ~full_warps;

  // The room that a head leaves counts if there is no other, so that the fetch slot is not lost.
  assign leaving_warps = own_warps & able_warps & issue_grant_warps;

  always @* begin
    ready_warps = open_warps;
    if (!(|open_warps)) begin
      ready_warps = leaving_warps;
    end
  end

  // 2. pick
  assign sched_ready_warps = ready_warps;
  assign sched_data_ready_warps = ready_warps;
  assign sched_own_warps = own_warps;
  assign sched_memory_warps = head_memory_warps;
  assign sched_empty_warps = starved_warps;
  assign sched_unissued = occupancy;

  always @* begin
    sched_grant_oh = scheduler_grant_oh;
    fetch_wid = scheduler_grant_wid;
    // One slice grants one warp, so there is no choice, and the policy would take long to make it.
    if (!(|open_warps)) begin
      sched_grant_oh = leaving_warps;
      fetch_wid = leaving_index_index;
    end
  end

  OneHotIndex_W2 leaving_index (
    .mask_oh (leaving_warps),
    .index   (leaving_index_index)
  );

  // 3. the request
  // Whether the granted head really leaves is known late: if not, there is no room, and no fetch.
  assign roomy_warps = ~full_warps | issue_fire_warps;
  assign fetch_valid = |(sched_grant_oh & roomy_warps);

  always @* begin : fetch_address_logic
    integer i;
    fetch_address = 32'd0;
    for (i = 0; i < 2; i = i + 1) begin
      if (sched_grant_oh[i]) begin
        fetch_address = fetch_address | pc[i*32 +: 32];
      end
    end
  end

  assign fetch_pc = fetch_address;

  always @* begin
    fire_warps = 2'd0;
    if (icache_req_ready) begin
      fire_warps = sched_grant_oh & roomy_warps;
    end
  end

  assign sched_fire = fetch_valid & icache_req_ready;
  assign sched_fired_oh = fire_warps;

  LooseRoundRobin scheduler (
    .clock                      (clock),
    .reset                      (reset),
    .stage_ready_warps          (open_warps),
    .stage_data_ready_warps     (open_warps),
    .stage_own_warps            (sched_own_warps),
    .stage_memory_warps         (sched_memory_warps),
    .stage_empty_warps          (sched_empty_warps),
    .stage_unissued             (sched_unissued),
    .stage_fire                 (sched_fire),
    .stage_fired_oh             (sched_fired_oh),
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
    .grant_valid                (),
    .grant_oh                   (scheduler_grant_oh),
    .grant_wid                  (scheduler_grant_wid)
  );
endmodule

`default_nettype wire
