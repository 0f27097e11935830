//! Verilog back end: reads rust-hdl's public syntax tree and prints exact-width, deduplicated, readable Verilog.
//!
//! The way of a design: `collect` reads the blocks through a `Probe` into `node`s; `signals` (with `groups`) regroups arrays and settles names and
//! widths; `lower` (with `places`, `types`, `expr`, `bits`) turns a module's logic into statements whose expressions have exact widths;
//! `order`, `scratch`, `check`, `fold` and `vectors` find reads before writes, separate variables of loops, find latches,
//! drop what the configuration excludes and say loops over bits as vectors; `dead` drops what is overwritten unread; `walk` goes through statements and expressions; `simplify` (with `constants`, `adjacent`) does what constants decide; `from_logic` and `process` split the statements into assignments and always blocks, by what follows what within a cycle (`paths`);
//! `build` (with `registers`, `connect`, `select`) chooses the form of each, `steps` their order; `unread` finds what nothing reads; `print` writes the text (with `wrap`); `emit` does so
//! once for each distinct body, whatever designs it is in, which `fingerprint` tells apart as they are read; `sizes` names what is of one kind. `variants` puts variants of a part behind one instance.
mod about;
mod adjacent;
mod arrays;
mod bits;
mod build;
mod check;
mod collect;
mod concat;
mod connect;
mod constants;
mod dead;
mod design;
mod emit;
mod error;
mod expr;
mod fingerprint;
mod fold;
mod from_logic;
mod groups;
mod ir;
mod link;
mod lower;
mod module;
mod names;
mod node;
mod order;
mod paths;
mod places;
mod print;
mod print_block;
mod print_expr;
mod print_ports;
mod process;
mod registers;
mod rename;
mod scratch;
mod select;
mod signals;
mod simplify;
mod sizes;
mod steps;
mod types;
mod unread;
mod usage;
mod value;
mod variants;
mod vectors;
mod walk;
mod wrap;

pub use arrays::{arrays, Arrays};
pub use design::{Design, Module, Package, Port, CORE_FILE, FILE_LIST};
pub use error::VerilogError;
pub use variants::Site;

use rust_hdl::prelude::Block;

/// Says why: rust-hdl hands the text on, at simulation it does nothing. It is printed where it stands; a number and a dot
/// head a step.
///
/// A module that [`module!`](macro@crate::module) has not declared gives its name in the first statement of its logic,
/// `comment!("module Name")`; further text in it becomes the module's header comment.
#[macro_export]
macro_rules! comment {
    ($text:literal) => {};
}

/// Connects `block` and prints it, with everything it contains, as Verilog; `top` names the outermost module.
///
/// `header` is put, as comment lines, at the head of the file of `top`. Fails with all reasons at once: what
/// rust-hdl's own checks would find (open signals, logic loops, writes to inputs), names that Verilog cannot have,
/// mixed widths, latches.
pub fn emit<B: Block>(block: &mut B, top: &str, header: &[String]) -> Result<Design, Vec<VerilogError>> {
    Tree::read(block, top)?.emit(header)
}

/// A design that has been read and not printed yet: parts of it may get variants.
#[derive(Clone, Debug)]
pub struct Tree {
    node: node::Node,
    top: String,
    /// The signals that nothing drives.
    unconnected: Vec<VerilogError>,
}

impl Tree {
    /// Connects `block` and reads it, with everything it contains; `top` names the outermost module.
    ///
    /// # Errors
    /// There is nothing to read.
    pub fn read<B: Block>(block: &mut B, top: &str) -> Result<Self, Vec<VerilogError>> {
        block.connect_all();
        match collect::collect(block, top) {
            (Some(node), unconnected) => Ok(Self { node, top: top.to_owned(), unconnected }),
            (None, _) => Err(vec![VerilogError::new(top, "the block presents nothing to a probe")]),
        }
    }

    /// Puts what the variants have at `site` behind one instance, of which an input of the design selects one by its
    /// number here; the design must have such a part too, of the same ports.
    ///
    /// # Errors
    /// A part that is missing, or that has other ports.
    pub fn serve(&mut self, site: Site, variants: &[Self]) -> Result<(), VerilogError> {
        let variants: Vec<_> = variants.iter().map(|variant| &variant.node).collect();
        variants::serve(&mut self.node, site, &variants)
    }

    /// Prints it, `header` as comment lines at the head of the outermost module's file.
    ///
    /// # Errors
    /// All reasons at once, as [`emit`].
    pub fn emit(&self, header: &[String]) -> Result<Design, Vec<VerilogError>> {
        let mut emitter = emit::Emitter::new(header);
        if names::is_keyword(&self.top) {
            let message = "the name of the top module is a Verilog keyword";
            emitter.errors.insert(VerilogError::new(&self.top, message));
        }
        emitter.node(&self.node, &self.top, Some(&self.top));
        if !emitter.errors.is_empty() {
            return Err(emitter.errors.into_iter().collect());
        }
        // What no logic drives is told better by the logic's own check, so these come last.
        if !self.unconnected.is_empty() {
            return Err(self.unconnected.clone());
        }
        let (ports, modules) = emitter.finish();
        Ok(Design { top: self.top.clone(), ports, modules, package: Package::default() })
    }
}
