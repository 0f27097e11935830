//! The load/store unit against a byte-exact model, in Verilator.

mod bench;
mod data_cache;

use crate::rtl_bench::{assert_parts_of, Random};
use crate::sample::{few, seeds, some};
use bench::{build, Bench, Fault, Instruction, Kind, Pace, ATOMIC, LOCAL};
use rtl::unit::lsu::LoadStoreUnit;
use spec::config::{CoreConfig, DataCacheConfig};

const LW: u32 = 2;
const SW: u32 = 2;

/// Without a data cache.
fn config(warps: usize, threads: usize, slices: usize, load_slots: usize) -> CoreConfig {
    let dcache = DataCacheConfig { bytes: 0, ways: 1, write_back: false };
    let cfg = CoreConfig {
        warps,
        threads,
        slices,
        load_slots,
        dcache,
        local_mem_bytes: 4096,
        ..CoreConfig::default()
    };
    cfg.validate().unwrap();
    cfg
}

/// `small()` with a data cache.
fn cached(bytes: usize, ways: usize, write_back: bool, mshrs: usize) -> CoreConfig {
    let cfg = CoreConfig { dcache: DataCacheConfig { bytes, ways, write_back }, mshrs, ..small() };
    cfg.validate().unwrap();
    cfg
}

fn small() -> CoreConfig {
    config(4, 4, 1, 8)
}

fn ideal(cfg: &CoreConfig) -> Bench {
    Bench::new(cfg, &build(cfg), Pace::IDEAL, 1)
}

/// Runs one load and returns (bus reads, results).
fn loaded(bench: &mut Bench, funct3: u32, tmask: u32, addresses: &[u32]) -> (usize, usize) {
    let before = (bench.reads, bench.results);
    bench.push(Instruction::load(1, 5, funct3, tmask, addresses));
    bench.run();
    (bench.reads - before.0, bench.results - before.1)
}

#[test]
fn loads_are_coalesced_by_line() {
    let mut bench = ideal(&small());
    let b = &mut bench;
    assert_eq!(loaded(b, LW, 0xF, &[0x1000, 0x1004, 0x1008, 0x100C]), (1, 1), "unit stride");
    assert_eq!(loaded(b, LW, 0xF, &[0x103C, 0x1038, 0x1034, 0x1030]), (1, 1), "backwards");
    assert_eq!(loaded(b, LW, 0xF, &[0x1020, 0x1020, 0x1020, 0x1020]), (1, 1), "one word for all");
    assert_eq!(loaded(b, LW, 0xF, &[0x1000, 0x1010, 0x1020, 0x1030]), (1, 4), "one line, one bank");
    assert_eq!(loaded(b, LW, 0xF, &[0x1000, 0x1040, 0x1080, 0x10C0]), (4, 4), "a line each");
    assert_eq!(loaded(b, LW, 0xF, &[0x1000, 0x1044, 0x1008, 0x104C]), (2, 2), "two lines, interleaved");
    assert_eq!(
        loaded(b, LW, 0b1010, &[0x9000, 0x1004, 0xA000, 0x1008]),
        (1, 1),
        "inactive lanes do not count"
    );
    assert_eq!(
        loaded(b, LW, 0b0100, &[0x9001, 0x9001, 0x1008, 0x9001]),
        (1, 1),
        "nor do their addresses fault"
    );
    assert_eq!(loaded(b, 4, 0xF, &[0x1000, 0x1001, 0x1002, 0x1003]), (1, 1), "bytes of one word");
    assert_eq!(
        loaded(b, 1, 0xF, &[0x103E, 0x1040, 0x1042, 0x103C]),
        (2, 2),
        "halves on both sides of a line's end"
    );
}

