//! Always blocks as Verilog text.
use super::ir::{Expr, SignalId, Statement};
use super::print::Printer;
use super::print_ports::{range, table};
use super::walk::walk;
use std::fmt::Write;

impl Printer<'_> {
    /// Comments that the body begins with stand above the block.
    pub(super) fn leading_comments(&mut self, body: &[Statement]) {
        for statement in body {
            let Statement::Comment(text) = statement else { break };
            self.comment(text, "  ");
        }
    }

    pub(super) fn always(
        &mut self,
        event: &str,
        label: &str,
        scratch: &[SignalId],
        body: &[Statement],
        assign: &str,
    ) {
        let body = below_comments(body);
        let names = loop_names(body);
        if names.is_empty() && scratch.is_empty() {
            let _ = writeln!(self.out, "  always {event} begin");
        } else {
            let _ = writeln!(self.out, "  always {event} begin : {label}");
        }
        if !names.is_empty() {
            let _ = writeln!(self.out, "    integer {};", names.join(", "));
        }
        let signals = &self.module.scope.signals;
        let variable = |&id: &SignalId| {
            let signal = &signals[id];
            ("reg".to_owned(), range(signal.total()), signal.name.clone())
        };
        let (unread, read): (Vec<_>, Vec<_>) = scratch.iter().partition(|&&id| self.is_unread(id));
        self.out.push_str(&table(read.into_iter().map(variable).collect(), "    ", ";"));
        for id in unread {
            let _ = writeln!(
                self.out,
                "    // Not read as a whole: {}.",
                self.module.unread.reasons[&signals[*id].name]
            );
            self.out.push_str("    // verilator lint_off UNUSEDSIGNAL\n");
            self.out.push_str(&table(vec![variable(id)], "    ", ";"));
            self.out.push_str("    // verilator lint_on UNUSEDSIGNAL\n");
        }
        // A loop variable that only some paths through a block without clock assign is a latch to some tools.
        for name in names.iter().filter(|name| assign == "=" && !is_counted(name, body)) {
            let _ = writeln!(self.out, "    {name} = 0;");
        }
        self.block(body, 2, assign);
        self.out.push_str("  end\n");
    }

    pub(super) fn clocked(
        &mut self,
        clock: SignalId,
        label: &str,
        body: &[Statement],
        resets: &[(SignalId, Expr)],
    ) {
        let body = below_comments(body);
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

    /// Whether some bits of a block's variable are not read, in this block or in another that has one of the name.
    fn is_unread(&self, id: SignalId) -> bool {
        let others = &self.module.unread.others;
        others.keys().any(|&other| self.signal(other).name == self.signal(id).name)
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

/// The body without the comments that it begins with, which stand above the block.
fn below_comments(body: &[Statement]) -> &[Statement] {
    let comments = body.iter().take_while(|statement| matches!(statement, Statement::Comment(_))).count();
    &body[comments..]
}

/// Names of the loop variables of a block, each once.
fn loop_names(body: &[Statement]) -> Vec<String> {
    let mut names = vec![];
    walk(body, &mut |statement| {
        if let Statement::For { variable, .. } = statement {
            if !names.contains(&variable.name) {
                names.push(variable.name.clone());
            }
        }
    });
    names
}

/// Whether a loop over the variable `name` is on every path through the block.
fn is_counted(name: &str, body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::For { variable, body } => variable.name == name || is_counted(name, body),
        _ => false,
    })
}
