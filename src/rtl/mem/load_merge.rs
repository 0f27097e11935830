//! Where the paths' results of loads become one.
use crate::prelude::*;

module! {
    /// Shows one result a cycle: a path's, and with it those of all other paths that are of the same load.
    ///
    /// Ports: below; a part is the last if no further lane of the load waits, all paths taken together. Latency:
    /// combinational. Reset: path 0 goes first. Invariants: paths serve different lanes of a load; of one warp and
    /// register one load is under way, so results that have both in common are of one load. Critical path: the path's
    /// turn, comparison, OR over the paths. Source: none. Mirror in the model: `model::timing::lsu`.
    pub struct LoadMerge(cfg: &CoreConfig) [clock, reset]
    let (t, paths) = (cfg.threads, cfg.line_paths());
    {
        /// A path's result.
        pub parts: Vec<LoadResult<In>> = (0..paths).map(|_| LoadResult::new(cfg)).collect(),
        /// The result.
        pub result: LoadResult<Out> = LoadResult::new(cfg),
        arbiter: RoundRobinArbiter = RoundRobinArbiter::new(paths),
        waiting, joined: Signal<Local, WarpMask> = signal(paths),
        to: Destination<Local> = Destination::new(cfg),
        word: Signal<Local, Bits<32>>,
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
            self.waiting.next = self.waiting.val().replace_bit(p, self.parts[p].offer_.valid.val());
        }
        self.arbiter.requests.next = self.waiting.val();
        self.arbiter.advance.next = self.result.offer_.ready.val();
        self.result.offer_.valid.next = self.arbiter.grant_valid.val();
        self.to.wid.next = 0.into();
        self.to.rd.next = 0.into();
        for p in 0..self._paths {
            if self.arbiter.grant_oh.val().get_bit(p) {
                self.to.wid.next = self.parts[p].offer_.result_.to_.wid.val();
                self.to.rd.next = self.parts[p].offer_.result_.to_.rd.val();
            }
        }
        comment!("2. what the others have of the same load");
        self.joined.next = 0.into();
        self.to.tmask.next = 0.into();
        self.result.last.next = false;
        for p in 0..self._paths {
            self.joined.next = self.joined.val().replace_bit(
                p,
                self.parts[p].offer_.valid.val()
                    & (self.parts[p].offer_.result_.to_.wid.val() == self.to.wid.val())
                    & (self.parts[p].offer_.result_.to_.rd.val() == self.to.rd.val()),
            );
            self.parts[p].offer_.ready.next = self.result.offer_.ready.val() & self.joined.val().get_bit(p);
            if self.joined.val().get_bit(p) {
                self.to.tmask.next = self.to.tmask.val() | self.parts[p].offer_.result_.to_.tmask.val();
                self.result.last.next = self.result.last.val() | self.parts[p].last.val();
            }
        }
        Data::join(&mut self.to, &mut self.result.offer_.result_.to_);
        comment!("3. the lanes' words");
        for i in 0..self._t {
            self.word.next = 0.into();
            for p in 0..self._paths {
                if self.joined.val().get_bit(p) & self.parts[p].offer_.result_.to_.tmask.val().get_bit(i) {
                    self.word.next = self.word.val() | self.parts[p].offer_.result_.data[i].val();
                }
            }
            self.result.offer_.result_.data[i].next = self.word.val();
        }
    }
}
