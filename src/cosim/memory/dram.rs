//! A DRAM channel: banks with an open row each, one data bus, refresh.
//!
//! Requests are served in the order in which they come, or with `frfcfs` those first whose row is open (`first_ready`); row
//! commands overlap where they go to different banks. Rows stay open until another row of the bank is wanted (open-page
//! policy). Consecutive lines fill a row, then go on in the next bank, with `hash` in one that depends on the row. With `l2`
//! there is a second-level cache before it. The same requests at the same cycles always take the same time.
//!
//! Defaults: one 64-bit channel of eight x8 DDR3-1600K devices of 4 Gbit (JEDEC JESD79-3F, speed bin 11-11-11), whose
//! clock of 800 MHz is the core's clock too. What is not modelled: activation windows (tRRD, tFAW), and the turn-around from
//! reads to writes. `ctl`, what controller and PHY add, is an assumption and not JEDEC's.

mod channel;
mod first_ready;
mod l2;

use std::collections::VecDeque;
use std::fmt;

use super::{MemoryModel, RowStats};
use channel::{Channel, Row};
use first_ready::FirstReady;
use l2::SecondLevel;
use spec::config::LINE_BYTES;

/// Clock of the data sheet, in MHz.
const DEVICE_MHZ: u32 = 800;

/// Picoseconds as clocks of a core with `mhz`, rounded up, at least 1.
fn clocks(picoseconds: u64, mhz: u32) -> u32 {
    (picoseconds * u64::from(mhz)).div_ceil(1_000_000).max(1) as u32
}

macro_rules! parameters {
    ($mhz:ident; $($(#[doc = $doc:literal])* $name:ident: $default:expr, $min:literal, $max:literal;)*) => {
        /// The parameters of a DRAM channel; times in core clocks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct DramConfig {
            /// The core's clock in MHz, from which the defaults of all times follow.
            pub mhz: u32,
            $($(#[doc = $doc])* pub $name: u32,)*
        }

        impl DramConfig {
            /// The default channel as a core with this clock sees it.
            pub fn at($mhz: u32) -> Self {
                Self { mhz: $mhz, $($name: $default,)* }
            }

            /// Names of the parameters, for messages.
            fn names() -> String {
                ["mhz", $(stringify!($name)),*].join(", ")
            }

            fn set(&mut self, name: &str, value: u32) -> Result<(), String> {
                let (field, min, max) = match name {
                    $(stringify!($name) => (&mut self.$name, $min, $max),)*
                    _ => return Err(format!("no parameter `{name}`; there are {}", Self::names())),
                };
                if !(min..=max).contains(&value) {
                    return Err(format!("{name} = {value} is not within {min} to {max}"));
                }
                *field = value;
                Ok(())
            }
        }

        impl fmt::Display for DramConfig {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let usual = Self::at(self.mhz);
                let mut changed = Vec::new();
                if self.mhz != DEVICE_MHZ {
                    changed.push(format!("mhz={}", self.mhz));
                }
                $(if self.$name != usual.$name {
                    changed.push(format!(concat!(stringify!($name), "={}"), self.$name));
                })*
                let colon = if changed.is_empty() { "" } else { ":" };
                write!(f, "dram{colon}{}", changed.join(","))
            }
        }
    };
}

parameters! {
    mhz;
    /// Banks, a power of two.
    banks: 8, 1, 64;
    /// Bytes in a row of a bank, a power of two: eight devices with 1 KB each.
    row: 8192, 64, 65_536;
    /// Requests that the controller holds; further ones wait on the bus.
    queue: 16, 1, 1024;
    /// 1 for the oldest request to an open row first (FR-FCFS), 0 for all in their order.
    frfcfs: 0, 0, 1;
    /// 1 for a bank whose number is exclusively or-ed with the row's lowest bits, so that what lies a power of two apart, as the
    /// stacks of warps do, is not all in one bank (permutation-based page interleaving: Zhang and others, MICRO 2000); 0 for
    /// banks in turn.
    hash: 0, 0, 1;
    /// Bytes of a cache between the bus and the channel, a core's part of the second-level cache that the cores of a GPU share;
    /// 0 for none.
    l2: 0, 0, 16_777_216;
    /// Its ways.
    l2ways: 8, 1, 64;
    /// What it adds to each answer: 75 ns, the "more than 100 cycles" of MOTRR (III.1) at 1.4 GHz.
    l2hit: clocks(75_000, mhz), 1, 10_000;
    /// What controller and PHY add to each access: 20 ns.
    ctl: clocks(20_000, mhz), 0, 10_000;
    /// Read latency (CL): 13.75 ns from the column command to the first data.
    cl: clocks(13_750, mhz), 1, 10_000;
    /// Write latency (CWL): 10 ns.
    cwl: clocks(10_000, mhz), 1, 10_000;
    /// Row to column delay (tRCD): 13.75 ns.
    rcd: clocks(13_750, mhz), 1, 10_000;
    /// Row precharge time (tRP): 13.75 ns.
    rp: clocks(13_750, mhz), 1, 10_000;
    /// Shortest time from opening a row to closing it (tRAS): 35 ns.
    ras: clocks(35_000, mhz), 1, 10_000;
    /// Read to precharge (tRTP): 7.5 ns.
    rtp: clocks(7_500, mhz), 1, 10_000;
    /// Write recovery: end of the written data to precharge (tWR): 15 ns.
    wr: clocks(15_000, mhz), 1, 10_000;
    /// End of written data to the next read (tWTR): 7.5 ns.
    wtr: clocks(7_500, mhz), 1, 10_000;
    /// The data bus's time for a 64-byte line: 8 transfers, 5 ns.
    burst: clocks(5_000, mhz), 1, 10_000;
    /// Interval between refreshes (tREFI): 7.8 us; 0 for none.
    refi: clocks(7_800_000, mhz), 0, 10_000_000;
    /// Duration of a refresh (tRFC) of a 4 Gbit device: 260 ns.
    rfc: clocks(260_000, mhz), 1, 100_000;
}

impl Default for DramConfig {
    fn default() -> Self {
        Self::at(DEVICE_MHZ)
    }
}

impl DramConfig {
    /// Reads `NAME=VALUE,...`; a value may be in K, that is times 1024.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text.strip_suffix('K') {
            Some(kilo) => kilo.parse::<u32>().ok()?.checked_mul(1024),
            None => text.parse().ok(),
        };
        let mut settings = Vec::new();
        for setting in text.split(',') {
            let parsed = setting.split_once('=').and_then(|(name, value)| Some((name, number(value)?)));
            settings.push(parsed.ok_or_else(|| format!("`{setting}` is not NAME=NUMBER"))?);
        }
        let mhz = settings.iter().rev().find(|(name, _)| *name == "mhz").map_or(DEVICE_MHZ, |&(_, mhz)| mhz);
        if !(1..=10_000).contains(&mhz) {
            return Err(format!("mhz = {mhz} is not within 1 to 10000"));
        }
        let mut cfg = Self::at(mhz);
        for (name, value) in settings.into_iter().filter(|(name, _)| *name != "mhz") {
            cfg.set(name, value)?;
        }
        for (name, value) in [("banks", cfg.banks), ("row", cfg.row)] {
            if !value.is_power_of_two() {
                return Err(format!("{name} = {value} is not a power of two"));
            }
        }
        let way_bytes = cfg.l2ways * LINE_BYTES as u32;
        if cfg.l2 != 0 && !(cfg.l2.is_multiple_of(way_bytes) && cfg.l2_sets().is_power_of_two()) {
            return Err(format!("l2 = {} is not {way_bytes} times a power of two", cfg.l2));
        }
        // A channel that does nothing but refresh would answer never.
        if cfg.refi != 0 && cfg.refi < cfg.rfc + cfg.longest_access() {
            return Err(format!("refi = {} leaves no time for accesses; 0 turns refresh off", cfg.refi));
        }
        Ok(cfg)
    }

    /// Longest time that one request holds up those behind it.
    fn longest_access(&self) -> u32 {
        self.ras + self.rp + self.rcd + self.cl.max(self.cwl) + self.burst + self.wr + self.wtr
    }

    /// Longest time from request to response.
    pub(super) fn longest(&self) -> u32 {
        let refresh = if self.refi == 0 { 0 } else { self.rp + self.rfc };
        let ahead = self.queue + if self.frfcfs == 0 { 0 } else { first_ready::most_passing(self.queue) };
        let cache = if self.l2 == 0 { 0 } else { SecondLevel::longest(self) };
        self.ctl + ahead * self.longest_access() + 2 * refresh + cache
    }

    /// Sets of the second-level cache.
    fn l2_sets(&self) -> u32 {
        self.l2 / (self.l2ways * LINE_BYTES as u32)
    }
}

