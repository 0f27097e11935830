//! Is every signal driven, on every path? A path that leaves a signal alone would be a latch.
use super::ir::{Place, Role, SignalId, Statement};
use super::signals::Scope;
use super::usage::Usage;
use std::collections::{BTreeMap, HashMap};

/// Bits of signals that have been given a value.
type Given = BTreeMap<SignalId, Vec<bool>>;

struct Checker<'a> {
    scope: &'a Scope,
    suspects: &'a [bool],
    values: HashMap<usize, usize>,
}

/// Adds an error for each signal that is driven wrongly.
pub(super) fn check(scope: &mut Scope, kernel: &[Statement]) {
    let usage = Usage::new(kernel);
    let by_signal = usage.by_signal(scope.signals.len());
    let mut suspects = vec![false; scope.signals.len()];
    let mut errors = vec![];
    for (id, signal) in scope.signals.iter().enumerate() {
        let driven_here = match signal.role {
            Role::Output
            | Role::Local
            | Role::ChildInput { .. }
            | Role::Next { .. }
            | Role::RegisterClock { .. } => true,
            Role::Temporary => false,
            _ => {
                if !by_signal[id].is_empty() {
                    errors
                        .push(format!("`{}` is driven elsewhere and may not be assigned here", signal.path));
                }
                false
            }
        };
        let whole = by_signal[id].iter().any(|&at| usage.writes[at].is_whole(&signal.dims));
        suspects[id] = driven_here && !whole;
    }
    let suspicious = suspects.contains(&true);
    let given = match suspicious {
        true => Checker { scope, suspects: &suspects, values: HashMap::new() }.block(kernel),
        false => Given::new(),
    };
    for (id, signal) in scope.signals.iter().enumerate().filter(|(id, _)| suspects[*id]) {
        let complete = given.get(&id).is_some_and(|bits| bits.iter().all(|bit| *bit));
        if by_signal[id].is_empty() {
            errors.push(format!("`{}` is never assigned", signal.path));
        } else if !complete {
            errors.push(format!("`{}` is not assigned on every path: a latch", signal.path));
        }
    }
    scope.errors.extend(errors);
}

impl Checker<'_> {
    fn block(&mut self, block: &[Statement]) -> Given {
        let mut given = Given::new();
        for statement in block {
            let more = match statement {
                Statement::Assign { target, .. } => {
                    self.assign(target, &mut given);
                    continue;
                }
                Statement::Comment(_) => continue,
                Statement::If { then, otherwise, .. } => {
                    let (then, otherwise) = (self.block(then), self.block(otherwise));
                    common(then, &otherwise)
                }
                Statement::Case { arms, .. } => {
                    let closed = arms.iter().any(|(label, _)| label.is_none());
                    let mut arms = arms.iter().map(|(_, body)| self.block(body));
                    match (arms.next(), closed) {
                        (Some(first), true) => arms.fold(first, |all, arm| common(all, &arm)),
                        _ => Given::new(),
                    }
                }
                Statement::For { variable, body } => {
                    for value in variable.from..variable.to {
                        self.values.insert(variable.id, value);
                        let more = self.block(body);
                        join(&mut given, more);
                    }
                    self.values.remove(&variable.id);
                    continue;
                }
            };
            join(&mut given, more);
        }
        given
    }

    fn assign(&self, target: &Place, given: &mut Given) {
        if !self.suspects[target.signal] {
            return;
        }
        let signal = &self.scope.signals[target.signal];
        let of = |variable: &super::ir::LoopVariable| self.values.get(&variable.id).copied();
        let mut element = 0;
        for (index, length) in target.indices.iter().zip(&signal.dims) {
            let Some(index) = index.value(&of) else { return };
            element = element * length + index;
        }
        let (offset, width) = match &target.part {
            Some((offset, width)) => match offset.value(&of) {
                Some(offset) => (offset, *width),
                None => return,
            },
            None => (0, signal.width),
        };
        let start = element * signal.width + offset;
        let bits = given.entry(target.signal).or_insert_with(|| vec![false; signal.total()]);
        bits.iter_mut().skip(start).take(width).for_each(|bit| *bit = true);
    }
}

fn common(mut a: Given, b: &Given) -> Given {
    a.retain(|signal, bits| match b.get(signal) {
        Some(others) => {
            bits.iter_mut().zip(others).for_each(|(bit, other)| *bit &= other);
            true
        }
        None => false,
    });
    a
}

fn join(into: &mut Given, more: Given) {
    for (signal, bits) in more {
        match into.get_mut(&signal) {
            Some(given) => given.iter_mut().zip(bits).for_each(|(bit, new)| *bit |= new),
            None => {
                into.insert(signal, bits);
            }
        }
    }
}
