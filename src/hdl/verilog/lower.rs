//! From rust-hdl's syntax tree to the back end's own terms: names resolved, links expanded, loops kept.
use super::fold::apart;
use super::ir::{Expr, ExprKind, Index, LoopVariable, Place, Role, Statement};
use super::names::{comment_text, parse_path, Step};
use super::signals::Scope;
use rust_hdl::core::ast::{
    VerilogBlockOrConditional as Otherwise, VerilogConditional, VerilogExpression as Tree, VerilogOp,
    VerilogOpUnary, VerilogStatement as Source,
};

/// The state of lowering one logic.
pub(super) struct Lower<'a> {
    pub(super) scope: &'a mut Scope,
    /// Loop variables in force, innermost last.
    loops: Vec<(String, Index)>,
    /// Intermediate values to compute before the present statement.
    pub(super) before: Vec<Statement>,
    /// Name of the present statement's target: intermediate values are named after it.
    pub(super) hint: String,
    pub(super) next_loop: usize,
}

/// Lowers a module's logic; errors go to the scope.
pub(super) fn lower(scope: &mut Scope, code: &[Source]) -> Vec<Statement> {
    let mut lower = Lower { scope, loops: vec![], before: vec![], hint: String::new(), next_loop: 0 };
    let code = lower.block(code);
    let mut logic = lower.holds(&code);
    logic.extend(code);
    let ticks = lower.ticks(&logic);
    logic.extend(ticks);
    logic
}

