//! One place of an instruction queue.
use crate::prelude::*;

module! {
    /// One place of an instruction queue: it takes the instruction that is pushed, or that of the place behind it.
    ///
    /// Ports: below. Latency: one cycle. Reset: none (SWaS: a NOP, by `clear`). Invariants: none. Critical path: one
    /// multiplexer. Source: none. Mirror in the model: none.
    pub struct QueuePlace(cfg: &CoreConfig) [clock]
    let unified = cfg.unified().is_some();
    {
        /// It takes an instruction.
        pub takes: Signal<In, Bit>,
        /// That of the place behind, not the pushed one.
        pub moves_up: Signal<In, Bit>,
        /// SWaS: a NOP instead, whatever is said above.
        pub clear: Opt<Signal<In, Bit>> = Opt::new(unified, Signal::default()),
        /// The instruction that is pushed.
        pub pushed: QueueEntry<In> = QueueEntry::new(cfg),
        /// That of the place behind.
        pub behind: QueueEntry<In> = QueueEntry::new(cfg),
        /// The instruction here.
        pub entry: QueueEntry<Out> = QueueEntry::new(cfg),
        held: QueueEntry<Registered> = QueueEntry::new(cfg),
        nop: QueueEntry<Zero> = QueueEntry::new(cfg),
        unified: Const<Bit> = Const::new(unified),
    }
}

impl Logic for QueuePlace {
    #[hdl_gen]
    fn update(&mut self) {
        Data::join(&mut self.held, &mut self.entry);
        if self.takes.val() {
            Data::join(&mut self.pushed, &mut self.held);
            if self.moves_up.val() {
                Data::join(&mut self.behind, &mut self.held);
            }
        }
        if self.unified.val() && self.clear.val() {
            Data::join(&mut self.nop, &mut self.held);
        }
    }
}
