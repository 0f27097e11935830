//! Warp sharing in whole cores, on programs in which it must happen, in lock step.

use heddle::cosim::memory::MemoryKind;
use heddle::cosim::{Program, Report, RunOptions};
use heddle::isa::asm::assemble;

use crate::fleet;

const CODE: u32 = 0x8000_0000;
/// Where each warp stores what it has computed.
const RESULTS: u32 = 0x4_0000;

/// Warps of slices 0 to 2 of "four slices".
fn workers() -> impl Iterator<Item = u32> {
    (0..16).filter(|warp| warp % 4 != 3)
}

/// All 16 warps start; those of slice 3 end at once, the others do `work` and store x10.
fn run(work: &str) -> Report {
    let source = format!(
        "li x5, 16\n la x6, warp\n vx_wspawn x5, x6\n\
         warp:\n csrr x7, vx_warp_id\n andi x8, x7, 3\n addi x8, x8, -3\n beqz x8, end\n\
         slli x9, x7, 2\n li x11, {RESULTS}\n add x11, x11, x9\n\
         {work}\n sw x10, 0(x11)\n\
         end:\n vx_tmc x0\n"
    );
    let image = assemble(CODE, &source).unwrap_or_else(|e| panic!("{e}: {source}"));
    let program = Program::from_image("sharing", &image).unwrap();
    let [core] = fleet::menu("four slices") else { panic!("one core") };
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
    // Of 144 divisions about a fourth finds the fourth divider.
    assert!(shared.special >= 20, "{shared:?}");
    // Every slot of every slice is in one class.
    let slots = report.stats.slots_of;
    assert!(slots.iter().all(|slots| slots.total() == report.stats.cycles), "{slots:?}");
    let issued: u64 = slots.iter().map(|slots| slots.issued).sum();
    assert_eq!(issued, report.stats.warp_instructions);
    // What it takes for others is its own slots', beside the few instructions of its own warps.
    assert!(slots[3].issued > shared.special, "{slots:?}, {shared:?}");
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
