use super::super::model;
use super::super::tests::answers_in_time;
use super::*;
use crate::rng::Rng;

/// What a read takes that opens a row, and one whose row is open.
const ROW: u64 = 100 + COLUMN;
const COLUMN: u64 = 10 + 4;
const HIT: u64 = 5;

/// Eight sets of two lines before a channel of one bank with one row.
fn memory(settings: &str) -> Box<dyn MemoryModel> {
    let text = format!(
        "l2=1024,l2ways=2,l2hit=5,ctl=0,cl=10,cwl=7,rcd=100,rp=1000,ras=1,rtp=1,wr=1,wtr=1,burst=4,refi=0,banks=1,row=65536{settings}"
    );
    model(DramConfig::parse(&text).unwrap())
}

/// A request of its own, long after the one before: how long it takes.
fn alone(memory: &mut dyn MemoryModel, cycle: &mut u64, line: u32, write: bool) -> u64 {
    *cycle += 10_000;
    assert!(memory.accepts(*cycle));
    let due = memory.due(*cycle, line * 64, write);
    let mut told = None;
    for now in *cycle..*cycle + 5000 {
        memory.accepts(now);
        told = told.or(memory.clock(now));
    }
    due.or(told.map(|(_, due)| due)).unwrap() - *cycle
}

fn counts(memory: &dyn MemoryModel) -> (u64, u64, u64) {
    let rows = memory.rows().unwrap();
    (rows.l2_hits, rows.l2_misses, rows.row_hits + rows.row_misses + rows.row_conflicts)
}

#[test]
fn a_line_is_read_from_its_bank_once() {
    for order in ["", ",frfcfs=1"] {
        let (mut memory, mut cycle) = (memory(order), 0);
        let mut read = |line| alone(&mut *memory, &mut cycle, line, false);
        assert_eq!([read(0), read(0), read(1), read(0)], [ROW + HIT, HIT, COLUMN + HIT, HIT], "{order}");
        assert_eq!(counts(&*memory), (2, 2, 2));
    }
}

#[test]
fn the_line_of_a_set_that_was_used_least_recently_leaves() {
    let (mut memory, mut cycle) = (memory(""), 0);
    let mut is_hit = |line| alone(&mut *memory, &mut cycle, line, false) == HIT;
    // Lines that lie eight apart have one set.
    assert!(!is_hit(0) && !is_hit(8) && is_hit(0) && !is_hit(16));
    assert!(is_hit(0) && !is_hit(8) && !is_hit(16) && is_hit(8));
}

#[test]
fn stores_stay_until_their_line_leaves() {
    for order in ["", ",frfcfs=1"] {
        let (mut memory, mut cycle) = (memory(order), 0);
        assert_eq!(alone(&mut *memory, &mut cycle, 0, true), HIT, "its place is not read");
        assert_eq!(alone(&mut *memory, &mut cycle, 8, false), ROW + HIT);
        assert_eq!(alone(&mut *memory, &mut cycle, 8, true), HIT);
        assert_eq!(counts(&*memory), (1, 2, 1), "nothing has been written to a bank");
        // Both leave, and have to be written.
        assert_eq!(alone(&mut *memory, &mut cycle, 16, false), COLUMN + HIT);
        assert_eq!(alone(&mut *memory, &mut cycle, 24, false), COLUMN + HIT);
        assert_eq!(alone(&mut *memory, &mut cycle, 1, false), COLUMN + HIT);
        assert_eq!(counts(&*memory), (1, 5, 6), "four lines read, two written");
        assert_eq!(alone(&mut *memory, &mut cycle, 0, false), COLUMN + HIT);
        assert_eq!(counts(&*memory), (1, 6, 7), "what left clean is not written");
    }
}

/// While the channel has reads to do, until there are enough.
#[test]
fn lines_that_leave_are_written_in_a_row() {
    let mut memory = memory(",queue=64");
    (0..16).for_each(|line| assert_eq!(memory.due(0, line * 64, true), Some(HIT)));
    let mut of_banks = vec![];
    for cycle in 0..200 {
        assert!(memory.accepts(cycle));
        if cycle < 16 {
            memory.due(cycle, (16 + cycle as u32) * 64, false);
        }
        memory.clock(cycle);
        of_banks.push(counts(&*memory).2);
    }
    assert_eq!((of_banks[14], of_banks[15], of_banks[30], of_banks[199]), (15, 17, 32, 32));
}

#[test]
fn requests_to_a_line_on_its_way_wait_for_it() {
    let mut first = memory("");
    assert_eq!(first.due(0, 0, false), Some(ROW + HIT));
    assert_eq!(first.due(1, 0, false), Some(ROW + HIT), "no later than the line");
    assert_eq!(first.due(2, 0, true), Some(2 + HIT), "a store waits for nothing");
    assert_eq!(counts(&*first), (2, 1, 1));

    let mut later = memory(",frfcfs=1");
    let mut told = vec![];
    for cycle in 0..500 {
        assert!(later.accepts(cycle));
        if cycle < 3 {
            assert_eq!(later.due(cycle, 0, false), None, "nobody knows yet who else comes");
        }
        told.extend(later.clock(cycle));
    }
    assert_eq!(told, [(0, ROW + HIT), (1, ROW + HIT), (2, ROW + HIT)]);
    assert_eq!(counts(&*later), (2, 1, 1));
    assert_eq!(later.due(500, 0, false), Some(500 + HIT));
}

/// Lines that lie all sets apart are in one set; with a hash they are not.
#[test]
fn a_hash_spreads_what_lies_all_sets_apart() {
    for (hash, hits) in [("", 0), (",hash=1", 8)] {
        let (mut memory, mut cycle) = (memory(hash), 0);
        for line in (0..8).chain(0..8) {
            alone(&mut *memory, &mut cycle, line * 8, false);
        }
        assert_eq!(counts(&*memory).0, hits, "{hash}");
    }
}

#[test]
fn every_request_is_answered_once_and_in_time() {
    for order in ["", ",frfcfs=1", ",frfcfs=1,hash=1,queue=3"] {
        let text = format!("l2=2048,l2ways=4,l2hit=9,queue=4,banks=2,row=128,refi=2000{order}");
        let cfg = DramConfig::parse(&text).unwrap();
        let (mut memory, mut rng) = (model(cfg), Rng::new(1));
        answers_in_time(&mut *memory, &cfg, |_| rng.below(80) * 64);
        let (hits, misses, of_banks) = counts(&*memory);
        assert_eq!((hits + misses, hits > 500, misses > 500), (5000, true, true), "{hits} hits");
        assert!(of_banks > misses / 2 && memory.accepts(400_000), "{of_banks}");
    }
}
