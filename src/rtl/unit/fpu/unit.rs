//! Both floating-point units, as an issue slice has them.
use super::super::super::cell::{signal, signals};
use super::super::super::op::FpuOp;
use super::{FpuPipeline, FpuSlow};
use crate::config::CoreConfig;
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// The floating-point pipeline, the slow unit beside it, and one result port for both.
    ///
    /// Ports, from the sp collector `sp_*` for the pipeline, from the sfu collector `sfu_*` for the slow unit: the fields
    /// below. To them `sp_ready`, `sfu_ready`. From and to commit `fpu_result_*`; `fpu_busy`. Latency: that of the units.
    /// Reset: empty. Invariants: a result of the slow unit goes first, for the pipeline can have one every cycle and would
    /// starve it. Critical path: none of its own but the choice. Source: none. Mirror in the model: `model::exec`.
    pub struct FloatUnit(cfg: &CoreConfig) [clock, reset]
    let (threads, wid) = (cfg.threads, cfg.wid_bits());
    {
        _threads: usize = threads,
        // From the sp collector.
        /// An instruction for the pipeline is there.
        pub sp_valid: Signal<In, Bit>,
        /// Its operation.
        pub sp_op: Signal<In, FpuOp>,
        /// Its rounding mode.
        pub sp_rounding: Signal<In, Bits<3>>,
        /// Its warp.
        pub sp_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its active lanes.
        pub sp_tmask: Signal<In, Bits<32>> = signal(threads),
        /// Destination.
        pub sp_rd: Signal<In, Bits<6>>,
        /// First operand of each lane.
        pub sp_a: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Second operand of each lane.
        pub sp_b: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Third operand of each lane.
        pub sp_c: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        // From the sfu collector.
        /// An instruction for the slow unit is there.
        pub sfu_valid: Signal<In, Bit>,
        /// Its operation.
        pub sfu_op: Signal<In, FpuOp>,
        /// Its rounding mode.
        pub sfu_rounding: Signal<In, Bits<3>>,
        /// Its warp.
        pub sfu_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its active lanes.
        pub sfu_tmask: Signal<In, Bits<32>> = signal(threads),
        /// Destination.
        pub sfu_rd: Signal<In, Bits<6>>,
        /// First operand of each lane.
        pub sfu_a: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Second operand of each lane.
        pub sfu_b: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        // To the collectors.
        /// The pipeline takes the instruction this cycle.
        pub sp_ready: Signal<Out, Bit>,
        /// The slow unit takes the instruction this cycle.
        pub sfu_ready: Signal<Out, Bit>,
        // From and to commit.
        /// Commit takes the result this cycle.
        pub fpu_result_ready: Signal<In, Bit>,
        /// A result waits.
        pub fpu_result_valid: Signal<Out, Bit>,
        /// Its warp.
        pub fpu_result_wid: Signal<Out, Bits<5>> = signal(wid),
        /// Its register.
        pub fpu_result_rd: Signal<Out, Bits<6>>,
        /// Its lanes.
        pub fpu_result_tmask: Signal<Out, Bits<32>> = signal(threads),
        /// Its data.
        pub fpu_result_data: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// Exceptions of its lanes.
        pub fpu_result_flags: Signal<Out, Bits<5>>,
        /// An instruction is in a unit.
        pub fpu_busy: Signal<Out, Bit>,
        pipeline: FpuPipeline = FpuPipeline::new(cfg),
        slow: FpuSlow = FpuSlow::new(cfg),
    }
}

impl Logic for FloatUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FloatUnit: The floating-point pipeline, the slow unit beside it, and one result port for both.");
        comment!("1. instructions");
        self.pipeline.fp_valid.next = self.sp_valid.val();
        self.pipeline.fp_op.next = self.sp_op.val();
        self.pipeline.fp_rm.next = self.sp_rounding.val();
        self.pipeline.fp_wid.next = self.sp_wid.val();
        self.pipeline.fp_tmask.next = self.sp_tmask.val();
        self.pipeline.fp_rd.next = self.sp_rd.val();
        self.sp_ready.next = self.pipeline.fp_ready.val();
        self.slow.fs_valid.next = self.sfu_valid.val();
        self.slow.fs_op.next = self.sfu_op.val();
        self.slow.fs_rm.next = self.sfu_rounding.val();
        self.slow.fs_wid.next = self.sfu_wid.val();
        self.slow.fs_tmask.next = self.sfu_tmask.val();
        self.slow.fs_rd.next = self.sfu_rd.val();
        self.sfu_ready.next = self.slow.fs_ready.val();
        for i in 0..self._threads {
            self.pipeline.fp_a[i].next = self.sp_a[i].val();
            self.pipeline.fp_b[i].next = self.sp_b[i].val();
            self.pipeline.fp_c[i].next = self.sp_c[i].val();
            self.slow.fs_a[i].next = self.sfu_a[i].val();
            self.slow.fs_b[i].next = self.sfu_b[i].val();
        }
        comment!("2. results");
        self.slow.fs_result_ready.next = self.fpu_result_ready.val();
        self.pipeline.fp_result_ready.next = self.fpu_result_ready.val() & !self.slow.fs_result_valid.val();
        self.fpu_result_valid.next = self.pipeline.fp_result_valid.val() | self.slow.fs_result_valid.val();
        self.fpu_result_wid.next = self.pipeline.fp_result_wid.val();
        self.fpu_result_rd.next = self.pipeline.fp_result_rd.val();
        self.fpu_result_tmask.next = self.pipeline.fp_result_tmask.val();
        self.fpu_result_flags.next = self.pipeline.fp_result_flags.val();
        if self.slow.fs_result_valid.val() {
            self.fpu_result_wid.next = self.slow.fs_result_wid.val();
            self.fpu_result_rd.next = self.slow.fs_result_rd.val();
            self.fpu_result_tmask.next = self.slow.fs_result_tmask.val();
            self.fpu_result_flags.next = self.slow.fs_result_flags.val();
        }
        for i in 0..self._threads {
            self.fpu_result_data[i].next = self.pipeline.fp_result_data[i].val();
            if self.slow.fs_result_valid.val() {
                self.fpu_result_data[i].next = self.slow.fs_result_data[i].val();
            }
        }
        self.fpu_busy.next = self.pipeline.fp_busy.val() | self.slow.fs_busy.val();
    }
}
