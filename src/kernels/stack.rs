//! How much of its stack a thread may need, as far as the code of a program shows it.

use std::collections::{BTreeMap, BTreeSet};

use divergence::BODY_OF;
use isa::table::Op;
use isa::{decode, format};
use loader::Executable;

const SP: usize = 2;
/// Points behind the frames of what divergence needs, which grow from the low end of the stack.
const TP: usize = 4;
/// Calls within one another that are looked at.
const MOST_LEVELS: usize = 1000;

/// The functions of a program that need most, each called by the one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Chain {
    /// The bytes of all their frames.
    pub bytes: u32,
    /// Each function with the bytes of its frame.
    functions: Vec<(String, u32)>,
}

impl std::fmt::Display for Chain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let frames = self.functions.iter().filter(|(_, bytes)| *bytes > 0);
        let shown = |(name, bytes): &(String, u32)| format!("{} {bytes}", name.trim_start_matches(BODY_OF));
        f.write_str(&frames.map(shown).collect::<Vec<_>>().join(", "))
    }
}

/// A function: the bytes by which it moves the stack pointer down and the other frames' pointer up, and whom it calls with its
/// frame in place, or in its stead.
struct Function {
    name: String,
    frame: u32,
    calls: BTreeSet<u32>,
    jumps: BTreeSet<u32>,
}

/// What needs most. A function that calls itself counts once; calls by a pointer and arrays whose length is computed do not
/// count.
pub(super) fn deepest(program: &Executable) -> Chain {
    let read = |symbol: &loader::Symbol| {
        let words = program.words(symbol.address, symbol.address.checked_add(symbol.size)?)?;
        Some((symbol.address, Function::of(&symbol.name, symbol.address, &words)))
    };
    let functions: BTreeMap<u32, Function> = program.functions().filter_map(read).collect();
    let (mut known, mut deepest) = (BTreeMap::new(), Chain::default());
    for &address in functions.keys() {
        let chain = below(&functions, address, 0, &mut known);
        if chain.bytes > deepest.bytes {
            deepest = chain;
        }
    }
    deepest
}

/// The deepest chain that begins with a function, which `level` others call one another before. Those that are being looked
/// at are known with an empty one.
fn below(
    functions: &BTreeMap<u32, Function>,
    address: u32,
    level: usize,
    known: &mut BTreeMap<u32, Chain>,
) -> Chain {
    if let Some(chain) = known.get(&address) {
        return chain.clone();
    }
    let Some(function) = functions.get(&address).filter(|_| level < MOST_LEVELS) else {
        return Chain::default();
    };
    known.insert(address, Chain::default());
    let own = (function.name.clone(), function.frame);
    let mut deepest = Chain { bytes: function.frame, functions: vec![own.clone()] };
    for (others, frame) in [(&function.calls, function.frame), (&function.jumps, 0)] {
        for &other in others {
            let chain = below(functions, other, level + 1, known);
            if chain.bytes + frame > deepest.bytes {
                let first = (own.0.clone(), frame);
                let functions = [first].into_iter().chain(chain.functions).collect();
                deepest = Chain { bytes: chain.bytes + frame, functions };
            }
        }
    }
    known.insert(address, deepest.clone());
    deepest
}

impl Function {
    fn of(name: &str, address: u32, words: &[u32]) -> Self {
        let (mut calls, mut jumps) = (BTreeSet::new(), BTreeSet::new());
        // What registers hold, where the code alone says it; and by how much the two pointers are nearer to one another than
        // when it began. Behind the first way out of a function, it begins anew.
        let mut value: [Option<u32>; 32] = [None; 32];
        let (mut frame, mut depth) = (0, 0_i64);
        for (at, &word) in (address..).step_by(4).zip(words) {
            let Some(op) = decode(word) else { continue };
            let (rd, rs1, rs2) = (format::rd(word), format::rs1(word), format::rs2(word));
            let imm = op.imm(word);
            let target = match op {
                Op::Jal => Some(at.wrapping_add(imm)),
                Op::Jalr => value[rs1].map(|base| base.wrapping_add(imm)),
                _ => None,
            };
            let within = |target: &u32| (address..address + 4 * words.len() as u32).contains(target);
            match target.filter(|target| !within(target) || rd != 0) {
                Some(target) if rd == 0 => drop(jumps.insert(target)),
                Some(target) => drop(calls.insert(target)),
                None => {}
            }
            let moved = match op {
                Op::Addi if (rd, rs1) == (SP, SP) => Some(imm as i32),
                // Where its value is known, an address is put together.
                Op::Addi if (rd, rs1) == (TP, TP) && value[TP].is_none() => Some((imm as i32).wrapping_neg()),
                Op::Add if (rd, rs1) == (SP, SP) => value[rs2].map(|by| by as i32),
                Op::Sub if (rd, rs1) == (SP, SP) => value[rs2].map(|by| (by as i32).wrapping_neg()),
                _ => None,
            };
            depth = (depth - i64::from(moved.unwrap_or(0))).max(0);
            frame = frame.max(depth);
            let computed = match op {
                Op::Lui => Some(imm),
                Op::Auipc => Some(at.wrapping_add(imm)),
                Op::Addi => value[rs1].map(|base| base.wrapping_add(imm)),
                _ => None,
            };
            if let Some(register) = op.format().rd(word).filter(|&register| register < value.len()) {
                value[register] = computed;
            }
            value[0] = Some(0);
        }
        Self { name: name.into(), frame: frame.try_into().unwrap_or(u32::MAX), calls, jumps }
    }
}

