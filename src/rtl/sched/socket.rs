//! Where a stage plugs in the configured policy.
use super::shell::Policy;
use super::tables::CtaTables;
use super::view::{CoreView, Grant, StageView};
use crate::prelude::*;
use hdl::module::{Has, Tick};
use std::ops::{Deref, DerefMut};

/// The standard ports, on the stage's side.
pub struct SchedulerPorts {
    /// Rising edge moves the state.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// What the stage tells its scheduler alone.
    pub stage: StageView<In>,
    /// What all schedulers of the core see alike.
    pub core: CoreView<In>,
    /// What they see of CTAs, if a policy orders these.
    pub tables: CtaTables<In>,
    /// The choice.
    pub grant: Grant<Out>,
}

/// Holds any policy behind the standard ports, which it derefs to.
///
/// It is no module of its own: a probe that visits it meets the policy's module under the socket's name, so the
/// Verilog has the policy where the stage has the socket.
pub struct SchedulerSocket {
    ports: SchedulerPorts,
    policy: Box<dyn Policy>,
}

impl SchedulerSocket {
    pub(super) fn new(cfg: &CoreConfig, policy: Box<dyn Policy>) -> Self {
        let ports = SchedulerPorts {
            clock: Signal::default(),
            reset: Signal::default(),
            stage: StageView::new(cfg),
            core: CoreView::new(cfg),
            tables: CtaTables::new(cfg),
            grant: Grant::new(cfg),
        };
        Self { ports, policy }
    }
}

impl Deref for SchedulerSocket {
    type Target = SchedulerPorts;
    fn deref(&self) -> &SchedulerPorts {
        &self.ports
    }
}

impl DerefMut for SchedulerSocket {
    fn deref_mut(&mut self) -> &mut SchedulerPorts {
        &mut self.ports
    }
}

impl Logic for SchedulerSocket {
    fn update(&mut self) {
        self.policy.plug(&mut self.ports);
    }
}

impl Part for SchedulerSocket {
    fn begin(&mut self, owner: &Tick) {
        self.clock.next = owner.clock;
        self.reset.next = owner.reset;
    }
    fn claim(&mut self, _owner: &Has) {
        self.clock.connect();
        self.reset.connect();
    }
}

impl Block for SchedulerSocket {
    fn connect_all(&mut self) {
        self.policy.claim();
        self.policy.connect_all();
    }
    fn update_all(&mut self) {
        self.update();
        let SchedulerPorts { clock, reset, stage, core, tables, grant } = &mut self.ports;
        let ports: [&mut dyn Block; 6] = [clock, reset, stage, core, tables, grant];
        ports.into_iter().for_each(Block::update_all);
        self.policy.update_all();
    }
    fn has_changed(&self) -> bool {
        let SchedulerPorts { clock, reset, stage, core, tables, grant } = &self.ports;
        let ports: [&dyn Block; 6] = [clock, reset, stage, core, tables, grant];
        ports.iter().any(|port| port.has_changed()) || self.policy.has_changed()
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.policy.accept(name, probe);
    }
}
