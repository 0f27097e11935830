//! The warp-sharing control unit in Verilog: the paper's example, and random situations against the model.

use crate::rtl_bench::{library_of, Dut, Random};
use crate::sample::seeds;
use model::sched::{Sharing, SharingView, Visit};
use rtl::sharing::WarpSharingControl;
use spec::config::CoreConfig;

const WARPS: usize = 8;
const CLASSES: usize = 3;

fn config(slices: usize) -> CoreConfig {
    CoreConfig { warps: WARPS, threads: 1, slices, issue: "kaws".into(), ..CoreConfig::default() }
}

/// What the hardware shares, class by class, and what visits which slice: issuing, or waiting for the operand stages.
fn ask(dut: &mut Dut, cfg: &CoreConfig, view: &SharingView) -> (Vec<Visit>, Vec<(u32, bool)>) {
    for class in 0..CLASSES {
        dut.set_at("room", class, cfg.slices, view.room[class]);
        dut.set_at("full", class, cfg.slices, view.full[class]);
        dut.set_at("candidates", class, WARPS, view.candidates[class] as u32);
    }
    dut.set("idle", view.idle.into());
    dut.set("stalled", view.stalled.into());
    (0..WARPS).for_each(|warp| dut.set_at("older", warp, WARPS, view.older[warp] as u32));
    dut.settle();
    let shared = (0..CLASSES).filter_map(|class| {
        let warps = dut.get_at("shared_warps", class, WARPS);
        let through = dut.get_at("through", class, cfg.slices);
        assert_eq!(warps.count_ones(), through.count_ones(), "{view:x?}");
        assert!(warps.count_ones() < 2);
        let (warp, through) = (warps.trailing_zeros() as usize, through.trailing_zeros() as usize);
        (warps != 0).then_some(Visit { class, warp, through })
    });
    let visits = (0..cfg.slices).map(|slice| {
        let warps = dut.get_at("visits_oh", slice, WARPS);
        if warps != 0 {
            assert_eq!(1 << dut.get_at("visits_wid", slice, 3), warps);
        }
        (warps, dut.get("visits_valid") >> slice & 1 != 0)
    });
    (shared.collect(), visits.collect())
}

fn by_age(view: &mut SharingView, order: &[usize]) {
    let mut before = 0;
    for &warp in order {
        view.older[warp] = before;
        before |= 1 << warp;
    }
}

/// KAWS, Fig. 3: w0 (memory), w5 (special) and w1 (arithmetic) go to S1, S2 and S3, whose collectors alone are free.
#[test]
fn the_papers_example() {
    let cfg = config(4);
    let mut view = SharingView {
        room: [0b0010, 0b0100, 0b1000],
        full: [0b1101, 0b1011, 0b0111],
        idle: 0b1111,
        candidates: [0b1101_1001, 0b0010_0000, 0b0000_0110],
        ..SharingView::default()
    };
    by_age(&mut view, &[0, 1, 2, 3, 4, 5, 6, 7]);
    let mut dut = Dut::new(&library_of(&cfg, "WarpSharingControl", WarpSharingControl::new));
    let (shared, visits) = ask(&mut dut, &cfg, &view);
    let visit = |class, warp, through| Visit { class, warp, through };
    assert_eq!(shared, [visit(0, 0, 1), visit(1, 5, 2), visit(2, 1, 3)]);
    // w5 and w1 are both of S1, whose registers are read for one of them: w1 waits.
    assert_eq!(visits, [(0, false), (1, true), (1 << 5, true), (0, false)]);
    // S2 has something of its own to do: nothing goes through it, and so w1 does, if no other slice has room: neither its own
    // nor any that moves on in this cycle.
    view.idle = 0b1011;
    assert_eq!(ask(&mut dut, &cfg, &view).1, [(0, false), (1, true), (0, false), (1 << 1, false)]);
    for (stalled, issues) in [(0b0010, false), (0b0110, false), (0b0111, true), (0b1111, false)] {
        view.stalled = stalled;
        let (shared, visits) = ask(&mut dut, &cfg, &view);
        assert_eq!(shared, [visit(0, 0, 1), visit(2, 1, 3)]);
        assert_eq!(visits, [(0, false), (1, false), (0, false), (1 << 1, issues)], "{stalled:#b}");
    }
    // A second slice with room, and none with: nobody is shared.
    for room in [0b1010, 0] {
        (view.room[0], view.full[0]) = (room, !room & 15);
        assert_eq!(ask(&mut dut, &cfg, &view).0, [visit(2, 1, 3)]);
    }
}

#[test]
fn it_shares_what_the_model_shares() {
    for slices in [2, 4] {
        let cfg = config(slices);
        let sharing = Sharing::new(&cfg);
        let mut dut = Dut::new(&library_of(&cfg, "WarpSharingControl", WarpSharingControl::new));
        let (mut some, mut several) = (0, 0);
        for seed in seeds(0, 4) {
            let mut random = Random::new(seed);
            for _ in 0..2000 {
                let view = any_view(slices, &mut random);
                let (shared, visits) = ask(&mut dut, &cfg, &view);
                assert!(shared.iter().eq(sharing.choose(&view).iter().flatten()), "{view:x?}");
                let issuing: Vec<_> = (0..slices).filter(|&slice| visits[slice].1).collect();
                let mut expected: Vec<_> = sharing.issue(&view).into_iter().flatten().collect();
                expected.sort_by_key(|visit| visit.through);
                assert_eq!(issuing, expected.iter().map(|visit| visit.through).collect::<Vec<_>>());
                assert!(expected.iter().all(|visit| visits[visit.through].0 == 1 << visit.warp), "{view:x?}");
                some += usize::from(!shared.is_empty());
                several += usize::from(shared.len() > 1);
            }
        }
        assert!(some > 1000 && several > 100, "{slices} slices: {some} shared, {several} several at once");
    }
}

/// A situation in which sharing is likely.
fn any_view(slices: usize, random: &mut Random) -> SharingView {
    let every = (1 << slices) - 1;
    let mut view = SharingView {
        idle: every & (random.next() | random.next()) as u32,
        stalled: every & (random.next() & random.next()) as u32,
        ..SharingView::default()
    };
    if random.chance(30) {
        // All but one hold, which arithmetic needs.
        view.stalled = every & !(1 << random.below(slices));
    }
    for class in 0..CLASSES {
        view.room[class] = match random.chance(70) {
            true => 1 << random.below(slices),
            false => every & random.next() as u32,
        };
        // Of arithmetic, a collector may be neither.
        let neither = if class == 2 && random.chance(30) { every & random.next() as u32 } else { 0 };
        view.full[class] = every & !view.room[class] & !neither;
    }
    for warp in 0..WARPS {
        let class = random.below(CLASSES + 2);
        if class < CLASSES {
            view.candidates[class] |= 1 << warp;
        }
    }
    let mut order: Vec<_> = (0..WARPS).collect();
    (1..WARPS).for_each(|last| order.swap(last, random.below(last + 1)));
    by_age(&mut view, &order);
    view
}
