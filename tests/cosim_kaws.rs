//! The order by progress of KAWS in a whole core: blocks of known numbers of instructions, from the milestone to the end.

use cosim::{Instruction, Report, RunOptions, Window};
use isa::asm::assemble;
use model::memory::STARTUP_ADDR;
use model::GridLaunch;

use crate::simulators;

/// Divisions of a block, none of which waits for one before, but of block 0, the oldest, which ends early: its place is for block
/// 3, the last. There is one divider, so that whenever it is free all blocks want it, and who gets it is the policy's choice.
const LONG: usize = 60;
const SHORT: usize = 20;
/// Instructions that find out which block it is, and the one that ends it.
const AROUND: usize = 5;
/// Blocks, each of one warp; the core has three.
const BLOCKS: usize = 4;

/// All instructions by their blocks, each in order, under a policy of "pairs".
fn run(issue: &str) -> (Report, Vec<Vec<Instruction>>) {
    let body = |count| (0..count).map(|n| format!("divu x{}, x7, x6\n", 8 + n % 16)).collect::<String>();
    let source = format!(
        "csrr x5, vx_cta_id\n li x6, 1\n li x7, 2000\n beq x5, x0, short\n {}vx_tmc x0\n short:\n {}vx_tmc x0\n",
        body(LONG),
        body(SHORT)
    );
    let image = assemble(STARTUP_ADDR, &source).unwrap_or_else(|error| panic!("{error}"));
    let program = loader::Program::from_image("progress", &image).unwrap();
    let pairs = simulators::cores("pairs").iter();
    let mut cores = pairs.filter(|core| core.config().issue == issue && core.config().fetch == "lrr");
    let core = cores.next().expect("a core of that policy");
    assert_eq!(core.config().warps, BLOCKS - 1);
    let block = [core.config().threads as u32, 1, 1];
    let grid = [BLOCKS as u32, 1, 1];
    let launch = GridLaunch { entry: STARTUP_ADDR, arg: 0, grid, block, local_bytes: 0 };
    let options = RunOptions {
        launches: vec![launch],
        record: Some(Window { from: 0, to: u64::MAX }),
        ..RunOptions::default()
    };
    let mut report = core.run(&program, &options).unwrap();
    assert!(report.passed(), "{:?}", report.failure);
    let mut blocks = vec![vec![]; BLOCKS];
    for instruction in report.recording.take().expect("a recording").instructions {
        // When block 0 has ended, block 3 has its warp.
        let second = instruction.wid == 0 && blocks[0].len() == AROUND + SHORT;
        blocks[if second { 3 } else { instruction.wid }].push(instruction);
    }
    let counts: Vec<_> = blocks.iter().map(Vec::len).collect();
    assert_eq!(counts, [AROUND + SHORT, AROUND + LONG, AROUND + LONG, AROUND + LONG]);
    (report, blocks)
}

/// How many have issued by the end of a cycle.
fn progress(block: &[Instruction], cycle: u64) -> usize {
    block.iter().take_while(|instruction| instruction.issue <= cycle).count()
}

#[test]
fn after_the_milestone_the_block_behind_the_others_goes_first() {
    let (_, blocks) = run("kaws");
    let milestone = blocks[3][0].head;
    let (mut passed_over, mut ties) = (0, 0);
    for (ahead, block) in blocks.iter().enumerate() {
        for cycle in block.iter().map(|instruction| instruction.issue).filter(|&at| at > milestone + 3) {
            // An instruction at the head of another block, which no unit keeps waiting: it was chosen against this one.
            let others = (0..BLOCKS).filter(|&other| other != ahead);
            let waits = |other: &usize| {
                let next = progress(&blocks[*other], cycle - 1);
                let plain = AROUND - 1..blocks[*other].len() - 1;
                plain.contains(&next) && blocks[*other][next].head <= cycle
            };
            for other in others.filter(waits) {
                // That of the cycle before last.
                let [own, its] = [ahead, other].map(|block| progress(&blocks[block], cycle - 2));
                assert!(
                    (own, other) < (its, ahead),
                    "cycle {cycle}: block {ahead}, {own}; block {other}, {its}"
                );
                passed_over += usize::from(other < ahead);
                ties += usize::from(own == its);
            }
        }
    }
    // Not for want of cases: older blocks have waited for younger ones, and of equal ones the younger was chosen.
    assert!(passed_over > 100 && ties > 10, "{passed_over}, {ties}");
}

#[test]
fn blocks_of_equal_length_end_together_by_progress_and_one_after_the_other_by_age() {
    let ends = |issue| [1, 2, 3].map(|block: usize| run(issue).1[block].last().map_or(0, |last| last.issue));
    let (kaws, oldest) = (ends("kaws"), ends("lo"));
    let spread = |ends: [u64; 3]| ends.iter().max().unwrap() - ends.iter().min().unwrap();
    assert!(spread(kaws) < 20, "{kaws:?}");
    assert!(spread(oldest) > 60, "{oldest:?}");
}
