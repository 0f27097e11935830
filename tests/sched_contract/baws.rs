//! Most waiting first and critical fetch first, in the situations that their definition names: docs/SCHEDULERS.md, section 4.
use super::hardware::Hardware;
use super::{config, reference};
use model::sched::{Inputs, SchedulerModel};
use spec::config::WarpMask;
use spec::registry::{self, Stage};

/// Three CTAs of four warps, as in Figure 7 of the paper.
const WARPS: usize = 12;
const ALL: WarpMask = (1 << WARPS) - 1;

/// A policy in hardware and as a model, which must agree, and what both see.
struct Bench {
    hardware: Hardware,
    model: Box<dyn SchedulerModel>,
    view: Inputs,
}

impl Bench {
    /// After the kernel has begun: twelve warps of one age order, in CTAs of four.
    fn new(key: &str) -> Self {
        let policy = registry::find(key).expect("a policy");
        let stage = policy.stages[0];
        let cfg = config(policy, stage, WARPS, 1);
        let mut view = Inputs::default();
        (view.core.active_warps, view.stage.own_warps) = (ALL, ALL);
        for wid in 0..WARPS {
            view.core.cta[wid] = wid as u8 / 4;
            view.core.older[wid] = (1 << wid) - 1;
        }
        let mut bench =
            Self { hardware: Hardware::new(&cfg, stage), model: reference(policy, &cfg, stage), view };
        bench.cycle(|view| view.core.kernel_start = true);
        bench
    }

    /// One cycle with these events, in which nobody fires.
    fn cycle(&mut self, events: impl FnOnce(&mut Inputs)) {
        let mut view = self.view;
        events(&mut view);
        self.hardware.drive(&view);
        self.hardware.clock();
        self.model.clock(view.view(), view.stage.fired_oh.checked_ilog2().map(|wid| wid as usize));
    }

    /// A warp is the only one ready, and fires.
    fn fires(&mut self, wid: usize) {
        self.cycle(|view| {
            view.stage.ready_warps = 1 << wid;
            (view.stage.fire, view.stage.fired_oh) = (true, 1 << wid);
        });
    }

    /// A warp arrives at a barrier, and waits there unless all these go on.
    fn arrives(&mut self, wid: usize, released: WarpMask) {
        self.cycle(|view| {
            view.core.barrier.arrive_warps = 1 << wid;
            view.core.barrier.release_warps = released;
        });
        self.view.core.barrier.warps = (self.view.core.barrier.warps | 1 << wid) & !released;
    }

    /// A warp issues, through whichever scheduler.
    fn issues(&mut self, wid: usize) {
        self.cycle(|view| view.core.issue_fire_warps = 1 << wid);
    }

    /// A warp ends.
    fn exits(&mut self, wid: usize) {
        self.cycle(|view| view.core.exit_warps = 1 << wid);
        self.view.core.active_warps &= !(1 << wid);
        self.view.core.barrier.warps &= !(1 << wid);
    }

    /// Of these ready warps, whom hardware and model grant.
    fn grant(&mut self, ready_warps: WarpMask) -> Option<usize> {
        let view = Inputs {
            stage: model::sched::StageView { ready_warps, ..self.view.stage },
            core: self.view.core,
        };
        self.hardware.drive(&view);
        let granted = self.hardware.grant();
        assert_eq!(granted, self.model.pick(view.view()), "hardware and model");
        granted
    }

    /// The order of these warps: whom it grants, whom if that one is not ready, and so on.
    fn order(&mut self, mut ready_warps: WarpMask) -> Vec<usize> {
        let mut order = vec![];
        while let Some(wid) = self.grant(ready_warps) {
            order.push(wid);
            ready_warps &= !(1 << wid);
        }
        order
    }

    /// The situation of Figure 7: one, two and three warps wait; the last that issued were w0, w7 and w8.
    fn figure_7(key: &str) -> Self {
        let mut bench = Self::new(key);
        let at_issue = registry::keys(Stage::Issue).contains(&key);
        let last = |bench: &mut Self, wid| if at_issue { bench.fires(wid) } else { bench.issues(wid) };
        for wid in [2, 9, 10, 5, 11] {
            last(&mut bench, wid);
            bench.arrives(wid, 0);
        }
        [8, 0, 7].into_iter().for_each(|wid| last(&mut bench, wid));
        bench.arrives(7, 0);
        bench
    }

    fn running(&self) -> WarpMask {
        ALL & !self.view.core.barrier.warps
    }
}

#[test]
fn the_order_is_that_of_figure_7() {
    for (key, order) in [("mwf-lrr", [8, 4, 6, 1, 3, 0]), ("mwf-gto", [8, 4, 6, 0, 1, 3])] {
        let mut bench = Bench::figure_7(key);
        let running = bench.running();
        assert_eq!(bench.order(running), order, "{key}");
    }
}

