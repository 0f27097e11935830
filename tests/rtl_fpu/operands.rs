//! Operands at the corners, and random ones that come close to them.
use cosim::Rng;
use rtl::op::FpuOp;

/// Patterns of every class, and one unit around what rounding and conversion turn on; without sign.
const PAIRS: [u32; 44] = [
    0,
    1,
    2,
    3,
    0x003f_ffff,
    0x0040_0000,
    0x007f_fffe,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x00ff_ffff,
    0x0100_0000,
    0x0100_0001,
    0x3300_0000, // 2^-25
    0x3380_0000, // 2^-24, half a unit of 1
    0x3380_0001,
    0x33ff_ffff,
    0x3eff_ffff,
    0x3f00_0000, // a half
    0x3f00_0001,
    0x3f7f_ffff,
    0x3f80_0000, // 1
    0x3f80_0001,
    0x3fc0_0000,
    0x3fff_ffff,
    0x4000_0000,
    0x4020_0000, // 2.5
    0x4b00_0001, // 2^23 + 1
    0x4b7f_ffff,
    0x4b80_0000, // 2^24
    0x4eff_ffff,
    0x4f00_0000, // 2^31
    0x4f00_0001,
    0x4f7f_ffff,
    0x4f80_0000, // 2^32
    0x5f00_0000,
    0x7e80_0000,
    0x7f00_0000,
    0x7f7f_fffe,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7f80_0001, // signalling
    0x7fc0_0000,
    0x7fff_ffff,
];

/// The same for three operands.
const TRIPLES: [u32; 20] = [
    0,
    1,
    0x0040_0000,
    0x007f_ffff,
    0x0080_0000,
    0x0080_0001,
    0x3380_0000,
    0x337f_ffff,
    0x3f00_0000,
    0x3f7f_ffff,
    0x3f80_0000,
    0x3f80_0001,
    0x3fff_ffff,
    0x4b80_0000,
    0x7f00_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7fbf_ffff, // signalling
    0x7fc0_0000,
    0x5e80_0000,
];

const INTEGERS: [u32; 10] = [
    4,
    7,
    0x00ff_ffff,
    0x0100_0001,
    0x7fff_ff7f,
    0x7fff_ffbf,
    0x7fff_ffc0,
    0x7fff_fffe,
    0x7fff_ffff,
    0x00c0_0001,
];

fn with_signs(magnitudes: &[u32]) -> Vec<u32> {
    magnitudes.iter().flat_map(|&x| [x, x | 0x8000_0000]).collect()
}

/// How many of `a`, `b`, `c` an operation has.
pub fn arity(op: FpuOp) -> usize {
    match op {
        FpuOp::Madd | FpuOp::Msub | FpuOp::Nmsub | FpuOp::Nmadd => 3,
        FpuOp::Class | FpuOp::MvXW | FpuOp::MvWX | FpuOp::Sqrt => 1,
        FpuOp::CvtWS | FpuOp::CvtWuS | FpuOp::CvtSW | FpuOp::CvtSWu => 1,
        _ => 2,
    }
}

/// Every combination of corners that the operation can have.
pub fn corners(op: FpuOp) -> Vec<[u32; 3]> {
    let (pairs, triples) = (with_signs(&PAIRS), with_signs(&TRIPLES));
    match arity(op) {
        1 => pairs.iter().chain(&with_signs(&INTEGERS)).map(|&a| [a, !a, a]).collect(),
        2 => pairs.iter().flat_map(|&a| pairs.iter().map(move |&b| [a, b, !a])).collect(),
        _ => triples
            .iter()
            .flat_map(|&a| triples.iter().map(move |&b| (a, b)))
            .flat_map(|(a, b)| triples.iter().map(move |&c| [a, b, c]))
            .collect(),
    }
}

