//! What stops a core: the first fault, held until reset.
use rust_hdl::prelude::*;

use crate::rtl::cell::{constant, signal, Const, Pipe, Reg};
use crate::{comment, module};

module! {
    /// Holds the first fault that a unit reports.
    ///
    /// From the load-store and the special unit: a fault's warp, PC, cause and address (`*_fault_*`, valid for one cycle).
    /// From the bus: an error response (`bus_error_valid`, `bus_error_line`), which has the cause 9 and no warp or PC.
    /// To the top level: the same of the first fault (`fault_*`), which stays until reset. When both units report in one
    /// cycle the load-store unit's fault is kept: its instruction may be the older one.
    /// To the warp table: `stop_valid`, `stop_wid`, for the cycle after a report, so that the faulting warp issues nothing more.
    /// Latency: one cycle. Reset: no fault. Critical path: none to speak of. Source: DESIGN section 2, memory.
    /// Mirror in the model: `model::fault`.
    pub struct FaultLatch(wid_bits: usize) [clock, reset] {
        // From the load-store unit.
        /// A fault in this cycle.
        pub lsu_fault_valid: Signal<In, Bit>,
        /// Its warp.
        pub lsu_fault_wid: Signal<In, Bits<5>> = signal(wid_bits),
        /// PC of the instruction.
        pub lsu_fault_pc: Signal<In, Bits<32>>,
        /// Cause, numbered as in ARCHITECTURE.md.
        pub lsu_fault_cause: Signal<In, Bits<4>>,
        /// The address that is at fault.
        pub lsu_fault_addr: Signal<In, Bits<32>>,
        // From the special unit.
        /// A fault in this cycle.
        pub sfu_fault_valid: Signal<In, Bit>,
        /// Its warp.
        pub sfu_fault_wid: Signal<In, Bits<5>> = signal(wid_bits),
        /// PC of the instruction.
        pub sfu_fault_pc: Signal<In, Bits<32>>,
        /// Cause.
        pub sfu_fault_cause: Signal<In, Bits<4>>,
        /// The instruction word, or whatever else is at fault.
        pub sfu_fault_addr: Signal<In, Bits<32>>,
        // From the bus.
        /// Memory refused a data access. Which warp's it was is not known any more: none stops.
        pub bus_error_valid: Signal<In, Bit>,
        /// Line of the access.
        pub bus_error_line: Signal<In, Bits<26>>,
        // To the warp table.
        /// A warp stops in this cycle.
        pub stop_valid: Signal<Out, Bit>,
        /// Which one.
        pub stop_wid: Signal<Out, Bits<5>> = signal(wid_bits),
        // To the top level.
        /// The core has faulted.
        pub fault_valid: Signal<Out, Bit>,
        /// Warp of the first fault.
        pub fault_wid: Signal<Out, Bits<5>> = signal(wid_bits),
        /// Its PC.
        pub fault_pc: Signal<Out, Bits<32>>,
        /// Its cause.
        pub fault_cause: Signal<Out, Bits<4>>,
        /// Its address; 0 where there is none.
        pub fault_addr: Signal<Out, Bits<32>>,
        unmapped: Const<Bits<4>> = constant(4, 9),
        reported: Signal<Local, Bit>,
        reported_wid: Signal<Local, Bits<5>> = signal(wid_bits),
        stopping: Reg<Bit>,
        stopping_wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        held: Reg<Bit>,
        wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        pc: Pipe<Bits<32>>,
        cause: Pipe<Bits<4>>,
        addr: Pipe<Bits<32>>,
    }
}

impl Logic for FaultLatch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module FaultLatch: Holds the first fault that a unit reports.");
        comment!("1. the warp that stops, a cycle later: it is found out late");
        self.reported.next = self.lsu_fault_valid.val() | self.sfu_fault_valid.val();
        self.reported_wid.next = self.sfu_fault_wid.val();
        if self.lsu_fault_valid.val() {
            self.reported_wid.next = self.lsu_fault_wid.val();
        }
        self.stopping.d.next = self.reported.val();
        self.stopping_wid.d.next = self.reported_wid.val();
        self.stop_valid.next = self.stopping.q.val();
        self.stop_wid.next = self.stopping_wid.q.val();
        comment!("2. hold the first one");
        if self.reported.val() & !self.held.q.val() {
            self.held.d.next = true;
            self.wid.d.next = self.reported_wid.val();
            self.pc.d.next = self.sfu_fault_pc.val();
            self.cause.d.next = self.sfu_fault_cause.val();
            self.addr.d.next = self.sfu_fault_addr.val();
            if self.lsu_fault_valid.val() {
                self.pc.d.next = self.lsu_fault_pc.val();
                self.cause.d.next = self.lsu_fault_cause.val();
                self.addr.d.next = self.lsu_fault_addr.val();
            }
        }
        if self.bus_error_valid.val() & !self.reported.val() & !self.held.q.val() {
            self.held.d.next = true;
            self.wid.d.next = 0.into();
            self.pc.d.next = 0.into();
            self.cause.d.next = self.unmapped.val();
            self.addr.d.next = bit_cast::<32, 26>(self.bus_error_line.val()) << 6;
        }
        comment!("3. show it");
        self.fault_valid.next = self.held.q.val();
        self.fault_wid.next = self.wid.q.val();
        self.fault_pc.next = self.pc.q.val();
        self.fault_cause.next = self.cause.q.val();
        self.fault_addr.next = self.addr.q.val();
    }
}
