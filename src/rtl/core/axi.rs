//! The core with AXI4 around it: wiring only.
use crate::core::Core;
use crate::mem::AxiMaster;
use crate::prelude::*;

module! {
    /// A core that speaks AXI4, module `heddle` with `--bus axi4`.
    ///
    /// Ports: those of [`Core`] but for the line bus, in whose place the five channels are. Latency, reset: see [`Core`] and
    /// [`AxiMaster`]. Invariants: none of its own, it only connects. Critical path: from the core's choice among its
    /// requests to the master's ready. Source: none. Mirror in the model: `model::Machine`.
    pub struct AxiCore(cfg: &CoreConfig) [clock, reset] {
        /// How the core starts, and whether it runs.
        pub control_: CoreControl<In> = CoreControl::new(),
        /// With a dispatcher of thread blocks: grids (docs/ISA.md, section 7.1).
        pub launch: Opt<GridLaunch<In>> = Opt::new(cfg.grid, GridLaunch::new()),
        /// AXI4, of which the core is a master; ACLK is `clock`, ARESETn is `reset` inverted. L words a beat.
        pub m_axi: Axi<Out> = Axi::new(cfg),
        /// The first fault: held until reset.
        pub fault: Fault<Out> = Fault::new(cfg),
        /// The trace port.
        pub trace: Opt<Trace<Out>> = Opt::new(cfg.trace_port, Trace::new(cfg)),
        core: Core = Core::new(cfg),
        axi_master: AxiMaster = AxiMaster::new(cfg),
    }
}

impl Logic for AxiCore {
    #[hdl_gen]
    fn update(&mut self) {
        Wires::join(&mut self.control_, &mut self.core.control_);
        Wires::join(&mut self.launch, &mut self.core.launch);
        Wires::join(&mut self.core.mem_req, &mut self.axi_master.mem_req);
        Wires::join(&mut self.axi_master.mem_rsp, &mut self.core.mem_rsp);
        Wires::join(&mut self.axi_master.bus, &mut self.core.bus);
        Wires::join(&mut self.axi_master.axi, &mut self.m_axi);
        Wires::join(&mut self.core.fault, &mut self.fault);
        Wires::join(&mut self.core.trace, &mut self.trace);
    }
}
