//! Building and caching of simulators from outside: the programs, the cache's place, and what a signal leaves.

use std::fs::{self, Permissions};
use std::os::unix::fs::{symlink, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use rustix::process::{kill_process, test_kill_process, Pid, Signal};
use tools::on_path;

use crate::simulators;

/// The smallest core, whose simulator is built in moments, and a kernel.
const EMPTY: [&str; 9] =
    ["--warps", "1", "--threads", "1", "--no-fpu", "--no-dcache", "--icache=256", "--draft", "empty"];

/// `sim` in a directory, with nothing in the environment that names a cache or a tool.
fn sim(directory: &Path, arguments: &[&str]) -> Command {
    let mut sim = Command::new(env!("CARGO_BIN_EXE_sim"));
    sim.current_dir(directory).args(arguments);
    for variable in ["HEDDLE_CACHE", "VERILATOR", "CXX", "LLVM_PROFDATA", "RISCV_CC"] {
        sim.env_remove(variable);
    }
    sim
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// Fails with the program's own words if it did not end with `code`.
fn expect(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{}", text(output));
    text(output)
}

/// Makes a program of a shell's commands.
pub fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o755)).unwrap();
}

/// Files in the cache whose names end so.
fn cached(cache: &Path, ending: &str) -> Vec<PathBuf> {
    let paths = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|e| e == ending)).collect()
}

#[test]
fn the_cache_and_the_tools_may_have_relative_paths() {
    let dir = tempfile::tempdir().unwrap();
    simulators::share_runtime(&dir.path().join("relative/cache"));
    let tools = dir.path().join("my tools");
    fs::create_dir(&tools).unwrap();
    let compiler = on_path("clang++").or_else(|| on_path("g++")).unwrap();
    for (own, program) in [("c++", compiler), ("rgcc", on_path("riscv64-unknown-elf-gcc").unwrap())] {
        symlink(program, tools.join(own)).unwrap();
    }
    symlink(&tools, dir.path().join("tools")).unwrap();
    script(&tools.join("veri lator"), "exec verilator \"$@\"");
    let output = sim(dir.path(), &EMPTY)
        .env("HEDDLE_CACHE", "relative/cache")
        .env("VERILATOR", "my tools/veri lator")
        .env("CXX", "env ./tools/c++")
        .env("RISCV_CC", "tools/rgcc")
        .output()
        .unwrap();
    expect(&output, 0);
    let cache = dir.path().join("relative/cache");
    assert_eq!(cached(&cache, "so").len(), 1);
    assert_eq!(cached(&cache.join("kernels"), "elf").len(), 1);

    // What is in a simulator's place stays there: it is told before anything is built.
    let simulator = cached(&cache, "so").remove(0);
    fs::remove_file(&simulator).unwrap();
    fs::create_dir(&simulator).unwrap();
    let runtime = cached(&cache, "runtime").remove(0);
    fs::remove_dir_all(&runtime).unwrap();
    let output = sim(dir.path(), &EMPTY)
        .env("HEDDLE_CACHE", "relative/cache")
        .env("VERILATOR", "my tools/veri lator")
        .env("CXX", "env ./tools/c++")
        .output()
        .unwrap();
    let said = expect(&output, 1);
    assert!(said.contains(simulator.to_str().unwrap()) && said.contains("remove it"), "{said}");
    assert!(!runtime.exists(), "nothing was compiled");
}

#[test]
fn each_tool_that_is_missing_is_named_with_its_variable() {
    let dir = tempfile::tempdir().unwrap();
    for (variable, package) in
        [("VERILATOR", "verilator"), ("CXX", "clang"), ("RISCV_CC", "gcc-riscv64-unknown-elf")]
    {
        let mut sim = sim(dir.path(), &EMPTY);
        let said = expect(&sim.env("HEDDLE_CACHE", "cache").env(variable, "/nosuch").output().unwrap(), 1);
        assert!(said.contains(&format!("`/nosuch` not found, which ${variable} names")), "{said}");
        assert!(said.contains(&format!("apt install {package}\n")), "{said}");
    }
}

#[test]
fn what_to_do_on_a_full_disk_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let compiler = dir.path().join("full");
    // As clang has it, which is asked for its version first.
    script(
        &compiler,
        "case \"$1\" in --version) exec g++ --version ;; esac\n\
         echo 'fatal error: error in backend: IO failure on output stream: No space left on device' >&2\n\
         exit 1",
    );
    let output = sim(dir.path(), &EMPTY).env("HEDDLE_CACHE", "cache").env("CXX", &compiler).output().unwrap();
    let said = expect(&output, 1);
    assert!(said.contains("make room, or set $HEDDLE_CACHE to a directory on another"), "{said}");
    assert_eq!(cached(&dir.path().join("cache"), "so").len(), 0);
}

