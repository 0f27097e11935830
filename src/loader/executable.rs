//! ELF executables whose code is changed after they are linked.

use object::elf::{self, FileHeader32};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};
use object::LittleEndian;

use super::{Program, ProgramError, Result};

/// A symbol of an executable.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub address: u32,
    /// Bytes of what it names; 0 if nobody has said that.
    pub size: u32,
    /// Where the file has its address.
    offset: usize,
}

/// An executable that can be run, as the bytes of its file.
#[derive(Debug)]
pub struct Executable {
    bytes: Vec<u8>,
    /// Address, bytes and place in the file of what is loaded.
    loaded: Vec<(u32, usize, usize)>,
    /// Places in the file where there is code, and its bytes.
    code: Vec<(usize, usize)>,
    symbols: Vec<Symbol>,
}

/// Where an ELF file of 32 bits has its entry, and a symbol its address.
const ENTRY: usize = 24;
const SYMBOL_VALUE: usize = 4;
const SYMBOL_BYTES: usize = 16;

impl Executable {
    /// Of the contents of a file.
    ///
    /// # Errors
    /// See [`Program::from_elf`].
    pub fn new(name: &str, bytes: Vec<u8>) -> Result<Self> {
        Program::from_elf(name, &bytes)?;
        let damaged =
            |e: object::read::Error| ProgramError::Damaged { name: name.to_owned(), reason: e.to_string() };
        let (endian, all) = (LittleEndian, &*bytes);
        let header = FileHeader32::<LittleEndian>::parse(all).map_err(damaged)?;
        let loaded = header.program_headers(endian, all).map_err(damaged)?.iter();
        let loaded = loaded
            .filter(|part| part.p_type(endian) == elf::PT_LOAD)
            .map(|part| {
                (part.p_vaddr(endian), part.p_filesz(endian) as usize, part.p_offset(endian) as usize)
            })
            .collect();
        let sections = header.sections(endian, all).map_err(damaged)?;
        let code = sections
            .iter()
            .filter(|section| section.sh_flags(endian).0 & elf::SHF_EXECINSTR.0 != 0)
            .filter_map(|section| section.file_range(endian))
            .map(|(offset, size)| (offset as usize, size as usize))
            .collect();
        let table = sections.symbols(endian, all, elf::SHT_SYMTAB).map_err(damaged)?;
        let start = sections.section(table.section()).map_or(0, |section| section.sh_offset(endian) as usize);
        let mut symbols = vec![];
        for (index, symbol) in table.iter().enumerate() {
            let name = table.symbol_name(endian, symbol).map_err(damaged)?;
            symbols.push(Symbol {
                name: String::from_utf8_lossy(name).into_owned(),
                address: symbol.st_value(endian),
                size: symbol.st_size(endian),
                offset: start + SYMBOL_BYTES * index + SYMBOL_VALUE,
            });
        }
        Ok(Self { bytes, loaded, code, symbols })
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All symbols.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// The symbols that name code, and say how much of it.
    pub fn functions(&self) -> impl Iterator<Item = &Symbol> {
        let is_code = |symbol: &&Symbol| {
            let place = self.place(symbol.address, symbol.size as usize);
            let (begin, size) = place.unwrap_or((0, 0));
            size > 0 && self.code.iter().any(|&(at, bytes)| (at..at + bytes).contains(&begin))
        };
        self.symbols.iter().filter(is_code)
    }

    /// All words of all sections with code.
    pub fn code(&self) -> impl Iterator<Item = u32> + '_ {
        let parts = self.code.iter().filter_map(|&(offset, size)| self.bytes.get(offset..offset + size));
        parts.flat_map(words)
    }

    /// The words from one address to another, if the file has them.
    pub fn words(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let (offset, size) = self.place(from, to.checked_sub(from)? as usize)?;
        Some(words(&self.bytes[offset..offset + size]).collect())
    }

    /// Overwrites words that [`Executable::words`] has given; nothing of what is not there.
    pub fn write(&mut self, from: u32, words: &[u32]) {
        if let Some((offset, size)) = self.place(from, 4 * words.len()) {
            let bytes = words.iter().flat_map(|word| word.to_le_bytes());
            self.bytes.splice(offset..offset + size, bytes);
        }
    }

    /// Moves all symbols of an address, and the file's entry if it is there.
    pub fn move_symbols(&mut self, from: u32, to: u32) {
        let moved = self.symbols.iter_mut().filter(|symbol| symbol.address == from);
        let mut places: Vec<usize> = moved
            .map(|symbol| {
                symbol.address = to;
                symbol.offset
            })
            .collect();
        if self.bytes[ENTRY..ENTRY + 4] == from.to_le_bytes() {
            places.push(ENTRY);
        }
        for place in places {
            self.bytes[place..place + 4].copy_from_slice(&to.to_le_bytes());
        }
    }

    /// The place of bytes in the file.
    fn place(&self, address: u32, size: usize) -> Option<(usize, usize)> {
        self.loaded.iter().find_map(|&(start, in_file, offset)| {
            let begin = address.checked_sub(start)? as usize;
            let end = begin
                .checked_add(size)
                .filter(|&end| end <= in_file && begin.is_multiple_of(4) && size.is_multiple_of(4))?;
            (offset + end <= self.bytes.len()).then_some((offset + begin, size))
        })
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}
