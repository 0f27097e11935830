//! Barriers that lanes of one warp do not reach together.

use std::collections::{BTreeMap, BTreeSet};

use super::callers::{Analysed, Analysis};
use super::control::Kind;
use super::instruction::Instruction;
use super::{Error, Location};

/// A barrier, or the call of a function with one, behind a divergent branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The barrier.
    pub at: Location,
    /// The branch.
    pub branch: Location,
}

/// The functions that may come to a barrier.
pub fn waiting(analysis: &Analysis) -> BTreeSet<String> {
    let mut waiting = BTreeSet::new();
    loop {
        let count = waiting.len();
        for (name, function) in &analysis.functions {
            if code(function).any(|instruction| waits(instruction, &waiting)) {
                waiting.insert(name.clone());
            }
        }
        if waiting.len() == count {
            return waiting;
        }
    }
}

/// Barriers that only some lanes of a warp reach: the warp arrives all the same, once.
///
/// # Errors
/// Barriers on both sides of a branch whose lanes part: the warp would arrive at each.
pub fn unreached(
    name: &str,
    function: &Analysed,
    waiting: &BTreeSet<String>,
) -> Result<Vec<Unreached>, Error> {
    let graph = &function.graph;
    let mut found: BTreeMap<Location, Location> = BTreeMap::new();
    for &block in &function.uniformity.divergent {
        let meeting = graph.ipdom[&block];
        let branch = graph.location(block);
        let barrier = |to: usize| {
            // Not what comes after another turn of a loop.
            let mut before = graph.reach(&[to], meeting);
            before.remove(&block);
            let mut code = before.into_iter().flat_map(|block| &graph.blocks[block].code);
            code.find(|instruction| waits(instruction, waiting)).map(|barrier| barrier.at.clone())
        };
        let Some((taken, follow)) = graph.ways(block) else { continue };
        match (barrier(taken), barrier(follow)) {
            (Some(one), Some(other)) => {
                let what = format!(
                    "lanes of a warp may part here, and both sides come to a barrier, at {one} and {other}: the warp would \
                     arrive twice; move the barrier out of the condition, or, if the condition is the same in all lanes of \
                     a warp, say so: simt_uniform(condition)"
                );
                return Err(Error { at: branch, function: name.into(), what });
            }
            (Some(at), _) | (_, Some(at)) => {
                found.entry(branch).or_insert(at);
            }
            _ => {}
        }
    }
    Ok(found.into_iter().map(|(branch, at)| Unreached { at, branch }).collect())
}

fn code(function: &Analysed) -> impl Iterator<Item = &Instruction> {
    function.graph.reachable.iter().flat_map(|&block| &function.graph.blocks[block].code)
}

fn waits(instruction: &Instruction, waiting: &BTreeSet<String>) -> bool {
    match &instruction.kind {
        Kind::Barrier => true,
        Kind::Call(callee) => waiting.contains(callee),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{mark, Convention, Error, Marked};

    const BARRIER: &str = ".insn r 0x0b, 4, 0, x0, a4, a5";

    fn marked(body: &str) -> Result<Marked, Error> {
        let text = format!(
            ".globl f\n.type f, @function\nf:\n{body}\n.size f, .-f\n.type g, @function\ng:\n{BARRIER}\nret\n.size g, .-g\n"
        );
        mark("f.s", &text, Convention::default())
    }

    #[test]
    fn barriers_on_both_sides_are_an_error_at_the_branch() {
        let error = marked(&format!("beqz a0, 1f\n{BARRIER}\nj 2f\n1: call g\n2: ret")).unwrap_err();
        assert_eq!((error.at.to_string().as_str(), error.function.as_str()), ("f.s:4", "f"));
        assert!(error.what.contains("f.s:7 and f.s:5"), "{error}");
    }

    #[test]
    fn a_barrier_on_one_side_is_noted() {
        let one = marked(&format!("beqz a0, 1f\n{BARRIER}\n1: ret")).unwrap();
        assert_eq!(one.unreached.len(), 1);
        assert_eq!((one.unreached[0].at.line, one.unreached[0].branch.line), (5, 4));
        // All come to one behind it, and all to one behind a branch that is the same in all lanes.
        let all = format!("beqz a0, 1f\nsw a1, 0(a2)\n1: {BARRIER}\nret");
        assert!(marked(&all).unwrap().unreached.is_empty());
        let uniform = format!("csrr a0, 0xcc1\nbeqz a0, 1f\n{BARRIER}\nj 2f\n1: call g\n2: ret");
        assert!(marked(&uniform).unwrap().unreached.is_empty());
    }
}
