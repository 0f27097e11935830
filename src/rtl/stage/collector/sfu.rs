//! The collector in front of the special unit, the divider and the slow floating-point unit.
use crate::rtl::prelude::*;

module! {
    /// One entry for the class `sfu`: CSR access, warp control, barriers, illegal instructions, divisions, and what
    /// the slow floating-point unit does.
    ///
    /// Ports, from the operand stage: `operand`, `operand_rs1`, `operand_rs2`; from the units `sfu_ready` (the entry
    /// leaves). To the units the entry: `sfu`, `sfu_rs1`, `sfu_rs2`. Latency: one cycle. Reset: empty. Invariants: the scoreboard issues this class only when
    /// the entry and the operand stage are empty of it, so what arrives always finds room.
    /// Critical path: none of its own. Source: none. Mirror in the model: none.
    pub struct SfuCollector(cfg: &CoreConfig) [clock, reset] {
        /// From the operand stage: an instruction of this class.
        pub operand: SfuInstruction<In> = SfuInstruction::new(cfg),
        /// First register of each lane.
        pub operand_rs1: Vec<Signal<In, Bits<32>>> = signals(cfg.threads, 32),
        /// Second register of each lane.
        pub operand_rs2: Vec<Signal<In, Bits<32>>> = signals(cfg.threads, 32),
        /// The unit that the entry is for takes it this cycle.
        pub sfu_ready: Signal<In, Bit>,
        /// To the units: the entry.
        pub sfu: SfuInstruction<Out> = SfuInstruction::new(cfg),
        /// First register of each lane.
        pub sfu_rs1: Vec<Signal<Out, Bits<32>>> = signals(cfg.threads, 32),
        /// Second register of each lane.
        pub sfu_rs2: Vec<Signal<Out, Bits<32>>> = signals(cfg.threads, 32),
        entry: SfuInstruction<Held> = SfuInstruction::new(cfg),
        rs1, rs2: Vec<Pipe<Bits<32>>> = pipes(cfg.threads, 32),
    }
}

impl Logic for SfuCollector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. load");
        if self.operand.valid.val() {
            Payload::join(&mut self.operand, &mut self.entry);
            Data::join(&mut self.operand_rs1, &mut self.rs1);
            Data::join(&mut self.operand_rs2, &mut self.rs2);
        }
        self.entry.valid.d.next =
            self.operand.valid.val() | (self.entry.valid.q.val() & !self.sfu_ready.val());
        comment!("2. entry");
        Data::join(&mut self.rs1, &mut self.sfu_rs1);
        Data::join(&mut self.rs2, &mut self.sfu_rs2);
        Data::join(&mut self.entry, &mut self.sfu);
    }
}
