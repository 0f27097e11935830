//! CSR accesses, warp control, barriers; and where illegal instructions end.
mod logic;

use super::barrier::BarrierUnit;
use super::csr::CsrFile;
use super::warp_control::WarpControl;
use crate::prelude::*;
use crate::sched::BarrierEvents;

module! {
    /// Executes the special instructions of all slices, one a cycle, straight from the slices' collectors.
    ///
    /// Ports: below; element s is slice s. A result goes to the slice that owns the warp. Latency: taken in c,
    /// everything but the barrier signals comes from registers in c+1; `barrier.warps` in c+1, the barrier events in
    /// c. WSPAWN comes in the cycle after the caller became the only active warp. Reset: nothing held. Invariants:
    /// `wctl` comes with `resume_warps` of that warp; a faulting instruction does nothing else; WSPAWN waits outside
    /// the collectors, so that other warps can end. Critical path: operand of the last active lane, barriers or warp
    /// control. Source: docs/ISA.md, sections 3 and 4. Mirror in the model: csr, control.
    pub struct SpecialUnit(cfg: &CoreConfig) [clock, reset]
    let (s, t, w, wid_bits) = (cfg.slices, cfg.threads, cfg.warps, cfg.wid_bits());
    let fpu = usize::from(cfg.fpu);
    // One bit more than a warp identifier needs, so that the number of warps itself can be given.
    let spawn_count_mask = 2 * w.next_power_of_two() as u64 - 1;
    {
        /// From the slices: an instruction.
        pub sfu: Vec<SfuRequest<In>> = (0..s).map(|_| SfuRequest::new(cfg)).collect(),
        /// From the whole core: what CSRs show.
        pub core_: CsrSources<In> = CsrSources::new(cfg),
        /// With a floating-point unit: the dynamic rounding mode of each warp.
        pub frm: Vec<Signal<Out, Bits<3>>> = signals(fpu * w, 3),
        /// Number of the performance counter that a CSR instruction names.
        pub counter_select: Signal<Out, Bits<5>>,
        /// It names the upper half.
        pub counter_upper: Signal<Out, Bit>,
        /// The instruction reads it in this cycle.
        pub counter_read: Signal<Out, Bit>,
        /// What was read in the last cycle, else 0.
        pub counter_value: Signal<In, Bits<32>>,
        /// A result for the slice.
        pub sfu_result_valid: Vec<Signal<Out, Bit>> = vec![Signal::default(); s],
        /// The result.
        pub sfu_result: UnitResult<Out> = UnitResult::new(cfg),
        /// The slice takes the result.
        pub sfu_result_ready: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// A warp-control instruction is done.
        pub wctl: MaskChange<Out> = MaskChange::new(cfg),
        /// Warps that WSPAWN starts.
        pub spawn_warps: Signal<Out, WarpMask> = signal(w),
        /// Where they start.
        pub spawn_pc: Signal<Out, Bits<32>>,
        /// Warps that may go on.
        pub resume_warps: Signal<Out, WarpMask> = signal(w),
        /// What barriers do.
        pub barrier: BarrierEvents<Out> = BarrierEvents::new(cfg),
        /// An instruction cannot be executed: 1 illegal, 5 divergence stack full, 6 barrier count, 7 CSR, 8 JOIN without SPLIT,
        /// 12 a block's barrier in divergent code.
        pub fault: Fault<Out> = Fault::new(cfg),
        /// Something is in flight.
        pub sfu_busy: Signal<Out, Bit>,
        result_coordinate: Opt<Vec<Pipe<Bits<10>>>> = Opt::new(cfg.grid, pipes(t, COORDINATE_BITS)),
        ended_wid: Opt<Pipe<WarpId>> = Opt::new(cfg.grid, Pipe::<WarpId>::width(wid_bits)),
        has_grid: Const<Bit> = Const::new(cfg.grid),
        coordinate: Signal<Local, Bits<10>>,
        legal, diverged, take, is_spawn, negate, spawn_go, refused, does_csr, does_wctl,
        holds_spawn: Signal<Local, Bit>,
        arbiter: RoundRobinArbiter = RoundRobinArbiter::new(s),
        csrs: CsrFile = CsrFile::new(cfg),
        control: WarpControl = WarpControl::new(cfg),
        barriers: BarrierUnit = BarrierUnit::new(cfg),
        result_held: Reg<Bit>,
        result_to: Destination<Registered> = Destination::new(cfg),
        result_value: Pipe<Bits<32>>,
        result_per_lane: Pipe<Bit>,
        resolved: MaskChange<Registered> = MaskChange::new(cfg),
        spawning, resuming: Reg<WarpMask> = Reg::<WarpMask>::width(w),
        spawn_held: Reg<Bit>,
        spawn_caller: Pipe<WarpId> = Pipe::<WarpId>::width(wid_bits),
        spawn_tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        spawn_mask: Pipe<WarpMask> = Pipe::<WarpMask>::width(w),
        spawn_target: Pipe<Bits<32>>,
        faulty: Fault<Registered> = Fault::new(cfg),
        waiting: Signal<Local, WarpMask> = signal(s),
        picked: SfuRequest<Local> = SfuRequest::new(cfg),
        warp_oh, spawn_below, caller_oh, resume: Signal<Local, WarpMask> = signal(w),
        first_warp: Const<WarpMask> = constant(w, 1),
        cause_value, late_value: Signal<Local, Bits<32>>,
        condition: Signal<Local, Bits<32>> = signal(t),
        spawn_count: Signal<Local, WarpCount> = signal(cfg.warp_count_bits()),
        cause: Signal<Local, Bits<4>>,
        result_slice: Signal<Local, WarpId> = signal(wid_bits),
        slice_mask: Const<WarpId> = constant(wid_bits, cfg.slice_mask()),
        spawn_count_mask: Const<WarpCount> = constant(cfg.warp_count_bits(), spawn_count_mask),
        _t: usize = t,
        _warps: usize = w,
        _slices: usize = s,
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
    }
}
