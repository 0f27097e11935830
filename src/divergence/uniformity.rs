//! Which values may differ between lanes that are active together, and so which branches may diverge.
//!
//! Forward over the graph, a register or word of the frame varies if what it is made from does. What is defined between a
//! divergent branch and its immediate post-dominator varies from there on, for there the lanes of both sides meet, unless it
//! is the same constant on all ways. In
//! between it need not: the sides run one after the other, each by itself. The same is true of the difference of two values
//! that vary, so a branch that compares these for equality is uniform if the difference is.

use std::collections::BTreeMap;

use isa::table::Op;

use super::classes::{Classes, Value};
use super::constants::Constants;
use super::control::{Comparison, Kind};
use super::frame::{step, Frame};
use super::graph::{Blocks, Graph};
use super::instruction::{Instruction, Linear};
use super::places::{Places, GP, RA, ZERO};

/// What is known of the functions that a function calls: the results that vary if its arguments are as they are.
pub type Results = BTreeMap<String, Places>;

/// What may differ in a function.
#[derive(Debug)]
pub struct Uniformity {
    /// What varies at the head of each block, and how.
    before: Vec<Classes>,
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
    pub fn new(
        graph: &Graph,
        frame: &Frame,
        constants: &Constants,
        uniform_arguments: Places,
        results: &Results,
    ) -> Self {
        let mut before = vec![Classes::uniform(); graph.blocks.len()];
        let arguments = Places::ALL - Places::of(&[ZERO, RA, GP]) - uniform_arguments;
        before[graph.entry] = Classes::uniform().with_own(arguments);
        let mut met: BTreeMap<usize, Places> = BTreeMap::new();
        let mut divergent = Blocks::new();
        // Everything is looked at once, though nothing varies.
        let mut work: Vec<usize> = graph.reachable.iter().rev().copied().collect();
        work.push(graph.entry);
        let walk = Walk { graph, frame, results };
        let none = Places::NONE;
        while let Some(block) = work.pop() {
            let after = walk.through(block, &before[block], &mut |_, _| ());
            if !divergent.contains(&block) && diverges(graph, block, &after) {
                divergent.insert(block);
                let meeting = graph.ipdom[&block];
                let between = graph.reach(&graph.succs[block], meeting);
                let defined =
                    between.iter().fold(Places::NONE, |all, &block| all | frame.defined(graph, block));
                let defined = defined - constants.at(meeting);
                *met.entry(meeting).or_default() |= defined;
                let new = before[meeting].clone().with_own(defined);
                if new != before[meeting] {
                    before[meeting] = new;
                    work.push(meeting);
                }
            }
            for &to in &graph.succs[block] {
                let new = before[to].meet(&after).with_own(met.get(&to).copied().unwrap_or(none));
                if new != before[to] {
                    before[to] = new;
                    work.push(to);
                }
            }
        }
        let mut calls = vec![];
        for &block in &graph.reachable {
            walk.through(block, &before[block], &mut |instruction, classes| {
                if let Kind::Call(callee) = &instruction.kind {
                    calls.push((callee.clone(), classes.varying()));
                }
            });
        }
        let results = before[graph.exit].varying() & Places::RESULTS;
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
        let after = Walk { graph, frame, results }.through(block, &self.before[block], &mut |_, classes| {
            found = found.or((passed == index).then(|| classes.varying()));
            passed += 1;
        });
        found.unwrap_or(after.varying())
    }
}

