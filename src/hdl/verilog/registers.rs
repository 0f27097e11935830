//! Registers: assigned in the clocked block itself, or loaded from next values that something else computes too.
use super::adjacent::together;
use super::build::Build;
use super::dead::{has_statements, without_dead};
use super::ir::{Expr, Place, Role, SignalId, Statement};
use super::module::Item;
use super::process::{Block, Form, Process};
use super::select::select;
use super::usage::slice;
use super::walk::walk;
use std::collections::{BTreeMap, HashMap, HashSet};

impl Build<'_> {
    /// One item for the registers of a class that a step gives new values: assigned in place, or loaded from their next values.
    pub(super) fn clocked(
        &mut self,
        processes: &[Process],
        classes: &[usize],
        clocks: &HashMap<usize, SignalId>,
        by_signal: &[Vec<usize>],
    ) {
        let mut blocks: BTreeMap<Block, Vec<usize>> = BTreeMap::new();
        for (number, register) in self.module.scope.registers.iter().enumerate() {
            let writes = &by_signal[register.next];
            if !writes.is_empty() && clocks.contains_key(&number) {
                let block = Block::new(&self.module.scope, self.usage, classes, number, writes);
                blocks.entry(block).or_default().push(number);
            }
        }
        let mut labels = HashMap::new();
        for (block, registers) in blocks {
            let direct = processes.iter().find(|process| process.form == Form::Clocked(block));
            let mut body = vec![];
            if let Some(process) = direct {
                body = slice(self.logic, &|id| process.targets.contains(&id));
                body = self.without_holds(&together(&self.module.scope, body), &mut HashSet::new());
                body = self.to_present(body);
                let body_of = select(&self.module.scope, body, &mut self.module.written);
                body = without_dead(&self.module.scope, body_of);
            }
            // The block stands where the first register gets a new value, not where the holds are set up.
            let targets = direct.iter().flat_map(|process| &process.targets);
            let news = targets.flat_map(|&target| &by_signal[target]).map(|&at| &self.usage.writes[at]);
            let news = news.filter(|write| !self.module.scope.is_hold(write.target, write.value));
            let mut first = news.map(|write| write.position).min().or(direct.map(|process| process.first));
            let mut resets = vec![];
            for &number in &registers {
                let register = self.module.scope.registers[number].clone();
                let total = self.module.scope.signals[register.present].total();
                self.module.variables.insert(register.present);
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
            let label = if resets.is_empty() { "pipeline" } else { "state" };
            let count: &mut usize = labels.entry(label).or_default();
            *count += 1;
            let label = if *count == 1 { label.to_owned() } else { format!("{label}_{count}") };
            let clock = clocks[&registers[0]];
            self.ordered.push((first.unwrap_or(0), Item::Clocked { clock, label, body, resets }));
        }
    }

    /// Leaves out where a register keeps the value that it has: a clocked block holds by itself. `written` are the next values
    /// that may have been given others before.
    fn without_holds(&self, block: &[Statement], written: &mut HashSet<SignalId>) -> Vec<Statement> {
        let mut kept = vec![];
        for statement in block {
            match statement {
                Statement::Assign { target, value } => {
                    if self.module.scope.is_hold(target, value) && !written.contains(&target.signal) {
                        continue;
                    }
                    written.insert(target.signal);
                    kept.push(statement.clone());
                }
                Statement::If { test, then, otherwise } => {
                    let mut other = written.clone();
                    let then = self.without_holds(then, written);
                    let otherwise = self.without_holds(otherwise, &mut other);
                    written.extend(other);
                    if has_statements(&then) || has_statements(&otherwise) {
                        kept.push(Statement::If { test: test.clone(), then, otherwise });
                    }
                }
                Statement::Case { subject, arms } => {
                    let before = written.clone();
                    let arms = arms.iter().map(|(label, body)| {
                        let mut arm = before.clone();
                        let body = self.without_holds(body, &mut arm);
                        written.extend(arm);
                        (label.clone(), body)
                    });
                    let arms = arms.collect();
                    kept.push(Statement::Case { subject: subject.clone(), arms });
                }
                Statement::For { variable, body } => {
                    written.extend(shared(body, variable.id));
                    let body = self.without_holds(body, written);
                    if has_statements(&body) {
                        kept.push(Statement::For { variable: variable.clone(), body });
                    }
                }
                Statement::Comment(_) => kept.push(statement.clone()),
            }
        }
        kept
    }

    /// Assigns the registers themselves instead of their next values.
    fn to_present(&self, body: Vec<Statement>) -> Vec<Statement> {
        let present = |mut statement: Statement| {
            if let Statement::Assign { target, .. } = &mut statement {
                if let Role::Next { register } = self.module.scope.signals[target.signal].role {
                    target.signal = self.module.scope.registers[register].present;
                }
            }
            statement.with_blocks(|block| self.to_present(block))
        };
        body.into_iter().map(present).collect()
    }
}

/// The signals of which a loop may write the same element in more than one round.
fn shared(body: &[Statement], variable: usize) -> Vec<SignalId> {
    let mut places: HashMap<SignalId, Vec<&Place>> = HashMap::new();
    walk(body, &mut |statement| {
        if let Statement::Assign { target, .. } = statement {
            places.entry(target.signal).or_default().push(target);
        }
    });
    let is_own =
        |index: &super::ir::Index| matches!(index, super::ir::Index::Variable(own) if own.id == variable);
    let own = |places: &Vec<&Place>| {
        places[0].indices.iter().any(is_own) && places.iter().all(|place| place.indices == places[0].indices)
    };
    places.iter().filter(|(_, places)| !own(places)).map(|(&signal, _)| signal).collect()
}
