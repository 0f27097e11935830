//! Short ways past a few instructions without side effects, or by one such way or another: all lanes compute them, and each
//! chooses (Zicond).
//!
//! `if (c) x = y + 1;` is a branch past one instruction, and SPLIT and JOIN cost more than that. Compilers that know Zicond
//! do the same.

use isa::reg;
use isa::table::{Op, Unit};

use super::control::{Comparison, Kind};
use super::graph::{Blocks, Graph};
use super::homes::{FIXED, SCRATCH};
use super::instruction::{by_number, Instruction};
use super::liveness::Liveness;
use super::operands::split;
use super::places::{name, parse, Places, Register, ZERO};
use super::{Convention, Error, Location};

/// The most instructions that are worth it, and of these the most whose results somebody needs behind them.
const INSTRUCTIONS: usize = 4;
const RESULTS: usize = 2;

/// A branch that is gone.
#[derive(Clone, Debug)]
pub struct Chosen {
    pub at: Location,
    pub text: String,
}

/// Replaces what it can of the divergent branches of a function.
///
/// # Errors
/// None that could come of instructions that were there before.
pub fn convert(
    graph: &mut Graph,
    divergent: &Blocks,
    convention: Convention,
    function: &str,
) -> Result<Vec<Chosen>, Error> {
    let mut chosen = vec![];
    let mut liveness = Liveness::new(graph, convention);
    for &block in divergent {
        let Some((meeting, code)) = choice(graph, &liveness, block) else { continue };
        let Some(branch) = graph.blocks[block].last().cloned() else { continue };
        let instructions = code
            .iter()
            .map(|text| Instruction::parse(text, &branch.at, function, convention))
            .collect::<Result<Vec<_>, _>>()?;
        let own = &mut graph.blocks[block].code;
        own.retain(|instruction| instruction != &branch);
        own.extend(instructions);
        graph.bypass(block, meeting);
        liveness.update(graph, block);
        chosen.push(Chosen { at: branch.at, text: branch.text.replace('\t', " ") });
    }
    if !chosen.is_empty() {
        *graph = Graph::of(std::mem::take(&mut graph.blocks), std::mem::take(&mut graph.leads));
    }
    Ok(chosen)
}

/// Where the lanes of a branch meet behind short blocks, and the code in the place of branch and blocks; nothing if there are
/// no such blocks, or no registers for it.
fn choice(graph: &Graph, liveness: &Liveness, block: usize) -> Option<(usize, Vec<String>)> {
    let (taken, follow) = graph.ways(block)?;
    let meeting = |side: usize| match graph.leads[side][..] {
        [meeting] if graph.preds[side] == [block] && meeting != graph.exit => Some(meeting),
        _ => None,
    };
    let meets = meeting(follow)?;
    let orders = match meeting(taken) {
        _ if meets == taken => vec![(None, follow)],
        Some(other) if other == meets => vec![(Some(taken), follow), (Some(follow), taken)],
        _ => return None,
    };
    orders
        .into_iter()
        .find_map(|(all, some)| Some((meets, chosen(graph, liveness, block, all, some, meets)?)))
}

/// The instructions of a side, if they are few enough and have no other effect than their results.
fn short(graph: &Graph, side: usize) -> Option<Vec<&Instruction>> {
    let does = |instruction: &&Instruction| !matches!(instruction.kind, Kind::Directive | Kind::Jump(_));
    let code: Vec<&Instruction> = graph.blocks[side].code.iter().filter(does).collect();
    (code.len() <= INSTRUCTIONS && code.iter().all(|instruction| is_pure(instruction))).then_some(code)
}

