//! What was counted: for programs, for `sim`, and beside the core's own counters.

use isa::counter::{self, Index, COUNTERS, COUNTER_BITS};
use model::timing::Traffic;

use super::Counters;
use crate::core::Core;
use crate::core_counters::Totals;
use crate::failure::{Checked, Mismatch};
use crate::stats::{CacheStats, Parallel, Slots, Stats};

impl Counters {
    /// What a program that reads a counter gets: the word of the CSR with this number, if the host has selected `class`.
    pub(crate) fn word(&self, class: u8, csr: u16) -> u32 {
        let place = counter::at(class, csr).filter(|_| self.in_core);
        let Some((index, upper)) = place else { return 0 };
        ((self.counts[index] % (1 << COUNTER_BITS)) >> if upper { 32 } else { 0 }) as u32
    }

    /// What a run reports.
    pub(crate) fn stats(&self) -> Stats {
        let count = |index: Index| self.counts[index as usize];
        let lines = count(Index::DcacheReads) + count(Index::DcacheWrites);
        let parallel = self.in_parallel();
        let misses = count(Index::DcacheReadMisses) + count(Index::DcacheWriteMisses);
        Stats {
            cycles: self.cycles,
            warp_instructions: count(Index::Issued),
            thread_instructions: self.thread_instructions,
            slots: Slots {
                issued: count(Index::Issued),
                nops: count(Index::Nops),
                idle: count(Index::Idle),
                scoreboard: count(Index::Scoreboard),
                pipeline: count(Index::Pipeline),
            },
            slots_of: self.slots_of,
            shared: self.shared,
            collectors: self.collectors,
            icache: CacheStats { hits: count(Index::Fetches), misses: count(Index::IcacheMisses) },
            dcache: CacheStats { hits: lines - misses, misses },
            memory_requests: 0,
            rows: None,
            departures: self.departures,
            warp_cycles_under_way: self.under_way.cycles(),
            parallel: Parallel { slots: parallel.cycles * self.own_warps.len() as u64, ..parallel },
            counts: self.counts,
        }
    }

    /// Compares with the totals that the core has counted itself, if it does, and with what addresses and the bus tell.
    pub(crate) fn agree(&self, totals: Option<Totals>, core: &Core, traffic: &Traffic) -> Checked {
        if let Some(totals) = totals {
            for ((counter, &count), hardware) in COUNTERS.iter().zip(&self.counts).zip(totals) {
                if hardware != count {
                    let what = format!("performance counter {} at the end", counter.name);
                    return Err(Mismatch::new(None, what, count, hardware));
                }
            }
        }
        let cached = |lines: u64| Some(lines).filter(|_| self.cached);
        for (what, index, expected) in [
            ("lines that loads looked up", Index::DcacheReads, cached(traffic.lines_read)),
            ("lines that stores looked up", Index::DcacheWrites, cached(traffic.lines_written)),
            ("threads that load from local memory", Index::LocalReads, Some(traffic.local_reads)),
            ("threads that store to local memory", Index::LocalWrites, Some(traffic.local_writes)),
            ("waits for a bank of local memory", Index::LocalBankStalls, Some(traffic.local_bank_stalls)),
            ("lines written on the bus", Index::MemoryWrites, core.link.axi_writes()),
        ] {
            let count = self.counts[index as usize];
            if let Some(expected) = expected.filter(|&expected| expected != count) {
                return Err(Mismatch::new(None, what, expected, count));
            }
        }
        Ok(())
    }
}
