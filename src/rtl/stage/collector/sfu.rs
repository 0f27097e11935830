//! The collector in front of the special unit, the divider and the slow floating-point unit.
use crate::prelude::*;

module! {
    /// One entry for the class `sfu`: CSR access, warp control, barriers, illegal instructions, divisions, and what
    /// the slow floating-point unit does.
    ///
    /// Ports: below. Latency: one cycle. Reset: empty. Invariants: the scoreboard issues this class only when the
    /// entry and the operand stage are empty of it, so what arrives always finds room. Critical path: none of its
    /// own. Source: none. Mirror in the model: `model::timing::units`.
    pub struct SfuCollector(cfg: &CoreConfig) [clock, reset] {
        /// From the operand stage: an instruction of this class.
        pub operand: SfuEntry<In> = SfuEntry::new(cfg),
        /// The unit that the entry is for takes it this cycle.
        pub sfu_ready: Signal<In, Bit>,
        /// To the units: the entry.
        pub sfu: SfuEntry<Out> = SfuEntry::new(cfg),
        entry: SfuEntry<Registered> = SfuEntry::new(cfg),
    }
}

impl Logic for SfuCollector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. load");
        if self.operand.its_.valid.val() {
            Payload::join(&mut self.operand, &mut self.entry);
        }
        self.entry.its_.valid.d.next =
            self.operand.its_.valid.val() | (self.entry.its_.valid.q.val() & !self.sfu_ready.val());
        comment!("2. entry");
        Data::join(&mut self.entry, &mut self.sfu);
    }
}
