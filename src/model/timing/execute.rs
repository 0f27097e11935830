//! What an instruction that issues does to the machine, and then to the units.

use super::access::Kind;
use super::core::{Core, CounterRead, Stop};
use super::instr::Instr;
use super::special::{spawned, Count, Task};
use super::units::{What, Work};
use super::Result;
use crate::Retire;
use isa::{csr, format, Latency, Op};

impl<const MOST: usize> Core<MOST> {
    /// Executes the instruction in the machine but for its access to memory, and says what it will do to the units.
    #[inline(always)]
    pub(super) fn issue(&mut self, wid: usize, instr: &Instr) -> Option<Work> {
        let Some((op, kind)) = instr.op.zip(instr.kind) else {
            self.step(wid);
            return None;
        };
        let warp = self.machine.warp(wid);
        let tmask = warp.tmask();
        let [a, b] = instr.rs.map(|number| warp.register(number.into()));
        let last = (31 - tmask.leading_zeros().min(31)) as usize;
        let (a_last, b_last) = (a[last], b[last]);
        let lanes = u32::MAX >> (32 - self.threads);
        let mut what = match kind {
            Latency::Single => What::Integer { resolves: false, taken: false },
            Latency::Branch | Latency::Jump => What::Integer { resolves: true, taken: false },
            Latency::Fp => What::Float,
            Latency::Div => {
                let active = (0..32).filter(|lane| tmask >> lane & 1 != 0);
                let is_signed = matches!(op, Op::Div | Op::Rem);
                What::Divide(self.latencies.division(is_signed, active.map(|lane| a[lane])))
            }
            Latency::FpConvert => What::Convert,
            Latency::FpDiv => What::FloatDivide,
            Latency::Csr => {
                What::Special(Task::Csr { number: format::csr(instr.raw), tmask, resolves: instr.drains })
            }
            Latency::Warp => What::Special(match op {
                Op::Wspawn => Task::Spawn { warps: spawned(wid, a_last, self.machine.warps()) },
                Op::Bar => {
                    let id = a_last as usize % self.special.barriers();
                    let size = self.dispatcher.grid().map(|grid| grid.residents().placement().size as u32);
                    let count = match (b_last, size) {
                        (0, None) => Count::Arrivals(self.machine.warps().next_power_of_two() as u32),
                        (count, Some(size)) if count == 0 || count == size => Count::Block,
                        (count, _) => Count::Arrivals(count),
                    };
                    Task::Barrier { id, count }
                }
                Op::Tmc => Task::Control { ends: a_last & lanes == 0 },
                Op::Pred => {
                    let negate = op.imm(instr.raw) & 1;
                    let kept = (0..32).any(|lane| tmask >> lane & 1 != 0 && (a[lane] ^ negate) & 1 != 0);
                    Task::Control { ends: !kept && b_last & lanes == 0 }
                }
                _ => Task::Control { ends: false },
            }),
            Latency::Load => return self.issue_access(wid, instr, Kind::Load),
            Latency::Store => return self.issue_access(wid, instr, Kind::Store),
            Latency::Atomic => return self.issue_access(wid, instr, Kind::Atomic),
            Latency::Fence => return self.issue_access(wid, instr, Kind::Fence(op == Op::FenceI)),
        };
        self.step(wid)?;
        if let What::Integer { taken, .. } = &mut what {
            // Elsewhere than fetching has gone on.
            *taken = self.retire.taken != (self.btfn && instr.predicted().is_some());
        }
        let ordered = matches!(op, Op::Tmc | Op::Wspawn | Op::Bar | Op::Pred);
        let lanes = tmask.count_ones() as u8;
        Some(Work { wid: wid as u8, rd: instr.rd, lanes, collector: instr.collector, what, ordered })
    }

    /// The same of a memory instruction.
    fn issue_access(&mut self, wid: usize, instr: &Instr, kind: Kind) -> Option<Work> {
        self.step(wid)?;
        let banks = self.banks.of_block(self.machine.local_base(wid));
        self.lsu.issue(wid, instr, kind, &self.retire, banks);
        let lanes = self.retire.tmask.count_ones() as u8;
        let spare = self.spare_retires.pop().unwrap_or_else(|| Box::new(Retire::blank()));
        self.accesses[wid].push_back(std::mem::replace(&mut self.retire, spare));
        let (wid, collector, what) = (wid as u8, instr.collector, What::Memory);
        Some(Work { wid, rd: None, lanes, collector, what, ordered: false })
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
        let fault = self.machine.issue_to(wid, &mut self.retire).err();
        self.stop = fault.map(Stop::Fault);
        self.stop.is_none().then_some(())
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
