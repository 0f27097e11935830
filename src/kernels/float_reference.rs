//! Inputs and results of the floating-point kernels, as [`super::reference`] has the others'.
//!
//! Where a kernel's order of operations is part of what it promises, results are compared bit by bit;
//! otherwise they are computed in double precision and compared with a stated tolerance.

use super::reference::{printed, Array, Reference};
use isa::random::Rng;
use spec::config::CoreConfig;

/// Numbers between two limits, the same on every machine.
pub(super) fn uniform(seed: u64, n: usize, low: f64, high: f64) -> Vec<f32> {
    let mut rng = Rng::new(seed);
    let fraction = |word: u32| f64::from(word) / f64::from(u32::MAX);
    (0..n).map(|_| (low + (high - low) * fraction(rng.word())) as f32).collect()
}

pub(super) fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

/// A reference whose arrays hold floats.
pub(super) fn exact(inputs: &[(&'static str, &[f32])], outputs: &[(&'static str, &[f32])]) -> Reference {
    let arrays = |list: &[(&'static str, &[f32])]| -> Vec<Array> {
        list.iter().map(|(name, values)| (*name, bits(values))).collect()
    };
    Reference::of(arrays(inputs), arrays(outputs))
}

/// The sum of products in their order, each added with one rounding.
pub(super) fn dot(pairs: impl Iterator<Item = (f32, f32)>) -> f32 {
    pairs.fold(0.0, |sum, (a, b)| a.mul_add(b, sum))
}

pub(super) fn saxpy(n: u32, _: &CoreConfig) -> Reference {
    let (x, y) = (uniform(21, n as usize, -10.0, 10.0), uniform(22, n as usize, -10.0, 10.0));
    let result: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 2.71f32.mul_add(*x, *y)).collect();
    exact(&[("scale", &[2.71]), ("x", &x), ("y", &y)], &[("result", &result)])
}

pub(super) fn sgemm(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (a, b) = (uniform(23, n * n, -1.0, 1.0), uniform(24, n * n, -1.0, 1.0));
    let element = |e: usize| dot((0..n).map(|k| (a[e / n * n + k], b[k * n + e % n])));
    let c: Vec<f32> = (0..n * n).map(element).collect();
    exact(&[("a", &a), ("b", &b)], &[("c", &c)])
}

/// A product of matrices whose sides hold whole tiles of 4 x 4.
pub(super) fn sgemm_of_tiles(n: u32, cfg: &CoreConfig) -> Reference {
    sgemm(n.next_multiple_of(4), cfg)
}

pub(super) fn conv3(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (pixels, weights) = (uniform(25, n * n, 0.0, 255.0), uniform(26, 9, -1.0, 1.0));
    let side = n + 2;
    let mut image = vec![0.0; side * side];
    for (i, pixel) in pixels.iter().enumerate() {
        image[(i / n + 1) * side + i % n + 1] = *pixel;
    }
    let pixel = |x: usize, y: usize| dot((0..9).map(|k| (image[(y + k / 3) * side + x + k % 3], weights[k])));
    let result: Vec<f32> = (0..n * n).map(|i| pixel(i % n, i / n)).collect();
    exact(&[("image", &image), ("weights", &weights)], &[("result", &result)])
}

pub(super) fn spmv(n: u32, _: &CoreConfig) -> Reference {
    let mut rng = Rng::new(27);
    sparse(n as usize, |_| {
        // Every fourth row is long, and some are empty.
        let longest = if rng.one_in(4) { 24 } else { 4 };
        let length = rng.below(longest);
        (0..length).map(|_| rng.below(n as usize) as u32).collect()
    })
}

/// A product with a sparse matrix, whose rows have what is not 0 in the columns that `columns` gives.
pub(super) fn sparse(n: usize, mut columns: impl FnMut(usize) -> Vec<u32>) -> Reference {
    let x = uniform(28, n, -1.0, 1.0);
    let (mut row_start, mut all) = (vec![0u32], Vec::new());
    for row in 0..n {
        all.extend(columns(row));
        row_start.push(all.len() as u32);
    }
    let values = uniform(29, all.len(), -1.0, 1.0);
    let row = |i: usize| {
        dot((row_start[i] as usize..row_start[i + 1] as usize).map(|e| (values[e], x[all[e] as usize])))
    };
    let result: Vec<f32> = (0..n).map(row).collect();
    let mut reference = exact(&[("values", &values), ("x", &x)], &[("result", &result)]);
    reference.inputs.extend([("row_start", row_start), ("columns", all)]);
    reference
}

