//! Against `rustc_apfloat`, on all pairs of corner values and on random ones near them.
//!
//! Two flags are not that crate's: for underflow it compares the rounded result with the smallest normal
//! number, RISC-V what rounding without a limit to the exponent would give; and an overflow that is rounded
//! to the largest number is none to it. The tests of the model against QEMU compare those too.

use rustc_apfloat::ieee::Single;
use rustc_apfloat::{Float, Round, Status, StatusAnd};

use super::*;
use crate::Lanes;
use isa::random::Rng;
use spec::config::MAX_THREADS;

fn round(mode: Rounding) -> Round {
    match mode {
        Rounding::Rne => Round::NearestTiesToEven,
        Rounding::Rtz => Round::TowardZero,
        Rounding::Rdn => Round::TowardNegative,
        Rounding::Rup => Round::TowardPositive,
        Rounding::Rmm => Round::NearestTiesToAway,
    }
}

fn single(bits: u32) -> Single {
    Single::from_bits(bits.into())
}

/// Bits, with the one NaN that RISC-V makes, and flags.
fn theirs(result: StatusAnd<Single>) -> (u32, u32) {
    let bits = if result.value.is_nan() { NAN } else { result.value.to_bits() as u32 };
    (bits, flags(result.status))
}

fn flags(status: Status) -> u32 {
    let flag = |theirs, ours| if status.contains(theirs) { ours } else { 0 };
    flag(Status::INVALID_OP, NV)
        | flag(Status::DIV_BY_ZERO, DZ)
        | flag(Status::OVERFLOW, OF)
        | flag(Status::INEXACT, NX)
}

fn values(rng: &mut Rng) -> [u32; 3] {
    std::array::from_fn(|_| rng.float())
}

fn check(
    what: &str,
    mode: Rounding,
    operands: &[u32],
    expected: (u32, u32),
    f: impl Fn(&mut Context) -> u32,
) {
    let mut context = Context::new(mode);
    let value = f(&mut context);
    let other = if value & !SIGN == LARGEST { UF | OF } else { UF };
    let found = (value, context.flags & !other);
    assert_eq!(found, expected, "{what} {operands:08x?} {mode:?}: {found:08x?}, expected {expected:08x?}");
}

const ROUNDS: usize = 60_000;

#[test]
fn arithmetic() {
    let mut rng = Rng::new(1);
    for _ in 0..ROUNDS {
        let operands = values(&mut rng);
        let [a, b, c] = operands;
        let [x, y, z] = operands.map(single);
        for mode in Rounding::ALL {
            let r = round(mode);
            check("add", mode, &operands, theirs(x.add_r(y, r)), |fp| fp.mul_add(a, ONE, b));
            check("sub", mode, &operands, theirs(x.sub_r(y, r)), |fp| fp.mul_add(a, ONE, b ^ SIGN));
            check("mul", mode, &operands, theirs(x.mul_r(y, r)), |fp| fp.mul_add(a, b, (a ^ b) & SIGN));
            check("div", mode, &operands, theirs(x.div_r(y, r)), |fp| fp.div(a, b));
            let mut fused = theirs(x.mul_add_r(y, z, r));
            // The crate leaves open what RISC-V demands: NV for a NaN added to infinity times zero.
            let signaling = operands.iter().any(|&v| is_signaling(v));
            let invalid = (is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b));
            if fused.0 == NAN && (signaling || invalid) {
                fused.1 |= NV;
            }
            check("mul_add", mode, &operands, fused, |fp| fp.mul_add(a, b, c));
        }
    }
}

#[test]
fn conversion() {
    let mut rng = Rng::new(2);
    for _ in 0..ROUNDS {
        let (a, integer) = (rng.float(), rng.corner());
        for mode in Rounding::ALL {
            let r = round(mode);
            let mut exact = false;
            let signed = single(a).to_i128_r(32, r, &mut exact);
            let value = if is_nan(a) { i32::MAX as u32 } else { signed.value as u32 };
            check("to_i32", mode, &[a], (value, flags(signed.status)), |fp| fp.to_i32(a));
            let unsigned = single(a).to_u128_r(32, r, &mut exact);
            let value = if is_nan(a) { u32::MAX } else { unsigned.value as u32 };
            check("to_u32", mode, &[a], (value, flags(unsigned.status)), |fp| fp.to_u32(a));
            let from = theirs(Single::from_i128_r((integer as i32).into(), r));
            check("from_i32", mode, &[integer], from, |fp| fp.from_i32(integer));
            let from = theirs(Single::from_u128_r(integer.into(), r));
            check("from_u32", mode, &[integer], from, |fp| fp.from_u32(integer));
        }
    }
}

