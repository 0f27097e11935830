//! Which registers still matter at the head of each block.

use super::graph::Graph;
use super::places::{Places, RA};
use super::Convention;

/// The registers whose values somebody may still read.
#[derive(Debug)]
pub struct Liveness {
    at: Vec<Places>,
    /// Of each block what it reads before it writes it, and what it writes.
    read: Vec<Places>,
    written: Vec<Places>,
}

impl Liveness {
    pub fn new(graph: &Graph, convention: Convention) -> Self {
        let none = vec![Places::NONE; graph.blocks.len()];
        let mut this = Self { at: none.clone(), read: none.clone(), written: none };
        this.at[graph.exit] = convention.saved | Places::RESULTS | Places::one(RA);
        graph.reachable.iter().for_each(|&block| this.summarise(graph, block));
        // What comes last in the source, mostly without anything behind it, is looked at first.
        this.settle(graph, graph.reachable.iter().copied().collect());
        this
    }

    /// Takes notice that the code of a block has changed, or where it leads. What was live stays so.
    pub fn update(&mut self, graph: &Graph, block: usize) {
        self.summarise(graph, block);
        self.settle(graph, vec![block]);
    }

    fn summarise(&mut self, graph: &Graph, block: usize) {
        let code = graph.blocks[block].code.iter();
        let back = code.clone().rev();
        self.read[block] =
            back.fold(Places::NONE, |live, instruction| (live - instruction.defs) | instruction.uses);
        self.written[block] = code.fold(Places::NONE, |all, instruction| all | instruction.defs);
    }

    /// Goes backwards from these blocks, the last one first, as long as something becomes live.
    fn settle(&mut self, graph: &Graph, mut work: Vec<usize>) {
        while let Some(block) = work.pop() {
            if block == graph.exit {
                continue;
            }
            let behind = self.at_any(&graph.succs[block]);
            let before = self.at[block] | (behind - self.written[block]) | self.read[block];
            if before != self.at[block] {
                self.at[block] = before;
                work.extend(&graph.preds[block]);
            }
        }
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
