//! From the names of a module's logic to the places that they mean.
use super::ir::{Expr, Index, Place, SignalId};
use super::lower::{dotted, Lower};
use super::names::{self, parse_path, Step};

impl Lower<'_> {
    /// The signal that `name` names, whatever its indices; no error if there is none.
    pub(super) fn signal_of(&mut self, name: &str) -> Option<SignalId> {
        let steps = parse_path(name)?;
        self.scope.by_path.get(&dotted(&steps)).copied()
    }

    /// The place that `name` names.
    pub(super) fn place(&mut self, name: &str) -> Option<Place> {
        match parse_path(name) {
            Some(steps) => self.place_of(&steps),
            None => {
                self.error(format!("`{name}` does not translate"));
                None
            }
        }
    }

    fn place_of(&mut self, steps: &[Step]) -> Option<Place> {
        let path = dotted(steps);
        let Some(&signal) = self.scope.by_path.get(&path) else {
            self.error(format!(
                "`{path}` is not a signal, constant or variant here (a `_field`, `const` or const generic used as a value?)"
            ));
            return None;
        };
        let dims = self.scope.signals[signal].dims.clone();
        let mut indices = vec![];
        for step in steps {
            if let Step::Index(index) = step {
                let length = dims.get(indices.len()).copied().unwrap_or(0);
                indices.push(self.array_index(index, length, &path)?);
            }
        }
        if indices.len() != dims.len() {
            self.error(format!("`{path}` needs {} array indices and has {}", dims.len(), indices.len()));
            return None;
        }
        Some(Place { signal, indices, part: None })
    }

    pub(super) fn array_index(&mut self, index: &names::Index, length: usize, path: &str) -> Option<Index> {
        let index = self.resolve_index(index, length)?;
        if !matches!(index, Index::Dynamic(_)) {
            match index.range() {
                Some((_, high)) if high < length => {}
                Some((_, high)) => {
                    self.error(format!("`{path}` has {length} elements and is indexed up to {high}"))
                }
                None => self.error(format!("an index of `{path}` is negative")),
            }
        }
        Some(index)
    }

    fn resolve_index(&mut self, index: &names::Index, length: usize) -> Option<Index> {
        match index {
            names::Index::Number(number) => Some(Index::Number(*number)),
            names::Index::Name(name) => match self.loop_index(name) {
                Some(index) => Some(index),
                None => {
                    self.error(format!("`{name}` in an array index is not a loop variable"));
                    None
                }
            },
            names::Index::Signal(steps) => {
                let place = self.place_of(steps)?;
                if length == 1 {
                    return Some(Index::Number(0));
                }
                let width = self.scope.signals[place.signal].width;
                Some(Index::Dynamic(Box::new(self.fit_index(Expr::place(place, width), length))))
            }
            names::Index::Operation(left, operator, right) => {
                let (left, right) = (self.resolve_index(left, length)?, self.resolve_index(right, length)?);
                if matches!((&left, &right), (Index::Dynamic(_), _) | (_, Index::Dynamic(_))) {
                    self.error("arithmetic on a signal inside an array index: use a Local".into());
                    return None;
                }
                let index = Index::Operation(Box::new(left), *operator, Box::new(right));
                Some(index.constant().map_or(index, Index::Number))
            }
        }
    }
}
