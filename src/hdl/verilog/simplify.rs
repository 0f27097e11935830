//! What constants make of a module's logic: sums that begin with nothing, signals that never change.
use super::adjacent::{push_assign, push_if};
use super::constants::Constants;
use super::dead::without_dead;
use super::fold::{fold, one_side, value};
use super::ir::{Expr, ExprKind, Place, Role, SignalId, Statement};
use super::signals::Scope;
use super::usage::{slice, Usage, Write};
use super::value::Value;
use super::walk::{reads, walk};
use std::collections::{HashMap, HashSet};

/// Rounds after which a module's logic is left as it is; two are enough for all there are.
const ROUNDS: usize = 4;

/// The logic without the operations that constants decide, and without the signals that are constant then.
pub(super) fn simplify(scope: &Scope, logic: Vec<Statement>) -> Vec<Statement> {
    let mut logic = fold(scope, logic);
    let needed = read(&logic);
    for _ in 0..ROUNDS {
        let constants = constants(scope, &logic);
        let simplifier = Simplifier { scope, constants: &constants };
        let next = fold(scope, simplifier.block(&logic, &mut Constants::default()));
        let next = without_dead(scope, next);
        let still = read(&next);
        let is_own =
            |id: SignalId| matches!(scope.signals[id].role, Role::Local | Role::Temporary | Role::Scratch);
        let next = slice(&next, &|id| !is_own(id) || still.contains(&id) || !needed.contains(&id));
        if next == logic {
            break;
        }
        logic = next;
    }
    logic
}

/// What the statements of a module's logic read.
fn read(logic: &[Statement]) -> HashSet<SignalId> {
    let mut found = HashSet::new();
    walk(logic, &mut |statement| {
        reads(statement, &mut |place| {
            found.insert(place.signal);
        });
    });
    found
}

/// Signals that are constant, whatever happens: local ones of one assignment, registers that nothing changes after reset.
fn constants(scope: &Scope, logic: &[Statement]) -> HashMap<SignalId, Value> {
    let usage = Usage::new(logic);
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
    for register in &scope.registers {
        let (writes, signal) = (&by_signal[register.next], &scope.signals[register.present]);
        let Some(reset) = register.reset.as_ref().filter(|_| signal.dims.is_empty()) else { continue };
        let stays = |write: &Write| {
            let is_same = scope.is_hold(write.target, write.value) || is_number(write.value, reset);
            is_same && write.target.part.is_none()
        };
        if !writes.is_empty() && writes.iter().all(|&at| stays(&usage.writes[at])) {
            found.extend([register.present, register.next].map(|id| (id, reset.clone())));
        }
    }
    // An index needs its signal, and so does a read of bits that only the circuit knows.
    walk(logic, &mut |statement| {
        let mut index = |place: &Place| {
            if place.part.as_ref().is_some_and(|(offset, _)| offset.constant().is_none()) {
                found.remove(&place.signal);
            }
            place.index_places(&mut |inner| {
                found.remove(&inner.signal);
            });
        };
        if let Statement::Assign { target, .. } = statement {
            index(target);
        }
        statement.expressions().into_iter().for_each(|expr| expr.places(&mut |place| index(place)));
    });
    found
}

struct Simplifier<'a> {
    scope: &'a Scope,
    constants: &'a HashMap<SignalId, Value>,
}

impl Simplifier<'_> {
    fn block(&self, block: &[Statement], known: &mut Constants) -> Vec<Statement> {
        let mut done: Vec<Statement> = vec![];
        for statement in block {
            let statement = match statement {
                Statement::Assign { target, .. } if self.constants.contains_key(&target.signal) => continue,
                Statement::Assign { target, value } => {
                    let value = self.expr(value, known);
                    if matches!(&value.kind, ExprKind::Place(place) if place == target) {
                        continue;
                    }
                    known.assign(target, &value);
                    push_assign(self.scope, &mut done, target, value);
                    continue;
                }
                Statement::If { test, then, otherwise } => {
                    let test = self.expr(test, known);
                    let (then, otherwise) =
                        [then, otherwise].map(|body| self.block(body, &mut known.clone())).into();
                    [&then, &otherwise].iter().for_each(|body| known.forget(body));
                    push_if(&mut done, test, then, otherwise);
                    continue;
                }
                Statement::Case { subject, arms } => {
                    let subject = self.expr(subject, known);
                    let arm = |(label, body): &(Option<Expr>, Vec<Statement>)| {
                        (label.clone(), self.block(body, &mut known.clone()))
                    };
                    let arms: Vec<_> = arms.iter().map(arm).collect();
                    arms.iter().for_each(|(_, body)| known.forget(body));
                    Statement::Case { subject, arms }
                }
                Statement::For { variable, body } => {
                    known.forget(body);
                    let body = self.block(body, known);
                    known.leave(variable.id);
                    Statement::For { variable: variable.clone(), body }
                }
                Statement::Comment(_) => statement.clone(),
            };
            done.push(statement);
        }
        done
    }

    fn expr(&self, expr: &Expr, known: &Constants) -> Expr {
        self.rewrite(expr, &|place| {
            if let Some(value) = known.of(place) {
                return Some(value.clone());
            }
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
        if let ExprKind::Place(place) = &expr.kind {
            return replace(place).filter(|value| value.width == expr.width).unwrap_or_else(|| expr.clone());
        }
        let changed = expr.with_operands(|inner| self.rewrite(inner, replace));
        if let ExprKind::Binary(a, operator, b) = &changed.kind {
            if let Some(one) = one_side(self.scope, a, *operator, b).filter(|one| one.width == expr.width) {
                return one;
            }
        }
        match value(self.scope, &changed) {
            Some(number) if is_decided(&changed) => Expr::constant(number, changed.width),
            _ => changed,
        }
    }
}

fn is_number(expr: &Expr, number: &Value) -> bool {
    matches!(&expr.kind, ExprKind::Constant(value) if value == number)
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
