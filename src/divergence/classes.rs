//! Which values vary from lane to lane, and which of these differ from one another by what does not: a pointer and the end
//! that it runs to may be a lane's own, and the lanes still leave the loop together.

use std::collections::BTreeMap;

use super::places::{Places, PLACES};

/// A value as a multiple of something that varies, and something uniform added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Value {
    /// What it is a multiple of: values of one class are multiples of the same. Called by a place that has one of these.
    class: u8,
    times: u32,
}

impl Value {
    /// The same in all lanes that are active together.
    pub const UNIFORM: Self = Self { class: u8::MAX, times: 0 };

    fn of(class: u8, times: u32) -> Self {
        if times == 0 {
            Self::UNIFORM
        } else {
            Self { class, times }
        }
    }

    pub fn times(self, factor: u32) -> Self {
        Self::of(self.class, self.times.wrapping_mul(factor))
    }

    /// A sum, unless that is of two classes.
    pub fn plus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::UNIFORM, sum) | (sum, Self::UNIFORM) => Some(sum),
            _ => (self.class == other.class)
                .then(|| Self::of(self.class, self.times.wrapping_add(other.times))),
        }
    }
}

/// The values in all places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes([Value; PLACES]);

impl Classes {
    /// Nothing varies.
    pub fn uniform() -> Self {
        Self([Value::UNIFORM; PLACES])
    }

    /// What varies.
    pub fn varying(&self) -> Places {
        (0..PLACES).filter(|&place| self.0[place] != Value::UNIFORM).collect()
    }

    pub fn value(&self, place: usize) -> Value {
        self.0[place]
    }

    /// Whether two places differ by something uniform.
    pub fn related(&self, one: usize, other: usize) -> bool {
        self.0[one] == self.0[other]
    }

    /// A place gets a value: without one, it varies like nothing else.
    pub fn set(&mut self, place: usize, value: Option<Value>) {
        if value.is_none_or(|value| usize::from(value.class) != place) {
            self.rename(place);
        }
        self.0[place] = value.unwrap_or(Value::of(place as u8, 1));
    }

    /// If a class is called by a place that leaves it, it gets the name of another member.
    fn rename(&mut self, place: usize) {
        let of_place = |member: usize| usize::from(self.0[member].class) == place && member != place;
        let others: Vec<usize> = (0..PLACES).filter(|&member| of_place(member)).collect();
        if let Some(&first) = others.first() {
            others.into_iter().for_each(|member| self.0[member].class = first as u8);
        }
    }

    /// What holds by both of two ways.
    pub fn meet(&self, other: &Self) -> Self {
        let mut met = Self::uniform();
        let mut classes = BTreeMap::new();
        for place in 0..PLACES {
            let times = match (self.0[place], other.0[place]) {
                (Value::UNIFORM, Value::UNIFORM) => continue,
                // What is uniform is any multiple of nothing.
                (Value::UNIFORM, value) | (value, Value::UNIFORM) => Some(value.times),
                (one, other) => (one.times == other.times).then_some(one.times),
            };
            let [one, other] = [self, other].map(|classes| classes.0[place]);
            let other_times = times.is_none().then_some((one.times, other.times));
            let class = *classes.entry((one.class, other.class, other_times)).or_insert(place as u8);
            met.0[place] = Value::of(class, times.unwrap_or(1));
        }
        met
    }

    /// The same where these places have values that are related to no others.
    pub fn with_own(mut self, places: Places) -> Self {
        (0..PLACES).filter(|&place| places.contains(place)).for_each(|place| self.set(place, None));
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
        classes.set(6, Some(classes.value(5)));
        classes.set(7, Some(classes.value(6)));
        classes.set(5, None);
        assert!(classes.related(6, 7) && !classes.related(5, 6));
        classes.set(6, Some(classes.value(7)));
        classes.set(7, Some(Value::UNIFORM));
        assert_eq!(classes.varying(), Places::of(&[5, 6]));
    }

    #[test]
    fn multiples_are_related_to_the_same_multiples() {
        let mut classes = Classes::uniform().with_own(Places::of(&[1, 2]));
        classes.set(3, Some(classes.value(1).times(4)));
        classes.set(1, Some(classes.value(1).times(2)));
        assert!(!classes.related(1, 3));
        classes.set(1, classes.value(1).plus(classes.value(1)));
        assert!(classes.related(1, 3));
        assert_eq!(classes.value(1).plus(classes.value(3).times(u32::MAX)), Some(Value::UNIFORM));
        assert_eq!(classes.value(1).plus(classes.value(2)), None);
        assert_eq!(classes.value(1).times(1 << 16).times(1 << 16), Value::UNIFORM);
    }

    #[test]
    fn what_meets_is_related_by_both_ways() {
        let own = Classes::uniform().with_own(Places::of(&[1, 2, 3]));
        let (mut one, mut other) = (own.clone(), own.clone());
        one.set(2, Some(one.value(1)));
        one.set(3, Some(one.value(1)));
        other.set(2, Some(other.value(1)));
        let met = one.meet(&other);
        assert!(met.related(1, 2) && !met.related(1, 3) && met.related(4, 5));
        assert_eq!(other.meet(&one), met);
        assert_eq!(met.meet(&Classes::uniform()), met);
        one.set(2, Some(one.value(1).times(4)));
        other.set(2, Some(other.value(1).times(4)));
        other.set(3, Some(other.value(1).times(2)));
        let met = one.meet(&other);
        assert_eq!(met.value(1).times(4), met.value(2));
        assert!(met.value(1).plus(met.value(3)).is_none(), "it is once as much, and once twice as much");
    }
}