#[test]
fn stores_are_merged_by_line() {
    let mut bench = ideal(&small());
    let mut stored = |funct3: u32, tmask: u32, addresses: &[u32]| {
        let before = bench.writes;
        bench.push(Instruction::store(
            2,
            funct3,
            tmask,
            addresses,
            &[0x1111_1111, 0x2222_2222, 0x3333_3333, 0x4444_4444],
        ));
        bench.run();
        bench.writes - before
    };
    assert_eq!(stored(SW, 0xF, &[0x2000, 0x2004, 0x2008, 0x200C]), 1, "unit stride");
    assert_eq!(stored(SW, 0xF, &[0x2000, 0x2010, 0x2020, 0x2030]), 1, "one bank: built in steps");
    assert_eq!(stored(0, 0xF, &[0x2043, 0x2042, 0x2041, 0x2040]), 1, "bytes of one word");
    assert_eq!(stored(SW, 0xF, &[0x2080, 0x2080, 0x2080, 0x2080]), 1, "one word: the highest lane stays");
    assert_eq!(stored(1, 0b0111, &[0x20C0, 0x20C0, 0x20C2, 0]), 1, "overlapping halves");
    assert_eq!(stored(SW, 0xF, &[0x2100, 0x2200, 0x2110, 0x2104]), 2, "another line in between");
    assert_eq!(stored(SW, 0b1001, &[0x2300, 0, 0, 0x2400]), 2, "a line each");
}

#[test]
fn local_memory_serves_one_word_a_bank_and_pass() {
    let mut bench = ideal(&small());
    let b = &mut bench;
    let at = |offsets: [u32; 4]| offsets.map(|o| LOCAL + o);
    assert_eq!(loaded(b, LW, 0xF, &at([0, 4, 8, 12])), (0, 1), "no conflict");
    assert_eq!(loaded(b, LW, 0xF, &at([64, 64, 64, 64])), (0, 1), "broadcast");
    assert_eq!(loaded(b, LW, 0xF, &at([0, 0, 4, 4])), (0, 1), "two words, two banks");
    assert_eq!(loaded(b, LW, 0xF, &at([0, 16, 32, 48])), (0, 4), "one bank");
    assert_eq!(loaded(b, LW, 0xF, &at([0, 16, 0, 16])), (0, 2), "one bank, two words");
    assert_eq!(loaded(b, 0, 0xF, &at([67, 66, 65, 64])), (0, 1), "bytes of one word");
    assert_eq!(loaded(b, LW, 0xF, &[LOCAL, 0x1000, LOCAL + 4, 0x1004]), (1, 2), "both memories");
}

#[test]
fn each_row_of_skewed_local_memory_begins_a_bank_later() {
    let cfg = CoreConfig { local_mem_skew: true, ..small() };
    let mut bench = ideal(&cfg);
    let b = &mut bench;
    let at = |offsets: [u32; 4]| offsets.map(|o| LOCAL + o);
    assert_eq!(loaded(b, LW, 0xF, &at([80, 84, 88, 92])), (0, 1), "a row");
    assert_eq!(loaded(b, LW, 0xF, &at([8, 24, 40, 56])), (0, 1), "a column");
    assert_eq!(loaded(b, LW, 0xF, &at([0, 20, 40, 60])), (0, 2), "a diagonal: every second bank");
    assert_eq!(loaded(b, LW, 0xF, &at([12, 24, 36, 48])), (0, 4), "the other one: one bank");
    assert_eq!(loaded(b, LW, 0xF, &at([0, 64, 128, 192])), (0, 4), "as many rows apart as there are banks");
    assert_eq!(loaded(b, LW, 0xF, &[0x1000, 0x1010, 0x1020, 0x1030]), (1, 4), "lines are as they were");
    for seed in few(1, seeds(330, 4)) {
        random_traffic(&cfg, seed, 200);
    }
}

fn interleaved(cfg: CoreConfig) -> CoreConfig {
    CoreConfig { stack_interleave: true, ..cfg }
}

/// Where each lane's stack begins, `below` bytes down.
fn on_stacks(lanes: u32, below: u32) -> Vec<u32> {
    (0..lanes).map(|lane| LOCAL - 8192 * lane - below).collect()
}

