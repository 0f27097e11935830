//! Which values vary from lane to lane, and which of these differ from one another by what does not: a pointer and the end
//! that it runs to may be a lane's own, and the lanes still leave the loop together.

use std::collections::BTreeMap;

use super::places::{Places, PLACES};

/// A partition of all places. What is in one class of it differs by something that is the same in all lanes that are active
/// together; one class is that of uniform values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes([u8; PLACES]);

/// The class of uniform values. Others are called by one of their members.
const UNIFORM: u8 = u8::MAX;

impl Classes {
    /// Nothing varies.
    pub fn uniform() -> Self {
        Self([UNIFORM; PLACES])
    }

    /// What varies.
    pub fn varying(&self) -> Places {
        (0..PLACES).filter(|&place| self.0[place] != UNIFORM).collect()
    }

    /// Whether two places are of one class.
    pub fn related(&self, one: usize, other: usize) -> bool {
        self.0[one] == self.0[other]
    }

    /// A place gets a value that is related to no other one.
    pub fn set_own(&mut self, place: usize) {
        self.leave(place);
        self.0[place] = place as u8;
    }

    /// A place gets a uniform value.
    pub fn set_uniform(&mut self, place: usize) {
        self.leave(place);
        self.0[place] = UNIFORM;
    }

    /// A place gets the value of another one, or one that differs from it by something uniform.
    pub fn set_like(&mut self, place: usize, other: usize) {
        if !self.related(place, other) {
            self.leave(place);
            self.0[place] = self.0[other];
        }
    }

    /// If a class is called by a place, it gets the name of another member.
    fn leave(&mut self, place: usize) {
        let of_place = |member: usize| self.0[member] == place as u8 && member != place;
        let others: Vec<usize> = (0..PLACES).filter(|&member| of_place(member)).collect();
        if let Some(&first) = others.first() {
            others.into_iter().for_each(|member| self.0[member] = first as u8);
        }
    }

    /// What holds by both of two ways.
    pub fn meet(&self, other: &Self) -> Self {
        let mut named = BTreeMap::from([((UNIFORM, UNIFORM), UNIFORM)]);
        let mut met = Self::uniform();
        for place in 0..PLACES {
            met.0[place] = *named.entry((self.0[place], other.0[place])).or_insert(place as u8);
        }
        met
    }

    /// The same where these places have values that are related to no others.
    pub fn with_own(mut self, places: Places) -> Self {
        (0..PLACES).filter(|&place| places.contains(place)).for_each(|place| self.set_own(place));
        // Each class is called by its first member again, so that equal partitions are equal.
        self.meet(&self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_lives_on_without_the_member_that_it_is_called_by() {
        let mut classes = Classes::uniform().with_own(Places::of(&[5]));
        classes.set_like(6, 5);
        classes.set_like(7, 6);
        classes.set_own(5);
        assert!(classes.related(6, 7) && !classes.related(5, 6));
        classes.set_like(6, 7);
        classes.set_uniform(7);
        assert_eq!(classes.varying(), Places::of(&[5, 6]));
    }

    #[test]
    fn what_meets_is_related_by_both_ways() {
        let own = Classes::uniform().with_own(Places::of(&[1, 2, 3]));
        let (mut one, mut other) = (own.clone(), own.clone());
        one.set_like(2, 1);
        one.set_like(3, 1);
        other.set_like(2, 1);
        let met = one.meet(&other);
        assert!(met.related(1, 2) && !met.related(1, 3) && met.related(4, 5));
        assert_eq!(other.meet(&one), met);
        assert_eq!(met.meet(&Classes::uniform()), met);
    }
}
