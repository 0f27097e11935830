//! Expressions at exact widths: what Rust computes, modulo two to the width that is configured.
use super::ir::{Expr, ExprKind, Index, Operator, Place, Statement};
use super::lower::{bare, Lower};
use super::types::{bits_of, Width};
use super::value::Value;
use rust_hdl::core::ast::{VerilogExpression as Tree, VerilogOp as Op, VerilogOpUnary as Unary};

impl Lower<'_> {
    /// `tree` in exactly `width` bits; a fixed width that differs is an error.
    pub(super) fn expr(&mut self, tree: &Tree, width: usize) -> Expr {
        if let Width::Fixed(own) = self.type_of(tree).width {
            if own != width {
                let what = describe(tree);
                self.error(format!(
                    "`{}`: {what} has {own} bits where {width} are needed; cast it",
                    self.hint
                ));
                return Expr::constant(0, width);
            }
        }
        self.modulo(tree, width)
    }

    /// `tree` modulo 2^width, where `width` is at most the tree's own width.
    pub(super) fn modulo(&mut self, tree: &Tree, width: usize) -> Expr {
        match tree {
            Tree::Paren(inner) => self.modulo(inner, width),
            Tree::Signal(name) => self.name(name, width),
            Tree::Literal(literal) => {
                let (value, negative) = Value::parse(literal);
                let value = if negative { value.negated(width) } else { value.cut(width) };
                Expr::constant(value, width)
            }
            Tree::Cast(inner, bits) => self.cast(inner, (*bits).min(width), width),
            Tree::Signed(inner) if self.type_of(inner).signed => self.resize_signed(inner, width),
            Tree::Signed(inner) | Tree::Unsigned(inner) => self.modulo(inner, width),
            Tree::Binary(left, op, right) => self.binary(left, op, right, width),
            Tree::Unary(op, inner) => match op {
                Unary::Not => not(self.modulo(inner, width)),
                Unary::Neg => match self.modulo(inner, width) {
                    Expr { kind: ExprKind::Constant(value), .. } => {
                        Expr::constant(value.negated(width), width)
                    }
                    value => Expr { width, kind: ExprKind::Negate(Box::new(value)) },
                },
                Unary::All => self.reduce('&', inner),
                Unary::Any => self.reduce('|', inner),
                Unary::Xor => self.reduce('^', inner),
            },
            Tree::Index(inner, offset) => self.bits(inner, offset, 1, true),
            Tree::Slice(inner, own, offset) => self.bits(inner, offset, width.min(*own), false),
            Tree::IndexReplace(base, offset, bit) => {
                let own = self.own_width(base).max(width);
                let base = self.modulo(base, own);
                let bit = self.expr(bit, 1);
                let Some(part) = self.bit_part(offset, own) else { return base };
                let place = Place { signal: 0, indices: vec![], part: (own > 1).then_some((part, 1)) };
                let whole = self.replaced(base, Statement::Assign { target: place, value: bit });
                self.cut(whole, 0, width)
            }
        }
    }

    fn reduce(&mut self, operator: char, inner: &Tree) -> Expr {
        let own = self.own_width(inner);
        let inner = self.expr(inner, own);
        match own {
            1 => inner,
            _ => Expr { width: 1, kind: ExprKind::Reduce(operator, Box::new(inner)) },
        }
    }

    fn name(&mut self, name: &str, width: usize) -> Expr {
        if let Some(index) = self.loop_index(name) {
            if index.range().is_none_or(|(_, high)| bits_of(high) > width) {
                self.error(format!("`{}`: loop variable `{name}` does not fit in {width} bits", self.hint));
            }
            return match index.constant() {
                Some(number) => Expr::constant(number as u64, width),
                None => Expr { width, kind: ExprKind::Index(index) },
            };
        }
        if let Some((variant, number, own)) = self.scope.variants.get(name).cloned() {
            let variant = Expr { width: own, kind: ExprKind::Variant(variant, number) };
            return self.cut(variant, 0, width);
        }
        match self.place(name) {
            Some(place) => {
                let own = self.scope.signals[place.signal].width;
                self.cut(Expr::place(place, own), 0, width)
            }
            None => Expr::constant(0, width),
        }
    }

    /// `inner` cut to `kept` bits, zero-extended to `width`.
    fn cast(&mut self, inner: &Tree, kept: usize, width: usize) -> Expr {
        let own = match self.type_of(inner).width {
            Width::Fixed(own) | Width::Adapts(Some(own)) => own.min(kept),
            Width::Adapts(None) => kept,
        };
        let value = self.modulo(inner, own);
        extend(value, width)
    }

    fn resize_signed(&mut self, inner: &Tree, width: usize) -> Expr {
        let own = self.own_width(inner);
        if own >= width {
            return self.modulo(inner, width);
        }
        let value = self.expr(inner, own);
        let value = self.named(value);
        Expr { width, kind: ExprKind::SignExtend(Box::new(value)) }
    }

    fn binary(&mut self, left: &Tree, op: &Op, right: &Tree, width: usize) -> Expr {
        let operator = match op {
            Op::Add => Operator::Add,
            Op::Sub => Operator::Sub,
            Op::BitAnd => Operator::And,
            Op::BitOr => Operator::Or,
            Op::BitXor => Operator::Xor,
            Op::LogicalAnd => Operator::LogicalAnd,
            Op::LogicalOr => Operator::LogicalOr,
            Op::Shl => return self.shift_left(left, right, width),
            Op::Shr => return self.shift_right(left, right, width),
            Op::Mul => return self.multiply(left, right, width),
            _ => return self.compare(left, op, right),
        };
        // Reports operands of different fixed widths.
        let (a, b) = (self.type_of(left), self.type_of(right));
        self.unify(a, b);
        let (left, right) = (self.modulo(left, width), self.modulo(right, width));
        binary(left, operator, right, width)
    }

    fn shift_left(&mut self, left: &Tree, right: &Tree, width: usize) -> Expr {
        let left = self.modulo(left, width);
        let own = self.own_width(right);
        let right = self.expr(right, own);
        binary(left, Operator::ShiftLeft, right, width)
    }

    /// A right shift is not closed under truncation: it is computed at the operand's own width.
    fn shift_right(&mut self, left: &Tree, right: &Tree, width: usize) -> Expr {
        let own = self.own_width(left).max(width);
        if let Some(count) = self.index(right).and_then(|index| index.constant()) {
            return self.bits_at(left, Index::Number(count), own, width);
        }
        let value = self.expr(left, own);
        let count_width = self.own_width(right);
        let count = self.expr(right, count_width);
        let shifted = binary(value, Operator::ShiftRight, count, own);
        self.cut(shifted, 0, width)
    }

    /// Products appear on signed values, and on natural numbers in bit offsets.
    fn multiply(&mut self, left: &Tree, right: &Tree, width: usize) -> Expr {
        let mut operand = |tree: &Tree| {
            let signed = self.type_of(tree).signed;
            let own = self.own_width(tree).min(width);
            let value = self.modulo(tree, own);
            if signed && own < width {
                let value = self.named(value);
                return Expr { width, kind: ExprKind::SignExtend(Box::new(value)) };
            }
            extend(value, width)
        };
        let (left, right) = (operand(left), operand(right));
        binary(left, Operator::Mul, right, width)
    }

    /// A comparison takes place at the operands' own width; a cast beside a narrower operand keeps its value.
    fn compare(&mut self, left: &Tree, op: &Op, right: &Tree) -> Expr {
        let (a, b) = (self.type_of(left), self.type_of(right));
        let signed = a.signed || b.signed;
        let width = match (a.width, b.width) {
            (Width::Fixed(x), Width::Fixed(_)) => {
                self.unify(a, b);
                x
            }
            (Width::Fixed(x), Width::Adapts(Some(_))) => x.max(self.bound(right)),
            (Width::Adapts(Some(_)), Width::Fixed(x)) => x.max(self.bound(left)),
            (Width::Fixed(x), Width::Adapts(None)) | (Width::Adapts(None), Width::Fixed(x)) => x,
            (Width::Adapts(x), Width::Adapts(y)) => x.max(y).unwrap_or(32),
        };
        for tree in [left, right] {
            let (Tree::Literal(literal), true) = (bare(tree), width < 64) else { continue };
            let value = Value::parse(literal).0;
            if value.bit_len() > width - (signed && width > 1) as usize {
                self.error(format!(
                    "`{}`: comparison with {value:} (hex), which {width} bits cannot hold",
                    self.hint
                ));
            }
        }
        let mut operand = |tree: &Tree, own: Width| match own {
            Width::Fixed(own) if own < width => extend(self.modulo(tree, own), width),
            _ => self.modulo(tree, width),
        };
        let (left, right) = (operand(left, a.width), operand(right, b.width));
        let operator = match (op, signed) {
            (Op::Eq, _) => Operator::Equal,
            (Op::Ne, _) => Operator::NotEqual,
            (Op::Lt, false) => Operator::Less,
            (Op::Le, false) => Operator::LessEqual,
            (Op::Gt, false) => Operator::Greater,
            (Op::Ge, false) => Operator::GreaterEqual,
            (Op::Lt, true) => Operator::SignedLess,
            (Op::Le, true) => Operator::SignedLessEqual,
            (Op::Gt, true) => Operator::SignedGreater,
            _ => Operator::SignedGreaterEqual,
        };
        binary(left, operator, right, 1)
    }

    /// `value`, as a signal or constant: an intermediate value if it is anything else.
    pub(super) fn named(&mut self, value: Expr) -> Expr {
        if matches!(value.kind, ExprKind::Place(_) | ExprKind::Constant(_)) {
            return value;
        }
        let hint = self.hint.clone();
        let signal = self.scope.add_temporary(&hint, value.width);
        let (place, width) = (Place { signal, indices: vec![], part: None }, value.width);
        self.before.push(Statement::Assign { target: place.clone(), value });
        Expr::place(place, width)
    }
}

fn describe(tree: &Tree) -> String {
    match bare(tree) {
        Tree::Signal(name) => format!("`{}`", name.replace('$', ".")),
        _ => "an expression".into(),
    }
}

/// The complement; of a constant, the constant.
pub(super) fn not(value: Expr) -> Expr {
    let width = value.width;
    match value.kind {
        ExprKind::Constant(number) => Expr::constant(number.complement(width), width),
        _ => Expr { width, kind: ExprKind::Not(Box::new(value)) },
    }
}

/// `value` with zeros above.
pub(super) fn extend(value: Expr, width: usize) -> Expr {
    match value.kind {
        _ if value.width == width => value,
        ExprKind::Constant(number) => Expr::constant(number, width),
        ExprKind::Index(index) => Expr { width, kind: ExprKind::Index(index) },
        ExprKind::Extend(inner) => extend(*inner, width),
        _ => Expr { width, kind: ExprKind::Extend(Box::new(value)) },
    }
}

pub(super) fn binary(left: Expr, operator: Operator, right: Expr, width: usize) -> Expr {
    Expr { width, kind: ExprKind::Binary(Box::new(left), operator, Box::new(right)) }
}
