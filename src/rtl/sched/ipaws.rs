//! Policy `ipaws`, adapting to the pattern in which instructions issue.
use super::adapt::{BlockCounts, IssueCounts, IssuePattern};
use crate::prelude::*;

/// What iPAWS does at present.
#[derive(Copy, Clone, PartialEq, Eq, Debug, LogicState)]
pub enum Phase {
    /// Greedy, until the first warp exits.
    Adapt,
    /// Greedy, while the pattern is looked at.
    Decide,
    /// Greedy, until the kernel ends.
    Stay,
    /// Fewest instructions first.
    Recover,
    /// Round-robin, until the kernel ends.
    Execute,
}

scheduler! {
    /// Grants as `gtlo` until the first warp of the core exits and the issue pattern is decided on; after a concave one for
    /// good; after a convex one the warp with the fewest instructions until those behind have caught up, then as `lrr`.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the state moves at the edge after `fire`
    /// and the events, and in the 3 W cycles of the decision. Reset, and the start of a kernel: Adapt, no warp has fired.
    /// Invariants: one grant if and only if some warp is ready; with several slices all decide alike, in the same cycle. No
    /// bound on waiting before Execute, then that of `lrr`.
    /// Critical path: 32 steps of an OR of W bits to the fewest instructions, an OR of W bits, an encoder.
    /// Source: iPAWS 3; docs/SCHEDULERS.md, section 6. Ours: each slice counts and decides for itself what is of the whole
    /// core; the pointer is one for all phases. Mirror in the model: `model::sched::ipaws`.
    pub struct Adaptive(cfg) {
        phase: Reg<Phase>,
        /// One-hot, or none.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::width(cfg.warps),
        /// Who has exited since the decision began, with whose exit it did.
        left: Reg<WarpMask> = Reg::<WarpMask>::width(cfg.warps),
        recovers: Const<Bit> = Const::new(cfg.ipaws_recover),
        greedy, behind: Signal<Local, WarpMask> = signal(cfg.warps),
        caught_up, first_exit: Signal<Local, Bit>,
        by_block: Const<Bit> = Const::new(cfg.ipaws_block_counts),
        counts: Opt<IssueCounts> = Opt::new(!cfg.ipaws_block_counts, IssueCounts::new(cfg.warps)),
        block_counts: Opt<BlockCounts> = Opt::new(cfg.ipaws_block_counts, BlockCounts::new(cfg)),
        pattern: IssuePattern = IssuePattern::new(cfg.warps, cfg.ipaws_block_counts),
        fewest: FewestOf = FewestOf::new(cfg.warps, 32),
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        turn: NextInTurn = NextInTurn::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for Adaptive {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the warp that fired last; of those left behind, or else of all, the ones with the fewest instructions; all ready ones");
        self.greedy.next = self.stage.ready_warps.val() & self.last_fired.q.val();
        self.behind.next =
            self.stage.ready_warps.val() & self.pattern.behind_warps.val() & (!self.left.q.val());
        self.fewest.candidates.next = self.stage.ready_warps.val();
        if self.behind.val().any() {
            self.fewest.candidates.next = self.behind.val();
        }
        self.oldest.candidates.next = self.stage.ready_warps.val();
        if self.phase.q.val() == Phase::Recover {
            self.oldest.candidates.next = self.fewest.fewest_warps.val();
        }
        self.turn.candidates.next = self.stage.ready_warps.val();
        self.turn.last_oh.next = self.last_fired.q.val();
        comment!("2. pick by the phase");
        self.grant.oh.next = self.oldest.oldest_oh.val();
        if self.phase.q.val() == Phase::Execute {
            self.grant.oh.next = self.turn.next_oh.val();
        } else if (self.phase.q.val() != Phase::Recover) & self.greedy.val().any() {
            self.grant.oh.next = self.greedy.val();
        }
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember the warp that fired, the counts, the phase");
        if self.stage.fire.val() {
            self.last_fired.d.next = self.stage.fired_oh.val();
        }
        if self.by_block.val() {
            self.block_counts.clear.next = self.core.kernel_start.val();
            self.block_counts.freeze.next = self.phase.q.val() != Phase::Adapt;
            self.block_counts.cta_start.next = self.core.cta_start.val();
            Wires::join(&mut self.core.cta, &mut self.block_counts.cta);
            self.block_counts.issued_warps.next = self.core.issue_fire_warps.val();
            self.block_counts.waited_warps.next = 0.into();
            if self.core.issue_fire_warps.val().any() {
                self.block_counts.waited_warps.next = self.core.barrier.warps.val();
            }
            self.block_counts.stalled_warps.next =
                self.core.blocked_warps.val() & (!self.core.issue_fire_warps.val());
        } else {
            self.counts.clear.next = self.core.kernel_start.val();
            self.counts.freeze.next = self.phase.q.val() != Phase::Adapt;
            self.counts.start_warps.next = self.core.start_warps.val();
            self.counts.issued_warps.next = self.core.issue_fire_warps.val();
            self.counts.waited_warps.next = 0.into();
            if self.core.issue_fire_warps.val().any() {
                self.counts.waited_warps.next = self.core.barrier.warps.val();
            }
            self.counts.stalled_warps.next =
                self.core.blocked_warps.val() & (!self.core.issue_fire_warps.val());
        }
        comment!("the decision, from the first exit on");
        self.first_exit.next = (self.phase.q.val() == Phase::Adapt) & self.core.exit_warps.val().any();
        self.pattern.clear.next = self.core.kernel_start.val();
        self.pattern.start.next = self.first_exit.val();
        self.pattern.resident_warps.next = self.core.active_warps.val();
        self.caught_up.next = (self.left.q.val() & self.pattern.youngest_oh.val()).any();
        for i in 0..self._warps {
            self.oldest.older[i].next = self.core.older[i].val();
            self.pattern.older[i].next = self.core.older[i].val();
            if self.by_block.val() {
                self.pattern.inst[i].next = self.block_counts.inst[i].val();
                self.pattern.score[i].next = self.block_counts.score[i].val();
                self.pattern.stall[i].next = self.block_counts.stall[i].val();
                self.fewest.counts[i].next = self.block_counts.inst[i].val();
                if self.pattern.youngest_oh.val().get_bit(i)
                    & (self.block_counts.inst[i].val() >= self.pattern.enough_inst.val())
                {
                    self.caught_up.next = true;
                }
            } else {
                self.pattern.inst[i].next = self.counts.inst[i].val();
                self.pattern.score[i].next = self.counts.score[i].val();
                self.pattern.stall[i].next = self.counts.stall[i].val();
                self.fewest.counts[i].next = self.counts.inst[i].val();
                if self.pattern.youngest_oh.val().get_bit(i)
                    & (self.counts.inst[i].val() >= self.pattern.enough_inst.val())
                {
                    self.caught_up.next = true;
                }
            }
        }
        comment!("the next phase");
        self.left.d.next = self.left.q.val() | self.core.exit_warps.val();
        if self.phase.q.val() == Phase::Adapt {
            self.left.d.next = self.core.exit_warps.val();
        }
        if self.first_exit.val() {
            self.phase.d.next = Phase::Decide;
        }
        if (self.phase.q.val() == Phase::Decide) & self.pattern.decided.val() {
            self.phase.d.next = Phase::Execute;
            if self.recovers.val() {
                self.phase.d.next = Phase::Recover;
            }
            if self.pattern.concave.val() {
                self.phase.d.next = Phase::Stay;
            }
        }
        if (self.phase.q.val() == Phase::Recover) & self.caught_up.val() {
            self.phase.d.next = Phase::Execute;
        }
        if self.core.kernel_start.val() {
            self.phase.d.next = Phase::Adapt;
            self.last_fired.d.next = 0.into();
        }
    }
}
