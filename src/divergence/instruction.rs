//! One instruction of the assembly: what it reads and writes, and where it leads.

use isa::table::Op;
use isa::{csr, decode};

use super::control::{branch, jump, Kind};
use super::operands::{address, number, split};
use super::places::{parse, Places, Register, SP, ZERO};
use super::{Convention, Error, Location};

/// What a load or store reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// The register that the address is computed from.
    pub base: Option<Register>,
    /// What is added to it, if that is a number.
    pub offset: Option<i32>,
    /// The register that is stored.
    pub stored: Option<Register>,
    /// Whether it is a whole word.
    pub whole: bool,
}

/// An instruction, or a directive that belongs to the instructions around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// As the assembler takes it.
    pub text: String,
    /// The source line that it is of.
    pub at: Location,
    pub kind: Kind,
    /// Registers that it writes.
    pub defs: Places,
    /// Registers that it reads.
    pub uses: Places,
    pub access: Option<Access>,
    /// Whether it reads something that is a lane's own without reading a register: a CSR.
    pub per_lane: bool,
    /// Whether its result is the same in all lanes whatever it reads: the source says so, or it is a vote.
    pub uniform: bool,
    /// Whether its result is 0 or 1.
    pub boolean: bool,
    /// How its result is made, if that is linear.
    pub linear: Option<Linear>,
}

/// A result that is linear in its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linear {
    /// A register with or without a constant, which may be a number.
    Offset(Register, Option<i32>),
    /// A register times that.
    Multiple(Register, u32),
    /// Two registers.
    Sum(Register, Register),
    /// A register less another one.
    Difference(Register, Register),
}

/// Pseudo-instructions whose first operand is written and whose other ones are read.
const WRITING: &[&str] = &[
    "li",
    "la",
    "lla",
    "mv",
    "move",
    "not",
    "neg",
    "seqz",
    "snez",
    "sltz",
    "sgtz",
    "sgt",
    "sgtu",
    "zext.b",
    "sext.b",
    "sext.h",
    "zext.h",
    "fmv.s",
    "fabs.s",
    "fneg.s",
    "fgt.s",
    "fge.s",
    "fmv.x.s",
    "fmv.s.x",
    "csrr",
    "rdcycle",
    "rdcycleh",
    "rdinstret",
    "rdinstreth",
    "rdtime",
    "rdtimeh",
    "frcsr",
    "frrm",
    "frflags",
];
/// Pseudo-instructions that only read.
const READING: &[&str] = &["nop", "csrw", "csrs", "csrc", "csrwi", "csrsi", "csrci"];
/// Pseudo-instructions that write their first operand if they have two.
const EXCHANGING: &[&str] = &["fscsr", "fsrm", "fsflags"];
/// Instructions whose result is 0 or 1.
const BOOLEAN: &[&str] = &[
    "slt", "sltu", "slti", "sltiu", "seqz", "snez", "sgtz", "sltz", "sgt", "sgtu", "feq.s", "flt.s", "fle.s",
    "fgt.s", "fge.s",
];
impl Instruction {
    /// A directive, or what has no operands.
    pub fn bare(text: &str, at: &Location, kind: Kind) -> Self {
        Self {
            text: text.into(),
            at: at.clone(),
            kind,
            defs: Places::NONE,
            uses: Places::NONE,
            access: None,
            per_lane: false,
            uniform: false,
            boolean: false,
            linear: None,
        }
    }

