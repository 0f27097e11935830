//! Ordinary C on the core: each lane's results beside those of the same functions on the host, and at every branch that is
//! executed all active lanes agree.

mod csmith;
mod generate;
mod run;

use cosim::RunOptions;
use kernels::{Compiler, Target};
use loader::Program;
use model::{Machine, Memory};
use spec::config::CoreConfig;

use crate::kernels_functional::run_to_end;
use crate::runs::assert_passed;
use crate::{sample, simulators};
use run::Prepared;

const CONSTRUCTS: &str = include_str!("constructs.c");
const LEVELS: &[&[&str]] = &[&["-O0"], &["-O1"], &["-O2"], &["-O3"], &["-Os"], &["-O2", "-funroll-loops"]];
/// Warps and lanes.
const SHAPES: &[(usize, usize)] = &[(2, 8), (4, 2), (1, 32), (4, 4), (3, 16)];

/// The names of the functions that a text has for [`Prepared`].
fn names(text: &str) -> Vec<String> {
    let defined = text.lines().filter_map(|line| line.strip_prefix("u k_")?.split_once("(u t)"));
    defined.map(|(name, _)| format!("k_{name}")).collect()
}

/// Runs a program on the functional model, on every core of these shapes.
fn check_on_model(prepared: &Prepared, at: &str, shapes: &[(usize, usize)]) {
    for &(warps, threads) in shapes {
        let cfg = CoreConfig { warps, threads, fpu: true, ..CoreConfig::default() };
        let at = format!("{at}, {warps} x {threads}");
        let mut memory = Memory::for_core(&cfg);
        prepared.program.load(&mut memory);
        let mut machine = Machine::new(&cfg, memory, prepared.program.entry, 0);
        run_to_end(&mut machine, &at).unwrap_or_else(|fault| panic!("{at}: {fault}"));
        assert_eq!(machine.memory.exit_code(), Some(0), "{at}");
        prepared.check(&at, &|address| machine.memory.read(address, 4).unwrap());
    }
}

/// The same in lock step on a core.
fn check_on_core(prepared: &Prepared, at: &str) {
    let core = simulators::core("small");
    let program: &Program = &prepared.program;
    let report = core.run(program, &RunOptions { max_cycles: 50_000_000, ..RunOptions::default() }).unwrap();
    assert_passed(&report);
    prepared.check(at, &|address| report.memory.read(address, 4).unwrap());
}

#[test]
fn every_construct_computes_what_the_host_does() {
    for (number, options) in sample::some(LEVELS.to_vec(), 2, 0).into_iter().enumerate() {
        check_constructs(Target::Heddle, options, number);
    }
}

/// Where `tp` is that of thread-local variables, with start-up code and launcher in the manner of Vortex.
#[test]
fn every_construct_does_so_in_a_program_for_vortex() {
    for (number, options) in sample::some(LEVELS.to_vec(), 1, 1).into_iter().enumerate() {
        check_constructs(Target::Vortex, options, number);
    }
}

/// The constructs on the model, and the first of several also on a core.
fn check_constructs(target: Target, options: &[&str], number: usize) {
    let prepared = Prepared::new(CONSTRUCTS, &names(CONSTRUCTS), Compiler::Gcc, target, options);
    let at = format!("{target:?}, {options:?}");
    check_on_model(&prepared, &at, &sample::some(SHAPES.to_vec(), 2, number));
    if number == 0 {
        check_on_core(&prepared, &at);
    }
}

/// Programs in a file.
const PROGRAMS: usize = 12;

/// How the programs of a file are compiled.
#[derive(Clone, Copy, Debug)]
struct How {
    compiler: Compiler,
    target: Target,
}

/// One file of random programs, on the model and perhaps on a core.
fn check_random(seed: u64, how: How, on_core: bool) {
    let text = generate::file(seed, PROGRAMS);
    let options = LEVELS[seed as usize % LEVELS.len()];
    let at = format!("seed {seed}, {how:?}, {options:?}");
    let prepared = Prepared::new(&text, &names(&text), how.compiler, how.target, options);
    let shape = seed as usize / LEVELS.len() % SHAPES.len();
    check_on_model(&prepared, &at, &SHAPES[shape..shape + 1]);
    if on_core {
        check_on_core(&prepared, &at);
    }
}

