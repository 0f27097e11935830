//! Loads, stores and fences.
mod kernel;

use crate::rtl::mem::dcache::DataCache;
use crate::rtl::mem::local_mem::word_bits;
use crate::rtl::mem::{
    AccessInput, AccessStage, BankConflicts, Coalescer, LoadReturn, LoadTable, LoadTracker, LocalMemory,
    PassStage, RequestBuffer, StoreAligner,
};
use crate::rtl::prelude::*;
use crate::rtl::sched::MemoryEvents;

module! {
    /// Performs the memory instructions of all slices, in the order it takes them, one line or one local pass a cycle.
    ///
    /// Ports, from the issue slices (element s is slice s): `mem`; `lsu_result_ready`.
    /// To commit: `lsu_result_valid` (of the slice that owns the warp), `lsu_result`, `lsu_result_last`:
    /// a load gives one result a line or pass, `last` on its final one. To the bus: `lsu_req`, `lsu_rsp` (stores
    /// have no response, but `writes_pending` holds fences), through the data cache if there is one. Events:
    /// `fence_done_warps`, `flush_icache`, `memory`; `fault`; `lsu_busy`. `access`
    /// tells each load and store once, in the order in which they act, for the lock-step check.
    /// Latency: taken in c, local load result in c+4; line request in c+3, its result two cycles after the line, so in c+5 if
    /// the data cache has it.
    /// Reset: nothing held. Invariants: accesses are performed in the order taken; a load to x0 makes no access and no
    /// result, faults excepted; a faulting instruction makes none either, misalignment goes before range.
    /// Stages: entrance (addresses, checks), access (one group of lanes a cycle), pass (banks), request or local memory, return.
    /// Critical path: room for a request -> pass -> access -> `mem_ready`; bank arbitration, crossbar, byte clock enables.
    /// Source: docs/ISA.md, sections 2, 6 and 8. Mirror in the model: load, store, fence.
    pub struct LoadStoreUnit(cfg: &CoreConfig) [clock, reset]
    let (s, t, wid_bits) = (cfg.slices, cfg.threads, cfg.wid_bits());
    let cached = cfg.dcache.bytes != 0;
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
        coalescer: Coalescer = Coalescer::new(cfg),
        aligners: Vec<StoreAligner> = (0..t).map(|_| StoreAligner::new()).collect(),
        conflicts: BankConflicts = BankConflicts::new(t, t, word_bits(cfg)),
        pass: PassStage = PassStage::new(cfg),
        local_memory: LocalMemory = LocalMemory::new(cfg),
        request: RequestBuffer = RequestBuffer::new(cfg),
        loads: LoadTable = LoadTable::new(cfg),
        tracker: LoadTracker = LoadTracker::new(cfg),
        returns: LoadReturn = LoadReturn::new(cfg),
        cache: Opt<DataCache> = Opt::new(cached, DataCache::new(cfg)),
        no_events: CacheEvents<Zero> = CacheEvents::new(cfg),
        held_group: Pipe<Bits<5>>,
        load, push, rests, cache_busy, flushed, fence_done, result_taken: Signal<Local, Bit>,
        group: Signal<Local, Bits<5>>,
        lane_address: Signal<Local, Bits<32>>,
        lane_offset: Signal<Local, Bits<14>>,
        result_slice: Signal<Local, WarpId> = signal(wid_bits),
        slice_mask: Const<WarpId> = constant(wid_bits, cfg.slice_mask()),
        _t: usize = t,
        _warps: usize = cfg.warps,
        _slices: usize = s,
        cached: Const<Bit> = Const::new(cached),
    }
}
