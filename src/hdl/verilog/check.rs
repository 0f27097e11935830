//! Is every signal driven, on every path? A path that leaves a signal alone would be a latch.
use super::fold::value;
use super::ir::{Expr, LoopVariable, Place, Role, SignalId, Statement};
use super::signals::Scope;
use super::usage::{Usage, Write};
use super::walk::{reads, walk};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Bits of signals that have been given a value.
type Given = BTreeMap<SignalId, Vec<bool>>;

struct Checker<'a> {
    scope: &'a Scope,
    suspects: &'a [bool],
    values: HashMap<usize, usize>,
    /// Signals that are read where they may have no value yet.
    early: BTreeSet<SignalId>,
}

/// Adds an error for each signal that is driven wrongly.
pub(super) fn check(scope: &mut Scope, logic: &[Statement]) {
    let mut errors = vec![];
    inputs_of_themselves(scope, logic, &mut errors);
    let suspects = suspects(scope, logic, &mut errors);
    let mut checker = Checker::new(scope, &suspects);
    let mut given = Given::new();
    if suspects.contains(&true) {
        checker.block(logic, &mut given);
    }
    for (id, signal) in scope.signals.iter().enumerate().filter(|(id, _)| suspects[*id]) {
        let path = &signal.path;
        match given.get(&id) {
            Some(bits) if bits.iter().all(|bit| *bit) => {}
            Some(_) => errors.push(format!("`{path}` is not assigned on every path: a latch")),
            None => errors.push(format!("`{path}` is never assigned")),
        }
    }
    scope.errors.extend(errors);
}

/// To read an input of a part gives in rust-hdl's own simulation the value of the step before, which settles, but not if the
/// next value is made of it: an OR collected there would never be cleared.
fn inputs_of_themselves(scope: &Scope, logic: &[Statement], errors: &mut Vec<String>) {
    let usage = Usage::new(logic);
    let of_itself =
        |write: &&Write<'_>| write.reads.iter().any(|(place, _)| place.signal == write.target.signal);
    for id in usage.writes.iter().filter(of_itself).map(|write| write.target.signal).collect::<BTreeSet<_>>()
    {
        let signal = &scope.signals[id];
        if matches!(signal.role, Role::ChildInput { .. } | Role::Next { .. }) {
            errors.push(format!("`{}`, an input of a part, is made of itself; use a Local", signal.path));
        }
    }
}

/// Which of `signals` an outermost statement reads where it has not given them a value itself.
pub(super) fn reads_before_writes(
    scope: &Scope,
    logic: &[Statement],
    signals: &BTreeSet<SignalId>,
) -> BTreeSet<SignalId> {
    let suspects: Vec<bool> = (0..scope.signals.len()).map(|id| signals.contains(&id)).collect();
    let mut checker = Checker::new(scope, &suspects);
    for statement in logic {
        checker.block(std::slice::from_ref(statement), &mut Given::new());
    }
    checker.early
}

/// Which of `signals` the logic does not give a value on every path, or reads before it does.
pub(super) fn left_open(
    scope: &Scope,
    logic: &[Statement],
    mut signals: BTreeSet<SignalId>,
) -> BTreeSet<SignalId> {
    let suspects: Vec<bool> = (0..scope.signals.len()).map(|id| signals.contains(&id)).collect();
    let mut checker = Checker::new(scope, &suspects);
    let mut given = Given::new();
    checker.block(logic, &mut given);
    let closed = |id: &SignalId| given.get(id).is_some_and(|bits| bits.iter().all(|bit| *bit));
    signals.retain(|id| !closed(id) || checker.early.contains(id));
    signals
}

/// Whether `statement` gives `signal` a value on every path.
pub(super) fn always_writes(scope: &Scope, statement: &Statement, signal: SignalId) -> bool {
    let suspects: Vec<bool> = (0..scope.signals.len()).map(|id| id == signal).collect();
    let mut checker = Checker::new(scope, &suspects);
    let mut given = Given::new();
    checker.block(std::slice::from_ref(statement), &mut given);
    given.get(&signal).is_some_and(|bits| bits.iter().all(|bit| *bit))
}

