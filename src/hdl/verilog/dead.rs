//! Assignments that a later one of the same process overwrites unread, whatever way is taken between them.
use super::ir::{Place, Statement};
use super::signals::Scope;
use super::walk::{reads, walk};

/// The block without such assignments.
pub(super) fn without_dead(scope: &Scope, block: Vec<Statement>) -> Vec<Statement> {
    Dead { scope, overwritten: vec![] }.block(block)
}

/// Goes through a block from its end.
struct Dead<'a> {
    scope: &'a Scope,
    /// What the statements after the present one assign before they read anything of its signal.
    overwritten: Vec<Place>,
}

impl Dead<'_> {
    fn block(&mut self, block: Vec<Statement>) -> Vec<Statement> {
        let mut kept: Vec<_> =
            block.into_iter().rev().filter_map(|statement| self.statement(statement)).collect();
        kept.reverse();
        kept
    }

    /// The statement, if anything is left of it.
    fn statement(&mut self, statement: Statement) -> Option<Statement> {
        let kept = match statement {
            Statement::Assign { ref target, .. } => {
                if self.overwritten.iter().any(|later| self.covers(later, target)) {
                    return None;
                }
                if !target.is_dynamic() {
                    self.overwritten.push(target.clone());
                }
                statement
            }
            Statement::If { test, then, otherwise } => {
                let mut branches = self.branches(vec![then, otherwise], true).into_iter();
                let (then, otherwise) = (branches.next()?, branches.next()?);
                if !has_statements(&then) && !has_statements(&otherwise) {
                    return None;
                }
                Statement::If { test, then, otherwise }
            }
            Statement::Case { subject, arms } => {
                let (labels, bodies): (Vec<_>, Vec<_>) = arms.into_iter().unzip();
                let is_complete = labels.iter().any(Option::is_none);
                let arms = labels.into_iter().zip(self.branches(bodies, is_complete)).collect();
                Statement::Case { subject, arms }
            }
            Statement::For { variable, body } => {
                // What one round assigns the next may read.
                walk(&body, &mut |statement| reads(statement, &mut |place| self.take(place)));
                let after = self.overwritten.clone();
                let body = self.block(body);
                self.overwritten = after;
                if !has_statements(&body) {
                    return None;
                }
                Statement::For { variable, body }
            }
            Statement::Comment(_) => statement,
        };
        reads(&kept, &mut |place| self.take(place));
        Some(kept)
    }

    /// What is left of branches, of which one is taken for sure if they are `complete`.
    fn branches(&mut self, bodies: Vec<Vec<Statement>>, complete: bool) -> Vec<Vec<Statement>> {
        let after = self.overwritten.clone();
        let mut common = (!complete).then(|| after.clone());
        let mut kept = vec![];
        for body in bodies {
            self.overwritten.clone_from(&after);
            kept.push(self.block(body));
            common = Some(match common {
                Some(common) => common.into_iter().filter(|place| self.overwritten.contains(place)).collect(),
                None => self.overwritten.clone(),
            });
        }
        self.overwritten = common.unwrap_or(after);
        kept
    }

    /// After a read of `place`, seen from the end.
    fn take(&mut self, place: &Place) {
        self.overwritten.retain(|later| later.signal != place.signal);
    }

    /// Whether an assignment to `later` leaves nothing of `place`.
    fn covers(&self, later: &Place, place: &Place) -> bool {
        // The one element of an array is all of it.
        let is_only = later.indices.is_empty() || self.scope.signals[later.signal].elements() == 1;
        later == place || later.signal == place.signal && is_only && later.part.is_none()
    }
}

/// Whether a block holds more than comments.
pub(super) fn has_statements(block: &[Statement]) -> bool {
    block.iter().any(|statement| !matches!(statement, Statement::Comment(_)))
}
