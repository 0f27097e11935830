`default_nettype none

// Two more schedulers of the slice's policy, which see warps as ready whose instruction has not been fetched in time.
// Latency: combinational; the counters one cycle.
// Reset: counters 0, oracles as their policy.
// Invariants: none that the core depends on; a core without oracles issues the same.
module Oracles (
  input wire         clock,                      // Rising edge moves the state.
  input wire         reset,                      // Synchronous, active high.
  // What the issue scheduler sees of the slice.
  input wire  [1:0]  stage_ready_warps,          // The candidates. At fetch: fetch-ready; at issue: issue-ready.
  input wire  [1:0]  stage_data_ready_warps,     // Ready but for the unit that is to take the instruction. At fetch: as
                                                 // `ready_warps`.
  input wire  [1:0]  stage_own_warps,            // The warps that this scheduler may ever grant.
  input wire  [1:0]  stage_memory_warps,         // The head of the queue is a load or a store.
  input wire  [1:0]  stage_empty_warps,          // The queue is empty. At fetch: and nothing is on its way to it.
  input wire  [5:0]  stage_unissued,             // Instructions fetched and not yet issued. At issue: 0.
  input wire         stage_fire,                 // The grant of this cycle left the stage.
  input wire  [1:0]  stage_fired_oh,             // The warp that left the stage through this scheduler: the grant, if
                                                 // `fire`.

  input wire  [1:0]  absent_warps,               // A bit a warp: could have an issue-ready head, but has none.
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

  // A branch or jump that resolves.
  input wire         branch_valid,               // A branch or jump is resolved.
  input wire         branch_wid,                 // Its warp.
  input wire         branch_taken,               // It is taken.
  input wire  [31:0] branch_target,              // Where to.

  input wire  [1:0]  grant_oh,                   // A bit a warp: the issue scheduler's grant.
  input wire         stalled,                    // No grant can issue.
  // What they say.
  output wire        view_discrepancy,           // The scheduler that knows of all instructions, fetched or not, grants
                                                 // another warp.
  output wire        view_error,                 // So does the one that excuses what has not been fetched in time.
  output wire [31:0] view_discrepancies,         // Cycles with a discrepancy so far.
  output wire [31:0] view_errors                 // Cycles with an error so far.
);

  localparam [2:0] REFETCH = 3'd4;
  localparam [2:0] ONE = 3'd1;

  wire [1:0]  present;
  wire [1:0]  absent;
  reg  [1:0]  excused;
  reg  [1:0]  differs;
  reg  [5:0]  excuses;
  reg  [63:0] counts_next;
  reg  [63:0] counts;
  reg  [3:0]  schedulers_stage_ready_warps;
  reg  [3:0]  schedulers_stage_data_ready_warps;
  reg  [1:0]  schedulers_stage_fire;
  reg  [3:0]  schedulers_stage_fired_oh;
  wire [3:0]  schedulers_grant_oh;

  genvar gi;

  always @(posedge clock) begin
    if (reset) begin
      counts <= 64'd0;
    end else begin
      counts <= counts_next;
    end
  end

  // 1. heads that are there, and warps that miss theirs
  assign present = stage_ready_warps & ~core_held_warps;
  assign absent = absent_warps | (stage_ready_warps & core_held_warps);

  // 2. excuses: a miss for as long as it lasts, then, as after a taken branch, for the time of a fetch
  always @* begin : excused_logic
    integer i;
    excused = core_held_warps;
    for (i = 0; i < 2; i = i + 1) begin
      if (|excuses[i*3 +: 3]) begin
        excused[i] = 1'b1;
      end
    end
  end

  always @(posedge clock) begin : state
    integer i;
    if (reset) begin
      excuses <= 6'd0;
    end else begin
      for (i = 0; i < 2; i = i + 1) begin
        if (|excuses[i*3 +: 3]) begin
          excuses[i*3 +: 3] <= excuses[i*3 +: 3] - ONE;
        end
        if (core_held_warps[i] | (branch_valid & branch_taken & (branch_wid == i[0]))) begin
          excuses[i*3 +: 3] <= REFETCH;
        end
      end
    end
  end

  // 3. the oracles' choice
  generate
    for (gi = 0; gi < 2; gi = gi + 1) begin : schedulers
      GreedyLooseRoundRobin unit (
        .clock                      (clock),
        .reset                      (reset),
        .stage_ready_warps          (schedulers_stage_ready_warps[gi*2 +: 2]),
        .stage_data_ready_warps     (schedulers_stage_data_ready_warps[gi*2 +: 2]),
        .stage_own_warps            (stage_own_warps),
        .stage_memory_warps         (stage_memory_warps),
        .stage_empty_warps          (stage_empty_warps),
        .stage_unissued             (stage_unissued),
        .stage_fire                 (schedulers_stage_fire[gi]),
        .stage_fired_oh             (schedulers_stage_fired_oh[gi*2 +: 2]),
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
        .grant_oh                   (schedulers_grant_oh[gi*2 +: 2]),
        .grant_wid                  ()
      );
    end
  endgenerate

  always @* begin : schedulers_stage_ready_warps_logic
    integer k;
    for (k = 0; k < 2; k = k + 1) begin
      schedulers_stage_ready_warps[k*2 +: 2] = stage_ready_warps;
      schedulers_stage_data_ready_warps[k*2 +: 2] = stage_data_ready_warps;
      schedulers_stage_fire[k] = stage_fire;
      schedulers_stage_fired_oh[k*2 +: 2] = stage_fired_oh;
    end
    schedulers_stage_ready_warps[1:0] = present | absent;
    schedulers_stage_data_ready_warps[1:0] = present | absent;
    schedulers_stage_ready_warps[3:2] = present | (absent & ~excused);
    schedulers_stage_data_ready_warps[3:2] = present | (absent & ~excused);
    // 4. what they remember: their own choice, or, if greedy, what really issued
    for (k = 0; k < 2; k = k + 1) begin
      schedulers_stage_fire[k] = (|grant_oh) & !stalled;
      schedulers_stage_fired_oh[k*2 +: 2] = grant_oh;
    end
  end

  // 5. what differs
  always @* begin : counts_next_logic
    integer k;
    counts_next = counts;
    differs = 2'd0;
    for (k = 0; k < 2; k = k + 1) begin
      differs[k] = !stalled & (schedulers_grant_oh[k*2 +: 2] != grant_oh);
      if (differs[k]) begin
        counts_next[k*32 +: 32] = counts[k*32 +: 32] + 32'd1;
      end
    end
  end

  assign view_discrepancy = differs[0];
  assign view_error = differs[1];
  assign view_discrepancies = counts[31:0];
  assign view_errors = counts[63:32];

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, branch_target};
endmodule

`default_nettype wire
