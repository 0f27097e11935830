//! One warp's row of the scoreboard.
use super::super::cell::{signal, signals, Reg};
use crate::config::CoreConfig;
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// The registers of one warp that wait for a result, and what that means for the head of its queue.
    ///
    /// What the head waits for is kept in registers beside it: a bit for each of its registers. They are found when the
    /// head comes, by looking up the registers of what comes next, and cleared when a register gets its value. So the
    /// schedulers' inputs come at the beginning of a cycle, and the multiplexers of R bits are off their path.
    ///
    /// Ports, from the scoreboard: `operand_valid` (an instruction of the warp with a destination is in the operand
    /// stage), `operand_rd` 6, `taken_mask` R (the same, as a mask), `freed_valid`, `freed_rd` 6, `freed_mask` R (a register that
    /// has its value now); from the queue the head's `head_rd`, `head_rs1`, `head_rs2` (6 bits each) and `head_use_rd`, the same
    /// of what comes next, `next_*` with `next_use_*`, and when: `head_issues`, `head_enters`, `flush`; with a floating-point
    /// unit `head_rs3`, `next_rs3`, `next_use_rs3` and `head_drains`. R is the number of a lane's registers, 32 or 64.
    /// To the scoreboard `raw`, `waw`. Latency: none; what issues, enters or is freed shows in the next cycle. The masks follow
    /// the operand stage, so that the grant need not reach them in its own cycle: until then destinations are compared.
    /// Reset: nothing waits. Invariants: a register has one writer in flight, so it is never taken and freed at once.
    /// Critical path: next register, R-to-1 multiplexer, bit; commit's register, comparison, bit. Source: none.
    /// Mirror in the model: `model::timing`.
    pub struct HazardRow(cfg: &CoreConfig) [clock, reset]
    let (registers, fpu) = (cfg.registers(), usize::from(cfg.fpu));
    // The destination is the first of them.
    let sources = 3 + fpu;
    {
        _fpu: usize = fpu,
        _sources: usize = sources,
        /// The instruction in the operand stage is of this warp and has a destination.
        pub operand_valid: Signal<In, Bit>,
        /// That destination.
        pub operand_rd: Signal<In, Bits<6>>,
        /// The same as a mask.
        pub taken_mask: Signal<In, Bits<64>> = signal(registers),
        /// A register of this warp has its value.
        pub freed_valid: Signal<In, Bit>,
        /// Its number.
        pub freed_rd: Signal<In, Bits<6>>,
        /// The same as a mask.
        pub freed_mask: Signal<In, Bits<64>> = signal(registers),
        /// The head's destination.
        pub head_rd: Signal<In, Bits<6>>,
        /// Its first register.
        pub head_rs1: Signal<In, Bits<6>>,
        /// Its second register.
        pub head_rs2: Signal<In, Bits<6>>,
        /// With a floating-point unit: its third register.
        pub head_rs3: Vec<Signal<In, Bits<6>>> = vec![Signal::default(); fpu],
        /// It has a destination.
        pub head_use_rd: Signal<In, Bit>,
        /// With a floating-point unit: it waits for all registers of its warp.
        pub head_drains: Vec<Signal<In, Bit>> = vec![Signal::default(); fpu],
        /// The head issues, and what comes next is the head.
        pub head_issues: Signal<In, Bit>,
        /// There is no head, and what comes next will be.
        pub head_enters: Signal<In, Bit>,
        /// There will be no head, or one that uses no register.
        pub flush: Signal<In, Bit>,
        /// Destination of what comes next.
        pub next_rd: Signal<In, Bits<6>>,
        /// Its first register.
        pub next_rs1: Signal<In, Bits<6>>,
        /// Its second register.
        pub next_rs2: Signal<In, Bits<6>>,
        /// It has a destination.
        pub next_use_rd: Signal<In, Bit>,
        /// It reads its first register.
        pub next_use_rs1: Signal<In, Bit>,
        /// It reads its second register.
        pub next_use_rs2: Signal<In, Bit>,
        /// With a floating-point unit: its third register.
        pub next_rs3: Vec<Signal<In, Bits<6>>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: it reads its third register.
        pub next_use_rs3: Vec<Signal<In, Bit>> = vec![Signal::default(); fpu],
        /// A source waits for its value, or any register of a warp that drains.
        pub raw: Signal<Out, Bit>,
        /// The destination waits for an older one.
        pub waw: Signal<Out, Bit>,
        registers: Reg<Bits<64>> = Reg::<Bits<64>>::width(registers),
        waits: Vec<Reg<Bit>> = (0..sources).map(|_| Reg::new()).collect(),
        head: Vec<Signal<Local, Bits<6>>> = signals(sources, 6),
        next: Vec<Signal<Local, Bits<6>>> = signals(sources, 6),
        next_use: Vec<Signal<Local, Bit>> = vec![Signal::default(); sources],
        busy: Signal<Local, Bit>,
        freed: Signal<Local, Bit>,
        taken: Signal<Local, Bit>,
    }
}

impl Logic for HazardRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module HazardRow: The registers of one warp that wait for a result, and what that means for the head of its queue.");
        comment!("1. read after write, write after write");
        self.waw.next = self.waits[0].q.val();
        self.raw.next = self.waits[1].q.val() | self.waits[2].q.val();
        for k in 0..self._fpu {
            self.raw.next = self.raw.val()
                | self.waits[3].q.val()
                | (self.head_drains[k].val() & (self.operand_valid.val() | self.registers.q.val().any()));
        }
        comment!("2. what the head waits for in the next cycle: the same less what is freed, or what the next one waits for");
        self.head[0].next = self.head_rd.val();
        self.head[1].next = self.head_rs1.val();
        self.head[2].next = self.head_rs2.val();
        self.next[0].next = self.next_rd.val();
        self.next[1].next = self.next_rs1.val();
        self.next[2].next = self.next_rs2.val();
        self.next_use[0].next = self.next_use_rd.val();
        self.next_use[1].next = self.next_use_rs1.val();
        self.next_use[2].next = self.next_use_rs2.val();
        for k in 0..self._fpu {
            self.next_use[3].next = self.next_use_rs3[k].val();
            self.head[3].next = self.head_rs3[k].val();
            self.next[3].next = self.next_rs3[k].val();
        }
        for i in 0..self._sources {
            self.freed.next = self.freed_valid.val() & (self.freed_rd.val() == self.head[i].val());
            self.waits[i].d.next = self.waits[i].q.val() & !self.freed.val();
            self.busy.next = self.registers.q.val().get_bit(self.next[i].val().index())
                | (self.operand_valid.val() & (self.operand_rd.val() == self.next[i].val()));
            self.freed.next = self.freed_valid.val() & (self.freed_rd.val() == self.next[i].val());
            // The head that issues now is not in the operand stage yet.
            self.taken.next =
                self.head_use_rd.val() & !self.head_enters.val() & (self.head_rd.val() == self.next[i].val());
            if self.head_issues.val() | self.head_enters.val() {
                // Whether the register is used is decoded late.
                self.waits[i].d.next =
                    self.next_use[i].val() & ((self.busy.val() & !self.freed.val()) | self.taken.val());
            }
            if self.flush.val() {
                self.waits[i].d.next = false;
            }
        }
        comment!("3. remember");
        self.registers.d.next = (self.registers.q.val() & !self.freed_mask.val()) | self.taken_mask.val();
    }
}
