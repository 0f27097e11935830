//! The AXI4 master between random line requests and a disorderly memory, whose checker watches the protocol; with
//! bugs put into its Verilog, the check that is responsible says so.

use std::collections::HashMap;
use std::sync::Arc;

use crate::rtl_bench::{assert_parts_of, library, Dut, Random};
use crate::simulators;
use cosim::memory::axi::{Address, AxiMemory, Master, ReadBeat, WriteBeat, WriteResponse, BEAT_WORDS};
use cosim::memory::{Disturbance, MemoryKind};
use cosim::verilator::{compile, BuildOptions, ModelLib};
use hdl::verilog::emit;
use model::memory::{Memory, HEAP_BASE};
use rtl::mem::AxiMaster;
use spec::config::{BusKind, CoreConfig};

type Line = [u32; BEAT_WORDS];

fn master(bits: usize) -> AxiMaster {
    AxiMaster::new(&CoreConfig { bus: BusKind::Axi4, axi_data_bits: bits, ..CoreConfig::default() })
}

/// What the device drives on AXI4.
fn drives(dut: &Dut, bits: usize) -> Master {
    let get = |channel: &str, name: &str| dut.get(&format!("axi_{channel}{name}"));
    let word = |i: usize| if i < bits / 32 { dut.get_at("axi_wdata", i, 32) } else { 0 };
    let address = |channel: &str| Address {
        id: get(channel, "id") as u8,
        address: get(channel, "addr") as u32,
        len: get(channel, "len") as u8,
        size: get(channel, "size") as u8,
        burst: get(channel, "burst") as u8,
        prot: get(channel, "prot") as u8,
        cache: get(channel, "cache") as u8,
    };
    Master {
        aw: (get("aw", "valid") != 0).then(|| address("aw")),
        w: (get("w", "valid") != 0).then(|| WriteBeat {
            data: std::array::from_fn(word),
            strobes: get("w", "strb"),
            last: get("w", "last") != 0,
        }),
        bready: get("b", "ready") != 0,
        ar: (get("ar", "valid") != 0).then(|| address("ar")),
        rready: get("r", "ready") != 0,
    }
}

fn drive_read(dut: &mut Dut, beat: Option<&ReadBeat>, bits: usize) {
    dut.set("axi_rvalid", beat.is_some().into());
    let Some(r) = beat else { return };
    dut.set("axi_rid", r.id.into());
    dut.set("axi_rresp", r.resp.into());
    dut.set("axi_rlast", r.last.into());
    for (i, &word) in r.data.iter().enumerate().take(bits / 32) {
        dut.set_at("axi_rdata", i, 32, word);
    }
}

fn drive_write(dut: &mut Dut, response: Option<&WriteResponse>) {
    dut.set("axi_bvalid", response.is_some().into());
    dut.set("axi_bresp", response.map_or(0, |b| b.resp.into()));
}

struct Request {
    write: bool,
    line: u32,
    byteen: u64,
    data: Line,
    tag: u8,
}

/// Few lines, so that reads and writes of one line meet.
fn request(random: &mut Random, tag: Option<u8>) -> Option<Request> {
    let write = random.chance(40);
    let line = HEAP_BASE / 64 + random.below(6) as u32;
    let spread = random.next() & random.next();
    let byteen = match random.below(4) {
        0 => u64::MAX,
        1 => 0xf << (4 * random.below(16)),
        2 => 1 << random.below(64),
        _ => spread << 11 ^ spread,
    };
    let data = std::array::from_fn(|_| random.next() as u32);
    Some(Request { write, line, byteen, data, tag: tag? })
}

fn write_line(line: &mut Line, request: &Request) {
    for byte in (0..64).filter(|byte| request.byteen >> byte & 1 != 0) {
        let mask = 0xff << (byte % 4 * 8);
        line[byte / 4] = line[byte / 4] & !mask | request.data[byte / 4] & mask;
    }
}

