//! What a load or store asks of the load-store unit: known from its addresses alone.

use crate::memory::{on_one_line, LOCAL_MEM_BASE as LOCAL};
use crate::warp::lanes_where;
use crate::Lanes;
use smallvec::SmallVec;
use spec::config::{CoreConfig, LINE_BYTES};

/// Bits of an address that choose the word in a bank, as the bank arbiter compares them.
const WORD_MASK: u32 = 0x3FFC;

/// Bits of a line's number within 64 KB.
const PAGE_BITS: u32 = 10;

/// Lanes of one line, or all lanes of local memory: served together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The line, or `None` for local memory.
    pub line: Option<u32>,
    /// The lanes.
    pub lanes: u32,
    /// How often the banks must be used until every lane is served.
    pub passes: u8,
    /// The first of these uses, among all of the instruction.
    pub turn: u8,
    /// The path of its line, if [`Access::find_paths`] has been asked.
    pub path: u8,
    /// Bytes of the line that a store changes, if [`Access::note_bytes`] has been asked.
    pub bytes: u64,
}

/// The banks, of which a core has one a lane, a power of two: where the words of a line are, and those of local memory.
#[derive(Clone, Copy, Debug)]
pub struct Banks {
    count: u32,
    /// Each row of local memory, a word a bank, begins a bank after the row before.
    skewed: bool,
    /// Bits of a word's number that lanes are compared by.
    compared: u32,
    /// Where the warp's part of local memory begins, in bytes.
    base: u32,
}

impl Banks {
    /// Those of a core, for a warp that has the whole local memory.
    pub fn new(cfg: &CoreConfig) -> Self {
        // Those of a place in local memory, at least those of a place in a line and of a bank.
        let compared =
            (cfg.local_mem_bytes as u32 / 4).max(LINE_BYTES as u32 / 4).max(cfg.threads as u32) - 1;
        Self { count: cfg.threads as u32, skewed: cfg.skews_local_memory(), compared, base: 0 }
    }

    /// For a warp whose block has its part of local memory `base` bytes behind the begin.
    pub fn of_block(self, base: u32) -> Self {
        Self { base, ..self }
    }

    /// Each word of a line has a bank of its own: a load needs them once.
    fn hold_a_line(self) -> bool {
        self.count as usize * 4 >= LINE_BYTES
    }

    /// What two words of an atomic instruction have in common that count as the same: their place in local memory, if it
    /// were as large as all memory.
    fn place(self, address: u32) -> u32 {
        let (word, bank) = self.word(address);
        (word & !(self.count - 1) | bank) & self.compared
    }

    /// The word at an address, and its bank.
    fn word(self, address: u32) -> (u32, u32) {
        let (base, skewed) = if address < LOCAL { (0, false) } else { (self.base, self.skewed) };
        let word = (address.wrapping_add(base) & WORD_MASK) >> 2;
        let row = if skewed { word >> self.count.trailing_zeros() } else { 0 };
        (word, (word + row) & (self.count - 1))
    }
}

/// The line of an address, or `None` for local memory.
fn line_of(address: u32) -> Option<u32> {
    (address < LOCAL).then_some(address / LINE_BYTES as u32)
}

/// What the instruction does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// A load.
    #[default]
    Load,
    /// A store.
    Store,
    /// An atomic instruction: in each round lanes are loaded and then stored.
    Atomic,
    /// FENCE, and whether it is FENCE.I.
    Fence(bool),
}

/// A memory instruction on its way through the load-store unit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Access {
    /// Its warp.
    pub wid: u8,
    /// Its address; 0 if nobody asks for it.
    pub pc: u32,
    /// Where a load goes; `None` for one to x0, which does nothing.
    pub rd: Option<u8>,
    /// What it does.
    pub kind: Kind,
    /// What is served together, in the order in which it is; of an atomic instruction first all that is loaded, round
    /// after round, then likewise what is stored.
    pub groups: SmallVec<[Group; 4]>,
    /// Of an atomic instruction: behind how many of the groups that are loaded each round ends.
    pub rounds: SmallVec<[u8; 8]>,
    /// How many lanes each use of the banks serves, group after group.
    pub served: Served,
}

/// How many lanes each use of the banks serves. Most instructions use them a few times.
pub(super) type Served = SmallVec<[u8; 16]>;

/// How many times lanes of one line, or of local memory, need the banks, and how many lanes each time serves. A bank serves
/// the first lane that wants it, and with it, in a load, all lanes that want the same word.
fn passes(addresses: &Lanes, mut lanes: u32, banks: Banks, share: bool, served_lanes: &mut Served) -> u8 {
    let mut count = 0;
    // Of the banks in use.
    let mut words = [0; 32];
    while lanes != 0 {
        let (mut used, mut served) = (0u32, 0);
        for lane in super::members(lanes) {
            let (word, bank) = banks.word(addresses[lane]);
            if used >> bank & 1 == 0 {
                used |= 1 << bank;
                words[bank as usize] = word;
                served |= 1 << lane;
            } else if share && words[bank as usize] == word {
                served |= 1 << lane;
            }
        }
        lanes &= !served;
        served_lanes.push(served.count_ones() as u8);
        count += 1;
    }
    count
}