/// The root's neighbours, squared in twice the precision, enclose the operand.
#[test]
fn square_root() {
    let mut rng = Rng::new(3);
    for _ in 0..ROUNDS {
        let a = rng.float();
        if is_nan(a) || is_infinite(a) || is_zero(a) || a & SIGN != 0 {
            continue;
        }
        let exact = f64::from(f32::from_bits(a)).sqrt();
        let at = |mode| Context::new(mode).sqrt(a);
        let value = |bits: u32| f64::from(f32::from_bits(bits));
        // A double has more than twice the precision, so that rounding it once more gives the nearest single.
        assert_eq!(at(Rounding::Rne), (exact as f32).to_bits(), "{a:08x}");
        assert_eq!(at(Rounding::Rmm), at(Rounding::Rne), "{a:08x}: no root lies half-way");
        let (down, up) = (at(Rounding::Rdn), at(Rounding::Rup));
        assert_eq!(at(Rounding::Rtz), down);
        let mut context = Context::new(Rounding::Rne);
        context.sqrt(a);
        if down == up {
            assert_eq!(
                (value(down) * value(down), context.flags),
                (f64::from(f32::from_bits(a)), 0),
                "{a:08x}"
            );
        } else {
            assert_eq!((up, context.flags), (down + 1, NX), "{a:08x}");
            let operand = f64::from(f32::from_bits(a));
            assert!(value(down) * value(down) < operand && operand < value(up) * value(up), "{a:08x}");
        }
    }
    for (a, result) in [
        (0, (0, 0)),
        (SIGN, (SIGN, 0)),
        (INFINITY, (INFINITY, 0)),
        (SIGN | 1, (NAN, NV)),
        (SIGN | INFINITY, (NAN, NV)),
        (NAN | SIGN, (NAN, 0)),
        (0x7f80_0001, (NAN, NV)),
    ] {
        let mut context = Context::new(Rounding::Rne);
        assert_eq!((context.sqrt(a), context.flags), result, "{a:08x}");
    }
}

#[test]
fn comparison() {
    let mut rng = Rng::new(4);
    for _ in 0..ROUNDS {
        let [a, b, _] = values(&mut rng);
        let [x, y] = [a, b].map(f32::from_bits);
        let signaling = if is_signaling(a) || is_signaling(b) { NV } else { 0 };
        let unordered = if x.is_nan() || y.is_nan() { NV } else { 0 };
        let mode = Rounding::Rne;
        check("eq", mode, &[a, b], (u32::from(x == y), signaling), |fp| fp.eq(a, b).into());
        check("lt", mode, &[a, b], (u32::from(x < y), unordered), |fp| fp.lt(a, b).into());
        check("le", mode, &[a, b], (u32::from(x <= y), unordered), |fp| fp.le(a, b).into());
        let pick = |smaller: bool| match (x.is_nan(), y.is_nan()) {
            (true, true) => NAN,
            (true, false) => b,
            (false, true) => a,
            (false, false) => {
                if (x.total_cmp(&y).is_lt()) == smaller {
                    a
                } else {
                    b
                }
            }
        };
        check("min", mode, &[a, b], (pick(true), signaling), |fp| fp.min(a, b));
        check("max", mode, &[a, b], (pick(false), signaling), |fp| fp.max(a, b));
    }
}

#[test]
fn classes() {
    for (a, class) in [
        (0xff80_0000, 0),
        (0xff7f_ffff, 1),
        (0x8080_0000, 1),
        (0x807f_ffff, 2),
        (0x8000_0001, 2),
        (0x8000_0000, 3),
        (0x0000_0000, 4),
        (0x0000_0001, 5),
        (0x007f_ffff, 5),
        (0x0080_0000, 6),
        (0x7f7f_ffff, 6),
        (0x7f80_0000, 7),
        (0x7f80_0001, 8),
        (0xffbf_ffff, 8),
        (0x7fc0_0000, 9),
        (0xffff_ffff, 9),
    ] {
        assert_eq!(classify(a), 1 << class, "{a:08x}");
    }
}

