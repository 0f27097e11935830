//! The core: wiring only. Every line of logic lives in a stage or a unit; this file says who talks to whom.
mod axi;
mod ports;

use crate::prelude::*;

pub use axi::AxiCore;
pub use ports::Core;

impl Logic for Core {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread mpm_class: only counters have classes");
        comment!("1. what the slices agree on");
        self.issue_grant_warps.next = 0.into();
        self.issue_fire_warps.next = 0.into();
        self.blocked_warps.next = 0.into();
        self.pipelines_busy.next = false;
        for s in 0..self._slices {
            self.issue_grant_warps.next = self.issue_grant_warps.val() | self.slices[s].view_.issue_oh.val();
            self.issue_fire_warps.next =
                self.issue_fire_warps.val() | self.slices[s].view_.issue_fire_warps.val();
            self.blocked_warps.next = self.blocked_warps.val()
                | (self.slices[s].view_.sched.view_.data_ready_warps.val()
                    & (!self.slices[s].view_.sched.view_.ready_warps.val()));
            self.pipelines_busy.next = self.pipelines_busy.val() | self.slices[s].busy.val();
        }
        self.resume_warps.next = self.sfu.resume_warps.val() | self.lsu.fence_done_warps.val();
        comment!("With write-back the data cache writes what is dirty when all else rests; until then the core is busy.");
        self.dispatching.next = false;
        if self.has_grid.val() {
            self.dispatching.next = self.dispatcher.busy.val();
        }
        self.goes_on.next = self.dispatching.val()
            | self.warp_table.core.active_warps.val().any()
            | self.pipelines_busy.val()
            | self.sfu.sfu_busy.val();
        self.others_busy.next = self.goes_on.val() | self.warp_table.core.start_warps.val().any();
        self.lsu.drain.next = !self.others_busy.val();
        self.control_.busy.next = self.others_busy.val() | self.lsu.lsu_busy.val();
        comment!("2. schedule");
        self.warp_table.start_pc.next = self.control_.start_pc.val();
        for s in 0..self._slices {
            self.warp_table.icache_req_ready[s].next = self.icaches[s].icache_req_ready.val();
            Wires::join(&mut self.icaches[s].events, &mut self.warp_table.icache[s]);
            if self.pairs.val() {
                Wires::join(&mut self.second_decoders[s].last, &mut self.warp_table.decode[s]);
                self.warp_table.decode_pair[s].next = self.icaches[s].fetched_second.there.val();
                self.warp_table.decode_stops_fetch[s].next = self.second_decoders[s].stops_fetch.val();
                Wires::join(&mut self.second_decoders[s].predicted, &mut self.warp_table.predicted[s]);
            } else {
                Wires::join(&mut self.icaches[s].fetched, &mut self.warp_table.decode[s]);
                self.warp_table.decode_stops_fetch[s].next = self.decoders[s].stops_fetch.val();
                if self.btfn.val() {
                    self.warp_table.predicted[s].valid.next = self.decoders[s].predicts_taken.val();
                    self.warp_table.predicted[s].offset.next = self.decoders[s].imm.val();
                }
            }
        }
        Wires::join(&mut self.ibuffer.ibuffer_count, &mut self.warp_table.ibuffer_count);
        self.warp_table.head_memory_warps.next = self.ibuffer.heads.memory_warps.val();
        self.warp_table.issue_grant_warps.next = self.issue_grant_warps.val();
        self.warp_table.issue_fire_warps.next = self.issue_fire_warps.val();
        self.warp_table.blocked_warps.next = self.blocked_warps.val();
        for s in 0..self._slices {
            Wires::join(&mut self.slices[s].branch, &mut self.warp_table.branch[s]);
        }
        if self.unified.val() {
            self.warp_table.issue_pc.next = self.ibuffer.issue_pc[0].val();
        }
        Wires::join(&mut self.sfu.wctl, &mut self.warp_table.wctl);
        self.warp_table.spawn_warps.next = self.sfu.spawn_warps.val();
        self.warp_table.spawn_pc.next = self.sfu.spawn_pc.val();
        Wires::join(&mut self.sfu.barrier, &mut self.warp_table.barrier);
        self.warp_table.fence_i_done_warps.next = 0.into();
        if self.lsu.flush_icache.val() {
            self.warp_table.fence_i_done_warps.next = self.lsu.fence_done_warps.val();
        }
        Wires::join(&mut self.lsu.memory, &mut self.warp_table.memory);
        self.warp_table.fault_valid.next = self.latch.stop_valid.val();
        self.warp_table.fault_wid.next = self.latch.stop_wid.val();
        comment!("3. fetch: a cache for each slice");
        for s in 0..self._slices {
            Wires::join(&mut self.warp_table.fetch[s], &mut self.icaches[s].fetch);
            self.icaches[s].kill_warps.next = self.warp_table.kill_warps.val();
            if self.unified.val() {
                self.icaches[s].parked_warps.next = self.slices[0].view_.stall_on.control.val();
            }
            self.icaches[s].flush_icache.next = self.lsu.flush_icache.val();
            if self.has_grid.val() {
                self.icaches[s].flush_icache.next = self.lsu.flush_icache.val() | self.dispatcher.taken.val();
            }
        }
        comment!("4. decode, into the instruction queues");
        for s in 0..self._slices {
            self.decoders[s].instr.next = self.icaches[s].fetched_instr.val();
            Wires::join(&mut self.icaches[s].fetched, &mut self.ibuffer.decode[s]);
            self.ibuffer.decode_instr[s].next = self.icaches[s].fetched_instr.val();
            Wires::join(&mut self.icaches[s].fetched_nop, &mut self.ibuffer.decode_nop);
            Wires::join(&mut self.decoders[s].decoded, &mut self.ibuffer.decoded[s]);
            if self.pairs.val() {
                Wires::join(&mut self.icaches[s].fetched, &mut self.second_decoders[s].fetched);
                Wires::join(&mut self.icaches[s].fetched_second, &mut self.second_decoders[s].second);
                self.second_decoders[s].first_stops_fetch.next = self.decoders[s].stops_fetch.val();
                if self.btfn.val() {
                    self.second_decoders[s].first_predicted.valid.next =
                        self.decoders[s].predicts_taken.val();
                    self.second_decoders[s].first_predicted.offset.next = self.decoders[s].imm.val();
                }
                self.ibuffer.second_valid[s].next = self.second_decoders[s].valid.val();
                self.ibuffer.second_instr[s].next = self.icaches[s].fetched_second.instr.val();
                Wires::join(&mut self.second_decoders[s].decoded, &mut self.ibuffer.second_decoded[s]);
            }
        }
        self.ibuffer.flush_warps.next = self.warp_table.flush_warps.val();
        self.ibuffer.issue_fire_warps.next = self.issue_fire_warps.val();
        comment!("5. issue, execute and commit: the slices");
        for s in 0..self._slices {
            self.slices[s].inputs_.own_warps.next = self.own_warps[s].val();
            self.ibuffer.read_oh[s].next = self.slices[s].view_.issue_oh.val();
            self.slices[s].inputs_.head_instr.next = self.ibuffer.issue_instr[s].val();
            self.slices[s].inputs_.head_pc.next = self.ibuffer.issue_pc[s].val();
            Wires::join(&mut self.ibuffer.heads, &mut self.slices[s].inputs_.heads);
            self.slices[s].inputs_.flush_warps.next = self.warp_table.flush_warps.val();
            Wires::join(&mut self.warp_table.core, &mut self.slices[s].inputs_.core);
            Wires::join(&mut self.warp_table.tables, &mut self.slices[s].inputs_.tables);
            self.slices[s].inputs_.resume_warps.next = self.resume_warps.val();
            Data::join(&mut self.warp_table.tmask, &mut self.slices[s].inputs_.tmask);
        }
        for s in 0..self._float_slices {
            self.sfu.core_.commit_flags[s].next = self.slices[s].commit.write_.flags.val();
            Data::join(&mut self.sfu.frm, &mut self.slices[s].inputs_.frm);
            self.sfu.core_.commit_wid[s].next = self.slices[s].commit.write_.to_.wid.val();
        }
        comment!("6. loads and stores");
        for s in 0..self._slices {
            Wires::join(&mut self.slices[s].mem, &mut self.lsu.mem[s]);
            self.slices[s].lsu_result.valid.next = self.lsu.lsu_result_valid[s].val();
            self.lsu.lsu_result_ready[s].next = self.slices[s].lsu_result.ready.val();
        }
        for s in 0..self._loading_together {
            Wires::join(&mut self.lsu.lsu_result[0], &mut self.slices[s].lsu_result.result_);
            self.slices[s].lsu_result_last.next = self.lsu.lsu_result_last[0].val();
        }
        for s in 0..self._loading_apart {
            Wires::join(&mut self.lsu.lsu_result[s], &mut self.slices[s].lsu_result.result_);
            self.slices[s].lsu_result_last.next = self.lsu.lsu_result_last[s].val();
        }
        comment!("7. CSRs, warp control, barriers");
        self.sfu.core_.start_arg.next = self.control_.start_arg.val();
        self.sfu.core_.running.next = self.control_.busy.val();
        self.sfu.core_.active_warps.next = self.warp_table.core.active_warps.val();
        for s in 0..self._slices {
            self.sfu.core_.issue_fire[s].next = self.slices[s].view_.issue.valid.val();
            self.sfu.core_.issue_tmask[s].next = self.slices[s].view_.issue.tmask.val();
            Wires::join(&mut self.slices[s].sfu, &mut self.sfu.sfu[s]);
            self.slices[s].sfu_result.valid.next = self.sfu.sfu_result_valid[s].val();
            Wires::join(&mut self.sfu.sfu_result, &mut self.slices[s].sfu_result.result_);
            self.sfu.sfu_result_ready[s].next = self.slices[s].sfu_result.ready.val();
        }
        comment!("8. one bus for instructions and data");
        Wires::join(&mut self.lsu.lsu_req, &mut self.arbiter.requests[0]);
        Wires::join(&mut self.arbiter.responses[0], &mut self.lsu.lsu_rsp);
        for s in 0..self._slices {
            Wires::join(&mut self.icaches[s].mem_req, &mut self.arbiter.requests[s + 1]);
            Wires::join(&mut self.arbiter.responses[s + 1], &mut self.icaches[s].mem_rsp);
        }
        Wires::join(&mut self.arbiter.mem_req, &mut self.mem_req);
        Wires::join(&mut self.mem_rsp, &mut self.arbiter.mem_rsp);
        self.lsu.writes_pending.next = false;
        self.latch.bus_error_valid.next = false;
        self.latch.bus_error_line.next = 0.into();
        if self.axi4.val() {
            self.lsu.writes_pending.next = self.bus.writes_pending.val();
            self.latch.bus_error_valid.next = self.bus.error_valid.val();
            self.latch.bus_error_line.next = self.bus.error_line.val();
        }
        comment!("9. performance counters");
        self.sfu.counter_value.next = 0.into();
        if self.has_counters.val() {
            self.counters.now_.busy.next = self.control_.busy.val();
            self.counters.now_.head_memory_warps.next = self.ibuffer.heads.memory_warps.val();
            self.counters.now_.head_use_rd_warps.next = self.ibuffer.heads.write_warps.val();
            self.counters.now_.barrier_warps.next = self.sfu.barrier.warps.val();
            self.counters.now_.load_[0].load_commit_valid.next = false;
            for s in 0..self._slices {
                self.counters.now_.slices_[s].issue_fire.next = self.slices[s].view_.issue.valid.val();
                self.counters.now_.slices_[s].issue_fire_warps.next =
                    self.slices[s].view_.issue_fire_warps.val();
                self.counters.now_.slices_[s].issue_tmask.next = self.slices[s].view_.issue.tmask.val();
                self.counters.now_.slices_[s].issue_store.next = self.ibuffer.issue_instr[s].val().get_bit(5);
                Wires::join(&mut self.slices[s].view_.stall_on, &mut self.counters.now_.slices_[s].stall_on);
                if self.lsu.lsu_result_valid[s].val() & self.slices[s].lsu_result.ready.val() {
                    self.counters.now_.load_[0].load_commit_valid.next = true;
                }
                self.counters.now_.slices_[s].fetch_ready_warps.next =
                    self.warp_table.sched[s].view_.ready_warps.val();
                self.counters.now_.slices_[s].fetch_fire.next = self.warp_table.sched[s].view_.fire.val();
                Wires::join(&mut self.icaches[s].icache, &mut self.counters.now_.slices_[s].icache);
            }
            for s in 0..self._loading_apart {
                self.counters.now_.load_[s].load_commit_valid.next =
                    self.lsu.lsu_result_valid[s].val() & self.slices[s].lsu_result.ready.val();
            }
            for s in 0..self._load_results {
                self.counters.now_.load_[s].load_commit_wid.next = self.lsu.lsu_result[s].to_.wid.val();
                self.counters.now_.load_[s].load_commit_tmask.next = self.lsu.lsu_result[s].to_.tmask.val();
                self.counters.now_.load_[s].load_commit_last.next = self.lsu.lsu_result_last[s].val();
            }
            Wires::join(&mut self.lsu.events, &mut self.counters.now_.memory);
            Wires::join(&mut self.arbiter.events, &mut self.counters.now_.bus);
            self.counters.now_.suspended_warps.next = self.warp_table.core.held_warps.val();
            self.counters.mpm_class.next = self.control_.mpm_class.val();
            self.counters.select.next = self.sfu.counter_select.val();
            self.counters.upper.next = self.sfu.counter_upper.val();
            self.counters.read.next = self.sfu.counter_read.val();
            self.sfu.counter_value.next = self.counters.value.val();
        }
        comment!("10. faults");
        Wires::join(&mut self.lsu.fault, &mut self.latch.lsu_fault);
        Wires::join(&mut self.sfu.fault, &mut self.latch.sfu_fault);
        Wires::join(&mut self.latch.fault, &mut self.fault);
        if self.has_grid.val() {
            comment!("11. the dispatcher of thread blocks, and who has to know of them");
            Wires::join(&mut self.launch, &mut self.dispatcher.launch);
            self.dispatcher.may_launch.next =
                !self.goes_on.val() & !self.lsu.lsu_busy.val() & !self.reset.val();
            self.dispatcher.start_pc.next = self.control_.start_pc.val();
            self.dispatcher.active_warps.next = self.warp_table.core.active_warps.val();
            self.warp_table.launch.next = self.dispatcher.taken.val();
            self.warp_table.last_dispatched.next = self.dispatcher.last_dispatched.val();
            Wires::join(&mut self.dispatcher.grid.start, &mut self.warp_table.cta);
            Wires::join(&mut self.dispatcher.grid.map, &mut self.warp_table.map);
            self.sfu.core_.launch.next = self.dispatcher.taken.val();
            self.sfu.core_.start_pc.next = self.control_.start_pc.val();
            Wires::join(&mut self.dispatcher.grid, &mut self.sfu.core_.grid);
            Wires::join(&mut self.dispatcher.grid.map, &mut self.lsu.map);
            Wires::join(&mut self.dispatcher.fault, &mut self.latch.launch_fault);
        }
        if self.shares.val() {
            comment!("12. warp sharing: who issues through another slice than its own");
            self.sharing.mem_warps.next = self.ibuffer.heads.mem_warps.val();
            Data::join(&mut self.warp_table.core.older, &mut self.sharing.older);
            for s in 0..self._slices {
                Wires::join(&mut self.slices[s].state, &mut self.sharing.states[s]);
                Wires::join(&mut self.sharing.orders[s], &mut self.slices[s].orders);
                Wires::join(&mut self.slices[s].away, &mut self.sharing.away[s]);
                Wires::join(&mut self.sharing.home[s], &mut self.slices[s].home);
            }
        }
        if self.has_trace.val() {
            comment!("13. the trace port");
            for s in 0..self._slices {
                Wires::join(&mut self.slices[s].view_.issue, &mut self.trace.issue[s]);
                Wires::join(&mut self.slices[s].commit, &mut self.trace.commit[s]);
                Wires::join(&mut self.slices[s].view_.sched, &mut self.trace.issue_sched[s]);
                self.trace.operand_stall[s].next = self.slices[s].view_.operand_stall.val();
            }
            for s in 0..self._collecting_slices {
                Wires::join(&mut self.slices[s].view_.collect, &mut self.trace.collect[s]);
            }
            for s in 0..self._oracles {
                Wires::join(&mut self.slices[s].view_.oracle, &mut self.trace.oracles_[s]);
            }
            Wires::join(&mut self.sharing.view, &mut self.trace.sharing);
            Wires::join(&mut self.lsu.access, &mut self.trace.access);
            Wires::join(&mut self.warp_table.core, &mut self.trace.core_);
            for s in 0..self._slices {
                Wires::join(&mut self.warp_table.sched[s], &mut self.trace.fetch[s]);
                Wires::join(&mut self.icaches[s].icache, &mut self.trace.icache[s]);
            }
            self.trace.full_queue_warps.next = self.warp_table.full_queue_warps.val();
            self.trace.flush_warps.next = self.warp_table.flush_warps.val();
            self.trace.waiting_warps.next = self.warp_table.waiting_warps.val();
            Wires::join(&mut self.lsu.events, &mut self.trace.memory_);
            Wires::join(&mut self.arbiter.events, &mut self.trace.bus);
            Data::join(&mut self.lsu.load_started, &mut self.trace.load_started);
            Data::join(&mut self.lsu.load_done, &mut self.trace.load_done);
            Data::join(&mut self.no_stalls, &mut self.trace.stall);
            for s in 0..self._slices {
                Either::join(&mut self.slices[s].view_.stall_on, &mut self.trace.stall);
            }
            Wires::join(&mut self.counters.counter, &mut self.trace.counter);
        }
    }
}
