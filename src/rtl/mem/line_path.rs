//! A path between the access stage and the bus: a bank of the data cache, and what serves lanes from its lines.
use super::dcache::DataCache;
use super::{BankStage, LoadReturn, LoadTable, RequestBuffer};
use crate::prelude::*;

module! {
    /// Serves groups of lanes in the order in which they come, one line or one local pass a cycle.
    ///
    /// Ports: below. Latency: pushed in c, line request in c+2 with the cache, its result two cycles after the line;
    /// local result in c+3. Reset: nothing held. Invariants: requests reach the cache in the order pushed. Critical
    /// path: room for a request -> pass -> `push.ready`. Source: none. Mirror in the model: `model::timing::path`.
    pub struct LinePath(cfg: &CoreConfig) [clock, reset]
    let t = cfg.threads;
    let cached = cfg.dcache.bytes != 0;
    {
        /// A group of lanes.
        pub push: LaneGroup<In> = LaneGroup::new(cfg),
        /// What local memory shall do.
        pub local: LocalEvents<Out> = LocalEvents::new(cfg),
        /// In which of its words, and what it stores.
        pub bank: BankAccess<Out> = BankAccess::new(cfg),
        /// What it has read.
        pub local_data: Vec<Signal<In, Bits<32>>> = signals(t, 32),
        /// A partial result that is made.
        pub part: LoadPart<Out> = LoadPart::new(cfg),
        /// A result waits.
        pub result: LoadResult<Out> = LoadResult::new(cfg),
        /// A store has been served completely.
        pub store_done: Signal<Out, Bit>,
        /// The warp of the group that is served.
        pub wid: Signal<Out, WarpId> = signal(cfg.wid_bits()),
        /// Nothing is held here, whatever the cache has under way.
        pub rests: Signal<Out, Bit>,
        /// A fence waits, and nothing else is under way in the unit.
        pub flush: Signal<In, Bit>,
        /// Memory has all stores of this path, and no line from before will be hit.
        pub flush_done: Signal<Out, Bit>,
        /// The core rests, and so does the unit: what is dirty goes to memory.
        pub drain: Signal<In, Bit>,
        /// A line is under way, or memory lacks stored bytes.
        pub cache_busy: Signal<Out, Bit>,
        /// A request to memory.
        pub mem_req: LineRequest<Out> = LineRequest::new(MASTER_TAG_BITS),
        /// A line that was read.
        pub mem_rsp: LineResponse<In> = LineResponse::new(MASTER_TAG_BITS),
        /// What the cache does.
        pub events: CacheEvents<Out> = CacheEvents::new(cfg),
        pass: BankStage = BankStage::new(cfg),
        request: RequestBuffer = RequestBuffer::new(cfg),
        loads: LoadTable = LoadTable::new(cfg),
        returns: LoadReturn = LoadReturn::new(cfg),
        cache: Opt<DataCache> = Opt::new(cached, DataCache::new(cfg)),
        no_events: CacheEvents<Zero> = CacheEvents::new(cfg),
        lane_offset: Signal<Local, Bits<14>>,
        cached: Const<Bit> = Const::new(cached),
        _t: usize = t,
    }
}

impl Logic for LinePath {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread flush: without a cache memory has what was stored");
        comment!("unread drain: only a data cache has something to send");
        comment!("unread lane_offset: a line is read by the place in it");
        comment!("1. the group goes to the banks");
        Wires::join(&mut self.push, &mut self.pass.push);
        self.pass.request_ready.next = self.request.request_ready.val();
        self.pass.slot_ready.next = self.loads.slot_ready.val();
        self.pass.local_ready.next = self.returns.local_ready.val();
        self.store_done.next = self.pass.store_done.val();
        self.wid.next = self.pass.load.wid.val();
        comment!("2. local memory, or a step of a bus request");
        self.local.read.next = self.pass.to_local.val() & self.pass.look.load.val();
        self.local.write.next = self.pass.to_local.val() & !self.pass.look.load.val();
        self.local.lanes.next = self.pass.pass_lanes.val();
        self.local.bank_stall.next = self.pass.to_local.val() & !self.pass.pass_last.val();
        Wires::join(&mut self.pass.bank, &mut self.bank);
        self.request.put.next = self.pass.to_bus.val();
        self.request.put_store.next = !self.pass.look.load.val();
        self.request.put_last.next = self.pass.pass_last.val();
        self.request.put_line.next = self.pass.look.line.val();
        self.request.put_tag.next = self.loads.slot.val();
        Wires::join(&mut self.pass.bank, &mut self.request.bank);
        comment!("3. what to do with the line when it comes, or with the words that local memory reads");
        self.loads.allocate.next = self.pass.to_bus.val() & self.pass.look.load.val();
        Wires::join(&mut self.pass.load, &mut self.loads.allocation.load);
        self.loads.allocation.single.next = self.pass.pass_single.val();
        self.loads.allocation.lanes.next = self.pass.pass_lanes.val();
        self.returns.local_read.next = self.local.read.val();
        Wires::join(&mut self.pass.load, &mut self.returns.local_load);
        self.returns.local_lanes.next = self.pass.pass_lanes.val();
        for i in 0..self._t {
            self.lane_offset.next = self.pass.pass_offset[i].val();
            self.loads.allocation.offset[i].next = self.lane_offset.val().get_bits::<6>(0);
            self.returns.local_offset[i].next = self.lane_offset.val().get_bits::<7>(0);
        }
        comment!("4. data come back");
        Wires::join(&mut self.local_data, &mut self.returns.local_data);
        self.loads.free.next = self.returns.rsp_taken.val();
        Wires::join(&mut self.loads.entry, &mut self.returns.entry);
        Wires::join(&mut self.returns.part, &mut self.part);
        Wires::join(&mut self.returns.result, &mut self.result);
        comment!("5. through the data cache to the bus, or straight");
        self.rests.next = !(self.pass.busy.val()
            | self.request.pending.val()
            | self.loads.in_flight.val()
            | self.returns.in_flight.val());
        self.cache_busy.next = false;
        self.flush_done.next = true;
        if self.cached.val() {
            Wires::join(&mut self.pass.look, &mut self.cache.look);
            Wires::join(&mut self.request.lsu_req, &mut self.cache.lsu_req);
            Wires::join(&mut self.cache.lsu_rsp, &mut self.returns.lsu_rsp);
            self.loads.lookup_slot.next = self.cache.lsu_rsp.tag.val().get_bits::<5>(0);
            self.cache.flush.next = self.flush.val();
            self.cache.drain.next = self.drain.val();
            self.flush_done.next = self.cache.flush_done.val();
            self.cache_busy.next = self.cache.busy.val();
            Wires::join(&mut self.cache.mem_req, &mut self.mem_req);
            Wires::join(&mut self.mem_rsp, &mut self.cache.mem_rsp);
            Wires::join(&mut self.cache.events, &mut self.events);
        } else {
            Wires::join(&mut self.request.lsu_req, &mut self.mem_req);
            Wires::join(&mut self.mem_rsp, &mut self.returns.lsu_rsp);
            self.loads.lookup_slot.next = self.mem_rsp.tag.val().get_bits::<5>(0);
            Data::join(&mut self.no_events, &mut self.events);
        }
    }
}