/// A channel that serves its requests in order, or those to open rows first, behind a cache if it has one.
pub(super) fn model(cfg: DramConfig) -> Box<dyn MemoryModel> {
    let channel: Box<dyn MemoryModel> = match cfg.frfcfs {
        0 => Box::new(InOrder::new(cfg)),
        _ => Box::new(FirstReady::new(cfg)),
    };
    match cfg.l2 {
        0 => channel,
        _ => Box::new(SecondLevel::new(cfg, channel)),
    }
}

/// Serves the requests in the order in which they come: how long one takes is known at once.
struct InOrder {
    channel: Channel,
    /// When the requests in the controller are done, ascending.
    done: VecDeque<u64>,
}

impl InOrder {
    fn new(cfg: DramConfig) -> Self {
        Self { channel: Channel::new(cfg), done: VecDeque::new() }
    }

    /// When a request is answered that comes in a cycle.
    fn serve(&mut self, cycle: u64, line: u32, write: bool) -> u64 {
        let channel = &mut self.channel;
        let arrival = cycle + u64::from(channel.cfg.ctl);
        channel.refresh(arrival);
        let place = channel.place(line);
        let found = channel.found(place);
        channel.count(found);
        if found != Row::Open {
            channel.open(place, arrival);
        }
        let column = channel.column(place, write).max(arrival);
        let end = channel.transfer(place, write, column);
        self.done.push_back(end);
        end.max(cycle + 1)
    }
}

impl MemoryModel for InOrder {
    fn due(&mut self, cycle: u64, line: u32, write: bool) -> Option<u64> {
        Some(self.serve(cycle, line, write))
    }

    fn accepts(&mut self, cycle: u64) -> bool {
        while self.done.front().is_some_and(|&done| done <= cycle) {
            self.done.pop_front();
        }
        self.done.len() < self.channel.cfg.queue as usize
    }

    fn rests(&self) -> bool {
        self.done.is_empty()
    }

    fn rows(&self) -> Option<RowStats> {
        Some(self.channel.stats)
    }
}

#[cfg(test)]
mod tests;
