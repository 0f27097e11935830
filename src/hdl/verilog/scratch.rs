//! Scratch: locals that one statement computes and uses up, so that each always block can have its own.
//!
//! A module's logic cannot say `let`, so a loop's intermediate values live in a `Local` of the module, often the same one
//! in several loops. Were it one variable, everything computed with its help would have to share one always block.
use super::check::reads_before_writes;
use super::ir::{Expr, Place, Role, SignalId, Statement};
use super::signals::Scope;
use super::usage::Usage;
use std::collections::{BTreeSet, HashMap};

/// Gives every outermost statement that uses a scratch signal a signal of its own, of the same name.
pub(super) fn separate(scope: &mut Scope, logic: Vec<Statement>) -> Vec<Statement> {
    let logic = without_unread(scope, logic);
    let scratch = candidates(scope, &logic);
    if scratch.is_empty() {
        return logic;
    }
    let early = reads_before_writes(scope, &logic, &scratch);
    let mut separated = vec![];
    for statement in logic {
        let mut own: HashMap<SignalId, SignalId> = HashMap::new();
        let usage = Usage::new(std::slice::from_ref(&statement));
        let written: BTreeSet<SignalId> = usage.writes.iter().map(|write| write.target.signal).collect();
        drop(usage);
        for &signal in scratch.iter().filter(|signal| written.contains(signal) && !early.contains(signal)) {
            scope.signals.push(super::ir::Signal { role: Role::Scratch, ..scope.signals[signal].clone() });
            own.insert(signal, scope.signals.len() - 1);
        }
        let statement = renamed(statement, &own);
        for (&signal, &copy) in own.iter().collect::<std::collections::BTreeMap<_, _>>() {
            // A default, so that a path that does not use it leaves no latch.
            if !super::check::always_writes(scope, &statement, copy) {
                let target = Place { signal: copy, indices: vec![], part: None };
                let value = Expr::constant(0, scope.signals[signal].total());
                separated.push(Statement::Assign { target, value });
            }
        }
        separated.push(statement);
    }
    separated
}

/// The logic without intermediate values that nobody reads in the end.
fn without_unread(scope: &Scope, logic: Vec<Statement>) -> Vec<Statement> {
    let usage = Usage::new(&logic);
    let read: BTreeSet<SignalId> =
        usage.writes.iter().flat_map(|write| write.reads.iter().map(|(place, _)| place.signal)).collect();
    let unread = |write: &super::usage::Write| {
        scope.signals[write.target.signal].role == Role::Temporary && !read.contains(&write.target.signal)
    };
    if !usage.writes.iter().any(unread) {
        return logic;
    }
    let keep = |signal: SignalId| scope.signals[signal].role != Role::Temporary || read.contains(&signal);
    let kept = super::usage::slice(&logic, &keep);
    without_unread(scope, kept)
}

/// Locals that are only read inside outermost statements that also write them.
fn candidates(scope: &Scope, logic: &[Statement]) -> BTreeSet<SignalId> {
    let usage = Usage::new(logic);
    let mut written: HashMap<SignalId, BTreeSet<usize>> = HashMap::new();
    let mut read: HashMap<SignalId, BTreeSet<usize>> = HashMap::new();
    for write in &usage.writes {
        written.entry(write.target.signal).or_default().insert(write.top);
        for (place, _) in &write.reads {
            read.entry(place.signal).or_default().insert(write.top);
        }
    }
    let is_local = |signal: SignalId| {
        let signal = &scope.signals[signal];
        matches!(signal.role, Role::Local | Role::Temporary) && signal.dims.is_empty()
    };
    let local = written.iter().filter(|(signal, _)| is_local(**signal));
    // A statement that only writes it, before the others, is a default that they share.
    let inside = local.filter(|(signal, tops)| read.get(signal).is_some_and(|reads| reads == *tops));
    inside.map(|(signal, _)| *signal).collect()
}

/// The statement with other signals in the places of some.
fn renamed(statement: Statement, names: &HashMap<SignalId, SignalId>) -> Statement {
    let place = |place: &Place| Place {
        signal: names.get(&place.signal).copied().unwrap_or(place.signal),
        ..place.clone()
    };
    let expr = |expr: Expr| expr.with_places(&place);
    let statement = match statement {
        Statement::Assign { target, value } => {
            Statement::Assign { target: place(&target.with_places(&place)), value: expr(value) }
        }
        Statement::If { test, then, otherwise } => Statement::If { test: expr(test), then, otherwise },
        Statement::Case { subject, arms } => Statement::Case { subject: expr(subject), arms },
        other => other,
    };
    statement.with_blocks(|block| block.into_iter().map(|inner| renamed(inner, names)).collect())
}
