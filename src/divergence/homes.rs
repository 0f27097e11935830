//! Where tokens and masks are kept: in a register that is free as long as they are, in a saved one inside loops, else in a
//! word of the function's frame. There it costs a line of memory a lane.

use isa::reg;

use super::convention::Frames;
use super::graph::{Blocks, Graph};
use super::instruction::Instruction;
use super::liveness::Liveness;
use super::places::{Places, Register, GP, RA, SP, TP, ZERO};
use super::regions::{Kept, Region, Regions};
use super::Convention;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    Register(Register),
    /// The word of that number in the frame.
    Word(usize),
}

/// Registers that hold no value of the compiler's choice.
pub const FIXED: Places = Places::of(&[ZERO, RA, SP, GP, TP]);
/// The registers that the compiler is told to leave alone, for what is needed between two instructions.
pub const SCRATCH: [Register; 2] = [31, 30];

/// The homes of a function's regions.
#[derive(Debug)]
pub struct Homes {
    of: Vec<Home>,
    spans: Vec<Blocks>,
    /// Saved registers that the function does not use itself, and the words where it keeps their values.
    pub saved: Vec<(Register, usize)>,
    /// Words of the frame.
    pub words: usize,
    /// Those of the scratch registers that the function leaves alone indeed.
    scratch: Places,
    /// What points behind the frame, if there is a register for that; see `prologue`.
    pub frame: Option<Register>,
    /// Registers that never hold a region's value.
    fixed: Places,
}

impl Homes {
    pub fn new(graph: &Graph, liveness: &Liveness, regions: &Regions, convention: Convention) -> Self {
        let code = || graph.blocks.iter().flat_map(|block| &block.code);
        // What calls may read and change is not what the function itself uses.
        let named = |i: &Instruction| if i.is_call() { Places::NONE } else { i.defs | i.uses };
        let mentioned = code().fold(Places::NONE, |all, i| all | named(i));
        let scratch = SCRATCH.into_iter().filter(|&register| !mentioned.contains(register)).collect();
        let spans: Vec<Blocks> = regions.all.iter().map(Region::span).collect();
        let frame = match convention.frames {
            Frames::OnThreadPointer => Some(TP),
            Frames::ThreadLocal => {
                (Places::SAVED - FIXED - mentioned).registers().filter(|&r| r < reg::COUNT).last()
            }
        };
        let fixed = FIXED | frame.into_iter().collect();
        let of = vec![Home::Word(0); spans.len()];
        let mut this = Self { of, spans, saved: vec![], words: 0, scratch, frame, fixed };
        let depth = |region: usize| regions.all[region].blocks.iter().map(|&block| graph.depth(block)).max();
        // What is needed in the innermost loops chooses first.
        let mut order: Vec<usize> = (0..regions.all.len()).collect();
        order.sort_by_key(|&region| std::cmp::Reverse(depth(region)));
        for (at, &index) in order.iter().enumerate() {
            let region = &regions.all[index];
            let overlaps = |other: &&usize| !regions.all[**other].blocks.is_disjoint(&region.blocks);
            let others: Places =
                order[..at].iter().filter(overlaps).filter_map(|&o| this.register(o)).collect();
            let taken = fixed | this.scratch | others | occupied(graph, liveness, region);
            let free = (0..reg::COUNT).find(|&register| !taken.contains(register));
            let saved = convention.saved - fixed - mentioned - others;
            this.of[index] = match free.or_else(|| this.save(saved).filter(|_| depth(index) > Some(0))) {
                Some(register) => Home::Register(register),
                None => Home::Word(this.words),
            };
            match this.of[index] {
                Home::Word(_) => this.words += 1,
                Home::Register(register) if free.is_none() => this.keep(register),
                Home::Register(_) => {}
            }
        }
        this
    }

    /// One of these registers, rather one that is saved already.
    fn save(&self, possible: Places) -> Option<Register> {
        let is_new = |register: &Register| !self.saved.iter().any(|(saved, _)| saved == register);
        possible.registers().filter(|&register| register < reg::COUNT).min_by_key(is_new)
    }

    /// Has a saved register kept in the frame, once a call.
    fn keep(&mut self, register: Register) {
        if !self.saved.iter().any(|&(saved, _)| saved == register) {
            self.saved.push((register, self.words));
            self.words += 1;
        }
    }

    pub fn of(&self, region: usize) -> Home {
        self.of[region]
    }

    /// The register of a region, if it has one.
    pub fn register(&self, region: usize) -> Option<Register> {
        match self.of[region] {
            Home::Register(register) => Some(register),
            Home::Word(_) => None,
        }
    }

    /// The integer registers whose values nobody needs at the heads of these blocks, those that are free for this first.
    pub fn free(
        &self,
        regions: &Regions,
        liveness: &Liveness,
        blocks: &[usize],
        avoid: Places,
    ) -> Vec<Register> {
        let held = |&region: &usize| {
            let span = &self.spans[region];
            blocks.iter().any(|block| span.contains(block) || regions.all[region].meeting == *block)
        };
        let homes: Places =
            (0..self.spans.len()).filter(held).filter_map(|region| self.register(region)).collect();
        let taken = self.fixed | self.scratch | homes | liveness.at_any(blocks) | avoid;
        let dead = (0..reg::COUNT).filter(|&register| !taken.contains(register));
        dead.chain((self.scratch - avoid).registers()).collect()
    }

    /// Registers that may be spilled where none is free.
    pub fn spillable(&self, avoid: Places) -> impl Iterator<Item = Register> {
        let taken = self.fixed | avoid;
        (0..reg::COUNT).filter(move |&register| !taken.contains(register))
    }
}

/// The registers that hold or get another value while a region's is kept.
fn occupied(graph: &Graph, liveness: &Liveness, region: &Region) -> Places {
    let mut taken = liveness.at(region.meeting);
    for &block in &region.span() {
        taken |= liveness.at(block);
        for instruction in &graph.blocks[block].code {
            taken |= instruction.defs | instruction.uses;
        }
    }
    if let Kept::SplitIn(block) = region.kept {
        taken |= graph.blocks[block].last().map_or(Places::NONE, |last| last.uses);
        taken |= liveness.at_any(&graph.succs[block]);
    }
    taken
}
