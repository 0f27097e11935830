//! The floating-point CSRs.
use crate::comment;
use crate::config::CoreConfig;
use crate::isa::csr;
use crate::rtl::cell::{constant, regs, signal, signals, Const, Reg};
use rust_hdl::prelude::*;

/// Rounding mode `frm` and accrued exceptions `fflags` of each warp.
///
/// Ports, from the CSR file: `number`, `wid`, `write`, `written` 8 -> `value` 32 (0 for the numbers of others), `selected`
/// (the number is that of a floating-point CSR); from the slices `commit_wid`, `commit_flags` 5 (0 if there is nothing to
/// accrue). To the slices `frm` 3 a warp. Latency: reads are combinational, writes and flags show in the next cycle.
/// Reset: all 0. Invariants: the scoreboard lets an access issue when its warp has nothing in flight, so that a write
/// and flags never meet in one warp. Critical path: W-to-1 multiplexer of 8 bits. Source: RISC-V F 2.2, 11.2; a warp has
/// one set for all its lanes. Mirror in the model: csr.
#[derive(LogicBlock)]
pub struct FloatState {
    /// Rising edge advances the state.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// CSR number.
    pub number: Signal<In, Bits<12>>,
    /// Warp of the access.
    pub wid: Signal<In, Bits<5>>,
    /// It writes.
    pub write: Signal<In, Bit>,
    /// What it writes.
    pub written: Signal<In, Bits<8>>,
    /// What it reads.
    pub value: Signal<Out, Bits<32>>,
    /// The number is one of these registers'.
    pub selected: Signal<Out, Bit>,
    /// The warp whose result each slice writes.
    pub commit_wid: Vec<Signal<In, Bits<5>>>,
    /// Exceptions of that result.
    pub commit_flags: Vec<Signal<In, Bits<5>>>,
    /// The dynamic rounding mode of each warp.
    pub frm: Vec<Signal<Out, Bits<3>>>,
    rounding: Vec<Reg<Bits<3>>>,
    flags: Vec<Reg<Bits<5>>>,
    accrued: Vec<Signal<Local, Bits<5>>>,
    warp_rounding: Signal<Local, Bits<3>>,
    warp_flags: Signal<Local, Bits<5>>,
    new_rounding: Signal<Local, Bits<3>>,
    writes_flags: Signal<Local, Bit>,
    writes_rounding: Signal<Local, Bit>,
    fflags_number: Const<Bits<12>>,
    frm_number: Const<Bits<12>>,
    fcsr_number: Const<Bits<12>>,
    _warps: usize,
    _slices: usize,
}

impl FloatState {
    /// The floating-point CSRs of a core of this configuration.
    pub fn new(cfg: &CoreConfig) -> Self {
        let (warps, slices, wid) = (cfg.warps, cfg.slices, cfg.wid_bits());
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            number: Signal::default(),
            wid: signal(wid),
            write: Signal::default(),
            written: Signal::default(),
            value: Signal::default(),
            selected: Signal::default(),
            commit_wid: signals(slices, wid),
            commit_flags: signals(slices, 5),
            frm: signals(warps, 3),
            rounding: regs(warps, 3),
            flags: regs(warps, 5),
            accrued: signals(warps, 5),
            warp_rounding: Signal::default(),
            warp_flags: Signal::default(),
            new_rounding: Signal::default(),
            writes_flags: Signal::default(),
            writes_rounding: Signal::default(),
            fflags_number: constant(12, csr::FFLAGS.into()),
            frm_number: constant(12, csr::FRM.into()),
            fcsr_number: constant(12, csr::FCSR.into()),
            _warps: warps,
            _slices: slices,
        }
    }
}

impl Logic for FloatState {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatState: Rounding mode frm and accrued exceptions fflags of each warp.");
        comment!("1. read");
        self.warp_rounding.next = 0.into();
        self.warp_flags.next = 0.into();
        for w in 0..self._warps {
            self.frm[w].next = self.rounding[w].q.val();
            if self.wid.val() == w.to_bits::<5>() {
                self.warp_rounding.next = self.rounding[w].q.val();
                self.warp_flags.next = self.flags[w].q.val();
            }
        }
        self.value.next = 0.into();
        self.selected.next = false;
        self.writes_flags.next = false;
        self.writes_rounding.next = false;
        self.new_rounding.next = self.written.val().get_bits::<3>(0);
        if self.number.val() == self.fflags_number.val() {
            self.value.next = bit_cast::<32, 5>(self.warp_flags.val());
            self.selected.next = true;
            self.writes_flags.next = self.write.val();
        }
        if self.number.val() == self.frm_number.val() {
            self.value.next = bit_cast::<32, 3>(self.warp_rounding.val());
            self.selected.next = true;
            self.writes_rounding.next = self.write.val();
        }
        if self.number.val() == self.fcsr_number.val() {
            self.value.next = (bit_cast::<32, 3>(self.warp_rounding.val()) << bits::<4>(5))
                | bit_cast::<32, 5>(self.warp_flags.val());
            self.selected.next = true;
            self.writes_flags.next = self.write.val();
            self.writes_rounding.next = self.write.val();
            self.new_rounding.next = self.written.val().get_bits::<3>(5);
        }
        comment!("2. accrue, or write");
        for w in 0..self._warps {
            self.rounding[w].clock.next = self.clock.val();
            self.flags[w].clock.next = self.clock.val();
            self.rounding[w].d.next = self.rounding[w].q.val();
            self.accrued[w].next = self.flags[w].q.val();
            for s in 0..self._slices {
                if self.commit_wid[s].val() == w.to_bits::<5>() {
                    self.accrued[w].next = self.accrued[w].val() | self.commit_flags[s].val();
                }
            }
            self.flags[w].d.next = self.accrued[w].val();
            if self.wid.val() == w.to_bits::<5>() {
                if self.writes_flags.val() {
                    self.flags[w].d.next = self.written.val().get_bits::<5>(0);
                }
                if self.writes_rounding.val() {
                    self.rounding[w].d.next = self.new_rounding.val();
                }
            }
        }
    }
}