/// Random requests for some thousand cycles; what is read must be what was there when the read was accepted.
fn run(model: &Arc<ModelLib>, bits: usize, seed: u64, disturbance: Disturbance) -> Result<[u32; 2], String> {
    let mut random = Random::new(seed);
    let mut dut = Dut::new(model);
    let mut contents = Memory::new();
    contents.map(HEAP_BASE, 0x1000);
    let mut memory = AxiMemory::new(contents, MemoryKind::Fixed(5), disturbance, seed, bits as u32 / 8);
    let unwritten = [model::memory::UNWRITTEN; BEAT_WORDS];
    let mut lines: HashMap<u32, Line> = HashMap::new();
    let mut expected: HashMap<u8, Line> = HashMap::new();
    let mut held: Option<Request> = None;
    let mut done = [0; 2];
    for cycle in 0..6000 {
        if held.is_none() && cycle < 5000 && random.chance(70) {
            let tag =
                (0..40).map(|tag| if tag < 8 { 0x80 | tag } else { tag }).find(|t| !expected.contains_key(t));
            held = request(&mut random, tag);
        }
        dut.set("mem_req_valid", held.is_some().into());
        if let Some(r) = &held {
            dut.set("mem_req_rw", r.write.into());
            dut.set("mem_req_addr", r.line.into());
            dut.set("mem_req_byteen", r.byteen);
            dut.set("mem_req_tag", r.tag.into());
            r.data.iter().enumerate().for_each(|(i, &word)| dut.set_at("mem_req_data", i, 32, word));
        }
        let taken = random.chance(60);
        dut.set("mem_rsp_ready", taken.into());
        let slave = *memory.drive();
        dut.set("axi_awready", slave.awready.into());
        dut.set("axi_wready", slave.wready.into());
        dut.set("axi_arready", slave.arready.into());
        drive_read(&mut dut, slave.r.as_ref(), bits);
        drive_write(&mut dut, slave.b.as_ref());
        dut.settle();
        if dut.get("mem_req_ready") != 0 {
            if let Some(r) = held.take() {
                let line = lines.entry(r.line).or_insert(unwritten);
                if r.write {
                    write_line(line, &r);
                } else {
                    expected.insert(r.tag, *line);
                }
                done[usize::from(r.write)] += 1;
            }
        }
        if dut.get("mem_rsp_valid") != 0 && taken {
            let tag = dut.get("mem_rsp_tag") as u8;
            let got: Line = std::array::from_fn(|i| dut.get_at("mem_rsp_data", i, 32));
            match expected.remove(&tag) {
                Some(line) if line == got => {}
                wanted => return Err(format!("cycle {cycle}, tag {tag:#x}: {got:x?}, not {wanted:x?}")),
            }
        }
        memory.clock(&drives(&dut, bits)).map_err(|e| e.to_string())?;
        if dut.get("bus_writes_pending") == 0 {
            memory.finish().map_err(|e| format!("writes_pending is low: {e}"))?;
        }
        dut.edge();
    }
    memory.finish().map_err(|e| e.to_string())?;
    if !expected.is_empty() || held.is_some() {
        return Err(format!("unanswered: {:?}", expected.keys()));
    }
    for (&line, words) in &lines {
        for (i, &word) in words.iter().enumerate() {
            let got = memory.memory().read(64 * line + 4 * i as u32, 4).unwrap();
            if got != word {
                return Err(format!("line {line:#x}, word {i}: {got:#x}, not {word:#x}"));
            }
        }
    }
    Ok(done)
}

const DISORDER: Disturbance = Disturbance { backpressure_percent: 30, jitter: 40 };

#[test]
fn lines_are_read_and_written_in_order_over_narrow_and_wide_channels() {
    for bits in [32, 64, 512] {
        let model = library(master(bits), "AxiMaster");
        for (seed, disturbance) in [(1, Disturbance::default()), (2, DISORDER), (3, DISORDER)] {
            let done = run(&model, bits, seed, disturbance)
                .unwrap_or_else(|e| panic!("{bits} bits, seed {seed}: {e}"));
            assert!(done.iter().all(|&n| n > 50), "{bits} bits, seed {seed}: {done:?}");
        }
    }
}

