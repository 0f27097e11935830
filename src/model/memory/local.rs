//! The on-core local memory: a scratchpad that never reaches the bus (docs/ISA.md, section 6).

use super::LOCAL_MEM_BASE;

/// One core's local memory. Its contents at reset are undefined in hardware and zero here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalMemory {
    bytes: Vec<u8>,
}

impl LocalMemory {
    /// A local memory of so many bytes.
    pub fn new(bytes: usize) -> Self {
        Self { bytes: vec![0; bytes] }
    }

    /// Whether an address is in the local memory's range, however large that memory is.
    #[inline]
    pub fn owns(address: u32) -> bool {
        address >= LOCAL_MEM_BASE
    }

    /// Whether the local memory is large enough to contain `address`.
    #[inline]
    pub fn contains(&self, address: u32) -> bool {
        Self::owns(address) && ((address - LOCAL_MEM_BASE) as usize) < self.bytes.len()
    }

    /// Reads `size` bytes (1, 2 or 4, naturally aligned), zero-extended; `None` if out of range.
    #[inline]
    pub fn read(&self, address: u32, size: u32) -> Option<u32> {
        let at = address.checked_sub(LOCAL_MEM_BASE)? as usize;
        let size = size as usize;
        let mut word = [0; 4];
        word[..size].copy_from_slice(self.bytes.get(at..at + size)?);
        Some(u32::from_le_bytes(word))
    }

    /// Writes the low `size` bytes of `value`; `None` if out of range.
    #[inline]
    pub fn write(&mut self, address: u32, size: u32, value: u32) -> Option<()> {
        let at = address.checked_sub(LOCAL_MEM_BASE)? as usize;
        let size = size as usize;
        self.bytes.get_mut(at..at + size)?.copy_from_slice(&value.to_le_bytes()[..size]);
        Some(())
    }
}
