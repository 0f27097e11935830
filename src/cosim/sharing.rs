//! The check of warp sharing: in every cycle the warps that issue through other slices than their own are those that the
//! definition shares.
//!
//! The classes of heads are the model's, and what has none follows from what has room, or for arithmetic from who held in the
//! cycle before. Which collectors have room, which operand stages hold and which warps wait in a collector depends on when units
//! take what is offered to them: there the trace port is believed within the bounds of [`Occupancy`]. Who is data-ready and
//! issue-ready is the schedulers' own view, which is checked by what issues.

use model::members;
use model::sched::{CoreView, Sharing, SharingView, StageView, Visit, CLASSES};
use model::timing::{Begun, Collector, Issued, Record, Written};
use spec::config::{CoreConfig, WarpMask};

use super::collect::CollectCheck;
use super::failure::{Checked, Mismatch};
use super::lockstep::Lockstep;
use super::occupancy::{Entered, Occupancy};
use super::ports::{SharingPorts, TracePorts};
use super::verilator::{Model, PortRef};

/// Names of [`CLASSES`].
const NAMES: [&str; CLASSES.len()] = ["memory", "special", "arithmetic"];

/// The model of the control unit beside the hardware's.
pub(super) struct SharingCheck {
    cfg: CoreConfig,
    sharing: Sharing,
    ports: SharingPorts,
    /// Slices whose operand stage holds.
    operand_stall: PortRef,
    /// Of a slice that has issued for a warp that had faulted, none: the model knows no class of that. None either where
    /// operand collectors stand before all this: what has room is then what their model says.
    slices: Vec<Option<Occupancy>>,
    /// Slices whose operand stage held in the cycle before.
    held: u32,
    now: u64,
}

impl SharingCheck {
    /// `None` if the core's slices share nothing.
    pub(super) fn new(cfg: &CoreConfig, trace: &TracePorts) -> Option<Self> {
        let behind = (!cfg.collects()).then(Occupancy::default);
        let slices = vec![behind; cfg.slices];
        let sharing = Sharing::new(cfg);
        Some(Self {
            cfg: cfg.clone(),
            sharing,
            ports: trace.sharing?,
            operand_stall: trace.operand_stall,
            slices,
            held: 0,
            now: 0,
        })
    }

