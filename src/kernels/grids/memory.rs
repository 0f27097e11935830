//! Kernels that memory limits, with reuse inside a warp, between warps, or none.

use super::super::float_reference::{dot, exact, uniform};
use super::super::launch::{quarter, strips, Launch};
use super::super::reference::{self, words, Reference};
use super::barrier::inner_step;
use super::each;
use isa::random::Rng;
use spec::config::CoreConfig;

/// Of an N x N matrix and a vector: `begin` and the products of the rows with the vector.
fn rows(a: &[f32], x: &[f32], begin: &[f32]) -> Vec<f32> {
    let n = x.len();
    let row = |i: usize| (0..n).fold(begin[i], |sum, j| a[i * n + j].mul_add(x[j], sum));
    (0..n).map(row).collect()
}

/// The same of the columns.
fn columns(a: &[f32], x: &[f32], begin: &[f32]) -> Vec<f32> {
    let n = x.len();
    let column = |j: usize| (0..n).fold(begin[j], |sum, i| a[i * n + j].mul_add(x[i], sum));
    (0..n).map(column).collect()
}

pub(in super::super) fn atax(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (a, x, zeros) = (uniform(60, n * n, -1.0, 1.0), uniform(61, n, -1.0, 1.0), vec![0.0; n]);
    let product = rows(&a, &x, &zeros);
    let result = columns(&a, &product, &zeros);
    exact(&[("a", &a), ("x", &x)], &[("product", &product), ("result", &result)])
}

pub(in super::super) fn mvt(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let a = uniform(62, n * n, -1.0, 1.0);
    let [x1, x2, y1, y2] = [63, 64, 65, 66].map(|seed| uniform(seed, n, -1.0, 1.0));
    let (result1, result2) = (rows(&a, &y1, &x1), columns(&a, &y2, &x2));
    exact(
        &[("a", &a), ("x1", &x1), ("x2", &x2), ("y1", &y1), ("y2", &y2)],
        &[("result1", &result1), ("result2", &result2)],
    )
}

pub(in super::super) fn bicg(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (a, zeros) = (uniform(67, n * n, -1.0, 1.0), vec![0.0; n]);
    let [r, p] = [68, 69].map(|seed| uniform(seed, n, -1.0, 1.0));
    let (s, q) = (columns(&a, &r, &zeros), rows(&a, &p, &zeros));
    exact(&[("a", &a), ("r", &r), ("p", &p)], &[("s", &s), ("q", &q)])
}

pub(in super::super) fn rows_then_columns(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    ["rows", "columns"].map(|entry| each(entry, n, cfg)).into()
}

pub(in super::super) fn columns_then_rows(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    ["columns", "rows"].map(|entry| each(entry, n, cfg)).into()
}

pub(in super::super) fn kmeans(n: u32, _: &CoreConfig) -> Reference {
    const FEATURES: usize = 32;
    let n = n as usize;
    let (points, centres) = (uniform(72, n * FEATURES, 0.0, 1.0), uniform(73, 5 * FEATURES, 0.0, 1.0));
    let turned: Vec<f32> = (0..points.len()).map(|i| points[i % n * FEATURES + i / n]).collect();
    let distance = |point: &[f32], centre: &[f32]| dot(point.iter().zip(centre).map(|(a, b)| (a - b, a - b)));
    let member = |point: &[f32]| {
        let distances: Vec<f32> = centres.chunks(FEATURES).map(|centre| distance(point, centre)).collect();
        // The first of equally near centres.
        (1..distances.len()).fold(0, |best, c| if distances[c] < distances[best] { c } else { best }) as u32
    };
    let members = points.chunks(FEATURES).map(member).collect();
    let mut reference = exact(&[("points", &points), ("centres", &centres)], &[("turned", &turned)]);
    reference.outputs.push(("members", members));
    reference
}

pub(in super::super) fn kmeans_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    ["turn", "assign"].map(|entry| each(entry, n, cfg)).into()
}

