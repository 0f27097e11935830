//! An issue slice: wiring of everything between the instruction queues and the register file's write port.
mod kernel;

use super::super::cell::{signal, signals, Const};
use super::super::sched::{self, oracle::Oracles, CoreView, SchedulerSocket, StageView};
use super::super::unit::alu::Alu;
use super::super::unit::divider::DivideUnit;
use super::super::unit::fpu::FloatUnit;
use super::super::unit::multiplier::MultiplyUnit;
use super::collector::{AccessOrder, MemCollector, SfuCollector, SpCollector};
use super::commit::Commit;
use super::operands::Operands;
use super::scoreboard::Scoreboard;
use crate::config::CoreConfig;
use crate::module;
use crate::registry::Stage;
use crate::rtl::bundles::{Branch, MemInstruction, SfuInstruction, UnitResult, Writeback};
use crate::rtl::module::Opt;
use rust_hdl::prelude::*;

module! {
    /// One issue slice: scoreboard, warp scheduler, operand stage, collectors, integer units, commit.
    ///
    /// Ports: the fields below, grouped by where they come from and go to; masks of warps are W bits, of lanes T bits.
    /// Latency from issue in cycle i: operand stage i+1, collector and unit i+2 (a branch that is not taken resolves there, any
    /// other in i+3), ALU result in commit i+3, so that a dependent instruction issues in i+4; a multiplication commits in i+4, a division in i+35, a
    /// floating-point sum or product in i+6.
    /// Reset: nothing in flight. Invariants: one instruction issues a cycle, from a warp `w` with `w mod slices` equal
    /// to the slice's number; a class whose collector may be occupied does not issue, so only the integer units, by a
    /// result that finds the write port taken, can hold the operand stage. Critical path: scoreboard, scheduler,
    /// register number of the granted head, register file address. Source: SWaS V-B (stages). Mirror in the model:
    /// `model::timing`.
    pub struct IssueSlice(cfg: &CoreConfig) [clock, reset]
    let (warps, threads, wid) = (cfg.warps, cfg.threads, cfg.wid_bits());
    let fpu = usize::from(cfg.fpu);
    let (unified, oracle) = (usize::from(cfg.unified().is_some()), usize::from(cfg.oracle));
    // With one slice, the queue for memory keeps all accesses in order.
    let ordered = cfg.slices > 1;
    {
        _warps: usize = warps,
        _threads: usize = threads,
        _fpu: usize = fpu,
        _float_warps: usize = fpu * warps,
        _float_threads: usize = fpu * threads,
        /// The warps that the slice owns.
        pub own_warps: Signal<In, Bits<32>> = signal(warps),
        // From the instruction queues.
        /// The queue has a head.
        pub ibuffer_valid_warps: Signal<In, Bits<32>> = signal(warps),
        /// Its destination, for each warp.
        pub head_rd: Vec<Signal<In, Bits<6>>> = signals(warps, 6),
        /// Its first register.
        pub head_rs1: Vec<Signal<In, Bits<6>>> = signals(warps, 6),
        /// Its second register.
        pub head_rs2: Vec<Signal<In, Bits<6>>> = signals(warps, 6),
        /// Destination of what is at the head in the next cycle, if the present head issues or one enters.
        pub next_rd: Vec<Signal<In, Bits<6>>> = signals(warps, 6),
        /// Its first register.
        pub next_rs1: Vec<Signal<In, Bits<6>>> = signals(warps, 6),
        /// Its second register.
        pub next_rs2: Vec<Signal<In, Bits<6>>> = signals(warps, 6),
        /// It has a destination.
        pub next_use_rd_warps: Signal<In, Bits<32>> = signal(warps),
        /// It reads its first register.
        pub next_use_rs1_warps: Signal<In, Bits<32>> = signal(warps),
        /// It reads its second register.
        pub next_use_rs2_warps: Signal<In, Bits<32>> = signal(warps),
        /// With a floating-point unit: its third register.
        pub next_rs3: Vec<Signal<In, Bits<6>>> = signals(fpu * warps, 6),
        /// With a floating-point unit: it reads its third register.
        pub next_use_rs3_warps: Vec<Signal<In, Bits<32>>> = signals(fpu, warps),
        /// A first instruction enters the empty queue.
        pub head_enters_warps: Signal<In, Bits<32>> = signal(warps),
        /// The queue is emptied (SWaS: filled with NOPs).
        pub flush_warps: Signal<In, Bits<32>> = signal(warps),
        /// The head has a destination.
        pub head_use_rd_warps: Signal<In, Bits<32>> = signal(warps),
        /// It reads its first register.
        pub head_use_rs1_warps: Signal<In, Bits<32>> = signal(warps),
        /// It reads its second register.
        pub head_use_rs2_warps: Signal<In, Bits<32>> = signal(warps),
        /// It goes to the mem collector.
        pub head_mem_warps: Signal<In, Bits<32>> = signal(warps),
        /// It goes to the sfu collector.
        pub head_sfu_warps: Signal<In, Bits<32>> = signal(warps),
        /// Nothing younger issues until it is resolved.
        pub head_blocks_warps: Signal<In, Bits<32>> = signal(warps),
        /// It is a load or a store.
        pub head_memory_warps: Signal<In, Bits<32>> = signal(warps),
        /// With a floating-point unit: third register of the head, for each warp.
        pub head_rs3: Vec<Signal<In, Bits<6>>> = signals(fpu * warps, 6),
        /// With a floating-point unit: it reads its third register.
        pub head_use_rs3_warps: Vec<Signal<In, Bits<32>>> = signals(fpu, warps),
        /// With a floating-point unit: it waits until its warp has nothing in flight.
        pub head_drains_warps: Vec<Signal<In, Bits<32>>> = signals(fpu, warps),
        /// With a floating-point unit: its rounding mode is its warp's `frm`.
        pub head_dynamic_rounding_warps: Vec<Signal<In, Bits<32>>> = signals(fpu, warps),
        /// It is a NOP, which issues without any unit (SWaS only).
        pub head_nop_warps: Vec<Signal<In, Bits<32>>> = signals(unified, warps),
        /// The instruction at the head of the queue of `issue_wid`.
        pub issue_instr: Signal<In, Bits<32>>,
        /// Its address.
        pub issue_pc: Signal<In, Bits<32>>,
        // From the warp table.
        /// What all schedulers see alike.
        pub core: CoreView<In> = CoreView::new(cfg),
        /// Active lanes of each warp.
        pub tmask: Vec<Signal<In, Bits<32>>> = signals(warps, threads),
        // From the special unit.
        /// With a floating-point unit: the dynamic rounding mode of each warp.
        pub frm: Vec<Signal<In, Bits<3>>> = signals(fpu * warps, 3),
        /// Event: warp control, barrier or fence done; of the special and the load-store unit.
        pub resume_warps: Signal<In, Bits<32>> = signal(warps),
        /// Takes the entry of the sfu collector this cycle.
        pub sfu_ready: Signal<In, Bit>,
        /// A result for this slice waits.
        pub sfu_result_valid: Signal<In, Bit>,
        /// The result.
        pub sfu_result: UnitResult<In> = UnitResult::new(cfg),
        // From the load-store unit.
        /// A result for this slice waits.
        pub lsu_result_valid: Signal<In, Bit>,
        /// The result.
        pub lsu_result: UnitResult<In> = UnitResult::new(cfg),
        /// It completes the load.
        pub lsu_result_last: Signal<In, Bit>,
        // To the front end.
        /// It is an instruction, which it always is but under SWaS.
        pub issue_fire: Signal<Out, Bit>,
        /// The granted warp; also reads the payload of its queue.
        pub issue_wid: Signal<Out, Bits<5>> = signal(wid),
        /// The same, one hot; none if no head leaves its queue.
        pub issue_fire_warps: Signal<Out, Bits<32>> = signal(warps),
        /// Its active lanes.
        pub issue_tmask: Signal<Out, Bits<32>> = signal(threads),
        /// A branch or jump was resolved in the cycle before.
        pub branch: Branch<Out> = Branch::new(cfg),
        // To the load-store unit.
        /// The instruction that waits in the mem collector.
        pub mem: MemInstruction<Out> = MemInstruction::new(cfg),
        /// Commit takes the load-store unit's result.
        pub lsu_result_ready: Signal<Out, Bit>,
        // To the special unit.
        /// The instruction for the special unit that waits in the sfu collector.
        pub sfu: SfuInstruction<Out> = SfuInstruction::new(cfg),
        /// First register of lane 0.
        pub sfu_rs1: Signal<Out, Bits<32>>,
        /// Bit 0 of each lane's first register.
        pub sfu_flags: Signal<Out, Bits<32>> = signal(threads),
        /// Commit takes the special unit's result.
        pub sfu_result_ready: Signal<Out, Bit>,
        // To the trace and the counters.
        /// What is written to the register file.
        pub commit: Writeback<Out> = Writeback::new(cfg),
        /// Data of each lane.
        pub commit_data: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// What the scheduler sees of the slice; `fire`: the granted head leaves its queue.
        pub sched: StageView<Out> = StageView::new(cfg),
        /// The operand stage holds: whatever is chosen, nothing issues.
        pub operand_stall: Signal<Out, Bit>,
        /// What the scheduler chose, fired or not.
        pub grant_oh: Signal<Out, Bits<32>> = signal(warps),
        /// The queue is empty.
        pub stall_on_ibuffer: Signal<Out, Bits<32>> = signal(warps),
        /// A branch, warp control, fence or barrier is unresolved.
        pub stall_on_control: Signal<Out, Bits<32>> = signal(warps),
        /// A register of the head waits for its value.
        pub stall_on_scoreboard: Signal<Out, Bits<32>> = signal(warps),
        /// The collector of the head's class is not free.
        pub stall_on_unit: Signal<Out, Bits<32>> = signal(warps),
        /// `osched1` grants another warp (with oracles only, like the following).
        pub discrepancy: Vec<Signal<Out, Bit>> = (0..oracle).map(|_| Signal::default()).collect(),
        /// `osched2` grants another warp.
        pub error: Vec<Signal<Out, Bit>> = (0..oracle).map(|_| Signal::default()).collect(),
        /// Cycles with a discrepancy so far.
        pub discrepancies: Vec<Signal<Out, Bits<32>>> = signals(oracle, 32),
        /// Cycles with an error so far.
        pub errors: Vec<Signal<Out, Bits<32>>> = signals(oracle, 32),
        /// Anything is in the slice: between issue and commit, or a unit of the core.
        pub busy: Signal<Out, Bit>,
        scoreboard: Scoreboard = Scoreboard::new(cfg),
        scheduler: SchedulerSocket = sched::build(cfg, Stage::Issue),
        oracles: Vec<Oracles> = (0..oracle).map(|_| Oracles::new(cfg)).collect(),
        operands: Operands = Operands::new(cfg),
        sp_collector: SpCollector = SpCollector::new(cfg),
        mem_collector: MemCollector = MemCollector::new(cfg),
        sfu_collector: SfuCollector = SfuCollector::new(cfg),
        access_order: Opt<AccessOrder> = Opt::new(ordered, AccessOrder::new()),
        alu: Alu = Alu::new(cfg),
        multiplier: MultiplyUnit = MultiplyUnit::new(cfg),
        divider: DivideUnit = DivideUnit::new(cfg),
        fpu: Opt<FloatUnit> = Opt::new(cfg.fpu, FloatUnit::new(cfg)),
        writer: Commit = Commit::new(cfg),
        granted_rd: Signal<Local, Bits<6>>,
        granted_rs1: Signal<Local, Bits<6>>,
        granted_rs2: Signal<Local, Bits<6>>,
        granted_rs3: Vec<Signal<Local, Bits<6>>> = signals(fpu, 6),
        special_warps: Signal<Local, Bits<32>> = signal(warps),
        granted_use_rd: Signal<Local, Bit>,
        _unified: usize = unified,
        _oracle: usize = oracle,
        is_ordered: Const<Bit> = Const::new(ordered),
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
    }
}
