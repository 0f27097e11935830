//! Which registers still matter at the head of each block.

use super::graph::Graph;
use super::places::{Places, RA};
use super::Convention;

/// The registers whose values somebody may still read.
#[derive(Debug)]
pub struct Liveness {
    at: Vec<Places>,
}

impl Liveness {
    pub fn new(graph: &Graph, convention: Convention) -> Self {
        let mut at = vec![Places::NONE; graph.blocks.len()];
        at[graph.exit] = convention.saved | Places::RESULTS | Places::one(RA);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in graph.reachable.iter().filter(|&&block| block != graph.exit) {
                let behind = graph.succs[block].iter().fold(Places::NONE, |all, &to| all | at[to]);
                let before = graph.blocks[block].code.iter().rev();
                let before =
                    before.fold(behind, |live, instruction| (live - instruction.defs) | instruction.uses);
                changed |= before != at[block];
                at[block] = before;
            }
        }
        Self { at }
    }

    /// What is live at the head of a block.
    pub fn at(&self, block: usize) -> Places {
        self.at[block]
    }

    /// What is live at the head of any of these blocks.
    pub fn at_any<'a>(&self, blocks: impl IntoIterator<Item = &'a usize>) -> Places {
        blocks.into_iter().fold(Places::NONE, |all, &block| all | self.at[block])
    }
}
