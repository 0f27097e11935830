//! Takes a load's byte or half out of the word.
use crate::prelude::*;

module! {
    /// Selects the addressed byte or half of a word and extends it to 32 bits.
    ///
    /// Ports: `funct3` (bits 1..0: size 0 byte, 1 half, 2 word; bit 2: zero extension), `offset` (address bits 1..0, a
    /// multiple of the size), `word` -> `register`. Latency: combinational. Reset: none. Invariants: none; since accesses
    /// are aligned, the low byte is always the addressed one and the next always that of the addressed half.
    /// Critical path: 4:1 byte selection, sign, extension.
    /// Source: Unprivileged 2.6. Mirror in the model: the load helper.
    pub struct LoadAligner() {
        /// Size and extension.
        pub funct3: Signal<In, Bits<3>>,
        /// Byte within the word.
        pub offset: Signal<In, Bits<2>>,
        /// Word that was read.
        pub word: Signal<In, Bits<32>>,
        /// Value for the register.
        pub register: Signal<Out, Bits<32>>,
        half_value, upper, extension: Signal<Local, Bits<16>>,
        byte_0, byte_1: Signal<Local, Bits<8>>,
        sign: Signal<Local, Bit>,
    }
}

impl Logic for LoadAligner {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the addressed half and byte");
        self.half_value.next = self.word.val().get_bits::<16>(0);
        if self.offset.val().get_bit(1) {
            self.half_value.next = self.word.val().get_bits::<16>(16);
        }
        self.byte_0.next = self.half_value.val().get_bits::<8>(0);
        if self.offset.val().get_bit(0) {
            self.byte_0.next = self.half_value.val().get_bits::<8>(8);
        }
        comment!("2. the sign");
        self.sign.next = self.half_value.val().get_bit(15);
        if self.funct3.val().get_bits::<2>(0) == 0 {
            self.sign.next = self.byte_0.val().get_bit(7);
        }
        self.extension.next = 0.into();
        if self.sign.val() & !self.funct3.val().get_bit(2) {
            self.extension.next = 0xFFFF.into();
        }
        comment!("3. what lies above the byte and the half");
        self.byte_1.next = self.half_value.val().get_bits::<8>(8);
        if self.funct3.val().get_bits::<2>(0) == 0 {
            self.byte_1.next = self.extension.val().get_bits::<8>(0);
        }
        self.upper.next = self.extension.val();
        if self.funct3.val().get_bit(1) {
            self.upper.next = self.word.val().get_bits::<16>(16);
        }
        self.register.next = bit_cast::<32, 8>(self.byte_0.val())
            | (bit_cast::<32, 8>(self.byte_1.val()) << 8)
            | (bit_cast::<32, 16>(self.upper.val()) << 16);
    }
}
