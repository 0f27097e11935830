//! What is said of a warp that waits for a flag under a policy that never lets the one issue that stores it.

use std::path::Path;
use std::process::Command;

use isa::asm::assemble;

/// A core of the simulators, "odd": three warps under `fixed`.
const ODD: [&str; 12] = [
    "--warps",
    "3",
    "--threads",
    "2",
    "--no-fpu",
    "--dcache",
    "256:4:wb",
    "--mshrs",
    "2",
    "--sched",
    "fixed",
    "--draft",
];

/// All warps but the last load a flag again and again, so that one of them is always ready; the last takes a while and
/// then sets it.
fn flag() -> String {
    let nops = "nop\n".repeat(30);
    format!(
        "li x8, 0x20000\n sw x0, 0(x8)\n li x5, 3\n la x6, warps\n vx_wspawn x5, x6
        warps: csrr x7, vx_warp_id\n li x8, 0x20000\n li x9, 2\n beq x7, x9, last
        spin: lw x10, 0(x8)\n {nops} beq x10, x0, spin\n j end
        last: li x11, 500\n wait: addi x11, x11, -1\n bne x11, x0, wait
        sw x9, 0(x8)\n end: sw x0, 0x88(x0)\n vx_tmc x0"
    )
}

/// The record of a program's run that does not end within so many cycles.
fn endless_run(options: &[&str], cycles: u64, program: &Path) -> serde_json::Value {
    let mut sim = Command::new(env!("CARGO_BIN_EXE_sim"));
    let limit = cycles.to_string();
    let output = sim.args(options).args(["--max-cycles", &limit, "--json"]).arg(program).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let run: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let said = format!("not finished after {cycles} cycles");
    assert!(run["failure"].as_str().unwrap().contains(&said), "{run}");
    run
}

/// The same of an assembler text, on the odd core.
fn endless(text: &str) -> serde_json::Value {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("endless.elf");
    std::fs::write(&path, assemble(0x8000_0000, text).unwrap().to_elf()).unwrap();
    endless_run(&ODD, 20000, &path)
}

#[test]
fn a_run_without_end_names_the_warps_that_never_come_to_issue() {
    let run = endless(&flag());
    let [starved] = &run["starved"].as_array().unwrap()[..] else { panic!("{run}") };
    assert_eq!((&starved["warp"], &run["issue"]), (&2.into(), &"fixed".into()));
    let since = starved["since"].as_u64().unwrap();
    assert!(since < 1000, "{since}");
    let said = format!("waits for its turn or for a unit, and has not issued: warp 2 since cycle {since}\n");
    let failure = run["failure"].as_str().unwrap();
    assert!(failure.contains(&said) && failure.contains("(fetch fixed, issue fixed)"), "{failure}");
}

#[test]
fn who_issues_or_waits_is_not_starved() {
    for text in [
        // Both loop, and one cannot fetch where the other does.
        "li x5, 2\n la x6, spin\n vx_wspawn x5, x6\n spin: j spin",
        // The first waits at a barrier to which the second does not come.
        "li x5, 2\n la x6, spin\n vx_wspawn x5, x6\n vx_bar x0, x5\n spin: j spin",
    ] {
        let run = endless(text);
        assert!(run.get("starved").is_none(), "{run}");
    }
}

/// What `lrr` promises is of a warp that could issue in every cycle (docs/SCHEDULERS.md, section 2), and this one could not.
#[test]
fn a_warp_may_be_passed_over_for_ever_under_lrr_too() {
    for policy in ["lrr", "swas:lrr"] {
        let options = ["--engine", "model", "--mem", "fixed:20", "--sched", policy];
        let run = endless_run(&options, 50000, Path::new("tests/fixtures/passed_over.c"));
        let since = run["starved"][0]["since"].as_u64().unwrap();
        assert!(run["starved"][0]["warp"] == 2 && since < 2000, "{policy}: {run}");
        // So is the wait that is told of it, which has not ended.
        let wait = run["waits"].as_array().unwrap().iter().find(|wait| wait["warp"] == 2).unwrap();
        assert!(wait["cycles"].as_u64().unwrap() > 45000, "{policy}: {wait}");
    }
}
