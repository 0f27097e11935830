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

/// Cycles in which a warp is data-ready and there is no room.
fn stalls(bench: &mut Bench, warp: usize, cycles: usize) {
    for _ in 0..cycles {
        bench.cycle("stalls", Cycle { blocked: 1 << warp, ..Cycle::default() }, None);
    }
}

/// Only warps up to the one that stalled most are of interest.
#[test]
fn the_limit_is_who_stalled_most() {
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
    // Of equals the older is the limit.
    let mut bench = decided(false, |bench| {
        before(bench);
        stalls(bench, 3, 2);
        stalls(bench, 1, 2);
    });
    all(&mut bench, "of two, convex", 0b1110, &[2, 3, 1]);
    let mut bench = decided(false, |bench| {
        before(bench);
        stalls(bench, 1, 2);
        stalls(bench, 3, 3);
    });
    all(&mut bench, "of four, concave", 0b1110, &[1, 1]);
}

/// Older is by age and not by slot.
#[test]
fn the_limit_goes_by_age() {
    // Slot 1 is the limit. As the second oldest: 18 is more than 10. As the youngest: 18 is less than 20.
    for (ages, turn) in [([0, 1, 2, 3], 1), ([1, 3, 2, 0], 3)] {
        let cfg =
            CoreConfig { warps: 4, issue: "ipaws".into(), ipaws_recover: false, ..CoreConfig::default() };
        let mut bench = Bench::of(&cfg);
        bench.ages(&ages);
        issues(&mut bench, [5, 4, 0, 0]);
        stalls(&mut bench, 1, 2);
        bench.cycle("warp 0 exits", Cycle { exit: 1, ..Cycle::default() }, None);
        (0..3 * 4).for_each(|_| bench.cycle("the decision", Cycle::default(), None));
        all(&mut bench, "alone", 0b1000, &[3]);
        all(&mut bench, "in turn, or the one that fired last", 0b1110, &[turn]);
    }
}

