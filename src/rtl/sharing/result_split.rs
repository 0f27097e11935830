//! Results of a slice's units: its own warps', and those of shared warps.
use crate::prelude::*;

module! {
    /// Stands between the units of a slice and its commit: what is of another slice's warp goes there.
    ///
    /// Ports: below; `away` has one result a cycle, in the order of commit: divider, floating-point units, integer
    /// unit. Latency: combinational. Reset: none. Invariants: a result is offered to one of both. Critical path: warp
    /// -> valid -> commit's priority. Source: ours; KAWS 3 does not say how. Mirror in the model: `model::timing::commit`.
    pub struct ResultSplit(cfg: &CoreConfig)
    let units = 2;
    {
        /// The warps of the slice.
        pub own_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// The results of the units.
        pub results: Vec<OfferedResult<In>> = (0..units).map(|_| OfferedResult::new(cfg)).collect(),
        /// That of the floating-point units.
        pub fpu_result: Opt<FloatResult<In>> = Opt::new(cfg.fpu, FloatResult::new(cfg)),
        /// To commit: the result waits, and is of an own warp.
        pub own_valid: Vec<Signal<Out, Bit>> = vec![Signal::default(); units],
        /// Commit takes it.
        pub own_ready: Vec<Signal<In, Bit>> = vec![Signal::default(); units],
        /// That of the floating-point units is.
        pub fpu_own_valid: Opt<Signal<Out, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        /// Commit takes it.
        pub fpu_own_ready: Opt<Signal<In, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        /// To the other slices.
        pub away: FloatResult<Out> = FloatResult::new(cfg),
        /// A result waits that is not of an own warp.
        foreign: Vec<Signal<Local, Bit>> = vec![Signal::default(); units],
        fpu_foreign: Opt<Signal<Local, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        own: Signal<Local, Bit>,
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
        _units: usize = units,
    }
}

impl Logic for ResultSplit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. whose it is");
        for u in 0..self._units {
            self.own.next = self.own_warps.val().get_bit(self.results[u].result_.to_.wid.val().index());
            self.own_valid[u].next = self.results[u].valid.val() & self.own.val();
            self.foreign[u].next = self.results[u].valid.val() & !self.own.val();
        }
        if self.has_fpu.val() {
            self.own.next =
                self.own_warps.val().get_bit(self.fpu_result.offer_.result_.to_.wid.val().index());
            self.fpu_own_valid.next = self.fpu_result.offer_.valid.val() & self.own.val();
            self.fpu_foreign.next = self.fpu_result.offer_.valid.val() & !self.own.val();
        }
        comment!("2. what goes away: the last that applies");
        Data::join(&mut self.results[1].result_, &mut self.away.offer_.result_);
        self.away.offer_.valid.next = self.foreign[0].val() | self.foreign[1].val();
        if self.has_fpu.val() {
            self.away.flags.next = 0.into();
            if self.fpu_foreign.val() {
                Data::join(&mut self.fpu_result.offer_.result_, &mut self.away.offer_.result_);
                self.away.flags.next = self.fpu_result.flags.val();
                self.away.offer_.valid.next = true;
            }
        }
        if self.foreign[0].val() {
            Data::join(&mut self.results[0].result_, &mut self.away.offer_.result_);
            if self.has_fpu.val() {
                self.away.flags.next = 0.into();
            }
        }
        comment!("3. what is taken");
        for u in 0..self._units {
            self.results[u].ready.next = self.own_ready[u].val();
        }
        if self.foreign[0].val() {
            self.results[0].ready.next = self.away.offer_.ready.val();
        }
        if self.foreign[1].val() {
            self.results[1].ready.next = self.away.offer_.ready.val() & !self.foreign[0].val();
        }
        if self.has_fpu.val() {
            self.fpu_result.offer_.ready.next = self.fpu_own_ready.val();
            if self.fpu_foreign.val() {
                self.fpu_result.offer_.ready.next = self.away.offer_.ready.val() & !self.foreign[0].val();
                if self.foreign[1].val() {
                    self.results[1].ready.next = false;
                }
            }
        }
    }
}