#[test]
fn a_simulator_may_be_built_by_a_profile_of_itself() {
    let dir = tempfile::tempdir().unwrap();
    simulators::share_runtime(&dir.path().join("cache"));
    let guided = [&EMPTY[..], &["--pgo"]].concat();
    let ran = |compiler| {
        sim(dir.path(), &guided).env("HEDDLE_CACHE", "cache").env("CXX", compiler).output().unwrap()
    };
    let said = expect(&ran("g++"), 1);
    assert!(said.contains("needs clang, and `g++` is another compiler"), "{said}");
    expect(&ran("clang++"), 0);
    assert_eq!(cached(&dir.path().join("cache"), "so").len(), 1);

    let missing =
        sim(dir.path(), &guided).env("HEDDLE_CACHE", "other").env("LLVM_PROFDATA", "/nosuch").output();
    let said = expect(&missing.unwrap(), 1);
    assert!(said.contains("`/nosuch` not found, which $LLVM_PROFDATA names"), "{said}");
    assert!(said.contains("apt install llvm"), "{said}");
    assert_eq!(cached(&dir.path().join("other"), "so").len(), 0);
}

#[test]
fn what_a_cleaning_cannot_remove_is_told() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("x.so"), "").unwrap();
    fs::create_dir(dir.path().join("x.lock")).unwrap();
    let clean = || sim(dir.path(), &["--cache-clean"]).env("HEDDLE_CACHE", ".").output().unwrap();
    let said = expect(&clean(), 1);
    assert!(said.contains("cannot remove") && said.contains("x.so: Is a directory"), "{said}");
    fs::remove_dir(dir.path().join("x.lock")).unwrap();
    expect(&clean(), 0);
    assert!(!dir.path().join("x.so").exists());
}

/// Who has no home has a cache in the temporary directory, where others may have been before.
#[test]
fn a_cache_without_a_home_is_private_or_refused() {
    let dir = tempfile::tempdir().unwrap();
    let clean = || {
        let mut sim = sim(dir.path(), &["--cache-clean"]);
        sim.env_remove("HOME").env_remove("XDG_CACHE_HOME").env("TMPDIR", dir.path()).output().unwrap()
    };
    expect(&clean(), 0);
    let made = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
    assert_eq!(made.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    fs::set_permissions(&made, Permissions::from_mode(0o777)).unwrap();
    let said = expect(&clean(), 1);
    assert!(said.contains("others have access") && said.contains("set $HEDDLE_CACHE"), "{said}");
}

/// Runs `sim` with a compiler that never ends, stops it with that signal once the compiler and a program that it runs are
/// under way, and gives how it ended.
fn interrupted(directory: &Path, signal: Signal) -> Output {
    let started = directory.join("started");
    let compiler = directory.join("endless");
    // The version is asked for first.
    script(
        &compiler,
        &format!(
            "case \"$1\" in --version) exec g++ --version ;; esac\nsleep 1000 &\n\
             echo $$ $! >'{started}.tmp'\nmv '{started}.tmp' '{started}'\nwait",
            started = started.display()
        ),
    );
    let mut sim = sim(directory, &EMPTY)
        .env("HEDDLE_CACHE", "cache")
        .env("CXX", &compiler)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("a compiler", || {
        assert_eq!(sim.try_wait().unwrap(), None, "ended before it was stopped");
        started.exists()
    });
    let pids = fs::read_to_string(&started).unwrap();
    kill_process(Pid::from_child(&sim), signal).unwrap();
    let output = sim.wait_with_output().unwrap();
    for pid in pids.split_whitespace() {
        let pid = Pid::from_raw(pid.parse().unwrap()).unwrap();
        wait_until("the end of what the compiler runs", || test_kill_process(pid).is_err() || is_zombie(pid));
    }
    output
}

/// Far longer than it takes.
fn wait_until(what: &str, mut there: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if there() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{what} does not come");
}

/// An orphan may stay one until its new parent looks.
fn is_zombie(pid: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    status.map_or(true, |status| status.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z")))
}

#[test]
fn a_signal_during_a_build_ends_the_tools_too() {
    let dir = tempfile::tempdir().unwrap();
    simulators::share_runtime(&dir.path().join("cache"));
    for signal in [Signal::INT, Signal::TERM] {
        let output = interrupted(dir.path(), signal);
        // Of which a shell makes 128 and its number.
        assert_eq!(output.status.signal(), Some(signal.as_raw()), "{}", text(&output));
        assert_eq!(text(&output), "", "an ended tool is no failure to tell");
        assert_eq!(cached(&dir.path().join("cache"), "build").len(), 0, "what was half done is gone");
        fs::remove_file(dir.path().join("started")).unwrap();
    }
    expect(&sim(dir.path(), &EMPTY).env("HEDDLE_CACHE", "cache").output().unwrap(), 0);
    let cache = dir.path().join("cache");
    assert_eq!((cached(&cache, "so").len(), cached(&cache, "build").len()), (1, 0));
}
