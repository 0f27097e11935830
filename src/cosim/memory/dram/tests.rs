use super::first_ready::most_passing;
use super::*;
use crate::rng::Rng;

/// The data sheet's clocks at 800 MHz, spelt out.
#[test]
fn the_defaults_are_those_of_the_speed_bin() {
    let d = DramConfig::default();
    assert_eq!((d.cl, d.rcd, d.rp, d.ras, d.cwl), (11, 11, 11, 28, 8));
    assert_eq!((d.rtp, d.wr, d.wtr, d.burst, d.refi, d.rfc, d.ctl), (6, 12, 6, 4, 6240, 208, 16));
    let slow = DramConfig::at(100);
    assert_eq!((slow.cl, slow.burst, slow.refi, slow.rfc), (2, 1, 780, 26));
}

/// A channel without refresh, whose latencies tell themselves apart in a sum.
fn channel() -> InOrder {
    let settings = "ctl=0,cl=10,cwl=7,rcd=100,rp=1000,ras=1,rtp=1,wr=1,wtr=1,burst=4,refi=0,banks=4,row=1024";
    InOrder::new(DramConfig::parse(settings).unwrap())
}

#[test]
fn hit_miss_and_conflict_take_what_their_commands_take() {
    let mut dram = channel();
    assert_eq!(dram.serve(0, 0, false), 100 + 10 + 4, "the first access opens the row");
    assert_eq!(dram.serve(1000, 64, false), 1000 + 10 + 4, "the next line of the row is a hit");
    assert_eq!(dram.serve(2000, 1024, false), 2000 + 100 + 10 + 4, "the next row is in another bank");
    assert_eq!(dram.serve(3000, 4096, false), 3000 + 1000 + 100 + 10 + 4, "another row of the first bank");
    assert_eq!(dram.serve(9000, 4096 + 960, true), 9000 + 7 + 4, "a write hit");
    assert_eq!(
        dram.rows(),
        Some(RowStats { row_hits: 2, row_misses: 2, row_conflicts: 1, ..RowStats::default() })
    );
}

#[test]
fn the_data_bus_carries_one_line_at_a_time_and_banks_overlap() {
    let mut dram = channel();
    let first = dram.serve(0, 0, false);
    assert_eq!(dram.serve(1, 64, false), first + 4, "hits follow one another at the bus's rate");
    assert_eq!(dram.serve(2, 1024, false), first + 8, "another bank's row opens meanwhile");
    let conflict = dram.serve(3, 4096, false);
    assert!(conflict > first + 1000);
    assert_eq!(dram.serve(4, 1088, false), conflict + 4, "requests are served in order");
}

#[test]
fn a_row_closes_only_after_its_time_and_after_write_recovery() {
    let settings = "ctl=0,cl=10,cwl=7,rcd=5,rp=3,ras=400,rtp=1,wr=50,wtr=20,burst=4,refi=0,banks=1,row=64";
    let mut dram = InOrder::new(DramConfig::parse(settings).unwrap());
    dram.serve(0, 0, false);
    assert_eq!(dram.serve(20, 64, false), 400 + 3 + 5 + 10 + 4, "tRAS");
    let written = dram.serve(2000, 64, true);
    assert_eq!(written, 2000 + 7 + 4);
    assert_eq!(dram.serve(2000, 64, false), written + 20 + 10 + 4, "tWTR");
    let written = dram.serve(3000, 64, true);
    assert_eq!(dram.serve(3001, 0, true), written + 50 + 3 + 5 + 7 + 4, "tWR");
}

#[test]
fn refresh_closes_rows_and_takes_the_banks_away() {
    let mut dram = InOrder::new(DramConfig { refi: 1000, rfc: 300, ..DramConfig::parse("ctl=0").unwrap() });
    let d = dram.channel.cfg;
    let access = |time: u64| time + u64::from(d.rcd + d.cl + d.burst);
    assert_eq!(dram.serve(0, 0, false), access(0));
    assert_eq!(dram.serve(999, 0, false), 999 + u64::from(d.cl + d.burst));
    let begin = 999 + u64::from(d.rtp.max(d.burst)) + u64::from(d.rp);
    assert_eq!(dram.serve(1000, 0, false), access(begin + 300));
    // After a long pause only the last refresh can be in the way.
    assert_eq!(dram.serve(1_000_900, 0, false), access(1_000_900));
    assert_eq!(dram.rows().unwrap().row_misses, 3);
}

