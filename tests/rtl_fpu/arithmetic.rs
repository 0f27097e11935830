//! Every result and every flag against the reference.

use crate::sample;
use cosim::Rng;
use rtl::op::FpuOp;

use super::bench::Unit;
use super::operands::{corners, random};

const ARITHMETIC: [FpuOp; 7] =
    [FpuOp::Add, FpuOp::Sub, FpuOp::Mul, FpuOp::Madd, FpuOp::Msub, FpuOp::Nmsub, FpuOp::Nmadd];

const SIMPLE: [FpuOp; 11] = [
    FpuOp::Sgnj,
    FpuOp::Sgnjn,
    FpuOp::Sgnjx,
    FpuOp::Min,
    FpuOp::Max,
    FpuOp::Eq,
    FpuOp::Lt,
    FpuOp::Le,
    FpuOp::Class,
    FpuOp::MvXW,
    FpuOp::MvWX,
];

const SLOW: [FpuOp; 6] = [FpuOp::CvtWS, FpuOp::CvtWuS, FpuOp::CvtSW, FpuOp::CvtSWu, FpuOp::Div, FpuOp::Sqrt];

fn corner_cases(mut unit: Unit, ops: &[FpuOp]) {
    for &op in ops {
        let sets = corners(op);
        let in_all_modes = (0..5).flat_map(|mode| sets.iter().map(move |&set| (mode, set)));
        let count = unit.run(op, in_all_modes, 100);
        assert!(count as usize >= 5 * sets.len());
        println!("{op:?}: {count} corner cases");
    }
}

fn random_cases(mut unit: Unit, ops: &[FpuOp]) {
    let sets: u64 = if sample::is_full() { 1_000_000 } else { 50_000 };
    let seed = sample::seed();
    for &op in ops {
        let mut rng = Rng::new(seed << 8 | op as u64);
        // Runs of a mode are of even length: two lanes share it.
        let cases = (0..sets.div_ceil(2)).flat_map(|_| {
            let mode = rng.below(5) as u8;
            [(mode, random(&mut rng, op)), (mode, random(&mut rng, op))]
        });
        let count = unit.run(op, cases, 90);
        assert!(count >= sets);
        println!("{op:?}: {count} random sets");
    }
}

#[test]
fn pipeline_at_corners() {
    corner_cases(Unit::pipeline(), &ARITHMETIC);
    corner_cases(Unit::pipeline(), &SIMPLE);
}

#[test]
fn pipeline_with_random_arithmetic() {
    random_cases(Unit::pipeline(), &ARITHMETIC);
}

#[test]
fn pipeline_with_random_comparisons() {
    random_cases(Unit::pipeline(), &SIMPLE);
}

#[test]
fn slow_unit_at_corners() {
    corner_cases(Unit::slow(), &SLOW);
}

#[test]
fn slow_unit_with_random_operands() {
    random_cases(Unit::slow(), &SLOW);
}

#[test]
fn the_pipeline_takes_an_instruction_a_cycle_and_four_cycles() {
    let mut unit = Unit::pipeline();
    for op in ARITHMETIC.into_iter().chain(SIMPLE) {
        assert_eq!(unit.latency(op), 4, "{op:?}");
    }
    let before = unit.cycles;
    let sets = (0..2000).map(|i| (0, [0x3f80_0000 + i, 0x4000_0000 - i, i]));
    unit.run(FpuOp::Madd, sets, 100);
    assert_eq!(unit.cycles - before, 1004);
}

/// Shared by two lanes, it does one after the other.
#[test]
fn slow_unit_that_lanes_share() {
    corner_cases(Unit::slow_serving(1), &SLOW);
    random_cases(Unit::slow_serving(1), &SLOW);
}

#[test]
fn the_slow_unit_takes_4_and_18_cycles_a_turn() {
    for (lanes, turns) in [(2, 1), (1, 2)] {
        let mut unit = Unit::slow_serving(lanes);
        for op in SLOW {
            let expected = if matches!(op, FpuOp::Div | FpuOp::Sqrt) { 18 } else { 4 };
            assert_eq!(unit.latency(op), expected * turns, "{op:?}, {lanes} lanes at a time");
        }
    }
}

/// With a commit stage that is rarely ready, nothing is lost, doubled or reordered.
#[test]
fn results_wait_for_commit() {
    for ready_percent in [5, 50] {
        let sets = |op: FpuOp| {
            let mut rng = Rng::new(ready_percent.into());
            (0..200).map(move |_| (0, random(&mut rng, op)))
        };
        Unit::pipeline().run(FpuOp::Madd, sets(FpuOp::Madd), ready_percent);
        Unit::slow().run(FpuOp::Sqrt, sets(FpuOp::Sqrt), ready_percent);
        Unit::slow_serving(1).run(FpuOp::Div, sets(FpuOp::Div), ready_percent);
    }
}
