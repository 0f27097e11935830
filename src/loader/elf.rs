//! ELF executables.

use std::collections::BTreeMap;

use object::elf::{self, FileHeader32};
use object::read::elf::{FileHeader, ProgramHeader, Sym};
use object::{FileKind, LittleEndian};

use super::{check_range, Program, ProgramError, Result, Segment, MAX_BYTES};

/// Whether the file says that it is ELF.
pub(super) fn is_elf(bytes: &[u8]) -> bool {
    bytes.starts_with(&elf::ELFMAG)
}

impl Program {
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
            let (size, in_file) = (header.p_memsz(endian), header.p_filesz(endian));
            let address = header.p_vaddr(endian);
            if header.p_type(endian) != elf::PT_LOAD {
                continue;
            }
            if in_file > size {
                return Err(ProgramError::Damaged {
                    name: name.to_owned(),
                    reason: format!(
                        "the segment at {address:#010x} has {in_file} bytes in the file (p_filesz), and only {size} in \
                         memory (p_memsz)"
                    ),
                });
            }
            if size == 0 {
                continue;
            }
            let end = u64::from(address) + u64::from(size);
            check_range(name, address.into(), end)?;
            if u64::from(size) > MAX_BYTES {
                return Err(ProgramError::TooLarge { name: name.to_owned(), bytes: size.into() });
            }
            let data = header.data(endian, bytes).map_err(|()| ProgramError::Damaged {
                name: name.to_owned(),
                reason: format!("the segment at {address:#010x} is not in the file"),
            })?;
            let mut contents = data.to_vec();
            contents.resize(size as usize, 0);
            segments.push(Segment::new(address, contents));
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
}