#[test]
fn a_full_controller_accepts_nothing_until_a_request_is_done() {
    let mut dram = InOrder::new(DramConfig::parse("queue=2,refi=0").unwrap());
    assert!(dram.accepts(0));
    let first = dram.serve(0, 0, true);
    assert!(dram.accepts(1));
    dram.serve(1, 64, true);
    assert!(!dram.accepts(2) && !dram.accepts(first - 1) && dram.accepts(first));
}

/// Rows of one bank close each other; with a hash those that lie all banks apart are in different banks.
#[test]
fn a_hash_spreads_what_lies_all_banks_apart() {
    for (settings, conflicts, rows_open) in [("refi=0", 7, 1), ("refi=0,hash=1", 0, 8)] {
        let mut dram = InOrder::new(DramConfig::parse(settings).unwrap());
        for row in 0..8 {
            dram.serve(u64::from(row) * 1000, row * 8 * 8192, false);
        }
        let stats = dram.rows().unwrap();
        assert_eq!((stats.row_conflicts, stats.row_misses), (conflicts, rows_open), "{settings}");
        // Lines of one row are in one bank still, and other rows' in others.
        dram.serve(10_000, 7 * 8 * 8192 + 64, false);
        assert_eq!(dram.rows().unwrap().row_hits, 1, "{settings}");
    }
    let places: std::collections::BTreeSet<_> = (0..64)
        .map(|row| Channel::new(DramConfig::parse("hash=1").unwrap()).place(row * 8192))
        .map(|place| (place.bank, place.row))
        .collect();
    assert_eq!(places.len(), 64);
}

#[test]
fn the_longest_latency_is_a_bound() {
    let cfg = DramConfig::parse("queue=4,banks=1,row=64,refi=2000").unwrap();
    let mut dram = InOrder::new(cfg);
    let (mut cycle, mut worst) = (0, 0);
    for request in 0..5000u32 {
        while !dram.accepts(cycle) {
            cycle += 1;
        }
        let due = dram.serve(cycle, request.wrapping_mul(0x9E37_79B9) & !63, request % 3 == 0);
        worst = worst.max(due - cycle);
        cycle += 1;
    }
    assert!(worst <= u64::from(cfg.longest()), "{worst} > {}", cfg.longest());
    assert!(worst * 3 > u64::from(cfg.longest()), "a bound that says something: {worst}");
}

