//! The harness on a hand-written core of one warp and one lane: correct, it passes; with any of a set of
//! bugs put into its Verilog, the check that is responsible finds it and says where. A short run takes some of the bugs.

use crate::sample;
use cosim::memory::{Disturbance, MemoryKind};
use cosim::verilator::BuildOptions;
use cosim::{Check, FailureKind, Report, RunOptions, Simulation};
use isa::asm::assemble;
use loader::Program;
use spec::config::CoreConfig;

const CORE: &str = include_str!("cosim/minimal_core.v");

/// Sums the words 10, 9, .. 1 that it first stores, prints the letters A to J, and exits with the sum - 55.
const PROGRAM: &str = "
        lui   x5, 0x10          # 0x10000
        addi  x6, x0, 10
        addi  x7, x0, 0
        addi  x9, x0, 65
loop:   sw    x6, 0(x5)
        lw    x8, 0(x5)
        add   x7, x7, x8
        addi  x5, x5, 4
        sw    x9, 0x40(x0)
        addi  x9, x9, 1
        addi  x6, x6, -1
        bne   x6, x0, loop
        addi  x7, x7, -55
        sw    x7, 0x88(x0)
        fence
        vx_tmc x0
";

fn config() -> CoreConfig {
    let mut cfg = CoreConfig {
        warps: 1,
        threads: 1,
        counters: false,
        fpu: false,
        grid: false,
        ..CoreConfig::default()
    };
    cfg.dcache.bytes = 0;
    cfg
}

fn core(verilog: &str) -> Simulation {
    let (mut ports, mut ties) = (String::new(), String::new());
    let own: Vec<_> = CORE.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    for (range, name) in trace_ports().iter().filter(|(_, name)| !own.contains(&name.as_str())) {
        ports += &format!("    output {range} {name},\n");
        ties += &format!("assign {name} = 0;\n");
    }
    let verilog = verilog.replace("module heddle(\n", &format!("module heddle(\n{ports}"));
    let verilog = verilog.replace("endmodule", &format!("{ties}endmodule"));
    Simulation::from_verilog(&config(), &verilog, &BuildOptions::draft()).unwrap()
}

/// Range and name of each port of the trace of a generated core.
fn trace_ports() -> Vec<(String, String)> {
    let design = rtl::generate(&config(), &[]).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let top = design.modules.iter().find(|module| module.name == design.top).expect("the core");
    let port = |line: &str| {
        let words: Vec<_> =
            line.trim().strip_prefix("output ")?.split("//").next()?.split_whitespace().collect();
        let name = words.last()?.trim_end_matches(',');
        let range = words.iter().find(|word| word.starts_with('[')).copied().unwrap_or_default();
        name.starts_with("trace_").then(|| (range.to_owned(), name.to_owned()))
    };
    top.text.lines().filter_map(port).collect()
}

/// The core with one place of its Verilog changed.
fn broken_core(from: &str, to: &str) -> Simulation {
    assert_eq!(CORE.matches(from).count(), 1, "{from}");
    core(&CORE.replace(from, to))
}

fn program(text: &str) -> Program {
    Program::from_image("p", &assemble(0x8000_0000, text).unwrap()).unwrap()
}

fn run(core: &Simulation, text: &str, options: &RunOptions) -> Report {
    core.run(&program(text), options).unwrap()
}

/// The message of a run that must fail.
fn message(report: &Report) -> String {
    report.failure.as_ref().expect("a failure").to_string()
}

#[test]
fn a_correct_core_passes_on_every_memory() {
    let core = core(CORE);
    let mut cycles = Vec::new();
    for memory in [MemoryKind::Ideal, MemoryKind::Fixed(1), MemoryKind::Fixed(50)] {
        let report = run(&core, PROGRAM, &RunOptions { memory, ..RunOptions::default() });
        assert!(report.passed(), "{}", message(&report));
        assert_eq!(report.exit_code(), Some(0));
        assert_eq!(report.stats.warp_instructions, 4 + 8 * 10 + 4);
        assert_eq!(report.stats.slots.total(), report.stats.cycles);
        assert_eq!(report.memory.read(0x1_0000, 4), Ok(10));
        cycles.push(report.stats.cycles);
    }
    assert_eq!(cycles[0], cycles[1]);
    // 88 fetches and 10 loads, each 49 cycles slower.
    assert_eq!(cycles[2], cycles[0] + 98 * 49);
}

