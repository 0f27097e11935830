//! The memory bus arbiter: stable requests, fairness, responses by tag, of the core's two masters and of more.

use crate::rtl_bench::{library, Dut, Random};
use rtl::mem::MemoryArbiter;

/// How many masters there are, how many of them write, and the bits of a tag behind the arbiter: at the core's bus, and between the
/// paths of a load-store unit.
const KINDS: [(usize, usize, u32); 4] = [(2, 1, 8), (4, 2, 8), (2, 2, 5), (4, 4, 5)];

/// Of the 5 bits of a master's tag, those that it uses.
fn own(masters: usize, tag_bits: u32, tag: u32) -> u32 {
    tag & 31 & ((1 << number_shift(masters, tag_bits)) - 1)
}

fn number_shift(masters: usize, tag_bits: u32) -> u32 {
    tag_bits - masters.trailing_zeros()
}

/// Drives master `m`'s request for line `line`, from which all its fields follow, or none.
fn ask(dut: &mut Dut, m: usize, kind: (usize, usize, u32), line: Option<u32>) {
    let (masters, writers, tag_bits) = kind;
    dut.set_at("requests_valid", m, 1, line.is_some().into());
    let line = line.unwrap_or(0);
    dut.set_at("requests_rw", m, 1, if m < writers { line >> 1 & 1 } else { 0 });
    dut.set_at("requests_addr", m, 26, line);
    dut.set_at("requests_tag", m, 5, own(masters, tag_bits, line));
    dut.set_at("requests_byteen", 2 * m, 32, 0);
    dut.set_at("requests_byteen", 2 * m + 1, 32, line);
    for w in 0..16 {
        dut.set_at("requests_data", 16 * m + w, 32, line + w as u32);
    }
}

#[test]
fn requests_are_stable_and_nobody_starves() {
    for kind @ (masters, writers, tag_bits) in KINDS {
        let model = library(MemoryArbiter::new(masters, writers, tag_bits as usize), "MemoryArbiter");
        for seed in 0..4 {
            let mut random = Random::new(seed);
            let mut dut = Dut::new(&model);
            // The request each master holds: line address, and for how many grants of others it has waited.
            let mut asking: Vec<Option<(u32, u32)>> = vec![None; masters];
            let mut held: Option<(u64, u64)> = None;
            let mut served = vec![0; masters];
            for cycle in 0..2000 {
                for (m, request) in asking.iter_mut().enumerate() {
                    if request.is_none() && random.chance(60) {
                        *request = Some(((cycle * masters + m) as u32, 0));
                    }
                    ask(&mut dut, m, kind, request.map(|(line, _)| line));
                }
                let ready = random.chance(40);
                dut.set("mem_req_ready", ready.into());
                dut.settle();
                let waiting = asking.iter().any(Option::is_some);
                assert_eq!(dut.get("mem_req_valid") != 0, waiting);
                let present = (dut.get("mem_req_addr"), dut.get("mem_req_tag"));
                if let Some(held) = held.take() {
                    assert_eq!(present, held, "a request changed before it was accepted");
                }
                if waiting {
                    let m = (present.1 >> number_shift(masters, tag_bits)) as usize;
                    let (line, _) = asking[m].expect("the master whose request is presented has one");
                    assert_eq!(
                        present,
                        (
                            line.into(),
                            (m << number_shift(masters, tag_bits)) as u64
                                | u64::from(own(masters, tag_bits, line))
                        )
                    );
                    assert_eq!(dut.get("mem_req_rw") as u32, if m < writers { line >> 1 & 1 } else { 0 });
                    if m < writers {
                        assert_eq!(dut.get("mem_req_byteen"), u64::from(line) << 32);
                        assert_eq!(dut.get_at("mem_req_data", 15, 32), line + 15);
                    }
                    if ready {
                        for (other, request) in asking.iter_mut().enumerate() {
                            let granted = dut.get_at("requests_ready", other, 1) != 0;
                            if let Some((_, waited)) = request {
                                assert_eq!(granted, other == m, "cycle {cycle}, master {other}");
                                *waited += 1;
                                assert!(*waited <= 1 << (masters - 1), "master {other} starves");
                            }
                        }
                        asking[m] = None;
                        served[m] += 1;
                    } else {
                        held = Some(present);
                    }
                }
                dut.edge();
            }
            assert!(served.iter().all(|&n| n > 50), "{served:?}, seed {seed}");
        }
    }
}

#[test]
fn responses_go_where_their_tag_says() {
    for (masters, writers, tag_bits) in KINDS {
        let mut dut =
            Dut::new(&library(MemoryArbiter::new(masters, writers, tag_bits as usize), "MemoryArbiter"));
        for w in 0..16 {
            dut.set_at("mem_rsp_data", w, 32, 100 + w as u32);
        }
        dut.set("mem_rsp_valid", 1);
        let cases = |m| [(5, m, 0), (5, m, 1), (0x13, m, 0), (0x13, m, 1)];
        for (tag, m, ready) in (0..masters).flat_map(cases) {
            let own = u64::from(own(masters, tag_bits, tag));
            dut.set("mem_rsp_tag", (m << number_shift(masters, tag_bits)) as u64 | own);
            dut.set("responses_ready", ready << m);
            dut.settle();
            assert_eq!(dut.get("responses_valid"), 1 << m);
            assert_eq!(dut.get("mem_rsp_ready"), if m < writers { ready } else { 1 });
            assert_eq!(u64::from(dut.get_at("responses_tag", m, 5)), own);
            assert_eq!(dut.get_at("responses_data", 16 * m + 3, 32), 103);
            dut.edge();
        }
    }
}
