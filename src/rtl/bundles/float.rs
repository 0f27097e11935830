//! Inside the floating-point units.
use crate::prelude::*;

bundle! {
    /// What a lane of the pipeline is to do.
    pub struct LaneOperation() {
        forward {
            /// Operation.
            op: FpuOp,
            /// Addition or subtraction.
            adds: Bit,
            /// Multiplication.
            multiplies: Bit,
            /// Multiply-add.
            fused: Bit,
            /// The sign of the product is inverted.
            negate_product: Bit,
            /// The sign of the addend is inverted.
            negate_addend: Bit,
            /// First operand.
            a: Bits<32>,
            /// Second operand.
            b: Bits<32>,
            /// Third operand.
            c: Bits<32>,
        }
    }
}

bundle! {
    /// A multiply-add before its product is there.
    pub struct FmaTerms() {
        forward {
            /// Significand of the addend.
            addend: Bits<24>,
            /// The product stays in place.
            product_anchors: Bit,
            /// How far the other goes to the right.
            distance: Bits<6>,
            /// Biased exponent of the one in place.
            exponent: Bits<9>,
            /// Sign of the product.
            product_negative: Bit,
            /// Sign of the addend.
            addend_negative: Bit,
        }
    }
}

bundle! {
    /// A result that the datapath need not compute.
    pub struct KnownResult() {
        forward {
            /// The result is known.
            ready_made: Bit,
            /// It is this.
            result: Bits<32>,
            /// Its flag NV.
            invalid: Bit,
        }
    }
}

bundle! {
    /// A number that is to be rounded.
    pub struct Unrounded() {
        forward {
            /// Sign.
            negative: Bit,
            /// Biased exponent.
            exponent: Bits<10>,
            /// 24 digits, guard, the digit after it, and the rest, before the last shift by up to three.
            significand: Bits<30>,
            /// Largest shift, unless `unlimited`.
            limit_left: Bits<2>,
            /// The shift has no limit.
            unlimited: Bit,
            /// Zero comes from operands of different signs.
            cancels: Bit,
        }
    }
}

bundle! {
    /// What a number is; one of them at most, but that a signalling NaN is a NaN.
    pub struct NumberClass() {
        forward {
            /// Zero of either sign.
            zero: Bit,
            /// Subnormal.
            subnormal: Bit,
            /// Infinity of either sign.
            infinite: Bit,
            /// Not a number.
            nan: Bit,
            /// A NaN that signals.
            signalling: Bit,
        }
    }
}
