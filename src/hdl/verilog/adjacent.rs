//! Statements that follow one another and come to one: the author's logic has loops and conditions that the configuration
//! decides, of which such pairs are left.
use super::fold::one_side;
use super::ir::{Expr, ExprKind, Place, SignalId, Statement};
use super::signals::Scope;
use super::walk::{reads, walk};

/// The block with such statements put together.
pub(super) fn together(scope: &Scope, block: Vec<Statement>) -> Vec<Statement> {
    let mut done = vec![];
    for statement in block {
        match statement.with_blocks(|block| together(scope, block)) {
            Statement::Assign { target, value } => push_assign(scope, &mut done, &target, value),
            Statement::If { test, then, otherwise } => push_if(&mut done, test, then, otherwise),
            other => done.push(other),
        }
    }
    done
}

/// Puts `target = value` behind `done`.
pub(super) fn push_assign(scope: &Scope, done: &mut Vec<Statement>, target: &Place, value: Expr) {
    let value = continued(scope, done, target, value);
    done.push(Statement::Assign { target: target.clone(), value });
}

/// Puts a condition behind `done`: if the statement before asks the same, its branches go on with these.
pub(super) fn push_if(
    done: &mut Vec<Statement>,
    test: Expr,
    then: Vec<Statement>,
    otherwise: Vec<Statement>,
) {
    let asks_same = |before: &Statement| {
        let mut is_same = matches!(before, Statement::If { test: other, .. } if *other == test);
        test.places(&mut |place| is_same &= !writes(before, place.signal));
        is_same
    };
    if done.last().is_some_and(asks_same) {
        if let Some(Statement::If { then: first, otherwise: other, .. }) = done.last_mut() {
            first.extend(then);
            other.extend(otherwise);
            return;
        }
    }
    done.push(Statement::If { test, then, otherwise });
}

/// `x = a; x = x | b` is `x = a | b`: the value, with what was given to `target` before where it is read, once.
fn continued(scope: &Scope, done: &mut Vec<Statement>, target: &Place, value: Expr) -> Expr {
    let mut reads = 0;
    value.places(&mut |place| reads += usize::from(place.signal == target.signal));
    if reads != 1 || occurrences(&value, target) != 1 {
        return value;
    }
    let Some((at, before)) = before(done, target) else { return value };
    let mut stays = true;
    before.places(&mut |place| {
        stays &= !done[at + 1..].iter().any(|between| writes(between, place.signal));
    });
    if !stays {
        return value;
    }
    let joined = with(scope, &value, target, before);
    done.remove(at);
    joined
}

/// Where `target`, which no index of the circuit's chooses, was last assigned, and what, if what stands between is no comment
/// and has nothing to do with its signal.
fn before<'a>(done: &'a [Statement], target: &Place) -> Option<(usize, &'a Expr)> {
    if target.is_dynamic() {
        return None;
    }
    let ends = |statement: &Statement| {
        matches!(statement, Statement::Comment(text) if !text.is_empty())
            || concerns(statement, target.signal)
    };
    let at = done.iter().rposition(ends)?;
    match &done[at] {
        Statement::Assign { target: other, value } if other == target => Some((at, value)),
        _ => None,
    }
}

/// How often `place` is an operand.
fn occurrences(expr: &Expr, place: &Place) -> usize {
    match &expr.kind {
        ExprKind::Place(own) => usize::from(own == place),
        _ => expr.operands().map(|inner| occurrences(inner, place)).sum(),
    }
}

/// The expression with `value` for `place`, and what follows if that is nothing.
fn with(scope: &Scope, expr: &Expr, place: &Place, value: &Expr) -> Expr {
    let whole = match &expr.kind {
        ExprKind::Place(own) if own == place => return value.clone(),
        _ => expr.with_operands(|inner| with(scope, inner, place, value)),
    };
    let one = match &whole.kind {
        ExprKind::Binary(a, operator, b) => one_side(scope, a, *operator, b),
        _ => None,
    };
    one.filter(|one| one.width == whole.width).unwrap_or(whole)
}

/// Whether a statement writes `signal`.
fn writes(statement: &Statement, signal: SignalId) -> bool {
    let mut found = false;
    walk(std::slice::from_ref(statement), &mut |inner| {
        found |= matches!(inner, Statement::Assign { target, .. } if target.signal == signal);
    });
    found
}

/// Whether a statement reads or writes `signal`.
fn concerns(statement: &Statement, signal: SignalId) -> bool {
    let mut found = writes(statement, signal);
    walk(std::slice::from_ref(statement), &mut |inner| {
        reads(inner, &mut |place| found |= place.signal == signal);
    });
    found
}
