//! One operand collector.
use crate::bundles::{bank_bits, sources};
use crate::prelude::*;

module! {
    /// Holds an instruction until the banks have read its registers.
    ///
    /// Register r of warp w is in bank (r + w) mod B. In each bank the collector asks for the first register that it waits for;
    /// the answer serves all sources of that number, and the word comes in the next cycle. Ports: the fields below.
    /// Latency: it asks from the cycle after `enter` on; `complete` in the cycle after the last answer, with the word that arrives
    /// then. Reset: empty. Invariants: `enter` only while not `busy`, `leave` only while `complete`; a source that the instruction does not
    /// have is 0. Critical path: block RAM, choice of the bank. Source: ARCHITECTURE.md, "Operand collectors". Mirror in the model:
    /// `model::collectors`.
    pub struct CollectorUnit(cfg: &CoreConfig) [clock, reset]
    let (banks, sources) = (cfg.register_banks, sources(cfg));
    {
        /// The instruction comes here.
        pub enter: Signal<In, Bit>,
        /// The instruction that issues.
        pub issue: Issue<In> = Issue::new(cfg),
        /// Its registers.
        pub registers: Registers<In> = Registers::new(cfg),
        // Of a slice that shares warps.
        /// What enters is a warp of another slice: it asks no bank.
        pub visit: Opt<Signal<In, Bit>> = Opt::new(cfg.shares_warps(), Signal::default()),
        /// The words of the one that entered in the cycle before.
        pub shared_words: Opt<OperandWords<In>> = Opt::new(cfg.shares_warps(), OperandWords::new(cfg)),
        // From the banks.
        /// B bits: the bank answers this collector.
        pub served: Signal<In, Bits<8>> = signal(banks),
        /// What the banks have read in the cycle before.
        pub bank_words: Vec<LaneWords<In>> = (0..banks).map(|_| LaneWords::new(cfg)).collect(),
        /// It goes on to the operand stage.
        pub leave: Signal<In, Bit>,
        /// An instruction is here.
        pub busy: Signal<Out, Bit>,
        /// All that it waits for has been read.
        pub complete: Signal<Out, Bit>,
        /// The instruction.
        pub held: Collected<Out> = Collected::new(cfg),
        /// The words of its sources.
        pub words: Vec<LaneWords<Out>> = (0..sources).map(|_| LaneWords::new(cfg)).collect(),
        /// B bits: it waits for a register of the bank.
        pub asks: Signal<Out, Bits<8>> = signal(banks),
        /// That register of each bank.
        pub asked: Vec<Signal<Out, Bits<6>>> = signals(banks, 6),
        /// How many of its sources no bank serves in this cycle.
        pub waits: Signal<Out, Bits<2>>,
        entry: Collected<Registered> = Collected::new(cfg),
        names: Vec<Pipe<Bits<6>>> = pipes(sources, 6),
        pending, arriving: Vec<Reg<Bit>> = (0..sources).map(|_| Reg::new()).collect(),
        stored: Vec<LaneWords<Registered>> = (0..sources).map(|_| LaneWords::new(cfg)).collect(),
        present: Vec<LaneWords<Local>> = (0..sources).map(|_| LaneWords::new(cfg)).collect(),
        none: LaneWords<Zero> = LaneWords::new(cfg),
        shares: Const<Bit> = Const::new(cfg.shares_warps()),
        visited: Opt<Reg<Bit>> = Opt::new(cfg.shares_warps(), Reg::new()),
        _third_threads: usize = if cfg.shares_warps() && cfg.reads_three() { cfg.threads } else { 0 },
        place, wanted: Signal<Local, Bits<6>>,
        bank: Vec<Signal<Local, Bits<3>>> = signals(sources, bank_bits(cfg)),
        hopes: Vec<Signal<Local, Bit>> = vec![Signal::default(); sources],
        found: Signal<Local, Bit>,
        _banks: usize = banks,
        _sources: usize = sources,
    }
}

