//! Branches whose lanes part: SPLIT or PRED before them.

use isa::csr;
use isa::table::Op;

use super::control::Comparison;
use super::insert::{Writer, BROADCAST};
use super::instruction::Instruction;
use super::places::{name, Places, Register, ZERO};

impl Writer<'_> {
    /// A conditional branch, with what lets its lanes part.
    pub(super) fn branch(&mut self, block: usize, instruction: &Instruction, comparison: Comparison) {
        let graph = &self.analysed.graph;
        let Some((taken, follow)) = graph.ways(block) else { return };
        let target = self.label(block, taken);
        let Comparison { op, left, right } = comparison;
        let original = format!("{} {}, {}, {target}", op.info().mnemonic, name(left), name(right));
        if !self.analysed.uniformity.divergent.contains(&block) {
            self.put(format_args!("{original}\t# uniform"));
            return;
        }
        let start = self.lines.len();
        let ways = [taken, follow];
        let pred = self.plan.regions.preds.get(&block).copied();
        let first = self.plan.regions.firsts.get(&block).copied();
        let home = pred.or(first).and_then(|region| self.plan.homes.register(region));
        let avoid = instruction.uses | home.into_iter().collect();
        if let Some((region, flag)) = pred.and_then(|region| Some((region, self.plan.flag(region)?))) {
            self.leave(block, comparison, region, flag, target);
            return;
        }
        let to = first.and(home).map(|home| (home, true));
        let (condition, holds_if_taken) = self.condition(block, comparison, to, &ways, avoid);
        let c = name(condition);
        if let Some(region) = pred {
            let mask = self.loaded(region, &ways, avoid | Places::one(condition));
            let stays_if_taken = self.plan.regions.all[region].blocks.contains(&taken);
            let negate = if holds_if_taken == stays_if_taken { "x0" } else { "x1" };
            self.simt(Op::Pred, [negate, c, &mask], "PRED: lanes leave the loop");
        } else {
            let token = match (first, home) {
                (None, _) => ZERO,
                (Some(_), Some(home)) => home,
                (Some(_), None) if instruction.uses.contains(condition) => self.scratch(&ways, avoid),
                (Some(_), None) => condition,
            };
            self.simt(Op::Split, [name(token), c, "x0"], "SPLIT: lanes part");
            if let Some(region) = first {
                self.store(self.plan.homes.of(region), token);
            }
        }
        self.settle(start);
        self.put(original);
    }

    /// A branch out of a loop that has others: who has left by one of them answers by its flag.
    fn leave(&mut self, block: usize, comparison: Comparison, region: usize, flag: Register, target: String) {
        let Some((taken, follow)) = self.analysed.graph.ways(block) else { return };
        let start = self.lines.len();
        let stays_if_taken = self.plan.regions.all[region].blocks.contains(&taken);
        let to = Some((flag, stays_if_taken));
        let (condition, holds_if_taken) = self.condition(block, comparison, to, &[], Places::NONE);
        let (f, c) = (name(flag), name(condition));
        match (holds_if_taken == stays_if_taken, condition == flag) {
            (true, true) => {}
            (true, false) => self.put(format_args!("mv {f}, {c}")),
            (false, _) => self.put(format_args!("xori {f}, {c}, 1")),
        }
        let mask = self.loaded(region, &[taken, follow], Places::one(flag));
        self.simt(Op::Pred, ["x0", f, &mask], "PRED: lanes leave the loop");
        self.settle(start);
        let branch = if stays_if_taken { "bne" } else { "beq" };
        self.put(format_args!("{branch} {f}, zero, {target}"));
    }

    /// A register with the condition in bit 0, and whether the branch is taken if that is 1. It is `to`, and as wished there,
    /// if that costs nothing.
    fn condition(
        &mut self,
        block: usize,
        comparison: Comparison,
        to: Option<(Register, bool)>,
        ways: &[usize],
        avoid: Places,
    ) -> (Register, bool) {
        let Comparison { op, left, right } = comparison;
        let (compare, holds_if_taken) = match op {
            Op::Beq => ("seqz", true),
            Op::Bne => ("seqz", false),
            Op::Blt => ("slt", true),
            Op::Bge => ("slt", false),
            Op::Bltu => ("sltu", true),
            _ => ("sltu", false),
        };
        let equality = compare == "seqz";
        let (left, right) = if equality && left == ZERO { (right, left) } else { (left, right) };
        if equality && right == ZERO && self.is_boolean(block, left) {
            return (left, !holds_if_taken);
        }
        let wish = to.map_or(holds_if_taken, |(_, wish)| wish);
        let to = to.map_or_else(|| self.scratch(ways, avoid), |(to, _)| to);
        let (c, a, b) = (name(to), name(left), name(right));
        if !equality {
            self.put(format_args!("{compare} {c}, {a}, {b}"));
            return (to, holds_if_taken);
        }
        let compare = if wish == holds_if_taken { "seqz" } else { "snez" };
        if right == ZERO {
            self.put(format_args!("{compare} {c}, {a}"));
        } else {
            self.put(format_args!("sub {c}, {a}, {b}"));
            self.put(format_args!("{compare} {c}, {c}"));
        }
        (to, wish)
    }

    /// Whether a register holds 0 or 1 at the end of a block.
    fn is_boolean(&self, block: usize, register: Register) -> bool {
        let code = self.analysed.graph.blocks[block].code.iter().rev();
        let defined = code.into_iter().find(|instruction| instruction.defs.contains(register));
        defined.is_some_and(|instruction| instruction.boolean)
    }

    /// Lanes with other targets than the last active one come again.
    pub(super) fn choice(&mut self, block: usize, target: Register) {
        let start = self.lines.len();
        let ways = self.analysed.graph.leads[block].clone();
        let avoid = Places::one(target);
        let a = self.scratch(&ways, avoid);
        let b = name(self.scratch(&ways, avoid | Places::one(a)));
        let (a, t) = (name(a), name(target));
        let again = self.label(block, block);
        for text in [
            format!(
                "csrr {a}, {:#x}\t# warp: its word of those for the addresses of functions",
                csr::WARP_ID
            ),
            format!("slli {a}, {a}, 2"),
            format!("lui {b}, %hi({BROADCAST})"),
            format!("addi {b}, {b}, %lo({BROADCAST})"),
            format!("add {a}, {a}, {b}"),
            format!("sw {t}, 0({a})"),
            format!("lw {b}, 0({a})"),
            format!("sub {a}, {t}, {b}"),
            format!("seqz {a}, {a}"),
        ] {
            self.put(text);
        }
        self.simt(Op::Split, ["x0", a, "x0"], "SPLIT: lanes part that call different functions");
        // Both sides come to the branch with the target that was asked about.
        self.settle(start);
        self.put(format_args!("bne {t}, {b}, {again}"));
    }
}
