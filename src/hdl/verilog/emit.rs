//! From the tree of blocks to modules: children first, one module for each distinct body.
use super::about::for_users;
use super::check::check;
use super::design::{Module as Text, Port};
use super::error::VerilogError;
use super::ir::{Role, Signal};
use super::lower::lower;
use super::module::Module;
use super::names::{comment_text, is_keyword};
use super::node::{rust_path, Body, Node, Segment};
use super::order::read_too_early;
use super::paths::{leaf_paths, paths, Through};
use super::print::print;
use super::print_ports::plain;
use super::scratch::separate;
use super::signals::Scope;
use super::simplify::simplify;
use super::sizes::{name_by_size, Kind};
use super::unread::{take_reasons, Unread};
use super::usage::{without_empty_steps, Usage};
use super::vectors::vectorize;
use super::wrap::wrapped;
use rust_hdl::core::ast::VerilogStatement;
use rust_hdl::prelude::Verilog;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

/// At the head of a file: a name that nothing declares is an error, and not a wire of one bit.
const NO_NETS: &str = "`default_nettype none\n";
/// At its end: files of others that are read after it find what is usual.
const NETS_AGAIN: &str = "`default_nettype wire\n";

/// A module that has been printed, as its parents see it.
struct Emitted {
    name: String,
    /// Names inside the module: an instance of it may not be called so.
    signals: HashSet<String>,
    /// Combinational paths: for each input port the output ports that follow it.
    through: Vec<(String, Vec<String>)>,
}

/// What a module's text depends on: its fingerprint, its name if it has no heading, and its children's names.
type Key = (u64, String, Vec<Option<String>>);

/// Modules without errors, of all trees so far: most are the same in every core, and to make their text takes longer than to
/// read a tree.
static DRAFTS: LazyLock<Mutex<HashMap<Key, Arc<Draft>>>> = LazyLock::new(Default::default);
/// With so many all are forgotten: a core has some 130, of 6 KB.
const MAX_DRAFTS: usize = 4096;

fn drafts() -> MutexGuard<'static, HashMap<Key, Arc<Draft>>> {
    DRAFTS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn keep(key: Key, draft: Arc<Draft>) {
    let mut drafts = drafts();
    if drafts.len() >= MAX_DRAFTS {
        drafts.clear();
    }
    drafts.insert(key, draft);
}

/// A module before it has its final name.
#[derive(Default)]
struct Draft {
    name: String,
    comment: String,
    body: String,
    /// The body is the complete text.
    complete: bool,
    signals: HashSet<String>,
    through: Vec<(String, Vec<String>)>,
    ports: Vec<Port>,
}

impl Draft {
    fn print(&mut self, module: &Module) {
        self.body = print(module);
        self.signals = module.scope.signals.iter().map(|signal| signal.name.clone()).collect();
    }

