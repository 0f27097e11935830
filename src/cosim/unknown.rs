//! What was never written, in a run that starts from random values: unknown until it matters.
//!
//! Compiled code saves registers that nobody has written yet. Hardware has a random value there and the model 0, which is
//! no difference as long as nothing depends on it. So what is computed from such a value, or loaded where one was stored, is
//! unknown too, and the hardware's result is taken over. Where one decides where a warp goes, which lanes run, which
//! address is accessed, or what leaves the core, the program is wrong, and the run fails.

use std::collections::{HashMap, VecDeque};

use isa::reg::REGISTERS;
use isa::{csr, decode, reg, Format, Op};
use model::memory::{IO_END, LOCAL_MEM_BASE};
use model::timing::Issued;
use model::{members, shuffle_source, Lanes, Retire, Warp};
use spec::config::{CoreConfig, LINE_BYTES};

use super::failure::{At, FailureKind};
use super::trace::Accessed;

/// Exceptions of a warp, kept as if they were one more register.
const FLAGS: usize = REGISTERS;

/// What was never written: a register of a warp, or a byte of local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Register { wid: usize, number: u8 },
    Local(u32),
}

/// The lanes of a value that are unknown, and where that comes from.
type Lacking = Option<(u32, Origin)>;

/// Lanes of a result that are unknown, and whether the exceptions that come with it are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Unsure {
    pub(super) lanes: u32,
    pub(super) flags: bool,
}

/// Which registers and bytes are unknown.
pub(super) struct Unknown {
    threads: usize,
    /// For each warp its registers, and the exceptions so far.
    registers: Vec<Lacking>,
    /// Bytes of lines.
    lines: HashMap<u32, (u64, Origin)>,
    /// For each warp and store or atomic instruction that has issued and not acted: the lanes whose data is unknown.
    stores: Vec<VecDeque<Lacking>>,
    /// What is unknown of the result of the vote or shuffle that is about to issue.
    exchanged: Lacking,
}

impl Unknown {
    /// As reset leaves a core: no register and no local memory is known.
    pub(super) fn new(cfg: &CoreConfig) -> Self {
        let register = |wid, number: usize| match number {
            0 | FLAGS => None,
            _ => Some((u32::MAX, Origin::Register { wid, number: number as u8 })),
        };
        let of_warp = |wid| (0..=FLAGS).map(move |number| register(wid, number));
        let local = (0..cfg.local_mem_bytes.div_ceil(LINE_BYTES)).map(|line| {
            let address = LOCAL_MEM_BASE + (line * LINE_BYTES) as u32;
            (address, (u64::MAX, Origin::Local(address)))
        });
        Self {
            threads: cfg.threads,
            registers: (0..cfg.warps).flat_map(of_warp).collect(),
            lines: local.collect(),
            stores: vec![VecDeque::new(); cfg.warps],
            exchanged: None,
        }
    }

    fn of(&self, wid: usize, number: usize, lanes: u32) -> Lacking {
        let (unknown, origin) = self.registers[wid * (FLAGS + 1) + number]?;
        (unknown & lanes != 0).then_some((unknown & lanes, origin))
    }

