//! Where lanes that have parted meet again: what has to be kept for that, and for how long.
//!
//! A divergent branch reconverges at its immediate post-dominator p. The *token* of p is the depth of the divergence stack
//! when control came into the region of p: its divergent branches and what they reach before p. At p the warp JOINs until
//! the stack is as deep as that again. From a block that p strictly post-dominates every edge leads to such a block, until
//! p; so whatever was pushed inside is gone at p but for what p's own branches have pushed.
//!
//! A natural loop that is left only by branches to one place needs no stack: PRED takes the lanes that leave out of the
//! *mask*, and gives it back as it was before the loop when none is left. If they leave by several branches, each lane keeps
//! in a *flag* whether it stays: the others do not know by which branch it has left.

use std::collections::{BTreeMap, BTreeSet};

use super::control::Kind;
use super::graph::{Blocks, Graph};

/// JOINs in a row instead of a loop that asks for the depth.
const ROW: usize = 3;

/// Which value a region keeps.
#[derive(Debug, PartialEq, Eq)]
pub enum Kept {
    /// The depth of the stack, which is read on the edges that enter the region.
    Depth,
    /// The same, which the SPLIT in this block gives: the region is entered there alone.
    SplitIn(usize),
    /// The mask before a loop, read on the edges that enter it.
    Mask,
    /// Whether the lane stays in a loop that is left by several branches.
    Flag,
}

/// Blocks over which a token or a mask is kept.
#[derive(Debug)]
pub struct Region {
    pub kept: Kept,
    pub blocks: Blocks,
    /// The edges on which it is read.
    pub entries: BTreeSet<(usize, usize)>,
    /// Where the lanes meet.
    pub meeting: usize,
    /// The blocks whose edges to there JOIN, and how often; 0 if that is not known. None if the mask is kept.
    pub joining: BTreeMap<usize, usize>,
}

impl Region {
    /// Blocks at whose heads it is kept.
    pub fn span(&self) -> Blocks {
        let mut span = self.blocks.clone();
        if let Kept::SplitIn(block) = self.kept {
            span.remove(&block);
        }
        span
    }
}

/// All that is to be inserted into a function.
#[derive(Debug, Default)]
pub struct Regions {
    pub all: Vec<Region>,
    /// Branches that leave a loop by PRED, and the region of its mask.
    pub preds: BTreeMap<usize, usize>,
    /// The regions of the flags that such regions need.
    pub flags: BTreeMap<usize, usize>,
    /// Edges on which all lanes that are left leave such a loop by a uniform branch.
    pub restores: BTreeMap<(usize, usize), usize>,
    /// Branches whose SPLIT gives a region's token.
    pub firsts: BTreeMap<usize, usize>,
}

impl Regions {
    /// Plans for these divergent branches; `several` says whether loops that several of them leave may have a flag.
    pub fn new(graph: &Graph, divergent: &Blocks, several: bool) -> Self {
        let mut this = Self::default();
        this.loops(graph, divergent, several);
        let split: Blocks =
            divergent.iter().copied().filter(|block| !this.preds.contains_key(block)).collect();
        let mut meetings: BTreeMap<usize, Blocks> = BTreeMap::new();
        for &block in &split {
            meetings.entry(graph.ipdom[&block]).or_default().insert(block);
        }
        // Where something may be on the stack that a branch of this meeting has pushed.
        let pending: BTreeMap<usize, Blocks> = meetings
            .iter()
            .map(|(&meeting, branches)| {
                let ways: Vec<usize> =
                    branches.iter().flat_map(|&branch| graph.succs[branch].clone()).collect();
                (meeting, graph.reach(&ways, meeting))
            })
            .collect();
        for (&meeting, branches) in &meetings {
            let mut rest = pending[&meeting].clone();
            rest.extend(branches);
            // Parts that are not connected have tokens of their own.
            while let Some(&any) = rest.iter().next() {
                let mut part = Blocks::new();
                let mut work = vec![any];
                while let Some(block) = work.pop() {
                    if rest.remove(&block) {
                        part.insert(block);
                        work.extend(graph.succs[block].iter().chain(&graph.preds[block]));
                    }
                }
                let branches = branches.intersection(&part).copied().collect();
                this.meeting(graph, meeting, part, &branches, &pending);
            }
        }
        this
    }