impl Access {
    /// An instruction whose lanes are grouped ([`group`](Self::group)).
    pub fn new(wid: u8, rd: Option<u8>, kind: Kind, addresses: &Lanes, tmask: u32, banks: Banks) -> Self {
        let mut access = Self { wid, rd, kind, ..Self::default() };
        access.group(addresses, tmask, banks);
        access
    }

    /// Groups the lanes of `tmask` in the order in which they are served.
    pub fn group(&mut self, addresses: &Lanes, tmask: u32, banks: Banks) {
        self.groups.clear();
        self.served.clear();
        match self.kind {
            Kind::Fence(_) => {}
            Kind::Atomic => self.group_rounds(addresses, tmask, banks),
            Kind::Load | Kind::Store => self.add_groups(addresses, tmask, self.kind == Kind::Load, banks),
        }
    }

    /// Adds the groups of lanes that are loaded or stored.
    fn add_groups(&mut self, addresses: &Lanes, mut left: u32, loads: bool, banks: Banks) {
        while left != 0 {
            let first = addresses[left.trailing_zeros() as usize];
            let line = line_of(first);
            let threads = banks.count as usize;
            let together = match line {
                Some(_) => lanes_where(addresses, threads, |address| on_one_line(address, first)),
                None => lanes_where(addresses, threads, |address| address >= LOCAL),
            };
            let lanes = left & together;
            left &= !lanes;
            let turn = self.served.len() as u8;
            let passes = if loads && line.is_some() && banks.hold_a_line() {
                self.served.push(lanes.count_ones() as u8);
                1
            } else {
                passes(addresses, lanes, banks, loads, &mut self.served)
            };
            self.groups.push(Group { line, lanes, passes, turn, path: 0, bytes: 0 });
        }
    }

    /// Groups the lanes of an atomic instruction. A round has the lanes whose word no lower lane wants that is not done.
    fn group_rounds(&mut self, addresses: &Lanes, mut left: u32, banks: Banks) {
        self.rounds.clear();
        let mut rounds: SmallVec<[u32; 32]> = SmallVec::new();
        while left != 0 {
            let mut lanes = 0;
            for lane in super::members(left) {
                let place = banks.place(addresses[lane]);
                let is_taken =
                    super::members(left & ((1 << lane) - 1)).any(|l| banks.place(addresses[l]) == place);
                lanes |= u32::from(!is_taken) << lane;
            }
            left &= !lanes;
            rounds.push(lanes);
        }
        for loads in [true, false] {
            for &lanes in &rounds {
                self.add_groups(addresses, lanes, loads, banks);
                if loads {
                    self.rounds.push(self.groups.len() as u8);
                }
            }
        }
    }

    /// Notes by which of so many paths, two or four, each line goes: bit `j` is the parity of every bit of the line's number
    /// that is `j` modulo the count of these bits. Local memory and I/O are on path 0.
    pub fn find_paths(&mut self, paths: usize) {
        debug_assert!(matches!(paths, 2 | 4), "{paths} paths");
        for group in &mut self.groups {
            let Some(line) = group.line.filter(|line| line >> PAGE_BITS != 0) else { continue };
            let halves = [16, 8, 4, 2].into_iter().fold(line, |line, half| line ^ line >> half);
            let path = if paths == 2 { halves ^ halves >> 1 } else { halves };
            group.path = path as u8 & (paths - 1) as u8;
        }
    }

    /// Notes which bytes a store of `size` bytes a lane changes.
    pub fn note_bytes(&mut self, addresses: &Lanes, size: u32) {
        for group in &mut self.groups {
            let bytes = |lane: usize| ((1u64 << size) - 1) << (addresses[lane] % LINE_BYTES as u32);
            group.bytes = super::members(group.lanes).fold(0, |mask, lane| mask | bytes(lane));
        }
    }

    /// Whether it is a load to x0.
    pub fn discarded(&self) -> bool {
        self.kind == Kind::Load && self.rd.is_none()
    }

