//! Programs to run: ELF executables, raw binaries, and images assembled in memory.

use std::collections::BTreeMap;
use std::path::Path;

use object::elf::{self, FileHeader32};
use object::read::elf::{FileHeader, ProgramHeader, Sym};
use object::{FileKind, LittleEndian};

use crate::isa::Image;
use crate::model::memory::{Memory, HEAP_BASE, LOCAL_MEM_BASE, STARTUP_ADDR};

/// A program and where it goes in memory (VORTEX_ABI 3.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Name in reports: the file's name without directory and extension.
    pub name: String,
    /// Address of the first instruction.
    pub entry: u32,
    /// What to load.
    pub segments: Vec<Segment>,
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
}

/// Why a file cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// It is neither an ELF executable nor named `.bin`.
    #[error("{0}: not an ELF file (raw binaries must be named .bin)")]
    NotElf(String),
    /// It is ELF, but not for this core.
    #[error("{name}: {found}; a 32-bit little-endian RISC-V executable is needed")]
    WrongElf {
        /// The program.
        name: String,
        /// What it is.
        found: String,
    },
    /// Its headers point outside the file.
    #[error("{name}: damaged or truncated ELF file: {reason}")]
    Damaged {
        /// The program.
        name: String,
        /// The parser's reason.
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
    /// Reads an ELF executable, or a raw binary if the name ends in `.bin`.
    ///
    /// # Errors
    /// See [`ProgramError`].
    pub fn from_path(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|source| ProgramError::Io { path: shown.clone(), source })?;
        let name = path.file_stem().map_or_else(|| shown.clone(), |s| s.to_string_lossy().into_owned());
        if bytes.starts_with(&elf::ELFMAG) {
            Self::from_elf(&name, &bytes)
        } else if path.extension().is_some_and(|e| e == "bin") {
            Self::from_bin(&name, &bytes)
        } else {
            Err(ProgramError::NotElf(shown))
        }
    }

    /// A raw binary, loaded and started at 0x80000000.
    ///
    /// # Errors
    /// [`ProgramError::Empty`] or [`ProgramError::OutsideMemory`].
    pub fn from_bin(name: &str, bytes: &[u8]) -> Result<Self> {
        let segment = Segment { address: STARTUP_ADDR, bytes: bytes.to_vec() };
        Self::checked(name, STARTUP_ADDR, vec![segment], BTreeMap::new())
    }

    /// An image that the assembler or the random-program generator made.
    ///
    /// # Errors
    /// [`ProgramError::Empty`] or [`ProgramError::OutsideMemory`].
    pub fn from_image(name: &str, image: &Image) -> Result<Self> {
        let segment = Segment { address: image.base, bytes: image.bytes.clone() };
        Self::checked(name, image.base, vec![segment], image.symbols.clone())
    }

    /// An ELF executable; `.bss` and its like become zeros, as the ELF specification asks.
    ///
    /// # Errors
    /// See [`ProgramError`].
    pub fn from_elf(name: &str, bytes: &[u8]) -> Result<Self> {
        let wrong = |found: &str| ProgramError::WrongElf { name: name.to_owned(), found: found.to_owned() };
        let damaged =
            |e: object::read::Error| ProgramError::Damaged { name: name.to_owned(), reason: e.to_string() };
        match FileKind::parse(bytes) {
            Ok(FileKind::Elf32) => {}
            Ok(FileKind::Elf64) => return Err(wrong("a 64-bit ELF file")),
            _ if bytes.starts_with(&elf::ELFMAG) => {
                return Err(ProgramError::Damaged {
                    name: name.to_owned(),
                    reason: "no ELF header".to_owned(),
                })
            }
            _ => return Err(ProgramError::NotElf(name.to_owned())),
        }
        if bytes.get(5) == Some(&elf::ELFDATA2MSB.0) {
            return Err(wrong("a big-endian ELF file"));
        }
        let endian = LittleEndian;
        let header = FileHeader32::<LittleEndian>::parse(bytes).map_err(damaged)?;
        if header.e_machine(endian) != elf::EM_RISCV {
            let number = header.e_machine(endian).0;
            return Err(wrong(&format!("an ELF file for another machine (e_machine {number})")));
        }
        if header.e_type(endian) != elf::ET_EXEC {
            return Err(wrong("an object file or a position-independent ELF file"));
        }
        if header.e_flags(endian).0 & elf::EF_RISCV_RVC.0 != 0 {
            return Err(wrong("a RISC-V ELF file with compressed instructions, which the core lacks"));
        }

        let mut segments = Vec::new();
        for header in header.program_headers(endian, bytes).map_err(damaged)? {
            let size = header.p_memsz(endian);
            if header.p_type(endian) != elf::PT_LOAD || size == 0 {
                continue;
            }
            let address = header.p_vaddr(endian);
            let end = u64::from(address) + u64::from(size);
            check_range(name, address, end)?;
            let data = header.data(endian, bytes).map_err(|()| ProgramError::Damaged {
                name: name.to_owned(),
                reason: format!("the segment at {address:#010x} is not in the file"),
            })?;
            let mut contents = data.to_vec();
            contents.resize(size as usize, 0);
            segments.push(Segment { address, bytes: contents });
        }

        let mut symbols = BTreeMap::new();
        let sections = header.sections(endian, bytes).map_err(damaged)?;
        let table = sections.symbols(endian, bytes, elf::SHT_SYMTAB).map_err(damaged)?;
        for symbol in table.iter() {
            let name = table.symbol_name(endian, symbol).map_err(damaged)?;
            if !name.is_empty() {
                symbols.insert(String::from_utf8_lossy(name).into_owned(), symbol.st_value(endian));
            }
        }
        Self::checked(name, header.e_entry(endian), segments, symbols)
    }

    /// Writes the program into `memory`, mapping what it needs.
    pub fn load(&self, memory: &mut Memory) {
        for segment in &self.segments {
            memory.load(segment.address, &segment.bytes);
        }
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
        for segment in &segments {
            check_range(name, segment.address, u64::from(segment.address) + segment.bytes.len() as u64)?;
        }
        let holds_entry = |s: &Segment| {
            let offset = u64::from(entry.wrapping_sub(s.address));
            offset + 4 <= s.bytes.len() as u64
        };
        if !entry.is_multiple_of(4) || !segments.iter().any(holds_entry) {
            return Err(ProgramError::BadEntry { name: name.to_owned(), entry });
        }
        Ok(Self { name: name.to_owned(), entry, segments, symbols })
    }
}