#[test]
fn lanes_meet_on_interleaved_stacks() {
    let mut bench = ideal(&interleaved(small()));
    let b = &mut bench;
    assert_eq!(loaded(b, LW, 0xF, &on_stacks(4, 4)), (1, 1), "one place, one line");
    assert_eq!(loaded(b, 1, 0xF, &on_stacks(4, 6)), (1, 1), "halves of words too");
    let own = |words: [u32; 4]| {
        (0..4).map(|lane| LOCAL - 8192 * lane - 4 - 4 * words[lane as usize]).collect::<Vec<_>>()
    };
    assert_eq!(loaded(b, LW, 0xF, &own([0, 1, 2, 3])), (1, 1), "four words of each lane are a line");
    assert_eq!(loaded(b, LW, 0xF, &own([0, 4, 8, 12])), (4, 4), "places of other lines");
    let words = [LOCAL - 4, LOCAL - 8, LOCAL - 12, LOCAL - 16];
    assert_eq!(loaded(b, LW, 0xF, &words), (1, 4), "words of one stack are in one bank");
    let all_stacks = 8192 * 16;
    assert_eq!(
        loaded(b, LW, 0xF, &on_stacks(4, all_stacks + 4)),
        (4, 4),
        "what is below the stacks stays where it is"
    );
    let mut plain = ideal(&small());
    assert_eq!(loaded(&mut plain, LW, 0xF, &on_stacks(4, 4)), (4, 4), "without: a line each");

    // Each line has the path of its place in memory, which the bench compares.
    let mut banks = ideal(&interleaved(in_banks(4, cached(1024, 2, false, 3))));
    for line in 0..4 {
        assert_eq!(loaded(&mut banks, LW, 0xF, &on_stacks(4, 16 * line + 4)).1, 1, "line {line}");
    }

    let wide = interleaved(config(2, 16, 1, 8));
    assert_eq!(loaded(&mut ideal(&wide), LW, 0xFFFF, &on_stacks(16, 4)), (2, 2), "8 lanes a line");
}

#[test]
fn a_misaligned_access_to_a_stack_faults_where_the_program_says() {
    for (funct3, beside) in [(LW, 2), (1, 1)] {
        let mut bench = ideal(&interleaved(small()));
        let addresses: Vec<_> =
            on_stacks(4, 8).iter().zip([0, beside, beside, 0]).map(|(at, by)| at + by).collect();
        bench.push(Instruction::load(3, 1, funct3, 0xF, &addresses));
        bench.run();
        assert_eq!(bench.fault, Some(Fault { wid: 3, pc: 0x8000_0000, cause: 2, addr: addresses[1] }));
    }
}

/// Each byte has a place of its own: what a lane stores to any stack every lane finds.
#[test]
fn random_traffic_on_interleaved_stacks() {
    let dcache = |write_back| DataCacheConfig { bytes: 512, ways: 2, write_back };
    let configurations = [
        small(),
        in_banks(4, cached(1024, 2, false, 3)),
        atomic(CoreConfig { local_mem_skew: true, dcache: dcache(true), ..config(3, 8, 1, 2) }),
        config(5, 2, 1, 2),
        CoreConfig { grid: false, dcache: dcache(false), ..config(3, 16, 1, 4) },
        CoreConfig { dcache: dcache(true), ..config(2, 32, 1, 4) },
    ];
    random_traffic_through_some(configurations.map(interleaved).to_vec(), 1, 860);
}

#[test]
fn a_load_to_x0_accesses_nothing() {
    let mut bench = ideal(&small());
    bench.push(Instruction::load(0, 0, LW, 0xF, &[0x1000, 0x1040, LOCAL, 0x1004]));
    bench.run();
    assert_eq!((bench.reads, bench.results), (0, 0));
}

