//! The collector in front of the integer unit, the multiplier and the floating-point pipeline.
use crate::prelude::*;

module! {
    /// One entry for the class `sp`.
    ///
    /// Ports: below. Latency: one cycle. Reset: empty. Invariants: an entry stays until it is taken;
    /// `collector_ready` lets the next one in the same cycle, so the class runs at full rate. Critical path: none of
    /// its own. Source: none. Mirror in the model: `model::timing::units`.
    pub struct SpCollector(cfg: &CoreConfig) [clock, reset]
    let float_threads = if cfg.fpu { cfg.threads } else { 0 };
    {
        /// From the operand stage: an instruction of this class.
        pub operand: SpInstruction<In> = SpInstruction::new(cfg),
        /// With a floating-point unit: third operand of each lane.
        pub operand_c: Vec<Signal<In, Bits<32>>> = signals(float_threads, 32),
        /// The unit that the entry is for takes it this cycle.
        pub sp_ready: Signal<In, Bit>,
        /// The operand stage may move on.
        pub collector_ready: Signal<Out, Bit>,
        /// To the units: the entry.
        pub sp: SpInstruction<Out> = SpInstruction::new(cfg),
        /// With a floating-point unit: third operand of each lane.
        pub sp_c: Vec<Signal<Out, Bits<32>>> = signals(float_threads, 32),
        entry: SpInstruction<Registered> = SpInstruction::new(cfg),
        c: Vec<Pipe<Bits<32>>> = pipes(float_threads, 32),
        free: Signal<Local, Bit>,
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
    }
}

impl Logic for SpCollector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. room");
        self.free.next = !self.entry.valid.q.val() | self.sp_ready.val();
        self.collector_ready.next = self.free.val();
        comment!("2. load");
        if self.free.val() {
            self.entry.valid.d.next = self.operand.valid.val();
        }
        if self.free.val() & self.operand.valid.val() {
            Payload::join(&mut self.operand, &mut self.entry);
        }
        comment!("The third operand keeps still for all others.");
        if self.has_fpu.val() && self.free.val() & self.operand.valid.val() & self.operand.fpu.val() {
            Data::join(&mut self.operand_c, &mut self.c);
        }
        Data::join(&mut self.c, &mut self.sp_c);
        comment!("3. entry");
        Data::join(&mut self.entry, &mut self.sp);
    }
}
