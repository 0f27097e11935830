//! Stores to code: which words an instruction cache may hold in an older version.
//!
//! RISC-V asks for FENCE.I between a store to an instruction and its execution (Zifencei). A program that forgets it
//! runs the old or the new instruction as the cache pleases, so the machine reports it instead.

use std::collections::HashMap;

use super::fault::Origin;

const PAGE_BITS: u32 = 12;
/// How far an instruction cache reads ahead of what is executed: the rest of the line, and the instruction queue.
const READ_AHEAD: u32 = 64;

/// The words that were stored since the last FENCE.I on pages with code.
#[derive(Clone, Debug)]
pub struct StoredCode {
    /// A bit for each page from which instructions have been fetched.
    code_pages: Vec<u64>,
    stored: HashMap<u32, Origin>,
}

impl StoredCode {
    /// Nothing has been fetched or stored.
    pub fn new() -> Self {
        Self { code_pages: vec![0; 1 << (32 - PAGE_BITS - 6)], stored: HashMap::new() }
    }

    /// An instruction is fetched from `pc`.
    pub fn fetched(&mut self, pc: u32) {
        for address in [pc, pc.wrapping_add(READ_AHEAD)] {
            let (word, bit) = place(address);
            self.code_pages[word] |= 1 << bit;
        }
    }

    /// The instruction `by` stores to `address`. Whether there may be code.
    #[inline]
    pub fn store(&mut self, address: u32, by: Origin) -> bool {
        let (word, bit) = place(address);
        let is_code = self.code_pages[word] >> bit & 1 != 0;
        if is_code {
            self.stored.insert(address & !3, by);
        }
        is_code
    }

    /// Who has stored to the word at `pc` since the last FENCE.I.
    pub fn stored_by(&self, pc: u32) -> Option<Origin> {
        self.stored.get(&pc).copied()
    }

    /// Whether no word is.
    pub fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// FENCE.I: what is fetched from now on is what memory holds.
    pub fn clear(&mut self) {
        self.stored.clear();
    }
}

impl Default for StoredCode {
    fn default() -> Self {
        Self::new()
    }
}

/// Word and bit of an address's page.
fn place(address: u32) -> (usize, u32) {
    let page = address >> PAGE_BITS;
    ((page >> 6) as usize, page & 63)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stores_near_code_are_kept_and_only_until_the_fence() {
        let by = Origin { wid: 1, pc: 0x8000_0000 };
        let mut code = StoredCode::new();
        assert!(!code.store(0x8000_0010, by));
        code.fetched(0x8000_0fc0);
        assert!(code.store(0x8000_0012, by), "the same page");
        assert!(code.store(0x8000_1000, by), "read ahead");
        assert!(!code.store(0x8000_2000, by));
        assert_eq!(code.stored_by(0x8000_0010), Some(by));
        assert_eq!(code.stored_by(0x8000_0014), None);
        code.clear();
        assert_eq!(code.stored_by(0x8000_0010), None);
    }
}