#[cfg(test)]
mod tests {
    use isa::{encode, Operands};

    use super::*;

    const BASE: u32 = 0x8000_0000;

    fn of(code: &[(Op, Operands)]) -> Function {
        let words: Vec<u32> = code.iter().map(|&(op, operands)| encode(op, operands).unwrap()).collect();
        Function::of("f", BASE, &words)
    }

    fn immediate(rd: usize, rs1: usize, imm: i32) -> (Op, Operands) {
        (Op::Addi, Operands { rd, rs1, imm: imm as u32, ..Operands::default() })
    }

    fn upper(op: Op, rd: usize, imm: u32) -> (Op, Operands) {
        (op, Operands { rd, imm, ..Operands::default() })
    }

    #[test]
    fn a_frame_is_what_the_stack_pointer_moves_by() {
        let add = (Op::Add, Operands { rd: SP, rs1: SP, rs2: 5, ..Operands::default() });
        let sub = (Op::Sub, add.1);
        let prologue = [immediate(SP, SP, -32), upper(Op::Lui, 5, 0xffff_e000), immediate(5, 5, 16), add];
        assert_eq!(of(&prologue).frame, 32 + 8192 - 16);
        assert_eq!(of(&[upper(Op::Lui, 5, 0x2000), sub]).frame, 8192);
        // Two ways through a function, each with a frame.
        let two =
            [immediate(SP, SP, -64), immediate(SP, SP, 64), immediate(SP, SP, -48), immediate(SP, SP, 48)];
        assert_eq!(of(&two).frame, 64);
        // A frame at each end of the stack.
        let both =
            [immediate(SP, SP, -32), immediate(TP, TP, 8), immediate(TP, TP, -8), immediate(SP, SP, 32)];
        assert_eq!(of(&both).frame, 40);
        assert_eq!(of(&[upper(Op::Lui, TP, 0x8000_0000), immediate(TP, TP, 64)]).frame, 0);
        // An array whose length is computed.
        assert_eq!(of(&[immediate(5, 10, 0), sub]).frame, 0);
        assert_eq!(of(&[(Op::Lw, Operands { rd: 5, rs1: SP, ..Operands::default() }), add]).frame, 0);
    }

    #[test]
    fn calls_and_jumps_to_other_functions_are_found() {
        let jump = |rd, imm: i32| (Op::Jal, Operands { rd, imm: imm as u32, ..Operands::default() });
        let found = of(&[
            jump(1, 0x100),
            jump(0, -4),
            jump(0, 0x200),
            upper(Op::Auipc, 6, 0x1000),
            (Op::Jalr, Operands { rd: 1, rs1: 6, imm: 8, ..Operands::default() }),
            (Op::Jalr, Operands { rs1: 1, ..Operands::default() }),
        ]);
        assert_eq!(found.calls, BTreeSet::from([BASE + 0x100, BASE + 12 + 0x1008]));
        assert_eq!(found.jumps, BTreeSet::from([BASE + 8 + 0x200]));
    }

    #[test]
    fn the_deepest_chain_is_found_through_jumps_and_recursion() {
        let function = |name: &str, frame, calls: &[u32], jumps: &[u32]| Function {
            name: name.into(),
            frame,
            calls: calls.iter().copied().collect(),
            jumps: jumps.iter().copied().collect(),
        };
        let functions = BTreeMap::from([
            (0, function("main", 16, &[4, 8, 99], &[])),
            (4, function("large", 100, &[], &[])),
            // It has no frame any more when it jumps.
            (8, function("jumps", 50, &[], &[12])),
            (12, function("again", 90, &[12, 16], &[])),
            (16, function("leaf", 20, &[], &[])),
        ]);
        let chain = below(&functions, 0, 0, &mut BTreeMap::new());
        assert_eq!((chain.bytes, chain.to_string().as_str()), (126, "main 16, again 90, leaf 20"));
        let long = (0..5000).map(|at| (at, function("f", 1, &[at + 1], &[]))).collect();
        assert_eq!(below(&long, 0, 0, &mut BTreeMap::new()).bytes, MOST_LEVELS as u32);
    }
}