#[test]
fn faults_access_nothing() {
    let cfg = small();
    let model = build(&cfg);
    let end = LOCAL + cfg.local_mem_bytes as u32;
    for (instruction, cause, addr) in [
        (Instruction::load(3, 1, LW, 0xF, &[0x1000, 0x1002, 0x1001, 0x1004]), 2, 0x1002),
        (Instruction::load(3, 1, 1, 0xF, &[0x1000, 0x1002, 0x1004, 0x1007]), 2, 0x1007),
        (Instruction::load(3, 1, 5, 0b0010, &[1, 0x1001, 3, 5]), 2, 0x1001),
        (Instruction::load(3, 0, LW, 0xF, &[2, 0, 0, 0]), 2, 2),
        (Instruction::store(3, SW, 0b1100, &[1, 1, 0x1000, 0x1003], &[0; 4]), 3, 0x1003),
        (Instruction::store(3, 1, 0xF, &[0x1001, 0, 0, 0], &[0; 4]), 3, 0x1001),
        (Instruction::load(3, 1, LW, 0xF, &[LOCAL, end, end + 4, LOCAL]), 4, end),
        (Instruction::store(3, 0, 0xF, &[LOCAL, end - 1, 0xFFFF_FFFF, LOCAL], &[0; 4]), 4, 0xFFFF_FFFF),
        (Instruction::load(3, 1, LW, 0xF, &[end, 0x1002, 0, 0]), 2, 0x1002),
        (Instruction::load(3, 1, LW, 0xF, &[0x40, 0x3C, 0, 0x1000]), 9, 0x3C),
        (Instruction::store(3, 0, 0b1110, &[0, 0x1000, 0x3F, 0x40], &[0; 4]), 9, 0x3F),
        (Instruction::load(3, 0, LW, 0xF, &[0x1000, 0, end, 0]), 4, end),
    ] {
        let mut bench = Bench::new(&cfg, &model, Pace::IDEAL, 1);
        let writes = bench.writes;
        bench.push(instruction.clone());
        bench.push(Instruction::load(0, 7, LW, 0xF, &[0x1000, 0x1004, 0x1008, 0x100C]));
        bench.run();
        assert_eq!(bench.fault, Some(Fault { wid: 3, pc: 0x8000_0000, cause, addr }), "{instruction:x?}");
        assert_eq!((bench.reads, bench.writes), (1, writes), "only the next instruction's access");
    }
}

#[test]
fn loads_stream_at_nearly_a_warp_a_cycle() {
    let cfg = small();
    let count = 200;
    for base in [LOCAL, 0x4000] {
        let mut bench = ideal(&cfg);
        for n in 0..count {
            let addresses: Vec<u32> = (0..4).map(|lane| base + 16 * (n % 16) + 4 * lane).collect();
            bench.push(Instruction::load((n % 4) as usize, 1 + (n / 4 % 31) as u8, LW, 0xF, &addresses));
        }
        let cycles = bench.run();
        assert!(f64::from(count) / cycles as f64 >= 0.9, "{count} loads from {base:#x} took {cycles} cycles");
    }
}

#[test]
fn requests_of_a_scattered_load_leave_every_cycle() {
    let mut bench = Bench::new(&small(), &build(&small()), Pace { latency: 40, ..Pace::IDEAL }, 1);
    bench.push(Instruction::load(0, 1, LW, 0xF, &[0x1000, 0x1040, 0x1080, 0x10C0]));
    bench.push(Instruction::load(1, 1, LW, 0xF, &[0x2000, 0x2040, 0x2080, 0x20C0]));
    let cycles = bench.run();
    assert!(cycles < 40 + 20, "8 lines with a latency of 40 took {cycles} cycles");
}

/// Addresses of a warp, in one of the shapes that programs have.
fn addresses(random: &mut Random, bench: &Bench, size: u32) -> Vec<u32> {
    let (t, local) = (bench.cfg.threads, bench.local_bytes());
    let shape = random.below(6);
    // Few lines, so that loads meet stores.
    // Some of them are I/O, which no cache keeps.
    let bus_line = |random: &mut Random| 0x1_0000 - 64 + 64 * random.below(7) as u32;
    let start = random.below(32) as u32 * size;
    let line = bus_line(random);
    let everywhere_local = random.chance(40);
    // Of each lane its own stack, or of all the same.
    let on_stacks = bench.cfg.stack_interleave && random.chance(60);
    let (warp, stack) = (random.below(bench.cfg.warps), random.chance(70));
    let top = |lane: u32| LOCAL - 8192 * (warp as u32 * t as u32 + if stack { lane } else { 0 });
    (0..t as u32)
        .map(|lane| {
            let local_lane = match shape {
                5 => random.chance(50),
                _ => everywhere_local,
            };
            let offset = match shape {
                0 => start + lane * size,
                1 => start,
                2 => start + lane * 16,
                3 => random.below(64 / size as usize) as u32 * size,
                _ => random.below(384 / size as usize) as u32 * size,
            };
            if local_lane {
                LOCAL + offset % local as u32
            } else if on_stacks {
                top(lane) - 4 - offset
            } else {
                line + offset
            }
        })
        .map(|a| a & !(size - 1))
        .collect()
}

