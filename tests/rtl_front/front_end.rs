//! The four stages of the front end together, for the simulator alone.
use heddle::config::CoreConfig;
use heddle::rtl::mem::icache::InstructionCache;
use heddle::rtl::stage::decode::Decoder;
use heddle::rtl::stage::ibuffer::InstructionBuffer;
use heddle::rtl::stage::schedule::WarpTable;
use rust_hdl::prelude::*;

/// The four stages, wired as in the core.
#[derive(LogicBlock)]
pub struct FrontEnd {
    pub clock: Signal<In, Clock>,
    pub table: WarpTable,
    pub icache: InstructionCache,
    pub decoder: Decoder,
    pub ibuffer: InstructionBuffer,
}

impl FrontEnd {
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            clock: Signal::default(),
            table: WarpTable::new(cfg),
            icache: InstructionCache::new(cfg),
            decoder: Decoder::new(cfg),
            ibuffer: InstructionBuffer::new(cfg),
        }
    }
}

impl Logic for FrontEnd {
    fn update(&mut self) {
        let Self { clock, table, icache, decoder, ibuffer } = self;
        for stage in [&mut table.clock, &mut icache.clock, &mut ibuffer.clock] {
            stage.next = clock.val();
        }
        icache.fetch_valid.next = table.fetch_valid.val();
        icache.fetch_wid.next = table.fetch_wid.val();
        icache.fetch_pc.next = table.fetch_pc.val();
        icache.kill_warps.next = table.kill_warps.val();
        table.icache_req_ready.next = icache.icache_req_ready.val();
        for stage in 0..2 {
            table.icache_stage_valid[stage].next = icache.icache_stage_valid[stage].val();
            table.icache_stage_wid[stage].next = icache.icache_stage_wid[stage].val();
        }
        table.icache_miss_valid.next = icache.icache_miss_valid.val();
        table.icache_miss_wid.next = icache.icache_miss_wid.val();
        table.icache_missed_valid.next = icache.icache_missed_valid.val();
        table.icache_missed_wid.next = icache.icache_missed_wid.val();
        table.icache_missed_pc.next = icache.icache_missed_pc.val();
        table.icache_wake_warps.next = icache.icache_wake_warps.val();
        decoder.instr.next = icache.icache_rsp_instr.val();
        table.decode_valid.next = icache.icache_rsp_valid.val();
        table.decode_wid.next = icache.icache_rsp_wid.val();
        table.decode_pc.next = icache.icache_rsp_pc.val();
        table.decode_stops_fetch.next = decoder.stops_fetch.val();
        ibuffer.decode_valid.next = icache.icache_rsp_valid.val();
        ibuffer.decode_wid.next = icache.icache_rsp_wid.val();
        ibuffer.decode_pc.next = icache.icache_rsp_pc.val();
        ibuffer.decode_instr.next = icache.icache_rsp_instr.val();
        ibuffer.decode_use_rd.next = decoder.use_rd.val();
        ibuffer.decode_use_rs1.next = decoder.use_rs1.val();
        ibuffer.decode_use_rs2.next = decoder.use_rs2.val();
        ibuffer.decode_rd.next = decoder.rd.val();
        ibuffer.decode_rs1.next = decoder.rs1.val();
        ibuffer.decode_rs2.next = decoder.rs2.val();
        ibuffer.decode_collector.next = decoder.collector.val();
        ibuffer.decode_blocks_issue.next = decoder.blocks_issue.val();
        ibuffer.decode_memory.next = decoder.memory.val();
        for k in 0..decoder.fpu.len() {
            ibuffer.decode_rs3[k].next = decoder.rs3[k].val();
            ibuffer.decode_use_rs3[k].next = decoder.use_rs3[k].val();
            ibuffer.decode_drains[k].next = decoder.drains[k].val();
            ibuffer.decode_dynamic_rounding[k].next = decoder.dynamic_rounding[k].val();
        }
        ibuffer.flush_warps.next = table.flush_warps.val();
        for (to, from) in table.ibuffer_count.iter_mut().zip(&ibuffer.ibuffer_count) {
            to.next = from.val();
        }
        table.ibuffer_valid_warps.next = ibuffer.ibuffer_valid_warps.val();
        table.head_memory_warps.next = ibuffer.head_memory_warps.val();
    }
}
