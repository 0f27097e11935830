//! One warp's row of the scoreboard.
use crate::bundles::named_registers;
use crate::prelude::*;

module! {
    /// The registers of one warp that wait for a result, and what that means for the head of its queue.
    ///
    /// What the head waits for is kept in registers beside it: a bit for each of its registers. They are found when the
    /// head comes, by looking up the registers of what comes next, and cleared when a register gets its value. So the
    /// schedulers' inputs come at the beginning of a cycle, and the multiplexers of R bits are off their path.
    ///
    /// Ports, from the scoreboard: `taken_mask` R (the destination of an instruction of the warp in an operand
    /// stage), `freed_valid`, `freed_rd` 6, `freed_mask` R (a register that
    /// has its value now); from the queue the registers of the `head` and of what comes `following`, and when that does:
    /// `head_issues`, `head_enters`, `flush`; with a floating-point unit `head_drains`. R is the number of a lane's registers,
    /// 32 or 64.
    /// To the scoreboard `raw`, `waw`. Latency: none; what issues, enters or is freed shows in the next cycle. The masks follow
    /// the operand stages, so that the grant need not reach them in its own cycle: the head that issues is compared.
    /// Reset: nothing waits. Invariants: a register has one writer in flight, so it is never taken and freed at once.
    /// Critical path: next register, R-to-1 multiplexer, bit; commit's register, comparison, bit. Source: none.
    /// Mirror in the model: `model::timing`.
    pub struct HazardRow(cfg: &CoreConfig) [clock, reset]
    let (registers, named) = (cfg.registers(), named_registers(cfg));
    {
        fpu: Const<Bit> = Const::new(cfg.fpu),
        three_sources: Const<Bit> = Const::new(cfg.reads_three() && !cfg.fpu),
        _named: usize = named,
        /// With a floating-point unit: an instruction of this warp in an operand stage has a destination.
        pub operand_valid: Opt<Signal<In, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        /// That destination, or none.
        pub taken_mask: Signal<In, Bits<64>> = signal(registers),
        /// A register of this warp has its value.
        pub freed_valid: Signal<In, Bit>,
        /// Its number.
        pub freed_rd: Signal<In, Bits<6>>,
        /// The same as a mask.
        pub freed_mask: Signal<In, Bits<64>> = signal(registers),
        /// The head's registers.
        pub head: Registers<In> = Registers::new(cfg),
        /// With a floating-point unit: it waits for all registers of its warp.
        pub head_drains: Opt<Signal<In, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        /// The head issues, and what comes next is the head.
        pub head_issues: Signal<In, Bit>,
        /// There is no head, and what comes next will be.
        pub head_enters: Signal<In, Bit>,
        /// There will be no head, or one that uses no register.
        pub flush: Signal<In, Bit>,
        /// Registers of what comes next.
        pub following: Registers<In> = Registers::new(cfg),
        /// A source waits for its value, or any register of a warp that drains.
        pub raw: Signal<Out, Bit>,
        /// The destination waits for an older one.
        pub waw: Signal<Out, Bit>,
        registers: Reg<Bits<64>> = Reg::<Bits<64>>::width(registers),
        waits: Vec<Reg<Bit>> = (0..named).map(|_| Reg::new()).collect(),
        pending: Signal<Local, Bits<64>> = signal(registers),
        busy, freed, taken: Signal<Local, Bit>,
    }
}

impl Logic for HazardRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread head_used: its sources were looked up when it followed");
        comment!("1. read after write, write after write");
        self.waw.next = self.waits[0].q.val();
        self.raw.next = self.waits[1].q.val() | self.waits[2].q.val();
        if self.fpu.val() {
            self.raw.next = self.raw.val()
                | self.waits[3].q.val()
                | (self.head_drains.val() & (self.operand_valid.val() | self.registers.q.val().any()));
        }
        if self.three_sources.val() {
            self.raw.next = self.raw.val() | self.waits[3].q.val();
        }
        comment!("2. what the head waits for in the next cycle: the same less what is freed, or what the next one waits for");
        self.pending.next = self.registers.q.val() | self.taken_mask.val();
        if self.freed_valid.val() {
            for i in 0..self._named {
                if self.freed_rd.val() == self.head.number[i].val() {
                    self.waits[i].d.next = false;
                }
            }
        }
        if self.head_issues.val() | self.head_enters.val() {
            for i in 0..self._named {
                self.busy.next = self.pending.val().get_bit(self.following.number[i].val().index());
                self.freed.next =
                    self.freed_valid.val() & (self.freed_rd.val() == self.following.number[i].val());
                comment!("The head that issues now is not in the operand stage yet.");
                self.taken.next = self.head.used[0].val()
                    & !self.head_enters.val()
                    & (self.head.number[0].val() == self.following.number[i].val());
                comment!("Whether the register is used is decoded late.");
                self.waits[i].d.next =
                    self.following.used[i].val() & ((self.busy.val() & !self.freed.val()) | self.taken.val());
            }
        }
        if self.flush.val() {
            for i in 0..self._named {
                self.waits[i].d.next = false;
            }
        }
        comment!("3. remember");
        self.registers.d.next = self.pending.val() & !self.freed_mask.val();
    }
}
