//! One module as Verilog text.
use super::ir::{Expr, Role, Signal, SignalId, Statement};
use super::module::{Item, Module};
use super::print_expr::ExprPrinter;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

struct Printer<'a> {
    module: &'a Module,
    /// For always blocks.
    expr: ExprPrinter<'a>,
    /// For generate loops, whose variables may have other names.
    generate: ExprPrinter<'a>,
    /// Comments printed so far: a comment stands once, at the first process that its statements went to.
    comments: HashSet<String>,
    out: String,
}

/// The text of `module` from `(` on: all but its name.
pub(super) fn print(module: &Module) -> String {
    let expr = ExprPrinter { scope: &module.scope, variables: HashMap::new() };
    let generate = ExprPrinter { scope: &module.scope, variables: module.generate_names() };
    let mut printer = Printer { module, expr, generate, comments: HashSet::new(), out: String::new() };
    printer.ports();
    printer.declarations();
    let mut after_assign = false;
    for item in &module.items {
        let assign = matches!(item, Item::Assign { comments, .. } if !printer.is_new(comments));
        if !(after_assign && assign) {
            printer.out.push('\n');
        }
        after_assign = matches!(item, Item::Assign { .. });
        printer.item(item);
    }
    printer.out.push_str("endmodule\n");
    printer.out
}

/// `[7:0] `, or nothing for one bit.
fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0]", width - 1)
    }
}

/// Attribute by which yosys decodes a dynamic index on the left-hand side instead of shifting masks.
const DECODED: &str = "(* nowrshmsk *) ";

/// Lines of columns, padded so that the last column starts at one place.
fn table(rows: Vec<(String, String, String)>, indent: &str, end: &str, last_end: &str) -> String {
    let bare = |kind: &str| kind.strip_prefix(DECODED).map_or(kind.to_owned(), str::to_owned);
    let first = rows.iter().map(|row| bare(&row.0).len()).max().unwrap_or(0);
    let second = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
    let gap = if second > 0 { " " } else { "" };
    let count = rows.len();
    let lines = rows.into_iter().enumerate().map(|(at, (a, b, c))| {
        let end = if at + 1 == count { last_end } else { end };
        let attribute =
            if a.starts_with(DECODED) { format!("{indent}{}\n", DECODED.trim()) } else { String::new() };
        let a = bare(&a);
        format!("{attribute}{indent}{a:first$} {b:second$}{gap}{c}{end}\n")
    });
    lines.collect()
}

