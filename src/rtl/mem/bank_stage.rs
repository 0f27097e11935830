//! Second stage of the load/store unit: serves the lanes that go to one line, or to local memory.
use super::bank_arbiter::BankArbiter;
use super::local_mem::word_bits;
use crate::prelude::*;

module! {
    /// Holds a group of lanes until the banks have served them, one pass a cycle, and brings words to store from lanes
    /// to banks.
    ///
    /// Ports: below. Latency: pushed in c, first pass in c+1. Reset: empty. Invariants: a load from memory takes one
    /// pass, whatever its banks; passes serve lanes of one word in lane order, so that the highest lane's store
    /// remains. Critical path: bank arbitration, crossbar. Source: none. Mirror in the model: `model::timing::path`.
    pub struct BankStage(cfg: &CoreConfig) [clock, reset]
    let t = cfg.threads;
    {
        /// A group that comes.
        pub push: LaneGroup<In> = LaneGroup::new(cfg),
        /// The request buffer takes a step.
        pub request_ready: Signal<In, Bit>,
        /// The load table has a slot.
        pub slot_ready: Signal<In, Bit>,
        /// The return path takes a local read.
        pub local_ready: Signal<In, Bit>,
        /// The line of a group that goes to the bus. What it says of a load holds for local memory too.
        pub look: LineLook<Out> = LineLook::new(),
        /// A pass goes to the bus.
        pub to_bus: Signal<Out, Bit>,
        /// A pass goes to local memory.
        pub to_local: Signal<Out, Bit>,
        /// This pass is the group's last.
        pub pass_last: Signal<Out, Bit>,
        /// Lanes that this pass serves.
        pub pass_lanes: Signal<Out, Bits<32>> = signal(t),
        /// The banks serve all lanes of the group at once.
        pub pass_single: Signal<Out, Bit>,
        /// Where a load's words go.
        pub load: LoadTarget<Out> = LoadTarget::new(cfg),
        /// Low address bits of each lane.
        pub pass_offset: Vec<Signal<Out, Bits<14>>> = signals(t, 14),
        /// What the banks do.
        pub bank: BankAccess<Out> = BankAccess::new(cfg),
        /// A store has been served completely.
        pub store_done: Signal<Out, Bit>,
        /// A group is held.
        pub busy: Signal<Out, Bit>,
        held: LaneGroup<Registered> = LaneGroup::new(cfg),
        arbiter: BankArbiter = BankArbiter::new(t, t, word_bits(cfg)),
        step, finishes, room: Signal<Local, Bit>,
        served, remaining: Signal<Local, Bits<32>> = signal(t),
        lane_offset: Signal<Local, Bits<14>>,
        bank_lane: Signal<Local, Bits<5>> = signal(cfg.tid_bits()),
        _t: usize = t,
    }
}

impl Logic for BankStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread bank_lane: of a single lane the number");
        comment!("unread lane_offset: banks hold whole words");
        comment!("1. what the banks can serve");
        self.arbiter.active.next = self.held.valid.q.val();
        self.arbiter.candidates.next = self.held.lanes.q.val();
        for i in 0..self._t {
            self.lane_offset.next = self.held.offset[i].q.val();
            self.arbiter.word[i].next = bit_cast::<12, 12>(self.lane_offset.val().get_bits::<12>(2));
        }
        Data::join(&mut self.held.same_bank, &mut self.arbiter.same_bank);
        Data::join(&mut self.held.same_word, &mut self.arbiter.same_word);
        self.bank.valid.next = self.arbiter.bank_valid.val();
        for b in 0..self._t {
            self.bank_lane.next = self.arbiter.bank_lane[b].val();
            self.bank.word[b].next = self.arbiter.bank_word[b].val();
            self.bank.data[b].next = self.held.word[self.bank_lane.val().index()].q.val();
            self.bank.bytes[b].next = self.held.bytes[self.bank_lane.val().index()].q.val();
        }
        comment!("2. whether the pass can be made: local memory always stores");
        self.step.next = self.held.valid.q.val()
            & self.request_ready.val()
            & (self.held.store.q.val() | self.slot_ready.val());
        if self.held.in_local.q.val() {
            self.step.next = self.held.valid.q.val() & (self.held.store.q.val() | self.local_ready.val());
        }
        self.look.valid.next = self.held.valid.q.val() & !self.held.in_local.q.val();
        self.look.line.next = self.held.line.q.val();
        self.look.load.next = !self.held.store.q.val();
        self.to_local.next = self.step.val() & self.held.in_local.q.val();
        self.to_bus.next = self.step.val() & !self.held.in_local.q.val();
        comment!("3. what remains; memory gives a whole line at once");
        self.served.next = self.arbiter.served.val();
        self.pass_single.next = self.arbiter.complete.val();
        self.pass_last.next = self.arbiter.complete.val();
        if !self.held.in_local.q.val() & !self.held.store.q.val() {
            self.served.next = self.held.lanes.q.val();
            self.pass_last.next = true;
        }
        self.remaining.next = self.held.lanes.q.val() & !self.served.val();
        self.finishes.next = self.step.val() & self.pass_last.val();
        self.room.next = !self.held.valid.q.val() | self.finishes.val();
        self.push.ready.next = self.room.val();
        self.store_done.next = self.finishes.val() & self.held.store.q.val() & self.held.ends.q.val();
        if self.step.val() {
            self.held.lanes.d.next = self.remaining.val();
        }
        comment!("4. the next group");
        if self.room.val() {
            Data::join(&mut self.push, &mut self.held);
            for i in 0..self._t {
                comment!("Lanes that store do not share a word.");
                self.held.same_word[i].d.next = 0.into();
                if !self.push.store.val() {
                    self.held.same_word[i].d.next = self.push.same_word[i].val();
                }
            }
        }
        Data::join(&mut self.held.offset, &mut self.pass_offset);
        self.pass_lanes.next = self.served.val();
        Data::join(&mut self.held.load, &mut self.load);
        self.busy.next = self.held.valid.q.val();
    }
}
