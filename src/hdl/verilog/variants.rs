//! Several variants of a part behind one instance, the outputs those of the variant that an input of the design selects.
//!
//! What is put there is a block like those that are read from a design: it has the ports of its variants, contains them all, and has a
//! logic in rust-hdl's own syntax tree, so that it is lowered, checked and printed like every other.
use super::error::VerilogError;
use super::node::{rust_path, Atom, Body, Kind, Node, Segment};
use super::value::Value;
use rust_hdl::core::ast::{
    VerilogCase, VerilogExpression, VerilogLiteral, VerilogLoop, VerilogMatch, VerilogStatement,
};
use rust_hdl::prelude::Verilog;
use std::sync::Arc;

/// Bits of the input that selects a variant.
const SELECT_BITS: usize = 8;

/// Where variants go, and by what they are selected.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// The last fields on the way to the part, without array indices: the last one is the part's own.
    pub part: &'a [&'a str],
    /// The input of the design, eight bits wide, that selects a variant by its number.
    pub select: &'a str,
}

/// Puts the parts that `variants` have at `site` behind the instance that `host` has there; every block on the way to it
/// gets the input that selects.
pub(super) fn serve(host: &mut Node, site: Site, variants: &[&Node]) -> Result<(), VerilogError> {
    let none = || VerilogError::new(host.rust_path(), format!("there is no `{}`", site.part.join(".")));
    *host = served(host, site, variants, &mut vec![])?.ok_or_else(none)?;
    Ok(())
}

/// The block with variants at the sites below it, if there are any; `way` leads to it.
fn served(
    node: &Node,
    site: Site,
    variants: &[&Node],
    way: &mut Vec<Vec<Segment>>,
) -> Result<Option<Node>, VerilogError> {
    let mut children = node.children.clone();
    let mut forwards = vec![];
    for child in children.iter_mut().filter(|child| !child.register) {
        way.push(child.path.clone());
        let changed = match is_site(way, site) {
            true => Some(choice(child, site, &parts(variants, way)?)?),
            false => served(child, site, variants, way)?,
        };
        way.pop();
        if let Some(changed) = changed {
            let target = format!("{}${}$next", logic_path(&child.path), site.select);
            forwards.push(assign(target, site.select.into()));
            *child = changed;
        }
    }
    if forwards.is_empty() {
        return Ok(None);
    }
    let mut body = Body { children, ..Body::clone(&node.body) };
    let Verilog::Combinatorial(code) = &mut body.code else {
        return Err(VerilogError::new(node.rust_path(), "a block around variants has no logic"));
    };
    code.extend(forwards);
    // Other variants may be selected by the same input.
    if !body.atoms.iter().any(|atom| atom.path == select_path(site)) {
        body.atoms.push(select_input(site));
    }
    Ok(Some(Node { path: node.path.clone(), body: Arc::new(body.complete()) }))
}

fn is_site(way: &[Vec<Segment>], site: Site) -> bool {
    let names = way.iter().flatten().filter_map(|segment| match segment {
        Segment::Name(name) => Some(name.as_str()),
        Segment::Index(_) => None,
    });
    names.collect::<Vec<_>>().ends_with(site.part)
}

/// What each of the variants has at the end of `way`.
fn parts<'n>(variants: &[&'n Node], way: &[Vec<Segment>]) -> Result<Vec<&'n Node>, VerilogError> {
    let part = |variant: &&'n Node| {
        way.iter().try_fold(*variant, |node, path| {
            let found = node.children.iter().find(|child| child.path == *path);
            found.ok_or_else(|| VerilogError::new(node.rust_path(), format!("no `{}` here", rust_path(path))))
        })
    };
    variants.iter().map(part).collect()
}

/// The block that takes the place of `original`.
fn choice(original: &Node, site: Site, parts: &[&Node]) -> Result<Node, VerilogError> {
    let shape = |node: &Node| -> Vec<_> {
        ports(node).map(|port| (port.path.clone(), port.width, port.kind)).collect()
    };
    if parts.iter().any(|part| shape(part) != shape(original)) {
        return Err(VerilogError::new(original.rust_path(), "the variants differ in their ports"));
    }
    let dish = |(number, part): (usize, &&Node)| Node { path: vec![dish_name(number)], ..(*part).clone() };
    let body = Body {
        atoms: ports(original).cloned().chain([select_input(site)]).collect(),
        children: parts.iter().enumerate().map(dish).collect(),
        code: Verilog::Combinatorial(logic(original, site, parts.len())),
        heading: None,
        register: false,
        fingerprint: 0,
    };
    Ok(Node { path: original.path.clone(), body: Arc::new(body.complete()) })
}

