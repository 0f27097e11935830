//! Reads programs: ELF executables, raw binaries, Vortex's `.vxbin` images, and images assembled in memory.
#![warn(missing_docs)]

mod elf;
mod executable;
mod raw;

pub use executable::{Executable, Symbol};

use std::collections::BTreeMap;
use std::path::Path;

use files::read_at_most;
use isa::Image;
use model::memory::{Memory, HEAP_BASE, LOCAL_MEM_BASE, STACK_BYTES};

/// Largest file that is read as a program, and the most that its segments may occupy together. Memory has room for
/// more; a file that asks for more is damaged, or no program.
pub const MAX_BYTES: u64 = 1 << 28;

/// Bytes of memory behind a program's last segment that it may use.
const ROOM_BEHIND: u64 = 16 << 20;

/// The symbol whose value is how many bytes of stack each thread has, in a program whose functions need more than is usual.
pub const STACK_SYMBOL: &str = "__simt_stack_bytes";

/// A program and where it goes in memory (docs/ISA.md, section 6).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Name in reports: the file's name without directory and extension.
    pub name: String,
    /// Address of the first instruction.
    pub entry: u32,
    /// What to load.
    pub segments: Vec<Segment>,
    /// Data that is loaded beside it, for this run.
    pub contents: Vec<Segment>,
    /// Named addresses, for checks of results.
    pub symbols: BTreeMap<String, u32>,
}

/// A run of memory that the program occupies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Address of its first byte.
    pub address: u32,
    /// Contents, zeros included.
    pub bytes: Vec<u8>,
    /// Bytes after the contents that belong to the segment and are left as they are.
    pub reserved: u32,
}

impl Segment {
    fn new(address: u32, bytes: Vec<u8>) -> Self {
        Self { address, bytes, reserved: 0 }
    }

    fn size(&self) -> u64 {
        self.bytes.len() as u64 + u64::from(self.reserved)
    }

    /// Its first address, and the first one after it.
    fn range(&self) -> (u64, u64) {
        (self.address.into(), u64::from(self.address) + self.size())
    }
}

/// Why a file cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be read.
    #[error("cannot read {path}")]
    Io {
        /// The file.
        path: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// It is neither an ELF executable nor named `.bin` or `.vxbin`.
    #[error("{0}: not an ELF file (raw binaries must be named .bin, Vortex's images .vxbin)")]
    NotElf(String),
    /// A directory, a device.
    #[error("{0}: not a file")]
    NotFile(String),
    /// It cannot be a program.
    #[error("{name}: {bytes} bytes; a program has at most {MAX_BYTES}")]
    TooLarge {
        /// The program.
        name: String,
        /// The size of the file, or of what it asks for.
        bytes: u64,
    },
    /// It is ELF, but not for this core.
    #[error("{name}: {found}; a 32-bit little-endian RISC-V executable is needed")]
    WrongElf {
        /// The program.
        name: String,
        /// What it is.
        found: String,
    },
    /// Its headers contradict the file or themselves.
    #[error("{name}: damaged or truncated file: {reason}")]
    Damaged {
        /// The program.
        name: String,
        /// What is wrong.
        reason: String,
    },
    /// There is nothing in it to run.
    #[error("{0}: no loadable segment")]
    Empty(String),
    /// Part of it lies where no program may be.
    #[error(
        "{name}: segment {start:#010x}..{end:#010x} is outside memory \
         ({HEAP_BASE:#010x}..{LOCAL_MEM_BASE:#010x})"
    )]
    OutsideMemory {
        /// The program.
        name: String,
        /// First address.
        start: u64,
        /// First address after it.
        end: u64,
    },
    /// Data would be loaded where something is already.
    #[error("{start:#010x}..{end:#010x} is loaded already, for {name} or by another file")]
    Overlap {
        /// The program.
        name: String,
        /// First address of what is there.
        start: u64,
        /// First address after it.
        end: u64,
    },
    /// It cannot be Vortex's image.
    #[error(
        "{name}: a .vxbin is started at its first word {start:#010x}, and the program starts at {entry:#010x}: put its start-up \
         code first, as Vortex's linker's script does with .init"
    )]
    NoImage {
        /// The program.
        name: String,
        /// Its first address.
        start: u32,
        /// Where it starts.
        entry: u32,
    },
    /// Execution would begin where nothing is loaded.
    #[error("{name}: entry point {entry:#010x} is not a word of any segment")]
    BadEntry {
        /// The program.
        name: String,
        /// The entry point.
        entry: u32,
    },
}

type Result<T> = std::result::Result<T, ProgramError>;

