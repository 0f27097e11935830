//! A sparse 32-bit memory that knows which addresses exist.
//!
//! What is mapped is said explicitly, in whole 64-byte lines, so that the bus of the hardware and the
//! loads of the model meet the same map; an access to anything else is reported, never ignored.
//! Mapped memory that nobody has written reads [`UNWRITTEN`], so that a program that depends on
//! zeroed memory shows.

mod console;
mod local;
mod page;
mod stacks;

pub use console::Console;
pub use local::LocalMemory;
use page::{Page, PageTable, PAGE_BYTES};
use spec::config::{CoreConfig, LINE_BYTES};
pub use spec::config::{LOCAL_MEM_BASE, STACK_BYTES};
pub use stacks::Stacks;

/// What a word of mapped but never written memory reads (docs/ISA.md, section 6).
pub const UNWRITTEN: u32 = 0xbaad_f00d;
/// First address of the console's ports.
pub const CONSOLE_BASE: u32 = 0x40;
/// Word that receives a program's exit code.
pub const EXIT_CODE: u32 = 0x88;
/// First address after the I/O region, which begins at [`CONSOLE_BASE`].
pub const IO_END: u32 = 0x1000;
/// Start of the memory that programs' data is given.
pub const HEAP_BASE: u32 = 0x0001_0000;
/// First address after the heap that [`Memory::for_core`] maps.
pub const HEAP_END: u32 = 0x1000_0000;
/// Where programs are loaded and started.
pub const STARTUP_ADDR: u32 = 0x8000_0000;

/// An access to an address that is not mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("address {0:#010x} is not mapped")]
pub struct Unmapped(
    /// The first such address of the access.
    pub u32,
);

/// The memory outside a core.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Mapped ranges, start and end, in whole lines.
    regions: Vec<(u64, u64)>,
    pages: PageTable,
    stacks: Stacks,
    /// Threads of the core, each with a stack.
    threads: u32,
    console: Console,
    exit_code: Option<u32>,
}

impl Memory {
    /// A memory in which nothing is mapped.
    pub fn new() -> Self {
        Self::default()
    }

    /// A memory with what every program on a core of this configuration may use besides its own
    /// segments: the I/O region, the heap, and one stack a hart.
    pub fn for_core(cfg: &CoreConfig) -> Self {
        let threads = (cfg.warps * cfg.threads) as u32;
        let mut memory = Self { stacks: Stacks::new(cfg), threads, ..Self::new() };
        let stacks = cfg.stacks_bytes();
        memory.map(CONSOLE_BASE, IO_END - CONSOLE_BASE);
        memory.map(HEAP_BASE, HEAP_END - HEAP_BASE);
        memory.map(LOCAL_MEM_BASE - stacks, stacks);
        memory
    }

    /// Maps `bytes` bytes from `start`, rounded out to whole lines.
    pub fn map(&mut self, start: u32, bytes: u32) {
        let line = LINE_BYTES as u64;
        let (start, end) = (u64::from(start), u64::from(start) + u64::from(bytes));
        let region = (start / line * line, end.div_ceil(line) * line);
        self.regions.push(region);
        self.pages.for_each(|number, page| page.mapped |= mapped_lines(&[region], number));
    }

    /// Maps stacks of `bytes` bytes for each thread of [`Memory::for_core`], as far as there is room above the heap. They end
    /// where the usual ones end.
    pub fn map_stacks(&mut self, bytes: u32) {
        let stacks = bytes.saturating_mul(self.threads).min(LOCAL_MEM_BASE - HEAP_END);
        self.map(LOCAL_MEM_BASE - stacks, stacks);
    }

    /// Where the words of the core's stacks are.
    pub fn stacks(&self) -> Stacks {
        self.stacks
    }

    /// Maps and fills memory, as a loader does: where a program on the core has `start` and what follows.
    pub fn load(&mut self, start: u32, bytes: &[u8]) {
        self.map(start, bytes.len() as u32);
        // The words of stacks lie apart: what is in one word stays together.
        let (mut at, mut left) = (start, bytes);
        while !left.is_empty() {
            let (part, rest) = left.split_at(left.len().min(4 - at as usize % 4));
            let address = self.stacks.place(at);
            if let Some(page) = self.page_mut(address) {
                page.bytes[address as usize % PAGE_BYTES..][..part.len()].copy_from_slice(part);
            }
            (at, left) = (at.wrapping_add(part.len() as u32), rest);
        }
    }