impl Lower<'_> {
    pub(super) fn error(&mut self, message: String) {
        if !self.scope.errors.contains(&message) {
            self.scope.errors.push(message);
        }
    }

    pub(super) fn is_loop_variable(&self, name: &str) -> bool {
        self.loops.iter().any(|(variable, _)| variable == name)
    }

    /// The index that the loop variable `name` stands for.
    pub(super) fn loop_index(&self, name: &str) -> Option<Index> {
        self.loops.iter().rev().find(|(variable, _)| variable == name).map(|(_, index)| index.clone())
    }

    fn block(&mut self, code: &[Source]) -> Vec<Statement> {
        let mut lowered = vec![];
        for source in code {
            let statements = self.statement(source);
            lowered.append(&mut self.before);
            lowered.extend(statements);
        }
        lowered
    }

    fn statement(&mut self, source: &Source) -> Vec<Statement> {
        match source {
            Source::Assignment(target, value) => match bare(target) {
                Tree::Signal(name) => self.assignment(name, value),
                _ => self.reject("the target of an assignment is not a signal"),
            },
            Source::SliceAssignment { base, width, offset, replacement } => match bare(base) {
                Tree::Signal(name) => self.slice_assignment(name, *width, offset, replacement),
                _ => self.reject("the target of a field assignment is not a signal"),
            },
            Source::If(conditional) => match self.decided(&conditional.test) {
                Some(true) => apart(self.block(&conditional.then)),
                Some(false) => apart(self.otherwise(&conditional.otherwise)),
                None => self.conditional(conditional),
            },
            Source::Match(choice) => {
                self.hint = "match".into();
                let width = self.own_width(&choice.test);
                let subject = self.expr(&choice.test, width);
                let mut hoisted = std::mem::take(&mut self.before);
                let arms = choice.cases.iter().filter_map(|case| {
                    let label = self.label(&case.condition, width)?;
                    Some((label, self.block(&case.block)))
                });
                let mut arms: Vec<_> = arms.collect();
                self.close(&mut arms, width);
                hoisted.push(Statement::Case { subject, arms });
                hoisted
            }
            Source::Loop(source) => {
                let (from, to) = (source.from.as_usize(), source.to.as_usize());
                if self.scope.by_path.contains_key(&source.index) {
                    self.error(format!("loop variable `{}` has the name of a signal", source.index));
                }
                if to <= from {
                    return vec![];
                }
                if to - from == 1 {
                    self.loops.push((source.index.clone(), Index::Number(from)));
                    let body = self.block(&source.block);
                    self.loops.pop();
                    return body;
                }
                self.next_loop += 1;
                let depth = self.loops.iter().filter(|(name, _)| *name == source.index).count();
                let name =
                    if depth == 0 { source.index.clone() } else { format!("{}_{depth}", source.index) };
                let variable = LoopVariable { id: self.next_loop, name, from, to };
                self.loops.push((source.index.clone(), Index::Variable(variable.clone())));
                let body = self.block(&source.block);
                self.loops.pop();
                vec![Statement::For { variable, body }]
            }
            Source::Comment(text) => {
                vec![Statement::Comment(comment_text(text).replace("\\n", "\n").replace("\\\"", "\""))]
            }
            Source::Link(links) => links.iter().flat_map(|link| self.link(link)).collect(),
            Source::Macro(block) => self.block(block),
        }
    }

    fn reject(&mut self, message: &str) -> Vec<Statement> {
        self.error(message.into());
        vec![]
    }

    fn conditional(&mut self, conditional: &VerilogConditional) -> Vec<Statement> {
        self.hint = "test".into();
        let test = self.expr(&conditional.test, 1);
        let mut hoisted = std::mem::take(&mut self.before);
        let then = self.block(&conditional.then);
        let otherwise = self.otherwise(&conditional.otherwise);
        hoisted.push(Statement::If { test, then, otherwise });
        hoisted
    }

    fn otherwise(&mut self, otherwise: &Otherwise) -> Vec<Statement> {
        match otherwise {
            Otherwise::Block(block) => self.block(block),
            Otherwise::Conditional(next) => self.block(std::slice::from_ref(next)),
            Otherwise::None => vec![],
        }
    }

    /// What a test comes to that is a constant alone, the opposite of one, or begins with one (`constant && ..`): the branch that it excludes is not lowered, so
    /// it may name parts that this configuration does not have.
    fn decided(&self, test: &Tree) -> Option<bool> {
        match bare(test) {
            Tree::Unary(VerilogOpUnary::Not, inner) => self.decided(inner).map(|value| !value),
            Tree::Binary(first, VerilogOp::LogicalAnd, second) => match self.decided(first)? {
                true => self.decided(second),
                false => Some(false),
            },
            Tree::Signal(name) => {
                let steps = parse_path(name)?;
                let signal = &self.scope.signals[*self.scope.by_path.get(&dotted(&steps))?];
                match &signal.role {
                    Role::Constant(value) if signal.width == 1 && signal.dims.is_empty() => {
                        Some(value.to_u64() == Some(1))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Turns the last arm into the default if the arms name every value: no latch for the values nobody has.
    fn close(&self, arms: &mut [(Option<Expr>, Vec<Statement>)], width: usize) {
        let Some((Some(label), _)) = arms.first() else { return };
        let values = match &label.kind {
            ExprKind::Variant(name, _) => {
                let of = |key: &str| key.split('$').next().unwrap_or_default().to_owned();
                let variants = &self.scope.variants;
                let own = variants.iter().find(|(_, (variant, ..))| variant == name).map(|(key, _)| of(key));
                variants.keys().filter(|key| Some(of(key)) == own).count()
            }
            _ => 1_usize.checked_shl(width as u32).unwrap_or(usize::MAX),
        };
        if arms.len() == values {
            if let Some((label, _)) = arms.last_mut() {
                *label = None;
            }
        }
    }

    fn label(&mut self, text: &str, width: usize) -> Option<Option<Expr>> {
        let number = match text {
            "default" => return Some(None),
            "false" => Some(0),
            "true" => Some(1),
            _ => text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).trim_end_matches('_').parse().ok(),
        };
        if let Some(number) = number {
            return Some(Some(Expr::constant(number, width)));
        }
        if self.scope.variants.contains_key(text) {
            return Some(Some(self.expr(&Tree::Signal(text.into()), width)));
        }
        self.error(format!("match pattern `{text}` is neither a variant nor a number"));
        None
    }

    fn assignment(&mut self, name: &str, value: &Tree) -> Vec<Statement> {
        let Some(target) = self.place(name) else { return vec![] };
        let width = self.scope.signals[target.signal].width;
        self.hint = self.scope.signals[target.signal].name.clone();
        if let Tree::IndexReplace(base, offset, bit) = bare(value) {
            return self.replace_bit(target, width, base, offset, bit);
        }
        let value = self.expr(value, width);
        vec![Statement::Assign { target, value }]
    }

    /// `target = base.replace_bit(offset, bit)`: the base, then the bit.
    fn replace_bit(
        &mut self,
        target: Place,
        width: usize,
        base: &Tree,
        offset: &Tree,
        bit: &Tree,
    ) -> Vec<Statement> {
        let base = self.expr(base, width);
        let bit = self.expr(bit, 1);
        let Some(part) = self.bit_part(offset, width) else { return vec![] };
        let place = Place { part: (width > 1).then_some((part, 1)), ..target.clone() };
        let set = Statement::Assign { target: place, value: bit };
        let Statement::Assign { value, target: set_place } = &set else { return vec![] };
        if base == Expr::place(target.clone(), width) {
            return vec![set];
        }
        let mut overwritten = false;
        let mut check = |read: &Place| overwritten |= read.signal == target.signal;
        value.places(&mut check);
        set_place.index_places(&mut check);
        if !overwritten {
            return vec![Statement::Assign { target, value: base }, set];
        }
        let whole = self.replaced(base, set);
        vec![Statement::Assign { target, value: whole }]
    }

    /// An intermediate value: `base`, with one bit set as `set` says (whose target is put right).
    pub(super) fn replaced(&mut self, base: Expr, set: Statement) -> Expr {
        let width = base.width;
        let hint = self.hint.clone();
        let signal = self.scope.add_temporary(&hint, width);
        let place = Place { signal, indices: vec![], part: None };
        self.before.push(Statement::Assign { target: place.clone(), value: base });
        if let Statement::Assign { target, value } = set {
            self.before
                .push(Statement::Assign { target: Place { part: target.part, ..place.clone() }, value });
        }
        Expr::place(place, width)
    }

    fn slice_assignment(&mut self, name: &str, width: usize, offset: &Tree, value: &Tree) -> Vec<Statement> {
        let Some(target) = self.place(name) else { return vec![] };
        self.hint = self.scope.signals[target.signal].name.clone();
        let total = self.scope.signals[target.signal].width;
        let Some(offset) = self.index(offset) else {
            return self.reject("the offset of a field assignment is not constant");
        };
        if offset.range().is_none_or(|(_, high)| high + width > total) {
            self.error(format!("bits above the {total} of `{name}` are assigned"));
        }
        let value = self.expr(value, width);
        let part = (width < total).then_some((offset, width));
        vec![Statement::Assign { target: Place { part, ..target }, value }]
    }
}

/// The names of a path, joined with dots.
pub(super) fn dotted(steps: &[Step]) -> String {
    let names = steps.iter().filter_map(|step| match step {
        Step::Name(name) => Some(name.as_str()),
        Step::Index(_) => None,
    });
    names.collect::<Vec<_>>().join(".")
}

/// The tree without its outer parentheses.
pub(super) fn bare(tree: &Tree) -> &Tree {
    match tree {
        Tree::Paren(inner) => bare(inner),
        other => other,
    }
}
