//! A cache of decoded instructions.
//!
//! Stores take out what they overwrite, so that executing it without a FENCE.I is noticed.

use isa::{self, Extensions, Op};

/// An instruction ready to execute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decoded {
    pub raw: u32,
    pub imm: u32,
    pub op: Op,
    /// Destination, 32 and up for floating-point registers; 0 if the instruction has none.
    pub rd: u8,
    /// Sources, likewise; 0 if the instruction does not read them.
    pub rs1: u8,
    pub rs2: u8,
    pub rs3: u8,
}

impl Decoded {
    /// Decodes a word; `None` if it is illegal on a core with these extensions.
    pub fn new(raw: u32, extensions: Extensions) -> Option<Self> {
        let op = isa::decode_in(raw, extensions)?;
        let format = op.format();
        let field = |number: Option<usize>| number.unwrap_or(0) as u8;
        Some(Self {
            raw,
            imm: op.imm(raw),
            op,
            rd: field(format.rd(raw)),
            rs1: field(format.rs1(raw)),
            rs2: field(format.rs2(raw)),
            rs3: field(format.rs3(raw)),
        })
    }
}

const ENTRIES: usize = 4096;

/// Direct-mapped by pc.
#[derive(Clone, Debug)]
pub(super) struct DecodedCache {
    entries: Vec<Option<(u32, Decoded)>>,
}

impl DecodedCache {
    pub fn new() -> Self {
        Self { entries: vec![None; ENTRIES] }
    }

    #[inline]
    pub fn get(&self, pc: u32) -> Option<Decoded> {
        self.entries[slot(pc)].filter(|&(tag, _)| tag == pc).map(|(_, decoded)| decoded)
    }

    pub fn insert(&mut self, pc: u32, decoded: Decoded) {
        self.entries[slot(pc)] = Some((pc, decoded));
    }

    /// Forgets the instruction in the word at `address`.
    pub fn remove(&mut self, address: u32) {
        let pc = address & !3;
        if self.get(pc).is_some() {
            self.entries[slot(pc)] = None;
        }
    }

    pub fn clear(&mut self) {
        self.entries.fill(None);
    }
}

#[inline]
fn slot(pc: u32) -> usize {
    (pc >> 2) as usize % ENTRIES
}