    /// Reads one statement.
    ///
    /// # Errors
    /// An instruction that is not known, or one that leads nobody knows where.
    pub fn parse(text: &str, at: &Location, function: &str, convention: Convention) -> Result<Self, Error> {
        let fail = |what: String| Error { at: at.clone(), function: function.into(), what };
        let (mnemonic, operands) = split(text);
        let words: Vec<&str> = operands.iter().map(String::as_str).collect();
        let registers: Vec<Option<Register>> = words.iter().map(|word| parse(word)).collect();
        let mut this = Self::bare(text, at, Kind::Plain);
        if let Some((comparison, target)) = branch(mnemonic, &words) {
            this.uses = Places::of(&[comparison.left, comparison.right]);
            this.kind = Kind::Branch(comparison, target.into());
            return Ok(this);
        }
        if let Some(kind) = jump(mnemonic, &words) {
            if let Kind::CallIndirect(target) = kind {
                this.uses = Places::one(target);
            }
            if matches!(kind, Kind::Call(_) | Kind::CallIndirect(_)) {
                this.defs = convention.clobbered();
                this.uses |= convention.arguments | Places::one(SP);
            }
            this.kind = kind;
            return Ok(this);
        }
        match mnemonic {
            "tail" | "jr" | "jalr" | "jal" => {
                let what = "a jump whose target is not known here: it comes from a jump table, a computed goto or a call \
                            at the end of a function; compile with -fno-jump-tables -fno-optimize-sibling-calls";
                return Err(fail(format!("{text}: {what}")));
            }
            ".insn" | ".word" | ".4byte" | ".long" => {
                return this.numeric(mnemonic, &words).ok_or_else(|| {
                    fail(format!("{text}: only instructions whose numbers are written out are understood"))
                });
            }
            _ => {}
        }
        let known = Op::named(mnemonic).or_else(|| Op::ordered(mnemonic).map(|(op, _)| op));
        let writes = match known {
            Some(op) => op.writes_rd(),
            None if WRITING.contains(&mnemonic) => true,
            None if EXCHANGING.contains(&mnemonic) => words.len() == 2,
            None if READING.contains(&mnemonic) => false,
            None => {
                return Err(fail(format!(
                    "{text}: an unknown instruction; the core has RV32IMF, Zicsr, Zicond and Zaamo"
                )))
            }
        };
        if let Some(op) = known {
            this.kind = kind_of(op);
            if op.is_load() || op.is_store() {
                let (offset, base) = address(words.get(1).copied().unwrap_or_default());
                if words.len() != 2 {
                    return Err(fail(format!("{text}: a store to a symbol changes a register of its own; compute the address first")));
                }
                let stored = op.is_store().then(|| registers[0]).flatten();
                let whole = matches!(op, Op::Lw | Op::Sw | Op::Flw | Op::Fsw);
                this.uses |= base.map_or(Places::NONE, Places::one);
                this.access = Some(Access { base, offset: number(offset), stored, whole });
            }
        }
        let compares = known.is_some_and(|op| op.reads_rs3() && op.is_atomic());
        if known.is_some_and(Op::is_atomic) {
            let base = words.get(2).and_then(|word| address(word).1);
            this.uses |= Places::one(base.ok_or_else(|| fail(format!("{text}: no address in a register")))?);
        }
        let used = if writes && !compares { registers.get(1..).unwrap_or_default() } else { &registers[..] };
        this.uses |= used.iter().flatten().copied().collect();
        if writes {
            this.defs =
                registers.first().copied().flatten().into_iter().collect::<Places>() - Places::one(ZERO);
        }
        // Lanes find in one word what others have left there.
        let atomic = known.is_some_and(Op::is_atomic);
        this.per_lane = reads_own_csr(mnemonic, known, &words) || atomic;
        this.uniform = known.is_some_and(is_vote);
        this.boolean = BOOLEAN.contains(&mnemonic) || mnemonic == "andi" && words.get(2) == Some(&"1");
        let operand = |index: usize| registers.get(index).copied().flatten();
        let constant = words.get(2).and_then(|word| number(word));
        let shift = constant.filter(|shift| (0..32).contains(shift));
        this.linear = match (mnemonic, operand(1), operand(2), shift) {
            ("mv" | "move" | "addi" | "add", Some(from), None, _) => Some(Linear::Offset(from, constant)),
            ("slli" | "sll", Some(from), None, Some(shift)) => Some(Linear::Multiple(from, 1 << shift)),
            ("neg", Some(from), ..) => Some(Linear::Multiple(from, u32::MAX)),
            ("add", Some(left), Some(right), _) => Some(Linear::Sum(left, right)),
            ("sub", Some(left), Some(right), _) => Some(Linear::Difference(left, right)),
            _ => None,
        };
        Ok(this)
    }

