//! The module in the back end's own terms: every expression has an exact width, arrays and loops are kept.
use super::value::Value;
use std::collections::HashMap;

pub(super) type SignalId = usize;

/// A signal, or an array of them, with its Verilog name.
#[derive(Clone, Debug)]
pub(super) struct Signal {
    /// Path in the Rust source, for messages (`lanes[].operand`).
    pub(super) path: String,
    /// Verilog name.
    pub(super) name: String,
    /// Lengths of the arrays it is an element of, outermost first; the Verilog has one vector for them all.
    pub(super) dims: Vec<usize>,
    /// Width of one element.
    pub(super) width: usize,
    pub(super) signed: bool,
    /// In a bundle: it goes from the consumer to the producer.
    pub(super) backward: bool,
    /// In a bundle: a register of it has a reset.
    pub(super) reset: bool,
    /// What it is, for a port's line.
    pub(super) description: Option<String>,
    /// What the ports are that begin with this one.
    pub(super) group: Option<String>,
    pub(super) role: Role,
}

impl Signal {
    pub(super) fn elements(&self) -> usize {
        self.dims.iter().product()
    }
    pub(super) fn total(&self) -> usize {
        self.elements() * self.width
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Role {
    Input,
    Output,
    Local,
    /// A named constant; the elements' values, lowest first, as one number.
    Constant(Value),
    /// Input port `port` of the children of group `child`.
    ChildInput {
        child: usize,
        port: usize,
    },
    /// Output port of the children of group `child`.
    ChildOutput {
        child: usize,
        port: usize,
    },
    /// Next value of register group `register`.
    Next {
        register: usize,
    },
    /// Present value of register group `register`.
    Present {
        register: usize,
    },
    /// Clock input of a register group; never printed.
    RegisterClock {
        register: usize,
    },
    /// An intermediate value that Verilog needs a name for.
    Temporary,
    /// A variable of one always block.
    Scratch,
}

/// A loop variable, known by number; the loop gives its range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct LoopVariable {
    pub(super) id: usize,
    pub(super) name: String,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// An array index or bit offset.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Index {
    Number(usize),
    Variable(LoopVariable),
    Operation(Box<Index>, char, Box<Index>),
    /// A value of the circuit.
    Dynamic(Box<Expr>),
}

/// A part of a signal: one element, or some bits of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) signal: SignalId,
    pub(super) indices: Vec<Index>,
    /// Lowest bit and width, when not the whole element.
    pub(super) part: Option<(Index, usize)>,
}

