//! iPAWS by example, phase by phase, with grants worked out by hand from docs/SCHEDULERS.md, section 6.
use super::directed::{Bench, Cycle};
use spec::config::{CoreConfig, WarpMask};

/// Four warps, of which a smaller slot is older, after something has happened `before`, warp 0 has exited, and the decision
/// is over, 12 quiet cycles later.
fn decided(recover: bool, before: impl Fn(&mut Bench)) -> Bench {
    let cfg = CoreConfig { warps: 4, issue: "ipaws".into(), ipaws_recover: recover, ..CoreConfig::default() };
    let mut bench = Bench::of(&cfg);
    before(&mut bench);
    bench.cycle("warp 0 exits", Cycle { exit: 1, ..Cycle::default() }, None);
    (0..3 * 4).for_each(|_| bench.cycle("the decision", Cycle::default(), None));
    bench
}

fn issues(bench: &mut Bench, inst: [usize; 4]) {
    for (warp, count) in inst.into_iter().enumerate() {
        for _ in 0..count {
            bench.cycle("alone", Cycle { ready: 1 << warp, ..Cycle::default() }, Some(warp));
        }
    }
}

fn all(bench: &mut Bench, what: &str, ready: WarpMask, grants: &[usize]) {
    for warp in grants {
        bench.cycle(what, Cycle { ready, ..Cycle::default() }, Some(*warp));
    }
}

#[test]
fn concave_stays_greedy() {
    // Twice 8 + 3 + 1 + 1 is 26, less than four times 8.
    let mut bench = decided(true, |bench| issues(bench, [8, 3, 1, 1]));
    all(&mut bench, "greedy", 0b1110, &[3, 3]);
    all(&mut bench, "then the oldest", 0b0110, &[1]);
    all(&mut bench, "greedy", 0b1110, &[1, 1]);
    // Later exits decide nothing anew.
    bench.cycle("warp 3 exits", Cycle { exit: 8, ..Cycle::default() }, None);
    all(&mut bench, "greedy", 0b0110, &[1; 20]);
}

#[test]
fn convex_recovers_until_the_last_has_what_the_first_had() {
    // Twice 4 + 3 + 1 + 1 is 18, not less than four times 4. Fewest: warps 2 and 3, of equals the younger is 3.
    let mut bench = decided(true, |bench| issues(bench, [4, 3, 1, 1]));
    // The fewest first, of equals the oldest, from 3, 1 and 1 until warp 3 has 4.
    all(&mut bench, "recover", 0b1110, &[2, 3, 2, 3, 1, 2, 3]);
    // Warp 3 has its 4, which ends the phase with this cycle: all have 4, the oldest of them is 1.
    all(&mut bench, "caught up", 0b1110, &[1]);
    all(&mut bench, "in turn", 0b1110, &[2, 3, 1, 2, 3, 1]);
}

#[test]
fn half_of_the_area_is_convex() {
    // Twice 4 + 2 + 1 + 1 is four times 4.
    let mut bench = decided(false, |bench| issues(bench, [4, 2, 1, 1]));
    all(&mut bench, "in turn", 0b1110, &[1, 2, 3, 1]);
}

#[test]
fn without_recover_the_turns_begin_at_once() {
    let mut bench = decided(false, |bench| issues(bench, [4, 3, 1, 1]));
    all(&mut bench, "in turn", 0b1110, &[1, 2, 3, 1, 2, 3]);
}

#[test]
fn recover_ends_when_the_last_exits() {
    let mut bench = decided(true, |bench| issues(bench, [4, 3, 1, 1]));
    all(&mut bench, "recover", 0b1110, &[2]);
    bench.cycle("warp 3 exits", Cycle { exit: 8, ..Cycle::default() }, None);
    all(&mut bench, "the last cycle of it", 0b0110, &[2]);
    all(&mut bench, "in turn", 0b0110, &[1, 2, 1]);
}

