//! A function with SPLIT, JOIN and PRED in it.

use std::collections::BTreeMap;

use isa::csr;
use isa::table::Op;

use super::callers::Analysed;
use super::control::Kind;
use super::edges::{actions, Action, Actions};
use super::homes::Home;
use super::instruction::by_number;
use super::places::{name, parse, Places, Register};
use super::plan::Plan;
use super::prologue::Prologue;
use super::regions::Kept;
use super::Convention;

/// The words, one a warp, through which a lane tells the others the address that it calls.
pub const BROADCAST: &str = "__simt_targets";

/// Writes one function.
pub struct Writer<'a> {
    name: &'a str,
    pub(super) analysed: &'a Analysed,
    pub(super) plan: &'a Plan,
    convention: Convention,
    actions: Actions,
    labels: BTreeMap<(usize, Vec<Action>), String>,
    pub(super) lines: Vec<String>,
    /// Words of the frame for registers that are needed for a moment.
    pub(super) spilled: usize,
    /// Those that are spilled for what is being written, and their words.
    pub(super) spills: Vec<(Register, usize)>,
    /// Labels that are not those of blocks.
    again: usize,
}

impl<'a> Writer<'a> {
    pub fn new(name: &'a str, analysed: &'a Analysed, plan: &'a Plan, convention: Convention) -> Self {
        let mut this = Self {
            name,
            analysed,
            plan,
            convention,
            actions: actions(analysed, &plan.regions),
            labels: BTreeMap::new(),
            lines: vec![],
            spilled: 0,
            spills: vec![],
            again: 0,
        };
        for (&edge, actions) in &this.actions {
            let (to, actions) = if this.is_jump(edge) { (edge.1, vec![]) } else { (edge.1, actions.clone()) };
            let next = this.labels.len();
            let label = || format!(".Ldivergence_{name}_{to}_{next}");
            this.labels.entry((to, actions)).or_insert_with(label);
        }
        this
    }

    /// The block that is written behind another one.
    fn next(&self, block: usize) -> usize {
        let graph = &self.analysed.graph;
        (block + 1..graph.exit).find(|next| graph.reachable.contains(next)).unwrap_or(graph.exit)
    }

    /// Whether an edge is a jump by itself, so that what happens on it can stand before that.
    fn is_jump(&self, (from, to): (usize, usize)) -> bool {
        let graph = &self.analysed.graph;
        from != graph.entry && graph.leads[from].len() == 1 && self.next(from) != to
    }

    /// The lines of the function, from its label to its size.
    pub fn write(mut self) -> Vec<String> {
        let graph = &self.analysed.graph;
        // The block whose end leads on to what is written next.
        let mut before = Some(graph.entry);
        for &block in graph.reachable.iter().filter(|&&block| block < graph.exit) {
            self.head(block, before);
            before = self.body(block);
        }
        self.head(graph.exit, before);
        let words = self.plan.homes.words + self.spilled;
        let prologue = Prologue::new(self.convention.frames, &self.plan.homes, words);
        let mut all = vec![format!("{}:", self.name)];
        all.extend(prologue.iter().flat_map(Prologue::begin));
        let lines = std::mem::take(&mut self.lines);
        all.extend(match &prologue {
            Some(prologue) => prologue.found(lines),
            None => lines,
        });
        all.extend(prologue.iter().flat_map(Prologue::end));
        all.push("\tret".into());
        all.push(format!("\t.size {0}, .-{0}", self.name));
        all
    }

    pub(super) fn put(&mut self, text: impl std::fmt::Display) {
        self.lines.push(format!("\t{text}"));
    }

    /// Adds an SIMT instruction with its `rd`, `rs1` and `rs2`, and says what it is for.
    pub(super) fn simt(&mut self, op: Op, registers: [&str; 3], what: &str) {
        self.put(format_args!("{}\t# {what}", by_number(op, registers)));
    }

    /// What is before a block: its labels, one for each kind of edge that leads there, and what happens on these.
    fn head(&mut self, block: usize, before: Option<usize>) {
        let graph = &self.analysed.graph;
        let mut kinds: Vec<Vec<Action>> =
            self.labels.keys().filter(|key| key.0 == block).map(|key| key.1.clone()).collect();
        // A loop JOINs each time, and reads what it needs once: who goes round does not jump past that.
        let joins = |action: &Action| matches!(action, Action::Join(_));
        kinds.sort_by_key(|actions| (std::cmp::Reverse(actions.len()), actions.iter().any(joins)));
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
            if !chained && kinds[index + 1..].iter().any(|behind| !behind.is_empty()) {
                self.put(format_args!("j {body}"));
            }
        }
        if !chained {
            self.lines.push(format!("{body}:"));
        }
        let labels: Vec<String> =
            graph.blocks[block].labels.iter().map(|label| format!("{label}:")).collect();
        self.lines.extend(labels);
    }

    /// The code of a block; the block itself if its end leads on to the next one.
    fn body(&mut self, block: usize) -> Option<usize> {
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
        if self.next(block) == follow {
            return Some(block);
        }
        if self.is_jump((block, follow)) {
            let actions = self.actions[&(block, follow)].clone();
            actions.into_iter().for_each(|action| self.act(action, follow));
        }
        let label = self.label(block, follow);
        self.put(format_args!("j {label}"));
        None
    }

    pub(super) fn label(&self, from: usize, to: usize) -> String {
        let actions = if self.is_jump((from, to)) { vec![] } else { self.actions[&(from, to)].clone() };
        self.labels[&(to, actions)].clone()
    }

    fn act(&mut self, action: Action, block: usize) {
        let start = self.lines.len();
        match action {
            Action::Restore(region) => {
                let mask = self.loaded(region, &[block], Places::NONE);
                self.simt(Op::Pred, ["x0", "x0", &mask], "PRED: all lanes leave the loop");
            }
            Action::Read(region) => {
                let home = self.plan.homes.of(region);
                let to = match home {
                    Home::Register(register) => register,
                    Home::Word(_) => self.scratch(&[block], Places::NONE),
                };
                match self.plan.regions.all[region].kept {
                    Kept::Mask => self.put(format_args!(
                        "csrr {}, {:#x}\t# the lanes that begin the loop",
                        name(to),
                        csr::ACTIVE_THREADS
                    )),
                    _ => self.depth(to),
                }
                self.store(home, to);
            }
            Action::Join(region) => self.join(region, block),
        }
        self.settle(start);
    }

    fn join(&mut self, region: usize, block: usize) {
        let token = self.loaded(region, &[block], Places::NONE);
        let known = self.plan.regions.all[region].joining.values().all(|&joins| joins > 0);
        if known {
            self.meet(&token);
            return;
        }
        let held = parse(&token).map_or(Places::NONE, Places::one);
        let depth = self.scratch(&[block], held);
        self.again += 1;
        let again = format!(".Ldivergence_{}_join_{}", self.name, self.again);
        self.lines.push(format!("{again}:"));
        self.meet(&token);
        // The lanes of the other side have come by another way, on which the register has another value.
        if let Home::Word(at) = self.plan.homes.of(region) {
            self.put(format_args!("lw {token}, {}", self.word(at)));
        }
        self.depth(depth);
        self.put(format_args!("bne {}, {token}, {again}", name(depth)));
    }

    fn meet(&mut self, token: &str) {
        self.simt(Op::Join, ["x0", token, "x0"], "JOIN: lanes meet");
    }

    fn depth(&mut self, to: Register) {
        self.simt(Op::Split, [name(to), "x0", "x0"], "SPLIT of none: the depth of the stack");
    }
}
