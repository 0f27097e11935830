//! Random expressions, what they mean, and their syntax trees.
use super::kernel::{Scope, State};
use super::{mask, Rng};
use rust_hdl::core::ast::{VerilogExpression as Tree, VerilogOp as Op, VerilogOpUnary as Unary};

/// Widths of a Rust type: the type's own, and the one configured for the signals of this name in the kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    pub bits: usize,
    pub width: usize,
}

#[derive(Clone, Debug)]
pub enum Expr {
    /// A scalar: index into the scope's wires.
    Wire(usize),
    /// Element of an array: constant, the loop variable, or a signal that cannot leave the array.
    Element(usize, Position),
    /// A bare number: only beside something that has a type.
    Literal(u128),
    /// `bits::<bits>(value)`.
    Sized(u128, usize),
    /// `bit_cast::<bits, _>(inner)`; the class of the inner expression.
    Cast(Box<Expr>, Class, usize),
    Binary(Box<Expr>, Operator, Box<Expr>),
    Shift(Box<Expr>, bool, Box<Expr>, Class),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    /// Comparison of two expressions of one class.
    Compare(Box<Expr>, Comparison, Box<Expr>, Class),
    Reduce(char, Box<Expr>, Class),
    Logical(Box<Expr>, bool, Box<Expr>),
    /// `get_bits::<width>(offset)` or `get_bit(offset)`.
    Slice(Box<Expr>, Class, Position, usize),
    /// `replace_bit(offset, bit)`.
    Replace(Box<Expr>, usize, Box<Expr>),
    /// `i.to_bits()` of a loop variable.
    LoopVariable(usize),
}

#[derive(Clone, Copy, Debug)]
pub enum Position {
    Constant(usize),
    /// Loop variable by depth.
    Variable(usize),
    /// Scalar wire.
    Wire(usize),
}

#[derive(Clone, Copy, Debug)]
pub enum Operator {
    Add,
    Sub,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    SignedLess,
}

const BIT: Class = Class { bits: 1, width: 1 };

impl Expr {
    /// Whether the width adapts to the context: no signal decides it.
    fn adapts(&self) -> bool {
        match self {
            Expr::Literal(_) | Expr::Sized(..) | Expr::Cast(..) | Expr::LoopVariable(_) => true,
            Expr::Binary(a, _, b) => a.adapts() && b.adapts(),
            Expr::Shift(a, ..) | Expr::Not(a) | Expr::Negate(a) | Expr::Replace(a, ..) => a.adapts(),
            _ => false,
        }
    }

    /// The width at which the expression, of this class, is computed when nothing narrower is asked for.
    pub fn own_width(&self, class: Class) -> usize {
        if self.adapts() {
            class.bits
        } else {
            class.width
        }
    }

    /// The value modulo 2^width.
    pub fn eval(&self, class: Class, width: usize, state: &State) -> u128 {
        let all = mask(width);
        let value = match self {
            Expr::Wire(wire) => state.scalar(*wire),
            Expr::Element(wire, position) => state.element(*wire, state.position(*position)),
            Expr::Literal(value) | Expr::Sized(value, _) => *value,
            Expr::LoopVariable(depth) => state.loops[*depth] as u128,
            Expr::Cast(inner, own, bits) => inner.eval(*own, inner.own_width(*own), state) & mask(*bits),
            Expr::Binary(a, operator, b) => {
                let (a, b) = (a.eval(class, width, state), b.eval(class, width, state));
                match operator {
                    Operator::Add => a.wrapping_add(b),
                    Operator::Sub => a.wrapping_sub(b),
                    Operator::And => a & b,
                    Operator::Or => a | b,
                    Operator::Xor => a ^ b,
                }
            }
            Expr::Shift(a, left, count, own) => {
                let count = count.eval(*own, count.own_width(*own), state) as u32;
                if *left {
                    a.eval(class, width, state).checked_shl(count).unwrap_or(0)
                } else {
                    let at = a.own_width(class).max(width);
                    a.eval(class, at, state).checked_shr(count).unwrap_or(0)
                }
            }
            Expr::Not(a) => !a.eval(class, width, state),
            Expr::Negate(a) => a.eval(class, width, state).wrapping_neg(),
            Expr::Compare(a, comparison, b, own) => {
                let wide = |side: &Expr| side.own_width(*own);
                // A bare number takes the other side's width.
                let (wa, wb) = match (a.as_ref(), b.as_ref()) {
                    (Expr::Literal(_) | Expr::LoopVariable(_), _) => (wide(b), wide(b)),
                    (_, Expr::Literal(_) | Expr::LoopVariable(_)) => (wide(a), wide(a)),
                    _ => (wide(a), wide(b)),
                };
                let (x, y) = (a.eval(*own, wa, state), b.eval(*own, wb, state));
                let signed = |v: u128| (v << (128 - wa)) as i128 >> (128 - wa);
                u128::from(match comparison {
                    Comparison::Equal => x == y,
                    Comparison::NotEqual => x != y,
                    Comparison::Less => x < y,
                    Comparison::LessEqual => x <= y,
                    Comparison::Greater => x > y,
                    Comparison::GreaterEqual => x >= y,
                    Comparison::SignedLess => signed(x) < signed(y),
                })
            }
            Expr::Reduce(operator, a, own) => {
                let wide = a.own_width(*own);
                let value = a.eval(*own, wide, state);
                u128::from(match operator {
                    '&' => value == mask(wide),
                    '|' => value != 0,
                    _ => value.count_ones() % 2 == 1,
                })
            }
            Expr::Logical(a, and, b) => {
                let (a, b) = (a.eval(BIT, 1, state), b.eval(BIT, 1, state));
                if *and {
                    a & b
                } else {
                    a | b
                }
            }
            Expr::Slice(a, own, offset, bits) => {
                let value = a.eval(*own, a.own_width(*own), state);
                value.checked_shr(state.position(*offset) as u32).unwrap_or(0) & mask(*bits)
            }
            Expr::Replace(a, offset, bit) => {
                let base = a.eval(class, width.max(a.own_width(class)), state);
                base & !(1 << offset) | bit.eval(BIT, 1, state) << offset
            }
        };
        value & all
    }