/// The code if the side `all`, where there are two, is computed by all lanes as it stands, and behind it the side `some` into
/// other registers, from which the lanes take the results that would have run it.
fn chosen(
    graph: &Graph,
    liveness: &Liveness,
    block: usize,
    all: Option<usize>,
    some: usize,
    meeting: usize,
) -> Option<Vec<String>> {
    let Kind::Branch(comparison, _) = graph.blocks[block].last()?.kind.clone() else { return None };
    let first = all.map_or(Some(vec![]), |side| short(graph, side))?;
    let code = short(graph, some)?;
    let defined =
        |code: &[&Instruction]| code.iter().fold(Places::NONE, |all, instruction| all | instruction.defs);
    let results: Vec<Register> = (defined(&code) & liveness.at(meeting)).registers().collect();
    // Whoever runs `some` needs what was before `all`, there and behind it.
    let needed = liveness.at(some) | (liveness.at(meeting) - defined(&code));
    if results.len() > RESULTS || defined(&first).meets(needed) {
        return None;
    }
    let written = defined(&first) | defined(&code);
    let branch = graph.blocks[block].last()?;
    let mentioned = first
        .iter()
        .chain(&code)
        .fold(branch.uses, |all, instruction| all | instruction.uses | instruction.defs);
    let taken = FIXED | liveness.at(meeting) | liveness.at(some) | mentioned;
    let dead = (0..reg::COUNT).filter(|&register| !taken.contains(register) && !SCRATCH.contains(&register));
    let mut free = dead.chain(SCRATCH.into_iter().filter(|&register| !used_anywhere(graph, register)));

    let mut text = vec![];
    let (condition, follows_if_set) = condition(comparison, written, &mut free, &mut text)?;
    let runs_if_set = follows_if_set == (graph.ways(block)?.1 == some);
    text.extend(first.iter().map(|instruction| instruction.text.clone()));
    // What somebody needs behind is computed into other registers.
    let mut renamed: Vec<(Register, Register)> = vec![];
    for instruction in &code {
        let used = rename(&instruction.text, &renamed, 1);
        let defined = instruction.defs.registers().next()?;
        if results.contains(&defined) {
            let to = match renamed.iter().find(|(from, _)| *from == defined) {
                Some(&(_, to)) => to,
                None => free.next()?,
            };
            renamed.retain(|(from, _)| *from != defined);
            renamed.push((defined, to));
        }
        text.push(rename(&used, &renamed, 0));
    }
    for (to, from) in renamed {
        let (to, from, condition) = (name(to), name(from), name(condition));
        let (keep, drop) =
            if runs_if_set { (Op::CzeroEqz, Op::CzeroNez) } else { (Op::CzeroNez, Op::CzeroEqz) };
        text.push(by_number(keep, [from, from, condition]));
        text.push(by_number(drop, [to, to, condition]));
        text.push(format!("or {to}, {to}, {from}"));
    }
    Some(text)
}

/// Whether an instruction does nothing but compute one integer from others, and soon.
fn is_pure(instruction: &Instruction) -> bool {
    let (mnemonic, _) = split(&instruction.text);
    let simple = match Op::named(mnemonic) {
        Some(op) => {
            matches!(op.info().unit, Unit::Alu | Unit::MulDiv)
                && !matches!(op, Op::Div | Op::Divu | Op::Rem | Op::Remu)
        }
        None => ["li", "mv", "not", "neg", "seqz", "snez", "sgtz", "sltz"].contains(&mnemonic),
    };
    let one = instruction.defs.registers().count() == 1 && !instruction.defs.meets(FIXED);
    simple && one && instruction.kind == Kind::Plain && !instruction.uniform
}

/// A register that is not 0 in lanes that do not branch, or, if that is not so, 0 in these.
fn condition(
    comparison: Comparison,
    written: Places,
    free: &mut dyn Iterator<Item = Register>,
    text: &mut Vec<String>,
) -> Option<(Register, bool)> {
    let Comparison { op, left, right } = comparison;
    let (left, right) = if left == ZERO { (right, left) } else { (left, right) };
    let equality = matches!(op, Op::Beq | Op::Bne);
    let runs_if_set = matches!(op, Op::Beq | Op::Bge | Op::Bgeu);
    if equality && right == ZERO && !written.contains(left) {
        return Some((left, runs_if_set));
    }
    let compare = match op {
        Op::Beq | Op::Bne => "sub",
        Op::Blt | Op::Bge => "slt",
        _ => "sltu",
    };
    let (left, right) = if equality { (left, right) } else { (comparison.left, comparison.right) };
    let to = free.next()?;
    text.push(format!("{compare} {}, {}, {}", name(to), name(left), name(right)));
    Some((to, runs_if_set))
}

/// A statement with some of its registers replaced: the first operand, or all behind it.
fn rename(text: &str, renamed: &[(Register, Register)], first: usize) -> String {
    let (mnemonic, operands) = split(text);
    let replaced = |(index, word): (usize, &String)| {
        let wanted = if first == 0 { index == 0 } else { index > 0 };
        let register = parse(word).filter(|_| wanted);
        let to = register.and_then(|register| renamed.iter().find(|(from, _)| *from == register));
        to.map_or_else(|| word.clone(), |&(_, to)| name(to).to_owned())
    };
    let operands: Vec<String> = operands.iter().enumerate().map(replaced).collect();
    format!("{mnemonic} {}", operands.join(", "))
}

