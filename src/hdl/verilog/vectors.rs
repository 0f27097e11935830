//! Loops over bits or array elements that a vector operation says better: `y[i] = a[i] & b[i]` is `y = a & b`.
use super::dead::without_dead;
use super::ir::{Expr, ExprKind, Index, LoopVariable, Operator, Place, SignalId, Statement};
use super::select::{merged, parts};
use super::signals::Scope;
use super::value::Value;
use super::walk::{reads, walk};

/// The block with element-wise loops turned into assignments of vectors, and assignments without effect left out.
pub(super) fn vectorize(scope: &Scope, block: Vec<Statement>) -> Vec<Statement> {
    without_dead(scope, vectors(scope, block))
}

fn vectors(scope: &Scope, block: Vec<Statement>) -> Vec<Statement> {
    let mut result: Vec<Statement> = vec![];
    for statement in block {
        match statement {
            Statement::For { variable, body } => {
                let (hoisted, rest) = hoist(scope, &variable, vectors(scope, body));
                result.extend(hoisted);
                result.extend(merged(loops(scope, &variable, rest)));
            }
            other => result.push(other.with_blocks(|body| vectors(scope, body))),
        }
    }
    result
}

/// A loop over `body`; a condition that its variable has nothing to do with is asked once, before the loop.
fn loops(scope: &Scope, variable: &LoopVariable, body: Vec<Statement>) -> Vec<Statement> {
    let is_comment = |statement: &Statement| matches!(statement, Statement::Comment(_));
    if body.iter().all(is_comment) {
        return body;
    }
    let around = |body: &[Statement]| Statement::For { variable: variable.clone(), body: body.to_vec() };
    if body.iter().any(is_comment) {
        return vec![around(&body)];
    }
    let group = |group: Vec<Statement>| match group.as_slice() {
        [Statement::If { test, then, otherwise }] if is_fixed(test, variable, &group) => {
            let branch = |body: &Vec<Statement>| match body.as_slice() {
                [] => vec![],
                body => vectors(scope, vec![around(body)]),
            };
            Statement::If { test: test.clone(), then: branch(then), otherwise: branch(otherwise) }
        }
        _ => around(&group),
    };
    parts(body).into_iter().map(group).collect()
}

/// Whether `test` is the same in every round of a loop over `body`.
fn is_fixed(test: &Expr, variable: &LoopVariable, body: &[Statement]) -> bool {
    let mut inputs = vec![];
    test.places(&mut |place| inputs.push(place));
    let mut found = vec![];
    for place in &inputs {
        place.indices.iter().for_each(|index| index.variables(&mut found));
        place.part.iter().for_each(|(offset, _)| offset.variables(&mut found));
    }
    let mut fixed = !found.contains(variable) && !has_index(test);
    walk(body, &mut |statement| {
        if let Statement::Assign { target, .. } = statement {
            fixed &= inputs.iter().all(|place| place.signal != target.signal);
        }
    });
    fixed
}

/// Whether the value of a loop variable is a part of an expression, or of an index that the circuit gives.
fn has_index(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Place(place) => place.is_dynamic(),
        ExprKind::Index(_) => true,
        _ => expr.operands().any(has_index),
    }
}

/// Splits a loop's body into what becomes vector assignments before the loop, and the rest.
fn hoist(scope: &Scope, variable: &LoopVariable, body: Vec<Statement>) -> (Vec<Statement>, Vec<Statement>) {
    let mut hoisted = vec![];
    let mut rest = body;
    let mut at = 0;
    while at < rest.len() {
        let vector = match &rest[at] {
            Statement::Assign { target, value } => vector(scope, variable, target, value),
            _ => None,
        };
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        match vector {
            Some(vector) if is_separable(&rest[at], before, after) => {
                rest.remove(at);
                hoisted.push(vector);
            }
            _ => at += 1,
        }
    }
    (hoisted, rest)
}