/// Programs lie above the I/O region and below the local memory.
fn check_range(name: &str, start: u32, end: u64) -> Result<()> {
    if start >= HEAP_BASE && end <= u64::from(LOCAL_MEM_BASE) {
        return Ok(());
    }
    Err(ProgramError::OutsideMemory { name: name.to_owned(), start: u64::from(start), end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> Image {
        Image { base: STARTUP_ADDR, bytes: vec![0x13, 0, 0, 0, 0x73, 0, 0, 0], ..Image::default() }
    }

    fn message(bytes: &[u8]) -> String {
        Program::from_elf("p", bytes).unwrap_err().to_string()
    }

    #[test]
    fn an_image_and_its_elf_file_are_the_same_program() {
        let from_elf = Program::from_elf("p", &image().to_elf()).unwrap();
        assert_eq!(from_elf, Program::from_image("p", &image()).unwrap());
        assert_eq!(from_elf, Program::from_bin("p", &image().bytes).unwrap());
        let mut memory = Memory::new();
        from_elf.load(&mut memory);
        assert_eq!(memory.read(STARTUP_ADDR + 4, 4), Ok(0x73));
    }

    #[test]
    fn memory_beyond_the_file_is_zero() {
        let mut elf = image().to_elf();
        elf[52 + 20..52 + 24].copy_from_slice(&100u32.to_le_bytes()); // p_memsz
        let program = Program::from_elf("p", &elf).unwrap();
        assert_eq!(program.segments[0].bytes.len(), 100);
        assert!(program.segments[0].bytes[8..].iter().all(|&b| b == 0));
    }

    #[test]
    fn wrong_files_are_named_for_what_they_are() {
        let patched = |at: usize, byte: u8| {
            let mut elf = image().to_elf();
            elf[at] = byte;
            message(&elf)
        };
        assert!(message(b"#!/bin/sh\n echo no elf here at all").contains("not an ELF file"));
        assert!(patched(4, 2).contains("64-bit"), "{}", patched(4, 2));
        assert!(patched(5, 2).contains("big-endian"), "{}", patched(5, 2));
        assert!(patched(18, 40).contains("e_machine 40"), "{}", patched(18, 40));
        assert!(patched(16, 1).contains("object file"), "{}", patched(16, 1));
        assert!(patched(36, 1).contains("compressed"), "{}", patched(36, 1));
        assert!(patched(52, 4).contains("no loadable segment"), "{}", patched(52, 4));
        assert!(patched(24, 2).contains("entry point 0x80000002"), "{}", patched(24, 2));
    }

    #[test]
    fn every_truncation_is_an_error() {
        let elf = image().to_elf();
        for length in (0..elf.len()).filter(|n| n % 97 == 0 || *n < 100) {
            assert!(Program::from_elf("p", &elf[..length]).is_err(), "{length} bytes");
        }
        assert!(message(&elf[..200]).contains("truncated"), "{}", message(&elf[..200]));
    }

    #[test]
    fn segments_outside_memory_are_refused() {
        for base in [0, 0x40, HEAP_BASE - 4, LOCAL_MEM_BASE - 4, 0xffff_0000, 0xffff_fffc] {
            let error = Program::from_image("p", &Image { base, ..image() }).unwrap_err().to_string();
            assert!(error.contains("is outside memory"), "{error}");
            assert!(message(&Image { base, ..image() }.to_elf()).contains("is outside memory"));
        }
    }

    #[test]
    fn files_are_told_apart_by_contents_and_name() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = dir.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            Program::from_path(&path)
        };
        assert_eq!(write("a.elf", &image().to_elf()).unwrap().name, "a");
        assert_eq!(write("b.bin", &image().bytes).unwrap().entry, STARTUP_ADDR);
        assert!(matches!(write("c.elf", b"text"), Err(ProgramError::NotElf(_))));
        assert!(matches!(write("d.bin", b""), Err(ProgramError::Empty(_))));
        let missing = Program::from_path(Path::new("/nonexistent/x.elf")).unwrap_err().to_string();
        assert!(missing.contains("/nonexistent/x.elf"), "{missing}");
    }
}
