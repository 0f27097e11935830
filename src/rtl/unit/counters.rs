//! Performance counters.
mod accumulator;
mod amounts;
pub mod growth;
mod logic;

use crate::prelude::*;
pub use accumulator::Accumulator;
use amounts::Amounts;
use isa::counter::{Place, CLASS_OWN, COUNTERS, COUNTER_BITS, ROTATION};

module! {
    /// Counts what the core does, and gives each issue slot of each cycle to one class.
    ///
    /// A counter is a total and a short accumulator. The totals are in one LUT RAM, and in each cycle one accumulator is added
    /// to its total: that of the counter that is read, else the next in rotation. So a read is as fresh as a register would be,
    /// and reads and counting share a port, an adder and a multiplexer. An addition is in two cycles: the accumulator is
    /// chosen, then the memory is read, the sum shown and written; the next one finds it there.
    ///
    /// Ports: below; of the slices' element s is slice s. Nothing is counted while the core is idle. Latency: an
    /// event of cycle c is in what is read from c+2 on; `value` comes in the cycle after `read`. Reset: all counts 0;
    /// the memory cannot be reset, so its words count as 0 in the first rotation, as many cycles after reset as there
    /// are counters, in which reads give 0 and take no turn. Invariants: `read` not in two cycles running (the
    /// special unit holds the result of the first in the second), so each accumulator has its turn within two
    /// rotations, and what comes in these fits (`growth.rs`); issued, nops, idle, scoreboard and pipeline together
    /// grow by the number of slices in every busy cycle; of the idle slots' three causes at most one grows, in the
    /// order control, ibuffer, barrier (an idle slot with none of them has no active warp). Counts wrap at 44 bits.
    /// Critical path: from the CSR number to the counter's, its accumulator among all; memory, sum and the special
    /// unit's result; the events' own paths end in registers. Source: docs/ISA.md, section 5. Deviations: a lookup
    /// that misses is repeated, and counts each time; a fetch that hits counts its three cycles even if it is dropped
    /// afterwards. Mirror: `cosim::counters`, which counts from the trace port and must agree at the end of every
    /// run.
    pub struct PerfCounters(cfg: &CoreConfig) [clock, reset]
    let (w, t, s, n) = (cfg.warps, cfg.threads, cfg.slices, COUNTERS.len());
    let widest = growth::widest(cfg);
    let loads_bits = bits_for(cfg.registers());
    let reads_bits = bits_for(cfg.open_reads() + 1);
    {
        _warps: usize = w,
        _threads: usize = t,
        _slices: usize = s,
        _banks: usize = cfg.line_paths(),
        _load_results: usize = cfg.load_results(),
        _counters: usize = n,
        /// What is counted.
        pub now_: Counted<In> = Counted::new(cfg),
        // To the CSRs.
        /// Which counters the numbers mean.
        pub mpm_class: Signal<In, Bits<8>>,
        /// Number of the counter.
        pub select: Signal<In, Bits<5>>,
        /// Its upper half is meant.
        pub upper: Signal<In, Bit>,
        /// It is read in this cycle.
        pub read: Signal<In, Bit>,
        /// What it had counted, in the cycle after; 0 if there is none, and in any other cycle.
        pub value: Signal<Out, Bits<32>>,
        // To the trace port.
        /// What is written into the memory.
        pub counter: CounterTotal<Out> = CounterTotal::new(),
        /// What happened in the last cycle.
        last: Counted<Registered> = Counted::new(cfg),
        totals: LutRam<44> = LutRam::new(COUNTER_BITS, ROTATION),
        /// What has come since the total was brought up to date.
        accumulators: Vec<Accumulator> = (0..n).map(|_| Accumulator::new(widest)).collect(),
        /// Of each accumulator, a 1 for each bit that it has.
        accumulator_masks: Vec<Const<Bits<32>>> = COUNTERS
                .iter()
                .map(|counter| constant(widest, (1 << growth::width(counter, cfg)) - 1))
                .collect(),
        turn: Reg<Bits<16>> = Reg::<Bits<16>>::width(COUNTER_NUMBER_BITS),
        last_turn: Const<Bits<16>> = constant(COUNTER_NUMBER_BITS, ROTATION as u64 - 1),
        /// The first rotation is over.
        filled: Reg<Bit>,
        // Between the two cycles of an addition.
        adding: Pipe<Bits<16>> = Pipe::<Bits<16>>::width(COUNTER_NUMBER_BITS),
        added: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(widest),
        onto_memory, shows_low, shows_high: Reg<Bit>,
        number, wanted: Signal<Local, Bits<16>> = signal(COUNTER_NUMBER_BITS),
        there, steals, counts: Signal<Local, Bit>,
        /// N bits: the accumulator begins again.
        taken: Signal<Local, Bits<64>> = signal(n),
        first: Const<Bits<64>> = constant(n, 1),
        base, total: Signal<Local, Bits<44>> = signal(COUNTER_BITS),
        loads_of: Vec<Reg<Bits<8>>> = regs(w, loads_bits),
        loading_lanes: Reg<Bits<32>> = Reg::<Bits<32>>::width(bits_for(cfg.open_loads() * t + 1)),
        open_reads: Reg<Bits<16>> = Reg::<Bits<16>>::width(reads_bits),
        loading_warps, load_issues_warps, load_ends_warps, memory_warps: Signal<Local, WarpMask> = signal(w),
        first_warp: Const<WarpMask> = constant(w, 1),
        lane_bit: Signal<Local, Bits<1>>,
        /// By how much each counter grows.
        amounts: Amounts<Local> = Amounts::new(widest),
        /// The amounts, in the order of the counters' numbers.
        growths: Vec<Signal<Local, Bits<32>>> = signals(n, widest),
        lanes, committed_lanes, local_accesses, suspended, still_loading, accumulated: Signal<Local, Bits<32>> = signal(widest),
        change: Signal<Local, Bits<8>> = signal(loads_bits),
        one_load_less: Const<Bits<8>> = constant(loads_bits, (1 << loads_bits) - 1),
        opened: Signal<Local, Bits<16>> = signal(reads_bits),
        one_read_less: Const<Bits<16>> = constant(reads_bits, (1 << reads_bits) - 1),
        mshrs_in_use: Signal<Local, Bits<5>> = signal(bits_for(cfg.bank_mshrs() + 1)),
        key: Signal<Local, Bits<8>>,
        /// Of each counter its class (upper 3 bits) and number in it, as Vortex has them; none: 0xFF.
        vortex_keys: Vec<Const<Bits<8>>> = COUNTERS
                .iter()
                .map(|c| key(c.vortex.map(|(_, class, number)| (class, number))))
                .collect(),
        /// The same of this core's own classes.
        own_keys: Vec<Const<Bits<8>>> = COUNTERS.iter().map(|c| key(c.own.map(|number| (CLASS_OWN, number)))).collect(),
    }
}

/// Class and number in one word; for none, a class that does not exist.
fn key(place: Option<Place>) -> Const<Bits<8>> {
    constant(8, place.map_or(0xFF, |(class, number)| u64::from(class) << 5 | u64::from(number)))
}
