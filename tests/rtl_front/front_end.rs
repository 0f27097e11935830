//! The four stages of the front end together, for the simulator alone.
use heddle::config::CoreConfig;
use heddle::rtl::bundle::Wires;
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
        Wires::join(&mut table.fetch, &mut icache.fetch);
        icache.kill_warps.next = table.kill_warps.val();
        table.icache_req_ready.next = icache.icache_req_ready.val();
        Wires::join(&mut icache.events, &mut table.icache);
        decoder.instr.next = icache.fetched_instr.val();
        Wires::join(&mut icache.fetched, &mut table.decode);
        table.decode_stops_fetch.next = decoder.stops_fetch.val();
        Wires::join(&mut icache.fetched, &mut ibuffer.decode);
        ibuffer.decode_instr.next = icache.fetched_instr.val();
        Wires::join(&mut decoder.decoded, &mut ibuffer.decoded);
        ibuffer.flush_warps.next = table.flush_warps.val();
        for (to, from) in table.ibuffer_count.iter_mut().zip(&ibuffer.ibuffer_count) {
            to.next = from.val();
        }
        table.ibuffer_valid_warps.next = ibuffer.heads.valid_warps.val();
        table.head_memory_warps.next = ibuffer.heads.memory_warps.val();
    }
}
