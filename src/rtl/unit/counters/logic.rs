//! What the counters count.
use super::amounts::InOrder;
use super::PerfCounters;
use crate::prelude::*;

impl Logic for PerfCounters {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread still_loading: what can be under way needs fewer bits than the widest accumulator");
        comment!("1. what happened in the last cycle: here the events' paths end");
        Data::join(&mut self.now_, &mut self.last);
        comment!("2. warps with a load under way");
        self.loading_warps.next = 0.into();
        for w in 0..self._warps {
            self.loading_warps.next = self.loading_warps.val().replace_bit(w, self.loads_of[w].q.val() != 0);
        }
        comment!("3. each slot's class, in the order of precedence");
        self.amounts.issued.next = 0.into();
        self.amounts.nops.next = 0.into();
        self.amounts.idle.next = 0.into();
        self.amounts.idle_control.next = 0.into();
        self.amounts.idle_ibuffer.next = 0.into();
        self.amounts.idle_barrier.next = 0.into();
        self.amounts.scoreboard.next = 0.into();
        self.amounts.scoreboard_load.next = 0.into();
        self.amounts.pipeline.next = 0.into();
        for s in 0..self._slices {
            if self.last.slices_[s].issue_fire.q.val() {
                self.amounts.issued.next = self.amounts.issued.val() + 1;
            } else if self.last.slices_[s].issue_fire_warps.q.val() != 0 {
                self.amounts.nops.next = self.amounts.nops.val() + 1;
            } else if self.last.slices_[s].stall_on.pipeline.q.val() != 0 {
                self.amounts.pipeline.next = self.amounts.pipeline.val() + 1;
            } else if self.last.slices_[s].stall_on.scoreboard.q.val() != 0 {
                self.amounts.scoreboard.next = self.amounts.scoreboard.val() + 1;
                if (self.last.slices_[s].stall_on.scoreboard.q.val() & self.loading_warps.val()) != 0 {
                    self.amounts.scoreboard_load.next = self.amounts.scoreboard_load.val() + 1;
                }
            } else {
                self.amounts.idle.next = self.amounts.idle.val() + 1;
                if (self.last.slices_[s].stall_on.control.q.val() & !self.last.barrier_warps.q.val()) != 0 {
                    self.amounts.idle_control.next = self.amounts.idle_control.val() + 1;
                } else if self.last.slices_[s].stall_on.ibuffer.q.val() != 0 {
                    self.amounts.idle_ibuffer.next = self.amounts.idle_ibuffer.val() + 1;
                } else if self.last.slices_[s].stall_on.control.q.val() != 0 {
                    self.amounts.idle_barrier.next = self.amounts.idle_barrier.val() + 1;
                }
            }
        }
        comment!("4. loads and stores that issue, a thread each");
        self.amounts.loads.next = 0.into();
        self.amounts.stores.next = 0.into();
        self.load_issues_warps.next = 0.into();
        for s in 0..self._slices {
            self.memory_warps.next =
                self.last.slices_[s].issue_fire_warps.q.val() & self.last.head_memory_warps.q.val();
            if self.last.slices_[s].issue_fire.q.val() & (self.memory_warps.val() != 0) {
                self.lanes.next = 0.into();
                for i in 0..self._threads {
                    self.lane_bit.next = self.last.slices_[s].issue_tmask.q.val().get_bits::<1>(i);
                    self.lanes.next = self.lanes.val() + bit_cast::<32, 1>(self.lane_bit.val());
                }
                if self.last.slices_[s].issue_store.q.val() {
                    self.amounts.stores.next = self.amounts.stores.val() + self.lanes.val();
                }
                comment!("A load to x0 makes no access.");
                if (self.memory_warps.val() & self.last.head_use_rd_warps.q.val()) != 0 {
                    self.amounts.loads.next = self.amounts.loads.val() + self.lanes.val();
                    self.load_issues_warps.next = self.load_issues_warps.val() | self.memory_warps.val();
                }
            }
        }
        comment!("5. loads that end");
        self.committed_lanes.next = 0.into();
        for k in 0..self._load_results {
            if self.last.load_[k].load_commit_valid.q.val() {
                for i in 0..self._threads {
                    self.lane_bit.next = self.last.load_[k].load_commit_tmask.q.val().get_bits::<1>(i);
                    self.committed_lanes.next =
                        self.committed_lanes.val() + bit_cast::<32, 1>(self.lane_bit.val());
                }
            }
        }
        self.amounts.load_latency.next = bit_cast::<32, 32>(self.loading_lanes.q.val());
        self.still_loading.next =
            self.amounts.load_latency.val() + self.amounts.loads.val() - self.committed_lanes.val();
        self.loading_lanes.d.next = bit_cast::<32, 32>(self.still_loading.val());
        self.load_ends_warps.next = 0.into();
        for k in 0..self._load_results {
            if self.last.load_[k].load_commit_valid.q.val() & self.last.load_[k].load_commit_last.q.val() {
                self.load_ends_warps.next = self.load_ends_warps.val()
                    | (self.first_warp.val() << self.last.load_[k].load_commit_wid.q.val());
            }
        }
        for w in 0..self._warps {
            comment!("One adder for both ways: less one is more by all ones.");
            self.change.next = 0.into();
            if self.load_issues_warps.val().get_bit(w) & !self.load_ends_warps.val().get_bit(w) {
                self.change.next = 1.into();
            }
            if !self.load_issues_warps.val().get_bit(w) & self.load_ends_warps.val().get_bit(w) {
                self.change.next = self.one_load_less.val();
            }
            self.loads_of[w].d.next = self.loads_of[w].q.val() + self.change.val();
        }
        comment!("6. reads on the bus that have not been answered");
        self.opened.next = 0.into();
        if self.last.bus.read.q.val() & !self.last.bus.response.q.val() {
            self.opened.next = 1.into();
        }
        if !self.last.bus.read.q.val() & self.last.bus.response.q.val() {
            self.opened.next = self.one_read_less.val();
        }
        self.open_reads.d.next = self.open_reads.q.val() + self.opened.val();
        comment!("7. warps that wait for instructions");
        self.suspended.next = 0.into();
        for w in 0..self._warps {
            self.lane_bit.next = self.last.suspended_warps.q.val().get_bits::<1>(w);
            self.suspended.next = self.suspended.val() + bit_cast::<32, 1>(self.lane_bit.val());
        }
        comment!("8. threads that local memory serves");
        self.local_accesses.next = 0.into();
        for i in 0..self._threads {
            self.lane_bit.next = self.last.memory.local.lanes.q.val().get_bits::<1>(i);
            self.local_accesses.next = self.local_accesses.val() + bit_cast::<32, 1>(self.lane_bit.val());
        }
        comment!("9. what the fetch slots do");
        self.amounts.fetch_idle.next = 0.into();
        self.amounts.fetch_stall.next = 0.into();
        self.amounts.fetches.next = 0.into();
        self.amounts.icache_misses.next = 0.into();
        for s in 0..self._slices {
            if self.last.slices_[s].fetch_ready_warps.q.val() == 0 {
                self.amounts.fetch_idle.next = self.amounts.fetch_idle.val() + 1;
            } else if !self.last.slices_[s].fetch_fire.q.val() {
                self.amounts.fetch_stall.next = self.amounts.fetch_stall.val() + 1;
            }
            if self.last.slices_[s].icache.hit.q.val() {
                self.amounts.fetches.next = self.amounts.fetches.val() + 1;
            }
            if self.last.slices_[s].icache.miss.q.val() {
                self.amounts.icache_misses.next = self.amounts.icache_misses.val() + 1;
            }
        }
        comment!("A hit takes three cycles; a warp that missed is suspended until its line is there.");
        self.amounts.fetch_latency.next = self.suspended.val()
            + self.amounts.fetches.val()
            + self.amounts.fetches.val()
            + self.amounts.fetches.val();
        self.amounts.icache_reads.next = self.amounts.fetches.val() + self.amounts.icache_misses.val();
        comment!("10. what the memories do");
        self.amounts.memory_reads.next = 0.into();
        if self.last.bus.read.q.val() {
            self.amounts.memory_reads.next = 1.into();
        }
        self.amounts.memory_writes.next = 0.into();
        if self.last.bus.write.q.val() {
            self.amounts.memory_writes.next = 1.into();
        }
        self.amounts.memory_latency.next = bit_cast::<32, 16>(self.open_reads.q.val());
        self.amounts.dcache_reads.next = 0.into();
        self.amounts.dcache_writes.next = 0.into();
        self.amounts.dcache_read_misses.next = 0.into();
        self.amounts.dcache_write_misses.next = 0.into();
        self.amounts.dcache_bank_stalls.next = 0.into();
        self.amounts.dcache_mshr_stalls.next = 0.into();
        self.amounts.dcache_mshrs.next = 0.into();
        for b in 0..self._banks {
            if self.last.memory.dcache[b].read.q.val() {
                self.amounts.dcache_reads.next = self.amounts.dcache_reads.val() + 1;
            }
            if self.last.memory.dcache[b].write.q.val() {
                self.amounts.dcache_writes.next = self.amounts.dcache_writes.val() + 1;
            }
            if self.last.memory.dcache[b].read_miss.q.val() {
                self.amounts.dcache_read_misses.next = self.amounts.dcache_read_misses.val() + 1;
            }
            if self.last.memory.dcache[b].write_miss.q.val() {
                self.amounts.dcache_write_misses.next = self.amounts.dcache_write_misses.val() + 1;
            }
            if self.last.memory.dcache[b].bank_stall.q.val() {
                self.amounts.dcache_bank_stalls.next = self.amounts.dcache_bank_stalls.val() + 1;
            }
            if self.last.memory.dcache[b].mshr_stall.q.val() {
                self.amounts.dcache_mshr_stalls.next = self.amounts.dcache_mshr_stalls.val() + 1;
            }
            self.mshrs_in_use.next = self.last.memory.dcache[b].mshrs_in_use.q.val();
            self.amounts.dcache_mshrs.next =
                self.amounts.dcache_mshrs.val() + bit_cast::<32, 5>(self.mshrs_in_use.val());
        }
        self.amounts.local_reads.next = 0.into();
        if self.last.memory.local.read.q.val() {
            self.amounts.local_reads.next = self.local_accesses.val();
        }
        self.amounts.local_writes.next = 0.into();
        if self.last.memory.local.write.q.val() {
            self.amounts.local_writes.next = self.local_accesses.val();
        }
        self.amounts.local_bank_stalls.next = 0.into();
        if self.last.memory.local.bank_stall.q.val() {
            self.amounts.local_bank_stalls.next = 1.into();
        }
        comment!("By how much each counter grows, in the order of the table.");
        InOrder::join(&mut self.amounts, &mut self.growths);
        comment!(
            "11. the counter that is brought up to date: one that is read, else the one whose turn it is"
        );
        self.key.next = (bit_cast::<8, 3>(self.mpm_class.val().get_bits::<3>(0)) << 5)
            | bit_cast::<8, 5>(self.select.val());
        self.there.next = false;
        self.wanted.next = 0.into();
        if self.read.val() & (self.mpm_class.val() < 4) {
            for k in 0..self._counters {
                if (self.key.val() == self.vortex_keys[k].val()) | (self.key.val() == self.own_keys[k].val())
                {
                    self.there.next = true;
                    self.wanted.next = self.wanted.val() | k.to_bits::<16>();
                }
            }
        }
        self.steals.next = self.there.val() & self.filled.q.val();
        self.number.next = self.turn.q.val();
        if self.steals.val() {
            self.number.next = self.wanted.val();
        } else {
            self.turn.d.next = self.turn.q.val() + 1;
            if self.turn.q.val() == self.last_turn.val() {
                self.turn.d.next = 0.into();
                self.filled.d.next = true;
            }
        }
        comment!("12. what it has accumulated. Reset takes all accumulators, so that they need no other.");
        self.taken.next = self.first.val() << self.number.val();
        if self.reset.val() {
            self.taken.next = !bits::<64>(0);
        }
        self.accumulated.next = self.accumulators[self.number.val().index()].amount.val();
        self.adding.d.next = self.number.val();
        self.added.d.next = self.accumulated.val();
        self.onto_memory.d.next = self.filled.q.val();
        self.shows_low.d.next = self.steals.val() & !self.upper.val();
        self.shows_high.d.next = self.steals.val() & self.upper.val();
        comment!("13. a cycle later: its total; in the first rotation the memory holds nothing yet");
        self.totals.read_address.next = self.adding.q.val();
        self.base.next = 0.into();
        if self.onto_memory.q.val() {
            self.base.next = self.totals.read_data.val();
        }
        self.total.next = self.base.val() + bit_cast::<44, 32>(self.added.q.val());
        self.totals.write_enable.next = true;
        self.totals.write_address.next = self.adding.q.val();
        self.totals.write_data.next = self.total.val();
        self.counter.number.next = self.adding.q.val();
        self.counter.total.next = self.total.val();
        self.value.next = 0.into();
        if self.shows_low.q.val() {
            self.value.next = self.total.val().get_bits::<32>(0);
        }
        if self.shows_high.q.val() {
            self.value.next = self.value.val() | bit_cast::<32, 12>(self.total.val().get_bits::<12>(32));
        }
        comment!("14. count; the accumulator that has been added goes on from what comes in this cycle");
        self.counts.next = self.last.busy.q.val() & !self.reset.val();
        for k in 0..self._counters {
            self.accumulators[k].counts.next = self.counts.val();
            self.accumulators[k].growth.next = self.growths[k].val();
            self.accumulators[k].mask.next = self.accumulator_masks[k].val();
            self.accumulators[k].taken.next = self.taken.val().get_bit(k);
        }
    }
}
