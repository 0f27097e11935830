//! The core's ports and parts, declared once: type and constructor side by side.
use rust_hdl::prelude::*;

use crate::config::{BusKind, CoreConfig};
use crate::isa::counter::{COUNTERS, COUNTER_BITS};
use crate::module;
use crate::rtl::bundles::{
    Access, Axi, BusEvents, CacheEvents, Fault, Issue, LineRequest, LineResponse, LocalEvents, Stalls,
    Writeback, BUS_TAG_BITS,
};
use crate::rtl::cell::{constant, signal, signals, Const};
use crate::rtl::mem::{icache::InstructionCache, AxiMaster, MemoryArbiter};
use crate::rtl::module::Opt;
use crate::rtl::sched::{CoreView, StageView};
use crate::rtl::stage::{
    decode::Decoder, ibuffer::InstructionBuffer, issue::IssueSlice, schedule::WarpTable,
};
use crate::rtl::unit::{counters::PerfCounters, fault::FaultLatch, lsu::LoadStoreUnit, sfu::SpecialUnit};

fn bit_signals<D: Direction>(count: usize) -> Vec<Signal<D, Bit>> {
    (0..count).map(|_| Signal::default()).collect()
}

module! {
    /// The SIMT core, module `heddle`.
    ///
    /// Ports: below; W = warps, T = lanes, S = slices. Reset: hold `reset` high for one cycle at least; `start_pc`,
    /// `start_arg` and `mpm_class` must be stable from then until `busy` rises, in the second cycle after reset. Latency: ARCHITECTURE.md,
    /// "The pipeline". Invariants: none of its own, it only connects. Critical path: see `WarpTable`.
    /// Source: docs/ISA.md, sections 7 and 9. Mirror in the model: `model::Machine`.
    pub struct Core(cfg: &CoreConfig) [clock, reset]
    let warps = cfg.warps;
    let threads = cfg.threads;
    let axi4 = cfg.bus == BusKind::Axi4;
    let trace = cfg.trace_port as usize;
    let traced_slices = trace * cfg.slices;
    let traced_oracles = traced_slices * cfg.oracle as usize;
    let fpu = cfg.fpu as usize;
    let counters = cfg.counters as usize;
    let traced_counters = trace * counters * COUNTERS.len();
    {
        /// Where warp 0 starts.
        pub start_pc: Signal<In, Bits<32>>,
        /// What mscratch holds after reset: the kernel's argument.
        pub start_arg: Signal<In, Bits<32>>,
        /// Which performance counters the `mhpmcounter` CSRs are: see `isa::counter`.
        pub mpm_class: Signal<In, Bits<8>>,
        /// A warp is active or an instruction is still on its way.
        pub busy: Signal<Out, Bit>,

        /// The line bus (docs/ISA.md, section 9.1), with `--bus native`: 64-byte lines, valid/ready, responses to reads only, in any order.
        pub mem_req: Opt<LineRequest<Out>> = Opt::new(!axi4, LineRequest::new(BUS_TAG_BITS)),
        /// Lines that were read. Bit 7 of the tag marks the instruction cache.
        pub mem_rsp: Opt<LineResponse<In>> = Opt::new(!axi4, LineResponse::new(BUS_TAG_BITS)),
        /// AXI4, of which the core is a master, with `--bus axi4`; ACLK is `clock`, ARESETn is `reset` inverted. L words a beat.
        pub m_axi: Opt<Axi<Out>> = Opt::new(axi4, Axi::new(cfg)),

        /// The first fault: held until reset.
        pub fault: Fault<Out> = Fault::new(cfg),

        // The trace port: arrays over slices (or slices and lanes), absent with `--no-trace-port`.
        /// S times the instruction that issues.
        pub trace_issue: Vec<Issue<Out>> = (0..traced_slices).map(|_| Issue::new(cfg)).collect(),
        /// S times what is written to the register file: a result, or a part of one.
        pub trace_commit: Vec<Writeback<Out>> = (0..traced_slices).map(|_| Writeback::new(cfg)).collect(),
        /// S x T words.
        pub trace_commit_data: Vec<Vec<Signal<Out, Bits<32>>>> = (0..traced_slices).map(|_| signals(threads, 32)).collect(),
        /// S times what an issue scheduler sees of its slice.
        pub trace_issue_sched: Vec<StageView<Out>> = (0..traced_slices).map(|_| StageView::new(cfg)).collect(),
        /// S masks: the choice.
        pub trace_issue_sched_grant_oh: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, warps),
        /// S bits: whatever is chosen, nothing can leave the queue.
        pub trace_operand_stall: Vec<Signal<Out, Bit>> = bit_signals(traced_slices),
        /// S bits: `osched1` grants another warp (absent without `--oracle`, like the following).
        pub trace_discrepancy: Vec<Signal<Out, Bit>> = bit_signals(traced_oracles),
        /// S bits: `osched2` grants another warp.
        pub trace_error: Vec<Signal<Out, Bit>> = bit_signals(traced_oracles),
        /// S counts of cycles with a discrepancy.
        pub trace_discrepancies: Vec<Signal<Out, Bits<32>>> = signals(traced_oracles, 32),
        /// S counts of cycles with an error.
        pub trace_errors: Vec<Signal<Out, Bits<32>>> = signals(traced_oracles, 32),
        /// A load or store that the load/store unit begins: they act in this order.
        pub trace_access: Vec<Access<Out>> = (0..trace).map(|_| Access::new(cfg)).collect(),
        /// What the fetch scheduler sees of its stage.
        pub trace_fetch: Vec<StageView<Out>> = (0..trace).map(|_| StageView::new(cfg)).collect(),
        /// W bits: the choice.
        pub trace_fetch_grant_oh: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// What all schedulers see alike.
        pub trace: Vec<CoreView<Out>> = (0..trace).map(|_| CoreView::new(cfg)).collect(),
        /// Why warps do not issue.
        pub trace_stall: Vec<Stalls<Out>> = (0..trace).map(|_| Stalls::new(cfg)).collect(),
        /// Suspended by an instruction-cache miss.
        pub trace_suspended_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Queue and fetches in flight make up the queue depth.
        pub trace_full_queue_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// What the warp has fetched is void.
        pub trace_flush_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Waiting for a mask-changing instruction.
        pub trace_waiting_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Lookups of the instruction cache.
        pub trace_icache_hit: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Those that missed.
        pub trace_icache_miss: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// The performance counters' totals.
        pub trace_counters: Vec<Signal<Out, Bits<44>>> = signals(traced_counters, COUNTER_BITS),
        /// What the data cache does.
        pub trace_dcache: Vec<CacheEvents<Out>> = (0..trace).map(|_| CacheEvents::new(cfg)).collect(),
        /// What local memory does.
        pub trace_local: Vec<LocalEvents<Out>> = (0..trace).map(|_| LocalEvents::new(cfg)).collect(),
        /// What happens on the bus.
        pub trace_bus: Vec<BusEvents<Out>> = (0..trace).map(|_| BusEvents::new()).collect(),
        /// A load instruction enters the load/store unit.
        pub trace_load_started: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// A load instruction's last result is taken.
        pub trace_load_done: Vec<Signal<Out, Bit>> = bit_signals(trace),
        pub(super) counters: Vec<PerfCounters> = (0..counters).map(|_| PerfCounters::new(cfg)).collect(),
        pub(super) warp_table: WarpTable = WarpTable::new(cfg),
        pub(super) icache: InstructionCache = InstructionCache::new(cfg),
        pub(super) decoder: Decoder = Decoder::new(cfg),
        pub(super) ibuffer: InstructionBuffer = InstructionBuffer::new(cfg),
        pub(super) slices: Vec<IssueSlice> = (0..cfg.slices).map(|_| IssueSlice::new(cfg)).collect(),
        pub(super) own_warps: Vec<Const<Bits<32>>> = (0..cfg.slices).map(|slice| constant(warps, cfg.own_warps(slice).into())).collect(),
        pub(super) lsu: LoadStoreUnit = LoadStoreUnit::new(cfg),
        pub(super) sfu: SpecialUnit = SpecialUnit::new(cfg),
        pub(super) arbiter: MemoryArbiter = MemoryArbiter::new(2, 1),
        pub(super) axi: Opt<AxiMaster> = Opt::new(axi4, AxiMaster::new(cfg)),
        pub(super) axi4: Const<Bit> = Const::new(axi4),
        pub(super) latch: FaultLatch = FaultLatch::new(cfg),
        /// W bits: the warps whose head is granted issue, of all slices.
        pub(super) issue_grant_warps: Signal<Local, Bits<32>> = signal(warps),
        /// W bits: those of them whose head issues.
        pub(super) issue_fire_warps: Signal<Local, Bits<32>> = signal(warps),
        /// W bits: what blocked the warp's issue is resolved.
        pub(super) resume_warps: Signal<Local, Bits<32>> = signal(warps),
        /// An instruction is on its way in some slice.
        pub(super) pipelines_busy: Signal<Local, Bit>,
        /// Something other than the load/store unit has work.
        pub(super) others_busy: Signal<Local, Bit>,
        pub(super) _warps: usize = warps,
        pub(super) _threads: usize = threads,
        pub(super) _slices: usize = cfg.slices,
        pub(super) _float_slices: usize = fpu * cfg.slices,
        pub(super) _oracles: usize = trace * cfg.oracle as usize,
        pub(super) unified: Const<Bit> = Const::new(cfg.unified().is_some()),
        pub(super) _trace: usize = trace,
        pub(super) _traced_slices: usize = traced_slices,
        pub(super) _counters: usize = counters,
        pub(super) _traced_counters: usize = traced_counters,
    }
}
