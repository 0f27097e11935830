//! The lock-step check: the model executes what the hardware issues, in that order, and every
//! result, access, fault and the final state must agree.

use isa::rounding::Rounding;
use isa::{self, format, Extensions, Op};
use model::timing::{collector, Banks, Collector, Issued, Kind, Traffic};
use model::{Cause, Fault, GridLaunch, Machine, Memory, Retire};
use spec::config::{CoreConfig, WarpMask};

use super::expected_faults::ExpectedFaults;
use super::failure::{At, Checked, FailureKind, Mismatch};
use super::history::{register, Event, History, Record};
use super::order::{kind, Order};
use super::pending::{PendingResults, Taken};
use super::trace::{Accessed, Committed};
use super::traffic::{self, MemoryOp};
use super::unknown::{Unknown, Unsure};

/// The model beside the hardware.
pub(super) struct Lockstep {
    pub(super) machine: Machine,
    pub(super) history: History,
    pub(super) expected: ExpectedFaults,
    /// What the loads and stores so far ask of the data cache and of local memory.
    pub(super) traffic: Traffic,
    banks: Banks,
    extensions: Extensions,
    /// Whether stores may stay in the data cache for long.
    write_back: bool,
    /// What the last instruction did.
    retire: Box<Retire>,
    pending: PendingResults,
    /// Loads and stores that have yet to act.
    order: Order,
    /// What was never written, if the hardware has random values there.
    unknown: Option<Unknown>,
}

impl Lockstep {
    /// `random_reset`: the hardware starts with random values in registers and in local memory.
    pub(super) fn new(cfg: &CoreConfig, machine: Machine, random_reset: bool) -> Self {
        Self {
            machine,
            history: History::new(),
            expected: ExpectedFaults::default(),
            traffic: Traffic::default(),
            banks: Banks::new(cfg),
            extensions: cfg.into(),
            write_back: cfg.dcache.bytes != 0 && cfg.dcache.write_back,
            retire: Box::new(Retire::blank()),
            pending: PendingResults::new(cfg.warps),
            order: Order::new(cfg.warps),
            unknown: random_reset.then(|| Unknown::new(cfg)),
        }
    }

    /// The hardware takes a grid.
    pub(super) fn launch(&mut self, launch: &GridLaunch) -> Checked {
        self.machine
            .launch(launch)
            .map_err(|fault| Mismatch::new(None, "launch of a grid", fault.to_string(), "taken"))
    }

    /// An instruction issues: the model executes it. Returns a fault that only the model can see
    /// coming, because the hardware has no words for it.
    #[inline]
    pub(super) fn issue(&mut self, cycle: u64, issued: &Issued) -> Checked<Option<(At, Fault)>> {
        let Issued { wid, pc, raw, tmask } = *issued;
        let at = At { wid, pc, raw: Some(raw) };
        if wid >= self.machine.warps() {
            return Err(Mismatch::new(at, "issue by a warp that does not exist", "-", format!("warp {wid}")));
        }
        if self.expected.of_warp(wid) {
            return Ok(None);
        }
        let model_tmask = self.machine.warp(wid).tmask();
        let access = traffic::access(&self.machine, self.banks, wid, raw);
        let runnable = if is_control(raw) { self.machine.runnable_warps() } else { 0 };
        if let Err(fault) = self.machine.issue_to(wid, &mut self.retire) {
            return self.issue_of_faulting(at, cycle, fault);
        }
        let retire = &mut self.retire;
        if (retire.pc, retire.raw, model_tmask) != (pc, raw, tmask) {
            return Err(issue_mismatch(at, retire, model_tmask, issued));
        }
        if let Some(access) = &access {
            self.traffic.add(access);
        }
        let unsure = self.unknown.as_mut().map_or_else(Unsure::default, |unknown| unknown.issue(retire));
        self.pending.expect(at, retire, unsure)?;
        if self.order.issue(at, retire)? {
            self.machine.perform(retire);
        }
        if is_control(raw) {
            self.released(runnable);
        }
        self.history.push(Record { cycle, wid, pc, raw, event: Event::Issue { tmask } });
        Ok(None)
    }

