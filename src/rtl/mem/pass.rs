//! Second stage of the load/store unit: serves the lanes that go to one line, or to local memory.
use super::bank_arbiter::BankArbiter;
use super::local_mem::word_bits;
use crate::config::CoreConfig;
use crate::rtl::bundles::LineLook;
use crate::rtl::cell::{pipes, signal, signals, Pipe, Reg};
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Holds a group of lanes until the banks have served them, one pass a cycle, and brings words to store from lanes
    /// to banks.
    ///
    /// Ports, from the access stage and the coalescer: `push` with `push_*` -> `pass_ready` (room in the next cycle, or
    /// now because the last pass is made). From what it feeds: `request_ready`, `slot_ready`, `local_ready` -> `to_bus`,
    /// `to_local` (a pass is made), `pass_load`, `pass_last` (it is the group's last), `pass_lanes` (the lanes it serves), `pass_single` (a
    /// line could serve them all at once),
    /// the group's fields `pass_*`, and what each bank does: `bank_valid`, `bank_word`, `bank_bytes`, `bank_data`.
    /// `store_done`: the store's last pass is made. `busy`.
    /// Latency: pushed in c, first pass in c+1. Reset: empty. Invariants: a load from memory takes one pass, whatever its
    /// banks; passes serve lanes of one word in lane order, so that the highest lane's store remains.
    /// Critical path: bank arbitration, crossbar. Source: none. Mirror in the model: none (timing only).
    pub struct PassStage(cfg: &CoreConfig) [clock, reset]
    let (t, wid_bits) = (cfg.threads, cfg.wid_bits());
    {
        /// A group comes.
        pub push: Signal<In, Bit>,
        /// Its lanes.
        pub push_lanes: Signal<In, Bits<32>> = signal(t),
        /// It goes to local memory.
        pub push_local: Signal<In, Bit>,
        /// Its line, if it does not.
        pub push_line: Signal<In, Bits<26>>,
        /// It is part of a store.
        pub push_store: Signal<In, Bit>,
        /// No other group of the instruction follows.
        pub push_final: Signal<In, Bit>,
        /// Warp.
        pub push_wid: Signal<In, Bits<5>> = signal(wid_bits),
        /// Destination register.
        pub push_rd: Signal<In, Bits<6>>,
        /// Size and extension.
        pub push_funct3: Signal<In, Bits<3>>,
        /// Number of the load.
        pub push_group: Signal<In, Bits<5>>,
        /// Low address bits of each lane.
        pub push_offset: Vec<Signal<In, Bits<14>>> = signals(t, 14),
        /// For each lane, the lanes before it that want the same bank.
        pub push_same_bank: Vec<Signal<In, Bits<32>>> = signals(t, t),
        /// For each lane, the lanes before it that want the same word.
        pub push_same_word: Vec<Signal<In, Bits<32>>> = signals(t, t),
        /// Aligned word to store of each lane.
        pub push_word: Vec<Signal<In, Bits<32>>> = signals(t, 32),
        /// Bytes to store of each lane.
        pub push_bytes: Vec<Signal<In, Bits<4>>> = signals(t, 4),
        /// A group can be pushed.
        pub pass_ready: Signal<Out, Bit>,
        /// The request buffer takes a step.
        pub request_ready: Signal<In, Bit>,
        /// The load table has a slot.
        pub slot_ready: Signal<In, Bit>,
        /// The return path takes a local read.
        pub local_ready: Signal<In, Bit>,
        /// The line of a group that goes to the bus.
        pub look: LineLook<Out> = LineLook::new(),
        /// A pass goes to the bus.
        pub to_bus: Signal<Out, Bit>,
        /// A pass goes to local memory.
        pub to_local: Signal<Out, Bit>,
        /// The group is part of a load.
        pub pass_load: Signal<Out, Bit>,
        /// This pass is the group's last.
        pub pass_last: Signal<Out, Bit>,
        /// Lanes that this pass serves.
        pub pass_lanes: Signal<Out, Bits<32>> = signal(t),
        /// The banks serve all lanes of the group at once.
        pub pass_single: Signal<Out, Bit>,
        /// Line.
        pub pass_line: Signal<Out, Bits<26>>,
        /// Warp.
        pub pass_wid: Signal<Out, Bits<5>> = signal(wid_bits),
        /// Destination register.
        pub pass_rd: Signal<Out, Bits<6>>,
        /// Size and extension.
        pub pass_funct3: Signal<Out, Bits<3>>,
        /// Number of the load.
        pub pass_group: Signal<Out, Bits<5>>,
        /// Low address bits of each lane.
        pub pass_offset: Vec<Signal<Out, Bits<14>>> = signals(t, 14),
        /// Banks that take part.
        pub bank_valid: Signal<Out, Bits<32>> = signal(t),
        /// Word address of each bank.
        pub bank_word: Vec<Signal<Out, Bits<12>>> = signals(t, word_bits(cfg)),
        /// Bytes that each bank stores.
        pub bank_bytes: Vec<Signal<Out, Bits<4>>> = signals(t, 4),
        /// Word that each bank stores.
        pub bank_data: Vec<Signal<Out, Bits<32>>> = signals(t, 32),
        /// A store has been served completely.
        pub store_done: Signal<Out, Bit>,
        /// A group is held.
        pub busy: Signal<Out, Bit>,
        valid: Reg<Bit>,
        lanes: Reg<Bits<32>> = Reg::<Bits<32>>::width(t),
        in_local: Pipe<Bit>,
        line: Pipe<Bits<26>>,
        store: Pipe<Bit>,
        ends: Pipe<Bit>,
        wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        rd: Pipe<Bits<6>>,
        funct3: Pipe<Bits<3>>,
        group: Pipe<Bits<5>>,
        offset: Vec<Pipe<Bits<14>>> = pipes(t, 14),
        same_bank: Vec<Pipe<Bits<32>>> = pipes(t, t),
        same_word: Vec<Pipe<Bits<32>>> = pipes(t, t),
        word: Vec<Pipe<Bits<32>>> = pipes(t, 32),
        bytes: Vec<Pipe<Bits<4>>> = pipes(t, 4),
        arbiter: BankArbiter = BankArbiter::new(t, t, word_bits(cfg)),
        step: Signal<Local, Bit>,
        served: Signal<Local, Bits<32>> = signal(t),
        remaining: Signal<Local, Bits<32>> = signal(t),
        finishes: Signal<Local, Bit>,
        room: Signal<Local, Bit>,
        lane_offset: Signal<Local, Bits<14>>,
        bank_lane: Signal<Local, Bits<5>> = signal(cfg.tid_bits()),
        _t: usize = t,
    }
}

