`default_nettype none

// Grants the first ready warp after the last that fired, in slot order, wrapping.
// Latency: combinational; the pointer moves at the edge after `fire`, never on a grant alone.
// Reset, and the start of a kernel: as if warp W-1 had fired last, so that scanning begins at warp 0.
// Invariants: one grant if and only if some warp is ready; a warp that stays ready waits for at most W-1 fires.
module LooseRoundRobin (
  input wire        clock,                      // Rising edge moves the state.
  input wire        reset,                      // Synchronous, active high.
  // What the stage that owns the scheduler tells it alone. Masks have a bit, arrays an element for each warp.
  input wire  [1:0] stage_ready_warps,          // The candidates. At fetch: fetch-ready; at issue: issue-ready.
  input wire  [1:0] stage_data_ready_warps,     // Ready but for the unit that is to take the instruction. At fetch: as
                                                // `ready_warps`.
  input wire  [1:0] stage_own_warps,            // The warps that this scheduler may ever grant.
  input wire  [1:0] stage_memory_warps,         // The head of the queue is a load or a store.
  input wire  [1:0] stage_empty_warps,          // The queue is empty. At fetch: and nothing is on its way to it.
  input wire  [5:0] stage_unissued,             // Instructions fetched and not yet issued. At issue: 0.
  input wire        stage_fire,                 // The grant of this cycle left the stage.
  input wire  [1:0] stage_fired_oh,             // The warp that left the stage through this scheduler: the grant, if
                                                // `fire`.

  // What all schedulers of the core see alike.
  input wire  [1:0] core_active_warps,          // Resident and not exited.
  input wire  [1:0] core_start_warps,           // Activated this cycle; active from the next cycle on.
  input wire  [1:0] core_exit_warps,            // Exits this cycle; inactive from the next cycle on.
  input wire  [3:0] core_older,                 // Bit `j` of element `i` says that warp `j` is older than warp `i`.
  input wire  [1:0] core_cta,                   // CTA slot of each warp.
  input wire  [1:0] core_cta_start,             // One bit a CTA slot: a CTA was dispatched to the slot.
  input wire        core_last_cta_dispatched,   // All CTAs of the grid have been dispatched.
  input wire        core_kernel_start,          // A kernel begins.
  input wire  [1:0] core_held_warps,            // Waiting for a line of the instruction cache, from the second cycle
                                                // after the request on.
  input wire        core_icache_req_ready,      // The instruction cache takes a request this cycle.
  input wire  [1:0] core_fetch_fire_warps,      // The warp for which an instruction was requested this cycle.
  input wire  [1:0] core_issue_fire_warps,      // The warps whose head issued this cycle, of all slices.
  input wire  [1:0] core_blocked_warps,         // Data-ready and not issue-ready: the head's class has no room, in
                                                // whichever slice.
  // Barriers.
  input wire  [1:0] core_barrier_warps,         // Waiting at a barrier.
  input wire  [1:0] core_barrier_arrive_warps,  // Arrives at a barrier and, unless released in the same cycle, will
                                                // wait.
  input wire  [1:0] core_barrier_release_warps, // Released from a barrier.

  // Loads and stores.
  input wire  [1:0] core_memory_done_warps,     // A load returned completely or a store was accepted completely.

  // The choice.
  output wire       grant_valid,                // A warp is granted.
  output wire [1:0] grant_oh,                   // The granted warp, or none.
  output wire       grant_wid                   // Its number; 0 without a grant.
);

  localparam [1:0] TOP = 2'd2;

  reg [1:0] last_fired; // One-hot.

  // 1. candidates: the ready warps
  NextInTurn turn (
    .candidates (stage_ready_warps),
    .last_oh    (last_fired),
    .next_oh    (grant_oh)
  );

  // 2. pick the first of them after the last that fired
  assign grant_valid = |stage_ready_warps;

  OneHotIndex_W2 encoder (
    .mask_oh (grant_oh),
    .index   (grant_wid)
  );

  // 3. remember the warp that fired
  always @(posedge clock) begin
    if (reset) begin
      last_fired <= 2'd2;
    end else begin
      if (stage_fire) begin
        last_fired <= stage_fired_oh;
      end
      if (core_kernel_start) begin
        last_fired <= TOP;
      end
    end
  end

  // Not read: comes with the rest of its bundle.
  wire unused = &{1'b0, stage_data_ready_warps, stage_own_warps, stage_memory_warps, stage_empty_warps, stage_unissued,
      core_active_warps, core_start_warps, core_exit_warps, core_older, core_cta, core_cta_start,
      core_last_cta_dispatched, core_held_warps, core_icache_req_ready, core_fetch_fire_warps, core_issue_fire_warps,
      core_blocked_warps, core_barrier_warps, core_barrier_arrive_warps, core_barrier_release_warps,
      core_memory_done_warps};
endmodule

`default_nettype wire
