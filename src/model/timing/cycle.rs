//! One clock cycle of the core: from what the registers show to the edge, in the order of the numbered steps. Who
//! issues and who fetches is in `choice`, the edge in `edge`.

use super::bus::Grant;
use super::commit::{self, Port};
use super::core::{Core, Stop};
use super::lsu::Inputs;
use super::now::Now;
use super::order::AccessOrder;
use super::record::BusRecord;
use super::request::Response;
use super::slice::Slice;
use super::slice_of;
use super::special::{BarrierEvents, Shown};
use super::work::Collector;
use crate::Started;
use spec::config::WarpMask;

impl<const MOST: usize> Core<MOST> {
    /// The next cycle; none once there is nothing more to predict.
    pub(super) fn next_cycle(&mut self) {
        if self.skip_cycle() {
            return;
        }
        let Some(mut now) = self.now.take() else { return };
        let rests = self.dispatcher.rests;
        if self.begin(&mut now) {
            now.record.busy = self.dispatcher.rests == rests;
            self.go_on(&mut now);
        }
        self.now = Some(now);
    }

    #[inline(always)]
    fn go_on(&mut self, now: &mut Now<MOST>) {
        self.show(now);
        self.special(now);
        self.access(now);
        self.events(now);
        self.choose(now);
        self.issue_all(now);
        self.fetch_all(now);
        self.bus.clock(self.cycle, &now.accepted, now.response_taken());
        self.tell(now);
        let [last, before] = &mut self.records;
        std::mem::swap(last, before);
        std::mem::swap(last, &mut now.record);
        self.view_changes |= now.launched;
        self.cycle += 1;
        self.look_whether_to_skip(now);
    }

    /// A grid is taken, or the core goes on; `false` if it has come to its end.
    fn begin(&mut self, now: &mut Now<MOST>) -> bool {
        if self.stop.is_some() {
            return false;
        }
        self.counter_read = None;
        let first = self.cycle == 0;
        // Until the next grid is taken, and still in that cycle, the last one has started all its blocks.
        let was_last = self.dispatcher.grid().is_some() && !self.dispatcher.busy();
        let busy = self.busy();
        let launched = if busy { None } else { self.dispatcher.take() };
        if let Some(Err(fault)) = launched.as_ref().map(|launch| self.machine.launch(launch)) {
            self.stop = Some(Stop::Fault(fault));
            return false;
        }
        now.clear();
        now.launched = launched.is_some();
        now.boots = first && !now.launched;
        now.starts = first || now.launched;
        now.block = Started { was_last, ..Started::default() };
        if !busy && !now.starts && !self.dispatcher.has_more() {
            self.stop = Some(Stop::Finished);
            return false;
        }
        if std::mem::take(&mut self.view_changes) {
            self.show_order();
        }
        true
    }

    /// 1. What the registers show: responses of memory, results, room.
    fn show(&self, now: &mut Now<MOST>) {
        let response = self.bus.port().response();
        now.data_response = match response {
            Some(Response::Data(tag)) => Some(tag),
            _ => None,
        };
        now.icache_response = matches!(response, Some(Response::Icache(..)));
        now.loaded = self.lsu.results;
        now.shown = self.special.shown;
        now.barrier_warps = self.special.barrier_warps;
        now.active_warps = self.front.active_warps;
        now.requests.data = self.lsu.request();
        let (shared, slices) = (self.sharing().is_some(), self.slices.len());
        let offer = |slice: usize, own: bool| {
            let for_warp = |wid: u8| !shared || (slice_of(wid.into(), slices) == slice) == own;
            self.slices[slice].units.offer(self.cycle, for_warp)
        };
        let loads = now.loaded.map(|result| result.is_some());
        let special = self.special.result;
        let of_special = special.map(|result| result.wid);
        let writes = commit::choose(offer, slices, shared, loads, of_special);
        now.special_written = special.filter(|_| writes.iter().any(|of| of.own == Some(Port::Special)));
        for (number, slice) in self.slices.iter().enumerate() {
            let turn = &mut now.turns[number];
            turn.outlook = slice.units.outlook(writes[number]);
            turn.arrived = match response {
                Some(Response::Icache(to, tag)) if usize::from(to) == number => Some(tag),
                _ => None,
            };
            turn.missed = slice.icache.missed();
            now.requests.icaches[number] = slice.icache.request();
            let mem = self.lsu.room(number, slice.units.holds(Collector::Mem));
            turn.room = [mem, slice.units.sfu_room(), true];
            turn.stalled = turn.outlook.holds;
            if let Some(collect) = &slice.collect {
                turn.room_behind = turn.room.map(|room| room && !turn.outlook.holds);
                turn.room = collect.free();
                turn.stalled = false;
                turn.collecting_warps = collect.held_warps();
            }
        }
        now.accepted = self.bus.accept(&now.requests);
        now.drain = self.lsu.dirty() && !self.others_busy();
    }

    /// 2. The special unit takes its next instruction.
    fn special(&mut self, now: &mut Now<MOST>) {
        now.barriers = BarrierEvents::default();
        if !self.special.rests() || self.slices.iter().any(|slice| slice.units.has_task()) {
            self.special_goes_on(now);
        }
    }