/// "For the warps in two or more TBs which have the same priority": the older CTA, as GTO has it of warps (BAWS 4.1.1).
#[test]
fn of_equal_ctas_the_older_comes_first() {
    for key in ["mwf-lrr", "mwf-gto"] {
        let mut bench = Bench::new(key);
        bench.arrives(8, 0);
        bench.arrives(4, 0);
        assert_eq!(bench.grant(0b1110_1110_1111), Some(5), "{key}");
        bench.arrives(9, 0);
        assert_eq!(bench.grant(0b1100_1110_1111), Some(10), "{key}");
        // The age decides, not the slot.
        bench.arrives(5, 0);
        assert_eq!(bench.grant(0b1100_1100_1111), Some(6), "{key}");
        (0..WARPS).for_each(|wid| bench.view.core.older[wid] = ALL & !((2 << wid) - 1));
        assert_eq!(bench.grant(0b1100_1100_1111).map(|wid| wid / 4), Some(2), "{key}");
    }
}

/// While nobody waits, the policy inside ranges over all CTAs; a CTA's own last warp does not count.
#[test]
fn without_a_barrier_ctas_are_all_the_same() {
    for (key, others) in [("mwf-lrr", "lrr"), ("mwf-gto", "gtlo")] {
        let (mut bench, mut plain) = (Bench::new(key), Bench::new(others));
        for wid in [5, 9, 2, 11, 6] {
            bench.fires(wid);
            plain.fires(wid);
            for ready in [ALL, ALL & !(1 << wid), 0b1111_0000_0000, 0b0000_1001_0000] {
                assert_eq!(bench.grant(ready), plain.grant(ready), "{key} after {wid}");
            }
        }
    }
}

/// The table through arrivals, a last arrival, a passing one, and the reuse of a CTA slot.
#[test]
fn the_table_counts_those_who_wait() {
    for key in ["mwf-lrr", "mwf-gto"] {
        let mut bench = Bench::new(key);
        let cta = |bench: &mut Bench, ready| bench.grant(ready).map(|wid| wid / 4);
        // w1 waits, then w5 and w6: CTA 1 is ahead.
        [1, 5, 6].into_iter().for_each(|wid| bench.arrives(wid, 0));
        assert_eq!(cta(&mut bench, 0b1111_1001_1101), Some(1), "{key}");
        // A barrier of one warp opens at once, and takes CTA 2 nowhere.
        bench.arrives(11, 1 << 11);
        assert_eq!(cta(&mut bench, 0b1111_0000_1101), Some(0), "{key}");
        // w7 is the last of CTA 1, w4 is not asked for: the count is cleared, and w7 itself not in it.
        bench.arrives(7, 0b1110_0000);
        assert_eq!(cta(&mut bench, 0b1000_1111_1101), Some(0), "{key}");
        // CTA 0 ends, and a new one has its slot, whose count is not the old one's.
        (0..4).for_each(|wid| bench.exits(wid));
        bench.cycle(|view| view.core.start_warps = 0b1111);
        bench.view.core.active_warps = ALL;
        bench.arrives(5, 0);
        assert_eq!(cta(&mut bench, 0b0000_1101_1101), Some(1), "{key}");
        // A kernel begins: all counts are 0, and scanning begins at warp 0.
        bench.cycle(|view| view.core.kernel_start = true);
        assert_eq!(bench.grant(0b1100_0000_0001), Some(0), "{key}");
    }
}

/// The end of a CTA is a barrier, at which a warp arrives by its exit (BAWS 1, 3).
#[test]
fn those_who_have_exited_wait_for_the_others() {
    for key in ["mwf-lrr", "mwf-gto"] {
        let mut bench = Bench::new(key);
        let cta = |bench: &mut Bench, ready| bench.grant(ready).map(|wid| wid / 4);
        // Two of CTA 2 have gone, one of CTA 1 waits.
        bench.exits(8);
        assert_eq!(cta(&mut bench, 0b1110_1111_1111), Some(2), "{key}");
        bench.arrives(4, 0);
        assert_eq!(cta(&mut bench, 0b1110_1110_1111), Some(1), "{key}: both have one, and CTA 1 is older");
        bench.exits(9);
        assert_eq!(cta(&mut bench, 0b1100_1110_1111), Some(2), "{key}");
        // Who is ended at the barrier has been counted: CTA 1 has two with w5, not three.
        bench.exits(4);
        bench.arrives(5, 0);
        bench.arrives(10, 0);
        assert_eq!(cta(&mut bench, 0b1000_1100_1111), Some(2), "{key}");
        // An exit and an arrival in one cycle are two.
        bench.cycle(|view| {
            view.core.exit_warps = 1 << 6;
            view.core.barrier.arrive_warps = 1 << 7;
        });
        bench.view.core.active_warps &= !(1 << 6);
        bench.view.core.barrier.warps |= 1 << 7;
        bench.exits(0);
        assert_eq!(bench.grant(0b1000_0000_1110), Some(11), "{key}");
        // A barrier that opens takes along those who have exited: CTA 2 is behind CTA 0, from which one has gone.
        bench.arrives(11, 0b1100_0000_0000);
        assert_eq!(cta(&mut bench, 0b1000_0000_1110), Some(0), "{key}");
        // With the last warp the end opens: nobody waits for anybody.
        let mut bench = Bench::new(key);
        [4, 5, 6].into_iter().for_each(|wid| bench.exits(wid));
        bench.fires(9);
        let behind = if key == "mwf-lrr" { 10 } else { 9 };
        assert_eq!(bench.grant(0b1111_1000_1111), Some(7), "{key}");
        bench.exits(7);
        assert_eq!(bench.grant(0b1111_0000_1111), Some(behind), "{key}");
    }
}

