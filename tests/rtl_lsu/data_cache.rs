//! What of the load/store unit's traffic the data cache keeps from the bus, and what it does not.
use super::bench::{build, Bench, Instruction, Kind, Pace};
use super::{cached, LW, SW};

const LINE: u32 = 0x2_0000;
/// A line of the same set: a cache of 1024 bytes has 16 sets, and two digits of the line's number change alike.
const RIVAL: u32 = LINE + 0x11 * 64;
const SLOW: Pace = Pace { latency: 60, ..Pace::IDEAL };

fn bench(write_back: bool, pace: Pace) -> Bench {
    let cfg = cached(1024, 1, write_back, 4);
    Bench::new(&cfg, &build(&cfg), pace, 1)
}

fn words(address: u32) -> [u32; 4] {
    [0, 4, 8, 12].map(|offset| address + offset)
}

fn load(wid: usize, rd: u8, address: u32) -> Instruction {
    Instruction::load(wid, rd, LW, 0xF, &words(address))
}

fn store(wid: usize, address: u32, value: u32) -> Instruction {
    Instruction::store(wid, SW, 0xF, &words(address), &[value; 4])
}

/// Bus reads and writes of what has been pushed.
fn traffic(bench: &mut Bench) -> (usize, usize) {
    let before = (bench.reads, bench.writes);
    bench.run();
    (bench.reads - before.0, bench.writes - before.1)
}

#[test]
fn loads_of_a_line_on_its_way_share_the_request() {
    let mut bench = bench(false, SLOW);
    for wid in 0..4 {
        bench.push(load(wid, 1, LINE + 16 * wid as u32));
    }
    assert_eq!(traffic(&mut bench), (1, 0), "four misses on one line");
    for wid in 0..4 {
        bench.push(load(wid, 2, LINE + 16 * wid as u32));
    }
    assert_eq!(traffic(&mut bench), (0, 0), "four hits");
}

#[test]
fn hits_and_further_misses_pass_a_miss() {
    let mut bench = bench(false, SLOW);
    bench.push(load(0, 1, LINE));
    bench.run();
    let results = bench.results;
    for line in 1..5 {
        bench.push(load(1, line, LINE + 64 * u32::from(line)));
    }
    for rd in 1..9 {
        bench.push(load(2, rd, LINE));
    }
    for _ in 0..40 {
        bench.step();
    }
    assert_eq!(bench.results - results, 8, "hits under four misses");
    assert_eq!(bench.reads, 5, "the four misses are on their way together");
    bench.run();
}

#[test]
fn a_store_through_the_cache_changes_the_line_that_is_there_and_brings_in_none() {
    let mut bench = bench(false, Pace::IDEAL);
    bench.push(store(0, LINE, 1));
    assert_eq!(traffic(&mut bench), (0, 1));
    bench.push(load(0, 1, LINE));
    assert_eq!(traffic(&mut bench), (1, 0), "the store brought in nothing");
    bench.push(store(0, LINE, 2));
    bench.push(load(0, 1, LINE));
    assert_eq!(traffic(&mut bench), (0, 1), "the line is up to date");
}

#[test]
fn write_back_keeps_stores_until_their_place_is_wanted() {
    let mut bench = bench(true, Pace::IDEAL);
    for n in 0..16 {
        bench.push(store(n % 4, LINE + 16 * (n as u32 % 4), n as u32));
    }
    for _ in 0..200 {
        bench.step();
    }
    assert_eq!((bench.reads, bench.writes), (0, 0), "a line is gathered");
    bench.push(store(0, RIVAL, 1));
    for _ in 0..50 {
        bench.step();
    }
    assert_eq!((bench.reads, bench.writes), (0, 1), "its place is taken");
    bench.push(load(1, 1, RIVAL + 16));
    assert_eq!(traffic(&mut bench), (1, 1), "stored bytes go to memory before the rest of the line is read");
    bench.push(store(0, LINE, 5));
    assert_eq!(traffic(&mut bench), (0, 1), "the end");
}

/// The threads' stacks are 2^13 bytes apart: there is room for a line of each.
#[test]
fn lines_a_power_of_two_apart_are_kept_beside_each_other() {
    let stacks = || (0..16).map(|thread: u8| (thread + 1, LINE + (u32::from(thread) << 13)));
    let mut through = bench(false, Pace::IDEAL);
    stacks().for_each(|(rd, address)| through.push(load(0, rd, address)));
    assert_eq!(traffic(&mut through), (16, 0));
    stacks().for_each(|(rd, address)| through.push(load(0, rd, address)));
    assert_eq!(traffic(&mut through), (0, 0), "all are here");
    let mut back = bench(true, Pace::IDEAL);
    stacks().for_each(|(_, address)| back.push(store(0, address, address)));
    for _ in 0..200 {
        back.step();
    }
    assert_eq!((back.reads, back.writes), (0, 0), "none has evicted another");
}

#[test]
fn after_a_fence_memory_and_loads_agree() {
    for write_back in [false, true] {
        let mut bench = bench(write_back, Pace::IDEAL);
        bench.push(load(0, 1, LINE));
        bench.push(store(0, LINE + 64, 7));
        bench.push(Instruction::fence(Kind::Fence, 0, 4));
        // The bench checks memory when the fence ends.
        bench.run();
        bench.another_master_stores(LINE + 4, 0xAB);
        bench.push(load(0, 2, LINE + 64));
        bench.push(load(0, 1, LINE));
        assert_eq!(traffic(&mut bench), (2, 0), "both lines are read again");
    }
}

#[test]
fn io_is_never_kept() {
    for write_back in [false, true] {
        let mut bench = bench(write_back, Pace::IDEAL);
        for rd in 1..4 {
            bench.push(load(0, rd, 0x1000));
            bench.push(store(0, 0x1000, rd.into()));
        }
        bench.push(load(1, 1, 0xFFF0));
        bench.push(load(2, 1, 0xFFF0));
        assert_eq!(traffic(&mut bench), (5, 3));
    }
}

#[test]
fn hits_and_stores_stream_at_nearly_a_warp_a_cycle() {
    let count = 200;
    let rate = |cycles: u64| f64::from(count) / cycles as f64;
    for write_back in [false, true] {
        let mut bench = bench(write_back, Pace::IDEAL);
        for line in 0..4 {
            bench.push(load(0, line as u8 + 1, LINE + 64 * line));
        }
        bench.run();
        for n in 0..count as u32 {
            bench.push(load(n as usize % 4, 1 + (n / 4 % 31) as u8, LINE + 16 * (n % 16)));
        }
        let loads = rate(bench.run());
        assert!(loads >= 0.9, "{loads:.2} loads a cycle");
    }
    let mut bench = bench(false, Pace::IDEAL);
    for n in 0..count as u32 {
        bench.push(store(n as usize % 4, LINE + 16 * (n % 16), n));
    }
    let stores = rate(bench.run());
    assert!(stores >= 0.9, "{stores:.2} stores a cycle");
}