#[test]
fn disturbed_memory_changes_cycles_but_not_results_and_repeats_with_its_seed() {
    let core = core(CORE);
    let disturbance = Disturbance { backpressure_percent: 30, jitter: 7 };
    let cycles = |seed| {
        let report = run(&core, PROGRAM, &RunOptions { disturbance, seed, ..RunOptions::default() });
        assert!(report.passed(), "{}", message(&report));
        report.stats.cycles
    };
    assert_eq!(cycles(1), cycles(1));
    assert_ne!(cycles(1), cycles(2));
}

#[test]
fn every_kind_of_bug_is_found_and_named() {
    let bugs = vec![
        ("rs1 + (opcode == 7'h13", "rs1 - (opcode == 7'h13", "x6 of lane 0"),
        (
            "assign trace_commit_rd = {1'b0, rd}",
            "assign trace_commit_rd = {1'b0, rd ^ 5'd1}",
            "no instruction expects",
        ),
        ("opcode == 7'h63 && rs1 != rs2", "opcode == 7'h63 && rs1 == rs2", "issued instruction"),
        ("assign trace_access_data = rs2", "assign trace_access_data = rs2 ^ 1", "store data of lane 0"),
        (
            "assign trace_access_addr = address",
            "assign trace_access_addr = address + 4",
            "store address of lane 0",
        ),
        ("(is_store || rd != 0)", "!is_store", "load or store"),
        ("(is_store || rd != 0)", "address != 32'h88", "behind a fence"),
        ("(is_store || rd != 0)", "is_store", "before the load is performed"),
        ("assign trace_access_store = is_store", "assign trace_access_store = !is_store", "load or store"),
        (
            "assign trace_commit_valid = state == COMMIT",
            "assign trace_commit_valid = 0",
            "earlier write to x7",
        ),
        ("64'hf << address", "(address == 32'h88 ? 64'h7 : 64'hf) << address", "memory word 0x00000088"),
        (
            "assign trace_fetch_grant_oh = state == FETCH",
            "assign trace_fetch_grant_oh = 0",
            "the fetch scheduler of slice 0 (lrr)",
        ),
        (
            "assign trace_issue_sched_grant_oh = state == ISSUE",
            "assign trace_issue_sched_grant_oh = 1",
            "slice 0 (lrr)",
        ),
        ("opcode == 7'h0b && rs1[0] == 0", "opcode == 7'h0f", "end of the program"),
        (
            "assign mem_req_tag = state == FETCH ? 8'h80",
            "assign mem_req_tag = 1'b1 ? 8'h80",
            "instruction cache stores",
        ),
        ("trace_issue_tmask = 1", "trace_issue_tmask = 0", "lanes 0x0"),
    ];
    for (from, to, expected) in sample::some(bugs, 5, 0) {
        let report = run(&broken_core(from, to), PROGRAM, &RunOptions::default());
        let text = message(&report);
        assert!(text.contains(expected), "{from} -> {to}: expected `{expected}` in\n{text}");
        assert!(text.contains("seed 1") && text.contains("1 warps x 1 threads"), "{text}");
        assert!(!report.passed());
    }
}

#[test]
fn a_mismatch_shows_place_values_and_what_came_before() {
    let report = run(
        &broken_core("rs1 + (opcode == 7'h13", "rs1 - (opcode == 7'h13"),
        PROGRAM,
        &RunOptions::default(),
    );
    let text = message(&report);
    for part in ["warp 0, pc 0x80000004", "addi", "0x0000000a", "0xfffffff6", "last agreeing", "lui"] {
        assert!(text.contains(part), "`{part}` in\n{text}");
    }
}

