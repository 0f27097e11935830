//! Random kernels through the back end, against an interpreter: no difference in any simulator.
use crate::fuzz::kernel::Kernel;
use crate::fuzz::{bench, Rng};
use crate::sample::{is_full, some};
use std::path::{Path, PathBuf};

/// Emits `count` kernels and writes their test bench; returns where.
fn prepare(name: &str, seed: u64, count: usize) -> PathBuf {
    println!("seed {seed}, {count} kernels");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).unwrap();
    let mut rng = Rng::new(seed);
    let kernels: Vec<Kernel> = (0..count).map(|_| Kernel::random(&mut rng)).collect();
    let mut modules = String::new();
    for (number, kernel) in kernels.iter().enumerate() {
        let top = format!("case_{number}");
        match hdl::verilog::emit(&mut kernel.block(), &top, &[]) {
            Ok(design) => modules += &design.concat(),
            Err(errors) => panic!("seed {seed}, kernel {number}: {errors:#?}"),
        }
    }
    bench::write(&directory, &kernels, &modules, &mut rng);
    directory
}

/// All that is printed must be the end.
fn check(output: &str) {
    let mismatches: Vec<&str> = output.lines().filter(|line| line.contains("MISMATCH")).collect();
    assert!(mismatches.is_empty(), "{} differences, first {}", mismatches.len(), mismatches[0]);
    assert!(output.contains("DONE"), "the bench did not finish:\n{output}");
}

#[test]
fn random_kernels_do_in_icarus_what_the_interpreter_says() {
    for seed in some((1..=4).collect(), 1, 0) {
        check(&bench::icarus(&prepare(&format!("fuzz_icarus_{seed}"), seed, 500)));
    }
}

#[test]
fn random_kernels_do_in_verilator_what_the_interpreter_says() {
    check(&bench::verilator(&prepare("fuzz_verilator", 1000, if is_full() { 60 } else { 8 })));
}
