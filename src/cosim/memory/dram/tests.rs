use super::*;

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
fn channel() -> Dram {
    let settings = "ctl=0,cl=10,cwl=7,rcd=100,rp=1000,ras=1,rtp=1,wr=1,wtr=1,burst=4,refi=0,banks=4,row=1024";
    Dram::new(DramConfig::parse(settings).unwrap())
}

#[test]
fn hit_miss_and_conflict_take_what_their_commands_take() {
    let mut dram = channel();
    assert_eq!(dram.due(0, 0, false), 100 + 10 + 4, "the first access opens the row");
    assert_eq!(dram.due(1000, 64, false), 1000 + 10 + 4, "the next line of the row is a hit");
    assert_eq!(dram.due(2000, 1024, false), 2000 + 100 + 10 + 4, "the next row is in another bank");
    assert_eq!(dram.due(3000, 4096, false), 3000 + 1000 + 100 + 10 + 4, "another row of the first bank");
    assert_eq!(dram.due(9000, 4096 + 960, true), 9000 + 7 + 4, "a write hit");
    assert_eq!(dram.rows(), Some(RowStats { row_hits: 2, row_misses: 2, row_conflicts: 1 }));
}

#[test]
fn the_data_bus_carries_one_line_at_a_time_and_banks_overlap() {
    let mut dram = channel();
    let first = dram.due(0, 0, false);
    assert_eq!(dram.due(1, 64, false), first + 4, "hits follow one another at the bus's rate");
    assert_eq!(dram.due(2, 1024, false), first + 8, "another bank's row opens meanwhile");
    let conflict = dram.due(3, 4096, false);
    assert!(conflict > first + 1000);
    assert_eq!(dram.due(4, 1088, false), conflict + 4, "requests are served in order");
}

#[test]
fn a_row_closes_only_after_its_time_and_after_write_recovery() {
    let settings = "ctl=0,cl=10,cwl=7,rcd=5,rp=3,ras=400,rtp=1,wr=50,wtr=20,burst=4,refi=0,banks=1,row=64";
    let mut dram = Dram::new(DramConfig::parse(settings).unwrap());
    dram.due(0, 0, false);
    assert_eq!(dram.due(20, 64, false), 400 + 3 + 5 + 10 + 4, "tRAS");
    let written = dram.due(2000, 64, true);
    assert_eq!(written, 2000 + 7 + 4);
    assert_eq!(dram.due(2000, 64, false), written + 20 + 10 + 4, "tWTR");
    let written = dram.due(3000, 64, true);
    assert_eq!(dram.due(3001, 0, true), written + 50 + 3 + 5 + 7 + 4, "tWR");
}

#[test]
fn refresh_closes_rows_and_takes_the_banks_away() {
    let mut dram = Dram::new(DramConfig { refi: 1000, rfc: 300, ..DramConfig::parse("ctl=0").unwrap() });
    let d = dram.cfg;
    let access = |time: u64| time + u64::from(d.rcd + d.cl + d.burst);
    assert_eq!(dram.due(0, 0, false), access(0));
    assert_eq!(dram.due(999, 0, false), 999 + u64::from(d.cl + d.burst));
    let begin = 999 + u64::from(d.rtp.max(d.burst)) + u64::from(d.rp);
    assert_eq!(dram.due(1000, 0, false), access(begin + 300));
    // After a long pause only the last refresh can be in the way.
    assert_eq!(dram.due(1_000_900, 0, false), access(1_000_900));
    assert_eq!(dram.rows().unwrap().row_misses, 3);
}

#[test]
fn a_full_controller_accepts_nothing_until_a_request_is_done() {
    let mut dram = Dram::new(DramConfig::parse("queue=2,refi=0").unwrap());
    assert!(dram.accepts(0));
    let first = dram.due(0, 0, true);
    assert!(dram.accepts(1));
    dram.due(1, 64, true);
    assert!(!dram.accepts(2) && !dram.accepts(first - 1) && dram.accepts(first));
}

#[test]
fn the_longest_latency_is_a_bound() {
    let cfg = DramConfig::parse("queue=4,banks=1,row=64,refi=2000").unwrap();
    let mut dram = Dram::new(cfg);
    let (mut cycle, mut worst) = (0, 0);
    for request in 0..5000u32 {
        while !dram.accepts(cycle) {
            cycle += 1;
        }
        let due = dram.due(cycle, request.wrapping_mul(0x9E37_79B9) & !63, request % 3 == 0);
        worst = worst.max(due - cycle);
        cycle += 1;
    }
    assert!(worst <= u64::from(cfg.longest()), "{worst} > {}", cfg.longest());
    assert!(worst * 3 > u64::from(cfg.longest()), "a bound that says something: {worst}");
}

#[test]
fn settings_are_printed_as_they_are_read() {
    for text in ["mhz=100", "banks=16,row=2048", "mhz=200,queue=1,refi=0"] {
        assert_eq!(DramConfig::parse(text).unwrap().to_string(), format!("dram:{text}"));
    }
    assert_eq!(DramConfig::parse("mhz=800,banks=8").unwrap().to_string(), "dram");
    for (text, message) in [
        ("", "`` is not NAME=NUMBER"),
        ("banks", "`banks` is not NAME=NUMBER"),
        ("banks=many", "is not NAME=NUMBER"),
        ("banks=0", "is not within 1 to 64"),
        ("banks=3", "not a power of two"),
        ("row=100", "not a power of two"),
        ("mhz=0", "is not within"),
        ("queue=99999999999", "is not NAME=NUMBER"),
        ("speed=3", "no parameter `speed`; there are mhz, banks, row"),
        ("refi=200", "leaves no time"),
    ] {
        let error = DramConfig::parse(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}
