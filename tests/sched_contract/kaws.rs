//! The kernel-aware priority of KAWS by example, cycle by cycle, with grants worked out by hand from docs/SCHEDULERS.md,
//! section 5. The situation is that of the paper's Figure 2: CTAs that were dispatched early are ahead at the milestone.
use super::directed::{Bench, Cycle};
use spec::config::WarpMask;

/// Six warps in three CTAs of two, in the order of their slots.
const ALL: WarpMask = 0b11_11_11;

fn three_ctas() -> Bench {
    let mut bench = Bench::new("kaws", 6);
    bench.ctas(&[0, 0, 1, 1, 2, 2]);
    for slot in 0..3 {
        bench.cycle("a CTA is dispatched", Cycle { cta_start: 1 << slot, ..Cycle::default() }, None);
    }
    bench
}

/// Only this warp is ready, so that it fires.
fn fires(bench: &mut Bench, warp: usize, last_cta_dispatched: bool) {
    let cycle = Cycle { ready: 1 << warp, last_cta_dispatched, ..Cycle::default() };
    bench.cycle("a warp alone", cycle, Some(warp));
}

#[test]
fn before_the_milestone_the_oldest_goes_first_whatever_has_issued() {
    let mut bench = three_ctas();
    for _ in 0..5 {
        bench.cycle("all", Cycle { ready: ALL, ..Cycle::default() }, Some(0));
    }
    bench.cycle("the younger", Cycle { ready: 0b11_10_00, ..Cycle::default() }, Some(3));
    bench.ages(&[4, 5, 0, 1, 2, 3]);
    bench.cycle("by age, not by slot", Cycle { ready: ALL, ..Cycle::default() }, Some(2));
}

#[test]
fn from_the_milestone_on_the_cta_that_has_issued_least_goes_first_and_of_equals_the_younger() {
    let mut bench = three_ctas();
    // Progress: 3, 1, 0.
    [0, 1, 0, 2].into_iter().for_each(|warp| fires(&mut bench, warp, false));
    let all = Cycle { ready: ALL, last_cta_dispatched: true, ..Cycle::default() };
    bench.cycle("the last fire is still to be compared", Cycle::default(), None);
    bench.cycle("0 of CTA 2, its oldest warp", all, Some(4));
    bench.cycle(
        "as many as CTA 1 now, which is not yet known, and would not count: it is younger",
        all,
        Some(4),
    );
    bench.cycle("known: as many as CTA 1, and younger", all, Some(4));
    bench.cycle("known: one more than CTA 1", all, Some(2));
    bench.cycle("2 each, of which the last is not yet known", all, Some(2));
    bench.cycle("CTA 1 has 2, CTA 2 has 3", all, Some(2));
    let first = Cycle { ready: 0b00_00_11, last_cta_dispatched: true, ..Cycle::default() };
    bench.cycle("a CTA alone: its oldest", first, Some(0));
    bench.cycle("and the other of it", Cycle { ready: 0b00_00_10, ..first }, Some(1));
    bench.cycle("nobody", Cycle { ready: 0, ..first }, None);
}

#[test]
fn a_slot_begins_anew_with_the_cta_that_is_dispatched_to_it() {
    let mut bench = three_ctas();
    // Progress: 2, 1, 1; then another CTA in slot 0, which is the youngest now.
    [0, 1, 2, 4].into_iter().for_each(|warp| fires(&mut bench, warp, false));
    bench.cycle("the last CTA", Cycle { cta_start: 0b001, ..Cycle::default() }, None);
    bench.ages(&[4, 5, 0, 1, 2, 3]);
    let all = Cycle { ready: ALL, last_cta_dispatched: true, ..Cycle::default() };
    bench.cycle("compared", Cycle { ready: 0, ..all }, None);
    bench.cycle("slot 0 has issued nothing", all, Some(0));
    bench.cycle("that fire is not yet known", all, Some(0));
    bench.cycle("all have 1: the youngest", all, Some(0));
    bench.cycle("slot 0 has 2; of the others slot 2 is younger", all, Some(4));
}

#[test]
fn a_kernel_begins_without_progress() {
    let mut bench = three_ctas();
    [4, 4, 2].into_iter().for_each(|warp| fires(&mut bench, warp, false));
    bench.cycle("another kernel", Cycle { kernel_start: true, ..Cycle::default() }, None);
    bench.cycle("compared", Cycle::default(), None);
    let all = Cycle { ready: ALL, last_cta_dispatched: true, ..Cycle::default() };
    bench.cycle("nobody has issued: the youngest CTA", all, Some(4));
}
