//! The schedule stage: the state of the warps, and the choice of those that fetch. Here its ports, in `logic` what it does.
mod logic;
mod select;

use crate::prelude::*;
use crate::sched::{BarrierEvents, CoreView, CtaTables, CtaTracker, MemoryEvents};
use select::FetchSelect;

module! {
    /// Which warps are active, with which lanes, where each fetches next, and which of each slice fetches now.
    ///
    /// A warp may fetch when it is active, not suspended by a cache miss, not waiting for an instruction that may change
    /// its lanes, and its queue has room for what is in flight and one more; with `--fetch-width 2` when both are none. `FetchSelect` chooses, one warp of each slice.
    ///
    /// Ports: below; W = warps, T = lanes, S = slices. Latency: fetch choice combinational; every event moves the registers at the
    /// end of its cycle, so a redirected warp fetches from its target in the next cycle.
    /// Reset: no warp active; in the first cycle after it, warp 0 starts at `start_pc` with lane 0, unless a grid is launched.
    /// Invariants: a warp's queue and fetches in flight never exceed the queue depth; a warp is never suspended or waiting while
    /// inactive; no warp jumps in the cycle in which others are spawned. Of the events of one warp in one cycle, exit or fault wins over warp control, then taken branch (with branch
    /// prediction: one that goes elsewhere than predicted), then what decode says of fetching, then a miss: each older instruction's event wins over a younger one's.
    /// Critical path: that of `FetchSelect`.
    /// Source: SWaS IV-A, V-B; docs/SCHEDULERS.md, section 1 ("fetch-ready"). Mirror in the model: `model::Machine` (warp state).
    pub struct WarpTable(cfg: &CoreConfig) [clock, reset]
    let (warps, threads, slices, wid) = (cfg.warps, cfg.threads, cfg.slices, cfg.wid_bits());
    let count = bits_for(cfg.queue_depth + 1);
    let unified = cfg.unified().is_some();
    {
        /// Where warp 0 starts.
        pub start_pc: Signal<In, Bits<32>>,
        // From each slice's instruction cache.
        /// A fetch is taken this cycle.
        pub icache_req_ready: Vec<Signal<In, Bit>> = vec![Signal::default(); slices],
        /// What becomes of fetches.
        pub icache: Vec<FetchEvents<In>> = (0..slices).map(|_| FetchEvents::new(cfg)).collect(),
        // From each slice's decoder.
        /// The instruction in decode (the cache's response); of two the younger that is not void.
        pub decode: Vec<Fetch<In>> = (0..slices).map(|_| Fetch::new(cfg)).collect(),
        /// Nothing younger of its warp is fetched until it is resolved.
        pub decode_stops_fetch: Vec<Signal<In, Bit>> = vec![Signal::default(); slices],
        /// With branch prediction: what is predicted of it.
        pub predicted: Opt<Vec<FetchAhead<In>>> = Opt::new(cfg.btfn, (0..slices).map(|_| FetchAhead::new()).collect()),
        /// With `--fetch-width 2`: two words are in decode, void or not.
        pub decode_pair: Opt<Vec<Signal<In, Bit>>> = Opt::new(cfg.fetches_pairs(), vec![Signal::default(); slices]),
        // From the instruction buffer.
        /// W counts: instructions queued.
        pub ibuffer_count: Vec<Signal<In, Bits<4>>> = signals(warps, count),
        /// A bit a warp: the head is a load or a store.
        pub head_memory_warps: Signal<In, WarpMask> = signal(warps),
        // From issue.
        /// A bit a warp: heads that are granted issue.
        pub issue_grant_warps: Signal<In, WarpMask> = signal(warps),
        /// A bit a warp: those of them that issue this cycle.
        pub issue_fire_warps: Signal<In, WarpMask> = signal(warps),
        /// A bit a warp: data-ready heads for which there is no room.
        pub blocked_warps: Signal<In, WarpMask> = signal(warps),
        /// Of each slice: a branch or jump is resolved.
        pub branch: Vec<Branch<In>> = (0..slices).map(|_| Branch::new(cfg)).collect(),
        /// Address of the instruction that issues (SWaS only).
        pub issue_pc: Opt<Signal<In, Bits<32>>> = Opt::new(unified, Signal::default()),
        // From the special unit.
        /// A warp-control instruction is done.
        pub wctl: MaskChange<In> = MaskChange::new(cfg),
        /// A bit a warp: inactive warps to start with lane 0.
        pub spawn_warps: Signal<In, WarpMask> = signal(warps),
        /// Where they start.
        pub spawn_pc: Signal<In, Bits<32>>,
        /// What barriers do.
        pub barrier: BarrierEvents<In> = BarrierEvents::new(cfg),
        // From the load/store unit.
        /// A bit a warp: a FENCE.I completes, so the warp may fetch again.
        pub fence_i_done_warps: Signal<In, WarpMask> = signal(warps),
        /// What becomes of loads and stores.
        pub memory: MemoryEvents<In> = MemoryEvents::new(cfg),
        // From the dispatcher of thread blocks, if there is one.
        /// A grid is taken.
        pub launch: Opt<Signal<In, Bit>> = Opt::new(cfg.grid, Signal::default()),
        /// The block that starts.
        pub cta: Opt<CtaStart<In>> = Opt::new(cfg.grid, CtaStart::new(cfg)),
        /// Where warps belong.
        pub map: Opt<CtaMap<In>> = Opt::new(cfg.grid, CtaMap::new(cfg)),
        /// All blocks have started.
        pub last_dispatched: Opt<Signal<In, Bit>> = Opt::new(cfg.grid, Signal::default()),
        // From whichever unit reports it.
        /// An instruction faults, which ends its warp.
        pub fault_valid: Signal<In, Bit>,
        /// The warp.
        pub fault_wid: Signal<In, WarpId> = signal(wid),
        // To the instruction caches.
        /// The fetches that are requested, one a slice.
        pub fetch: Vec<Fetch<Out>> = (0..slices).map(|_| Fetch::new(cfg)).collect(),
        /// A bit a warp: fetches of these warps in stages 1 and 2, and the one requested now, are dropped.
        pub kill_warps: Signal<Out, WarpMask> = signal(warps),
        // To the instruction buffer.
        /// A bit a warp: the queue and the instruction in decode are dropped (taken branch, fault, exit; SWaS: mask change, FENCE.I).
        pub flush_warps: Signal<Out, WarpMask> = signal(warps),
        // To everybody.
        /// W masks of T bits: active lanes; 0 for an inactive warp.
        pub tmask: Vec<Signal<Out, Bits<32>>> = signals(warps, threads),
        /// A bit a warp: not fetching until an instruction is resolved.
        pub waiting_warps: Signal<Out, WarpMask> = signal(warps),
        // To the schedulers of the slices.
        /// What all schedulers see alike, this stage's among them.
        pub core: CoreView<Out> = CoreView::new(cfg),
        /// What they see of CTAs, if a policy orders these.
        pub tables: CtaTables<Out> = CtaTables::new(cfg),
        // To the trace port: the fetch schedulers' views.
        /// What they see.
        pub sched: Vec<TraceSched<Out>> = (0..slices).map(|_| TraceSched::new(cfg)).collect(),
        /// A bit a warp: queue and fetches in flight make up the queue depth.
        pub full_queue_warps: Signal<Out, WarpMask> = signal(warps),
        select: Vec<FetchSelect> = (0..slices).map(|_| FetchSelect::new(cfg)).collect(),
        tracker: Opt<CtaTracker> = Opt::new(cfg.has_table(None), CtaTracker::new(cfg)),
        orders_ctas: Const<Bit> = Const::new(cfg.has_table(None)),
        own_warps: Vec<Const<WarpMask>> = own_warps(cfg),
        age: AgeMatrix = AgeMatrix::new(warps),
        active, suspended, waiting: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        lanes: Vec<Reg<Bits<32>>> = regs(warps, threads),
        pc: Vec<Pipe<Bits<32>>> = pipes(warps, 32),
        booted: Reg<Bit>,
        boot: Signal<Local, Bit>,
        missed_warp: Vec<IndexOneHot> = (0..slices).map(|_| IndexOneHot::new(warps)).collect(),
        wake_warps, unfetched_warps, unserved_warps, able_warps, branch_warps, stop_warps, ended_warps,
        begun_warps, flushed_warps, full_warps, fire_warps, jump_warps: Signal<Local, WarpMask> = signal(warps),
        stop_warp: Vec<IndexOneHot> = (0..slices).map(|_| IndexOneHot::new(warps)).collect(),
        control_warp, fault_warp: IndexOneHot = IndexOneHot::new(warps),
        branch_warp: Vec<IndexOneHot> = (0..slices).map(|_| IndexOneHot::new(warps)).collect(),
        behind_decode_pc: Vec<Signal<Local, Bits<32>>> = signals(slices, 32),
        control_pc: Signal<Local, Bits<32>>,
        /// Warps that start or jump.
        control_warps: Signal<Local, WarpMask> = signal(warps),
        sharing_warps, void_warps, sent_warps, halted_warps: Signal<Local, WarpMask> = signal(warps),
        /// What sends a warp elsewhere: 1 a miss, 2 what decode says of fetching, 3 a branch.
        way: Signal<Local, Bits<2>>,
        missed_pc, stop_pc, branch_pc: Signal<Local, Bits<32>>,
        target: Vec<Signal<Local, Bits<32>>> = signals(warps, 32),
        occupancy: Vec<Signal<Local, Bits<4>>> = signals(warps, count),
        /// SWaS: the address behind the instruction of each warp that issued last, and the warps that go on there.
        behind: Opt<Vec<Pipe<Bits<32>>>> = Opt::new(unified, pipes(warps, 32)),
        resumed_warps: Opt<Signal<Local, WarpMask>> = Opt::new(unified, signal(warps)),
        depth: Const<Bits<4>> = constant(count, cfg.queue_depth as u64),
        one: Const<Bits<4>> = constant(count, 1),
        last_word: Opt<Const<Bits<4>>> = Opt::new(cfg.fetches_pairs(), constant(4, 15)),
        pairs: Const<Bit> = Const::new(cfg.fetches_pairs()),
        first_lane: Const<Bits<32>> = constant(threads, 1),
        /// Without a grid: the CTA slot of each warp.
        own_cta: Vec<Const<WarpId>> = bare_ctas(cfg),
        own_cta_oh: Vec<Const<WarpMask>> = (0..warps).map(|w| constant(cfg.ctas(), 1 << cfg.bare_cta(w))).collect(),
        few_ctas: Const<Bit> = Const::new(cfg.ctas() < warps),
        all_lanes: Const<Bits<32>> = constant(threads, (1 << threads) - 1),
        has_grid: Const<Bit> = Const::new(cfg.grid),
        boots_bare: Signal<Local, Bit>,
        _warps: usize = warps,
        _slices: usize = slices,
        unified: Const<Bit> = Const::new(unified),
        btfn: Const<Bit> = Const::new(cfg.btfn),
    }
}
