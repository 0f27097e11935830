//! A function with SPLIT, JOIN and PRED in it.

use std::collections::BTreeMap;

use isa::table::Op;

use super::callers::Analysed;
use super::homes::{Home, Homes, SCRATCH};
use super::instruction::{Comparison, Instruction, Kind};
use super::places::{name, Places, Register, ZERO};
use super::plan::Plan;
use super::regions::{Kept, Regions};

/// The words, one a warp, through which a lane tells the others the address that it calls.
pub const BROADCAST: &str = "__simt_targets";

/// What happens on an edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Action {
    /// The mask that a loop began with is set again.
    Restore(usize),
    /// The lanes meet again.
    Join(usize),
    /// The token or the mask of a region is read.
    Read(usize),
}

/// Writes one function.
pub struct Writer<'a> {
    name: &'a str,
    analysed: &'a Analysed,
    plan: &'a Plan,
    actions: BTreeMap<(usize, usize), Vec<Action>>,
    labels: BTreeMap<(usize, Vec<Action>), String>,
    lines: Vec<String>,
    /// Words of the frame for registers that are needed for a moment.
    spilled: usize,
    /// Those that are spilled for what is being written, and their words.
    spills: Vec<(Register, usize)>,
    /// Labels that are not those of blocks.
    again: usize,
}

impl<'a> Writer<'a> {
    pub fn new(name: &'a str, analysed: &'a Analysed, plan: &'a Plan) -> Self {
        let mut this = Self {
            name,
            analysed,
            plan,
            actions: actions(analysed, &plan.regions),
            labels: BTreeMap::new(),
            lines: vec![],
            spilled: 0,
            spills: vec![],
            again: 0,
        };
        for (&(_, to), actions) in &this.actions {
            let next = this.labels.len();
            let label = || format!(".Ldivergence_{name}_{to}_{next}");
            this.labels.entry((to, actions.clone())).or_insert_with(label);
        }
        this
    }

    /// The lines of the function, from its label to its size.
    pub fn write(mut self) -> Vec<String> {
        let graph = &self.analysed.graph;
        let order: Vec<usize> = (0..=graph.exit).filter(|block| graph.reachable.contains(block)).collect();
        // The block whose end leads on to what is written next.
        let mut before = Some(graph.entry);
        for (at, &block) in order.iter().enumerate() {
            self.head(block, before);
            if block != graph.exit {
                before = self.body(block, order.get(at + 1).copied());
            }
        }
        let frame = self.plan.homes.words + self.spilled;
        let saves = |op: &str| -> Vec<String> {
            let save = |&(register, at): &(Register, usize)| format!("\t{op} {}, {}", name(register), word(at));
            self.plan.homes.saved.iter().map(save).collect()
        };
        let mut all = vec![format!("{}:", self.name)];
        if frame > 0 {
            all.push(format!("\taddi tp, tp, {}\t# the frame of what divergence needs", 4 * frame));
            all.extend(saves("sw"));
        }
        let saved = saves("lw");
        all.append(&mut self.lines);
        if frame > 0 {
            all.extend(saved);
            all.push(format!("\taddi tp, tp, -{}", 4 * frame));
        }
        all.push("\tret".into());
        all.push(format!("\t.size {0}, .-{0}", self.name));
        all
    }

    fn put(&mut self, text: impl std::fmt::Display) {
        self.lines.push(format!("\t{text}"));
    }