/// Only warps up to the one that stalled most as the oldest are of interest.
#[test]
fn the_limit_is_who_stalled_most() {
    let stalls = |bench: &mut Bench, warp: usize, cycles: usize| {
        let younger_too = 0b1111 & !((1 << warp) - 1);
        for _ in 0..cycles {
            bench.cycle("stalls", Cycle { blocked: younger_too, ..Cycle::default() }, None);
        }
    };
    let before = |bench: &mut Bench| issues(bench, [5, 4, 0, 0]);
    // 18 is less than 20.
    let mut bench = decided(false, before);
    all(&mut bench, "of all, concave", 0b1110, &[1, 1]);
    // 18 is more than 10; warps 2 and 3 are not of interest.
    let mut bench = decided(false, |bench| {
        before(bench);
        stalls(bench, 1, 2);
        stalls(bench, 3, 1);
    });
    all(&mut bench, "of two, convex", 0b1110, &[2, 3, 1]);
    // Of equals the younger is the limit.
    let mut bench = decided(false, |bench| {
        before(bench);
        stalls(bench, 1, 2);
        stalls(bench, 3, 2);
    });
    all(&mut bench, "of four, concave", 0b1110, &[1, 1]);
}

/// Time at a barrier counts while others issue: four with 1 each are convex, with 5 for the oldest they are not.
#[test]
fn waiting_at_a_barrier_is_part_of_the_score() {
    let mut bench = decided(false, |bench| {
        issues(bench, [1, 1, 1, 0]);
        bench.cycle("nobody issues", Cycle { waiting: 1, ..Cycle::default() }, None);
        all(bench, "warp 3 issues", 0b1000, &[3]);
    });
    all(&mut bench, "convex", 0b1110, &[1, 2]);
    let mut bench = decided(false, |bench| {
        for warp in [1, 1, 2, 3] {
            let waits = Cycle { ready: 1 << warp, waiting: 1, ..Cycle::default() };
            bench.cycle("another issues", waits, Some(warp));
        }
        issues(bench, [1, 0, 0, 0]);
    });
    // 5, 2, 1 and 1: 18 is less than 20.
    all(&mut bench, "concave", 0b1110, &[1, 1]);
}

#[test]
fn a_kernel_begins_with_adapt() {
    let mut bench = decided(false, |bench| issues(bench, [4, 3, 1, 1]));
    all(&mut bench, "in turn", 0b1110, &[1, 2]);
    bench.cycle("a kernel", Cycle { kernel_start: true, start: 1, ..Cycle::default() }, None);
    all(&mut bench, "greedy", 0b1111, &[0; 4]);
    all(&mut bench, "greedy", 0b1110, &[1; 3]);
    bench.cycle("warp 1 exits", Cycle { exit: 2, ..Cycle::default() }, None);
    (0..12).for_each(|_| bench.cycle("the decision", Cycle::default(), None));
    // 4, 3, 0 and 0, without what was issued before: 14 is less than 16.
    all(&mut bench, "greedy", 0b1101, &[0; 20]);
}

/// The decision reads a warp's counts in the warp's turn, and it is `gtlo` that issues meanwhile.
#[test]
fn the_decision_takes_three_rounds() {
    let mut bench = Bench::new("ipaws", 4);
    issues(&mut bench, [4, 3, 0, 0]);
    bench.cycle("warp 1 exits", Cycle { exit: 2, ..Cycle::default() }, None);
    all(&mut bench, "gtlo", 0b1100, &[2; 12]);
    // Warp 2 had 2 in its turn of the first round, 6 in that of the second: twice 4 + 3 + 6 + 0 is more than four times 6.
    // Warp 3 had the fewest, 0, and warp 0 the most, 4.
    all(&mut bench, "recover", 0b1101, &[3, 3, 3, 3]);
    all(&mut bench, "the last cycle of it", 0b1101, &[0]);
    all(&mut bench, "in turn", 0b1101, &[2, 3, 0]);
}

/// A warp that starts in a slot has none of the counts of its predecessor.
#[test]
fn a_warp_starts_with_nothing() {
    let mut bench = Bench::new("ipaws", 4);
    issues(&mut bench, [4, 4, 4, 2]);
    bench.cycle("3 starts anew", Cycle { start: 0b1100, ..Cycle::default() }, None);
    issues(&mut bench, [4, 0, 0, 0]);
    bench.cycle("warp 1 exits", Cycle { exit: 2, ..Cycle::default() }, None);
    (0..12).for_each(|_| bench.cycle("the decision", Cycle::default(), None));
    // 8, 4, 0 and 0: 24 is less than 32. With what slots 2 and 3 had before, 36 would not be.
    all(&mut bench, "greedy", 0b1101, &[0; 5]);
}
