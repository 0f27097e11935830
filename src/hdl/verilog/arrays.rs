//! How long the arrays are that a bundle's ports hold, for who reads them from outside.
use super::collect::split;
use super::names::joined;
use super::node::Segment;
use rust_hdl::prelude::*;
use std::collections::BTreeMap;

/// Names of the ports that a bundle called `name` has in the Verilog, and the dimensions of each, the outermost first.
pub type Arrays = BTreeMap<String, Vec<usize>>;

/// The ports of a bundle called `name`.
pub fn arrays(name: &str, bundle: &impl Block) -> Arrays {
    let mut reader = Reader::default();
    bundle.accept(name, &mut reader);
    reader.found
}

#[derive(Default)]
struct Reader {
    namespace: Vec<Segment>,
    found: Arrays,
}

impl Probe for Reader {
    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.namespace.extend(split(name));
    }

    fn visit_end_namespace(&mut self, name: &str, _: &dyn Block) {
        self.namespace.truncate(self.namespace.len() - split(name).len());
    }

    fn visit_atom(&mut self, name: &str, _: &dyn rust_hdl::prelude::Atom) {
        let path: Vec<_> = self.namespace.iter().cloned().chain(split(name)).collect();
        let (mut names, mut dims) = (vec![], vec![]);
        for segment in &path {
            match segment {
                Segment::Name(name) => names.push(name.as_str()),
                Segment::Index(index) => dims.push(index + 1),
            }
        }
        // Of an array the last element comes last, and stays.
        self.found.insert(joined(&names), dims);
    }
}
