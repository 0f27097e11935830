//! What random programs promise: they end, whatever the order in which warps run, and the scalar ones
//! compute the same under QEMU and on the reference model.

use std::collections::BTreeSet;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::process::Command;

use crate::sample::seeds;
use isa::random::{program, Rng, Shape, DUMP_BYTES};
use isa::Image;
use model::{Machine, Memory};
use spec::config::{CoreConfig, WarpMask};

/// Warp instructions that no program of these lengths comes near.
const LIMIT: u64 = 3_000_000;

fn machine(config: &CoreConfig, image: &Image) -> Machine {
    let mut memory = Memory::for_core(config);
    memory.load(image.base, &image.bytes);
    Machine::new(config, memory, image.base, 0)
}

/// Runs to the end; `choose` says which of the runnable warps is next.
fn run(machine: &mut Machine, what: &str, mut choose: impl FnMut(WarpMask) -> usize) {
    while !machine.finished() {
        let runnable = machine.runnable_warps();
        assert_ne!(runnable, 0, "{what}: every warp waits: {:?}", machine.blocked());
        assert!(machine.warp_instructions() < LIMIT, "{what}: does not end");
        if let Err(fault) = machine.step(choose(runnable)) {
            panic!("{what}: {fault}");
        }
    }
    assert_eq!(machine.memory.exit_code(), Some(0), "{what}");
}

#[test]
fn core_programs_end_alike_under_any_schedule() {
    for (warps, threads, local_mem_bytes) in
        [(1, 1, 64), (2, 2, 16384), (3, 4, 256), (4, 4, 16384), (6, 8, 4096), (32, 32, 16384), (64, 2, 16384)]
    {
        let config = CoreConfig { warps, threads, local_mem_bytes, ..CoreConfig::default() };
        for fpu in [false, true] {
            let config = CoreConfig { fpu, ..config.clone() };
            let shape = Shape { timing_csrs: false, ..Shape::core(&config, 120) };
            for seed in seeds(0, if warps >= 32 { 5 } else { 20 }) {
                let what = format!("{warps}x{threads} seed {seed}");
                let image = program(seed, &shape);
                let mut lowest_first = machine(&config, &image);
                run(&mut lowest_first, &what, |runnable| runnable.trailing_zeros() as usize);
                let mut at_random = machine(&config, &image);
                let mut rng = Rng::new(seed);
                run(&mut at_random, &what, |runnable| loop {
                    let warp = rng.below(warps.max(32));
                    if runnable >> warp & 1 != 0 {
                        return warp;
                    }
                });
                assert_eq!(lowest_first.memory.first_difference(&at_random.memory), None, "{what}");
                for warp in 0..warps {
                    for register in 0..64 {
                        let values = |m: &Machine| m.warp(warp).register(register)[..threads].to_vec();
                        assert_eq!(
                            values(&lowest_first),
                            values(&at_random),
                            "{what}: warp {warp} register {register}"
                        );
                    }
                    let float_state = |m: &Machine| m.warp(warp).float_state();
                    assert_eq!(float_state(&lowest_first), float_state(&at_random), "{what}: warp {warp}");
                }
            }
        }
    }
}

#[test]
fn core_programs_that_read_the_clock_end() {
    let config = CoreConfig { fpu: true, ..CoreConfig::default() };
    for seed in 0..100 {
        let image = program(seed, &Shape::core(&config, 200));
        run(&mut machine(&config, &image), &format!("seed {seed}"), |runnable| {
            runnable.trailing_zeros() as usize
        });
    }
}

/// What the program writes under QEMU.
fn qemu_output(image: &Image, dir: &std::path::Path, seed: u64) -> Vec<u8> {
    let path = dir.join(format!("seed{seed}.elf"));
    let mut file =
        std::fs::OpenOptions::new().write(true).create_new(true).mode(0o755).open(&path).expect("create");
    file.write_all(&image.to_elf()).expect("write");
    drop(file);
    let output = Command::new("timeout")
        .args(["20", "qemu-riscv32"])
        .arg(&path)
        .output()
        .expect("timeout of coreutils runs");
    assert_ne!(output.status.code(), Some(127), "install qemu-riscv32 with apt-get install qemu-user");
    assert!(output.status.success(), "seed {seed}: {:?}", output.status);
    output.stdout
}

#[test]
fn scalar_programs_compute_what_qemu_computes() {
    let dir = tempfile::tempdir().expect("a directory");
    let config = CoreConfig { warps: 1, threads: 1, fpu: true, atomics: true, ..CoreConfig::default() };
    let mut dumps = BTreeSet::new();
    for seed in 0..80 {
        // Every other program uses F.
        let shape = Shape { fpu: seed % 2 != 0, ..Shape::linux_user(100 + 10 * seed as usize) };
        let image = program(seed, &shape);
        let theirs = qemu_output(&image, dir.path(), seed);
        assert_eq!(theirs.len(), DUMP_BYTES, "seed {seed}");
        let mut core = machine(&config, &image);
        run(&mut core, &format!("seed {seed}"), |_| 0);
        let ours = core.memory.read_bytes(image.symbols["dump"], DUMP_BYTES as u32).expect("mapped");
        for (i, (a, b)) in ours.chunks(4).zip(theirs.chunks(4)).enumerate() {
            assert_eq!(
                a, b,
                "seed {seed}: model and QEMU differ in word {i} of the dump (x0 to x31, f0 to f31, fcsr, then data)"
            );
        }
        dumps.insert(ours);
    }
    assert_eq!(dumps.len(), 80, "programs of different seeds do different things");
}
