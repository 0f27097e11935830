//! The divide unit: one restoring radix-2 [`DivideLane`] a lane under one counter.
use crate::config::CoreConfig;
use crate::rtl::bundles::{SfuInstruction, UnitResult};
use crate::rtl::cell::{signals, Pipe, Reg};
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// One lane of the divider: magnitudes in, one quotient bit a step, signs put back at the end.
    ///
    /// Ports, from the unit: `start` (loads `dividend` and `divisor`), `step`, `is_signed`, `want_remainder` (steady
    /// from `start` to the end); out `result` 32. Latency: 32 steps after `start`. Reset: none (the unit's counter
    /// says when `result` means anything). Invariants: before each step the remainder is below the divisor's
    /// magnitude, unless that is 0, so the 33-bit difference shows its borrow in bit 32. A quotient of magnitudes of signed
    /// numbers has a zero bit, unless the divisor is 0. The divisor is kept as what
    /// is added to subtract its magnitude: itself if it is negative, else its complement, with a carry.
    /// Critical path: one 33-bit addition. Source: RISC-V Unprivileged, M: division by zero gives -1 and the
    /// dividend, overflow gives the dividend and 0. Mirror in the model: the arithmetic of `model::exec`.
    pub struct DivideLane() [clock] {
        /// Load the operands.
        pub start: Signal<In, Bit>,
        /// Produce a quotient bit.
        pub step: Signal<In, Bit>,
        /// DIV or REM rather than DIVU or REMU.
        pub is_signed: Signal<In, Bit>,
        /// The result is the remainder.
        pub want_remainder: Signal<In, Bit>,
        /// Dividend.
        pub dividend: Signal<In, Bits<32>>,
        /// Divisor.
        pub divisor: Signal<In, Bits<32>>,
        /// Quotient or remainder.
        pub result: Signal<Out, Bits<32>>,
        remainder: Pipe<Bits<32>>,
        quotient: Pipe<Bits<32>>,
        addend: Pipe<Bits<32>>,
        carry: Pipe<Bits<1>>,
        negate: Pipe<Bit>,
        has_zero: Pipe<Bit>,
        dividend_negative: Signal<Local, Bit>,
        divisor_negative: Signal<Local, Bit>,
        dividend_sign: Signal<Local, Bits<32>>,
        shifted: Signal<Local, Bits<33>>,
        total: Signal<Local, Bits<34>>,
        magnitude: Signal<Local, Bits<32>>,
        result_sign: Signal<Local, Bits<32>>,
    }
}

impl Logic for DivideLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DivideLane: One lane of the divider: magnitudes in, one quotient bit a step, signs put back at the end.");
        comment!("1. one step: shift the next dividend bit in, subtract if that leaves something. The carry enters at an extra lowest bit, so that it costs no second adder.");
        self.shifted.next = (bit_cast::<33, 32>(self.remainder.q.val()) << bits::<6>(1))
            | bit_cast::<33, 1>(self.quotient.q.val().get_bits::<1>(31));
        self.total.next = ((bit_cast::<34, 33>(self.shifted.val()) << bits::<6>(1)) | 1_u64)
            + ((bit_cast::<34, 32>(self.addend.q.val()) << bits::<6>(1))
                | bit_cast::<34, 1>(self.carry.q.val())
                | 0x2_0000_0000_u64);
        if self.step.val() {
            self.quotient.d.next = self.quotient.q.val() << bits::<5>(1);
            self.remainder.d.next = self.shifted.val().get_bits::<32>(0);
            if self.total.val().get_bit(33) {
                self.has_zero.d.next = true;
            }
            if !self.total.val().get_bit(33) {
                self.quotient.d.next = (self.quotient.q.val() << bits::<5>(1)) | 1_u64;
                self.remainder.d.next = self.total.val().get_bits::<32>(1);
            }
        }
        comment!("2. start with magnitudes");
        self.dividend_negative.next = self.is_signed.val() & self.dividend.val().get_bit(31);
        self.divisor_negative.next = self.is_signed.val() & self.divisor.val().get_bit(31);
        self.dividend_sign.next = 0.into();
        if self.dividend_negative.val() {
            self.dividend_sign.next = 0xFFFF_FFFF_u64.into();
        }
        if self.start.val() {
            self.remainder.d.next = 0.into();
            self.quotient.d.next = (self.dividend.val() ^ self.dividend_sign.val())
                + bit_cast::<32, 1>(self.dividend_sign.val().get_bits::<1>(0));
            self.addend.d.next = !self.divisor.val();
            self.carry.d.next = 1.into();
            if self.divisor_negative.val() {
                self.addend.d.next = self.divisor.val();
                self.carry.d.next = 0.into();
            }
            self.negate.d.next = self.dividend_negative.val() ^ self.divisor_negative.val();
            self.has_zero.d.next = false;
            if self.want_remainder.val() {
                self.negate.d.next = self.dividend_negative.val();
            }
        }
        comment!("3. result; -1, the quotient by zero, has no sign to put back");
        self.magnitude.next = self.quotient.q.val();
        if self.want_remainder.val() {
            self.magnitude.next = self.remainder.q.val();
        }
        self.result_sign.next = 0.into();
        if self.negate.q.val() & (self.has_zero.q.val() | self.want_remainder.val()) {
            self.result_sign.next = 0xFFFF_FFFF_u64.into();
        }
        self.result.next = (self.magnitude.val() ^ self.result_sign.val())
            + bit_cast::<32, 1>(self.result_sign.val().get_bits::<1>(0));
    }
}

