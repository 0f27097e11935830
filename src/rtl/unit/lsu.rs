//! Loads, stores and fences.
mod logic;

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
    /// Ports: below; element s is slice s. A load gives one result a line or pass, or one for those that several
    /// paths have at once. `access` tells each load and store once, in the order in which they act, for the lock-step
    /// check. Latency: taken in c, local load result in c+4; line request in c+3, its result two cycles after the
    /// line, so in c+5 if the data cache has it. Reset: nothing held. Invariants: accesses to a line, which has one
    /// path, are performed in the order taken, since an instruction has entered all its paths before the next one
    /// does; a load to x0 makes no access and no result, faults excepted; a faulting instruction makes none either,
    /// misalignment goes before range. Stages: entrance (addresses, checks), access (one group of lanes a path and
    /// cycle); [`LinePath`]s: pass (banks), request or local memory, return; merge. Critical path: room for a request
    /// -> pass -> access -> `mem_ready`; bank arbitration, crossbar, byte clock enables. Source: docs/ISA.md,
    /// sections 2, 6 and 8. Mirror in the model: load, store, fence.
    pub struct LoadStoreUnit(cfg: &CoreConfig) [clock, reset]
    let (s, t, wid_bits, paths) = (cfg.slices, cfg.threads, cfg.wid_bits(), cfg.line_paths());
    {
        /// Instructions of the slices.
        pub mem: Vec<MemInstruction<In>> = (0..s).map(|_| MemInstruction::new(cfg)).collect(),
        /// A load result for the slice.
        pub lsu_result_valid: Vec<Signal<Out, Bit>> = vec![Signal::default(); s],
        /// That result.
        pub lsu_result: UnitResult<Out> = UnitResult::new(cfg),
        /// The load has no further result.
        pub lsu_result_last: Signal<Out, Bit>,
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
        pub load_started: Signal<Out, Bit>,
        /// Event: the last result of a load instruction is taken.
        pub load_done: Signal<Out, Bit>,
        /// Something is in flight, or memory lacks stored bytes.
        pub lsu_busy: Signal<Out, Bit>,
        /// A load or store that begins.
        pub access: Access<Out> = Access::new(cfg),
        /// With a dispatcher: where warps belong.
        pub map: Opt<CtaMap<In>> = Opt::new(cfg.grid, CtaMap::new(cfg)),
        entrance: AccessInput = AccessInput::new(cfg),
        stage: AccessStage = AccessStage::new(cfg),
        coalescers: Vec<Coalescer> = (0..paths).map(|_| Coalescer::new(cfg)).collect(),
        aligners: Vec<StoreAligner> = (0..t).map(|_| StoreAligner::new()).collect(),
        conflicts: BankConflicts = BankConflicts::new(t, t, word_bits(cfg)),
        local_memory: LocalMemory = LocalMemory::new(cfg),
        paths: Vec<LinePath> = (0..paths).map(|_| LinePath::new(cfg)).collect(),
        tracker: LoadTracker = LoadTracker::new(cfg),
        arbiter: Opt<MemoryArbiter> = Opt::new(paths > 1, MemoryArbiter::new(paths, paths, MASTER_TAG_BITS)),
        merge: Opt<LoadMerge> = Opt::new(paths > 1, LoadMerge::new(cfg)),
        held_group: Pipe<Bits<5>>,
        /// A group goes to the path.
        push: Vec<Signal<Local, Bit>> = vec![Signal::default(); paths],
        load, starts, pushed, rests, cache_busy, flushed, fence_done: Signal<Local, Bit>,
        result: LoadResult<Local> = LoadResult::new(cfg),
        group: Signal<Local, Bits<5>>,
        lane_address: Signal<Local, Bits<32>>,
        lane_offset: Signal<Local, Bits<14>>,
        result_slice: Signal<Local, WarpId> = signal(wid_bits),
        slice_mask: Const<WarpId> = constant(wid_bits, cfg.slice_mask()),
        _t: usize = t,
        _warps: usize = cfg.warps,
        _slices: usize = s,
        _paths: usize = paths,
        several: Const<Bit> = Const::new(paths > 1),
    }
}
