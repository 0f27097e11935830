//! One instruction of a warp: fetched, executed, and what it does in memory.

use super::decoded::Decoded;
use super::exec;
use super::fault::{Cause, Fault, Origin, Trap};
use super::machine::Machine;
use super::retire::Retire;
use isa::Extensions;

impl Machine {
    /// Executes the next instruction of warp `wid`, completely: loads, stores and mask changes have
    /// happened when this returns. WSPAWN and BAR leave the warp waiting where they must.
    ///
    /// # Errors
    /// If the instruction faults, which leaves the machine as it was, or if the warp cannot run.
    pub fn step(&mut self, wid: usize) -> Result<Retire, Fault> {
        let mut retire = Retire::blank();
        self.issue_to(wid, &mut retire)?;
        self.perform(&mut retire);
        Ok(retire)
    }

    /// Executes the next instruction of warp `wid` but for what it does in memory: addresses and faults are known when
    /// this returns, loaded values are not. [`Machine::perform`] must follow before the warp needs them; what a warp
    /// has issued is performed in that order. It is written over the record of another instruction: half a kilobyte,
    /// which need not be moved.
    ///
    /// # Errors
    /// As for [`Machine::step`]; `retire` is meaningless then.
    #[inline(always)]
    pub fn issue_to(&mut self, wid: usize, retire: &mut Retire) -> Result<(), Fault> {
        let warp = self.warps.get(wid);
        let pc = warp.map_or(0, |warp| warp.pc);
        let fault =
            |trap: Trap| Fault { wid, pc, cause: trap.cause, address: trap.address, origin: trap.origin };
        let Some(warp) = warp.filter(|warp| warp.runnable()) else {
            return Err(fault(Trap::new(Cause::NotRunnable, 0)));
        };
        let tmask = warp.tmask;
        let came_from = warp.last_pc.map(|pc| Origin { wid, pc });
        let instr = self.fetch(pc, came_from).map_err(fault)?;
        (retire.wid, retire.pc, retire.raw, retire.op, retire.tmask) = (wid, pc, instr.raw, instr.op, tmask);
        retire.lanes = tmask.count_ones();
        retire.rd = Some(instr.rd).filter(|&rd| rd != 0);
        (retire.volatile, retire.fflags, retire.taken) = (false, 0, instr.op.is_jump());
        retire.accesses = false;
        let next_pc = exec::execute(self, &instr, retire).map_err(fault)?;
        let warp = &mut self.warps[wid];
        (warp.pc, warp.last_pc) = (next_pc, Some(pc));
        warp.fflags |= retire.fflags;
        if !retire.accesses {
            warp.write(instr.rd.into(), tmask, &retire.values);
        }
        self.warp_instructions += 1;
        self.thread_instructions += u64::from(retire.lanes);
        if instr.op.changes_mask() {
            exec::settle_spawn(self);
            exec::settle_barrier(self, wid);
        }
        Ok(())
    }

    /// What an instruction that has issued does in memory: a load or store, or FENCE.I's end of what was stored to
    /// code before. Others have nothing left to do.
    pub fn perform(&mut self, retire: &mut Retire) {
        exec::perform(self, retire);
        let Retire { wid, tmask, ref values, .. } = *retire;
        if let Some(rd) = retire.rd.filter(|_| retire.accesses) {
            self.warps[wid].write(rd.into(), tmask, values);
        }
    }

    #[inline(always)]
    fn fetch(&mut self, pc: u32, came_from: Option<Origin>) -> Result<Decoded, Trap> {
        if let Some(decoded) = self.decoded.get(pc) {
            return Ok(decoded);
        }
        if !pc.is_multiple_of(4) {
            return Err(Trap::new(Cause::MisalignedFetch, pc).because_of(came_from));
        }
        let raw =
            self.memory.read(pc, 4).map_err(|_| Trap::new(Cause::Unmapped, pc).because_of(came_from))?;
        if let Some(store) = self.stored_code.stored_by(pc) {
            return Err(Trap::new(Cause::StaleFetch, pc).because_of(Some(store)));
        }
        self.stored_code.fetched(pc);
        let decoded = Decoded::new(raw, Extensions::from(&self.cfg))
            .ok_or(Trap::new(Cause::IllegalInstruction, raw))?;
        self.decoded.insert(pc, decoded);
        Ok(decoded)
    }
}
