//! Reads of signals that a module's logic has not assigned yet: in rust-hdl's own simulation they are a cycle behind.
//!
//! The rule is that of rust-hdl's `check_logic_loops`, which asks it of every instance, with its syntax tree made anew.
use super::node::{Kind, Node, Segment};
use rust_hdl::core::ast::{VerilogBlock, VerilogExpression};
use rust_hdl::prelude::VerilogVisitor;
use std::collections::{BTreeSet, HashSet};

/// The local signals and outputs of `node` that an assignment of `code` reads before any has written them.
pub(super) fn read_too_early(node: &Node, code: &VerilogBlock) -> BTreeSet<String> {
    let own = |path: &[Segment]| match path {
        [Segment::Name(name)] => Some(name.clone()),
        _ => None,
    };
    let written_here = node.atoms.iter().filter(|atom| matches!(atom.kind, Kind::Local | Kind::Out));
    let mut order =
        Order { suspects: written_here.filter_map(|atom| own(&atom.path)).collect(), ..Order::default() };
    order.visit_block(code);
    order.early
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Side {
    /// Conditions: what they read is not looked at.
    #[default]
    Neither,
    Read,
    Written,
}

#[derive(Default)]
struct Order {
    suspects: HashSet<String>,
    written: HashSet<String>,
    early: BTreeSet<String>,
    side: Side,
}

impl Order {
    fn assignment(&mut self, target: &VerilogExpression, reads: &[&VerilogExpression]) {
        let outside = self.side;
        self.side = Side::Read;
        reads.iter().for_each(|value| self.visit_expression(value));
        self.side = Side::Written;
        self.visit_expression(target);
        self.side = outside;
    }
}

impl VerilogVisitor for Order {
    fn visit_assignment(&mut self, target: &VerilogExpression, value: &VerilogExpression) {
        self.assignment(target, &[value]);
    }

    fn visit_slice_assignment(
        &mut self,
        base: &VerilogExpression,
        _width: &usize,
        offset: &VerilogExpression,
        replacement: &VerilogExpression,
    ) {
        self.assignment(base, &[offset, replacement]);
    }

    fn visit_signal(&mut self, name: &str) {
        let name = name.strip_suffix("$next").unwrap_or(name);
        match self.side {
            Side::Written => {
                self.written.insert(name.to_owned());
            }
            Side::Read if self.suspects.contains(name) && !self.written.contains(name) => {
                self.early.insert(name.to_owned());
            }
            _ => {}
        }
    }
}
