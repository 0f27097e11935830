//! What is read of a design: the tree of blocks, each with its signals, its children and its syntax tree.
use super::value::Value;
use rust_hdl::core::ast::Verilog;
use std::ops::Deref;
use std::sync::Arc;

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

/// A block in its place. Blocks that are alike share their body: of hundreds of lanes one is kept, and printed.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Field name in the parent, with the array indices.
    pub(super) path: Vec<Segment>,
    pub(super) body: Arc<Body>,
}

/// What a block is: its signals, its children, its code.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) atoms: Vec<Atom>,
    pub(super) children: Vec<Node>,
    pub(super) code: Verilog,
    /// Name and comment of the module, from its declaration.
    pub(super) heading: Option<(String, String)>,
    /// A `Reg` or `Pipe` cell, printed inside its parent.
    pub(super) register: bool,
    /// A hash of all the above once it is complete: the same for what is alike, in whatever tree.
    pub(super) fingerprint: u64,
}

impl Deref for Node {
    type Target = Body;
    fn deref(&self) -> &Body {
        &self.body
    }
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
