//! Which values may differ between lanes that are active together, and so which branches may diverge.
//!
//! Forward over the graph, a register or word of the frame varies if what it is made from does. What is defined between a
//! divergent branch and its immediate post-dominator varies from there on, for there the lanes of both sides meet. In
//! between it need not: the sides run one after the other, each by itself.

use std::collections::BTreeMap;

use super::frame::{step, Frame};
use super::graph::{Blocks, Graph};
use super::instruction::{Instruction, Kind};
use super::places::{Places, GP, RA, ZERO};

/// What is known of the functions that a function calls: the results that vary if its arguments are as they are.
pub type Results = BTreeMap<String, Places>;

/// What may differ in a function.
#[derive(Debug)]
pub struct Uniformity {
    /// What varies at the head of each block.
    pub before: Vec<Places>,
    /// Of these, what varies since lanes with different pasts have met there.
    pub met: BTreeMap<usize, Places>,
    /// The blocks whose last instruction may lead lanes to different places.
    pub divergent: Blocks,
    /// What varies at each call of a function by its name.
    pub calls: Vec<(String, Places)>,
    /// The results that vary when the function returns.
    pub results: Places,
}

impl Uniformity {
    /// Analyses a function in which these arguments are the same in all lanes.
    pub fn new(graph: &Graph, frame: &Frame, uniform_arguments: Places, results: &Results) -> Self {
        let mut before = vec![Places::NONE; graph.blocks.len()];
        before[graph.entry] = Places::ALL - Places::of(&[ZERO, RA, GP]) - uniform_arguments;
        let mut met: BTreeMap<usize, Places> = BTreeMap::new();
        let mut divergent = Blocks::new();
        // Everything is looked at once, though nothing varies.
        let mut work: Vec<usize> = graph.reachable.iter().rev().copied().collect();
        work.push(graph.entry);
        let walk = |block, before| Walk { graph, frame, results }.through(block, before, &mut |_, _| ());
        while let Some(block) = work.pop() {
            let after = walk(block, before[block]);
            if !divergent.contains(&block) && diverges(graph, block, after) {
                divergent.insert(block);
                let meeting = graph.ipdom[&block];
                let between = graph.reach(&graph.succs[block], meeting);
                let defined =
                    between.iter().fold(Places::NONE, |all, &block| all | frame.defined(graph, block));
                *met.entry(meeting).or_default() |= defined;
                if before[meeting] | defined != before[meeting] {
                    before[meeting] |= defined;
                    work.push(meeting);
                }
            }
            for &to in &graph.succs[block] {
                let new = before[to] | after | met.get(&to).copied().unwrap_or_default();
                if new != before[to] {
                    before[to] = new;
                    work.push(to);
                }
            }
        }
        let mut calls = vec![];
        for &block in &graph.reachable {
            Walk { graph, frame, results }.through(block, before[block], &mut |instruction, varying| {
                if let Kind::Call(callee) = &instruction.kind {
                    calls.push((callee.clone(), varying));
                }
            });
        }
        let results = before[graph.exit] & Places::RESULTS;
        Self { before, met, divergent, calls, results }
    }

    /// What varies before the instruction of that index in a block.
    pub fn within(
        &self,
        graph: &Graph,
        frame: &Frame,
        results: &Results,
        block: usize,
        index: usize,
    ) -> Places {
        let mut found = None;
        let mut passed = 0;
        let after = Walk { graph, frame, results }.through(block, self.before[block], &mut |_, varying| {
            found = found.or((passed == index).then_some(varying));
            passed += 1;
        });
        found.unwrap_or(after)
    }
}

/// Whether lanes may leave a block by different ways.
fn diverges(graph: &Graph, block: usize, after: Places) -> bool {
    let decides = |last: &Instruction| {
        matches!(last.kind, Kind::Branch(..) | Kind::Choice(_)) && last.uses.meets(after)
    };
    graph.ways(block).is_some() && graph.blocks[block].last().is_some_and(decides)
}

/// The way through a block.
struct Walk<'a> {
    graph: &'a Graph,
    frame: &'a Frame,
    results: &'a Results,
}

