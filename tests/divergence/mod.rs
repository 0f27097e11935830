//! Ordinary C on the core: each lane's results beside those of the same functions on the host, and at every branch that is
//! executed all active lanes agree.

mod generate;
mod run;

use cosim::{Program, RunOptions};
use kernels::Compiler;
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
        let prepared = Prepared::new(CONSTRUCTS, &names(CONSTRUCTS), Compiler::Gcc, options);
        let at = format!("{options:?}");
        check_on_model(&prepared, &at, &sample::some(SHAPES.to_vec(), 2, number));
        if number == 0 {
            check_on_core(&prepared, &at);
        }
    }
}

/// Programs in a file.
const PROGRAMS: usize = 12;

/// One file of random programs, on the model and perhaps on a core.
fn check_random(seed: u64, compiler: Compiler, on_core: bool) {
    let text = generate::file(seed, PROGRAMS);
    let options = LEVELS[seed as usize % LEVELS.len()];
    let at = format!("seed {seed}, {options:?}");
    let prepared = Prepared::new(&text, &names(&text), compiler, options);
    let shape = seed as usize / LEVELS.len() % SHAPES.len();
    check_on_model(&prepared, &at, &SHAPES[shape..shape + 1]);
    if on_core {
        check_on_core(&prepared, &at);
    }
}

/// `HEDDLE_PROGRAMS=20000 cargo test --test suite divergence::random` tries so many on the model, from `HEDDLE_TEST_SEED` on,
/// and with `HEDDLE_CLANG` set those of every second file by clang.
#[test]
fn random_programs_compute_what_the_host_does() {
    let Ok(many) = std::env::var("HEDDLE_PROGRAMS") else {
        for (number, seed) in sample::seeds(0, 3).enumerate() {
            check_random(seed, Compiler::Gcc, number == 0);
        }
        return;
    };
    let files = many.parse::<u64>().expect("a number of programs").div_ceil(PROGRAMS as u64);
    let clang = std::env::var_os("HEDDLE_CLANG").is_some();
    for seed in sample::seed()..sample::seed() + files {
        let compiler = if clang && seed % 2 == 1 { Compiler::Clang } else { Compiler::Gcc };
        check_random(seed, compiler, false);
    }
}