#[test]
fn bugs_in_the_master_are_found_and_named() {
    let design =
        emit(&mut master(64), "AxiMaster", &[]).unwrap_or_else(|_| panic!("AxiMaster is not printed"));
    let verilog = design.concat();
    for (from, to, expected) in [
        ("awvalid <= (awvalid & !awready)", "awvalid <= (awvalid & !awready & !bvalid)", "awvalid"),
        ("assign wlast = last;", "assign wlast = 1'b1;", "wlast"),
        ("assign pending = |unanswered;", "assign pending = 1'b0;", "writes_pending is low"),
        ("arid <= free_id;", "arid <= 4'd0;", ""),
        ("& !writer_line_in_flight", "", ""),
        ("& !reader_line_in_flight", "", ""),
    ] {
        assert!(verilog.contains(from), "{from}");
        // Not linted: a fault may leave something unused.
        let options = BuildOptions { lint: false, ..simulators::options() };
        let model = compile(&verilog.replace(from, to), "AxiMaster", &options).unwrap();
        let found = (1..6).find_map(|seed| run(&model, 64, seed, DISORDER).err());
        let found = found.unwrap_or_else(|| panic!("{to}: not found"));
        assert!(found.contains(expected), "{to}: {found}");
    }
}

/// One request, answered by hand.
fn ask(dut: &mut Dut, write: bool, tag: u64) {
    for (name, value) in [("axi_awready", 1), ("axi_wready", 1), ("axi_arready", 1), ("mem_rsp_ready", 0)] {
        dut.set(name, value);
    }
    for (name, value) in
        [("mem_req_valid", 1), ("mem_req_rw", write.into()), ("mem_req_addr", 77), ("mem_req_tag", tag)]
    {
        dut.set(name, value);
    }
    dut.set("mem_req_byteen", 0xf0);
    dut.settle();
    assert_eq!(dut.get("mem_req_ready"), 1);
    dut.edge();
    dut.set("mem_req_valid", 0);
    dut.settle();
}

#[test]
fn failed_data_accesses_are_reported_and_failed_instructions_are_zero() {
    let model = library(master(512), "AxiMaster");
    for (tag, is_data) in [(5, true), (0x85, false)] {
        let mut dut = Dut::new(&model);
        ask(&mut dut, false, tag);
        assert_eq!((dut.get("axi_arvalid"), dut.get("axi_arprot")), (1, if is_data { 0 } else { 4 }));
        let id = dut.get("axi_arid") as u8;
        drive_read(&mut dut, Some(&ReadBeat { id, data: [7; BEAT_WORDS], resp: 3, last: true }), 512);
        dut.settle();
        assert_eq!((dut.get("bus_error_valid") != 0, dut.get("bus_error_line")), (is_data, 77));
        dut.edge();
        drive_read(&mut dut, None, 512);
        dut.settle();
        dut.edge();
        assert_eq!((dut.get("mem_rsp_valid"), dut.get("mem_rsp_tag")), (1, tag));
        assert_eq!(dut.get_at("mem_rsp_data", 3, 32), 0);
    }
    let mut dut = Dut::new(&model);
    ask(&mut dut, true, 0);
    assert_eq!((dut.get("axi_awvalid"), dut.get("axi_wvalid"), dut.get("axi_wstrb")), (1, 1, 0xf0));
    dut.edge();
    drive_write(&mut dut, Some(&WriteResponse { id: 0, resp: 2 }));
    dut.settle();
    assert_eq!(
        (dut.get("bus_error_valid"), dut.get("bus_error_line"), dut.get("bus_writes_pending")),
        (1, 77, 1)
    );
    dut.edge();
    drive_write(&mut dut, None);
    dut.settle();
    assert_eq!((dut.get("bus_error_valid"), dut.get("bus_writes_pending")), (0, 0));
}

/// A store of one word takes one beat, at the word's address.
#[test]
fn bursts_are_no_longer_than_the_bytes_to_write() {
    let model = library(master(64), "AxiMaster");
    for (byteen, address, len) in
        [(0xf << 20, 77 * 64 + 16, 0), (u64::MAX, 77 * 64, 7), (1 << 63 | 1 << 50, 77 * 64 + 48, 1)]
    {
        let mut dut = Dut::new(&model);
        dut.set("mem_req_valid", 1);
        dut.set("mem_req_rw", 1);
        dut.set("mem_req_addr", 77);
        dut.set("mem_req_byteen", byteen);
        dut.settle();
        dut.edge();
        assert_eq!((dut.get("axi_awaddr"), dut.get("axi_awlen")), (address, len), "{byteen:#x}");
    }
}

#[test]
fn the_master_is_made_of_a_reader_and_a_writer() {
    assert_parts_of(master(64), &["AxiReader", "AxiWriter"]);
}