impl Walk<'_> {
    /// What varies behind a block; `seen` gets what does before each instruction.
    fn through(&self, block: usize, before: Places, seen: &mut dyn FnMut(&Instruction, Places)) -> Places {
        let mut pointer = self.frame.pointer(block);
        let mut varying = before;
        for instruction in &self.graph.blocks[block].code {
            seen(instruction, varying);
            varying = self.behind(instruction, varying, pointer);
            pointer += step(instruction);
        }
        varying
    }

    fn behind(&self, instruction: &Instruction, varying: Places, pointer: i32) -> Places {
        if instruction.is_call() {
            let known = match &instruction.kind {
                Kind::Call(callee) => self.results.get(callee),
                _ => None,
            };
            let results = known.copied().unwrap_or(Places::RESULTS);
            return ((varying | instruction.defs) - Places::RESULTS - Places::one(RA)) | results;
        }
        let place = instruction.access.as_ref().and_then(|access| self.frame.place(access, pointer));
        if let Some(access) = &instruction.access {
            if let Some(stored) = access.stored {
                let Some(place) = place.map(Places::one) else { return varying };
                return match (varying.contains(stored), access.whole) {
                    (true, _) => varying | place,
                    (false, true) => varying - place,
                    (false, false) => varying,
                };
            }
        }
        let differs = match place {
            // The address is a lane's own, what is there need not be.
            Some(place) => varying.contains(place),
            None => instruction.uses.meets(varying) || instruction.per_lane,
        };
        if differs && !instruction.uniform {
            varying | instruction.defs
        } else {
            varying - instruction.defs
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{mark, Convention, Verdict};

    /// Whether the branch of a function with this code may part lanes.
    fn parts(code: &str) -> bool {
        let text = format!(
            ".globl f\n.type f, @function\nf:\n{code}\nbeqz t0, 9f\nsw a0, 0(a1)\n9: ret\n.size f, .-f\n\
             .type same, @function\nsame:\nli a0, 4\nret\n.size same, .-same\n"
        );
        let marked = mark("f.s", &text, Convention::default()).unwrap();
        marked.branches.last().unwrap().verdict != Verdict::Uniform
    }

    #[test]
    fn what_follows_from_what_all_lanes_share_is_uniform() {
        for uniform in [
            "li t0, 3",
            "csrr t0, 0xcc1",
            "csrr t0, mscratch\naddi t0, t0, 1",
            "lui t0, %hi(x)\nlw t0, %lo(x)(t0)",
            "mv t0, a0 # uniform",
            "addi sp, sp, -16\nli t1, 5\nsw t1, 4(sp)\nlw t0, 4(sp)\naddi sp, sp, 16",
            "addi sp, sp, -16\nsw ra, 12(sp)\ncall same\nlw ra, 12(sp)\naddi sp, sp, 16\nmv t0, a0",
        ] {
            assert!(!parts(uniform), "{uniform}");
        }
    }

    #[test]
    fn what_is_a_lanes_own_is_not() {
        for varying in [
            "mv t0, a0",
            "csrr t0, 0xcc0",
            "csrr t0, mhartid",
            "lw t0, 0(a0)",
            "addi sp, sp, -16\nsw a0, 4(sp)\nlw t0, 4(sp)\naddi sp, sp, 16",
            "addi sp, sp, -16\nli t1, 5\nsw t1, 4(sp)\nsw a0, 4(sp)\nlw t0, 4(sp)\naddi sp, sp, 16",
            // Through a pointer into the frame.
            "addi sp, sp, -16\nli t1, 5\nsw t1, 4(sp)\nmv t2, sp\nsw a0, 4(t2)\nlw t0, 4(sp)\naddi sp, sp, 16",
            // Half of a word.
            "addi sp, sp, -16\nsw a0, 4(sp)\nli t1, 5\nsh t1, 4(sp)\nlw t0, 4(sp)\naddi sp, sp, 16",
            "addi sp, sp, -16\nsw ra, 12(sp)\ncall other\nlw ra, 12(sp)\naddi sp, sp, 16\nmv t0, a0",
        ] {
            assert!(parts(varying), "{varying}");
        }
    }

    /// Each side sets it to what all its lanes share; behind both, lanes differ, and on each they do not.
    #[test]
    fn what_a_divergent_branch_sets_differs_where_the_lanes_meet() {
        assert!(parts("li t0, 0\nbeqz a0, 1f\nli t0, 1\nsw t0, 0(a1)\n1: nop"));
        assert!(!parts("li t0, 1\nbeqz a0, 1f\nsw t0, 0(a1)\n1: nop"));
        assert!(
            parts("li t0, 0\n1: addi t0, t0, 1\nsw t0, 0(a1)\nbne t0, a0, 1b"),
            "trips of each lane's own"
        );
    }
}
