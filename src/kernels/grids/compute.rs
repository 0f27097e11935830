//! Kernels that compute much of what they load: products, convolutions, waves.

use super::super::float_reference::{dot, exact, heat, normal, uniform};
use super::super::launch::{quarter, strips, tile, warps, Launch};
use super::super::reference::Reference;
use super::barrier::halo_bytes;
use super::each;
use super::memory::{combined, directions};
use spec::config::CoreConfig;

/// Planes that [`conv3d`] computes.
const PLANES: usize = 4;

pub(in super::super) fn conv3d(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (volume, weights) = (uniform(90, (PLANES + 2) * n * n, -1.0, 1.0), uniform(91, 27, -1.0, 1.0));
    let cell = |i: usize| {
        let (x, y, z) = (i % n, i / n % n, i / n / n);
        if [x, y].iter().any(|&at| at == 0 || at == n - 1) {
            return volume[i + n * n];
        }
        let at = |k: usize| volume[((z + k / 9) * n + y + k / 3 % 3 - 1) * n + x + k % 3 - 1];
        dot((0..27).map(|k| (at(k), weights[k])))
    };
    let result: Vec<f32> = (0..PLANES * n * n).map(cell).collect();
    exact(&[("volume", &volume), ("weights", &weights)], &[("result", &result)])
}

pub(in super::super) fn conv3d_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    (0..PLANES as u32).map(|arg| Launch { arg, ..each("convolve", n * n, cfg) }).collect()
}

pub(in super::super) fn three_mm(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let [a, b, c, d] = [92, 93, 94, 95].map(|seed| uniform(seed, n * n, -1.0, 1.0));
    let product = |left: &[f32], right: &[f32]| -> Vec<f32> {
        let cell = |i: usize| dot((0..n).map(|k| (left[i / n * n + k], right[k * n + i % n])));
        (0..n * n).map(cell).collect()
    };
    let (ab, cd) = (product(&a, &b), product(&c, &d));
    let all = product(&ab, &cd);
    exact(&[("a", &a), ("b", &b), ("c", &c), ("d", &d)], &[("ab", &ab), ("cd", &cd), ("product", &all)])
}

pub(in super::super) fn three_mm_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    ["first", "second", "third"].map(|entry| strips(entry, n, cfg)).into()
}

/// Samples that [`mriq`] adds up.
const SAMPLES: usize = 3072;

pub(in super::super) fn mriq(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (phi, k) = (uniform(96, 2 * SAMPLES, -1.0, 1.0), uniform(97, 3 * SAMPLES, -2.0, 2.0));
    let places = uniform(98, 3 * n, -1.0, 1.0);
    let energies: Vec<f32> = phi.chunks(2).map(|phi| phi[0] * phi[0] + phi[1] * phi[1]).collect();
    let wave = |i: usize, of: fn(f64) -> f64| {
        let turns =
            |s: usize| (0..3).map(|d| f64::from(k[3 * s + d]) * f64::from(places[d * n + i])).sum::<f64>();
        (0..SAMPLES).map(|s| f64::from(energies[s]) * of(std::f64::consts::TAU * turns(s))).sum()
    };
    let sums = |of: fn(f64) -> f64| (0..n).map(|i| wave(i, of)).collect();
    Reference {
        // Sums of thousands of numbers up to 2, each of an angle that is good to about 2^-20.
        close: vec![("real", sums(f64::cos), 2e-3), ("imaginary", sums(f64::sin), 2e-3)],
        ..exact(&[("phi", &phi), ("k", &k), ("places", &places)], &[("energies", &energies)])
    }
}

pub(in super::super) fn mriq_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let block = quarter(cfg).min(warps(cfg, 8));
    let image = Launch::row("image", n.div_ceil(block), block);
    vec![each("measure", SAMPLES as u32, cfg), image]
}

/// Dimensions of [`quasirandom`].
const DIMENSIONS: usize = 3;