    /// Reads `size` bytes (1, 2 or 4, naturally aligned), zero-extended.
    ///
    /// # Errors
    /// If the address is not mapped.
    #[inline]
    pub fn read(&self, address: u32, size: u32) -> Result<u32, Unmapped> {
        self.read_on(self.pages.get(address), address, size)
    }

    /// A line, by its number, if it is mapped and on a page that has been written.
    #[inline]
    pub(super) fn line(&self, number: u32) -> Option<&[u8; LINE_BYTES]> {
        let address = number * LINE_BYTES as u32;
        self.pages.get(address).filter(|page| page.is_mapped(address)).map(|page| page.line(address))
    }

    /// For reading from several addresses, of which many are on one line.
    pub(super) fn reader(&self) -> Reader<'_> {
        Reader { memory: self, line: None }
    }

    /// [`Memory::read`] of an address that is on `page`.
    #[inline]
    fn read_on(&self, page: Option<&Page>, address: u32, size: u32) -> Result<u32, Unmapped> {
        debug_assert!(matches!(size, 1 | 2 | 4) && address.is_multiple_of(size));
        let word = match page {
            Some(page) if page.is_mapped(address) => page.word(address),
            Some(_) => return Err(Unmapped(address)),
            None if self.is_mapped(address) => UNWRITTEN,
            None => return Err(Unmapped(address)),
        };
        Ok(part(word, address, size))
    }

    /// Writes the low `size` bytes (1, 2 or 4, naturally aligned) of `value`.
    ///
    /// # Errors
    /// If the address is not mapped.
    #[inline]
    pub fn write(&mut self, address: u32, size: u32, value: u32) -> Result<(), Unmapped> {
        debug_assert!(matches!(size, 1 | 2 | 4) && address.is_multiple_of(size));
        if is_console(address) {
            let bytes = value.to_le_bytes();
            for i in 0..size {
                self.console.put((address + i - CONSOLE_BASE) as usize, bytes[i as usize]);
            }
            return Ok(());
        }
        let page = self.page_mut(address).filter(|p| p.is_mapped(address)).ok_or(Unmapped(address))?;
        page.write(address, size, value);
        if address & !3 == EXIT_CODE {
            self.exit_code = Some(page.word(EXIT_CODE));
        }
        Ok(())
    }

    /// Reads the 64-byte line that contains `address`: one beat of the memory bus.
    ///
    /// # Errors
    /// If the line is not mapped.
    pub fn read_line(&self, address: u32) -> Result<[u8; LINE_BYTES], Unmapped> {
        match self.line(address / LINE_BYTES as u32) {
            Some(line) => Ok(*line),
            None if self.is_mapped(address) => {
                let mut line = [0; LINE_BYTES];
                line.as_chunks_mut().0.fill(UNWRITTEN.to_le_bytes());
                Ok(line)
            }
            None => Err(Unmapped(address & !(LINE_BYTES as u32 - 1))),
        }
    }

    /// Writes those bytes of the line that contains `address` whose bit in `byteen` is set. One
    /// write to the console's line puts each port's byte once, whatever the number of lanes.
    ///
    /// # Errors
    /// If the line is not mapped and `byteen` is not 0.
    pub fn write_line(&mut self, address: u32, line: &[u8; LINE_BYTES], byteen: u64) -> Result<(), Unmapped> {
        let start = address & !(LINE_BYTES as u32 - 1);
        for (i, &byte) in line.iter().enumerate() {
            if byteen >> i & 1 != 0 {
                self.write(start + i as u32, 1, u32::from(byte))?;
            }
        }
        Ok(())
    }

    /// Copies memory out, as a host does that fetches results: what a program on the core has at `start` and behind.
    ///
    /// # Errors
    /// If part of the range is not mapped.
    pub fn read_bytes(&self, start: u32, bytes: u32) -> Result<Vec<u8>, Unmapped> {
        let place = |i| self.stacks.place(start.wrapping_add(i));
        (0..bytes).map(|i| Ok(self.read(place(i), 1)? as u8)).collect()
    }

    /// Whether the line of `address` is mapped.
    pub fn is_mapped(&self, address: u32) -> bool {
        if let Some(page) = self.pages.get(address) {
            return page.is_mapped(address);
        }
        let address = u64::from(address);
        self.regions.iter().any(|&(start, end)| (start..end).contains(&address))
    }

    /// What was written to the console.
    pub fn console(&self) -> &Console {
        &self.console
    }

    /// For [`Console::flush`] at the end of a run.
    pub fn console_mut(&mut self) -> &mut Console {
        &mut self.console
    }

    /// The exit code, if the program has written one.
    pub fn exit_code(&self) -> Option<u32> {
        self.exit_code
    }

    /// The first word in which two memories differ: its address, and its value here and there.
    pub fn first_difference(&self, other: &Self) -> Option<(u32, u32, u32)> {
        let mut pages: Vec<u32> = self.pages.numbers().chain(other.pages.numbers()).collect();
        pages.sort_unstable();
        pages.dedup();
        let word = |memory: &Self, address| memory.pages.get(address).map_or(UNWRITTEN, |p| p.word(address));
        pages
            .into_iter()
            .flat_map(|page| (0..PAGE_BYTES as u32 / 4).map(move |i| page * PAGE_BYTES as u32 + 4 * i))
            .map(|address| (address, word(self, address), word(other, address)))
            .find(|&(_, here, there)| here != there)
    }

    /// The page of `address`, made on the first write to it; `None` if it has no mapped line.
    #[inline]
    fn page_mut(&mut self, address: u32) -> Option<&mut Page> {
        if !self.pages.has(address) {
            let mapped = mapped_lines(&self.regions, address / PAGE_BYTES as u32);
            if mapped == 0 {
                return None;
            }
            self.pages.insert(address, Page::new(mapped, UNWRITTEN));
        }
        self.pages.get_mut(address)
    }
}

