// SWaS: an instruction queue is never empty, and with the requests in flight it always holds t_F + 1 entries, whatever the
// program, the units and the memory do. So the warp that is selected is the one that the policy names when every queue is
// taken to be full. The schedule stage, the instruction cache, the queues and the unified scheduler are those that `gen` writes.
module swas_queues_properties #(
  parameter W = 2,
  parameter WID_BITS = 1,
  parameter COUNT_BITS = 3
) (
  input wire clock
);

  // What the units, the decoder and the memory do: anything.
  (* anyseq *) wire                reset, branch_valid, branch_taken, wctl_valid, wctl_jump, fault_valid, stall;
  (* anyseq *) wire [WID_BITS-1:0] branch_wid, wctl_wid, fault_wid;
  (* anyseq *) wire [31:0]         start_pc, branch_target, wctl_pc, spawn_pc, decode_instr;
  (* anyseq *) wire                wctl_tmask;
  (* anyseq *) wire [W-1:0]        spawn_warps, fence_i_done_warps, willing_warps, parked_warps;
  (* anyseq *) wire                flush_icache, mem_req_ready, mem_rsp_valid;
  (* anyseq *) wire [2:0]          mem_rsp_tag;
  (* anyseq *) wire [511:0]        mem_rsp_data;
  (* anyseq *) wire [17:0]         decode_registers;
  (* anyseq *) wire [1:0]          decode_collector;
  (* anyseq *) wire [5:0]          decode_flags;

  wire                    icache_req_ready, icache_missed_valid, fetch_valid;
  wire                    decode_valid, decode_nop, grant_valid;
  wire [WID_BITS-1:0]     icache_missed_wid, fetch_wid, decode_wid, grant_wid;
  wire [31:0]             icache_missed_pc, fetch_pc, decode_pc, issue_pc;
  wire [1:0]              icache_stage_valid;
  wire [2*WID_BITS-1:0]   icache_stage_wid;
  wire [W-1:0]            icache_wake_warps, kill_warps, flush_warps;
  wire [W-1:0]            full_queue_warps, ibuffer_valid_warps, grant_oh;
  wire [W*COUNT_BITS-1:0] ibuffer_count;
  // All else that the warp table shows the scheduler; what nothing here drives is anything.
`include "ports.vh"

  // A warp is selected if the unified scheduler grants it and the operand stage has room.
  wire [W-1:0] ready_warps = core_active_warps & willing_warps;
  wire [W-1:0] issue_fire_warps = stall ? {W{1'b0}} : grant_oh;

  WarpTable table (
    .clock(clock), .reset(reset), .start_pc(start_pc),
    .icache_req_ready(icache_req_ready), .icache_stage_valid(icache_stage_valid), .icache_stage_wid(icache_stage_wid),
    .icache_missed_valid(icache_missed_valid), .icache_missed_wid(icache_missed_wid), .icache_missed_pc(icache_missed_pc),
    .icache_wake_warps(icache_wake_warps),
    .decode_valid(decode_valid), .decode_wid(decode_wid), .decode_pc(decode_pc), .decode_stops_fetch(decode_flags[5]),
    .ibuffer_count(ibuffer_count), .head_memory_warps({W{1'b0}}),
    .issue_grant_warps(grant_oh), .issue_fire_warps(issue_fire_warps), .issue_pc(issue_pc),
    .branch_valid(branch_valid), .branch_wid(branch_wid), .branch_taken(branch_taken), .branch_target(branch_target),
    .wctl_valid(wctl_valid), .wctl_wid(wctl_wid), .wctl_tmask(wctl_tmask), .wctl_jump(wctl_jump), .wctl_pc(wctl_pc),
    .spawn_warps(spawn_warps), .spawn_pc(spawn_pc), .fence_i_done_warps(fence_i_done_warps),
    .fault_valid(fault_valid), .fault_wid(fault_wid),
    .fetch_valid(fetch_valid), .fetch_wid(fetch_wid), .fetch_pc(fetch_pc), .kill_warps(kill_warps),
    .flush_warps(flush_warps), .full_queue_warps(full_queue_warps), .*
  );

  InstructionCache cache (
    .clock(clock), .reset(reset), .fetch_valid(fetch_valid), .fetch_wid(fetch_wid), .fetch_pc(fetch_pc),
    .kill_warps(kill_warps), .parked_warps(parked_warps), .flush_icache(flush_icache),
    .icache_req_ready(icache_req_ready), .events_missed_valid(icache_missed_valid), .events_missed_wid(icache_missed_wid), .events_missed_pc(icache_missed_pc),
    .events_wake_warps(icache_wake_warps),
    .events_stage_valid(icache_stage_valid), .events_stage_wid(icache_stage_wid),
    .fetched_valid(decode_valid), .fetched_wid(decode_wid), .fetched_pc(decode_pc), .fetched_nop(decode_nop),
    .mem_req_ready(mem_req_ready), .mem_rsp_valid(mem_rsp_valid), .mem_rsp_data(mem_rsp_data), .mem_rsp_tag(mem_rsp_tag)
  );

  InstructionBuffer queues (
    .clock(clock), .reset(reset), .decode_valid(decode_valid), .decode_wid(decode_wid), .decode_pc(decode_pc),
    .decode_instr(decode_instr), .decode_nop(decode_nop),
    .decoded_registers_number(decode_registers), .decoded_registers_used(decode_flags[2:0]),
    .decoded_collector(decode_collector), .decoded_blocks_issue(decode_flags[3]), .decoded_memory(decode_flags[4]),
    .flush_warps(flush_warps), .issue_fire_warps(issue_fire_warps), .read_oh(grant_oh),
    .heads_valid_warps(ibuffer_valid_warps), .ibuffer_count(ibuffer_count), .issue_pc(issue_pc)
  );

  UnifiedScheduler scheduler (
    .clock(clock), .reset(reset), .stage_ready_warps(ready_warps), .stage_own_warps({W{1'b1}}),
    .stage_fire(grant_valid & !stall), .stage_fired_oh(issue_fire_warps),
    .grant_valid(grant_valid), .grant_oh(grant_oh), .grant_wid(grant_wid), .*
  );

  reg started = 1'b0;
  always @(posedge clock) started <= 1'b1;

  always @* begin
    if (!started) assume (reset);
    if (started) begin
      assert (&full_queue_warps);
      assert (&ibuffer_valid_warps);
      // A warp that waits for a line is not selected, and one selection serves both stages.
      assert (!(issue_fire_warps & core_held_warps));
      assert (core_fetch_fire_warps == issue_fire_warps);
    end
  end
endmodule
