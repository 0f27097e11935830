//! What a run of the tests takes of all that could be tried: a part, chosen by a seed that `scripts/test.sh` takes from
//! the commit, so that it moves; with `--full` everything, and ten times as many seeds.

/// `$HEDDLE_TEST_SEED`, 0 by default: what failed by it fails again by it.
pub fn seed() -> u64 {
    match std::env::var("HEDDLE_TEST_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("HEDDLE_TEST_SEED is no number: {text}")),
        Err(_) => 0,
    }
}

/// Whether all is to be tried: `$HEDDLE_TEST_FULL` is set.
pub fn is_full() -> bool {
    std::env::var_os("HEDDLE_TEST_FULL").is_some()
}

/// `count` seeds, or ten times as many; other ones for each `first`, if these are less than 10,000.
pub fn seeds(first: u64, count: u64) -> impl Iterator<Item = u64> {
    let times = if is_full() { 10 } else { 1 };
    let from = 1_000_000 * (seed() % 1_000_000);
    (0..times).flat_map(move |time| (0..count).map(move |number| from + 10_000 * time + first + number))
}

/// The first `count` of the seeds, or all.
pub fn few(count: usize, seeds: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
    seeds.take(if is_full() { usize::MAX } else { count })
}

/// `count` of the items, or all: those of one run, and of the next `place`, lie apart.
pub fn some<T>(mut items: Vec<T>, count: usize, place: usize) -> Vec<T> {
    if !is_full() && !items.is_empty() {
        let length = items.len();
        items.rotate_left((seed() as usize % length + place * count) % length);
        items.truncate(count);
    }
    items
}

#[test]
fn samples_move_and_seeds_do_not_meet() {
    use std::collections::BTreeSet;
    let places: BTreeSet<_> = (0..5).flat_map(|place| some((0..10).collect(), 2, place)).collect();
    assert_eq!(places.len(), 10, "five places with two each see all ten");
    let seeds: Vec<_> = seeds(400, 12).chain(seeds(412, 6)).collect();
    assert_eq!(seeds.iter().collect::<BTreeSet<_>>().len(), seeds.len());
}
