//! Kernels whose blocks meet at barriers again and again.

use super::super::float_reference::{exact, step, uniform};
use super::super::launch::{quarter, strips, tile, Launch};
use super::super::reference::{words, Reference};
use isa::random::Rng;
use spec::config::CoreConfig;

/// Words of a transform.
fn size(n: u32) -> u32 {
    n.next_power_of_two().max(2)
}

pub(in super::super) fn fwt(n: u32, _: &CoreConfig) -> Reference {
    let values = words(50, size(n) as usize);
    let signed = |i: usize, j: usize| match (i & j).count_ones() % 2 {
        0 => values[j],
        _ => values[j].wrapping_neg(),
    };
    let word = |i: usize| (0..values.len()).fold(0u32, |sum, j| sum.wrapping_add(signed(i, j)));
    let result = (0..values.len()).map(word).collect();
    Reference::of([("values", values)], [("result", result)])
}

pub(in super::super) fn fwt_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let room = (cfg.local_mem_bytes / 8) as u32;
    let most = quarter(cfg).min(room).min(512).min(size(n) / 2);
    // The largest power of two that is not more.
    let block = 1 << most.ilog2();
    let blocks = size(n) / 2 / block;
    let chunks = Launch { local_bytes: 8 * block, ..Launch::row("chunks", blocks, block) };
    let strides = std::iter::successors(Some(2 * block), |stride| Some(2 * stride));
    let pairs = strides.take_while(|&stride| stride < size(n));
    [chunks]
        .into_iter()
        .chain(pairs.map(|arg| Launch { arg, ..Launch::row("pairs", blocks, block) }))
        .collect()
}

/// Planes of [`stencil`] and of what is like it.
pub(super) const PLANES: usize = 18;

/// A step in `planes` planes of N x N cells whose border stays: an inner cell from itself and the six cells beside it, down,
/// up, north, south, west, east.
pub(super) fn inner_step(
    cells: &[f32],
    [n, planes]: [usize; 2],
    f: impl Fn(f32, [f32; 6]) -> f32,
) -> Vec<f32> {
    let cell = |i: usize| {
        let (place, plane) = ([i % n, i / n % n], i / n / n);
        let is_border = |at: usize, side: usize| at == 0 || at == side - 1;
        if place.iter().any(|&at| is_border(at, n)) || is_border(plane, planes) {
            return cells[i];
        }
        f(cells[i], [i - n * n, i + n * n, i - n, i + n, i - 1, i + 1].map(|beside| cells[beside]))
    };
    (0..cells.len()).map(cell).collect()
}

pub(in super::super) fn stencil(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (cells, weights) = (uniform(51, PLANES * n * n, -1.0, 1.0), [0.6f32, 0.1]);
    let result = inner_step(&cells, [n, PLANES], |own, [down, up, north, south, west, east]| {
        own.mul_add(weights[0], (down + up + north + south + west + east) * weights[1])
    });
    exact(&[("cells", &cells), ("weights", &weights)], &[("result", &result)])
}

pub(in super::super) fn stencil_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let strips = strips("relax", n, cfg);
    let [width, height, _] = strips.block;
    vec![Launch { local_bytes: 4 * width * height, ..strips }]
}

/// Elements of each of the vectors of [`dot`].
const LENGTH: u32 = 128;

pub(in super::super) fn dot(n: u32, _: &CoreConfig) -> Reference {
    let all = n.next_multiple_of(LENGTH) as usize;
    let (a, b) = (uniform(52, all, -1.0, 1.0), uniform(53, all, -1.0, 1.0));
    let product =
        |(a, b): (&[f32], &[f32])| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    let products = a.chunks(LENGTH as usize).zip(b.chunks(LENGTH as usize)).map(product).collect();
    Reference { close: vec![("products", products, 1e-4)], ..exact(&[("a", &a), ("b", &b)], &[]) }
}

pub(in super::super) fn dot_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let room = (cfg.local_mem_bytes / 4) as u32;
    let block = quarter(cfg).min(room).min(LENGTH);
    vec![Launch { local_bytes: 4 * block, ..Launch::row("multiply", n.div_ceil(LENGTH), block) }]
}

