//! Both floating-point units, as an issue slice has them.
use super::{FpuPipeline, FpuSlow};
use crate::prelude::*;

module! {
    /// The floating-point pipeline, the slow unit beside it, and one result port for both.
    ///
    /// Ports, from the sp collector `sp_*` for the pipeline, from the sfu collector `sfu_*` for the slow unit: the fields
    /// below. To them `sp_ready`, `sfu_ready`. From and to commit `fpu_result`; `fpu_busy`. Latency: that of the units.
    /// Reset: empty. Invariants: a result of the slow unit goes first, for the pipeline can have one every cycle and would
    /// starve it. Critical path: none of its own but the choice. Source: none. Mirror in the model: `model::exec`.
    pub struct FloatUnit(cfg: &CoreConfig) [clock, reset] {
        /// From the sp collector: an instruction for the pipeline.
        pub sp: SpInstruction<In> = SpInstruction::new(cfg),
        /// Third operand of each lane.
        pub sp_c: Vec<Signal<In, Bits<32>>> = signals(cfg.threads, 32),
        /// The pipeline takes the instruction this cycle.
        pub sp_ready: Signal<Out, Bit>,
        /// From the sfu collector: an instruction for the slow unit.
        pub sfu: SfuEntry<In> = SfuEntry::new(cfg),
        /// The slow unit takes the instruction this cycle.
        pub sfu_ready: Signal<Out, Bit>,
        /// A result that waits, with the exceptions of its lanes.
        pub fpu_result: FloatResult<Out> = FloatResult::new(cfg),
        /// An instruction is in a unit.
        pub fpu_busy: Signal<Out, Bit>,
        pipeline: FpuPipeline = FpuPipeline::new(cfg),
        slow: FpuSlow = FpuSlow::new(cfg),
    }
}

impl Logic for FloatUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. instructions");
        Wires::join(&mut self.sp, &mut self.pipeline.sp);
        Wires::join(&mut self.sfu, &mut self.slow.sfu);
        self.sp_ready.next = self.pipeline.fp_ready.val();
        self.sfu_ready.next = self.slow.fs_ready.val();
        Wires::join(&mut self.sp_c, &mut self.pipeline.sp_c);
        comment!("2. results");
        self.slow.fs_result.offer_.ready.next = self.fpu_result.offer_.ready.val();
        self.pipeline.fp_result.offer_.ready.next =
            self.fpu_result.offer_.ready.val() & !self.slow.fs_result.offer_.valid.val();
        Data::join(&mut self.pipeline.fp_result, &mut self.fpu_result);
        if self.slow.fs_result.offer_.valid.val() {
            Data::join(&mut self.slow.fs_result, &mut self.fpu_result);
        }
        self.fpu_result.offer_.valid.next =
            self.pipeline.fp_result.offer_.valid.val() | self.slow.fs_result.offer_.valid.val();
        self.fpu_busy.next = self.pipeline.fp_busy.val() | self.slow.fs_busy.val();
    }
}
