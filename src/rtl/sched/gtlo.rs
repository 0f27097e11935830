//! Policy `gtlo`, greedy then loose oldest, also called GTO.
use crate::prelude::*;

scheduler! {
    /// Grants the warp that fired last while it is ready, else the oldest ready warp.
    ///
    /// Ports: the standard ones of [`view`](super::view). Latency: combinational; the greedy warp changes at the edge
    /// after `fire`, never on a grant alone. Reset, and the start of a kernel: no warp has fired.
    /// Invariants: one grant if and only if some warp is ready; at most one warp is greedy. No bound on waiting: a warp that
    /// stays ready keeps the grant. Critical path: an OR of W bits, a multiplexer and an encoder.
    /// Source: SWaS II-B; docs/SCHEDULERS.md, section 2. Ours: greediness belongs to the slot; it ends when another warp fires, not
    /// when the warp is not ready for a while and nobody fires. Mirror in the model: `model::sched::gtlo`.
    pub struct GreedyLooseOldest(cfg) {
        /// One-hot, or none.
        last_fired: Reg<WarpMask> = Reg::<WarpMask>::width(cfg.warps),
        greedy: Signal<Local, WarpMask> = signal(cfg.warps),
        oldest: OldestWarp = OldestWarp::new(cfg.warps),
        encoder: OneHotIndex = OneHotIndex::new(cfg.warps),
    }
}

impl Logic for GreedyLooseOldest {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. candidates: the warp that fired last; and, side by side, all ready warps");
        self.greedy.next = self.stage.ready_warps.val() & self.last_fired.q.val();
        self.oldest.candidates.next = self.stage.ready_warps.val();
        Wires::join(&mut self.core.older, &mut self.oldest.older);
        comment!("2. pick the greedy warp, else the oldest");
        self.grant.oh.next = self.oldest.oldest_oh.val();
        if self.greedy.val().any() {
            self.grant.oh.next = self.greedy.val();
        }
        self.grant.valid.next = self.stage.ready_warps.val().any();
        self.encoder.mask_oh.next = self.grant.oh.val();
        self.grant.wid.next = self.encoder.index.val();
        comment!("3. remember the warp that fired");
        if self.stage.fire.val() {
            self.last_fired.d.next = self.stage.fired_oh.val();
        }
        if self.core.kernel_start.val() {
            self.last_fired.d.next = 0.into();
        }
    }
}
