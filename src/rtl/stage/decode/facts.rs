//! What the decoder says of instructions, for itself and for its Verilog.
use super::cover::Cover;
use super::{alu_op, b_is_imm, blocks_issue, collector, is_float, multiply_op, rows};
use crate::op::{ALU_CONTROLS, MULTIPLY_CONTROLS};
use crate::prelude::*;
use isa::{Extensions, Format, Instr, Latency, Op, Unit};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Whether something holds of an instruction; `None` if it does not matter.
type Question = fn(&Instr) -> Option<bool>;

/// Each fact with its question, in the order of the Verilog.
const QUESTIONS: [(&str, Question); 26] = [
    ("for_sp", |row| Some(for_sp(row))),
    ("for_mem", |row| Some(collector(Some(row.latency)) == Collector::Mem)),
    ("writes_rd", |row| Some(row.format.writes_rd())),
    ("reads_rs1", |row| Some(row.format.reads_rs1())),
    ("reads_rs2", |row| Some(row.format.reads_rs2())),
    ("names_float", |row| row.format.writes_rd().then_some(row.format.names_float())),
    ("rd_is_float", |row| row.format.writes_rd().then_some(row.format.rd_is_float())),
    ("rs1_is_float", |row| row.format.reads_rs1().then_some(row.format.rs1_is_float())),
    ("rs2_is_float", |row| row.format.reads_rs2().then_some(row.format.rs2_is_float())),
    ("operand_b_imm", |row| for_sp(row).then_some(b_is_imm(row.format))),
    ("operand_b_inverted", |row| for_sp(row).then_some(row.unit == Unit::Alu && alu_op(row.op).inverts_b())),
    ("auipc", |row| (for_sp(row) && b_is_imm(row.format)).then_some(row.op == Op::Auipc)),
    ("branch", |row| for_sp(row).then_some(row.op.is_branch())),
    ("jump", |row| for_sp(row).then_some(row.op.is_jump())),
    ("jalr", |row| (row.op.is_branch() || row.op.is_jump()).then_some(row.op == Op::Jalr)),
    ("multiplies", |row| for_sp(row).then_some(multiply_op(row.op).is_some())),
    ("divides", |row| for_sfu(row).then_some(row.latency == Latency::Div)),
    ("accesses", |row| Some(row.op.accesses_memory())),
    ("store", |row| (row.unit == Unit::Lsu).then_some(row.op.is_store())),
    ("fence", |row| (row.unit == Unit::Lsu).then_some(row.latency == Latency::Fence)),
    ("fence_i", |row| Some(row.op == Op::FenceI)),
    ("csr", |row| Some(row.latency == Latency::Csr)),
    ("csr_imm", |row| (row.latency == Latency::Csr).then_some(row.format == Format::CsrImm)),
    ("wctl", |row| Some(row.op.changes_mask())),
    ("barrier", |row| for_sfu(row).then_some(row.op.is_barrier())),
    ("blocks", |row| Some(blocks_issue(Some(row.latency)))),
];

/// The facts that only a core with these extensions asks for, likewise.
fn questions_of(extensions: Extensions) -> impl Iterator<Item = (&'static str, Question)> {
    let Extensions { fpu, atomics, cross_lane } = extensions;
    let questions: [(bool, (&str, Question)); 5] = [
        (fpu, ("floats", |row| Some(is_float(Some(row.latency))))),
        (fpu || atomics, ("reads_rs3", |row| Some(row.format.reads_rs3()))),
        (fpu, ("rounds", |row| Some(row.format.has_rounding()))),
        (atomics, ("atomic", |row| Some(row.op.is_atomic()))),
        (cross_lane, ("crosses", |row| for_sp(row).then_some(row.op.is_cross_lane()))),
    ];
    questions.into_iter().filter(|(asked, _)| *asked).map(|(_, question)| question)
}

fn for_sp(row: &Instr) -> bool {
    collector(Some(row.latency)) == Collector::Sp
}

fn for_sfu(row: &Instr) -> bool {
    collector(Some(row.latency)) == Collector::Sfu
}

