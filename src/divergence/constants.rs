//! Which registers hold a constant, the same whichever way a lane has come: where lanes meet again, such a register does not
//! differ between them, though each side of a branch has loaded it for itself.

use std::collections::HashMap;

use isa::reg::REGISTERS;
use isa::table::{Op, Unit};

use super::control::Kind;
use super::graph::Graph;
use super::instruction::Instruction;
use super::operands::split;
use super::places::{parse, Places, Register, ZERO};

/// A constant by its number among those of a function; 0 is none.
type Constant = u32;
const NONE: Constant = 0;

/// Pseudo-instructions that load a constant or copy a register.
const LOADING: &[&str] = &["li", "la", "lla", "mv"];

/// The constants in all registers.
type State = [Constant; REGISTERS];

/// The constants that are in registers at the head of each block.
#[derive(Debug)]
pub struct Constants {
    /// `None` of what no way leads to.
    before: Vec<Option<State>>,
}

impl Constants {
    pub fn new(graph: &Graph) -> Self {
        let mut before = vec![None; graph.blocks.len()];
        before[graph.entry] = Some([NONE; REGISTERS]);
        let mut known = HashMap::new();
        let mut work = vec![graph.entry];
        while let Some(block) = work.pop() {
            let Some(mut state) = before[block] else { continue };
            for instruction in &graph.blocks[block].code {
                step(instruction, &mut state, &mut known);
            }
            for &to in &graph.succs[block] {
                let met = before[to].map_or(state, |other| met(&other, &state));
                if before[to] != Some(met) {
                    before[to] = Some(met);
                    work.push(to);
                }
            }
        }
        Self { before }
    }

    /// The registers that hold constants at the head of a block.
    pub fn at(&self, block: usize) -> Places {
        let Some(state) = &self.before[block] else { return Places::NONE };
        (0..REGISTERS).filter(|&register| state[register] != NONE).collect()
    }
}

/// What holds by both of two ways.
fn met(one: &State, other: &State) -> State {
    let mut met = *one;
    for (constant, other) in met.iter_mut().zip(other) {
        if constant != other {
            *constant = NONE;
        }
    }
    met
}

fn step(instruction: &Instruction, state: &mut State, known: &mut HashMap<String, Constant>) {
    let made = made(instruction, state);
    instruction.defs.registers().for_each(|defined| state[defined] = NONE);
    if let Some((register, made)) = made {
        let next = known.len() as Constant + 1;
        state[register] = *known.entry(made).or_insert(next);
    }
}

/// The register to which an instruction loads a constant, and how that is made.
fn made(instruction: &Instruction, state: &State) -> Option<(Register, String)> {
    let (mnemonic, operands) = split(&instruction.text);
    let computes = Op::named(mnemonic).is_some_and(|op| matches!(op.info().unit, Unit::Alu | Unit::MulDiv));
    let simple = instruction.kind == Kind::Plain && (computes || LOADING.contains(&mnemonic));
    let register = instruction.defs.registers().next().filter(|_| simple)?;
    let mut made = format!("{mnemonic} ");
    for operand in operands.get(1..)? {
        match parse(operand) {
            Some(ZERO) => made += "0",
            Some(source) if state[source] == NONE => return None,
            Some(source) => made += &format!("#{}", state[source]),
            None => made += operand,
        }
        made.push(',');
    }
    Some((register, made))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::File;
    use crate::Convention;

    /// The registers with constants where the function returns.
    fn at_return(body: &str) -> Places {
        let text = format!(".type f, @function\nf:\n{body}\n9: ret\n.size f, .-f\n");
        let file = File::parse("f.s", &text, Convention::default()).unwrap();
        let graph = Graph::new(file.functions().next().unwrap()).unwrap();
        let labelled =
            graph.blocks.iter().position(|block| block.labels.iter().any(|label| label.contains('9')));
        Constants::new(&graph).at(labelled.unwrap())
    }

    #[test]
    fn a_constant_is_one_whichever_way_it_was_loaded() {
        let [a1, a2] = [11, 12];
        for (body, constants) in [
            ("beqz a0, 1f\nlui a1, %hi(x)\nj 9f\n1: lui a1, %hi(x)", &[a1][..]),
            ("beqz a0, 1f\nlui a1, %hi(x)\naddi a1, a1, %lo(x)\nj 9f\n1: lui a2, %hi(x)\naddi a1, a2, %lo(x)", &[a1]),
            ("beqz a0, 1f\nli a1, 4\nj 9f\n1: li a1, 5", &[]),
            ("beqz a0, 9f\nli a1, 4", &[]),
            ("li a1, 4\nbeqz a0, 9f\nli a2, 4", &[a1]),
            ("li a1, 4\nli a2, 4\nbeqz a0, 9f\naddi a1, a1, 0", &[a2]),
            ("li a1, 4\nlw a1, 0(a1)\ncsrr a2, mcycle", &[]),
            ("li a1, 4\nli a2, 4\n1: addi a1, a1, 1\nbnez a0, 1b", &[a2]),
        ] {
            let found = at_return(body) & Places::of(&[a1, a2]);
            assert_eq!(found, Places::of(constants), "{body}");
        }
    }
}
