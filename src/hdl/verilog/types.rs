//! What width an expression of the syntax tree has, before any context asks for one.
//!
//! The Rust types give maxima, so the tree alone does not tell: a signal has its configured width; a cast, a
//! literal or a loop variable adapts to what the other operand, or the target, has.
use super::lower::{bare, Lower};
use rust_hdl::core::ast::{VerilogExpression as Tree, VerilogOp as Op, VerilogOpUnary as Unary};

/// Width of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Width {
    /// Exactly so many bits.
    Fixed(usize),
    /// At most so many (the width of the Rust type), fewer if the context is narrower; `None`: a bare number.
    Adapts(Option<usize>),
}

/// Width and signedness of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Type {
    pub(super) width: Width,
    pub(super) signed: bool,
}

impl Type {
    pub(super) fn fixed(width: usize) -> Self {
        Self { width: Width::Fixed(width), signed: false }
    }
    pub(super) fn adapts(width: Option<usize>) -> Self {
        Self { width: Width::Adapts(width), signed: false }
    }
}

impl Lower<'_> {
    /// The type of `tree`.
    pub(super) fn type_of(&mut self, tree: &Tree) -> Type {
        match tree {
            Tree::Signal(name) => self.type_of_name(name),
            // Only `true` and `false` are one bit wide; an integer literal adapts.
            Tree::Literal(literal) if format!("{literal:x}").starts_with("1'") => Type::fixed(1),
            Tree::Literal(_) => Type::adapts(None),
            Tree::Cast(_, width) => Type::adapts(Some(*width)),
            Tree::Signed(inner) => {
                let inner = self.type_of(inner);
                let width = match inner.width {
                    // A resize of a signed value: the tree does not say to which width.
                    _ if inner.signed => Width::Adapts(None),
                    Width::Adapts(Some(width)) => Width::Fixed(width),
                    width => width,
                };
                Type { width, signed: true }
            }
            Tree::Unsigned(inner) => Type { signed: false, ..self.type_of(inner) },
            Tree::Paren(inner) => self.type_of(inner),
            Tree::Binary(left, op, right) => match op {
                Op::LogicalAnd | Op::LogicalOr => Type::fixed(1),
                Op::Eq | Op::Lt | Op::Le | Op::Ne | Op::Ge | Op::Gt => Type::fixed(1),
                Op::Shl | Op::Shr => self.type_of(left),
                Op::Mul => {
                    let (left, right) = (self.type_of(left), self.type_of(right));
                    let width = match (left.width, right.width) {
                        (Width::Fixed(a), Width::Fixed(b)) => Width::Fixed(a + b),
                        _ => Width::Adapts(None),
                    };
                    Type { width, signed: left.signed }
                }
                Op::Add | Op::Sub | Op::BitXor | Op::BitAnd | Op::BitOr => {
                    let (left, right) = (self.type_of(left), self.type_of(right));
                    self.unify(left, right)
                }
            },
            Tree::Unary(op, inner) => match op {
                Unary::Not | Unary::Neg => self.type_of(inner),
                Unary::All | Unary::Any | Unary::Xor => Type::fixed(1),
            },
            Tree::Index(..) => Type::fixed(1),
            Tree::Slice(_, width, _) => Type::fixed(*width),
            Tree::IndexReplace(inner, ..) => self.type_of(inner),
        }
    }

    fn type_of_name(&mut self, name: &str) -> Type {
        if self.is_loop_variable(name) {
            return Type::adapts(None);
        }
        if let Some((_, _, width)) = self.scope.variants.get(name) {
            return Type::fixed(*width);
        }
        match self.signal_of(name) {
            Some(id) => {
                let signal = &self.scope.signals[id];
                Type { width: Width::Fixed(signal.width), signed: signal.signed }
            }
            None => Type::adapts(None),
        }
    }

    /// The common type of two operands whose Rust types are equal.
    pub(super) fn unify(&mut self, left: Type, right: Type) -> Type {
        let width = match (left.width, right.width) {
            (Width::Fixed(a), Width::Fixed(b)) => {
                if a != b {
                    self.error(format!("operands of {a} and {b} bits are mixed; cast one of them"));
                }
                Width::Fixed(a.max(b))
            }
            (Width::Fixed(a), Width::Adapts(_)) | (Width::Adapts(_), Width::Fixed(a)) => Width::Fixed(a),
            (Width::Adapts(a), Width::Adapts(b)) => Width::Adapts(a.max(b)),
        };
        Type { width, signed: left.signed || right.signed }
    }

    /// The width `tree` has when nothing asks for another.
    pub(super) fn own_width(&mut self, tree: &Tree) -> usize {
        match self.type_of(tree).width {
            Width::Fixed(width) | Width::Adapts(Some(width)) => width,
            Width::Adapts(None) => match bare(tree) {
                Tree::Signed(inner) | Tree::Unsigned(inner) => self.own_width(inner),
                _ => self.bound(tree).max(1),
            },
        }
    }

    /// A number of bits that holds every value of `tree`, taken as a natural number.
    pub(super) fn bound(&mut self, tree: &Tree) -> usize {
        match tree {
            Tree::Paren(inner) | Tree::Unsigned(inner) => self.bound(inner),
            Tree::Literal(literal) => super::value::Value::parse(literal).0.bit_len(),
            Tree::Cast(inner, width) => self.bound(inner).min(*width),
            Tree::Signal(name) => match self.loop_index(name) {
                Some(index) => index.range().map_or(64, |(_, high)| bits_of(high)),
                None => match self.type_of(tree).width {
                    Width::Fixed(width) => width,
                    Width::Adapts(_) => 0,
                },
            },
            Tree::Binary(left, op, right) => match (op, self.type_of(tree).width) {
                (_, Width::Fixed(width)) => width,
                (Op::BitAnd, _) => self.bound(left).min(self.bound(right)),
                (Op::BitOr | Op::BitXor, _) => self.bound(left).max(self.bound(right)),
                (Op::Shr, _) => self.bound(left),
                (Op::Add, Width::Adapts(width)) => {
                    let sum = self.bound(left).max(self.bound(right)) + 1;
                    width.map_or(sum, |width| sum.min(width))
                }
                (_, Width::Adapts(Some(width))) => width,
                (Op::Mul, _) => self.bound(left) + self.bound(right),
                _ => self.bound(left).max(self.bound(right)),
            },
            _ => match self.type_of(tree).width {
                Width::Fixed(width) | Width::Adapts(Some(width)) => width,
                Width::Adapts(None) => 64,
            },
        }
    }
}

/// Bits that a natural number needs.
pub(super) fn bits_of(number: usize) -> usize {
    (usize::BITS - number.leading_zeros()) as usize
}
