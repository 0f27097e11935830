//! Warp sharing in whole cores, in lock step: programs in which it must happen, and planted faults that the check must notice.

use cosim::memory::MemoryKind;
use cosim::verilator::BuildOptions;
use cosim::{Report, RunOptions, Simulation};
use hdl::verilog::Module;
use isa::asm::assemble;
use isa::random::{program, Shape};
use loader::Program;
use spec::config::CoreConfig;

use crate::rtl_bench::assert_parts;
use crate::sample::{seeds, some};
use crate::simulators;

const CODE: u32 = 0x8000_0000;
/// Where each warp stores what it has computed.
const RESULTS: u32 = 0x4_0000;

/// Of "four slices".
const WARPS: u32 = 8;

/// Warps of slices 0 to 2.
fn workers() -> impl Iterator<Item = u32> {
    (0..WARPS).filter(|warp| warp % 4 != 3)
}

/// All warps start; those of slice 3 end at once, the others do `work` and store x10.
fn run(work: &str) -> Report {
    let source = format!(
        "li x5, {WARPS}\n la x6, warp\n vx_wspawn x5, x6\n\
         warp:\n csrr x7, vx_warp_id\n andi x8, x7, 3\n addi x8, x8, -3\n beqz x8, end\n\
         slli x9, x7, 2\n li x11, {RESULTS}\n add x11, x11, x9\n\
         {work}\n sw x10, 0(x11)\n\
         end:\n vx_tmc x0\n"
    );
    let image = assemble(CODE, &source).unwrap_or_else(|e| panic!("{e}: {source}"));
    let program = Program::from_image("sharing", &image).unwrap();
    let cores = simulators::cores("four slices");
    let core = cores.iter().find(|core| core.config().issue == "kaws").expect("a core of that policy");
    let options = RunOptions { memory: MemoryKind::Fixed(20), ..RunOptions::default() };
    let report = core.run(&program, &options).unwrap();
    assert!(report.passed(), "{:?}", report.failure);
    report
}

/// Three slices divide, each with one divider; that of the fourth alone is free.
#[test]
fn divisions_of_busy_slices_are_done_in_the_one_that_is_free() {
    let division = "li x12, 0x7ffffff0\n addi x13, x7, 3\n divu x14, x12, x13\n remu x15, x12, x13\n add x10, x14, x15\n";
    let report = run(&division.repeat(6));
    for warp in workers() {
        let divisor = warp + 3;
        let expected = 0x7fff_fff0 / divisor + 0x7fff_fff0 % divisor;
        assert_eq!(report.memory.read(RESULTS + 4 * warp, 4), Ok(expected), "warp {warp}");
    }
    let shared = report.stats.shared.expect("slices share warps");
    // Of 72 divisions about a fourth finds the fourth divider.
    assert!(shared.special >= 10, "{shared:?}");
    // Every slot of every slice is in one class.
    let slots = report.stats.slots_of;
    assert!(slots.iter().all(|slots| slots.total() == report.stats.cycles), "{slots:?}");
    let issued: u64 = slots.iter().map(|slots| slots.issued).sum();
    assert_eq!(issued, report.stats.warp_instructions);
    // What it takes for others is its own slots', beside the five instructions of each of its own two warps.
    assert!(slots[3].issued > 2 * 5 + 10, "{slots:?}, {shared:?}");
}

/// Stores and loads of the same words, one after another: whatever goes to another slice's queue stays in order.
#[test]
fn accesses_of_a_warp_stay_in_order_in_other_slices() {
    let accesses =
        "addi x10, x10, 1\n sw x10, 64(x11)\n lw x12, 64(x11)\n sw x12, 128(x11)\n lw x10, 128(x11)\n";
    let report = run(&format!("li x10, 0\n{}", accesses.repeat(20)));
    for warp in workers() {
        assert_eq!(report.memory.read(RESULTS + 4 * warp, 4), Ok(20), "warp {warp}");
    }
}

