//! Who issues in a cycle and, unless that is one selection, who fetches: step 6 of [`Core::next_cycle`].

use super::core::Core;
use super::front::Kind;
use super::now::Now;
use crate::sched::{Events, View};
use spec::config::WarpMask;

impl<const MOST: usize> Core<MOST> {
    /// 6. The choices of the cycle, and what schedulers remember of it.
    pub(super) fn choose(&mut self, now: &mut Now<MOST>) {
        self.look(now);
        self.choose_issue(now);
        let guest_warps = self.choose_guests(now);
        self.choose_fetch(now, guest_warps);
        self.remember(now);
    }

    /// What all schedulers see, and why warps cannot issue.
    fn look(&mut self, now: &mut Now<MOST>) {
        let Now { active_warps: active, barrier_warps, .. } = *now;
        let unresolved_warps = self.front.scoreboard.unresolved_warps;
        now.parked_warps = active & (unresolved_warps | barrier_warps);
        now.record.stall_control = now.parked_warps;
        now.filled_warps = self.front.filled_warps();
        now.record.stall_ibuffer = active & !now.parked_warps & !now.filled_warps;
        now.record.fetch_waits = self.front.waiting_warps();
        let core = &mut self.seen;
        core.active_warps = active;
        core.barrier.warps = barrier_warps;
        core.held_warps = now.held_warps;
        core.icache_req_ready = now.turns[0].arrived.is_none();
        core.memory.done_warps = now.memory.done_warps;
        core.barrier.arrive_warps = now.barriers.arrive_warps;
        core.barrier.release_warps = now.barriers.release_warps;
        core.start_warps = now.begun_warps;
        core.exit_warps = now.ended_warps;
        core.kernel_start = now.starts;
        core.cta_start = self.dispatcher.begun_slots(&now.block, now.begun_warps);
        core.last_cta_dispatched = now.block.was_last;
        // Known when all slices have been looked at, as what issues is: no policy chooses by it.
        core.blocked_warps = 0;
    }

    /// Each slice's choice among its own warps.
    fn choose_issue(&mut self, now: &mut Now<MOST>) {
        let filled_warps = now.filled_warps;
        let unblocked = now.active_warps & !now.barrier_warps;
        let free_warps = now.active_warps & !now.parked_warps;
        let collecting_warps = now.of_all(|turn| turn.collecting_warps);
        let away_warps = self.sharing().map_or_else(Default::default, |sharing| sharing.away_warps());
        let mut blocked_warps = 0;
        for (number, slice) in self.slices.iter().enumerate() {
            let turn = &mut now.turns[number];
            let own_warps = slice.own_warps;
            let candidates = unblocked & filled_warps & own_warps;
            let roomy_warps = std::array::from_fn(|class| match turn.room[class] {
                true => !(collecting_warps | away_warps[class]),
                false => 0,
            });
            let (data_ready, ready) = self.front.scoreboard.ready(candidates, &roomy_warps);
            now.record.stall_scoreboard |= free_warps & filled_warps & own_warps & !data_ready;
            blocked_warps |= data_ready & !ready;
            now.record.stall_pipeline |= if turn.stalled { data_ready } else { data_ready & !ready };
            // It never counts what is unissued: that is for fetch schedulers.
            let stage = &mut turn.at_issue;
            (stage.ready_warps, stage.data_ready_warps) = (ready, data_ready);
            (stage.own_warps, stage.memory_warps) = (own_warps, self.front.memory_warps);
            stage.empty_warps = if self.unified { 0 } else { !filled_warps & self.all_warps };
            (stage.fire, stage.fired_oh) = (false, 0);
            turn.choice = slice.policy.pick(View { stage, core: &self.seen });
            turn.selected = turn.choice.filter(|_| !turn.stalled);
            stage.fire = turn.selected.is_some();
            stage.fired_oh = turn.selected.map_or(0, |wid| 1 << wid);
            now.issue_fire_warps |= turn.at_issue.fired_oh;
        }
        self.seen.blocked_warps = blocked_warps;
    }

    /// Warps that issue through another slice. Gives those that would unless operand stages hold.
    fn choose_guests(&mut self, now: &mut Now<MOST>) -> WarpMask {
        let Some(sharing) = self.sharing() else { return 0 };
        let turns = &mut now.turns;
        let (going, issuing) = sharing.choose(turns, &self.front.heads, &self.slices, &self.seen.older);
        for visit in issuing.into_iter().flatten() {
            turns[visit.through].guest = Some(visit.warp);
            now.issue_fire_warps |= 1 << visit.warp;
        }
        going.into_iter().flatten().fold(0, |mask, visit| mask | 1 << visit.warp)
    }

    /// Who fetches: who issues, or the choice of each slice's fetch scheduler. The heads of `guest_warps` are granted issue in
    /// other slices.
    fn choose_fetch(&mut self, now: &mut Now<MOST>, guest_warps: WarpMask) {
        let granted_warps = guest_warps | now.of_all(|turn| turn.choice.map_or(0, |wid| 1 << wid));
        let able_warps = now.active_warps & !now.held_warps;
        let mut fetch_fire_warps = 0;
        for (number, turn) in now.turns.iter_mut().enumerate() {
            if let Kind::Decoupled(fetch) = &mut self.front.kind {
                let memory_warps = self.front.memory_warps;
                let choice = fetch[number].pick(able_warps, memory_warps, granted_warps, &self.seen);
                turn.can_fetch = fetch[number].can_fetch();
                turn.fetching = choice.map(|(wid, _)| wid);
                let has_room = |&(wid, full): &(usize, bool)| !full || now.issue_fire_warps >> wid & 1 != 0;
                let fetches = choice.filter(has_room).filter(|_| turn.arrived.is_none());
                turn.fetches = fetches.map(|(wid, _)| wid);
            } else {
                (turn.can_fetch, turn.fetches) = (turn.choice.is_some(), turn.selected);
            }
            fetch_fire_warps |= turn.fetches.map_or(0, |wid| 1 << wid);
        }
        self.seen.issue_fire_warps = now.issue_fire_warps;
        self.seen.fetch_fire_warps = fetch_fire_warps;
    }

    /// The edge of the schedulers and of the age order.
    fn remember(&mut self, now: &mut Now<MOST>) {
        let core = &self.seen;
        for (number, slice) in self.slices.iter_mut().enumerate() {
            let turn = &mut now.turns[number];
            if let Kind::Decoupled(fetch) = &mut self.front.kind {
                turn.fetched = fetch[number].clock(core, turn.fetching, turn.fetches);
            }
            let view = View { stage: &turn.at_issue, core };
            if let Some(oracles) = &mut slice.oracles {
                let sent_warps = if self.unified { now.redirected_warps } else { now.taken_warps };
                let events = Events {
                    absent_warps: now.record.stall_ibuffer & slice.own_warps,
                    taken_warps: sent_warps & !now.ended_warps,
                    granted: turn.choice,
                    stalled: turn.stalled || self.unified && turn.arrived.is_some(),
                };
                turn.departs = oracles.cycle(view, &events);
            }
            slice.policy.clock(view, turn.choice);
        }
        if now.begun_warps != 0 {
            self.ages.start(now.begun_warps);
            self.view_changes = true;
        }
    }
}
