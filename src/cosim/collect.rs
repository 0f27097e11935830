//! The check of the operand collectors: in every cycle leaves them, and waits in them, what the definition says.

use isa::disasm::disassemble;
use model::collectors::{sources, Collected, Entering, OperandCollectors, Sources};
use model::sched::CLASSES;
use model::timing::{Collector, Issued, Record};
use spec::config::CoreConfig;

use super::elements::Elements;
use super::failure::{Checked, Mismatch};
use super::lockstep::Lockstep;
use super::ports::{CollectPorts, TracePorts};
use super::verilator::Model;

/// The model of each slice's collectors beside the hardware's.
pub(super) struct CollectCheck {
    /// Of a slice a warp of which goes on after a fault, none: the model knows no class of what it issues.
    slices: Vec<Option<OperandCollectors>>,
    ports: CollectPorts,
    cfg: CoreConfig,
}

impl CollectCheck {
    /// `None` if the core has none.
    pub(super) fn new(cfg: &CoreConfig, trace: &TracePorts) -> Option<Self> {
        let slices = vec![Some(OperandCollectors::new(cfg)); cfg.slices];
        Some(Self { slices, ports: trace.collect?, cfg: cfg.clone() })
    }

    /// Slices with a free collector of a class, at the beginning of a cycle, and all of which that is known.
    pub(super) fn free(&self, class: usize) -> (u32, u32) {
        let known =
            (0..).zip(&self.slices).filter_map(|(slice, collectors)| Some((slice, collectors.as_ref()?)));
        known.fold((0, 0), |(free, of), (slice, collectors): (u32, _)| {
            (free | u32::from(collectors.is_free(class)) << slice, of | 1 << slice)
        })
    }

    /// Whether a warp has an instruction in a collector of some slice.
    pub(super) fn holds(&self, warp: usize) -> bool {
        self.slices.iter().flatten().any(|collectors| collectors.holds(warp))
    }

    /// Checks the cycle of a record, as the trace port shows it. `lockstep` has executed what issued in the cycles before, and
    /// so knows the class of every head.
    pub(super) fn cycle(&mut self, record: &Record, model: &Model, lockstep: &Lockstep) -> Checked {
        for slice in 0..self.slices.len() {
            let issued = record.slices[slice].issued.as_ref();
            if issued.is_some_and(|issued| lockstep.expected.of_warp(issued.wid)) {
                self.slices[slice] = None;
            }
            let room = self.by_class(self.ports.room, model, slice);
            let enters = issued.and_then(|issued| self.entering(issued, lockstep, slice));
            let elsewhere = enters.as_ref().is_some_and(|entering| self.holds(entering.warp));
            let Some(collectors) = &mut self.slices[slice] else { continue };
            if let (Some(issued), Some(Entering { warp, class, .. })) = (issued, &enters) {
                if elsewhere || !collectors.may_issue(*warp, *class) {
                    return Err(issues_too_early(slice, issued));
                }
            }
            let expected = collectors.cycle(room, enters);
            let leaves = (self.ports.leaves.get(model, slice) != 0)
                .then(|| self.ports.leaves_wid.get(model, slice) as usize);
            let waits = self.ports.waits.get(model, slice);
            let got = Collected { leaves, waits, free: self.by_class(self.ports.free, model, slice) };
            if got != expected {
                return Err(mismatch(slice, &expected, &got));
            }
        }
        Ok(())
    }

    fn by_class(&self, ports: Elements, model: &Model, slice: usize) -> [bool; CLASSES.len()] {
        std::array::from_fn(|class| ports.get(model, slice * CLASSES.len() + class) != 0)
    }

    fn entering(&self, issued: &Issued, lockstep: &Lockstep, slice: usize) -> Option<Entering> {
        let Issued { wid: warp, raw, .. } = *issued;
        // Where there is no memory, what is seen to issue is the fault, and goes to the special unit.
        let collector = lockstep.next_collector(warp).unwrap_or(Collector::Sfu);
        let class = CLASSES.iter().position(|class| *class == collector)?;
        let own = self.cfg.slice_of(warp) == slice;
        // The words of a shared warp come from its own slice's second copy, together.
        let sources = if own { sources(raw, (&self.cfg).into()) } else { Sources::default() };
        Some(Entering { warp, class, sources })
    }
}

#[cold]
fn issues_too_early(slice: usize, &Issued { wid, raw, .. }: &Issued) -> Box<Mismatch> {
    let what = format!("issue of warp {wid} into the operand collectors of slice {slice}");
    Mismatch::new(None, what, "none: it is in one, or its class has none free", disassemble(0, raw))
}

#[cold]
fn mismatch(slice: usize, expected: &Collected, got: &Collected) -> Box<Mismatch> {
    let show = |collected: &Collected| {
        let leaves = collected.leaves.map_or("nothing leaves".into(), |warp| format!("warp {warp} leaves"));
        format!("{leaves}, {} registers wait, free {:?}", collected.waits, collected.free)
    };
    Mismatch::new(None, format!("operand collectors of slice {slice}"), show(expected), show(got))
}
