//! Puts a store's data and byte enables where the word wants them.
use crate::prelude::*;

module! {
    /// Replicates the low byte or half of a register over the word and enables the bytes that are stored.
    ///
    /// Ports: `size` (0 byte, 1 half, 2 word), `offset` (address bits 1..0), `register` -> `word`, `bytes`.
    /// Latency: combinational. Reset: none. Invariants: none. Critical path: 3:1 multiplexer.
    /// Source: Unprivileged 2.6. Mirror in the model: the store helper.
    pub struct StoreAligner() {
        /// Size of the access, `funct3` bits 1..0.
        pub size: Signal<In, Bits<2>>,
        /// Byte within the word.
        pub offset: Signal<In, Bits<2>>,
        /// Value to store, in its low bits.
        pub register: Signal<In, Bits<32>>,
        /// The value at every place it could go to.
        pub word: Signal<Out, Bits<32>>,
        /// Bytes of `word` that are stored.
        pub bytes: Signal<Out, Bits<4>>,
        byte_value, half_value: Signal<Local, Bits<32>>,
    }
}

impl Logic for StoreAligner {
    #[hdl_gen]
    fn update(&mut self) {
        self.byte_value.next = bit_cast::<32, 8>(self.register.val().get_bits::<8>(0));
        self.half_value.next = bit_cast::<32, 16>(self.register.val().get_bits::<16>(0));
        self.word.next = self.register.val();
        self.bytes.next = 0xF.into();
        if self.size.val() == 0 {
            self.word.next = self.byte_value.val()
                | (self.byte_value.val() << bits::<5>(8))
                | (self.byte_value.val() << bits::<5>(16))
                | (self.byte_value.val() << bits::<5>(24));
            self.bytes.next = bits::<4>(1) << self.offset.val();
        } else if self.size.val() == 1 {
            self.word.next = self.half_value.val() | (self.half_value.val() << bits::<5>(16));
            self.bytes.next = bits::<4>(3) << self.offset.val();
        }
    }
}
