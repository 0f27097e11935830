//! Expressions as Verilog-2001 text: every operand sized, parentheses where a reader wants them.
use super::concat::concatenation;
use super::ir::{Expr, ExprKind, Index, Operator, Place};
use super::signals::Scope;
use super::value::Value;
use std::collections::HashMap;

/// Prints expressions of one module.
pub(super) struct ExprPrinter<'a> {
    pub(super) scope: &'a Scope,
    /// Printed names of loop variables, where they differ from the source's.
    pub(super) variables: HashMap<usize, String>,
}

/// Binding strength of an operand that never needs parentheses.
const ATOM: u8 = 20;
const UNARY: u8 = 12;

fn strength(operator: Operator) -> (u8, &'static str) {
    match operator {
        Operator::Mul => (11, "*"),
        Operator::Add => (10, "+"),
        Operator::Sub => (10, "-"),
        Operator::ShiftLeft => (9, "<<"),
        Operator::ShiftRight => (9, ">>"),
        Operator::Less | Operator::SignedLess => (8, "<"),
        Operator::LessEqual | Operator::SignedLessEqual => (8, "<="),
        Operator::Greater | Operator::SignedGreater => (8, ">"),
        Operator::GreaterEqual | Operator::SignedGreaterEqual => (8, ">="),
        Operator::Equal => (7, "=="),
        Operator::NotEqual => (7, "!="),
        Operator::And => (6, "&"),
        Operator::Xor => (5, "^"),
        Operator::Or => (4, "|"),
        Operator::LogicalAnd => (3, "&&"),
        Operator::LogicalOr => (2, "||"),
    }
}

fn is_signed(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::SignedLess
            | Operator::SignedLessEqual
            | Operator::SignedGreater
            | Operator::SignedGreaterEqual
    )
}

