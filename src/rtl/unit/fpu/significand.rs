//! The multiplier of significands.
use crate::prelude::*;

/// Unsigned 24 x 24 bit multiplier with a register behind it; DSP blocks on an FPGA.
///
/// Ports: `enable`, `a`, `b` -> `product` 48. Latency: one enabled cycle. Reset: none. Invariants: none.
/// Critical path: one multiplication. Source: none. Mirror in the model: none.
#[derive(LogicBlock, Default)]
pub struct SignificandMultiplier {
    /// Rising edge takes the product.
    pub clock: Signal<In, Clock>,
    /// The pipeline advances.
    pub enable: Signal<In, Bit>,
    /// First factor.
    pub a: Signal<In, Bits<24>>,
    /// Second factor.
    pub b: Signal<In, Bits<24>>,
    /// The product of the factors last taken.
    pub product: Signal<Out, Bits<48>>,
}

clocked!(SignificandMultiplier);

impl Logic for SignificandMultiplier {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.enable.val() {
            self.product.next = (self.a.val().to_u64() * self.b.val().to_u64()).into();
        }
    }
    fn connect(&mut self) {
        self.product.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(
            "// module SignificandMultiplier\n\
             // Unsigned 24 x 24 bit multiplier with a register behind it; holds while enable is 0.\n\
             always @(posedge clock) if (enable) product <= a * b;\n"
                .into(),
        )
    }
}
