//! The core's ports and parts, declared once: type and constructor side by side.
use rust_hdl::prelude::*;

use crate::config::{bits_for, BusKind, CoreConfig, LINE_BYTES};
use crate::isa::counter::{COUNTERS, COUNTER_BITS};
use crate::rtl::cell::{signal, signals};
use crate::rtl::mem::axi::{words_per_beat, AxiMaster};
use crate::rtl::mem::{icache::InstructionCache, MemoryArbiter};
use crate::rtl::stage::{
    decode::Decoder, ibuffer::InstructionBuffer, issue::IssueSlice, schedule::WarpTable,
};
use crate::rtl::unit::{counters::PerfCounters, fault::FaultLatch, lsu::LoadStoreUnit, sfu::SpecialUnit};

/// 32-bit words in a line.
const LINE_WORDS: usize = LINE_BYTES / 4;

fn bit_signals<D: Direction>(count: usize) -> Vec<Signal<D, Bit>> {
    (0..count).map(|_| Signal::default()).collect()
}

/// Struct and constructor from one list of `field: type = value`.
macro_rules! block {
    (
        $(#[$meta:meta])* pub struct $name:ident($cfg:ident) { $(let $local:ident = $init:expr;)* }
        ports { $($(#[$port_meta:meta])* $port:ident: $port_type:ty = $port_value:expr,)* }
        parts { $($(#[$part_meta:meta])* $part:ident: $part_type:ty = $part_value:expr,)* }
    ) => {
        $(#[$meta])*
        #[derive(LogicBlock)]
        pub struct $name {
            $($(#[$port_meta])* pub $port: $port_type,)*
            $($(#[$part_meta])* pub(super) $part: $part_type,)*
        }

        impl $name {
            /// The core of a validated configuration.
            pub fn new($cfg: &CoreConfig) -> Self {
                $(let $local = $init;)*
                Self { $($port: $port_value,)* $($part: $part_value,)* }
            }
        }
    };
}

block! {
    /// The SIMT core, module `heddle`.
    ///
    /// Ports: below; W = warps, T = lanes, S = slices. Reset: hold `reset` high for one cycle at least; `start_pc`,
    /// `start_arg` and `mpm_class` must be stable from then until `busy` rises, in the second cycle after reset. Latency: ARCHITECTURE.md,
    /// "The pipeline". Invariants: none of its own, it only connects. Critical path: see `WarpTable`.
    /// Source: DESIGN section 2, VORTEX_ABI 3.3. Mirror in the model: `model::Machine`.
    pub struct Core(cfg) {
        let warps = cfg.warps;
        let threads = cfg.threads;
        let wid = cfg.wid_bits();
        let native = (cfg.bus == BusKind::Native) as usize;
        let axi = 1 - native;
        let lanes = words_per_beat(cfg);
        let trace = cfg.trace_port as usize;
        let traced_slices = trace * cfg.slices;
        let traced_oracles = traced_slices * cfg.oracle as usize;
        let traced_threads = trace * threads;
        let traced_warps = trace * warps;
        let fpu = cfg.fpu as usize;
        let counters = cfg.counters as usize;
        let traced_counters = trace * counters * COUNTERS.len();
    }
    ports {
        /// Rising edge moves the core.
        clock: Signal<In, Clock> = Signal::default(),
        /// Synchronous, active high.
        reset: Signal<In, Bit> = Signal::default(),
        /// Where warp 0 starts.
        start_pc: Signal<In, Bits<32>> = Signal::default(),
        /// What mscratch holds after reset: the kernel's argument.
        start_arg: Signal<In, Bits<32>> = Signal::default(),
        /// Which performance counters the `mhpmcounter` CSRs are: see `isa::counter`.
        mpm_class: Signal<In, Bits<8>> = Signal::default(),
        /// A warp is active or an instruction is still on its way.
        busy: Signal<Out, Bit> = Signal::default(),

        // The line bus (VORTEX_ABI 3.3), with `--bus native`: 64-byte lines, valid/ready, responses to reads only, in any order.
        /// A request waits; it stays as it is until it is accepted.
        mem_req_valid: Vec<Signal<Out, Bit>> = bit_signals(native),
        /// The request is accepted this cycle.
        mem_req_ready: Vec<Signal<In, Bit>> = bit_signals(native),
        /// 1 writes, 0 reads.
        mem_req_rw: Vec<Signal<Out, Bit>> = bit_signals(native),
        /// Bytes to write.
        mem_req_byteen: Vec<Signal<Out, Bits<64>>> = signals(native, 64),
        /// Line address: byte address / 64.
        mem_req_addr: Vec<Signal<Out, Bits<26>>> = signals(native, 26),
        /// 16 words to write.
        mem_req_data: Vec<Vec<Signal<Out, Bits<32>>>> = (0..native).map(|_| signals(LINE_WORDS, 32)).collect(),
        /// Comes back with the response; bit 7 marks the instruction cache.
        mem_req_tag: Vec<Signal<Out, Bits<8>>> = signals(native, 8),
        /// A line arrives.
        mem_rsp_valid: Vec<Signal<In, Bit>> = bit_signals(native),
        /// The line is taken this cycle.
        mem_rsp_ready: Vec<Signal<Out, Bit>> = bit_signals(native),
        /// 16 words read.
        mem_rsp_data: Vec<Vec<Signal<In, Bits<32>>>> = (0..native).map(|_| signals(LINE_WORDS, 32)).collect(),
        /// Tag of the request.
        mem_rsp_tag: Vec<Signal<In, Bits<8>>> = signals(native, 8),

        // AXI4, of which the core is a master, with `--bus axi4`; ACLK is `clock`, ARESETn is `reset` inverted. L words a beat.
        /// Write address channel: a burst is announced.
        m_axi_awvalid: Vec<Signal<Out, Bit>> = bit_signals(axi),
        /// It is accepted.
        m_axi_awready: Vec<Signal<In, Bit>> = bit_signals(axi),
        /// Always 0: writes are performed in order.
        m_axi_awid: Vec<Signal<Out, Bits<4>>> = signals(axi, 4),
        /// Byte address of the first beat.
        m_axi_awaddr: Vec<Signal<Out, Bits<32>>> = signals(axi, 32),
        /// Beats less one.
        m_axi_awlen: Vec<Signal<Out, Bits<8>>> = signals(axi, 8),
        /// Bytes in a beat, as a power of two.
        m_axi_awsize: Vec<Signal<Out, Bits<3>>> = signals(axi, 3),
        /// INCR.
        m_axi_awburst: Vec<Signal<Out, Bits<2>>> = signals(axi, 2),
        /// Never.
        m_axi_awlock: Vec<Signal<Out, Bit>> = bit_signals(axi),
        /// Modifiable and not bufferable: a response means that the write is done.
        m_axi_awcache: Vec<Signal<Out, Bits<4>>> = signals(axi, 4),
        /// Data, secure, unprivileged.
        m_axi_awprot: Vec<Signal<Out, Bits<3>>> = signals(axi, 3),
        /// None.
        m_axi_awqos: Vec<Signal<Out, Bits<4>>> = signals(axi, 4),
        /// Write data channel: a beat is there.
        m_axi_wvalid: Vec<Signal<Out, Bit>> = bit_signals(axi),
        /// It is accepted.
        m_axi_wready: Vec<Signal<In, Bit>> = bit_signals(axi),
        /// L words.
        m_axi_wdata: Vec<Vec<Signal<Out, Bits<32>>>> = (0..axi).map(|_| signals(lanes, 32)).collect(),
        /// Bytes to write, 4 x L bits.
        m_axi_wstrb: Vec<Vec<Signal<Out, Bits<4>>>> = (0..axi).map(|_| signals(lanes, 4)).collect(),
        /// The burst's last beat.
        m_axi_wlast: Vec<Signal<Out, Bit>> = bit_signals(axi),
        /// Write response channel: the oldest write is answered.
        m_axi_bvalid: Vec<Signal<In, Bit>> = bit_signals(axi),
        /// Always 1.
        m_axi_bready: Vec<Signal<Out, Bit>> = bit_signals(axi),
        /// Always 0.
        m_axi_bid: Vec<Signal<In, Bits<4>>> = signals(axi, 4),
        /// Bit 1: it failed.
        m_axi_bresp: Vec<Signal<In, Bits<2>>> = signals(axi, 2),
        /// Read address channel: a line is asked for.
        m_axi_arvalid: Vec<Signal<Out, Bit>> = bit_signals(axi),
        /// It is accepted.
        m_axi_arready: Vec<Signal<In, Bit>> = bit_signals(axi),
        /// Number of the read.
        m_axi_arid: Vec<Signal<Out, Bits<4>>> = signals(axi, 4),
        /// Byte address of the line.
        m_axi_araddr: Vec<Signal<Out, Bits<32>>> = signals(axi, 32),
        /// Beats less one.
        m_axi_arlen: Vec<Signal<Out, Bits<8>>> = signals(axi, 8),
        /// Bytes in a beat, as a power of two.
        m_axi_arsize: Vec<Signal<Out, Bits<3>>> = signals(axi, 3),
        /// INCR.
        m_axi_arburst: Vec<Signal<Out, Bits<2>>> = signals(axi, 2),
        /// Never.
        m_axi_arlock: Vec<Signal<Out, Bit>> = bit_signals(axi),
        /// Modifiable and not bufferable.
        m_axi_arcache: Vec<Signal<Out, Bits<4>>> = signals(axi, 4),
        /// Secure, unprivileged; bit 2: instructions.
        m_axi_arprot: Vec<Signal<Out, Bits<3>>> = signals(axi, 3),
        /// None.
        m_axi_arqos: Vec<Signal<Out, Bits<4>>> = signals(axi, 4),
        /// Read data channel: a beat is there.
        m_axi_rvalid: Vec<Signal<In, Bit>> = bit_signals(axi),
        /// Always 1: a buffer is reserved for each read.
        m_axi_rready: Vec<Signal<Out, Bit>> = bit_signals(axi),
        /// Number of the read.
        m_axi_rid: Vec<Signal<In, Bits<4>>> = signals(axi, 4),
        /// L words.
        m_axi_rdata: Vec<Vec<Signal<In, Bits<32>>>> = (0..axi).map(|_| signals(lanes, 32)).collect(),
        /// Bit 1: the beat failed.
        m_axi_rresp: Vec<Signal<In, Bits<2>>> = signals(axi, 2),
        /// The burst's last beat.
        m_axi_rlast: Vec<Signal<In, Bit>> = bit_signals(axi),

        // The first fault, held until reset.
        /// The core has faulted.
        fault_valid: Signal<Out, Bit> = Signal::default(),
        /// The warp.
        fault_wid: Signal<Out, Bits<5>> = signal(wid),
        /// Its PC.
        fault_pc: Signal<Out, Bits<32>> = Signal::default(),
        /// The cause, numbered as in [`FaultLatch`].
        fault_cause: Signal<Out, Bits<4>> = Signal::default(),
        /// The address at fault, 0 where there is none.
        fault_addr: Signal<Out, Bits<32>> = Signal::default(),

        // The trace port: arrays over slices (or slices and lanes), absent with `--no-trace-port`.
        /// S bits: an instruction issues.
        trace_issue_valid: Vec<Signal<Out, Bit>> = bit_signals(traced_slices),
        /// S warps.
        trace_issue_wid: Vec<Signal<Out, Bits<5>>> = signals(traced_slices, wid),
        /// S addresses.
        trace_issue_pc: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, 32),
        /// S instruction words.
        trace_issue_instr: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, 32),
        /// S lane masks.
        trace_issue_tmask: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, threads),
        /// S bits: a result, or a part of one, is written to the register file.
        trace_commit_valid: Vec<Signal<Out, Bit>> = bit_signals(traced_slices),
        /// S warps.
        trace_commit_wid: Vec<Signal<Out, Bits<5>>> = signals(traced_slices, wid),
        /// S registers.
        trace_commit_rd: Vec<Signal<Out, Bits<6>>> = signals(traced_slices, 6),
        /// S lane masks.
        trace_commit_tmask: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, threads),
        /// S bits: the last part of the instruction's result.
        trace_commit_last: Vec<Signal<Out, Bit>> = bit_signals(traced_slices),
        /// S x T words.
        trace_commit_data: Vec<Vec<Signal<Out, Bits<32>>>> = (0..traced_slices).map(|_| signals(threads, 32)).collect(),
        /// S times 5 bits, in a core with a floating-point unit: the exceptions of the instruction, NV DZ OF UF NX.
        trace_commit_flags: Vec<Signal<Out, Bits<5>>> = signals(fpu * traced_slices, 5),
        /// S masks of W bits: what the issue scheduler chooses from.
        trace_issue_sched_ready_warps: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, warps),
        /// S masks: ready but for the unit.
        trace_issue_sched_data_ready_warps: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, warps),
        /// S masks: the head is a load or store.
        trace_issue_sched_memory_warps: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, warps),
        /// S masks: the queue is empty.
        trace_issue_sched_empty_warps: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, warps),
        /// S masks: the choice.
        trace_issue_sched_grant_oh: Vec<Signal<Out, Bits<32>>> = signals(traced_slices, warps),
        /// S bits: whatever is chosen, nothing can leave the queue.
        trace_operand_stall: Vec<Signal<Out, Bit>> = bit_signals(traced_slices),
        /// S bits: the choice left the queue.
        trace_issue_sched_fire: Vec<Signal<Out, Bit>> = bit_signals(traced_slices),
        /// S bits: `osched1` grants another warp (absent without `--oracle`, like the following).
        trace_discrepancy: Vec<Signal<Out, Bit>> = bit_signals(traced_oracles),
        /// S bits: `osched2` grants another warp.
        trace_error: Vec<Signal<Out, Bit>> = bit_signals(traced_oracles),
        /// S counts of cycles with a discrepancy.
        trace_discrepancies: Vec<Signal<Out, Bits<32>>> = signals(traced_oracles, 32),
        /// S counts of cycles with an error.
        trace_errors: Vec<Signal<Out, Bits<32>>> = signals(traced_oracles, 32),
        /// The load/store unit begins a load or store: they act in this order.
        trace_access_valid: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// It is a store.
        trace_access_store: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Its warp.
        trace_access_wid: Vec<Signal<Out, Bits<5>>> = signals(trace, wid),
        /// Its PC.
        trace_access_pc: Vec<Signal<Out, Bits<32>>> = signals(trace, 32),
        /// Its lanes.
        trace_access_tmask: Vec<Signal<Out, Bits<32>>> = signals(trace, threads),
        /// Its size.
        trace_access_funct3: Vec<Signal<Out, Bits<3>>> = signals(trace, 3),
        /// T addresses.
        trace_access_addr: Vec<Signal<Out, Bits<32>>> = signals(traced_threads, 32),
        /// T words, of a store.
        trace_access_data: Vec<Signal<Out, Bits<32>>> = signals(traced_threads, 32),
        /// W bits each: what the fetch scheduler chooses from.
        trace_fetch_ready_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// As the ready warps at fetch.
        trace_fetch_data_ready_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// The head is a load or store.
        trace_fetch_memory_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// The queue is empty.
        trace_fetch_empty_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// W counts: instructions fetched and not yet issued.
        trace_fetch_unissued: Vec<Signal<Out, Bits<4>>> = signals(traced_warps, bits_for(cfg.queue_depth + 1)),
        /// W bits: the choice.
        trace_fetch_grant_oh: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// The cache took it.
        trace_fetch_fire: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// W bits each: the state and the events that all schedulers see.
        trace_active_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Waiting at a barrier.
        trace_barrier_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// A load or store completes.
        trace_memory_done_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Arrives at a barrier.
        trace_barrier_arrive_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Released from a barrier.
        trace_barrier_release_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Activated.
        trace_start_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Exits.
        trace_exit_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Why a warp does not issue: its queue is empty.
        trace_stall_ibuffer: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// A branch, barrier or mask-changing instruction is unresolved.
        trace_stall_control: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// A register is not written yet.
        trace_stall_scoreboard: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// The unit cannot take it.
        trace_stall_unit: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Suspended by an instruction-cache miss.
        trace_suspended_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// The same, from the cycle that signals the miss on.
        trace_held_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Queue and fetches in flight make up the queue depth.
        trace_full_queue_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// What the warp has fetched is void.
        trace_flush_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// The instruction cache takes a request.
        trace_icache_req_ready: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Waiting for a mask-changing instruction.
        trace_waiting_warps: Vec<Signal<Out, Bits<32>>> = signals(trace, warps),
        /// Lookups of the instruction cache.
        trace_icache_hit: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Those that missed.
        trace_icache_miss: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// The performance counters' totals.
        trace_counters: Vec<Signal<Out, Bits<44>>> = signals(traced_counters, COUNTER_BITS),
        /// Loads' lines that the data cache looks up.
        trace_dcache_read: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Stores' lines.
        trace_dcache_write: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Loads' lines that are not there.
        trace_dcache_read_miss: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Stores' lines that are not there.
        trace_dcache_write_miss: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Cycles in which a request waits for an MSHR.
        trace_dcache_stall_on_mshr: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Cycles in which a request waits for anything else.
        trace_dcache_stall_on_bank: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// MSHRs in use.
        trace_dcache_mshrs_in_use: Vec<Signal<Out, Bits<5>>> = signals(trace, bits_for(cfg.mshrs + 1)),
        /// Lanes read local memory.
        trace_local_read: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// Lanes write local memory.
        trace_local_write: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// T bits: these lanes.
        trace_local_lanes: Vec<Signal<Out, Bits<32>>> = signals(trace, threads),
        /// Others of their instruction wait for the same banks.
        trace_local_stall: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// A read of a line is accepted, by the memory or by what speaks AXI4 for the core.
        trace_bus_read: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// A write is.
        trace_bus_write: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// A line arrives.
        trace_bus_response: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// A load instruction enters the load/store unit.
        trace_load_started: Vec<Signal<Out, Bit>> = bit_signals(trace),
        /// A load instruction's last result is taken.
        trace_load_done: Vec<Signal<Out, Bit>> = bit_signals(trace),
    }
    parts {
        counters: Vec<PerfCounters> = (0..counters).map(|_| PerfCounters::new(cfg)).collect(),
        warp_table: WarpTable = WarpTable::new(cfg),
        icache: InstructionCache = InstructionCache::new(cfg),
        decoder: Decoder = Decoder::new(cfg),
        ibuffer: InstructionBuffer = InstructionBuffer::new(cfg),
        slices: Vec<IssueSlice> = (0..cfg.slices).map(|slice| IssueSlice::new(cfg, slice)).collect(),
        lsu: LoadStoreUnit = LoadStoreUnit::new(cfg),
        sfu: SpecialUnit = SpecialUnit::new(cfg),
        arbiter: MemoryArbiter = MemoryArbiter::default(),
        axi: Vec<AxiMaster> = (0..axi).map(|_| AxiMaster::new(cfg)).collect(),
        fault: FaultLatch = FaultLatch::new(wid),
        /// W bits: the warps whose head is granted issue, of all slices.
        issue_grant_warps: Signal<Local, Bits<32>> = signal(warps),
        /// W bits: those of them whose head issues.
        issue_fire_warps: Signal<Local, Bits<32>> = signal(warps),
        /// W bits: what blocked the warp's issue is resolved.
        resume_warps: Signal<Local, Bits<32>> = signal(warps),
        /// An instruction is on its way in some slice.
        pipelines_busy: Signal<Local, Bit> = Signal::default(),
        /// The bus accepts a request in this cycle.
        bus_ready: Signal<Local, Bit> = Signal::default(),
        /// A line arrives in this cycle.
        bus_responds: Signal<Local, Bit> = Signal::default(),
        /// A read is accepted in this cycle.
        bus_read: Signal<Local, Bit> = Signal::default(),
        /// A write is.
        bus_write: Signal<Local, Bit> = Signal::default(),
        /// An arriving line is taken.
        bus_response: Signal<Local, Bit> = Signal::default(),
        /// A write has left the core and may not have been performed yet.
        writes_pending: Signal<Local, Bit> = Signal::default(),
        /// Something other than the load/store unit has work.
        others_busy: Signal<Local, Bit> = Signal::default(),
        _warps: usize = warps,
        _threads: usize = threads,
        _slices: usize = cfg.slices,
        _fpu: usize = fpu,
        _float_slices: usize = fpu * cfg.slices,
        _native: usize = native,
        _axi: usize = axi,
        _lanes: usize = lanes,
        _oracles: usize = trace * cfg.oracle as usize,
        _unified: usize = usize::from(cfg.unified().is_some()),
        _trace: usize = trace,
        _traced_slices: usize = traced_slices,
        _traced_threads: usize = traced_threads,
        _traced_warps: usize = traced_warps,
        _counters: usize = counters,
        _traced_counters: usize = traced_counters,
    }
}
