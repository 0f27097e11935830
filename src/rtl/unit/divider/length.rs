//! How many bits of its dividends a division needs.
use crate::prelude::*;

module! {
    /// Finds the highest bit that the dividend of any active lane may need.
    ///
    /// A negative dividend is taken as its ones' complement and one bit more, which has room for its magnitude; so this
    /// need not wait for the lanes' additions.
    /// Ports: `active`, `is_signed`, `tmask` (a bit a lane), `dividends` (32 bits a lane) -> `any` (some bit is
    /// needed), `highest` 5 (the highest one's place, 0 if there is none). Latency: combinational. Reset: none.
    /// Invariants: lanes that are not active make no difference. Critical path: an OR over the lanes, then five
    /// choices of a half that are ORs and multiplexers. Source: ARCHITECTURE.md, "The pipeline". Mirror in the model:
    /// `model::timing::Latencies`.
    pub struct DivideLength(threads: usize, bits: usize)
 let folds = bits.trailing_zeros() as usize; {
        _threads: usize = threads,
        _folds: usize = folds,
        /// There are dividends; else no bit is needed.
        pub active: Signal<In, Bit>,
        /// DIV or REM rather than DIVU or REMU.
        pub is_signed: Signal<In, Bit>,
        /// Lanes that are active.
        pub tmask: Signal<In, Bits<32>> = signal(threads),
        /// Dividend of each lane.
        pub dividends: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Some dividend is not 0.
        pub any: Signal<Out, Bit>,
        /// Place of the highest bit.
        pub highest: Signal<Out, Bits<5>>,
        // The lowest bit of each digit, and how the others come to it.
        lowest: Const<Bits<32>> = constant(32, (0..32).step_by(bits).map(|place| 1 << place).sum()),
        folds: Vec<Const<Bits<5>>> = (0..folds).map(|k| constant(5, 1 << k)).collect(),
        own, needed, left: Signal<Local, Bits<32>>,
    }
}

impl Logic for DivideLength {
    #[hdl_gen]
    fn update(&mut self) {
        self.any.next = false;
        self.highest.next = 0.into();
        if self.active.val() {
            comment!("1. the bits of all active lanes together");
            self.needed.next = 0.into();
            for i in 0..self._threads {
                self.own.next = self.dividends[i].val();
                if self.is_signed.val() & self.dividends[i].val().get_bit(31) {
                    self.own.next =
                        (!self.dividends[i].val()) | ((!self.dividends[i].val()) << bits::<5>(1)) | 1_u64;
                }
                for k in 0..self._folds {
                    self.own.next = self.own.val() | (self.own.val() >> self.folds[k].val());
                }
                if self.tmask.val().get_bit(i) {
                    self.needed.next = self.needed.val() | (self.own.val() & self.lowest.val());
                }
            }
            self.any.next = self.needed.val().any();
            comment!("2. the highest of them: in which half, in which half of that");
            self.left.next = self.needed.val();
            if (self.left.val() & 0xFFFF_0000_u64).any() {
                self.highest.next = self.highest.val() | 16_u64;
                self.left.next = self.left.val() >> bits::<5>(16);
            }
            if (self.left.val() & 0xFF00_u64).any() {
                self.highest.next = self.highest.val() | 8_u64;
                self.left.next = self.left.val() >> bits::<5>(8);
            }
            if (self.left.val() & 0xF0_u64).any() {
                self.highest.next = self.highest.val() | 4_u64;
                self.left.next = self.left.val() >> bits::<5>(4);
            }
            if (self.left.val() & 0xC_u64).any() {
                self.highest.next = self.highest.val() | 2_u64;
                self.left.next = self.left.val() >> bits::<5>(2);
            }
            if self.left.val().get_bit(1) {
                self.highest.next = self.highest.val() | 1_u64;
            }
        }
    }
}