/// Coefficients of B. Moro, The full Monte, Risk 8(2), 1995: of the middle four above and four below the bar, and nine of
/// the tails.
const MORO: [f32; 17] = [
    2.506_628_3,
    -18.615,
    41.391_197,
    -25.441_06,
    -8.473_511,
    23.083_367,
    -21.062_24,
    3.130_829,
    0.337_475_48,
    0.976_169,
    0.160_797_97,
    0.027_643_88,
    0.003_840_573,
    0.000_395_189_66,
    0.000_032_176_79,
    0.000_000_288_816_75,
    0.000_000_396_031_5,
];

/// Where the normal distribution has reached `part`: Newton's steps from the middle, which do not overshoot.
fn deviate(part: f64) -> f64 {
    let density = |x: f64| (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    (0..12).fold(0.0, |x, _| x - (normal(x) - part) / density(x))
}

pub(in super::super) fn quasirandom(n: u32, _: &CoreConfig) -> Reference {
    const BITS: usize = 31;
    let table = directions(99, DIMENSIONS, BITS as u32);
    let number = |own: &[u32], i: usize| ((combined(own, i + 1) >> 8) + 1) as f32 * (1.0f32 / 8_388_610.0);
    let of = |own| (0..n as usize).map(move |i| number(own, i));
    let numbers: Vec<f32> = table.chunks(BITS).flat_map(of).collect();
    let deviates = numbers.iter().map(|&number| deviate(f64::from(number))).collect();
    let mut reference = exact(&[("coefficients", &MORO)], &[("numbers", &numbers)]);
    reference.inputs.push(("table", table));
    Reference { close: vec![("deviates", deviates, 1e-3)], ..reference }
}

pub(in super::super) fn quasirandom_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let of = |entry| {
        let row = each(entry, n, cfg);
        Launch { grid: [row.grid[0], DIMENSIONS as u32, 1], ..row }
    };
    ["generate", "invert"].map(of).into()
}

pub(in super::super) fn hotspot(n: u32, _: &CoreConfig) -> Reference {
    heat(n, 2)
}

pub(in super::super) fn hotspot_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let side = tile(cfg);
    ["first", "second"]
        .map(|entry| Launch { local_bytes: halo_bytes(side), ..Launch::tiles(entry, n, side) })
        .into()
}

pub(in super::super) fn blackscholes_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    vec![each("price", n, cfg)]
}

/// Images that go into [`convlayer`], and that come out.
const CHANNELS: usize = 4;
const FILTERS: usize = 8;

pub(in super::super) fn convlayer(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let side = n + 2;
    let pixels = uniform(100, CHANNELS * n * n, -1.0, 1.0);
    let (weights, biases) =
        (uniform(101, FILTERS * CHANNELS * 9, -1.0, 1.0), uniform(102, FILTERS, -1.0, 1.0));
    let mut images = vec![0.0; CHANNELS * side * side];
    for (i, pixel) in pixels.iter().enumerate() {
        images[(i / n / n * side + i / n % n + 1) * side + i % n + 1] = *pixel;
    }
    let pixel = |filter: usize, x: usize, y: usize| {
        let at = |k: usize| images[(k / 9 * side + y + k % 9 / 3) * side + x + k % 3];
        let weight = |k: usize| weights[filter * CHANNELS * 9 + k];
        let sum = (0..CHANNELS * 9).fold(biases[filter], |sum, k| at(k).mul_add(weight(k), sum));
        sum.max(0.0)
    };
    let layer: Vec<f32> = (0..FILTERS * n * n).map(|i| pixel(i / n / n, i % n, i / n % n)).collect();
    exact(&[("images", &images), ("weights", &weights), ("biases", &biases)], &[("layer", &layer)])
}

pub(in super::super) fn convlayer_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let row = each("convolve", n * n, cfg);
    vec![Launch { grid: [row.grid[0], FILTERS as u32, 1], ..row }]
}
