//! CSR accesses, warp control, barriers; and where illegal instructions end.
mod kernel;

use super::barrier::BarrierUnit;
use super::csr::CsrFile;
use super::warp_control::WarpControl;
use crate::config::CoreConfig;
use crate::module;
use crate::rtl::cell::{constant, signal, signals, Const, Pipe, Reg, RoundRobinArbiter};
use rust_hdl::prelude::*;

module! {
    /// Executes the special instructions of all slices, one a cycle, straight from the slices' collectors.
    ///
    /// Ports, from the issue slices (element s is slice s): `sfu_*` -> `sfu_ready` (taken in this cycle), `sfu_result_ready`;
    /// `issue_fire`, `issue_tmask` (counted); with a floating-point unit `commit_wid`, `commit_flags` -> `frm`. From the warp table: `active_warps`; from the top: `start_arg`, `busy`.
    /// From the performance counters: `counter_select` -> `counter_value`.
    /// To commit: `sfu_result_valid` (of the slice that owns the warp), `sfu_result_wid`, `_rd`, `_tmask`, `_data`. To the
    /// warp table: `wctl_valid`, `wctl_wid`, `wctl_tmask`, `wctl_jump`, `wctl_pc`; `spawn_warps`, `spawn_pc`. To the slices:
    /// `resume_warps`, `barrier_warps`. Events: `barrier_arrive_warps`, `barrier_release_warps`. `fault_*`, `sfu_busy`.
    /// Latency: taken in c, everything but the barrier signals comes from registers in c+1; `barrier_warps` in c+1, the
    /// barrier events in c. WSPAWN comes in the cycle after the caller became the only active warp.
    /// Reset: nothing held. Invariants: `wctl_valid` comes with `resume_warps` of that warp; a faulting instruction does
    /// nothing else; WSPAWN waits outside the collectors, so that other warps can end.
    /// Critical path: operand of the last active lane, barriers or warp control. Source: VORTEX_ABI 3.1, 3.2. Mirror in the
    /// model: csr, control.
    pub struct SpecialUnit(cfg: &CoreConfig) [clock, reset]
    let (s, t, w, wid_bits) = (cfg.slices, cfg.threads, cfg.warps, cfg.wid_bits());
    let fpu = usize::from(cfg.fpu);
    // One bit more than a warp identifier needs, so that the number of warps itself can be given.
    let spawn_count_mask = 2 * w.next_power_of_two() as u64 - 1;
    {
        /// A slice has an instruction.
        pub sfu_valid: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// Its warp.
        pub sfu_wid: Vec<Signal<In, Bits<5>>> = signals(s, wid_bits),
        /// Its lanes.
        pub sfu_tmask: Vec<Signal<In, Bits<32>>> = signals(s, t),
        /// Its address.
        pub sfu_pc: Vec<Signal<In, Bits<32>>> = signals(s, 32),
        /// The instruction.
        pub sfu_instr: Vec<Signal<In, Bits<32>>> = signals(s, 32),
        /// Destination register.
        pub sfu_rd: Vec<Signal<In, Bits<6>>> = signals(s, 6),
        /// It writes a register.
        pub sfu_use_rd: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// Minor opcode.
        pub sfu_funct3: Vec<Signal<In, Bits<3>>> = signals(s, 3),
        /// It is a CSR access.
        pub sfu_csr: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// Its operand is the immediate.
        pub sfu_csr_imm: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// It is TMC, WSPAWN, SPLIT, JOIN or PRED.
        pub sfu_wctl: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// It is BAR.
        pub sfu_barrier: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// It is a legal instruction.
        pub sfu_legal: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// First operand of lane 0.
        pub sfu_rs1: Vec<Signal<In, Bits<32>>> = signals(s, 32),
        /// Bit 0 of the first operand of each lane.
        pub sfu_flags: Vec<Signal<In, Bits<32>>> = signals(s, t),
        /// First operand of the last active lane.
        pub sfu_last_rs1: Vec<Signal<In, Bits<32>>> = signals(s, 32),
        /// Second operand of the last active lane.
        pub sfu_last_rs2: Vec<Signal<In, Bits<32>>> = signals(s, 32),
        /// The slice's instruction is taken.
        pub sfu_ready: Vec<Signal<Out, Bit>> = vec![Signal::default(); s],
        /// Slices that issue.
        pub issue_fire: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// Lanes of the instruction that each slice issues.
        pub issue_tmask: Vec<Signal<In, Bits<32>>> = signals(s, t),
        /// With a floating-point unit: the warp whose result each slice writes.
        pub commit_wid: Vec<Signal<In, Bits<5>>> = signals(fpu * s, wid_bits),
        /// With a floating-point unit: exceptions of that result.
        pub commit_flags: Vec<Signal<In, Bits<5>>> = signals(fpu * s, 5),
        /// With a floating-point unit: the dynamic rounding mode of each warp.
        pub frm: Vec<Signal<Out, Bits<3>>> = signals(fpu * w, 3),
        /// Warps that are active.
        pub active_warps: Signal<In, Bits<32>> = signal(w),
        /// Reset value of mscratch.
        pub start_arg: Signal<In, Bits<32>>,
        /// The core runs.
        pub busy: Signal<In, Bit>,
        /// Number of the performance counter that a CSR instruction names.
        pub counter_select: Signal<Out, Bits<5>>,
        /// Its count, 0 if there is none.
        pub counter_value: Signal<In, Bits<44>>,
        /// A result for the slice.
        pub sfu_result_valid: Vec<Signal<Out, Bit>> = vec![Signal::default(); s],
        /// Its warp.
        pub sfu_result_wid: Signal<Out, Bits<5>> = signal(wid_bits),
        /// Destination register.
        pub sfu_result_rd: Signal<Out, Bits<6>>,
        /// Lanes to write.
        pub sfu_result_tmask: Signal<Out, Bits<32>> = signal(t),
        /// Value of each lane.
        pub sfu_result_data: Vec<Signal<Out, Bits<32>>> = signals(t, 32),
        /// The slice takes the result.
        pub sfu_result_ready: Vec<Signal<In, Bit>> = vec![Signal::default(); s],
        /// A warp-control instruction is done.
        pub wctl_valid: Signal<Out, Bit>,
        /// Its warp.
        pub wctl_wid: Signal<Out, Bits<5>> = signal(wid_bits),
        /// Its lanes from now on; 0 ends the warp.
        pub wctl_tmask: Signal<Out, Bits<32>> = signal(t),
        /// It goes on at `wctl_pc`.
        pub wctl_jump: Signal<Out, Bit>,
        /// Where.
        pub wctl_pc: Signal<Out, Bits<32>>,
        /// Warps that WSPAWN starts.
        pub spawn_warps: Signal<Out, Bits<32>> = signal(w),
        /// Where they start.
        pub spawn_pc: Signal<Out, Bits<32>>,
        /// Warps that may go on.
        pub resume_warps: Signal<Out, Bits<32>> = signal(w),
        /// Warps that wait at a barrier.
        pub barrier_warps: Signal<Out, Bits<32>> = signal(w),
        /// Warps that arrive at a barrier in this cycle.
        pub barrier_arrive_warps: Signal<Out, Bits<32>> = signal(w),
        /// Warps that a barrier lets go in this cycle.
        pub barrier_release_warps: Signal<Out, Bits<32>> = signal(w),
        /// An instruction cannot be executed.
        pub fault_valid: Signal<Out, Bit>,
        /// Its warp.
        pub fault_wid: Signal<Out, Bits<5>> = signal(wid_bits),
        /// Its own address.
        pub fault_pc: Signal<Out, Bits<32>>,
        /// 1 illegal, 5 divergence stack full, 6 barrier count, 7 CSR, 8 JOIN without SPLIT.
        pub fault_cause: Signal<Out, Bits<4>>,
        /// The instruction, count or CSR number that is wrong.
        pub fault_addr: Signal<Out, Bits<32>>,
        /// Something is in flight.
        pub sfu_busy: Signal<Out, Bit>,
        arbiter: RoundRobinArbiter = RoundRobinArbiter::new(s),
        csrs: CsrFile = CsrFile::new(cfg),
        control: WarpControl = WarpControl::new(cfg),
        barriers: BarrierUnit = BarrierUnit::new(cfg),
        result_held: Reg<Bit>,
        result_wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        result_rd: Pipe<Bits<6>>,
        result_tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        result_value: Pipe<Bits<32>>,
        result_per_lane: Pipe<Bit>,
        control_done: Reg<Bit>,
        resolved_wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        resolved_tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        resolved_jump: Pipe<Bit>,
        resolved_pc: Pipe<Bits<32>>,
        spawning: Reg<Bits<32>> = Reg::<Bits<32>>::width(w),
        resuming: Reg<Bits<32>> = Reg::<Bits<32>>::width(w),
        spawn_held: Reg<Bit>,
        spawn_caller: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        spawn_tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        spawn_mask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(w),
        spawn_target: Pipe<Bits<32>>,
        fault_held: Reg<Bit>,
        faulty_wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        faulty_pc: Pipe<Bits<32>>,
        faulty_cause: Pipe<Bits<4>>,
        faulty_value: Pipe<Bits<32>>,
        waiting: Signal<Local, Bits<32>> = signal(s),
        take: Signal<Local, Bit>,
        wid: Signal<Local, Bits<5>> = signal(wid_bits),
        warp_oh: Signal<Local, Bits<32>> = signal(w),
        tmask: Signal<Local, Bits<32>> = signal(t),
        pc: Signal<Local, Bits<32>>,
        instr: Signal<Local, Bits<32>>,
        rd: Signal<Local, Bits<6>>,
        use_rd: Signal<Local, Bit>,
        funct3: Signal<Local, Bits<3>>,
        is_csr: Signal<Local, Bit>,
        csr_imm: Signal<Local, Bit>,
        is_wctl: Signal<Local, Bit>,
        is_barrier: Signal<Local, Bit>,
        legal: Signal<Local, Bit>,
        is_spawn: Signal<Local, Bit>,
        rs1: Signal<Local, Bits<32>>,
        flags: Signal<Local, Bits<32>> = signal(t),
        rs1_last: Signal<Local, Bits<32>>,
        rs2_last: Signal<Local, Bits<32>>,
        negate: Signal<Local, Bit>,
        condition: Signal<Local, Bits<32>> = signal(t),
        spawn_count: Signal<Local, Bits<6>>,
        spawn_below: Signal<Local, Bits<32>> = signal(w),
        spawn_go: Signal<Local, Bit>,
        caller_oh: Signal<Local, Bits<32>> = signal(w),
        cause: Signal<Local, Bits<4>>,
        cause_value: Signal<Local, Bits<32>>,
        refused: Signal<Local, Bit>,
        does_csr: Signal<Local, Bit>,
        does_wctl: Signal<Local, Bit>,
        holds_spawn: Signal<Local, Bit>,
        resume: Signal<Local, Bits<32>> = signal(w),
        result_slice: Signal<Local, Bits<5>> = signal(wid_bits),
        slice_mask: Const<Bits<5>> = constant(wid_bits, s as u64 - 1),
        spawn_count_mask: Const<Bits<6>> = constant(6, spawn_count_mask & 0x3F),
        _t: usize = t,
        _warps: usize = w,
        _slices: usize = s,
        _fpu: usize = fpu,
        _float_warps: usize = fpu * w,
        _float_slices: usize = fpu * s,
    }
}
