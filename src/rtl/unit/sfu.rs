//! CSR accesses, warp control, barriers; and where illegal instructions end.
use super::barrier::BarrierUnit;
use super::csr::CsrFile;
use super::warp_control::WarpControl;
use crate::comment;
use crate::config::CoreConfig;
use crate::rtl::cell::{constant, signal, signals, Const, Pipe, Reg, RoundRobinArbiter};
use rust_hdl::prelude::*;

/// Executes the special instructions of all slices, one a cycle, straight from the slices' collectors.
///
/// Ports, from the issue slices (element s is slice s): `sfu_*` -> `sfu_ready` (taken in this cycle), `sfu_result_ready`;
/// `issue_fire`, `issue_tmask` (counted). From the warp table: `active_warps`; from the top: `start_arg`, `busy`.
/// To commit: `sfu_result_valid` (of the slice that owns the warp), `sfu_result_wid`, `_rd`, `_tmask`, `_data`. To the
/// warp table: `wctl_valid`, `wctl_wid`, `wctl_tmask`, `wctl_jump`, `wctl_pc`; `spawn_warps`, `spawn_pc`. To the slices:
/// `resume_warps`, `barrier_warps`. Events: `barrier_arrive_warps`, `barrier_release_warps`. `fault_*`, `sfu_busy`.
/// Latency: taken in c, everything but the barrier signals comes from registers in c+1; `barrier_warps` in c+1, the
/// barrier events in c. WSPAWN comes in the cycle after the caller became the only active warp.
/// Reset: nothing held. Invariants: `wctl_valid` comes with `resume_warps` of that warp; a faulting instruction does
/// nothing else; WSPAWN waits outside the collectors, so that other warps can end.
/// Critical path: last active lane, its operand (T:1), warp control. Source: VORTEX_ABI 3.1, 3.2. Mirror in the
/// model: csr, control.
#[derive(LogicBlock)]
pub struct SpecialUnit {
    /// Rising edge advances the state.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// A slice has an instruction.
    pub sfu_valid: Vec<Signal<In, Bit>>,
    /// Its warp.
    pub sfu_wid: Vec<Signal<In, Bits<5>>>,
    /// Its lanes.
    pub sfu_tmask: Vec<Signal<In, Bits<32>>>,
    /// Its address.
    pub sfu_pc: Vec<Signal<In, Bits<32>>>,
    /// The instruction.
    pub sfu_instr: Vec<Signal<In, Bits<32>>>,
    /// Destination register.
    pub sfu_rd: Vec<Signal<In, Bits<6>>>,
    /// It writes a register.
    pub sfu_use_rd: Vec<Signal<In, Bit>>,
    /// Minor opcode.
    pub sfu_funct3: Vec<Signal<In, Bits<3>>>,
    /// It is a CSR access.
    pub sfu_csr: Vec<Signal<In, Bit>>,
    /// Its operand is the immediate.
    pub sfu_csr_imm: Vec<Signal<In, Bit>>,
    /// It is TMC, WSPAWN, SPLIT, JOIN or PRED.
    pub sfu_wctl: Vec<Signal<In, Bit>>,
    /// It is BAR.
    pub sfu_barrier: Vec<Signal<In, Bit>>,
    /// It is a legal instruction.
    pub sfu_legal: Vec<Signal<In, Bit>>,
    /// First operand, each slice and lane.
    pub sfu_rs1: Vec<Vec<Signal<In, Bits<32>>>>,
    /// Second operand, each slice and lane.
    pub sfu_rs2: Vec<Vec<Signal<In, Bits<32>>>>,
    /// The slice's instruction is taken.
    pub sfu_ready: Vec<Signal<Out, Bit>>,
    /// Slices that issue.
    pub issue_fire: Vec<Signal<In, Bit>>,
    /// Lanes of the instruction that each slice issues.
    pub issue_tmask: Vec<Signal<In, Bits<32>>>,
    /// Warps that are active.
    pub active_warps: Signal<In, Bits<32>>,
    /// Reset value of mscratch.
    pub start_arg: Signal<In, Bits<32>>,
    /// The core runs.
    pub busy: Signal<In, Bit>,
    /// A result for the slice.
    pub sfu_result_valid: Vec<Signal<Out, Bit>>,
    /// Its warp.
    pub sfu_result_wid: Signal<Out, Bits<5>>,
    /// Destination register.
    pub sfu_result_rd: Signal<Out, Bits<6>>,
    /// Lanes to write.
    pub sfu_result_tmask: Signal<Out, Bits<32>>,
    /// Value of each lane.
    pub sfu_result_data: Vec<Signal<Out, Bits<32>>>,
    /// The slice takes the result.
    pub sfu_result_ready: Vec<Signal<In, Bit>>,
    /// A warp-control instruction is done.
    pub wctl_valid: Signal<Out, Bit>,
    /// Its warp.
    pub wctl_wid: Signal<Out, Bits<5>>,
    /// Its lanes from now on; 0 ends the warp.
    pub wctl_tmask: Signal<Out, Bits<32>>,
    /// It goes on at `wctl_pc`.
    pub wctl_jump: Signal<Out, Bit>,
    /// Where.
    pub wctl_pc: Signal<Out, Bits<32>>,
    /// Warps that WSPAWN starts.
    pub spawn_warps: Signal<Out, Bits<32>>,
    /// Where they start.
    pub spawn_pc: Signal<Out, Bits<32>>,
    /// Warps that may go on.
    pub resume_warps: Signal<Out, Bits<32>>,
    /// Warps that wait at a barrier.
    pub barrier_warps: Signal<Out, Bits<32>>,
    /// Warps that arrive at a barrier in this cycle.
    pub barrier_arrive_warps: Signal<Out, Bits<32>>,
    /// Warps that a barrier lets go in this cycle.
    pub barrier_release_warps: Signal<Out, Bits<32>>,
    /// An instruction cannot be executed.
    pub fault_valid: Signal<Out, Bit>,
    /// Its warp.
    pub fault_wid: Signal<Out, Bits<5>>,
    /// Its own address.
    pub fault_pc: Signal<Out, Bits<32>>,
    /// 1 illegal, 5 divergence stack full, 6 barrier count, 7 CSR, 8 JOIN without SPLIT.
    pub fault_cause: Signal<Out, Bits<4>>,
    /// The instruction, count or CSR number that is wrong.
    pub fault_addr: Signal<Out, Bits<32>>,
    /// Something is in flight.
    pub sfu_busy: Signal<Out, Bit>,
    arbiter: RoundRobinArbiter,
    csrs: CsrFile,
    control: WarpControl,
    barriers: BarrierUnit,
    result_held: Reg<Bit>,
    result_wid: Pipe<Bits<5>>,
    result_rd: Pipe<Bits<6>>,
    result_tmask: Pipe<Bits<32>>,
    result_value: Pipe<Bits<32>>,
    result_per_lane: Pipe<Bit>,
    control_done: Reg<Bit>,
    resolved_wid: Pipe<Bits<5>>,
    resolved_tmask: Pipe<Bits<32>>,
    resolved_jump: Pipe<Bit>,
    resolved_pc: Pipe<Bits<32>>,
    spawning: Reg<Bits<32>>,
    resuming: Reg<Bits<32>>,
    spawn_held: Reg<Bit>,
    spawn_caller: Pipe<Bits<5>>,
    spawn_tmask: Pipe<Bits<32>>,
    spawn_mask: Pipe<Bits<32>>,
    spawn_target: Pipe<Bits<32>>,
    fault_held: Reg<Bit>,
    faulty_wid: Pipe<Bits<5>>,
    faulty_pc: Pipe<Bits<32>>,
    faulty_cause: Pipe<Bits<4>>,
    faulty_value: Pipe<Bits<32>>,
    waiting: Signal<Local, Bits<32>>,
    take: Signal<Local, Bit>,
    wid: Signal<Local, Bits<5>>,
    warp_oh: Signal<Local, Bits<32>>,
    tmask: Signal<Local, Bits<32>>,
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
    rs1: Vec<Signal<Local, Bits<32>>>,
    rs2: Vec<Signal<Local, Bits<32>>>,
    last_lane: Signal<Local, Bits<5>>,
    rs1_last: Signal<Local, Bits<32>>,
    rs2_last: Signal<Local, Bits<32>>,
    negate: Signal<Local, Bit>,
    condition: Signal<Local, Bits<32>>,
    spawn_count: Signal<Local, Bits<6>>,
    spawn_below: Signal<Local, Bits<32>>,
    spawn_go: Signal<Local, Bit>,
    caller_oh: Signal<Local, Bits<32>>,
    cause: Signal<Local, Bits<4>>,
    cause_value: Signal<Local, Bits<32>>,
    performs: Signal<Local, Bit>,
    resume: Signal<Local, Bits<32>>,
    result_slice: Signal<Local, Bits<5>>,
    slice_mask: Const<Bits<5>>,
    spawn_count_mask: Const<Bits<6>>,
    _t: usize,
    _warps: usize,
    _slices: usize,
}

