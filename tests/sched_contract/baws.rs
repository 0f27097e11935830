//! Most waiting first and critical fetch first, in the situations that their definition names: docs/SCHEDULERS.md, section 4.
use super::hardware::Hardware;
use super::{config, reference};
use model::sched::{SchedulerModel, View};
use spec::config::WarpMask;
use spec::registry::{self, Stage};

/// Three CTAs of four warps, as in Figure 7 of the paper.
const WARPS: usize = 12;
const ALL: WarpMask = (1 << WARPS) - 1;

/// A policy in hardware and as a model, which must agree, and what both see.
struct Bench {
    hardware: Hardware,
    model: Box<dyn SchedulerModel>,
    view: View,
}

impl Bench {
    /// After the kernel has begun: twelve warps of one age order, in CTAs of four.
    fn new(key: &str) -> Self {
        let policy = registry::find(key).expect("a policy");
        let stage = policy.stages[0];
        let cfg = config(policy, stage, WARPS, 1);
        let mut view = View::default();
        view.core.active_warps = ALL;
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
    fn cycle(&mut self, events: impl FnOnce(&mut View)) {
        let mut view = self.view;
        events(&mut view);
        self.hardware.drive(&view);
        self.hardware.clock();
        self.model.clock(&view, view.stage.fired_oh.checked_ilog2().map(|wid| wid as usize));
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

    /// Of these ready warps, whom hardware and model grant.
    fn grant(&mut self, ready_warps: WarpMask) -> Option<usize> {
        let view =
            View { stage: model::sched::StageView { ready_warps, ..self.view.stage }, core: self.view.core };
        self.hardware.drive(&view);
        let granted = self.hardware.grant();
        assert_eq!(granted, self.model.pick(&view), "hardware and model");
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

    /// The situation of Figure 7: one, two and three warps wait; the last that fired were w0, w7 and w8.
    fn figure_7(key: &str) -> Self {
        let mut bench = Self::new(key);
        for wid in [2, 9, 10, 5, 11] {
            bench.fires(wid);
            bench.arrives(wid, 0);
        }
        bench.fires(8);
        bench.fires(0);
        bench.fires(7);
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

/// "For the warps in two or more TBs which have the same priority": the smaller CTA slot (BAWS 4.1.1).
#[test]
fn of_equal_ctas_the_smaller_slot_comes_first() {
    for key in ["mwf-lrr", "mwf-gto"] {
        let mut bench = Bench::new(key);
        bench.arrives(8, 0);
        bench.arrives(4, 0);
        assert_eq!(bench.grant(0b1110_1110_1111), Some(5), "{key}");
        bench.arrives(9, 0);
        assert_eq!(bench.grant(0b1100_1110_1111), Some(10), "{key}");
        // The slot decides, not the age.
        bench.arrives(5, 0);
        (0..WARPS).for_each(|wid| bench.view.core.older[wid] = ALL & !((2 << wid) - 1));
        assert_eq!(bench.grant(0b1100_1100_1111).map(|wid| wid / 4), Some(1), "{key}");
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

/// The table through arrivals, a last arrival, a passing one, exits and the reuse of a CTA slot.
#[test]
fn the_table_counts_those_who_wait() {
    for key in ["mwf-lrr", "mwf-gto"] {
        let mut bench = Bench::new(key);
        let cta = |bench: &mut Bench, ready| bench.grant(ready).map(|wid| wid / 4);
        // w1 waits, then w5 and w6: CTA 1 is ahead.
        [1, 5, 6].into_iter().for_each(|wid| bench.arrives(wid, 0));
        assert_eq!(cta(&mut bench, 0b1111_1001_1101), Some(1), "{key}");
        // A warp that exits is not in the table: CTA 2 stays behind, with three gone.
        for wid in [8, 9, 10] {
            bench.fires(wid);
            bench.cycle(|view| view.core.exit_warps = 1 << wid);
        }
        assert_eq!(cta(&mut bench, 0b1000_0000_1101), Some(0), "{key}");
        // A barrier of one warp opens at once, and takes CTA 2 nowhere.
        bench.arrives(11, 1 << 11);
        assert_eq!(cta(&mut bench, 0b1000_0000_1101), Some(0), "{key}");
        // w7 is the last of CTA 1, w4 has gone: the count is cleared, and w7 itself not in it.
        bench.arrives(7, 0b1110_0000);
        assert_eq!(cta(&mut bench, 0b1000_1111_1101), Some(0), "{key}");
        // Two of CTA 0 exit without it, and a new CTA has slot 0, whose count is not the old one's.
        bench.cycle(|view| (view.core.cta_start, view.core.start_warps) = (1, 0b1111));
        bench.arrives(5, 0);
        assert_eq!(cta(&mut bench, 0b0000_1101_1101), Some(1), "{key}");
        // A kernel begins: all counts are 0, and scanning begins at warp 0.
        bench.cycle(|view| view.core.kernel_start = true);
        assert_eq!(bench.grant(0b1100_0000_0001), Some(0), "{key}");
    }
}

/// Of two barriers of a CTA one opens, in the very cycle in which a warp arrives at the other.
#[test]
fn an_arrival_counts_from_the_opening_on() {
    for key in ["mwf-lrr", "mwf-gto"] {
        let mut bench = Bench::new(key);
        [4, 5, 8].into_iter().for_each(|wid| bench.arrives(wid, 0));
        bench.arrives(6, 0b0011_0000);
        // One each: the smaller slot. Two more arrive in CTA 2, and it is ahead.
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

#[test]
fn an_empty_queue_is_fetched_for_first() {
    let mut bench = Bench::figure_7("cff");
    // All queues alike: by CTA, inside a CTA by age. Warps at a barrier follow, oldest first.
    let order = [8, 4, 6, 0, 1, 3, 2, 5, 7, 9, 10, 11];
    assert_eq!(bench.order(ALL), order);
    bench.view.stage.empty_warps = ALL;
    assert_eq!(bench.order(ALL), order);
    // w3 of the last CTA and w6 of the middle one are out of instructions, and w10 that waits, whom it helps nothing.
    bench.view.stage.empty_warps = 1 << 3 | 1 << 6 | 1 << 10;
    assert_eq!(bench.order(ALL), [6, 3, 8, 4, 0, 1, 2, 5, 7, 9, 10, 11]);
    // An empty queue that cannot be fetched for keeps nobody back.
    assert_eq!(bench.grant(1 << 4 | 1 << 0), Some(4));
    // While nobody waits, by age alone.
    let mut bench = Bench::new("cff");
    bench.view.stage.empty_warps = 1 << 9 | 1 << 5;
    assert_eq!(bench.order(0b1010_0110_0010), [5, 9, 1, 6, 11]);
}

/// One key for both stages: what issues by the table fetches by it.
#[test]
fn most_waiting_first_fetches_critical_first() {
    for key in ["mwf-lrr", "mwf-gto"] {
        assert_eq!(registry::find(key).map(|policy| policy.at_fetch), Some("cff"));
    }
    assert!(registry::keys(Stage::Fetch).contains(&"cff"));
}
