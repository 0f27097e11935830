//! Inputs of the kernels and their results, computed on the host.
//!
//! Written from what each kernel is for, in the plainest way that computes it, and not from its C source.

use isa::random::Rng;
use spec::config::CoreConfig;

/// A named array of words.
pub(super) type Array = (&'static str, Vec<u32>);

/// What goes into a kernel and what must come out.
#[derive(Default)]
pub(super) struct Reference {
    pub inputs: Vec<Array>,
    pub outputs: Vec<Array>,
    /// Floats that must come out nearly: what the host computes, and how far from it is too far, in units of
    /// the value or of 1, whichever is larger.
    pub close: Vec<(&'static str, Vec<f64>, f64)>,
    /// Texts that must appear on the console.
    pub console: Vec<String>,
}

impl Reference {
    /// One whose outputs must be these words.
    pub fn of(inputs: impl Into<Vec<Array>>, outputs: impl Into<Vec<Array>>) -> Self {
        Self { inputs: inputs.into(), outputs: outputs.into(), ..Self::default() }
    }
}

/// Words that look random and are the same on every machine.
pub(super) fn words(seed: u64, n: usize) -> Vec<u32> {
    let mut rng = Rng::new(seed);
    (0..n).map(|_| rng.word()).collect()
}

fn sum(values: impl Iterator<Item = u32>) -> u32 {
    values.fold(0, u32::wrapping_add)
}

pub(super) fn hello(_: u32, config: &CoreConfig) -> Reference {
    let threads = (config.warps * config.threads) as u32;
    Reference {
        outputs: vec![("marks", (0..threads).map(|thread| u32::from_be_bytes(*b"HELO") ^ thread).collect())],
        console: vec![format!("hello from {} warps of {} lanes", config.warps, config.threads)],
        ..Reference::default()
    }
}

pub(super) fn empty(_: u32, _: &CoreConfig) -> Reference {
    Reference::default()
}

pub(super) fn vecadd(n: u32, _: &CoreConfig) -> Reference {
    let (a, b) = (words(1, n as usize), words(2, n as usize));
    let c = a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b)).collect();
    Reference::of([("a", a), ("b", b)], [("c", c)])
}

pub(super) fn isgemm(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (a, b) = (words(3, n * n), words(4, n * n));
    let dot = |i: usize, j: usize| sum((0..n).map(|k| a[i * n + k].wrapping_mul(b[k * n + j])));
    let c = (0..n * n).map(|e| dot(e / n, e % n)).collect();
    Reference::of([("a", a), ("b", b)], [("c", c)])
}

pub(super) fn iconv3(n: u32, _: &CoreConfig) -> Reference {
    let n = n as usize;
    let (pixels, weights) = (words(5, n * n), words(6, 9));
    let at = |x: usize, y: usize| match (x.checked_sub(1), y.checked_sub(1)) {
        (Some(x), Some(y)) if x < n && y < n => pixels[y * n + x],
        _ => 0,
    };
    let side = n + 2;
    let image = (0..side * side).map(|i| at(i % side, i / side)).collect();
    let pixel = |x: usize, y: usize| sum((0..9).map(|k| at(x + k % 3, y + k / 3).wrapping_mul(weights[k])));
    let result = (0..n * n).map(|i| pixel(i % n, i / n)).collect();
    Reference::of([("image", image), ("weights", weights)], [("result", result)])
}

pub(super) fn sort(n: u32, _: &CoreConfig) -> Reference {
    // A quarter of the values repeat, so that the order of equal keys is decided too; none is the largest number.
    let key = |w: &u32| if w.is_multiple_of(4) { w % 16 } else { w >> 1 };
    let keys: Vec<u32> = words(7, n as usize).iter().map(key).collect();
    let mut sorted = keys.clone();
    sorted.sort_unstable();
    Reference::of([("keys", keys)], [("sorted", sorted)])
}

/// Steps from `value` down to 1 by halving the even and tripling the odd plus one.
fn collatz(value: u32) -> u32 {
    let next = |&v: &u32| (v != 1).then(|| if v % 2 == 0 { v / 2 } else { 3 * v + 1 });
    std::iter::successors(Some(value), next).count() as u32 - 1
}

fn class(value: u32) -> u32 {
    match value % 8 {
        1 => (value + 100) * 5,
        5 => (value + 100) * 5 + 11,
        3 => ((value + 100) ^ 0x1000) - 7,
        7 => ((value + 100) ^ 0x1000) * 3,
        0 | 4 => u32::MAX - value,
        2 => ((u32::MAX - value) ^ 0x55).wrapping_add(1),
        _ => ((u32::MAX - value) << 2).wrapping_add(1),
    }
}

fn mixture(value: u32) -> u32 {
    if value.is_multiple_of(3) {
        return value / 3;
    }
    (1..=value % 16).rev().fold(0, |mixed, trip| match trip & value {
        0 => mixed ^ trip << 4,
        _ => mixed + collatz(trip),
    })
}

