//! Instructions that lead elsewhere: branches, jumps, calls, returns, in all the ways in which an assembler takes them.

use isa::table::Op;

use super::operands::address;
use super::places::{parse, Register, RA, ZERO};

/// Where control goes behind an instruction, or what else matters of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// On to the next one.
    Plain,
    /// A conditional branch to a label.
    Branch(Comparison, String),
    /// A jump to a label.
    Jump(String),
    Return,
    /// A call of a function by its name.
    Call(String),
    /// A call of a function whose address is in a register.
    CallIndirect(Register),
    /// Stands before each of those: chooses among the addresses that lanes have in that register.
    Choice(Register),
    /// BAR.
    Barrier,
    /// SPLIT, JOIN or PRED, which somebody has written by hand.
    ByHand,
    /// `.loc` and such.
    Directive,
}

/// The comparison of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    pub op: Op,
    pub left: Register,
    pub right: Register,
}

/// Branches that the assembler makes of others: the instruction, whether the operands change places, whether the second
/// one is x0.
const BRANCHES: &[(&str, Op, bool, bool)] = &[
    ("bgt", Op::Blt, true, false),
    ("ble", Op::Bge, true, false),
    ("bgtu", Op::Bltu, true, false),
    ("bleu", Op::Bgeu, true, false),
    ("beqz", Op::Beq, false, true),
    ("bnez", Op::Bne, false, true),
    ("bltz", Op::Blt, false, true),
    ("bgez", Op::Bge, false, true),
    ("bgtz", Op::Blt, true, true),
    ("blez", Op::Bge, true, true),
];

/// The comparison of a branch, and the label that it leads to.
pub fn branch<'a>(mnemonic: &str, words: &[&'a str]) -> Option<(Comparison, &'a str)> {
    let known = Op::named(mnemonic).filter(|op| op.is_branch());
    let (op, swapped, with_zero) = match known {
        Some(op) => (op, false, false),
        None => BRANCHES.iter().find(|row| row.0 == mnemonic).map(|row| (row.1, row.2, row.3))?,
    };
    let left = parse(words.first()?)?;
    let (right, target) =
        if with_zero { (ZERO, words.get(1)?) } else { (parse(words.get(1)?)?, words.get(2)?) };
    let (left, right) = if swapped { (right, left) } else { (left, right) };
    Some((Comparison { op, left, right }, target))
}

/// What a jump, a call or a return is; nothing if its target is not known.
pub fn jump(mnemonic: &str, words: &[&str]) -> Option<Kind> {
    let call = |symbol: &str| Kind::Call(symbol.trim_end_matches("@plt").into());
    Some(match (mnemonic, words) {
        ("ret", []) => Kind::Return,
        ("j", [target]) => Kind::Jump((*target).into()),
        ("call" | "jal", [symbol]) => call(symbol),
        ("jr", [target]) if parse(target) == Some(RA) => Kind::Return,
        ("jal", [link, target]) if parse(link) == Some(ZERO) => Kind::Jump((*target).into()),
        ("jal", [link, symbol]) if parse(link) == Some(RA) => call(symbol),
        ("jalr", [link, rest @ ..]) => {
            let (link, target) = match (rest, parse(link)) {
                ([], _) => (RA, address(link).1.or(parse(link))?),
                ([target] | [target, "0"], Some(link)) => match address(target) {
                    ("" | "0", Some(base)) => (link, base),
                    _ => (link, parse(target)?),
                },
                _ => return None,
            };
            match (link, target) {
                (ZERO, RA) => Kind::Return,
                (RA, target) => Kind::CallIndirect(target),
                _ => return None,
            }
        }
        _ => return None,
    })
}
