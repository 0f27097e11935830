//! A block with signals made at run time, whose kernel is given as a syntax tree.
use rust_hdl::core::ast::VerilogBlock;
use rust_hdl::core::atom::{Atom, AtomKind};
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::*;

/// A signal, or an array of them.
#[derive(Clone, Debug)]
pub struct Wire {
    pub name: String,
    pub kind: AtomKind,
    /// Width of the Rust type.
    pub bits: usize,
    /// Configured width.
    pub width: usize,
    /// Elements of an array; `None`: no array.
    pub count: Option<usize>,
}

struct WireAtom<'a>(&'a Wire, usize);

impl Atom for WireAtom<'_> {
    fn bits(&self) -> usize {
        self.0.bits
    }
    fn connected(&self) -> bool {
        true
    }
    fn changed(&self) -> bool {
        false
    }
    fn kind(&self) -> AtomKind {
        self.0.kind
    }
    fn descriptor(&self) -> TypeDescriptor {
        TypeDescriptor { name: "Bits".into(), kind: TypeKind::Bits(self.0.bits) }
    }
    fn vcd(&self) -> VCDValue {
        false.vcd()
    }
    fn id(&self) -> usize {
        self.1
    }
    fn verilog(&self) -> VerilogLiteral {
        false.into()
    }
    fn constraints(&self) -> Vec<PinConstraint> {
        let text = format!("width={}", self.0.width);
        vec![PinConstraint { index: 0, constraint: Constraint::Custom(text) }]
    }
}

pub struct RandomBlock {
    pub wires: Vec<Wire>,
    pub code: VerilogBlock,
}

impl Logic for RandomBlock {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self.code.clone())
    }
}

impl Block for RandomBlock {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_start_scope(name, self);
        for wire in &self.wires {
            match wire.count {
                None => probe.visit_atom(&wire.name, &WireAtom(wire, get_signal_id())),
                Some(count) => {
                    for element in 0..count {
                        let name = format!("{}${element}", wire.name);
                        probe.visit_atom(&name, &WireAtom(wire, get_signal_id()));
                    }
                }
            }
        }
        probe.visit_end_scope(name, self);
    }
}
