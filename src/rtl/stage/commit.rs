//! Commit: the arbiter of the register file's write port.
use crate::prelude::*;

module! {
    /// Chooses one result a cycle and writes it: load-store unit, special unit, divider, floating-point units, integer
    /// unit.
    ///
    /// Ports: below. Latency: combinational. Reset: none. Invariants: at most one unit is ready; a result that is not
    /// taken waits in its unit. The order puts first what has been in flight longest and can least be held back; the
    /// integer unit comes last because its next instruction is one cycle behind it and can wait in the collector.
    /// Critical path: priority, multiplexer of the results. Source: none. Mirror in the model: `model::timing::commit`.
    pub struct Commit(cfg: &CoreConfig)
    let units = 4;
    {
        /// The results of load-store unit, special unit, divider, integer unit.
        pub results: Vec<OfferedResult<In>> = (0..units).map(|_| OfferedResult::new(cfg)).collect(),
        /// The load-store unit's result completes the instruction.
        pub lsu_last: Signal<In, Bit>,
        /// The result of the floating-point units.
        pub fpu_result: Opt<FloatResult<In>> = Opt::new(cfg.fpu, FloatResult::new(cfg)),
        /// In a core that shares warps: a result that a unit of another slice has for a warp of this one.
        pub home: Opt<FloatResult<In>> = Opt::new(cfg.shares_warps(), FloatResult::new(cfg)),
        /// To the register file, the scoreboard and the trace.
        pub commit: RegisterWrite<Out> = RegisterWrite::new(cfg),
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
        shares: Const<Bit> = Const::new(cfg.shares_warps()),
        nothing: UnitResult<Zero> = UnitResult::new(cfg),
        _units: usize = units,
    }
}

impl Logic for Commit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. priority");
        self.results[0].ready.next = true;
        self.results[1].ready.next = !self.results[0].valid.val();
        self.results[2].ready.next = !self.results[0].valid.val() & !self.results[1].valid.val();
        self.results[3].ready.next =
            !self.results[0].valid.val() & !self.results[1].valid.val() & !self.results[2].valid.val();
        if self.has_fpu.val() {
            self.fpu_result.offer_.ready.next =
                !self.results[0].valid.val() & !self.results[1].valid.val() & !self.results[2].valid.val();
            if self.fpu_result.offer_.valid.val() {
                self.results[3].ready.next = false;
            }
        }
        if self.shares.val() {
            comment!("What comes from another slice goes behind the special unit.");
            self.home.offer_.ready.next = self.results[2].ready.val();
            if self.home.offer_.valid.val() {
                for u in 2..self._units {
                    self.results[u].ready.next = false;
                }
                if self.has_fpu.val() {
                    self.fpu_result.offer_.ready.next = false;
                }
            }
        }
        comment!("2. result: an OR of the one that is taken, which is smaller than multiplexers");
        self.commit.write_.valid.next = false;
        self.commit.write_.last.next = !self.results[0].valid.val() | self.lsu_last.val();
        Data::join(&mut self.nothing.to_, &mut self.commit.write_.to_);
        Data::join(&mut self.nothing.data, &mut self.commit.data);
        for u in 0..self._units {
            self.commit.write_.valid.next = self.commit.write_.valid.val() | self.results[u].valid.val();
            if self.results[u].valid.val() & self.results[u].ready.val() {
                Either::join(&mut self.results[u].result_.to_, &mut self.commit.write_.to_);
                Either::join(&mut self.results[u].result_.data, &mut self.commit.data);
            }
        }
        if self.has_fpu.val() {
            self.commit.write_.flags.next = 0.into();
            if self.fpu_result.offer_.valid.val() {
                self.commit.write_.valid.next = true;
            }
            if self.fpu_result.offer_.valid.val() & self.fpu_result.offer_.ready.val() {
                Either::join(&mut self.fpu_result.offer_.result_.to_, &mut self.commit.write_.to_);
                Either::join(&mut self.fpu_result.offer_.result_.data, &mut self.commit.data);
                self.commit.write_.flags.next = self.fpu_result.flags.val();
            }
        }
        if self.shares.val() {
            if self.home.offer_.valid.val() {
                self.commit.write_.valid.next = true;
            }
            if self.home.offer_.valid.val() & self.home.offer_.ready.val() {
                Either::join(&mut self.home.offer_.result_.to_, &mut self.commit.write_.to_);
                Either::join(&mut self.home.offer_.result_.data, &mut self.commit.data);
                if self.has_fpu.val() {
                    self.commit.write_.flags.next = self.commit.write_.flags.val() | self.home.flags.val();
                }
            }
        }
    }
}