/// The cell at a place that may lie one step outside, where the border cell repeats.
fn clamped(cells: &[f32], sides: [usize; 3], [x, y, z]: [i64; 3]) -> f32 {
    let inside = |at: i64, side: usize| at.clamp(0, side as i64 - 1) as usize;
    let [x, y, z] = [inside(x, sides[0]), inside(y, sides[1]), inside(z, sides[2])];
    cells[(z * sides[1] + y) * sides[0] + x]
}

/// One step on a grid: `f` gets a cell's number, and a function from a direction to its neighbour there.
pub(super) fn step(
    cells: &[f32],
    sides: [usize; 3],
    f: impl Fn(usize, &dyn Fn(i64, i64, i64) -> f32) -> f32,
) -> Vec<f32> {
    let cell = |i: usize| {
        let place = [i % sides[0], i / sides[0] % sides[1], i / sides[0] / sides[1]].map(|p| p as i64);
        f(i, &|dx, dy, dz| clamped(cells, sides, [place[0] + dx, place[1] + dy, place[2] + dz]))
    };
    (0..cells.len()).map(cell).collect()
}

pub(super) fn stencil(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let grid = uniform(30, n * n * n, -1.0, 1.0);
    let factors = [1.0f32 / 6.0, 1.0f32 / 36.0];
    let round = |cells: &[f32]| {
        step(cells, [n; 3], |_, at| {
            let x = at(-1, 0, 0) + at(1, 0, 0);
            let y = at(0, -1, 0) + at(0, 1, 0);
            let z = at(0, 0, -1) + at(0, 0, 1);
            (x + y + z) * factors[1] - at(0, 0, 0) * factors[0]
        })
    };
    let middle = round(&grid);
    let result = round(&middle);
    exact(&[("grid", &grid), ("factors", &factors)], &[("middle", &middle), ("result", &result)])
}

