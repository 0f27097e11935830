//! The instruction cache.
mod fill;
mod way;

pub use fill::FillTable;
pub use way::CacheWay;

use crate::prelude::*;
use spec::config::LINE_BYTES;

module! {
    /// Read-only cache of 64-byte lines, one request a cycle, several misses at once.
    ///
    /// Ports: below; W = warps. Latency: a request of cycle c is in stage 1 in c+1, where its tag is compared, in stage 2 in
    /// c+2, where its word is read, and the word comes out in c+3 (t_F = 3). A miss is reported from a register, in c+2; what
    /// its warp requested in c+1 is void. The line is asked for from c+3 on.
    /// Reset: empty, nothing in flight. `flush_icache` makes all lines invalid; lines then on their way are not installed.
    /// For as many cycles as there are sets after either, lines of the upper sets may be lost and fetched again ([`CacheWay`]).
    /// Under SWaS a request that misses goes on as a NOP, in its place among the others of its warp, and so does a void one.
    /// Invariants: a request that is killed neither hits nor misses; `icache_req_ready` is 0 while a line is written, so a
    /// request never reads the tag being written; a woken warp that fetches at once hits (unless its
    /// line was stale or its set not yet swept).
    /// Critical path: `fetch` -> address of the tag memory.
    /// Source: SWaS IV-A, V-B and V-C (latency, miss signalled a cycle after the request, fetch repeated when the line is there).
    /// Deviation: the victim among several ways is chosen in rotation. Mirror in the model: `model::timing`, under SWaS.
    pub struct InstructionCache(cfg: &CoreConfig) [clock, reset]
    let (warps, wid) = (cfg.warps, cfg.wid_bits());
    let (ways, sets) = (cfg.icache.ways, cfg.icache.sets());
    let set = bits_for(sets);
    let way_bits = bits_for(ways);
    let unified = cfg.unified().is_some();
    let pairs = cfg.fetches_pairs();
    {
        // From schedule.
        /// A request; taken if `icache_req_ready`.
        pub fetch: Fetch<In> = Fetch::new(cfg),
        /// A bit a warp: requests of these warps in stages 1 and 2, and the one made this very cycle, are dropped.
        pub kill_warps: Signal<In, WarpMask> = signal(warps),
        /// A bit a warp: warps that cannot fetch until another warp lets them, so that no line is kept for them (SWaS only).
        pub parked_warps: Opt<Signal<In, WarpMask>> = Opt::new(unified, signal(warps)),
        /// All lines become invalid (FENCE.I).
        pub flush_icache: Signal<In, Bit>,
        // To schedule.
        /// A request is taken this cycle.
        pub icache_req_ready: Signal<Out, Bit>,
        /// What becomes of requests.
        pub events: FetchEvents<Out> = FetchEvents::new(cfg),
        // To decode.
        /// What was fetched.
        pub fetched: Fetch<Out> = Fetch::new(cfg),
        /// Its word.
        pub fetched_instr: Signal<Out, Bits<32>>,
        /// With `--fetch-width 2`: the word behind it.
        pub fetched_second: Opt<SecondWord<Out>> = Opt::new(pairs, SecondWord::new()),
        /// It is a NOP in the place of an instruction that missed (SWaS only).
        pub fetched_nop: Opt<Signal<Out, Bit>> = Opt::new(unified, Signal::default()),
        // To and from the memory bus.
        /// A line that is wanted.
        pub mem_req: LineRequest<Out> = LineRequest::new(MASTER_TAG_BITS),
        /// A line that arrives; it is always taken.
        pub mem_rsp: LineResponse<In> = LineResponse::new(MASTER_TAG_BITS),
        // To the counters.
        /// Event: a request hits or misses.
        pub icache: Lookup<Out> = Lookup::new(),
        ways: Vec<CacheWay> = (0..ways).map(|_| CacheWay::new(sets, pairs)).collect(),
        fills: FillTable = FillTable::new(warps, wid, sets, unified),
        stage_1, stage_2: Fetch<Registered> = Fetch::new(cfg),
        missed: Reg<Bit>,
        hit_2: Vec<Pipe<Bit>> = (0..ways).map(|_| Pipe::default()).collect(),
        nop_2: Opt<Pipe<Bit>> = Opt::new(unified, Pipe::default()),
        stage_3: Fetch<Registered> = Fetch::new(cfg),
        word_3: Pipe<Bits<32>>,
        second_3: Opt<Pipe<Bits<32>>> = Opt::new(pairs, Pipe::default()),
        nop_3: Opt<Pipe<Bit>> = Opt::new(unified, Pipe::default()),
        victim: Reg<Bits<2>> = Reg::<Bits<2>>::width(way_bits),
        one_way: Const<Bits<2>> = constant(way_bits, 1),
        last_way: Const<Bits<2>> = constant(way_bits, ways as u64 - 1),
        request, there_1, live_1, any_hit, miss: Signal<Local, Bit>,
        request_set, lookup_set, fill_set: Signal<Local, Bits<16>> = signal(set),
        lookup_line: Signal<Local, Bits<26>>,
        word: Signal<Local, Bits<32>>,
        second: Opt<Signal<Local, Bits<32>>> = Opt::new(pairs, Signal::default()),
        last_word: Opt<Const<Bits<4>>> = Opt::new(pairs, constant(4, 15)),
        pairs: Const<Bit> = Const::new(pairs),
        _ways: usize = ways,
        _set_bits: usize = (cfg.icache.bytes / LINE_BYTES / ways).trailing_zeros() as usize,
        unified: Const<Bit> = Const::new(unified),
    }
}