    /// Whether what is about to issue would decide something by an unknown value.
    pub(super) fn decided(&mut self, warp: &Warp, issued: &Issued) -> Option<FailureKind> {
        let Issued { wid, pc, raw, .. } = *issued;
        let op = decode(raw)?;
        let tmask = warp.tmask();
        self.exchanged = if op.is_cross_lane() { self.exchange(warp, issued, op) } else { None };
        // The last active lane decides for the warp; of a CSR's operand it is lane 0.
        let last = (1 << (31 - tmask.leading_zeros().min(31))) & tmask;
        let (what, first, second) = match op {
            Op::Jalr => ("target", last, 0),
            Op::Tmc | Op::Pred | Op::Split | Op::Join => ("thread mask", last, last),
            Op::Wspawn => ("warps that start", last, last),
            _ if op.is_barrier() => ("barrier", last, last),
            _ if op.is_branch() => ("condition", last, last),
            _ if op.accesses_memory() => ("address", tmask, 0),
            _ if op.format() == Format::Csr => ("CSR's new value", 1, 0),
            Op::ShflUp | Op::ShflDown | Op::ShflBfly | Op::ShflIdx => ("lane of a shuffle", 0, tmask),
            _ => return None,
        };
        let first = if matches!(op, Op::Split | Op::Pred) { tmask } else { first };
        let of = |number: Option<usize>, lanes| self.of(wid, number?, lanes);
        let (rs1, rs2) = (op.format().rs1(raw), op.format().rs2(raw));
        let mut lacking = of(rs1, first).or(of(rs2, second)).map(|(_, origin)| (what, origin));
        if op == Op::AmocasW {
            lacking = lacking.or(of(op.format().rs3(raw), tmask).map(|(_, origin)| ("comparison", origin)));
        }
        if (op.is_store() || op.is_atomic()) && lacking.is_none() {
            let base = warp.register(rs1?);
            let leaves = |lane: &usize| base[*lane].wrapping_add(op.offset(raw)) < IO_END;
            let output = members(tmask).filter(leaves).fold(0, |mask, lane| mask | 1 << lane);
            lacking = of(rs2, output).map(|(_, origin)| ("output", origin));
        }
        let (what, origin) = lacking?;
        Some(FailureKind::Unwritten { at: At { wid, pc, raw: Some(raw) }, what, origin: origin.to_string() })
    }

    /// What is unknown of the result of a vote or shuffle, whose lanes are known: all of a vote that lacks a lane's, and of a
    /// shuffle what it takes.
    fn exchange(&self, warp: &Warp, &Issued { wid, raw, .. }: &Issued, op: Op) -> Lacking {
        let tmask = warp.tmask();
        let (unknown, origin) = self.of(wid, op.format().rs1(raw)?, tmask)?;
        let Some(rs2) = op.format().rs2(raw) else { return Some((tmask, origin)) };
        let asked = warp.register(rs2);
        let source = |&lane: &usize| shuffle_source(op, lane, asked[lane], tmask, self.threads);
        let lacks = |lane: &usize| source(lane).is_some_and(|source| unknown >> source & 1 != 0);
        let lanes = members(tmask).filter(lacks).fold(0, |lanes, lane| lanes | 1 << lane);
        Some((lanes, origin)).filter(|_| lanes != 0)
    }

    /// An instruction has issued. What is unknown of its result, unless it is a load.
    pub(super) fn issue(&mut self, retire: &Retire) -> Unsure {
        let Retire { wid, raw, op, tmask, .. } = *retire;
        let form = op.format();
        if op.is_store() || op.is_atomic() {
            let data = self.of(wid, form.rs2(raw).unwrap_or(0), tmask);
            self.stores[wid].push_back(data);
            return Unsure::default();
        }
        if op.is_load() {
            return Unsure::default();
        }
        let mut lacking = None;
        if op.is_cross_lane() {
            lacking = self.exchanged.take();
        } else if !decides(op) {
            for number in form.sources(raw).into_iter().flatten() {
                lacking = join(lacking, self.of(wid, number, tmask));
            }
        }
        if matches!(op.csr(raw), Some(csr::FFLAGS | csr::FCSR)) {
            lacking = self.of(wid, FLAGS, 1).map(|(_, origin)| (tmask, origin));
            if matches!(op, Op::Csrrw | Op::Csrrwi) {
                self.registers[wid * (FLAGS + 1) + FLAGS] = None;
            }
        }
        if let Some(rd) = retire.rd {
            self.write(wid, usize::from(rd), tmask, lacking);
        }
        let raises = op.needs_fpu() && lacking.is_some();
        if raises {
            let of_flags = lacking.map(|(_, origin)| (u32::MAX, origin));
            self.write(wid, FLAGS, u32::MAX, of_flags);
        }
        Unsure { lanes: lacking.map_or(0, |(lanes, _)| lanes), flags: raises }
    }

