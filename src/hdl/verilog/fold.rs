//! What constants decide: conditions, of which a branch is left, and operations.
use super::ir::{Expr, ExprKind, Operator, Role, Statement};
use super::signals::Scope;

/// The block without the branches that constants exclude.
pub(super) fn fold(scope: &Scope, block: Vec<Statement>) -> Vec<Statement> {
    let mut result = vec![];
    for statement in block {
        match statement {
            Statement::If { test, then, otherwise } => match value(scope, &test) {
                Some(0) => result.extend(apart(fold(scope, otherwise))),
                Some(_) => result.extend(apart(fold(scope, then))),
                None => {
                    let whole = Statement::If { test, then, otherwise };
                    result.push(whole.with_blocks(|body| fold(scope, body)));
                }
            },
            Statement::For { variable, body } => {
                let body = fold(scope, body);
                if !body.is_empty() {
                    result.push(Statement::For { variable, body });
                }
            }
            other => result.push(other.with_blocks(|body| fold(scope, body))),
        }
    }
    result
}

/// The branch that is left of a condition: what is said in it is not of what follows, so an empty comment ends it. A comment
/// that the branch ends with is of what follows.
pub(super) fn apart(mut branch: Vec<Statement>) -> Vec<Statement> {
    let is_comment = |statement: &Statement| matches!(statement, Statement::Comment(_));
    if branch.iter().any(is_comment) && !branch.last().is_some_and(is_comment) {
        branch.push(Statement::Comment(String::new()));
    }
    branch
}

/// The value of an expression of constants; `None` if it depends on the circuit or is wider than 64 bits.
pub(super) fn value(scope: &Scope, expr: &Expr) -> Option<u64> {
    if expr.width > 64 {
        return None;
    }
    let all = u64::MAX >> (64 - expr.width);
    let of = |expr: &Expr| value(scope, expr);
    let number = match &expr.kind {
        ExprKind::Constant(number) => number.to_u64()?,
        ExprKind::Variant(_, number) => *number as u64,
        ExprKind::Place(place) => {
            let signal = &scope.signals[place.signal];
            let Role::Constant(number) = &signal.role else { return None };
            let whole = signal.dims.is_empty() && place.part.is_none();
            whole.then(|| number.to_u64()).flatten()?
        }
        ExprKind::Extend(a) => of(a)?,
        ExprKind::Not(a) => !of(a)?,
        ExprKind::Binary(a, operator, b) => {
            // An operand that decides alone.
            let (x, y) = (of(a), of(b));
            match (operator, x, y) {
                (Operator::And | Operator::LogicalAnd, Some(0), _)
                | (Operator::And | Operator::LogicalAnd, _, Some(0)) => return Some(0),
                (Operator::LogicalOr, Some(1), _) | (Operator::LogicalOr, _, Some(1)) => return Some(1),
                (Operator::Or, Some(1), _) | (Operator::Or, _, Some(1)) if expr.width == 1 => return Some(1),
                _ => {}
            }
            let (x, y) = (x?, y?);
            match operator {
                Operator::And | Operator::LogicalAnd => x & y,
                Operator::Or | Operator::LogicalOr => x | y,
                Operator::Xor => x ^ y,
                Operator::Equal => (x == y) as u64,
                Operator::NotEqual => (x != y) as u64,
                Operator::Less => (x < y) as u64,
                Operator::LessEqual => (x <= y) as u64,
                Operator::Greater => (x > y) as u64,
                Operator::GreaterEqual => (x >= y) as u64,
                _ => return None,
            }
        }
        ExprKind::Reduce('|', a) => (of(a)? != 0) as u64,
        _ => return None,
    };
    Some(number & all)
}

/// What an operation comes to of which one operand is all zeros or all ones, or that leaves no bit.
pub(super) fn one_side(scope: &Scope, a: &Expr, operator: Operator, b: &Expr) -> Option<Expr> {
    let side = |expr: &Expr| {
        let number = value(scope, expr)?;
        let ones = u64::MAX >> (64 - expr.width);
        (number == 0 || number == ones).then_some(number != 0)
    };
    let (x, y) = (side(a), side(b));
    let zero = || Some(Expr::constant(0, a.width));
    let shifts_out = || value(scope, b).is_some_and(|count| count >= a.width as u64);
    match operator {
        Operator::ShiftLeft | Operator::ShiftRight if shifts_out() => zero(),
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
