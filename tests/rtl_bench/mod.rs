//! One hardware module, emitted as Verilog and run in Verilator, with its ports by name.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use crate::simulators;
use cosim::verilator::{compile, Model, ModelLib, Port, PortRef};
use hdl::verilog::{emit, Design};
use rust_hdl::prelude::Block;
use spec::config::CoreConfig;

/// Emits `block` and builds its model, which lints it. The environment variable `HEDDLE_TEST_VERILOG` keeps the Verilog
/// there.
pub fn library<B: Block>(mut block: B, top: &str) -> Arc<ModelLib> {
    let design = emit(&mut block, top, &[]).unwrap_or_else(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{top}:\n{}", lines.join("\n"))
    });
    let verilog = design.concat();
    if let Ok(directory) = std::env::var("HEDDLE_TEST_VERILOG") {
        std::fs::write(format!("{directory}/{top}_{}.v", verilog.len()), &verilog).unwrap();
    }
    compile(&verilog, top, &simulators::options()).unwrap_or_else(|error| panic!("{top}: {error}"))
}

/// Checks that the design has each of these modules in it: whoever tests the whole tests them too.
pub fn assert_parts(design: &Design, parts: &[&str]) {
    let is = |name: &str, part: &str| {
        // Behind the name stands what tells modules of one name apart.
        name.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    let missing = |part: &&&str| !design.modules.iter().any(|module| is(&module.name, part));
    let missing: Vec<_> = parts.iter().filter(missing).collect();
    assert!(missing.is_empty(), "{} has no {missing:?} in it", design.top);
}

/// [`assert_parts`] of a block.
pub fn assert_parts_of<B: Block>(mut block: B, parts: &[&str]) {
    assert_parts(&emit(&mut block, "whole", &[]).expect("a module"), parts);
}

/// The [`library`] of what `make` makes for a configuration, once for all tests.
pub fn library_of<B: Block>(
    cfg: &CoreConfig,
    top: &'static str,
    make: impl FnOnce(&CoreConfig) -> B,
) -> Arc<ModelLib> {
    type Libraries = Mutex<HashMap<(&'static str, String), Arc<OnceLock<Arc<ModelLib>>>>>;
    static MADE: LazyLock<Libraries> = LazyLock::new(Mutex::default);
    let cell = MADE.lock().unwrap().entry((top, format!("{cfg:?}"))).or_default().clone();
    cell.get_or_init(|| library(make(cfg), top)).clone()
}

/// A device under test. Inputs keep their value until set again.
pub struct Dut {
    model: Model,
    /// None of a combinational module.
    clock: Option<Port<u8>>,
    ports: HashMap<String, PortRef>,
}

impl Dut {
    /// An instance after two cycles of reset, if it has one, all other inputs 0.
    pub fn new(library: &Arc<ModelLib>) -> Self {
        let model = library.instance().unwrap();
        let ports =
            library.ports().iter().map(|p| (p.name.clone(), library.port_ref(&p.name).unwrap())).collect();
        let clock = library.port("clock").ok();
        let mut dut = Self { model, clock, ports };
        if dut.ports.contains_key("reset") {
            dut.set("reset", 1);
            for _ in 0..2 {
                dut.settle();
                dut.edge();
            }
            dut.set("reset", 0);
        }
        dut
    }

    fn port(&self, name: &str) -> PortRef {
        *self.ports.get(name).unwrap_or_else(|| panic!("no port {name}"))
    }

    /// Sets a port of at most 64 bits.
    pub fn set(&mut self, name: &str, value: u64) {
        let port = self.port(name);
        self.model.write(port, value);
    }

    /// Sets element `index` of a port that is an array of `width`-bit elements, `width` at most 32.
    pub fn set_at(&mut self, name: &str, index: usize, width: usize, value: u32) {
        self.model.write_bits(self.port(name), (index * width) as u32, width as u32, value);
    }

    /// Lets the outputs follow the inputs in the low phase of the clock.
    pub fn settle(&mut self) {
        if let Some(clock) = self.clock {
            self.model.set(clock, 0);
        }
        self.model.eval().unwrap();
    }

    /// The rising edge.
    pub fn edge(&mut self) {
        self.model.set(self.clock.expect("a clock"), 1);
        self.model.eval().unwrap();
    }

    /// A port of at most 64 bits.
    pub fn get(&self, name: &str) -> u64 {
        self.model.read(self.port(name))
    }

    /// Element `index` of an array of `width`-bit elements.
    pub fn get_at(&self, name: &str, index: usize, width: usize) -> u32 {
        self.model.bits(self.port(name), (index * width) as u32, width as u32)
    }
}

/// Pseudo-random numbers from a seed (xorshift).
pub struct Random(u64);

impl Random {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        random.next();
        random
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// True in `percent` of the cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
