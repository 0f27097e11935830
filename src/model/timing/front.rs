//! The front end: warps, what each has at the head of its queue, and who fetches. Under SWaS one selection serves both
//! stages, from queues that are always full; else fetching has a scheduler of its own (`fetch`).

use super::code::CodeLines;
use super::fetch::Fetch;
use super::few::Few;
use super::heads::Heads;
use super::instr::{Decoder, Instr};
use super::scoreboard::Scoreboard;
use super::{members, slice_of};
use crate::sched::{Entry, Queues};
use crate::Machine;
use spec::config::{CoreConfig, WarpMask};

/// Which warps are active and suspended, and what each has at the head of its queue.
pub(super) struct Front<const MOST: usize> {
    pub active_warps: WarpMask,
    /// Waiting for a line.
    pub suspended_warps: WarpMask,
    pub heads: Heads,
    /// Warps whose head is a load or store.
    pub memory_warps: WarpMask,
    pub scoreboard: Scoreboard,
    pub kind: Kind<MOST>,
    decoder: Decoder,
    pub code: CodeLines,
}

/// How instructions come into the queues. Which it is a byte tells, which is asked in every cycle.
#[repr(u8)]
pub(super) enum Kind<const MOST: usize> {
    /// SWaS: what issues is fetched too.
    Unified(Queues),
    /// By a fetch scheduler of each slice.
    Decoupled(Few<Fetch, MOST>),
}

impl<const MOST: usize> Front<MOST> {
    pub fn new(cfg: &CoreConfig) -> Self {
        let decoder = Decoder::new(cfg);
        Self {
            active_warps: 0,
            suspended_warps: 0,
            heads: Heads::new(cfg.warps, decoder.blank()),
            memory_warps: 0,
            scoreboard: Scoreboard::new(),
            kind: match cfg.unified() {
                Some(_) => Kind::Unified(Queues::new(cfg.warps)),
                None => Kind::Decoupled(Few::new(cfg.slices, |slice| Fetch::new(cfg, slice))),
            },
            decoder,
            code: CodeLines::new(cfg),
        }
    }

    /// Warps with something to issue.
    pub fn filled_warps(&self) -> WarpMask {
        match &self.kind {
            Kind::Unified(_) => WarpMask::MAX,
            Kind::Decoupled(fetch) => !fetch.iter().fold(0, |mask, fetch| mask | fetch.empty_warps),
        }
    }

    /// Warps that do not fetch until an instruction is resolved.
    pub fn waiting_warps(&self) -> WarpMask {
        match &self.kind {
            Kind::Unified(_) => 0,
            Kind::Decoupled(fetch) => fetch.iter().fold(0, |mask, fetch| mask | fetch.waiting_warps),
        }
    }

    /// The warp's request of the cycle before last has missed, and with it that of the last cycle, if it `followed`.
    pub fn miss(&mut self, wid: usize, followed: bool) {
        if let Kind::Unified(queues) = &mut self.kind {
            queues.miss(wid, usize::from(followed));
        }
    }

    /// The head leaves. Under SWaS the next instruction is requested by that: gives its address.
    pub fn issue(&mut self, wid: usize, machine: &Machine) -> Option<u32> {
        let Kind::Unified(queues) = &mut self.kind else { return None };
        let requested = queues.next_pc(wid);
        queues.select(wid);
        self.look_at_heads(1 << wid, machine);
        Some(requested)
    }

    /// The warps go on where the machine has them; what they have fetched is void.
    pub fn redirect(&mut self, warps: WarpMask, machine: &Machine) {
        for wid in members(warps) {
            let pc = machine.warp(wid).pc();
            match &mut self.kind {
                Kind::Unified(queues) => queues.redirect(wid, pc),
                Kind::Decoupled(fetch) => {
                    let slice = slice_of(wid, fetch.len());
                    fetch[slice].redirect(wid, pc);
                }
            }
            self.scoreboard.head(wid, None);
        }
        self.heads.clear(warps);
        self.memory_warps &= !warps;
    }

    /// FENCE.I: other instructions may be in memory now.
    pub fn forget(&mut self) {
        self.decoder.clear();
    }

    /// Memory accepts that an instruction cache reads a line.
    pub fn fetch_line(&mut self, line: u32, machine: &Machine) {
        if self.code.fetch(line, machine) {
            self.decoder.forget(line);
        }
    }

    /// The instruction at an address.
    #[inline(always)]
    pub fn decode(&mut self, pc: u32, machine: &Machine) -> &Instr {
        let Self { decoder, code, .. } = self;
        decoder.get(pc, || fetched_word(pc, code, machine))
    }

    /// The heads of the warps' queues have changed.
    #[inline(always)]
    pub fn look_at_heads(&mut self, warps: WarpMask, machine: &Machine) {
        for wid in members(warps) {
            let pc = match &self.kind {
                Kind::Unified(queues) => match queues.head(wid) {
                    Entry::Nop => None,
                    Entry::Instruction(pc) => Some(pc),
                },
                Kind::Decoupled(fetch) => fetch[slice_of(wid, fetch.len())].head(wid),
            };
            let Self { decoder, code, heads, scoreboard, .. } = self;
            let head = pc.map(|pc| (pc, decoder.get(pc, || fetched_word(pc, code, machine))));
            match head {
                None => heads.clear(1 << wid),
                Some((pc, head)) => heads.set(wid, pc, head),
            }
            scoreboard.head(wid, head.map(|(_, head)| head));
            let memory = head.is_some_and(|(_, head)| head.memory);
            self.memory_warps = self.memory_warps & !(1 << wid) | WarpMask::from(memory) << wid;
        }
    }
}

/// The word at an address as an instruction cache has it.
fn fetched_word(pc: u32, code: &CodeLines, machine: &Machine) -> u32 {
    code.word(pc).or_else(|| machine.memory.read(pc & !3, 4).ok()).unwrap_or(0)
}