impl Program {
    /// Reads an ELF executable, a raw binary if the name ends in `.bin`, or Vortex's image if it ends in `.vxbin`.
    ///
    /// # Errors
    /// See [`ProgramError`].
    pub fn from_path(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let failed = |source| ProgramError::Io { path: shown.clone(), source };
        let metadata = std::fs::metadata(path).map_err(failed)?;
        if !metadata.is_file() {
            return Err(ProgramError::NotFile(shown));
        }
        if metadata.len() > MAX_BYTES {
            return Err(ProgramError::TooLarge { name: shown, bytes: metadata.len() });
        }
        // It may have grown.
        let bytes = read_at_most(path, MAX_BYTES).map_err(failed)?;
        let name = path.file_stem().map_or_else(|| shown.clone(), |s| s.to_string_lossy().into_owned());
        match path.extension().and_then(|e| e.to_str()) {
            _ if elf::is_elf(&bytes) => Self::from_elf(&name, &bytes),
            Some("bin") => Self::from_bin(&name, &bytes),
            Some("vxbin") => Self::from_vxbin(&name, &bytes),
            _ => Err(ProgramError::NotElf(shown)),
        }
    }

    /// An image that the assembler or the random-program generator made.
    ///
    /// # Errors
    /// [`ProgramError::Empty`] or [`ProgramError::OutsideMemory`].
    pub fn from_image(name: &str, image: &Image) -> Result<Self> {
        let segment = Segment::new(image.base, image.bytes.clone());
        Self::checked(name, image.base, vec![segment], image.symbols.clone())
    }

    /// Has `bytes` loaded at `address` beside the program. The memory behind its last segment stays where it is.
    ///
    /// # Errors
    /// [`ProgramError::OutsideMemory`], or [`ProgramError::Overlap`] with what is loaded already.
    pub fn add_contents(&mut self, address: u32, bytes: Vec<u8>) -> Result<()> {
        let added = Segment::new(address, bytes);
        let (start, end) = added.range();
        check_range(&self.name, start, end)?;
        let meets = |segment: &&Segment| segment.range().0 < end && start < segment.range().1;
        if let Some(other) = self.segments.iter().chain(&self.contents).find(meets) {
            let (start, end) = other.range();
            return Err(ProgramError::Overlap { name: self.name.clone(), start, end });
        }
        self.contents.push(added);
        Ok(())
    }

    /// Writes the program into `memory`, mapping what it needs: besides its segments the memory behind the last of
    /// them, where programs keep what their file does not show (the zeroed variables of a raw binary, thread-local
    /// storage of the start-up code of docs/ISA.md, section 11), and stacks that are larger than usual.
    pub fn load(&self, memory: &mut Memory) {
        if let Some(bytes) = self.larger_stacks() {
            memory.map_stacks(bytes);
        }
        let last = self.segments.iter().map(|segment| segment.range().1).max().unwrap_or(0);
        let room = u64::from(LOCAL_MEM_BASE).saturating_sub(last).min(ROOM_BEHIND);
        memory.map(last as u32, room as u32);
        for segment in self.segments.iter().chain(&self.contents) {
            memory.load(segment.address, &segment.bytes);
            memory.map(segment.address, segment.size() as u32);
        }
    }

    /// Bytes of stack of each thread, where they are more than is usual.
    pub fn larger_stacks(&self) -> Option<u32> {
        self.symbols.get(STACK_SYMBOL).copied().filter(|&bytes| bytes > STACK_BYTES)
    }

    fn checked(
        name: &str,
        entry: u32,
        segments: Vec<Segment>,
        symbols: BTreeMap<String, u32>,
    ) -> Result<Self> {
        if segments.iter().all(|s| s.bytes.is_empty()) {
            return Err(ProgramError::Empty(name.to_owned()));
        }
        for (start, end) in segments.iter().map(Segment::range) {
            check_range(name, start, end)?;
        }
        let total = segments.iter().map(Segment::size).sum();
        if total > MAX_BYTES {
            return Err(ProgramError::TooLarge { name: name.to_owned(), bytes: total });
        }
        let mut ranges: Vec<_> = segments.iter().map(Segment::range).collect();
        ranges.sort_unstable();
        if let Some(pair) = ranges.windows(2).find(|pair| pair[0].1 > pair[1].0) {
            let [first, second] =
                [pair[0], pair[1]].map(|(start, end)| format!("{start:#010x}..{end:#010x}"));
            return Err(ProgramError::Damaged {
                name: name.to_owned(),
                reason: format!("the segments {first} and {second} overlap"),
            });
        }
        let holds_entry = |s: &Segment| {
            let offset = u64::from(entry.wrapping_sub(s.address));
            offset + 4 <= s.bytes.len() as u64
        };
        if !entry.is_multiple_of(4) || !segments.iter().any(holds_entry) {
            return Err(ProgramError::BadEntry { name: name.to_owned(), entry });
        }
        Ok(Self { name: name.to_owned(), entry, segments, contents: vec![], symbols })
    }
}

/// Programs lie above the I/O region and below the local memory.
fn check_range(name: &str, start: u64, end: u64) -> Result<()> {
    if start >= u64::from(HEAP_BASE) && start <= end && end <= u64::from(LOCAL_MEM_BASE) {
        return Ok(());
    }
    Err(ProgramError::OutsideMemory { name: name.to_owned(), start, end })
}

#[cfg(test)]
mod tests;
