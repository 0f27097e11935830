//! The emitted Verilog of a block, run in Verilator beside the block itself.
use crate::simulators;
use cosim::verilator::{compile, Model, PortRef};
use hdl::verilog::emit;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::prelude::*;

/// One element of a port as rust-hdl has it.
struct Element {
    port: String,
    index: usize,
    kind: AtomKind,
    width: u32,
    value: u64,
}

/// Collects the ports of the outermost block.
#[derive(Default)]
struct Ports {
    depth: usize,
    /// The bundles that an atom stands in.
    bundles: Vec<String>,
    found: Vec<Element>,
}

/// The configured width of a port: a mark on the signal, or that of its type.
fn width_of(atom: &dyn Atom) -> usize {
    let mark = |c: &PinConstraint| match &c.constraint {
        Constraint::Custom(text) => text.strip_prefix("width=")?.parse().ok(),
        _ => None,
    };
    atom.constraints().iter().find_map(mark).unwrap_or(atom.bits())
}

impl Probe for Ports {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }
    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.bundles.push(name.into());
    }
    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.bundles.pop();
    }
    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        if self.depth != 1 || !atom.kind().is_parameter() {
            return;
        }
        let path = self.bundles.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("$");
        let is_name = |step: &&str| step.parse::<usize>().is_err() && !step.ends_with('_');
        let names: Vec<_> = path.split('$').filter(is_name).collect();
        let port = names.join("_");
        // Elements come in order.
        let index = self.found.iter().filter(|element| element.port == port).count();
        let literal = format!("{:x}", atom.verilog());
        let digits = literal.split("'h").nth(1).unwrap_or_else(|| panic!("{name}: {literal}"));
        let width = width_of(atom) as u32;
        let value = u64::from_str_radix(digits, 16).unwrap() & (u64::MAX >> (64 - width));
        self.found.push(Element { port, index, kind: atom.kind(), width, value });
    }
}

fn ports_of(block: &dyn Block) -> Vec<Element> {
    let mut ports = Ports::default();
    block.accept("top", &mut ports);
    ports.found.retain(|element| element.port != "clock" && element.port != "reset");
    ports.found
}

/// A block's Verilog.
pub struct Shadow {
    model: Model,
    name: &'static str,
    clock: Option<PortRef>,
}

impl Shadow {
    /// Emits `block`, which is used for nothing else, compiles it, and resets it.
    pub fn new(mut block: impl Block, name: &'static str) -> Self {
        let design = emit(&mut block, name, &[]).unwrap_or_else(|errors| panic!("{name}: {errors:#?}"));
        let library =
            compile(&design.concat(), name, &simulators::options()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut shadow =
            Self { clock: library.port_ref("clock").ok(), model: library.instance().unwrap(), name };
        if let Ok(reset) = library.port_ref("reset") {
            shadow.model.write(reset, 1);
            shadow.tick();
            shadow.tick();
            shadow.model.write(reset, 0);
        }
        shadow
    }

    /// Gives the Verilog the block's inputs and compares their outputs.
    pub fn check(&mut self, block: &dyn Block, context: &str) {
        let ports = ports_of(block);
        let name = self.name;
        for element in ports.iter().filter(|element| element.kind == AtomKind::InputParameter) {
            self.insert(element);
        }
        self.model.eval().unwrap();
        for element in ports.iter().filter(|element| element.kind == AtomKind::OutputParameter) {
            let port = self.model.library().port_ref(&element.port).unwrap();
            let (low, width) = (element.index as u32 * element.width, element.width);
            let bits = |from: u32, to: u32| u64::from(self.model.bits(port, low + from, to - from));
            let high = if width > 32 { bits(32, width) } else { 0 };
            let value = high << 32 | bits(0, width.min(32));
            let (port, index) = (&element.port, element.index);
            assert_eq!(value, element.value, "{name}.{port}[{index}], Verilog on the left; {context}");
        }
    }

    /// Writes one element into its place in the flattened port.
    fn insert(&mut self, element: &Element) {
        let port = self.model.library().port_ref(&element.port).unwrap();
        let low = element.index as u32 * element.width;
        for part in (0..element.width).step_by(32) {
            let width = 32.min(element.width - part);
            self.model.write_bits(port, low + part, width, (element.value >> part) as u32);
        }
    }

    /// Ends the cycle.
    pub fn tick(&mut self) {
        let Some(clock) = self.clock else { return };
        for level in [1, 0] {
            self.model.write(clock, level);
            self.model.eval().unwrap();
        }
    }
}
