//! Why a branch may diverge, or may not, in words for its author.

use std::collections::BTreeSet;

use isa::reg::REGISTERS;

use super::callers::{Analysed, Analysis};
use super::control::Kind;
use super::frame::step;
use super::instruction::Instruction;
use super::places::{name, Places, SLOTS, SP};
use super::regions::Regions;
use super::uniformity::Results;
use super::Location;

/// What has been made of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// All lanes that are active take the same way: it stays as it is.
    Uniform,
    /// All lanes compute both sides, and each chooses: nobody parts.
    Select,
    /// Lanes part by SPLIT and meet by JOIN.
    Split,
    /// Lanes leave a loop by PRED.
    Pred,
}

/// A conditional branch, or the choice among the targets of a call, of a function that was marked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Branch {
    /// The source line.
    pub at: Location,
    /// The function.
    pub function: String,
    /// What has been made of it.
    pub verdict: Verdict,
    /// Where its lanes meet again: nothing for a uniform branch, and for one whose lanes meet where the function returns.
    pub meeting: Option<Location>,
    /// Why its lanes may part.
    pub why: Option<String>,
    /// The instruction.
    pub text: String,
}

/// All branches of a function.
pub fn branches(called: &str, analysis: &Analysis, function: &Analysed, regions: &Regions) -> Vec<Branch> {
    let Analysed { graph, uniformity, .. } = function;
    let describe = |&block: &usize| {
        let last = graph.blocks[block].last()?;
        graph.ways(block)?;
        let verdict = match (uniformity.divergent.contains(&block), regions.preds.contains_key(&block)) {
            _ if !matches!(last.kind, Kind::Branch(..) | Kind::Choice(_)) => return None,
            (false, _) => Verdict::Uniform,
            (true, false) => Verdict::Split,
            (true, true) => Verdict::Pred,
        };
        let meeting =
            graph.ipdom.get(&block).filter(|&&meeting| verdict != Verdict::Uniform && meeting != graph.exit);
        let text = match last.kind {
            Kind::Choice(target) => format!("call of what {} points to", name(target)),
            _ => last.text.replace('\t', " "),
        };
        Some(Branch {
            at: last.at.clone(),
            function: called.into(),
            verdict,
            meeting: meeting.map(|&meeting| graph.location(meeting)),
            why: (verdict != Verdict::Uniform).then(|| reason(function, &analysis.results, block)),
            text,
        })
    };
    let selected = function.chosen.iter().map(|chosen| Branch {
        at: chosen.at.clone(),
        function: called.into(),
        verdict: Verdict::Select,
        meeting: None,
        why: None,
        text: chosen.text.clone(),
    });
    graph.reachable.iter().filter_map(describe).chain(selected).collect()
}

/// Follows what a branch compares back to where it begins to differ.
fn reason(function: &Analysed, results: &Results, block: usize) -> String {
    let Analysed { graph, uniformity, frame, .. } = function;
    let Some(last) = graph.blocks[block].last() else { return String::new() };
    let end = graph.blocks[block].code.len() - 1;
    let varying = uniformity.within(graph, frame, results, block, end) & last.uses;
    let Some(place) = varying.registers().next() else { return String::new() };
    let mut search = Search { function, results, seen: BTreeSet::new() };
    search.origin(block, end, place).unwrap_or_else(|| format!("{} differs", name(place)))
}

struct Search<'a> {
    function: &'a Analysed,
    results: &'a Results,
    seen: BTreeSet<(usize, usize)>,
}

impl Search<'_> {
    /// Why a place may differ before the instruction of that index.
    fn origin(&mut self, block: usize, index: usize, place: usize) -> Option<String> {
        let Analysed { graph, frame, .. } = self.function;
        let code = &graph.blocks[block].code;
        let defined = (0..index).rev().find(|&index| writes(self.function, block, index, place));
        let Some(at) = defined else {
            return self.before(block, place);
        };
        let instruction = &code[at];
        let line = &instruction.at;
        let what = instruction.text.replace('\t', " ");
        match &instruction.kind {
            Kind::Call(callee) if Places::RESULTS.contains(place) => {
                return Some(format!("what {callee} returns differs ({line})"));
            }
            _ if instruction.is_call() => return Some(format!("a call has changed it ({line})")),
            _ if instruction.per_lane => {
                return Some(format!("each lane reads a value of its own ({line}: {what})"))
            }
            _ => {}
        }
        let pointer = code[..at].iter().map(step).sum::<i32>() + frame.pointer(block);
        let slot = instruction.access.as_ref().and_then(|access| frame.place(access, pointer));
        if let (Some(access), None) = (&instruction.access, slot) {
            return Some(match access.base.filter(|&base| base != SP) {
                Some(base) => {
                    format!("loaded from an address of each lane's own, in {} ({line}: {what})", name(base))
                }
                None => format!("loaded from each lane's own stack ({line}: {what})"),
            });
        }
        let before = self.varying_before(block, at);
        let sources = slot.filter(|_| instruction.defs.contains(place)).map_or(instruction.uses, Places::one);
        let source = (0..REGISTERS + SLOTS).find(|&p| sources.contains(p) && before.contains(p))?;
        self.origin(block, at, source)
    }

    /// The same at the head of a block.
    fn before(&mut self, block: usize, place: usize) -> Option<String> {
        let Analysed { graph, uniformity, .. } = self.function;
        if !self.seen.insert((block, place)) {
            return None;
        }
        if block == graph.entry {
            return Some(match Places::ARGUMENTS.contains(place) {
                true => format!("the argument in {} may differ", name(place)),
                false => "it may differ when the function is called".into(),
            });
        }
        let from = graph.preds[block].clone();
        let found = from.into_iter().find_map(|from| {
            let end = graph.blocks[from].code.len();
            let after = self.varying_before(from, end);
            after.contains(place).then(|| self.origin(from, end, place)).flatten()
        });
        let met = uniformity.met.get(&block).filter(|met| met.contains(place));
        found.or_else(|| {
            met?;
            let parted = uniformity.divergent.iter().find(|branch| graph.ipdom[branch] == block)?;
            Some(format!("set on one of the ways that lanes go from {} on", graph.location(*parted)))
        })
    }

    fn varying_before(&self, block: usize, index: usize) -> Places {
        self.function.uniformity.within(
            &self.function.graph,
            &self.function.frame,
            self.results,
            block,
            index,
        )
    }
}

/// Whether an instruction writes a register or a word of the frame.
fn writes(function: &Analysed, block: usize, index: usize, place: usize) -> bool {
    let Analysed { graph, frame, .. } = function;
    let code = &graph.blocks[block].code;
    let stores = |instruction: &Instruction| {
        let access = instruction.access.as_ref().filter(|access| access.stored.is_some())?;
        let pointer = code[..index].iter().map(step).sum::<i32>() + frame.pointer(block);
        frame.place(access, pointer)
    };
    code[index].defs.contains(place) || stores(&code[index]) == Some(place)
}
