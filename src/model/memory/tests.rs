use super::*;

#[test]
fn unmapped_is_reported_and_unwritten_shows() {
    let mut memory = Memory::new();
    memory.map(0x2010, 4); // rounds out to 0x2000..0x2040
    assert_eq!(memory.read(0x2000, 4), Ok(UNWRITTEN));
    assert_eq!(memory.read(0x203e, 2), Ok(0xbaad));
    assert_eq!(memory.read(0x2040, 4), Err(Unmapped(0x2040)));
    assert_eq!(memory.write(0x1ffc, 4, 0), Err(Unmapped(0x1ffc)));
    assert_eq!(memory.write(0x2004, 1, 0x77), Ok(()));
    assert_eq!(memory.read(0x2004, 4), Ok(0xbaad_f077));
    // The page exists now; its unmapped lines must still be refused, and accepted once mapped.
    assert_eq!(memory.read(0x2040, 1), Err(Unmapped(0x2040)));
    assert_eq!(memory.write(0x2040, 1, 0), Err(Unmapped(0x2040)));
    memory.map(0x2040, 1);
    assert_eq!(memory.read(0x2040, 4), Ok(UNWRITTEN));
    assert_eq!(memory.write(0x2042, 2, 0x1_2345), Ok(()));
    assert_eq!(memory.read(0x2040, 4), Ok(0x2345_f00d));
}

#[test]
fn the_map_of_a_core() {
    let cfg = CoreConfig::default();
    let memory = Memory::for_core(&cfg);
    for mapped in [0x40, 0x88, 0xfff, HEAP_BASE, HEAP_END - 1, 0xffff_0000 - 16 * STACK_BYTES, 0xfffe_ffff] {
        assert!(memory.is_mapped(mapped), "{mapped:#x}");
    }
    let below_stacks = 0xffff_0000 - 16 * STACK_BYTES - 1;
    for unmapped in [0, 0x3f, 0x1000, HEAP_BASE - 1, HEAP_END, STARTUP_ADDR, below_stacks, 0xffff_0000] {
        assert!(!memory.is_mapped(unmapped), "{unmapped:#x}");
    }
}

#[test]
fn a_program_may_have_larger_stacks() {
    let mut memory = Memory::for_core(&CoreConfig::default());
    memory.map_stacks(2 * STACK_BYTES);
    let begin = 0xffff_0000 - 2 * 16 * STACK_BYTES;
    assert!(memory.is_mapped(begin) && !memory.is_mapped(begin - 1));
    memory.map_stacks(u32::MAX);
    assert!(memory.is_mapped(HEAP_END) && !memory.is_mapped(0xffff_0000));
}

#[test]
fn lines_and_words_are_the_same_memory() {
    let mut memory = Memory::new();
    memory.load(0x8000_0ffe, &[1, 2, 3, 4]);
    assert_eq!(memory.read(0x8000_0ffc, 4), Ok(0x0201_f00d));
    assert_eq!(memory.read_bytes(0x8000_0ffe, 4), Ok(vec![1, 2, 3, 4]));
    let mut line = [0xee; 64];
    line[5] = 0x55;
    assert_eq!(memory.write_line(0x8000_1000, &line, 1 << 5 | 1 << 63), Ok(()));
    let read = memory.read_line(0x8000_103f).unwrap();
    assert_eq!((read[0], read[1], read[4], read[5], read[63]), (3, 4, 0x0d, 0x55, 0xee));
    assert_eq!(memory.read_line(0x8000_1040), Err(Unmapped(0x8000_1040)));
    assert_eq!(memory.write_line(0x8000_1040, &line, 1), Err(Unmapped(0x8000_1040)));
    assert_eq!(memory.write_line(0x8000_1040, &line, 0), Ok(()));
}

#[test]
fn console_and_exit_code() {
    let mut memory = Memory::for_core(&CoreConfig::default());
    assert_eq!(memory.exit_code(), None);
    let mut line = [b'\n'; 64];
    line[3] = b'a';
    memory.write_line(CONSOLE_BASE, &line, 1 << 3).unwrap();
    memory.write(CONSOLE_BASE + 3, 1, u32::from(b'\n')).unwrap();
    assert_eq!(memory.console().text(), "#3: a\n");
    assert_eq!(memory.read(CONSOLE_BASE, 4), Ok(UNWRITTEN), "the console is write-only");
    memory.write(EXIT_CODE, 4, 42).unwrap();
    assert_eq!(memory.exit_code(), Some(42));
}

#[test]
fn differences_count_unwritten_memory() {
    let mut a = Memory::for_core(&CoreConfig::default());
    let mut b = a.clone();
    a.write(HEAP_BASE, 4, UNWRITTEN).unwrap();
    assert_eq!(a.first_difference(&b), None);
    b.write(HEAP_BASE + 0x5008, 4, 1).unwrap();
    a.write(HEAP_BASE + 0x500c, 4, 1).unwrap();
    assert_eq!(a.first_difference(&b), Some((HEAP_BASE + 0x5008, UNWRITTEN, 1)));
}

#[test]
fn local_memory_ends_where_it_ends() {
    let mut local = LocalMemory::new(64);
    assert_eq!(local.write(LOCAL_MEM_BASE + 60, 4, 0x1234_5678), Some(()));
    assert_eq!(local.read(LOCAL_MEM_BASE + 62, 2), Some(0x1234));
    assert_eq!(local.read(LOCAL_MEM_BASE + 64, 1), None);
    assert_eq!(local.write(u32::MAX, 1, 0), None);
    assert!(local.contains(LOCAL_MEM_BASE) && !local.contains(u32::MAX) && !local.contains(0));
}

#[test]
fn what_is_loaded_to_interleaved_stacks_is_where_a_program_has_it() {
    let cfg = CoreConfig { stack_interleave: true, ..CoreConfig::default() };
    let mut memory = Memory::for_core(&cfg);
    let (at, bytes) = (LOCAL_MEM_BASE - 10, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    memory.load(at, &bytes);
    assert_eq!(memory.read_bytes(at, 10), Ok(bytes.to_vec()));
    assert_eq!(memory.read(LOCAL_MEM_BASE - 4, 4), Ok(0x0a09_0807));
    assert_eq!(memory.read(LOCAL_MEM_BASE - 8, 4), Ok(UNWRITTEN), "a word of the next lane's stack");
    assert_eq!(memory.read(LOCAL_MEM_BASE - 20, 4), Ok(0x0605_0403));
}
