//! One module as Verilog text.
use super::ir::{Index, Role, Signal, SignalId};
use super::module::{Connection, Item, Module};
use super::print_expr::ExprPrinter;
use super::print_ports::{described, ports, range, table, DECODED};
use super::unread::Pieces;
use super::value::Value;
use super::wrap::wrapped;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

/// Why a field of a bundle is unread, or an output of one of several parts.
const SPARE: &str = "comes with the rest of its bundle";

/// Collects the text of one module.
pub(super) struct Printer<'a> {
    pub(super) module: &'a Module,
    /// For always blocks.
    pub(super) expr: ExprPrinter<'a>,
    /// For generate loops, whose variables may have other names.
    generate: ExprPrinter<'a>,
    /// Comments printed so far: a comment stands once, at the first process that its statements went to.
    comments: HashSet<String>,
    pub(super) out: String,
}

/// The text of `module` from `(` on: all but its name.
pub(super) fn print(module: &Module) -> String {
    let expr = ExprPrinter { scope: &module.scope, variables: HashMap::new() };
    let generate = ExprPrinter { scope: &module.scope, variables: module.generate_names.clone() };
    let mut printer = Printer { module, expr, generate, comments: HashSet::new(), out: String::new() };
    printer.out.push_str(&ports(module));
    printer.declarations();
    let (mut after_assign, mut after_heading) = (false, false);
    for item in &module.items {
        let assign = matches!(item, Item::Assign { comments, .. } if !printer.is_new(comments));
        if !(after_heading || after_assign && assign || matches!(item, Item::Gap)) {
            printer.out.push('\n');
        }
        after_assign = matches!(item, Item::Assign { .. });
        after_heading = matches!(item, Item::Heading(_));
        printer.item(item);
    }
    printer.unread();
    printer.out.push_str("endmodule\n");
    wrapped(&printer.out)
}

impl<'a> Printer<'a> {
    pub(super) fn signal(&self, id: SignalId) -> &Signal {
        &self.module.scope.signals[id]
    }

    fn declarations(&mut self) {
        let (mut constants, mut nets) = (vec![], vec![]);
        let mut about: [Vec<Option<&str>>; 2] = [vec![], vec![]];
        let module = self.module;
        for (id, signal) in module.scope.signals.iter().enumerate() {
            // What a field of a bundle is stands where the bundle is a port.
            let path = signal.path.strip_suffix(".q").unwrap_or(&signal.path);
            let description = signal.description.as_deref().filter(|_| !path.contains('.'));
            if let (Role::Constant(value), true) = (&signal.role, self.module.used.contains(&id)) {
                let text = format!("{} = {}", signal.name, value.sized(signal.total()));
                constants.push(("localparam".to_owned(), range(signal.total()), text));
                about[0].push(description);
            }
            let is_net = !matches!(signal.role, Role::Input | Role::Output | Role::Constant(_));
            if is_net && self.module.declared.contains(&id) {
                let kind = match self.module.variables.contains(&id) {
                    true => "reg",
                    false => "wire",
                };
                let attribute = if self.module.written.contains(&id) { DECODED } else { "" };
                nets.push((format!("{attribute}{kind}"), range(signal.total()), signal.name.clone()));
                about[1].push(description);
            }
        }
        for (name, number, width) in self.module.used_variants() {
            let text = format!("{name} = {}", Value::from(number as u64).sized(width));
            constants.push(("localparam".to_owned(), range(width), text));
        }
        let genvars: Vec<&str> = self.module.genvars.iter().map(String::as_str).collect();
        for (rows, about) in [constants, nets].into_iter().zip(about) {
            if !rows.is_empty() {
                let text = described(&table(rows, "  ", ";"), &about);
                let _ = write!(self.out, "\n{text}");
            }
        }
        if !genvars.is_empty() {
            let _ = write!(self.out, "\n  genvar {};\n", genvars.join(", "));
        }
    }

