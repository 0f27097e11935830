//! Random programs for Linux user mode run under QEMU: they must end, and keep to their conventions.

use std::io::Write;
use std::process::Command;

use heddle::isa::random::{program, Shape, DUMP_BYTES};

#[test]
fn linux_programs_end_and_dump() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut dumps = std::collections::BTreeSet::new();
    for seed in 0..25 {
        let image = program(seed, &Shape::linux_user(100 + 20 * seed as usize));
        let path = dir.path().join(format!("seed{seed}.elf"));
        let mut file = std::fs::OpenOptions::new();
        std::os::unix::fs::OpenOptionsExt::mode(&mut file, 0o755);
        let mut file = file.write(true).create_new(true).open(&path).expect("create");
        file.write_all(&image.to_elf()).expect("write");
        drop(file);
        let output = Command::new("timeout")
            .args(["20", "qemu-riscv32"])
            .arg(&path)
            .output()
            .expect("timeout of coreutils runs");
        assert_ne!(output.status.code(), Some(127), "install qemu-riscv32 with apt-get install qemu-user");
        assert!(output.status.success(), "seed {seed}: {:?}", output.status);
        assert_eq!(output.stdout.len(), DUMP_BYTES, "seed {seed}");
        let word =
            |i: usize| u32::from_le_bytes(output.stdout[4 * i..4 * i + 4].try_into().expect("4 bytes"));
        assert_eq!(word(0), 0, "seed {seed}: x0");
        assert_eq!(word(8), image.symbols["dump"] + 128 + 512, "seed {seed}: the base register survived");
        dumps.insert(output.stdout);
    }
    assert_eq!(dumps.len(), 25, "programs of different seeds do different things");
}
