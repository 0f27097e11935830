//! Random kernels: defaults, then assignments, conditions, loops over arrays.
use super::block::{RandomBlock, Wire};
use super::expr::{Class, Expr, Position};
use super::{mask, Rng};
use rust_hdl::core::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression as Tree, VerilogLoop,
    VerilogStatement,
};
use rust_hdl::core::atom::AtomKind;

/// Loop variables by depth.
const VARIABLES: [&str; 2] = ["i", "j"];

/// What expressions can read.
#[derive(Default)]
pub struct Scope {
    pub wires: Vec<Wire>,
    /// Wires that have a value by now.
    readable: Vec<usize>,
    /// Lengths of the enclosing loops.
    loops: Vec<usize>,
}

/// Values of all wires, and of the loop variables.
pub struct State {
    values: Vec<Vec<u128>>,
    pub loops: Vec<usize>,
}

impl State {
    pub fn scalar(&self, wire: usize) -> u128 {
        self.values[wire][0]
    }
    pub fn element(&self, wire: usize, element: usize) -> u128 {
        self.values[wire][element]
    }
    pub fn position(&self, position: Position) -> usize {
        match position {
            Position::Constant(index) => index,
            Position::Variable(depth) => self.loops[depth],
            Position::Wire(wire) => self.scalar(wire) as usize,
        }
    }
}

enum Statement {
    Assign(usize, Option<Position>, Expr),
    /// Bits from an offset on.
    AssignBits(usize, usize, usize, Expr),
    If(Expr, Vec<Statement>, Vec<Statement>),
    For(usize, Vec<Statement>),
}

/// A kernel with its signals.
pub struct Kernel {
    scope: Scope,
    body: Vec<Statement>,
}

impl Scope {
    pub fn variable(&self, depth: usize) -> String {
        VARIABLES[depth].to_owned()
    }

    fn class_of(&self, wire: usize) -> Class {
        Class { bits: self.wires[wire].bits, width: self.wires[wire].width }
    }

    /// The class of some wire.
    pub fn some_class(&self, rng: &mut Rng) -> Class {
        self.class_of(rng.below(self.wires.len()))
    }

    /// A class whose values are small: for shift counts.
    pub fn narrow_class(&self, rng: &mut Rng) -> Class {
        let narrow: Vec<usize> = (0..self.wires.len()).filter(|&wire| self.wires[wire].bits <= 6).collect();
        self.class_of(narrow[rng.below(narrow.len())])
    }

    /// A wire, or array element, of the class that has a value.
    pub fn readable(&self, rng: &mut Rng, class: Class) -> Option<Expr> {
        let fitting: Vec<usize> =
            self.readable.iter().copied().filter(|&wire| self.class_of(wire) == class).collect();
        if fitting.is_empty() {
            return None;
        }
        let wire = fitting[rng.below(fitting.len())];
        let Some(count) = self.wires[wire].count else { return Some(Expr::Wire(wire)) };
        let inside = |depth: usize| self.loops[depth] <= count;
        let position = match (rng.below(3), self.index_wire(rng, count - 1), self.loops.len()) {
            (0, Some(select), _) => Position::Wire(select),
            (1 | 2, _, depth) if depth > 0 && inside(depth - 1) => Position::Variable(depth - 1),
            _ => Position::Constant(rng.below(count)),
        };
        Some(Expr::Element(wire, position))
    }

    /// An input whose values are at most `last`.
    pub fn index_wire(&self, rng: &mut Rng, last: usize) -> Option<usize> {
        let fits = |&wire: &usize| {
            let wire = &self.wires[wire];
            wire.count.is_none() && wire.kind == AtomKind::InputParameter && mask(wire.width) <= last as u128
        };
        let fitting: Vec<usize> = (0..self.wires.len()).filter(fits).collect();
        (!fitting.is_empty()).then(|| fitting[rng.below(fitting.len())])
    }

    pub fn bit_index_wire(&self, rng: &mut Rng, width: usize) -> Option<usize> {
        self.index_wire(rng, width - 1)
    }

    /// A loop variable that stays below `end`.
    pub fn loop_below(&self, end: usize) -> Option<usize> {
        (0..self.loops.len()).rev().find(|&depth| self.loops[depth] <= end)
    }
}

