//! Images without structure: raw binaries, and those that Vortex's tools make of an ELF file.

use std::collections::BTreeMap;

use super::{check_range, Program, ProgramError, Result, Segment, MAX_BYTES};
use model::memory::STARTUP_ADDR;

/// Bytes in the header of a `.vxbin`: two addresses of 64 bits.
const VXBIN_HEADER: usize = 16;

impl Program {
    /// A raw binary, loaded and started at 0x80000000.
    ///
    /// # Errors
    /// [`ProgramError::Empty`], [`ProgramError::OutsideMemory`] or [`ProgramError::BadEntry`].
    pub fn from_bin(name: &str, bytes: &[u8]) -> Result<Self> {
        let segment = Segment::new(STARTUP_ADDR, bytes.to_vec());
        Self::checked(name, STARTUP_ADDR, vec![segment], BTreeMap::new())
    }

    /// Vortex's image (docs/ISA.md, section 7): its first address, the first one after it, and the contents, which is started at
    /// its first word. Memory between the contents and the end is the program's, and unwritten.
    ///
    /// # Errors
    /// See [`ProgramError`].
    pub fn from_vxbin(name: &str, bytes: &[u8]) -> Result<Self> {
        let damaged = |reason: String| ProgramError::Damaged { name: name.to_owned(), reason };
        let Some((header, image)) = bytes.split_at_checked(VXBIN_HEADER) else {
            return Err(damaged(format!("{} bytes are no header of a .vxbin file", bytes.len())));
        };
        let word =
            |at: usize| header[at..at + 8].iter().rev().fold(0u64, |word, &b| word << 8 | u64::from(b));
        let (start, end) = (word(0), word(8));
        if image.is_empty() {
            return Err(ProgramError::Empty(name.to_owned()));
        }
        let Some(size) = end.checked_sub(start) else {
            return Err(damaged(format!("its end {end:#010x} is below its start {start:#010x}")));
        };
        if image.len() as u64 > size {
            let length = image.len();
            return Err(damaged(format!(
                "{length} bytes do not fit into {start:#010x}..{end:#010x}, the addresses in its header"
            )));
        }
        check_range(name, start, end)?;
        if size > MAX_BYTES {
            return Err(ProgramError::TooLarge { name: name.to_owned(), bytes: size });
        }
        // The range has been checked: both fit.
        let (address, reserved) = (start as u32, size as u32 - image.len() as u32);
        let segment = Segment { address, bytes: image.to_vec(), reserved };
        Self::checked(name, address, vec![segment], BTreeMap::new())
    }

    /// The program as Vortex's image. What its file leaves to be zero is in it as zeros.
    ///
    /// # Errors
    /// [`ProgramError::NoImage`] if it does not start at its first word.
    pub fn to_vxbin(&self) -> Result<Vec<u8>> {
        let start = self.segments.iter().map(|segment| segment.address).min().unwrap_or_default();
        if start != self.entry {
            return Err(ProgramError::NoImage { name: self.name.clone(), start, entry: self.entry });
        }
        let end = self.segments.iter().map(|segment| segment.range().1).max().unwrap_or_default();
        let mut image = vec![];
        for segment in &self.segments {
            let at = (segment.address - start) as usize;
            image.resize(image.len().max(at + segment.bytes.len()), 0);
            image[at..at + segment.bytes.len()].copy_from_slice(&segment.bytes);
        }
        let header = [u64::from(start), end].into_iter().flat_map(u64::to_le_bytes);
        Ok(header.chain(image).collect())
    }
}
