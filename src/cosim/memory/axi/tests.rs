use super::*;
use crate::memory::{BusError, Disturbance, MemoryKind};
use model::memory::{Memory, HEAP_BASE};

/// Bytes in a beat of these tests.
const WIDTH: u32 = 8;

type Cycle = (Master, Slave);

fn address(id: u8, address: u32, len: u8) -> Address {
    Address { id, address, len, size: 3, burst: INCR, prot: 0, cache: 2 }
}

fn write_beat(data: u32, last: bool) -> WriteBeat {
    WriteBeat { data: [data; BEAT_WORDS], strobes: 0xff, last }
}

fn read_beat(id: u8, data: u32, last: bool) -> ReadBeat {
    ReadBeat { id, data: [data; BEAT_WORDS], resp: 0, last }
}

/// A legal exchange: a write of two beats whose channels wait for one another, two interleaved reads.
fn exchange() -> Vec<Cycle> {
    let idle = (
        Master { bready: true, rready: true, ..Master::default() },
        Slave { awready: true, wready: true, arready: true, ..Slave::default() },
    );
    let mut cycles = vec![idle; 9];
    // The first beat comes before the address, which waits for two cycles; the burst ends at the 4 KB boundary. Its
    // address is not aligned: the lanes below it are left out.
    cycles[0].0.w = Some(WriteBeat { strobes: 0xf0, ..write_beat(1, false) });
    for cycle in &mut cycles[1..4] {
        cycle.0.aw = Some(address(0, 0xff4, 1));
        cycle.1.awready = false;
    }
    cycles[3].1.awready = true;
    for cycle in &mut cycles[0..2] {
        cycle.0.ar = Some(address(3, 0x1000, 1));
        cycle.1.arready = false;
    }
    cycles[1].1.arready = true;
    cycles[2].0.ar = Some(address(4, 0x2000, 0));
    cycles[3].0.w = Some(write_beat(2, true));
    cycles[3].1.wready = false;
    cycles[4].0.w = Some(write_beat(2, true));
    cycles[4].1.r = Some(read_beat(3, 10, false));
    cycles[5].1.r = Some(read_beat(4, 20, true));
    for cycle in &mut cycles[6..8] {
        cycle.1.r = Some(read_beat(3, 11, true));
        cycle.1.b = Some(WriteResponse { id: 0, resp: 0 });
        (cycle.0.rready, cycle.0.bready) = (false, false);
    }
    (cycles[7].0.rready, cycles[7].0.bready) = (true, true);
    cycles
}

fn check(cycles: &[Cycle]) -> Result<(), AxiViolation> {
    let mut checker = AxiChecker::new(WIDTH);
    for _ in 0..3 {
        checker.clock(true, &Master::default(), &Slave::default())?;
    }
    checker.clock(false, &Master::default(), &Slave::default())?;
    cycles.iter().try_for_each(|(master, slave)| checker.clock(false, master, slave))?;
    checker.finish()
}

#[test]
fn a_legal_exchange_passes() {
    assert_eq!(check(&exchange()), Ok(()));
}

/// Every planted violation, with the signal and the cycle (of the exchange) in which it must be seen.
#[test]
fn every_planted_violation_is_found_where_it_is() {
    type Plant = fn(&mut Vec<Cycle>);
    let plants: [(&str, u64, Plant); 30] = [
        ("awvalid", 2, |c| c[2].0.aw = None),
        ("awvalid", 2, |c| c[2].0.aw = Some(address(0, 0xff0, 1))),
        ("wvalid", 4, |c| c[4].0.w = None),
        ("wvalid", 4, |c| c[4].0.w = Some(write_beat(3, true))),
        ("wvalid", 4, |c| c[4].0.w = Some(WriteBeat { strobes: 1, ..write_beat(2, true) })),
        ("arvalid", 1, |c| c[1].0.ar = None),
        ("arvalid", 1, |c| c[1].0.ar = Some(address(5, 0x1000, 1))),
        ("rvalid", 7, |c| c[7].1.r = None),
        ("rvalid", 7, |c| c[7].1.r = Some(read_beat(3, 12, true))),
        ("bvalid", 7, |c| c[7].1.b = None),
        ("wlast", 3, |c| c[0].0.w = c[0].0.w.map(|w| WriteBeat { last: true, ..w })),
        ("wlast", 4, |c| {
            c[3].0.w = Some(write_beat(2, false));
            c[4].0.w = Some(write_beat(2, false));
        }),
        ("wstrb", 3, |c| c[0].0.w = Some(write_beat(1, false))),
        ("wvalid", 9, |c| {
            c[3].0.w = None;
            c[4].0.w = None;
            c[6].1.b = None;
            c[7].1.b = None;
        }),
        ("wvalid", 9, |c| c[8].0.w = Some(write_beat(9, true))),
        ("awaddr", 1, |c| c[1].0.aw = Some(address(0, 0xffc, 1))),
        ("araddr", 2, |c| c[2].0.ar = Some(address(4, 0x2ff8, 1))),
        ("arsize", 2, |c| c[2].0.ar = Some(Address { size: 4, ..address(4, 0x2000, 0) })),
        ("arburst", 2, |c| c[2].0.ar = Some(Address { burst: 3, ..address(4, 0x2000, 0) })),
        ("arlen", 2, |c| c[2].0.ar = Some(Address { burst: 2, ..address(4, 0x2000, 2) })),
        ("araddr", 2, |c| c[2].0.ar = Some(Address { burst: 2, ..address(4, 0x2004, 1) })),
        ("arlen", 2, |c| c[2].0.ar = Some(Address { burst: 0, ..address(4, 0x2000, 16) })),
        ("arcache", 2, |c| c[2].0.ar = Some(Address { cache: 8, ..address(4, 0x2000, 0) })),
        ("rvalid", 3, |c| c[3].1.r = Some(read_beat(9, 1, true))),
        ("rvalid", 8, |c| c[8].1.r = Some(read_beat(3, 12, true))),
        ("rlast", 4, |c| c[4].1.r = Some(read_beat(3, 10, true))),
        ("rlast", 5, |c| c[5].1.r = Some(read_beat(4, 20, false))),
        ("bvalid", 4, |c| c[4].1.b = Some(WriteResponse { id: 0, resp: 0 })),
        ("bvalid", 8, |c| c[8].1.b = Some(WriteResponse { id: 0, resp: 0 })),
        ("bvalid", 9, |c| {
            c[6].1.b = None;
            c[7].1.b = None;
        }),
    ];
    for (number, (signal, cycle, plant)) in plants.into_iter().enumerate() {
        let mut cycles = exchange();
        plant(&mut cycles);
        let found = check(&cycles).map_err(|v| (v.signal, v.cycle - 4));
        assert_eq!(found, Err((signal, cycle)), "violation {number}");
    }
}

