//! From the tree of blocks to modules: children first, one module for each distinct body.
use super::check::check;
use super::collect::{rust_path, Node, Segment};
use super::design::Module as Text;
use super::error::VerilogError;
use super::ir::{Role, SignalId};
use super::lower::{comment_text, lower};
use super::module::Module;
use super::names::is_keyword;
use super::print::print;
use super::process::Through;
use super::signals::Scope;
use super::usage::Usage;
use rust_hdl::core::ast::VerilogStatement;
use rust_hdl::prelude::Verilog;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A module that has been printed, as its parents see it.
struct Emitted {
    name: String,
    /// Combinational paths: for each input port the output ports that follow it.
    through: Vec<(String, Vec<String>)>,
}

/// Prints modules and keeps them apart.
#[derive(Default)]
pub(super) struct Emitter {
    header: String,
    pub(super) modules: Vec<Text>,
    emitted: Vec<Emitted>,
    by_source: HashMap<(u64, u64), usize>,
    by_text: HashMap<(String, String), usize>,
    names: HashMap<String, usize>,
    pub(super) errors: BTreeSet<VerilogError>,
}

/// Feeds formatted text to a hasher.
struct HashWriter<'a>(&'a mut DefaultHasher);

impl Write for HashWriter<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

impl Emitter {
    pub(super) fn new(header: &[String]) -> Self {
        let header = header.iter().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
        Self { header, ..Self::default() }
    }

    /// Emits `node` and everything below; returns its number.
    pub(super) fn node(&mut self, node: &Node, path: &str, top: Option<&str>) -> usize {
        let children: Vec<Option<usize>> = node
            .children
            .iter()
            .map(|child| {
                let path = format!("{path}.{}", rust_path(&child.path));
                (!child.register).then(|| self.node(child, &path, None))
            })
            .collect();
        let key = fingerprint(node, &children);
        match (self.by_source.get(&key), top) {
            (Some(&known), None) => known,
            _ => {
                let emitted = self.module(node, path, top, &children);
                self.by_source.insert(key, emitted);
                emitted
            }
        }
    }

    fn module(&mut self, node: &Node, path: &str, top: Option<&str>, children: &[Option<usize>]) -> usize {
        let mut scope = Scope::new(node);
        let mut errors = std::mem::take(&mut scope.errors);
        let fallback = || camel_case(&own_name(node));
        let (name, comment, text, through) = match &node.code {
            Verilog::Combinatorial(code) => {
                let (name, comment, code) = heading(code);
                let name = name.unwrap_or_else(fallback);
                let modules = self.child_modules(&scope, children);
                let through = self.through(&scope, children);
                let kernel = lower(&mut scope, code);
                check(&mut scope, &kernel);
                errors.append(&mut scope.errors);
                let paths = paths(&scope, &Usage::new(&kernel), &through);
                let module = Module::from_kernel(scope, kernel, &modules, &through);
                errors.extend(module.scope.errors.iter().cloned());
                // A module that is in error may be too inconsistent to print.
                let text = if errors.is_empty() { print(&module) } else { String::new() };
                (name, comment, text, paths)
            }
            Verilog::Custom(text) => {
                let (name, comment, text) = custom_heading(text);
                let name = name.unwrap_or_else(fallback);
                let paths = leaf_paths(&scope, &text);
                (name, comment, print(&Module::from_text(scope, &text)), paths)
            }
            Verilog::Wrapper(wrapper) => {
                let (name, comment, text) = custom_heading(&wrapper.code);
                let name = name.unwrap_or_else(fallback);
                let paths = leaf_paths(&scope, &text);
                let module = Module::from_netlist(scope, &text);
                (name, comment, print(&module) + "\n" + &wrapper.cores, paths)
            }
            Verilog::Blackbox(blackbox) => {
                let paths = leaf_paths(&scope, "");
                return self.finish(blackbox.name.clone(), String::new(), blackbox.code.clone(), paths, true);
            }
            Verilog::Empty => (fallback(), String::new(), print(&Module::from_netlist(scope, "")), vec![]),
        };
        if is_keyword(&name) {
            errors.push(format!("module name `{name}` is a Verilog keyword"));
        }
        self.errors.extend(errors.into_iter().map(|message| VerilogError::new(path, message)));
        let name = top.map_or(name, str::to_owned);
        self.finish(name, comment, text, through, top.is_some())
    }

    /// Files the module, unless there is an equal one.
    fn finish(
        &mut self,
        hint: String,
        comment: String,
        body: String,
        through: Vec<(String, Vec<String>)>,
        exact: bool,
    ) -> usize {
        let key = (hint.clone(), body);
        if let Some(&known) = self.by_text.get(&key) {
            return known;
        }
        let (hint, body) = &key;
        let count = self.names.entry(hint.clone()).or_insert(0);
        let name = if *count == 0 { hint.clone() } else { format!("{hint}_{count}") };
        *count += 1;
        let text = match exact && body.contains("module ") {
            true if !body.starts_with([' ', ';']) => format!("{}{body}", self.header),
            _ => {
                let comment: String = comment
                    .lines()
                    .map(|line| format!("// {}", line.trim()).trim_end().to_owned() + "\n")
                    .collect();
                format!("{}{comment}module {name}{body}", self.header)
            }
        };
        self.modules.push(Text { name: name.clone(), text });
        self.emitted.push(Emitted { name, through });
        self.by_text.insert(key, self.emitted.len() - 1);
        self.emitted.len() - 1
    }