/// Of two barriers of a CTA one opens, in the very cycle in which a warp arrives at the other.
#[test]
fn an_arrival_counts_from_the_opening_on() {
    for key in ["mwf-lrr", "mwf-gto"] {
        let mut bench = Bench::new(key);
        [4, 5, 8].into_iter().for_each(|wid| bench.arrives(wid, 0));
        bench.arrives(6, 0b0011_0000);
        // One each: the older one. Two more arrive in CTA 2, and it is ahead.
        assert_eq!(bench.grant(0b1110_1011_1111), Some(4), "{key}");
        bench.arrives(9, 0);
        assert_eq!(bench.grant(0b1100_1011_1111), Some(10), "{key}");
    }
}

/// Another CTA gets the slot of the warp that fired last, and the CTA begins anew.
#[test]
fn a_cta_forgets_a_warp_whose_slot_is_taken() {
    for (key, before, after, of_other) in [("mwf-lrr", 7, 4, 6), ("mwf-gto", 6, 4, 8)] {
        let mut bench = Bench::figure_7(key);
        bench.arrives(8, 0b1111_0000_0000);
        bench.fires(6);
        assert_eq!(bench.grant(0b1101_0000), Some(before), "{key}");
        bench.cycle(|view| view.core.start_warps = 1 << 6);
        bench.view.core.cta[6] = 2;
        assert_eq!(bench.grant(0b1001_0000), Some(after), "{key}");
        // Nor is that warp the last of the CTA that has the slot now, in which w8 fired last.
        bench.arrives(10, 0);
        bench.arrives(11, 0);
        bench.arrives(9, 0);
        assert_eq!(bench.grant(0b0001_0100_0000), Some(of_other), "{key}");
    }
}

/// All queues alike: whom the policy beside it would issue next. Warps at a barrier follow, in the same order.
#[test]
fn critical_fetch_first_goes_by_the_order_of_issue() {
    for (key, order) in
        [("cff-lrr", [8, 4, 6, 1, 3, 0, 9, 10, 11, 5, 7, 2]), ("cff", [8, 4, 6, 0, 1, 3, 9, 10, 11, 5, 7, 2])]
    {
        let mut bench = Bench::figure_7(key);
        assert_eq!(bench.order(ALL), order, "{key}");
        bench.view.stage.empty_warps = ALL;
        assert_eq!(bench.order(ALL), order, "{key}");
    }
}

#[test]
fn an_empty_queue_is_fetched_for_first() {
    for (key, others, unwaited) in [
        ("cff-lrr", [8, 4, 1, 0, 9, 10, 11, 5, 7, 2], [9, 5, 11, 1, 6]),
        ("cff", [8, 4, 0, 1, 9, 10, 11, 5, 7, 2], [5, 9, 1, 6, 11]),
    ] {
        let mut bench = Bench::figure_7(key);
        // w3 of the last CTA and w6 of the middle one are out of instructions, and w10 that waits, whom it helps nothing.
        bench.view.stage.empty_warps = 1 << 3 | 1 << 6 | 1 << 10;
        assert_eq!(bench.order(ALL)[..2], [6, 3], "{key}");
        assert_eq!(bench.order(ALL)[2..], others, "{key}");
        // An empty queue that cannot be fetched for keeps nobody back.
        assert_eq!(bench.grant(1 << 4 | 1 << 0), Some(4), "{key}");
        // While nobody waits, CTAs are all the same.
        let mut bench = Bench::new(key);
        bench.issues(6);
        bench.view.stage.empty_warps = 1 << 9 | 1 << 5;
        assert_eq!(bench.order(0b1010_0110_0010), unwaited, "{key}");
    }
}

/// If slices share warps, several of a slice may issue in a cycle; what is no own warp does not count.
#[test]
fn of_several_that_issue_the_smallest_slot_is_the_last() {
    let mut bench = Bench::new("cff-lrr");
    bench.view.stage.own_warps = ALL & !1;
    bench.cycle(|view| view.core.issue_fire_warps = 0b1001_0001_0001);
    assert_eq!(bench.grant(ALL & !1), Some(5));
}

/// One key for both stages: what issues by the table fetches by it, and in its order.
#[test]
fn most_waiting_first_fetches_critical_first() {
    for (key, fetch) in [("mwf-lrr", "cff-lrr"), ("mwf-gto", "cff")] {
        assert_eq!(registry::find(key).map(|policy| policy.at_fetch), Some(fetch));
        assert!(registry::keys(Stage::Fetch).contains(&fetch));
    }
}
