//! What the timing model must know of an instruction before it issues.

use crate::collectors::{self, Sources};
use isa::{self, csr, format, Extensions, Latency, Op};
use spec::config::LINE_BYTES;

/// The collector that an instruction goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collector {
    /// Integer unit, floating-point pipeline.
    Sp,
    /// Special unit, divider, slow floating-point unit.
    Sfu,
    /// Load-store unit.
    Mem,
}

impl Collector {
    /// Its number in [`CLASSES`](crate::sched::CLASSES).
    pub fn class(self) -> usize {
        match self {
            Self::Mem => 0,
            Self::Sfu => 1,
            Self::Sp => 2,
        }
    }
}

/// A decoded instruction; for an illegal one what leads it to the special unit, where it faults.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instr {
    pub raw: u32,
    pub op: Option<Op>,
    pub kind: Option<Latency>,
    pub collector: Collector,
    /// The register that waits until it is written, 32 and up for the floating-point ones.
    pub rd: Option<u8>,
    /// Registers that it reads.
    pub sources: Sources,
    /// Its first two sources, 0 if it has none.
    pub rs: [u8; 2],
    /// One bit a register that must not wait for a value when it issues: its sources but x0, and its destination.
    pub needs: u64,
    /// Nothing younger of its warp issues until it is resolved.
    pub blocks: bool,
    /// It waits until its warp has nothing in flight.
    pub drains: bool,
    /// It accesses memory.
    pub memory: bool,
}

/// The collector of an instruction word on a core with these extensions.
pub fn collector(raw: u32, extensions: Extensions) -> Collector {
    Instr::new(raw, extensions).collector
}

impl Instr {
    /// Decodes a word for a core with these extensions.
    pub fn new(raw: u32, extensions: Extensions) -> Self {
        let op = isa::decode_in(raw, extensions);
        let kind = op.map(|op| op.info().latency);
        let collector = match kind {
            Some(Latency::Single | Latency::Branch | Latency::Jump | Latency::Fp) => Collector::Sp,
            Some(Latency::Load | Latency::Store | Latency::Atomic | Latency::Fence) => Collector::Mem,
            _ => Collector::Sfu,
        };
        let drains = extensions.fpu && kind == Some(Latency::Csr) && csr::needs_fpu(format::csr(raw));
        let blocks =
            matches!(kind, None | Some(Latency::Branch | Latency::Jump | Latency::Warp | Latency::Fence))
                || drains;
        let sources = collectors::sources(raw, extensions);
        let (mut rd, mut rs, mut needs) = (None, [0; 2], 0);
        if let Some(format) = op.map(Op::format) {
            let to_x0 = format.writes_rd() && format::rd(raw) == 0 && op.is_some_and(Op::writes_x0);
            rd = format.rd(raw).or(to_x0.then_some(0)).map(|rd| rd as u8);
            rs = [format.rs1(raw), format.rs2(raw)].map(|register| register.unwrap_or(0) as u8);
            // Nobody waits for the value of x0.
            let registers = sources.into_iter().flatten().chain(rd);
            needs = registers.fold(0, |mask, register| mask | 1 << register);
        }
        let memory = op.is_some_and(Op::accesses_memory);
        Self { raw, op, kind, collector, rd, rs, sources, needs, blocks, drains, memory }
    }
}

impl Instr {
    /// Nothing younger of its warp is fetched until it is resolved: it may change the thread mask or the instructions; with
    /// branch prediction (`btfn`) nobody knows where JALR goes.
    pub fn stops_fetch(&self, btfn: bool) -> bool {
        match self.op {
            None | Some(Op::FenceI | Op::Tmc | Op::Wspawn | Op::Split | Op::Join | Op::Pred) => true,
            Some(Op::Jalr) => btfn,
            _ => false,
        }
    }

    /// With branch prediction: how far away fetching goes on, if not in sequence. A branch that goes back is predicted to be
    /// taken, and so is a jump but JALR: JAL, and what jumps to the instruction behind itself, as EBREAK.
    pub fn predicted(&self) -> Option<u32> {
        let op = self.op?;
        let offset = op.imm(self.raw);
        match self.kind? {
            Latency::Branch => ((offset as i32) < 0).then_some(offset),
            Latency::Jump if op == Op::Jalr => None,
            Latency::Jump => Some(if op == Op::Jal { offset } else { 4 }),
            _ => None,
        }
    }
}

const ENTRIES: usize = 4096;

/// Instructions decoded before, by address.
pub(super) struct Decoder {
    extensions: Extensions,
    entries: Vec<Option<(u32, Instr)>>,
}

impl Decoder {
    pub fn new(extensions: Extensions) -> Self {
        Self { extensions, entries: vec![None; ENTRIES] }
    }

    /// The instruction at `pc`, whose word `fetch` finds.
    #[inline(always)]
    pub fn get(&mut self, pc: u32, fetch: impl FnOnce() -> u32) -> Instr {
        let place = (pc >> 2) as usize % ENTRIES;
        match self.entries[place] {
            Some((at, instr)) if at == pc => instr,
            _ => self.insert(place, pc, fetch()),
        }
    }

    #[cold]
    fn insert(&mut self, place: usize, pc: u32, word: u32) -> Instr {
        let instr = Instr::new(word, self.extensions);
        self.entries[place] = Some((pc, instr));
        instr
    }

    /// A line is another one than before.
    pub fn forget(&mut self, line: u32) {
        for pc in (line * LINE_BYTES as u32..).step_by(4).take(LINE_BYTES / 4) {
            self.entries[(pc >> 2) as usize % ENTRIES] = None;
        }
    }

    /// FENCE.I: what is in memory may be other instructions now.
    pub fn clear(&mut self) {
        self.entries.fill(None);
    }
}