/// Centres that are tried by [`cluster`].
const CANDIDATES: usize = 2;
/// Coordinates of a point, many and few.
const COORDINATES: usize = 256;
const FEW_COORDINATES: usize = 8;

/// Points with so many coordinates.
fn clustered(n: usize, coordinates: usize) -> Reference {
    let mut rng = Rng::new(74);
    let points = uniform(75, coordinates * n, 0.0, 1.0);
    // Distances are a sixth of the coordinates in the mean.
    let (weights, costs) = (uniform(76, n, 0.5, 1.5), uniform(77, n, 0.0, coordinates as f64 / 3.0));
    let candidates: Vec<u32> = (0..CANDIDATES).map(|_| rng.below(n) as u32).collect();
    let saved = |candidate: usize, i: usize| {
        let apart = |d: usize| points[d * n + i] - points[d * n + candidate];
        let distance = dot((0..coordinates).map(|d| (apart(d), apart(d))));
        (costs[i] - distance * weights[i]).max(0.0)
    };
    let savings: Vec<f32> = (0..CANDIDATES * n).map(|k| saved(candidates[k / n] as usize, k % n)).collect();
    let mut reference =
        exact(&[("points", &points), ("weights", &weights), ("costs", &costs)], &[("savings", &savings)]);
    reference.inputs.push(("candidates", candidates));
    reference
}

fn candidates(n: u32, cfg: &CoreConfig, coordinates: usize) -> Vec<Launch> {
    let candidate =
        |number| Launch { arg: (CANDIDATES * coordinates + number) as u32, ..each("weigh", n, cfg) };
    (0..CANDIDATES).map(candidate).collect()
}

pub(in super::super) fn cluster(n: u32, _: &CoreConfig) -> Reference {
    clustered(n as usize, COORDINATES)
}

pub(in super::super) fn cluster_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    candidates(n, cfg, COORDINATES)
}

pub(in super::super) fn cluster_few(n: u32, _: &CoreConfig) -> Reference {
    clustered(n as usize, FEW_COORDINATES)
}

pub(in super::super) fn cluster_few_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    candidates(n, cfg, FEW_COORDINATES)
}

/// Direction numbers of some dimensions with `bits` bits, that number `k` has its lowest 1 in place `bits` - 1 - `k`: odd
/// numerators at random (Joe and Kuo choose better ones).
pub(super) fn directions(seed: u64, dimensions: usize, bits: u32) -> Vec<u32> {
    let mut rng = Rng::new(seed);
    let number = |k: u32| (rng.word() % (1 << k) * 2 + 1) << (bits - 1 - k);
    (0..dimensions as u32 * bits).map(|i| i % bits).map(number).collect()
}

/// The numbers of `directions` that `code` has ones for, without carries.
pub(super) fn combined(directions: &[u32], code: usize) -> u32 {
    (0..directions.len()).filter(|bit| code >> bit & 1 == 1).fold(0, |sum, bit| sum ^ directions[bit])
}

/// Dimensions of [`sobol`].
const DIMENSIONS: usize = 24;

pub(in super::super) fn sobol(n: u32, _: &CoreConfig) -> Reference {
    const BITS: usize = 32;
    let directions = directions(78, DIMENSIONS, BITS as u32);
    let point = |own: &[u32], i: usize| combined(own, i ^ i >> 1);
    let of = |own| (0..n as usize).map(move |i| point(own, i));
    let points = directions.chunks(BITS).flat_map(of).collect();
    Reference::of([("directions", directions.clone())], [("points", points)])
}

pub(in super::super) fn sobol_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let row = each("generate", n, cfg);
    vec![Launch { grid: [row.grid[0].min(4), DIMENSIONS as u32, 1], local_bytes: 4 * 32, ..row }]
}

