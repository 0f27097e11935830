//! What constants make of a kernel: sums that begin with nothing, signals that never change.
use super::fold::{fold, value};
use super::ir::{Expr, ExprKind, Operator, Place, Role, SignalId, Statement};
use super::signals::Scope;
use super::usage::{walk, Usage};
use super::value::Value;
use std::collections::{HashMap, HashSet};

/// Rounds after which a kernel is left as it is; two are enough for all there are.
const ROUNDS: usize = 4;

/// The kernel without the operations that constants decide, and without the signals that are constant then.
pub(super) fn simplify(scope: &Scope, kernel: Vec<Statement>) -> Vec<Statement> {
    let mut kernel = fold(scope, kernel);
    for _ in 0..ROUNDS {
        let constants = constants(scope, &kernel);
        let simplifier = Simplifier { scope, constants: &constants };
        let next = fold(scope, simplifier.block(&kernel));
        if next == kernel {
            break;
        }
        kernel = next;
    }
    kernel
}

/// Local signals that one assignment gives a constant, whatever happens.
fn constants(scope: &Scope, kernel: &[Statement]) -> HashMap<SignalId, Value> {
    let usage = Usage::new(kernel);
    let by_signal = usage.by_signal(scope.signals.len());
    let mut found = HashMap::new();
    for (id, signal) in scope.signals.iter().enumerate() {
        let [at] = by_signal[id][..] else { continue };
        let write = &usage.writes[at];
        let own = matches!(signal.role, Role::Local | Role::Temporary) && signal.dims.is_empty();
        if let (true, true, ExprKind::Constant(value)) =
            (own, write.is_whole(&signal.dims), &write.value.kind)
        {
            found.insert(id, value.clone());
        }
    }
    // An index needs its signal, and so does a read of bits that only the circuit knows.
    walk(kernel, &mut |statement| {
        let mut index = |place: &Place| {
            if place.part.as_ref().is_some_and(|(offset, _)| offset.constant().is_none()) {
                found.remove(&place.signal);
            }
            place.index_places(&mut |inner| {
                found.remove(&inner.signal);
            });
        };
        match statement {
            Statement::Assign { target, value } => {
                index(target);
                value.places(&mut |place| index(place));
            }
            Statement::If { test, .. } => test.places(&mut |place| index(place)),
            Statement::Case { subject, .. } => subject.places(&mut |place| index(place)),
            Statement::For { .. } | Statement::Comment(_) => {}
        }
    });
    found
}

struct Simplifier<'a> {
    scope: &'a Scope,
    constants: &'a HashMap<SignalId, Value>,
}

