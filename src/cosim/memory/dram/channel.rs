//! The banks of a channel and its data bus: when a command can be given, and what it changes.

use super::super::RowStats;
use super::DramConfig;
use spec::config::LINE_BYTES;

/// A bank's state.
#[derive(Clone, Copy, Debug, Default)]
struct Bank {
    open_row: Option<u32>,
    /// From when on it takes commands.
    ready: u64,
    /// From when on its row may be closed.
    closable: u64,
}

/// Where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub bank: usize,
    pub row: u32,
}

/// What a request finds in its bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    Open,
    Closed,
    /// Another one is open.
    Other,
}

/// The channel's state.
pub(super) struct Channel {
    pub cfg: DramConfig,
    banks: Vec<Bank>,
    /// End of the last transfer on the data bus.
    data_free: u64,
    /// End of the last written data.
    written: u64,
    next_refresh: u64,
    pub stats: RowStats,
}

impl Channel {
    pub fn new(cfg: DramConfig) -> Self {
        Self {
            banks: vec![Bank::default(); cfg.banks as usize],
            data_free: 0,
            written: 0,
            next_refresh: u64::from(cfg.refi),
            stats: RowStats::default(),
            cfg,
        }
    }

    /// Refreshes that have fallen due: all rows are closed, and the banks are out of use for a while.
    pub fn refresh(&mut self, now: u64) {
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

    pub fn place(&self, line: u32) -> Place {
        let number = line / self.cfg.row.max(LINE_BYTES as u32);
        let (turn, row) = (number % self.cfg.banks, number / self.cfg.banks);
        let bank = if self.cfg.hash == 1 { turn ^ (row % self.cfg.banks) } else { turn };
        Place { bank: bank as usize, row }
    }

    pub fn found(&self, Place { bank, row }: Place) -> Row {
        match self.banks[bank].open_row {
            Some(open) if open == row => Row::Open,
            Some(_) => Row::Other,
            None => Row::Closed,
        }
    }

    pub fn count(&mut self, found: Row) {
        *match found {
            Row::Open => &mut self.stats.row_hits,
            Row::Closed => &mut self.stats.row_misses,
            Row::Other => &mut self.stats.row_conflicts,
        } += 1;
    }

    /// From when on a row command for the place can be given: another row that is open must be closable.
    pub fn openable(&self, place: Place) -> u64 {
        let bank = &self.banks[place.bank];
        match self.found(place) {
            Row::Other => bank.ready.max(bank.closable),
            _ => bank.ready,
        }
    }

    /// Opens the row, from a cycle on or as soon as can be, and closes another one before.
    pub fn open(&mut self, place: Place, from: u64) {
        let start = from.max(self.openable(place));
        let precharge = if self.found(place) == Row::Other { self.cfg.rp } else { 0 };
        let activate = start + u64::from(precharge);
        self.banks[place.bank] = Bank {
            open_row: Some(place.row),
            ready: activate + u64::from(self.cfg.rcd),
            closable: activate + u64::from(self.cfg.ras),
        };
    }

    /// Cycles from the column command to the data.
    fn latency(&self, write: bool) -> u64 {
        u64::from(if write { self.cfg.cwl } else { self.cfg.cl })
    }

    /// From when on the column command can be given to a row that is open: the data must find the bus free.
    pub fn column(&self, place: Place, write: bool) -> u64 {
        let turned = if write { 0 } else { self.written + u64::from(self.cfg.wtr) };
        self.banks[place.bank].ready.max(turned).max(self.data_free.saturating_sub(self.latency(write)))
    }

    /// Gives the column command in a cycle: when its data is over.
    pub fn transfer(&mut self, place: Place, write: bool, column: u64) -> u64 {
        let burst = u64::from(self.cfg.burst);
        let end = column + self.latency(write) + burst;
        let closable = match write {
            true => end + u64::from(self.cfg.wr),
            false => column + u64::from(self.cfg.rtp),
        };
        let bank = &mut self.banks[place.bank];
        bank.ready = column + burst;
        bank.closable = bank.closable.max(closable);
        self.data_free = end;
        if write {
            self.written = end;
        }
        end
    }
}
