//! A module's name and documentation, for the back end.
use super::module::Part;
use rust_hdl::prelude::*;

/// Name of the timing information that holds the heading of a module; read by the back end.
pub(crate) const HEADING: &str = "heading";

/// A module's name, and what is said above its declaration: the back end takes from it what stands above the module in the
/// Verilog.
#[derive(Clone, Copy, Debug)]
pub struct Heading {
    name: &'static str,
    about: &'static str,
}

impl Heading {
    /// The heading of the module `name`, of which `about` is said.
    pub fn new(name: &'static str, about: &'static str) -> Self {
        Self { name, about }
    }
}

impl Part for Heading {}
impl Logic for Heading {
    fn update(&mut self) {}
    fn timing(&self) -> Vec<TimingInfo> {
        vec![TimingInfo {
            name: HEADING.into(),
            clock: self.name.into(),
            inputs: vec![self.about.to_owned()],
            outputs: vec![],
        }]
    }
}
impl Block for Heading {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        probe.visit_end_scope(name, self);
    }
}
