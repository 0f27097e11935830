//! Connections that a module's logic does not write signal by signal: bundles, clocks and resets, registers that keep their value.
use super::check::left_open;
use super::ir::{Expr, ExprKind, Index, LoopVariable, Operator, Place, Role, SignalId, Statement};
use super::lower::{dotted, Lower};
use super::names::{parse_path, Step};
use crate::bundle::{EITHER, FORWARD_ONLY, PAYLOAD_ONLY};
use rust_hdl::core::ast::{VerilogExpression as Tree, VerilogLink, VerilogLinkDetails};
use std::collections::HashSet;

impl Lower<'_> {
    /// A link of two signals, as rust-hdl's interfaces make it, or of two bundles (`rtl::bundle`).
    pub(super) fn link(&mut self, link: &VerilogLink) -> Vec<Statement> {
        let (from, to, details) = match link {
            VerilogLink::Forward(link) => (&link.owner_name, &link.other_name, link),
            VerilogLink::Backward(link) => (&link.other_name, &link.owner_name, link),
            VerilogLink::Bidirectional(_) => {
                self.error("bidirectional links are not supported".into());
                return vec![];
            }
        };
        if ["", FORWARD_ONLY, PAYLOAD_ONLY, EITHER].contains(&details.my_name.as_str()) {
            return self.bundle(details);
        }
        let name = details.my_name.trim_start_matches('.').replace('.', "$");
        let Some(target) = self.place(&format!("{to}${name}")) else { return vec![] };
        let width = self.scope.signals[target.signal].width;
        let value = self.expr(&Tree::Signal(format!("{from}${name}")), width);
        vec![Statement::Assign { target, value }]
    }

    /// Each signal below the one path with its namesake below the other, in the direction that the bundle gives it. What is
    /// absent, or an array without elements, on both sides is no connection.
    fn bundle(&mut self, link: &VerilogLinkDetails) -> Vec<Statement> {
        let (Some(from), Some(to)) = (parse_path(&link.owner_name), parse_path(&link.other_name)) else {
            self.error(format!("`{}` or `{}` does not translate", link.owner_name, link.other_name));
            return vec![];
        };
        let (sources, targets) = (self.below(&from), self.below(&to));
        let mut statements = vec![];
        let one_way = !link.my_name.is_empty();
        let payload = link.my_name == PAYLOAD_ONLY;
        let adds = link.my_name == EITHER;
        for (name, source) in &sources {
            let backward = self.scope.signals[source.read].backward;
            match targets.iter().find(|(other, _)| other == name) {
                _ if backward && one_way => {}
                _ if payload && self.is_reset(source.read) => {}
                Some((_, target)) if backward => {
                    statements.extend(self.wire((target.read, &to), (source.written, &from), false));
                }
                Some((_, target)) => {
                    statements.extend(self.wire((source.read, &from), (target.written, &to), adds))
                }
                None => self.error(format!("`{}` has no `{name}`, but `{}` has", dotted(&to), dotted(&from))),
            }
        }
        for (name, target) in &targets {
            let left_out = one_way && self.scope.signals[target.read].backward;
            if !left_out && !sources.iter().any(|(other, _)| other == name) {
                self.error(format!("`{}` has no `{name}`, but `{}` has", dotted(&from), dotted(&to)));
            }
        }
        statements
    }

    /// Whether a signal of a bundle is marked `reset`, or is a register with a reset.
    fn is_reset(&self, id: SignalId) -> bool {
        let signal = &self.scope.signals[id];
        match signal.role {
            Role::Present { register } => self.scope.registers[register].reset.is_some(),
            _ => signal.reset,
        }
    }

    /// The signals of the bundle at a path with their names in it, in the order in which they are declared; one signal alone
    /// has no name.
    fn below(&self, path: &[Step]) -> Vec<(String, Ends)> {
        let whole = dotted(path);
        let mut found: Vec<(String, Ends)> = vec![];
        for (id, signal) in self.scope.signals.iter().enumerate() {
            let path = match signal.role {
                Role::RegisterClock { .. } => continue,
                Role::Present { .. } => signal.path.strip_suffix(".q"),
                Role::Next { .. } => signal.path.strip_suffix(".d"),
                _ => None,
            };
            let Some(name) = path.unwrap_or(&signal.path).strip_prefix(&whole) else { continue };
            if !name.is_empty() && !name.starts_with('.') {
                continue;
            }
            match found.iter_mut().find(|(other, _)| other == name) {
                Some((_, ends)) if matches!(signal.role, Role::Present { .. }) => ends.read = id,
                Some((_, ends)) => ends.written = id,
                None => found.push((name.to_owned(), Ends { read: id, written: id })),
            }
        }
        found
    }

    /// Assigns one signal, or adds it to what is there (`adds`), or the array of them that the indices of the paths leave open.
    fn wire(&mut self, from: (SignalId, &[Step]), to: (SignalId, &[Step]), adds: bool) -> Option<Statement> {
        let mut source = self.element(from.0, from.1)?;
        let mut target = self.element(to.0, to.1)?;
        let (a, b) = (&self.scope.signals[from.0], &self.scope.signals[to.0]);
        let open = a.dims[source.indices.len()..].to_vec();
        if (a.width, &open[..]) != (b.width, &b.dims[target.indices.len()..]) {
            let error = format!("`{}` and `{}` differ in width or number", a.path, b.path);
            self.error(error);
            return None;
        }
        let width = b.width;
        let variables = self.over(&open, &mut [&mut source, &mut target]);
        let mut value = Expr::place(source, width);
        if adds {
            let given = Box::new(Expr::place(target.clone(), width));
            value = Expr { width, kind: ExprKind::Binary(given, Operator::Or, Box::new(value)) };
        }
        Some(inside(variables, Statement::Assign { target, value }))
    }

    fn element(&mut self, signal: SignalId, steps: &[Step]) -> Option<Place> {
        let dims = self.scope.signals[signal].dims.clone();
        let mut indices = vec![];
        for step in steps {
            if let Step::Index(index) = step {
                let length = dims.get(indices.len()).copied().unwrap_or(0);
                indices.push(self.array_index(index, length, &dotted(steps))?);
            }
        }
        Some(Place { signal, indices, part: None })
    }

    /// Appends to each place an index for each of the dimensions `dims`; returns the variables of the loops for them.
    fn over(&mut self, dims: &[usize], places: &mut [&mut Place]) -> Vec<LoopVariable> {
        let mut variables = vec![];
        let free = ["i", "j", "k", "l", "m", "n"].into_iter().filter(|name| !self.is_loop_variable(name));
        let names: Vec<&str> = free.take(dims.len()).collect();
        for (depth, &length) in dims.iter().enumerate() {
            self.next_loop += 1;
            let name = names.get(depth).copied().unwrap_or("more").to_owned();
            let variable = LoopVariable { id: self.next_loop, name, from: 0, to: length };
            let index = if length == 1 { Index::Number(0) } else { Index::Variable(variable.clone()) };
            places.iter_mut().for_each(|place| place.indices.push(index.clone()));
            if length > 1 {
                variables.push(variable);
            }
        }
        variables
    }

    /// Registers keep their values unless the logic says otherwise.
    pub(super) fn holds(&mut self, logic: &[Statement]) -> Vec<Statement> {
        let all = self.scope.registers.iter().map(|register| register.next).collect();
        let open = left_open(self.scope, logic, all);
        let registers = self.scope.registers.iter().filter(|register| open.contains(&register.next));
        let registers: Vec<_> = registers.map(|register| (register.next, register.present)).collect();
        let mut statements = vec![];
        for (next, present) in registers {
            let (dims, width) = (self.scope.signals[next].dims.clone(), self.scope.signals[next].width);
            let whole = |signal| Place { signal, indices: vec![], part: None };
            let (mut target, mut source) = (whole(next), whole(present));
            let variables = self.over(&dims, &mut [&mut target, &mut source]);
            statements
                .push(inside(variables, Statement::Assign { target, value: Expr::place(source, width) }));
        }
        statements
    }

    /// Clocks and resets of parts that the logic does not drive itself.
    pub(super) fn ticks(&mut self, logic: &[Statement]) -> Vec<Statement> {
        let mut driven = HashSet::new();
        targets(logic, &mut driven);
        let mut statements = vec![];
        for port in ["clock", "reset"] {
            let Some(&own) = self.scope.by_path.get(port) else { continue };
            if self.scope.signals[own].role != Role::Input {
                continue;
            }
            let suffix = format!(".{port}");
            let is_part = |id: &SignalId| {
                let signal = &self.scope.signals[*id];
                let input = matches!(signal.role, Role::ChildInput { .. } | Role::RegisterClock { .. });
                // A port of the part itself, not a field of a bundle of its.
                let direct = self.scope.is_part_port(signal, &suffix);
                input && direct && !driven.contains(id)
            };
            for id in (0..self.scope.signals.len()).filter(is_part).collect::<Vec<_>>() {
                let (dims, width) = (self.scope.signals[id].dims.clone(), self.scope.signals[id].width);
                let mut target = Place { signal: id, indices: vec![], part: None };
                let variables = self.over(&dims, &mut [&mut target]);
                let value = Expr::place(Place { signal: own, indices: vec![], part: None }, width);
                statements.push(inside(variables, Statement::Assign { target, value }));
            }
        }
        statements
    }
}

/// A signal as it is read and as it is written; they differ in a register.
struct Ends {
    read: SignalId,
    written: SignalId,
}

/// The statement in loops over `variables`, the first outermost.
fn inside(variables: Vec<LoopVariable>, statement: Statement) -> Statement {
    variables
        .into_iter()
        .rev()
        .fold(statement, |body, variable| Statement::For { variable, body: vec![body] })
}

fn targets(block: &[Statement], found: &mut HashSet<SignalId>) {
    for statement in block {
        match statement {
            Statement::Assign { target, .. } => {
                found.insert(target.signal);
            }
            Statement::If { then, otherwise, .. } => {
                targets(then, found);
                targets(otherwise, found);
            }
            Statement::Case { arms, .. } => arms.iter().for_each(|(_, body)| targets(body, found)),
            Statement::For { body, .. } => targets(body, found),
            Statement::Comment(_) => {}
        }
    }
}
