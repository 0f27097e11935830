//! The control-flow graph of a function: basic blocks, post-dominators and natural loops.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::dominators::{simple_fast, Dominators};
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Reversed;

use super::control::Kind;
use super::instruction::Instruction;
use super::parse::{Function, Item};
use super::{Error, Location};

/// A set of blocks by their numbers.
pub type Blocks = BTreeSet<usize>;

/// A basic block.
#[derive(Debug, Default)]
pub struct Block {
    pub labels: Vec<String>,
    pub code: Vec<Instruction>,
}

impl Block {
    /// The instruction that decides where control goes.
    pub fn last(&self) -> Option<&Instruction> {
        self.code.iter().rev().find(|instruction| instruction.kind != Kind::Directive)
    }
}

/// The graph. All returns lead to one exit.
#[derive(Debug)]
pub struct Graph {
    /// In the order of the source; behind them, without code, the exit and the entry.
    pub blocks: Vec<Block>,
    pub entry: usize,
    pub exit: usize,
    /// Where control may go: of a branch first where it leads, then what follows it.
    pub leads: Vec<Vec<usize>>,
    /// The same, with an edge to the exit out of every endless loop.
    pub succs: Vec<Vec<usize>>,
    pub preds: Vec<Vec<usize>>,
    pub reachable: Blocks,
    /// The immediate post-dominator of each block but the exit.
    pub ipdom: BTreeMap<usize, usize>,
    /// The blocks of each natural loop, by its header.
    pub loops: BTreeMap<usize, Blocks>,
}

impl Graph {
    /// # Errors
    /// A jump to a label of another function.
    pub fn new(function: &Function) -> Result<Self, Error> {
        let mut blocks = blocks(function);
        let mut leads = edges(&blocks, function)?;
        blocks.extend([Block::default(), Block::default()]);
        leads.extend([vec![], vec![0]]);
        Ok(Self::of(blocks, leads))
    }

    /// The graph of blocks, exit and entry behind the others, and of where they lead.
    pub fn of(blocks: Vec<Block>, leads: Vec<Vec<usize>>) -> Self {
        let entry = blocks.len() - 1;
        let exit = entry - 1;
        let mut reachable = reach(&leads, [entry], None);
        let mut succs: Vec<Vec<usize>> = leads.iter().map(|to| distinct(to)).collect();
        reachable.insert(exit);
        while let Some(block) = endless(&succs, &reachable, exit) {
            succs[block].push(exit);
        }
        let mut preds = vec![vec![]; blocks.len()];
        for &from in &reachable {
            succs[from].iter().for_each(|&to| preds[to].push(from));
        }
        let mut graph = DiGraph::<(), (), usize>::default();
        blocks.iter().for_each(|_| {
            graph.add_node(());
        });
        for &from in &reachable {
            succs[from].iter().for_each(|&to| {
                graph.add_edge(NodeIndex::new(from), NodeIndex::new(to), ());
            });
        }
        let dominators = simple_fast(&graph, NodeIndex::new(entry));
        let post = simple_fast(Reversed(&graph), NodeIndex::new(exit));
        let immediate =
            |&block: &usize| Some((block, post.immediate_dominator(NodeIndex::new(block))?.index()));
        let ipdom = reachable.iter().filter_map(immediate).collect();
        let loops = loops(&dominators, &succs, &preds, &reachable);
        Self { blocks, entry, exit, leads, succs, preds, reachable, ipdom, loops }
    }

    /// Lets a block lead to where its ways meet, past blocks to which nothing else leads. Dominators and loops are as before.
    pub fn bypass(&mut self, block: usize, meeting: usize) {
        for &side in self.leads[block].iter().filter(|&&side| side != meeting) {
            self.preds[side].clear();
            self.preds[meeting].retain(|&from| from != side);
            self.reachable.remove(&side);
        }
        if !self.preds[meeting].contains(&block) {
            self.preds[meeting].push(block);
        }
        self.leads[block] = vec![meeting];
        self.succs[block] = vec![meeting];
    }

    /// What is reached from these blocks before `stop`; the blocks themselves are in it.
    pub fn reach(&self, from: &[usize], stop: usize) -> Blocks {
        reach(&self.succs, from.iter().copied(), Some(stop))
    }

    /// Whether every path from a block to the exit meets `other`, another block.
    pub fn is_post_dominated(&self, block: usize, other: usize) -> bool {
        let mut at = block;
        while let Some(&next) = self.ipdom.get(&at) {
            if next == other {
                return true;
            }
            at = next;
        }
        false
    }

    /// How many natural loops a block is in.
    pub fn depth(&self, block: usize) -> usize {
        self.loops.values().filter(|body| body.contains(&block)).count()
    }

    /// Where the branch of a block leads, and what follows it, if these are two places.
    pub fn ways(&self, block: usize) -> Option<(usize, usize)> {
        match self.leads[block][..] {
            [taken, follow, ..] if taken != follow => Some((taken, follow)),
            _ => None,
        }
    }

    /// Whether a block chooses among the targets of a call.
    pub fn is_choice(&self, block: usize) -> bool {
        self.blocks[block].last().is_some_and(|last| matches!(last.kind, Kind::Choice(_)))
    }

    /// The source line of a block's last instruction, or of the first one that is known behind it.
    pub fn location(&self, block: usize) -> Location {
        let of = |block: usize| self.blocks[block].last().map(|last| last.at.clone());
        let mut at = Some(block);
        while let Some(block) = at {
            if let Some(location) = of(block) {
                return location;
            }
            at = self.ipdom.get(&block).copied();
        }
        Location::default()
    }
}

