//! Reads a design through rust-hdl's `Probe`: the tree of blocks with their signals and their syntax trees.
use super::value::Value;
use crate::rtl::bundle::{BACKWARD_MARK, RESET_MARK};
use crate::rtl::cell::{REGISTER, WIDTH_MARK};
use crate::rtl::module::{DESCRIPTION_MARK, GROUP_MARK, HEADING};
use rust_hdl::prelude::*;

/// One signal or constant of a block.
#[derive(Clone, Debug, Hash)]
pub(super) struct Atom {
    /// Path inside the block: names, and numbers for array elements (`bus$0$address` is `bus`, 0, `address`).
    pub(super) path: Vec<Segment>,
    pub(super) kind: Kind,
    /// In a bundle: it goes from the consumer to the producer.
    pub(super) backward: bool,
    /// In a bundle: a register of it has a reset.
    pub(super) reset: bool,
    /// What it is, for a port's line.
    pub(super) description: Option<String>,
    /// What the ports are that begin with this one.
    pub(super) group: Option<String>,
    /// Width of the Rust type.
    pub(super) bits: usize,
    /// Configured width, which the Verilog declares.
    pub(super) width: usize,
    pub(super) signed: bool,
    /// Of a constant.
    pub(super) value: Value,
    pub(super) negative: bool,
    /// Names of the variants (`Type::Variant`) of the enums in the signal's type, by enum.
    pub(super) enums: Vec<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Segment {
    Name(String),
    Index(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    In,
    Out,
    Local,
    Constant,
    Unsupported,
}

/// A block: its signals, its children, its code.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Field name in the parent, with the array indices.
    pub(super) path: Vec<Segment>,
    pub(super) atoms: Vec<Atom>,
    pub(super) children: Vec<Node>,
    pub(super) code: Verilog,
    /// Name and comment of the module, from its declaration.
    pub(super) heading: Option<(String, String)>,
    /// A `Reg` or `Pipe` cell, printed inside its parent.
    pub(super) register: bool,
}

impl Node {
    /// The path as the Rust source has it, for messages.
    pub(super) fn rust_path(&self) -> String {
        rust_path(&self.path)
    }
}

/// A path as the Rust source has it.
pub(super) fn rust_path(path: &[Segment]) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Name(name) if text.is_empty() => text.push_str(name),
            Segment::Name(name) => text.extend([".", name]),
            Segment::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

fn split(name: &str) -> Vec<Segment> {
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

#[derive(Default)]
struct Collector {
    /// Open blocks, each with the namespace (interface) it stands in.
    open: Vec<(Node, Vec<Segment>)>,
    namespace: Vec<Segment>,
    top: Option<Node>,
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
        self.open.push((Node { path, atoms: vec![], children: vec![], code, heading, register }, outer));
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.namespace.extend(split(name));
    }

    fn visit_end_namespace(&mut self, name: &str, _: &dyn Block) {
        let keep = self.namespace.len() - name.split('$').count();
        self.namespace.truncate(keep);
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn rust_hdl::prelude::Atom) {
        let Some((node, _)) = self.open.last_mut() else { return };
        let mut path = self.namespace.clone();
        path.extend(split(name));
        let descriptor = atom.descriptor();
        let marks = Marks::of(atom);
        let mut found = vec![];
        enums(&descriptor.kind, &mut found);
        let (value, negative) = match atom.kind() {
            AtomKind::Constant => Value::parse(&atom.verilog()),
            _ => Default::default(),
        };
        node.atoms.push(Atom {
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
        let Some((node, outer)) = self.open.pop() else { return };
        self.namespace = outer;
        match self.open.last_mut() {
            Some((parent, _)) if node.heading.is_some() && node.atoms.is_empty() => {
                parent.heading = node.heading
            }
            Some((parent, _)) => parent.children.push(node),
            None => self.top = Some(node),
        }
    }
}

/// The tree of blocks below and with `block`.
pub(super) fn collect(block: &dyn Block, name: &str) -> Option<Node> {
    let mut collector = Collector::default();
    block.accept(name, &mut collector);
    collector.top
}
