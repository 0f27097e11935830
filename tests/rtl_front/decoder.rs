//! The decoder, and its Verilog, against the instruction table's own accessors.
use super::bench::{drive, number, settle};
use super::shadow::Shadow;
use cosim::Rng;
use isa::{self, csr, Format, Op, ISA};
use rtl::op::{AluOp, Collector, FpuOp, MultiplyOp, ALU_CONTROLS, MULTIPLY_CONTROLS};
use rtl::stage::decode::cover::Cover;
use rtl::stage::decode::Decoder;
use spec::config::CoreConfig;

fn decode(word: u32) -> Decoder {
    let mut decoder = Decoder::new(&CoreConfig::default());
    drive(&mut decoder.instr, word);
    settle(&mut decoder);
    decoder
}

/// Whether the control bits of the ALU say `op`.
fn does(d: &Decoder, op: AluOp) -> bool {
    (0..ALU_CONTROLS).all(|bit| says(op.control_bit(bit), d.alu_control.val().get_bit(bit)))
}

/// Whether those of the multiplier say `op`.
fn multiplies(d: &Decoder, op: MultiplyOp) -> bool {
    (0..MULTIPLY_CONTROLS).all(|bit| says(op.control_bit(bit), d.multiply_control.val().get_bit(bit)))
}

/// Whether a control bit is what is wanted, or may be either.
fn says(wanted: Option<bool>, control: bool) -> bool {
    wanted.is_none_or(|wanted| wanted == control)
}

/// What the multiplier has to do for `op`, by its mnemonic.
fn multiply_op(op: Op) -> Option<MultiplyOp> {
    Some(match op.info().mnemonic {
        "mul" => MultiplyOp::Mul,
        "mulh" => MultiplyOp::Mulh,
        "mulhsu" => MultiplyOp::Mulhsu,
        "mulhu" => MultiplyOp::Mulhu,
        "sll" | "slli" => MultiplyOp::Sll,
        "srl" | "srli" => MultiplyOp::Srl,
        "sra" | "srai" => MultiplyOp::Sra,
        _ => return None,
    })
}