impl Logic for CollectorUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread place: the bank is the low bits of the sum");
        comment!("1. the bank of each source");
        for p in 0..self._sources {
            self.place.next = self.names[p].q.val() + bit_cast::<6, WID_BITS>(self.entry.issue_.wid.q.val());
            self.bank[p].next = bit_cast::<3, 6>(self.place.val());
        }
        comment!("2. in each bank it asks for one register");
        self.asks.next = 0.into();
        for p in 0..self._sources {
            self.hopes[p].next = false;
        }
        for b in 0..self._banks {
            self.found.next = false;
            self.wanted.next = 0.into();
            for p in 0..self._sources {
                if self.pending[p].q.val() & (self.bank[p].val() == b.to_bits::<3>()) & !self.found.val() {
                    self.found.next = true;
                    self.wanted.next = self.names[p].q.val();
                }
            }
            self.asks.next = self.asks.val().replace_bit(b, self.found.val());
            self.asked[b].next = self.wanted.val();
            comment!("The answer is for all sources of that number.");
            for p in 0..self._sources {
                if self.pending[p].q.val()
                    & (self.bank[p].val() == b.to_bits::<3>())
                    & (self.names[p].q.val() == self.wanted.val())
                {
                    self.hopes[p].next = true;
                }
            }
        }
        comment!("3. answers");
        self.waits.next = 0.into();
        self.complete.next = self.entry.issue_.valid.q.val();
        for p in 0..self._sources {
            self.found.next = false;
            for b in 0..self._banks {
                if self.served.val().get_bit(b)
                    & (self.bank[p].val() == b.to_bits::<3>())
                    & self.hopes[p].val()
                {
                    self.found.next = true;
                }
            }
            self.arriving[p].d.next = self.found.val();
            if self.pending[p].q.val() {
                self.complete.next = false;
                self.pending[p].d.next = !self.found.val();
                if !self.found.val() {
                    self.waits.next = self.waits.val() + 1;
                }
            }
        }
        comment!("4. the word of a source: it arrives, or has");
        for p in 0..self._sources {
            Data::join(&mut self.stored[p], &mut self.present[p]);
            for b in 0..self._banks {
                if self.arriving[p].q.val() & (self.bank[p].val() == b.to_bits::<3>()) {
                    Data::join(&mut self.bank_words[b], &mut self.present[p]);
                }
            }
        }
        if self.shares.val() {
            comment!("Those of a shared warp come together.");
            self.visited.d.next = self.enter.val() & self.visit.val();
            if self.visited.q.val() {
                Data::join(&mut self.shared_words.rs1, &mut self.present[0].data);
                Data::join(&mut self.shared_words.rs2, &mut self.present[1].data);
                for i in 0..self._third_threads {
                    self.present[2].data[i].next = self.shared_words.rs3[i].val();
                }
            }
        }
        for p in 0..self._sources {
            Data::join(&mut self.present[p], &mut self.words[p]);
            Data::join(&mut self.present[p], &mut self.stored[p]);
            if self.enter.val() {
                Data::join(&mut self.none, &mut self.stored[p]);
            }
        }
        comment!("5. the instruction");
        self.busy.next = self.entry.issue_.valid.q.val();
        Data::join(&mut self.entry, &mut self.held);
        if self.leave.val() {
            self.entry.issue_.valid.d.next = false;
        }
        if self.enter.val() {
            Data::join(&mut self.issue, &mut self.entry.issue_);
            self.entry.rd.d.next = self.registers.number[0].val();
            self.entry.use_rd.d.next = self.registers.used[0].val();
            self.names[0].d.next = self.registers.number[1].val();
            self.names[1].d.next = self.registers.number[2].val();
            self.pending[0].d.next = self.registers.used[1].val();
            self.pending[1].d.next = self.registers.used[2].val();
            for p in 2..self._sources {
                self.names[p].d.next = self.registers.number[3].val();
                self.pending[p].d.next = self.registers.used[3].val();
            }
            if self.shares.val() && self.visit.val() {
                for p in 0..self._sources {
                    self.pending[p].d.next = false;
                }
            }
        }
    }
}
