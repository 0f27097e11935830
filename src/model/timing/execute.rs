//! What an instruction that issues does to the machine, and then to the units.

use super::access::Kind;
use super::core::{Core, CounterRead, Stop};
use super::instr::Instr;
use super::special::{spawned, Count, Task};
use super::work::What;
use super::{members, Result};
use crate::Retire;
use isa::{csr, Latency, Op};

impl<const MOST: usize> Core<MOST> {
    /// Executes the warp's head in the machine but for its access to memory; it enters the slice's operand stage, which is free
    /// for it, or one of its collectors. Gives the number of active lanes, 0 if it faults.
    #[inline(always)]
    pub(super) fn issue(&mut self, number: usize, wid: usize) -> u32 {
        let what = self.front.heads.get(wid).and_then(|instr| self.by_values(wid, instr));
        if self.step(wid).is_none() {
            return 0;
        }
        let Some(instr) = self.front.heads.get(wid) else { return 0 };
        let Self { slices, retire, .. } = self;
        let place = match &mut slices[number].collect {
            Some(collect) => collect.place(wid),
            None => slices[number].units.place(),
        };
        // Completed where it stays: what is written in parts and copied at once has the processor wait.
        let work = place.insert(instr.work);
        (work.wid, work.lanes) = (wid as u8, retire.lanes as u8);
        if let Some(what) = what {
            work.what = what;
        }
        match &mut work.what {
            // Elsewhere than fetching has gone on.
            What::Integer { taken, .. } => *taken = retire.taken != instr.predicted.is_some(),
            What::Special(Task::Csr { tmask, .. }) => *tmask = retire.tmask,
            What::Memory => return self.issue_access(wid),
            _ => {}
        }
        retire.lanes
    }

    /// What a division or warp control does, which depends on what its sources hold before it is executed.
    #[inline(always)]
    fn by_values(&self, wid: usize, instr: &Instr) -> Option<What> {
        match instr.kind? {
            Latency::Div => Some(What::Divide(self.division(wid, instr))),
            Latency::Warp => Some(What::Special(self.warp_control(wid, instr))),
            _ => None,
        }
    }

    /// The cycles of a division.
    fn division(&self, wid: usize, instr: &Instr) -> u32 {
        let warp = self.machine.warp(wid);
        let dividends = warp.register(instr.rs[0].into());
        let active = members(warp.tmask()).map(|lane| dividends[lane]);
        self.latencies.division(matches!(instr.op, Some(Op::Div | Op::Rem)), active)
    }

    fn warp_control(&self, wid: usize, instr: &Instr) -> Task {
        let warp = self.machine.warp(wid);
        let tmask = warp.tmask();
        let [a, b] = instr.rs.map(|number| warp.register(number.into()));
        let last = (31 - tmask.leading_zeros().min(31)) as usize;
        let (a_last, b_last) = (a[last], b[last]);
        let lanes = u32::MAX >> (32 - self.threads);
        match instr.op {
            Some(Op::Wspawn) => Task::Spawn { warps: spawned(wid, a_last, self.machine.warps()) },
            Some(Op::Bar) => {
                let id = (a_last as usize % self.special.barriers()) as u8;
                let size = self.dispatcher.grid().map(|grid| grid.residents().placement().size as u32);
                let count = match (b_last, size) {
                    (0, None) => Count::Arrivals(self.machine.warps().next_power_of_two() as u32),
                    (count, Some(size)) if count == 0 || count == size => Count::Block,
                    (count, _) => Count::Arrivals(count),
                };
                Task::Barrier { id, count }
            }
            Some(Op::Tmc) => Task::Control { ends: a_last & lanes == 0 },
            Some(Op::Pred) => {
                let negate = Op::Pred.imm(instr.raw) & 1;
                let kept = members(tmask).any(|lane| (a[lane] ^ negate) & 1 != 0);
                Task::Control { ends: !kept && b_last & lanes == 0 }
            }
            _ => Task::Control { ends: false },
        }
    }

    /// The load-store unit is told of a memory instruction, which waits for it. Gives the number of active lanes.
    #[inline(never)]
    fn issue_access(&mut self, wid: usize) -> u32 {
        let lanes = self.retire.lanes;
        let Some(instr) = self.front.heads.get(wid) else { return lanes };
        let kind = match instr.kind {
            Some(Latency::Store) => Kind::Store,
            Some(Latency::Atomic) => Kind::Atomic,
            Some(Latency::Fence) => Kind::Fence(instr.op == Some(Op::FenceI)),
            _ => Kind::Load,
        };
        let banks = self.banks.of_block(self.machine.local_base(wid));
        self.lsu.issue(wid, instr, kind, &self.retire, banks);
        let spare = self.spare_retires.pop().unwrap_or_else(|| Box::new(Retire::blank()));
        self.accesses[wid].push_back(std::mem::replace(&mut self.retire, spare));
        lanes
    }

    /// The load-store unit takes the warp's next access, and with it the access takes effect.
    pub(super) fn perform(&mut self, wid: usize) {
        if let Some(mut retire) = self.accesses[wid].pop_front() {
            self.front.code.perform(&mut self.machine, &mut retire);
            self.spare_retires.push(retire);
        }
    }

    /// The instruction takes effect but for what it does in memory. A fault ends the prediction.
    #[inline(never)]
    fn step(&mut self, wid: usize) -> Option<()> {
        match self.machine.issue_to(wid, &mut self.retire) {
            Ok(()) => Some(()),
            Err(fault) => {
                self.stop = Some(Stop::Fault(fault));
                None
            }
        }
    }

    /// Cycles in which the core was busy: all but those in which it waited for a grid or took one.
    fn busy_cycles(&self) -> u64 {
        self.cycle - self.dispatcher.rests
    }

    /// What a CSR holds that depends on time, now that it is read.
    pub(super) fn read_csr(&mut self, task: Option<(u8, Option<Result>, Task)>) {
        let Some((_, Some(Result { wid, rd, .. }), Task::Csr { number, tmask, .. })) = task else { return };
        let value = match number {
            csr::MCYCLE => self.busy_cycles() as u32,
            csr::MCYCLEH => (self.busy_cycles() >> 32) as u32,
            csr::MINSTRET => self.threads_issued[0] as u32,
            csr::MINSTRETH => (self.threads_issued[0] >> 32) as u32,
            csr::ACTIVE_WARPS => self.front.active_warps as u32,
            csr::UPPER_ACTIVE_WARPS => (self.front.active_warps >> 32) as u32,
            _ => {
                if csr::lookup(number).is_some_and(|row| row.read == csr::Read::Timing) {
                    self.counter_read = Some(CounterRead { number, wid: wid.into(), rd, tmask });
                }
                return;
            }
        };
        self.machine.patch(usize::from(wid), rd, tmask, &[value; 32]);
    }
}
