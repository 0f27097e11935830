//! MOTRR's policies by example, cycle by cycle, with grants worked out by hand from docs/SCHEDULERS.md, section 7.
use super::directed::{Bench, Cycle};
use spec::config::WarpMask;

/// Four active warps; a smaller slot is older.
const ALL: WarpMask = 0b1111;

#[test]
fn memory_goes_first_and_the_oldest_of_it() {
    for (key, without_memory) in [("mto", [0, 0, 0]), ("motrr", [3, 0, 1]), ("motrr-recency", [3, 0, 1])] {
        let mut bench = Bench::new(key, 4);
        // Warps 2 and 1 have loads; the fire of warp 2's moves the pointer too.
        bench.cycle("two loads", Cycle { ready: ALL, memory: 0b0110, ..Cycle::default() }, Some(1));
        bench.cycle("a load", Cycle { ready: 0b1101, memory: 0b0110, ..Cycle::default() }, Some(2));
        for warp in without_memory {
            bench.cycle("no load", Cycle { ready: ALL, ..Cycle::default() }, Some(warp));
        }
        bench.cycle("not ready", Cycle { ready: 0b1000, memory: 0b0111, ..Cycle::default() }, Some(3));
        bench.cycle("nobody", Cycle { memory: ALL, ..Cycle::default() }, None);
    }
}

/// The oldest is so by age, not by slot.
#[test]
fn the_oldest_load_is_that_of_the_warp_that_was_started_first() {
    for key in ["mto", "motrr", "motrr-recency"] {
        let mut bench = Bench::new(key, 4);
        bench.ages(&[2, 3, 0, 1]);
        bench.cycle("loads", Cycle { ready: 0b1011, memory: 0b1011, ..Cycle::default() }, Some(3));
        bench.cycle("loads", Cycle { ready: ALL, memory: 0b0011, ..Cycle::default() }, Some(0));
    }
}

/// Which warps are recent is told by who is granted of all: with the pointer at warp 3, in slot order, one after the other.
fn assert_recent(bench: &mut Bench, recent: &[usize]) {
    let loads = |warp: usize| Cycle { ready: 1 << warp, memory: 1 << warp, ..Cycle::default() };
    bench.cycle("the pointer goes to warp 3", loads(3), Some(3));
    // Twice round: with nobody recent it is plain round-robin.
    for turn in 0..2 * recent.len().max(4) {
        let expected = if recent.is_empty() { turn % 4 } else { recent[turn % recent.len()] };
        bench.cycle("who is recent", Cycle { ready: ALL, ..Cycle::default() }, Some(expected));
    }
}

#[test]
fn half_of_the_warps_are_recent_and_the_longest_leaves() {
    let mut bench = Bench::new("motrr-recency", 4);
    let done = |warps: WarpMask| Cycle { done: warps, ..Cycle::default() };
    assert_recent(&mut bench, &[]);
    // Two of four may be: 1 and 2, with counts of 1 and 0.
    bench.cycle("1 completes", done(0b0010), None);
    assert_recent(&mut bench, &[1]);
    bench.cycle("2 completes", done(0b0100), None);
    assert_recent(&mut bench, &[1, 2]);
    // A third: in the cycle after the completion all three are recent, then warp 1, whose count is 2, is not.
    bench.cycle("0 completes", done(0b0001), None);
    bench.cycle("three", Cycle { ready: 0b1010, ..Cycle::default() }, Some(1));
    assert_recent(&mut bench, &[0, 2]);
    // Who completes again begins anew: now warp 0 has waited longest, with 1 against 0.
    bench.cycle("2 completes again", done(0b0100), None);
    bench.cycle("3 completes", done(0b1000), None);
    bench.cycle("three", Cycle { ready: 0b0011, ..Cycle::default() }, Some(0));
    assert_recent(&mut bench, &[2, 3]);
}

#[test]
fn of_equals_the_youngest_leaves_and_one_a_cycle() {
    let mut bench = Bench::new("motrr-recency", 4);
    bench.ages(&[2, 0, 3, 1]);
    bench.cycle("all complete", Cycle { done: ALL, ..Cycle::default() }, None);
    // All have 0. Warp 2 was started last, before it 0; each is still recent in the cycle that it leaves with.
    bench.cycle("four", Cycle { ready: 0b0100, ..Cycle::default() }, Some(2));
    // Pointer at 2: of 0 and 2 the one that is left is 0; warp 3 comes first in turn.
    bench.cycle("three", Cycle { ready: 0b0101, ..Cycle::default() }, Some(0));
    bench.cycle("two", Cycle { ready: 0b1101, ..Cycle::default() }, Some(3));
    bench.cycle("two", Cycle { ready: 0b0111, ..Cycle::default() }, Some(1));
    assert_recent(&mut bench, &[1, 3]);
}

#[test]
fn whoever_exits_is_not_recent_and_fewer_may_be() {
    let mut bench = Bench::new("motrr-recency", 4);
    bench.cycle("0 completes", Cycle { done: 0b0001, ..Cycle::default() }, None);
    bench.cycle("1 completes", Cycle { done: 0b0010, ..Cycle::default() }, None);
    // Completion and exit in one cycle: not recent. Of three active warps one may be: 0 is longest recent.
    bench.cycle("3 completes and exits", Cycle { done: 0b1000, exit: 0b1000, ..Cycle::default() }, None);
    bench.cycle("two of three", Cycle { ready: 0b0101, ..Cycle::default() }, Some(0));
    bench.cycle("one of three", Cycle { ready: 0b0101, ..Cycle::default() }, Some(2));
    bench.cycle("one of three", Cycle { ready: 0b0111, ..Cycle::default() }, Some(1));
    bench.cycle("1 exits", Cycle { exit: 0b0010, ..Cycle::default() }, None);
    // What an exited warp's store still completes is nothing.
    bench.cycle("late", Cycle { done: 0b1010, ..Cycle::default() }, None);
    bench.cycle("nobody is recent", Cycle { ready: 0b0101, ..Cycle::default() }, Some(2));
    bench.cycle("nobody is recent", Cycle { ready: 0b0101, ..Cycle::default() }, Some(0));
}

/// A count stops at 63: who has waited for 64 completions and who for 63 are equals, and the younger goes.
#[test]
fn counts_saturate() {
    for (first, others) in [(0, 62), (1, 63)] {
        let mut bench = Bench::new("motrr-recency", 6);
        // Three of six may be: first warp 0, then 1, then nobody but 2, and again and again 2.
        bench.cycle("0 completes", Cycle { done: 1, ..Cycle::default() }, None);
        bench.cycle("1 completes", Cycle { done: 2, ..Cycle::default() }, None);
        for _ in 0..others {
            bench.cycle("2 completes", Cycle { done: 4, ..Cycle::default() }, None);
        }
        // The counts of warps 0 and 1 are 63 and 62, or 63 and 63. An exit leaves room for two of five.
        bench.cycle("3 exits", Cycle { exit: 8, ..Cycle::default() }, None);
        // The larger count goes, of equals warp 1, the younger.
        bench.cycle("one leaves", Cycle::default(), None);
        let stays = 1 - first;
        let loads = Cycle { ready: 0b10_0000, memory: 0b10_0000, ..Cycle::default() };
        bench.cycle("the pointer goes to warp 5", loads, Some(5));
        bench.cycle("who stayed", Cycle { ready: 0b11, ..Cycle::default() }, Some(stays));
        bench.cycle("who stayed", Cycle { ready: 0b11, ..Cycle::default() }, Some(stays));
    }
}
