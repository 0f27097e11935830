//! The memory order that the core promises between warps (ARCHITECTURE.md, "Memory order"), by litmus tests: small programs
//! of two to four warps, run at many distances from one another, with lines that are cached and lines that are not.
//! What an interleaving of the warps' accesses, each in program order, may leave is allowed, and nothing else.
//!
//! Source of the shapes: Alglave, Maranget, Tautschnig: "Herding Cats", TOPLAS 2014.

use std::collections::BTreeSet;
use std::fmt::Write;

use cosim::memory::{Disturbance, MemoryKind};
use cosim::{Rng, RunOptions, Simulation};
use isa::asm::assemble;
use loader::Program;
use model::memory::UNWRITTEN;

use crate::sample::{self, seeds};
use crate::simulators;
use Access::{Add, Barrier, Fence, Load, Store, Swap};

/// One, two and four slices; write-through, write-back and no data cache; the line bus and AXI4.
const CORES: [&str; 9] = [
    "small",
    "odd",
    "counted write-back",
    "axi 512",
    "slices",
    "four slices",
    "slices write-back axi",
    "slices uncached",
    "banked",
];
/// How often a run repeats its test, each time on variables of its own.
const ROUNDS: u32 = 24;
const CODE: u32 = 0x8000_0000;
const VARIABLES: u32 = 0x2_0000;
const RESULTS: u32 = 0x4_0000;
/// Lines that nobody else touches: loading them keeps a slice's queue full.
const ELSEWHERE: u32 = 0x10_0000;
/// The most loads of a warp.
const LOADS: u32 = 4;

#[derive(Clone, Copy, Debug)]
enum Access {
    /// Of a variable, with this value.
    Store(usize, u32),
    Load(usize),
    /// Loads a variable and stores this value, and nothing comes between.
    Swap(usize, u32),
    /// Loads a variable and stores what is by this value more.
    Add(usize, u32),
    Fence,
    /// Of all warps of the test.
    Barrier,
}

impl Access {
    fn loads(self) -> bool {
        matches!(self, Load(_) | Swap(..) | Add(..))
    }
}

/// What each warp does.
type Shape = &'static [&'static [Access]];

const X: usize = 0;
const Y: usize = 1;

const SHAPES: [(&str, Shape); 9] = [
    ("message passing", &[&[Store(X, 1), Store(Y, 1)], &[Load(Y), Load(X)]]),
    ("message passing, fences", &[&[Store(X, 1), Fence, Store(Y, 1)], &[Load(Y), Fence, Load(X)]]),
    ("store buffering", &[&[Store(X, 1), Load(Y)], &[Store(Y, 1), Load(X)]]),
    ("store buffering, fences", &[&[Store(X, 1), Fence, Load(Y)], &[Store(Y, 1), Fence, Load(X)]]),
    ("load buffering", &[&[Load(X), Store(Y, 1)], &[Load(Y), Store(X, 1)]]),
    ("coherence", &[&[Store(X, 1)], &[Store(X, 2)], &[Load(X), Load(X)], &[Load(X), Load(X)]]),
    ("reads of one word", &[&[Store(X, 1), Store(X, 2)], &[Load(X), Load(X), Load(X)]]),
    (
        "independent reads of independent writes",
        &[&[Store(X, 1)], &[Load(X), Load(Y)], &[Store(Y, 1)], &[Load(Y), Load(X)]],
    ),
    ("barrier", &[&[Store(X, 1), Barrier, Load(Y)], &[Store(Y, 1), Barrier, Load(X)]]),
];

/// Those of cores with atomic instructions.
const ATOMIC_SHAPES: [(&str, Shape); 4] = [
    ("increments", &[&[Add(X, 1), Add(X, 1)], &[Add(X, 1), Add(X, 1)], &[Load(X), Load(X)]]),
    ("a lock", &[&[Swap(X, 1), Store(Y, 1)], &[Swap(X, 2), Load(Y)]]),
    ("message passing by a swap", &[&[Store(X, 1), Swap(Y, 1)], &[Add(Y, 1), Load(X)]]),
    ("store buffering by swaps", &[&[Swap(X, 1), Load(Y)], &[Swap(Y, 1), Load(X)]]),
];

/// What the loads give, warp after warp.
type Outcome = Vec<u32>;

