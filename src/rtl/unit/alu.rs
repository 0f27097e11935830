//! The integer unit: one [`AluLane`] a lane, the result register, and branch resolution.
mod lane;

pub use lane::AluLane;

use super::super::cell::{pipes, signal, signals, Pipe, Reg};
use super::super::op::ALU_CONTROLS;
use crate::config::CoreConfig;
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// The integer unit of a slice: a lane for each thread, one result register, branch resolution.
    ///
    /// Ports, from the sp collector: `sp_valid` (an ALU instruction is there), `sp_control` 15, `sp_a` and `sp_b` a lane,
    /// `sp_wid`, `sp_tmask`, `sp_last_lane` T (one hot: the last active lane), `sp_rd` 6, `sp_use_rd`,
    /// `sp_resolves` (branch or jump), `sp_target` 32; from commit `alu_result_ready`. To the collector `alu_ready`; to the
    /// scoreboard `passed_valid`; to it and the front end `branch_*`; to commit `alu_result_*`.
    /// Latency: the condition is known in the cycle the instruction is in the collector. A branch that is not taken
    /// lets its warp go on at once; what goes elsewhere does so a cycle later, from registers, because the comparison
    /// leaves no time for the front end. The result is registered at the end of the collector's cycle, too. Reset: no
    /// result, no branch. Invariants: the condition of a warp is that of its last active
    /// lane; an instruction that writes nothing never waits for the result register.
    /// Critical path: a lane's comparison, last-lane multiplexer.
    /// Source: VORTEX_ABI 3.2 (last lane decides). Mirror in the model: `model::exec`.
    pub struct Alu(cfg: &CoreConfig) [clock, reset]
    let (threads, wid) = (cfg.threads, cfg.wid_bits());
    {
        _threads: usize = threads,
        // From the sp collector.
        /// An ALU instruction is in the collector.
        pub sp_valid: Signal<In, Bit>,
        /// Control bits of its operation.
        pub sp_control: Signal<In, Bits<16>> = signal(ALU_CONTROLS),
        /// First operand of each lane.
        pub sp_a: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Second operand of each lane.
        pub sp_b: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Its warp.
        pub sp_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its active lanes.
        pub sp_tmask: Signal<In, Bits<32>> = signal(threads),
        /// The last of them, one hot.
        pub sp_last_lane: Signal<In, Bits<32>> = signal(threads),
        /// Destination.
        pub sp_rd: Signal<In, Bits<6>>,
        /// There is a destination.
        pub sp_use_rd: Signal<In, Bit>,
        /// It is a branch or a jump.
        pub sp_resolves: Signal<In, Bit>,
        /// Where it branches to.
        pub sp_target: Signal<In, Bits<32>>,
        // From commit.
        /// Commit takes the result this cycle.
        pub alu_result_ready: Signal<In, Bit>,
        // To the sp collector.
        /// The instruction in the collector leaves it this cycle.
        pub alu_ready: Signal<Out, Bit>,
        // To the scoreboard.
        /// The branch in the collector leaves it and is not taken.
        pub passed_valid: Signal<Out, Bit>,
        // To the front end and the scoreboard.
        /// A branch or jump left the collector in the cycle before.
        pub branch_valid: Signal<Out, Bit>,
        /// It is taken.
        pub branch_taken: Signal<Out, Bit>,
        /// Its warp.
        pub branch_wid: Signal<Out, Bits<5>> = signal(wid),
        /// Where it branches to.
        pub branch_target: Signal<Out, Bits<32>>,
        // To commit.
        /// A result waits for the write port.
        pub alu_result_valid: Signal<Out, Bit>,
        /// Its warp.
        pub alu_result_wid: Signal<Out, Bits<5>> = signal(wid),
        /// Its register.
        pub alu_result_rd: Signal<Out, Bits<6>>,
        /// Its lanes.
        pub alu_result_tmask: Signal<Out, Bits<32>> = signal(threads),
        /// Its data.
        pub alu_result_data: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        lanes: Vec<AluLane> = (0..threads).map(|_| AluLane::new()).collect(),
        valid: Reg<Bit>,
        wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid),
        rd: Pipe<Bits<6>>,
        tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(threads),
        data: Vec<Pipe<Bits<32>>> = pipes(threads, 32),
        resolved: Reg<Bit>,
        taken: Pipe<Bit>,
        resolved_wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid),
        target: Pipe<Bits<32>>,
        taken_lanes: Signal<Local, Bits<32>> = signal(threads),
        resolves: Signal<Local, Bit>,
        goes_elsewhere: Signal<Local, Bit>,
        free: Signal<Local, Bit>,
        load: Signal<Local, Bit>,
    }
}

impl Logic for Alu {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module Alu: The integer unit of a slice: a lane for each thread, one result register, branch resolution.");
        comment!("1. lanes");
        self.taken_lanes.next = 0.into();
        for i in 0..self._threads {
            self.lanes[i].control.next = self.sp_control.val();
            self.lanes[i].a.next = self.sp_a[i].val();
            self.lanes[i].b.next = self.sp_b[i].val();
            self.taken_lanes.next = self.taken_lanes.val().replace_bit(i, self.lanes[i].condition.val());
        }
        comment!("2. who may go: only what writes a register needs the result register");
        self.free.next = !self.valid.q.val() | self.alu_result_ready.val();
        self.alu_ready.next = self.free.val() | !self.sp_use_rd.val();
        self.load.next = self.sp_valid.val() & self.sp_use_rd.val() & self.free.val();
        comment!("3. resolution: the last active lane decides for the warp");
        self.resolves.next = self.sp_valid.val() & self.sp_resolves.val() & self.alu_ready.val();
        self.goes_elsewhere.next = (self.taken_lanes.val() & self.sp_last_lane.val()) != 0;
        // What writes a register, and so may wait, is a jump and goes elsewhere.
        self.passed_valid.next = self.sp_valid.val() & self.sp_resolves.val() & !self.goes_elsewhere.val();
        self.resolved.d.next = self.resolves.val();
        self.taken.d.next = self.goes_elsewhere.val();
        self.resolved_wid.d.next = self.sp_wid.val();
        self.target.d.next = self.sp_target.val();
        self.branch_valid.next = self.resolved.q.val();
        self.branch_taken.next = self.taken.q.val();
        self.branch_wid.next = self.resolved_wid.q.val();
        self.branch_target.next = self.target.q.val();
        comment!("4. result register");
        if self.free.val() {
            self.valid.d.next = self.load.val();
        }
        if self.load.val() {
            self.wid.d.next = self.sp_wid.val();
            self.rd.d.next = self.sp_rd.val();
            self.tmask.d.next = self.sp_tmask.val();
        }
        for i in 0..self._threads {
            if self.load.val() {
                self.data[i].d.next = self.lanes[i].result.val();
            }
            self.alu_result_data[i].next = self.data[i].q.val();
        }
        self.alu_result_valid.next = self.valid.q.val();
        self.alu_result_wid.next = self.wid.q.val();
        self.alu_result_rd.next = self.rd.q.val();
        self.alu_result_tmask.next = self.tmask.q.val();
    }
}
