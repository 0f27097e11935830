//! What RISC-V says about the operations: software floating point, and by hand what it leaves open.
use rtl::op::FpuOp;
use rustc_apfloat::ieee::{Double, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status, StatusAnd};

pub const NV: u8 = 16;
pub const DZ: u8 = 8;
pub const OF: u8 = 4;
pub const UF: u8 = 2;
pub const NX: u8 = 1;

const CANONICAL_NAN: u32 = 0x7fc0_0000;
const SMALLEST_NORMAL: u32 = 0x0080_0000;
const LARGEST: u32 = 0x7f7f_ffff;

/// Rounding modes as `frm` numbers them: RNE RTZ RDN RUP RMM.
pub const MODES: [Round; 5] = [
    Round::NearestTiesToEven,
    Round::TowardZero,
    Round::TowardNegative,
    Round::TowardPositive,
    Round::NearestTiesToAway,
];

fn single(bits: u32) -> Single {
    Single::from_bits(bits.into())
}

fn quad(bits: u32) -> Quad {
    let converted: StatusAnd<Quad> = single(bits).convert(&mut false);
    converted.value
}

pub fn is_nan(x: u32) -> bool {
    x << 1 > 0xff00_0000
}

fn is_signalling(x: u32) -> bool {
    is_nan(x) && x & 0x40_0000 == 0
}

fn is_infinite(x: u32) -> bool {
    x << 1 == 0xff00_0000
}

fn is_zero(x: u32) -> bool {
    x << 1 == 0
}

/// The result and its flags.
pub fn reference(op: FpuOp, mode: u8, [a, b, c]: [u32; 3]) -> (u32, u8) {
    let round = MODES[usize::from(mode)];
    let negative = |x: u32| x ^ 0x8000_0000;
    match op {
        FpuOp::Add => {
            arithmetic([a, b, 0], round, |[a, b, _], r| a.add_r(b, r), |[a, b, _], r| a.add_r(b, r))
        }
        FpuOp::Sub => {
            arithmetic([a, b, 0], round, |[a, b, _], r| a.sub_r(b, r), |[a, b, _], r| a.sub_r(b, r))
        }
        FpuOp::Mul => {
            arithmetic([a, b, 0], round, |[a, b, _], r| a.mul_r(b, r), |[a, b, _], r| a.mul_r(b, r))
        }
        FpuOp::Div if is_zero(b) && !is_zero(a) && !is_nan(a) && !is_infinite(a) => {
            ((a ^ b) & 0x8000_0000 | 0x7f80_0000, DZ)
        }
        FpuOp::Div => {
            arithmetic([a, b, 0], round, |[a, b, _], r| a.div_r(b, r), |[a, b, _], r| a.div_r(b, r))
        }
        FpuOp::Madd => multiply_add([a, b, c], round),
        FpuOp::Msub => multiply_add([a, b, negative(c)], round),
        FpuOp::Nmsub => multiply_add([negative(a), b, c], round),
        FpuOp::Nmadd => multiply_add([negative(a), b, negative(c)], round),
        FpuOp::Sqrt => root(a, round),
        FpuOp::CvtWS => to_integer(a, true, |x| x.to_i128_r(32, round, &mut false).map(|v| v as u32)),
        FpuOp::CvtWuS => to_integer(a, false, |x| x.to_u128_r(32, round, &mut false).map(|v| v as u32)),
        FpuOp::CvtSW => from_integer(Single::from_i128_r((a as i32).into(), round)),
        FpuOp::CvtSWu => from_integer(Single::from_u128_r(a.into(), round)),
        _ => (simple(op, a, b), simple_flags(op, a, b)),
    }
}

fn multiply_add(operands: [u32; 3], round: Round) -> (u32, u8) {
    let [a, b, _] = operands;
    let (value, flags) =
        arithmetic(operands, round, |[a, b, c], r| a.mul_add_r(b, c, r), |[a, b, c], r| a.mul_add_r(b, c, r));
    let no_product = is_infinite(a) && is_zero(b) || is_zero(a) && is_infinite(b);
    (value, if no_product { NV } else { flags })
}

/// An operation in single precision; the same one in quadruple precision tells apart what is close to the ends of
/// the exponents' range.
fn arithmetic(
    operands: [u32; 3],
    round: Round,
    of_single: impl Fn([Single; 3], Round) -> StatusAnd<Single>,
    of_quad: impl Fn([Quad; 3], Round) -> StatusAnd<Quad>,
) -> (u32, u8) {
    if operands.into_iter().any(is_nan) {
        return (CANONICAL_NAN, if operands.into_iter().any(is_signalling) { NV } else { 0 });
    }
    let StatusAnd { status, value } = of_single(operands.map(single), round);
    if value.is_nan() {
        return (CANONICAL_NAN, NV);
    }
    let bits = value.to_bits() as u32;
    let magnitude = bits & 0x7fff_ffff;
    if !status.intersects(Status::INEXACT) {
        return (bits, 0);
    }
    let mut flags = NX;
    if magnitude < SMALLEST_NORMAL {
        flags |= UF;
    }
    if magnitude == SMALLEST_NORMAL || magnitude >= LARGEST {
        // Rounded to odd, the quad can be rounded again as if it were exact.
        let exact = of_quad(operands.map(quad), Round::TowardZero);
        let odd = u128::from(exact.status.intersects(Status::INEXACT));
        let exact = Quad::from_bits(exact.value.to_bits() | odd);
        let rounded = |scale: i32| {
            let unbounded: StatusAnd<Single> = exact.scalbn(scale).convert_r(round, &mut false);
            unbounded.value.to_bits() as u32 & 0x7fff_ffff
        };
        if magnitude == SMALLEST_NORMAL && rounded(64) < SMALLEST_NORMAL + (64 << 23) {
            flags |= UF;
        }
        if magnitude >= LARGEST && rounded(-64) >= (191 << 23) {
            flags |= OF;
        }
    }
    (bits, flags)
}