    /// Whether what issues next would decide something by what was never written. That ends the run.
    #[inline]
    pub(super) fn decided_by_unknown(&mut self, issued: &Issued) -> Option<FailureKind> {
        let unknown = self.unknown.as_mut()?;
        if issued.wid >= self.machine.warps() || self.expected.of_warp(issued.wid) {
            return None;
        }
        unknown.decided(self.machine.warp(issued.wid), issued)
    }

    /// Tells what order warp control, the last instruction, gives the accesses of different warps: `runnable` are the
    /// warps that could issue before it.
    #[cold]
    fn released(&mut self, runnable: WarpMask) {
        let retire = &self.retire;
        let (this, now) = (1 << retire.wid, self.machine.runnable_warps());
        let woken = now & !runnable;
        // In a grid the end of a warp may open its block's barrier too.
        let opens = retire.op.is_barrier() || retire.op == Op::Tmc && now & this == 0;
        if opens && woken != 0 {
            self.order.release(woken | this, woken | this);
        } else if woken != 0 || retire.op == Op::Wspawn && now & this != 0 {
            // WSPAWN is done: all warps but its own had ended.
            self.order.release(woken | this, WarpMask::MAX);
        }
    }

    #[cold]
    fn issue_of_faulting(&mut self, at: At, cycle: u64, fault: Fault) -> Checked<Option<(At, Fault)>> {
        if fault.cause == Cause::NotRunnable {
            let warp = self.machine.warp(at.wid);
            let expected = format!("active {}, waiting for {:?}", warp.active(), warp.wait());
            return Err(Mismatch::new(at, "issue by a warp that cannot run", expected, "issued"));
        }
        if fault.pc != at.pc {
            let what = "pc of the issued instruction";
            return Err(Mismatch::new(at, what, format!("{:#010x}", fault.pc), format!("{:#010x}", at.pc)));
        }
        let is_fetch = fault.cause == Cause::Unmapped && fault.address == fault.pc;
        if is_fetch || fault.cause == Cause::MisalignedFetch {
            return Ok(Some((At { raw: None, ..at }, fault)));
        }
        let is_store = || at.raw.and_then(MemoryOp::decode).is_some_and(|op| op.kind == Kind::Store);
        // The hardware executes what its cache holds, which may be either version.
        let stale = fault.cause == Cause::StaleFetch;
        // The bus may meet the line much later, or in the last cycles.
        let kept = fault.cause == Cause::Unmapped && self.write_back && is_store();
        if stale || kept {
            return Ok(Some((at, fault)));
        }
        self.expected.push(cycle, at, fault);
        Ok(None)
    }

    /// Where the warp goes on after what it has issued; unknown once it has faulted.
    pub(super) fn next_pc(&self, wid: usize) -> Option<u32> {
        (!self.expected.of_warp(wid)).then(|| self.machine.warp(wid).pc())
    }

    /// The collector of what the warp executes next; unknown once it has faulted, and where there is no memory.
    pub(super) fn next_collector(&self, wid: usize) -> Option<Collector> {
        let pc = self.next_pc(wid)?;
        if !pc.is_multiple_of(4) {
            // Not a legal instruction.
            return Some(Collector::Sfu);
        }
        let raw = self.machine.memory.read(pc, 4).ok()?;
        let (_, frm) = self.machine.warp(wid).float_state();
        let has_rounding = isa::decode(raw).is_some_and(|op| op.format().has_rounding());
        if self.extensions.fpu && has_rounding && Rounding::resolve(format::rm(raw), frm).is_none() {
            return Some(Collector::Sfu);
        }
        Some(collector(raw, self.extensions))
    }