fn used_anywhere(graph: &Graph, register: Register) -> bool {
    let mut code = graph.blocks.iter().flat_map(|block| &block.code);
    code.any(|instruction| !instruction.is_call() && (instruction.defs | instruction.uses).contains(register))
}

#[cfg(test)]
mod tests {
    use crate::{mark, Convention, Verdict};

    fn marked(body: &str) -> (String, Vec<Verdict>) {
        let text = format!(".globl f\n.type f, @function\nf:\n{body}\n.size f, .-f\n");
        let marked = mark("f.s", &text, Convention::default()).unwrap();
        (marked.text, marked.branches.iter().map(|branch| branch.verdict).collect())
    }

    /// `if (a0 < a1) a0 = a1;`, of which the sum is computed in another register.
    #[test]
    fn a_short_way_is_chosen() {
        let (text, verdicts) = marked("bge a0, a1, 1f\naddi a0, a1, 4\n1: sw a0, 0(a2)\nret");
        assert_eq!(verdicts, [Verdict::Select]);
        for line in ["slt t0, a0, a1", "addi t1, a1, 4", ".insn r 0x33, 5, 7, t1, t1, t0", "or a0, a0, t1"] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(!text.contains("SPLIT"), "{text}");
    }

    /// `a0 = a0 < a1 ? 31 : a0 & a2`: the side that reads a0 comes first, whichever it is.
    #[test]
    fn of_two_short_ways_one_is_chosen() {
        let meeting = "2: sw a0, 0(a3)\nret";
        for (body, select) in [
            (format!("bge a0, a1, 1f\nli a0, 31\nj 2f\n1: and a0, a0, a2\n{meeting}"), "5, 7, t1, t1, t0"),
            (format!("blt a0, a1, 1f\nand a0, a0, a2\nj 2f\n1: li a0, 31\n{meeting}"), "5, 7, t1, t1, t0"),
            (format!("blt a1, a0, 1f\nand a0, a0, a2\nj 2f\n1: li a0, 31\n{meeting}"), "5, 7, t1, t1, t0"),
        ] {
            let (text, verdicts) = marked(&body);
            assert_eq!(verdicts, [Verdict::Select], "{text}");
            let all = text.find("and a0, a0, a2").unwrap();
            assert!(text.find("slt t0").unwrap() < all && all < text.find("li t1, 31").unwrap(), "{text}");
            assert!(text.contains(select), "{text}");
        }
        // Each side reads what the other one writes, or leaves alone what it writes.
        for body in [
            "bge a0, a1, 1f\naddi a0, a2, 1\naddi a2, a4, 1\nj 2f\n1: addi a2, a0, 2\n2: sw a2, 4(a3)\nsw a0, 0(a3)\nret",
            "bge a0, a1, 1f\naddi a4, a2, 1\nj 2f\n1: addi a5, a2, 2\n2: sw a4, 4(a3)\nsw a5, 0(a3)\nret",
        ] {
            assert_eq!(marked(body).1, [Verdict::Split], "{body}");
        }
    }

    /// The second instruction reads what the first one has made.
    #[test]
    fn what_is_renamed_is_read_under_its_new_name() {
        let (text, _) = marked("beqz a3, 1f\nadd a0, a0, a1\nslli a0, a0, 1\n1: sw a0, 0(a2)\nret");
        assert!(text.contains("add t0, a0, a1\n\tslli t0, t0, 1\n"), "{text}");
    }

    #[test]
    fn nothing_is_computed_that_others_see_or_that_takes_long() {
        for side in [
            "sw a1, 0(a2)",
            "lw a0, 0(a1)",
            "div a0, a0, a1",
            "call g",
            "fence",
            "csrr a0, mcycle",
            "amoadd.w a0, a1, (a2)",
            ".insn r 0x2f, 2, 0x14, a0, a1, a2",
        ] {
            let (text, verdicts) = marked(&format!("beqz a3, 1f\n{side}\n1: sw a0, 0(a4)\nret"));
            assert_eq!(verdicts, [Verdict::Split], "{side}: {text}");
        }
    }
}