impl SpecialUnit {
    /// The unit of a core with configuration `cfg`.
    pub fn new(cfg: &CoreConfig) -> Self {
        let (s, t, w, wid_bits) = (cfg.slices, cfg.threads, cfg.warps, cfg.wid_bits());
        // One bit more than a warp identifier needs, so that the number of warps itself can be given.
        let spawn_count_mask = 2 * w.next_power_of_two() as u64 - 1;
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            sfu_valid: vec![Signal::default(); s],
            sfu_wid: signals(s, wid_bits),
            sfu_tmask: signals(s, t),
            sfu_pc: signals(s, 32),
            sfu_instr: signals(s, 32),
            sfu_rd: signals(s, 6),
            sfu_use_rd: vec![Signal::default(); s],
            sfu_funct3: signals(s, 3),
            sfu_csr: vec![Signal::default(); s],
            sfu_csr_imm: vec![Signal::default(); s],
            sfu_wctl: vec![Signal::default(); s],
            sfu_barrier: vec![Signal::default(); s],
            sfu_legal: vec![Signal::default(); s],
            sfu_rs1: (0..s).map(|_| signals(t, 32)).collect(),
            sfu_rs2: (0..s).map(|_| signals(t, 32)).collect(),
            sfu_ready: vec![Signal::default(); s],
            issue_fire: vec![Signal::default(); s],
            issue_tmask: signals(s, t),
            active_warps: signal(w),
            start_arg: Signal::default(),
            busy: Signal::default(),
            sfu_result_valid: vec![Signal::default(); s],
            sfu_result_wid: signal(wid_bits),
            sfu_result_rd: Signal::default(),
            sfu_result_tmask: signal(t),
            sfu_result_data: signals(t, 32),
            sfu_result_ready: vec![Signal::default(); s],
            wctl_valid: Signal::default(),
            wctl_wid: signal(wid_bits),
            wctl_tmask: signal(t),
            wctl_jump: Signal::default(),
            wctl_pc: Signal::default(),
            spawn_warps: signal(w),
            spawn_pc: Signal::default(),
            resume_warps: signal(w),
            barrier_warps: signal(w),
            barrier_arrive_warps: signal(w),
            barrier_release_warps: signal(w),
            fault_valid: Signal::default(),
            fault_wid: signal(wid_bits),
            fault_pc: Signal::default(),
            fault_cause: Signal::default(),
            fault_addr: Signal::default(),
            sfu_busy: Signal::default(),
            arbiter: RoundRobinArbiter::new(s),
            csrs: CsrFile::new(cfg),
            control: WarpControl::new(cfg),
            barriers: BarrierUnit::new(cfg),
            result_held: Reg::new(),
            result_wid: Pipe::<Bits<5>>::width(wid_bits),
            result_rd: Pipe::new(),
            result_tmask: Pipe::<Bits<32>>::width(t),
            result_value: Pipe::new(),
            result_per_lane: Pipe::new(),
            control_done: Reg::new(),
            resolved_wid: Pipe::<Bits<5>>::width(wid_bits),
            resolved_tmask: Pipe::<Bits<32>>::width(t),
            resolved_jump: Pipe::new(),
            resolved_pc: Pipe::new(),
            spawning: Reg::<Bits<32>>::width(w),
            resuming: Reg::<Bits<32>>::width(w),
            spawn_held: Reg::new(),
            spawn_caller: Pipe::<Bits<5>>::width(wid_bits),
            spawn_tmask: Pipe::<Bits<32>>::width(t),
            spawn_mask: Pipe::<Bits<32>>::width(w),
            spawn_target: Pipe::new(),
            fault_held: Reg::new(),
            faulty_wid: Pipe::<Bits<5>>::width(wid_bits),
            faulty_pc: Pipe::new(),
            faulty_cause: Pipe::new(),
            faulty_value: Pipe::new(),
            waiting: signal(s),
            take: Signal::default(),
            wid: signal(wid_bits),
            warp_oh: signal(w),
            tmask: signal(t),
            pc: Signal::default(),
            instr: Signal::default(),
            rd: Signal::default(),
            use_rd: Signal::default(),
            funct3: Signal::default(),
            is_csr: Signal::default(),
            csr_imm: Signal::default(),
            is_wctl: Signal::default(),
            is_barrier: Signal::default(),
            legal: Signal::default(),
            is_spawn: Signal::default(),
            rs1: signals(t, 32),
            rs2: signals(t, 32),
            last_lane: signal(cfg.tid_bits()),
            rs1_last: Signal::default(),
            rs2_last: Signal::default(),
            negate: Signal::default(),
            condition: signal(t),
            spawn_count: Signal::default(),
            spawn_below: signal(w),
            spawn_go: Signal::default(),
            caller_oh: signal(w),
            cause: Signal::default(),
            cause_value: Signal::default(),
            performs: Signal::default(),
            resume: signal(w),
            result_slice: signal(wid_bits),
            slice_mask: constant(wid_bits, s as u64 - 1),
            spawn_count_mask: constant(6, spawn_count_mask & 0x3F),
            _t: t,
            _warps: w,
            _slices: s,
        }
    }
}

