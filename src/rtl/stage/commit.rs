//! Commit: the arbiter of the register file's write port.
use crate::rtl::prelude::*;

module! {
    /// Chooses one result a cycle and writes it: load-store unit, special unit, divider, floating-point units, multiplier,
    /// integer unit.
    ///
    /// Ports, from each unit, in the order of priority above but for the floating-point units, which a core may not have:
    /// `results`, `results_valid` -> `results_ready`, and `fpu_result*`; `lsu_last`, for a load's results may come in parts;
    /// `fpu_flags`. To the register file, the scoreboard and the trace `commit`, `commit_data`. Latency:
    /// combinational. Reset: none.
    /// Invariants: at most one unit is ready; a result that is not taken waits in its unit. The order puts first what
    /// has been in flight longest and can least be held back; the integer unit comes last because its next instruction
    /// is one cycle behind it and can wait in the collector.
    /// Critical path: priority, multiplexer of the results. Source: none. Mirror in the model: none, values only.
    pub struct Commit(cfg: &CoreConfig)
    let units = 5;
    {
        /// A result waits: of load-store unit, special unit, divider, multiplier, integer unit.
        pub results_valid: Vec<Signal<In, Bit>> = vec![Signal::default(); units],
        /// The results.
        pub results: Vec<UnitResult<In>> = (0..units).map(|_| UnitResult::new(cfg)).collect(),
        /// They are taken this cycle.
        pub results_ready: Vec<Signal<Out, Bit>> = vec![Signal::default(); units],
        /// The load-store unit's result completes the instruction.
        pub lsu_last: Signal<In, Bit>,
        /// A result of the floating-point units waits.
        pub fpu_result_valid: Opt<Signal<In, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        /// The result.
        pub fpu_result: Opt<UnitResult<In>> = Opt::new(cfg.fpu, UnitResult::new(cfg)),
        /// It is taken this cycle.
        pub fpu_result_ready: Opt<Signal<Out, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        /// Exceptions of its lanes.
        pub fpu_flags: Opt<Signal<In, Bits<5>>> = Opt::new(cfg.fpu, Signal::default()),
        /// In a core that shares warps: a result that a unit of another slice has for a warp of this one.
        pub home: Opt<ReturnedResult<In>> = Opt::new(cfg.shares_warps(), ReturnedResult::new(cfg)),
        /// To the register file, the scoreboard and the trace.
        pub commit: Writeback<Out> = Writeback::new(cfg),
        /// Data of each lane.
        pub commit_data: Vec<Signal<Out, Bits<32>>> = signals(cfg.threads, 32),
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
        shares: Const<Bit> = Const::new(cfg.shares_warps()),
        _threads: usize = cfg.threads,
        _units: usize = units,
    }
}

impl Logic for Commit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. priority");
        self.results_ready[0].next = true;
        self.results_ready[1].next = !self.results_valid[0].val();
        self.results_ready[2].next = !self.results_valid[0].val() & !self.results_valid[1].val();
        self.results_ready[3].next =
            !self.results_valid[0].val() & !self.results_valid[1].val() & !self.results_valid[2].val();
        self.results_ready[4].next = !self.results_valid[0].val()
            & !self.results_valid[1].val()
            & !self.results_valid[2].val()
            & !self.results_valid[3].val();
        if self.has_fpu.val() {
            self.fpu_result_ready.next =
                !self.results_valid[0].val() & !self.results_valid[1].val() & !self.results_valid[2].val();
            if self.fpu_result_valid.val() {
                self.results_ready[3].next = false;
                self.results_ready[4].next = false;
            }
        }
        if self.shares.val() {
            comment!("What comes from another slice goes behind the special unit.");
            self.home.ready.next = self.results_ready[2].val();
            if self.home.valid.val() {
                for u in 2..self._units {
                    self.results_ready[u].next = false;
                }
                if self.has_fpu.val() {
                    self.fpu_result_ready.next = false;
                }
            }
        }
        comment!("2. result: an OR of the one that is taken, which is smaller than multiplexers");
        self.commit.valid.next = false;
        self.commit.last.next = !self.results_valid[0].val() | self.lsu_last.val();
        self.commit.wid.next = 0.into();
        self.commit.rd.next = 0.into();
        self.commit.tmask.next = 0.into();
        for i in 0..self._threads {
            self.commit_data[i].next = 0.into();
        }
        for u in 0..self._units {
            self.commit.valid.next = self.commit.valid.val() | self.results_valid[u].val();
            if self.results_valid[u].val() & self.results_ready[u].val() {
                self.commit.wid.next = self.commit.wid.val() | self.results[u].wid.val();
                self.commit.rd.next = self.commit.rd.val() | self.results[u].rd.val();
                self.commit.tmask.next = self.commit.tmask.val() | self.results[u].tmask.val();
                for i in 0..self._threads {
                    self.commit_data[i].next = self.commit_data[i].val() | self.results[u].data[i].val();
                }
            }
        }
        if self.has_fpu.val() {
            self.commit.flags.next = 0.into();
            if self.fpu_result_valid.val() {
                self.commit.valid.next = true;
            }
            if self.fpu_result_valid.val() & self.fpu_result_ready.val() {
                self.commit.wid.next = self.commit.wid.val() | self.fpu_result.wid.val();
                self.commit.rd.next = self.commit.rd.val() | self.fpu_result.rd.val();
                self.commit.tmask.next = self.commit.tmask.val() | self.fpu_result.tmask.val();
                for i in 0..self._threads {
                    self.commit_data[i].next = self.commit_data[i].val() | self.fpu_result.data[i].val();
                }
                self.commit.flags.next = self.fpu_flags.val();
            }
        }
        if self.shares.val() {
            if self.home.valid.val() {
                self.commit.valid.next = true;
            }
            if self.home.valid.val() & self.home.ready.val() {
                self.commit.wid.next = self.commit.wid.val() | self.home.result_.wid.val();
                self.commit.rd.next = self.commit.rd.val() | self.home.result_.rd.val();
                self.commit.tmask.next = self.commit.tmask.val() | self.home.result_.tmask.val();
                for i in 0..self._threads {
                    self.commit_data[i].next = self.commit_data[i].val() | self.home.result_.data[i].val();
                }
                if self.has_fpu.val() {
                    self.commit.flags.next = self.commit.flags.val() | self.home.flags.val();
                }
            }
        }
    }
}