/// The outcomes of all interleavings.
fn allowed(shape: Shape) -> BTreeSet<Outcome> {
    fn go(
        shape: Shape,
        at: &mut Vec<usize>,
        memory: [u32; 2],
        loaded: &mut [Vec<u32>],
        all: &mut BTreeSet<Outcome>,
    ) {
        let waits = |w: usize, at: &[usize]| matches!(shape[w].get(at[w]), Some(Barrier));
        if (0..shape.len()).all(|w| waits(w, at)) {
            at.iter_mut().for_each(|pc| *pc += 1);
            go(shape, at, memory, loaded, all);
            at.iter_mut().for_each(|pc| *pc -= 1);
            return;
        }
        let mut ended = true;
        for w in 0..shape.len() {
            let Some(&access) = shape[w].get(at[w]) else { continue };
            ended = false;
            let mut after = memory;
            match access {
                Barrier => continue,
                Fence => {}
                Store(variable, value) => after[variable] = value,
                Load(variable) => loaded[w].push(memory[variable]),
                Swap(variable, value) => {
                    loaded[w].push(memory[variable]);
                    after[variable] = value;
                }
                Add(variable, value) => {
                    loaded[w].push(memory[variable]);
                    after[variable] += value;
                }
            }
            at[w] += 1;
            go(shape, at, after, loaded, all);
            at[w] -= 1;
            if access.loads() {
                loaded[w].pop();
            }
        }
        if ended {
            all.insert(loaded.concat());
        }
    }
    let mut all = BTreeSet::new();
    go(shape, &mut vec![0; shape.len()], [0; 2], &mut vec![Vec::new(); shape.len()], &mut all);
    all
}

fn instructions(text: &mut String, count: u32) {
    (0..count).for_each(|_| text.push_str("nop\n"));
}

/// Loads that miss, one a line, for which nobody waits.
fn keep_busy(text: &mut String, elsewhere: &mut u32, count: u32) {
    for register in 24..24 + count {
        let _ = writeln!(text, "li x14, {elsewhere}\nlw x{register}, 0(x14)");
        *elsewhere += 64;
    }
}

/// Every warp's part of every round, at random distances.
fn source(shape: Shape, rng: &mut Rng) -> String {
    let warps = shape.len();
    let mut text = format!("li x5, {warps}\nla x6, begin\nvx_wspawn x5, x6\nbegin: li x17, {warps}\n");
    text.push_str("li x18, 1\nli x21, 2\ncsrr x5, 0xcc1\n");
    for w in 1..warps {
        let _ = writeln!(text, "li x6, {w}\nbne x5, x6, not_{w}\nj warp_{w}\nnot_{w}:");
    }
    // Two variables share a line in some rounds.
    let gaps: Vec<u32> = (0..ROUNDS).map(|_| if rng.percent(30) { 4 } else { 64 }).collect();
    let mut elsewhere = ELSEWHERE;
    for (w, accesses) in shape.iter().enumerate() {
        let _ = writeln!(text, "warp_{w}:");
        for (round, gap) in (0..ROUNDS).zip(&gaps) {
            let variables = VARIABLES + 256 * round;
            let results = RESULTS + 4 * LOADS * (round * warps as u32 + w as u32);
            let _ = writeln!(text, "li x10, {variables}\nli x11, {}\nli x12, {results}", variables + gap);
            for variable in [10, 11] {
                if rng.percent(40) {
                    let _ = writeln!(text, "lw x14, 0(x{variable})\nadd x14, x14, x14");
                }
            }
            text.push_str("vx_bar x0, x17\n");
            instructions(&mut text, rng.below(12));
            if rng.percent(30) {
                let count = 1 + rng.below(4);
                keep_busy(&mut text, &mut elsewhere, count);
            }
            let mut loads = 0;
            for access in *accesses {
                loads += usize::from(access.loads());
                let to = loads.checked_sub(1).map_or(0, |load| [7, 8, 9, 13][load]);
                let by = |value: u32| if value == 1 { "x18" } else { "x21" };
                let _ = match *access {
                    Swap(variable, value) => {
                        writeln!(text, "amoswap.w x{to}, {}, (x{})", by(value), 10 + variable)
                    }
                    Add(variable, value) => {
                        writeln!(text, "amoadd.w x{to}, {}, (x{})", by(value), 10 + variable)
                    }
                    Store(variable, 1) => writeln!(text, "sw x18, 0(x{})", 10 + variable),
                    Store(variable, _) => writeln!(text, "sw x21, 0(x{})", 10 + variable),
                    Load(variable) => writeln!(text, "lw x{to}, 0(x{})", 10 + variable),
                    Fence => writeln!(text, "fence"),
                    Barrier => writeln!(text, "vx_bar x18, x17"),
                };
                if rng.percent(30) {
                    instructions(&mut text, rng.below(4));
                }
            }
            for load in 0..loads {
                let _ = writeln!(text, "sw x{}, {}(x12)", [7, 8, 9, 13][load], 4 * load);
            }
        }
        text.push_str("vx_tmc x0\n");
    }
    text
}