/// An expression of exactly `width` bits.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Expr {
    pub(super) width: usize,
    pub(super) kind: ExprKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExprKind {
    Constant(Value),
    /// Variant of an enum: its `localparam` and its number.
    Variant(String, usize),
    Place(Place),
    /// Value of an index expression over loop variables.
    Index(Index),
    /// Zero extension.
    Extend(Box<Expr>),
    /// Sign extension.
    SignExtend(Box<Expr>),
    Binary(Box<Expr>, Operator, Box<Expr>),
    Not(Box<Expr>),
    Negate(Box<Expr>),
    /// `&`, `|` or `^` over all bits.
    Reduce(char, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operator {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    LogicalAnd,
    LogicalOr,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    SignedLess,
    SignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Statement {
    Assign {
        target: Place,
        value: Expr,
    },
    If {
        test: Expr,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// Arms with their label (`None`: default).
    Case {
        subject: Expr,
        arms: Vec<(Option<Expr>, Vec<Statement>)>,
    },
    For {
        variable: LoopVariable,
        body: Vec<Statement>,
    },
    /// What is said of the statements up to the next comment; an empty one only ends the reach of the one before.
    Comment(String),
}

impl Expr {
    pub(super) fn constant(value: impl Into<Value>, width: usize) -> Self {
        Self { width, kind: ExprKind::Constant(value.into()) }
    }

    pub(super) fn place(place: Place, width: usize) -> Self {
        Self { width, kind: ExprKind::Place(place) }
    }

    /// The expression with loop variables, given by their numbers, replaced by values.
    pub(super) fn with_numbers(&self, numbers: &HashMap<usize, usize>) -> Expr {
        if numbers.is_empty() {
            return self.clone();
        }
        let kind = match &self.kind {
            ExprKind::Place(place) => ExprKind::Place(Place {
                signal: place.signal,
                indices: place.indices.iter().map(|index| index.with_numbers(numbers)).collect(),
                part: place.part.as_ref().map(|(offset, width)| (offset.with_numbers(numbers), *width)),
            }),
            ExprKind::Index(index) => match index.with_numbers(numbers) {
                Index::Number(number) => ExprKind::Constant((number as u64).into()),
                index => ExprKind::Index(index),
            },
            _ => return self.with_operands(|inner| inner.with_numbers(numbers)),
        };
        Expr { width: self.width, kind }
    }
}

impl Index {
    /// The value, given those of the loop variables; `None` if it depends on the circuit or is negative.
    pub(super) fn value(&self, of: &dyn Fn(&LoopVariable) -> Option<usize>) -> Option<usize> {
        Some(match self {
            Index::Number(number) => *number,
            Index::Variable(variable) => of(variable)?,
            Index::Operation(a, operator, b) => {
                let (a, b) = (a.value(of)?, b.value(of)?);
                match operator {
                    '+' => a + b,
                    '-' => a.checked_sub(b)?,
                    '*' => a * b,
                    '/' => a.checked_div(b)?,
                    _ => a.checked_rem(b)?,
                }
            }
            Index::Dynamic(_) => return None,
        })
    }

    /// The constant value, if it has one.
    pub(super) fn constant(&self) -> Option<usize> {
        self.value(&|_| None)
    }

    /// The index with loop variables, given by their numbers, replaced by values.
    pub(super) fn with_numbers(&self, numbers: &HashMap<usize, usize>) -> Index {
        match self {
            Index::Variable(variable) => match numbers.get(&variable.id) {
                Some(number) => Index::Number(*number),
                None => self.clone(),
            },
            Index::Operation(a, operator, b) => {
                let (a, b) = (Box::new(a.with_numbers(numbers)), Box::new(b.with_numbers(numbers)));
                let index = Index::Operation(a, *operator, b);
                index.constant().map_or(index, Index::Number)
            }
            Index::Dynamic(value) => Index::Dynamic(Box::new(value.with_numbers(numbers))),
            Index::Number(_) => self.clone(),
        }
    }

    /// Sum, folded where possible.
    pub(super) fn plus(self, other: Index) -> Index {
        match (self, other) {
            (Index::Number(0), b) => b,
            (a, Index::Number(0)) => a,
            (Index::Number(a), Index::Number(b)) => Index::Number(a + b),
            (a, b) => Index::Operation(Box::new(a), '+', Box::new(b)),
        }
    }

    /// Product with a number, folded where possible.
    pub(super) fn times(self, factor: usize) -> Index {
        match (self, factor) {
            (a, 1) => a,
            (Index::Number(a), b) => Index::Number(a * b),
            (a, b) => Index::Operation(Box::new(a), '*', Box::new(Index::Number(b))),
        }
    }

    /// The loop variables it depends on, each once.
    pub(super) fn variables(&self, found: &mut Vec<LoopVariable>) {
        match self {
            Index::Variable(variable) if !found.contains(variable) => found.push(variable.clone()),
            Index::Operation(a, _, b) => {
                a.variables(found);
                b.variables(found);
            }
            _ => {}
        }
    }

    /// Smallest and largest value over the ranges of its loop variables; `None` if it depends on the circuit,
    /// or if some combination gives no natural number.
    pub(super) fn range(&self) -> Option<(usize, usize)> {
        let mut variables = vec![];
        self.variables(&mut variables);
        let mut point: Vec<usize> = variables.iter().map(|variable| variable.from).collect();
        let (mut low, mut high) = (usize::MAX, 0);
        loop {
            let of = |wanted: &LoopVariable| {
                variables.iter().position(|variable| variable == wanted).map(|at| point[at])
            };
            let value = self.value(&of)?;
            (low, high) = (low.min(value), high.max(value));
            let Some(at) = (0..variables.len()).find(|&at| point[at] + 1 < variables[at].to) else {
                return Some((low, high));
            };
            point[at] += 1;
            (0..at).for_each(|lower| point[lower] = variables[lower].from);
        }
    }
}
