//! Fields put side by side: rust-hdl has no concatenation, so a module's logic writes `low | (high << 8)`; a reader wants `{high, low}`.
use super::ir::{Expr, ExprKind, Operator};

/// The fields of `expr`, highest first and zeros between them included, if it is an OR of two or more that do not overlap.
pub(super) fn concatenation(expr: &Expr) -> Option<Vec<Expr>> {
    let ExprKind::Binary(_, Operator::Or, _) = &expr.kind else { return None };
    let mut fields = vec![];
    collect(expr, 0, expr.width, &mut fields)?;
    fields.sort_by_key(|(start, _)| *start);
    let (mut parts, mut end) = (vec![], 0);
    let zeros = |parts: &mut Vec<Expr>, count| {
        if count > 0 {
            parts.push(Expr::constant(0, count));
        }
    };
    for (start, field) in fields {
        zeros(&mut parts, start.checked_sub(end)?);
        end = start + field.width;
        parts.push(field);
    }
    zeros(&mut parts, expr.width - end);
    parts.reverse();
    (parts.len() > 1).then_some(parts)
}

/// Adds the fields of `expr` at bit `start`, each with the bit it starts at; `None` if one may reach beyond bit `end`.
fn collect(expr: &Expr, start: usize, end: usize, fields: &mut Vec<(usize, Expr)>) -> Option<()> {
    let end = end.min(start + expr.width);
    let (start, field) = match &expr.kind {
        ExprKind::Binary(a, Operator::Or, b) => {
            collect(a, start, end, fields)?;
            return collect(b, start, end, fields);
        }
        ExprKind::Binary(a, Operator::ShiftLeft, count) => {
            let ExprKind::Constant(count) = &count.kind else { return None };
            let count = usize::try_from(count.to_u64()?).ok().filter(|count| *count < expr.width)?;
            return collect(a, start + count, end, fields);
        }
        ExprKind::Extend(inner) => match &inner.kind {
            ExprKind::Binary(_, Operator::Or, _) if concatenation(inner).is_none() => {
                (start, inner.as_ref().clone())
            }
            _ => return collect(inner, start, end, fields),
        },
        ExprKind::Constant(number) => {
            let number = number.to_u64()?;
            if number == 0 {
                return Some(());
            }
            let (low, high) = (number.trailing_zeros(), u64::BITS - number.leading_zeros());
            (start + low as usize, Expr::constant(number >> low, (high - low) as usize))
        }
        _ => (start, expr.clone()),
    };
    let fits = start + field.width <= end;
    fields.push((start, field));
    fits.then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verilog::ir::Place;

    fn signal(width: usize) -> Expr {
        Expr::place(Place { signal: 0, indices: vec![], part: None }, width)
    }

    fn extend(inner: Expr, width: usize) -> Expr {
        Expr { width, kind: ExprKind::Extend(Box::new(inner)) }
    }

    fn binary(a: Expr, operator: Operator, b: Expr) -> Expr {
        Expr { width: a.width, kind: ExprKind::Binary(Box::new(a), operator, Box::new(b)) }
    }

    fn left(a: Expr, count: u64) -> Expr {
        binary(a, Operator::ShiftLeft, Expr::constant(count, 5))
    }

    /// Widths of the parts of `low | high`, highest first.
    fn parts(low: Expr, high: Expr) -> Option<Vec<usize>> {
        let parts = concatenation(&binary(low, Operator::Or, high))?;
        Some(parts.iter().map(|part| part.width).collect())
    }

    #[test]
    fn gaps_are_filled() {
        assert_eq!(parts(extend(signal(3), 16), left(extend(signal(4), 16), 8)), Some(vec![4, 4, 5, 3]));
        assert_eq!(parts(left(extend(signal(7), 8), 1), Expr::constant(1, 8)), Some(vec![7, 1]));
    }

    #[test]
    fn fields_that_meet_or_lose_bits_stay_as_they_are() {
        assert_eq!(parts(extend(signal(9), 16), left(extend(signal(4), 16), 8)), None);
        // the shift drops the field's highest bit, inside the whole or inside an extension
        assert_eq!(parts(extend(signal(3), 16), left(extend(signal(4), 16), 13)), None);
        assert_eq!(parts(Expr::constant(1, 16), extend(left(extend(signal(4), 8), 5), 16)), None);
    }
}