fn run(core: &Simulation, name: &str, source: &str, seed: u64) -> cosim::Report {
    let program = Program::from_image(name, &assemble(CODE, source).unwrap()).unwrap();
    let disturbed = Disturbance { backpressure_percent: 40, jitter: 30 };
    let (memory, disturbance) = [
        (MemoryKind::Ideal, Disturbance::default()),
        (MemoryKind::Fixed(20), Disturbance::default()),
        (MemoryKind::Fixed(3), disturbed),
    ][seed as usize % 3];
    let report =
        core.run(&program, &RunOptions { memory, disturbance, seed, ..RunOptions::default() }).unwrap();
    if let Some(failure) = &report.failure {
        panic!("{name}, {:?}: {failure}", core.config());
    }
    report
}

/// The outcomes that a core shows in some runs of a shape.
fn seen(core: &Simulation, name: &str, shape: Shape, first_seed: u64) -> BTreeSet<Outcome> {
    let mut seen = BTreeSet::new();
    for seed in seeds(first_seed, 6) {
        let report = run(core, name, &source(shape, &mut Rng::new(seed)), seed);
        for round in 0..ROUNDS {
            let loads = |accesses: &[Access]| accesses.iter().filter(|a| a.loads()).count() as u32;
            let warps = shape.iter().enumerate();
            let addresses = warps.flat_map(|(w, accesses)| {
                let results = RESULTS + 4 * LOADS * (round * shape.len() as u32 + w as u32);
                (0..loads(accesses)).map(move |load| results + 4 * load)
            });
            let words = addresses.map(|address| report.memory.read(address, 4).unwrap());
            // A variable begins with what unwritten memory holds, which counts as 0.
            let from_0 =
                |word: u32| Some(word.wrapping_sub(UNWRITTEN)).filter(|&sum| sum < 16).unwrap_or(word);
            seen.insert(words.map(from_0).collect());
        }
    }
    seen
}

fn check(core: &str) {
    let sim = simulators::one(core);
    let mut varied = 0;
    let atomic = if sim.config().atomics { &ATOMIC_SHAPES[..] } else { &[] };
    for (number, (name, shape)) in SHAPES.iter().chain(atomic).copied().enumerate() {
        if shape.len() > sim.config().warps {
            continue;
        }
        let (allowed, seen) = (allowed(shape), seen(sim, name, shape, 100 * number as u64));
        println!("{core}: {name}: {} of {} allowed outcomes: {seen:?}", seen.len(), allowed.len());
        let forbidden: Vec<_> = seen.difference(&allowed).collect();
        assert!(forbidden.is_empty(), "{core}, {name}: {forbidden:?} is no interleaving");
        assert!(!seen.is_empty());
        assert!(
            seen.len() > 1 || allowed.len() == 1,
            "{core}, {name}: always {seen:?}, so nothing is tested"
        );
        varied += seen.len();
    }
    assert!(varied > 15, "{core}: {varied} outcomes");
}

#[test]
fn warps_interleave_on_one_slice() {
    sample::some(CORES[..4].to_vec(), 1, 0).into_iter().for_each(check);
}

#[test]
fn warps_interleave_on_several_slices() {
    sample::some(CORES[4..].to_vec(), 1, 0).into_iter().for_each(check);
}