    #[inline(never)]
    fn special_goes_on(&mut self, now: &mut Now<MOST>) {
        let accessing_warps = self.sharing().map_or(0, |sharing| sharing.accessing_warps());
        let may_go = |number: usize| {
            let slice = &self.slices[number];
            slice.units.task(accessing_warps).is_some()
                && !slice.order.as_ref().is_some_and(AccessOrder::waits)
        };
        let next = self.special_turns.next(may_go);
        let task = next.and_then(|number| self.slices[number].units.task(accessing_warps));
        let blocks = self.dispatcher.grid();
        let written = now.special_written.is_some();
        let (taken, barriers) = self.special.cycle(task, now.active_warps, blocks, written);
        now.barriers = barriers;
        if let Some(number) = next.filter(|_| taken) {
            self.special_turns.served(number);
            now.turns[number].special = true;
            self.read_csr(task);
        }
    }

    /// 3. Memory instructions.
    #[inline(never)]
    fn access(&mut self, now: &mut Now<MOST>) {
        let mut arriving = [None; MOST];
        let (mut enters, mut controls) = ([false; MOST], [false; MOST]);
        for (number, slice) in self.slices.iter_mut().enumerate() {
            controls[number] = slice.units.holds_ordered();
            arriving[number] = slice.units.leaving_memory();
            enters[number] = arriving[number].is_some();
        }
        let inputs = Inputs {
            response: now.data_response,
            granted: now.accepted.whose == Grant::Data,
            drain: now.drain,
            writes_pending: self.bus.port().writes_pending(),
        };
        self.lsu.cycle(&arriving[..self.slices.len()], inputs, &mut now.memory);
        for &(_, wid) in now.memory.left.iter().flatten() {
            self.perform(wid.into());
        }
        // One slice alone has no order to keep, and the compiler knows it.
        for (number, slice) in self.slices.iter_mut().enumerate().filter(|_| MOST > 1) {
            if let Some(order) = &mut slice.order {
                let leaves = now.memory.left.iter().flatten().any(|&(from, _)| from == number);
                order.clock(enters[number], leaves, controls[number]);
            }
        }
    }

    /// 4. Warps that go on elsewhere, end, begin. 5. Misses.
    fn events(&mut self, now: &mut Now<MOST>) {
        if self.dispatcher.grid().is_some() && !now.launched {
            self.start_block(now);
        }
        let Shown { control, spawn_warps, .. } = now.shown;
        let control_warp = control.map_or(0, |(wid, _)| 1 << wid);
        now.ended_warps = control.map_or(0, |(wid, ends)| WarpMask::from(ends) << wid);
        now.begun_warps = spawn_warps | now.block.mask() | WarpMask::from(now.boots);
        now.taken_warps = now.of_all(|turn| turn.outlook.taken.map_or(0, |wid| 1 << wid));
        now.fence_warp = now.memory.fence.map_or(0, |(wid, _)| 1 << wid);
        let is_fence_i = now.memory.fence.is_some_and(|(_, fence_i)| fence_i);
        now.flush_icache = is_fence_i || now.launched;
        now.redirected_warps = control_warp | now.taken_warps | if is_fence_i { now.fence_warp } else { 0 };
        // A miss of the last cycle holds its warp; the request of that cycle may miss in turn.
        for (wid, followed) in now.turns.iter().filter_map(|turn| turn.missed) {
            self.front.miss(wid, followed);
        }
        let missed_warps = now.of_all(|turn| turn.missed.map_or(0, |(wid, _)| 1 << wid));
        now.held_warps = self.front.suspended_warps | missed_warps;
    }

    /// The next warps of the grid start, if they have been given their place.
    #[inline(never)]
    fn start_block(&mut self, now: &mut Now<MOST>) {
        if let Some(grid) = self.dispatcher.running() {
            now.block = grid.cycle(now.active_warps);
        }
        if let Some(starting) = now.block.warps {
            self.machine.start_warps(starting);
        }
    }

    /// 10. What observers are told.
    fn tell(&mut self, now: &mut Now<MOST>) {
        let whose = now.accepted.whose;
        let stores = whose == Grant::Data && now.requests.data.is_some_and(|request| request.store);
        let response = now.response_taken();
        let record = &mut now.record;
        record.active_warps = now.active_warps;
        record.barrier_warps = now.barrier_warps;
        record.held_warps = now.held_warps;
        record.begun[..MOST].copy_from_slice(&now.memory.begun);
        record.cache = now.memory.cache;
        record.local = now.memory.local;
        record.bus = BusRecord { read: whose != Grant::Nobody && !stores, write: stores, response };
        for (number, slice) in self.slices.iter().enumerate() {
            let (turn, of_slice) = (&now.turns[number], &mut record.slices[number]);
            of_slice.fires = turn.issuing();
            of_slice.can_fetch = turn.can_fetch;
            of_slice.fetches = turn.fetches.is_some();
            of_slice.icache = slice.icache.outcome();
            of_slice.departs = turn.departs;
        }
    }

    /// Who is older than whom, and the CTA slots of the warps, as they are from now on.
    fn show_order(&mut self) {
        self.seen.older = *self.ages.older();
        let Some(blocks) = self.dispatcher.grid() else { return };
        let slots = self.seen.cta.iter_mut().take(self.machine.warps());
        slots.enumerate().for_each(|(wid, slot)| *slot = blocks.residents().slot_of(wid) as u8);
    }

    fn busy(&self) -> bool {
        self.others_busy() || self.lsu.busy() || self.bus.port().writes_pending()
    }

    /// Anything but the load-store unit is.
    fn others_busy(&self) -> bool {
        self.front.active_warps != 0
            || self.dispatcher.busy()
            || self.special.shown.spawn_warps != 0
            || self.slices.iter().any(Slice::busy)
            || self.special.busy()
    }
}
