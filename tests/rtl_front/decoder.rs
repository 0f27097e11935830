//! The decoder, and its Verilog, against the instruction table's own accessors.
use crate::bench::{drive, number, settle};
use crate::shadow::Shadow;
use heddle::cosim::Rng;
use heddle::isa::{self, Format, Op, ISA};
use heddle::rtl::op::{AluOp, Collector, Unit};
use heddle::rtl::stage::decode::Decoder;

fn decode(word: u32) -> Decoder {
    let mut decoder = Decoder::new(&heddle::config::CoreConfig::default());
    drive(&mut decoder.instr, word);
    settle(&mut decoder);
    decoder
}

#[test]
fn known_words() {
    // addi x5, x6, -7
    let d = decode(0xff93_0293);
    assert_eq!((number(&d.rd), number(&d.rs1), number(&d.imm)), (5, 6, -7i32 as u32));
    assert!(d.legal.val() && d.use_rd.val() && d.use_rs1.val() && !d.use_rs2.val() && d.operand_b_imm.val());
    assert_eq!((d.unit.val(), d.collector.val(), d.alu_op.val()), (Unit::Alu, Collector::Sp, AluOp::Add));
    // auipc x1, 0x12345
    let d = decode(0x1234_5097);
    assert!(d.operand_a_pc.val() && d.operand_b_imm.val());
    assert_eq!((number(&d.imm), d.alu_op.val()), (0x1234_5000, AluOp::Add));
    // lui x1, 0x12345
    let d = decode(0x1234_50b7);
    assert!(!d.operand_a_pc.val() && d.alu_op.val() == AluOp::PassB);
    // jal x0, -4: no destination
    let d = decode(0xffdf_f06f);
    assert!(d.jump.val() && !d.jalr.val() && !d.use_rd.val() && d.blocks_issue.val() && !d.stops_fetch.val());
    assert_eq!(number(&d.imm), -4i32 as u32);
    // jalr x1, 8(x2)
    let d = decode(0x0081_00e7);
    assert!(d.jump.val() && d.jalr.val() && d.use_rd.val() && !d.operand_a_pc.val());
    // ecall: jump to PC + 4
    let d = decode(0x0000_0073);
    assert!(d.jump.val() && !d.use_rd.val() && d.alu_op.val() == AluOp::Jump && number(&d.imm) == 4);
    // beq x1, x2, +8
    let d = decode(0x0020_8463);
    assert!(d.branch.val() && d.use_rs1.val() && d.use_rs2.val() && !d.operand_b_imm.val());
    assert_eq!((number(&d.imm), d.alu_op.val()), (8, AluOp::Beq));
    // div x3, x1, x2
    let d = decode(0x0220_c1b3);
    assert!(d.muldiv_div.val() && d.unit.val() == Unit::MulDiv && d.collector.val() == Collector::Sfu);
    // mul x3, x1, x2
    let d = decode(0x0220_81b3);
    assert!(!d.muldiv_div.val() && d.unit.val() == Unit::MulDiv && d.collector.val() == Collector::Sp);
    // fence.i: what was fetched behind it may be stale
    let d = decode(0x0000_100f);
    assert!(d.fence.val() && d.fence_i.val() && d.stops_fetch.val() && d.blocks_issue.val());
    // fence
    let d = decode(0x0ff0_000f);
    assert!(d.fence.val() && !d.fence_i.val() && !d.stops_fetch.val() && d.blocks_issue.val());
    // csrrwi x1, 0x340, 9
    let d = decode(0x3404_d0f3);
    assert!(d.csr.val() && d.csr_imm.val() && !d.use_rs1.val() && !d.blocks_issue.val());
    assert_eq!(number(&d.funct3), 5);
    // vx_bar x1, x2
    let d = decode(0x0020_c00b);
    assert!(d.barrier.val() && !d.wctl.val() && d.blocks_issue.val() && !d.stops_fetch.val());
    // vx_tmc x1
    let d = decode(0x0000_800b);
    assert!(d.wctl.val() && !d.barrier.val() && d.blocks_issue.val() && d.stops_fetch.val());
    // no instruction
    let d = decode(0);
    assert!(
        !d.legal.val() && d.stops_fetch.val() && d.blocks_issue.val() && d.collector.val() == Collector::Sfu
    );
    assert!(!d.use_rd.val() && !d.use_rs1.val() && !d.use_rs2.val());
}

#[test]
fn agrees_with_the_table_on_words_near_every_row() {
    let mut rng = Rng::new(1);
    let mut decoder = Decoder::new(&heddle::config::CoreConfig::default());
    let mut verilog = Shadow::new(Decoder::new(&heddle::config::CoreConfig::default()), "decoder");
    for step in 0..20_000 {
        let row = &ISA[step % ISA.len()];
        let noise = rng.next_u64() as u32;
        let flip = if rng.percent(20) { 1 << rng.below(32) } else { 0 };
        let word = (noise & !row.mask | row.bits) ^ flip;
        drive(&mut decoder.instr, word);
        settle(&mut decoder);
        verilog.check(&decoder, &format!("{word:08x}"));
        let op = isa::decode(word).filter(|op| !op.needs_fpu());
        assert_eq!(decoder.legal.val(), op.is_some(), "{word:08x}");
        let Some(op) = op else { continue };
        let context = format!("{op:?} {word:08x}");
        assert_eq!(decoder.use_rd.val(), op.writes_rd() && isa::format::rd(word) != 0, "{context}");
        assert_eq!(decoder.use_rs1.val(), op.reads_rs1(), "{context}");
        assert_eq!(decoder.use_rs2.val(), op.reads_rs2(), "{context}");
        assert_eq!(decoder.branch.val(), op.is_branch(), "{context}");
        assert_eq!(decoder.jump.val(), op.is_jump(), "{context}");
        assert_eq!(decoder.load.val(), op.is_load(), "{context}");
        assert_eq!(decoder.store.val(), op.is_store(), "{context}");
        assert_eq!(decoder.wctl.val(), op.changes_mask(), "{context}");
        assert_eq!(decoder.barrier.val(), op.is_barrier(), "{context}");
        assert_eq!(decoder.fence_i.val(), op == Op::FenceI, "{context}");
        let imm = number(&decoder.imm);
        match op.format() {
            Format::Shift => assert_eq!(imm & 31, op.imm(word), "{context}"),
            Format::I | Format::S | Format::B | Format::U | Format::J => {
                assert_eq!(imm, op.imm(word), "{context}");
            }
            _ => assert!(op.format() != Format::Bare || imm == 4, "{context}"),
        }
    }
}
