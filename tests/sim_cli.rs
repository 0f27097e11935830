//! The program `sim` from outside: arguments, exit codes, output.

use std::path::Path;
use std::process::{Command, Output};

use heddle::isa::asm::assemble;

fn sim(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sim")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Fails with the program's own words if it did not end with `code`.
fn expect(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", stdout(output), stderr(output));
}

#[test]
fn mistakes_in_the_arguments_end_with_2_before_anything_is_built() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("text.elf");
    std::fs::write(&text, "not an executable").unwrap();
    for (arguments, message) in [
        (vec![], "required arguments"),
        (vec!["nosuch"], "unknown kernel nosuch; valid ones are hello"),
        (vec!["vecadd:zero"], "vecadd:zero"),
        (vec!["/nonexistent/program.elf"], "/nonexistent/program.elf"),
        (vec![text.to_str().unwrap()], "not an ELF file"),
        (vec!["hello", "--mem", "fixed:0"], "unknown memory model `fixed:0`"),
        (vec!["hello", "--check", "some"], "unknown check `some`"),
        (vec!["hello", "--warps", "33", "--threads", "3"], "threads = 3"),
        (vec!["hello", "--backpressure", "100"], "100"),
        (vec!["hello", "--arg", "0xfg"], "32-bit number"),
        (vec!["hello", "--wave-from", "3"], "--wave"),
        (vec!["hello", "--wave", "w.fst", "--wave-from", "3", "--wave-to", "2"], "--wave-from 3 is after"),
        (vec!["hello", "--frobnicate"], "--frobnicate"),
    ] {
        let output = sim(&arguments);
        expect(&output, 2);
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn help_shows_examples_and_every_memory_model() {
    let output = sim(&["--help"]);
    expect(&output, 0);
    for part in ["Examples:", "fixed:N", "--list-kernels", "Exit status"] {
        assert!(stdout(&output).contains(part), "{part}");
    }
}

#[test]
fn kernels_are_listed_with_their_sizes() {
    let output = sim(&["--list-kernels"]);
    expect(&output, 0);
    for kernel in heddle::kernels::KERNELS {
        let line = stdout(&output).lines().find(|l| l.contains(kernel.summary)).map(str::to_owned);
        let line = line.unwrap_or_else(|| panic!("{} is not listed", kernel.name));
        assert!(line.starts_with(kernel.name), "{line}");
    }
}

#[test]
fn a_missing_verilator_is_named_with_its_package() {
    let program = program(Path::new("p.elf"), "vx_tmc x0");
    let output = Command::new(env!("CARGO_BIN_EXE_sim"))
        .arg(program.1)
        .env("VERILATOR", "/nonexistent/verilator")
        .output()
        .unwrap();
    expect(&output, 1);
    assert!(stderr(&output).contains("apt install verilator"), "{}", stderr(&output));
}

/// A program assembled into an ELF file of that name, in a directory that lives as long as the result.
fn program(name: &Path, text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, assemble(0x8000_0000, text).unwrap().to_elf()).unwrap();
    (dir, path)
}