/// The mean of each cell and its 26 neighbours, added in the order of their addresses.
pub(super) fn mean(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let grid = uniform(40, n * n * n, -1.0, 1.0);
    let result = step(&grid, [n; 3], |_, at| {
        let around = (0..27).map(|i| at(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
        around.fold(0.0, |sum, value| sum + value) / 27.0
    });
    exact(&[("grid", &grid)], &[("result", &result)])
}

pub(super) fn hotspot(n: u32, _: &CoreConfig) -> Reference {
    heat(n, 4)
}

/// So many steps of a chip that its parts heat.
pub(super) fn heat(n: u32, steps: usize) -> Reference {
    let n = n as usize;
    let (mut cells, power) = (uniform(31, n * n, 320.0, 345.0), uniform(32, n * n, 0.0, 0.01));
    let constants = [0.3f32, 0.1, 0.12, 0.000_2, 80.0];
    let [per_step, along_y, along_x, to_ambient, ambient] = constants;
    let temperature = cells.clone();
    for _ in 0..steps {
        cells = step(&cells, [n, n, 1], |i, at| {
            let own = at(0, 0, 0);
            let vertical = at(0, -1, 0) + at(0, 1, 0) - 2.0 * own;
            let horizontal = at(-1, 0, 0) + at(1, 0, 0) - 2.0 * own;
            let flow = power[i] + vertical * along_y + horizontal * along_x + (ambient - own) * to_ambient;
            own + per_step * flow
        });
    }
    exact(
        &[("temperature", &temperature), ("power", &power), ("constants", &constants)],
        &[("result", &cells)],
    )
}

pub(super) fn hotspot3d(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let sides = [n, n, 4];
    let temperature = uniform(33, n * n * 4, 320.0, 345.0);
    let power = uniform(34, n * n * 4, 0.0, 0.01);
    let weights = [0.4f32, 0.1, 0.12, 0.08, 0.6, 0.05];
    let round = |cells: &[f32]| {
        step(cells, sides, |i, at| {
            let around =
                [(-1, 0, 0, 1), (1, 0, 0, 1), (0, -1, 0, 2), (0, 1, 0, 2), (0, 0, -1, 3), (0, 0, 1, 3)];
            let own = at(0, 0, 0).mul_add(weights[0], power[i].mul_add(weights[4], weights[5]));
            around.iter().fold(own, |sum, &(x, y, z, weight)| at(x, y, z).mul_add(weights[weight], sum))
        })
    };
    let middle = round(&temperature);
    let result = round(&middle);
    exact(
        &[("temperature", &temperature), ("power", &power), ("weights", &weights)],
        &[("middle", &middle), ("result", &result)],
    )
}

pub(super) fn kmeans(n: u32, _: &CoreConfig) -> Reference {
    const FEATURES: usize = 4;
    const CLUSTERS: usize = 5;
    let n = n as usize;
    let values = uniform(35, n * FEATURES, 0.0, 1.0);
    let points: Vec<&[f32]> = values.chunks(FEATURES).collect();
    let mut centres: Vec<Vec<f32>> = (0..CLUSTERS).map(|c| points[c % n].to_vec()).collect();
    let mut members = vec![0; n];
    for _ in 0..3 {
        let distance =
            |point: &[f32], centre: &[f32]| dot(point.iter().zip(centre).map(|(a, b)| (a - b, a - b)));
        for (member, point) in members.iter_mut().zip(&points) {
            // The first of equally near centres.
            *member = 0;
            for cluster in 1..CLUSTERS {
                if distance(point, &centres[cluster]) < distance(point, &centres[*member]) {
                    *member = cluster;
                }
            }
        }
        for (cluster, centre) in centres.iter_mut().enumerate() {
            let own =
                || members.iter().zip(&points).filter(|(member, _)| **member == cluster).map(|(_, p)| p);
            for (feature, mean) in centre.iter_mut().enumerate().filter(|_| own().count() != 0) {
                *mean = own().fold(0.0, |sum, point| sum + point[feature]) / own().count() as f32;
            }
        }
    }
    let mut reference = exact(&[("points", &values)], &[("centres", &centres.concat())]);
    reference.outputs.push(("members", members.iter().map(|&m| m as u32).collect()));
    reference
}

pub(super) fn blackscholes(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (spot, strike) = (uniform(36, n, 5.0, 30.0), uniform(37, n, 1.0, 100.0));
    let (rate, volatility) = (uniform(38, n, 0.01, 0.1), uniform(39, n, 0.1, 0.6));
    let years = uniform(40, n, 0.25, 10.0);
    let price = |i: usize| {
        let of = |array: &[f32]| f64::from(array[i]);
        let (s, k, r, v, t) = (of(&spot), of(&strike), of(&rate), of(&volatility), of(&years));
        let d1 = ((s / k).ln() + (r + v * v / 2.0) * t) / (v * t.sqrt());
        let d2 = d1 - v * t.sqrt();
        let discounted = k * (-r * t).exp();
        let call = s * normal(d1) - discounted * normal(d2);
        // Put-call parity.
        (call, call - s + discounted)
    };
    let (call, put): (Vec<f64>, Vec<f64>) = (0..n).map(price).unzip();
    let inputs: [(&'static str, &[f32]); 5] = [
        ("spot", &spot),
        ("strike", &strike),
        ("rate", &rate),
        ("volatility", &volatility),
        ("years", &years),
    ];
    // Prices are differences of numbers up to 100, each good to about 2^-22.
    Reference { close: vec![("call", call, 1e-4), ("put", put, 1e-4)], ..exact(&inputs, &[]) }
}

pub(super) fn latency(_: u32, _: &CoreConfig) -> Reference {
    let names = ["fadd", "fmul", "fmadd", "fmin", "move_pair", "convert_pair", "fdiv", "fsqrt"];
    // Each operation stands 64 times, twice; from the minimum on nothing changes the value but the root.
    let sum = 1.0 + 128.0 * 0.5 + 128.0 * 0.25;
    let result = (0..128).fold(f32::trunc(sum), |x, _| x.sqrt());
    Reference { console: printed(&names), ..exact(&[], &[("result", &[result])]) }
}

/// The normal distribution's integral up to `x`, by Simpson's rule from 0.
pub(super) fn normal(x: f64) -> f64 {
    let density = |t: f64| (-t * t / 2.0).exp() / std::f64::consts::TAU.sqrt();
    let intervals = 400;
    let width = x / f64::from(intervals);
    let weight = |i: i32| match i {
        _ if i == 0 || i == intervals => 1.0,
        _ if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let sum: f64 = (0..=intervals).map(|i| weight(i) * density(width * f64::from(i))).sum();
    0.5 + sum * width / 3.0
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (x, value) in [(0.0, 0.5), (1.0, 0.841_344_746_068_543), (-1.96, 0.024_997_895_148_220_4)] {
            assert!((normal(x) - value).abs() < 1e-9, "{x}");
        }
        assert!(normal(8.0) > 1.0 - 1e-9 && normal(-8.0) < 1e-9);
    }
}