fn random_traffic(cfg: &CoreConfig, seed: u64, count: usize) {
    println!("configuration {cfg:?}, seed {seed}");
    let mut random = Random::new(seed);
    let mut percent = || [100, 80, 30][random.below(3)];
    let pace = Pace {
        issue: percent(),
        request: percent(),
        response: percent(),
        result: percent(),
        latency: seed % 20,
        shuffle: seed % 2 == 1,
    };
    let mut bench = Bench::new(cfg, &build(cfg), pace, seed);
    let all = u32::MAX >> (32 - cfg.threads);
    let mut left = count;
    while left > 0 {
        let wid = random.below(cfg.warps);
        let tmask = match random.below(3) {
            0 => all,
            _ => (random.next() as u32 & all).max(1),
        };
        let data: Vec<u32> = (0..cfg.threads).map(|_| random.next() as u32).collect();
        let rd = random.below(8) as u8;
        let mut instruction = match random.below(100) {
            0..=1 => Instruction::fence(Kind::Fence, wid, cfg.threads),
            2 => Instruction::fence(Kind::FenceI, wid, cfg.threads),
            3..=22 if cfg.atomics => {
                let addresses = addresses(&mut random, &bench, 4);
                // Few values, so that words are often those that they are compared with.
                let [data, compared] =
                    [(), ()].map(|()| (0..cfg.threads).map(|_| random.below(4) as u32).collect::<Vec<_>>());
                let operation = ATOMIC[random.below(ATOMIC.len())];
                Instruction::atomic(operation, wid, rd, tmask, &addresses, [&data, &compared])
            }
            3..=52 => {
                let funct3 = [0, 1, 2, 2, 2, 4, 5][random.below(7)];
                Instruction::load(wid, rd, funct3, tmask, &addresses(&mut random, &bench, 1 << (funct3 & 3)))
            }
            _ => {
                let funct3 = [0, 1, 2, 2, 2][random.below(5)];
                Instruction::store(wid, funct3, tmask, &addresses(&mut random, &bench, 1 << funct3), &data)
            }
        };
        let has_result = instruction.kind == Kind::Load && rd != 0 || instruction.is_atomic();
        if has_result && bench.in_flight(wid, rd) {
            bench.step();
            continue;
        }
        instruction.imm = (random.below(4096) as u32).wrapping_sub(2048);
        for base in &mut instruction.rs1 {
            *base = base.wrapping_sub(instruction.imm);
        }
        bench.push(instruction);
        left -= 1;
        while bench.queued() > 12 {
            bench.step();
        }
    }
    bench.run();
    assert_eq!(bench.fault, None);
    assert!(bench.reads > 0 && bench.writes > 0 && bench.results > 0);
}

/// Through `count` of the configurations, or all of them in a full run: each takes a simulator of its own.
fn random_traffic_through_some(configurations: Vec<CoreConfig>, count: usize, first_seed: u64) {
    let numbered = (0_u64..).zip(configurations).collect();
    for (number, cfg) in some(numbered, count, 0) {
        for seed in few(5, seeds(first_seed + 12 * number, 12)) {
            random_traffic(&cfg, seed, 400);
        }
    }
}

#[test]
fn random_traffic_through_the_data_cache() {
    for seed in few(5, seeds(400, 12)) {
        random_traffic(&cached(16 * 1024, 1, false, 8), seed, 400);
    }
}

#[test]
fn random_traffic_through_a_tiny_data_cache() {
    random_traffic_through_some(vec![cached(256, 1, false, 2), cached(64, 1, false, 1)], 1, 500);
}

#[test]
fn random_traffic_through_several_ways() {
    let caches = [cached(512, 4, false, 3), cached(512, 2, true, 3), cached(1024, 4, true, 2)];
    random_traffic_through_some(caches.to_vec(), 1, 530);
}

#[test]
fn random_traffic_with_write_back() {
    random_traffic_through_some(vec![cached(256, 1, true, 8), cached(64, 1, true, 1)], 1, 600);
}

fn in_banks(cache_banks: usize, cfg: CoreConfig) -> CoreConfig {
    let cfg = CoreConfig { cache_banks, ..cfg };
    cfg.validate().unwrap();
    cfg
}

#[test]
fn random_traffic_through_several_banks() {
    let dcache = DataCacheConfig { bytes: 1024, ways: 2, write_back: true };
    let of_two_slices = CoreConfig { dcache, ..config(6, 8, 2, 2) };
    let caches = [(2, cached(512, 2, false, 3)), (4, cached(256, 1, true, 8)), (2, of_two_slices)];
    random_traffic_through_some(caches.map(|(banks, cfg)| in_banks(banks, cfg)).to_vec(), 1, 640);
}

