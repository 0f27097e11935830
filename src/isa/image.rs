//! A program ready to load: a flat run of bytes at an address.

use std::collections::BTreeMap;

/// Code and data at consecutive addresses, with the names of places in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Address of the first byte; execution starts there.
    pub base: u32,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Addresses of the program's named labels.
    pub symbols: BTreeMap<String, u32>,
}

const PAGE: u32 = 0x1000;
const EHDR_SIZE: u16 = 52;
const PHDR_SIZE: u16 = 32;

impl Image {
    /// Address and value of each whole word, in order.
    pub fn words(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let words = self.bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        words.enumerate().map(|(i, word)| (self.base.wrapping_add(4 * i as u32), word))
    }

    /// The image as an executable: ELF32, little-endian RISC-V, one segment, no sections.
    pub fn to_elf(&self) -> Vec<u8> {
        // A loader maps whole pages: file offset and address must agree modulo the page size.
        let offset = PAGE + self.base % PAGE;
        let size = self.bytes.len() as u32;
        let mut elf = vec![0x7f, b'E', b'L', b'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        let half = |elf: &mut Vec<u8>, value: u16| elf.extend(value.to_le_bytes());
        let word = |elf: &mut Vec<u8>, value: u32| elf.extend(value.to_le_bytes());
        half(&mut elf, 2); // e_type: ET_EXEC
        half(&mut elf, 243); // e_machine: EM_RISCV
        word(&mut elf, 1); // e_version
        word(&mut elf, self.base); // e_entry
        word(&mut elf, u32::from(EHDR_SIZE)); // e_phoff
        word(&mut elf, 0); // e_shoff
        word(&mut elf, 0); // e_flags: soft-float ABI
        for value in [EHDR_SIZE, PHDR_SIZE, 1, 0, 0, 0] {
            half(&mut elf, value); // e_ehsize e_phentsize e_phnum e_shentsize e_shnum e_shstrndx
        }
        // p_type PT_LOAD, p_offset, p_vaddr, p_paddr, p_filesz, p_memsz, p_flags RWX, p_align
        for value in [1, offset, self.base, self.base, size, size, 7, PAGE] {
            word(&mut elf, value);
        }
        elf.resize(offset as usize, 0);
        elf.extend(&self.bytes);
        elf
    }
}

#[cfg(test)]
mod tests {
    use object::{Object, ObjectSegment};

    use super::Image;

    #[test]
    fn elf_is_read_back() {
        let image = Image { base: 0x8000_0010, bytes: (0..100).collect(), ..Image::default() };
        let elf = image.to_elf();
        let file = object::File::parse(&*elf).expect("a valid ELF file");
        assert_eq!(file.architecture(), object::Architecture::Riscv32);
        assert_eq!(file.entry(), 0x8000_0010);
        let segments: Vec<_> = file.segments().collect();
        assert_eq!(segments.len(), 1);
        assert_eq!(segments[0].address(), 0x8000_0010);
        assert_eq!(segments[0].data().expect("file-backed"), &image.bytes[..]);
    }

    #[test]
    fn words_are_little_endian() {
        let image = Image { base: 8, bytes: vec![1, 2, 3, 4, 5, 6, 7, 8, 9], ..Image::default() };
        assert_eq!(image.words().collect::<Vec<_>>(), [(8, 0x0403_0201), (12, 0x0807_0605)]);
    }
}
