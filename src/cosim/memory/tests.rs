use super::*;
use model::memory::{CONSOLE_BASE, EXIT_CODE, HEAP_BASE, IO_END};

fn bus(kind: MemoryKind, disturbance: Disturbance) -> Bus {
    let mut memory = Memory::new();
    memory.map(HEAP_BASE, 0x1000);
    memory.map(CONSOLE_BASE, IO_END - CONSOLE_BASE);
    Bus::new(memory, kind, disturbance, 1)
}

fn read(address: u32, tag: u8) -> Request {
    Request { write: false, address, byteen: 0, data: [0; LINE_WORDS], tag }
}

fn write(address: u32, byteen: u64, word: u32) -> Request {
    Request { write: true, address, byteen, data: [word; LINE_WORDS], tag: 0 }
}

#[test]
fn latency_is_counted_from_acceptance() {
    for (kind, latency) in [(MemoryKind::Ideal, 1), (MemoryKind::Fixed(1), 1), (MemoryKind::Fixed(50), 50)] {
        let mut bus = bus(kind, Disturbance::default());
        bus.clock(Some(read(HEAP_BASE, 3)), false).unwrap();
        let mut cycles = 1;
        while bus.response().is_none() {
            assert!(bus.awaits_data());
            bus.clock(None, false).unwrap();
            cycles += 1;
        }
        assert_eq!(cycles, latency, "{kind}");
        assert_eq!(bus.response().unwrap().tag, 3);
        bus.clock(None, false).unwrap();
        assert!(bus.response().is_some(), "a response stays until it is taken");
        bus.clock(None, true).unwrap();
        assert!(!bus.awaits_data());
        bus.clock(Some(read(HEAP_BASE, ICACHE_TAG)), false).unwrap();
        assert!(!bus.awaits_data());
    }
}

#[test]
fn one_request_a_cycle_answered_in_order() {
    let mut bus = bus(MemoryKind::Fixed(5), Disturbance::default());
    let mut tags = Vec::new();
    for tag in 0..20 {
        let taken = bus.response().is_some();
        tags.extend(bus.response().map(|r| r.tag));
        bus.clock((tag < 10).then(|| read(HEAP_BASE, tag)), taken).unwrap();
    }
    assert_eq!(tags, (0..10).collect::<Vec<_>>());
}

#[test]
fn reads_see_the_writes_accepted_before_them() {
    let mut bus = bus(MemoryKind::Fixed(9), Disturbance { backpressure_percent: 0, jitter: 20 });
    bus.clock(Some(write(HEAP_BASE, u64::MAX, 0x1111_1111)), false).unwrap();
    bus.clock(Some(read(HEAP_BASE, 1)), false).unwrap();
    bus.clock(Some(write(HEAP_BASE, 0b0110, 0x2222_2222)), false).unwrap();
    bus.clock(Some(read(HEAP_BASE, 2)), false).unwrap();
    let mut seen = [0; 3];
    for _ in 0..60 {
        if let Some(r) = bus.response() {
            seen[r.tag as usize] = r.data[0];
        }
        let taken = bus.response().is_some();
        bus.clock(None, taken).unwrap();
    }
    assert_eq!(seen, [0, 0x1111_1111, 0x1122_2211]);
}

#[test]
fn disturbance_delays_reorders_and_repeats_with_its_seed() {
    let run = |seed| {
        let disturbance = Disturbance { backpressure_percent: 50, jitter: 10 };
        let mut bus = Bus { rng: Rng::new(seed), ..bus(MemoryKind::Ideal, disturbance) };
        let (mut next, mut log, mut refusals) = (0u8, Vec::new(), 0);
        while log.len() < 100 {
            let request = (next < 100).then(|| read(HEAP_BASE, next & 0x7f));
            let (accepted, taken) = (request.is_some() && bus.ready(), bus.response().is_some());
            refusals += u32::from(request.is_some() && !accepted);
            log.extend(bus.response().map(|r| r.tag));
            bus.clock(request, taken).unwrap();
            next += u8::from(accepted);
        }
        assert!(refusals > 20 && !log.is_sorted(), "{refusals} {log:?}");
        log
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

#[test]
fn unmapped_data_is_a_fault_and_unmapped_code_is_illegal() {
    let mut bus = bus(MemoryKind::Ideal, Disturbance::default());
    let line = 0x4000_0040;
    assert_eq!(bus.clock(Some(read(line, 0)), false), Err(BusError::Unmapped { line, write: false }));
    assert_eq!(bus.clock(Some(write(line, 1, 0)), false), Err(BusError::Unmapped { line, write: true }));
    assert_eq!(bus.clock(Some(read(line, ICACHE_TAG | 2)), false), Ok(()));
    assert_eq!(bus.response(), Some(&Response { data: [0; LINE_WORDS], tag: ICACHE_TAG | 2 }));
}

#[test]
fn a_refused_request_must_stay() {
    let refuse = Disturbance { backpressure_percent: 100, jitter: 0 };
    let fresh = || {
        let mut bus = bus(MemoryKind::Ideal, refuse);
        bus.clock(None, false).unwrap();
        bus.clock(Some(read(HEAP_BASE, 1)), false).unwrap();
        bus
    };
    assert_eq!(fresh().clock(Some(read(HEAP_BASE, 1)), false), Ok(()));
    assert_eq!(fresh().clock(Some(read(HEAP_BASE, 2)), false), Err(BusError::Unstable(HEAP_BASE)));
    assert_eq!(fresh().clock(None, false), Err(BusError::Unstable(HEAP_BASE)));
}

#[test]
fn console_and_exit_code_come_from_bus_writes() {
    let mut bus = bus(MemoryKind::Ideal, Disturbance::default());
    for byte in *b"hi\n" {
        bus.clock(Some(write(CONSOLE_BASE, 1 << 5, u32::from_le_bytes([byte; 4]))), false).unwrap();
    }
    bus.clock(Some(write(EXIT_CODE & !63, 0xf << (EXIT_CODE & 63), 42)), false).unwrap();
    assert_eq!(bus.memory.console().text(), "#5: hi\n");
    assert_eq!(bus.memory.exit_code(), Some(42));
}
