//! Reads a design through rust-hdl's `Probe`: the tree of blocks with their signals and their syntax trees.
use super::error::VerilogError;
use super::node::{rust_path, Atom, Body, Kind, Node, Segment};
use super::value::Value;
use crate::bundle::{BACKWARD_MARK, RESET_MARK};
use crate::cell::{REGISTER, WIDTH_MARK};
use crate::heading::HEADING;
use crate::module::{DESCRIPTION_MARK, GROUP_MARK};
use rust_hdl::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// The steps of a name of rust-hdl's.
pub(super) fn split(name: &str) -> Vec<Segment> {
    name.split('$')
        .map(|part| part.parse().map_or_else(|_| Segment::Name(part.into()), Segment::Index))
        .collect()
}

fn enums(kind: &TypeKind, found: &mut Vec<Vec<String>>) {
    match kind {
        TypeKind::Enum(variants) => found.push(variants.clone()),
        TypeKind::Composite(fields) => fields.iter().for_each(|field| enums(&field.kind.kind, found)),
        TypeKind::Bits(_) | TypeKind::Signed(_) => {}
    }
}

/// What the cells and bundles of `rtl` have marked a signal with; rust-hdl makes the list anew for each who asks.
struct Marks(Vec<PinConstraint>);

impl Marks {
    fn of(atom: &dyn rust_hdl::prelude::Atom) -> Self {
        Self(atom.constraints())
    }

    /// The texts behind `prefix`, in the order of the marks.
    fn all<'a>(&'a self, prefix: &'a str) -> impl DoubleEndedIterator<Item = &'a str> {
        self.0.iter().filter_map(move |pin| match &pin.constraint {
            Constraint::Custom(text) => text.strip_prefix(prefix),
            _ => None,
        })
    }

    /// The first text behind `prefix`.
    fn get(&self, prefix: &str) -> Option<String> {
        self.all(prefix).next().map(str::to_owned)
    }

    /// What the bundles are that begin with a signal, a line each, the outermost first; the inner ones were marked first.
    fn groups(&self) -> Option<String> {
        let mut texts: Vec<&str> = vec![];
        for text in self.all(GROUP_MARK).rev() {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        (!texts.is_empty()).then(|| texts.join("\n"))
    }
}

/// A block whose end has not been reached.
struct Open {
    path: Vec<Segment>,
    body: Body,
    /// The namespace (interface) it stands in.
    outer: Vec<Segment>,
}

#[derive(Default)]
struct Collector {
    open: Vec<Open>,
    namespace: Vec<Segment>,
    /// The bodies so far, by their fingerprints.
    bodies: HashMap<u64, Arc<Body>>,
    top: Option<Node>,
    unconnected: Vec<VerilogError>,
}

impl Collector {
    /// rust-hdl's rule: every signal is connected, but the inputs of the design.
    fn check_connected(&mut self, path: &[Segment], atom: &dyn rust_hdl::prelude::Atom) {
        let is_input = matches!(atom.kind(), AtomKind::InputParameter | AtomKind::InOutParameter);
        if !(atom.connected() || is_input && self.open.len() == 1) {
            let way = self.open.iter().flat_map(|open| open.path.iter().cloned());
            let message = format!("`{}` is not connected", rust_path(path));
            self.unconnected.push(VerilogError::new(rust_path(&way.collect::<Vec<_>>()), message));
        }
    }
}

impl Probe for Collector {
    fn visit_start_scope(&mut self, name: &str, block: &dyn Block) {
        let timing = block.timing();
        let register = timing.first().is_some_and(|timing| timing.name == REGISTER);
        let code = if register { Verilog::Empty } else { block.hdl() };
        let outer = std::mem::take(&mut self.namespace);
        let path = outer.iter().cloned().chain(split(name)).collect();
        let heading = timing.into_iter().find(|timing| timing.name == HEADING);
        let heading = heading.map(|timing| (timing.clock, timing.inputs.concat()));
        let body = Body { atoms: vec![], children: vec![], code, heading, register, fingerprint: 0 };
        self.open.push(Open { path, body, outer });
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.namespace.extend(split(name));
    }

    fn visit_end_namespace(&mut self, name: &str, _: &dyn Block) {
        let keep = self.namespace.len() - name.split('$').count();
        self.namespace.truncate(keep);
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn rust_hdl::prelude::Atom) {
        let mut path = self.namespace.clone();
        path.extend(split(name));
        self.check_connected(&path, atom);
        let Some(Open { body, .. }) = self.open.last_mut() else { return };
        let descriptor = atom.descriptor();
        let marks = Marks::of(atom);
        let mut found = vec![];
        enums(&descriptor.kind, &mut found);
        let (value, negative) = match atom.kind() {
            AtomKind::Constant => Value::parse(&atom.verilog()),
            _ => Default::default(),
        };
        body.atoms.push(Atom {
            path,
            kind: match atom.kind() {
                AtomKind::InputParameter => Kind::In,
                AtomKind::OutputParameter => Kind::Out,
                AtomKind::LocalSignal => Kind::Local,
                AtomKind::Constant => Kind::Constant,
                _ => Kind::Unsupported,
            },
            backward: marks.get(BACKWARD_MARK).is_some(),
            reset: marks.get(RESET_MARK).is_some(),
            description: marks.get(DESCRIPTION_MARK),
            group: marks.groups(),
            bits: atom.bits(),
            width: marks.get(WIDTH_MARK).and_then(|width| width.parse().ok()).unwrap_or(atom.bits()).max(1),
            signed: matches!(descriptor.kind, TypeKind::Signed(_)),
            value,
            negative,
            enums: found,
        });
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        let Some(Open { path, body, outer }) = self.open.pop() else { return };
        self.namespace = outer;
        let mut parent = self.open.last_mut().map(|open| &mut open.body);
        if let Some(parent) = parent.as_mut().filter(|_| body.heading.is_some() && body.atoms.is_empty()) {
            parent.heading = body.heading;
            return;
        }
        let body = body.complete();
        let body = self.bodies.entry(body.fingerprint).or_insert_with(|| Arc::new(body)).clone();
        let node = Node { path, body };
        match parent {
            Some(parent) => parent.children.push(node),
            None => self.top = Some(node),
        }
    }
}

/// The tree of blocks below and with `block`, if it presents any, and the signals that nothing drives.
pub(super) fn collect(block: &dyn Block, name: &str) -> (Option<Node>, Vec<VerilogError>) {
    let mut collector = Collector::default();
    block.accept(name, &mut collector);
    collector.unconnected.sort();
    (collector.top, collector.unconnected)
}
