//! The multiplier behind products and shifts.
use crate::rtl::prelude::*;

/// Signed 33 x 33 bit multiplier with a register for the product; DSP blocks on an FPGA. Its product has the 64 bits that two
/// words need, signed or not: of two factors of -2^32, which are none, it would lack the highest bit.
///
/// Ports: `enable`, `a`, `b` -> `product`. Latency: 1; while `enable` is 0 the product stays. No reset.
/// Critical path: one 33 x 33 multiplication. Source: none. Mirror in the model: `wrapping_mul`.
#[derive(LogicBlock, Default)]
pub struct Multiplier {
    /// Rising edge loads the product.
    pub clock: Signal<In, Clock>,
    /// A product is loaded.
    pub enable: Signal<In, Bit>,
    /// Signed operand.
    pub a: Signal<In, Bits<33>>,
    /// Signed operand.
    pub b: Signal<In, Bits<33>>,
    /// Product, its lower 64 bits.
    pub product: Signal<Out, Bits<64>>,
    _register: Bits<64>,
}

impl Multiplier {
    /// A multiplier.
    pub fn new() -> Self {
        Self::default()
    }
}

/// The signed value of a 33-bit operand.
fn signed33(value: Bits<33>) -> i64 {
    (value.to_u64() << 31) as i64 >> 31
}

clocked!(Multiplier);

impl Logic for Multiplier {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.enable.val() {
            let product = signed33(self.a.val()).wrapping_mul(signed33(self.b.val()));
            self._register = (product as u64).into();
        }
        self.product.next = self._register;
    }
    fn connect(&mut self) {
        self.product.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "// module Multiplier\n\
             // Signed 33 x 33 bit multiplier with a register for the product, which stays while enable is 0.\n\
             always @(posedge clock) if (enable) begin\n  product <= $signed(a) * $signed(b);\nend\n"
                .into(),
        )
    }
}