    /// What is before a block: its labels, one for each kind of edge that leads there, and what happens on these.
    fn head(&mut self, block: usize, before: Option<usize>) {
        let graph = &self.analysed.graph;
        let mut kinds: Vec<Vec<Action>> = self.labels.keys().filter(|key| key.0 == block).map(|key| key.1.clone()).collect();
        kinds.sort_by_key(|actions| std::cmp::Reverse(actions.len()));
        let fallen = before.and_then(|before| self.actions.get(&(before, block)).cloned());
        if fallen.is_some() && fallen != kinds.first().cloned() {
            let label = self.label(before.unwrap_or_default(), block);
            self.put(format_args!("j {label}"));
        }
        // If each does what the next one does and something before that, one leads on to the next.
        let chained = kinds.windows(2).all(|pair| pair[0].ends_with(&pair[1]));
        let body = format!(".Ldivergence_{}_{block}_body", self.name);
        for (index, actions) in kinds.iter().enumerate() {
            let label = self.labels[&(block, actions.clone())].clone();
            self.lines.push(format!("{label}:"));
            let next = kinds.get(index + 1).filter(|_| chained).map_or(0, Vec::len);
            for &action in &actions[..actions.len() - next] {
                self.act(action, block);
            }
            if !chained && !actions.is_empty() {
                self.put(format_args!("j {body}"));
            }
        }
        if !chained {
            self.lines.push(format!("{body}:"));
        }
        let labels: Vec<String> = graph.blocks[block].labels.iter().map(|label| format!("{label}:")).collect();
        self.lines.extend(labels);
    }

    /// The code of a block; the block itself if its end leads on to `next`.
    fn body(&mut self, block: usize, next: Option<usize>) -> Option<usize> {
        let analysed = self.analysed;
        let graph = &analysed.graph;
        let to = &graph.leads[block];
        let follow = *to.last()?;
        for instruction in &graph.blocks[block].code {
            match &instruction.kind {
                Kind::Branch(comparison, _) => self.branch(block, instruction, *comparison),
                Kind::Choice(target) => {
                    if analysed.uniformity.divergent.contains(&block) {
                        self.choice(block, *target);
                    }
                    // The call follows.
                    return Some(block);
                }
                Kind::Jump(_) | Kind::Return => {}
                _ => self.put(&instruction.text),
            }
        }
        if next == Some(follow) {
            return Some(block);
        }
        let label = self.label(block, follow);
        self.put(format_args!("j {label}"));
        None
    }

    fn label(&self, from: usize, to: usize) -> String {
        self.labels[&(to, self.actions[&(from, to)].clone())].clone()
    }

    fn act(&mut self, action: Action, block: usize) {
        let start = self.lines.len();
        match action {
            Action::Restore(region) => {
                let mask = self.loaded(region, &[block], Places::NONE);
                self.put(format_args!(".insn r 0x0b, 5, 0, x0, x0, {mask}\t# PRED: all lanes leave the loop"));
            }
            Action::Read(region) => {
                let home = self.plan.homes.of(region);
                let to = match home {
                    Home::Register(register) => register,
                    Home::Word(_) => self.scratch(&[block], Places::NONE),
                };
                match self.plan.regions.all[region].kept {
                    Kept::Mask => self.put(format_args!("csrr {}, 0xcc4\t# the lanes that begin the loop", name(to))),
                    _ => self.put(format_args!(
                        ".insn r 0x0b, 2, 0, {}, x0, x0\t# SPLIT of none: the depth of the stack",
                        name(to)
                    )),
                }
                self.store(home, to);
            }
            Action::Join(region) => self.join(region, block),
        }
        self.settle(start);
    }

    fn join(&mut self, region: usize, block: usize) {
        const JOIN: &str = ".insn r 0x0b, 3, 0, x0";
        let token = self.loaded(region, &[block], Places::NONE);
        let joins = self.plan.regions.all[region].joins;
        let meet = format!("{JOIN}, {token}, x0\t# JOIN: lanes meet");
        if joins > 0 {
            (0..joins).for_each(|_| self.put(&meet));
            return;
        }
        let held = super::places::parse(&token).map_or(Places::NONE, Places::one);
        let depth = name(self.scratch(&[block], held));
        self.again += 1;
        let again = format!(".Ldivergence_{}_join_{}", self.name, self.again);
        self.lines.push(format!("{again}:"));
        self.put(&meet);
        // The lanes of the other side have come by another way, on which the register has another value.
        if let Home::Word(at) = self.plan.homes.of(region) {
            self.put(format_args!("lw {token}, {}", word(at)));
        }
        self.put(format_args!(".insn r 0x0b, 2, 0, {depth}, x0, x0\t# SPLIT of none: the depth of the stack"));
        self.put(format_args!("bne {depth}, {token}, {again}"));
    }

