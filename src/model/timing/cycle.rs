//! One clock cycle of the predictor: from what the registers show to the edge, in the order of the numbered steps.

use super::access::Access;
use super::bus::{Grant, Requests, Response};
use super::core::{Predictor, Stop};
use super::fetch::Decoded;
use super::front::Kind;
use super::instr::Collector;
use super::lsu;
use super::order::AccessOrder;
use super::record::{BusRecord, Issued, Record, Written};
use super::scoreboard::Room;
use super::slice::Turn;
use super::units::Port;
use super::Result;
use crate::sched::{Events, StageView};
use crate::Started;
use spec::config::{WarpMask, MAX_SLICES};

impl Predictor {
    /// The next cycle; none once there is nothing more to predict.
    pub fn cycle(&mut self) {
        if self.stop.is_some() {
            return;
        }
        self.counters_unknown |= self.counter_read.take().is_some();
        let first = self.cycle == 0;
        let rests = self.dispatcher.rests;
        // Until the next grid is taken, and still in that cycle, the last one has started all its blocks.
        let was_last = self.dispatcher.placement().is_some() && !self.dispatcher.busy();
        let launched = if self.busy() { None } else { self.dispatcher.take() };
        let boot = first && launched.is_none();
        if let Some(Err(fault)) = launched.as_ref().map(|launch| self.machine.launch(launch)) {
            self.stop = Some(Stop::Fault(fault));
            return;
        }
        if !boot && launched.is_none() && !self.busy() && !self.dispatcher.has_more() {
            self.stop = Some(Stop::Finished);
            return;
        }
        if std::mem::take(&mut self.view_changes) {
            self.show_order();
        }
        let count = self.slices.len();
        let owner = |result: &Result| usize::from(result.wid) % count;
        let mut turns = [Turn::default(); MAX_SLICES];
        // 1. what the registers show: responses of memory, results, room
        let response = self.bus.port().response();
        let data = match response {
            Some(Response::Data(tag)) => Some(tag),
            _ => None,
        };
        let written = self.lsu.result;
        let special_result = self.special.result;
        let shown = self.special.shown;
        let barrier_warps = self.special.barrier_warps();
        let active = self.front.active_warps;
        let mut requests = Requests { data: self.lsu.request(), ..Requests::default() };
        for (number, slice) in self.slices.iter().enumerate() {
            let writes = written.is_some_and(|(result, _)| owner(&result) == number);
            let special = special_result.is_some_and(|result| owner(&result) == number);
            turns[number].outlook = slice.units.outlook(self.cycle, writes, special);
            turns[number].arrived = match response {
                Some(Response::Icache(to, tag)) if to == number => Some(tag),
                _ => None,
            };
            turns[number].missed = slice.icache.missed();
            let mem = self.lsu.room(number, slice.units.holds(Collector::Mem));
            turns[number].room = Room { sfu: slice.units.sfu_room(), mem };
            requests.icaches[number] = slice.icache.request();
        }
        let granted = self.bus.grant(&requests);
        let drain = self.lsu.dirty() && !self.others_busy();

        // 2. the special unit takes its next instruction
        let may_go = |number: usize| {
            let slice = &self.slices[number];
            slice.units.task().is_some() && !slice.order.as_ref().is_some_and(AccessOrder::waits)
        };
        let next = self.special_turns.next(may_go);
        let task = next.and_then(|number| self.slices[number].units.task());
        let is_written = |result: &Result| turns[owner(result)].outlook.port == Some(Port::Special);
        let special_written = special_result.filter(is_written);
        let (taken, barriers) =
            self.special.cycle(task, active, self.dispatcher.placement(), special_written.is_some());
        if let Some(number) = next.filter(|_| taken) {
            self.special_turns.served(number);
            turns[number].special = true;
            self.read_csr(task);
        }

        // 3. memory instructions
        let mut arriving: [Option<Access>; MAX_SLICES] = Default::default();
        let mut controls = [false; MAX_SLICES];
        for (number, slice) in self.slices.iter_mut().enumerate() {
            controls[number] = slice.units.holds_ordered();
            arriving[number] = slice.units.leaving_memory();
        }
        let enters = arriving.each_ref().map(Option::is_some);
        let inputs = lsu::Inputs {
            response: data,
            granted: granted == Grant::Data,
            drain,
            writes_pending: self.bus.port().writes_pending(),
        };
        let memory = self.lsu.cycle(arriving, inputs);
        for (number, slice) in self.slices.iter_mut().enumerate() {
            if let Some(order) = &mut slice.order {
                order.clock(enters[number], memory.left == Some(number), controls[number]);
            }
        }

        // 4. warps that go on elsewhere, end, begin
        let block = match launched {
            Some(_) => Started { was_last, ..Started::default() },
            None => self.dispatcher.cycle(active),
        };
        if let Some(slot) = block.slot {
            self.machine.start_block(slot);
        }
        let control_warp = shown.control.map_or(0, |(wid, _)| 1 << wid);
        let ended_warps = shown.control.map_or(0, |(wid, ends)| WarpMask::from(ends) << wid);
        let begun_warps = shown.spawn_warps | block.warps | WarpMask::from(boot);
        let taken_warps = of_all(&turns, |turn| turn.outlook.taken.map_or(0, |wid| 1 << wid));
        let fence_warp = memory.fence.map_or(0, |(wid, _)| 1 << wid);
        let fence_i_warp = if memory.fence.is_some_and(|(_, fence_i)| fence_i) { fence_warp } else { 0 };
        let flush_icache = fence_i_warp != 0 || launched.is_some();
        let redirected = control_warp | taken_warps | fence_i_warp;

        // 5. a miss of the last cycle holds its warp; the request of that cycle may miss in turn
        for (wid, followed) in turns.iter().filter_map(|turn| turn.missed) {
            self.front.miss(wid, followed);
        }
        let missed_warps = of_all(&turns, |turn| turn.missed.map_or(0, |(wid, _)| 1 << wid));

        // 6. who issues and, unless that is one selection, who fetches
        let held_warps = self.front.suspended_warps | missed_warps;
        let unblocked = active & !barrier_warps;
        let parked_warps = active & (self.scoreboard.unresolved_warps | barrier_warps);
        let filled_warps = self.front.filled_warps();
        let free_warps = unblocked & !self.scoreboard.unresolved_warps;
        let stall_ibuffer = free_warps & !filled_warps;
        let fetch_waits = self.front.waiting_warps();
        let core = &mut self.view.core;
        core.active_warps = active;
        core.barrier.warps = barrier_warps;
        core.held_warps = held_warps;
        core.icache_req_ready = turns[0].arrived.is_none();
        core.memory.done_warps = memory.done_warps;
        core.barrier.arrive_warps = barriers.arrive_warps;
        core.barrier.release_warps = barriers.release_warps;
        core.start_warps = begun_warps;
        core.exit_warps = ended_warps;
        core.kernel_start = first || launched.is_some();
        core.cta_start = block.slot.map_or(begun_warps, |slot| 1 << slot);
        core.last_cta_dispatched = block.was_last;
        let (mut stall_scoreboard, mut stall_pipeline) = (0, 0);
        // Known when all slices have been looked at, as what issues is: no policy chooses by it.
        let mut blocked_warps = 0;
        let (mut issue_fire_warps, mut fetch_fire_warps) = (0, 0);
        for (number, slice) in self.slices.iter().enumerate() {
            let turn = &mut turns[number];
            let own_warps = slice.own_warps;
            let candidates = unblocked & filled_warps & own_warps;
            let (data_ready, ready) = self.scoreboard.ready(candidates, &self.front.heads, turn.room);
            stall_scoreboard |= free_warps & filled_warps & own_warps & !data_ready;
            blocked_warps |= data_ready & !ready;
            stall_pipeline |= if turn.outlook.stall { data_ready } else { data_ready & !ready };
            let view = &mut self.view;
            view.stage = StageView {
                ready_warps: ready,
                data_ready_warps: data_ready,
                own_warps,
                memory_warps: self.front.memory_warps,
                empty_warps: if self.unified { 0 } else { !filled_warps & self.all_warps },
                ..StageView::default()
            };
            turn.choice = slice.policy.pick(view);
            turn.selected = turn.choice.filter(|_| !turn.outlook.stall);
            turn.at_issue = view.stage;
            turn.at_issue.fire = turn.selected.is_some();
            turn.at_issue.fired_oh = turn.selected.map_or(0, |wid| 1 << wid);
            if let Kind::Decoupled(fetch) = &self.front.kind {
                let able_warps = active & !held_warps;
                let choice = fetch[number].pick(able_warps, self.front.memory_warps, turn.choice, view);
                turn.at_fetch = view.stage;
                turn.fetching = choice.map(|(wid, _)| wid);
                let has_room = |&(wid, full): &(usize, bool)| !full || turn.selected == Some(wid);
                let fetches = choice.filter(has_room).filter(|_| turn.arrived.is_none());
                turn.fetches = fetches.map(|(wid, _)| wid);
            } else {
                turn.fetches = turn.selected;
            }
            issue_fire_warps |= turn.at_issue.fired_oh;
            fetch_fire_warps |= turn.fetches.map_or(0, |wid| 1 << wid);
        }
        let view = &mut self.view;
        view.core.issue_fire_warps = issue_fire_warps;
        view.core.blocked_warps = blocked_warps;
        view.core.fetch_fire_warps = fetch_fire_warps;
        for (number, slice) in self.slices.iter_mut().enumerate() {
            let turn = &mut turns[number];
            if let Kind::Decoupled(fetch) = &mut self.front.kind {
                view.stage = turn.at_fetch;
                turn.fetched = fetch[number].clock(view, turn.fetching, turn.fetches);
            }
            view.stage = turn.at_issue;
            if let Some(oracles) = &mut slice.oracles {
                let sent_warps = if self.unified { redirected } else { taken_warps };
                let events = Events {
                    absent_warps: stall_ibuffer & slice.own_warps,
                    taken_warps: sent_warps & !ended_warps,
                    granted: turn.choice,
                    stalled: turn.outlook.stall || self.unified && turn.arrived.is_some(),
                };
                turn.departs = oracles.cycle(view, &events);
            }
            slice.policy.clock(view, turn.choice);
        }
        if begun_warps != 0 {
            self.ages.start(begun_warps);
            self.view_changes = true;
        }

        // 7. the edge: issue
        let resumed = shown.resume_warps | fence_warp | begun_warps;
        let passed_warps = of_all(&turns, |turn| turn.outlook.resolved_warps());
        self.scoreboard.unresolved_warps &= !(resumed | passed_warps);
        let mut issued_threads = 0;
        let mut record = Record::default();
        let loaded = written.filter(|(_, last)| *last).map(|(result, _)| result);
        for result in [loaded, special_written].into_iter().flatten() {
            self.scoreboard.written(result);
        }
        let parts = written.into_iter().chain(special_written.map(|result| (result, true)));
        for (result, last) in parts {
            record.slices[owner(&result)].written = Some(Written { last, ..Written::whole(result) });
        }
        for (number, turn) in turns.iter_mut().enumerate().take(count) {
            let mut issued = None;
            if let Some(wid) = turn.selected {
                let head = self.front.heads[wid];
                let pc = head.map(|_| self.front.head_pc(wid));
                if let Some((instr, pc)) = head.zip(pc) {
                    let tmask = self.machine.warp(wid).tmask();
                    record.slices[number].issued = Some(Issued { wid, pc, raw: instr.raw, tmask });
                    issued_threads += u64::from(tmask.count_ones());
                    self.scoreboard.issue(wid, &instr);
                    issued = self.issue(wid, &instr);
                }
                if let Some(pc) = self.front.issue(wid, &self.machine) {
                    turn.fetched = Some((wid, pc));
                }
            }
            // 8. the edge: units and their results
            let Turn { outlook, special, .. } = turn;
            let result = self.slices[number].units.cycle(self.cycle, outlook, *special, issued);
            if let Some(result) = result {
                self.scoreboard.written(result);
                record.slices[owner(&result)].written = Some(Written::whole(result));
            }
        }
        let [counted, summed, last] = self.threads_issued;
        self.threads_issued = [counted + summed, last, issued_threads];

        // 9. the edge: front end and bus
        for (number, turn) in turns.iter_mut().enumerate().take(count) {
            turn.decoded = self.decoded(number, taken_warps | ended_warps);
        }
        let killed_warps = redirected | of_all(&turns, |turn| turn.decoded.stops_warps);
        let parked_warps = if self.unified { parked_warps } else { 0 };
        let mut wake_warps = 0;
        for (number, slice) in self.slices.iter_mut().enumerate() {
            let turn = &turns[number];
            let request = turn.fetched.filter(|&(wid, _)| killed_warps >> wid & 1 == 0);
            let granted = granted == Grant::Icache(number);
            wake_warps |=
                slice.icache.cycle(request, killed_warps, parked_warps, turn.arrived, granted, flush_icache);
            if let Kind::Decoupled(fetch) = &mut self.front.kind {
                let request = request.filter(|_| slice.icache.looks_up());
                let found = slice.icache.outcome();
                let changed =
                    fetch[number].advance(request, found, turn.selected, turn.decoded, killed_warps);
                self.front.look_at_heads(changed, &self.machine);
            }
        }
        if flush_icache {
            self.front.forget();
        }
        self.front.suspended_warps = (held_warps & !wake_warps) & !(killed_warps | begun_warps);
        self.front.redirect(redirected | begun_warps, &self.machine);
        self.front.active_warps = active & !ended_warps | begun_warps;
        let response_taken = memory.response_taken || matches!(response, Some(Response::Icache(..)));
        self.bus.clock(self.cycle, &requests, response_taken);

        // 10. what observers are told
        let stores = requests.data.is_some_and(|request| request.store);
        record.busy = self.dispatcher.rests == rests;
        record.active_warps = active;
        record.barrier_warps = barrier_warps;
        record.held_warps = held_warps;
        record.stall_control = active & !free_warps;
        record.stall_ibuffer = stall_ibuffer;
        record.stall_scoreboard = stall_scoreboard;
        record.stall_pipeline = stall_pipeline;
        record.fetch_waits = fetch_waits;
        record.begun = memory.begun;
        record.cache = memory.cache;
        record.local = memory.local;
        record.bus = BusRecord {
            read: granted != Grant::Nobody && !(granted == Grant::Data && stores),
            write: granted == Grant::Data && stores,
            response: response_taken,
        };
        for (number, slice) in self.slices.iter().enumerate() {
            let (turn, of_slice) = (&turns[number], &mut record.slices[number]);
            of_slice.fires = turn.selected;
            of_slice.can_fetch =
                if self.unified { turn.choice.is_some() } else { turn.at_fetch.ready_warps != 0 };
            of_slice.fetches = turn.fetches.is_some();
            of_slice.icache = slice.icache.outcome();
            of_slice.departs = turn.departs;
        }
        self.records.swap(0, 1);
        self.records[0] = record;
        self.view_changes |= launched.is_some();
        self.cycle += 1;
    }