pub(in super::super) fn montecarlo(n: u32, _: &CoreConfig) -> Reference {
    const PATHS: usize = 4096;
    let samples = uniform(79, PATHS, -2.0, 2.0);
    let limits = [(10.0, 50.0), (10.0, 50.0), (-0.1, 0.1), (0.1, 0.5)];
    let columns: Vec<Vec<f32>> =
        (80..).zip(limits).map(|(seed, (low, high))| uniform(seed, n as usize, low, high)).collect();
    let options: Vec<f32> = (0..4 * n as usize).map(|i| columns[i % 4][i / 4]).collect();
    let mean = |option: &[f32]| {
        let [price, strike, drift, volatility] = [0, 1, 2, 3].map(|k| f64::from(option[k]));
        let pays = |sample: &f32| (price * (volatility * f64::from(*sample) + drift).exp() - strike).max(0.0);
        samples.iter().map(pays).sum::<f64>() / PATHS as f64
    };
    let means = options.chunks(4).map(mean).collect();
    Reference {
        close: vec![("means", means, 1e-4)],
        ..exact(&[("options", &options), ("samples", &samples)], &[])
    }
}

pub(in super::super) fn montecarlo_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let room = (cfg.local_mem_bytes / 4) as u32;
    let block = quarter(cfg).min(room).min(512);
    vec![Launch { local_bytes: 4 * block, ..Launch::row("simulate", n, block) }]
}

/// Rows that a grid of [`pathfinder`] goes down, and all.
const STEPS: usize = 4;
const ROWS: usize = 16;

pub(in super::super) fn pathfinder(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let costs: Vec<u32> = words(84, (ROWS + 1) * n).iter().map(|word| word % 100).collect();
    let (mut row, mut ways) = (costs[..n].to_vec(), vec![]);
    for (number, own) in costs.chunks(n).enumerate().skip(1) {
        let best = |i: usize| row[i.saturating_sub(1)..(i + 2).min(n)].iter().min().copied().unwrap_or(0);
        row = (0..n).map(|i| best(i) + own[i]).collect();
        if number % STEPS == 0 {
            ways.extend(&row);
        }
    }
    Reference::of([("costs", costs)], [("ways", ways)])
}

pub(in super::super) fn pathfinder_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let beside = 2 * STEPS as u32;
    let room = ((cfg.local_mem_bytes / 8) as u32).saturating_sub(beside).max(1);
    let block = quarter(cfg).min(room).min(512);
    let grid = |arg| Launch {
        arg,
        local_bytes: 8 * (block + beside),
        ..Launch::row("descend", n.div_ceil(block), block)
    };
    (0..(ROWS / STEPS) as u32).map(grid).collect()
}

pub(in super::super) fn stencil_cached_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    vec![strips("relax", n, cfg)]
}

/// Planes of [`laplace3d`].
const PLANES: usize = 16;

pub(in super::super) fn laplace3d(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let cells = uniform(85, PLANES * n * n, -1.0, 1.0);
    let result = inner_step(&cells, [n, PLANES], |_, [down, up, north, south, west, east]| {
        (west + east + north + south + down + up) * (1.0f32 / 6.0)
    });
    exact(&[("cells", &cells)], &[("result", &result)])
}

pub(in super::super) fn laplace3d_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let strips = strips("relax", n, cfg);
    let [width, height, _] = strips.block;
    vec![Launch { local_bytes: 4 * ((width + 2) * (height + 2) - 1), ..strips }]
}

/// Nodes have 8 edges on average, to any nodes.
pub(in super::super) fn bfs(n: u32, _: &CoreConfig) -> Reference {
    reference::breadth_first(n, &mut Rng::new(86), |rng| 1 + rng.below(15))
}

pub(in super::super) fn bfs_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    // So many grids as there are levels: the host would ask after each whether it has reached another node.
    let levels = &bfs(n, cfg).outputs[0].1;
    let last = levels.iter().copied().filter(|&level| level != u32::MAX).max().unwrap_or(0);
    let expand = (0..=last).map(|arg| Launch { arg, ..each("expand", n, cfg) });
    [each("forget", n, cfg)].into_iter().chain(expand).collect()
}