/// The square root, from that of an integer.
fn root(a: u32, round: Round) -> (u32, u8) {
    if is_nan(a) {
        return (CANONICAL_NAN, if is_signalling(a) { NV } else { 0 });
    }
    if is_zero(a) || a == 0x7f80_0000 {
        return (a, 0);
    }
    if a >> 31 != 0 {
        return (CANONICAL_NAN, NV);
    }
    // a = digits * 2^(exponent - 150), made even by a factor of 2; 2^60 more gives the root 31 digits or more.
    let exponent = (a >> 23).max(1) as i32;
    let digits = u128::from(if a >= SMALLEST_NORMAL { a & 0x7f_ffff | 0x80_0000 } else { a });
    let odd = exponent & 1;
    let radicand = digits << odd << 60;
    let floor = integer_root(radicand);
    let traced = floor << 1 | u128::from(floor * floor != radicand);
    let exact = Double::from_u128(traced);
    assert!(traced >> 53 == 0 && exact.status == Status::OK, "too many digits");
    let scaled = exact.value.scalbn((exponent - odd - 150) / 2 - 31);
    let rounded: StatusAnd<Single> = scaled.convert_r(round, &mut false);
    (rounded.value.to_bits() as u32, u8::from(rounded.status.intersects(Status::INEXACT)) * NX)
}

/// Largest integer whose square is not larger.
fn integer_root(radicand: u128) -> u128 {
    let mut root = 0u128;
    for bit in (0..64).rev() {
        let larger = root | 1 << bit;
        if larger * larger <= radicand {
            root = larger;
        }
    }
    root
}

fn to_integer(a: u32, is_signed: bool, convert: impl Fn(Single) -> StatusAnd<u32>) -> (u32, u8) {
    if is_nan(a) {
        return (if is_signed { 0x7fff_ffff } else { u32::MAX }, NV);
    }
    let StatusAnd { status, value } = convert(single(a));
    let flags = match status {
        Status::OK => 0,
        Status::INEXACT => NX,
        _ => NV,
    };
    (value, flags)
}

fn from_integer(StatusAnd { status, value }: StatusAnd<Single>) -> (u32, u8) {
    (value.to_bits() as u32, u8::from(status.intersects(Status::INEXACT)) * NX)
}

/// Operations that do not round, on the host's numbers.
fn simple(op: FpuOp, a: u32, b: u32) -> u32 {
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    let sign = 0x8000_0000;
    let extreme = |a_wins: bool| match (is_nan(a), is_nan(b)) {
        (true, true) => CANONICAL_NAN,
        (true, false) => b,
        (false, true) => a,
        (false, false) if a_wins => a,
        (false, false) => b,
    };
    match op {
        FpuOp::Sgnj => a & !sign | b & sign,
        FpuOp::Sgnjn => a & !sign | !b & sign,
        FpuOp::Sgnjx => a ^ b & sign,
        FpuOp::Min => extreme(x < y || x == y && a >> 31 == 1),
        FpuOp::Max => extreme(x > y || x == y && a >> 31 == 0),
        FpuOp::Eq => (x == y).into(),
        FpuOp::Lt => (x < y).into(),
        FpuOp::Le => (x <= y).into(),
        FpuOp::Class => {
            let negative = a >> 31 == 1;
            let by_sign =
                |if_negative: u32, if_positive: u32| 1 << if negative { if_negative } else { if_positive };
            match x.classify() {
                std::num::FpCategory::Nan => 1 << if is_signalling(a) { 8 } else { 9 },
                std::num::FpCategory::Infinite => by_sign(0, 7),
                std::num::FpCategory::Normal => by_sign(1, 6),
                std::num::FpCategory::Subnormal => by_sign(2, 5),
                std::num::FpCategory::Zero => by_sign(3, 4),
            }
        }
        FpuOp::MvXW | FpuOp::MvWX => a,
        _ => unreachable!("{op:?} rounds"),
    }
}

fn simple_flags(op: FpuOp, a: u32, b: u32) -> u8 {
    let invalid = match op {
        FpuOp::Min | FpuOp::Max | FpuOp::Eq => is_signalling(a) || is_signalling(b),
        FpuOp::Lt | FpuOp::Le => is_nan(a) || is_nan(b),
        _ => false,
    };
    u8::from(invalid) * NV
}