impl Simplifier<'_> {
    fn block(&self, block: &[Statement]) -> Vec<Statement> {
        let mut done: Vec<Statement> = vec![];
        for statement in block {
            let statement = match statement {
                Statement::Assign { target, .. } if self.constants.contains_key(&target.signal) => continue,
                Statement::Assign { target, value } => {
                    let value = self.expr(value);
                    if matches!(&value.kind, ExprKind::Place(place) if place == target) {
                        continue;
                    }
                    self.assign(&mut done, target, value)
                }
                Statement::If { test, then, otherwise } => Statement::If {
                    test: self.expr(test),
                    then: self.block(then),
                    otherwise: self.block(otherwise),
                },
                Statement::Case { subject, arms } => Statement::Case {
                    subject: self.expr(subject),
                    arms: arms.iter().map(|(label, body)| (label.clone(), self.block(body))).collect(),
                },
                Statement::For { variable, body } => {
                    Statement::For { variable: variable.clone(), body: self.block(body) }
                }
                Statement::Comment(_) => statement.clone(),
            };
            done.push(statement);
        }
        done
    }

    /// An assignment; one of a constant to the same place that stands before is put into it, if only assignments that have
    /// nothing to do with that place stand between.
    fn assign(&self, done: &mut Vec<Statement>, target: &Place, value: Expr) -> Statement {
        let apart = |statement: &Statement| match statement {
            Statement::Comment(_) => true,
            Statement::Assign { target: other, value } => {
                let mut reads = other.signal == target.signal;
                value.places(&mut |place| reads |= place.signal == target.signal);
                other.index_places(&mut |place| reads |= place.signal == target.signal);
                !reads
            }
            _ => false,
        };
        let before = done.iter().rposition(|statement| !apart(statement));
        if let Some(Statement::Assign { target: same, value: first }) = before.map(|at| &done[at]) {
            let steady = matches!(first.kind, ExprKind::Constant(_));
            let mut reads_index = false;
            target.index_places(&mut |place| reads_index |= place.signal == target.signal);
            if same == target && steady && !reads_index {
                let value = self.rewrite(&value, &|place| (place == target).then(|| first.clone()));
                let mut left = false;
                value.places(&mut |place| left |= place.signal == target.signal);
                if !left {
                    done.remove(before.unwrap_or_default());
                    return Statement::Assign { target: target.clone(), value };
                }
            }
        }
        Statement::Assign { target: target.clone(), value }
    }

    fn expr(&self, expr: &Expr) -> Expr {
        self.rewrite(expr, &|place| {
            let value = self.constants.get(&place.signal)?;
            let (width, value) = match &place.part {
                None => (self.scope.signals[place.signal].width, value.clone()),
                Some((offset, width)) => (*width, value.shifted_right(offset.constant()?).cut(*width)),
            };
            Some(Expr::constant(value, width))
        })
    }

    /// The expression with some places replaced, and what follows from that.
    fn rewrite(&self, expr: &Expr, replace: &dyn Fn(&Place) -> Option<Expr>) -> Expr {
        let of = |inner: &Expr| Box::new(self.rewrite(inner, replace));
        let kind = match &expr.kind {
            ExprKind::Place(place) => match replace(place) {
                Some(value) if value.width == expr.width => return value,
                _ => return expr.clone(),
            },
            ExprKind::Extend(a) => ExprKind::Extend(of(a)),
            ExprKind::SignExtend(a) => ExprKind::SignExtend(of(a)),
            ExprKind::Not(a) => ExprKind::Not(of(a)),
            ExprKind::Negate(a) => ExprKind::Negate(of(a)),
            ExprKind::Reduce(operator, a) => ExprKind::Reduce(*operator, of(a)),
            ExprKind::Binary(a, operator, b) => {
                let (a, b) = (of(a), of(b));
                if let Some(one) = self.one_side(&a, *operator, &b).filter(|one| one.width == expr.width) {
                    return one;
                }
                ExprKind::Binary(a, *operator, b)
            }
            kind => kind.clone(),
        };
        let changed = Expr { width: expr.width, kind };
        match value(self.scope, &changed) {
            Some(number) if is_decided(&changed) => Expr::constant(number, changed.width),
            _ => changed,
        }
    }

    /// What an operation comes to of which one operand is all zeros or all ones.
    fn one_side(&self, a: &Expr, operator: Operator, b: &Expr) -> Option<Expr> {
        let side = |expr: &Expr| {
            let number = value(self.scope, expr)?;
            let ones = u64::MAX >> (64 - expr.width);
            (number == 0 || number == ones).then_some(number != 0)
        };
        let (x, y) = (side(a), side(b));
        let zero = || Some(Expr::constant(0, a.width));
        match operator {
            Operator::And | Operator::LogicalAnd => match (x, y) {
                (Some(false), _) | (_, Some(false)) => zero(),
                (Some(true), _) => Some(b.clone()),
                (_, Some(true)) => Some(a.clone()),
                _ => None,
            },
            Operator::Or | Operator::LogicalOr | Operator::Xor | Operator::Add => match (x, y) {
                (Some(false), _) => Some(b.clone()),
                (_, Some(false)) => Some(a.clone()),
                (Some(true), _) if matches!(operator, Operator::Or | Operator::LogicalOr) => Some(a.clone()),
                (_, Some(true)) if matches!(operator, Operator::Or | Operator::LogicalOr) => Some(b.clone()),
                _ => None,
            },
            Operator::Sub | Operator::ShiftLeft | Operator::ShiftRight if y == Some(false) => Some(a.clone()),
            _ => None,
        }
    }
}

/// Whether an expression is made of numbers alone: a constant that has a name keeps it.
fn is_decided(expr: &Expr) -> bool {
    let mut places = HashSet::new();
    expr.places(&mut |place| {
        places.insert(place.signal);
    });
    let is_variant = matches!(expr.kind, ExprKind::Variant(..) | ExprKind::Index(_) | ExprKind::Constant(_));
    places.is_empty() && !is_variant
}