impl Logic for PassStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module PassStage: Holds a group of lanes until the banks have served them, one pass a cycle, and brings words to store from lanes to banks.");
        comment!("1. what the banks can serve");
        self.arbiter.candidates.next = self.lanes.q.val();
        for i in 0..self._t {
            self.lane_offset.next = self.offset[i].q.val();
            self.arbiter.word[i].next = bit_cast::<12, 12>(self.lane_offset.val().get_bits::<12>(2));
            self.arbiter.same_bank[i].next = self.same_bank[i].q.val();
            self.arbiter.same_word[i].next = self.same_word[i].q.val();
        }
        self.bank_valid.next = self.arbiter.bank_valid.val();
        for b in 0..self._t {
            self.bank_lane.next = self.arbiter.bank_lane[b].val();
            self.bank_word[b].next = self.arbiter.bank_word[b].val();
            self.bank_data[b].next = self.word[self.bank_lane.val().index()].q.val();
            self.bank_bytes[b].next = self.bytes[self.bank_lane.val().index()].q.val();
        }
        comment!("2. whether the pass can be made: local memory always stores");
        self.step.next =
            self.valid.q.val() & self.request_ready.val() & (self.store.q.val() | self.slot_ready.val());
        if self.in_local.q.val() {
            self.step.next = self.valid.q.val() & (self.store.q.val() | self.local_ready.val());
        }
        self.look.valid.next = self.valid.q.val() & !self.in_local.q.val();
        self.look.line.next = self.line.q.val();
        self.look.load.next = !self.store.q.val();
        self.to_local.next = self.step.val() & self.in_local.q.val();
        self.to_bus.next = self.step.val() & !self.in_local.q.val();
        comment!("3. what remains; memory gives a whole line at once");
        self.served.next = self.arbiter.served.val();
        self.pass_single.next = self.arbiter.complete.val();
        self.pass_last.next = self.arbiter.complete.val();
        if !self.in_local.q.val() & !self.store.q.val() {
            self.served.next = self.lanes.q.val();
            self.pass_last.next = true;
        }
        self.remaining.next = self.lanes.q.val() & !self.served.val();
        self.finishes.next = self.step.val() & self.pass_last.val();
        self.room.next = !self.valid.q.val() | self.finishes.val();
        self.pass_ready.next = self.room.val();
        self.store_done.next = self.finishes.val() & self.store.q.val() & self.ends.q.val();
        if self.step.val() {
            self.lanes.d.next = self.remaining.val();
        }
        comment!("4. the next group");
        if self.room.val() {
            self.valid.d.next = self.push.val();
            self.lanes.d.next = self.push_lanes.val();
            self.in_local.d.next = self.push_local.val();
            self.line.d.next = self.push_line.val();
            self.store.d.next = self.push_store.val();
            self.ends.d.next = self.push_final.val();
            self.wid.d.next = self.push_wid.val();
            self.rd.d.next = self.push_rd.val();
            self.funct3.d.next = self.push_funct3.val();
            self.group.d.next = self.push_group.val();
        }
        for i in 0..self._t {
            if self.room.val() {
                self.offset[i].d.next = self.push_offset[i].val();
                self.same_bank[i].d.next = self.push_same_bank[i].val();
                self.same_word[i].d.next = 0.into();
                if !self.push_store.val() {
                    self.same_word[i].d.next = self.push_same_word[i].val();
                }
                self.word[i].d.next = self.push_word[i].val();
                self.bytes[i].d.next = self.push_bytes[i].val();
            }
            self.pass_offset[i].next = self.offset[i].q.val();
        }
        self.pass_load.next = !self.store.q.val();
        self.pass_lanes.next = self.served.val();
        self.pass_line.next = self.line.q.val();
        self.pass_wid.next = self.wid.q.val();
        self.pass_rd.next = self.rd.q.val();
        self.pass_funct3.next = self.funct3.q.val();
        self.pass_group.next = self.group.q.val();
        self.busy.next = self.valid.q.val();
    }
}
