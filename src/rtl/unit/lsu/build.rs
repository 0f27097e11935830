//! Construction of the load/store unit.
use super::LoadStoreUnit;
use crate::config::CoreConfig;
use crate::rtl::cell::{constant, signal, signals, Pipe};
use crate::rtl::mem::{
    AccessInput, AccessStage, Coalescer, LoadReturn, LoadTable, LoadTracker, LocalMemory, PassStage,
    RequestBuffer, StoreAligner,
};
use rust_hdl::prelude::*;

/// Words in a line.
const WORDS: usize = 16;

impl LoadStoreUnit {
    /// The unit of a core with `cfg.slices` slices and `cfg.threads` lanes.
    pub fn new(cfg: &CoreConfig) -> Self {
        let (s, t, wid_bits) = (cfg.slices, cfg.threads, cfg.wid_bits());
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            mem_valid: vec![Signal::default(); s],
            mem_wid: signals(s, wid_bits),
            mem_tmask: signals(s, t),
            mem_pc: signals(s, 32),
            mem_rd: signals(s, 6),
            mem_use_rd: vec![Signal::default(); s],
            mem_funct3: signals(s, 3),
            mem_store: vec![Signal::default(); s],
            mem_fence: vec![Signal::default(); s],
            mem_fence_i: vec![Signal::default(); s],
            mem_imm: signals(s, 32),
            mem_rs1: (0..s).map(|_| signals(t, 32)).collect(),
            mem_rs2: (0..s).map(|_| signals(t, 32)).collect(),
            mem_ready: vec![Signal::default(); s],
            lsu_result_valid: vec![Signal::default(); s],
            lsu_result_wid: signal(wid_bits),
            lsu_result_rd: Signal::default(),
            lsu_result_tmask: signal(t),
            lsu_result_data: signals(t, 32),
            lsu_result_last: Signal::default(),
            lsu_result_ready: vec![Signal::default(); s],
            lsu_req_valid: Signal::default(),
            lsu_req_rw: Signal::default(),
            lsu_req_byteen: Signal::default(),
            lsu_req_addr: Signal::default(),
            lsu_req_data: signals(WORDS, 32),
            lsu_req_tag: Signal::default(),
            lsu_req_ready: Signal::default(),
            lsu_rsp_valid: Signal::default(),
            lsu_rsp_data: signals(WORDS, 32),
            lsu_rsp_tag: Signal::default(),
            lsu_rsp_ready: Signal::default(),
            writes_pending: Signal::default(),
            fence_done_warps: signal(cfg.warps),
            flush_icache: Signal::default(),
            memory_done_warps: signal(cfg.warps),
            fault_valid: Signal::default(),
            fault_wid: signal(wid_bits),
            fault_pc: Signal::default(),
            fault_cause: Signal::default(),
            fault_addr: Signal::default(),
            lsu_busy: Signal::default(),
            store_valid: Signal::default(),
            store_wid: signal(wid_bits),
            store_pc: Signal::default(),
            store_tmask: signal(t),
            store_funct3: Signal::default(),
            store_addr: signals(t, 32),
            store_data: signals(t, 32),
            entrance: AccessInput::new(cfg),
            access: AccessStage::new(cfg),
            coalescer: Coalescer::new(cfg),
            aligners: (0..t).map(|_| StoreAligner::default()).collect(),
            pass: PassStage::new(cfg),
            local_memory: LocalMemory::new(cfg),
            request: RequestBuffer::new(cfg),
            loads: LoadTable::new(cfg),
            tracker: LoadTracker::new(cfg),
            returns: LoadReturn::new(cfg),
            held_group: Pipe::new(),
            load: Signal::default(),
            push: Signal::default(),
            joined: signal(t),
            group: Signal::default(),
            lane_address: Signal::default(),
            lane_offset: Signal::default(),
            idle: Signal::default(),
            fence_done: Signal::default(),
            result_taken: Signal::default(),
            result_slice: signal(wid_bits),
            slice_mask: constant(wid_bits, s as u64 - 1),
            _t: t,
            _warps: cfg.warps,
            _slices: s,
            _words: WORDS,
        }
    }
}
