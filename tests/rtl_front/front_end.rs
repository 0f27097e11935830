//! The four stages of the front end together, for the simulator alone.
use hdl::bundle::Wires;
use rtl::mem::icache::InstructionCache;
use rtl::stage::decode::{Decoder, SecondDecoder};
use rtl::stage::ibuffer::InstructionBuffer;
use rtl::stage::schedule::WarpTable;
use rust_hdl::prelude::*;
use spec::config::CoreConfig;

/// The four stages, wired as in the core: a cache and a decoder for each slice, with `--fetch-width 2` two.
#[derive(LogicBlock)]
pub struct FrontEnd {
    pub clock: Signal<In, Clock>,
    pub table: WarpTable,
    pub icaches: Vec<InstructionCache>,
    pub decoders: Vec<Decoder>,
    pub second_decoders: Vec<SecondDecoder>,
    pub ibuffer: InstructionBuffer,
}

impl FrontEnd {
    pub fn new(cfg: &CoreConfig) -> Self {
        Self {
            clock: Signal::default(),
            table: WarpTable::new(cfg),
            icaches: (0..cfg.slices).map(|_| InstructionCache::new(cfg)).collect(),
            decoders: (0..cfg.slices).map(|_| Decoder::new(cfg)).collect(),
            second_decoders: match cfg.fetches_pairs() {
                true => (0..cfg.slices).map(|_| SecondDecoder::new(cfg)).collect(),
                false => vec![],
            },
            ibuffer: InstructionBuffer::new(cfg),
        }
    }
}

impl Logic for FrontEnd {
    fn update(&mut self) {
        let Self { clock, table, icaches, decoders, second_decoders, ibuffer } = self;
        for stage in [&mut table.clock, &mut ibuffer.clock] {
            stage.next = clock.val();
        }
        for (slice, (icache, decoder)) in icaches.iter_mut().zip(decoders).enumerate() {
            icache.clock.next = clock.val();
            Wires::join(&mut table.fetch[slice], &mut icache.fetch);
            icache.kill_warps.next = table.kill_warps.val();
            table.icache_req_ready[slice].next = icache.icache_req_ready.val();
            Wires::join(&mut icache.events, &mut table.icache[slice]);
            decoder.instr.next = icache.fetched_instr.val();
            if let Some(second) = second_decoders.get_mut(slice) {
                Wires::join(&mut icache.fetched, &mut second.fetched);
                Wires::join(&mut *icache.fetched_second, &mut second.second);
                second.first_stops_fetch.next = decoder.stops_fetch.val();
                Wires::join(&mut second.last, &mut table.decode[slice]);
                table.decode_stops_fetch[slice].next = second.stops_fetch.val();
                table.decode_pair[slice].next = icache.fetched_second.there.val();
                ibuffer.second_valid[slice].next = second.valid.val();
                ibuffer.second_instr[slice].next = icache.fetched_second.instr.val();
                Wires::join(&mut second.decoded, &mut ibuffer.second_decoded[slice]);
            } else {
                Wires::join(&mut icache.fetched, &mut table.decode[slice]);
                table.decode_stops_fetch[slice].next = decoder.stops_fetch.val();
            }
            Wires::join(&mut icache.fetched, &mut ibuffer.decode[slice]);
            ibuffer.decode_instr[slice].next = icache.fetched_instr.val();
            Wires::join(&mut decoder.decoded, &mut ibuffer.decoded[slice]);
        }
        ibuffer.flush_warps.next = table.flush_warps.val();
        for (to, from) in table.ibuffer_count.iter_mut().zip(&ibuffer.ibuffer_count) {
            to.next = from.val();
        }
        table.head_memory_warps.next = ibuffer.heads.memory_warps.val();
    }
}
