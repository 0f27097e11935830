//! Uniformity across the functions of a file: what callers pass, and what the called return.

use std::collections::{BTreeMap, BTreeSet};

use super::constants::Constants;
use super::frame::Frame;
use super::graph::Graph;
use super::parse::File;
use super::places::{Places, Register};
use super::select::{convert, Chosen};
use super::uniformity::{Results, Uniformity};
use super::{Convention, Error};

/// A function with all that has been found out of it.
#[derive(Debug)]
pub struct Analysed {
    pub graph: Graph,
    pub frame: Frame,
    pub uniformity: Uniformity,
    /// Branches for which all lanes compute both sides.
    pub chosen: Vec<Chosen>,
}

/// The functions of a file that are to be marked, by name, and what their results are.
#[derive(Debug)]
pub struct Analysis {
    pub functions: BTreeMap<String, Analysed>,
    pub results: Results,
}

/// What the functions that a grid's blocks run are called, before the names of their kernels: all lanes get the same
/// argument.
pub const BODY_OF: &str = "simt_body_of_";
const FIRST_ARGUMENT: Register = 10;

impl Analysis {
    /// # Errors
    /// A jump out of a function.
    pub fn new(file: &File, convention: Convention) -> Result<Self, Error> {
        let mut graphs = BTreeMap::new();
        for function in file.functions().filter(|function| !function.by_hand) {
            let graph = Graph::new(function)?;
            let frame = Frame::new(&graph);
            graphs.insert(function.name.clone(), (graph, frame));
        }
        let open = open(file);
        let mut first = Self::of(graphs, &open);
        let mut all = BTreeMap::new();
        let mut graphs = BTreeMap::new();
        for (name, function) in std::mem::take(&mut first.functions) {
            let Analysed { mut graph, uniformity, .. } = function;
            all.insert(name.clone(), convert(&mut graph, &uniformity.divergent, convention, &name)?);
            let frame = Frame::new(&graph);
            graphs.insert(name, (graph, frame));
        }
        let mut analysis = Self::of(graphs, &open);
        for (name, function) in &mut analysis.functions {
            function.chosen = all.remove(name).unwrap_or_default();
        }
        Ok(analysis)
    }

    /// Analyses functions together. Those that are not open are called by these alone: their arguments are taken to be the
    /// same in all lanes until a caller shows otherwise.
    fn of(graphs: BTreeMap<String, (Graph, Frame)>, open: &BTreeSet<String>) -> Self {
        let first = |name: &String| match open.contains(name) {
            _ if name.starts_with(BODY_OF) => Places::one(FIRST_ARGUMENT),
            true => Places::NONE,
            false => Places::ARGUMENTS,
        };
        let mut uniform: BTreeMap<String, Places> =
            graphs.keys().map(|name| (name.clone(), first(name))).collect();
        let mut results: Results = graphs.keys().map(|name| (name.clone(), Places::NONE)).collect();
        let constants: BTreeMap<String, Constants> =
            graphs.iter().map(|(name, (graph, _))| (name.clone(), Constants::new(graph))).collect();
        loop {
            let known = (uniform.clone(), results.clone());
            let mut found = BTreeMap::new();
            for (name, (graph, frame)) in &graphs {
                let uniformity = Uniformity::new(graph, frame, &constants[name], uniform[name], &results);
                if let Some(result) = results.get_mut(name) {
                    *result |= uniformity.results;
                }
                for (callee, varying) in &uniformity.calls {
                    if let Some(arguments) = uniform.get_mut(callee).filter(|_| !callee.starts_with(BODY_OF))
                    {
                        *arguments = *arguments - *varying;
                    }
                }
                found.insert(name.clone(), uniformity);
            }
            if known == (uniform.clone(), results.clone()) {
                let whole = |(name, (graph, frame))| {
                    let uniformity = found.remove(&name)?;
                    Some((name, Analysed { graph, frame, uniformity, chosen: vec![] }))
                };
                return Self { functions: graphs.into_iter().filter_map(whole).collect(), results };
            }
        }
    }
}

/// Functions that others may call than those of the file which are to be marked: other files see them, somebody has their
/// address, or a function that is marked by hand mentions them.
fn open(file: &File) -> BTreeSet<String> {
    let by_hand =
        || file.functions().filter(|function| function.by_hand).flat_map(|function| &function.lines);
    let by_hand = |name: &str| by_hand().any(|line| line.split_whitespace().any(|word| word == name));
    let open = |name: &&String| file.global.contains(*name) || file.taken.contains(*name) || by_hand(name);
    file.functions().map(|function| &function.name).filter(open).cloned().collect()
}
