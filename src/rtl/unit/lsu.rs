//! Loads, stores and fences.
mod logic;

use crate::cell::AgeMatrix;
use crate::mem::local_mem::word_bits;
use crate::mem::{
    AccessInput, AccessStage, BankConflicts, Coalescer, LinePath, LoadMerge, LoadTracker, LocalMemory,
    MemoryArbiter, StoreAligner,
};
use crate::prelude::*;
use crate::sched::MemoryEvents;

module! {
    /// Performs the memory instructions of all slices, in the order it takes them: each path one line or one local pass a cycle.
    ///
    /// With `--lsu-accesses N` it works on N instructions at once, each taken from slices of its own, in the same order: a
    /// path serves the one taken first of those that have lanes for it, and none behind a fence or an atomic instruction, which
    /// wait until they are the first. `access` then tells them when
    /// they have been taken, and each slice has results of its own.
    ///
    /// Ports: below; element s is slice s. A load gives one result a line or pass, or one for those that several
    /// paths have at once. `access` tells each load and store once, in the order in which they act, for the lock-step
    /// check. Latency: taken in c, local load result in c+4; line request in c+3, its result two cycles after the
    /// line, so in c+5 if the data cache has it. Reset: nothing held. Invariants: accesses to a line, which has one
    /// path, are performed in the order taken, since no instruction enters a path before one that was taken earlier
    /// and still has lanes for it, or any if one of the two is atomic; a load to x0 makes no access and no result, faults excepted; a faulting instruction
    /// makes none either, misalignment goes before range. Stages: entrance (addresses, checks), access (one group of lanes
    /// a path and cycle); [`LinePath`]s: pass (banks), request or local memory, return; merge. Critical path: room for a
    /// request -> pass -> access -> `mem_ready`; bank arbitration, crossbar, byte clock enables. Source: docs/ISA.md,
    /// sections 2, 6 and 8. Mirror in the model: load, store, fence.
    pub struct LoadStoreUnit(cfg: &CoreConfig) [clock, reset]
    let (s, t, wid_bits, paths) = (cfg.slices, cfg.threads, cfg.wid_bits(), cfg.line_paths());
    let (n, results) = (cfg.accesses(), cfg.load_results());
    {
        /// Instructions of the slices.
        pub mem: Vec<MemInstruction<In>> = (0..s).map(|_| MemInstruction::new(cfg)).collect(),
        /// A load result for the slice.
        pub lsu_result_valid: Vec<Signal<Out, Bit>> = vec![Signal::default(); s],
        /// That result: one for all slices, or for each its own.
        pub lsu_result: Vec<UnitResult<Out>> = (0..results).map(|_| UnitResult::new(cfg)).collect(),
        /// The load has no further result.
        pub lsu_result_last: Vec<Signal<Out, Bit>> = vec![Signal::default(); results],
        /// The slice takes the result.
        pub lsu_result_ready: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// A request to memory.
        pub lsu_req: LineRequest<Out> = LineRequest::new(MASTER_TAG_BITS),
        /// A line that was read.
        pub lsu_rsp: LineResponse<In> = LineResponse::new(MASTER_TAG_BITS),
        /// A store has left for memory and may not have been performed yet; fences wait.
        pub writes_pending: Signal<In, Bit>,
        /// Warps whose fence is done.
        pub fence_done_warps: Signal<Out, WarpMask> = signal(cfg.warps),
        /// FENCE.I is done: instruction lines must be read again.
        pub flush_icache: Signal<Out, Bit>,
        /// What becomes of loads and stores.
        pub memory: MemoryEvents<Out> = MemoryEvents::new(cfg),
        /// An instruction must not access its address: see [`AccessStage`].
        pub fault: Fault<Out> = Fault::new(cfg),
        /// The core rests but for this unit: what is dirty goes to memory.
        pub drain: Signal<In, Bit>,
        /// What the data cache and local memory do.
        pub events: MemoryActivity<Out> = MemoryActivity::new(cfg),
        /// Event: a load instruction starts.
        pub load_started: Vec<Signal<Out, Bit>> = vec![Signal::default(); n],
        /// Event: the last result of a load instruction is taken.
        pub load_done: Vec<Signal<Out, Bit>> = vec![Signal::default(); results],
        /// Something is in flight, or memory lacks stored bytes.
        pub lsu_busy: Signal<Out, Bit>,
        /// A load or store that begins; of several the lower number acts first.
        pub access: Vec<Access<Out>> = (0..n).map(|_| Access::new(cfg)).collect(),
        /// With a dispatcher: where warps belong.
        pub map: Opt<CtaMap<In>> = Opt::new(cfg.grid, CtaMap::new(cfg)),
        entrance: Vec<AccessInput> = (0..n).map(|_| AccessInput::new(cfg)).collect(),
        stage: Vec<AccessStage> = (0..n).map(|_| AccessStage::new(cfg)).collect(),
        ages: Opt<AgeMatrix> = Opt::new(n > 1, AgeMatrix::new(n)),
        coalescers: Vec<Vec<Coalescer>> = (0..n).map(|_| (0..paths).map(|_| Coalescer::new(cfg)).collect()).collect(),
        aligners: Vec<Vec<StoreAligner>> = (0..n).map(|_| (0..t).map(|_| StoreAligner::new()).collect()).collect(),
        conflicts: Vec<BankConflicts> = (0..n).map(|_| BankConflicts::new(t, t, word_bits(cfg))).collect(),
        local_memory: LocalMemory = LocalMemory::new(cfg),
        paths: Vec<LinePath> = (0..paths).map(|_| LinePath::new(cfg)).collect(),
        tracker: LoadTracker = LoadTracker::new(cfg),
        arbiter: Opt<MemoryArbiter> = Opt::new(paths > 1, MemoryArbiter::new(paths, paths, MASTER_TAG_BITS)),
        merge: Opt<Vec<LoadMerge>> = Opt::new(paths > 1, (0..results).map(|_| LoadMerge::new(cfg)).collect()),
        held_group: Vec<Pipe<Bits<5>>> = pipes(n, 5),
        /// The instruction has been taken in the last cycle.
        fresh: Opt<Vec<Reg<Bit>>> = Opt::new(n > 1, vec![Reg::default(); n]),
        /// A group of an instruction goes to a path.
        push: Vec<Vec<Signal<Local, Bit>>> = vec![vec![Signal::default(); paths]; n],
        load, starts, pushed: Vec<Signal<Local, Bit>> = vec![Signal::default(); n],
        rests, cache_busy, flushed: Signal<Local, Bit>,
        fence_done: Vec<Signal<Local, Bit>> = vec![Signal::default(); n],
        fence_waits, holds, taken: Signal<Local, Bit>,
        /// All that were taken before it have been served.
        first_held: Opt<Vec<Signal<Local, Bit>>> = Opt::new(n > 1, vec![Signal::default(); n]),
        /// A bit an instruction: it is there; it is a fence; it was taken before one.
        held, held_fences, earlier: Signal<Local, WarpMask> = signal(n),
        result: Vec<LoadResult<Local>> = (0..results).map(|_| LoadResult::new(cfg)).collect(),
        group: Vec<Signal<Local, Bits<5>>> = vec![Signal::default(); n],
        lane_address: Signal<Local, Bits<32>>,
        lane_offset: Signal<Local, Bits<14>>,
        result_slice: Signal<Local, WarpId> = signal(wid_bits),
        slice_mask: Const<WarpId> = constant(wid_bits, cfg.slice_mask()),
        _t: usize = t,
        first_warp: Const<WarpMask> = constant(cfg.warps, 1),
        done_oh: Signal<Local, WarpMask> = signal(cfg.warps),
        _slices: usize = s,
        _paths: usize = paths,
        _accesses: usize = n,
        _results: usize = results,
        among_others: Const<Bit> = Const::new(n > 1),
        /// Slices whose instructions come in one after the other, or each by itself, or two by two.
        _together: usize = if n == 1 { s } else { 0 },
        _apart: usize = if n > 1 && n == s { s } else { 0 },
        _halves: usize = if n > 1 && n < s { n } else { 0 },
        several: Const<Bit> = Const::new(paths > 1),
        atomics: Const<Bit> = Const::new(cfg.atomics),
    }
}