pub(super) fn diverge(n: u32, _: &CoreConfig) -> Reference {
    let values: Vec<u32> = words(8, n as usize).iter().map(|w| w % 200 + 1).collect();
    let each = |f: fn(u32) -> u32| values.iter().map(|&v| f(v)).collect();
    let outputs = vec![("classes", each(class)), ("lengths", each(collatz)), ("mixed", each(mixture))];
    Reference { inputs: vec![("values", values)], outputs, ..Reference::default() }
}

pub(super) fn reduce(n: u32, _: &CoreConfig) -> Reference {
    let values = words(9, n as usize);
    let total = sum(values.iter().copied());
    let maximum = values.iter().copied().max().unwrap_or(0);
    Reference::of([("values", values)], [("sum", vec![total]), ("maximum", vec![maximum])])
}

pub(super) fn histogram(n: u32, _: &CoreConfig) -> Reference {
    let values = words(12, n as usize);
    let mut counts = vec![0; 16];
    values.iter().for_each(|value| counts[*value as usize % 16] += 1);
    Reference::of([("values", values)], [("counts", counts)])
}

pub(super) fn scan(n: u32, _: &CoreConfig) -> Reference {
    let values = words(10, n as usize);
    let mut total = 0u32;
    let running = |v: &u32| {
        total = total.wrapping_add(*v);
        total
    };
    let sums = values.iter().map(running).collect();
    Reference::of([("values", values)], [("sums", sums)])
}

/// Four sums a task, each of eight values at places that neighbouring tasks share.
pub(super) fn gather(n: u32, _: &CoreConfig) -> Reference {
    let (values, tasks) = (words(13, n as usize), n as usize);
    let mut rng = Rng::new(14);
    let places: Vec<u32> = (0..tasks + 32).map(|_| rng.below(tasks) as u32).collect();
    let value = |place: &u32| values[*place as usize];
    let sums = (0..4 * tasks).map(|i| sum(places[i / 4 + i % 4 * 8..][..8].iter().map(value))).collect();
    Reference::of([("places", places), ("values", values)], [("sums", sums)])
}

pub(super) fn bfs(n: u32, _: &CoreConfig) -> Reference {
    breadth_first(n, &mut Rng::new(11), |rng| {
        // A few hubs, and nodes that lead nowhere.
        let most = if rng.one_in(8) { 12 } else { 3 };
        rng.below(most)
    })
}

/// A search from node 0 in a graph whose nodes have so many edges as `degree` says, to any nodes.
pub(super) fn breadth_first(n: u32, rng: &mut Rng, degree: impl Fn(&mut Rng) -> usize) -> Reference {
    let n = n as usize;
    let (mut edge_start, mut edges) = (vec![0u32], Vec::new());
    for _ in 0..n {
        let degree = degree(rng);
        edges.extend((0..degree).map(|_| rng.below(n) as u32));
        edge_start.push(edges.len() as u32);
    }
    let mut levels = vec![u32::MAX; n];
    levels[0] = 0;
    let mut queue = std::collections::VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for &next in &edges[edge_start[node] as usize..edge_start[node + 1] as usize] {
            if levels[next as usize] == u32::MAX {
                levels[next as usize] = levels[node] + 1;
                queue.push_back(next as usize);
            }
        }
    }
    Reference::of([("edge_start", edge_start), ("edges", edges)], [("levels", levels)])
}

pub(super) fn printed(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("{name}=")).collect()
}

pub(super) fn alu_independent(_: u32, _: &CoreConfig) -> Reference {
    let (a, b) = (0x8000_0123u32, 7u32);
    let arithmetic_shift = (a as i32 >> b) as u32;
    let result = vec![a + b, a - b, a ^ b, a & b, a | b, a << b, arithmetic_shift, u32::from(a < b)];
    Reference {
        outputs: vec![("result", result)],
        console: printed(&["instructions", "cycles", "cycles_per_instruction"]),
        ..Reference::default()
    }
}

pub(super) fn alu_dependent(_: u32, _: &CoreConfig) -> Reference {
    let (a, b) = (0x123_4567u32, 0x89abu32);
    let step = |x: u32| {
        let x = (x.wrapping_add(a) ^ b).wrapping_add(a).wrapping_sub(b);
        (x.wrapping_add(b) ^ a).wrapping_mul(2).wrapping_add(b)
    };
    let result = (0..2 * 64).fold(1, |x, _| step(x));
    Reference {
        outputs: vec![("result", vec![result])],
        console: printed(&["instructions", "cycles", "cycles_per_instruction"]),
        ..Reference::default()
    }
}

pub(super) fn all_warps(_: u32, _: &CoreConfig) -> Reference {
    Reference {
        console: printed(&["instructions", "cycles", "instructions_per_cycle"]),
        ..Reference::default()
    }
}

pub(super) fn latency(_: u32, _: &CoreConfig) -> Reference {
    let names =
        ["alu", "mul", "div", "div_12_bits", "load", "load_local", "jump", "split_join", "barrier_of_one"];
    Reference { console: printed(&names), ..Reference::default() }
}
