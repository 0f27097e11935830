use super::*;

fn started(warps: WarpMask) -> Phases {
    let mut phases = Phases::new(8, false);
    phases.happen(Events { start: warps, ..Events::default() }, &[0; MAX_WARPS], 100);
    phases
}

/// Four warps that take 10, 20, 40 and 30 cycles: (30 + 20 + 0 + 10) / (4 * 40).
#[test]
fn an_interval_is_as_uneven_as_its_warps() {
    let mut phases = started(0b1111);
    for (wid, time) in [(0, 10), (1, 20), (3, 30)] {
        phases.happen(Events { arrive: 1 << wid, ..Events::default() }, &[0; MAX_WARPS], 100 + time);
    }
    phases.happen(Events { arrive: 0b0100, release: 0b1111, ..Events::default() }, &[0; MAX_WARPS], 140);
    // The next begins where this one ended: 5 and 10 cycles, 5 / (2 * 10).
    phases.happen(Events { arrive: 0b0001, ..Events::default() }, &[0; MAX_WARPS], 145);
    phases.happen(Events { arrive: 0b0010, release: 0b0011, ..Events::default() }, &[0; MAX_WARPS], 150);
    let barriers = phases.finish(1000);
    let of = |begin, end, released: WarpMask, rtru| Interval {
        begin,
        end,
        warps: released.count_ones(),
        at_exit: false,
        released,
        rtru,
    };
    assert_eq!(barriers.intervals, [of(100, 140, 0b1111, 0.375), of(140, 150, 0b11, 0.25)]);
    assert_eq!(barriers.stalled, [30 + 5, 20, 0, 10, 0, 0, 0, 0]);
    assert_eq!(barriers.rtru(), Some(0.3125));
}

/// w0 waits since before the others began, which takes no time of this interval; w2 exits instead of arriving, and
/// w3, of another CTA, has no part in it: T is 0, 40, 10, so (40 + 0 + 30) / (3 * 40).
#[test]
fn who_came_before_or_has_left_counts() {
    let mut cta = [0; MAX_WARPS];
    cta[3] = 1;
    let mut phases = Phases::new(4, false);
    phases.happen(Events { arrive: 0b0001, ..Events::default() }, &cta, 90);
    phases.happen(Events { start: 0b1110, ..Events::default() }, &cta, 100);
    phases.happen(Events { exit: 0b1100, ..Events::default() }, &cta, 110);
    phases.happen(Events { arrive: 0b0010, release: 0b0011, ..Events::default() }, &cta, 140);
    let barriers = phases.finish(1000);
    assert_eq!(barriers.intervals.len(), 1);
    assert_eq!(barriers.intervals[0].warps, 3);
    assert!((barriers.intervals[0].rtru - 70.0 / 120.0).abs() < 1e-12);
    assert_eq!(barriers.stalled, [50, 0, 0, 0]);
}

/// One block's barrier opens by an arrival, another's by the end of a warp.
#[test]
fn barriers_of_two_blocks_are_two_intervals() {
    let mut cta = [0; MAX_WARPS];
    (cta[2], cta[3]) = (1, 1);
    let intervals = |of_blocks| {
        let mut phases = Phases::new(4, of_blocks);
        phases.happen(Events { start: 0b1111, ..Events::default() }, &cta, 100);
        phases.happen(Events { arrive: 0b0001, ..Events::default() }, &cta, 110);
        phases.happen(Events { arrive: 0b0100, ..Events::default() }, &cta, 120);
        phases.happen(Events { exit: 0b1000, stay: 0b0111, ..Events::default() }, &cta, 130);
        phases.happen(Events { arrive: 0b0010, release: 0b0111, ..Events::default() }, &cta, 140);
        phases.finish(1000).intervals
    };
    let at_exit = false;
    let of = |warps, released, rtru| Interval { begin: 100, end: 140, warps, at_exit, released, rtru };
    // 10 and 40 cycles, 20 and 30; all together 60 of 160.
    assert_eq!(intervals(true), [of(2, 0b11, 0.375), of(2, 0b100, 10.0 / 60.0)]);
    assert_eq!(intervals(false), [of(4, 0b111, 0.375)]);
}

