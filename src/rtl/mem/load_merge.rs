//! Where the paths' results of loads become one.
use crate::rtl::prelude::*;

module! {
    /// Shows one result a cycle: a path's, and with it those of all other paths that are of the same load.
    ///
    /// Ports, of each path: `part_valid`, `part`, `part_last` -> `part_taken`. To commit: `result_valid`, `result`, `result_last`,
    /// `result_taken`. Latency: combinational. Reset: path 0 goes first. Invariants: paths serve different lanes of a load;
    /// of one warp and register one load is under way, so results that have both in common are of one load.
    /// Critical path: the path's turn, comparison, OR over the paths. Source: none. Mirror in the model: none (timing only).
    pub struct LoadMerge(cfg: &CoreConfig) [clock, reset]
    let (t, paths) = (cfg.threads, cfg.line_paths());
    {
        /// A path has a result.
        pub part_valid: Vec<Signal<In, Bit>> = vec![Signal::default(); paths],
        /// That result.
        pub part: Vec<UnitResult<In>> = (0..paths).map(|_| UnitResult::new(cfg)).collect(),
        /// No further lane of the load waits, all paths taken together.
        pub part_last: Vec<Signal<In, Bit>> = vec![Signal::default(); paths],
        /// The path's result is taken.
        pub part_taken: Vec<Signal<Out, Bit>> = vec![Signal::default(); paths],
        /// There is a result.
        pub result_valid: Signal<Out, Bit>,
        /// The result.
        pub result: UnitResult<Out> = UnitResult::new(cfg),
        /// The load has no further result.
        pub result_last: Signal<Out, Bit>,
        /// The result is taken.
        pub result_taken: Signal<In, Bit>,
        arbiter: RoundRobinArbiter = RoundRobinArbiter::new(paths),
        waiting, joined: Signal<Local, WarpMask> = signal(paths),
        _t: usize = t,
        _paths: usize = paths,
    }
}

impl Logic for LoadMerge {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. a path's turn");
        self.waiting.next = 0.into();
        for p in 0..self._paths {
            self.waiting.next = self.waiting.val().replace_bit(p, self.part_valid[p].val());
        }
        self.arbiter.requests.next = self.waiting.val();
        self.arbiter.advance.next = self.result_taken.val();
        self.result_valid.next = self.arbiter.grant_valid.val();
        self.result.to_.wid.next = 0.into();
        self.result.to_.rd.next = 0.into();
        for p in 0..self._paths {
            if self.arbiter.grant_oh.val().get_bit(p) {
                self.result.to_.wid.next = self.part[p].to_.wid.val();
                self.result.to_.rd.next = self.part[p].to_.rd.val();
            }
        }
        comment!("2. what the others have of the same load");
        self.joined.next = 0.into();
        self.result.to_.tmask.next = 0.into();
        self.result_last.next = false;
        for p in 0..self._paths {
            self.joined.next = self.joined.val().replace_bit(
                p,
                self.part_valid[p].val()
                    & (self.part[p].to_.wid.val() == self.result.to_.wid.val())
                    & (self.part[p].to_.rd.val() == self.result.to_.rd.val()),
            );
            self.part_taken[p].next = self.result_taken.val() & self.joined.val().get_bit(p);
            if self.joined.val().get_bit(p) {
                self.result.to_.tmask.next = self.result.to_.tmask.val() | self.part[p].to_.tmask.val();
                self.result_last.next = self.result_last.val() | self.part_last[p].val();
            }
        }
        comment!("3. the lanes' words");
        for i in 0..self._t {
            self.result.data[i].next = 0.into();
            for p in 0..self._paths {
                if self.joined.val().get_bit(p) & self.part[p].to_.tmask.val().get_bit(i) {
                    self.result.data[i].next = self.result.data[i].val() | self.part[p].data[i].val();
                }
            }
        }
    }
}