#[test]
fn known_words() {
    // addi x5, x6, -7
    let d = decode(0xff93_0293);
    assert_eq!(
        (
            number(&d.decoded.facts_.registers.number[0]),
            number(&d.decoded.facts_.registers.number[1]),
            number(&d.imm)
        ),
        (5, 6, -7i32 as u32)
    );
    assert!(
        d.legal.val()
            && d.decoded.facts_.registers.used[0].val()
            && d.decoded.facts_.registers.used[1].val()
            && !d.decoded.facts_.registers.used[2].val()
            && d.operand_b_imm.val()
    );
    assert!(d.decoded.collector.val() == Collector::Sp && does(&d, AluOp::Add) && !does(&d, AluOp::Sub));
    // auipc x1, 0x12345
    let d = decode(0x1234_5097);
    assert!(d.auipc.val() && d.operand_b_imm.val() && does(&d, AluOp::PassB));
    assert_eq!(number(&d.imm), 0x1234_5000);
    // lui x1, 0x12345
    let d = decode(0x1234_50b7);
    assert!(!d.auipc.val() && d.operand_b_imm.val() && does(&d, AluOp::PassB));
    // jal x0, -4: no destination
    let d = decode(0xffdf_f06f);
    assert!(
        d.jump.val()
            && !d.jalr.val()
            && !d.decoded.facts_.registers.used[0].val()
            && d.decoded.facts_.blocks_issue.val()
            && !d.stops_fetch.val()
    );
    assert_eq!(number(&d.imm), -4i32 as u32);
    // jalr x1, 8(x2)
    let d = decode(0x0081_00e7);
    assert!(
        d.jump.val() && d.jalr.val() && d.decoded.facts_.registers.used[0].val() && does(&d, AluOp::Jump)
    );
    // ecall: jump to PC + 4
    let d = decode(0x0000_0073);
    assert!(
        d.jump.val()
            && !d.decoded.facts_.registers.used[0].val()
            && does(&d, AluOp::Jump)
            && number(&d.imm) == 4
    );
    // beq x1, x2, +8
    let d = decode(0x0020_8463);
    assert!(
        d.branch.val()
            && d.decoded.facts_.registers.used[1].val()
            && d.decoded.facts_.registers.used[2].val()
            && !d.operand_b_imm.val()
    );
    assert!(number(&d.imm) == 8 && does(&d, AluOp::Beq) && !does(&d, AluOp::Bne));
    // div x3, x1, x2
    let d = decode(0x0220_c1b3);
    assert!(d.div.val() && d.decoded.collector.val() == Collector::Sfu);
    // mul x3, x1, x2
    let d = decode(0x0220_81b3);
    assert!(d.multiplies.val() && d.decoded.collector.val() == Collector::Sp);
    // fence.i: what was fetched behind it may be stale
    let d = decode(0x0000_100f);
    assert!(d.fence.val() && d.fence_i.val() && d.stops_fetch.val() && d.decoded.facts_.blocks_issue.val());
    // fence
    let d = decode(0x0ff0_000f);
    assert!(d.fence.val() && !d.fence_i.val() && !d.stops_fetch.val() && d.decoded.facts_.blocks_issue.val());
    // csrrwi x1, 0x340, 9
    let d = decode(0x3404_d0f3);
    assert!(
        d.csr.val()
            && d.csr_imm.val()
            && !d.div.val()
            && !d.decoded.facts_.registers.used[1].val()
            && !d.decoded.facts_.blocks_issue.val()
    );
    assert_eq!(number(&d.funct3), 5);
    // vx_bar x1, x2
    let d = decode(0x0020_c00b);
    assert!(d.barrier.val() && !d.wctl.val() && d.decoded.facts_.blocks_issue.val() && !d.stops_fetch.val());
    // vx_tmc x1
    let d = decode(0x0000_800b);
    assert!(d.wctl.val() && !d.barrier.val() && d.decoded.facts_.blocks_issue.val() && d.stops_fetch.val());
    // fmadd.s f1, f2, f3, f4, dyn
    let d = decode(0x2031_70c3);
    assert_eq!(
        [
            &d.decoded.facts_.registers.number[0],
            &d.decoded.facts_.registers.number[1],
            &d.decoded.facts_.registers.number[2],
            &d.decoded.facts_.registers.number[3]
        ]
        .map(number),
        [33, 34, 35, 36]
    );
    assert!(
        d.fpu.val()
            && d.decoded.facts_.registers.used[3].val()
            && d.decoded.facts_.dynamic_rounding.val()
            && d.decoded.facts_.registers.used[0].val()
    );
    assert_eq!((d.fpu_op.val(), d.decoded.collector.val()), (FpuOp::Madd, Collector::Sp));
    // feq.s x0, f1, f2: writes x0, for its flags
    let d = decode(0xa020_a053);
    assert_eq!(
        [
            &d.decoded.facts_.registers.number[0],
            &d.decoded.facts_.registers.number[1],
            &d.decoded.facts_.registers.number[2]
        ]
        .map(number),
        [0, 33, 34]
    );
    assert!(
        d.fpu.val()
            && d.decoded.facts_.registers.used[0].val()
            && !d.decoded.facts_.dynamic_rounding.val()
            && !d.decoded.facts_.registers.used[3].val()
    );
    // fcvt.s.w f0, x1, rtz
    let d = decode(0xd000_9053);
    assert_eq!(
        [&d.decoded.facts_.registers.number[0], &d.decoded.facts_.registers.number[1]].map(number),
        [32, 1]
    );
    assert_eq!((d.fpu_op.val(), d.decoded.collector.val()), (FpuOp::CvtSW, Collector::Sfu));
    // fadd.s f0, f0, f0 with a reserved rounding mode
    assert!(!decode(0x0000_5053).legal.val() && !decode(0x0000_6053).legal.val());
    assert!(decode(0x0000_4053).legal.val() && !decode(0x0000_6053).fpu.val());
    // csrr x1, fcsr waits for its warp, and its warp for it; mscratch does not
    let d = decode(0x0030_20f3);
    assert!(
        d.csr.val()
            && d.decoded.facts_.drains.val()
            && d.decoded.facts_.blocks_issue.val()
            && !d.stops_fetch.val()
    );
    assert!(!decode(0x3400_20f3).decoded.facts_.drains.val());
    // no instruction
    let d = decode(0);
    assert!(
        !d.legal.val()
            && d.stops_fetch.val()
            && d.decoded.facts_.blocks_issue.val()
            && d.decoded.collector.val() == Collector::Sfu
    );
    assert!(
        !d.decoded.facts_.registers.used[0].val()
            && !d.decoded.facts_.registers.used[1].val()
            && !d.decoded.facts_.registers.used[2].val()
    );
}

