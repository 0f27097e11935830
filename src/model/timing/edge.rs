//! The edge at the end of a cycle: steps 7 to 9 of [`Core::next_cycle`].

use super::bus::Grant;
use super::core::Core;
use super::fetch::{Decoded, Request};
use super::front::Kind;
use super::now::Now;
use super::record::{Issued, Written};
use super::sharing::Entering;
use super::{slice_of, Result};
use crate::collectors::{self, Sources};
use spec::config::WarpMask;

impl<const MOST: usize> Core<MOST> {
    /// 7. What issues, and 8. the units and their results.
    pub(super) fn issue_all(&mut self, now: &mut Now<MOST>) {
        let resumed = now.shown.resume_warps | now.fence_warp | now.begun_warps;
        let passed_warps = now.of_all(|turn| turn.outlook.resolved_warps());
        self.front.scoreboard.unresolved_warps &= !(resumed | passed_warps);
        for place in 0..self.slices.len() {
            if let Some((result, last)) = now.loaded[place] {
                self.write(now, result, last);
            }
        }
        if let Some(result) = now.special_written {
            self.write(now, result, true);
        }
        let mut issued_threads = 0;
        let mut left_special_warps = 0;
        let entering = self.sharing().map_or([None; MOST], |_| self.entering(now));
        for number in 0..self.slices.len() {
            let issuing = now.turns[number].issuing();
            // The units go on first: what issues takes the place that becomes free.
            left_special_warps |= self.work(number, now, issuing);
            let Some(wid) = issuing else { continue };
            if let Some(instr) = self.front.heads.get(wid) {
                let (pc, tmask) = (self.front.heads.pc(wid), self.machine.warp(wid).tmask());
                now.record.slices[number].issued = Some(Issued { wid, pc, raw: instr.raw, tmask });
                self.front.scoreboard.issue(wid, instr);
                issued_threads += u64::from(self.issue(number, wid));
            }
            if let Some(pc) = self.front.issue(wid, &self.machine) {
                now.turns[number].fetched = Some(Request { wid: wid as u8, words: 1, pc });
            }
        }
        let [counted, summed, last] = self.threads_issued;
        self.threads_issued = [counted + summed, last, issued_threads];
        if let Some(sharing) = self.sharing.as_mut().filter(|_| MOST > 1) {
            let left_mem_warps = now.memory.left.iter().flatten().fold(0, |warps, (_, wid)| warps | 1 << wid);
            let turns = now.turns.iter().enumerate();
            let stalled = turns.fold(0, |mask, (number, turn)| mask | u32::from(turn.stalled) << number);
            sharing.clock(entering.into_iter().flatten(), [left_mem_warps, left_special_warps], stalled);
        }
    }

    /// What issues in each slice, for what lets them share warps.
    fn entering(&self, now: &Now<MOST>) -> [Option<Entering>; MOST] {
        std::array::from_fn(|number| {
            let turn = now.turns.get(number)?;
            let wid = turn.issuing()?;
            let collector = self.front.heads.get(wid)?.work.collector;
            Some(Entering { wid, collector, visits: turn.guest.is_some() })
        })
    }

    /// A result is written, and with the last part of it the register has its value.
    fn write(&mut self, now: &mut Now<MOST>, result: Result, last: bool) {
        if last {
            self.front.scoreboard.written(result);
        }
        now.record.slices[self.owner(result)].written = Some(Written { last, ..Written::whole(result) });
    }

    /// The slice whose registers a result is for.
    fn owner(&self, result: Result) -> usize {
        slice_of(result.wid.into(), self.slices.len())
    }

    /// The units of a slice and its operand collectors, into which the head of `issuing` comes. Gives the warp of what leaves
    /// the special collector.
    fn work(&mut self, number: usize, now: &mut Now<MOST>, issuing: Option<usize>) -> WarpMask {
        let (slice, turn) = (&mut self.slices[number], &now.turns[number]);
        let mut entering = None;
        if let Some(collect) = &mut slice.collect {
            let head = issuing.and_then(|wid| self.front.heads.get(wid).map(|instr| (wid, instr)));
            let to_collect = head.map(|(warp, instr)| collectors::Entering {
                warp,
                class: instr.work.collector.class(),
                // Another slice has read the registers of its warp for it.
                sources: if turn.guest.is_some() { Sources::default() } else { instr.sources },
            });
            (entering, now.record.slices[number].collect) = collect.cycle(turn.room_behind, to_collect);
        }
        let done = slice.units.cycle(self.cycle, &turn.outlook, turn.special, entering);
        for result in done.written.into_iter().flatten() {
            self.write(now, result, true);
        }
        done.left_special.map_or(0, |wid| 1 << wid)
    }

    /// 9. The front end.
    pub(super) fn fetch_all(&mut self, now: &mut Now<MOST>) {
        for (number, turn) in now.turns.iter_mut().enumerate() {
            turn.decoded = self.decoded(number, now.taken_warps | now.ended_warps);
        }
        let killed_warps = now.redirected_warps | now.of_all(|turn| turn.decoded.stops_warps);
        let parked_warps = if self.unified { now.parked_warps } else { 0 };
        match now.accepted.whose {
            Grant::Icache(number) => {
                if let Some((line, _)) = now.requests.icaches[number] {
                    self.front.fetch_line(line, &self.machine);
                }
            }
            Grant::Data => {
                if let Some(store) = now.requests.data.filter(|request| request.store) {
                    self.front.code.written(store.line);
                }
            }
            Grant::Nobody => {}
        }
        let mut wake_warps = 0;
        for (number, slice) in self.slices.iter_mut().enumerate() {
            let turn = &now.turns[number];
            let request = turn.fetched.filter(|request| killed_warps >> request.wid & 1 == 0);
            let granted = now.accepted.whose == Grant::Icache(number);
            let arrived = turn.arrived;
            wake_warps |=
                slice.icache.cycle(request, killed_warps, parked_warps, arrived, granted, now.flush_icache);
            if let Kind::Decoupled(fetch) = &mut self.front.kind {
                let request = request.filter(|_| slice.icache.looks_up());
                let found = slice.icache.outcome();
                let changed =
                    fetch[number].advance(request, found, now.issue_fire_warps, turn.decoded, killed_warps);
                self.front.look_at_heads(changed, &self.machine);
            }
        }
        if now.flush_icache {
            self.front.forget();
        }
        self.front.suspended_warps = (now.held_warps & !wake_warps) & !(killed_warps | now.begun_warps);
        self.front.redirect(now.redirected_warps | now.begun_warps, &self.machine);
        self.front.active_warps = now.active_warps & !now.ended_warps | now.begun_warps;
    }

    /// What the slice's decoder has, one instruction or two, if fetching has a scheduler of its own.
    fn decoded(&mut self, slice: usize, flushed_warps: WarpMask) -> Decoded {
        let Kind::Decoupled(fetch) = &self.front.kind else { return Decoded::default() };
        let Some(request) = fetch[slice].in_decoder() else { return Decoded::default() };
        (0..u32::from(request.words)).fold(Decoded::default(), |before, word| {
            let request = Request { pc: request.pc.wrapping_add(4 * word), ..request };
            let instr = self.front.decode(request.pc, &self.machine);
            Decoded::new(before, request, instr, flushed_warps)
        })
    }
}