/// A number with `exponent` (its field, cut to what is finite) and digits that are often few or many.
fn number(rng: &mut Rng, exponent: i32) -> u32 {
    let random = rng.next_u64();
    let digits = (random as u32 & 0x7f_ffff) >> rng.below(24);
    let fraction = match random >> 32 & 7 {
        0 => 0,
        1 => digits,
        2 => !digits,
        3 => digits << rng.below(24),
        _ => (random >> 8) as u32,
    };
    (fraction & 0x7f_ffff) | (exponent.clamp(0, 254) as u32) << 23 | (random >> 63 << 31) as u32
}

fn between(rng: &mut Rng, low: i32, high: i32) -> i32 {
    low + rng.below((high - low + 1) as u32) as i32
}

fn exponent(x: u32) -> i32 {
    (x >> 23 & 255) as i32
}

/// A corner or one of its neighbours.
fn near_corner(rng: &mut Rng) -> u32 {
    let corner = PAIRS[rng.below(PAIRS.len() as u32) as usize];
    corner.wrapping_add(rng.below(9)).wrapping_sub(4) ^ (rng.next_u64() >> 63 << 31) as u32
}

/// Random operands: anything, neighbours of corners, nearly cancelling sums, subnormal and overflowing results.
pub fn random(rng: &mut Rng, op: FpuOp) -> [u32; 3] {
    let anything = rng.next_u64();
    let [a, b, c] = [anything as u32, (anything >> 32) as u32, rng.next_u64() as u32];
    let kind = rng.below(8);
    match (op, kind) {
        (_, 0) => [a, b, c],
        (_, 1) => [near_corner(rng), near_corner(rng), near_corner(rng)],
        (FpuOp::CvtSW | FpuOp::CvtSWu, 2..=4) => [a >> rng.below(32), b, c],
        (FpuOp::CvtSW | FpuOp::CvtSWu, 5..=6) => [!(a >> rng.below(32)), b, c],
        (FpuOp::CvtWS | FpuOp::CvtWuS, 2..=6) => {
            let exponent = between(rng, 122, 162);
            [number(rng, exponent), b, c]
        }
        (FpuOp::Add | FpuOp::Sub, 2..=5) => {
            // exponents as far apart as significands reach, or close together
            let a = number(rng, exponent(a));
            let apart = if kind < 4 { 2 } else { 27 };
            let other = exponent(a) + between(rng, -apart, apart);
            [a, number(rng, other), c]
        }
        (FpuOp::Eq | FpuOp::Lt | FpuOp::Le | FpuOp::Min | FpuOp::Max, 2..=4) => {
            [a, a.wrapping_add(rng.below(3)).wrapping_sub(1) ^ (b >> 31 << 31), c]
        }
        (FpuOp::Div, 2..=5) => {
            let a = number(rng, exponent(a));
            let quotient = if kind < 4 { between(rng, -26, 4) } else { between(rng, 250, 257) };
            let divisor = exponent(a) + 127 - quotient;
            [a, number(rng, divisor), c]
        }
        (_, 2..=6) => product(rng, kind),
        _ => [number(rng, exponent(a)), number(rng, exponent(b)), number(rng, exponent(c))],
    }
}

/// Operands of a multiply-add whose product is close to something.
fn product(rng: &mut Rng, kind: u32) -> [u32; 3] {
    let e = between(rng, 0, 254);
    let a = number(rng, e);
    let target = match kind {
        2 => between(rng, -50, 2),
        3 => between(rng, 250, 257),
        _ => between(rng, 0, 254),
    };
    let b = number(rng, target + 127 - e.max(1));
    let c = match kind {
        // comparable with the product, wherever that is
        2..=4 => {
            let c = target + between(rng, -30, 30);
            number(rng, c)
        }
        // next to what cancels it
        _ => {
            let near = -(f32::from_bits(a) * f32::from_bits(b));
            near.to_bits().wrapping_add(rng.below(5)).wrapping_sub(2)
        }
    };
    if rng.below(2) == 0 {
        [a, b, c]
    } else {
        [b, a, c]
    }
}
