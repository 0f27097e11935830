//! Performance counters.
mod kernel;

use crate::isa::counter::{Place, CLASS_OWN, COUNTERS, COUNTER_BITS};
use crate::rtl::prelude::*;

module! {
    /// Counts what the core does, and gives each issue slot of each cycle to one class.
    ///
    /// Ports, from the issue slices (element s is slice s): `issue_fire`, `issue_fire_warps`, `issue_tmask`, `issue_store` (the word that
    /// issues has a store's opcode if it accesses memory), `stall_on`; from the instruction queues `head_memory_warps`,
    /// `head_use_rd_warps`; from the special unit `barrier_warps`; from the load-store unit `load_commit_*` (lanes of a load
    /// are written back), `memory` (what the data cache does, and passes over the banks of local memory); from the front end `fetch_ready_warps`, `fetch_fire`, `suspended_warps`, `icache`; from the bus `bus`; `busy`: nothing is counted while the
    /// core is idle. CSR port: `mpm_class`, `select` -> `value`. To the trace port: `totals`, in the order of the table.
    /// Latency: an event of cycle c is in the totals from c+2 on; `value` is combinational. Reset: all counts 0.
    /// Invariants: issued, nops, idle, scoreboard and pipeline together grow by the number of slices in every busy cycle; of the
    /// idle slots' three causes at most one grows, in the order control, queue, barrier (an idle slot with none of them has
    /// no active warp). Counts wrap at 44 bits. Critical path: a slot's class, count, 44-bit sum; the events' own paths end in
    /// registers.
    /// Source: docs/ISA.md, section 5. Deviations: a lookup that misses is repeated, and
    /// counts each time; a fetch that hits counts its three cycles even if it is dropped afterwards.
    /// Mirror: `cosim::counters`, which counts from the trace port and must agree at the end of every run.
    pub struct PerfCounters(cfg: &CoreConfig) [clock, reset]
    let (w, t, s, n) = (cfg.warps, cfg.threads, cfg.slices, COUNTERS.len());
    {
        _warps: usize = w,
        _threads: usize = t,
        _slices: usize = s,
        _counters: usize = n,
        /// The core runs.
        pub busy: Signal<In, Bit>,
        // From the issue slices.
        /// An instruction issues, which a NOP is not.
        pub issue_fire: Vec<Signal<In, Bit>> = (0..s).map(|_| Signal::default()).collect(),
        /// The warp whose head leaves its queue, or none.
        pub issue_fire_warps: Vec<Signal<In, WarpMask>> = signals(s, w),
        /// Its lanes.
        pub issue_tmask: Vec<Signal<In, Bits<32>>> = signals(s, t),
        /// Bit 5 of its word: it is a store, if it is a load or store.
        pub issue_store: Vec<Signal<In, Bit>> = (0..s).map(|_| Signal::default()).collect(),
        /// Why warps do not issue.
        pub stall_on: Vec<Stalls<In>> = (0..s).map(|_| Stalls::new(cfg)).collect(),
        // From the instruction queues.
        /// The head is a load or store.
        pub head_memory_warps: Signal<In, WarpMask> = signal(w),
        /// The head writes a register.
        pub head_use_rd_warps: Signal<In, WarpMask> = signal(w),
        // From the special unit.
        /// Warps that wait at a barrier.
        pub barrier_warps: Signal<In, WarpMask> = signal(w),
        // From the load-store unit.
        /// Lanes of a load are written back.
        pub load_commit_valid: Signal<In, Bit>,
        /// The load's warp.
        pub load_commit_wid: Signal<In, WarpId> = signal(cfg.wid_bits()),
        /// The lanes.
        pub load_commit_tmask: Signal<In, Bits<32>> = signal(t),
        /// They are the last ones.
        pub load_commit_last: Signal<In, Bit>,
        /// What the data cache and local memory do.
        pub memory: MemoryActivity<In> = MemoryActivity::new(cfg),
        // From the front end.
        /// Warps that could fetch.
        pub fetch_ready_warps: Vec<Signal<In, WarpMask>> = signals(s, w),
        /// One does.
        pub fetch_fire: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// Warps that wait for a line of instructions.
        pub suspended_warps: Signal<In, WarpMask> = signal(w),
        /// Lookups of the instruction caches.
        pub icache: Vec<Lookup<In>> = (0..s).map(|_| Lookup::new()).collect(),
        // From the bus.
        /// What happens on it.
        pub bus: BusEvents<In> = BusEvents::new(),
        // To the CSRs.
        /// Which counters the numbers mean.
        pub mpm_class: Signal<In, Bits<8>>,
        /// Number of the counter.
        pub select: Signal<In, Bits<5>>,
        /// Its count, 0 if there is none.
        pub value: Signal<Out, Bits<44>>,
        // To the trace port.
        /// All counts.
        pub totals: Vec<Signal<Out, Bits<44>>> = signals(n, COUNTER_BITS),
        // The events of the last cycle.
        busy_1: Reg<Bit>,
        issue_fire_1: Vec<Reg<Bit>> = (0..s).map(|_| Reg::new()).collect(),
        issue_fire_warps_1: Vec<Pipe<WarpMask>> = pipes(s, w),
        issue_tmask_1: Vec<Pipe<Bits<32>>> = pipes(s, t),
        issue_store_1: Vec<Reg<Bit>> = (0..s).map(|_| Reg::new()).collect(),
        stall_on_1: Vec<Stalls<Held>> = (0..s).map(|_| Stalls::new(cfg)).collect(),
        head_memory_warps_1, head_use_rd_warps_1, barrier_warps_1: Pipe<WarpMask> = Pipe::<WarpMask>::width(w),
        load_commit_valid_1: Reg<Bit>,
        load_commit_wid_1: Pipe<WarpId> = Pipe::<WarpId>::width(cfg.wid_bits()),
        load_commit_tmask_1: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        load_commit_last_1: Reg<Bit>,
        memory_1: MemoryActivity<Held> = MemoryActivity::new(cfg),
        fetch_ready_warps_1: Vec<Pipe<WarpMask>> = pipes(s, w),
        fetch_fire_1: Vec<Reg<Bit>> = (0..s).map(|_| Reg::new()).collect(),
        suspended_warps_1: Pipe<WarpMask> = Pipe::<WarpMask>::width(w),
        icache_hit_1, icache_miss_1: Vec<Reg<Bit>> = (0..s).map(|_| Reg::new()).collect(),
        bus_1: BusEvents<Held> = BusEvents::new(),
        total: Vec<Reg<Bits<44>>> = regs(n, COUNTER_BITS),
        loads_of: Vec<Reg<Bits<8>>> = regs(w, 8),
        loading_lanes, open_reads: Reg<Bits<16>>,
        loading_warps, load_issues_warps, load_ends_warps, memory_warps: Signal<Local, WarpMask> = signal(w),
        lane_bit: Signal<Local, Bits<1>>,
        lanes, committed_lanes, local_accesses, fetch_idle, fetch_stall, hits, misses, suspended, issued, nops,
        idle, idle_control, idle_queue, idle_barrier, scoreboard, scoreboard_memory, pipeline, loads,
        stores: Signal<Local, Bits<16>>,
        amounts: Vec<Signal<Local, Bits<16>>> = signals(n, 16),
        growth: Signal<Local, Bits<16>>,
        key: Signal<Local, Bits<8>>,
        vortex_keys: Vec<Const<Bits<8>>> = COUNTERS
                .iter()
                .map(|c| key(c.vortex.map(|(_, class, number)| (class, number))))
                .collect(),
        own_keys: Vec<Const<Bits<8>>> = COUNTERS.iter().map(|c| key(c.own.map(|number| (CLASS_OWN, number)))).collect(),
        one: Const<Bits<16>> = Const::new(1_u64.to_bits()),
    }
}

/// Class and number in one word; for none, a class that does not exist.
fn key(place: Option<Place>) -> Const<Bits<8>> {
    constant(8, place.map_or(0xFF, |(class, number)| u64::from(class) << 5 | u64::from(number)))
}
