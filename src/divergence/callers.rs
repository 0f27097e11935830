//! Uniformity across the functions of a file: what callers pass, and what the called return.

use std::collections::BTreeMap;

use super::frame::Frame;
use super::graph::Graph;
use super::parse::File;
use super::places::{Places, Register};
use super::uniformity::{Results, Uniformity};
use super::Error;

/// A function with all that has been found out of it.
#[derive(Debug)]
pub struct Analysed {
    pub graph: Graph,
    pub frame: Frame,
    pub uniformity: Uniformity,
}

/// The functions of a file that are to be marked, by name, and what their results are.
#[derive(Debug)]
pub struct Analysis {
    pub functions: BTreeMap<String, Analysed>,
    pub results: Results,
}

/// The prefix of the functions that a grid's blocks run: all lanes get the same argument.
const ENTRIES: &str = "simt_body_of_";
const FIRST_ARGUMENT: Register = 10;

impl Analysis {
    /// # Errors
    /// A jump out of a function.
    pub fn new(file: &File) -> Result<Self, Error> {
        let mut graphs = BTreeMap::new();
        for function in file.functions().filter(|function| !function.by_hand) {
            let graph = Graph::new(function)?;
            let frame = Frame::new(&graph);
            graphs.insert(function.name.clone(), (graph, frame));
        }
        // All callers are known of a function that no other file sees and whose address nobody has taken. Its arguments
        // are taken to be the same in all lanes until a caller shows otherwise; functions marked by hand are such callers.
        let called_by_hand = |name: &String| {
            file.functions().filter(|function| function.by_hand).any(|function| {
                function.lines.iter().any(|line| line.split_whitespace().any(|word| word == name))
            })
        };
        let open =
            |name: &String| file.global.contains(name) || file.taken.contains(name) || called_by_hand(name);
        let first = |name: &String| match open(name) {
            _ if name.starts_with(ENTRIES) => Places::one(FIRST_ARGUMENT),
            true => Places::NONE,
            false => Places::ARGUMENTS,
        };
        let mut uniform: BTreeMap<String, Places> =
            graphs.keys().map(|name| (name.clone(), first(name))).collect();
        let mut results: Results = graphs.keys().map(|name| (name.clone(), Places::NONE)).collect();
        loop {
            let known = (uniform.clone(), results.clone());
            let mut found = BTreeMap::new();
            for (name, (graph, frame)) in &graphs {
                let uniformity = Uniformity::new(graph, frame, uniform[name], &results);
                if let Some(result) = results.get_mut(name) {
                    *result |= uniformity.results;
                }
                for (callee, varying) in &uniformity.calls {
                    if let Some(arguments) = uniform.get_mut(callee).filter(|_| !callee.starts_with(ENTRIES))
                    {
                        *arguments = *arguments - *varying;
                    }
                }
                found.insert(name.clone(), uniformity);
            }
            if known == (uniform.clone(), results.clone()) {
                let whole = |(name, (graph, frame))| {
                    let uniformity = found.remove(&name)?;
                    Some((name, Analysed { graph, frame, uniformity }))
                };
                return Ok(Self { functions: graphs.into_iter().filter_map(whole).collect(), results });
            }
        }
    }
}