/// The signals that are to be driven here and have no single assignment that always gives them their value.
fn suspects(scope: &Scope, logic: &[Statement], errors: &mut Vec<String>) -> Vec<bool> {
    let usage = Usage::new(logic);
    let by_signal = usage.by_signal(scope.signals.len());
    let mut is_read = vec![false; scope.signals.len()];
    walk(logic, &mut |statement| reads(statement, &mut |place| is_read[place.signal] = true));
    let suspect = |(id, signal): (SignalId, &super::ir::Signal)| {
        let driven_here = match signal.role {
            Role::Output | Role::ChildInput { .. } | Role::Next { .. } => true,
            Role::Local | Role::Temporary | Role::Scratch | Role::RegisterClock { .. } => {
                !by_signal[id].is_empty() || is_read[id]
            }
            _ => {
                if !by_signal[id].is_empty() {
                    errors
                        .push(format!("`{}` is driven elsewhere and may not be assigned here", signal.path));
                }
                false
            }
        };
        driven_here && !by_signal[id].iter().any(|&at| usage.writes[at].is_whole(&signal.dims))
    };
    scope.signals.iter().enumerate().map(suspect).collect()
}

impl<'a> Checker<'a> {
    fn new(scope: &'a Scope, suspects: &'a [bool]) -> Self {
        Self { scope, suspects, values: HashMap::new(), early: BTreeSet::new() }
    }

    fn block(&mut self, block: &[Statement], given: &mut Given) {
        for statement in block {
            match statement {
                Statement::Assign { target, value } => {
                    self.reads(value, given);
                    target.index_places(&mut |place| self.read(place, given));
                    self.assign(target, given);
                }
                Statement::Comment(_) => {}
                Statement::If { test, then, otherwise } => {
                    self.reads(test, given);
                    // In a round of a loop its variable may decide.
                    match value(self.scope, &test.with_numbers(&self.values)) {
                        Some(0) => self.block(otherwise, given),
                        Some(_) => self.block(then, given),
                        None => {
                            let mut other = given.clone();
                            self.block(then, given);
                            self.block(otherwise, &mut other);
                            keep_common(given, &other);
                        }
                    }
                }
                Statement::Case { subject, arms } => {
                    self.reads(subject, given);
                    let before = given.clone();
                    let closed = arms.iter().any(|(label, _)| label.is_none());
                    let mut all: Option<Given> = (!closed).then(|| before.clone());
                    for (_, body) in arms {
                        let mut arm = before.clone();
                        self.block(body, &mut arm);
                        match &mut all {
                            Some(all) => keep_common(all, &arm),
                            None => all = Some(arm),
                        }
                    }
                    *given = all.unwrap_or(before);
                }
                Statement::For { variable, body } => {
                    for value in variable.from..variable.to {
                        self.values.insert(variable.id, value);
                        self.block(body, given);
                    }
                    self.values.remove(&variable.id);
                }
            }
        }
    }

    fn reads(&mut self, value: &Expr, given: &Given) {
        value.places(&mut |place| self.read(place, given));
    }

    fn read(&mut self, place: &Place, given: &Given) {
        if !self.suspects[place.signal] {
            return;
        }
        let total = self.scope.signals[place.signal].total();
        let (start, width) = self.range(place).unwrap_or((0, total));
        let has_value = |bits: &Vec<bool>| bits.iter().skip(start).take(width).all(|bit| *bit);
        if !given.get(&place.signal).is_some_and(has_value) {
            self.early.insert(place.signal);
        }
    }

    fn assign(&self, target: &Place, given: &mut Given) {
        if !self.suspects[target.signal] {
            return;
        }
        let total = self.scope.signals[target.signal].total();
        let bits = given.entry(target.signal).or_insert_with(|| vec![false; total]);
        if let Some((start, width)) = self.range(target) {
            bits.iter_mut().skip(start).take(width).for_each(|bit| *bit = true);
        }
    }

    /// First bit and width of a place in its vector; `None` if that depends on the circuit.
    fn range(&self, place: &Place) -> Option<(usize, usize)> {
        let signal = &self.scope.signals[place.signal];
        if place.indices.len() < signal.dims.len() {
            return Some((0, signal.total()));
        }
        let of = |variable: &LoopVariable| self.values.get(&variable.id).copied();
        let mut element = 0;
        for (index, length) in place.indices.iter().zip(&signal.dims) {
            element = element * length + index.value(&of)?;
        }
        let (offset, width) = match &place.part {
            Some((offset, width)) => (offset.value(&of)?, *width),
            None => (0, signal.width),
        };
        Some((element * signal.width + offset, width))
    }
}

/// Keeps of `a` what `b` has too.
fn keep_common(a: &mut Given, b: &Given) {
    for (signal, bits) in a {
        match b.get(signal) {
            Some(others) => bits.iter_mut().zip(others).for_each(|(bit, other)| *bit &= other),
            None => bits.fill(false),
        }
    }
}