    fn child_modules(&self, scope: &Scope, children: &[Option<usize>]) -> Vec<Vec<String>> {
        let name =
            |&node: &usize| children[node].map_or(String::new(), |number| self.emitted[number].name.clone());
        scope.children.iter().map(|group| group.nodes.iter().map(name).collect()).collect()
    }

    fn through(&self, scope: &Scope, children: &[Option<usize>]) -> Through {
        let mut through = Through::new();
        for group in &scope.children {
            let port = |name: &str| group.ports.iter().find(|(port, _)| port == name).map(|(_, id)| *id);
            let mut seen = BTreeSet::new();
            for number in
                group.nodes.iter().filter_map(|&node| children[node]).filter(|number| seen.insert(*number))
            {
                for (input, outputs) in &self.emitted[number].through {
                    let Some(input) = port(input) else { continue };
                    through
                        .entry(input)
                        .or_default()
                        .extend(outputs.iter().filter_map(|output| port(output)));
                }
            }
        }
        through
    }
}

/// A hash of all that a module's text depends on.
fn fingerprint(node: &Node, children: &[Option<usize>]) -> (u64, u64) {
    let hash = |seed: u64| {
        let mut hasher = DefaultHasher::new();
        seed.hash(&mut hasher);
        let _ = write!(HashWriter(&mut hasher), "{:?}", node.code);
        node.atoms.hash(&mut hasher);
        for (child, number) in node.children.iter().zip(children) {
            (&child.path, number).hash(&mut hasher);
            child.atoms.hash(&mut hasher);
        }
        hasher.finish()
    };
    (hash(0), 0)
}

/// Module name and header comment from the kernel's first statement, and the rest of the kernel.
fn heading(code: &[VerilogStatement]) -> (Option<String>, String, &[VerilogStatement]) {
    if let Some((VerilogStatement::Comment(text), rest)) = code.split_first() {
        if let Some((name, comment)) = module_name(comment_text(text)) {
            return (Some(name), comment, rest);
        }
    }
    (None, String::new(), code)
}

/// `module Name`, then a comment.
fn module_name(text: &str) -> Option<(String, String)> {
    let text = text.trim().strip_prefix("module ")?.trim();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let comment =
        text[end..].trim_start_matches([':', '.', ',', ' ']).replace("\\n", "\n").replace("\\\"", "\"");
    Some((text[..end].to_owned(), comment.trim().to_owned()))
}

/// Module name and header comment from the comment lines that a custom body begins with, and the rest.
fn custom_heading(text: &str) -> (Option<String>, String, String) {
    let (mut name, mut comment) = (None, vec![]);
    let mut lines = text.trim().lines().peekable();
    while let Some(line) = lines.peek().and_then(|line| line.trim().strip_prefix("//")) {
        match module_name(line) {
            Some((found, rest)) if name.is_none() => {
                name = Some(found);
                comment.extend((!rest.is_empty()).then_some(rest));
            }
            _ => comment.push(line.trim().to_owned()),
        }
        lines.next();
    }
    (name, comment.join("\n"), lines.collect::<Vec<_>>().join("\n"))
}

/// The field name of a block, without indices.
fn own_name(node: &Node) -> String {
    let names = node.path.iter().filter_map(|segment| match segment {
        Segment::Name(name) => Some(name.as_str()),
        Segment::Index(_) => None,
    });
    names.collect::<Vec<_>>().join("_")
}

/// `warp_table` becomes `WarpTable`.
fn camel_case(name: &str) -> String {
    let words = name.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    });
    words.collect()
}

/// Combinational paths from inputs to outputs.
fn paths(scope: &Scope, usage: &Usage, through: &Through) -> Vec<(String, Vec<String>)> {
    let mut follow: Vec<BTreeSet<SignalId>> = vec![BTreeSet::new(); scope.signals.len()];
    for write in &usage.writes {
        for (place, _) in &write.reads {
            follow[place.signal].insert(write.target.signal);
        }
    }
    for (input, outputs) in through {
        follow[*input].extend(outputs);
    }
    let name = |id: SignalId| scope.signals[id].path.replace('.', "_");
    let mut paths = vec![];
    for (input, _) in scope.signals.iter().enumerate().filter(|(_, signal)| signal.role == Role::Input) {
        let (mut seen, mut open) = (BTreeSet::new(), vec![input]);
        while let Some(signal) = open.pop() {
            if seen.insert(signal) {
                open.extend(&follow[signal]);
            }
        }
        let outputs: Vec<String> =
            seen.into_iter().filter(|&id| scope.signals[id].role == Role::Output).map(name).collect();
        if !outputs.is_empty() {
            paths.push((name(input), outputs));
        }
    }
    paths
}

/// Combinational paths of a body in Verilog: an output that is not assigned at a clock edge follows every input.
fn leaf_paths(scope: &Scope, text: &str) -> Vec<(String, Vec<String>)> {
    let of = |role: Role| scope.signals.iter().filter(move |signal| signal.role == role);
    let outputs: Vec<String> = of(Role::Output)
        .map(|signal| signal.name.clone())
        .filter(|name| !text.contains(&format!("{name} <=")))
        .collect();
    of(Role::Input)
        .filter(|signal| signal.name != "clock" && !outputs.is_empty())
        .map(|signal| (signal.name.clone(), outputs.clone()))
        .collect()
}
