//! A memory behind AXI4 as the timing model asks it: the same schedule, without contents and in the same order, so that it
//! draws the same random numbers.

use super::schedule::Schedule;
use super::{Address, Master, INCR};
use crate::memory::{Disturbance, MemoryKind, RowStats};
use model::timing::{AxiTiming, Burst, Bursts, Channels};

/// The schedule of a memory without contents.
pub(crate) struct AxiSchedule {
    schedule: Schedule<()>,
    /// Bytes in a beat, as a power of two.
    size: u8,
}

impl AxiSchedule {
    /// As that of a memory with these parameters.
    pub(crate) fn new(kind: MemoryKind, disturbance: Disturbance, seed: u64, width: u32) -> Self {
        Self { schedule: Schedule::new((), kind, disturbance, seed, width), size: width.ilog2() as u8 }
    }
}

impl AxiTiming for AxiSchedule {
    fn drives(&self) -> Channels {
        let slave = self.schedule.drive();
        Channels {
            awready: slave.awready,
            wready: slave.wready,
            arready: slave.arready,
            answers: slave.b.is_some(),
            beat: slave.r.as_ref().map(|beat| (beat.id, beat.last)),
        }
    }

    fn clock(&mut self, bursts: &Bursts) {
        let size = self.size;
        let announce = |Burst { id, address, beats }: Burst| {
            let len = beats - 1;
            Address { id, address, len, size, burst: INCR, prot: 0, cache: 2 }
        };
        let master = Master {
            aw: bursts.write.map(announce),
            w: bursts.beat.then_some(()),
            bready: true,
            ar: bursts.read.map(announce),
            rready: true,
        };
        // Whatever the addresses: nothing is there that could be missing.
        let _ = self.schedule.clock(master);
    }

    fn rows(&self) -> Option<RowStats> {
        self.schedule.rows()
    }

    fn accepted(&self) -> u64 {
        self.schedule.accepted()
    }
}