impl Kernel {
    pub fn random(rng: &mut Rng) -> Self {
        let mut scope = Scope::default();
        let kinds =
            [(AtomKind::InputParameter, 7), (AtomKind::LocalSignal, 3), (AtomKind::OutputParameter, 4)];
        let classes: Vec<Class> = (0..4)
            .map(|at| {
                let bits = [1 + rng.below(6), 1 + rng.below(12), 8, 32 + rng.below(20)][at];
                let narrowed = rng.chance(2);
                Class { bits, width: if narrowed { 1 + rng.below(bits) } else { bits } }
            })
            .collect();
        for (kind, count) in kinds {
            for number in 0..count {
                let class = classes[number % 4];
                let count = (rng.chance(3) && number > 2 || number == 6).then(|| 2 + rng.below(4));
                let prefix = match kind {
                    AtomKind::InputParameter => "in",
                    AtomKind::LocalSignal => "mid",
                    _ => "out",
                };
                let (name, bits, width) = (format!("{prefix}_{number}"), class.bits, class.width);
                scope.wires.push(Wire { name, kind, bits, width, count });
            }
        }
        scope.readable = (0..7).collect();
        let mut kernel = Self { scope, body: vec![] };
        for target in 7..kernel.scope.wires.len() {
            let default = kernel.default(rng, target);
            kernel.body.push(default);
            kernel.scope.readable.push(target);
            for _ in 0..rng.below(3) {
                let statement = kernel.statement(rng, 2);
                kernel.body.push(statement);
            }
        }
        kernel
    }

    /// An assignment of all of `target`.
    fn default(&mut self, rng: &mut Rng, target: usize) -> Statement {
        let class = self.scope.class_of(target);
        match self.scope.wires[target].count {
            None => Statement::Assign(target, None, Expr::random(rng, &self.scope, class, 3)),
            Some(count) => {
                self.scope.loops.push(count);
                let value = Expr::random(rng, &self.scope, class, 3);
                let depth = self.scope.loops.len() - 1;
                self.scope.loops.pop();
                let assign = Statement::Assign(target, Some(Position::Variable(depth)), value);
                Statement::For(count, vec![assign])
            }
        }
    }

    fn statement(&mut self, rng: &mut Rng, depth: usize) -> Statement {
        let targets: Vec<usize> = self.scope.readable.iter().copied().filter(|&wire| wire >= 7).collect();
        let target = targets[rng.below(targets.len())];
        let class = self.scope.class_of(target);
        match if depth == 0 { 0 } else { rng.below(8) } {
            0..=2 => {
                let position =
                    self.scope.wires[target].count.map(|count| match self.scope.loop_below(count) {
                        Some(variable) if !rng.chance(4) => Position::Variable(variable),
                        _ => Position::Constant(rng.below(count)),
                    });
                if position.is_none() && class.width > 2 && rng.chance(4) {
                    let offset = rng.below(class.width - 1);
                    let bits = 1 + rng.below(class.width - offset - 1);
                    let value = Expr::random(rng, &self.scope, Class { bits, width: bits }, 2);
                    return Statement::AssignBits(target, offset, bits, value);
                }
                Statement::Assign(target, position, Expr::random(rng, &self.scope, class, 3))
            }
            3..=5 => {
                let test = Expr::random(rng, &self.scope, Class { bits: 1, width: 1 }, 3);
                let then = (0..1 + rng.below(2)).map(|_| self.statement(rng, depth - 1)).collect();
                let otherwise = (0..rng.below(2)).map(|_| self.statement(rng, depth - 1)).collect();
                Statement::If(test, then, otherwise)
            }
            _ if self.scope.loops.len() < 2 => {
                let count = 2 + rng.below(4);
                self.scope.loops.push(count);
                let mut body: Vec<Statement> =
                    (0..1 + rng.below(3)).map(|_| self.statement(rng, depth - 1)).collect();
                // Now and then the search for one index that kernels are full of.
                if rng.chance(2) {
                    if let Some(select) = self.selector(rng, count) {
                        body = vec![Statement::If(select, body, vec![])];
                    }
                }
                self.scope.loops.pop();
                Statement::For(count, body)
            }
            _ => Statement::Assign(target, self.scope.wires[target].count.map(|_| Position::Constant(0)), {
                Expr::random(rng, &self.scope, class, 2)
            }),
        }
    }

