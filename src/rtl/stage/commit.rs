//! Commit: the arbiter of the register file's write port.
use super::super::cell::{signal, signals};
use crate::config::CoreConfig;
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Chooses one result a cycle and writes it: load-store unit, special unit, divider, floating-point units, multiplier,
    /// integer unit.
    ///
    /// Ports, from each unit `<unit>_result_valid`, `_wid`, `_rd` 6, `_tmask` T, `_data` a lane (and `_last` from the
    /// load-store unit, whose results may come in parts, `_flags` 5 from the floating-point units, which a core may not
    /// have); to it `<unit>_result_ready`. To the register file, the
    /// scoreboard and the trace `commit_*`. Latency: combinational. Reset: none.
    /// Invariants: at most one unit is ready; a result that is not taken waits in its unit. The order puts first what
    /// has been in flight longest and can least be held back; the integer unit comes last because its next instruction
    /// is one cycle behind it and can wait in the collector.
    /// Critical path: priority, multiplexer of the results. Source: none. Mirror in the model: none, values only.
    pub struct Commit(cfg: &CoreConfig)
    let (threads, wid, fpu) = (cfg.threads, cfg.wid_bits(), usize::from(cfg.fpu));
    {
        _threads: usize = threads,
        _fpu: usize = fpu,
        _float_threads: usize = fpu * threads,
        // From and to the load-store unit.
        /// A result waits.
        pub lsu_result_valid: Signal<In, Bit>,
        /// Its warp.
        pub lsu_result_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its register.
        pub lsu_result_rd: Signal<In, Bits<6>>,
        /// Its lanes.
        pub lsu_result_tmask: Signal<In, Bits<32>> = signal(threads),
        /// Its data.
        pub lsu_result_data: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// It completes the instruction.
        pub lsu_result_last: Signal<In, Bit>,
        /// It is taken this cycle.
        pub lsu_result_ready: Signal<Out, Bit>,
        // From and to the special unit.
        /// A result waits.
        pub sfu_result_valid: Signal<In, Bit>,
        /// Its warp.
        pub sfu_result_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its register.
        pub sfu_result_rd: Signal<In, Bits<6>>,
        /// Its lanes.
        pub sfu_result_tmask: Signal<In, Bits<32>> = signal(threads),
        /// Its data.
        pub sfu_result_data: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// It is taken this cycle.
        pub sfu_result_ready: Signal<Out, Bit>,
        // From and to the divider.
        /// A result waits.
        pub div_result_valid: Signal<In, Bit>,
        /// Its warp.
        pub div_result_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its register.
        pub div_result_rd: Signal<In, Bits<6>>,
        /// Its lanes.
        pub div_result_tmask: Signal<In, Bits<32>> = signal(threads),
        /// Its data.
        pub div_result_data: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// It is taken this cycle.
        pub div_result_ready: Signal<Out, Bit>,
        // From and to the floating-point units.
        /// A result waits.
        pub fpu_result_valid: Vec<Signal<In, Bit>> = vec![Signal::default(); fpu],
        /// Its warp.
        pub fpu_result_wid: Vec<Signal<In, Bits<5>>> = signals(fpu, wid),
        /// Its register.
        pub fpu_result_rd: Vec<Signal<In, Bits<6>>> = signals(fpu, 6),
        /// Its lanes.
        pub fpu_result_tmask: Vec<Signal<In, Bits<32>>> = signals(fpu, threads),
        /// Its data.
        pub fpu_result_data: Vec<Signal<In, Bits<32>>> = signals(fpu * threads, 32),
        /// Exceptions of its lanes.
        pub fpu_result_flags: Vec<Signal<In, Bits<5>>> = signals(fpu, 5),
        /// It is taken this cycle.
        pub fpu_result_ready: Vec<Signal<Out, Bit>> = vec![Signal::default(); fpu],
        // From and to the multiplier.
        /// A result waits.
        pub mul_result_valid: Signal<In, Bit>,
        /// Its warp.
        pub mul_result_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its register.
        pub mul_result_rd: Signal<In, Bits<6>>,
        /// Its lanes.
        pub mul_result_tmask: Signal<In, Bits<32>> = signal(threads),
        /// Its data.
        pub mul_result_data: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// It is taken this cycle.
        pub mul_result_ready: Signal<Out, Bit>,
        // From and to the integer unit.
        /// A result waits.
        pub alu_result_valid: Signal<In, Bit>,
        /// Its warp.
        pub alu_result_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its register.
        pub alu_result_rd: Signal<In, Bits<6>>,
        /// Its lanes.
        pub alu_result_tmask: Signal<In, Bits<32>> = signal(threads),
        /// Its data.
        pub alu_result_data: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// It is taken this cycle.
        pub alu_result_ready: Signal<Out, Bit>,
        // To the register file, the scoreboard and the trace.
        /// A register is written.
        pub commit_valid: Signal<Out, Bit>,
        /// Its warp.
        pub commit_wid: Signal<Out, Bits<5>> = signal(wid),
        /// Its number.
        pub commit_rd: Signal<Out, Bits<6>>,
        /// The lanes to write.
        pub commit_tmask: Signal<Out, Bits<32>> = signal(threads),
        /// Data of each lane.
        pub commit_data: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// The instruction has now written all its lanes.
        pub commit_last: Signal<Out, Bit>,
        /// With floating-point units: exceptions of the instruction, 0 for any other.
        pub commit_flags: Vec<Signal<Out, Bits<5>>> = signals(fpu, 5),
    }
}