impl Logic for InstructionCache {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread mem_rsp_tag: lines on their way have few numbers");
        comment!("1. request: read the tags of every way, unless a line is being written");
        self.icache_req_ready.next = !self.mem_rsp.valid.val();
        self.request.next = self.fetch.valid.val() & !self.mem_rsp.valid.val();
        self.request_set.next = 0.into();
        for i in 0..self._set_bits {
            self.request_set.next = self.request_set.val().replace_bit(i, self.fetch.pc.val().get_bit(i + 6));
        }
        Payload::join(&mut self.fetch, &mut self.stage_1);
        comment!("2. stage 1: look the line up");
        comment!("A request made behind a miss of its warp is younger than the miss, which is known too late to stop it then.");
        self.there_1.next = self.stage_1.valid.q.val()
            & !(self.missed.q.val() & (self.stage_2.wid.q.val() == self.stage_1.wid.q.val()));
        self.live_1.next =
            self.there_1.val() & !self.kill_warps.val().get_bit(self.stage_1.wid.q.val().index());
        self.lookup_line.next = self.stage_1.pc.q.val().get_bits::<26>(6);
        self.lookup_set.next = 0.into();
        for i in 0..self._set_bits {
            self.lookup_set.next = self.lookup_set.val().replace_bit(i, self.lookup_line.val().get_bit(i));
        }
        self.any_hit.next = false;
        for i in 0..self._ways {
            self.any_hit.next = self.any_hit.val() | self.ways[i].hit.val();
        }
        self.miss.next = self.live_1.val() & !self.any_hit.val();
        self.missed.d.next = self.miss.val();
        self.events.missed.valid.next = self.missed.q.val();
        Payload::join(&mut self.stage_2, &mut self.events.missed);
        self.icache.miss.next = self.miss.val();
        self.icache.hit.next = self.live_1.val() & self.any_hit.val();
        self.stage_1.valid.d.next =
            self.request.val() & !self.kill_warps.val().get_bit(self.fetch.wid.val().index());
        self.stage_2.valid.d.next = self.live_1.val() & self.any_hit.val();
        if self.unified.val() {
            comment!("a NOP goes on in the place of an instruction that missed, and of what was requested behind it");
            self.stage_2.valid.d.next =
                self.stage_1.valid.q.val() & !self.kill_warps.val().get_bit(self.stage_1.wid.q.val().index());
            self.nop_2.d.next = !(self.there_1.val() & self.any_hit.val());
            self.nop_3.d.next = self.nop_2.q.val();
            self.fetched_nop.next = self.nop_3.q.val();
            self.fills.parked_warps.next = self.parked_warps.val();
        }
        Payload::join(&mut self.stage_1, &mut self.stage_2);
        comment!("3. stage 2: take the word of the way that hit");
        self.word.next = 0.into();
        for i in 0..self._ways {
            self.hit_2[i].d.next = self.ways[i].hit.val();
            if self.hit_2[i].q.val() {
                self.word.next = self.word.val() | self.ways[i].read_word.val();
            }
        }
        self.stage_3.valid.d.next =
            self.stage_2.valid.q.val() & !self.kill_warps.val().get_bit(self.stage_2.wid.q.val().index());
        Payload::join(&mut self.stage_2, &mut self.stage_3);
        self.word_3.d.next = self.word.val();
        comment!("There is no instruction between two words: 0 is illegal.");
        if self.stage_2.pc.q.val().get_bits::<2>(0) != 0 {
            self.word_3.d.next = 0.into();
        }
        Data::join(&mut self.stage_3, &mut self.fetched);
        self.fetched_instr.next = self.word_3.q.val();
        if self.pairs.val() {
            comment!("and the one behind it, if there is one in the line");
            self.second.next = 0.into();
            for i in 0..self._ways {
                if self.hit_2[i].q.val() {
                    self.second.next = self.second.val() | self.ways[i].read_second.val();
                }
            }
            self.second_3.d.next = self.second.val();
            self.fetched_second.instr.next = self.second_3.q.val();
            self.fetched_second.there.next = self.stage_3.pc.q.val().get_bits::<4>(2) != self.last_word.val();
        }
        comment!("4. what is in the stages");
        self.events.stage_valid[0].next = self.there_1.val();
        if self.unified.val() {
            self.events.stage_valid[0].next = self.stage_1.valid.q.val();
        }
        self.events.stage_wid[0].next = self.stage_1.wid.q.val();
        self.events.stage_valid[1].next = self.stage_2.valid.q.val();
        self.events.stage_wid[1].next = self.stage_2.wid.q.val();
        if self.pairs.val() {
            self.events.stage_pair.next = 0.into();
            if self.stage_1.pc.q.val().get_bits::<4>(2) != self.last_word.val() {
                self.events.stage_pair.next = self.events.stage_pair.val().replace_bit(0, true);
            }
            if self.stage_2.pc.q.val().get_bits::<4>(2) != self.last_word.val() {
                self.events.stage_pair.next = self.events.stage_pair.val().replace_bit(1, true);
            }
        }
        comment!("5. misses");
        self.fills.miss_valid.next = self.miss.val();
        self.fills.miss_wid.next = self.stage_1.wid.q.val();
        self.fills.miss_line.next = self.lookup_line.val();
        self.fills.hit_valid.next = self.live_1.val() & self.any_hit.val();
        self.fills.kill_warps.next = self.kill_warps.val();
        self.fills.clear.next = self.flush_icache.val();
        Wires::join(&mut self.fills.mem_req, &mut self.mem_req);
        self.fills.mem_rsp_valid.next = self.mem_rsp.valid.val();
        self.fills.mem_rsp_tag.next = self.mem_rsp.tag.val().get_bits::<3>(0);
        self.mem_rsp.ready.next = true;
        self.events.wake_warps.next = self.fills.wake_warps.val();
        comment!("6. write the line that arrives");
        self.fill_set.next = 0.into();
        for i in 0..self._set_bits {
            self.fill_set.next = self.fill_set.val().replace_bit(i, self.fills.fill_line.val().get_bit(i));
        }
        if self.fills.fill_valid.val() {
            self.victim.d.next = self.victim.q.val() + self.one_way.val();
            if self.victim.q.val() == self.last_way.val() {
                self.victim.d.next = 0.into();
            }
        }
        for i in 0..self._ways {
            self.ways[i].read_set.next = self.request_set.val();
            self.ways[i].lookup.next = self.stage_1.valid.q.val();
            self.ways[i].lookup_set.next = self.lookup_set.val();
            self.ways[i].lookup_line.next = self.lookup_line.val();
            self.ways[i].lookup_word.next = self.stage_1.pc.q.val().get_bits::<4>(2);
            self.ways[i].clear.next = self.flush_icache.val();
            self.ways[i].fill.next = self.fills.fill_valid.val() & (self.victim.q.val() == i.to_bits::<2>());
            self.ways[i].fill_set.next = self.fill_set.val();
            self.ways[i].fill_line.next = self.fills.fill_line.val();
            Wires::join(&mut self.mem_rsp.data, &mut self.ways[i].fill_data);
        }
    }
}
