//! Operand collectors: registers in banks, and who waits for them.
mod bank;
mod unit;

use crate::bundles::{bank_bits, sources};
use crate::prelude::*;
use bank::RegisterBank;
use unit::CollectorUnit;

module! {
    /// The operand collectors of a slice, between issue and its operand stage.
    ///
    /// Each class of instructions has C collectors. What issues takes the lowest that is free, and asks for its
    /// registers in the next cycle. A bank answers the oldest that asks; of those that have all their words and room
    /// behind them the oldest goes on, one a cycle. A warp with an instruction here issues no other: so none is
    /// overtaken by what writes its sources, nor an access by a barrier. Ports: below. Latency: two cycles to
    /// `collected` without a conflict, of which the first asks. Reset: empty. Invariants: nothing of a class issues
    /// while `view.free` is 0. Critical path: oldest that asks, its register's number, block RAM address; block RAM, bank,
    /// collector, operand stage. Source: ARCHITECTURE.md, "Operand collectors". Mirror in the model:
    /// `model::collectors`.
    pub struct BankedOperands(cfg: &CoreConfig) [clock, reset]
    let (warps, banks, own) = (cfg.warps, cfg.register_banks, cfg.collectors);
    let units = CLASSES * own;
    let of_class = |class: usize| ((1u64 << own) - 1) << (class * own);
    {
        // From issue.
        /// The instruction that issues.
        pub issue: Issue<In> = Issue::new(cfg),
        /// Its registers.
        pub registers: Registers<In> = Registers::new(cfg),
        /// It is of class mem.
        pub issue_mem: Signal<In, Bit>,
        /// It is of class sfu.
        pub issue_sfu: Signal<In, Bit>,
        /// Its warp if it has a destination, as a mask.
        pub issue_write_warps: Signal<In, WarpMask> = signal(warps),
        // Of a slice that shares warps.
        /// What issues is a warp of another slice, whose registers come from there.
        pub visit: Opt<Signal<In, Bit>> = Opt::new(cfg.shares_warps(), Signal::default()),
        /// Those of the one that issued in the cycle before.
        pub shared_words: Opt<OperandWords<In>> = Opt::new(cfg.shares_warps(), OperandWords::new(cfg)),
        // From commit.
        /// What is written.
        pub commit: RegisterWrite<In> = RegisterWrite::new(cfg),
        // From what is behind, over the classes memory, special, arithmetic.
        /// What goes on in this cycle finds room.
        pub room: Vec<Signal<In, Bit>> = vec![Signal::default(); CLASSES],
        // To the scoreboard, with the free collectors of each class in `view`.
        /// A bit a warp: warps with an instruction here.
        pub held_warps: Signal<Out, WarpMask> = signal(warps),
        /// The warp of what issued in the cycle before, if it has a destination.
        pub entered_write_warps: Signal<Out, WarpMask> = signal(warps),
        /// That destination.
        pub entered_rd: Signal<Out, Bits<6>>,
        // To the operand stage.
        /// What goes on.
        pub collected: Collected<Out> = Collected::new(cfg),
        /// It is of class mem.
        pub collected_mem: Signal<Out, Bit>,
        /// It is of class sfu.
        pub collected_sfu: Signal<Out, Bit>,
        /// The words of its sources.
        pub words: Vec<LaneWords<Out>> = (0..sources(cfg)).map(|_| LaneWords::new(cfg)).collect(),
        // To the trace.
        /// What happens here.
        pub view: CollectView<Out> = CollectView::new(cfg),
        units: Vec<CollectorUnit> = (0..units).map(|_| CollectorUnit::new(cfg)).collect(),
        banks: Vec<RegisterBank> = (0..banks).map(|_| RegisterBank::new(cfg)).collect(),
        ages: AgeMatrix = AgeMatrix::new(units),
        turns: Vec<OldestWarp> = (0..banks).map(|_| OldestWarp::new(units)).collect(),
        leaver: OldestWarp = OldestWarp::new(units),
        entered_warps: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        entered: Pipe<Bits<6>>,
        /// The collectors of each class.
        classes: Vec<Const<WarpMask>> = (0..CLASSES).map(|class| constant(units, of_class(class))).collect(),
        busy, usable, enters, complete, asking, able: Signal<Local, WarpMask> = signal(units),
        number, place: Signal<Local, Bits<6>>,
        wid: Signal<Local, WarpId> = signal(cfg.wid_bits()),
        write_bank: Signal<Local, Bits<3>> = signal(bank_bits(cfg)),
        waits: Signal<Local, Bits<8>>,
        unit_waits: Signal<Local, Bits<2>>,
        served: Signal<Local, Bits<8>> = signal(banks),
        nothing: Collected<Zero> = Collected::new(cfg),
        chosen: Collected<Local> = Collected::new(cfg),
        no_words: LaneWords<Zero> = LaneWords::new(cfg),
        first_warp: Const<WarpMask> = constant(warps, 1),
        _units: usize = units,
        _banks: usize = banks,
        _classes: usize = CLASSES,
        _sources: usize = sources(cfg),
    }
}

