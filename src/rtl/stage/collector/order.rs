//! What orders the accesses of different slices' warps: barriers, and the start and end of warps.
use crate::prelude::*;

module! {
    /// Holds warp control back in its collector until the accesses ahead of it have left for the load-store unit.
    ///
    /// The load-store unit performs accesses in the order in which it takes them, and takes those of a slice in order. So what a
    /// warp has issued before a barrier, WSPAWN, or its own end is performed before anything that this lets other warps
    /// issue, if the special unit hears of it when the accesses ahead have been taken. In a core with one slice the queue alone
    /// sees to that, and where warps are shared `sharing::ClassOrder`; there this is left out. SPLIT and JOIN concern no other warp and do not wait.
    ///
    /// Ports: below. Latency: none when nothing is ahead. Reset: nothing held. Invariants: `ahead` is not above the
    /// accesses in the queue; those that come later do not count, so nothing waits for ever. Critical path:
    /// `mem_leaves` -> counters. Source: none. Mirror in the model: `model::timing::order`; `cosim::order` checks the
    /// order.
    pub struct AccessOrder() [clock, reset] {
        /// A load, store or fence enters the memory collector.
        pub operand_access: Signal<In, Bit>,
        /// Warp control or a barrier enters the special collector.
        pub operand_control: Signal<In, Bit>,
        /// Minor opcode of what enters.
        pub operand_funct3: Signal<In, Bits<3>>,
        /// The first entry of the memory collector leaves.
        pub mem_leaves: Signal<In, Bit>,
        /// An access is ahead of the special collector's entry.
        pub waits: Signal<Out, Bit>,
        held, ahead: Reg<Bits<3>>,
        remaining: Signal<Local, Bits<3>>,
    }
}

impl Logic for AccessOrder {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. accesses in the memory collector");
        self.remaining.next = self.held.q.val();
        if self.mem_leaves.val() {
            self.remaining.next = self.held.q.val() - 1;
        }
        self.held.d.next = self.remaining.val();
        if self.operand_access.val() {
            self.held.d.next = self.remaining.val() + 1;
        }
        comment!("2. those ahead of what is in the special collector: TMC, WSPAWN, BAR or PRED");
        if self.mem_leaves.val() & (self.ahead.q.val() != 0) {
            self.ahead.d.next = self.ahead.q.val() - 1;
        }
        if self.operand_control.val() & (self.operand_funct3.val() != 2) & (self.operand_funct3.val() != 3) {
            self.ahead.d.next = self.remaining.val();
        }
        self.waits.next = self.ahead.q.val() != 0;
    }
}
