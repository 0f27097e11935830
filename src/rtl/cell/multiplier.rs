//! The pipelined multiplier behind `mul`, `mulh`, `mulhsu` and `mulhu`, and the significand product of the FPU.
use crate::rtl::prelude::*;
use std::collections::VecDeque;

/// Signed 33 x 33 bit multiplier with `stages` registers; DSP blocks on an FPGA. Its product has the 64 bits that two words
/// need, signed or not: of two factors of -2^32, which are none, it would lack the highest bit.
///
/// Ports: `enable`, `a`, `b` -> `product`. Latency: `product` belongs to the operands sampled `stages` enabled
/// cycles ago; while `enable` is 0 the whole pipeline holds. No reset. With one stage the product is registered,
/// from two on the operands are too, every further stage delays the product (for the tools to retime).
/// Critical path: one 33 x 33 multiplication. Source: none. Mirror in the model: `wrapping_mul`.
#[derive(LogicBlock)]
pub struct Multiplier {
    /// Rising edge advances the pipeline.
    pub clock: Signal<In, Clock>,
    /// The pipeline advances.
    pub enable: Signal<In, Bit>,
    /// Signed operand.
    pub a: Signal<In, Bits<33>>,
    /// Signed operand.
    pub b: Signal<In, Bits<33>>,
    /// Product, its lower 64 bits.
    pub product: Signal<Out, Bits<64>>,
    _pipeline: VecDeque<Bits<64>>,
}

impl Multiplier {
    /// A multiplier with `stages` registers (at least 1).
    pub fn new(stages: usize) -> Self {
        Self {
            clock: Signal::default(),
            enable: Signal::default(),
            a: Signal::default(),
            b: Signal::default(),
            product: Signal::default(),
            _pipeline: vec![Bits::default(); stages.max(1)].into(),
        }
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
            self._pipeline.push_back((product as u64).into());
            self._pipeline.pop_front();
        }
        self.product.next = self._pipeline.front().copied().unwrap_or_default();
    }
    fn connect(&mut self) {
        self.product.connect();
    }
    fn hdl(&self) -> Verilog {
        let stages = self._pipeline.len();
        let mut text = format!(
            "// module Multiplier_{stages}\n\
             // Signed 33 x 33 bit multiplier, {stages} registers deep; holds while enable is 0.\n"
        );
        let (a, b) = if stages > 1 { ("a_held", "b_held") } else { ("a", "b") };
        let mut declare = String::new();
        let mut advance = String::new();
        if stages > 1 {
            declare += "reg [32:0] a_held;\nreg [32:0] b_held;\n";
            advance += "  a_held <= a;\n  b_held <= b;\n";
        }
        let mut from = format!("$signed({a}) * $signed({b})");
        for delay in 1..stages.saturating_sub(1) {
            declare += &format!("reg [63:0] product_{delay};\n");
            advance += &format!("  product_{delay} <= {from};\n");
            from = format!("product_{delay}");
        }
        advance += &format!("  product <= {from};\n");
        let gap = if declare.is_empty() { "" } else { "\n" };
        text += &format!("{declare}{gap}always @(posedge clock) if (enable) begin\n{advance}end\n");
        Verilog::Custom(text)
    }
}