    /// The syntax tree that `#[hdl_gen]` would build.
    pub fn tree(&self, scope: &Scope) -> Tree {
        let of = |inner: &Expr| Box::new(inner.tree(scope));
        match self {
            Expr::Wire(wire) => Tree::Signal(scope.wires[*wire].name.clone()),
            Expr::Element(wire, position) => {
                let index = match position {
                    Position::Constant(index) => index.to_string(),
                    Position::Variable(depth) => scope.variable(*depth),
                    Position::Wire(wire) => format!("{}$val()$index()", scope.wires[*wire].name),
                };
                Tree::Signal(format!("{}[{index}]", scope.wires[*wire].name))
            }
            Expr::Literal(value) => Tree::Literal((*value).into()),
            Expr::Sized(value, bits) => Tree::Cast(Box::new(Tree::Literal((*value).into())), *bits),
            Expr::LoopVariable(depth) => Tree::Signal(scope.variable(*depth)),
            Expr::Cast(inner, _, bits) => Tree::Cast(of(inner), *bits),
            Expr::Binary(a, operator, b) => {
                let operator = match operator {
                    Operator::Add => Op::Add,
                    Operator::Sub => Op::Sub,
                    Operator::And => Op::BitAnd,
                    Operator::Or => Op::BitOr,
                    Operator::Xor => Op::BitXor,
                };
                Tree::Binary(of(a), operator, of(b))
            }
            Expr::Shift(a, left, count, _) => {
                Tree::Binary(of(a), if *left { Op::Shl } else { Op::Shr }, of(count))
            }
            Expr::Not(a) => Tree::Unary(Unary::Not, of(a)),
            Expr::Negate(a) => Tree::Unary(Unary::Neg, of(a)),
            Expr::Compare(a, comparison, b, _) => {
                let (mut a, mut b) = (of(a), of(b));
                let operator = match comparison {
                    Comparison::Equal => Op::Eq,
                    Comparison::NotEqual => Op::Ne,
                    Comparison::Less => Op::Lt,
                    Comparison::LessEqual => Op::Le,
                    Comparison::Greater => Op::Gt,
                    Comparison::GreaterEqual => Op::Ge,
                    Comparison::SignedLess => {
                        (a, b) = (Box::new(Tree::Signed(a)), Box::new(Tree::Signed(b)));
                        Op::Lt
                    }
                };
                Tree::Paren(Box::new(Tree::Binary(a, operator, b)))
            }
            Expr::Reduce(operator, a, _) => {
                let operator = match operator {
                    '&' => Unary::All,
                    '|' => Unary::Any,
                    _ => Unary::Xor,
                };
                Tree::Unary(operator, of(a))
            }
            Expr::Logical(a, and, b) => {
                Tree::Binary(of(a), if *and { Op::LogicalAnd } else { Op::LogicalOr }, of(b))
            }
            Expr::Slice(a, _, offset, bits) => {
                let offset = Box::new(match offset {
                    Position::Constant(offset) => Tree::Literal((*offset).into()),
                    Position::Variable(depth) => Tree::Signal(scope.variable(*depth)),
                    Position::Wire(wire) => Tree::Signal(scope.wires[*wire].name.clone()),
                });
                if *bits == 1 {
                    Tree::Index(of(a), offset)
                } else {
                    Tree::Slice(of(a), *bits, offset)
                }
            }
            Expr::Replace(a, offset, bit) => {
                Tree::IndexReplace(of(a), Box::new(Tree::Literal((*offset).into())), of(bit))
            }
        }
    }

