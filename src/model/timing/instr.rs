//! What the timing model must know of an instruction before it issues.

use super::special::Task;
use super::work::{Collector, What, Work};
use crate::collectors::{self, Sources};
use isa::{self, csr, format, Extensions, Latency, Op};
use spec::config::{CoreConfig, LINE_BYTES};

/// A decoded instruction; for an illegal one what leads it to the special unit, where it faults.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instr {
    pub raw: u32,
    pub op: Option<Op>,
    pub kind: Option<Latency>,
    /// The register that waits until it is written, 32 and up for the floating-point ones.
    pub rd: Option<u8>,
    /// Registers that it reads.
    pub sources: Sources,
    /// Its first two sources, 0 if it has none.
    pub rs: [u8; 2],
    /// One bit a register that must not wait for a value when it issues: its sources but x0, and its destination; all, if it
    /// waits until its warp has nothing in flight.
    pub needs: u64,
    /// Nothing younger of its warp issues until it is resolved.
    pub blocks: bool,
    /// It accesses memory.
    pub memory: bool,
    /// Nothing younger of its warp is fetched until it is resolved.
    pub stops_fetch: bool,
    /// With branch prediction: how far away fetching goes on, if not in sequence.
    pub predicted: Option<u32>,
    /// What goes to the units, but for the warp and what depends on values.
    pub work: Work,
}

/// The collector of an instruction word on a core with these extensions.
pub fn collector(raw: u32, extensions: Extensions) -> Collector {
    Instr::new(raw, extensions, false).work.collector
}

impl Instr {
    /// Decodes a word for a core with these extensions, with branch prediction (`btfn`) or without.
    pub fn new(raw: u32, extensions: Extensions, btfn: bool) -> Self {
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
        if drains {
            needs = u64::MAX;
        }
        let predicted = if btfn { op.and_then(|op| predicted(op, raw)) } else { None };
        let work = Work {
            wid: 0,
            rd: rd.filter(|_| collector != Collector::Mem),
            lanes: 0,
            collector,
            what: what(kind, raw, drains),
            ordered: matches!(op, Some(Op::Tmc | Op::Wspawn | Op::Bar | Op::Pred)),
        };
        Self {
            raw,
            op,
            kind,
            rd,
            rs,
            sources,
            needs,
            blocks,
            memory: op.is_some_and(Op::accesses_memory),
            stops_fetch: predicted.is_none() && stops_fetch(op, btfn),
            predicted,
            work,
        }
    }
}

/// What it does in the units; what depends on values is not known yet.
fn what(kind: Option<Latency>, raw: u32, drains: bool) -> What {
    match kind {
        None | Some(Latency::Single) => What::Integer { resolves: false, taken: false },
        Some(Latency::Branch | Latency::Jump) => What::Integer { resolves: true, taken: false },
        Some(Latency::Fp) => What::Float,
        Some(Latency::Div) => What::Divide(0),
        Some(Latency::FpConvert) => What::Convert,
        Some(Latency::FpDiv) => What::FloatDivide,
        Some(Latency::Csr) => {
            What::Special(Task::Csr { number: format::csr(raw), tmask: 0, resolves: drains })
        }
        Some(Latency::Warp) => What::Special(Task::Control { ends: false }),
        Some(Latency::Load | Latency::Store | Latency::Atomic | Latency::Fence) => What::Memory,
    }
}

/// Nothing younger of its warp is fetched until it is resolved: it may change the thread mask or the instructions; with
/// branch prediction (`btfn`) nobody knows where JALR goes.
fn stops_fetch(op: Option<Op>, btfn: bool) -> bool {
    match op {
        None | Some(Op::FenceI | Op::Tmc | Op::Wspawn | Op::Split | Op::Join | Op::Pred) => true,
        Some(Op::Jalr) => btfn,
        _ => false,
    }
}

/// A branch that goes back is predicted to be taken, and so is a jump but JALR: JAL, and what jumps to the instruction behind
/// itself, as EBREAK.
fn predicted(op: Op, raw: u32) -> Option<u32> {
    let offset = op.imm(raw);
    match op.info().latency {
        Latency::Branch => ((offset as i32) < 0).then_some(offset),
        Latency::Jump if op == Op::Jalr => None,
        Latency::Jump => Some(if op == Op::Jal { offset } else { 4 }),
        _ => None,
    }
}

const ENTRIES: usize = 4096;

/// Instructions decoded before.
pub(super) struct Decoder {
    extensions: Extensions,
    btfn: bool,
    /// Each with its address, if there is one at this place.
    entries: Vec<(Option<u32>, Instr)>,
}

impl Decoder {
    pub fn new(cfg: &CoreConfig) -> Self {
        let extensions = cfg.into();
        let nothing = (None, Instr::new(0, extensions, cfg.btfn));
        Self { extensions, btfn: cfg.btfn, entries: vec![nothing; ENTRIES] }
    }

    /// An instruction that nobody has fetched.
    pub fn blank(&self) -> Instr {
        Instr::new(0, self.extensions, self.btfn)
    }

    /// The instruction at `pc`, whose word `fetch` finds.
    #[inline(always)]
    pub fn get(&mut self, pc: u32, fetch: impl FnOnce() -> u32) -> &Instr {
        let place = (pc >> 2) as usize % ENTRIES;
        if self.entries[place].0 != Some(pc) {
            self.insert(place, pc, fetch);
        }
        &self.entries[place].1
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, place: usize, pc: u32, fetch: impl FnOnce() -> u32) {
        self.entries[place] = (Some(pc), Instr::new(fetch(), self.extensions, self.btfn));
    }

    /// A line is another one than before.
    pub fn forget(&mut self, line: u32) {
        for pc in (line * LINE_BYTES as u32..).step_by(4).take(LINE_BYTES / 4) {
            self.entries[(pc >> 2) as usize % ENTRIES].0 = None;
        }
    }

    /// FENCE.I: what is in memory may be other instructions now.
    pub fn clear(&mut self) {
        self.entries.iter_mut().for_each(|(pc, _)| *pc = None);
    }
}