/// All facts of a core, and the control bits of ALU and multiplier.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    /// What the core has.
    pub extensions: Extensions,
    facts: Vec<(&'static str, Cover)>,
    /// Where each one is among them.
    places: HashMap<&'static str, usize>,
    /// The format whose immediate the ALU, the multiplier or the load/store unit takes, by bits 6..2.
    immediates: Vec<Format>,
    alu: Vec<Cover>,
    multiplier: Vec<Cover>,
}

impl Facts {
    /// Minimised once, for all cores of a process.
    pub(super) fn new(extensions: Extensions) -> Self {
        static FACTS: [OnceLock<Facts>; 8] = [const { OnceLock::new() }; 8];
        let Extensions { fpu, atomics, cross_lane } = extensions;
        let index = [fpu, atomics, cross_lane].into_iter().fold(0, |index, has| 2 * index + usize::from(has));
        FACTS[index].get_or_init(|| Self::minimised(extensions)).clone()
    }

    fn minimised(extensions: Extensions) -> Self {
        let questions = QUESTIONS.into_iter().chain(questions_of(extensions));
        let alu = |bit| {
            Cover::new(rows(extensions), |row| match row.unit {
                Unit::Alu => alu_op(row.op).control_bit(bit),
                _ => None,
            })
        };
        let multiplier = |bit| Cover::new(rows(extensions), |row| multiply_op(row.op)?.control_bit(bit));
        let facts: Vec<_> =
            questions.map(|(name, question)| (name, Cover::new(rows(extensions), question))).collect();
        Self {
            extensions,
            places: facts.iter().enumerate().map(|(place, (name, _))| (*name, place)).collect(),
            facts,
            immediates: (0..32).map(|major| immediate_format(major, extensions)).collect(),
            alu: (0..ALU_CONTROLS).map(alu).collect(),
            multiplier: (0..MULTIPLY_CONTROLS).map(multiplier).collect(),
        }
    }

    /// The facts with their names.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'static str, &Cover)> {
        self.facts.iter().map(|(name, cover)| (*name, cover))
    }

    /// The ports of control bits, each with its bits, the lowest first.
    pub(super) fn controls(&self) -> [(&'static str, &[Cover]); 2] {
        [("alu_control", &self.alu), ("multiply_control", &self.multiplier)]
    }

    /// Whether the fact of that name holds of `word`.
    pub(super) fn hold(&self, name: &str, word: u32) -> bool {
        let place = self.places.get(name).unwrap_or_else(|| panic!("no fact is called `{name}`"));
        self.facts[*place].1.holds(word)
    }

    /// The format whose immediate is taken, by bits 6..2 of a word.
    pub(super) fn immediate_format(&self, major: u32) -> Format {
        self.immediates[major as usize]
    }

    /// The immediate operand of `word`, by that format; 4 for the instructions that jump to PC + 4, and 0 for atomic ones,
    /// whose ordering nobody asks for.
    pub(super) fn immediate(&self, word: u32) -> u32 {
        match self.immediate_format(word >> 2 & 31) {
            Format::Bare => 4,
            Format::Amo => 0,
            format => format.imm(word),
        }
    }

    /// What the ALU does for `word`.
    pub(super) fn alu_control(&self, word: u32) -> u32 {
        held(&self.alu, word)
    }

    /// What the multiplier does for `word`.
    pub(super) fn multiply_control(&self, word: u32) -> u32 {
        held(&self.multiplier, word)
    }
}

/// Which of the `covers` hold of `word`, the first in the lowest bit.
fn held(covers: &[Cover], word: u32) -> u32 {
    covers.iter().enumerate().map(|(bit, cover)| u32::from(cover.holds(word)) << bit).sum()
}

/// The format whose immediate the ALU, the multiplier or the load/store unit takes, by bits 6..2 alone; `I` where none does.
fn immediate_format(major: u32, extensions: Extensions) -> Format {
    rows(extensions)
        .filter(|row| row.bits >> 2 & 31 == major && row.latency != Latency::Fence)
        .map(|row| row.format)
        .find(|format| {
            matches!(format, Format::S | Format::FpStore | Format::B | Format::U | Format::J | Format::Bare)
                || *format == Format::Amo
        })
        .unwrap_or(Format::I)
}
