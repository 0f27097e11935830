//! The divide unit: a [`DivideLane`] a lane under one counter.
mod lane;
mod length;

use crate::prelude::*;

pub use lane::DivideLane;
pub use length::DivideLength;

module! {
    /// DIV, DIVU, REM and REMU of a slice, one instruction at a time.
    ///
    /// Ports: below. Latency: with a dividend of n bits (ARCHITECTURE.md, "The pipeline") and `div_bits` B, the
    /// result waits from the cycle n / B, rounded up, and one after that in which the instruction was taken; with
    /// `div_fixed` n is always 32. Reset: idle. Invariants: takes nothing until its result is taken; nothing enters
    /// without a destination. Critical path: a lane's step, or the length of the dividends. Source: RISC-V
    /// Unprivileged, M. Mirror: `model::exec`, and the latency in `model::timing`.
    pub struct DivideUnit(cfg: &CoreConfig) [clock, reset]
    let (threads, step_bits) = (cfg.threads, cfg.div_bits);
    {
        _threads: usize = threads,
        /// From the sfu collector: a division with a destination.
        pub sfu: SfuEntry<In> = SfuEntry::new(cfg),
        // To the sfu collector.
        /// The instruction in the collector leaves it this cycle.
        pub div_ready: Signal<Out, Bit>,
        // To commit.
        /// A result that waits for the write port.
        pub div_result: OfferedResult<Out> = OfferedResult::new(cfg),
        /// A division is under way or its result waits.
        pub div_busy: Signal<Out, Bit>,
        lanes: Vec<DivideLane> = (0..threads).map(|_| DivideLane::new(step_bits)).collect(),
        length: Opt<DivideLength> = Opt::new(!cfg.div_fixed, DivideLength::new(threads, step_bits)),
        is_fixed: Const<Bit> = Const::new(cfg.div_fixed),
        busy, done: Reg<Bit>,
        // Of the dividends' bits that the next step uses, the lowest.
        place: Pipe<Bits<5>>,
        step_bits: Const<Bits<5>> = constant(5, step_bits as u64),
        first_of_all: Const<Bits<5>> = constant(5, (32 - step_bits) as u64),
        funct3: Pipe<Bits<3>>,
        to: Destination<Registered> = Destination::new(cfg),
        start, step, want_remainder: Signal<Local, Bit>,
    }
}

impl Logic for DivideUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread funct3: signs matter on entry, and bit 2 is set in every division");
        comment!("1. count the steps of the division that is under way");
        self.step.next = self.busy.q.val() & !self.done.q.val();
        if self.step.val() {
            self.place.d.next = self.place.q.val() - self.step_bits.val();
            if self.place.q.val() == 0 {
                self.done.d.next = true;
            }
        }
        comment!("2. hand the result over");
        self.div_busy.next = self.busy.q.val();
        self.div_result.valid.next = self.done.q.val();
        if self.done.q.val() & self.div_result.ready.val() {
            self.busy.d.next = false;
            self.done.d.next = false;
        }
        Data::join(&mut self.to, &mut self.div_result.result_.to_);
        comment!("3. take the next division; it begins with the highest bit of its dividends");
        self.div_ready.next = !self.busy.q.val();
        self.start.next = self.sfu.its_.valid.val() & !self.busy.q.val();
        if self.start.val() {
            self.busy.d.next = true;
            self.funct3.d.next = self.sfu.its_.head_.funct3.val();
            Data::join(&mut self.sfu.its_.head_.to_, &mut self.to);
        }
        if self.is_fixed.val() && self.start.val() {
            self.place.d.next = self.first_of_all.val();
        }
        if !self.is_fixed.val() {
            self.length.active.next = self.start.val();
            self.length.is_signed.next = !self.sfu.its_.head_.funct3.val().get_bit(0);
            self.length.tmask.next = self.sfu.its_.head_.to_.tmask.val();
            Data::join(&mut self.sfu.rs1, &mut self.length.dividends);
            if self.start.val() {
                self.place.d.next = self.length.highest.val();
                self.done.d.next = !self.length.any.val();
            }
        }
        comment!(
            "4. lanes: before a division the operation is that in the collector, then the one remembered"
        );
        self.want_remainder.next = self.funct3.q.val().get_bit(1);
        if !self.busy.q.val() {
            self.want_remainder.next = self.sfu.its_.head_.funct3.val().get_bit(1);
        }
        for i in 0..self._threads {
            self.lanes[i].start.next = self.start.val();
            self.lanes[i].busy.next = self.busy.q.val();
            self.lanes[i].step.next = self.step.val();
            self.lanes[i].place.next = self.place.q.val();
            self.lanes[i].is_signed.next = !self.sfu.its_.head_.funct3.val().get_bit(0);
            self.lanes[i].want_remainder.next = self.want_remainder.val();
            self.lanes[i].dividend.next = self.sfu.rs1[i].val();
            self.lanes[i].divisor.next = self.sfu.rs2[i].val();
            self.div_result.result_.data[i].next = self.lanes[i].result.val();
        }
    }
}