fn blocks(function: &Function) -> Vec<Block> {
    let mut blocks = vec![];
    let mut block = Block::default();
    let mut close = |block: &mut Block| {
        if !block.code.is_empty() || !block.labels.is_empty() {
            blocks.push(std::mem::take(block));
        }
    };
    for item in &function.items {
        match item {
            Item::Label(label) => {
                if !block.code.is_empty() {
                    close(&mut block);
                }
                block.labels.push(label.clone());
            }
            // The call has a block of its own, behind one that chooses the target.
            Item::Instruction(call) if matches!(call.kind, Kind::CallIndirect(_)) => {
                let Kind::CallIndirect(target) = call.kind else { continue };
                close(&mut block);
                let choice = Instruction::bare("", &call.at, Kind::Choice(target));
                block.code.push(Instruction { uses: super::places::Places::one(target), ..choice });
                close(&mut block);
                block.code.push(call.clone());
                close(&mut block);
            }
            Item::Instruction(instruction) => {
                block.code.push(instruction.clone());
                if instruction.ends_block() {
                    close(&mut block);
                }
            }
        }
    }
    close(&mut block);
    if blocks.is_empty() {
        blocks.push(Block::default());
    }
    blocks
}

fn edges(blocks: &[Block], function: &Function) -> Result<Vec<Vec<usize>>, Error> {
    let labels: BTreeMap<&str, usize> = blocks
        .iter()
        .enumerate()
        .flat_map(|(index, block)| block.labels.iter().map(move |label| (label.as_str(), index)))
        .collect();
    let exit = blocks.len();
    let edges = |(index, block): (usize, &Block)| {
        let behind = |steps: usize| (index + steps).min(exit);
        let Some(last) = block.last() else { return Ok(vec![behind(1)]) };
        let find = |label: &str| {
            labels.get(label).copied().ok_or_else(|| Error {
                at: last.at.clone(),
                function: function.name.clone(),
                what: format!(
                    "{}: a jump out of the function; compile with -fno-optimize-sibling-calls \
                               -fno-reorder-blocks-and-partition",
                    last.text
                ),
            })
        };
        Ok(match &last.kind {
            Kind::Branch(_, target) => vec![find(target)?, behind(1)],
            Kind::Jump(target) => vec![find(target)?],
            Kind::Return => vec![exit],
            // Lanes with other targets come again. Nothing goes past the call, but all meet behind it.
            Kind::Choice(_) => vec![index, behind(1), behind(2)],
            _ => vec![behind(1)],
        })
    };
    blocks.iter().enumerate().map(edges).collect()
}

fn distinct(blocks: &[usize]) -> Vec<usize> {
    let mut seen = Blocks::new();
    blocks.iter().copied().filter(|&block| seen.insert(block)).collect()
}

fn reach(succs: &[Vec<usize>], from: impl IntoIterator<Item = usize>, stop: Option<usize>) -> Blocks {
    let mut seen = Blocks::new();
    let mut work: Vec<usize> = from.into_iter().collect();
    while let Some(block) = work.pop() {
        if Some(block) != stop && seen.insert(block) {
            work.extend(&succs[block]);
        }
    }
    seen
}

/// A block from which no way leads to the exit: of those, one that reaches the fewest, so that it is in an innermost loop.
fn endless(succs: &[Vec<usize>], reachable: &Blocks, exit: usize) -> Option<usize> {
    let mut reaching = Blocks::from([exit]);
    loop {
        let more: Vec<usize> = reachable
            .iter()
            .copied()
            .filter(|block| !reaching.contains(block) && succs[*block].iter().any(|to| reaching.contains(to)))
            .collect();
        if more.is_empty() {
            break;
        }
        reaching.extend(more);
    }
    reachable.difference(&reaching).copied().min_by_key(|&block| reach(succs, [block], None).len())
}

fn loops(
    dominators: &Dominators<NodeIndex<usize>>,
    succs: &[Vec<usize>],
    preds: &[Vec<usize>],
    reachable: &Blocks,
) -> BTreeMap<usize, Blocks> {
    let mut loops = BTreeMap::new();
    for &latch in reachable {
        let mut above = dominators.dominators(NodeIndex::new(latch)).into_iter().flatten();
        for header in above.by_ref().map(NodeIndex::index).filter(|header| succs[latch].contains(header)) {
            let body: &mut Blocks = loops.entry(header).or_insert_with(|| Blocks::from([header]));
            let mut work = vec![latch];
            while let Some(block) = work.pop() {
                if body.insert(block) {
                    work.extend(&preds[block]);
                }
            }
        }
    }
    loops
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::File;

    /// Every block has something that follows it on all ways, though some ways never end.
    #[test]
    fn out_of_each_endless_loop_an_edge_leads_to_the_exit() {
        let body = "beqz a0, 3f\n1: addi a1, a1, 1\nbeqz a1, 1b\nj 1b\n3: addi a2, a2, 1\nbeqz a2, 3b\nj 3b";
        let text = format!(".type f, @function\nf:\n{body}\n.size f, .-f\n");
        let file = File::parse("f.s", &text, crate::Convention::default()).unwrap();
        let graph = Graph::new(file.functions().next().unwrap()).unwrap();
        let inside = graph.reachable.iter().filter(|&&block| block != graph.exit);
        let unbounded: Vec<_> = inside.filter(|block| !graph.ipdom.contains_key(block)).collect();
        assert!(unbounded.is_empty(), "{unbounded:?}");
    }
}
