//! The timing model as others see it.

use super::core::{Core, CounterRead, Reset, Stop};
use super::native::RowStats;
use super::record::Record;
use crate::sched::{CoreView, SchedulerModel};
use crate::{Machine, Memory};
use spec::config::MAX_SLICES;

/// What is seen of a cycle.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// What happened in it.
    pub record: &'a Record,
    /// What all schedulers saw.
    pub core: &'a CoreView,
    /// What happened in the cycle before it.
    pub record_before: &'a Record,
    /// The number of the CSR if the program has read a counter of events: the timing model counts nothing.
    pub counter_read: Option<u16>,
}

/// Computes the schedule of a program, cycle by cycle.
pub trait TimingModel {
    /// The next cycle, and what is seen of it; none once there is nothing more to predict.
    fn cycle(&mut self) -> Option<Seen<'_>>;

    /// Cycles so far, from the end of reset on.
    fn cycles(&self) -> u64;

    /// Cycles that were not computed, because nothing could happen in them.
    fn skipped_cycles(&self) -> u64;

    /// Why there is nothing more to predict, if so.
    fn stop(&self) -> Option<&Stop>;

    /// What is seen of the last cycle.
    fn seen(&self) -> Seen<'_>;

    /// What happened in the last cycle.
    fn record(&self) -> &Record {
        self.seen().record
    }

    /// Says what the program has read that has read a counter, before the next cycle.
    fn answer(&mut self, value: u32);

    /// What the issue policy of a slice does, and what it decided by.
    fn policy(&self, slice: usize) -> &dyn SchedulerModel;

    /// The machine, with memory, console and exit code.
    fn machine(&self) -> &Machine;

    /// What is in memory at the end.
    fn into_memory(self: Box<Self>) -> Memory;

    /// Requests that memory has accepted.
    fn memory_requests(&self) -> u64;

    /// What accesses found in their banks; `None` for a memory without rows.
    fn memory_rows(&self) -> Option<RowStats>;

    /// Predicts to the end, or for `max_cycles`: gives the number of cycles.
    fn run(&mut self, max_cycles: u64) -> u64;
}

/// The timing model of a core.
pub fn timing_model(reset: Reset) -> Box<dyn TimingModel> {
    if reset.cfg.slices == 1 && reset.cfg.line_paths() == 1 {
        Box::new(Core::<1>::new(reset))
    } else {
        Box::new(Core::<MAX_SLICES>::new(reset))
    }
}

impl<const MOST: usize> TimingModel for Core<MOST> {
    fn cycle(&mut self) -> Option<Seen<'_>> {
        self.next_cycle();
        self.stop.is_none().then(|| self.seen())
    }

    fn cycles(&self) -> u64 {
        self.cycle
    }

    fn skipped_cycles(&self) -> u64 {
        self.skip.skipped
    }

    fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    fn seen(&self) -> Seen<'_> {
        let [record, record_before] = &self.records;
        let counter_read = self.counter_read.map(|read| read.number);
        Seen { record, core: &self.seen, record_before, counter_read }
    }

    fn answer(&mut self, value: u32) {
        if let Some(CounterRead { wid, rd, tmask, .. }) = self.counter_read.take() {
            self.machine.patch(wid, rd, tmask, &[value; 32]);
        }
    }

    fn policy(&self, slice: usize) -> &dyn SchedulerModel {
        &*self.slices[slice].policy
    }

    fn machine(&self) -> &Machine {
        &self.machine
    }

    fn into_memory(self: Box<Self>) -> Memory {
        self.machine.memory
    }

    fn memory_requests(&self) -> u64 {
        self.bus.port().accepted()
    }

    fn memory_rows(&self) -> Option<RowStats> {
        self.bus.port().rows()
    }

    fn run(&mut self, max_cycles: u64) -> u64 {
        while self.stop.is_none() && self.cycle < max_cycles {
            self.next_cycle();
        }
        self.cycle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::{Latencies, MemoryPort, MemoryTiming};
    use isa::asm::assemble;
    use spec::config::CoreConfig;

    /// Answers after so many cycles.
    struct Fixed(u64);

    impl MemoryTiming for Fixed {
        fn due(&mut self, cycle: u64, _: u32, _: bool) -> Option<u64> {
            Some(cycle + self.0)
        }

        fn clock(&mut self, _: u64) -> Option<(u64, u64)> {
            None
        }

        fn accepts(&mut self, _: u64) -> bool {
            true
        }

        fn rests(&self) -> bool {
            true
        }
    }

    /// Every warp walks through memory, with all kinds of units, until it has gone around a few times.
    const PROGRAM: &str = "
        la t0, all
        csrr t1, vx_num_warps
        vx_wspawn t1, t0
    all:
        li t0, -1
        vx_tmc t0
        csrr a0, mhartid
        slli a1, a0, 2
        li a2, 0x10000
        add a1, a1, a2
        li a3, 12
    again:
        sw a0, 0(a1)
        lw a4, 0(a1)
        mul a4, a4, a3
        divu a5, a4, a3
        fcvt.s.w f1, a5
        fmul.s f2, f1, f1
        fcvt.w.s a5, f2
        add a0, a0, a5
        addi a1, a1, 1024
        addi a3, a3, -1
        bnez a3, again
        fence
        vx_tmc zero";

    fn core<const MOST: usize>(cfg: &CoreConfig) -> Core<MOST> {
        let image = assemble(0x8000_0000, PROGRAM).unwrap();
        let mut memory = Memory::for_core(cfg);
        memory.load(image.base, &image.bytes);
        // Fetching reads ahead.
        memory.map(image.base, 0x1000);
        let port = MemoryPort::Native(Box::new(Fixed(20)));
        let (start, latencies) = ((image.base, 0), Latencies::of(cfg));
        Core::new(Reset { cfg, memory, start, launches: &[], port, latencies })
    }

    #[test]
    fn both_kinds_of_code_say_the_same_of_a_core_with_one_slice() {
        for policy in ["lrr", "mto", "swas:gtlo"] {
            let cfg = CoreConfig { fetch: policy.into(), issue: policy.into(), ..CoreConfig::default() };
            let (mut one, mut several) = (core::<1>(&cfg), core::<MAX_SLICES>(&cfg));
            while one.stop.is_none() {
                one.next_cycle();
                several.next_cycle();
                assert_eq!(one.record().difference(several.record()), None, "{policy}, cycle {}", one.cycle);
                assert_eq!(one.seen().core, several.seen().core, "{policy}, cycle {}", one.cycle);
                assert!(one.cycle < 100_000, "{policy} does not end");
            }
            assert_eq!(one.stop, Some(Stop::Finished));
            assert_eq!((one.stop, one.cycle), (several.stop, several.cycle), "{policy}");
            assert!(one.cycle > 1000, "{policy} ends after {} cycles", one.cycle);
            let memories = [&one.machine, &several.machine].map(|machine| &machine.memory);
            assert_eq!(memories[0].first_difference(memories[1]), None);
        }
    }
}
