//! Disassembler, for mismatch reports and traces.
//!
//! Prints what objdump prints with `-M no-aliases`, except that a branch target is an absolute
//! address with `0x` and a known CSR has its name; the assembler of [`super::asm`] reads it back.

use super::format::{self, Format};
use super::table::{Op, ORDERINGS};
use super::{csr, decode, reg, rounding};

/// The instruction `word` at address `pc`; an illegal one is printed as `.word`.
pub fn disassemble(pc: u32, word: u32) -> String {
    let Some(op) = decode(word) else { return format!(".word {word:#010x}") };
    let imm = op.imm(word);
    let of = |float: bool, number: usize| if float { reg::float_name(number) } else { reg::name(number) };
    let format = op.format();
    let rd = of(format.rd_is_float(), format::rd(word));
    let rs1 = of(format.rs1_is_float(), format::rs1(word));
    let rs2 = of(format.rs2_is_float(), format::rs2(word));
    let rs3 = reg::float_name(format::rs3(word));
    let mode = mode(format::rm(word));
    let target = pc.wrapping_add(imm);
    let mnemonic = op.info().mnemonic;
    let operands = match format {
        Format::R | Format::Fp | Format::FpCompare => format!("{rd},{rs1},{rs2}"),
        Format::FpFused => format!("{rd},{rs1},{rs2},{rs3}{mode}"),
        Format::FpRound => format!("{rd},{rs1},{rs2}{mode}"),
        Format::FpUnary | Format::FpToIntRound | Format::IntToFpRound => format!("{rd},{rs1}{mode}"),
        Format::FpToInt | Format::IntToFp | Format::RdRs1 => format!("{rd},{rs1}"),
        Format::FpLoad => format!("{rd},{}({rs1})", imm as i32),
        Format::I if op.is_load() || op == Op::Jalr => format!("{rd},{}({rs1})", imm as i32),
        Format::I => format!("{rd},{rs1},{}", imm as i32),
        Format::Shift => format!("{rd},{rs1},{imm:#x}"),
        Format::S | Format::FpStore => format!("{rs2},{}({rs1})", imm as i32),
        Format::B => format!("{rs1},{rs2},{target:#x}"),
        Format::U => format!("{rd},{:#x}", imm >> 12),
        Format::J => format!("{rd},{target:#x}"),
        Format::Csr => format!("{rd},{},{rs1}", csr::name(format::csr(word))),
        Format::CsrImm => format!("{rd},{},{imm}", csr::name(format::csr(word))),
        Format::Fence => format!("{},{}", access_set(imm >> 4), access_set(imm)),
        Format::Bare => return mnemonic.into(),
        Format::Rs1 => rs1.into(),
        Format::Rs1Rs2 => format!("{rs1},{rs2}"),
        Format::Amo | Format::AmoCas => {
            return format!("{mnemonic}{} {rd},{rs2},({rs1})", ORDERINGS[imm as usize])
        }
        Format::Split => return format!("{mnemonic}{} {rd},{rs1}", negated(imm)),
        Format::Pred => return format!("{mnemonic}{} {rs1},{rs2}", negated(imm)),
    };
    format!("{mnemonic} {operands}")
}

/// The rounding mode as a last operand; nothing for the dynamic one.
fn mode(rm: u32) -> String {
    match rounding::name(rm).filter(|_| rm != rounding::DYNAMIC) {
        Some(name) => format!(",{name}"),
        None => String::new(),
    }
}

/// Mnemonic suffix of a SPLIT or PRED that tests for a false predicate.
fn negated(flag: u32) -> &'static str {
    if flag != 0 {
        "_n"
    } else {
        ""
    }
}

/// The letters of a fence's 4-bit predecessor or successor set, `0` for an empty one.
fn access_set(bits: u32) -> String {
    let letters: String =
        "iorw".chars().enumerate().filter(|(i, _)| bits >> (3 - i) & 1 != 0).map(|(_, c)| c).collect();
    if letters.is_empty() {
        "0".into()
    } else {
        letters
    }
}

#[cfg(test)]
mod tests {
    use super::disassemble;

    #[test]
    fn examples_of_each_kind() {
        for (word, text) in [
            (0xfff5_8513, "addi a0,a1,-1"),
            (0x0045_a503, "lw a0,4(a1)"),
            (0xfea5_ae23, "sw a0,-4(a1)"),
            (0x00b5_0463, "beq a0,a1,0x80000008"),
            (0xffdf_f0ef, "jal ra,0x7ffffffc"),
            (0x1234_5537, "lui a0,0x12345"),
            (0x4035_5513, "srai a0,a0,0x3"),
            (0xf140_2573, "csrrs a0,mhartid,zero"),
            (0xcc00_2573, "csrrs a0,vx_thread_id,zero"),
            (0x0ff0_000f, "fence iorw,iorw"),
            (0x0005_000b, "vx_tmc a0"),
            (0x00b5_100b, "vx_wspawn a0,a1"),
            (0x0005_a50b, "vx_split a0,a1"),
            (0x0015_a50b, "vx_split_n a0,a1"),
            (0x0005_300b, "vx_join a0"),
            (0x00b5_400b, "vx_bar a0,a1"),
            (0x00b5_500b, "vx_pred a0,a1"),
            (0x00b5_508b, "vx_pred_n a0,a1"),
            (0x0005_a507, "flw fa0,0(a1)"),
            (0x00c5_f553, "fadd.s fa0,fa1,fa2"),
            (0x68c5_8543, "fmadd.s fa0,fa1,fa2,fa3,rne"),
            (0xc005_9553, "fcvt.w.s a0,fa1,rtz"),
            (0xa0c5_a553, "feq.s a0,fa1,fa2"),
            (0x00b6_252f, "amoadd.w a0,a1,(a2)"),
            (0x2eb6_252f, "amocas.w.aqrl a0,a1,(a2)"),
            (0x0205_b50b, "vx_vote_ballot a0,a1"),
            (0x02c5_d50b, "vx_shfl_down a0,a1,a2"),
            (0x00c5_d553, ".word 0x00c5d553"),
            (0x0000_0000, ".word 0x00000000"),
        ] {
            assert_eq!(disassemble(0x8000_0000, word), text);
        }
    }
}