    /// Finds the loops that PRED serves: those that are left only for one place, and in which all that part for another
    /// reason meet again. Outer ones first, for a branch can leave but one of them by PRED.
    fn loops(&mut self, graph: &Graph, divergent: &Blocks, several: bool) {
        let mut loops: Vec<(&usize, &Blocks)> = graph.loops.iter().collect();
        loops.sort_by_key(|(_, body)| std::cmp::Reverse(body.len()));
        for (&header, body) in loops {
            let leaving: Vec<(usize, usize)> =
                edges(graph, body).filter(|(_, to)| !body.contains(to)).collect();
            let from: Blocks = leaving.iter().map(|&(from, _)| from).collect();
            let Some(&(_, meeting)) = leaving.first() else { continue };
            let by_branch = |block: &usize| {
                let last = graph.blocks[*block].last().map(|last| &last.kind);
                matches!(last, Some(Kind::Branch(..))) && graph.ways(*block).is_some()
            };
            let inside = |block: &usize| from.contains(block) || body.contains(&graph.ipdom[block]);
            let parting = from.intersection(divergent).count();
            let served = leaving.iter().all(|&(_, to)| to == meeting)
                && from.iter().all(by_branch)
                && from.iter().all(|block| !self.preds.contains_key(block))
                && (1..if several { usize::MAX } else { 2 }).contains(&parting)
                && body.intersection(divergent).all(inside);
            if !served {
                continue;
            }
            let region = self.all.len();
            for &(block, to) in &leaving {
                if divergent.contains(&block) {
                    self.preds.insert(block, region);
                } else {
                    self.restores.insert((block, to), region);
                }
            }
            let entries = graph.preds[header].iter().filter(|from| !body.contains(from));
            let entries = entries.map(|&from| (from, header)).collect();
            let mut keep = |kept, entries| {
                let (blocks, joining) = (body.clone(), BTreeMap::new());
                self.all.push(Region { kept, blocks, entries, meeting, joining });
            };
            keep(Kept::Mask, entries);
            if parting > 1 {
                keep(Kept::Flag, BTreeSet::new());
                self.flags.insert(region, region + 1);
            }
        }
    }

    /// Plans how the lanes meet that part by some branches.
    fn meeting(
        &mut self,
        graph: &Graph,
        meeting: usize,
        blocks: Blocks,
        branches: &Blocks,
        pending: &BTreeMap<usize, Blocks>,
    ) {
        let entering = |blocks: &Blocks| -> BTreeSet<(usize, usize)> {
            let into = blocks.iter().flat_map(|&to| graph.preds[to].iter().map(move |&from| (from, to)));
            into.filter(|(from, _)| !blocks.contains(from)).collect()
        };
        let entries = entering(&blocks);
        let targets: Blocks = entries.iter().map(|&(_, to)| to).collect();
        let alone = targets.first().copied().filter(|first| {
            targets.len() == 1
                && branches.contains(first)
                && graph.preds[*first].iter().all(|from| !blocks.contains(from))
        });
        let joining = row(graph, &blocks, branches);
        // What is pending there and ends inside the region would be counted with it: so it begins earlier.
        let counted = |target: &usize| {
            pending.iter().any(|(&other, pending)| {
                other != meeting && pending.contains(target) && graph.is_post_dominated(other, meeting)
            })
        };
        let (kept, span, entries) = match alone {
            Some(first) => {
                self.firsts.insert(first, self.all.len());
                (Kept::SplitIn(first), blocks.clone(), BTreeSet::new())
            }
            None if !targets.iter().any(counted) => (Kept::Depth, blocks.clone(), entries),
            None => {
                let below = |block: &usize| *block != graph.entry && graph.is_post_dominated(*block, meeting);
                let wide: Blocks = graph.reachable.iter().copied().filter(below).collect();
                let entries = entering(&wide);
                (Kept::Depth, wide, entries)
            }
        };
        self.all.push(Region { kept, blocks: span, entries, meeting, joining });
    }

    /// The regions whose lanes meet at a block if they come from another one, and how many JOINs that takes.
    pub fn joining(&self, from: usize, to: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let here = move |(index, region): (usize, &Region)| {
            let joins = region.joining.get(&from).filter(|_| region.meeting == to);
            Some((index, *joins?))
        };
        self.all.iter().enumerate().filter_map(here)
    }

    /// The regions that an edge enters.
    pub fn entered(&self, from: usize, to: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.all.len()).filter(move |&region| self.all[region].entries.contains(&(from, to)))
    }
}

fn edges<'a>(graph: &'a Graph, blocks: &'a Blocks) -> impl Iterator<Item = (usize, usize)> + 'a {
    blocks.iter().flat_map(|&from| graph.succs[from].iter().map(move |&to| (from, to)))
}

