//! An issue slice: wiring of everything between the instruction queues and the register file's write port.
mod back;
mod kernel;

use super::super::sched::{self, oracle::Oracles, CoreView, SchedulerSocket};
use super::banked::BankedOperands;
use super::operands::Operands;
use super::scoreboard::Scoreboard;
use crate::registry::Stage;
use crate::rtl::bundles::named_registers;
use crate::rtl::prelude::*;
use back::IssueBack;

module! {
    /// One issue slice: scoreboard, warp scheduler, operand stage, collectors, integer units, commit.
    ///
    /// Ports: the fields below, grouped by where they come from and go to; masks of warps are W bits, of lanes T bits.
    /// Latency from issue in cycle i: operand stage i+1, collector and unit i+2 (a branch that is not taken resolves there, any
    /// other in i+3), ALU result in commit i+3, so that a dependent instruction issues in i+4; a multiplication commits in i+4, a division
    /// in i+3 and as many as it has steps, a floating-point sum or product in i+6.
    /// Reset: nothing in flight. Invariants: one instruction issues a cycle, of a warp in `own_warps` or, where warps are shared, of a visitor; a class whose collector may be occupied does not issue, so only the integer units, by a
    /// result that finds the write port taken, can hold the operand stage. Critical path: scoreboard, scheduler,
    /// register number of the granted head, register file address. Source: SWaS V-B (stages). Mirror in the model:
    /// `model::timing`.
    pub struct IssueSlice(cfg: &CoreConfig) [clock, reset]
    let (warps, threads) = (cfg.warps, cfg.threads);
    let fpu = usize::from(cfg.fpu);
    let unified = cfg.unified().is_some();
    {
        _warps: usize = warps,
        _threads: usize = threads,
        _fpu: usize = fpu,
        _float_warps: usize = fpu * warps,
        _float_threads: usize = fpu * threads,
        /// The warps that the slice owns.
        pub own_warps: Signal<In, WarpMask> = signal(warps),
        // From the instruction queues.
        /// The heads.
        pub heads: QueueHeads<In> = QueueHeads::new(cfg),
        /// The queue is emptied (SWaS: filled with NOPs).
        pub flush_warps: Signal<In, WarpMask> = signal(warps),
        /// The instruction at the head of the granted queue.
        pub head_instr: Signal<In, Bits<32>>,
        /// Its address.
        pub head_pc: Signal<In, Bits<32>>,
        // From the warp table.
        /// What all schedulers see alike.
        pub core: CoreView<In> = CoreView::new(cfg),
        /// Active lanes of each warp.
        pub tmask: Vec<Signal<In, Bits<32>>> = signals(warps, threads),
        // From the special unit.
        /// With a floating-point unit: the dynamic rounding mode of each warp.
        pub frm: Vec<Signal<In, Bits<3>>> = signals(fpu * warps, 3),
        /// Event: warp control, barrier or fence done; of the special and the load-store unit.
        pub resume_warps: Signal<In, WarpMask> = signal(warps),
        /// Takes the entry of the sfu collector this cycle.
        pub sfu_ready: Signal<In, Bit>,
        /// A result for this slice.
        pub sfu_result: OfferedResult<In> = OfferedResult::new(cfg),
        // From the load-store unit.
        /// A result for this slice.
        pub lsu_result: OfferedResult<In> = OfferedResult::new(cfg),
        /// It completes the load.
        pub lsu_result_last: Signal<In, Bit>,
        // From that through which warps are shared, and to it.
        /// Who visits, and where own warps are.
        pub orders: Opt<SliceOrders<In>> = Opt::new(cfg.shares_warps(), SliceOrders::new(cfg)),
        /// A result that another slice has for a warp of this one.
        pub home: Opt<FloatResult<In>> = Opt::new(cfg.shares_warps(), FloatResult::new(cfg)),
        /// A result for a warp of another slice.
        pub away: Opt<FloatResult<Out>> = Opt::new(cfg.shares_warps(), FloatResult::new(cfg)),
        /// What can be shared, and where there is room.
        pub state: Opt<SliceState<Out>> = Opt::new(cfg.shares_warps(), SliceState::new(cfg)),
        // To the front end.
        /// W bits: the warp whose head is granted issue through this slice.
        pub issue_oh: Signal<Out, WarpMask> = signal(warps),
        /// W bits: the warp whose head leaves its queue, if one does.
        pub issue_fire_warps: Signal<Out, WarpMask> = signal(warps),
        /// The granted head, an instruction that issues if it leaves its queue and is no NOP (which only SWaS has).
        pub issue: Issue<Out> = Issue::new(cfg),
        /// A branch or jump was resolved in the cycle before.
        pub branch: Branch<Out> = Branch::new(cfg),
        // To the load-store unit.
        /// The instruction that waits in the mem collector.
        pub mem: MemInstruction<Out> = MemInstruction::new(cfg),
        // To the special unit.
        /// The instruction for the special unit that waits in the sfu collector.
        pub sfu: SfuInstruction<Out> = SfuInstruction::new(cfg),
        /// First register of lane 0.
        pub sfu_rs1: Signal<Out, Bits<32>>,
        /// Bit 0 of each lane's first register.
        pub sfu_flags: Signal<Out, Bits<32>> = signal(threads),
        // To the trace and the counters.
        /// What is written to the register file.
        pub commit: RegisterWrite<Out> = RegisterWrite::new(cfg),
        /// What the scheduler sees of the slice, and chooses; `fire`: the granted head leaves its queue.
        pub sched: TraceSched<Out> = TraceSched::new(cfg),
        /// The operand stage holds: whatever is chosen, nothing issues.
        pub operand_stall: Signal<Out, Bit>,
        /// With operand collectors: what they do.
        pub collect: Opt<CollectView<Out>> = Opt::new(cfg.collects(), CollectView::new(cfg)),
        /// Why the others do not issue.
        pub stall_on: Stalls<Out> = Stalls::new(cfg),
        /// With oracles: what they say.
        pub oracle: Opt<OracleView<Out>> = Opt::new(cfg.oracle, OracleView::new()),
        /// Anything is in the slice: between issue and commit, or a unit of the core.
        pub busy: Signal<Out, Bit>,
        scoreboard: Scoreboard = Scoreboard::new(cfg),
        scheduler: SchedulerSocket = sched::build(cfg, Stage::Issue),
        oracles: Opt<Oracles> = Opt::new(cfg.oracle, Oracles::new(cfg)),
        banked: Opt<BankedOperands> = Opt::new(cfg.collects(), BankedOperands::new(cfg)),
        operands: Operands = Operands::new(cfg),
        back: IssueBack = IssueBack::new(cfg),
        granted: Registers<Local> = Registers::new(cfg),
        used_warps: Vec<Signal<Local, WarpMask>> = signals(named_registers(cfg), warps),
        special_warps: Signal<Local, WarpMask> = signal(warps),
        unified: Const<Bit> = Const::new(unified),
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
        shares: Const<Bit> = Const::new(cfg.shares_warps()),
        collects: Const<Bit> = Const::new(cfg.collects()),
        _collected_threads: usize = if cfg.collects() { threads } else { 0 },
        _collected_float_threads: usize = if cfg.collects() { fpu * threads } else { 0 },
        held: Opt<Reg<Bit>> = Opt::new(cfg.shares_warps(), Reg::new()),
        _named: usize = named_registers(cfg),
        has_oracles: Const<Bit> = Const::new(cfg.oracle),
    }
}