    /// A result is written to the register file.
    #[inline]
    pub(super) fn commit(&mut self, committed: &Committed) -> Checked {
        let Committed { cycle, wid, rd, tmask, last, ref data, .. } = *committed;
        let Some(Taken { pc, raw, adopted }) = self.pending.commit(committed)? else {
            if self.expected.of_warp(wid) {
                return Ok(());
            }
            let got = format!("warp {wid}, {}, lanes {tmask:#x}", register(rd));
            return Err(Mismatch::new(None, "commit that no instruction expects", "none", got));
        };
        if adopted != 0 {
            self.machine.patch(wid, rd, adopted, data);
        }
        let first = data[tmask.trailing_zeros() as usize % data.len()];
        self.history.push(Record { cycle, wid, pc, raw, event: Event::Commit { rd, tmask, first, last } });
        Ok(())
    }

    /// The load-store unit begins an access: it acts now.
    #[inline]
    pub(super) fn access(&mut self, accessed: &Accessed) -> Checked {
        let Accessed { cycle, wid, pc, store, tmask, ref addresses, ref data, .. } = *accessed;
        let unknown = match &mut self.unknown {
            Some(unknown) if store => unknown.store(accessed),
            Some(unknown) if self.order.next(wid).is_some_and(Op::is_atomic) => unknown.update(accessed),
            _ => 0,
        };
        let Some(retire) = self.order.act(accessed, unknown)? else {
            if self.expected.of_warp(wid) {
                return Ok(());
            }
            let what = format!("{} that no instruction expects", kind(store));
            let got = format!("warp {wid}, pc {pc:#010x}, lanes {tmask:#x}");
            return Err(Mismatch::new(None, what, "none", got));
        };
        self.machine.perform(retire);
        let raw = retire.raw;
        if let Some(rd) = retire.written() {
            if let Some(unsure) = self.pending.performed(wid, rd, &retire.values) {
                unsure.lanes = self.unknown.as_mut().map_or(0, |unknown| unknown.load(accessed, rd));
            }
        }
        self.order.performed(wid);
        if let Some(mut fence_i) = self.order.fence_i(wid) {
            self.machine.perform(&mut fence_i);
        }
        let first = tmask.trailing_zeros() as usize % 32;
        let address = addresses[first];
        let event = match store {
            true => Event::Store { tmask, address, data: data[first] },
            false => Event::Load { tmask, address },
        };
        self.history.push(Record { cycle, wid, pc, raw, event });
        Ok(())
    }

    /// The hardware is no longer busy: nothing may be left, and both memories must be equal.
    pub(super) fn finish(&self, memory: &Memory) -> Checked {
        self.expected.overdue(u64::MAX, 0)?;
        self.pending.finish()?;
        self.order.finish()?;
        if !self.machine.finished() {
            let active = format!("warps {:#x} active", self.machine.active_warps());
            return Err(Mismatch::new(None, "end of the program", active, "idle"));
        }
        if let Some((address, expected, got)) = self.machine.memory.first_difference(memory) {
            let what = format!("memory word {address:#010x} at the end");
            return Err(Mismatch::new(None, what, format!("{expected:#010x}"), format!("{got:#010x}")));
        }
        let (model, hardware) = (self.machine.memory.exit_code(), memory.exit_code());
        if model != hardware {
            return Err(Mismatch::new(None, "exit code", format!("{model:?}"), format!("{hardware:?}")));
        }
        Ok(())
    }
}

/// Whether the instruction may let other warps go on, or wait for them: one of the SIMT instructions.
#[inline]
fn is_control(raw: u32) -> bool {
    raw & 0x7f == 0x0b
}

#[cold]
fn issue_mismatch(at: At, retire: &Retire, tmask: u32, issued: &Issued) -> Box<Mismatch> {
    let show = |pc: u32, raw: u32, tmask: u32| format!("pc {pc:#010x}, word {raw:#010x}, lanes {tmask:#x}");
    let (model, hardware) = (show(retire.pc, retire.raw, tmask), show(issued.pc, issued.raw, issued.tmask));
    Mismatch::new(at, "issued instruction", model, hardware)
}
