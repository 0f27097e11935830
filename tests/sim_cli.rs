//! The program `sim` from outside: arguments, exit codes, output.

use std::path::Path;
use std::process::{Command, Output};

use isa::asm::assemble;

fn sim(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sim")).args(arguments).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Fails with the program's own words if it did not end with `code`.
pub fn expect(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", stdout(output), stderr(output));
}

#[test]
fn mistakes_in_the_arguments_end_with_2_before_anything_is_built() {
    let dir = tempfile::tempdir().unwrap();
    let text = dir.path().join("text.elf");
    std::fs::write(&text, "not an executable").unwrap();
    let image = dir.path().join("short.vxbin");
    std::fs::write(&image, [0; 12]).unwrap();
    let (_grid, grid) = program(Path::new("grid.elf"), GRID);
    let grid = grid.to_str().unwrap();
    for (arguments, message) in [
        (vec![], "required arguments"),
        (vec!["nosuch"], "unknown kernel nosuch; valid ones are hello"),
        (vec!["vecadd:zero"], "vecadd:zero"),
        (vec!["/nonexistent/program.elf"], "/nonexistent/program.elf"),
        (vec![text.to_str().unwrap()], "not an ELF file"),
        (vec![image.to_str().unwrap()], "short: damaged or truncated file"),
        (vec![dir.path().to_str().unwrap()], "not a file"),
        (vec!["hello", "--mem", "dram:banks=3"], "banks = 3 is not a power of two"),
        (vec!["hello", "--mem", "fixed:0"], "unknown memory model `fixed:0`"),
        (vec!["hello", "--check", "some"], "unknown check `some`"),
        (vec!["hello", "--warps", "33", "--threads", "3"], "threads = 3"),
        (vec!["hello", "--backpressure", "100"], "100"),
        (vec!["hello", "--arg", "0xfg"], "32-bit number"),
        (vec!["hello", "--wave-from", "3"], "--wave"),
        (vec!["hello", "--wave", "w.fst", "--wave-from", "3", "--wave-to", "2"], "--wave-from 3 is after"),
        (vec!["hello", "--frobnicate"], "--frobnicate"),
        (vec!["hello", "--no-trace-port"], "leave out --no-trace-port"),
        (
            vec!["hello", "--engine", "model", "--random-reset"],
            "the model does not know random values at reset",
        ),
        (vec!["hello", "--engine", "model", "--pgo"], "--pgo has no effect with --engine model"),
        (vec!["hello", "--engine", "model", "--wave", "w.fst"], "the model does not know waves of signals"),
        (vec!["hello", "--quick", "--draft"], "'--quick' cannot be used with '--draft'"),
        (vec!["hello", "--max-cycles", "0"], "expected a whole number from 1 on"),
        (vec!["hello", "--max-cycles", "1e6"], "expected a whole number from 1 on"),
        (vec!["hello", "--max-cycles", "-1"], "expected a whole number from 1 on"),
        (vec!["hello", "--warps", "-1"], "invalid value '-1' for '--warps <N>'"),
        (vec!["hello", "--backpressure", "96"], "expected a whole number from 0 to 95"),
        (vec!["hello", "--mshrs", "2", "--no-dcache"], "--mshrs has no effect on a core without data cache"),
        (
            vec!["reduce", "--local-mem", "64"],
            "reduce:1024 needs 128 bytes of local memory on a core of 4 warps",
        ),
        (vec!["hello", "reduce", "--local-mem", "64"], "which has 64: --local-mem 128"),
        (
            vec!["grid_vecadd", "--no-grid"],
            "grid_vecadd:1024 cannot run on this core: this core runs no grids",
        ),
        (vec!["grid_vecadd", "--arg", "3"], "says itself where its grids start"),
        (vec!["grid_vecadd", "--start-pc", "0x80000000"], "says itself where its grids start"),
        (vec!["grid_vecadd", "--grid", "2", "--block", "2"], "grid_vecadd:1024 is a kernel of the list"),
        (vec!["hello", "--grid", "2", "--block", "2"], "hello is a kernel of the list"),
        (vec!["hello", "--entry", "main"], "hello is a kernel of the list"),
        (vec![grid, "--grid", "2"], "--block"),
        (vec![grid, "--block", "2"], "--grid"),
        (vec![grid, "--cta-local", "4"], "--grid"),
        (vec![grid, "--grid", "1,2,3,4", "--block", "2"], "at most three lengths"),
        (vec![grid, "--grid", "1,x", "--block", "2"], "expected lengths, as in"),
        (vec![grid, "--grid", "2", "--block", "17"], "grid: a block of 17 threads is larger than the core"),
        (vec![grid, "--grid", "2,0", "--block", "2"], "the length of a grid must not be 0"),
        (vec![grid, "--grid", "2", "--block", "2,1,0"], "the length of a block must not be 0"),
        (vec![grid, "--grid", "65536,65536", "--block", "2"], "a grid of 8589934592 threads is too large"),
        (vec![grid, "--grid", "2", "--block", "2", "--cta-local", "16388"], "more than the core's 16384"),
        (vec![grid, "--grid", "2", "--block", "2", "--cta-local", "6"], "must be a multiple of 4"),
        (vec![grid, "--grid", "2", "--block", "2", "--no-grid"], "leave out --no-grid"),
        (vec![grid, "--entry", "nowhere"], "grid has no symbol nowhere"),
        (vec![grid, "--entry", "first", "--start-pc", "0"], "cannot be used with"),
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
    for kernel in kernels::KERNELS {
        let line = stdout(&output).lines().find(|l| l.contains(kernel.summary)).map(str::to_owned);
        let line = line.unwrap_or_else(|| panic!("{} is not listed", kernel.name));
        let name = line.split_whitespace().next().unwrap();
        assert_eq!(name.trim_end_matches(":N"), kernel.name, "{line}");
    }
}

#[test]
fn a_core_without_a_floating_point_unit_is_told_what_it_lacks() {
    let output = sim(&["--no-fpu", "vecadd", "saxpy"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("saxpy needs a floating-point unit"), "{}", stderr(&output));
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
pub fn program(name: &Path, text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, assemble(0x8000_0000, text).unwrap().to_elf()).unwrap();
    (dir, path)
}

/// A cache that cannot be: the reason is said once, of kernels, of simulators, and of a program that is not there.
#[test]
fn reasons_are_said_once() {
    let (_dir, path) = program(Path::new("p.elf"), "vx_tmc x0");
    let said = |arguments: &[&str], place: &str| {
        let sim = &mut Command::new(env!("CARGO_BIN_EXE_sim"));
        let output = sim.args(arguments).env("HEDDLE_CACHE", "/dev/null/cache").output().unwrap();
        let message = stderr(&output);
        assert!(message.contains(place), "{message}");
        assert_eq!(message.matches("os error").count(), 1, "{message}");
        output
    };
    expect(&said(&["hello"], "/dev/null/cache/kernels"), 1);
    expect(&said(&[path.to_str().unwrap()], "cannot build the simulator: cannot use /dev/null/cache"), 1);
    expect(&said(&["/nonexistent/p.elf"], "cannot read /nonexistent/p.elf: No such file"), 2);
}

/// A core of the simulators, so that its simulator is there.
pub const TINY: [&str; 4] = ["--preset", "tiny", "--draft", "--json"];

#[test]
fn the_tiny_core_is_in_the_fleet() {
    let preset = spec::config::CoreConfig::preset("tiny").unwrap();
    assert_eq!(*crate::simulators::core("counted").config(), preset);
}

fn tiny(arguments: &[&str]) -> (Output, Vec<serde_json::Value>) {
    let output = sim(&[&TINY[..], arguments].concat());
    let lines = stdout(&output).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    (output, lines)
}

#[test]
fn json_has_one_object_a_run_and_nothing_else() {
    let (output, runs) = tiny(&["hello", "vecadd:20", "--mem", "fixed:7", "--seed", "5"]);
    expect(&output, 0);
    assert_eq!(runs.len(), 2);
    for (run, kernel) in runs.iter().zip(["hello", "vecadd:20"]) {
        for (field, value) in
            [("kernel", kernel), ("result", "pass"), ("memory", "fixed:7"), ("issue", "lrr")]
        {
            assert_eq!(run[field], value, "{run}");
        }
        for (field, value) in [("warps", 2), ("threads", 2), ("slices", 1), ("seed", 5), ("exit_code", 0)] {
            assert_eq!(run[field], value, "{run}");
        }
        let number = |pointer: &str| {
            run.pointer(pointer).and_then(|v| v.as_f64()).unwrap_or_else(|| panic!("{pointer}"))
        };
        let slots: f64 =
            ["issued", "idle", "scoreboard", "pipeline"].map(|s| number(&format!("/slots/{s}"))).iter().sum();
        assert_eq!(slots, number("/cycles"));
        assert!((number("/ipc") - number("/thread_instructions") / number("/cycles")).abs() < 1e-5);
        let counter = |name: &str| number(&format!("/counters/{name}"));
        for class in ["issued", "idle", "scoreboard", "pipeline"] {
            assert_eq!(counter(class), number(&format!("/slots/{class}")));
        }
        assert_eq!(number("/load_latency"), (counter("load_latency") / counter("loads") * 1e6).round() / 1e6);
        assert!(number("/icache/hits") > 0.0 && number("/icache/misses") > 0.0);
        let lines = number("/counters/dcache_reads") + number("/counters/dcache_writes");
        assert!(lines > 0.0 && number("/dcache/misses") > 0.0);
        assert_eq!(number("/dcache/hits") + number("/dcache/misses"), lines);
        assert!(number("/wall_seconds") > 0.0 && number("/kilocycles_per_second") > 0.0);
    }
    assert!(stderr(&output).contains("#0: "), "the program's own output goes to standard error");
}

/// What iPAWS does when.
#[test]
fn json_tells_the_phases_of_an_adaptive_scheduler() {
    let (output, records) = tiny(&["--sched", "ipaws", "hello"]);
    expect(&output, 0);
    let phases = records[0]["policy_phases"].as_array().expect("phases");
    let names: Vec<_> = phases.iter().map(|change| change["phase"].as_str().unwrap()).collect();
    assert_eq!(names[..2], ["adapt", "decide"], "{phases:?}");
    assert_eq!(phases[0]["cycle"], 0);
    let cycles: Vec<_> = phases.iter().map(|change| change["cycle"].as_u64().unwrap()).collect();
    assert!(cycles.is_sorted() && names.len() > 2, "{phases:?}");
    let patterns = records[0]["issue_patterns"].as_array().expect("patterns");
    let decided = phases.windows(2).filter(|pair| pair[0]["phase"] == "decide");
    assert_eq!(patterns.len(), decided.clone().count());
    for (pattern, pair) in patterns.iter().zip(decided) {
        assert_eq!(pattern["cycle"], pair[1]["cycle"], "{pattern}");
        assert_eq!(pattern["concave"], pair[1]["phase"] == "concave", "{pattern}");
        let warps = pattern["warps"].as_array().expect("warps");
        let scores: Vec<f64> = warps.iter().filter_map(|warp| warp["score"].as_f64()).collect();
        assert_eq!(pattern["resident"], warps.len());
        assert_eq!(pattern["of_interest"], scores.len());
        let threshold = scores.len() as f64 * scores.iter().copied().fold(0.0, f64::max) / 2.0;
        let convexity = scores.iter().sum::<f64>() / threshold;
        assert!((pattern["convexity"].as_f64().unwrap() - convexity).abs() < 1e-6, "{pattern}");
        assert_eq!(pattern["concave"], convexity < 1.0, "{pattern}");
    }
}

/// When the blocks of each grid ran, of which a bare start has none.
#[test]
fn json_tells_when_the_blocks_of_grids_ran() {
    let (output, records) = tiny(&["grid_reduce:64", "hello"]);
    expect(&output, 0);
    let grids = records[0]["grids"].as_array().expect("grids");
    assert_eq!(grids.len(), 2, "{grids:?}");
    let places = ["first_dispatched", "last_dispatched", "last_block_ended", "ended"];
    let times = grids.iter().flat_map(|grid| places.map(|place| grid[place].as_u64().expect("a cycle")));
    assert!(times.is_sorted(), "{grids:?}");
    assert!(
        grids[0]["first_dispatched"].as_u64() < grids[0]["last_dispatched"].as_u64(),
        "more than one block"
    );
    assert!(records[1].get("grids").is_none());
}

/// RTRU of each interval between barriers, and what each warp waited.
#[test]
fn json_tells_how_unevenly_warps_meet_at_barriers() {
    let (output, records) = tiny(&["reduce:64", "hello"]);
    expect(&output, 0);
    let barriers = &records[0]["barriers"];
    let intervals = barriers["intervals"].as_array().expect("intervals");
    assert!(intervals.len() > 1, "{barriers}");
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    for interval in intervals {
        assert!(number(&interval["begin"]) < number(&interval["end"]), "{interval}");
        assert!(number(&interval["warps"]) > 1.0, "{interval}");
        assert!((0.0..1.0).contains(&number(&interval["rtru"])), "{interval}");
    }
    let mean =
        intervals.iter().map(|interval| number(&interval["rtru"])).sum::<f64>() / intervals.len() as f64;
    assert!(mean > 0.0 && (number(&barriers["rtru"]) - mean).abs() < 1e-5, "{barriers}");
    let stalled = barriers["stalled"].as_array().expect("a count a warp");
    assert_eq!(stalled.len() as f64, number(&records[0]["warps"]));
    // What an interval loses, its warps wait: two warps that went on together.
    let lost = |interval: &serde_json::Value| {
        let cycles = number(&interval["end"]) - number(&interval["begin"]);
        number(&interval["rtru"]) * number(&interval["warps"]) * cycles
    };
    let (lost, waited) = (intervals.iter().map(lost).sum::<f64>(), stalled.iter().map(number).sum::<f64>());
    assert!(waited > 0.0 && (lost - waited).abs() < 0.5, "{lost} and {waited}: {barriers}");
    assert!(records[1].get("barriers").is_none(), "no warps meet in hello");
}

#[test]
fn people_get_a_table_and_the_programs_output() {
    let output = sim(&[&TINY[..3], &["hello"]].concat());
    expect(&output, 0);
    let text = stdout(&output);
    assert!(text.contains("#0: ") && text.contains("kernel") && text.contains("pass"), "{text}");
    assert!(text.contains("counters  idle: control"), "{text}");
}

/// Diverges twice on a stack with a single entry.
const OVERFLOW: &str =
    "li x1, -1\n vx_tmc x1\n csrr x2, vx_thread_id\n li x1, -1\n vx_split x3, x2\n vx_tmc x1\n \
                        vx_split x3, x2";
/// An AMOADD.W.
const ATOMIC: &str = ".word 0x0021a0af";
/// Overwrites the instruction behind the store.
const STALE: &str = "auipc x1, 0\n addi x1, x1, 0\n nop\n sw x1, 16(x1)\n nop\n sw x0, 0x88(x0)\n vx_tmc x0";

/// What the program prints of each of these programs, which fail.
fn failures<const N: usize>(texts: [&str; N], arguments: &[&str]) -> Vec<serde_json::Value> {
    let programs = texts.map(|text| program(Path::new("failing.elf"), text));
    let paths: Vec<_> = programs.iter().map(|(_, path)| path.to_str().unwrap()).collect();
    let (output, runs) = tiny(&[&paths, arguments].concat());
    expect(&output, 1);
    assert_eq!(runs.len(), N);
    for run in &runs {
        assert_eq!((&run["result"], &run["kernel"]), (&"fail".into(), &"failing".into()));
    }
    runs
}

#[test]
fn a_failing_program_ends_with_1_and_says_why() {
    let programs = [
        ("addi x1, x0, 3\n sw x1, 0x88(x0)\n vx_tmc x0", "exit code 3"),
        ("addi x1, x0, 2\n lw x2, 0(x1)\n vx_tmc x0", "misaligned load at 0x00000002"),
        ("lui x1, 0x20000\n sw x1, 0(x1)\n vx_tmc x0", "unmapped memory at 0x20000000"),
        ("lui x1, 0x20000\n sb x1, 9(x1)\n .word 0", "unmapped memory at 0x20000009"),
        (".word 0xffffffff", "illegal instruction\n"),
        (ATOMIC, "illegal instruction: it is atomic, which a core has with --atomics\n  warp 0, pc"),
        (
            ".word 0x0205b50b",
            "illegal instruction: it is a vote or a shuffle, which a core has with --cross-lane\n  warp 0, pc",
        ),
        (
            ".word 0x1001a0af",
            "illegal instruction: it is LR, SC or atomic on other than words, which no core has\n  warp 0, pc",
        ),
        ("vx_tmc x0", "ended without an exit code: store one at 0x88 before the last TMC 0, 0 for success"),
        ("here: j here", "not finished after 5000 cycles"),
        ("csrw 0xcc0, x0", "illegal CSR access\n  warp 0, pc 0x80000000: csrrw zero,vx_thread_id,zero"),
        ("li x1, 3\n vx_bar x0, x1", "than the number of warps\n  warp 0, pc 0x80000004: vx_bar zero,ra"),
        ("lui x1, 0x20000\n jr x1", "unmapped memory at 0x20000000\n  warp 0, pc 0x20000000"),
        ("lui x1, 0x20000\n jr x1", "reached from warp 0, pc 0x80000004: jalr zero,0(ra)"),
        ("la x1, 1f\n 1: jalr x0, 6(x1)", "misaligned jump target at 0x8000000e"),
        ("la x1, 1f\n 1: jalr x0, 6(x1)", "reached from warp 0, pc 0x80000008: jalr zero,6(ra)"),
        (OVERFLOW, "divergence stack overflow\n  warp 0, pc 0x80000018: vx_split"),
        (STALE, "instruction stored since the last fence.i\n  warp 0, pc 0x80000010: "),
        (STALE, "stored by warp 0, pc 0x8000000c: sw ra,16(ra)"),
    ];
    let runs = failures(programs.map(|(text, _)| text), &["--max-cycles", "5000"]);
    for ((_, reason), run) in programs.into_iter().zip(runs) {
        let failure = run["failure"].as_str().unwrap();
        assert!(failure.contains(reason), "{reason}: {failure}");
    }
}

/// Where warps wait for one that does not come.
const ALONE: &str = "li x1, 2\n vx_bar x0, x1\n vx_tmc x0";

/// Without the model the hardware, the memory and the trace port must do: warp, PC and instruction are told all the same.
#[test]
fn without_the_check_a_failing_program_ends_with_1_and_says_where() {
    let first = "warp 0, pc 0x80000000: ";
    let second = "warp 0, pc 0x80000004: ";
    let programs = [
        (".word 0xffffffff", "illegal instruction\n", first, ".word 0xffffffff"),
        (ATOMIC, "illegal instruction: it is atomic", first, "amoadd.w ra,sp,(gp)"),
        ("vx_tmc x0", "ended without an exit code", "at 0x88", ""),
        ("csrw 0xcc0, x0", "illegal CSR access", first, "csrrw zero,vx_thread_id,zero"),
        ("li x1, 2\n lw x2, 0(x1)", "misaligned load at 0x00000002", second, "lw sp,0(ra)"),
        ("li x1, 3\n sh x1, 0(x1)", "misaligned store at 0x00000003", second, "sh ra,0(ra)"),
        ("li x1, 8\n lw x2, 0(x1)", "unmapped memory at 0x00000008", second, "lw sp,0(ra)"),
        ("lui x1, 0x20000\n lw x2, 4(x1)", "unmapped memory at 0x20000004", second, "lw sp,4(ra)"),
        ("lui x1, 0x20000\n sb x2, 5(x1)", "unmapped memory at 0x20000005", second, "sb sp,5(ra)"),
        ("lui x1, 0xffff8\n lw x2, 0(x1)", "beyond the local memory at 0xffff8000", second, "lw sp,0(ra)"),
        ("li x1, 3\n vx_bar x0, x1", "than the number of warps", second, "vx_bar zero,ra"),
        ("lui x1, 0x20000\n jr x1", "unmapped memory at 0x20000000", "warp 0, pc 0x20000000", ""),
        ("la x1, 1f\n 1: jalr x0, 6(x1)", "jump target at 0x8000000e", "warp 0, pc 0x8000000e", ""),
        (OVERFLOW, "divergence stack overflow", "warp 0, pc 0x80000018: ", "vx_split"),
        (STALE, "instruction stored since the last fence.i", "warp 0, pc 0x80000010: ", "stored by warp 0"),
        ("here: j here", "not finished after 20000 cycles", first, "jal zero,0"),
        (ALONE, "nothing issued or completed", second, "vx_bar zero,ra (waits at a barrier"),
    ];
    let runs = failures(programs.map(|row| row.0), &["--check", "off", "--max-cycles", "20000"]);
    for ((text, reason, place, instruction), run) in programs.into_iter().zip(runs) {
        let failure = run["failure"].as_str().unwrap();
        for part in [reason, place, instruction] {
            assert!(failure.contains(part), "{text}: {part} is not in {failure}");
        }
    }
}

/// The same program is no mistake with FENCE.I, and a good one passes.
#[test]
fn without_the_check_good_programs_pass() {
    let fenced = STALE.replace("sw x1, 16(x1)\n nop", "lw x2, 8(x1)\n sw x2, 24(x1)\n fence.i\n nop");
    let (_dir, path) = program(Path::new("fenced.elf"), &fenced);
    let (output, runs) = tiny(&[path.to_str().unwrap(), "vecadd:20", "reduce:8", "--check", "off"]);
    expect(&output, 0);
    assert!(runs.iter().all(|run| run["result"] == "pass" && run["check"] == "off"), "{runs:?}");
    let model = sim(&["--preset", "tiny", "--json", "--engine", "model", path.to_str().unwrap()]);
    let run: serde_json::Value = serde_json::from_str(&stdout(&model)).unwrap();
    assert!(run["engine"] == "model" && run["check"] == "off" && run["cycles"] == runs[0]["cycles"], "{run}");
}

#[test]
fn a_program_finds_its_argument_and_raw_binaries_run() {
    let image = assemble(0x8000_0000, "csrr x1, mscratch\n sw x1, 0x88(x0)\n vx_tmc x0").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("raw.bin");
    std::fs::write(&path, &image.bytes).unwrap();
    let (output, runs) = tiny(&[path.to_str().unwrap(), "--arg", "0x2a"]);
    expect(&output, 1);
    assert_eq!(runs[0]["exit_code"], 42);
    // The same as an image of Vortex, elsewhere.
    let vxbin = dir.path().join("image.vxbin");
    let header = [0x9000_0000u64, 0x9000_0100].map(u64::to_le_bytes).concat();
    std::fs::write(&vxbin, [&header[..], &image.bytes].concat()).unwrap();
    let (output, runs) = tiny(&[vxbin.to_str().unwrap(), "--arg", "0"]);
    expect(&output, 0);
    assert_eq!(runs[0]["result"], "pass");
}

/// Each block leaves its number, and from the third instruction on its number and a hundred.
const GRID: &str = "li x5, 0\n j 1f\n li x5, 100\n 1: csrr x6, vx_cta_id\n add x5, x5, x6\n \
                    csrr x7, mscratch\n slli x6, x6, 2\n add x6, x6, x7\n sw x5, 0(x6)\n vx_tmc x0";

#[test]
fn files_run_as_grids() {
    let (_dir, path) = program(Path::new("grid.elf"), GRID);
    let grid = |more: &[&str]| {
        let usual = [path.to_str().unwrap(), "--grid", "3,2", "--block", "2,1,1"];
        let (output, runs) = tiny(&[&usual, more].concat());
        expect(&output, i32::from(runs[0]["result"] != "pass"));
        runs[0].clone()
    };
    let run = grid(&["--arg", "0x10000", "--cta-local", "32"]);
    assert_eq!((&run["result"], &run["exit_code"]), (&"pass".into(), &serde_json::Value::Null));
    let launch = serde_json::json!({
        "entry": "0x80000000", "arg": 0x10000, "grid": [3, 2, 1], "block": [2, 1, 1], "local_bytes": 32
    });
    assert_eq!(run["launches"], serde_json::json!([launch]));
    // The block whose number is 2 writes where the exit code is.
    let run = grid(&["--arg", "0x80"]);
    assert!(run["failure"].as_str().unwrap().contains("exit code 2"), "{run}");
    let run = grid(&["--arg", "0x80", "--start-pc", "0x80000008"]);
    assert_eq!((&run["exit_code"], &run["launches"][0]["entry"]), (&102.into(), &"0x80000008".into()));
    // Without a grid it has to have one.
    let (output, runs) = tiny(&[path.to_str().unwrap(), "--arg", "0x10000"]);
    expect(&output, 1);
    assert!(runs[0]["failure"].as_str().unwrap().contains("without an exit code"), "{}", runs[0]);
    assert!(runs[0].get("launches").is_none());
}

#[test]
fn files_start_at_a_symbol() {
    let path = kernels::select("grid_reduce:4").unwrap().build().unwrap();
    let grid = ["--grid", "1", "--block", "2", "--cta-local", "16"];
    let entry = |name| {
        let (output, runs) = tiny(&[&[path.to_str().unwrap(), "--entry", name], &grid[..]].concat());
        expect(&output, 0);
        runs[0]["launches"][0]["entry"].clone()
    };
    assert_eq!(entry("fold_values"), "0x80000000");
    assert_ne!(entry("fold_blocks"), "0x80000000");
}

#[test]
fn kernels_bring_their_grids() {
    let (output, runs) = tiny(&["grid_vecadd:21", "grid_reduce:21", "grid_histogram:21", "--mem", "fixed:7"]);
    expect(&output, 0);
    let counts = runs.iter().map(|run| run["launches"].as_array().unwrap().len());
    assert_eq!(counts.collect::<Vec<_>>(), [1, 2, 2]);
    assert_eq!(runs[0]["launches"][0]["grid"], serde_json::json!([6, 1, 1]));
}

/// What a launch of the block's size cannot do, and what never ends.
#[test]
fn grids_fail_with_a_reason() {
    for (text, reason) in [
        ("li x5, 0xffff0000\n lw x5, 8(x5)", "beyond the local memory at 0xffff0008"),
        ("csrr x5, vx_thread_id\n vx_split x6, x5\n vx_bar x0, x0", "divergent code"),
        ("li x5, 1\n li x6, 1\n vx_wspawn x5, x6", "illegal instruction"),
        // The block has two warps.
        ("li x5, 3\n vx_bar x0, x5", "than the number of warps"),
    ] {
        let (_dir, path) = program(Path::new("failing.elf"), text);
        let path = path.to_str().unwrap();
        let grid = [path, "--grid", "1", "--block", "4", "--cta-local", "8", "--max-cycles", "20000"];
        let (output, runs) = tiny(&grid);
        expect(&output, 1);
        let failure = runs[0]["failure"].as_str().unwrap();
        assert!(failure.contains(reason), "{reason}: {failure}");
    }
}

#[test]
fn dram_takes_its_time_and_counts_its_rows() {
    let run = |memory: &str| {
        let (output, runs) = tiny(&["vecadd:64", "--mem", memory]);
        expect(&output, 0);
        runs[0].clone()
    };
    let (ideal, dram, one_bank) = (run("ideal"), run("dram"), run("dram:banks=1,row=1024"));
    assert!(ideal.get("dram").is_none());
    let count = |run: &serde_json::Value, name: &str| run["dram"][name].as_u64().unwrap();
    let total =
        ["row_hits", "row_misses", "row_conflicts"].map(|name| count(&dram, name)).iter().sum::<u64>();
    assert_eq!(total, dram["memory_requests"].as_u64().unwrap());
    assert!(count(&one_bank, "row_conflicts") > count(&dram, "row_conflicts"));
    assert_eq!((count(&dram, "l2_hits"), count(&dram, "l2_misses")), (0, 0));
    let cached = run("dram:l2=16384,l2hit=1");
    assert_eq!(count(&cached, "l2_hits") + count(&cached, "l2_misses"), cached["memory_requests"]);
    assert!(
        count(&cached, "row_hits") < count(&dram, "row_hits")
            && cached["cycles"].as_u64() < dram["cycles"].as_u64()
    );
    let cycles = [&ideal, &dram, &one_bank].map(|run| run["cycles"].as_u64().unwrap());
    assert!(cycles.is_sorted() && cycles[0] < cycles[1] && cycles[1] < cycles[2], "{cycles:?}");
}

#[test]
fn predictions_stand_beside_what_is_measured() {
    // Another one of the simulators.
    let core =
        ["--warps", "1", "--threads", "1", "--icache", "128", "--load-slots", "1", "--oracle", "--draft"];
    let predict = |more: &[&str]| sim(&[&core[..], &["--sched", "swas:lrr", "--predict"], more].concat());
    let json = |more: &[&str]| {
        let output = predict(&[&["--json"], more].concat());
        expect(&output, 0);
        serde_json::from_str::<serde_json::Value>(&stdout(&output)).unwrap()
    };
    let run = json(&["empty"]);
    let prediction = &run["prediction"];
    assert_eq!(prediction["cycles_differing"], 0);
    for field in ["modelled_cycles", "measured_cycles", "cycles_compared"] {
        assert_eq!(prediction[field], run["cycles"], "{field}");
    }
    // Two grids: the core is not busy while it takes them.
    let prediction = &json(&["grid_reduce:3"])["prediction"];
    assert_eq!(prediction["cycles_differing"], 0);
    assert_eq!(prediction["modelled_cycles"], prediction["measured_cycles"]);
    let late = json(&["empty", "--jitter", "9", "--backpressure", "20", "--seed", "3"]);
    assert!(late["cycles"].as_u64() > run["cycles"].as_u64());
    assert_eq!(late["prediction"]["cycles_differing"], 0);
    let people = predict(&["empty"]);
    expect(&people, 0);
    assert!(stdout(&people).contains("; 0 of "), "{}", stdout(&people));
}

/// The cache is bounded, can be emptied, and mends itself.
#[test]
fn the_cache_of_simulators_is_cleaned_and_mended() {
    let dir = tempfile::tempdir().unwrap();
    crate::simulators::share_runtime(dir.path());
    let run = |arguments: &[&str], size: &str| {
        Command::new(env!("CARGO_BIN_EXE_sim"))
            .args(arguments)
            .env("HEDDLE_CACHE", dir.path())
            .env("HEDDLE_CACHE_SIZE", size)
            .output()
            .unwrap()
    };
    let files = |folder: &str, extension: &str| {
        let files = std::fs::read_dir(dir.path().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|e| e == extension)).collect::<Vec<_>>()
    };
    let models = || files("", "so");
    let one_lane =
        ["--warps", "1", "--threads", "1", "--no-fpu", "--no-dcache", "--icache", "256", "--draft"];
    let empty = [&one_lane[..], &["empty"]].concat();
    expect(&run(&empty, "1"), 0);
    assert_eq!(models().len(), 1, "a run's own simulator stays, however small the cache");

    std::fs::write(&models()[0], "rubbish").unwrap();
    // Beside it is the runtime that it was compiled with.
    let kernel = files("kernels", "elf").remove(0);
    std::fs::File::options().write(true).open(&kernel).unwrap().set_len(100).unwrap();
    let mended = run(&empty, "");
    expect(&mended, 0);
    assert!(stderr(&mended).contains("was damaged and has been built again"), "{}", stderr(&mended));

    let wrong = run(&empty, "much");
    expect(&wrong, 1);
    assert!(stderr(&wrong).contains("HEDDLE_CACHE_SIZE is \"much\""), "{}", stderr(&wrong));

    let cleaned = run(&["--cache-clean"], "");
    expect(&cleaned, 0);
    assert!(
        stdout(&cleaned).contains("removed ") && stdout(&cleaned).contains("1 of kernels"),
        "{}",
        stdout(&cleaned)
    );
    assert_eq!((models().len(), kernel.exists()), (0, false));
    assert!(stdout(&run(&["--cache-clean"], "")).contains("removed 0.0 MiB"));
    expect(&run(&["--cache-clean", "hello"], ""), 2);
}

#[test]
fn waves_are_written_for_each_program() {
    let dir = tempfile::tempdir().unwrap();
    let wave = dir.path().join("w.fst");
    let small = ["--warps", "1", "--threads", "1", "--no-dcache"];
    let (output, _) = tiny(
        &[&small[..], &["hello", "empty", "--wave", wave.to_str().unwrap(), "--wave-to", "100"]].concat(),
    );
    expect(&output, 0);
    for name in ["w-hello.fst", "w-empty.fst"] {
        assert!(std::fs::metadata(dir.path().join(name)).unwrap().len() > 1000, "{name}");
    }
}

/// A simulator takes long to build: here there is none, and whoever begins with it says so.
fn without_verilator(arguments: &[&str]) -> Output {
    let sim = &mut Command::new(env!("CARGO_BIN_EXE_sim"));
    sim.args(arguments).env("VERILATOR", "/nonexistent/verilator").output().unwrap()
}

#[test]
fn a_wave_file_that_cannot_be_written_is_told_before_the_simulator_is_built() {
    let dir = tempfile::tempdir().unwrap();
    let directory = dir.path().to_str().unwrap();
    for (wave, reason) in [
        ("/nonexistent/w.fst", "cannot write /nonexistent/w.fst: No such file or directory"),
        ("/dev/null/w.fst", "cannot write /dev/null/w.fst: Not a directory"),
        (directory, "is a directory"),
    ] {
        let output = without_verilator(&["hello", "--wave", wave]);
        expect(&output, 1);
        let message = stderr(&output);
        assert!(message.contains(reason) && message.contains(wave), "{message}");
        assert!(message.matches("os error").count() <= 1, "{message}");
    }
    // With several programs the names differ: one of them is a directory.
    std::fs::create_dir(dir.path().join("w-empty.fst")).unwrap();
    let wave = dir.path().join("w.fst");
    let output = without_verilator(&["hello", "empty", "--wave", wave.to_str().unwrap()]);
    expect(&output, 1);
    assert!(stderr(&output).contains("w-empty.fst"), "{}", stderr(&output));
    // Nothing is left behind, and what is there stays as it is.
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    std::fs::write(&wave, "mine").unwrap();
    let output = without_verilator(&["hello", "--wave", wave.to_str().unwrap()]);
    expect(&output, 1);
    assert!(stderr(&output).contains("apt install verilator"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(&wave).unwrap(), "mine");
}

/// With several slices there is an error to make in each of them, in every cycle.
#[test]
fn the_error_rate_is_of_all_issue_slots() {
    let slices = ["--warps", "4", "--threads", "1", "--slices", "2", "--no-dcache"];
    let policies = ["--oracle", "--fetch", "gtlo", "--issue", "lrr"];
    let (output, runs) = tiny(&[&slices[..], &policies, &["psort:16"]].concat());
    expect(&output, 0);
    for part in [&runs[0], &runs[0]["parallel"]] {
        let [errors, cycles] = ["errors", "cycles"].map(|field| part[field].as_f64().unwrap());
        assert!(errors > 0.0, "{part}");
        let rate = part["error_rate"].as_f64().unwrap();
        assert!((rate - errors / (2.0 * cycles)).abs() < 1e-5, "{part}");
    }
}

/// What a program says when its standard output is that file.
fn into(file: &str, program: &str, arguments: &[&str]) -> Output {
    let file = std::fs::OpenOptions::new().write(true).open(file).unwrap();
    Command::new(program).args(arguments).stdout(file).output().unwrap()
}

/// What a program says when nobody reads what it prints.
fn into_a_closed_pipe(program: &str, arguments: &[&str]) -> Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    Command::new(program).args(arguments).stdout(writer).output().unwrap()
}

#[test]
fn a_full_or_closed_standard_output_is_no_panic() {
    let out = tempfile::tempdir().unwrap();
    let directory = out.path().to_str().unwrap();
    let (_dir, failing) = program(Path::new("failing.elf"), ".word 0xffffffff");
    let failing = [&TINY[..3], &[failing.to_str().unwrap()]].concat();
    let [gen, sim, bench, fpga] = [
        env!("CARGO_BIN_EXE_gen"),
        env!("CARGO_BIN_EXE_sim"),
        env!("CARGO_BIN_EXE_bench"),
        env!("CARGO_BIN_EXE_fpga"),
    ];
    for (program, arguments, code) in [
        (gen, &["--list"][..], 0),
        (gen, &["--list", "--json"], 0),
        (gen, &["--preset", "tiny", "--out", directory], 0),
        (gen, &["--preset", "tiny", "--out", directory, "--json"], 0),
        (gen, &["--help"], 0),
        (sim, &["--list-kernels"], 0),
        (sim, &["--help"], 0),
        (sim, &["--version"], 0),
        (sim, &[&TINY[..], &["empty"]].concat(), 0),
        (sim, &[&TINY[..3], &["hello", "empty"]].concat(), 0),
        (sim, &failing, 1),
        (bench, &["--list"], 0),
        (bench, &["--help"], 0),
        (fpga, &["--help"], 0),
    ] {
        let closed = into_a_closed_pipe(program, arguments);
        expect(&closed, code);
        assert_eq!(stderr(&closed).contains("error"), code == 1, "{arguments:?}: {}", stderr(&closed));
        assert!(!stderr(&closed).contains("standard output"), "{arguments:?}: {}", stderr(&closed));
        let full = into("/dev/full", program, arguments);
        expect(&full, 1);
        let reason = "error: cannot write to standard output: No space left on device (os error 28)\n";
        assert!(stderr(&full).ends_with(reason), "{arguments:?}: {}", stderr(&full));
    }
}
