//! Which lanes of a warp are active next: TMC, PRED, SPLIT, JOIN.
use super::ipdom::IpdomStack;
use crate::prelude::*;

module! {
    /// Computes the lane mask that a warp-control instruction leaves, and keeps the divergence stacks.
    ///
    /// Ports: below. Latency: combinational; stacks change at the end of the cycle. Reset: stacks empty. Invariants:
    /// of SPLIT's two sides the larger goes on, that of the true condition if they are equal. Critical path:
    /// condition, counts of T bits, comparison, mask. Source: docs/ISA.md, section 3. Mirror in the model: tmc, pred,
    /// split, join.
    pub struct WarpControl(cfg: &CoreConfig) [clock, reset]
    let t = cfg.threads;
    {
        /// The instruction is performed.
        pub go: Signal<In, Bit>,
        /// Its head. The minor opcode says which: 0 TMC, 2 SPLIT, 3 JOIN, 5 PRED; others leave the mask.
        pub head_: InstructionHead<In> = InstructionHead::new(cfg),
        /// Its address.
        pub pc: Signal<In, Bits<32>>,
        /// Lanes whose condition holds.
        pub condition: Signal<In, Bits<32>> = signal(t),
        /// First operand of the last active lane.
        pub rs1_last: Signal<In, Bits<32>>,
        /// Second operand of the last active lane.
        pub rs2_last: Signal<In, Bits<32>>,
        /// Active lanes afterwards.
        pub next_tmask: Signal<Out, Bits<32>> = signal(t),
        /// The warp goes on elsewhere.
        pub jump: Signal<Out, Bit>,
        /// Where.
        pub jump_pc: Signal<Out, Bits<32>>,
        /// Depth of the stack before the instruction.
        pub token: Signal<Out, Bits<32>>,
        /// SPLIT finds no free entry.
        pub overflow: Signal<Out, Bit>,
        /// JOIN finds no entry.
        pub join_empty: Signal<Out, Bit>,
        /// With a dispatcher: warps of a block that starts.
        pub start_warps: Opt<Signal<In, WarpMask>> = Opt::new(cfg.grid, signal(cfg.warps)),
        stack: IpdomStack = IpdomStack::new(cfg),
        met, unmet: Signal<Local, Bits<32>> = signal(t),
        met_bit, unmet_bit: Signal<Local, Bits<1>>,
        met_count, unmet_count: Signal<Local, Bits<6>>,
        met_first, diverges, joins: Signal<Local, Bit>,
        _t: usize = t,
    }
}

impl Logic for WarpControl {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread rs2_last: a thread mask has a bit a lane");
        self.stack.wid.next = self.head_.to_.wid.val();
        Wires::join(&mut self.start_warps, &mut self.stack.start_warps);
        self.token.next = bit_cast::<32, 6>(self.stack.depth.val());
        comment!("1. the two sides of the condition");
        self.met.next = self.head_.to_.tmask.val() & self.condition.val();
        self.unmet.next = self.head_.to_.tmask.val() & !self.condition.val();
        self.met_count.next = 0.into();
        self.unmet_count.next = 0.into();
        for i in 0..self._t {
            self.met_bit.next = self.met.val().get_bits::<1>(i);
            self.unmet_bit.next = self.unmet.val().get_bits::<1>(i);
            self.met_count.next = self.met_count.val() + bit_cast::<6, 1>(self.met_bit.val());
            self.unmet_count.next = self.unmet_count.val() + bit_cast::<6, 1>(self.unmet_bit.val());
        }
        self.met_first.next = self.met_count.val() >= self.unmet_count.val();
        comment!("2. SPLIT pushes if both sides have lanes");
        self.diverges.next =
            (self.head_.funct3.val() == 2) & (self.met_count.val() != 0) & (self.unmet_count.val() != 0);
        self.overflow.next = self.diverges.val() & self.stack.full.val();
        self.stack.push.next = self.go.val() & self.diverges.val() & !self.stack.full.val();
        self.stack.push_restore.next = self.head_.to_.tmask.val();
        self.stack.push_other.next = self.met.val();
        if self.met_first.val() {
            self.stack.push_other.next = self.unmet.val();
        }
        self.stack.push_pc.next = self.pc.val() + 4;
        comment!("3. JOIN acts if its SPLIT pushed: the other side first, then both");
        self.joins.next = (self.head_.funct3.val() == 3) & (self.rs1_last.val() != self.token.val());
        self.join_empty.next = self.joins.val() & (self.token.val() == 0);
        self.stack.start_other.next =
            self.go.val() & self.joins.val() & !self.join_empty.val() & !self.stack.top_started.val();
        self.stack.pop.next =
            self.go.val() & self.joins.val() & !self.join_empty.val() & self.stack.top_started.val();
        self.jump.next = self.joins.val() & !self.stack.top_started.val();
        self.jump_pc.next = self.stack.top_pc.val();
        comment!("4. the new mask");
        self.next_tmask.next = self.head_.to_.tmask.val();
        if self.head_.funct3.val() == 0 {
            self.next_tmask.next = bit_cast::<32, 32>(self.rs1_last.val());
        }
        if self.diverges.val() {
            self.next_tmask.next = self.unmet.val();
            if self.met_first.val() {
                self.next_tmask.next = self.met.val();
            }
        }
        if self.joins.val() {
            self.next_tmask.next = self.stack.top_other.val();
            if self.stack.top_started.val() {
                self.next_tmask.next = self.stack.top_restore.val();
            }
        }
        if self.head_.funct3.val() == 5 {
            self.next_tmask.next = self.met.val();
            if self.met.val() == 0 {
                self.next_tmask.next = bit_cast::<32, 32>(self.rs2_last.val());
            }
        }
    }
}
