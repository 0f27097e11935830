//! Pages of the sparse memory, found through two levels of 1024 entries.

use spec::config::LINE_BYTES;

/// Bytes in a page.
pub(super) const PAGE_BYTES: usize = 4096;
const ENTRIES: usize = 1024;

/// Part of the address space in which something has been written.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// Bit `i`: whether 64-byte line `i` of the page is mapped.
    pub mapped: u64,
    pub bytes: Box<[u8; PAGE_BYTES]>,
}

impl Page {
    pub fn new(mapped: u64, fill: u32) -> Self {
        let mut bytes = Box::new([0; PAGE_BYTES]);
        bytes.as_chunks_mut().0.fill(fill.to_le_bytes());
        Self { mapped, bytes }
    }

    #[inline]
    pub fn is_mapped(&self, address: u32) -> bool {
        self.mapped >> (address as usize % PAGE_BYTES / LINE_BYTES) & 1 != 0
    }

    /// The line that contains `address`.
    #[inline]
    pub fn line(&self, address: u32) -> &[u8; LINE_BYTES] {
        &self.bytes.as_chunks().0[address as usize % PAGE_BYTES / LINE_BYTES]
    }

    /// The aligned word that contains `address`.
    #[inline]
    pub fn word(&self, address: u32) -> u32 {
        let at = (address & !3) as usize % PAGE_BYTES;
        u32::from_le_bytes([self.bytes[at], self.bytes[at + 1], self.bytes[at + 2], self.bytes[at + 3]])
    }

    #[inline]
    pub fn write(&mut self, address: u32, size: u32, value: u32) {
        let (at, size) = (address as usize % PAGE_BYTES, size as usize);
        self.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
    }
}

/// Pages by address. Entries are an index plus one; 0 is no entry.
#[derive(Clone, Debug)]
pub(super) struct PageTable {
    directory: Box<[u32; ENTRIES]>,
    tables: Vec<[u32; ENTRIES]>,
    pages: Vec<Page>,
}

impl Default for PageTable {
    fn default() -> Self {
        Self { directory: Box::new([0; ENTRIES]), tables: Vec::new(), pages: Vec::new() }
    }
}

impl PageTable {
    #[inline]
    fn index(&self, address: u32) -> Option<usize> {
        let table = self.directory[(address >> 22) as usize].checked_sub(1)?;
        let page = self.tables[table as usize][(address >> 12) as usize % ENTRIES].checked_sub(1)?;
        Some(page as usize)
    }

    #[inline]
    pub fn has(&self, address: u32) -> bool {
        self.index(address).is_some()
    }

    #[inline]
    pub fn get(&self, address: u32) -> Option<&Page> {
        self.index(address).map(|i| &self.pages[i])
    }

    #[inline]
    pub fn get_mut(&mut self, address: u32) -> Option<&mut Page> {
        self.index(address).map(|i| &mut self.pages[i])
    }

    pub fn insert(&mut self, address: u32, page: Page) {
        let slot = &mut self.directory[(address >> 22) as usize];
        if *slot == 0 {
            self.tables.push([0; ENTRIES]);
            *slot = self.tables.len() as u32;
        }
        self.pages.push(page);
        self.tables[*slot as usize - 1][(address >> 12) as usize % ENTRIES] = self.pages.len() as u32;
    }

    /// Numbers of the pages that exist, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        let tables = self.directory.iter().enumerate().filter(|(_, &table)| table != 0);
        tables.flat_map(|(high, &table)| {
            let pages = self.tables[table as usize - 1].iter().enumerate().filter(|(_, &page)| page != 0);
            pages.map(move |(low, _)| (high * ENTRIES + low) as u32)
        })
    }

    pub fn for_each(&mut self, mut visit: impl FnMut(u32, &mut Page)) {
        for number in self.numbers().collect::<Vec<_>>() {
            if let Some(page) = self.get_mut(number * PAGE_BYTES as u32) {
                visit(number, page);
            }
        }
    }
}