    /// What the slice's decoder has, if fetching has a scheduler of its own.
    fn decoded(&mut self, slice: usize, flushed_warps: WarpMask) -> Decoded {
        let Kind::Decoupled(fetch) = &self.front.kind else { return Decoded::default() };
        let Some(request) = fetch[slice].in_decoder() else { return Decoded::default() };
        let instr = self.front.decode(request.1, &self.machine);
        Decoded::new(request, &instr, self.btfn, flushed_warps)
    }

    /// Who is older than whom, and the CTA slots of the warps, as they are from now on.
    fn show_order(&mut self) {
        self.view.core.older = *self.ages.older();
        let Some(blocks) = self.dispatcher.placement() else { return };
        let slots = self.view.core.cta.iter_mut().take(self.machine.warps());
        slots.enumerate().for_each(|(wid, slot)| *slot = blocks.slot_of(wid) as u8);
    }

    fn busy(&self) -> bool {
        self.others_busy() || self.lsu.busy() || self.bus.port().writes_pending()
    }

    /// Anything but the load-store unit is.
    fn others_busy(&self) -> bool {
        self.front.active_warps != 0
            || self.dispatcher.busy()
            || self.special.shown.spawn_warps != 0
            || self.slices.iter().any(|slice| slice.units.busy())
            || self.special.busy()
    }
}

/// The warps of all slices.
fn of_all(turns: &[Turn; MAX_SLICES], mask: impl Fn(&Turn) -> WarpMask) -> WarpMask {
    turns.iter().fold(0, |all, turn| all | mask(turn))
}