fn ports(node: &Node) -> impl Iterator<Item = &Atom> {
    node.atoms.iter().filter(|atom| matches!(atom.kind, Kind::In | Kind::Out))
}

fn dish_name(number: usize) -> Segment {
    Segment::Name(format!("dish_{number}"))
}

/// All variants get the inputs; the outputs are those of the selected one, of the last one if there is none of the number.
fn logic(original: &Node, site: Site, variants: usize) -> Vec<VerilogStatement> {
    let mut code = vec![VerilogStatement::Comment(
        "module Variants: Variants of a part, all told the same; the outputs are those of the selected one."
            .into(),
    )];
    let (inputs, outputs) = (whole_ports(original, Kind::In), whole_ports(original, Kind::Out));
    for number in 0..variants {
        code.extend(
            inputs
                .iter()
                .map(|port| port.each(|path| assign(format!("dish_{number}${path}$next"), path.into()))),
        );
    }
    let last = variants.saturating_sub(1);
    let case = |number: usize| VerilogCase {
        condition: if number == last { "default".into() } else { number.to_string() },
        block: outputs
            .iter()
            .map(|port| port.each(|path| assign(format!("{path}$next"), format!("dish_{number}${path}"))))
            .collect(),
    };
    code.push(VerilogStatement::Match(VerilogMatch {
        test: VerilogExpression::Signal(site.select.into()),
        cases: (0..variants).map(case).collect(),
    }));
    code
}

/// A port, all elements of it if it is an array.
struct Port {
    /// As a module's logic writes it, with a loop variable for each index.
    path: String,
    /// Each loop variable with the elements of its dimension, outermost first.
    loops: Vec<(String, usize)>,
}

impl Port {
    /// The statement for each element.
    fn each(&self, statement: impl Fn(&str) -> VerilogStatement) -> VerilogStatement {
        self.loops.iter().rev().fold(statement(&self.path), |body, (index, length)| {
            VerilogStatement::Loop(VerilogLoop {
                index: index.clone(),
                from: VerilogLiteral::from(0_usize),
                to: VerilogLiteral::from(*length),
                block: vec![body],
            })
        })
    }
}

/// The ports of a kind, in the order of their first elements.
fn whole_ports(node: &Node, kind: Kind) -> Vec<Port> {
    let mut whole: Vec<Port> = vec![];
    for port in ports(node).filter(|port| port.kind == kind) {
        let (mut path, mut loops) = (String::new(), vec![]);
        for segment in &port.path {
            match segment {
                Segment::Name(name) => path += &format!("{}{name}", if path.is_empty() { "" } else { "$" }),
                Segment::Index(index) => {
                    let variable = format!("index_{}", loops.len());
                    path += &format!("[{variable}]");
                    loops.push((variable, index + 1));
                }
            }
        }
        match whole.iter_mut().find(|other| other.path == path) {
            // The last element says how many there are.
            Some(other) => other.loops = loops,
            None => whole.push(Port { path, loops }),
        }
    }
    whole
}

/// A path as a module's logic writes it.
fn logic_path(path: &[Segment]) -> String {
    rust_path(path).replace('.', "$")
}

fn assign(target: String, value: String) -> VerilogStatement {
    VerilogStatement::Assignment(VerilogExpression::Signal(target), VerilogExpression::Signal(value))
}

fn select_path(site: Site) -> Vec<Segment> {
    vec![Segment::Name(site.select.into())]
}

fn select_input(site: Site) -> Atom {
    Atom {
        path: select_path(site),
        kind: Kind::In,
        backward: false,
        reset: false,
        description: Some("Which variant takes part.".into()),
        group: None,
        bits: SELECT_BITS,
        width: SELECT_BITS,
        signed: false,
        value: Value::default(),
        negative: false,
        enums: vec![],
    }
}