    /// What nothing reads: named once more, by which lint knows that this is meant.
    fn unread(&mut self) {
        let unread = &self.module.unread;
        let is_there = |id| self.module.declared.contains(&id) || self.signal(id).role == Role::Input;
        let names = |(&id, pieces): (&SignalId, &Pieces)| {
            let signal = self.signal(id);
            let piece = |&(from, width): &(usize, usize)| match width == signal.total() {
                true => signal.name.clone(),
                false => self.expr.select(&signal.name, Index::Number(from), width),
            };
            pieces.iter().map(piece).collect::<Vec<_>>().join(", ")
        };
        let there = |list: &'a BTreeMap<SignalId, Pieces>| list.iter().filter(|(&id, _)| is_there(id));
        let spare: Vec<_> = there(&unread.spare).map(names).collect();
        let mut lists = vec![(SPARE, String::new(), spare.join(", "))];
        for entry in there(&unread.others) {
            let name = &self.signal(*entry.0).name;
            lists.push((&unread.reasons[name], format!("_{name}"), names(entry)));
        }
        let mut said: Option<&str> = None;
        for (why, name, bits) in lists.iter().filter(|(.., bits)| !bits.is_empty()) {
            if said.replace(why) != Some(why) {
                let _ = write!(self.out, "\n  // Not read: {why}.\n");
            }
            let _ = writeln!(self.out, "  wire unused{name} = &{{1'b0, {bits}}};");
        }
    }

    pub(super) fn comment(&mut self, text: &str, indent: &str) {
        if self.comments.insert(text.to_owned()) {
            for line in text.lines() {
                let _ = writeln!(self.out, "{}", format!("{indent}// {}", line.trim()).trim_end());
            }
        }
    }

    fn is_new(&self, comments: &[String]) -> bool {
        comments.iter().any(|text| !self.comments.contains(text))
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Assign { comments, target, value } => {
                comments.iter().for_each(|text| self.comment(text, "  "));
                let line = format!("  assign {} = {};\n", self.expr.place(target), self.expr.text(value));
                self.out.push_str(&line);
            }
            Item::Generate { comments, label, body, loops } => {
                comments.iter().for_each(|text| self.comment(text, "  "));
                let indent = self.open_generate(loops, label);
                for (target, value) in body {
                    let text =
                        format!("assign {} = {};", self.generate.place(target), self.generate.text(value));
                    let _ = writeln!(self.out, "{indent}{text}");
                }
                self.close_generate(loops.len());
            }
            Item::Combinational { label, scratch, body } => {
                self.leading_comments(body);
                self.always("@*", label, scratch, body, "=");
            }
            Item::Clocked { clock, label, body, resets } => {
                self.leading_comments(body);
                self.clocked(*clock, label, body, resets);
            }
            Item::Instance { comments, child, element, module, connections } => {
                comments.iter().for_each(|text| self.comment(text, "  "));
                let name = self.module.instance_name(*child, *element);
                self.instance("  ", module, &name, connections);
            }
            Item::Instances { comments, child, module, connections, loops } => {
                comments.iter().for_each(|text| self.comment(text, "  "));
                let group = &self.module.scope.children[*child];
                let indent = self.open_generate(loops, &group.name);
                self.instance(&indent, module, &group.instance, connections);
                self.close_generate(loops.len());
            }
            Item::Heading(text) => self.comment(text, "  "),
            Item::Gap => {}
            Item::Text(text) => {
                for line in text.lines() {
                    let _ = writeln!(self.out, "{}", format!("  {line}").trim_end());
                }
            }
        }
    }

    fn open_generate(&mut self, loops: &[(String, usize, usize)], label: &str) -> String {
        let mut indent = "  ".to_owned();
        let _ = writeln!(self.out, "{indent}generate");
        for (depth, (name, from, to)) in loops.iter().enumerate() {
            indent += "  ";
            let label = if depth == 0 { label.to_owned() } else { format!("{label}_{depth}") };
            let head = format!("for ({name} = {from}; {name} < {to}; {name} = {name} + 1) begin : {label}");
            let _ = writeln!(self.out, "{indent}{head}");
        }
        indent + "  "
    }

    fn close_generate(&mut self, loops: usize) {
        for depth in (0..loops).rev() {
            let _ = writeln!(self.out, "{}end", "  ".repeat(depth + 2));
        }
        self.out.push_str("  endgenerate\n");
    }

    fn instance(&mut self, indent: &str, module: &str, name: &str, connections: &[Connection]) {
        if connections.is_empty() {
            let _ = writeln!(self.out, "{indent}{module} {name} ();");
            return;
        }
        let _ = writeln!(self.out, "{indent}{module} {name} (");
        let longest = connections.iter().map(|connection| connection.port.len()).max().unwrap_or(0);
        for (at, Connection { port, value, comment, .. }) in connections.iter().enumerate() {
            comment.iter().for_each(|text| self.comment(text, &format!("{indent}  ")));
            let end = if at + 1 == connections.len() { "" } else { "," };
            let _ = writeln!(self.out, "{indent}  .{port:longest$} ({value}){end}");
        }
        let _ = writeln!(self.out, "{indent});");
    }
}
