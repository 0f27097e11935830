//! The warp-sharing control unit of KAWS.
use crate::prelude::*;

module! {
    /// Of each class of instructions: whether a warp issues through another slice than its own, which, and through which.
    ///
    /// Arrays are over the classes memory, special, arithmetic, in which order they are served; S masks of slices, W of warps.
    /// A slice takes a warp of another if its collector of the class is the only one with room and all others have none, if
    /// no warp of its own is ready (`idle`), and if no class before has it; of the `candidates` of all other slices the oldest
    /// goes. That is the choice, `shared_warps` and `through`. A register file can be read for one of its warps in
    /// another slice a cycle: the second waits. What is left visits.
    ///
    /// Latency: combinational; `visits.valid` alone hears of the operand stages that hold (`stalled`): a shared warp does not issue into
    /// one, and for arithmetic those of all other slices must hold, its own among them, which so does not issue it at the same time.
    /// With operand collectors no stage holds, and arithmetic has room as the other classes have.
    /// Reset: none. Invariants: a warp goes through one slice at most, never its own; a slice takes one at most.
    /// Critical path: `candidates` -> oldest -> register number -> register file. Source: KAWS 3, Figs. 3 and 4(b);
    /// docs/SCHEDULERS.md, section 5. Mirror in the model: `model::sched::sharing`.
    pub struct WarpSharingControl(cfg: &CoreConfig)
    let (warps, slices) = (cfg.warps, cfg.slices);
    {
        /// A bit a slice: the collector has room.
        pub room: Vec<Signal<In, Bits<32>>> = signals(CLASSES, slices),
        /// A bit a slice: it has none.
        pub full: Vec<Signal<In, Bits<32>>> = signals(CLASSES, slices),
        /// A bit a slice: no warp of the slice is issue-ready.
        pub idle: Signal<In, Bits<32>> = signal(slices),
        /// A bit a warp: data-ready warps whose head is of the class, and may go to another slice.
        pub candidates: Vec<Signal<In, WarpMask>> = signals(CLASSES, warps),
        /// W bits for each warp: the warps that are older.
        pub older: Vec<Signal<In, WarpMask>> = signals(warps, warps),
        /// A bit a slice: the operand stage holds.
        pub stalled: Signal<In, Bits<32>> = signal(slices),
        /// A bit a warp: the warp that is chosen, if one is.
        pub shared_warps: Vec<Signal<Out, WarpMask>> = signals(CLASSES, warps),
        /// A bit a slice: through which slice.
        pub through: Vec<Signal<Out, Bits<32>>> = signals(CLASSES, slices),
        /// What comes of it in each slice.
        pub visits: Vec<Visit<Out>> = (0..slices).map(|_| Visit::new(cfg)).collect(),
        own_warps: Vec<Const<WarpMask>> = own_warps(cfg),
        every: Const<Bits<32>> = constant(slices, (1 << slices) - 1),
        /// Of each class, of the candidates that are strangers to the slice that would take one.
        oldest: Vec<OldestWarp> = (0..CLASSES).map(|_| OldestWarp::new(warps)).collect(),
        others: Signal<Local, Bits<32>> = signal(slices),
        alone: Vec<Signal<Local, Bits<32>>> = signals(CLASSES, slices),
        taken: Signal<Local, Bits<32>> = signal(slices),
        strangers: Signal<Local, WarpMask> = signal(warps),
        owner: Vec<Signal<Local, Bits<32>>> = signals(CLASSES, slices),
        reads: Signal<Local, Bits<32>> = signal(slices),
        goes, issues: Vec<Signal<Local, Bits<32>>> = signals(CLASSES, slices),
        collects: Const<Bit> = Const::new(cfg.collects()),
        _classes: usize = CLASSES,
        _slices: usize = slices,
        _warps: usize = warps,
    }
}

impl Logic for WarpSharingControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. of each class the only slice with room, which has nothing better to do, and the oldest candidate of all others");
        for u in 0..self._classes {
            self.alone[u].next = 0.into();
            self.strangers.next = 0.into();
            for x in 0..self._slices {
                self.others.next = self.full[u].val().replace_bit(x, true);
                if self.room[u].val().get_bit(x)
                    & (self.others.val() == self.every.val())
                    & self.idle.val().get_bit(x)
                {
                    self.alone[u].next = self.alone[u].val().replace_bit(x, true);
                    self.strangers.next =
                        self.strangers.val() | (self.candidates[u].val() & !self.own_warps[x].val());
                }
            }
            self.oldest[u].candidates.next = self.strangers.val();
            for w in 0..self._warps {
                self.oldest[u].older[w].next = self.older[w].val();
            }
        }
        comment!("2. class by class: a slice takes one warp");
        self.taken.next = 0.into();
        for u in 0..self._classes {
            self.shared_warps[u].next = 0.into();
            self.through[u].next = 0.into();
            if self.oldest[u].oldest_oh.val().any() & ((self.alone[u].val() & self.taken.val()) == 0) {
                self.shared_warps[u].next = self.oldest[u].oldest_oh.val();
                self.through[u].next = self.alone[u].val();
            }
            self.taken.next = self.taken.val() | self.through[u].val();
        }
        comment!("3. one warp of a slice a cycle: its registers are read once");
        self.reads.next = 0.into();
        for u in 0..self._classes {
            self.owner[u].next = 0.into();
            for y in 0..self._slices {
                if (self.shared_warps[u].val() & self.own_warps[y].val()) != 0 {
                    self.owner[u].next = self.owner[u].val().replace_bit(y, true);
                }
            }
            self.goes[u].next = self.through[u].val();
            if (self.owner[u].val() & self.reads.val()) != 0 {
                self.goes[u].next = 0.into();
            }
            self.reads.next = self.reads.val() | self.owner[u].val();
        }
        comment!("4. what issues: late");
        for u in 0..self._classes {
            self.issues[u].next = self.goes[u].val() & !self.stalled.val();
        }
        if !self.collects.val() {
            comment!("An operand stage that moves on has room for arithmetic: those of all other slices hold in this cycle too.");
            if (self.stalled.val() | self.alone[2].val()) != self.every.val() {
                self.issues[2].next = 0.into();
            }
        }
        for x in 0..self._slices {
            self.visits[x].valid.next = false;
            self.visits[x].oh.next = 0.into();
            for u in 0..self._classes {
                if self.goes[u].val().get_bit(x) {
                    self.visits[x].oh.next = self.visits[x].oh.val() | self.shared_warps[u].val();
                }
                if self.issues[u].val().get_bit(x) {
                    self.visits[x].valid.next = true;
                }
            }
            self.visits[x].wid.next = 0.into();
            for w in 0..self._warps {
                if self.visits[x].oh.val().get_bit(w) {
                    self.visits[x].wid.next = self.visits[x].wid.val() | w.to_bits::<WID_BITS>();
                }
            }
        }
    }
}
