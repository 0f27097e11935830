//! What has to happen where control goes from one block to another.

use std::collections::BTreeMap;
use std::iter::repeat_n;

use super::callers::Analysed;
use super::regions::{Kept, Regions};

/// What happens on an edge of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// The mask that a loop began with is set again.
    Restore(usize),
    /// A JOIN by which lanes meet again, or as many as it takes if that is not known.
    Join(usize),
    /// The token or the mask of a region is read.
    Read(usize),
}

/// What happens on each edge, in this order.
pub type Actions = BTreeMap<(usize, usize), Vec<Action>>;

pub fn actions(analysed: &Analysed, regions: &Regions) -> Actions {
    let graph = &analysed.graph;
    let mut all = Actions::new();
    for &from in &graph.reachable {
        for &to in &graph.leads[from] {
            let restored = regions.restores.get(&(from, to)).copied().map(Action::Restore);
            let joins = |(region, joins): (usize, usize)| repeat_n(Action::Join(region), joins.max(1));
            let joined = regions.joining(from, to).flat_map(joins);
            let read = regions.entered(from, to).map(Action::Read);
            all.insert((from, to), restored.into_iter().chain(joined).chain(read).collect());
        }
    }
    check(analysed, regions, &all);
    all
}

/// Lanes that meet at a block go on together, so the same must happen on all their edges from there on.
///
/// # Panics
/// If it does not, which would be a fault of [`Regions`].
fn check(analysed: &Analysed, regions: &Regions, actions: &Actions) {
    for (index, region) in regions.all.iter().enumerate() {
        let meets = |(from, to): (usize, usize)| match region.kept {
            Kept::Mask => to == region.meeting && region.blocks.contains(&from),
            _ => to == region.meeting && region.joining.contains_key(&from),
        };
        let own = |action: &Action| matches!(action, Action::Restore(of) | Action::Join(of) if *of == index);
        let edges = actions.iter().filter(|(&edge, _)| meets(edge) && !analysed.graph.is_choice(edge.0));
        let mut rests = edges.map(|(_, all)| &all[all.iter().rposition(own).map_or(0, |own| own + 1)..]);
        let first = rests.next();
        assert!(rests.all(|rest| Some(rest) == first), "lanes meet that have and have not a token");
    }
}