/// What no stage may do: give a line to a younger instruction first, let one pass a fence, end a load with another's words.
#[test]
fn random_traffic_through_several_stages() {
    let of = |slices: usize, lsu_accesses: usize, load_slots: usize| {
        let dcache = DataCacheConfig { bytes: 1024, ways: 2, write_back: slices == 2 };
        let cfg = CoreConfig { dcache, load_slots, lsu_accesses, ..config(8, 8, slices, 2) };
        in_banks(if slices == 2 { 2 } else { 4 }, cfg)
    };
    random_traffic_through_some(vec![of(2, 2, 8), of(4, 2, 3), of(4, 4, 8)], 1, 680);
}

fn atomic(cfg: CoreConfig) -> CoreConfig {
    CoreConfig { atomics: true, ..cfg }
}

/// Nothing comes between what an atomic instruction loads and what it stores.
#[test]
fn random_traffic_with_atomic_instructions() {
    let dcache = |write_back| DataCacheConfig { bytes: 512, ways: 2, write_back };
    let of_two_slices = CoreConfig { dcache: dcache(true), ..config(6, 8, 2, 2) };
    let configurations = [
        small(),
        cached(256, 1, true, 2),
        in_banks(4, cached(1024, 2, false, 3)),
        CoreConfig { local_mem_skew: true, ..of_two_slices },
        config(1, 1, 1, 2),
        CoreConfig { dcache: dcache(false), ..config(4, 32, 1, 4) },
    ];
    random_traffic_through_some(configurations.map(atomic).to_vec(), 1, 720);
}

/// Likewise with several stages, of which each is a place where something could come between.
#[test]
fn random_traffic_with_atomic_instructions_through_several_stages() {
    let of = |slices: usize, lsu_accesses: usize| {
        let dcache = DataCacheConfig { bytes: 512, ways: 2, write_back: slices == 2 };
        atomic(in_banks(2, CoreConfig { dcache, lsu_accesses, ..config(8, 8, slices, 3) }))
    };
    random_traffic_through_some(vec![of(2, 2), of(4, 2)], 1, 800);
}

#[test]
fn lanes_with_one_word_take_turns_and_others_go_together() {
    let mut bench = ideal(&atomic(small()));
    let ones = [1; 4];
    let mut added = |addresses: &[u32]| {
        let before = (bench.reads, bench.writes);
        bench.push(Instruction::atomic(0, 1, 5, 0xF, addresses, [&ones, &ones]));
        bench.run();
        (bench.reads - before.0, bench.writes - before.1)
    };
    assert_eq!(added(&[0x1000, 0x1004, 0x1008, 0x100C]), (1, 1), "four words of a line");
    assert_eq!(added(&[0x1000; 4]), (4, 4), "one word");
    assert_eq!(added(&[0x1000, 0x1004, 0x1000, 0x1004]), (2, 2), "two words, twice");
    assert_eq!(added(&[0x1000, 0x1040, 0x1080, 0x1040]), (4, 4), "three lines, of one a word twice");
    assert_eq!(added(&[LOCAL; 4]), (0, 0), "local memory is no matter of the bus");
}

/// Four lines that are there: those of one round follow one another, those of several wait for one another.
#[test]
fn lines_of_a_round_follow_one_another() {
    let mut bench = ideal(&atomic(cached(16 * 1024, 4, false, 8)));
    let mut added = |addresses: &[u32]| {
        let mut run = || {
            bench.push(Instruction::atomic(0, 1, 5, 0xF, addresses, [&[1; 4], &[1; 4]]));
            bench.run()
        };
        run();
        run()
    };
    let (apart, together) = (added(&[0x1000, 0x1044, 0x1088, 0x10CC]), added(&[0x1000; 4]));
    assert!(apart + 15 <= together, "{apart} cycles for four lines, {together} for one word four times");
}

#[test]
fn a_misaligned_atomic_instruction_faults_as_a_store() {
    let mut bench = ideal(&atomic(small()));
    bench.push(Instruction::atomic(1, 2, 5, 0b0110, &[0, 0x1000, 0x1002, 0], [&[0; 4], &[0; 4]]));
    bench.run();
    assert_eq!(bench.fault, Some(Fault { wid: 2, pc: 0x8000_0000, cause: 3, addr: 0x1002 }));
    assert_eq!((bench.reads, bench.writes), (0, 0), "nothing is accessed");
}

