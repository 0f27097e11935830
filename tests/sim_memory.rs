//! Files that `sim` puts into memory, and what it writes of memory into files.

use std::path::Path;
use std::process::Command;

use crate::sim_cli::{expect, program, stderr};

/// Adds 1 to the word at 0x20000, and stores it at 0x30000.
const NEXT: &str = "lui x5, 0x20\n lw x6, 0(x5)\n addi x6, x6, 1\n lui x5, 0x30\n sw x6, 0(x5)\n sw x0, 0x88(x0)\n fence\n vx_tmc x0";

/// Runs the program on one engine in a directory of its own, where there are two files: `in.bin` and the program's.
fn run(engine: &[&str], arguments: &[&str], code: i32) -> (tempfile::TempDir, String) {
    let (dir, path) = program(Path::new("next.elf"), NEXT);
    std::fs::write(dir.path().join("in.bin"), [0x44, 0x33, 0x22, 0x11]).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_sim"))
        .current_dir(dir.path())
        .args(["--preset", "tiny", "--engine"])
        .args(engine)
        .args(arguments)
        .arg(path)
        .output()
        .unwrap();
    expect(&output, code);
    let said = stderr(&output);
    (dir, said)
}

#[test]
fn a_program_finds_what_is_loaded_and_its_results_are_kept() {
    for engine in [&["model"][..], &["both", "--draft"]] {
        let arguments =
            ["--load", "0x20000=in.bin", "--dump", "0x30000:4=out.bin", "--dump", "0x20002:1=byte"];
        let (dir, _) = run(engine, &arguments, 0);
        let read = |name: &str| std::fs::read(dir.path().join(name)).unwrap();
        assert_eq!((read("out.bin"), read("byte")), (vec![0x45, 0x33, 0x22, 0x11], vec![0x22]), "{engine:?}");
    }
}

#[test]
fn what_cannot_be_loaded_or_kept_is_a_mistake() {
    for (arguments, code, message) in [
        (vec!["--load", "0x100=in.bin"], 2, "0x00000100..0x00000104 is outside memory"),
        (vec!["--load", "0x80000000=in.bin"], 2, "is loaded already"),
        (
            vec!["--load", "0x20000=in.bin", "--load", "0x20003=in.bin"],
            2,
            "0x00020000..0x00020004 is loaded already",
        ),
        (vec!["--load", "0x20000=missing"], 2, "--load 0x20000=missing: No such file"),
        (vec!["--load", "0x20000"], 2, "expected ADDRESS=FILE"),
        (vec!["--dump", "0x20000=out"], 2, "expected ADDRESS:BYTES=FILE"),
        (vec!["--dump", "0xffffffff:2=out"], 2, "ends behind the last address"),
        (vec!["--load", "0x20000=in.bin", "--dump", "0x20000:4=in.bin"], 2, "is the input in.bin"),
        (vec!["--dump", "0x60000000:4=out"], 1, "nothing of 0x60000000 is written to out"),
    ] {
        let (dir, said) = run(&["model"], &arguments, code);
        assert!(said.contains(message), "{arguments:?}: {said}");
        assert!(!dir.path().join("out").exists());
    }
}