/// Reads, and looks for a page only if the line is another one than before.
pub(super) struct Reader<'a> {
    memory: &'a Memory,
    /// The line that was read last, and its page.
    line: Option<(u32, &'a Page)>,
}

impl Reader<'_> {
    /// As [`Memory::read`].
    #[inline]
    pub(super) fn read(&mut self, address: u32, size: u32) -> Result<u32, Unmapped> {
        let line = address / LINE_BYTES as u32;
        match self.line {
            Some((last, page)) if last == line => Ok(part(page.word(address), address, size)),
            _ => {
                let page = self.memory.pages.get(address);
                self.line = page.filter(|page| page.is_mapped(address)).map(|page| (line, page));
                self.memory.read_on(page, address, size)
            }
        }
    }
}

/// Whether two addresses are on one line.
#[inline]
pub(super) fn on_one_line(a: u32, b: u32) -> bool {
    (a ^ b) < LINE_BYTES as u32
}

/// What an access of `size` bytes takes of a word.
#[inline]
pub(super) fn part(word: u32, address: u32, size: u32) -> u32 {
    (word >> (8 * (address & 3))) & (u32::MAX >> (32 - 8 * size))
}

/// Whether a byte at `address` goes to the console.
#[inline]
pub fn is_console(address: u32) -> bool {
    address.wrapping_sub(CONSOLE_BASE) < Console::PORTS as u32
}

/// Bit `i`: whether line `i` of page `number` lies in a region.
fn mapped_lines(regions: &[(u64, u64)], number: u32) -> u64 {
    let page = u64::from(number) * PAGE_BYTES as u64;
    let within = |address: u64| (address.max(page) - page).min(PAGE_BYTES as u64) / LINE_BYTES as u64;
    let lines = regions.iter().map(|&(start, end)| within(start)..within(end));
    lines.flatten().fold(0, |mask, line| mask | 1 << line)
}

#[cfg(test)]
mod tests;