impl Printer<'_> {
    fn signal(&self, id: SignalId) -> &Signal {
        &self.module.scope.signals[id]
    }

    fn ports(&mut self) {
        let rows: Vec<_> = (0..self.module.scope.signals.len())
            .filter_map(|id| {
                let signal = self.signal(id);
                let kind = match signal.role {
                    Role::Input => "input wire",
                    Role::Output if self.module.is_variable(id) => "output reg",
                    Role::Output => "output wire",
                    _ => return None,
                };
                let attribute = if self.module.is_decoded(id) { DECODED } else { "" };
                Some((format!("{attribute}{kind}"), range(signal.total()), signal.name.clone()))
            })
            .collect();
        if rows.is_empty() {
            self.out.push_str(";\n");
        } else {
            let ports = table(rows, "  ", ",", "");
            let _ = write!(self.out, " (\n{ports});\n");
        }
    }

    fn declarations(&mut self) {
        let mut constants = vec![];
        let mut nets = vec![];
        for id in 0..self.module.scope.signals.len() {
            let signal = self.signal(id);
            if let (Role::Constant(value), true) = (&signal.role, self.module.is_used(id)) {
                let text = format!("{} = {}", signal.name, value.sized(signal.total()));
                constants.push(("localparam".to_owned(), range(signal.total()), text));
            }
            let is_net = !matches!(signal.role, Role::Input | Role::Output | Role::Constant(_));
            if is_net && self.module.is_declared(id) {
                let kind = match self.module.is_variable(id) {
                    true => "reg",
                    false => "wire",
                };
                let attribute = if self.module.is_decoded(id) { DECODED } else { "" };
                nets.push((format!("{attribute}{kind}"), range(signal.total()), signal.name.clone()));
            }
        }
        for (name, number, width) in self.module.used_variants() {
            let text = format!("{name} = {width}'d{number}");
            constants.push(("localparam".to_owned(), range(width), text));
        }
        let mut genvars: Vec<String> = self.module.genvars();
        genvars.sort();
        for rows in [constants, nets] {
            if !rows.is_empty() {
                let text = table(rows, "  ", ";", ";");
                let _ = write!(self.out, "\n{text}");
            }
        }
        if !genvars.is_empty() {
            let _ = write!(self.out, "\n  genvar {};\n", genvars.join(", "));
        }
    }

    fn comment(&mut self, text: &str, indent: &str) {
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
            Item::Instance { child, element, module, connections } => {
                let name = self.module.instance_name(*child, *element);
                self.instance("  ", module, &name, connections);
            }
            Item::Instances { child, module, connections, loops } => {
                let group = &self.module.scope.children[*child];
                let indent = self.open_generate(loops, &group.name);
                self.instance(&indent, module, &group.instance, connections);
                self.close_generate(loops.len());
            }
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

    fn instance(&mut self, indent: &str, module: &str, name: &str, connections: &[(String, String)]) {
        if connections.is_empty() {
            let _ = writeln!(self.out, "{indent}{module} {name} ();");
            return;
        }
        let _ = writeln!(self.out, "{indent}{module} {name} (");
        let longest = connections.iter().map(|(port, _)| port.len()).max().unwrap_or(0);
        for (at, (port, value)) in connections.iter().enumerate() {
            let end = if at + 1 == connections.len() { "" } else { "," };
            let _ = writeln!(self.out, "{indent}  .{port:longest$} ({value}){end}");
        }
        let _ = writeln!(self.out, "{indent});");
    }

    /// Comments that the body begins with stand above the block.
    fn leading_comments(&mut self, body: &[Statement]) {
        for statement in body {
            let Statement::Comment(text) = statement else { break };
            self.comment(text, "  ");
        }
    }

    fn always(&mut self, event: &str, label: &str, scratch: &[SignalId], body: &[Statement], assign: &str) {
        let names = loop_names(body);
        if names.is_empty() && scratch.is_empty() {
            let _ = writeln!(self.out, "  always {event} begin");
        } else {
            let _ = writeln!(self.out, "  always {event} begin : {label}");
        }
        if !names.is_empty() {
            let _ = writeln!(self.out, "    integer {};", names.join(", "));
        }
        let variable = |&id: &SignalId| {
            let signal = self.signal(id);
            ("reg".to_owned(), range(signal.total()), signal.name.clone())
        };
        let rows = scratch.iter().map(variable).collect();
        self.out.push_str(&table(rows, "    ", ";", ";"));
        self.block(body, 2, assign);
        self.out.push_str("  end\n");
    }

    fn clocked(&mut self, clock: SignalId, label: &str, body: &[Statement], resets: &[(SignalId, Expr)]) {
        let event = format!("@(posedge {})", self.signal(clock).name);
        if resets.is_empty() {
            return self.always(&event, label, &[], body, "<=");
        }
        let names = loop_names(body);
        let label = if names.is_empty() { String::new() } else { format!(" : {label}") };
        let _ = writeln!(self.out, "  always {event} begin{label}");
        if !names.is_empty() {
            let _ = writeln!(self.out, "    integer {};", names.join(", "));
        }
        self.out.push_str("    if (reset) begin\n");
        for (register, value) in resets {
            let line = format!("      {} <= {};\n", self.signal(*register).name, self.expr.text(value));
            self.out.push_str(&line);
        }
        match body {
            [Statement::If { test, then, otherwise }] => {
                self.out.push_str("    end else ");
                self.conditional(test, then, otherwise, 2, "<=");
            }
            _ => {
                self.out.push_str("    end else begin\n");
                self.block(body, 3, "<=");
                self.out.push_str("    end\n");
            }
        }
        self.out.push_str("  end\n");
    }

    fn block(&mut self, body: &[Statement], depth: usize, assign: &str) {
        let indent = "  ".repeat(depth);
        for statement in body {
            match statement {
                Statement::Comment(text) => self.comment(text, &indent),
                Statement::Assign { target, value } => {
                    let line =
                        format!("{indent}{} {assign} {};\n", self.expr.place(target), self.expr.text(value));
                    self.out.push_str(&line);
                }
                Statement::For { variable, body } => {
                    let (name, from, to) = (&variable.name, variable.from, variable.to);
                    let _ = writeln!(
                        self.out,
                        "{indent}for ({name} = {from}; {name} < {to}; {name} = {name} + 1) begin"
                    );
                    self.block(body, depth + 1, assign);
                    let _ = writeln!(self.out, "{indent}end");
                }
                Statement::Case { subject, arms } => {
                    let _ = writeln!(self.out, "{indent}case ({})", self.expr.text(subject));
                    for (label, body) in arms {
                        let label =
                            label.as_ref().map_or("default".to_owned(), |label| self.expr.text(label));
                        self.arm(&label, body, depth + 1, assign);
                    }
                    if arms.iter().all(|(label, _)| label.is_some()) {
                        let _ = writeln!(self.out, "{indent}  default: ;");
                    }
                    let _ = writeln!(self.out, "{indent}endcase");
                }
                Statement::If { test, then, otherwise } => {
                    let _ = write!(self.out, "{indent}");
                    self.conditional(test, then, otherwise, depth, assign);
                }
            }
        }
    }

    fn arm(&mut self, label: &str, body: &[Statement], depth: usize, assign: &str) {
        let indent = "  ".repeat(depth);
        match body {
            [] => {
                let _ = writeln!(self.out, "{indent}{label}: ;");
            }
            [Statement::Assign { target, value }] => {
                let text = format!("{} {assign} {};", self.expr.place(target), self.expr.text(value));
                let _ = writeln!(self.out, "{indent}{label}: {text}");
            }
            _ => {
                let _ = writeln!(self.out, "{indent}{label}: begin");
                self.block(body, depth + 1, assign);
                let _ = writeln!(self.out, "{indent}end");
            }
        }
    }

    fn conditional(
        &mut self,
        test: &Expr,
        then: &[Statement],
        otherwise: &[Statement],
        depth: usize,
        assign: &str,
    ) {
        let indent = "  ".repeat(depth);
        if then.is_empty() {
            let opposite = super::expr::not(test.clone());
            let _ = writeln!(self.out, "if ({}) begin", self.expr.text(&opposite));
            self.block(otherwise, depth + 1, assign);
            let _ = writeln!(self.out, "{indent}end");
            return;
        }
        let _ = writeln!(self.out, "if ({}) begin", self.expr.text(test));
        self.block(then, depth + 1, assign);
        match otherwise {
            [] => {}
            [Statement::If { test, then, otherwise }] => {
                let _ = write!(self.out, "{indent}end else ");
                return self.conditional(test, then, otherwise, depth, assign);
            }
            _ => {
                let _ = writeln!(self.out, "{indent}end else begin");
                self.block(otherwise, depth + 1, assign);
            }
        }
        let _ = writeln!(self.out, "{indent}end");
    }
}

/// Names of the loop variables of a block, each once.
fn loop_names(body: &[Statement]) -> Vec<String> {
    let mut names = vec![];
    super::ir::walk(body, &mut |statement| {
        if let Statement::For { variable, .. } = statement {
            if !names.contains(&variable.name) {
                names.push(variable.name.clone());
            }
        }
    });
    names
}
