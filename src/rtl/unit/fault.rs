//! What stops a core: the first fault, held until reset.
use crate::prelude::*;

module! {
    /// Holds the first fault that a unit reports.
    ///
    /// From the load-store and the special unit: `lsu_fault`, `sfu_fault`, valid for one cycle.
    /// From the bus: an error response (`bus_error_valid`, `bus_error_line`), which has the cause 9 and no warp or PC.
    /// To the top level: `fault`, the first one, which stays until reset. When both units report in one
    /// cycle the load-store unit's fault is kept: its instruction may be the older one.
    /// To the warp table: `stop_valid`, `stop_wid`, for the cycle after a report, so that the faulting warp issues nothing more.
    /// Latency: one cycle. Reset: no fault. Critical path: none to speak of. Source: docs/ISA.md, section 8.
    /// Mirror in the model: `model::fault`.
    pub struct FaultLatch(cfg: &CoreConfig) [clock, reset] {
        /// From the load-store unit.
        pub lsu_fault: Fault<In> = Fault::new(cfg),
        /// From the special unit.
        pub sfu_fault: Fault<In> = Fault::new(cfg),
        /// With a dispatcher: from there.
        pub launch_fault: Opt<Fault<In>> = Opt::new(cfg.grid, Fault::new(cfg)),
        // From the bus.
        /// Memory refused a data access. Which warp's it was is not known any more: none stops.
        pub bus_error_valid: Signal<In, Bit>,
        /// Line of the access.
        pub bus_error_line: Signal<In, Bits<26>>,
        // To the warp table.
        /// A warp stops in this cycle.
        pub stop_valid: Signal<Out, Bit>,
        /// Which one.
        pub stop_wid: Signal<Out, WarpId> = signal(cfg.wid_bits()),
        // To the top level.
        /// The first fault of the core.
        pub fault: Fault<Out> = Fault::new(cfg),
        has_grid: Const<Bit> = Const::new(cfg.grid),
        unmapped: Const<Bits<4>> = constant(4, 9),
        reported: Fault<Local> = Fault::new(cfg),
        stopping: Reg<Bit>,
        stopping_wid: Pipe<WarpId> = Pipe::<WarpId>::width(cfg.wid_bits()),
        held: Fault<Registered> = Fault::new(cfg),
    }
}

impl Logic for FaultLatch {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the warp that stops, a cycle later: it is found out late");
        self.reported.valid.next = self.lsu_fault.valid.val() | self.sfu_fault.valid.val();
        Payload::join(&mut self.sfu_fault, &mut self.reported);
        if self.lsu_fault.valid.val() {
            Payload::join(&mut self.lsu_fault, &mut self.reported);
        }
        if self.has_grid.val() && self.launch_fault.valid.val() {
            self.reported.valid.next = true;
            Payload::join(&mut self.launch_fault, &mut self.reported);
        }
        self.stopping.d.next = self.reported.valid.val();
        self.stopping_wid.d.next = self.reported.wid.val();
        self.stop_valid.next = self.stopping.q.val();
        self.stop_wid.next = self.stopping_wid.q.val();
        comment!("2. hold the first one");
        if self.reported.valid.val() & !self.held.valid.q.val() {
            self.held.valid.d.next = true;
            Payload::join(&mut self.reported, &mut self.held);
        }
        if self.bus_error_valid.val() & !self.reported.valid.val() & !self.held.valid.q.val() {
            self.held.valid.d.next = true;
            self.held.wid.d.next = 0.into();
            self.held.pc.d.next = 0.into();
            self.held.cause.d.next = self.unmapped.val();
            self.held.addr.d.next = bit_cast::<32, 26>(self.bus_error_line.val()) << 6;
        }
        comment!("3. show it");
        Data::join(&mut self.held, &mut self.fault);
    }
}
