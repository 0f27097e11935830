//! Barriers that lanes of one warp do not reach together.

use std::collections::{BTreeMap, BTreeSet};

use super::callers::{Analysed, Analysis};
use super::instruction::{Instruction, Kind};
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
                    "lanes of a warp may part at {branch}, and both sides come to a barrier, here and at {other}: the warp \
                     would arrive twice; move the barrier out of the condition, or, if the condition is the same in all \
                     lanes of a warp, say so: simt_uniform(condition)"
                );
                return Err(Error { at: one, function: name.into(), what });
            }
            (Some(at), _) | (_, Some(at)) => {
                found.insert(at, branch);
            }
            _ => {}
        }
    }
    Ok(found.into_iter().map(|(at, branch)| Unreached { at, branch }).collect())
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