/// Figure 8 of the paper, BLK: of 32 warps that the core has, the younger ones have hardly issued. By all of them the
/// pattern is concave, by mistake; the warp that stalls most is the 18th (table 3), and by 18 it is convex, by more than the
/// 30 % that the paper finds (4.1).
#[test]
fn figure_8_of_the_paper() {
    let (max, of_interest) = (32, 18);
    let inst: Vec<usize> = (0..max).map(|age| if age < of_interest { 10 - age / 4 } else { 0 }).collect();
    let (sum, most) = (inst.iter().sum::<usize>(), inst[0]);
    assert!(2 * sum < max * most && 20 * sum > 13 * of_interest * most);
    for stalled in [false, true] {
        let cfg =
            CoreConfig { warps: max, issue: "ipaws".into(), ipaws_recover: false, ..CoreConfig::default() };
        let mut bench = Bench::of(&cfg);
        for (warp, count) in inst.iter().enumerate() {
            (0..*count).for_each(|_| {
                bench.cycle("alone", Cycle { ready: 1 << warp, ..Cycle::default() }, Some(warp))
            });
            if stalled {
                // Rising to the 18th, and falling behind it.
                stalls(&mut bench, warp, if warp < of_interest { 1 + warp / 2 } else { 8 - warp / 4 });
            }
        }
        bench.cycle("the oldest exits", Cycle { exit: 1, ..Cycle::default() }, None);
        (0..3 * max).for_each(|_| bench.cycle("the decision", Cycle::default(), None));
        let grants: &[usize] = if stalled { &[20, 21, 22, 20] } else { &[20, 20, 20, 20] };
        all(&mut bench, if stalled { "convex" } else { "concave" }, 0b111 << 20, grants);
    }
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

/// The decision is by what there was at the exit, and it is `gtlo` that issues meanwhile.
#[test]
fn the_decision_reads_what_there_was_at_the_exit() {
    let mut bench = Bench::new("ipaws", 4);
    issues(&mut bench, [4, 3, 0, 0]);
    bench.cycle("warp 1 exits", Cycle { exit: 2, ..Cycle::default() }, None);
    all(&mut bench, "gtlo", 0b1100, &[2; 12]);
    // 4, 3, 0 and 0: 14 is less than 16, whatever warp 2 has issued since.
    all(&mut bench, "concave", 0b1101, &[2; 4]);
    all(&mut bench, "concave", 0b1001, &[0; 4]);
}

/// Another warp in a slot has none of its predecessor's part in the decision, nor takes it away.
#[test]
fn the_decision_is_about_who_was_there_at_the_exit() {
    let mut bench = Bench::new("ipaws", 4);
    issues(&mut bench, [4, 4, 1, 0]);
    stalls(&mut bench, 1, 2);
    bench.cycle("warp 0 issues and exits", Cycle { ready: 1, exit: 1, ..Cycle::default() }, Some(0));
    bench.cycle("a warp starts there", Cycle { start: 1, ..Cycle::default() }, None);
    // It is the youngest from then on.
    bench.ages(&[3, 0, 1, 2]);
    (0..11).for_each(|_| bench.cycle("stalls", Cycle { blocked: 0b1100, ..Cycle::default() }, None));
    // The limit was warp 1, and of interest with it warp 0: two are convex. Those behind are 1, 2 and 3, of which 3 has
    // caught up when it has 5, what warp 0 had with its last; slot 0 waits for them although its warp has issued nothing.
    all(&mut bench, "recover", 0b1101, &[3, 2, 3, 2, 3, 2, 3, 2, 3]);
    all(&mut bench, "the last cycle of it", 0b1101, &[2]);
    all(&mut bench, "in turn", 0b1101, &[3, 0, 2, 3]);
}

/// If nobody is ready of those who are behind, others are.
#[test]
fn others_fill_in_while_nobody_is_behind() {
    let mut bench = decided(true, |bench| issues(bench, [4, 3, 1, 1]));
    bench.cycle("a warp starts", Cycle { start: 1, ..Cycle::default() }, None);
    bench.ages(&[3, 0, 1, 2]);
    all(&mut bench, "alone", 0b0001, &[0]);
    all(&mut bench, "behind", 0b0011, &[1]);
    all(&mut bench, "behind", 0b1101, &[2, 3, 2]);
}

/// All warps of the core are counted, in whichever slice they issue, and any of them ends Adapt.
#[test]
fn slices_decide_together() {
    for (elsewhere, grants) in [(0, [2, 2, 2]), (0b1010, [2, 0, 2])] {
        let cfg = CoreConfig {
            warps: 4,
            slices: 2,
            issue: "ipaws".into(),
            ipaws_recover: false,
            ..CoreConfig::default()
        };
        let mut bench = Bench::of(&cfg);
        for _ in 0..3 {
            bench.cycle("beside others", Cycle { ready: 1, elsewhere, ..Cycle::default() }, Some(0));
        }
        bench.cycle("another slice's exits", Cycle { exit: 0b1000, ..Cycle::default() }, None);
        (0..12).for_each(|_| bench.cycle("the decision", Cycle::default(), None));
        // 3, 0, 0 and 0, or with both warps of the other slice 3, 3, 0 and 3.
        bench.cycle("alone", Cycle { ready: 4, ..Cycle::default() }, Some(2));
        all(&mut bench, "greedy or in turn", 0b0101, &[if elsewhere == 0 { 2 } else { 0 }]);
        all(&mut bench, "greedy or in turn", 0b0101, &[grants[2]]);
    }
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

/// A coarse-grained iPAWS (3.5): what a warp has is what its CTA has.
#[test]
fn the_warps_of_a_cta_share_counts() {
    let shape = CoreConfig { warps: 4, issue: "ipaws".into(), ..CoreConfig::default() };
    let mut bench = Bench::of(&CoreConfig { cta_slots: 2, ipaws_block_counts: true, ..shape });
    bench.ctas(&[0, 0, 1, 1]);
    // Seven of CTA 0, two of CTA 1: twice 7 + 7 + 2 + 2 is 36, not less than four times 7.
    issues(&mut bench, [4, 3, 0, 2]);
    bench.cycle("warp 0 exits", Cycle { exit: 1, ..Cycle::default() }, None);
    (0..3 * 4).for_each(|_| bench.cycle("the decision", Cycle::default(), None));
    // CTA 1 is behind, and warp 2 its older one, though warp 3 has issued and warp 2 has not.
    all(&mut bench, "recover", 0b1110, &[2; 5]);
    all(&mut bench, "caught up", 0b1110, &[1]);
    all(&mut bench, "in turn", 0b1110, &[2, 3, 1, 2]);
}