#[test]
fn a_request_that_is_withdrawn_breaks_the_protocol() {
    let core = broken_core(
        "FETCH: if (mem_req_ready) state <= FILL;",
        "FETCH: if (mem_req_ready) state <= FILL; else pc <= pc ^ 64;",
    );
    let disturbance = Disturbance { backpressure_percent: 50, jitter: 0 };
    let report = run(&core, PROGRAM, &RunOptions { disturbance, ..RunOptions::default() });
    assert!(message(&report).contains("changed its request"), "{}", message(&report));
}

#[test]
fn faults_on_which_hardware_and_model_agree_name_the_instruction() {
    let core = core(CORE);
    for (text, what) in [
        ("addi x1, x0, 2\n lw x2, 0(x1)\n vx_tmc x0", "misaligned load at 0x00000002"),
        ("addi x1, x0, 3\n sw x2, 0(x1)\n vx_tmc x0", "misaligned store at 0x00000003"),
        ("lui x1, 0x20000\n lw x2, 8(x1)\n vx_tmc x0", "access to unmapped memory at 0x20000008"),
        ("lui x1, 0x20000\n sw x2, 8(x1)\n vx_tmc x0", "access to unmapped memory at 0x20000008"),
        ("addi x1, x0, 1\n .word 0xffffffff", "illegal instruction"),
    ] {
        for check in [Check::Lockstep, Check::Off] {
            let report = run(&core, text, &RunOptions { check, ..RunOptions::default() });
            let message = message(&report);
            assert!(matches!(report.failure.as_ref().unwrap().kind, FailureKind::Fault { .. }), "{message}");
            if check == Check::Lockstep {
                assert!(message.contains(what), "`{what}` in\n{message}");
                assert!(message.contains("pc 0x80000004"), "{message}");
            }
        }
    }
}

#[test]
fn running_off_the_end_is_a_fault() {
    let report = run(&core(CORE), &"addi x1, x1, 1\n".repeat(16), &RunOptions::default());
    let text = message(&report);
    // What nobody has written is no instruction.
    assert!(text.contains("illegal instruction") && text.contains("pc 0x80000040"), "{text}");
}

#[test]
fn a_fault_that_only_one_side_sees_is_a_mismatch() {
    let load = "lui x1, 0x10\n lw x2, 2(x1)\n vx_tmc x0";
    let report = run(
        &broken_core("wire misaligned = (is_load || is_store)", "wire misaligned = is_store"),
        load,
        &RunOptions::default(),
    );
    assert!(message(&report).contains("fault that the hardware does not report"), "{}", message(&report));
    let report = run(
        &broken_core("assign fault_cause = !is_legal ? 1 : is_load ? 2 : 3", "assign fault_cause = 3"),
        load,
        &RunOptions::default(),
    );
    assert!(message(&report).contains("mismatch"), "{}", message(&report));
    let report = run(&broken_core("address[1:0] != 0;", "1;"), PROGRAM, &RunOptions::default());
    assert!(message(&report).contains("fault that the model does not see"), "{}", message(&report));
}

#[test]
fn hangs_and_long_runs_say_where_the_warp_is() {
    let stuck = broken_core("if (mem_rsp_valid) begin\n        result", "if (0) begin\n        result");
    for (check, part) in [(Check::Lockstep, "stall_scoreboard"), (Check::Off, "lw")] {
        let report = run(&stuck, PROGRAM, &RunOptions { check, ..RunOptions::default() });
        let text = message(&report);
        assert!(text.contains("hang") && text.contains("warp 0") && text.contains(part), "{text}");
    }
    let report = run(
        &core(CORE),
        "loop: addi x1, x1, 1\n bne x1, x0, loop",
        &RunOptions { max_cycles: 1000, ..RunOptions::default() },
    );
    let text = message(&report);
    assert!(text.contains("not finished after 1000 cycles") && text.contains("pc 0x8000000"), "{text}");
}

#[test]
fn an_exit_code_other_than_zero_is_not_a_pass() {
    let report = run(&core(CORE), "addi x1, x0, 7\n sw x1, 0x88(x0)\n vx_tmc x0", &RunOptions::default());
    assert!(report.failure.is_none() && !report.passed());
    assert_eq!(report.exit_code(), Some(7));
}
