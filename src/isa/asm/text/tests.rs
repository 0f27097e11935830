use super::assemble;
use crate::{disassemble, ISA};

fn words(source: &str) -> Vec<u32> {
    let image = assemble(0x8000_0000, source).unwrap_or_else(|error| panic!("{error}"));
    image.words().map(|(_, word)| word).collect()
}

fn error(source: &str) -> String {
    assemble(0x8000_0000, source).expect_err("a mistake").to_string()
}

#[test]
fn labels_and_pseudo_instructions() {
    let source = "
        .equ COUNT, 4+1
        start:  li   t0, COUNT          # comment
                li   t1, 0x12345678     // comment
        1:      addi t0, t0, -1; bnez t0, 1b
                beq  t0, t1, 1f
                call start
        1:      ret
                la   a0, table
                lui  a1, %hi(table+4)
                lw   a1, %lo(table+4)(a1)
                sw   a1, (a0)
                csrr a2, mhartid
                j    .+8
                j    0x80000000
        .align  4
        table:  .word start, table-4, -1, 0xffffffff
                .half -1, 65535, 7
                .byte 'A', '\\n'
                .space 4
    ";
    let image = assemble(0x8000_0000, source).expect("assembles");
    let lines: Vec<_> = image.words().map(|(pc, word)| disassemble(pc, word)).collect();
    assert_eq!(
        lines[..17],
        [
            "addi t0,zero,5",
            "lui t1,0x12345",
            "addi t1,t1,1656",
            "addi t0,t0,-1",
            "bne t0,zero,0x8000000c",
            "beq t0,t1,0x8000001c",
            "jal ra,0x80000000",
            "jalr zero,0(ra)",
            "lui a0,0x80000",
            "addi a0,a0,64",
            "lui a1,0x80000",
            "lw a1,68(a1)",
            "sw a1,0(a0)",
            "csrrs a2,mhartid,zero",
            "jal zero,0x80000040",
            "jal zero,0x80000000",
            ".word 0x80000000",
        ]
    );
    assert_eq!(
        image.bytes[0x40..],
        [
            0, 0, 0, 0x80, 0x3c, 0, 0, 0x80, 255, 255, 255, 255, 255, 255, 255, 255, // words
            255, 255, 255, 255, 7, 0, b'A', b'\n', 0, 0, 0, 0,
        ]
    );
    assert_eq!(image.symbols["table"], 0x8000_0040);
}

#[test]
fn disassembly_is_read_back() {
    let mut random = 12345u32;
    for row in ISA.iter().cycle().take(40 * ISA.len()) {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let mut word = random & !row.mask | row.bits;
        if row.format.has_rounding() && matches!(word >> 12 & 7, 5 | 6) {
            word ^= 4 << 12; // reserved modes have no name
        }
        if row.mnemonic.starts_with("fence") {
            word &= 0x0ff0_707f; // the reserved fields have no syntax
        }
        if row.mnemonic == "fence.i" {
            word &= 0x707f;
        }
        let line = disassemble(0x8000_0000, word);
        assert_eq!(words(&line), [word], "{line}");
    }
}

#[test]
fn li_takes_every_kind_of_value() {
    for (value, count) in
        [("0", 1), ("2047", 1), ("-2048", 1), ("2048", 2), ("-2049", 2), ("0x7ff00000", 1), ("0xffffffff", 1)]
    {
        assert_eq!(words(&format!("li a0, {value}")).len(), count, "{value}");
    }
}

#[test]
fn mistakes_are_reported_with_their_line() {
    for (source, message) in [
        ("nop\nfrobnicate a0", "line 2: unknown instruction or directive frobnicate"),
        (".quad 1", "line 1: unknown instruction or directive .quad"),
        ("addi a0,a1", "line 1: addi takes 3 operands, not 2"),
        ("lw a0,a1,4", "line 1: lw takes 2 operands, not 3"),
        ("addi a0,q1,3", "line 1: expected a register, found \"q1\""),
        ("addi a0,a0,2048", "line 1: addi cannot hold immediate 2048 (0x800)"),
        ("addi a0,a0,4294967296", "line 1: expected a 32-bit number, found \"4294967296\""),
        ("slli a0,a0,32", "line 1: slli cannot hold immediate 32 (0x20)"),
        ("lw a0,4", "line 1: expected offset(register), found \"4\""),
        ("\n\nj nowhere", "line 3: undefined label nowhere"),
        ("j 1f", "line 1: undefined label 1f"),
        ("j 1b", "line 1: undefined label 1b"),
        ("a: nop\na: nop", "line 2: a is defined twice"),
        (".equ a,1\n.equ a,1", "line 2: a is defined twice"),
        ("x y: nop", "line 1: expected a new label, found \"x y\""),
        ("beq a0,a0,far\n.space 5000\nfar:", "line 1: beq cannot hold immediate 5004 (0x138c)"),
        ("lui a0,0x100000", "line 1: expected a value of 20 bits, found \"0x100000\""),
        (".byte 256", "line 1: expected a value that fits, found \"256\""),
        (".byte -129", "line 1: expected a value that fits, found \"-129\""),
        (".space", "line 1: .space takes 1 operands, not 0"),
        (".space 0x7fffffff", "line 1: size or alignment 2147483647 is out of range"),
        ("fence wr,rw", "line 1: expected some of iorw, found \"wr\""),
        ("csrr a0,0x1000", "line 1: expected a CSR, found \"0x1000\""),
        ("addi_n a0,a0,1", "line 1: unknown instruction or directive addi_n"),
        ("fadd.s fa0,a1,fa2", "line 1: expected a floating-point register, found \"a1\""),
        ("fadd.s fa0,fa1", "line 1: fadd.s takes 3 or 4 operands, not 2"),
        ("fmin.s fa0,fa1,fa2,rne", "line 1: fmin.s takes 3 operands, not 4"),
        ("fadd.s fa0,fa1,fa2,odd", "line 1: expected a rounding mode, found \"odd\""),
        ("flw fa0,fa1,4", "line 1: flw takes 2 operands, not 3"),
        ("li a0, --5", "line 1: expected a number, found \"\""),
    ] {
        assert_eq!(error(source), message, "{source}");
    }
}