module! {
    /// DIV, DIVU, REM and REMU of a slice, one instruction at a time.
    ///
    /// Ports, from the sfu collector: `sfu`, `sfu_rs1`, `sfu_rs2`; from commit `div_result_ready`. To the collector `div_ready`;
    /// to commit `div_result_valid`, `div_result`; `div_busy`.
    /// Latency: the result waits from the 33rd cycle after the one in which the instruction was taken. Reset: idle.
    /// Invariants: takes nothing until its result is taken; nothing enters without a destination.
    /// Critical path: one 33-bit subtraction. Source: RISC-V Unprivileged, M. Mirror: `model::exec`.
    pub struct DivideUnit(cfg: &CoreConfig) [clock, reset]
    let (threads, wid) = (cfg.threads, cfg.wid_bits());
    {
        _threads: usize = threads,
        /// From the sfu collector: a division with a destination.
        pub sfu: SfuInstruction<In> = SfuInstruction::new(cfg),
        /// Dividend of each lane.
        pub sfu_rs1: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Divisor of each lane.
        pub sfu_rs2: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        // From commit.
        /// Commit takes the result this cycle.
        pub div_result_ready: Signal<In, Bit>,
        // To the sfu collector.
        /// The instruction in the collector leaves it this cycle.
        pub div_ready: Signal<Out, Bit>,
        // To commit.
        /// A result waits for the write port.
        pub div_result_valid: Signal<Out, Bit>,
        /// The result.
        pub div_result: UnitResult<Out> = UnitResult::new(cfg),
        /// A division is under way or its result waits.
        pub div_busy: Signal<Out, Bit>,
        lanes: Vec<DivideLane> = (0..threads).map(|_| DivideLane::new()).collect(),
        busy: Reg<Bit>,
        done: Reg<Bit>,
        steps_left: Reg<Bits<6>>,
        funct3: Pipe<Bits<3>>,
        wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid),
        rd: Pipe<Bits<6>>,
        tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(threads),
        start: Signal<Local, Bit>,
        step: Signal<Local, Bit>,
        want_remainder: Signal<Local, Bit>,
    }
}

impl Logic for DivideUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module DivideUnit: DIV, DIVU, REM and REMU of a slice, one instruction at a time.");
        comment!("1. take the next division");
        self.div_ready.next = !self.busy.q.val();
        self.start.next = self.sfu.valid.val() & !self.busy.q.val();
        if self.start.val() {
            self.busy.d.next = true;
            self.steps_left.d.next = 32.into();
            self.funct3.d.next = self.sfu.funct3.val();
            self.wid.d.next = self.sfu.wid.val();
            self.rd.d.next = self.sfu.rd.val();
            self.tmask.d.next = self.sfu.tmask.val();
        }
        comment!("2. count its steps");
        self.step.next = self.steps_left.q.val() != 0;
        if self.step.val() {
            self.steps_left.d.next = self.steps_left.q.val() - 1;
        }
        if self.steps_left.q.val() == 1 {
            self.done.d.next = true;
        }
        comment!("3. hand the result over");
        self.div_busy.next = self.busy.q.val();
        self.div_result_valid.next = self.done.q.val();
        if self.done.q.val() & self.div_result_ready.val() {
            self.busy.d.next = false;
            self.done.d.next = false;
        }
        self.div_result.wid.next = self.wid.q.val();
        self.div_result.rd.next = self.rd.q.val();
        self.div_result.tmask.next = self.tmask.q.val();
        comment!(
            "4. lanes: at the start the operation is that in the collector, afterwards the one remembered"
        );
        self.want_remainder.next = self.funct3.q.val().get_bit(1);
        if self.start.val() {
            self.want_remainder.next = self.sfu.funct3.val().get_bit(1);
        }
        for i in 0..self._threads {
            self.lanes[i].start.next = self.start.val();
            self.lanes[i].step.next = self.step.val();
            self.lanes[i].is_signed.next = !self.sfu.funct3.val().get_bit(0);
            self.lanes[i].want_remainder.next = self.want_remainder.val();
            self.lanes[i].dividend.next = self.sfu_rs1[i].val();
            self.lanes[i].divisor.next = self.sfu_rs2[i].val();
            self.div_result.data[i].next = self.lanes[i].result.val();
        }
    }
}