#[test]
fn settings_are_printed_as_they_are_read() {
    for text in ["mhz=100", "banks=16,row=2048", "l2=65536,l2hit=100", "mhz=200,queue=1,refi=0"] {
        assert_eq!(DramConfig::parse(text).unwrap().to_string(), format!("dram:{text}"));
    }
    assert_eq!(DramConfig::parse("mhz=800,banks=8").unwrap().to_string(), "dram");
    assert_eq!(DramConfig::parse("row=2K,l2=64K").unwrap(), DramConfig::parse("row=2048,l2=65536").unwrap());
    for (text, message) in [
        ("", "`` is not NAME=NUMBER"),
        ("banks", "`banks` is not NAME=NUMBER"),
        ("banks=many", "is not NAME=NUMBER"),
        ("banks=0", "is not within 1 to 64"),
        ("banks=3", "not a power of two"),
        ("row=100", "not a power of two"),
        ("mhz=0", "is not within"),
        ("queue=99999999999", "is not NAME=NUMBER"),
        ("l2=4194304K", "is not NAME=NUMBER"),
        ("l2=K", "is not NAME=NUMBER"),
        ("speed=3", "no parameter `speed`; there are mhz, banks, row"),
        ("refi=200", "leaves no time"),
        ("l2=1000", "l2 = 1000 is not 512 times a power of two"),
        ("l2=1536,l2ways=8", "is not 512 times a power of two"),
        ("l2=512,l2ways=16", "l2 = 512 is not 1024 times a power of two"),
        ("l2=65536,l2ways=0", "is not within 1 to 64"),
    ] {
        let error = DramConfig::parse(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

/// The same channel, which serves requests to open rows first.
fn reordering(settings: &str) -> FirstReady {
    let text = format!("frfcfs=1,ctl=0,cl=10,cwl=7,rcd=20,rp=30,ras=1,rtp=1,wr=1,wtr=1,burst=4,refi=0,banks=2,row=1024{settings}");
    FirstReady::new(DramConfig::parse(&text).unwrap())
}

/// Lets cycles pass in which these lines are asked for, one a cycle from the first on: who is answered, in their order, when.
fn answers(dram: &mut FirstReady, lines: &[u32]) -> Vec<(u64, u64)> {
    let mut answers = vec![];
    for cycle in 0..2000 {
        if let Some(&line) = lines.get(cycle as usize) {
            assert!(dram.accepts(cycle));
            assert_eq!(dram.due(cycle, line, false), None, "nobody knows yet who else comes");
        }
        answers.extend(dram.clock(cycle));
    }
    answers
}

#[test]
fn the_oldest_request_to_an_open_row_goes_first() {
    let mut dram = reordering("");
    // The first opens a row, the second wants another one of the same bank, the next two the first again.
    let answered = answers(&mut dram, &[0, 4096, 64, 128]);
    let first = 20 + 10 + 4;
    let reopened = 20 + 2 * 4 + 4 + 30 + 20 + 10 + 4;
    assert_eq!(answered, [(0, first), (2, first + 4), (3, first + 8), (1, reopened)]);
    assert_eq!(
        dram.rows(),
        Some(RowStats { row_hits: 2, row_misses: 1, row_conflicts: 1, ..RowStats::default() })
    );
}

#[test]
fn other_banks_open_rows_meanwhile() {
    let mut dram = reordering("");
    let first = 20 + 10 + 4;
    assert_eq!(answers(&mut dram, &[0, 1024]), [(0, first), (1, first + 4)]);
}

#[test]
fn nobody_is_passed_for_ever() {
    let queue = 4;
    let mut dram = reordering(&format!(",queue={queue}"));
    let (mut requests, mut served) = (0, None);
    for cycle in 0..10_000 {
        if dram.accepts(cycle) {
            // The second wants another row than all others.
            dram.due(cycle, if requests == 1 { 4096 } else { requests % 16 * 64 }, false);
            requests += 1;
        }
        if let Some((1, end)) = dram.clock(cycle) {
            served = Some(end);
        }
    }
    let most = u64::from(most_passing(queue));
    let end = served.expect("it is served");
    assert!((4 * most..4 * most + 200).contains(&end), "{end}");
}

/// Asks for 5000 addresses as soon as each is accepted, every third to be written: all are answered once, and no later than the
/// bound says.
pub(super) fn answers_in_time(
    memory: &mut dyn MemoryModel,
    cfg: &DramConfig,
    mut address: impl FnMut(u32) -> u32,
) {
    let (mut begun, mut answered) = (vec![], vec![]);
    for cycle in 0..400_000u64 {
        let number = begun.len() as u32;
        if memory.accepts(cycle) && number < 5000 {
            answered.push(memory.due(cycle, address(number), number.is_multiple_of(3)));
            begun.push(cycle);
        }
        if let Some((number, end)) = memory.clock(cycle) {
            assert!(end > cycle);
            assert_eq!(answered[number as usize].replace(end), None, "{cfg}: twice");
        }
    }
    let times = answered.iter().zip(&begun).map(|(end, begun)| end.expect("answered") - begun);
    let worst = times.max().unwrap();
    assert!(worst <= u64::from(cfg.longest()), "{cfg}: {worst} > {}", cfg.longest());
}

#[test]
fn every_request_is_answered_once_and_in_time() {
    let cfg = DramConfig::parse("frfcfs=1,queue=4,banks=2,row=128,refi=2000").unwrap();
    answers_in_time(&mut FirstReady::new(cfg), &cfg, |number| number.wrapping_mul(0x9E37_79B9) & 0x3ff);
}

/// Of two alike one is clocked in every cycle, the other not while it rests and nobody asks.
#[test]
fn a_memory_that_rests_may_be_left_alone() {
    for order in ["", "frfcfs=1,", "l2=2048,", "frfcfs=1,l2=2048,"] {
        let text = format!("{order}queue=4,banks=2,row=128,refi=700,rfc=50");
        let mut memories = [0, 1].map(|_| model(DramConfig::parse(&text).unwrap()));
        let (mut told, mut left_alone) = ([vec![], vec![]], 0);
        let mut rng = Rng::new(1);
        for cycle in 0..50_000 {
            let asks = rng.percent(2).then(|| (rng.below(64) * 64, rng.percent(30)));
            for (number, memory) in memories.iter_mut().enumerate() {
                if number == 1 && asks.is_none() && memory.rests() {
                    left_alone += 1;
                    continue;
                }
                if let Some((line, write)) = asks.filter(|_| memory.accepts(cycle)) {
                    told[number].push((u64::MAX, memory.due(cycle, line, write).unwrap_or(0)));
                }
                told[number].extend(memory.clock(cycle));
                memory.accepts(cycle + 1);
            }
        }
        assert_eq!(told[0], told[1], "{text}");
        assert!(left_alone > 10_000 && told[0].len() > 900, "{text}: {left_alone}, {}", told[0].len());
    }
}
