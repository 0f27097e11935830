//! The loads that waited for a line, served when it has come.

/// Masks have a bit a slot.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Replay {
    /// Loads of a line that has been written and is still to be read.
    waiting: Option<u32>,
    /// Loads of the line that has been read.
    serving: Option<u32>,
}

/// What it does in a cycle.
pub(super) struct Served {
    /// The load that gets its line.
    pub slot: Option<u8>,
    /// What the memories show must stay.
    pub holds: bool,
    /// The line that waits is read.
    pub reads: bool,
}

impl Replay {
    pub fn busy(&self) -> bool {
        self.waiting.is_some() || self.serving.is_some()
    }

    /// No line may be written, for one waits.
    pub fn full(&self) -> bool {
        self.waiting.is_some()
    }

    /// One load a cycle, if there is `room` on the way to the lanes; `filled` are the loads of a line that is written.
    pub fn cycle(&mut self, room: bool, filled: Option<u32>) -> Served {
        let serving = self.serving;
        let rest = |loads: u32| loads & (loads - 1);
        let ends = room && serving.is_some_and(|loads| rest(loads) == 0);
        let slot = serving.filter(|_| room).map(|loads| loads.trailing_zeros() as u8);
        if room {
            self.serving = serving.map(rest).filter(|&loads| loads != 0);
        }
        let holds = serving.is_some() && !ends;
        let reads = self.waiting.is_some() && !holds;
        if reads {
            self.serving = self.waiting.take();
        }
        if filled.is_some() {
            self.waiting = filled;
        }
        Served { slot, holds, reads }
    }
}
