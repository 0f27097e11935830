//! Bits of expressions: `get_bit`, `get_bits`, shifts by constants, truncation.
use super::expr::{binary, extend, not};
use super::ir::{Expr, ExprKind, Index, Operator, Place, Role};
use super::lower::{bare, Lower};
use super::types::{bits_of, Width};
use super::value::Value;
use rust_hdl::core::ast::{VerilogExpression as Tree, VerilogOp as Op};

impl Lower<'_> {
    /// The number that `tree` is, if it only has literals and loop variables.
    pub(super) fn index(&mut self, tree: &Tree) -> Option<Index> {
        let index = match bare(tree) {
            Tree::Literal(literal) => Index::Number(Value::parse(literal).0.to_u64()?.try_into().ok()?),
            Tree::Signal(name) => self.loop_index(name).or_else(|| self.constant(name))?,
            Tree::Cast(inner, _) => self.index(inner)?,
            Tree::Binary(left, op, right) => {
                let operator = match op {
                    Op::Add => '+',
                    Op::Sub => '-',
                    Op::Mul => '*',
                    _ => return None,
                };
                Index::Operation(Box::new(self.index(left)?), operator, Box::new(self.index(right)?))
            }
            _ => return None,
        };
        Some(index.constant().map_or(index, Index::Number))
    }

    /// The value of the constant `name`: offsets that depend on the configuration are known.
    fn constant(&mut self, name: &str) -> Option<Index> {
        let id = self.signal_of(name)?;
        let signal = &self.scope.signals[id];
        match &signal.role {
            Role::Constant(value) if signal.dims.is_empty() => {
                Some(Index::Number(value.to_u64()?.try_into().ok()?))
            }
            _ => None,
        }
    }

    /// A circuit value that indexes `length` things, at exactly the width that Verilog wants.
    pub(super) fn fit_index(&mut self, value: Expr, length: usize) -> Expr {
        let width = bits_of(length.max(2) - 1);
        match value.width {
            own if own < width => extend(value, width),
            _ => self.cut(value, 0, width),
        }
    }

    /// The offset of one bit in `width` bits; out of range is an error.
    pub(super) fn bit_part(&mut self, offset: &Tree, width: usize) -> Option<Index> {
        if let Some(index) = self.index(offset) {
            if index.range().is_none_or(|(_, high)| high >= width) {
                self.error(format!("`{}`: a bit beyond the {width} of the signal is indexed", self.hint));
                return None;
            }
            return Some(index);
        }
        let own = self.bound(offset).max(1);
        let value = self.natural(offset, own);
        Some(Index::Dynamic(Box::new(self.fit_index(value, width))))
    }

    /// An offset as a natural number of `width` bits, enough for all its values.
    fn natural(&mut self, tree: &Tree, width: usize) -> Expr {
        match bare(tree) {
            Tree::Binary(left, op @ (Op::Add | Op::Sub | Op::Mul), right)
                if !matches!(self.type_of(tree).width, Width::Fixed(_)) || matches!(op, Op::Mul) =>
            {
                let (left, right) = (self.natural(left, width), self.natural(right, width));
                let operator = match op {
                    Op::Add => Operator::Add,
                    Op::Sub => Operator::Sub,
                    _ => Operator::Mul,
                };
                binary(left, operator, right, width)
            }
            _ => {
                let own = match self.type_of(tree).width {
                    Width::Fixed(own) => own,
                    Width::Adapts(_) => self.bound(tree).max(1),
                };
                let value = self.modulo(tree, own);
                match own > width {
                    true => self.cut(value, 0, width),
                    false => extend(value, width),
                }
            }
        }
    }

    /// `width` bits of `tree` from `offset` on.
    pub(super) fn bits(&mut self, tree: &Tree, offset: &Tree, width: usize, single: bool) -> Expr {
        let own = self.own_width(tree);
        match self.index(offset) {
            Some(index) => {
                let (low, high) = index.range().unwrap_or((usize::MAX, usize::MAX));
                let beyond = if single { high >= own } else { low >= own };
                if beyond {
                    self.error(format!("`{}`: a bit beyond the {own} of the signal is read", self.hint));
                    return Expr::constant(0, width);
                }
                self.bits_at(tree, index, own, width)
            }
            None => self.dynamic_bits(tree, offset, own, width, single),
        }
    }

    fn dynamic_bits(&mut self, tree: &Tree, offset: &Tree, own: usize, width: usize, single: bool) -> Expr {
        let value = self.expr(tree, own);
        let bound = self.bound(offset).max(1);
        // `get_bit` may only ask for a bit that exists; `get_bits` reads zeros beyond the highest.
        if width == 1 && (single || (1 << bound.min(32)) <= own) {
            if own == 1 {
                return value;
            }
            let offset = self.natural(offset, bound);
            let offset = self.fit_index(offset, own);
            return self.part(value, Index::Dynamic(Box::new(offset)), 1);
        }
        // `index * step` stays inside when the last possible one does: an indexed part select.
        if let Tree::Binary(factor, Op::Mul, step) = bare(offset) {
            if let Some(step) = self.index(step).and_then(|step| step.constant()) {
                let bits = self.bound(factor).max(1);
                let last = (1_usize << bits.min(32)) - 1;
                if last * step + width <= own {
                    let factor = self.natural(factor, bits);
                    return self.part(value, Index::Dynamic(Box::new(factor)).times(step), width);
                }
            }
        }
        let offset = self.natural(offset, bound);
        let shifted = binary(value, Operator::ShiftRight, offset, own);
        let kept = self.cut(shifted, 0, width.min(own));
        extend(kept, width)
    }

    /// `width` bits of `tree` (taken `own` bits wide) from `offset` on, which has no circuit values; zeros beyond.
    pub(super) fn bits_at(&mut self, tree: &Tree, offset: Index, own: usize, width: usize) -> Expr {
        let Some((_, high)) = offset.range() else {
            self.error(format!("`{}`: a bit offset is negative", self.hint));
            return Expr::constant(0, width);
        };
        if let Some(start) = offset.constant() {
            if start >= own {
                return Expr::constant(0, width);
            }
            let value = match bare(tree) {
                Tree::Binary(left, op @ (Op::BitAnd | Op::BitOr | Op::BitXor), right) => {
                    let (a, b) = (self.type_of(left), self.type_of(right));
                    self.unify(a, b);
                    let left = self.bits_at(left, offset.clone(), own, width);
                    let right = self.bits_at(right, offset, own, width);
                    let operator = match op {
                        Op::BitAnd => Operator::And,
                        Op::BitOr => Operator::Or,
                        _ => Operator::Xor,
                    };
                    return binary(left, operator, right, width);
                }
                // Inside a cast the bits are the operand's, above it there are none.
                Tree::Cast(inner, bits) if !matches!(bare(inner), Tree::Literal(_)) => {
                    let inner_own = self.own_width(inner);
                    let kept = inner_own.min(*bits).min(own);
                    if start >= kept {
                        return Expr::constant(0, width);
                    }
                    let part = self.bits_at(inner, offset, inner_own, width.min(kept - start));
                    return extend(part, width);
                }
                _ => self.modulo(tree, own),
            };
            let kept = width.min(own - start);
            let part = self.cut(value, start, kept);
            return extend(part, width);
        }
        let value = self.expr(tree, own);
        if high + width <= own {
            return self.part(value, offset, width);
        }
        let count = Expr { width: bits_of(high).max(1), kind: ExprKind::Index(offset) };
        let shifted = binary(value, Operator::ShiftRight, count, own);
        let kept = self.cut(shifted, 0, width.min(own));
        extend(kept, width)
    }

    /// `width` bits of `value` from the constant `offset` on; all of them exist.
    pub(super) fn cut(&mut self, value: Expr, offset: usize, width: usize) -> Expr {
        if offset == 0 && value.width == width {
            return value;
        }
        match value.kind {
            ExprKind::Constant(number) => Expr::constant(number.shifted_right(offset).cut(width), width),
            ExprKind::Variant(_, number) => {
                Expr::constant(Value::from(number as u64).shifted_right(offset).cut(width), width)
            }
            ExprKind::Extend(inner) if offset >= inner.width => Expr::constant(0, width),
            ExprKind::Extend(inner) => {
                let kept = width.min(inner.width - offset);
                extend(self.cut(*inner, offset, kept), width)
            }
            ExprKind::Index(index) if offset == 0 => Expr { width, kind: ExprKind::Index(index) },
            ExprKind::Not(inner) => not(self.cut(*inner, offset, width)),
            ExprKind::Binary(left, op @ (Operator::And | Operator::Or | Operator::Xor), right) => {
                let (left, right) = (self.cut(*left, offset, width), self.cut(*right, offset, width));
                binary(left, op, right, width)
            }
            ExprKind::Binary(left, op @ (Operator::Add | Operator::Sub), right) if offset == 0 => {
                let (left, right) = (self.cut(*left, 0, width), self.cut(*right, 0, width));
                binary(left, op, right, width)
            }
            ExprKind::Negate(inner) if offset == 0 => {
                let inner = self.cut(*inner, 0, width);
                Expr { width, kind: ExprKind::Negate(Box::new(inner)) }
            }
            ExprKind::Binary(left, Operator::ShiftLeft, right) if offset == 0 => {
                let left = self.cut(*left, 0, width);
                binary(left, Operator::ShiftLeft, *right, width)
            }
            kind => {
                let value = Expr { width: value.width, kind };
                self.part(value, Index::Number(offset), width)
            }
        }
    }

    /// `width` bits of `value` from `offset` on, as a part select: of a name, so an intermediate value if need be.
    fn part(&mut self, value: Expr, offset: Index, width: usize) -> Expr {
        if width == value.width {
            return value;
        }
        if matches!(value.kind, ExprKind::Constant(_)) {
            let (own, count) = (value.width, Expr { width: 16, kind: ExprKind::Index(offset) });
            let shifted = binary(value, Operator::ShiftRight, count, own);
            return self.part(shifted, Index::Number(0), width);
        }
        let value = self.named(value);
        match value.kind {
            ExprKind::Place(Place { signal, indices, part: None }) => {
                Expr::place(Place { signal, indices, part: Some((offset, width)) }, width)
            }
            ExprKind::Place(Place { signal, indices, part: Some((base, _)) }) => {
                let part = Some((base.plus(offset), width));
                Expr::place(Place { signal, indices, part }, width)
            }
            kind => Expr { width, kind },
        }
    }
}

/// A place zero-extended, or cut, to `width` bits; `None` if it is no place to cut.
pub(super) fn resized(value: &Expr, width: usize) -> Option<Expr> {
    if value.width <= width {
        return Some(extend(value.clone(), width));
    }
    match &value.kind {
        ExprKind::Place(place) => {
            let start = place.part.as_ref().map_or(Index::Number(0), |(offset, _)| offset.clone());
            Some(Expr::place(Place { part: Some((start, width)), ..place.clone() }, width))
        }
        _ => None,
    }
}