/// Whether lanes may leave a block by different ways.
fn diverges(graph: &Graph, block: usize, after: &Classes) -> bool {
    let decides = |last: &Instruction| match last.kind {
        Kind::Branch(Comparison { op: Op::Beq | Op::Bne, left, right }, _) if after.related(left, right) => {
            false
        }
        Kind::Branch(..) | Kind::Choice(_) => last.uses.meets(after.varying()),
        _ => false,
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
    fn through(
        &self,
        block: usize,
        before: &Classes,
        seen: &mut dyn FnMut(&Instruction, &Classes),
    ) -> Classes {
        let mut pointer = self.frame.pointer(block);
        let mut classes = before.clone();
        for instruction in &self.graph.blocks[block].code {
            seen(instruction, &classes);
            self.step(instruction, &mut classes, pointer);
            pointer += step(instruction);
        }
        classes
    }

    fn step(&self, instruction: &Instruction, classes: &mut Classes, pointer: i32) {
        if instruction.is_call() {
            let known = match &instruction.kind {
                Kind::Call(callee) => self.results.get(callee),
                _ => None,
            };
            let uniform = (Places::RESULTS | Places::one(RA)) - known.copied().unwrap_or(Places::RESULTS);
            for place in (instruction.defs | Places::RESULTS | Places::one(RA)).registers() {
                classes.set(place, uniform.contains(place).then_some(Value::UNIFORM));
            }
            return;
        }
        let access = instruction.access.as_ref();
        let place = access.and_then(|access| self.frame.place(access, pointer));
        let whole = access.is_some_and(|access| access.whole);
        let varying = classes.varying();
        if let Some(stored) = access.and_then(|access| access.stored) {
            match place {
                Some(place) if whole => classes.set(place, Some(classes.value(stored))),
                Some(place) if varying.contains(stored) => classes.set(place, None),
                _ => {}
            }
            return;
        }
        let differs = match place {
            // The address is a lane's own, what is there need not be.
            Some(place) => varying.contains(place),
            None => instruction.uses.meets(varying) || instruction.per_lane,
        };
        let value = match (place, instruction.linear) {
            _ if !differs || instruction.uniform => Some(Value::UNIFORM),
            (Some(place), _) => whole.then(|| classes.value(place)),
            (None, linear) => linear.and_then(|linear| match linear {
                Linear::Offset(from, _) => Some(classes.value(from)),
                Linear::Multiple(from, times) => Some(classes.value(from).times(times)),
                Linear::Sum(left, right) => classes.value(left).plus(classes.value(right)),
                Linear::Difference(left, right) => {
                    classes.value(left).plus(classes.value(right).times(u32::MAX))
                }
            }),
        };
        instruction.defs.registers().for_each(|defined| classes.set(defined, value));
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
            ".insn r 0x0b, 1, 1, t0, a0, x0",
            "vx_vote_ballot t0, a0",
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
            "addi sp, sp, -16\nli t1, 5\nsw t1, 0(sp)\namoadd.w t2, a0, (sp)\nlw t0, 0(sp)\naddi sp, sp, 16",
            // Lanes find one word one after the other.
            "lui t1, %hi(x)\nli t2, 1\namoadd.w t0, t2, (t1)",
            "lui t1, %hi(x)\nli t2, 1\namoswap.w.aq t0, t2, (t1)",
            "lui t1, %hi(x)\nli t0, 1\n.insn r 0x2f, 2, 0x14, t0, t1, t0",
            // Half of a word.
            "addi sp, sp, -16\nsw a0, 4(sp)\nli t1, 5\nsh t1, 4(sp)\nlw t0, 4(sp)\naddi sp, sp, 16",
            "addi sp, sp, -16\nsw ra, 12(sp)\ncall other\nlw ra, 12(sp)\naddi sp, sp, 16\nmv t0, a0",
        ] {
            assert!(parts(varying), "{varying}");
        }
    }

    /// Pointers of each lane's own, one of which goes as far as the other one is away.
    #[test]
    fn what_all_lanes_differ_by_is_compared_uniformly() {
        let uniform = |code: &str, branch: &str| {
            let text = format!(".globl f\n.type f, @function\nf:\n{code}\n{branch}\nret\n.size f, .-f\n");
            mark("f.s", &text, Convention::default()).unwrap().branches[0].verdict == Verdict::Uniform
        };
        let pointers = "slli t1, a0, 2\naddi t2, t1, 64";
        assert!(uniform(pointers, "1: sw a0, 0(t1)\naddi t1, t1, 4\nbne t1, t2, 1b"));
        assert!(uniform(
            "addi t2, a0, 16\nslli t2, t2, 2\nslli t1, a0, 2",
            "beq t1, t2, 1f\nsw a0, 0(a1)\n1:"
        ));
        assert!(uniform(
            "mv t1, a0\nli t3, 8\nadd t2, t3, a0",
            "sub t1, t1, t2\nbnez t1, 1f\nsw a0, 0(a1)\n1:"
        ));
        assert!(uniform(
            "addi sp, sp, -16\nsw a0, 4(sp)\naddi t2, a0, 1\nlw t1, 4(sp)\naddi sp, sp, 16",
            "beq t1, t2, 1f\nsw a0, 0(a1)\n1:"
        ));
        for other in [
            // A sum may overflow in one lane and not in another.
            "1: sw a0, 0(t1)\naddi t1, t1, 4\nbltu t1, t2, 1b",
            "1: sw a0, 0(t1)\nadd t1, t1, a1\nbne t1, t2, 1b",
            "1: sw a0, 0(t1)\nadd t1, t1, t2\nbne t1, t2, 1b",
            "1: sw a0, 0(t1)\nslli t1, t1, 1\nbne t1, t2, 1b",
        ] {
            assert!(!uniform(pointers, other), "{other}");
        }
        // Some lanes go further.
        let apart = "beqz a3, 2f\naddi t1, t1, 4\nsw a0, 0(a1)\n2: beq t1, t2, 3f\nsw a0, 0(a1)\n3: nop";
        assert!(parts(&format!("{pointers}\n{apart}\nsub t0, t1, t2")));
        assert!(!parts(&format!("{pointers}\nbeqz a3, 2f\nsw a0, 0(a1)\n2: sub t0, t1, t2")));
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
