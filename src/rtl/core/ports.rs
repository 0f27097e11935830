//! The core's ports and parts, declared once: type and constructor side by side.
use crate::mem::{icache::InstructionCache, MemoryArbiter};
use crate::prelude::*;
use crate::sharing::WarpSharing;
use crate::stage::{
    decode::{Decoder, SecondDecoder},
    ibuffer::InstructionBuffer,
    issue::IssueSlice,
    schedule::WarpTable,
};
use crate::unit::{
    counters::PerfCounters, dispatcher::CtaDispatcher, fault::FaultLatch, lsu::LoadStoreUnit,
    sfu::SpecialUnit,
};
use spec::config::BusKind;

module! {
    /// The SIMT core: the stages and units, and the wires between them. In comments W is the number of warps, T of lanes, S of
    /// slices, L of words on the data bus of AXI.
    ///
    /// Module `heddle` with the native bus. Ports: below. Reset: hold `reset` high for one cycle at least; `start_pc`,
    /// `start_arg` and `mpm_class` must be stable from then until `busy` rises, in the second cycle after reset. Latency: ARCHITECTURE.md,
    /// "The pipeline". Invariants: none of its own, it only connects. Critical path: see `WarpTable`.
    /// Source: docs/ISA.md, sections 7 and 9. Mirror in the model: `model::Machine`.
    pub struct Core(cfg: &CoreConfig) [clock, reset]
    let warps = cfg.warps;
    let axi4 = cfg.bus == BusKind::Axi4;
    {
        /// How the core starts, and whether it runs.
        pub control_: CoreControl<In> = CoreControl::new(),

        /// With a dispatcher of thread blocks: grids (docs/ISA.md, section 7.1).
        pub launch: Opt<GridLaunch<In>> = Opt::new(cfg.grid, GridLaunch::new()),

        /// The line bus, as docs/ISA.md has it in section 9.1. Lines of 64 bytes, valid/ready, responses to reads only, in any order. A request stays as it is until it is accepted.
        pub mem_req: LineRequest<Out> = LineRequest::new(BUS_TAG_BITS),
        /// Lines that were read. Bit 7 of the tag marks the instruction cache.
        pub mem_rsp: LineResponse<In> = LineResponse::new(BUS_TAG_BITS),
        /// What the AXI4 master knows of the accesses; a memory that speaks this protocol itself has performed a
        /// write that it has accepted.
        pub bus: Opt<BusState<In>> = Opt::new(axi4, BusState::new()),

        /// The first fault: held until reset.
        pub fault: Fault<Out> = Fault::new(cfg),

        /// The trace port.
        pub trace: Opt<Trace<Out>> = Opt::new(cfg.trace_port, Trace::new(cfg)),
        pub(super) counters: Opt<PerfCounters> = Opt::new(cfg.counters, PerfCounters::new(cfg)),
        pub(super) dispatcher: Opt<CtaDispatcher> = Opt::new(cfg.grid, CtaDispatcher::new(cfg)),
        pub(super) warp_table: WarpTable = WarpTable::new(cfg),
        pub(super) icaches: Vec<InstructionCache> = (0..cfg.slices).map(|_| InstructionCache::new(cfg)).collect(),
        pub(super) decoders: Vec<Decoder> = (0..cfg.slices).map(|_| Decoder::new(cfg)).collect(),
        pub(super) second_decoders: Opt<Vec<SecondDecoder>> = Opt::new(
            cfg.fetches_pairs(),
            (0..cfg.slices).map(|_| SecondDecoder::new(cfg)).collect(),
        ),
        pub(super) pairs: Const<Bit> = Const::new(cfg.fetches_pairs()),
        pub(super) ibuffer: InstructionBuffer = InstructionBuffer::new(cfg),
        pub(super) slices: Vec<IssueSlice> = (0..cfg.slices).map(|_| IssueSlice::new(cfg)).collect(),
        pub(super) own_warps: Vec<Const<WarpMask>> = own_warps(cfg),
        pub(super) sharing: Opt<WarpSharing> = Opt::new(cfg.shares_warps(), WarpSharing::new(cfg)),
        pub(super) lsu: LoadStoreUnit = LoadStoreUnit::new(cfg),
        pub(super) sfu: SpecialUnit = SpecialUnit::new(cfg),
        pub(super) arbiter: MemoryArbiter = MemoryArbiter::new(1 + cfg.slices, 1, BUS_TAG_BITS),
        pub(super) axi4: Const<Bit> = Const::new(axi4),
        pub(super) no_stalls: Stalls<Zero> = Stalls::new(cfg),
        pub(super) latch: FaultLatch = FaultLatch::new(cfg),
        /// A bit a warp: the warps whose head is granted issue, of all slices.
        pub(super) issue_grant_warps: Signal<Local, WarpMask> = signal(warps),
        /// A bit a warp: those of them whose head issues.
        pub(super) issue_fire_warps: Signal<Local, WarpMask> = signal(warps),
        pub(super) blocked_warps: Signal<Local, WarpMask> = signal(warps),
        /// A bit a warp: what blocked the warp's issue is resolved.
        pub(super) resume_warps: Signal<Local, WarpMask> = signal(warps),
        /// An instruction is on its way in some slice.
        pub(super) pipelines_busy: Signal<Local, Bit>,
        /// Something that began before this cycle has work, other than the load/store unit.
        pub(super) goes_on: Signal<Local, Bit>,
        /// Something other than the load/store unit has work.
        pub(super) others_busy: Signal<Local, Bit>,
        pub(super) _slices: usize = cfg.slices,
        pub(super) _load_results: usize = cfg.load_results(),
        pub(super) _loading_together: usize = if cfg.accesses() == 1 { cfg.slices } else { 0 },
        pub(super) _loading_apart: usize = if cfg.accesses() == 1 { 0 } else { cfg.slices },
        pub(super) _float_slices: usize = usize::from(cfg.fpu) * cfg.slices,
        pub(super) has_grid: Const<Bit> = Const::new(cfg.grid),
        pub(super) btfn: Const<Bit> = Const::new(cfg.btfn),
        /// Blocks have yet to be started.
        pub(super) dispatching: Signal<Local, Bit>,
        pub(super) shares: Const<Bit> = Const::new(cfg.shares_warps()),
        pub(super) _collecting_slices: usize = usize::from(cfg.collects()) * cfg.slices,
        pub(super) has_trace: Const<Bit> = Const::new(cfg.trace_port),
        pub(super) has_counters: Const<Bit> = Const::new(cfg.counters),
        pub(super) _oracles: usize = usize::from(cfg.oracle) * cfg.slices,
        pub(super) unified: Const<Bit> = Const::new(cfg.unified().is_some()),
    }
}
