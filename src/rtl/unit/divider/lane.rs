//! One lane of the divider.
use crate::prelude::*;

module! {
    /// One lane of the divider: magnitudes in, one to four quotient bits a step, signs put back at the end.
    ///
    /// Ports, from the unit: `start` (loads `dividend` and `divisor`), `busy` (they are loaded), `step`, `place` 5 (of the
    /// lowest dividend bit that the step uses, a multiple of `bits`), `is_signed`, `want_remainder` (steady from `start` to
    /// the end); out `result` 32. Latency: the steps from the place of the dividend's highest bit, or any higher one, to
    /// place 0. Reset: none (the unit's counter says when `result` means anything).
    /// Invariants: the remainder is below the divisor's magnitude before each bit, unless that is 0, so the 33-bit
    /// difference shows its borrow in bit 32. A quotient by zero is kept at 0 and inverted at the end, since bits above the
    /// first place are never found. The divisor is kept as what is added to subtract its magnitude: itself if it is
    /// negative, else its complement, with a carry.
    /// Critical path: `bits` 33-bit additions behind the choice of a bit. Source: RISC-V Unprivileged, M: division by zero
    /// gives -1 and the dividend, overflow gives the dividend and 0. Mirror in the model: the arithmetic of `model::exec`.
    pub struct DivideLane(bits: usize) [clock] {
        _bits: usize = bits,
        /// Load the operands.
        pub start: Signal<In, Bit>,
        /// They are loaded.
        pub busy: Signal<In, Bit>,
        /// Produce quotient bits.
        pub step: Signal<In, Bit>,
        /// Where the dividend's bits of this step are.
        pub place: Signal<In, Bits<5>>,
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
        digits, remainder, quotient, addend: Pipe<Bits<32>>,
        carry: Pipe<Bits<1>>,
        invert, increment: Pipe<Bit>,
        // Of the bits of a step, the highest comes first.
        /// Of each bit that a step finds, its place above the step's lowest.
        offsets: Vec<Const<Bits<5>>> = (0..bits).map(|k| constant(5, (bits - 1 - k) as u64)).collect(),
        at: Signal<Local, Bits<5>>,
        rest, found, magnitude, sign: Signal<Local, Bits<32>>,
        shifted: Signal<Local, Bits<33>>,
        total: Signal<Local, Bits<34>>,
        by_zero, negate, dividend_negative, divisor_negative, inverts, increments: Signal<Local, Bit>,
        carry_in: Signal<Local, Bits<1>>,
    }
}

impl Logic for DivideLane {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread total: the lowest bit is the sum of the carry that goes in");
        comment!("1. one step: for each bit shift the next dividend bit in, subtract if that leaves something. The carry enters at an extra lowest bit, so that it costs no second adder.");
        if self.step.val() {
            self.rest.next = self.remainder.q.val();
            self.found.next = self.quotient.q.val();
            for k in 0..self._bits {
                self.at.next = self.place.val() | self.offsets[k].val();
                self.shifted.next = bit_cast::<33, 32>(self.rest.val()) << bits::<6>(1);
                if self.digits.q.val().get_bit(self.at.val().index()) {
                    self.shifted.next = (bit_cast::<33, 32>(self.rest.val()) << bits::<6>(1)) | 1_u64;
                }
                self.total.next = ((bit_cast::<34, 33>(self.shifted.val()) << bits::<6>(1)) | 1_u64)
                    + ((bit_cast::<34, 32>(self.addend.q.val()) << bits::<6>(1))
                        | bit_cast::<34, 1>(self.carry.q.val())
                        | 0x2_0000_0000_u64);
                self.rest.next = self.shifted.val().get_bits::<32>(0);
                self.found.next = self.found.val() << bits::<5>(1);
                if !self.total.val().get_bit(33) {
                    self.rest.next = self.total.val().get_bits::<32>(1);
                    self.found.next = self.found.val() | 1_u64;
                }
            }
            self.remainder.d.next = self.rest.val();
            self.quotient.d.next = self.found.val();
        }
        comment!("2. one adder takes the dividend's sign away at the start and gives the result its own at the end");
        self.dividend_negative.next = self.is_signed.val() & self.dividend.val().get_bit(31);
        self.divisor_negative.next = self.is_signed.val() & self.divisor.val().get_bit(31);
        self.magnitude.next = self.quotient.q.val();
        if self.want_remainder.val() {
            self.magnitude.next = self.remainder.q.val();
        }
        self.inverts.next = self.invert.q.val();
        self.increments.next = self.increment.q.val();
        if !self.busy.val() {
            self.magnitude.next = self.dividend.val();
            self.inverts.next = self.dividend_negative.val();
            self.increments.next = self.dividend_negative.val();
        }
        self.sign.next = 0.into();
        if self.inverts.val() {
            self.sign.next = 0xFFFF_FFFF_u64.into();
        }
        self.carry_in.next = 0.into();
        if self.increments.val() {
            self.carry_in.next = 1.into();
        }
        self.result.next = (self.magnitude.val() ^ self.sign.val()) + bit_cast::<32, 1>(self.carry_in.val());
        comment!("3. start. What the result lacks is its sign or, of a quotient by zero, all bits");
        self.by_zero.next = (self.divisor.val() == 0) & !self.want_remainder.val();
        self.negate.next =
            self.dividend_negative.val() ^ (self.divisor_negative.val() & !self.want_remainder.val());
        if self.start.val() {
            self.digits.d.next = self.result.val();
            self.remainder.d.next = 0.into();
            self.addend.d.next = !self.divisor.val();
            self.carry.d.next = 1.into();
            if self.divisor_negative.val() {
                self.addend.d.next = self.divisor.val();
                self.carry.d.next = 0.into();
            }
            self.invert.d.next = self.negate.val() | self.by_zero.val();
            self.increment.d.next = self.negate.val() & !self.by_zero.val();
        }
        if self.start.val() | (self.invert.q.val() & !self.increment.q.val()) {
            self.quotient.d.next = 0.into();
        }
    }
}
