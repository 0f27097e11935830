//! The memory bus arbiter: stable requests, fairness, responses by tag.

use crate::rtl_bench::{library, Dut, Random};
use heddle::rtl::mem::MemoryArbiter;

#[test]
fn requests_are_stable_and_neither_side_starves() {
    let model = library(MemoryArbiter::new(), "MemoryArbiter");
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let mut dut = Dut::new(&model);
        // The request each side holds: line address, and for how many grants of the other it has waited.
        let mut sides: [Option<(u64, u32)>; 2] = [None, None];
        let mut held: Option<(u64, u64)> = None;
        let (mut served, mut sent) = ([0; 2], [0; 2]);
        for cycle in 0..2000u64 {
            for (side, request) in sides.iter_mut().enumerate() {
                if request.is_none() && random.chance(60) {
                    *request = Some((cycle * 2 + side as u64, 0));
                    sent[side] += 1;
                }
            }
            dut.set("icache_req_valid", sides[0].is_some().into());
            dut.set("icache_req_addr", sides[0].map_or(0, |r| r.0));
            dut.set("icache_req_tag", sides[0].map_or(0, |r| r.0 & 7));
            dut.set("lsu_req_valid", sides[1].is_some().into());
            dut.set("lsu_req_rw", sides[1].map_or(0, |r| r.0 >> 1 & 1));
            dut.set("lsu_req_addr", sides[1].map_or(0, |r| r.0));
            dut.set("lsu_req_tag", sides[1].map_or(0, |r| r.0 & 31));
            dut.set("lsu_req_byteen", sides[1].map_or(0, |r| r.0 << 32));
            for w in 0..16 {
                dut.set_at("lsu_req_data", w, 32, sides[1].map_or(0, |r| r.0 as u32 + w as u32));
            }
            let ready = random.chance(40);
            dut.set("mem_req_ready", ready.into());
            dut.settle();
            assert_eq!(dut.get("mem_req_valid") != 0, sides.iter().any(Option::is_some));
            let granted = [dut.get("icache_req_ready") != 0, dut.get("lsu_req_ready") != 0];
            let present = (dut.get("mem_req_addr"), dut.get("mem_req_tag"));
            if let Some(held) = held.take() {
                assert_eq!(present, held, "a request changed before it was accepted");
            }
            if dut.get("mem_req_valid") != 0 {
                let side = (present.1 >> 7 == 0) as usize;
                let (line, _) = sides[side].expect("the side that is presented has a request");
                assert_eq!(present.0, line);
                assert_eq!(present.1 & 0x7F, line & [7, 31][side]);
                assert_eq!(dut.get("mem_req_rw"), if side == 1 { line >> 1 & 1 } else { 0 });
                if side == 1 {
                    assert_eq!(dut.get("mem_req_byteen"), line << 32);
                    assert_eq!(dut.get_at("mem_req_data", 15, 32), line as u32 + 15);
                }
                if ready {
                    assert!(granted[side] && (!granted[1 - side] || sides[1 - side].is_none()));
                    sides[side] = None;
                    served[side] += 1;
                    if let Some((_, waited)) = &mut sides[1 - side] {
                        *waited += 1;
                        assert!(*waited <= 2, "side {} starves", 1 - side);
                    }
                } else {
                    held = Some(present);
                }
            }
            dut.edge();
        }
        assert!(served[0] > 300 && served[1] > 300, "{served:?} of {sent:?}, seed {seed}");
    }
}

#[test]
fn responses_go_where_their_tag_says() {
    let mut dut = Dut::new(&library(MemoryArbiter::new(), "MemoryArbiter"));
    for w in 0..16 {
        dut.set_at("mem_rsp_data", w, 32, 100 + w as u32);
    }
    for (tag, lsu_ready) in [(0x85, 0), (0x85, 1), (0x13, 0), (0x13, 1)] {
        dut.set("mem_rsp_valid", 1);
        dut.set("mem_rsp_tag", tag);
        dut.set("lsu_rsp_ready", lsu_ready);
        dut.settle();
        let icache = tag >> 7;
        assert_eq!((dut.get("icache_rsp_valid"), dut.get("lsu_rsp_valid")), (icache, 1 - icache));
        assert_eq!(dut.get("mem_rsp_ready"), icache | lsu_ready);
        let (name, data) =
            if icache == 1 { ("icache_rsp_tag", "icache_rsp_data") } else { ("lsu_rsp_tag", "lsu_rsp_data") };
        assert_eq!((dut.get(name), dut.get_at(data, 3, 32)), (tag & 0x7F, 103));
        dut.edge();
    }
}
