//! What a point of a module's logic knows of its signals: places that hold a constant there.
use super::ir::{Expr, ExprKind, Index, Place, SignalId, Statement};
use super::walk::walk;

/// Places and the constants that they hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Constants(Vec<(Place, Expr)>);

impl Constants {
    /// The constant at `place`.
    pub(super) fn of(&self, place: &Place) -> Option<&Expr> {
        self.0.iter().find(|(known, _)| known == place).map(|(_, value)| value)
    }

    /// After an assignment.
    pub(super) fn assign(&mut self, target: &Place, value: &Expr) {
        self.0.retain(|(place, _)| place.signal != target.signal || are_apart(place, target));
        if matches!(value.kind, ExprKind::Constant(_)) && !target.is_dynamic() {
            self.0.push((target.clone(), value.clone()));
        }
    }

    /// After statements that may or may not have run.
    pub(super) fn forget(&mut self, block: &[Statement]) {
        let targets = targets(block);
        self.0.retain(|(place, _)| !targets.contains(&place.signal));
    }

    /// After a loop: what its variable named is no place any more.
    pub(super) fn leave(&mut self, variable: usize) {
        self.0.retain(|(place, _)| {
            let mut found = vec![];
            place.indices.iter().for_each(|index| index.variables(&mut found));
            place.part.iter().for_each(|(offset, _)| offset.variables(&mut found));
            found.iter().all(|other| other.id != variable)
        });
    }
}

/// Whether two places of one signal are different elements of an array.
fn are_apart(a: &Place, b: &Place) -> bool {
    let number = |index: &Index| if let Index::Number(number) = index { Some(*number) } else { None };
    let differ = |(a, b): (&Index, &Index)| matches!((number(a), number(b)), (Some(a), Some(b)) if a != b);
    a.indices.iter().zip(&b.indices).any(differ)
}

fn targets(block: &[Statement]) -> Vec<SignalId> {
    let mut found = vec![];
    walk(block, &mut |statement| {
        if let Statement::Assign { target, .. } = statement {
            found.push(target.signal);
        }
    });
    found
}