impl ExprPrinter<'_> {
    /// The text of `expr`.
    pub(super) fn text(&self, expr: &Expr) -> String {
        self.bound(expr).0
    }

    /// The text of an operand that must bind at least as a unary operator's.
    fn atom(&self, expr: &Expr) -> String {
        match self.bound(expr) {
            (text, ATOM) => text,
            (text, _) => format!("({text})"),
        }
    }

    fn bound(&self, expr: &Expr) -> (String, u8) {
        let width = expr.width;
        match &expr.kind {
            ExprKind::Constant(value) => (value.sized(width), ATOM),
            ExprKind::Variant(name, _) => (name.clone(), ATOM),
            ExprKind::Place(place) => (self.place(place), ATOM),
            ExprKind::Index(index) => self.index_value(index, width),
            ExprKind::Extend(inner) => {
                let zeros = width - inner.width;
                (format!("{{{}, {}}}", Value::default().sized(zeros), self.text(inner)), ATOM)
            }
            ExprKind::SignExtend(inner) => {
                let copies = width - inner.width;
                let sign = match &inner.kind {
                    ExprKind::Place(place) if inner.width > 1 => {
                        let (offset, _) = place.part.clone().unwrap_or((Index::Number(0), inner.width));
                        let part = Some((offset.plus(Index::Number(inner.width - 1)), 1));
                        self.place(&Place { part, ..place.clone() })
                    }
                    _ => self.text(inner),
                };
                (format!("{{{{{copies}{{{sign}}}}}, {}}}", self.text(inner)), ATOM)
            }
            ExprKind::Not(inner) => {
                let sign = if width == 1 { "!" } else { "~" };
                (format!("{sign}{}", self.atom(inner)), UNARY)
            }
            ExprKind::Negate(inner) => (format!("-{}", self.atom(inner)), UNARY),
            ExprKind::Reduce(operator, inner) => (format!("{operator}{}", self.atom(inner)), UNARY),
            ExprKind::Binary(left, operator, right) => match concatenation(expr) {
                Some(fields) => {
                    let fields: Vec<_> = fields.iter().map(|field| self.text(field)).collect();
                    (format!("{{{}}}", fields.join(", ")), ATOM)
                }
                None => self.binary(left, *operator, right),
            },
        }
    }

    fn binary(&self, left: &Expr, operator: Operator, right: &Expr) -> (String, u8) {
        let (own, sign) = strength(operator);
        if let (Operator::ShiftLeft | Operator::ShiftRight, ExprKind::Constant(count)) =
            (operator, &right.kind)
        {
            let left = if is_clear(operator, left, false) {
                self.text(left)
            } else {
                format!("({})", self.text(left))
            };
            return (format!("{left} {sign} {}", count.sized(right.width)), own);
        }
        let operand = |expr: &Expr, is_right: bool| {
            let text = self.text(expr);
            match is_signed(operator) {
                true => format!("$signed({text})"),
                false if is_clear(operator, expr, is_right) => text,
                false => format!("({text})"),
            }
        };
        (format!("{} {sign} {}", operand(left, false), operand(right, true)), own)
    }

    /// The value of an index expression in `width` bits.
    fn index_value(&self, index: &Index, width: usize) -> (String, u8) {
        match index {
            Index::Number(number) => (Value::from(*number as u64).sized(width), ATOM),
            Index::Variable(variable) => {
                let name = self.variable(variable.id, &variable.name);
                let text = match width {
                    1 => format!("{name}[0]"),
                    2..=31 => format!("{name}[{}:0]", width - 1),
                    32 => name,
                    _ => format!("{{{}'d0, {name}}}", width - 32),
                };
                (text, ATOM)
            }
            Index::Operation(a, operator, b) => {
                let own = if *operator == '*' { 11 } else { 10 };
                let (a, b) = (self.index_value(a, width), self.index_value(b, width));
                let wrap = |(text, inner): (String, u8)| if inner > own { text } else { format!("({text})") };
                (format!("{} {operator} {}", wrap(a), wrap(b)), own)
            }
            Index::Dynamic(value) => self.bound(value),
        }
    }

    fn variable(&self, id: usize, name: &str) -> String {
        self.variables.get(&id).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// An index as plain (32-bit) arithmetic.
    fn index(&self, index: &Index) -> (String, u8) {
        match index {
            Index::Number(number) => (number.to_string(), ATOM),
            Index::Variable(variable) => (self.variable(variable.id, &variable.name), ATOM),
            Index::Dynamic(value) => self.bound(value),
            Index::Operation(a, operator, b) => {
                let own = if "+-".contains(*operator) { 10 } else { 11 };
                let ((left, inner_left), (right, inner_right)) = (self.index(a), self.index(b));
                let left = if inner_left >= own { left } else { format!("({left})") };
                let right = if inner_right > own { right } else { format!("({right})") };
                let gap = if own == 10 { " " } else { "" };
                (format!("{left}{gap}{operator}{gap}{right}"), own)
            }
        }
    }

    /// A signal, an element of an array, or bits of either.
    pub(super) fn place(&self, place: &Place) -> String {
        let signal = &self.scope.signals[place.signal];
        let name = &signal.name;
        // With fewer indices than dimensions it is an array of those that are left.
        let elements: usize = signal.dims[place.indices.len()..].iter().product();
        let whole = elements * signal.width;
        let (offset, width) = place.part.clone().unwrap_or((Index::Number(0), whole));
        if width == signal.total() {
            return name.clone();
        }
        self.select(name, self.element(place).times(whole).plus(offset), width)
    }

    /// `width` bits of the vector `name` from `start` on.
    pub(super) fn select(&self, name: &str, start: Index, width: usize) -> String {
        match (start.constant(), width) {
            (Some(at), 1) => format!("{name}[{at}]"),
            (Some(at), _) => format!("{name}[{}:{at}]", at + width - 1),
            (None, 1) => format!("{name}[{}]", self.index(&start).0),
            (None, _) => format!("{name}[{} +: {width}]", self.index(&start).0),
        }
    }

    /// The number of the element among all of the array's.
    fn element(&self, place: &Place) -> Index {
        let dims = &self.scope.signals[place.signal].dims;
        let mut element = Index::Number(0);
        for (index, &length) in place.indices.iter().zip(dims) {
            element = element.times(length).plus(index.clone());
        }
        element
    }
}

/// Whether `expr` reads well, and right, as an operand without parentheses.
fn is_clear(operator: Operator, expr: &Expr, is_right: bool) -> bool {
    use Operator::{Add, And, LogicalAnd, LogicalOr, Mul, Or, Sub, Xor};
    match &expr.kind {
        ExprKind::Reduce(..) => matches!(operator, LogicalAnd | LogicalOr),
        ExprKind::Index(Index::Operation(..)) => false,
        ExprKind::Binary(_, Or, _) if concatenation(expr).is_some() => true,
        ExprKind::Binary(_, inner, _) if *inner == operator => {
            let comparison = (7..=8).contains(&strength(operator).0);
            (!is_right && !comparison) || matches!(operator, Add | And | Or | Xor | LogicalAnd | LogicalOr)
        }
        ExprKind::Binary(_, inner, _) => match operator {
            Add | Sub => *inner == Mul || (!is_right && matches!(inner, Add | Sub)),
            LogicalAnd | LogicalOr => (7..=8).contains(&strength(*inner).0),
            _ => false,
        },
        _ => true,
    }
}
