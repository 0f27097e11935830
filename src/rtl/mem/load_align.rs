//! Takes a load's byte or half out of the word.
use crate::comment;
use rust_hdl::prelude::*;

/// Selects the addressed byte or half of a word and extends it to 32 bits.
///
/// Ports: `funct3` (bits 1..0: size 0 byte, 1 half, 2 word; bit 2: zero extension), `offset` (address bits 1..0),
/// `word` -> `register`. Latency: combinational. Reset: none. Invariants: none.
/// Critical path: 4:1 byte selection, sign, 3:1 size selection.
/// Source: Unprivileged 2.6. Mirror in the model: the load helper.
#[derive(LogicBlock, Default)]
pub struct LoadAligner {
    /// Size and extension.
    pub funct3: Signal<In, Bits<3>>,
    /// Byte within the word.
    pub offset: Signal<In, Bits<2>>,
    /// Word that was read.
    pub word: Signal<In, Bits<32>>,
    /// Value for the register.
    pub register: Signal<Out, Bits<32>>,
    half_value: Signal<Local, Bits<16>>,
    byte_value: Signal<Local, Bits<8>>,
    sign_extend: Signal<Local, Bit>,
}

impl Logic for LoadAligner {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LoadAligner");
        self.sign_extend.next = !self.funct3.val().get_bit(2);
        self.half_value.next = self.word.val().get_bits::<16>(0);
        if self.offset.val().get_bit(1) {
            self.half_value.next = self.word.val().get_bits::<16>(16);
        }
        self.byte_value.next = self.half_value.val().get_bits::<8>(0);
        if self.offset.val().get_bit(0) {
            self.byte_value.next = self.half_value.val().get_bits::<8>(8);
        }
        self.register.next = self.word.val();
        if self.funct3.val().get_bits::<2>(0) == 0 {
            self.register.next = bit_cast::<32, 8>(self.byte_value.val());
            if self.sign_extend.val() & self.byte_value.val().get_bit(7) {
                self.register.next = bit_cast::<32, 8>(self.byte_value.val()) | 0xFFFF_FF00_u64;
            }
        } else if self.funct3.val().get_bits::<2>(0) == 1 {
            self.register.next = bit_cast::<32, 16>(self.half_value.val());
            if self.sign_extend.val() & self.half_value.val().get_bit(15) {
                self.register.next = bit_cast::<32, 16>(self.half_value.val()) | 0xFFFF_0000_u64;
            }
        }
    }
}