    /// Takes name and comment from the logic's first statement, where no declaration has said them; returns the rest of the logic.
    fn heading<'a>(&mut self, code: &'a [VerilogStatement]) -> &'a [VerilogStatement] {
        if let Some((VerilogStatement::Comment(text), rest)) = code.split_first() {
            if let Some((name, comment)) = module_name(comment_text(text)) {
                (self.name, self.comment) = (name, comment);
                return rest;
            }
        }
        code
    }

    /// Takes name and comment from the comment lines that a custom body begins with; returns the rest.
    fn custom_heading(&mut self, text: &str) -> String {
        let mut named = false;
        let mut comment = vec![];
        let mut lines = text.trim().lines().peekable();
        while let Some(line) = lines.peek().and_then(|line| line.trim().strip_prefix("//")) {
            match module_name(line) {
                Some((name, rest)) if !named => {
                    named = true;
                    self.name = name;
                    comment.extend((!rest.is_empty()).then_some(rest));
                }
                _ => comment.push(line.trim().to_owned()),
            }
            lines.next();
        }
        self.comment = comment.join("\n");
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Prints modules and keeps them apart.
#[derive(Default)]
pub(super) struct Emitter {
    header: String,
    modules: Vec<Text>,
    /// Ports of the outermost module.
    ports: Vec<Port>,
    emitted: Vec<Emitted>,
    /// What each module is, in their order.
    kinds: Vec<Kind>,
    by_body: HashMap<*const Body, usize>,
    by_text: HashMap<(String, String), usize>,
    names: HashMap<String, usize>,
    pub(super) errors: BTreeSet<VerilogError>,
}

impl Emitter {
    pub(super) fn new(header: &[String]) -> Self {
        let header = header.iter().map(|line| format!("// {line}").trim_end().to_owned() + "\n").collect();
        Self { header, ..Self::default() }
    }

    /// The modules, those of one kind named by their sizes.
    pub(super) fn finish(mut self) -> (Vec<Port>, Vec<Text>) {
        name_by_size(&mut self.modules, &self.kinds);
        (self.ports, self.modules)
    }

    /// Emits `node` and everything below; returns its number.
    pub(super) fn node(&mut self, node: &Node, path: &str, top: Option<&str>) -> usize {
        let body = Arc::as_ptr(&node.body);
        if let Some(&known) = self.by_body.get(&body) {
            return known;
        }
        let children: Vec<Option<usize>> = node
            .children
            .iter()
            .map(|child| {
                let path = || format!("{path}.{}", rust_path(&child.path));
                (!child.register).then(|| self.node(child, &path(), None))
            })
            .collect();
        let emitted = self.module(node, path, top, &children);
        self.by_body.insert(body, emitted);
        emitted
    }

    fn module(&mut self, node: &Node, path: &str, top: Option<&str>, children: &[Option<usize>]) -> usize {
        let name_of = |child: &Option<usize>| child.map(|number| self.emitted[number].name.clone());
        let own_name = if node.heading.is_some() { String::new() } else { own_name(node) };
        let key = (node.fingerprint, own_name, children.iter().map(name_of).collect());
        let found = drafts().get(&key).cloned();
        let draft = found.unwrap_or_else(|| {
            let (draft, errors) = self.draft(node, children);
            let draft = Arc::new(draft);
            if errors.is_empty() {
                keep(key, draft.clone());
            }
            self.errors.extend(errors.into_iter().map(|message| VerilogError::new(path, message)));
            draft
        });
        let name = top.unwrap_or(&draft.name);
        if is_keyword(name) {
            let message = format!("module name `{name}` is a Verilog keyword");
            self.errors.insert(VerilogError::new(path, message));
        }
        if top.is_some() {
            self.ports = draft.ports.clone();
        }
        self.file(name, &draft, top.is_some())
    }

    /// The module's text, and what is wrong in it.
    fn draft(&self, node: &Node, children: &[Option<usize>]) -> (Draft, Vec<String>) {
        let mut scope = Scope::new(node);
        let mut errors = std::mem::take(&mut scope.errors);
        let (name, comment) =
            node.heading.clone().unwrap_or_else(|| (camel_case(&own_name(node)), String::new()));
        let ports = scope.signals.iter().filter_map(port).collect();
        let mut draft = Draft { name, comment: plain(&for_users(&comment)), ports, ..Draft::default() };
        match &node.code {
            Verilog::Combinatorial(code) => {
                let early = read_too_early(node, code);
                errors.extend(early.iter().map(|name| format!("`{name}` is read before it is assigned")));
                let code = draft.heading(code);
                self.name_instances(&mut scope, children);
                let modules = self.child_modules(&scope, children);
                let through = self.through(&scope, children);
                let logic = lower(&mut scope, code);
                let (logic, reasons) = take_reasons(logic);
                let logic = separate(&mut scope, logic);
                check(&mut scope, &logic);
                let logic = without_empty_steps(vectorize(&scope, simplify(&scope, logic)));
                errors.append(&mut scope.errors);
                draft.through = paths(&scope, &Usage::new(&logic), &through);
                let unread = Unread::new(&scope, &logic, reasons);
                let module = Module { unread, ..Module::from_logic(scope, logic, &modules, &through) };
                errors.extend(module.scope.errors.iter().cloned());
                // A module that is in error may be too inconsistent to print.
                if errors.is_empty() {
                    draft.print(&module);
                }
            }
            Verilog::Custom(text) => {
                let text = draft.custom_heading(text);
                draft.through = leaf_paths(&scope, &text);
                draft.print(&Module::from_text(scope, &text));
            }
            Verilog::Wrapper(wrapper) => {
                let text = draft.custom_heading(&wrapper.code);
                draft.through = leaf_paths(&scope, &text);
                draft.print(&Module::from_netlist(scope, &text));
                draft.body += &format!("\n{}", wrapper.cores);
            }
            Verilog::Blackbox(blackbox) => {
                draft.through = leaf_paths(&scope, "");
                draft.name = blackbox.name.clone();
                draft.body = blackbox.code.clone();
                draft.complete = true;
            }
            Verilog::Empty => draft.print(&Module::from_netlist(scope, "")),
        }
        (draft, errors)
    }

    /// Files the module, unless there is an equal one.
    fn file(&mut self, name: &str, draft: &Draft, is_top: bool) -> usize {
        let key = (name.to_owned(), draft.body.clone());
        if let Some(&known) = self.by_text.get(&key) {
            return known;
        }
        let (hint, body) = &key;
        let count = self.names.entry(hint.clone()).or_insert(0);
        let name = if *count == 0 { hint.clone() } else { format!("{hint}_{count}") };
        *count += 1;
        let mut text = if is_top { self.header.clone() } else { String::new() };
        if draft.complete {
            text += body;
        } else {
            let line = |line: &str| format!("// {}", line.trim()).trim_end().to_owned() + "\n";
            let comment = wrapped(&draft.comment.lines().map(line).collect::<String>());
            text += &format!("{NO_NETS}\n{comment}module {name}{body}\n{NETS_AGAIN}");
        }
        self.modules.push(Text { name: name.clone(), text });
        let ports = draft.ports.iter().map(|port| (port.name.clone(), port.width)).collect();
        self.kinds.push(Kind { hint: hint.clone(), ports });
        self.emitted.push(Emitted { name, signals: draft.signals.clone(), through: draft.through.clone() });
        self.by_text.insert(key, self.emitted.len() - 1);
        self.emitted.len() - 1
    }

    /// An instance may not have the name of a signal inside it: tools warn that one hides the other.
    fn name_instances(&self, scope: &mut Scope, children: &[Option<usize>]) {
        for group in &mut scope.children {
            let modules =
                group.nodes.iter().filter_map(|&node| children[node]).map(|number| &self.emitted[number]);
            let inside: Vec<&Emitted> = modules.collect();
            let hides = |name: &str| inside.iter().any(|module| module.signals.contains(name));
            while hides(&group.name) {
                group.name.push_str("_unit");
            }
            while hides(&group.instance) {
                group.instance.push('_');
            }
        }
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

/// What a parent sees of the signal, if it is a port.
fn port(signal: &Signal) -> Option<Port> {
    let input = signal.role == Role::Input;
    (input || signal.role == Role::Output).then(|| Port {
        name: signal.name.clone(),
        width: signal.total(),
        input,
    })
}

/// `module Name`, then a comment.
fn module_name(text: &str) -> Option<(String, String)> {
    let text = text.trim().strip_prefix("module ")?.trim();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let comment =
        text[end..].trim_start_matches([':', '.', ',', ' ']).replace("\\n", "\n").replace("\\\"", "\"");
    Some((text[..end].to_owned(), comment.trim().to_owned()))
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