#[test]
fn agrees_with_the_table_on_words_near_every_row() {
    for [fpu, btfn, atomics, cross_lane] in
        [[false, true, false, true], [true, false, false, false], [true, true, true, true]]
    {
        agrees_with_the_table(&CoreConfig { fpu, btfn, atomics, cross_lane, ..CoreConfig::default() });
    }
}

fn agrees_with_the_table(cfg: &CoreConfig) {
    let mut rng = Rng::new(1);
    let mut decoder = Decoder::new(cfg);
    let mut verilog = Shadow::new(Decoder::new(cfg), "decoder");
    for step in 0..20_000 {
        let row = &ISA[step % ISA.len()];
        let noise = rng.next_u64() as u32;
        let flip = if rng.percent(20) { 1 << rng.below(32) } else { 0 };
        let word = (noise & !row.mask | row.bits) ^ flip;
        drive(&mut decoder.instr, word);
        settle(&mut decoder);
        verilog.check(&decoder, &format!("{word:08x}"));
        let op = isa::decode_in(word, cfg.into());
        assert_eq!(decoder.legal.val(), op.is_some(), "{word:08x}");
        let Some(op) = op else {
            assert!(decoder.stops_fetch.val() && decoder.decoded.facts_.blocks_issue.val(), "{word:08x}");
            assert!(
                !decoder.decoded.facts_.registers.used[0].val()
                    && !decoder.decoded.facts_.registers.used[1].val()
                    && !decoder.decoded.facts_.registers.used[2].val(),
                "{word:08x}"
            );
            assert!(!decoder.div.val() && !decoder.fpu.val(), "{word:08x}");
            assert!(!decoder.decoded.facts_.memory.val(), "{word:08x}");
            assert!(!cfg.btfn || !decoder.predicts_taken.val(), "{word:08x}");
            assert_eq!(decoder.decoded.collector.val(), Collector::Sfu, "{word:08x}");
            continue;
        };
        let context = format!("{op:?} {word:08x}");
        let written = op.format().rd(word).is_some() || op.writes_x0();
        assert_eq!(decoder.decoded.facts_.registers.used[0].val(), written, "{context}");
        for (port, register) in [
            (&decoder.decoded.facts_.registers.number[0], op.format().rd(word)),
            (&decoder.decoded.facts_.registers.number[1], op.format().rs1(word)),
            (&decoder.decoded.facts_.registers.number[2], op.format().rs2(word)),
        ] {
            assert!(register.is_none_or(|register| number(port) as usize == register), "{context}");
        }
        if cfg.fpu {
            assert_eq!(decoder.fpu.val(), op.info().unit == isa::Unit::Fpu, "{context}");
            let dynamic = op.has_rounding() && isa::format::rm(word) == isa::rounding::DYNAMIC;
            assert_eq!(decoder.decoded.facts_.dynamic_rounding.val(), dynamic, "{context}");
            let float_csr = op.info().latency == isa::Latency::Csr && csr::needs_fpu(isa::format::csr(word));
            assert_eq!(decoder.decoded.facts_.drains.val(), float_csr, "{context}");
        }
        if cfg.fpu || cfg.atomics {
            let (third, used) = (op.format().rs3(word), decoder.decoded.facts_.registers.used[3].val());
            assert_eq!(used, third.is_some_and(|register| register != 0), "{context}");
            let found = number(&decoder.decoded.facts_.registers.number[3]) as usize;
            assert!(third.is_none_or(|register| register == found), "{context}");
        }
        let read = |register: Option<usize>| register.is_some_and(|register| register != 0);
        assert_eq!(decoder.decoded.facts_.registers.used[1].val(), read(op.format().rs1(word)), "{context}");
        assert_eq!(decoder.decoded.facts_.registers.used[2].val(), read(op.format().rs2(word)), "{context}");
        assert_eq!(decoder.decoded.facts_.memory.val(), op.accesses_memory(), "{context}");
        assert_eq!(decoder.wctl.val(), op.changes_mask(), "{context}");
        assert_eq!(decoder.fence_i.val(), op == Op::FenceI, "{context}");
        assert_eq!(decoder.csr.val(), op.info().latency == isa::Latency::Csr, "{context}");
        let stops = op.changes_mask() || op == Op::FenceI || cfg.btfn && op == Op::Jalr;
        assert_eq!(decoder.stops_fetch.val(), stops, "{context}");
        if cfg.btfn {
            let back = op.is_branch() && (op.imm(word) as i32) < 0;
            assert_eq!(decoder.predicts_taken.val(), back || op.is_jump() && op != Op::Jalr, "{context}");
        }
        match decoder.decoded.collector.val() {
            Collector::Sp => {
                let integer = op.info().unit != isa::Unit::Fpu;
                assert_eq!(decoder.branch.val(), op.is_branch(), "{context}");
                assert_eq!(decoder.jump.val(), op.is_jump(), "{context}");
                let multiply = multiply_op(op);
                assert_eq!(decoder.multiplies.val(), multiply.is_some(), "{context}");
                assert!(multiply.is_none_or(|op| multiplies(&decoder, op)), "{context}");
                assert!(!cfg.cross_lane || decoder.crosses.val() == op.is_cross_lane(), "{context}");
                let reads_rs2 = matches!(op.format(), Format::R | Format::B) || !integer;
                if op.format() != Format::RdRs1 {
                    assert_eq!(decoder.operand_b_imm.val(), !reads_rs2, "{context}");
                }
                if decoder.branch.val() || decoder.jump.val() {
                    assert_eq!(decoder.jalr.val(), op == Op::Jalr, "{context}");
                }
                if decoder.operand_b_imm.val() {
                    assert_eq!(decoder.auipc.val(), op == Op::Auipc, "{context}");
                }
            }
            Collector::Sfu => {
                assert_eq!(decoder.div.val(), op.info().latency == isa::Latency::Div, "{context}");
                assert_eq!(decoder.barrier.val(), op.is_barrier(), "{context}");
            }
            Collector::Mem => {
                assert_eq!(decoder.store.val(), op.is_store(), "{context}");
                assert!(!cfg.atomics || decoder.atomic.val() == op.is_atomic(), "{context}");
                assert_eq!(decoder.fence.val(), op.info().latency == isa::Latency::Fence, "{context}");
            }
        }
        let imm = number(&decoder.imm);
        match op.format() {
            Format::Shift => assert_eq!(imm & 31, op.imm(word), "{context}"),
            Format::I | Format::FpLoad | Format::S | Format::FpStore | Format::B | Format::U | Format::J => {
                assert_eq!(imm, op.imm(word), "{context}");
            }
            Format::Amo | Format::AmoCas => assert_eq!(imm, 0, "{context}"),
            _ => assert!(!(op.format() == Format::Bare && op.is_jump()) || imm == 4, "{context}"),
        }
    }
}

/// Any fact, odd ones included, is right about every row, whatever the operands; and where all will do, nothing is asked.
#[test]
fn a_cover_says_of_each_row_what_is_wanted() {
    for modulus in 1..12 {
        let is_wanted = |row: &isa::Instr| (row.op as usize).is_multiple_of(modulus);
        let cover = Cover::new(ISA.iter(), |row| Some(is_wanted(row)));
        for row in ISA {
            for operands in [0, u32::MAX, 0x5a5a_a5a5] {
                let word = row.bits | operands & !row.mask;
                assert_eq!(cover.holds(word), is_wanted(row), "{} {word:08x}", row.mnemonic);
            }
        }
    }
    let free = Cover::new(ISA.iter(), |row| (row.op as usize == 7).then_some(true));
    assert_eq!(free.verilog(" | "), "1'b1");
}