    /// Checks the cycle of a record, as the trace port shows it; `core` is what the schedulers see alike, `stages` what the
    /// slices tell each. `lockstep` has executed what issued in the cycles before, and so knows every head.
    pub(super) fn cycle<'a>(
        &mut self,
        record: &Record,
        model: &Model,
        lockstep: &Lockstep,
        collect: Option<&CollectCheck>,
        core: &CoreView,
        stages: impl Iterator<Item = &'a StageView>,
    ) -> Checked {
        self.can_hold(model)?;
        for class in 0..CLASSES.len() {
            self.can_be(model, class)?;
            self.can_wait(model, class)?;
            collect.map_or(Ok(()), |collect| self.is_free(model, collect, class))?;
        }
        let view = self.view(model, lockstep, core, stages).map(|mut view| {
            let collecting = |&warp: &usize| collect.is_some_and(|collect| collect.holds(warp));
            let held = (0..self.cfg.warps).filter(collecting).fold(0, |held, warp| held | 1 << warp);
            view.candidates.iter_mut().for_each(|warps: &mut WarpMask| *warps &= !held);
            view
        });
        if let Some(view) = view {
            let mut expected: Vec<_> = self.sharing.issue(&view).into_iter().flatten().collect();
            expected.sort_by_key(|visit| visit.through);
            let got = self.visits(record);
            let pairs = || expected.iter().map(|visit: &Visit| (visit.warp, visit.through));
            if !pairs().eq(got.iter().copied()) {
                return Err(mismatch(pairs().collect(), got));
            }
        }
        self.clock(record, model.read(self.operand_stall) as u32, lockstep);
        Ok(())
    }

    /// Whether those operand stages hold that can, by the records.
    fn can_hold(&self, model: &Model) -> Checked {
        let stalled = model.read(self.operand_stall);
        for (slice, records) in self.slices.iter().enumerate().filter(|(slice, _)| stalled >> slice & 1 != 0)
        {
            if records.as_ref().is_some_and(|records| !records.may_hold()) {
                let what = format!("operand stage of slice {slice}");
                return Err(Mismatch::new(None, what, "nothing arithmetic", "it holds"));
            }
        }
        Ok(())
    }

    /// Whether what the trace port shows of a class's collectors can be, by the records.
    fn can_be(&self, model: &Model, class: usize) -> Checked {
        let name = NAMES[class];
        let room = self.ports.room.get(model, class);
        let full = self.full(class, room);
        let got = self.ports.full.get(model, class);
        if got != full {
            let what = format!("slices without room for {name}");
            return Err(Mismatch::new(None, what, format!("{full:#b}"), format!("{got:#b}")));
        }
        for (slice, records) in self.slices.iter().enumerate() {
            let Some(records) = records else { continue };
            let got = room >> slice & 1 != 0;
            if let Some(room) = records.room(CLASSES[class]).filter(|&room| room != got) {
                return Err(Mismatch::new(None, format!("room for {name} in slice {slice}"), room, got));
            }
        }
        Ok(())
    }

    /// Whether the operand collectors of a class with room are those that their model has.
    fn is_free(&self, model: &Model, collect: &CollectCheck, class: usize) -> Checked {
        let name = NAMES[class];
        let (free, known) = collect.free(class);
        let room = self.ports.room.get(model, class) & known;
        if room != free {
            let what = format!("slices with an operand collector for {name}");
            return Err(Mismatch::new(None, what, format!("{free:#b}"), format!("{room:#b}")));
        }
        Ok(())
    }

    /// Whether those warps wait in collectors of a class that can; for arithmetic none waits in one.
    fn can_wait(&self, model: &Model, class: usize) -> Checked {
        let name = NAMES[class];
        if CLASSES[class] == Collector::Sp {
            return Ok(());
        }
        let waiting = self.ports.waiting_warps.get_wide(model, class);
        for warp in 0..self.cfg.warps {
            let waits = self.slices.iter().map(|records| records.as_ref()?.waits(CLASSES[class], warp));
            let known: Option<Vec<bool>> = waits.clone().collect();
            let certain = match waits.flatten().any(|waits| waits) {
                true => Some(true),
                false => known.map(|_| false),
            };
            let got = waiting >> warp & 1 != 0;
            if let Some(waits) = certain.filter(|&waits| waits != got) {
                let what = format!("whether warp {warp} has a {name} instruction in a collector");
                return Err(Mismatch::new(None, what, waits, got));
            }
        }
        Ok(())
    }

    /// Slices whose collector of a class has no room: those without any, or for arithmetic those that held.
    fn full(&self, class: usize, room: u32) -> u32 {
        match CLASSES[class] {
            Collector::Sp if !self.cfg.collects() => self.held,
            _ => !room & ((1 << self.cfg.slices) - 1),
        }
    }

    /// Notes what issues, begins and is written in the cycle, and which operand stages hold in it.
    fn clock(&mut self, record: &Record, held: u32, lockstep: &Lockstep) {
        self.now += 1;
        self.held = held;
        for &Begun { wid, pc } in record.begun.iter().flatten() {
            let of_all = self.slices.iter_mut().flatten().filter(|records| records.first(wid, pc).is_some());
            if let Some(records) = of_all.min_by_key(|records| records.first(wid, pc)) {
                records.begins(wid, pc);
            }
        }
        let of_slices = &record.slices[..self.cfg.slices];
        for &Written { wid, rd, .. } in
            of_slices.iter().filter_map(|of_slice| of_slice.written.as_ref()).filter(|written| written.last)
        {
            self.slices.iter_mut().flatten().for_each(|records| records.committed(wid, rd.into()));
        }
        for (slice, of_slice) in of_slices.iter().enumerate() {
            let mut entered = None;
            if let Some(Issued { wid: warp, pc, raw, .. }) = of_slice.issued {
                let rd = isa::decode(raw).and_then(|op| op.format().rd(raw));
                let collector = lockstep.next_collector(warp);
                entered = collector.map(|collector| Entered { warp, pc, cycle: self.now, collector, rd });
                if entered.is_none() {
                    self.slices[slice] = None;
                }
            }
            if let Some(records) = &mut self.slices[slice] {
                records.clock(held >> slice & 1 != 0, entered);
            }
        }
    }

    /// Warps that issue through other slices than their own, by slice.
    fn visits(&self, record: &Record) -> Vec<(usize, usize)> {
        let issued = record.slices[..self.cfg.slices].iter().enumerate();
        let issued = issued.filter_map(|(slice, of_slice)| Some((of_slice.issued.as_ref()?.wid, slice)));
        issued.filter(|&(warp, slice)| self.cfg.slice_of(warp) != slice).collect()
    }

    /// `None` if the class of a head cannot be known, for its warp has faulted or is about to.
    fn view<'a>(
        &self,
        model: &Model,
        lockstep: &Lockstep,
        core: &CoreView,
        stages: impl Iterator<Item = &'a StageView>,
    ) -> Option<SharingView> {
        let room = std::array::from_fn(|class| self.ports.room.get(model, class));
        let mut seen = SharingView {
            room,
            full: std::array::from_fn(|class| self.full(class, room[class])),
            stalled: model.read(self.operand_stall) as u32,
            older: core.older,
            ..SharingView::default()
        };
        let mut data_ready = 0;
        for (slice, stage) in stages.enumerate() {
            seen.idle |= u32::from(stage.ready_warps == 0) << slice;
            data_ready |= stage.data_ready_warps;
        }
        if seen.idle == 0 {
            // Nobody takes a warp, whatever it is.
            return Some(seen);
        }
        for warp in members(data_ready) {
            let collector = lockstep.next_collector(warp)?;
            let class = CLASSES.iter().position(|class| *class == collector)?;
            let waits = collector != Collector::Sp
                && self.ports.waiting_warps.get_wide(model, class) >> warp & 1 != 0;
            seen.candidates[class] |= WarpMask::from(!waits) << warp;
        }
        Some(seen)
    }
}

#[cold]
fn mismatch(expected: Vec<(usize, usize)>, got: Vec<(usize, usize)>) -> Box<Mismatch> {
    let show = |visits: Vec<(usize, usize)>| match visits.as_slice() {
        [] => "none".to_owned(),
        all => all
            .iter()
            .map(|(warp, slice)| format!("warp {warp} through slice {slice}"))
            .collect::<Vec<_>>()
            .join(", "),
    };
    Mismatch::new(None, "warps that issue through other slices", show(expected), show(got))
}
