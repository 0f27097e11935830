//! The last events on which hardware and model agreed.

use std::collections::VecDeque;
use std::fmt;

use isa::disassemble;

/// How many events a report shows.
const KEPT: usize = 24;

/// Something that the hardware did, as the model expected.
#[derive(Clone, Copy, Debug)]
pub(super) struct Record {
    pub(super) cycle: u64,
    pub(super) wid: usize,
    pub(super) pc: u32,
    pub(super) raw: u32,
    pub(super) event: Event,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Issue { tmask: u32 },
    Commit { rd: u8, tmask: u32, first: u32, last: bool },
    Load { tmask: u32, address: u32 },
    Store { tmask: u32, address: u32, data: u32 },
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, wid, pc, raw, event } = self;
        let text = disassemble(*pc, *raw);
        match event {
            Event::Issue { tmask } => {
                write!(f, "{cycle:>8} issue   warp {wid:<2} {pc:#010x} lanes {tmask:#x}  {text}")
            }
            Event::Commit { rd, tmask, first, last } => write!(
                f,
                "{cycle:>8} commit  warp {wid:<2} {pc:#010x} lanes {tmask:#x}  {} = {first:#x}..{}",
                register(*rd),
                if *last { "" } else { " (part)" }
            ),
            Event::Load { tmask, address } => {
                write!(f, "{cycle:>8} load    warp {wid:<2} {pc:#010x} lanes {tmask:#x}  [{address:#010x}..]")
            }
            Event::Store { tmask, address, data } => write!(
                f,
                "{cycle:>8} store   warp {wid:<2} {pc:#010x} lanes {tmask:#x}  [{address:#010x}..] = {data:#x}.."
            ),
        }
    }
}

/// `x10` or `f3`: registers 32 to 63 are the floating-point file.
pub(super) fn register(number: u8) -> String {
    match number {
        0..=31 => format!("x{number}"),
        _ => format!("f{}", number - 32),
    }
}

/// A ring of the last records.
#[derive(Clone, Debug)]
pub(super) struct History(VecDeque<Record>);

impl History {
    pub(super) fn new() -> Self {
        Self(VecDeque::with_capacity(KEPT))
    }

    #[inline]
    pub(super) fn push(&mut self, record: Record) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(record);
    }

    /// The records, oldest first, a line each.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.iter().map(Record::to_string).collect()
    }
}
