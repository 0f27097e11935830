use super::*;
use model::memory::{STARTUP_ADDR, UNWRITTEN};

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
fn segments_that_contradict_themselves_or_others_are_refused() {
    let patched = |elf: &[u8], at: usize, value: u32| {
        let mut elf = elf.to_vec();
        elf[at..at + 4].copy_from_slice(&value.to_le_bytes());
        elf
    };
    let (filesz, memsz) = (52 + 16, 52 + 20);
    let elf = image().to_elf();
    for (bytes, memory) in [(8, 4), (8, 0)] {
        let said = message(&patched(&elf, memsz, memory));
        assert!(
            said.contains(&format!("has {bytes} bytes in the file (p_filesz), and only {memory}")),
            "{said}"
        );
    }
    // A second header, of the same bytes at another address.
    let mut two = elf.clone();
    two[44] = 2; // e_phnum
    two.copy_within(52..84, 84);
    let at = |address: u32| patched(&two, 84 + 8, address);
    for overlapping in [STARTUP_ADDR, STARTUP_ADDR + 4, STARTUP_ADDR - 4] {
        let said = message(&at(overlapping));
        assert!(said.contains("overlap") && said.contains("0x80000000..0x80000008"), "{said}");
    }
    for beside in [STARTUP_ADDR + 8, STARTUP_ADDR - 8] {
        assert_eq!(Program::from_elf("p", &at(beside)).unwrap().segments.len(), 2);
    }
    // What holds nothing disturbs nobody.
    let empty = patched(&patched(&two, 84 + 16, 0), 84 + 20, 0);
    assert_eq!(Program::from_elf("p", &empty).unwrap().segments.len(), 1);
    assert!(message(&patched(&elf, filesz, 0x1000_0000)).contains("p_filesz"));
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
    assert_eq!(
        write("c.vxbin", &vxbin(0x9000_0000, 0x9000_0008, &image().bytes)).unwrap().entry,
        0x9000_0000
    );
    assert!(matches!(write("c.elf", b"text"), Err(ProgramError::NotElf(_))));
    assert!(matches!(write("d.bin", b""), Err(ProgramError::Empty(_))));
    let missing = Program::from_path(Path::new("/nonexistent/x.elf")).unwrap_err().to_string();
    assert!(missing.contains("/nonexistent/x.elf"), "{missing}");
}

fn vxbin(start: u64, end: u64, contents: &[u8]) -> Vec<u8> {
    [&start.to_le_bytes()[..], &end.to_le_bytes(), contents].concat()
}

#[test]
fn an_image_of_vortex_lies_and_starts_where_its_header_says() {
    let contents = [0x13, 0, 0, 0, 0x73, 0, 0, 0];
    let program = Program::from_vxbin("p", &vxbin(0x9000_0040, 0x9000_1000, &contents)).unwrap();
    assert_eq!(program.entry, 0x9000_0040);
    let mut memory = Memory::new();
    program.load(&mut memory);
    assert_eq!(memory.read(0x9000_0044, 4), Ok(0x73));
    assert_eq!(memory.read(0x9000_0048, 4), Ok(UNWRITTEN), "its .bss is cleared by its own start-up code");
    assert_eq!(memory.read(0x9000_0ffc, 4), Ok(UNWRITTEN));
    assert_eq!(memory.read(0x9000_1000, 4), Ok(UNWRITTEN), "thread-local storage lies behind it");
    assert!(memory.read(0x9200_0000, 4).is_err());
}

#[test]
fn damaged_images_of_vortex_are_refused_with_the_reason() {
    let code = [0x13, 0, 0, 0];
    let message = |bytes: &[u8]| Program::from_vxbin("p", bytes).unwrap_err().to_string();
    let from = |start, end| message(&vxbin(start, end, &code));
    for length in 0..16 {
        let header = &vxbin(0x8000_0000, 0x8000_1000, &[])[..length];
        assert!(message(header).contains("no header of a .vxbin"), "{length}");
    }
    assert!(message(&vxbin(0x8000_0000, 0x8000_1000, &[])).contains("no loadable segment"));
    for (start, end, reason) in [
        (0x8000_1000, 0x8000_0000, "is below its start"),
        (u64::MAX, 0, "is below its start"),
        (0x8000_0000, 0x8000_0000, "do not fit into"),
        (0x8000_0000, 0x8000_0003, "do not fit into"),
        (0, u64::MAX, "is outside memory"),
        (u64::MAX - 4, u64::MAX, "is outside memory"),
        (1 << 32, (1 << 32) + 64, "is outside memory"),
        (0x40, 0x80, "is outside memory"),
        (0xfffe_fff0, 0xffff_0010, "is outside memory"),
        (0xffff_0000, 0xffff_4000, "is outside memory"),
        (0x8000_0000, 0xf000_0000, "a program has at most"),
        (0x8000_0002, 0x8000_1000, "entry point 0x80000002"),
    ] {
        assert!(from(start, end).contains(reason), "{start:#x} {end:#x}: {}", from(start, end));
    }
    let half = message(&vxbin(0x8000_0000, 0x8000_1000, &code[..3]));
    assert!(half.contains("entry point 0x80000000"), "{half}");
}

#[test]
fn what_cannot_be_a_program_is_not_even_read() {
    let dir = tempfile::tempdir().unwrap();
    let huge = dir.path().join("huge.bin");
    std::fs::File::create(&huge).unwrap().set_len(1 << 40).unwrap();
    assert!(
        matches!(Program::from_path(&huge), Err(ProgramError::TooLarge { bytes, .. }) if bytes == 1 << 40)
    );
    assert!(matches!(Program::from_path(dir.path()), Err(ProgramError::NotFile(_))));
    assert!(matches!(Program::from_path(Path::new("/dev/zero")), Err(ProgramError::NotFile(_))));
    let mut elf = image().to_elf();
    elf[52 + 20..52 + 24].copy_from_slice(&0x7000_0000u32.to_le_bytes()); // p_memsz
    assert!(message(&elf).contains("a program has at most"), "{}", message(&elf));
    assert!(matches!(Program::from_bin("p", &[0x13, 0]), Err(ProgramError::BadEntry { .. })));
}
