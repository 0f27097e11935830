//! The words of a function's stack frame, followed like registers as long as nobody has their address.

use std::collections::BTreeMap;

use isa::reg::REGISTERS;

use super::graph::Graph;
use super::instruction::{Access, Instruction, Linear};
use super::places::{Places, SLOTS, SP};

/// Which place each word of the frame has.
#[derive(Debug)]
pub struct Frame {
    /// The stack pointer at the head of each block, from that at the function's entry on.
    pointer: Vec<i32>,
    /// Words by their distance from there, rounded down to whole words.
    slots: BTreeMap<i32, usize>,
    /// Whether the stack pointer is used otherwise than for loads, stores and its own sums: any pointer may point into the
    /// frame then, and no word of it is followed.
    escapes: bool,
}

impl Frame {
    pub fn new(graph: &Graph) -> Self {
        let mut pointer: Vec<Option<i32>> = vec![None; graph.blocks.len()];
        let mut escapes = false;
        let mut work = vec![(graph.entry, 0)];
        let mut slots = BTreeMap::new();
        while let Some((block, at)) = work.pop() {
            if let Some(known) = pointer[block] {
                escapes |= known != at;
                continue;
            }
            pointer[block] = Some(at);
            let mut at = at;
            for instruction in &graph.blocks[block].code {
                escapes |= escape(instruction);
                if let Some(word) = instruction.access.as_ref().and_then(|access| word(access, at)) {
                    let next = slots.len();
                    slots.entry(word).or_insert(next);
                }
                at += step(instruction);
            }
            work.extend(graph.succs[block].iter().map(|&to| (to, at)));
        }
        Self { pointer: pointer.into_iter().map(Option::unwrap_or_default).collect(), slots, escapes }
    }

    pub fn pointer(&self, block: usize) -> i32 {
        self.pointer[block]
    }

    /// The place of what a load or store reads or writes, if it is a word that is followed.
    pub fn place(&self, access: &Access, pointer: i32) -> Option<usize> {
        let slot = *self.slots.get(&word(access, pointer)?)?;
        (!self.escapes && slot < SLOTS).then_some(REGISTERS + slot)
    }

    /// What a block writes.
    pub fn defined(&self, graph: &Graph, block: usize) -> Places {
        let mut pointer = self.pointer(block);
        let mut defined = Places::NONE;
        for instruction in &graph.blocks[block].code {
            defined |= instruction.defs;
            if let Some(access) = instruction.access.as_ref().filter(|access| access.stored.is_some()) {
                defined |= self.place(access, pointer).into_iter().collect();
            }
            pointer += step(instruction);
        }
        defined
    }
}

/// How far an instruction moves the stack pointer.
pub fn step(instruction: &Instruction) -> i32 {
    match instruction.linear {
        Some(Linear::Offset(SP, Some(offset))) if instruction.defs.contains(SP) => offset,
        _ => 0,
    }
}

fn word(access: &Access, pointer: i32) -> Option<i32> {
    (access.base == Some(SP)).then_some(())?;
    Some((pointer + access.offset?) & !3)
}

/// Whether an instruction takes an address in the frame, or moves the stack pointer nobody knows where.
fn escape(instruction: &Instruction) -> bool {
    let stepped = step(instruction) != 0 || matches!(instruction.linear, Some(Linear::Offset(SP, Some(0))));
    if instruction.is_call() || stepped && instruction.defs.contains(SP) {
        return false;
    }
    match &instruction.access {
        Some(Access { base: Some(SP), offset: None, .. }) => true,
        Some(access) if access.base == Some(SP) => access.stored == Some(SP) || instruction.defs.contains(SP),
        _ => instruction.uses.contains(SP) || instruction.defs.contains(SP),
    }
}
