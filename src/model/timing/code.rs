//! Code beside which a program stores. What is fetched ahead of what executes may be data, and it decides when fetching
//! stops: so it must be what memory held when the instruction cache asked for the line.

use std::collections::{HashMap, VecDeque};

use crate::memory::LocalMemory;
use crate::per_warp::members;
use crate::{Machine, Retire};
use spec::config::{CoreConfig, WarpMask, LINE_BYTES};

type Line = [u8; LINE_BYTES];

/// Lines of code, by number, where they may differ from what the machine's memory holds.
pub(super) struct CodeLines {
    write_back: bool,
    /// As memory had them when an instruction cache asked for them last.
    fetched: HashMap<u32, Line>,
    /// Those that stores are on their way to: as memory has them, and then after each store. With write-back one line goes
    /// out for all stores, and only the first is kept.
    storing: HashMap<u32, VecDeque<Line>>,
}

impl CodeLines {
    pub fn new(cfg: &CoreConfig) -> Self {
        Self { write_back: cfg.dcache.write_back, fetched: HashMap::new(), storing: HashMap::new() }
    }

    /// Memory accepts that an instruction cache reads a line. Whether it is not as it was the last time.
    pub fn fetch(&mut self, line: u32, machine: &Machine) -> bool {
        let now = match self.storing.get(&line).and_then(VecDeque::front) {
            Some(&before) => before,
            None => read(line, machine),
        };
        self.fetched.insert(line, now).is_some_and(|before| before != now)
    }

    /// The word at an address, if its line has been fetched.
    pub fn word(&self, pc: u32) -> Option<u32> {
        let at = (pc as usize % LINE_BYTES) & !3;
        let word = self.fetched.get(&number(pc))?[at..at + 4].try_into();
        word.ok().map(u32::from_le_bytes)
    }

    /// The load-store unit takes an access, and with it the access takes effect in the machine.
    pub fn perform(&mut self, machine: &mut Machine, retire: &mut Retire) {
        let lines = lines(machine, retire);
        for &line in &lines {
            self.storing.entry(line).or_insert_with(|| VecDeque::from([read(line, machine)]));
        }
        machine.perform(retire);
        for line in lines.into_iter().filter(|_| !self.write_back) {
            self.storing.entry(line).or_default().push_back(read(line, machine));
        }
    }

    /// Memory accepts a store to a line.
    pub fn written(&mut self, line: u32) {
        let Some(versions) = self.storing.get_mut(&line) else { return };
        versions.pop_front();
        if versions.len() <= 1 {
            self.storing.remove(&line);
        }
    }
}

fn number(address: u32) -> u32 {
    address / LINE_BYTES as u32
}

/// A line as the machine has it; what is not there reads as zeros.
fn read(line: u32, machine: &Machine) -> Line {
    machine.memory.read_line(line * LINE_BYTES as u32).unwrap_or([0; LINE_BYTES])
}

/// The lines on pages with code that a store changes, each once.
fn lines(machine: &Machine, retire: &Retire) -> Vec<u32> {
    let mut lines = vec![];
    let Some(access) = retire.access().filter(|access| access.store) else { return lines };
    if machine.stored_code.is_empty() {
        return lines;
    }
    let addresses = members(WarpMask::from(retire.tmask)).map(|lane| access.addr[lane]);
    let of_code =
        |&address: &u32| !LocalMemory::owns(address) && machine.stored_code.stored_by(address & !3).is_some();
    lines.extend(addresses.filter(of_code).map(number));
    lines.sort_unstable();
    lines.dedup();
    lines
}
