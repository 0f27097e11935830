//! The slice's ports by name.

use std::collections::HashMap;

use crate::rtl_bench::library_of;
use cosim::verilator::{Direction, Model, PortRef};
use rtl::stage::issue::IssueSlice;
use spec::config::CoreConfig;

pub struct Ports {
    model: Model,
    known: HashMap<String, PortRef>,
}

impl Ports {
    /// A slice, all registers at random before its reset and all inputs 0.
    pub fn new(cfg: &CoreConfig, seed: u64) -> Self {
        let library = library_of(cfg, "issue_slice", IssueSlice::new);
        let model = library.instance_random(seed).expect("an instance");
        let port = |name: &str| library.port_ref(name).expect("it is listed");
        let known = library.ports().iter().map(|info| (info.name.clone(), port(&info.name))).collect();
        let mut ports = Self { model, known };
        for input in library.ports().iter().filter(|info| info.direction == Direction::Input) {
            ports.write(&input.name, 0u32);
        }
        ports.write("own_warps", cfg.own_warps(0));
        ports
    }

    fn port(&self, name: &str) -> PortRef {
        *self.known.get(name).unwrap_or_else(|| panic!("the slice has no port {name}"))
    }

    /// A port of at most 32 bits.
    pub fn read(&self, name: &str) -> u32 {
        self.model.read(self.port(name)) as u32
    }

    pub fn write(&mut self, name: &str, value: impl Into<u64>) {
        self.model.write(self.port(name), value.into());
    }

    /// Element `index` of an array of 32-bit words.
    pub fn lane(&self, name: &str, index: usize) -> u32 {
        self.model.bits(self.port(name), 32 * index as u32, 32)
    }

    /// All elements of an array of elements of `width` bits.
    pub fn write_array(&mut self, name: &str, width: usize, values: &[u32]) {
        let port = self.port(name);
        for (low, &value) in (0..).step_by(width).zip(values) {
            self.model.write_bits(port, low, width as u32, value);
        }
    }

    pub fn eval(&mut self) {
        self.model.eval().expect("no stop");
    }

    /// The rising edge, and the clock low again.
    pub fn edge(&mut self) {
        for level in [0u32, 1, 0] {
            self.write("clock", level);
            self.eval();
        }
    }
}
