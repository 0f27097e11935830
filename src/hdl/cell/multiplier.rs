//! The multiplier behind products and shifts.
use crate::prelude::*;

/// Signed 33 x 33 bit multiplier with registers behind its four partial products, each of which fits a DSP block of an FPGA;
/// their sum is behind the registers. So multiplying and adding share two cycles evenly, of which the second is that in which
/// the result is written. The product has the 64 bits that two words need, signed or not: of two factors of -2^32, which are
/// none, it would lack the highest bit.
///
/// Ports: `enable`, `a`, `b` -> `product`. Latency: 1; while `enable` is 0 the product stays. No reset.
/// Critical path: one 17 x 17 multiplication; additions of 34 and 47 bits. Source: none. Mirror in the model: `wrapping_mul`.
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
        Verilog::Custom(TEXT.into())
    }
}

const TEXT: &str = "\
// module Multiplier
// Signed 33 x 33 bit multiplier: registers for four partial products, which stay while enable is 0, then their sum.
reg [33:0] low_low;
reg [32:0] high_low;
reg [32:0] low_high;
reg [29:0] high_high;
wire [33:0] middle;

always @(posedge clock) if (enable) begin
  low_low <= {17'd0, a[16:0]} * {17'd0, b[16:0]};
  high_low <= $signed({{17{a[32]}}, a[32:17]}) * $signed({16'd0, b[16:0]});
  low_high <= $signed({16'd0, a[16:0]}) * $signed({{17{b[32]}}, b[32:17]});
  high_high <= $signed({{14{a[32]}}, a[32:17]}) * $signed({{14{b[32]}}, b[32:17]});
end

assign middle = {high_low[32], high_low} + {low_high[32], low_high};
assign product = {high_high, low_low} + {{13{middle[33]}}, middle, 17'd0};
";
