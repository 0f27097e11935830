//! Where a stage plugs in the configured policy.
use super::shell::{Policy, SchedulerPorts};
use crate::rtl::module::{Has, Part, Tick};
use rust_hdl::prelude::*;
use std::ops::{Deref, DerefMut};

/// Holds any policy behind the standard ports, which it derefs to.
///
/// It is no module of its own: a probe that visits it meets the policy's module under the socket's name, so the
/// Verilog has the policy where the stage has the socket.
pub struct SchedulerSocket {
    ports: SchedulerPorts,
    policy: Box<dyn Policy>,
}

impl SchedulerSocket {
    pub(super) fn new(ports: SchedulerPorts, policy: Box<dyn Policy>) -> Self {
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
        self.policy.read(&self.ports);
        self.policy.write(&mut self.ports);
    }
}

impl Part for SchedulerSocket {
    fn begin(&mut self, owner: &Tick) {
        self.ports.begin(owner);
    }
    fn claim(&mut self, owner: &Has) {
        self.ports.claim(owner);
    }
}

impl Block for SchedulerSocket {
    fn connect_all(&mut self) {
        // The parent has claimed by now the inputs that it drives.
        self.policy.claim(&self.ports);
        self.policy.connect_all();
    }
    fn update_all(&mut self) {
        self.update();
        self.ports.update_all();
        self.policy.update_all();
    }
    fn has_changed(&self) -> bool {
        self.ports.has_changed() || self.policy.has_changed()
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.policy.accept(name, probe);
    }
}
