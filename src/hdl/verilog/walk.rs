//! How statements and expressions are walked and rebuilt: what is inside each, whatever is done with it.
use super::ir::{Expr, ExprKind, Index, Place, Statement};

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

    /// Whether the circuit chooses which element or which bits it is.
    pub(super) fn is_dynamic(&self) -> bool {
        let mut found = false;
        self.index_places(&mut |_| found = true);
        found
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
}

/// Visits every statement, outer ones first.
pub(super) fn walk<'a>(block: &'a [Statement], visit: &mut dyn FnMut(&'a Statement)) {
    for statement in block {
        visit(statement);
        statement.blocks().into_iter().for_each(|block| walk(block, visit));
    }
}

/// Calls `visit` for each place that the statement itself reads.
pub(super) fn reads<'a>(statement: &'a Statement, visit: &mut dyn FnMut(&'a Place)) {
    statement.expressions().into_iter().for_each(|expr| expr.places(visit));
    if let Statement::Assign { target, .. } = statement {
        target.index_places(visit);
    }
}