/// Whether `assign` may run for all elements before the rest of the loop's body runs for any.
fn is_separable(assign: &Statement, before: &[Statement], after: &[Statement]) -> bool {
    let Statement::Assign { target, value } = assign else { return false };
    let mut inputs: Vec<SignalId> = vec![];
    // What the element itself was is as good as another input.
    value.places(&mut |place| inputs.extend((place != target).then_some(place.signal)));
    if inputs.contains(&target.signal) {
        return false;
    }
    // After the assignment its own element may be read and written: that is the same iteration's.
    let conflicts = |block: &[Statement], own_element: bool| {
        let mut found = false;
        walk(block, &mut |statement| {
            if let Statement::Assign { target: other, .. } = statement {
                let own = own_element && other.indices == target.indices && !target.indices.is_empty();
                found |= (other.signal == target.signal && !own) || inputs.contains(&other.signal);
            }
            reads(statement, &mut |place| {
                found |= place.signal == target.signal && !(own_element && place == target);
            });
        });
        found
    };
    !conflicts(before, false) && !conflicts(after, true)
}

/// The assignment for all values of `variable` at once.
fn vector(scope: &Scope, variable: &LoopVariable, target: &Place, value: &Expr) -> Option<Statement> {
    let width = variable.to - variable.from;
    let element = element_width(scope, target);
    let place = stretched(scope, variable, target, element)?;
    let value = vector_value(scope, variable, value, element, width * element)?;
    Some(Statement::Assign { target: place, value })
}

fn element_width(scope: &Scope, place: &Place) -> usize {
    place.part.as_ref().map_or(scope.signals[place.signal].width, |(_, width)| *width)
}

fn vector_value(
    scope: &Scope,
    variable: &LoopVariable,
    value: &Expr,
    element: usize,
    width: usize,
) -> Option<Expr> {
    let of = |expr: &Expr| vector_value(scope, variable, expr, element, width).map(Box::new);
    let kind = match &value.kind {
        ExprKind::Place(place) if element_width(scope, place) == element => {
            return Some(Expr::place(stretched(scope, variable, place, element)?, width));
        }
        ExprKind::Constant(number) if *number == Value::default() => return Some(Expr::constant(0, width)),
        ExprKind::Not(inner) => ExprKind::Not(of(inner)?),
        ExprKind::Binary(a, operator @ (Operator::And | Operator::Or | Operator::Xor), b) => {
            ExprKind::Binary(of(a)?, *operator, of(b)?)
        }
        _ => return None,
    };
    Some(Expr { width, kind })
}

/// The bits of `place` over all values of `variable`, if they lie side by side.
fn stretched(scope: &Scope, variable: &LoopVariable, place: &Place, element: usize) -> Option<Place> {
    let signal = &scope.signals[place.signal];
    let total = (variable.to - variable.from) * element;
    let start = match (place.indices.split_last(), &place.part) {
        // Bits of a signal that is no array.
        (None, Some((offset, 1))) => offset_from(variable, offset)?,
        // Elements of an array, or of one of several arrays.
        (Some((index, outer)), None) if place.indices.len() == signal.dims.len() => {
            let all = variable.from == 0 && variable.to == signal.dims[outer.len()];
            if all && *index == Index::Variable(variable.clone()) {
                return Some(Place { signal: place.signal, indices: outer.to_vec(), part: None });
            }
            let mut at = 0;
            for (index, length) in outer.iter().zip(&signal.dims) {
                at = at * length + index.constant()?;
            }
            (at * signal.dims[outer.len()] + offset_from(variable, index)?) * signal.width
        }
        _ => return None,
    };
    let part = (total < signal.total()).then_some((Index::Number(start), total));
    Some(Place { signal: place.signal, indices: vec![], part })
}

/// Value of `index` for the variable's first value, if it grows by one with the variable.
fn offset_from(variable: &LoopVariable, index: &Index) -> Option<usize> {
    match index {
        Index::Variable(own) if own == variable => Some(variable.from),
        Index::Operation(a, '+', b) => match (a.as_ref(), b.as_ref()) {
            (Index::Variable(own), Index::Number(more)) | (Index::Number(more), Index::Variable(own))
                if own == variable =>
            {
                Some(variable.from + more)
            }
            _ => None,
        },
        _ => None,
    }
}
