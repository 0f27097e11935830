//! The instruction table against an outside source: GNU as and objdump.
//!
//! A wrong row would fool the RTL's decoder and the reference model alike, since both come from the
//! table. So random encodings of each row are assembled by GNU as, and disassembled by objdump, in one
//! run of each tool. Rows that the tools do not know (the SIMT instructions, and Zicond before
//! binutils 2.41) are written as `.insn`, which still checks where each field lies.

use std::process::Command;

use isa::{self, asm::assemble, csr, disassemble, format, random::Rng, reg, Format, Instr, ISA};

const BASE: u32 = 0x8000_0000;
const PER_ROW: usize = 200;
const PACKAGE: &str = "binutils-riscv64-unknown-elf";

fn run(tool: &str, args: &[&str], dir: &std::path::Path) -> String {
    let output = Command::new(tool).args(args).current_dir(dir).output().unwrap_or_else(|error| {
        panic!("cannot run {tool} ({error}): install it with apt-get install {PACKAGE}")
    });
    assert!(output.status.success(), "{tool} {args:?}:\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn is_foreign(row: &Instr) -> bool {
    row.mnemonic.starts_with("vx_") || row.mnemonic.starts_with("czero") || row.mnemonic == "amocas.w"
}

/// A random encoding of `row` that has a form in assembly language.
fn random_word(row: &Instr, random: &mut Rng) -> u32 {
    let mut word = random.word() & !row.mask | row.bits;
    if row.format.has_rounding() && matches!(format::rm(word), 5 | 6) {
        word ^= 4 << 12; // reserved modes have no name
    }
    match row.format {
        // fm and the registers of a fence are reserved, and so are empty sets.
        Format::Fence => word = word & 0x0ff0_707f | 0x0110_0000,
        Format::Bare => word = row.bits,
        Format::Csr | Format::CsrImm => {
            // Mostly registers this core has; otherwise custom ones, which no assembler names.
            let known: Vec<u16> = csr::CSRS.iter().flat_map(|row| row.first..=row.last).collect();
            let number = match random.word() % 4 {
                0 => 0x800 + (random.word() as u16 & 0xff),
                _ => known[random.word() as usize % known.len()],
            };
            word = word & 0x000f_ffff | u32::from(number) << 20;
        }
        _ => {}
    }
    word
}

/// Words of every row, in order, with the row they belong to.
fn random_words() -> Vec<(&'static Instr, u32)> {
    let mut random = Rng::new(2024);
    ISA.iter()
        .flat_map(|row| (0..PER_ROW).map(move |_| row))
        .map(|row| (row, random_word(row, &mut random)))
        .collect()
}

/// How GNU as is told to make `word`, field by field and not from our own text where it does not know
/// the mnemonic; CSRs that only this core has are numbers to it.
fn gnu_text(row: &Instr, pc: u32, word: u32) -> String {
    if !is_foreign(row) {
        return gnu_csr(&disassemble(pc, word));
    }
    let register = |number: usize| reg::name(number).to_string();
    let (rs1, rs2) = (register(format::rs1(word)), register(format::rs2(word)));
    let flag = |set: bool| if set { "x1" } else { "x0" }.to_string();
    let negated = disassemble(pc, word).contains("_n ");
    let rd = register(format::rd(word));
    let none = || "x0".to_string();
    // The encodings of Vortex's own header, written out once more.
    let (opcode, funct3, funct7, rd, rs1, rs2) = match row.mnemonic {
        "vx_tmc" => (0x0b, 0, 0, none(), rs1, none()),
        "vx_wspawn" => (0x0b, 1, 0, none(), rs1, rs2),
        "vx_split" => (0x0b, 2, 0, rd, rs1, flag(negated)),
        "vx_join" => (0x0b, 3, 0, none(), rs1, none()),
        "vx_bar" => (0x0b, 4, 0, none(), rs1, rs2),
        "vx_pred" => (0x0b, 5, 0, flag(negated), rs1, rs2),
        "vx_vote_all" => (0x0b, 0, 1, rd, rs1, none()),
        "vx_vote_any" => (0x0b, 1, 1, rd, rs1, none()),
        "vx_vote_uni" => (0x0b, 2, 1, rd, rs1, none()),
        "vx_vote_ballot" => (0x0b, 3, 1, rd, rs1, none()),
        "vx_shfl_up" => (0x0b, 4, 1, rd, rs1, rs2),
        "vx_shfl_down" => (0x0b, 5, 1, rd, rs1, rs2),
        "vx_shfl_bfly" => (0x0b, 6, 1, rd, rs1, rs2),
        "vx_shfl_idx" => (0x0b, 7, 1, rd, rs1, rs2),
        "czero.eqz" => (0x33, 5, 7, rd, rs1, rs2),
        "czero.nez" => (0x33, 7, 7, rd, rs1, rs2),
        "amocas.w" => (0x2f, 2, 0x14 | word >> 25 & 3, rd, rs1, rs2),
        other => panic!("say how {other} is encoded"),
    };
    format!(".insn r {opcode:#x},{funct3},{funct7},{rd},{rs1},{rs2}")
}

/// Replaces CSR names that binutils lacks by numbers.
fn gnu_csr(line: &str) -> String {
    let fields = line.split(',').map(|field| match csr::parse(field) {
        Some(number) if field.starts_with("vx_") || field == "mnstatus" => format!("{number:#x}"),
        _ => field.into(),
    });
    fields.collect::<Vec<String>>().join(",")
}

/// Assembles lines with GNU as, relocations resolved by the linker, and gives the words.
fn gnu_assemble(lines: &[String], dir: &std::path::Path) -> Vec<u32> {
    let source = format!(".option norvc\n.option norelax\n.globl _start\n_start:\n{}\n", lines.join("\n"));
    std::fs::write(dir.join("rows.s"), source).expect("write");
    let march = "-march=rv32imaf_zicsr_zifencei";
    run("riscv64-unknown-elf-as", &[march, "-mabi=ilp32f", "-mno-relax", "-o", "rows.o", "rows.s"], dir);
    let at = format!("-Ttext={BASE:#x}");
    run("riscv64-unknown-elf-ld", &["-m", "elf32lriscv", "--no-relax", &at, "-o", "rows.elf", "rows.o"], dir);
    run("riscv64-unknown-elf-objcopy", &["-O", "binary", "rows.elf", "rows.bin"], dir);
    let bytes = std::fs::read(dir.join("rows.bin")).expect("read");
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

#[test]
fn every_row_encodes_as_gnu_as_does() {
    let dir = tempfile::tempdir().expect("a directory");
    let rows = random_words();
    let pcs = || (0u32..).map(|i| BASE + 4 * i);
    let ours: Vec<String> = rows.iter().zip(pcs()).map(|(&(_, word), pc)| disassemble(pc, word)).collect();
    let theirs: Vec<String> =
        rows.iter().zip(pcs()).map(|(&(row, word), pc)| gnu_text(row, pc, word)).collect();
    // GNU as takes branch targets as symbols or offsets from `.`; ours are absolute.
    let theirs: Vec<String> = theirs.iter().zip(pcs()).map(|(line, pc)| relative(line, pc)).collect();

    let image = assemble(BASE, &ours.join("\n")).expect("our own text");
    let gnu = gnu_assemble(&theirs, dir.path());
    assert_eq!(gnu.len(), rows.len());
    for (i, (pc, word)) in image.words().enumerate() {
        assert_eq!(word, rows[i].1, "our text is not read back: {}", ours[i]);
        assert_eq!(
            word, gnu[i],
            "at {pc:#x} ours {word:08x} {:?}, GNU {:08x} {:?}",
            ours[i], gnu[i], theirs[i]
        );
        assert_eq!(isa::decode(gnu[i]), Some(rows[i].0.op), "{}", theirs[i]);
    }
}

/// Writes the absolute target of a branch or JAL as an offset from `.`.
fn relative(line: &str, pc: u32) -> String {
    let (head, target) = match line.rsplit_once(',') {
        Some((head, target)) if line.starts_with('b') || line.starts_with("jal ") => (head, target),
        _ => return line.into(),
    };
    let target = u32::from_str_radix(target.trim_start_matches("0x"), 16).expect("a hexadecimal target");
    format!("{head},.{:+}", target.wrapping_sub(pc) as i32)
}

#[test]
fn every_row_disassembles_as_objdump_does() {
    let dir = tempfile::tempdir().expect("a directory");
    let rows = random_words();
    let bytes: Vec<u8> = rows.iter().flat_map(|&(_, word)| word.to_le_bytes()).collect();
    std::fs::write(dir.path().join("rows.bin"), bytes).expect("write");
    let at = format!("--adjust-vma={BASE:#x}");
    let args = ["-D", "-b", "binary", "-m", "riscv:rv32", "-M", "no-aliases", &at, "rows.bin"];
    let listing = run("riscv64-unknown-elf-objdump", &args, dir.path());
    // A line is `80000000:<tab>word<tab>mnemonic<tab>operands`.
    let lines: Vec<Vec<&str>> =
        listing.lines().map(|line| line.split('\t').collect()).filter(|f: &Vec<&str>| f.len() >= 3).collect();
    assert_eq!(lines.len(), rows.len(), "objdump printed another number of instructions");
    let mut compared = 0;
    for ((i, &(row, word)), fields) in rows.iter().enumerate().zip(&lines) {
        assert_eq!(u32::from_str_radix(fields[1].trim(), 16), Ok(word), "{fields:?}");
        let pc = BASE + 4 * i as u32;
        let theirs = format!("{} {}", fields[2].trim(), fields.get(3).unwrap_or(&"").trim());
        let theirs = theirs.split(" #").next().unwrap_or("").trim().to_string();
        if is_foreign(row) {
            // No name of its own: objdump must not take it for another instruction either.
            assert!(
                theirs.starts_with(".insn")
                    || theirs.starts_with(".4byte")
                    || theirs.starts_with("0x")
                    || theirs.starts_with("czero"),
                "{theirs}"
            );
            continue;
        }
        let ours = gnu_csr(&disassemble(pc, word));
        assert_eq!(ours, theirs, "{word:08x}");
        compared += 1;
    }
    assert_eq!(compared, PER_ROW * ISA.iter().filter(|row| !is_foreign(row)).count());
}

#[test]
fn load_immediate_is_expanded_as_gnu_as_does() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut random = Rng::new(7);
    let mut values =
        vec![0, 1, 2047, 2048, 0xfff, 0x1000, 0x7fff_f7ff, 0x7fff_f800, 0x8000_0000, 0xffff_f800, !0];
    values.extend((0..200).map(|i| random.word() >> (i % 32)));
    let lines: Vec<String> = values.iter().map(|value: &u32| format!("li a0, {}", *value as i32)).collect();
    let image = assemble(BASE, &lines.join("\n")).expect("our own text");
    let ours: Vec<u32> = image.words().map(|(_, word)| word).collect();
    assert_eq!(ours, gnu_assemble(&lines, dir.path()));
}
