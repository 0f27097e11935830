//! The reference itself: against the host's arithmetic, and where its flags are easily wrong.
use cosim::Rng;
use rtl::op::FpuOp;

use super::operands::random;
use super::reference::{is_nan, reference, DZ, NV, NX, OF, UF};

/// The host rounds to nearest even.
fn host(op: FpuOp, operands: [u32; 3]) -> f32 {
    let [a, b, c] = operands.map(f32::from_bits);
    match op {
        FpuOp::Add => a + b,
        FpuOp::Sub => a - b,
        FpuOp::Mul => a * b,
        FpuOp::Div => a / b,
        FpuOp::Sqrt => a.sqrt(),
        FpuOp::Madd => a.mul_add(b, c),
        FpuOp::Msub => a.mul_add(b, -c),
        FpuOp::Nmsub => (-a).mul_add(b, c),
        FpuOp::Nmadd => (-a).mul_add(b, -c),
        FpuOp::CvtSW => operands[0] as i32 as f32,
        FpuOp::CvtSWu => operands[0] as f32,
        _ => unreachable!("{op:?} is not asked for"),
    }
}

#[test]
fn the_reference_agrees_with_the_host() {
    let mut rng = Rng::new(3);
    let ops = [
        FpuOp::Add,
        FpuOp::Sub,
        FpuOp::Mul,
        FpuOp::Div,
        FpuOp::Sqrt,
        FpuOp::Madd,
        FpuOp::Msub,
        FpuOp::Nmsub,
        FpuOp::Nmadd,
        FpuOp::CvtSW,
        FpuOp::CvtSWu,
    ];
    for op in ops {
        for _ in 0..20_000 {
            let operands = random(&mut rng, op);
            let (value, _) = reference(op, 0, operands);
            let expected = host(op, operands).to_bits();
            let same = value == expected || is_nan(value) && is_nan(expected);
            assert!(same, "{op:?} {operands:x?}: {value:#x}, on the host {expected:#x}");
        }
    }
}

#[test]
fn flags_are_those_of_the_specification() {
    let (almost, smallest, largest) = (0x007f_ffff, 0x0080_0000, 0x7f7f_ffff);
    let cases = [
        // Just below the smallest normal number, representable with 24 digits: tiny even though it rounds up to it.
        (FpuOp::Mul, 0, [smallest, 0x3f7f_ffff, 0], (smallest, UF | NX)),
        // So close that 24 digits round up too: not tiny after rounding, but tiny where it is rounded down.
        (FpuOp::Mul, 0, [0x0080_0001, 0x3f7f_fffe, 0], (smallest, NX)),
        (FpuOp::Mul, 3, [0x0080_0001, 0x3f7f_fffe, 0], (smallest, NX)),
        (FpuOp::Mul, 4, [0x0080_0001, 0x3f7f_fffe, 0], (smallest, NX)),
        (FpuOp::Mul, 1, [0x0080_0001, 0x3f7f_fffe, 0], (almost, UF | NX)),
        (FpuOp::Mul, 2, [0x0080_0001, 0x3f7f_fffe, 0], (almost, UF | NX)),
        // Exact and subnormal is no underflow.
        (FpuOp::Mul, 0, [smallest, 0x3f00_0000, 0], (0x0040_0000, 0)),
        // Overflow to the largest number and to infinity; rounding to the largest number is no overflow.
        (FpuOp::Add, 1, [largest, largest, 0], (largest, OF | NX)),
        (FpuOp::Add, 0, [largest, largest, 0], (0x7f80_0000, OF | NX)),
        (FpuOp::Add, 0, [largest, 0x7280_0000, 0], (largest, NX)),
        (FpuOp::Add, 0, [largest, 0x7300_0000, 0], (0x7f80_0000, OF | NX)),
        // Infinity times zero is invalid even with a quiet NaN to add.
        (FpuOp::Madd, 0, [0x7f80_0000, 0, 0x7fc0_0000], (0x7fc0_0000, NV)),
        (FpuOp::Madd, 0, [0x3f80_0000, 0, 0x7fc0_0000], (0x7fc0_0000, 0)),
        // Equal numbers cancel to +0, or to -0 when rounding down; -0 times +1 stays -0.
        (FpuOp::Sub, 0, [0x3f80_0000, 0x3f80_0000, 0], (0, 0)),
        (FpuOp::Sub, 2, [0x3f80_0000, 0x3f80_0000, 0], (0x8000_0000, 0)),
        (FpuOp::Mul, 0, [0x8000_0000, 0x3f80_0000, 0], (0x8000_0000, 0)),
        (FpuOp::Div, 0, [0x3f80_0000, 0x8000_0000, 0], (0xff80_0000, DZ)),
        (FpuOp::Div, 0, [0, 0, 0], (0x7fc0_0000, NV)),
        (FpuOp::Sqrt, 0, [0xbf80_0000, 0, 0], (0x7fc0_0000, NV)),
        (FpuOp::Sqrt, 0, [0x8000_0000, 0, 0], (0x8000_0000, 0)),
        (FpuOp::Sqrt, 0, [0x4000_0000, 0, 0], (0x3fb5_04f3, NX)),
        // Conversions saturate; what rounds to a possible integer is only inexact.
        (FpuOp::CvtWS, 0, [0x7fc0_0000, 0, 0], (0x7fff_ffff, NV)),
        (FpuOp::CvtWS, 0, [0xcf00_0000, 0, 0], (0x8000_0000, 0)),
        (FpuOp::CvtWS, 0, [0xcf00_0001, 0, 0], (0x8000_0000, NV)),
        (FpuOp::CvtWuS, 0, [0xbf00_0000, 0, 0], (0, NX)),
        (FpuOp::CvtWuS, 2, [0xbf00_0000, 0, 0], (0, NV)),
        (FpuOp::CvtWuS, 0, [0xbf80_0000, 0, 0], (0, NV)),
        (FpuOp::CvtWuS, 0, [0x4f80_0000, 0, 0], (u32::MAX, NV)),
        // A NaN gives way to a number; -0 is less than +0 for the minimum, not for the comparison.
        (FpuOp::Min, 0, [0x7fc0_0000, 0x3f80_0000, 0], (0x3f80_0000, 0)),
        (FpuOp::Min, 0, [0x7f80_0001, 0x3f80_0000, 0], (0x3f80_0000, NV)),
        (FpuOp::Min, 0, [0, 0x8000_0000, 0], (0x8000_0000, 0)),
        (FpuOp::Lt, 0, [0x8000_0000, 0, 0], (0, 0)),
        (FpuOp::Eq, 0, [0x7fc0_0000, 0, 0], (0, 0)),
        (FpuOp::Le, 0, [0x7fc0_0000, 0, 0], (0, NV)),
    ];
    for (op, mode, operands, expected) in cases {
        let got = reference(op, mode, operands);
        assert_eq!(got, expected, "{op:?} mode {mode} {operands:x?}: {got:x?} instead of {expected:x?}");
    }
}
