//! Registers: assigned in the clocked block itself, or loaded from next values that something else computes too.
use super::build::Build;
use super::ir::{Expr, ExprKind, Place, Role, SignalId, Statement};
use super::module::Item;
use super::process::{Form, Process};
use super::select::select;
use super::usage::slice;
use super::vectors::without_dead;
use std::collections::{HashMap, HashSet};

impl Build<'_> {
    /// One item for each class of registers: assigned in place, or loaded from their next values.
    pub(super) fn clocked(
        &mut self,
        processes: &[Process],
        classes: &[usize],
        clocks: &HashMap<usize, SignalId>,
        by_signal: &[Vec<usize>],
    ) {
        let class_count = classes.iter().max().map_or(0, |last| last + 1);
        for class in 0..class_count {
            let direct = processes.iter().find(|process| process.form == Form::Clocked(class));
            let mut body = vec![];
            if let Some(process) = direct {
                body = slice(self.kernel, &|id| process.targets.contains(&id));
                body = self.without_holds(&body, by_signal, &mut HashSet::new());
                self.to_present(&mut body);
                body = without_dead(select(&self.module.scope, body, &mut self.module.written));
            }
            let mut resets = vec![];
            // The block stands where the first register gets a new value, not where the holds are set up.
            let news =
                direct.iter().flat_map(|process| &process.targets).flat_map(|&target| &by_signal[target]);
            let news = news.map(|&at| &self.usage.writes[at]);
            let news = news.filter(|write| !self.is_first_hold(write.target, write.value, by_signal));
            let mut first = news.map(|write| write.position).min().or(direct.map(|process| process.first));
            let mut clock = None;
            for number in (0..classes.len()).filter(|&number| classes[number] == class) {
                let register = self.module.scope.registers[number].clone();
                let total = self.module.scope.signals[register.present].total();
                self.module.variables.insert(register.present);
                clock = clocks.get(&number).copied();
                if let Some(value) = register.reset {
                    resets.push((register.present, Expr::constant(value, total)));
                }
                if direct.is_none_or(|process| !process.targets.contains(&register.next)) {
                    let whole = |signal| Place { signal, indices: vec![], part: None };
                    let value = Expr::place(whole(register.next), total);
                    body.push(Statement::Assign { target: whole(register.present), value });
                    let at = by_signal[register.next].first().map(|&at| self.usage.writes[at].position);
                    first = first.or(at);
                }
            }
            let Some(clock) = clock else { continue };
            let label = match resets.is_empty() {
                true => "pipeline".to_owned(),
                false => "state".to_owned(),
            };
            let label = if class < 2 { label } else { format!("{label}_{class}") };
            self.ordered.push((first.unwrap_or(0), Item::Clocked { clock, label, body, resets }));
        }
    }

    /// Leaves out the first `d = q` of each register: a clocked block holds by itself.
    fn without_holds(
        &self,
        body: &[Statement],
        by_signal: &[Vec<usize>],
        left_out: &mut HashSet<SignalId>,
    ) -> Vec<Statement> {
        let mut kept = vec![];
        for statement in body {
            match statement {
                Statement::Assign { target, value }
                    if self.is_first_hold(target, value, by_signal) && left_out.insert(target.signal) => {}
                Statement::For { variable, body } => {
                    let body = self.without_holds(body, by_signal, left_out);
                    if body.iter().any(|statement| !matches!(statement, Statement::Comment(_))) {
                        kept.push(Statement::For { variable: variable.clone(), body });
                    }
                }
                _ => kept.push(statement.clone()),
            }
        }
        kept
    }

    fn is_first_hold(&self, target: &Place, value: &Expr, by_signal: &[Vec<usize>]) -> bool {
        let Role::Next { register } = self.module.scope.signals[target.signal].role else { return false };
        let present = self.module.scope.registers[register].present;
        let holds = matches!(&value.kind, ExprKind::Place(place)
            if place.signal == present && place.indices == target.indices && place.part == target.part);
        let writes: Vec<_> = by_signal[target.signal].iter().map(|&at| &self.usage.writes[at]).collect();
        let Some(first) = writes.first() else { return false };
        let shares =
            |write: &&&super::usage::Write| write.loops.iter().any(|variable| first.loops.contains(variable));
        let is_first = !first.conditional && first.target == target && first.value == value;
        holds && is_first && writes.iter().filter(shares).all(|write| write.target.indices == target.indices)
    }

    /// Assigns the registers themselves instead of their next values.
    fn to_present(&self, body: &mut [Statement]) {
        for statement in body {
            match statement {
                Statement::Assign { target, .. } => {
                    if let Role::Next { register } = self.module.scope.signals[target.signal].role {
                        target.signal = self.module.scope.registers[register].present;
                    }
                }
                Statement::If { then, otherwise, .. } => {
                    self.to_present(then);
                    self.to_present(otherwise);
                }
                Statement::Case { arms, .. } => arms.iter_mut().for_each(|(_, body)| self.to_present(body)),
                Statement::For { body, .. } => self.to_present(body),
                Statement::Comment(_) => {}
            }
        }
    }
}