    /// Results that a load writes: one for each use of the banks.
    pub fn results(&self) -> u32 {
        self.groups.iter().map(|group| u32::from(group.passes)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a local memory of 16 KB.
    const WORDS: u32 = 4095;

    fn groups_in(banks: Banks, kind: Kind, addresses: &[u32]) -> Vec<(Option<u32>, u8)> {
        let lanes = std::array::from_fn(|lane| addresses.get(lane).copied().unwrap_or(0));
        let access = Access::new(0, Some(1), kind, &lanes, (1 << addresses.len()) - 1, banks);
        access.groups.iter().map(|group| (group.line, group.passes)).collect()
    }

    fn groups(kind: Kind, addresses: &[u32], count: u32) -> Vec<(Option<u32>, u8)> {
        groups_in(Banks { count, skewed: false, compared: WORDS, base: 0 }, kind, addresses)
    }

    #[test]
    fn lanes_of_a_line_go_together_and_those_of_local_memory() {
        assert_eq!(groups(Kind::Load, &[0x80, 0x84, 0xbc, 0xc0], 4), [(Some(2), 1), (Some(3), 1)]);
        assert_eq!(groups(Kind::Load, &[0x80, LOCAL, 0x84, LOCAL + 4], 4), [(Some(2), 1), (None, 1)]);
    }

    #[test]
    fn banks_conflict_unless_a_load_wants_the_same_word() {
        assert_eq!(groups(Kind::Load, &[LOCAL, LOCAL + 16, LOCAL + 32, LOCAL + 4], 4), [(None, 3)]);
        assert_eq!(groups(Kind::Load, &[LOCAL + 1, LOCAL, LOCAL + 3, LOCAL], 4), [(None, 1)]);
        assert_eq!(groups(Kind::Store, &[LOCAL, LOCAL, LOCAL, LOCAL], 4), [(None, 4)]);
    }

    /// The lanes of the groups of each round, which are loaded and then stored.
    fn rounds(addresses: &[u32]) -> Vec<Vec<u32>> {
        let lanes = std::array::from_fn(|lane| addresses.get(lane).copied().unwrap_or(0));
        let banks = Banks { count: 4, skewed: false, compared: WORDS, base: 0 };
        let access = Access::new(0, Some(1), Kind::Atomic, &lanes, (1 << addresses.len()) - 1, banks);
        let lanes: Vec<u32> = access.groups.iter().map(|group| group.lanes).collect();
        let (loaded, stored) = lanes.split_at(lanes.len() / 2);
        assert_eq!(loaded, stored);
        let mut begin = 0;
        let round = |&end: &u8| loaded[std::mem::replace(&mut begin, end.into())..end.into()].to_vec();
        access.rounds.iter().map(round).collect()
    }

    #[test]
    fn of_an_atomic_instruction_lanes_with_one_word_take_turns() {
        assert_eq!(rounds(&[0x1_0000, 0x1_0004, 0x1_0008, 0x1_000c]), [[0b1111]]);
        assert_eq!(rounds(&[0x1_0000; 3]), [[0b001], [0b010], [0b100]]);
        assert_eq!(rounds(&[0x1_0000, 0x1_0040, 0x1_0000, 0x1_0044]), [vec![0b0001, 0b1010], vec![0b0100]]);
        assert_eq!(rounds(&[LOCAL, 0x1_0004, LOCAL + 64, LOCAL]), [vec![0b0101, 0b0010], vec![0b1000]]);
        assert_eq!(rounds(&[0x1_0000, 0x1_4000]), [[0b01], [0b10]], "as far apart as local memory is large");
    }

    /// The comparison of words is as wide as a place in local memory, in a line, or in a row of banks.
    #[test]
    fn words_far_apart_count_as_the_same() {
        for (local_mem_bytes, threads, apart) in [(1024, 4, 1024), (64, 4, 64), (64, 32, 128)] {
            let banks = Banks::new(&CoreConfig { local_mem_bytes, threads, ..CoreConfig::default() });
            assert_eq!(banks.place(0x1_0000 + apart), banks.place(0x1_0000), "{local_mem_bytes}");
            assert_ne!(banks.place(0x1_0000 + apart / 2), banks.place(0x1_0000), "{local_mem_bytes}");
        }
    }

    #[test]
    fn rows_of_local_memory_are_skewed_where_the_memory_has_them() {
        let skewed = Banks { count: 4, skewed: true, compared: WORDS, base: 0 };
        let column = [LOCAL, LOCAL + 16, LOCAL + 32, LOCAL + 48];
        assert_eq!(groups_in(skewed, Kind::Load, &column), [(None, 1)]);
        assert_eq!(
            groups_in(skewed, Kind::Load, &column.map(|address| address - 0x10_0000)),
            [(Some(0x3ffbc00), 4)]
        );
        // The diagonal now is in every second bank, the other one in one.
        assert_eq!(groups_in(skewed, Kind::Load, &[0, 20, 40, 60].map(|at| LOCAL + at)), [(None, 2)]);
        assert_eq!(groups_in(skewed, Kind::Load, &[12, 24, 36, 48].map(|at| LOCAL + at)), [(None, 4)]);
    }

    #[test]
    fn a_block_has_the_rows_of_the_memory() {
        let skewed = Banks { count: 4, skewed: true, compared: WORDS, base: 0 };
        // A row of a block that begins with the last word of a row is in two rows, the first three words of a row apart.
        let row = [LOCAL, LOCAL + 4, LOCAL + 8, LOCAL + 12];
        assert_eq!(groups_in(skewed, Kind::Load, &row), [(None, 1)]);
        assert_eq!(groups_in(skewed.of_block(12), Kind::Load, &row), [(None, 2)]);
    }
}