#[test]
fn the_interleavings_of_known_shapes_are_known() {
    let all = || SHAPES.iter().chain(&ATOMIC_SHAPES);
    let outcomes = |name: &str| allowed(all().find(|(n, _)| *n == name).unwrap().1);
    assert_eq!(outcomes("message passing"), [vec![0, 0], vec![0, 1], vec![1, 1]].into());
    assert_eq!(outcomes("store buffering"), [vec![0, 1], vec![1, 0], vec![1, 1]].into());
    assert_eq!(outcomes("load buffering"), [vec![0, 0], vec![0, 1], vec![1, 0]].into());
    assert_eq!(outcomes("barrier"), [vec![1, 1]].into());
    assert_eq!(outcomes("message passing"), outcomes("message passing, fences"));
    let coherence = outcomes("coherence");
    assert!(coherence.contains(&vec![0, 1, 1, 2]) && !coherence.contains(&vec![1, 2, 2, 1]));
    assert!(!outcomes("independent reads of independent writes").contains(&vec![1, 0, 1, 0]));
    for outcome in outcomes("increments") {
        assert_eq!(BTreeSet::from_iter(&outcome[..4]).len(), 4, "{outcome:?}: each finds another value");
    }
    assert_eq!(outcomes("message passing by a swap"), [vec![0, 1, 1], vec![1, 0, 0], vec![1, 0, 1]].into());
}

/// A warp that waits for a flag and then loads what was stored before it, both ways round: nothing but memory tells it.
#[test]
fn a_flag_passes_a_message_without_a_barrier() {
    for core in CORES.map(simulators::one) {
        let warps = core.config().warps as u32;
        for delay in 0..12 {
            let mut text = format!("li x5, {warps}\nla x6, begin\nvx_wspawn x5, x6\nbegin: csrr x5, 0xcc1\n");
            let _ = writeln!(text, "li x10, {VARIABLES}\nli x17, 1\nli x18, {}\nli x19, 20", warps - 1);
            text.push_str("beq x5, x0, writer\nbeq x5, x18, reader\nvx_tmc x0\n");
            text.push_str(
                "writer: sw x0, 128(x10)\nsw x0, 0(x10)\nagain: addi x17, x17, 1\nsw x17, 128(x10)\n",
            );
            instructions(&mut text, delay);
            text.push_str("sw x17, 0(x10)\naddi x19, x19, -1\nbnez x19, again\nvx_tmc x0\n");
            text.push_str("reader: li x7, 21\nli x12, 0\nnext: lw x28, 0(x10)\nlw x29, 128(x10)\n");
            text.push_str("blt x29, x28, wrong\nbne x28, x7, next\nsw x12, 0x88(x0)\nvx_tmc x0\n");
            text.push_str("wrong: li x12, 1\nsw x12, 0x88(x0)\nvx_tmc x0\n");
            // Whatever the first word is before the writer has come, it is negative, and so below the flag.
            let report = run(core, "flag", &text, u64::from(delay));
            assert_eq!(report.exit_code(), Some(0), "delay {delay}");
        }
    }
}

/// What a warp has stored is there for the warps that it starts, and for the one that waits for its end, even if its
/// slice's queue was full of loads that miss.
#[test]
fn stores_are_there_when_warps_start_and_when_they_have_ended() {
    for core in CORES[4..].iter().map(|name| simulators::one(name)) {
        let warps = core.config().warps as u32;
        for seed in 0..9 {
            let mut elsewhere = ELSEWHERE + 4096;
            let mut text = format!("li x10, {VARIABLES}\nli x11, {RESULTS}\nli x5, {warps}\nla x6, begin\nli x7, 77\nli x31, 0\n");
            keep_busy(&mut text, &mut elsewhere, 4);
            text.push_str("sw x7, 0(x10)\nvx_wspawn x5, x6\nli x5, 1\nvx_wspawn x5, x6\n");
            // All others have ended.
            for w in 1..warps {
                let _ =
                    writeln!(text, "lw x16, {}(x11)\naddi x16, x16, -{}\nor x31, x31, x16", 4 * w, 77 + w);
            }
            text.push_str("sw x31, 0x88(x0)\nvx_tmc x0\n");
            text.push_str("begin: li x10, 0x20000\nlw x7, 0(x10)\n");
            let _ = writeln!(text, "li x11, {RESULTS}\ncsrr x8, 0xcc1\nslli x9, x8, 2\nadd x11, x11, x9");
            let _ = writeln!(text, "li x14, {elsewhere}\nslli x9, x8, 9\nadd x14, x14, x9\nadd x8, x8, x7");
            for register in 24..28 {
                let _ = writeln!(text, "lw x{register}, {}(x14)", 64 * (register - 24));
            }
            instructions(&mut text, seed as u32 / 3);
            text.push_str("sw x8, 0(x11)\nvx_tmc x0\n");
            let report = run(core, "start and end", &text, seed);
            assert_eq!(report.exit_code(), Some(0), "seed {seed}");
        }
    }
}