/// Banks of registers, a module, a text that it has once, and what a fault makes of it.
type Fault = (usize, &'static str, &'static str, &'static str);
const FAULTS: [Fault; 10] = [
    // An operand stage that holds in this cycle is known too late; what is in one, or in the collector behind it, takes room.
    (0, "IssueSlice", "assign state_full[2] = held;", "assign state_full[2] = operand_stall;"),
    (0, "IssueBack", "sp_empty = !operand_sp_valid & ", "sp_empty = "),
    (
        0,
        "IssueBack",
        "sp_empty = !operand_sp_valid & !sp_collector_sp_valid;",
        "sp_empty = !operand_sp_valid;",
    ),
    (0, "IssueBack", "sfu_free = !operand_sfu_valid & ", "sfu_free = "),
    // A queue that is never full; one that never has room.
    (0, "IssueSlice", "assign state_room[0] = back_mem_free;", "assign state_room[0] = 1'b1;"),
    (0, "IssueSlice", "assign state_room[1] = back_sfu_free;", "assign state_room[1] = 1'b0;"),
    // Of what leaves a collector in the cycle in which another enters nothing is known.
    (0, "ClassOrder", "if (enters_warps[w] & !leaving)", "if (enters_warps[w])"),
    // With operand collectors: a shared warp's words do not come; a warp overtakes what it has in a collector, here or elsewhere.
    (2, "CollectorUnit", "visited <= enter & visit;", "visited <= 1'b0;"),
    (2, "WarpSharing", "data_ready_warps & ~collecting_warps", "data_ready_warps"),
    (2, "Scoreboard", " |\n        absent_collecting_warps;", ";"),
];

/// What is said of random programs.
fn noticed(core: &Simulation) -> Option<String> {
    seeds(0, 20).find_map(|seed| {
        let image = program(seed, &Shape::core(core.config(), 80));
        let program = Program::from_image(&format!("random program {seed}"), &image).unwrap();
        let memory = MemoryKind::Fixed(seed as u32 % 40);
        let report = core.run(&program, &RunOptions { memory, seed, ..RunOptions::default() }).unwrap();
        report.failure.map(|failure| failure.to_string())
    })
}

#[test]
fn planted_faults_are_noticed() {
    let core = |register_banks| {
        let small = CoreConfig {
            warps: 8,
            threads: 1,
            fpu: false,
            grid: false,
            counters: false,
            ..CoreConfig::default()
        };
        CoreConfig { slices: 4, issue: "kaws".into(), register_banks, collectors: 1, ..small }
    };
    let designs = [0, 2].map(|banks| (banks, rtl::generate(&core(banks), &[]).unwrap()));
    let design = |banks| &designs.iter().find(|(of, _)| *of == banks).expect("one of them").1;
    for (banks, module, from, _) in FAULTS {
        let text =
            &design(banks).modules.iter().find(|m| m.name == module).expect("a module of the core").text;
        assert_eq!(text.matches(from).count(), 1, "{from} in {module}");
    }
    let options = BuildOptions { lint: false, ..simulators::options() };
    for (banks, module, from, to) in some(FAULTS.to_vec(), 1, 0) {
        let text = |m: &Module| match m.name == module {
            true => m.text.replace(from, to),
            false => m.text.clone(),
        };
        let texts: String = design(banks).modules.iter().map(text).collect();
        let faulty = Simulation::from_verilog(&core(banks), &texts, &options).unwrap();
        let said = noticed(&faulty).unwrap_or_else(|| panic!("{module}: {from} -> {to} is not noticed"));
        println!("{module}: {from} -> {to}\n  {}", said.lines().next().unwrap_or(""));
    }
}

/// Both ways of a shared instruction: the guest's operands, and its result on the way home.
#[test]
fn the_cores_share_through_these_parts() {
    let core = &simulators::cores("four slices")[0];
    let cfg = CoreConfig { kaws_sharing: Some(true), ..core.config().clone() };
    let design = rtl::generate(&cfg, &[]).unwrap();
    assert_parts(&design, &["GuestRegisters", "ResultSplit", "ResultReturn"]);
}
