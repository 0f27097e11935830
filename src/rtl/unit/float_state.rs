//! The floating-point CSRs.
use crate::prelude::*;
use isa::csr;

module! {
    /// Rounding mode `frm` and accrued exceptions `fflags` of each warp.
    ///
    /// Ports: below. Latency: reads are combinational, writes show in the next cycle, flags in the one after. Reset:
    /// all 0. Invariants: the scoreboard lets an access issue when its warp has nothing in flight, and it is here two
    /// cycles later at the earliest, so that it sees all flags and a write and flags never meet in one warp. Critical
    /// path: W-to-1 multiplexer of 8 bits. Source: RISC-V F 2.2, 11.2; a warp has one set for all its lanes. Mirror
    /// in the model: csr.
    pub struct FloatState(cfg: &CoreConfig) [clock, reset]
    let (warps, slices, wid) = (cfg.warps, cfg.slices, cfg.wid_bits());
    {
        /// CSR number.
        pub number: Signal<In, Bits<12>>,
        /// Warp of the access.
        pub wid: Signal<In, WarpId> = signal(wid),
        /// It writes.
        pub write: Signal<In, Bit>,
        /// What it writes.
        pub written: Signal<In, Bits<8>>,
        /// What it reads.
        pub value: Signal<Out, Bits<32>>,
        /// The number is one of these registers'.
        pub selected: Signal<Out, Bit>,
        /// The warp whose result each slice writes.
        pub commit_wid: Vec<Signal<In, WarpId>> = signals(slices, wid),
        /// Exceptions of that result.
        pub commit_flags: Vec<Signal<In, Bits<5>>> = signals(slices, 5),
        /// The dynamic rounding mode of each warp.
        pub frm: Vec<Signal<Out, Bits<3>>> = signals(warps, 3),
        fcsr: Vec<Reg<Bits<8>>> = regs(warps, 8),
        gained_wid: Vec<Pipe<WarpId>> = pipes(slices, wid),
        gained: Vec<Reg<Bits<5>>> = regs(slices, 5),
        slice_gained: Signal<Local, Bits<5>>,
        accrued: Vec<Signal<Local, Bits<8>>> = signals(warps, 8),
        warp_fcsr, new_fcsr: Signal<Local, Bits<8>>,
        writes: Signal<Local, Bit>,
        fflags_number: Const<Bits<12>> = constant(12, csr::FFLAGS.into()),
        frm_number: Const<Bits<12>> = constant(12, csr::FRM.into()),
        fcsr_number: Const<Bits<12>> = constant(12, csr::FCSR.into()),
        _warps: usize = warps,
        _slices: usize = slices,
    }
}

impl Logic for FloatState {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. read: the rounding mode stands above the flags");
        self.warp_fcsr.next = 0.into();
        for w in 0..self._warps {
            self.frm[w].next = self.fcsr[w].q.val().get_bits::<3>(5);
            if self.wid.val() == w.to_bits::<WID_BITS>() {
                self.warp_fcsr.next = self.fcsr[w].q.val();
            }
        }
        self.value.next = 0.into();
        self.selected.next = false;
        self.new_fcsr.next = self.warp_fcsr.val();
        if self.number.val() == self.fflags_number.val() {
            self.value.next = bit_cast::<32, 5>(self.warp_fcsr.val().get_bits::<5>(0));
            self.selected.next = true;
            self.new_fcsr.next = (bit_cast::<8, 3>(self.warp_fcsr.val().get_bits::<3>(5)) << bits::<4>(5))
                | bit_cast::<8, 5>(self.written.val().get_bits::<5>(0));
        }
        if self.number.val() == self.frm_number.val() {
            self.value.next = bit_cast::<32, 3>(self.warp_fcsr.val().get_bits::<3>(5));
            self.selected.next = true;
            self.new_fcsr.next = (bit_cast::<8, 3>(self.written.val().get_bits::<3>(0)) << bits::<4>(5))
                | bit_cast::<8, 5>(self.warp_fcsr.val().get_bits::<5>(0));
        }
        if self.number.val() == self.fcsr_number.val() {
            self.value.next = bit_cast::<32, 8>(self.warp_fcsr.val());
            self.selected.next = true;
            self.new_fcsr.next = self.written.val();
        }
        self.writes.next = self.write.val() & self.selected.val();
        comment!("2. accrue what was committed in the cycle before, or write");
        Data::join(&mut self.commit_wid, &mut self.gained_wid);
        Data::join(&mut self.commit_flags, &mut self.gained);
        for w in 0..self._warps {
            self.accrued[w].next = self.fcsr[w].q.val();
            for s in 0..self._slices {
                self.slice_gained.next = self.gained[s].q.val();
                if self.gained_wid[s].q.val() == w.to_bits::<WID_BITS>() {
                    self.accrued[w].next = self.accrued[w].val() | bit_cast::<8, 5>(self.slice_gained.val());
                }
            }
            self.fcsr[w].d.next = self.accrued[w].val();
            if self.writes.val() & (self.wid.val() == w.to_bits::<WID_BITS>()) {
                self.fcsr[w].d.next = self.new_fcsr.val();
            }
        }
    }
}
