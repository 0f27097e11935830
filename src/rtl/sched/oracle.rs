//! The oracles that measure how far the issue scheduler departs from its policy.
use super::{CoreView, SchedulerSocket, StageView};
use crate::prelude::*;
use spec::config::FETCH_LATENCY;
use spec::registry;

module! {
    /// Two more schedulers of the slice's policy, which see warps as ready whose instruction has not been fetched in time.
    ///
    /// `osched1` takes every active warp's queue to have a head: a head that is absent is ready, one that is present is ready
    /// if it is. A cycle in which it grants another warp than the issue scheduler (or one, and that none) is a discrepancy.
    /// `osched2` does without an absent head where that is no surprise: while the warp is suspended by a miss, and for as long
    /// after that, or after a taken branch, as fetching anew takes at best, t_F + 1 cycles. A cycle in which it grants another
    /// warp is an error. A greedy oracle goes on from the warp that really issued, so that a difference counts once; the others
    /// go on from their own choice. Nothing is compared while nothing can issue whatever is granted.
    ///
    /// Under SWaS no head is absent, but a suspended warp may not issue the one it has: it counts as absent here.
    ///
    /// Ports: below; W = warps. Latency: combinational; the counters one cycle. Reset: counters 0, oracles as their policy.
    /// Invariants: none that the core depends on; a core without oracles issues the same. Critical path: as the policy.
    /// Source: SWaS VI-A4; docs/SCHEDULERS.md, section 3. Ours: see above, "whatever is granted", and that the excuse for a miss lasts
    /// as long as that very miss, not a fixed latency. Mirror in the model: `model::sched::oracle`.
    pub struct Oracles(cfg: &CoreConfig) [clock, reset]
    let warps = cfg.warps;
    let policy = cfg.unified().unwrap_or(&cfg.issue);
    let refetch = FETCH_LATENCY as u64 + 1;
    let excuse = bits_for(refetch as usize + 1);
    {
        // From issue.
        /// What the issue scheduler sees of the slice.
        pub stage: StageView<In> = StageView::new(cfg),
        /// A bit a warp: could have an issue-ready head, but has none.
        pub absent_warps: Signal<In, WarpMask> = signal(warps),
        // From the warp table.
        /// What all schedulers see alike.
        pub core: CoreView<In> = CoreView::new(cfg),
        // From the ALU.
        /// A branch or jump that resolves.
        pub branch: Branch<In> = Branch::new(cfg),
        // From issue.
        /// A bit a warp: the issue scheduler's grant.
        pub grant_oh: Signal<In, WarpMask> = signal(warps),
        /// No grant can issue.
        pub stalled: Signal<In, Bit>,
        // To the trace port.
        /// What they say.
        pub view: OracleView<Out> = OracleView::new(),
        /// `osched1` and `osched2`.
        schedulers: Vec<SchedulerSocket> = (0..2).map(|_| super::policy(cfg, policy)).collect(),
        excuses: Vec<Reg<Bits<4>>> = regs(warps, excuse),
        counts: Vec<Reg<Bits<32>>> = regs(2, 32),
        present, absent, excused: Signal<Local, WarpMask> = signal(warps),
        differs: Signal<Local, Bits<2>>,
        refetch: Const<Bits<4>> = constant(excuse, refetch),
        one: Const<Bits<4>> = constant(excuse, 1),
        _warps: usize = warps,
        unified: Const<Bit> = Const::new(cfg.unified().is_some()),
        greedy: Const<Bit> = Const::new(registry::find(policy).is_some_and(|p| p.greedy)),
    }
}

impl Logic for Oracles {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. heads that are there, and warps that miss theirs");
        self.present.next = self.stage.ready_warps.val();
        self.absent.next = self.absent_warps.val();
        if self.unified.val() {
            self.present.next = self.stage.ready_warps.val() & !self.core.held_warps.val();
            self.absent.next =
                self.absent_warps.val() | (self.stage.ready_warps.val() & self.core.held_warps.val());
        }
        comment!("2. excuses: a miss for as long as it lasts, then, as after a taken branch, for the time of a fetch");
        self.excused.next = self.core.held_warps.val();
        for i in 0..self._warps {
            if self.excuses[i].q.val().any() {
                self.excused.next = self.excused.val().replace_bit(i, true);
                self.excuses[i].d.next = self.excuses[i].q.val() - self.one.val();
            }
            if self.core.held_warps.val().get_bit(i)
                | (self.branch.valid.val()
                    & self.branch.taken.val()
                    & (self.branch.wid.val() == i.to_bits::<WID_BITS>()))
            {
                self.excuses[i].d.next = self.refetch.val();
            }
        }
        comment!("3. the oracles' choice");
        for k in 0..2 {
            Data::join(&mut self.stage, &mut self.schedulers[k].stage);
            Wires::join(&mut self.core, &mut self.schedulers[k].core);
        }
        self.schedulers[0].stage.ready_warps.next = self.present.val() | self.absent.val();
        self.schedulers[0].stage.data_ready_warps.next = self.present.val() | self.absent.val();
        self.schedulers[1].stage.ready_warps.next =
            self.present.val() | (self.absent.val() & !self.excused.val());
        self.schedulers[1].stage.data_ready_warps.next =
            self.present.val() | (self.absent.val() & !self.excused.val());
        comment!("4. what they remember: their own choice, or, if greedy, what really issued");
        for k in 0..2 {
            self.schedulers[k].stage.fire.next = self.schedulers[k].grant.valid.val() & !self.stalled.val();
            self.schedulers[k].stage.fired_oh.next = self.schedulers[k].grant.oh.val();
            if self.greedy.val() {
                self.schedulers[k].stage.fire.next = self.grant_oh.val().any() & !self.stalled.val();
                self.schedulers[k].stage.fired_oh.next = self.grant_oh.val();
            }
        }
        comment!("5. what differs");
        self.differs.next = 0.into();
        for k in 0..2 {
            self.differs.next = self.differs.val().replace_bit(
                k,
                !self.stalled.val() & (self.schedulers[k].grant.oh.val() != self.grant_oh.val()),
            );
            if self.differs.val().get_bit(k) {
                self.counts[k].d.next = self.counts[k].q.val() + 1;
            }
        }
        self.view.discrepancy.next = self.differs.val().get_bit(0);
        self.view.error.next = self.differs.val().get_bit(1);
        self.view.discrepancies.next = self.counts[0].q.val();
        self.view.errors.next = self.counts[1].q.val();
    }
}