/// For each block of a region as many JOINs as branches can follow one another on a way to its end; 0 for all if one may come
/// again, or if there are many.
fn row(graph: &Graph, blocks: &Blocks, branches: &Blocks) -> BTreeMap<usize, usize> {
    let behind = |branch: usize| {
        let mut seen = Blocks::new();
        let mut work: Vec<usize> = graph.succs[branch].clone();
        while let Some(block) = work.pop() {
            if blocks.contains(&block) && seen.insert(block) {
                work.extend(&graph.succs[block]);
            }
        }
        seen
    };
    let behind: BTreeMap<usize, Blocks> = branches.iter().map(|&branch| (branch, behind(branch))).collect();
    let unknown = || blocks.iter().map(|&block| (block, 0)).collect();
    if behind.iter().any(|(branch, behind)| behind.contains(branch)) {
        return unknown();
    }
    // Nothing comes again, so the number of branches bounds how often a longer chain is found.
    let mut longest: BTreeMap<usize, usize> = branches.iter().map(|&branch| (branch, 1)).collect();
    let before = |block: usize, longest: &BTreeMap<usize, usize>| {
        let before = behind.iter().filter(|(_, behind)| behind.contains(&block));
        before.map(|(branch, _)| longest[branch]).max().unwrap_or(0)
    };
    for _ in branches {
        for &branch in branches {
            longest.insert(branch, before(branch, &longest) + 1);
        }
    }
    if longest.values().any(|&longest| longest > ROW) {
        return unknown();
    }
    let joins = |block: usize| longest.get(&block).copied().unwrap_or_else(|| before(block, &longest));
    blocks.iter().map(|&block| (block, joins(block))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::File;

    fn regions(body: &str) -> (Graph, Regions) {
        let text = format!(".type f, @function\nf:\n{body}\n.size f, .-f\n");
        let file = File::parse("f.s", &text, crate::Convention::default()).unwrap();
        let graph = Graph::new(file.functions().next().unwrap()).unwrap();
        let branches = |block: &usize| graph.ways(*block).is_some();
        let divergent = graph.reachable.iter().copied().filter(branches).collect();
        let regions = Regions::new(&graph, &divergent, true);
        (graph, regions)
    }

    #[test]
    fn an_if_takes_its_token_of_split() {
        let (_, regions) = regions("beqz a0, 1f\nli a1, 1\n1: ret");
        assert_eq!(regions.all.len(), 1);
        assert_eq!(regions.all[0].kept, Kept::SplitIn(0));
        assert_eq!(regions.all[0].joining, BTreeMap::from([(0, 1), (1, 1)]));
    }

    /// Both conditions of `a && b` part lanes for the same place. Who leaves by the first has met no other.
    #[test]
    fn short_circuits_take_a_join_for_each_branch_that_was_met() {
        let (_, regions) = regions("beqz a0, 1f\nbeqz a1, 1f\nli a1, 1\n1: ret");
        assert_eq!(regions.all[0].kept, Kept::SplitIn(0));
        assert_eq!(regions.all[0].joining, BTreeMap::from([(0, 1), (1, 2), (2, 2)]));
    }

    #[test]
    fn a_loop_with_one_way_out_takes_pred() {
        let (_, regions) = regions("1: addi a0, a0, -1\nbeqz a1, 2f\nbnez a0, 1b\n2: ret");
        assert_eq!(regions.all.len(), 2);
        assert_eq!((&regions.all[0].kept, &regions.all[1].kept), (&Kept::Mask, &Kept::Flag));
        assert_eq!((regions.preds.len(), regions.flags.len()), (2, 1));
    }

    /// The lanes that part in its body meet there again.
    #[test]
    fn a_loop_with_branches_in_it_takes_pred() {
        let (_, regions) = regions("1: beqz a2, 3f\nsw a0, 0(a1)\n3: beqz a3, 4f\nsw a0, 0(a1)\n4: addi a0, a0, -1\nbnez a0, 1b\nret");
        assert_eq!(regions.preds.len(), 1);
        assert_eq!(regions.all[0].blocks, Blocks::from([0, 1, 2, 3, 4]));
    }

    /// One exit leads past what the other one leads to.
    #[test]
    fn a_loop_with_two_ways_out_joins_in_a_loop() {
        let (_, regions) = regions("1: addi a0, a0, -1\nbeqz a1, 2f\nbnez a0, 1b\nli a0, 5\n2: ret");
        assert!(regions.preds.is_empty());
        let depth = regions.all.iter().find(|region| region.kept == Kept::Depth);
        assert!(depth.is_some_and(|region| region.joining.values().all(|&joins| joins == 0)));
    }
}