    /// A random expression of this class.
    pub fn random(rng: &mut Rng, scope: &Scope, class: Class, depth: usize) -> Self {
        let of = |rng: &mut Rng, class| Box::new(Self::random(rng, scope, class, depth - 1));
        if class == BIT && depth > 0 && !rng.chance(4) {
            return Self::random_bit(rng, scope, depth);
        }
        match if depth == 0 { 0 } else { rng.below(14) } {
            0..=3 => Self::leaf(rng, scope, class),
            4..=7 => {
                let operators = [Operator::Add, Operator::Sub, Operator::And, Operator::Or, Operator::Xor];
                let a = of(rng, class);
                let b = if rng.chance(5) {
                    Box::new(Expr::Literal(rng.value(class.width)))
                } else {
                    of(rng, class)
                };
                Expr::Binary(a, operators[rng.below(5)], b)
            }
            8 => Expr::Not(of(rng, class)),
            9 if !rng.chance(4) => {
                let own = scope.some_class(rng);
                Expr::Cast(of(rng, own), own, class.bits)
            }
            9 => Expr::Negate(of(rng, class)),
            10 | 11 => {
                let left = rng.chance(2);
                let a = of(rng, class);
                if rng.chance(2) {
                    return Expr::Shift(
                        a,
                        left,
                        Box::new(Expr::Sized(rng.below(class.width) as u128, class.bits)),
                        class,
                    );
                }
                let own = scope.narrow_class(rng);
                Expr::Shift(a, left, Box::new(Self::leaf(rng, scope, own)), own)
            }
            12 if class.bits == class.width => {
                // A slice has the width of its type.
                let own = scope.some_class(rng);
                let a = of(rng, own);
                let wide = a.own_width(own);
                match rng.chance(3) {
                    true => match scope.index_wire(rng, wide) {
                        Some(wire) if class.bits > 1 => Expr::Slice(a, own, Position::Wire(wire), class.bits),
                        _ => Self::leaf(rng, scope, class),
                    },
                    false => Expr::Slice(a, own, Position::Constant(rng.below(wide)), class.bits),
                }
            }
            12 => Self::leaf(rng, scope, class),
            _ => {
                let a = of(rng, class);
                let offset = rng.below(class.width);
                Expr::Replace(a, offset, of(rng, BIT))
            }
        }
    }

    fn leaf(rng: &mut Rng, scope: &Scope, class: Class) -> Self {
        if rng.chance(5) {
            return Expr::Sized(rng.value(class.width), class.bits);
        }
        scope.readable(rng, class).unwrap_or_else(|| {
            let own = scope.some_class(rng);
            match scope.readable(rng, own) {
                Some(wire) => Expr::Cast(Box::new(wire), own, class.bits),
                None => Expr::Sized(rng.value(class.width), class.bits),
            }
        })
    }

    fn random_bit(rng: &mut Rng, scope: &Scope, depth: usize) -> Self {
        let of = |rng: &mut Rng, class| Box::new(Self::random(rng, scope, class, depth - 1));
        match rng.below(8) {
            0..=2 => {
                use Comparison::*;
                let class = scope.some_class(rng);
                let all = [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual, SignedLess];
                let mut comparison = all[rng.below(7)];
                let a = of(rng, class);
                let mut b = of(rng, class);
                let plain = |side: &Expr| !side.adapts();
                if !plain(&a) {
                    // Two sides that adapt are both as wide as the type; a bare number would have no width.
                    b = Box::new(scope.readable(rng, class).unwrap_or(Expr::Sized(0, class.bits)));
                }
                if plain(&a) && rng.chance(4) {
                    b = Box::new(Expr::Literal(rng.value(class.width)));
                }
                if matches!(comparison, SignedLess) && !(plain(&a) && plain(&b)) {
                    comparison = Less;
                }
                Expr::Compare(a, comparison, b, class)
            }
            3 => {
                let class = scope.some_class(rng);
                let a = of(rng, class);
                Expr::Reduce(['&', '|', '^'][rng.below(3)], a, class)
            }
            4 => Expr::Logical(of(rng, BIT), rng.chance(2), of(rng, BIT)),
            5 => Expr::Not(of(rng, BIT)),
            _ => {
                let class = scope.some_class(rng);
                let a = of(rng, class);
                let wide = a.own_width(class);
                let position = match (rng.below(3), scope.bit_index_wire(rng, wide), scope.loop_below(wide)) {
                    (0, Some(wire), _) => Position::Wire(wire),
                    (1, _, Some(variable)) => Position::Variable(variable),
                    _ => Position::Constant(rng.below(wide)),
                };
                Expr::Slice(a, class, position, 1)
            }
        }
    }
}
