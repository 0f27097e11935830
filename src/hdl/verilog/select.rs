//! Loops that look for one index: `for i: if (select == i) y = x[i];` is `y = x[select];`.
//!
//! rust-hdl cannot index an array dynamically on the left-hand side, so the logic compares in a loop. Synthesis makes
//! three times as much of the comparisons as of a multiplexer, and simulators run them all.
use super::bits::resized;
use super::expr::binary;
use super::ir::{Expr, ExprKind, Index, LoopVariable, Operator, Place, SignalId, Statement};
use super::signals::Scope;
use super::types::bits_of;
use super::walk::{reads, walk};
use std::collections::BTreeSet;

/// Widest vector that is written at a dynamic index: synthesis time grows with the square of the width.
const WIDEST: usize = 256;

/// The block with such loops replaced; `written` collects the vectors that are written at a dynamic index.
pub(super) fn select(
    scope: &Scope,
    block: Vec<Statement>,
    written: &mut BTreeSet<SignalId>,
) -> Vec<Statement> {
    let mut result = vec![];
    for statement in block {
        match statement {
            Statement::For { variable, body } => {
                let body = select(scope, body, written);
                for part in parts(body) {
                    match part.as_slice() {
                        [Statement::If { test, then, otherwise }] if otherwise.is_empty() => {
                            match chosen(scope, &variable, test, then, written) {
                                Some(statements) => result.extend(statements),
                                None => {
                                    result.push(Statement::For { variable: variable.clone(), body: part })
                                }
                            }
                        }
                        _ => result.push(Statement::For { variable: variable.clone(), body: part }),
                    }
                }
            }
            other => result.push(other.with_blocks(|body| select(scope, body, written))),
        }
    }
    merged(result)
}

/// Puts adjacent loops over one variable together again.
pub(super) fn merged(block: Vec<Statement>) -> Vec<Statement> {
    let mut result: Vec<Statement> = vec![];
    for statement in block {
        if let (Some(Statement::For { variable: last, body: into }), Statement::For { variable, body }) =
            (result.last_mut(), &statement)
        {
            if last == variable {
                into.extend(body.iter().cloned());
                continue;
            }
        }
        result.push(statement);
    }
    result
}

/// The statements of a loop's body in groups that do not concern one another.
pub(super) fn parts(body: Vec<Statement>) -> Vec<Vec<Statement>> {
    let mut parts: Vec<(BTreeSet<SignalId>, BTreeSet<SignalId>, Vec<Statement>)> = vec![];
    for statement in body {
        let (mut writes, mut uses) = (BTreeSet::new(), BTreeSet::new());
        walk(std::slice::from_ref(&statement), &mut |inner| {
            if let Statement::Assign { target, .. } = inner {
                writes.insert(target.signal);
            }
            reads(inner, &mut |place| {
                uses.insert(place.signal);
            });
        });
        let meets = |part: &(BTreeSet<SignalId>, BTreeSet<SignalId>, Vec<Statement>)| {
            let apart = |a: &BTreeSet<SignalId>, b: &BTreeSet<SignalId>| a.is_disjoint(b);
            !(apart(&part.0, &writes) && apart(&part.0, &uses) && apart(&part.1, &writes))
        };
        let first = parts.iter().position(meets);
        match first {
            None => parts.push((writes, uses, vec![statement])),
            // Everything from the first group concerned on stays together, in order.
            Some(first) => {
                let tail: Vec<_> = parts.drain(first + 1..).collect();
                let into = &mut parts[first];
                for (more_writes, more_uses, statements) in tail {
                    into.0.extend(more_writes);
                    into.1.extend(more_uses);
                    into.2.extend(statements);
                }
                into.0.extend(writes);
                into.1.extend(uses);
                into.2.push(statement);
            }
        }
    }
    parts.into_iter().map(|(_, _, statements)| statements).collect()
}

/// The factors of a conjunction.
fn factors<'a>(test: &'a Expr, found: &mut Vec<&'a Expr>) {
    match &test.kind {
        ExprKind::Binary(a, Operator::And | Operator::LogicalAnd, b) if test.width == 1 => {
            factors(a, found);
            factors(b, found);
        }
        _ => found.push(test),
    }
}