impl Logic for SpecialUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SpecialUnit");
        dff_setup!(
            self,
            clock,
            result_held,
            result_wid,
            result_rd,
            result_tmask,
            result_value,
            result_per_lane,
            control_done,
            resolved_wid,
            resolved_tmask,
            resolved_jump,
            resolved_pc,
            spawning,
            resuming,
            spawn_held,
            spawn_caller,
            spawn_tmask,
            spawn_mask,
            spawn_target,
            fault_held,
            faulty_wid,
            faulty_pc,
            faulty_cause,
            faulty_value
        );
        clock!(self, clock, arbiter, csrs, control, barriers);
        self.arbiter.reset.next = self.reset.val();
        self.csrs.reset.next = self.reset.val();
        self.control.reset.next = self.reset.val();
        self.barriers.reset.next = self.reset.val();
        // 1. choose a slice; the result register must be free
        self.waiting.next = 0.into();
        for s in 0..self._slices {
            self.waiting.next = self.waiting.val().replace_bit(s, self.sfu_valid[s].val());
        }
        self.arbiter.requests.next = self.waiting.val();
        self.take.next = self.waiting.val().any() & !self.result_held.q.val();
        self.arbiter.advance.next = self.take.val();
        self.wid.next = self.sfu_wid[0].val();
        self.tmask.next = self.sfu_tmask[0].val();
        self.pc.next = self.sfu_pc[0].val();
        self.instr.next = self.sfu_instr[0].val();
        self.rd.next = self.sfu_rd[0].val();
        self.use_rd.next = self.sfu_use_rd[0].val();
        self.funct3.next = self.sfu_funct3[0].val();
        self.is_csr.next = self.sfu_csr[0].val();
        self.csr_imm.next = self.sfu_csr_imm[0].val();
        self.is_wctl.next = self.sfu_wctl[0].val();
        self.is_barrier.next = self.sfu_barrier[0].val();
        self.legal.next = self.sfu_legal[0].val();
        for i in 0..self._t {
            self.rs1[i].next = self.sfu_rs1[0][i].val();
            self.rs2[i].next = self.sfu_rs2[0][i].val();
        }
        for s in 1..self._slices {
            if self.arbiter.grant_oh.val().get_bit(s) {
                self.wid.next = self.sfu_wid[s].val();
                self.tmask.next = self.sfu_tmask[s].val();
                self.pc.next = self.sfu_pc[s].val();
                self.instr.next = self.sfu_instr[s].val();
                self.rd.next = self.sfu_rd[s].val();
                self.use_rd.next = self.sfu_use_rd[s].val();
                self.funct3.next = self.sfu_funct3[s].val();
                self.is_csr.next = self.sfu_csr[s].val();
                self.csr_imm.next = self.sfu_csr_imm[s].val();
                self.is_wctl.next = self.sfu_wctl[s].val();
                self.is_barrier.next = self.sfu_barrier[s].val();
                self.legal.next = self.sfu_legal[s].val();
                for i in 0..self._t {
                    self.rs1[i].next = self.sfu_rs1[s][i].val();
                    self.rs2[i].next = self.sfu_rs2[s][i].val();
                }
            }
        }
        for s in 0..self._slices {
            self.sfu_ready[s].next = self.arbiter.grant_oh.val().get_bit(s) & !self.result_held.q.val();
        }
        // 2. operands: those of the last active lane, and the condition of each
        self.last_lane.next = 0.into();
        for i in 0..self._t {
            if self.tmask.val().get_bit(i) {
                self.last_lane.next = i.to_bits::<5>();
            }
        }
        self.rs1_last.next = self.rs1[self.last_lane.val().index()].val();
        self.rs2_last.next = self.rs2[self.last_lane.val().index()].val();
        self.negate.next = self.instr.val().get_bit(7);
        if self.funct3.val() == 2 {
            self.negate.next = self.instr.val().get_bit(20);
        }
        self.condition.next = 0.into();
        for i in 0..self._t {
            self.condition.next =
                self.condition.val().replace_bit(i, self.rs1[i].val().get_bit(0) ^ self.negate.val());
        }
        self.warp_oh.next = 0.into();
        for w in 0..self._warps {
            self.warp_oh.next = self.warp_oh.val().replace_bit(w, self.wid.val() == w.to_bits::<5>());
        }
        // 3. CSR
        self.csrs.access.next = self.take.val() & self.legal.val() & self.is_csr.val();
        self.csrs.number.next = self.instr.val().get_bits::<12>(20);
        self.csrs.funct3.next = self.funct3.val();
        self.csrs.operand.next = self.rs1[0].val();
        if self.csr_imm.val() {
            self.csrs.operand.next = bit_cast::<32, 5>(self.instr.val().get_bits::<5>(15));
        }
        self.csrs.wid.next = self.wid.val();
        self.csrs.tmask.next = self.tmask.val();
        self.csrs.active_warps.next = self.active_warps.val();
        self.csrs.start_arg.next = self.start_arg.val();
        self.csrs.busy.next = self.busy.val();
        for s in 0..self._slices {
            self.csrs.issue_fire[s].next = self.issue_fire[s].val();
            self.csrs.issue_tmask[s].next = self.issue_tmask[s].val();
        }
        // 4. warp control
        self.is_spawn.next = self.is_wctl.val() & (self.funct3.val() == 1);
        self.control.go.next = self.take.val() & self.legal.val() & self.is_wctl.val();
        self.control.funct3.next = self.funct3.val();
        self.control.wid.next = self.wid.val();
        self.control.tmask.next = self.tmask.val();
        self.control.pc.next = self.pc.val();
        self.control.condition.next = self.condition.val();
        self.control.rs1_last.next = self.rs1_last.val();
        self.control.rs2_last.next = self.rs2_last.val();
        // 5. barrier
        self.barriers.arrive.next = self.take.val() & self.legal.val() & self.is_barrier.val();
        self.barriers.arrive_warp_oh.next = self.warp_oh.val();
        self.barriers.barrier_id.next = self.rs1_last.val();
        self.barriers.barrier_count.next = self.rs2_last.val();
        self.barrier_warps.next = self.barriers.waiting_warps.val();
        self.barrier_release_warps.next = self.barriers.release_warps.val();
        self.barrier_arrive_warps.next = 0.into();
        if self.take.val() & self.legal.val() & self.is_barrier.val() & !self.barriers.too_many.val() {
            self.barrier_arrive_warps.next = self.warp_oh.val();
        }
        // 6. faults
        self.cause.next = 0.into();
        self.cause_value.next = 0.into();
        if !self.legal.val() {
            self.cause.next = 1.into();
            self.cause_value.next = self.instr.val();
        } else if self.is_csr.val() {
            if self.csrs.illegal.val() {
                self.cause.next = 7.into();
                self.cause_value.next = bit_cast::<32, 12>(self.instr.val().get_bits::<12>(20));
            }
        } else if self.is_barrier.val() {
            if self.barriers.too_many.val() {
                self.cause.next = 6.into();
                self.cause_value.next = self.rs2_last.val();
            }
        } else if self.is_wctl.val() {
            if self.control.overflow.val() {
                self.cause.next = 5.into();
            }
            if self.control.join_empty.val() {
                self.cause.next = 8.into();
            }
        }
        self.fault_held.d.next = self.take.val() & (self.cause.val() != 0);
        self.faulty_wid.d.next = self.wid.val();
        self.faulty_pc.d.next = self.pc.val();
        self.faulty_cause.d.next = self.cause.val();
        self.faulty_value.d.next = self.cause_value.val();
        self.fault_valid.next = self.fault_held.q.val();
        self.fault_wid.next = self.faulty_wid.q.val();
        self.fault_pc.next = self.faulty_pc.q.val();
        self.fault_cause.next = self.faulty_cause.q.val();
        self.fault_addr.next = self.faulty_value.q.val();
        self.performs.next = self.take.val() & (self.cause.val() == 0);
        // 7. WSPAWN waits until its caller is alone
        self.spawn_count.next = self.rs1_last.val().get_bits::<6>(0) & self.spawn_count_mask.val();
        self.spawn_below.next = 0.into();
        self.caller_oh.next = 0.into();
        for w in 0..self._warps {
            self.spawn_below.next =
                self.spawn_below.val().replace_bit(w, self.spawn_count.val() > w.to_bits::<6>());
            self.caller_oh.next =
                self.caller_oh.val().replace_bit(w, self.spawn_caller.q.val() == w.to_bits::<5>());
        }
        self.spawn_go.next = self.spawn_held.q.val() & (self.active_warps.val() == self.caller_oh.val());
        if self.spawn_go.val() {
            self.spawn_held.d.next = false;
        }
        if self.performs.val() & self.is_spawn.val() {
            self.spawn_held.d.next = true;
            self.spawn_caller.d.next = self.wid.val();
            self.spawn_tmask.d.next = self.tmask.val();
            self.spawn_mask.d.next = self.spawn_below.val() & !self.warp_oh.val();
            self.spawn_target.d.next = self.rs2_last.val();
        }
        self.spawning.d.next = 0.into();
        if self.spawn_go.val() {
            self.spawning.d.next = self.spawn_mask.q.val();
        }
        self.spawn_warps.next = self.spawning.q.val();
        self.spawn_pc.next = self.spawn_target.q.val();
        // 8. the new mask, and who may go on
        self.control_done.d.next =
            self.spawn_go.val() | (self.performs.val() & self.is_wctl.val() & !self.is_spawn.val());
        self.resolved_wid.d.next = self.wid.val();
        self.resolved_tmask.d.next = self.control.next_tmask.val();
        self.resolved_jump.d.next = self.control.jump.val();
        self.resolved_pc.d.next = self.control.jump_pc.val();
        self.resume.next = self.barriers.release_warps.val();
        if self.performs.val() & self.is_wctl.val() & !self.is_spawn.val() {
            self.resume.next = self.resume.val() | self.warp_oh.val();
        }
        if self.spawn_go.val() {
            self.resolved_wid.d.next = self.spawn_caller.q.val();
            self.resolved_tmask.d.next = self.spawn_tmask.q.val();
            self.resolved_jump.d.next = false;
            self.resume.next = self.resume.val() | self.caller_oh.val();
        }
        self.resuming.d.next = self.resume.val();
        self.wctl_valid.next = self.control_done.q.val();
        self.wctl_wid.next = self.resolved_wid.q.val();
        self.wctl_tmask.next = self.resolved_tmask.q.val();
        self.wctl_jump.next = self.resolved_jump.q.val();
        self.wctl_pc.next = self.resolved_pc.q.val();
        self.resume_warps.next = self.resuming.q.val();
        // 9. the result
        self.result_slice.next = self.result_wid.q.val() & self.slice_mask.val();
        for s in 0..self._slices {
            self.sfu_result_valid[s].next =
                self.result_held.q.val() & (self.result_slice.val() == s.to_bits::<5>());
            if self.sfu_result_ready[s].val() & (self.result_slice.val() == s.to_bits::<5>()) {
                self.result_held.d.next = false;
            }
        }
        if self.performs.val() & self.use_rd.val() & (self.is_csr.val() | self.is_wctl.val()) {
            self.result_held.d.next = true;
            self.result_wid.d.next = self.wid.val();
            self.result_rd.d.next = self.rd.val();
            self.result_tmask.d.next = self.tmask.val();
            self.result_value.d.next = self.control.token.val();
            self.result_per_lane.d.next = false;
            if self.is_csr.val() {
                self.result_value.d.next = self.csrs.value.val();
                self.result_per_lane.d.next = self.csrs.per_lane.val();
            }
        }
        self.sfu_result_wid.next = self.result_wid.q.val();
        self.sfu_result_rd.next = self.result_rd.q.val();
        self.sfu_result_tmask.next = self.result_tmask.q.val();
        for i in 0..self._t {
            self.sfu_result_data[i].next = self.result_value.q.val();
            if self.result_per_lane.q.val() {
                self.sfu_result_data[i].next = self.result_value.q.val() | i.to_bits::<32>();
            }
        }
        self.sfu_busy.next = self.result_held.q.val()
            | self.control_done.q.val()
            | self.spawn_held.q.val()
            | self.fault_held.q.val()
            | self.resuming.q.val().any();
    }
}