impl Logic for Commit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Commit: Chooses one result a cycle and writes it: load-store unit, special unit, divider, floating-point units, multiplier, integer unit.");
        comment!("1. priority");
        self.lsu_result_ready.next = true;
        self.sfu_result_ready.next = !self.lsu_result_valid.val();
        self.div_result_ready.next = !self.lsu_result_valid.val() & !self.sfu_result_valid.val();
        self.mul_result_ready.next =
            !self.lsu_result_valid.val() & !self.sfu_result_valid.val() & !self.div_result_valid.val();
        self.alu_result_ready.next = !self.lsu_result_valid.val()
            & !self.sfu_result_valid.val()
            & !self.div_result_valid.val()
            & !self.mul_result_valid.val();
        for k in 0..self._fpu {
            self.fpu_result_ready[k].next =
                !self.lsu_result_valid.val() & !self.sfu_result_valid.val() & !self.div_result_valid.val();
            if self.fpu_result_valid[k].val() {
                self.mul_result_ready.next = false;
                self.alu_result_ready.next = false;
            }
        }
        comment!("2. result: an OR of the one that is taken, which is smaller than multiplexers");
        self.commit_valid.next = self.lsu_result_valid.val()
            | self.sfu_result_valid.val()
            | self.div_result_valid.val()
            | self.mul_result_valid.val()
            | self.alu_result_valid.val();
        self.commit_last.next = !self.lsu_result_valid.val() | self.lsu_result_last.val();
        self.commit_wid.next = 0.into();
        self.commit_rd.next = 0.into();
        self.commit_tmask.next = 0.into();
        for i in 0..self._threads {
            self.commit_data[i].next = 0.into();
        }
        if self.lsu_result_valid.val() & self.lsu_result_ready.val() {
            self.commit_wid.next = self.commit_wid.val() | self.lsu_result_wid.val();
            self.commit_rd.next = self.commit_rd.val() | self.lsu_result_rd.val();
            self.commit_tmask.next = self.commit_tmask.val() | self.lsu_result_tmask.val();
            for i in 0..self._threads {
                self.commit_data[i].next = self.commit_data[i].val() | self.lsu_result_data[i].val();
            }
        }
        if self.sfu_result_valid.val() & self.sfu_result_ready.val() {
            self.commit_wid.next = self.commit_wid.val() | self.sfu_result_wid.val();
            self.commit_rd.next = self.commit_rd.val() | self.sfu_result_rd.val();
            self.commit_tmask.next = self.commit_tmask.val() | self.sfu_result_tmask.val();
            for i in 0..self._threads {
                self.commit_data[i].next = self.commit_data[i].val() | self.sfu_result_data[i].val();
            }
        }
        if self.div_result_valid.val() & self.div_result_ready.val() {
            self.commit_wid.next = self.commit_wid.val() | self.div_result_wid.val();
            self.commit_rd.next = self.commit_rd.val() | self.div_result_rd.val();
            self.commit_tmask.next = self.commit_tmask.val() | self.div_result_tmask.val();
            for i in 0..self._threads {
                self.commit_data[i].next = self.commit_data[i].val() | self.div_result_data[i].val();
            }
        }
        if self.mul_result_valid.val() & self.mul_result_ready.val() {
            self.commit_wid.next = self.commit_wid.val() | self.mul_result_wid.val();
            self.commit_rd.next = self.commit_rd.val() | self.mul_result_rd.val();
            self.commit_tmask.next = self.commit_tmask.val() | self.mul_result_tmask.val();
            for i in 0..self._threads {
                self.commit_data[i].next = self.commit_data[i].val() | self.mul_result_data[i].val();
            }
        }
        if self.alu_result_valid.val() & self.alu_result_ready.val() {
            self.commit_wid.next = self.commit_wid.val() | self.alu_result_wid.val();
            self.commit_rd.next = self.commit_rd.val() | self.alu_result_rd.val();
            self.commit_tmask.next = self.commit_tmask.val() | self.alu_result_tmask.val();
            for i in 0..self._threads {
                self.commit_data[i].next = self.commit_data[i].val() | self.alu_result_data[i].val();
            }
        }
        for k in 0..self._fpu {
            self.commit_flags[k].next = 0.into();
            if self.fpu_result_valid[k].val() {
                self.commit_valid.next = true;
            }
            if self.fpu_result_valid[k].val() & self.fpu_result_ready[k].val() {
                self.commit_wid.next = self.commit_wid.val() | self.fpu_result_wid[k].val();
                self.commit_rd.next = self.commit_rd.val() | self.fpu_result_rd[k].val();
                self.commit_tmask.next = self.commit_tmask.val() | self.fpu_result_tmask[k].val();
                for i in 0..self._float_threads {
                    self.commit_data[i].next = self.commit_data[i].val() | self.fpu_result_data[i].val();
                }
                self.commit_flags[k].next = self.fpu_result_flags[k].val();
            }
        }
    }
}