/// With `$HEDDLE_PROGRAMS` set so many, as CONTRIBUTING.md, "Trying the divergence tool", says.
#[test]
fn random_programs_compute_what_the_host_does() {
    if let Ok(many) = std::env::var("HEDDLE_PROGRAMS") {
        check_many(many.parse().expect("HEDDLE_PROGRAMS is a number of programs"));
        return;
    }
    for (number, seed) in sample::few(1, sample::seeds(0, 3)).enumerate() {
        check_random(seed, How { compiler: Compiler::Gcc, target: Target::Heddle }, number == 0);
    }
    for seed in sample::seeds(3, 1) {
        check_random(seed, How { compiler: Compiler::Gcc, target: Target::Vortex }, false);
    }
}

/// Random programs on the model and in lock step on a core, from the file of `$HEDDLE_TEST_SEED` on: every second lot by clang, every fifth for Vortex.
fn check_many(programs: u64) {
    let files = programs.div_ceil(PROGRAMS as u64);
    let (first, mut failed) = (sample::seed(), vec![]);
    for seed in first..first + files {
        // Levels and shapes go by the same number: every combination comes.
        let lot = seed / (LEVELS.len() * SHAPES.len()) as u64;
        let compiler = if lot % 2 == 1 { Compiler::Clang } else { Compiler::Gcc };
        let target = if lot % 5 == 4 { Target::Vortex } else { Target::Heddle };
        if std::panic::catch_unwind(|| check_random(seed, How { compiler, target }, true)).is_err() {
            failed.push(seed);
        }
        let done = seed + 1 - first;
        if done % 10 == 0 {
            println!(
                "{} programs, the next seed is {}, failed: {failed:?}",
                done * PROGRAMS as u64,
                seed + 1
            );
        }
    }
    assert!(failed.is_empty(), "seeds that failed: {failed:?}");
}

/// Programs of csmith, `$HEDDLE_CSMITH` from the seed `$HEDDLE_TEST_SEED` on, as CONTRIBUTING.md, "Trying the divergence tool", says; without it
/// one in their manner, for which csmith is not needed.
#[test]
fn programs_of_csmith_compute_what_the_host_does() {
    let Ok(many) = std::env::var("HEDDLE_CSMITH") else {
        let text = csmith::per_lane(csmith::SAMPLE);
        for target in [Target::Heddle, Target::Vortex] {
            let prepared = Prepared::new(&text, &names(&text), Compiler::Gcc, target, &["-O1"]);
            check_on_model(&prepared, &format!("{target:?}"), &SHAPES[..1]);
            assert!(prepared.differ(), "lanes compute different things");
        }
        return;
    };
    let many: u64 = many.parse().expect("HEDDLE_CSMITH is a number of programs");
    let (mut failed, mut endless, mut differing) = (vec![], vec![], 0);
    for seed in sample::seed()..sample::seed() + many {
        let checked = std::panic::catch_unwind(|| check_csmith(seed));
        match checked {
            Ok(Some(differs)) => differing += u64::from(differs),
            Ok(None) => endless.push(seed),
            Err(_) => failed.push(seed),
        }
        if (seed + 1 - sample::seed()).is_multiple_of(10) {
            println!(
                "{} programs, the next seed is {}, failed: {failed:?}",
                seed + 1 - sample::seed(),
                seed + 1
            );
        }
    }
    println!("{many} programs, in {differing} of which lanes differ; endless on the host: {endless:?}");
    assert!(failed.is_empty(), "seeds that failed: {failed:?}");
}

/// Whether the lanes' results differ; nothing of a program that does not end.
fn check_csmith(seed: u64) -> Option<bool> {
    let text = csmith::per_lane(&csmith::made(seed));
    let options = LEVELS[seed as usize % LEVELS.len()];
    let compiler = if seed / 6 % 2 == 1 { Compiler::Clang } else { Compiler::Gcc };
    let target = if seed / 12 % 4 == 3 { Target::Vortex } else { Target::Heddle };
    // Signed numbers wrap, and long has 32 bits.
    let options: Vec<&str> = options.iter().copied().chain(["-fwrapv"]).collect();
    let names = names(&text);
    let prepared = Prepared::unless_endless(&text, &names, compiler, target, &options, &["-m32"])?;
    check_on_model(
        &prepared,
        &format!("seed {seed}, {compiler:?}, {target:?}, {options:?}"),
        &[SHAPES[seed as usize % 5]],
    );
    Some(prepared.differ())
}