#[test]
fn nobody_speaks_during_reset() {
    let loud = [
        ("awvalid", Master { aw: Some(address(0, 0, 0)), ..Master::default() }, Slave::default()),
        ("wvalid", Master { w: Some(write_beat(0, true)), ..Master::default() }, Slave::default()),
        ("arvalid", Master { ar: Some(address(0, 0, 0)), ..Master::default() }, Slave::default()),
        ("bvalid", Master::default(), Slave { b: Some(WriteResponse::default()), ..Slave::default() }),
        ("rvalid", Master::default(), Slave { r: Some(read_beat(0, 0, true)), ..Slave::default() }),
    ];
    for (signal, master, slave) in loud {
        let mut checker = AxiChecker::new(WIDTH);
        assert_eq!(checker.clock(true, &master, &slave), Ok(()), "before the first clock edge");
        assert_eq!(checker.clock(true, &master, &slave).unwrap_err().signal, signal);
        assert_eq!(checker.clock(false, &master, &slave).unwrap_err().signal, signal, "right after it");
    }
    let message = AxiViolation { cycle: 7, signal: "wlast", rule: "as said" }.to_string();
    assert_eq!(message, "AXI4, cycle 7, wlast: as said");
}

/// Reads and writes of a master that waits for each answer.
struct Sequential {
    memory: AxiMemory,
}

impl Sequential {
    fn new(disturbance: Disturbance) -> Self {
        let mut contents = Memory::new();
        contents.map(HEAP_BASE, 0x1000);
        Self { memory: AxiMemory::new(contents, MemoryKind::Fixed(4), disturbance, 1, WIDTH) }
    }

    fn write(&mut self, at: u32, data: u32, strobes: u64) -> Result<u8, BusError> {
        let ready = Master { bready: true, ..Master::default() };
        let mut master = Master {
            aw: Some(address(2, at, 0)),
            w: Some(WriteBeat { strobes, ..write_beat(data, true) }),
            ..ready
        };
        loop {
            let slave = *self.memory.drive();
            self.memory.clock(&master)?;
            master.aw = master.aw.filter(|_| !slave.awready);
            master.w = master.w.filter(|_| !slave.wready);
            if let Some(b) = slave.b {
                return Ok(b.id);
            }
        }
    }

    fn read(&mut self, burst: Address) -> Result<Vec<(u32, u8)>, BusError> {
        let mut master = Master { ar: Some(burst), rready: true, ..Master::default() };
        let mut words = Vec::new();
        loop {
            let slave = *self.memory.drive();
            self.memory.clock(&master)?;
            master.ar = master.ar.filter(|_| !slave.arready);
            if let Some(r) = slave.r {
                words.extend(r.data[..2].iter().map(|&word| (word, r.resp)));
                if r.last {
                    return Ok(words);
                }
            }
        }
    }
}

#[test]
fn the_memory_gives_back_what_was_written() {
    for disturbance in [Disturbance::default(), Disturbance { backpressure_percent: 50, jitter: 9 }] {
        let mut bus = Sequential::new(disturbance);
        for i in 0..8 {
            assert_eq!(bus.write(HEAP_BASE + 8 * i, 100 + i, 0xff), Ok(2));
        }
        bus.write(HEAP_BASE + 8, 0x5555_5555, 0x30).unwrap();
        let words = bus.read(address(1, HEAP_BASE, 7)).unwrap();
        let expected = |i: u32| if i == 3 { 0x5555 } else { 100 + i / 2 };
        assert_eq!(words, (0..16).map(|i| (expected(i), 0)).collect::<Vec<_>>());
        assert!(!bus.memory.awaits_data());
        assert_eq!((bus.memory.accepted(), bus.memory.finish()), (10, Ok(())));
    }
}

#[test]
fn memory_that_is_not_there_is_an_error_for_data_and_a_response_for_instructions() {
    let mut bus = Sequential::new(Disturbance::default());
    let line = HEAP_BASE + 0x1000;
    assert_eq!(bus.read(address(1, line, 7)), Err(BusError::Unmapped { line, write: false }));
    assert_eq!(bus.write(line + 8, 1, 1), Err(BusError::Unmapped { line, write: true }));
    let mut bus = Sequential::new(Disturbance::default());
    let words = bus.read(Address { prot: 4, ..address(1, line, 0) }).unwrap();
    assert!(words.iter().all(|&(_, resp)| resp == DECERR), "{words:x?}");
    let wrong = bus.read(Address { burst: 0, ..address(1, HEAP_BASE, 0) }).unwrap_err().to_string();
    assert!(wrong.contains("INCR"), "{wrong}");
}
