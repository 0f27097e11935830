//! What the counters have to show, by the table's words.

use super::events::Events;
use isa::counter::{Index, COUNTERS};
use spec::config::CoreConfig;
use std::collections::VecDeque;

pub struct Sums {
    counts: [u64; COUNTERS.len()],
    /// By how much each has grown in a cycle, at most.
    pub largest: [u64; COUNTERS.len()],
    /// The counts that a read shows, a cycle and two ago.
    before: VecDeque<[u64; COUNTERS.len()]>,
    loads_of: Vec<u32>,
    loading_lanes: u64,
    open_reads: u64,
}

impl Sums {
    pub fn new(cfg: &CoreConfig) -> Self {
        let counts = [0; COUNTERS.len()];
        Self {
            counts,
            largest: counts,
            before: [counts; 2].into(),
            loads_of: vec![0; cfg.warps],
            loading_lanes: 0,
            open_reads: 0,
        }
    }

    /// What is read in this cycle: all but the last one's events, and its own.
    pub fn shown(&self, index: usize) -> u64 {
        self.before[0][index]
    }

    /// A cycle is over.
    pub fn count(&mut self, events: &Events) {
        self.before.rotate_left(1);
        let before = self.counts;
        if events.busy {
            self.busy(events);
        }
        for (largest, (now, before)) in self.largest.iter_mut().zip(self.counts.iter().zip(before)) {
            *largest = (*largest).max(now - before);
        }
        self.before[1] = self.counts;
        let lanes = |mask: u32| u64::from(mask.count_ones());
        for slice in &events.slices {
            let warps = slice.warps & events.memory_warps & events.use_rd_warps;
            if slice.fire && warps != 0 {
                self.loads_of[warps.trailing_zeros() as usize] += 1;
                self.loading_lanes += lanes(slice.tmask);
            }
        }
        if let Some((wid, mask, last)) = events.commit {
            self.loading_lanes -= lanes(mask);
            self.loads_of[wid] -= u32::from(last);
        }
        self.open_reads = self.open_reads + u64::from(events.bus[0]) - u64::from(events.bus[2]);
    }

    fn add(&mut self, index: Index, amount: impl Into<u64>) {
        self.counts[index as usize] += amount.into();
    }

    fn busy(&mut self, events: &Events) {
        let loading = (0..self.loads_of.len()).filter(|&warp| self.loads_of[warp] != 0);
        let loading = loading.fold(0, |mask, warp| mask | 1 << warp);
        let lanes = |mask: u32| u64::from(mask.count_ones());
        for slice in &events.slices {
            let [ibuffer, control, scoreboard, unit] = slice.waits;
            let class = match () {
                () if slice.fire => Index::Issued,
                () if slice.warps != 0 => Index::Nops,
                () if unit != 0 => Index::Pipeline,
                () if scoreboard != 0 => Index::Scoreboard,
                () => Index::Idle,
            };
            self.add(class, 1_u64);
            if class == Index::Scoreboard {
                self.add(Index::ScoreboardLoad, scoreboard & loading != 0);
            }
            if class == Index::Idle {
                match () {
                    () if control & !events.barrier_warps != 0 => self.add(Index::IdleControl, 1_u64),
                    () if ibuffer != 0 => self.add(Index::IdleIbuffer, 1_u64),
                    () => self.add(Index::IdleBarrier, control != 0),
                }
            }
            let memory = slice.fire && slice.warps & events.memory_warps != 0;
            self.add(Index::Stores, if memory && slice.store { lanes(slice.tmask) } else { 0 });
            let load = memory && slice.warps & events.memory_warps & events.use_rd_warps != 0;
            self.add(Index::Loads, if load { lanes(slice.tmask) } else { 0 });
            self.add(Index::FetchIdle, slice.ready == 0);
            self.add(Index::FetchStall, slice.ready != 0 && !slice.fetch);
            self.add(Index::Fetches, slice.hit);
            self.add(Index::FetchLatency, 3 * u64::from(slice.hit));
            self.add(Index::IcacheReads, slice.hit | slice.miss);
            self.add(Index::IcacheMisses, slice.miss);
        }
        self.add(Index::FetchLatency, events.suspended_warps.count_ones());
        self.add(Index::LoadLatency, self.loading_lanes);
        self.add(Index::MemoryReads, events.bus[0]);
        self.add(Index::MemoryWrites, events.bus[1]);
        self.add(Index::MemoryLatency, self.open_reads);
        const CACHE: [Index; 6] = [
            Index::DcacheReads,
            Index::DcacheWrites,
            Index::DcacheReadMisses,
            Index::DcacheWriteMisses,
            Index::DcacheBankStalls,
            Index::DcacheMshrStalls,
        ];
        for bank in &events.banks {
            CACHE.into_iter().zip(bank.does).for_each(|(index, does)| self.add(index, does));
            self.add(Index::DcacheMshrs, bank.mshrs);
        }
        let [read, write, stall] = events.local;
        self.add(Index::LocalReads, if read { lanes(events.local_lanes) } else { 0 });
        self.add(Index::LocalWrites, if write { lanes(events.local_lanes) } else { 0 });
        self.add(Index::LocalBankStalls, stall);
    }
}