/// The end of a block is a barrier (BAWS 1, 3; figure 3): from the last barrier on its warps take 0, 20 and 40 cycles, for
/// w0 has gone before, and the block that goes on beside it has no part in it.
#[test]
fn a_block_ends_with_a_barrier() {
    let mut cta = [0; MAX_WARPS];
    cta[3] = 1;
    let mut phases = Phases::new(4, true);
    phases.happen(Events { start: 0b1111, ..Events::default() }, &cta, 100);
    phases.happen(Events { exit: 0b0001, stay: 0b1110, ..Events::default() }, &cta, 110);
    phases.happen(Events { arrive: 0b0010, ..Events::default() }, &cta, 120);
    phases.happen(Events { arrive: 0b0100, release: 0b0110, ..Events::default() }, &cta, 140);
    phases.happen(Events { exit: 0b0010, stay: 0b1100, ..Events::default() }, &cta, 160);
    phases.happen(Events { exit: 0b0100, stay: 0b1000, ..Events::default() }, &cta, 180);
    let barriers = phases.finish(1000);
    let met: Vec<_> = barriers.intervals.iter().map(|i| (i.begin, i.end, i.warps, i.at_exit)).collect();
    assert_eq!(met, [(100, 140, 3, false), (140, 180, 3, true)]);
    let lost = [(30.0 + 20.0) / 120.0, (40.0 + 20.0) / 120.0];
    for (interval, lost) in barriers.intervals.iter().zip(lost) {
        assert!((interval.rtru - lost).abs() < 1e-12, "{interval:?}");
    }
    assert_eq!(barriers.waited(), 110);
    assert_eq!((barriers.stalled, barriers.stalled_at_exit), (vec![0, 20, 0, 0], vec![70, 20, 0, 0]));
}

/// The next block in the same slots begins anew, and without blocks no warp waits for another's end.
#[test]
fn an_end_is_of_one_block() {
    let run = |of_blocks| {
        let mut phases = Phases::new(2, of_blocks);
        for begin in [100, 200] {
            let block = of_blocks.then_some(0);
            phases.happen(Events { start: 0b11, block, ..Events::default() }, &[0; MAX_WARPS], begin);
            phases.happen(Events { exit: 1, stay: 0b10, ..Events::default() }, &[0; MAX_WARPS], begin + 30);
            phases.happen(Events { exit: 0b10, ..Events::default() }, &[0; MAX_WARPS], begin + 40);
        }
        let barriers = phases.finish(1000);
        (barriers.rtru(), barriers.intervals.len(), barriers.stalled_at_exit)
    };
    assert_eq!(run(true), (Some(10.0 / 80.0), 2, vec![20, 0]));
    assert_eq!(run(false), (None, 0, vec![0, 0]));
}

/// Blocks of two warps, which start one by one: the first block's slot 0 has a warp of the next before the block ends, and
/// the next block's first warp exits before its second one starts.
#[test]
fn slots_that_are_used_anew_are_of_another_block() {
    let mut phases = Phases::new(2, true);
    let mut cta = [0; MAX_WARPS];
    phases.happen(Events { start: 0b01, block: Some(0), ..Events::default() }, &cta, 100);
    phases.happen(Events { start: 0b10, ..Events::default() }, &cta, 101);
    phases.happen(Events { exit: 0b01, stay: 0b10, ..Events::default() }, &cta, 111);
    phases.happen(Events { start: 0b01, block: Some(1), stay: 0b10, ..Events::default() }, &cta, 112);
    cta[0] = 1;
    phases.happen(Events { exit: 0b01, stay: 0b10, ..Events::default() }, &cta, 120);
    phases.happen(Events { exit: 0b10, ..Events::default() }, &cta, 141);
    phases.happen(Events { start: 0b10, ..Events::default() }, &cta, 142);
    cta[1] = 1;
    phases.happen(Events { exit: 0b10, ..Events::default() }, &cta, 152);
    let barriers = phases.finish(1000);
    let met: Vec<_> = barriers.intervals.iter().map(|i| (i.begin, i.end, i.warps, i.rtru)).collect();
    // 10 and 40 cycles; then 0 and 10.
    assert_eq!(met, [(101, 141, 2, 30.0 / 80.0), (142, 152, 2, 10.0 / 20.0)]);
    assert_eq!(barriers.stalled_at_exit, [30 + 32, 0]);
}

/// A run that is cut: who waits has waited so far, at a barrier or for the end of the block.
#[test]
fn who_still_waits_at_the_end_has_waited() {
    let mut phases = Phases::new(4, true);
    let cta = [0; MAX_WARPS];
    phases.happen(Events { start: 0b1111, block: Some(0), ..Events::default() }, &cta, 100);
    phases.happen(Events { arrive: 0b0001, exit: 0b0010, stay: 0b1101, ..Events::default() }, &cta, 110);
    let barriers = phases.finish(131);
    assert_eq!((barriers.stalled, barriers.stalled_at_exit), (vec![20, 0, 0, 0], vec![0, 20, 0, 0]));
}

/// A barrier of one warp is no meeting.
#[test]
fn one_warp_makes_no_interval() {
    let mut phases = started(1);
    phases.happen(Events { arrive: 1, release: 1, ..Events::default() }, &[0; MAX_WARPS], 120);
    assert_eq!(phases.finish(1000).intervals, []);
}