    fn write(&mut self, wid: usize, number: usize, tmask: u32, lacking: Lacking) {
        let place = &mut self.registers[wid * (FLAGS + 1) + number];
        let kept = place.map(|(lanes, origin)| (lanes & !tmask, origin)).filter(|(lanes, _)| *lanes != 0);
        *place = join(lacking, kept);
    }

    /// A store acts: the lanes whose data is unknown, and is the hardware's.
    pub(super) fn store(&mut self, accessed: &Accessed) -> u32 {
        self.stored(accessed, true)
    }

    /// The same of an atomic instruction, whose result is known only if the word was.
    pub(super) fn update(&mut self, accessed: &Accessed) -> u32 {
        self.stored(accessed, false)
    }

    fn stored(&mut self, accessed: &Accessed, replaces: bool) -> u32 {
        let Accessed { wid, tmask, funct3, ref addresses, .. } = *accessed;
        let data = self.stores.get_mut(wid).and_then(|stores| stores.pop_front()).flatten();
        let lanes = data.map_or(0, |(lanes, _)| lanes);
        for lane in members(tmask) {
            let (line, bytes) = bytes(addresses[lane], funct3);
            match data.filter(|_| lanes >> lane & 1 != 0) {
                Some((_, origin)) => self.lines.entry(line).or_insert((0, origin)).0 |= bytes,
                None if replaces => {
                    if let Some((unknown, _)) = self.lines.get_mut(&line) {
                        *unknown &= !bytes;
                    }
                }
                None => {}
            }
        }
        lanes
    }

    /// A load acts: the lanes that get something unknown.
    pub(super) fn load(&mut self, accessed: &Accessed, rd: u8) -> u32 {
        let Accessed { wid, tmask, funct3, ref addresses, .. } = *accessed;
        let mut lacking = None;
        for lane in members(tmask) {
            let (line, bytes) = bytes(addresses[lane], funct3);
            if let Some(&(_, origin)) = self.lines.get(&line).filter(|(unknown, _)| unknown & bytes != 0) {
                lacking = join(lacking, Some((1 << lane, origin)));
            }
        }
        self.write(wid, usize::from(rd), tmask, lacking);
        lacking.map_or(0, |(lanes, _)| lanes)
    }
}

/// Whether an instruction's sources are checked before it issues, and so known.
fn decides(op: Op) -> bool {
    op.changes_mask() || op.is_barrier() || op.is_branch() || op == Op::Jalr || op.format() == Format::Csr
}

/// The lanes of both; the origin of one, for a report names one.
fn join(a: Lacking, b: Lacking) -> Lacking {
    match (a, b) {
        (Some((lanes, origin)), Some((more, _))) => Some((lanes | more, origin)),
        (one, other) => one.or(other),
    }
}

/// The line of an access, and its bytes there.
fn bytes(address: u32, funct3: u8) -> (u32, u64) {
    let line = address & !(LINE_BYTES as u32 - 1);
    (line, ((1 << (1 << (funct3 & 3))) - 1) << (address - line))
}

/// Puts the hardware's values in the place of unknown ones.
pub(super) fn adopt(lanes: u32, values: &mut Lanes, hardware: &Lanes) {
    for lane in members(lanes) {
        values[lane] = hardware[lane];
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Self::Register { wid, number: number @ ..=31 } => {
                write!(f, "{} of warp {wid}", reg::name(number.into()))
            }
            Self::Register { wid, number } => {
                write!(f, "{} of warp {wid}", reg::float_name(usize::from(number) - 32))
            }
            Self::Local(line) => write!(f, "local memory's line at {line:#010x}"),
        }
    }
}

#[cfg(test)]
mod tests;
