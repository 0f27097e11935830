//! Performance counters: one line a counter, from which hardware, simulator and documentation take them.
//!
//! A program reads a counter as `mhpmcounter`N and `mhpmcounter`Nh; which one answers to N depends on the class that
//! the host has selected (`mpm_class`). Classes 1 and 2 are those of Vortex 2.2, at its numbers, as far as there is
//! something of the kind here; class 3 is this project's own: the account of the issue slots, and what Vortex does not count.

use spec::config::{CoreConfig, FETCH_LATENCY};

/// Class of this project's own counters: the issue slots' attribution, and what has no number of Vortex.
pub const CLASS_OWN: u8 = 3;
/// Bits of a counter.
pub const COUNTER_BITS: usize = 44;
/// Cycles in which the hardware brings every counter's total up to date, one a cycle, while nobody reads a counter.
pub const ROTATION: usize = COUNTERS.len();

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Counter {
    /// Name in reports.
    pub name: &'static str,
    /// What it counts.
    pub meaning: &'static str,
    /// The most by which it grows in a cycle of a core.
    pub most: fn(&CoreConfig) -> usize,
    /// Vortex's name, class (1: the core, 2: the memory system) and number N, if it has an equivalent.
    pub vortex: Option<(&'static str, u8, u8)>,
    /// Number N in class 3, if it is there.
    pub own: Option<u8>,
}

/// Where a counter is read: class and N.
pub type Place = (u8, u8);

impl Counter {
    /// All places at which the counter is read.
    pub fn places(&self) -> impl Iterator<Item = Place> {
        let vortex = self.vortex.map(|(_, class, number)| (class, number));
        vortex.into_iter().chain(self.own.map(|number| (CLASS_OWN, number)))
    }
}

/// The counter that a CSR shows while the host has selected `class`: its row in [`COUNTERS`], and whether the CSR shows the
/// upper half (docs/ISA.md, section 5).
pub fn at(class: u8, csr: u16) -> Option<(usize, bool)> {
    let (number, upper) = match csr {
        0xB03..=0xB1F => (csr - 0xB00, false),
        0xB83..=0xB9F => (csr - 0xB80, true),
        _ => return None,
    };
    let place = (class, number as u8);
    let row = COUNTERS.iter().position(|counter| counter.places().any(|at| at == place))?;
    Some((row, upper))
}

/// Hands the table to a macro, a row a counter: `Index: name, what it counts, by how much it can grow in a cycle of a core,
/// Vortex's name, class and N, N in class 3;`.
#[macro_export]
macro_rules! counters {
    ($callback:ident) => {
        $callback! {
            Issued: issued, "slots in which an instruction issues: warp instructions",
                |cfg| cfg.slices, None, Some(3);
            Idle: idle, "slots in which nothing issues and no warp waits for a register or a unit",
                |cfg| cfg.slices, None, Some(4);
            IdleControl: idle_control, "of these: a branch, warp control or fence is unresolved",
                |cfg| cfg.slices, None, Some(5);
            IdleIbuffer: idle_ibuffer, "of these: an instruction queue is empty, and none of the above",
                |cfg| cfg.slices, None, Some(6);
            IdleBarrier: idle_barrier, "of these: a warp waits at a barrier, and none of the above",
                |cfg| cfg.slices, None, Some(7);
            Scoreboard: scoreboard, "slots in which a warp waits for a register, and none for a unit",
                |cfg| cfg.slices, Some(("SCRB_ST", 1, 6)), Some(8);
            ScoreboardLoad: scoreboard_load, "of these: such a warp has a load under way",
                |cfg| cfg.slices, Some(("SCRB_LSU", 1, 10)), Some(9);
            Pipeline: pipeline, "slots in which a warp waits for nothing but a unit",
                |cfg| cfg.slices, Some(("OPDS_ST", 1, 7)), Some(10);
            FetchIdle: fetch_idle, "slices' cycles in which no warp can fetch",
                |cfg| cfg.slices, Some(("SCHED_ID", 1, 3)), None;
            FetchStall: fetch_stall, "slices' cycles in which one can and none does: the instruction cache does not take its request, or (`srr`) it is the turn of another",
                |cfg| cfg.slices, Some(("SCHED_ST", 1, 4)), None;
            Fetches: fetches, "fetches, of one instruction each, or with `--fetch-width 2` of up to two", |cfg| cfg.slices, Some(("IFETCHES", 1, 14)), None;
            Loads: loads, "loads and atomic instructions, by threads; a load to x0 does nothing", |cfg| cfg.slices * cfg.threads, Some(("LOADS", 1, 15)), None;
            Stores: stores, "stores and atomic instructions, by threads",
                |cfg| cfg.slices * cfg.threads, Some(("STORES", 1, 16)), None;
            FetchLatency: fetch_latency, "cycles of all fetches together: of one that misses from the second cycle after its request",
                |cfg| cfg.warps + FETCH_LATENCY * cfg.slices, Some(("IFETCH_LT", 1, 17)), None;
            LoadLatency: load_latency, "cycles of all threads' loads together, from issue to write-back",
                |cfg| cfg.open_loads() * cfg.threads, Some(("LOAD_LT", 1, 18)), None;
            IcacheReads: icache_reads, "lookups of the instruction caches, one a slice",
                |cfg| cfg.slices, Some(("ICACHE_READS", 2, 3)), None;
            IcacheMisses: icache_misses, "lookups that miss",
                |cfg| cfg.slices, Some(("ICACHE_MISS_R", 2, 4)), None;
            MemoryReads: memory_reads, "lines read on the bus", |_| 1, Some(("MEM_READS", 2, 24)), None;
            MemoryWrites: memory_writes, "lines written on the bus", |_| 1, Some(("MEM_WRITES", 2, 25)), None;
            MemoryLatency: memory_latency, "cycles of all reads on the bus together",
                |cfg| cfg.open_reads(), Some(("MEM_LT", 2, 26)), None;
            Nops: nops, "slots in which a NOP of SWaS leaves its queue", |cfg| cfg.slices, None, Some(11);
            DcacheReads: dcache_reads, "lines that loads, but to x0, look up in the data cache",
                |cfg| cfg.line_paths(), Some(("DCACHE_READS", 2, 6)), None;
            DcacheWrites: dcache_writes, "lines that stores look up in it",
                |cfg| cfg.line_paths(), Some(("DCACHE_WRITES", 2, 7)), None;
            DcacheReadMisses: dcache_read_misses, "loads' lines that are not there",
                |cfg| cfg.line_paths(), Some(("DCACHE_MISS_R", 2, 8)), None;
            DcacheWriteMisses: dcache_write_misses, "stores' lines that are not there",
                |cfg| cfg.line_paths(), Some(("DCACHE_MISS_W", 2, 9)), None;
            DcacheBankStalls: dcache_bank_stalls, "cycles in which a line waits for anything but an MSHR, of all banks together",
                |cfg| cfg.line_paths(), Some(("DCACHE_BANK_ST", 2, 10)), None;
            DcacheMshrStalls: dcache_mshr_stalls, "cycles in which a line waits for a free MSHR, of all banks together",
                |cfg| cfg.line_paths(), Some(("DCACHE_MSHR_ST", 2, 11)), None;
            DcacheMshrs: dcache_mshrs, "MSHRs in use, of all banks and cycles together",
                |cfg| cfg.line_paths() * cfg.bank_mshrs(), None, Some(12);
            LocalReads: local_reads, "loads from local memory, by threads, but to x0",
                |cfg| cfg.threads, Some(("LMEM_READS", 2, 27)), None;
            LocalWrites: local_writes, "stores to local memory, by threads",
                |cfg| cfg.threads, Some(("LMEM_WRITES", 2, 28)), None;
            LocalBankStalls: local_bank_stalls, "cycles in which threads wait for others that use the same bank",
                |_| 1, Some(("LMEM_BANK_ST", 2, 29)), None;
        }
    };
}

macro_rules! table {
    ($($index:ident: $name:ident, $meaning:literal, $most:expr, $vortex:expr, $own:expr;)*) => {
        /// Every counter.
        pub const COUNTERS: &[Counter] = &[$(Counter {
            name: stringify!($name),
            meaning: $meaning,
            most: $most,
            vortex: $vortex,
            own: $own,
        },)*];

        /// Positions in [`COUNTERS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(usize)]
        pub enum Index {
            $(
                #[doc = $meaning]
                $index,
            )*
        }
    };
}
counters!(table);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_counters_share_a_place_or_a_name() {
        let mut places: Vec<Place> = COUNTERS.iter().flat_map(Counter::places).collect();
        let count = places.len();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), count);
        assert!(places.iter().all(|&(class, number)| (1..=3).contains(&class) && (3..32).contains(&number)));
        let names: std::collections::BTreeSet<_> = COUNTERS.iter().map(|c| c.name).collect();
        assert_eq!(names.len(), COUNTERS.len());
    }

    /// Both spellings of a name, that of the index and that of reports, are the same words.
    #[test]
    fn an_index_is_called_as_its_row() {
        macro_rules! indices {
            ($($index:ident: $name:ident, $meaning:literal, $most:expr, $vortex:expr, $own:expr;)*) => {
                [$(stringify!($index)),*]
            };
        }
        for (index, counter) in counters!(indices).into_iter().zip(COUNTERS) {
            assert_eq!(index.to_lowercase(), counter.name.replace('_', ""));
        }
    }

    #[test]
    fn positions_and_rows_agree() {
        assert_eq!(COUNTERS[Index::Issued as usize].name, "issued");
        assert_eq!(COUNTERS[Index::LoadLatency as usize].vortex, Some(("LOAD_LT", 1, 0x12)));
        assert_eq!(COUNTERS[Index::MemoryLatency as usize].name, "memory_latency");
        assert_eq!(COUNTERS[Index::DcacheMshrs as usize].own, Some(12));
        assert_eq!(Index::LocalBankStalls as usize + 1, COUNTERS.len(), "a new row goes before the last one");
    }
}