pub(in super::super) fn srad(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (image, constants) = (uniform(54, n * n, 0.5, 1.5), [0.05f32, 0.125]);
    let [noise, pace] = constants;
    let around = |own: f32, at: &dyn Fn(i64, i64, i64) -> f32| {
        [(0, -1), (0, 1), (-1, 0), (1, 0)].map(|(x, y)| at(x, y, 0) - own)
    };
    let coefficients = step(&image, [n, n, 1], |i, at| {
        let own = image[i];
        let [north, south, west, east] = around(own, at);
        let square = (north * north + south * south + west * west + east * east) / (own * own);
        let laplacian = (north + south + west + east) / own;
        let divisor = 1.0 + 0.25 * laplacian;
        let variation = (0.5 * square - 0.0625 * (laplacian * laplacian)) / (divisor * divisor);
        let excess = (variation - noise) / (noise * (1.0 + noise));
        (1.0 / (1.0 + excess)).clamp(0.0, 1.0)
    });
    let flows = step(&coefficients, [n, n, 1], |i, at| {
        let place = [i % n, i / n];
        let cell = |x: i64, y: i64| {
            let [x, y] =
                [(0, x), (1, y)].map(|(k, by)| (place[k] as i64 + by).clamp(0, n as i64 - 1) as usize);
            image[y * n + x]
        };
        let [north, south, west, east] = around(image[i], &|x, y, _| cell(x, y));
        at(0, 0, 0) * north + at(0, 1, 0) * south + at(0, 0, 0) * west + at(1, 0, 0) * east
    });
    let result: Vec<f32> = image.iter().zip(&flows).map(|(own, flow)| own + pace * flow).collect();
    exact(
        &[("image", &image), ("constants", &constants)],
        &[("coefficients", &coefficients), ("result", &result)],
    )
}

/// Bytes of a tile with its halo, but for the last corner, which nobody reads.
pub(super) fn halo_bytes(side: u32) -> u32 {
    4 * ((side + 2) * (side + 2) - 1)
}

pub(in super::super) fn srad_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let side = tile(cfg);
    ["weigh", "diffuse"]
        .map(|entry| Launch { local_bytes: halo_bytes(side), ..Launch::tiles(entry, n, side) })
        .into()
}

/// Keys of each of the tiles of [`merge`].
const TILE: u32 = 128;

pub(in super::super) fn merge(n: u32, _: &CoreConfig) -> Reference {
    // Many keys are equal.
    let keys: Vec<u32> = words(55, n.next_multiple_of(TILE) as usize)
        .iter()
        .map(|w| if w % 2 == 0 { w % 64 } else { *w })
        .collect();
    let mut sorted = keys.clone();
    sorted.chunks_mut(TILE as usize).for_each(<[u32]>::sort_unstable);
    Reference::of([("keys", keys)], [("sorted", sorted)])
}

pub(in super::super) fn merge_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let block = quarter(cfg).min(TILE);
    vec![Launch { local_bytes: 8 * TILE, ..Launch::row("sort_tiles", n.div_ceil(TILE), block) }]
}

/// Children of a node of [`btree`].
const ORDER: usize = 32;

pub(in super::super) fn btree(n: u32, _: &CoreConfig) -> Reference {
    let mut rng = Rng::new(56);
    let mut keys = vec![0u32];
    while keys.len() < n as usize {
        keys.push(keys[keys.len() - 1] + 1 + rng.below(1000) as u32);
    }
    // From the leaves up: the smallest key of each node is a key of the level above.
    let (mut level, mut tree) = (keys.clone(), vec![]);
    loop {
        level.resize(level.len().next_multiple_of(ORDER), u32::MAX);
        tree.insert(0, level.clone());
        if level.len() == ORDER {
            break;
        }
        level = level.chunks(ORDER).map(|node| node[0]).collect();
    }
    let mut levels = vec![tree.len() as u32];
    tree.iter().fold(0, |start, level| {
        levels.push(start);
        start + level.len() as u32
    });
    let last = keys[keys.len() - 1] as usize;
    let queries: Vec<u32> = (0..n.div_ceil(4)).map(|_| rng.below(last + 1000) as u32).collect();
    let places = queries.iter().map(|query| keys.partition_point(|key| key <= query) as u32 - 1).collect();
    Reference::of([("levels", levels), ("nodes", tree.concat()), ("queries", queries)], [("places", places)])
}

pub(in super::super) fn btree_launches(n: u32, cfg: &CoreConfig) -> Vec<Launch> {
    let block = quarter(cfg).min(ORDER as u32);
    vec![Launch { local_bytes: 4, ..Launch::row("search", n.div_ceil(4), block) }]
}