    /// `select == i`, perhaps with a further condition.
    fn selector(&mut self, rng: &mut Rng, count: usize) -> Option<Expr> {
        let bits = |wire: &Wire| wire.count.is_none() && mask(wire.width) as usize >= count - 1;
        let wires: Vec<usize> = (0..7).filter(|&wire| bits(&self.scope.wires[wire])).collect();
        if wires.is_empty() {
            return None;
        }
        let wire = wires[rng.below(wires.len())];
        let variable = Expr::LoopVariable(self.scope.loops.len() - 1);
        let class = self.scope.class_of(wire);
        let test = Expr::Compare(
            Box::new(Expr::Wire(wire)),
            super::expr::Comparison::Equal,
            Box::new(variable),
            class,
        );
        if rng.chance(2) {
            return Some(test);
        }
        let more = Expr::random(rng, &self.scope, Class { bits: 1, width: 1 }, 2);
        Some(Expr::Binary(Box::new(test), super::expr::Operator::And, Box::new(more)))
    }

    pub fn wires(&self, kind: AtomKind) -> impl Iterator<Item = (usize, &Wire)> {
        self.scope.wires.iter().enumerate().filter(move |(_, wire)| wire.kind == kind)
    }

    pub fn block(&self) -> RandomBlock {
        RandomBlock { wires: self.scope.wires.clone(), code: self.code(&self.body, 0) }
    }

    fn code(&self, body: &[Statement], depth: usize) -> VerilogBlock {
        let one = |statement: &Statement| match statement {
            Statement::Assign(wire, position, value) => {
                let name = &self.scope.wires[*wire].name;
                let target = match position {
                    None => format!("{name}$next"),
                    Some(Position::Constant(index)) => format!("{name}[{index}]$next"),
                    Some(Position::Variable(depth)) => format!("{name}[{}]$next", VARIABLES[*depth]),
                    Some(Position::Wire(_)) => unreachable!("kernels cannot say so"),
                };
                VerilogStatement::Assignment(Tree::Signal(target), value.tree(&self.scope))
            }
            Statement::AssignBits(wire, offset, width, value) => VerilogStatement::SliceAssignment {
                base: Tree::Signal(self.scope.wires[*wire].name.clone()),
                width: *width,
                offset: Tree::Literal((*offset).into()),
                replacement: value.tree(&self.scope),
            },
            Statement::If(test, then, otherwise) => VerilogStatement::If(VerilogConditional {
                test: test.tree(&self.scope),
                then: self.code(then, depth),
                otherwise: match otherwise.is_empty() {
                    true => VerilogBlockOrConditional::None,
                    false => VerilogBlockOrConditional::Block(self.code(otherwise, depth)),
                },
            }),
            Statement::For(count, body) => VerilogStatement::Loop(VerilogLoop {
                index: VARIABLES[depth].into(),
                from: 0_usize.into(),
                to: (*count).into(),
                block: self.code(body, depth + 1),
            }),
        };
        body.iter().map(one).collect()
    }

    /// Values of all outputs, given those of the inputs.
    pub fn run(&self, inputs: &[Vec<u128>]) -> Vec<Vec<u128>> {
        let mut values: Vec<Vec<u128>> =
            self.scope.wires.iter().map(|wire| vec![0; wire.count.unwrap_or(1)]).collect();
        values[..inputs.len()].clone_from_slice(inputs);
        let mut state = State { values, loops: vec![] };
        self.execute(&self.body, &mut state);
        self.wires(AtomKind::OutputParameter).map(|(wire, _)| state.values[wire].clone()).collect()
    }

    fn execute(&self, body: &[Statement], state: &mut State) {
        for statement in body {
            match statement {
                Statement::Assign(wire, position, value) => {
                    let class = self.scope.class_of(*wire);
                    let value = value.eval(class, class.width, state);
                    let element = position.map_or(0, |position| state.position(position));
                    state.values[*wire][element] = value;
                }
                Statement::AssignBits(wire, offset, bits, value) => {
                    let value = value.eval(Class { bits: *bits, width: *bits }, *bits, state);
                    let old = state.values[*wire][0];
                    state.values[*wire][0] = old & !(mask(*bits) << offset) | value << offset;
                }
                Statement::If(test, then, otherwise) => {
                    let test = test.eval(Class { bits: 1, width: 1 }, 1, state) == 1;
                    self.execute(if test { then } else { otherwise }, state);
                }
                Statement::For(count, body) => {
                    for value in 0..*count {
                        state.loops.push(value);
                        self.execute(body, state);
                        state.loops.pop();
                    }
                }
            }
        }
    }
}
