//! The way home of results.
use crate::prelude::*;

module! {
    /// Takes results of each slice's units for warps of other slices to the commit of those.
    ///
    /// Ports: below. The slice of the largest number goes first. Latency: combinational. Reset: none. Invariants: a
    /// result that is not taken stays with its unit; one goes to one slice. Critical path: `home.ready` ->
    /// `away.ready`. Source: ours; KAWS 3 does not say how. Mirror in the model: `model::timing::commit`.
    pub struct ResultReturn(cfg: &CoreConfig)
    let slices = cfg.slices;
    {
        /// What each slice has for others.
        pub away: Vec<FloatResult<In>> = (0..slices).map(|_| FloatResult::new(cfg)).collect(),
        /// What each slice gets.
        pub home: Vec<FloatResult<Out>> = (0..slices).map(|_| FloatResult::new(cfg)).collect(),
        own_warps: Vec<Const<WarpMask>> = own_warps(cfg),
        /// Of each slice, whose result it gets.
        chosen: Vec<Signal<Local, Bits<32>>> = signals(slices, slices),
        own: Signal<Local, WarpMask> = signal(cfg.warps),
        wid: Signal<Local, WarpId> = signal(cfg.wid_bits()),
        _slices: usize = slices,
    }
}

impl Logic for ResultReturn {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. whose result goes to whom");
        for y in 0..self._slices {
            Data::join(&mut self.away[0], &mut self.home[y]);
            self.home[y].offer_.valid.next = false;
            self.chosen[y].next = 0.into();
            self.own.next = self.own_warps[y].val();
            for x in 0..self._slices {
                self.wid.next = self.away[x].offer_.result_.to_.wid.val();
                if self.away[x].offer_.valid.val() & self.own.val().get_bit(self.wid.val().index()) {
                    Data::join(&mut self.away[x], &mut self.home[y]);
                    self.chosen[y].next = 0.into();
                    self.chosen[y].next = self.chosen[y].val().replace_bit(x, true);
                }
            }
        }
        comment!("2. taken");
        for x in 0..self._slices {
            self.away[x].offer_.ready.next = false;
            for y in 0..self._slices {
                if self.chosen[y].val().get_bit(x) & self.home[y].offer_.ready.val() {
                    self.away[x].offer_.ready.next = true;
                }
            }
        }
    }
}
