//! Operand collectors in whole cores: conflicts where they must be, and planted faults that the check must notice.

use cosim::memory::MemoryKind;
use cosim::verilator::BuildOptions;
use cosim::{CollectorStats, RunOptions, Simulation};
use hdl::verilog::Module;
use isa::asm::assemble;
use isa::random::{program, Shape};
use loader::Program;
use spec::config::CoreConfig;

use crate::rtl_bench::assert_parts;
use crate::{sample, simulators};

/// How often each instruction under test stands in its program.
const TIMES: usize = 50;

/// What one warp alone waits for in these instructions, each for a register that the last one wrote or not.
fn counts(instruction: &str) -> CollectorStats {
    let source = format!("{}vx_tmc x0\n", format!("{instruction}\n").repeat(TIMES));
    let image = assemble(0x8000_0000, &source).unwrap_or_else(|e| panic!("{e}: {source}"));
    let program = Program::from_image("conflicts", &image).unwrap();
    let report = simulators::core("banked").run(&program, &RunOptions::default()).unwrap();
    assert!(report.passed(), "{instruction}: {:?}", report.failure);
    report.stats.collectors.expect("a core with operand collectors")
}

/// Warp 0 and four banks: a register's bank is its number modulo 4.
#[test]
fn registers_of_a_bank_are_read_one_a_cycle() {
    for (instruction, waits) in [
        ("add x10, x1, x2", 0),
        ("add x10, x1, x5", 1),
        // The same register is read once, and x0 not at all.
        ("add x10, x5, x5", 0),
        ("add x10, x0, x4", 0),
        ("sw x8, 256(x4)", 1),
        // Registers 33, 37 and 41; then only the last two in one bank.
        ("fmadd.s f10, f1, f5, f9", 2 + 1),
        ("fmadd.s f10, f2, f5, f9", 1),
        // An integer register and one of the other file.
        ("fsw f4, 256(x4)", 1),
    ] {
        assert_eq!(counts(instruction).bank_waits, (waits * TIMES) as u64, "{instruction}");
    }
}

/// A division takes the one divider for long: those behind it fill the special unit's collectors, and no others.
#[test]
fn what_is_busy_is_counted() {
    let source = "li x5, 8\n la x6, warp\n vx_wspawn x5, x6\n\
                  warp:\n li x1, 0x7fffffff\n li x2, 3\n";
    let source = format!("{source}{}vx_tmc x0\n", "divu x3, x1, x2\n".repeat(8));
    let program = Program::from_image("divisions", &assemble(0x8000_0000, &source).unwrap()).unwrap();
    let report = simulators::core("banked").run(&program, &RunOptions::default()).unwrap();
    assert!(report.passed(), "{:?}", report.failure);
    let counts = report.stats.collectors.unwrap();
    // Two slices, 32 divisions each of at least 16 cycles.
    assert!(counts.special_full > 2 * 32 * 10, "{counts:?}");
    assert!(counts.memory_full == 0 && counts.arithmetic_full < counts.special_full / 10, "{counts:?}");
}

/// A read of a register that does not exist waits behind divisions, and its warp jumps meanwhile: the fault is reported.
#[test]
fn a_warp_goes_on_until_its_fault_is_noticed() {
    let source = "li x5, 8\n la x6, warp\n vx_wspawn x5, x6\n\
                  warp:\n li x1, 0x7fffffff\n li x2, 3\n divu x3, x1, x2\n csrr x4, 0x123\n\
                  on:\n addi x7, x7, 1\n beqz x3, on\n j on\n";
    let program = Program::from_image("a fault", &assemble(0x8000_0000, source).unwrap()).unwrap();
    let report = simulators::core("banked").run(&program, &RunOptions::default()).unwrap();
    let failure = report.failure.expect("a fault").to_string();
    assert!(failure.starts_with("fault in cycle") && failure.contains("illegal CSR access"), "{failure}");
}

/// A module, a text that it has once, and what a fault makes of it.
const FAULTS: [(&str, &str, &str); 4] = [
    // Results are right, but not the time: memory's room is asked for by all.
    ("BankedOperands", "if (room[k])", "if (room[0])"),
    // A warp issues when its registers are read, and not when it has left.
    ("BankedOperands", "if (busy[u])", "if (busy[u] & !complete[u])"),
    // Results are wrong: the word that is still to arrive is not waited for; what is written goes by its number alone.
    ("CollectorUnit", "complete = 1'b0;", "complete = found;"),
    ("BankedOperands", "assign place = commit_rd + {4'd0, commit_wid};", "assign place = commit_rd;"),
];

/// What is said of random programs.
fn noticed(core: &Simulation) -> Option<String> {
    sample::seeds(0, 20).find_map(|seed| {
        let image = program(seed, &Shape::core(core.config(), 80));
        let program = Program::from_image(&format!("random program {seed}"), &image).unwrap();
        let memory = MemoryKind::Fixed(seed as u32 % 20);
        let report = core.run(&program, &RunOptions { memory, seed, ..RunOptions::default() }).unwrap();
        report.failure.map(|failure| failure.to_string())
    })
}

#[test]
fn planted_faults_are_noticed() {
    let cfg = CoreConfig { threads: 1, fpu: false, grid: false, register_banks: 2, ..CoreConfig::default() };
    let options = BuildOptions { lint: false, ..simulators::options() };
    let core = Simulation::new(&cfg, &options).unwrap();
    assert_eq!(noticed(&core), None);
    let design = rtl::generate(&cfg, &[]).unwrap();
    for (module, from, _) in FAULTS {
        let text = &design.modules.iter().find(|m| m.name == module).expect("a module of the core").text;
        assert_eq!(text.matches(from).count(), 1, "{from} in {module}");
    }
    for (module, from, to) in sample::some(FAULTS.to_vec(), 1, 0) {
        let text = |m: &Module| match m.name == module {
            true => m.text.replace(from, to),
            false => m.text.clone(),
        };
        let texts: String = design.modules.iter().map(text).collect();
        let faulty = Simulation::from_verilog(&cfg, &texts, &options).unwrap();
        let said = noticed(&faulty).unwrap_or_else(|| panic!("{module}: {from} -> {to} is not noticed"));
        println!("{module}: {from} -> {to}\n  {}", said.lines().next().unwrap_or(""));
    }
}

#[test]
fn the_core_has_its_registers_in_banks() {
    let design = rtl::generate(simulators::core("banked").config(), &[]).unwrap();
    assert_parts(&design, &["RegisterBank"]);
}