impl Logic for BankedOperands {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread place: the bank is the low bits of the sum");
        comment!("1. who is here");
        self.busy.next = 0.into();
        self.complete.next = 0.into();
        self.held_warps.next = 0.into();
        self.waits.next = 0.into();
        for u in 0..self._units {
            self.busy.next = self.busy.val().replace_bit(u, self.units[u].busy.val());
            self.complete.next = self.complete.val().replace_bit(u, self.units[u].complete.val());
            self.unit_waits.next = self.units[u].waits.val();
            self.waits.next = self.waits.val() + bit_cast::<8, 2>(self.unit_waits.val());
            if self.units[u].busy.val() {
                self.held_warps.next =
                    self.held_warps.val() | (self.first_warp.val() << self.units[u].held.issue_.wid.val());
            }
        }
        for k in 0..self._classes {
            self.view.free[k].next = (self.classes[k].val() & !self.busy.val()) != 0;
        }
        comment!("2. what issues takes the lowest free collector of its class");
        self.usable.next = self.classes[2].val() & !self.busy.val();
        if self.issue_sfu.val() {
            self.usable.next = self.classes[1].val() & !self.busy.val();
        }
        if self.issue_mem.val() {
            self.usable.next = self.classes[0].val() & !self.busy.val();
        }
        self.enters.next = 0.into();
        if self.issue.valid.val() {
            self.enters.next = self.usable.val() & ((!self.usable.val()) + 1);
        }
        self.ages.start_warps.next = self.enters.val();
        self.entered_warps.d.next = self.issue_write_warps.val();
        self.entered.d.next = self.registers.number[0].val();
        self.entered_write_warps.next = self.entered_warps.q.val();
        self.entered_rd.next = self.entered.q.val();
        for u in 0..self._units {
            self.units[u].enter.next = self.enters.val().get_bit(u);
            Wires::join(&mut self.issue, &mut self.units[u].issue);
            Wires::join(&mut self.registers, &mut self.units[u].registers);
            Wires::join(&mut self.visit, &mut self.units[u].visit);
            Wires::join(&mut self.shared_words, &mut self.units[u].shared_words);
        }
        comment!("3. each bank answers the oldest that asks");
        for b in 0..self._banks {
            self.asking.next = 0.into();
            for u in 0..self._units {
                self.asking.next = self.asking.val().replace_bit(u, self.units[u].asks.val().get_bit(b));
                self.turns[b].older[u].next = self.ages.older[u].val();
            }
            self.turns[b].candidates.next = self.asking.val();
            self.banks[b].read.next = self.asking.val() != 0;
        }
        for b in 0..self._banks {
            self.number.next = 0.into();
            self.wid.next = 0.into();
            for u in 0..self._units {
                if self.turns[b].oldest_oh.val().get_bit(u) {
                    self.number.next = self.number.val() | self.units[u].asked[b].val();
                    self.wid.next = self.wid.val() | self.units[u].held.issue_.wid.val();
                }
            }
            self.banks[b].read_number.next = self.number.val();
            self.banks[b].read_wid.next = self.wid.val();
        }
        for u in 0..self._units {
            self.served.next = 0.into();
            for b in 0..self._banks {
                self.served.next = self.served.val().replace_bit(b, self.turns[b].oldest_oh.val().get_bit(u));
                Wires::join(&mut self.banks[b].words, &mut self.units[u].bank_words[b]);
            }
            self.units[u].served.next = self.served.val();
        }
        comment!("4. what is written");
        self.place.next =
            self.commit.write_.to_.rd.val() + bit_cast::<6, WID_BITS>(self.commit.write_.to_.wid.val());
        self.write_bank.next = bit_cast::<3, 6>(self.place.val());
        for b in 0..self._banks {
            Wires::join(&mut self.commit, &mut self.banks[b].commit);
            self.banks[b].write.next =
                self.commit.write_.valid.val() & (self.write_bank.val() == b.to_bits::<3>());
        }
        comment!("5. the oldest that has its words and room goes on");
        self.able.next = 0.into();
        for k in 0..self._classes {
            if self.room[k].val() {
                self.able.next = self.able.val() | self.classes[k].val();
            }
            self.view.room[k].next = self.room[k].val();
        }
        self.leaver.candidates.next = self.complete.val() & self.able.val();
        Wires::join(&mut self.ages.older, &mut self.leaver.older);
        Data::join(&mut self.nothing, &mut self.chosen);
        for u in 0..self._units {
            self.units[u].leave.next = self.leaver.oldest_oh.val().get_bit(u);
            if self.leaver.oldest_oh.val().get_bit(u) {
                Either::join(&mut self.units[u].held, &mut self.chosen);
                self.chosen.issue_.valid.next = true;
            }
        }
        Wires::join(&mut self.chosen, &mut self.collected);
        self.collected_mem.next = (self.leaver.oldest_oh.val() & self.classes[0].val()) != 0;
        self.collected_sfu.next = (self.leaver.oldest_oh.val() & self.classes[1].val()) != 0;
        for p in 0..self._sources {
            Data::join(&mut self.no_words, &mut self.words[p]);
            for u in 0..self._units {
                if self.leaver.oldest_oh.val().get_bit(u) {
                    Either::join(&mut self.units[u].words[p], &mut self.words[p]);
                }
            }
        }
        comment!("6. to the trace");
        self.view.leaves.next = self.chosen.issue_.valid.val();
        self.view.leaves_wid.next = self.chosen.issue_.wid.val();
        self.view.waits.next = self.waits.val();
    }
}
