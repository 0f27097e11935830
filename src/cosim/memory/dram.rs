//! A DRAM channel: banks with an open row each, one data bus, refresh.
//!
//! Requests are served in the order in which they come; their row commands overlap where they go to different
//! banks. Rows stay open until another row of the bank is wanted (open-page policy). Consecutive lines fill a row,
//! then go on in the next bank. The same requests at the same cycles always take the same time.
//!
//! Defaults: one 64-bit channel of eight x8 DDR3-1600K devices of 4 Gbit (JEDEC JESD79-3F, speed bin 11-11-11), whose
//! clock of 800 MHz is the core's clock too. What is not modelled: activation windows (tRRD, tFAW), reordering, and the
//! turn-around from reads to writes. `ctl`, what controller and PHY add, is an assumption and not JEDEC's.

use std::collections::VecDeque;
use std::fmt;

use super::timing::{MemoryModel, RowStats};
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
    /// Reads `NAME=VALUE,...`.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut settings = Vec::new();
        for setting in text.split(',') {
            let parsed = setting.split_once('=').and_then(|(name, value)| Some((name, value.parse().ok()?)));
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
        self.ctl + self.queue * self.longest_access() + 2 * refresh
    }
}

/// A bank's state.
#[derive(Clone, Copy, Debug, Default)]
struct Bank {
    open_row: Option<u32>,
    /// From when on it takes commands.
    ready: u64,
    /// From when on its row may be closed.
    closable: u64,
}

/// The channel's state.
pub(super) struct Dram {
    cfg: DramConfig,
    banks: Vec<Bank>,
    /// End of the last transfer on the data bus.
    data_free: u64,
    /// End of the last written data.
    written: u64,
    next_refresh: u64,
    /// When the requests in the controller are done, ascending.
    done: VecDeque<u64>,
    stats: RowStats,
}

impl Dram {
    pub(super) fn new(cfg: DramConfig) -> Self {
        Self {
            banks: vec![Bank::default(); cfg.banks as usize],
            data_free: 0,
            written: 0,
            next_refresh: u64::from(cfg.refi),
            done: VecDeque::new(),
            stats: RowStats::default(),
            cfg,
        }
    }

    /// Refreshes that have fallen due: all rows are closed, and the banks are out of use for a while.
    fn refresh(&mut self, now: u64) {
        while self.cfg.refi != 0 && self.next_refresh <= now {
            let closable =
                self.banks.iter().filter(|b| b.open_row.is_some()).map(|b| b.closable.max(b.ready));
            let begin = closable.fold(self.next_refresh, u64::max) + u64::from(self.cfg.rp);
            for bank in &mut self.banks {
                bank.open_row = None;
                bank.ready = bank.ready.max(begin + u64::from(self.cfg.rfc));
            }
            self.next_refresh += u64::from(self.cfg.refi);
        }
    }
}

impl MemoryModel for Dram {
    fn due(&mut self, cycle: u64, line: u32, write: bool) -> u64 {
        let cfg = self.cfg;
        let time = u64::from;
        let arrival = cycle + time(cfg.ctl);
        self.refresh(arrival);
        let row_number = line / cfg.row.max(LINE_BYTES as u32);
        let bank = &mut self.banks[(row_number % cfg.banks) as usize];
        let row = row_number / cfg.banks;

        // 1. the row
        let start = arrival.max(bank.ready);
        let mut column = match bank.open_row {
            Some(open) if open == row => {
                self.stats.row_hits += 1;
                start
            }
            other => {
                let activate = if other.is_some() {
                    self.stats.row_conflicts += 1;
                    start.max(bank.closable) + time(cfg.rp)
                } else {
                    self.stats.row_misses += 1;
                    start
                };
                bank.open_row = Some(row);
                bank.closable = activate + time(cfg.ras);
                activate + time(cfg.rcd)
            }
        };
        // 2. the data bus, in order
        if !write {
            column = column.max(self.written + time(cfg.wtr));
        }
        let latency = time(if write { cfg.cwl } else { cfg.cl });
        let data = (column + latency).max(self.data_free);
        let end = data + time(cfg.burst);
        column = data - latency;
        self.data_free = end;
        // 3. what the bank has to wait for
        bank.ready = column + time(cfg.burst);
        let closable = if write { end + time(cfg.wr) } else { column + time(cfg.rtp) };
        bank.closable = bank.closable.max(closable);
        if write {
            self.written = end;
        }
        self.done.push_back(end);
        end.max(cycle + 1)
    }

    fn accepts(&mut self, cycle: u64) -> bool {
        while self.done.front().is_some_and(|&done| done <= cycle) {
            self.done.pop_front();
        }
        self.done.len() < self.cfg.queue as usize
    }

    fn rows(&self) -> Option<RowStats> {
        Some(self.stats)
    }
}

#[cfg(test)]
mod tests;