    /// A conditional branch, with what lets its lanes part.
    fn branch(&mut self, block: usize, instruction: &Instruction, comparison: Comparison) {
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
        let (condition, holds_if_taken) = self.condition(block, comparison, first.and(home), &ways, avoid);
        let c = name(condition);
        if let Some(region) = pred {
            let mask = self.loaded(region, &ways, avoid | Places::one(condition));
            let stays_if_taken = self.plan.regions.all[region].blocks.contains(&taken);
            let negate = u8::from(holds_if_taken != stays_if_taken);
            self.put(format_args!(".insn r 0x0b, 5, 0, x{negate}, {c}, {mask}\t# PRED: lanes leave the loop"));
        } else {
            let token = match (first, home) {
                (None, _) => ZERO,
                (Some(_), Some(home)) => home,
                (Some(_), None) if instruction.uses.contains(condition) => self.scratch(&ways, avoid),
                (Some(_), None) => condition,
            };
            self.put(format_args!(".insn r 0x0b, 2, 0, {}, {c}, x0\t# SPLIT: lanes part", name(token)));
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
        let (condition, holds_if_taken) = self.condition(block, comparison, Some(flag), &[], Places::NONE);
        let (f, c) = (name(flag), name(condition));
        let stays_if_taken = self.plan.regions.all[region].blocks.contains(&taken);
        match (holds_if_taken == stays_if_taken, condition == flag) {
            (true, true) => {}
            (true, false) => self.put(format_args!("mv {f}, {c}")),
            (false, _) => self.put(format_args!("xori {f}, {c}, 1")),
        }
        let mask = self.loaded(region, &[taken, follow], Places::one(flag));
        self.put(format_args!(".insn r 0x0b, 5, 0, x0, {f}, {mask}\t# PRED: lanes leave the loop"));
        self.settle(start);
        let branch = if stays_if_taken { "bne" } else { "beq" };
        self.put(format_args!("{branch} {f}, zero, {target}"));
    }

    /// A register with the condition in bit 0, and whether the branch is taken if that is 1.
    fn condition(
        &mut self,
        block: usize,
        comparison: Comparison,
        home: Option<Register>,
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
        let to = home.unwrap_or_else(|| self.scratch(ways, avoid));
        let (c, a, b) = (name(to), name(left), name(right));
        match (equality, right) {
            (true, ZERO) => self.put(format_args!("seqz {c}, {a}")),
            (true, _) => {
                self.put(format_args!("sub {c}, {a}, {b}"));
                self.put(format_args!("seqz {c}, {c}"));
            }
            (false, _) => self.put(format_args!("{compare} {c}, {a}, {b}")),
        }
        (to, holds_if_taken)
    }

    /// Whether a register holds 0 or 1 at the end of a block.
    fn is_boolean(&self, block: usize, register: Register) -> bool {
        let code = self.analysed.graph.blocks[block].code.iter().rev();
        let defined = code.into_iter().find(|instruction| instruction.defs.contains(register));
        defined.is_some_and(|instruction| instruction.boolean)
    }

    /// Lanes with other targets than the last active one come again.
    fn choice(&mut self, block: usize, target: Register) {
        let start = self.lines.len();
        let ways = self.analysed.graph.leads[block].clone();
        let avoid = Places::one(target);
        let a = self.scratch(&ways, avoid);
        let b = name(self.scratch(&ways, avoid | Places::one(a)));
        let (a, t) = (name(a), name(target));
        let again = self.label(block, block);
        for text in [
            format!("csrr {a}, 0xcc1\t# warp: its word of those for the addresses of functions"),
            format!("slli {a}, {a}, 2"),
            format!("lui {b}, %hi({BROADCAST})"),
            format!("addi {b}, {b}, %lo({BROADCAST})"),
            format!("add {a}, {a}, {b}"),
            format!("sw {t}, 0({a})"),
            format!("lw {b}, 0({a})"),
            format!("sub {a}, {t}, {b}"),
            format!("seqz {a}, {a}"),
            format!(".insn r 0x0b, 2, 0, x0, {a}, x0\t# SPLIT: lanes part that call different functions"),
        ] {
            self.put(text);
        }
        // Both sides come to the branch with the target that was asked about.
        self.settle(start);
        self.put(format_args!("bne {t}, {b}, {again}"));
    }

    /// The name of a register with a region's value.
    fn loaded(&mut self, region: usize, blocks: &[usize], avoid: Places) -> String {
        match self.plan.homes.of(region) {
            Home::Register(register) => name(register).into(),
            Home::Word(at) => {
                let register = name(self.scratch(blocks, avoid));
                self.put(format_args!("lw {register}, {}", word(at)));
                register.into()
            }
        }
    }

    fn store(&mut self, home: Home, from: Register) {
        if let Home::Word(at) = home {
            self.put(format_args!("sw {}, {}", name(from), word(at)));
        }
    }

    /// A register that nobody needs at the head of these blocks, or one that is spilled until [`Writer::settle`].
    fn scratch(&mut self, blocks: &[usize], avoid: Places) -> Register {
        let avoid = avoid | self.spills.iter().map(|&(register, _)| register).collect();
        if let Some(&free) = self.plan.homes.free(&self.plan.regions, &self.plan.liveness, blocks, avoid).first() {
            return free;
        }
        let spilled = Homes::spillable(avoid).next().unwrap_or(SCRATCH[0]);
        self.spills.push((spilled, self.plan.homes.words + self.spills.len()));
        self.spilled = self.spilled.max(self.spills.len());
        spilled
    }

    /// Puts what is spilled now into the frame before the line `start`, and loads it again.
    fn settle(&mut self, start: usize) {
        let spills = std::mem::take(&mut self.spills);
        let line = |op: &str, (register, at): (Register, usize)| format!("\t{op} {}, {}", name(register), word(at));
        self.lines.splice(start..start, spills.iter().map(|&spill| line("sw", spill)));
        self.lines.extend(spills.iter().map(|&spill| line("lw", spill)));
    }
}

fn word(at: usize) -> String {
    format!("-{}(tp)", 4 * (at + 1))
}

fn actions(analysed: &Analysed, regions: &Regions) -> BTreeMap<(usize, usize), Vec<Action>> {
    let graph = &analysed.graph;
    let mut all = BTreeMap::new();
    for &from in &graph.reachable {
        for &to in &graph.leads[from] {
            let restored = regions.restores.get(&(from, to)).copied().map(Action::Restore);
            let joined = regions.joining(from, to).map(Action::Join);
            let read = regions.entered(from, to).map(Action::Read);
            all.insert((from, to), restored.into_iter().chain(joined).chain(read).collect());
        }
    }
    check(analysed, regions, &all);
    all
}

/// Lanes that meet at a block go on together, so the same must happen on all their edges from there on.
///
/// # Panics
/// If it does not, which would be a fault of [`Regions`].
fn check(analysed: &Analysed, regions: &Regions, actions: &BTreeMap<(usize, usize), Vec<Action>>) {
    for (index, region) in regions.all.iter().enumerate() {
        let meets = |(from, to): (usize, usize)| match region.kept {
            Kept::Mask => to == region.meeting && region.blocks.contains(&from),
            _ => to == region.meeting && region.joining.contains(&from),
        };
        let own = |action: &Action| matches!(action, Action::Restore(of) | Action::Join(of) if *of == index);
        let edges = actions.iter().filter(|(&edge, _)| meets(edge) && !analysed.graph.is_choice(edge.0));
        let mut rests = edges.map(|(_, all)| &all[all.iter().position(own).map_or(0, |own| own + 1)..]);
        let first = rests.next();
        assert!(rests.all(|rest| Some(rest) == first), "lanes meet that have and have not a token");
    }
}