/// Loads that hit, of two slices, on lines of two banks: with a stage for each slice two are served a cycle.
#[test]
fn two_stages_serve_two_banks_at_once() {
    let cycles = |lsu_accesses: usize| {
        let cached = cached(16 * 1024, 4, false, 8);
        let cfg = in_banks(2, CoreConfig { warps: 8, slices: 2, lsu_accesses, ..cached });
        let mut bench = ideal(&cfg);
        let mut run = || {
            for n in 0..48 {
                // Slice 0 stays on one bank, slice 1 on the other.
                let (wid, line) = (n % 8, 0x1_0000 + 64 * (n as u32 % 2));
                let addresses: Vec<_> = (0..4).map(|lane| line + 4 * lane).collect();
                bench.push(Instruction::load(wid, 1 + (n / 8) as u8, LW, 0xF, &addresses));
            }
            bench.run()
        };
        run();
        run()
    };
    let (alone, together) = (cycles(1), cycles(2));
    assert!(together + 20 <= alone, "{together} cycles by two stages, {alone} by one");
}

#[test]
fn a_load_of_many_lines_is_served_by_all_banks() {
    // Threads' stacks lie a power of two apart.
    let stacks = |n: u32| (0..4).map(|lane| 0x1_0000 + 0x2000 * lane + 64 * n).collect::<Vec<_>>();
    let taken = |banks: usize| {
        let mut bench = ideal(&in_banks(banks, cached(16 * 1024, 4, false, 8)));
        let mut run = || {
            for n in 0..48 {
                bench.push(Instruction::load((n % 4) as usize, 1 + (n / 4) as u8, LW, 0xF, &stacks(n % 2)));
            }
            bench.run()
        };
        run();
        run()
    };
    for (banks, most) in some(vec![(1, 205), (2, 110), (4, 62)], 2, 0) {
        let cycles = taken(banks);
        assert!(cycles <= most, "{cycles} cycles for 48 loads of 4 lines that are there, from {banks} banks");
    }
}

#[test]
fn random_traffic_two_slices_one_slot_data_cache() {
    let dcache = DataCacheConfig { bytes: 256, ways: 2, write_back: false };
    for seed in seeds(106, 4) {
        random_traffic(&CoreConfig { dcache, ..config(6, 8, 2, 1) }, seed, 300);
    }
}

#[test]
fn random_traffic_four_lanes() {
    for seed in few(5, seeds(0, 12)) {
        random_traffic(&small(), seed, 400);
    }
}

#[test]
fn random_traffic_two_slices_one_slot() {
    for seed in few(3, seeds(100, 6)) {
        random_traffic(&config(6, 8, 2, 1), seed, 300);
    }
}

#[test]
fn random_traffic_one_lane() {
    for seed in seeds(200, 4) {
        random_traffic(&config(1, 1, 1, 3), seed, 300);
    }
}

#[test]
fn random_traffic_thirty_two_lanes() {
    for seed in few(2, seeds(300, 4)) {
        random_traffic(&config(4, 32, 4, 16), seed, 200);
    }
}

/// What random traffic with several banks of the data cache and with local memory goes through.
#[test]
fn the_unit_is_made_of_these_parts() {
    let parts = [
        "AccessInput",
        "BankArbiter",
        "BankConflicts",
        "BankStage",
        "LoadTracker",
        "StoreAligner",
        "RequestBuffer",
        "LoadTable",
        "LocalMemory",
        "LinePath",
        "LoadReturn",
        "LoadAligner",
        "LoadMerge",
    ];
    let cache = ["DataCache", "DataWay", "Replay", "OutBuffer", "FlushControl"];
    let cfg = in_banks(2, cached(512, 2, false, 3));
    assert_parts_of(LoadStoreUnit::new(&cfg), &[&parts[..], &cache].concat());
    assert_parts_of(LoadStoreUnit::new(&atomic(cfg.clone())), &["AtomicRounds"]);
    assert_parts_of(LoadStoreUnit::new(&interleaved(cfg)), &["StackInterleaver"]);
}