/// Underflow is decided by what rounding to 24 bits gives, however small the exponent.
#[test]
fn underflow_is_detected_after_rounding() {
    let product = |a: u32, b: u32| {
        let mut context = Context::new(Rounding::Rne);
        (context.mul_add(a, b, (a ^ b) & SIGN), context.flags)
    };
    let half = 0x3f00_0000;
    // 2^-126 - 2^-150 fits 24 bits and is tiny, though what is stored is 2^-126.
    assert_eq!(product(0x00ff_ffff, half), (0x0080_0000, UF | NX));
    // Exact results are never underflows.
    assert_eq!(product(0x0080_0000, half), (0x0040_0000, 0));
    // (1 - 2^-24) * (1 + 2^-24 ..) * 2^-126 rounds up to 2^-126 in 24 bits already.
    assert_eq!(product(0x3f7f_ffff, 0x0080_0001), (0x0080_0000, NX));
}

/// Compares the usual case with the one for all; `false` if it is none.
fn check_usual([a, b, c]: [u32; 3]) -> bool {
    let (mut quick, mut any) = (Context::new(Rounding::Rne), Context::new(Rounding::Rne));
    let Some(result) = quick.usual_mul_add(a, b, c) else { return false };
    let expected = any.any_mul_add(a, b, c);
    assert_eq!((result, quick.flags), (expected, any.flags), "{a:08x} * {b:08x} + {c:08x}");
    true
}

#[test]
fn usual_sums_and_products_are_what_integers_give() {
    let mut rng = Rng::new(4);
    let mut usual = 0;
    for round in 0..20 * ROUNDS {
        // Of similar size, so that digits of all three meet; every second product nearly cancels the addend.
        let mut operand = |spread: u32| {
            let word = rng.word();
            word & !(0xff << 23) | (127 - spread / 2 + (word >> 9 & 0xff) % spread) << 23
        };
        let (a, b, near) = (operand(8), operand(8), operand(60));
        let cancels = (f32::from_bits(a) * f32::from_bits(b)).to_bits() ^ SIGN ^ (near & 3);
        usual += usize::from(check_usual([a, b, if round % 2 == 0 { near } else { cancels }]));
    }
    assert!(usual > 19 * ROUNDS, "{usual}");
}

#[test]
fn lanes_together_give_what_each_gives() {
    let mut rng = Rng::new(6);
    let mut together = 0;
    for round in 0..ROUNDS / 8 {
        let mut lanes = || -> Lanes {
            std::array::from_fn(|_| match rng.one_in(if round % 2 == 0 { 40 } else { 4000 }) {
                true => rng.word(),
                false => rng.word() & !(0xff << 23) | (110 + rng.word() % 30) << 23,
            })
        };
        let [a, b, c] = [lanes(), lanes(), lanes()];
        let (threads, tmask, flips) = (1 << rng.below(6), rng.word(), [rng.word() & SIGN, rng.word() & SIGN]);
        let active = tmask & u32::MAX >> (32 - threads);
        let (mut all, mut each) = (Context::new(Rounding::Rne), Context::new(Rounding::Rne));
        let mut results = [0; MAX_THREADS];
        all.mul_adds(threads, active, [&a, &b, &c], flips, &mut results);
        for lane in (0..threads).filter(|lane| active >> lane & 1 != 0) {
            let expected = each.any_mul_add(a[lane] ^ flips[0], b[lane], c[lane] ^ flips[1]);
            assert_eq!(results[lane], expected, "lane {lane} of round {round}");
        }
        assert_eq!(all.flags, each.flags, "round {round}");
        let mut quick = Context::new(Rounding::Rne);
        together += usize::from(quick.usual_mul_adds(threads, active, [&a, &b, &c], flips, &mut results));
    }
    assert!((ROUNDS / 20..ROUNDS / 8).contains(&(together as _)), "{together}");
}

/// A double rounds such a sum to the middle between two singles, on one side of which it really is.
#[test]
fn sums_close_to_the_middle_are_rounded_once() {
    let mut rng = Rng::new(5);
    for _ in 0..ROUNDS {
        // The product is 1 but for less than 2^-29 of it: (1 + x)(1 - x), or (1 + x)(1 - x + x^2).
        let x = f32::from(1 + rng.below(200) as u16) / (1 << 23) as f32;
        let y = 1.0 / (1 << 11) as f32;
        let (a, b) = if rng.one_in(2) { (1.0 + x, 1.0 - x) } else { (1.0 + y, 1.0 - y + y * y) };
        // A place of the addend is worth 2.
        let c = (1 << 24) as f32 + 2.0 * rng.below(1 << 23) as f32;
        let signs = [rng.word() & SIGN, rng.word() & SIGN];
        assert!(check_usual([a.to_bits() ^ signs[0], b.to_bits(), c.to_bits() ^ signs[1]]));
    }
}
