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
        _banks: usize = cfg.line_paths(),
        _counters: usize = n,
        /// What is counted.
        pub now_: Counted<In> = Counted::new(cfg),
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
        /// What happened in the last cycle.
        last: Counted<Held> = Counted::new(cfg),
        total: Vec<Reg<Bits<44>>> = regs(n, COUNTER_BITS),
        loads_of: Vec<Reg<Bits<8>>> = regs(w, 8),
        loading_lanes, open_reads: Reg<Bits<16>>,
        loading_warps, load_issues_warps, load_ends_warps, memory_warps: Signal<Local, WarpMask> = signal(w),
        lane_bit: Signal<Local, Bits<1>>,
        lanes, committed_lanes, local_accesses, fetch_idle, fetch_stall, hits, misses, suspended, issued, nops,
        idle, idle_control, idle_queue, idle_barrier, scoreboard, scoreboard_memory, pipeline, loads, stores,
        opened, growth: Signal<Local, Bits<16>>,
        change: Signal<Local, Bits<8>>,
        mshrs_in_use: Signal<Local, Bits<5>> = signal(bits_for(cfg.mshrs + 1)),
        amounts: Vec<Signal<Local, Bits<16>>> = signals(n, 16),
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
