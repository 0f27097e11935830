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
    Comment(String),
}

impl Statement {
    /// The blocks inside it.
    pub(super) fn blocks(&self) -> Vec<&[Statement]> {
        match self {
            Statement::If { then, otherwise, .. } => vec![then, otherwise],
            Statement::Case { arms, .. } => arms.iter().map(|(_, body)| &body[..]).collect(),
            Statement::For { body, .. } => vec![body],
            Statement::Assign { .. } | Statement::Comment(_) => vec![],
        }
    }

    /// The statement with each block inside it as `of` makes it.
    pub(super) fn with_blocks(self, mut of: impl FnMut(Vec<Statement>) -> Vec<Statement>) -> Statement {
        match self {
            Statement::If { test, then, otherwise } => {
                Statement::If { test, then: of(then), otherwise: of(otherwise) }
            }
            Statement::Case { subject, arms } => {
                let arms = arms.into_iter().map(|(label, body)| (label, of(body))).collect();
                Statement::Case { subject, arms }
            }
            Statement::For { variable, body } => Statement::For { variable, body: of(body) },
            other => other,
        }
    }

    /// The expressions of the statement itself.
    pub(super) fn expressions(&self) -> Vec<&Expr> {
        match self {
            Statement::Assign { value, .. } => vec![value],
            Statement::If { test, .. } => vec![test],
            Statement::Case { subject, arms } => {
                arms.iter().filter_map(|(label, _)| label.as_ref()).chain([subject]).collect()
            }
            Statement::For { .. } | Statement::Comment(_) => vec![],
        }
    }
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

    /// The expressions that this one is computed from, but for those in indices.
    pub(super) fn operands(&self) -> impl Iterator<Item = &Expr> {
        let (first, second) = match &self.kind {
            ExprKind::Constant(_) | ExprKind::Variant(..) | ExprKind::Place(_) | ExprKind::Index(_) => {
                (None, None)
            }
            ExprKind::Extend(a) | ExprKind::SignExtend(a) | ExprKind::Not(a) => (Some(a), None),
            ExprKind::Negate(a) | ExprKind::Reduce(_, a) => (Some(a), None),
            ExprKind::Binary(a, _, b) => (Some(a), Some(b)),
        };
        first.into_iter().chain(second).map(Box::as_ref)
    }

    /// The same operation on what `of` makes of its operands.
    pub(super) fn with_operands(&self, mut of: impl FnMut(&Expr) -> Expr) -> Expr {
        let mut of = |inner: &Expr| Box::new(of(inner));
        let kind = match &self.kind {
            ExprKind::Extend(a) => ExprKind::Extend(of(a)),
            ExprKind::SignExtend(a) => ExprKind::SignExtend(of(a)),
            ExprKind::Not(a) => ExprKind::Not(of(a)),
            ExprKind::Negate(a) => ExprKind::Negate(of(a)),
            ExprKind::Reduce(operator, a) => ExprKind::Reduce(*operator, of(a)),
            ExprKind::Binary(a, operator, b) => ExprKind::Binary(of(a), *operator, of(b)),
            kind => kind.clone(),
        };
        Expr { width: self.width, kind }
    }

    /// Calls `visit` for each place the expression reads, those of indices included.
    pub(super) fn places<'a>(&'a self, visit: &mut dyn FnMut(&'a Place)) {
        match &self.kind {
            ExprKind::Place(place) => {
                visit(place);
                place.index_places(visit);
            }
            ExprKind::Index(index) => index.places(visit),
            _ => self.operands().for_each(|inner| inner.places(visit)),
        }
    }

    /// The expression with each place that it reads as `of` makes it, those of indices included.
    pub(super) fn with_places(&self, of: &dyn Fn(&Place) -> Place) -> Expr {
        let kind = match &self.kind {
            ExprKind::Place(place) => ExprKind::Place(of(&place.with_places(of))),
            ExprKind::Index(index) => ExprKind::Index(index.with_places(of)),
            _ => return self.with_operands(|inner| inner.with_places(of)),
        };
        Expr { width: self.width, kind }
    }
}

impl Place {
    /// Calls `visit` for each place that the indices read.
    pub(super) fn index_places<'a>(&'a self, visit: &mut dyn FnMut(&'a Place)) {
        self.indices.iter().for_each(|index| index.places(visit));
        if let Some((offset, _)) = &self.part {
            offset.places(visit);
        }
    }

    /// The place with each place that its indices read as `of` makes it.
    pub(super) fn with_places(&self, of: &dyn Fn(&Place) -> Place) -> Place {
        Place {
            signal: self.signal,
            indices: self.indices.iter().map(|index| index.with_places(of)).collect(),
            part: self.part.as_ref().map(|(offset, width)| (offset.with_places(of), *width)),
        }
    }
}

impl Index {
    /// Calls `visit` for each place the index reads.
    pub(super) fn places<'a>(&'a self, visit: &mut dyn FnMut(&'a Place)) {
        match self {
            Index::Number(_) | Index::Variable(_) => {}
            Index::Operation(a, _, b) => {
                a.places(visit);
                b.places(visit);
            }
            Index::Dynamic(value) => value.places(visit),
        }
    }

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

    /// The index with each place that it reads as `of` makes it.
    pub(super) fn with_places(&self, of: &dyn Fn(&Place) -> Place) -> Index {
        match self {
            Index::Number(_) | Index::Variable(_) => self.clone(),
            Index::Operation(a, operator, b) => {
                Index::Operation(Box::new(a.with_places(of)), *operator, Box::new(b.with_places(of)))
            }
            Index::Dynamic(value) => Index::Dynamic(Box::new(value.with_places(of))),
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