    /// An instruction that is given by its fields or by its word.
    fn numeric(mut self, mnemonic: &str, words: &[&str]) -> Option<Self> {
        let word =
            if mnemonic == ".insn" { fields(words)? } else { words.first().and_then(|w| number(w))? as u32 };
        if mnemonic != ".insn" && words.len() != 1 {
            return None;
        }
        let op = decode(word)?;
        let format = op.format();
        self.kind = kind_of(op);
        if matches!(op, Op::Jal | Op::Jalr) || op.is_branch() || op.is_load() || op.is_store() {
            return None;
        }
        self.uses = format.sources(word).into_iter().flatten().collect();
        self.defs = format.rd(word).into_iter().collect::<Places>() - Places::one(ZERO);
        self.per_lane = op.csr(word).is_some_and(is_own) || op.is_atomic();
        self.uniform = is_vote(op);
        Some(self)
    }

    /// Whether it ends a basic block.
    pub fn ends_block(&self) -> bool {
        matches!(self.kind, Kind::Branch(..) | Kind::Jump(_) | Kind::Return)
    }

    pub fn is_call(&self) -> bool {
        matches!(self.kind, Kind::Call(_) | Kind::CallIndirect(_))
    }
}

/// Whether all active lanes get one result.
fn is_vote(op: Op) -> bool {
    matches!(op, Op::VoteAll | Op::VoteAny | Op::VoteUni | Op::VoteBallot)
}

fn kind_of(op: Op) -> Kind {
    match op {
        Op::Split | Op::Join | Op::Pred => Kind::ByHand,
        Op::Bar => Kind::Barrier,
        _ => Kind::Plain,
    }
}

/// An instruction of three registers, which the assembler may not know by its name: `rd`, `rs1` and `rs2`.
pub fn by_number(op: Op, [rd, rs1, rs2]: [&str; 3]) -> String {
    let bits = op.info().bits;
    format!(".insn r {:#04x}, {}, {}, {rd}, {rs1}, {rs2}", bits & 0x7f, bits >> 12 & 7, bits >> 25)
}

/// The word of `.insn r OPCODE, FUNCT3, FUNCT7, RD, RS1, RS2`.
fn fields(words: &[&str]) -> Option<u32> {
    let [first, funct3, funct7, rd, rs1, rs2] = words else { return None };
    let opcode = number(first.strip_prefix('r')?.trim()).or((first.ends_with("CUSTOM_0")).then_some(0x0b))?;
    let register = |text: &str| parse(text).map(|register| register as u32 & 31);
    let fields = [
        (number(funct7)? as u32, 25),
        (register(rs2)?, 20),
        (register(rs1)?, 15),
        (number(funct3)? as u32, 12),
        (register(rd)?, 7),
        (opcode as u32, 0),
    ];
    Some(fields.into_iter().fold(0, |word, (field, at)| word | field << at))
}

/// Whether a CSR instruction gives each lane a value of its own; one that is not known may.
fn reads_own_csr(mnemonic: &str, op: Option<Op>, words: &[&str]) -> bool {
    let named = match op {
        Some(op) if matches!(op.format(), isa::Format::Csr | isa::Format::CsrImm) => words.get(1),
        None if mnemonic == "csrr" => words.get(1),
        _ => return false,
    };
    let name = named.copied().unwrap_or_default();
    csr::parse(name).or_else(|| number(name).map(|number| number as u16)).is_none_or(is_own)
}

fn is_own(number: u16) -> bool {
    csr::lookup(number).is_none_or(|row| row.per_lane)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// GCC writes the address of an atomic instruction with an offset of 0, others without.
    #[test]
    fn atomic_instructions_read_their_address() {
        let [a0, a1, a2] = [10, 11, 12];
        for (text, uses) in [
            ("amoadd.w a0, a1, 0(a2)", &[a1, a2][..]),
            ("amoadd.w.aqrl a0, a1, (a2)", &[a1, a2]),
            ("amoswap.w zero, a1, 0(a1)", &[a1]),
            ("amocas.w a0, a1, (a2)", &[a0, a1, a2]),
            (".insn r 0x2f, 2, 0x14, a0, a1, a2", &[a0, a1, a2]),
        ] {
            let parsed = Instruction::parse(text, &Location::default(), "f", Convention::default()).unwrap();
            assert_eq!(parsed.uses, uses.iter().copied().collect(), "{text}");
            assert_eq!(
                parsed.defs,
                Places::of(&[a0]) - Places::one(if text.contains("zero") { a0 } else { ZERO })
            );
        }
        let text = "amoadd.w a0, a1, a2";
        assert!(Instruction::parse(text, &Location::default(), "f", Convention::default()).is_err());
    }
}