/// What the loop does at the one index it looks for.
fn chosen(
    scope: &Scope,
    variable: &LoopVariable,
    test: &Expr,
    then: &[Statement],
    written: &mut BTreeSet<SignalId>,
) -> Option<Vec<Statement>> {
    let mut all = vec![];
    factors(test, &mut all);
    let is_variable =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Index(Index::Variable(own)) if own == variable);
    let selector = |factor: &&Expr| match &factor.kind {
        ExprKind::Binary(a, Operator::Equal, b) if is_variable(b) => Some(a.as_ref().clone()),
        ExprKind::Binary(a, Operator::Equal, b) if is_variable(a) => Some(b.as_ref().clone()),
        _ => None,
    };
    let at = all.iter().position(|factor| selector(factor).is_some())?;
    let select = selector(&all.remove(at))?;
    let ExprKind::Place(place) = &select.kind else { return None };
    if variable.from != 0 || mentions(&select, variable) {
        return None;
    }
    // The selector may not change meanwhile.
    let mut changes = false;
    walk(then, &mut |statement| {
        if let Statement::Assign { target, .. } = statement {
            changes |= target.signal == place.signal;
        }
    });
    if changes {
        return None;
    }
    let mut rewrite = Rewrite { scope, variable, select: &select, dynamic: vec![] };
    let mut test: Option<Expr> = None;
    let exact = 1_usize.checked_shl(select.width as u32) == Some(variable.to);
    let guard = (!exact).then(|| {
        let count = Expr::constant(variable.to as u64, select.width);
        binary(select.clone(), Operator::Less, count, 1)
    });
    for factor in all {
        let factor = rewrite.expr(factor)?;
        test = Some(test.map_or(factor.clone(), |before| binary(before, Operator::And, factor, 1)));
    }
    if let Some(guard) = guard {
        test = Some(test.map_or(guard.clone(), |before| binary(guard, Operator::And, before, 1)));
    }
    let then = rewrite.block(then)?;
    written.extend(rewrite.dynamic);
    Some(match test {
        Some(test) => vec![Statement::If { test, then, otherwise: vec![] }],
        None => then,
    })
}

fn mentions(expr: &Expr, variable: &LoopVariable) -> bool {
    let mut numbers = std::collections::HashMap::new();
    numbers.insert(variable.id, 0);
    expr.with_numbers(&numbers) != *expr
}

/// Puts the selector in the place of the loop variable.
struct Rewrite<'a> {
    scope: &'a Scope,
    variable: &'a LoopVariable,
    select: &'a Expr,
    dynamic: Vec<SignalId>,
}

impl Rewrite<'_> {
    fn block(&mut self, block: &[Statement]) -> Option<Vec<Statement>> {
        block.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement(&mut self, statement: &Statement) -> Option<Statement> {
        Some(match statement {
            Statement::Assign { target, value } => {
                let new = self.place(target)?;
                if new != *target {
                    if self.scope.signals[target.signal].total() > WIDEST {
                        return None;
                    }
                    self.dynamic.push(target.signal);
                }
                Statement::Assign { target: new, value: self.expr(value)? }
            }
            Statement::If { test, then, otherwise } => Statement::If {
                test: self.expr(test)?,
                then: self.block(then)?,
                otherwise: self.block(otherwise)?,
            },
            Statement::Case { subject, arms } => {
                let subject = self.expr(subject)?;
                let arms = arms.iter().map(|(label, body)| Some((label.clone(), self.block(body)?)));
                Statement::Case { subject, arms: arms.collect::<Option<_>>()? }
            }
            Statement::For { variable, body } => {
                Statement::For { variable: variable.clone(), body: self.block(body)? }
            }
            Statement::Comment(text) => Statement::Comment(text.clone()),
        })
    }

    fn expr(&self, expr: &Expr) -> Option<Expr> {
        let kind = match &expr.kind {
            ExprKind::Place(place) => ExprKind::Place(self.place(place)?),
            ExprKind::Index(Index::Variable(own)) if own == self.variable => {
                return resized(self.select, expr.width);
            }
            ExprKind::Index(index) if self.is_free(index) => ExprKind::Index(index.clone()),
            ExprKind::Index(_) => return None,
            _ => {
                let mut all = true;
                let rewritten = expr.with_operands(|inner| {
                    let new = self.expr(inner);
                    all &= new.is_some();
                    new.unwrap_or_else(|| inner.clone())
                });
                return all.then_some(rewritten);
            }
        };
        Some(Expr { width: expr.width, kind })
    }

    fn is_free(&self, index: &Index) -> bool {
        let mut variables = vec![];
        index.variables(&mut variables);
        let dynamic = |index: &Index| {
            let mut free = true;
            index.places(&mut |place| free &= self.place(place).as_ref() == Some(place));
            free
        };
        !variables.contains(self.variable) && dynamic(index)
    }

    fn place(&self, place: &Place) -> Option<Place> {
        let signal = &self.scope.signals[place.signal];
        let index = |index: &Index, length: usize| match index {
            Index::Variable(own) if own == self.variable => {
                // Verilog wants exactly the bits that the vector's length needs.
                let select = resized(self.select, bits_of(length.max(2) - 1))?;
                Some(Index::Dynamic(Box::new(select)))
            }
            index if self.is_free(index) => Some(index.clone()),
            _ => None,
        };
        let lone_bits = signal.width == 1 && signal.dims.len() > 1;
        let indices: Option<Vec<Index>> =
            place.indices.iter().zip(&signal.dims).map(|(own, &length)| index(own, length)).collect();
        let indices = indices?;
        if lone_bits && indices != place.indices {
            return None;
        }
        let part = match &place.part {
            None => None,
            // A bit of a plain vector; anything else would need arithmetic of exact width.
            Some((offset, 1)) if signal.dims.is_empty() => Some((index(offset, signal.width)?, 1)),
            Some((offset, width)) if self.is_free(offset) => Some((offset.clone(), *width)),
            Some(_) => return None,
        };
        // Bits of a dynamically chosen element would need that arithmetic too.
        let mixed = part.as_ref().is_some_and(|(_, width)| *width == 1) && indices != place.indices;
        (!mixed).then_some(Place { signal: place.signal, indices, part })
    }
}
