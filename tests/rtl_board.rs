//! The modules around the core on a board, one by one.

use crate::rtl_bench::{library, Dut, Random};
use crate::simulators;
use cosim::verilator::{compile, Port};
use cosim::UartReceiver;
use hdl::verilog::emit;
use rtl::board::{BoardMemory, ExitReport, PllSettings, PowerOnReset, UartTransmitter, BOARD_STACK_BYTES};

const BYTES: usize = 16 << 10;
const THREADS: usize = 4;

/// Reads a line, with a delay before it is taken.
fn read(dut: &mut Dut, address: u32, tag: u64, delay: u32) -> Vec<u32> {
    request(dut, address, false, 0, &[0; 16], tag);
    dut.set("rsp_ready", 0);
    for _ in 0..delay + 2 {
        dut.settle();
        dut.edge();
    }
    dut.settle();
    assert_eq!((dut.get("rsp_valid"), dut.get("rsp_tag")), (1, tag), "{address:#x}");
    let line = (0..16).map(|word| dut.get_at("rsp_data", word, 32)).collect();
    dut.set("rsp_ready", 1);
    dut.settle();
    dut.edge();
    dut.settle();
    assert_eq!(dut.get("rsp_valid"), 0);
    line
}

/// Makes a request and waits until it is accepted; gives the bytes that meanwhile went to the console.
fn request(dut: &mut Dut, address: u32, write: bool, bytes: u64, line: &[u32; 16], tag: u64) -> Vec<u8> {
    dut.set("req_valid", 1);
    dut.set("req_rw", write.into());
    dut.set("req_byteen", bytes);
    dut.set("req_addr", u64::from(address / 64));
    dut.set("req_tag", tag);
    (0..16).for_each(|word| dut.set_at("req_data", word, 32, line[word]));
    let mut console = Vec::new();
    for cycle in 0..500u64 {
        // The console is busy now and then.
        dut.set("console_ready", u64::from(cycle % 3 != 0));
        dut.settle();
        if dut.get("console_valid") == 1 && cycle % 3 != 0 {
            console.push(dut.get("console_byte") as u8);
        }
        let accepted = dut.get("req_ready") == 1;
        dut.edge();
        if accepted {
            dut.set("req_valid", 0);
            return console;
        }
    }
    panic!("the request for {address:#x} is never accepted");
}

#[test]
fn the_memory_answers_every_address() {
    let image: Vec<u32> = (0..100).map(|word| 0x1000 + word).collect();
    let library = library(BoardMemory::new(BYTES, THREADS, 1, &image), "BoardMemory");
    let mut dut = Dut::new(&library);
    let line = |words: std::ops::Range<u32>| words.map(|word| 0x1000 + word).collect::<Vec<_>>();
    assert_eq!(read(&mut dut, 0x8000_0000, 3, 0), line(0..16));
    assert_eq!(read(&mut dut, 0x8000_0040, 0x85, 4), line(16..32));
    let last = read(&mut dut, 0x8000_0180, 1, 0);
    assert_eq!((last[3], last[4]), (0x1000 + 99, 0), "what the image lacks is 0");

    // Bytes are written one by one, and each stack has its place.
    let mut ones = [0; 16];
    ones[1] = 0xAABB_CCDD;
    request(&mut dut, 0x8000_0000, true, 0b0101_0000, &ones, 0);
    assert_eq!(read(&mut dut, 0x8000_0000, 0, 0)[1], 0x00BB_10DD);
    let tops: Vec<u32> = (0..THREADS as u32).map(|thread| 0xFFFF_0000 - 8192 * thread).collect();
    let places = |top: u32| [top - 64, top - BOARD_STACK_BYTES as u32];
    for address in tops.iter().copied().flat_map(places) {
        request(&mut dut, address, true, u64::MAX, &[address; 16], 0);
    }
    for address in tops.iter().copied().flat_map(places) {
        assert_eq!(read(&mut dut, address, 0, 1), [address; 16], "{address:#x}");
    }
    assert_eq!(read(&mut dut, 0x8000_0040, 0, 0), line(16..32), "the stacks are not in the program");

    // What is not there reads 0, and only the program's own accesses count.
    let room = 0x8000_0000 + (BYTES - THREADS * BOARD_STACK_BYTES) as u32;
    assert_eq!(read(&mut dut, room - 64, 0, 0), [0; 16]);
    assert_eq!(read(&mut dut, room, 0x80, 0), [0; 16]);
    assert_eq!(dut.get("stray"), 0, "an instruction fetch may be ahead of the program");
    for address in [room, 0x1_0000, 0xFFFF_0000 - BOARD_STACK_BYTES as u32 - 64, 0xFFFF_FFC0] {
        let mut dut = Dut::new(&library);
        request(&mut dut, address, true, u64::MAX, &[7; 16], 0);
        assert_eq!(read(&mut dut, address, 0, 0), [0; 16], "{address:#x}");
        assert_eq!(dut.get("stray"), 1, "{address:#x}");
    }
}

/// Of the stacks of four lanes, word for word side by side, the upper 1 KB of each is there, and nothing below.
#[test]
fn the_upper_end_of_interleaved_stacks_is_there() {
    const TOGETHER: usize = 4;
    let mut dut = Dut::new(&library(BoardMemory::new(BYTES, 2 * TOGETHER, TOGETHER, &[]), "BoardMemory"));
    let kept = (TOGETHER * BOARD_STACK_BYTES) as u32;
    let tops = [0xFFFF_0000, 0xFFFF_0000 - 8192 * TOGETHER as u32];
    let lines = || tops.iter().flat_map(|top| (64..=kept).step_by(64).map(move |below| top - below));
    for address in lines() {
        request(&mut dut, address, true, u64::MAX, &[address; 16], 0);
    }
    for address in lines() {
        assert_eq!(read(&mut dut, address, 0, 1), [address; 16], "{address:#x}");
    }
    assert_eq!(dut.get("stray"), 0);
    request(&mut dut, tops[1] - kept - 64, true, u64::MAX, &[7; 16], 0);
    dut.settle();
    assert_eq!(dut.get("stray"), 1);
}

#[test]
fn the_console_and_the_exit_code_are_in_the_memory() {
    let mut dut = Dut::new(&library(BoardMemory::new(BYTES, THREADS, 1, &[]), "BoardMemory"));
    let mut random = Random::new(5);
    for _ in 0..20 {
        let line: [u32; 16] = std::array::from_fn(|_| random.next() as u32);
        let bytes = random.next() & random.next();
        let said = request(&mut dut, 0x40, true, bytes, &line, 0);
        let all = line.iter().flat_map(|word| word.to_le_bytes()).enumerate();
        assert_eq!(said, all.filter(|(i, _)| bytes >> i & 1 == 1).map(|(_, byte)| byte).collect::<Vec<_>>());
    }
    assert_eq!(read(&mut dut, 0x40, 0, 0), [0; 16]);
    let line: [u32; 16] = std::array::from_fn(|word| 0x100 + word as u32);
    request(&mut dut, 0x80, true, 0xF0, &line, 0);
    assert_eq!(dut.get("exit_code"), 0, "another word of the line");
    request(&mut dut, 0x80, true, 0xF00, &line, 0);
    assert_eq!((dut.get("exit_code"), dut.get("stray")), (0x102, 0));
}

#[test]
fn bytes_leave_the_transmitter_in_order() {
    for divider in [2, 5] {
        let mut dut = Dut::new(&library(UartTransmitter::new(divider), "UartTransmitter"));
        let mut receiver = UartReceiver::new(divider);
        let mut random = Random::new(u64::from(divider));
        let mut sent = Vec::new();
        let mut refused = 0;
        for cycle in 0..20_000 {
            let (offered, byte) = (cycle < 10_000 && random.chance(8), random.next() as u8);
            dut.set("put_valid", offered.into());
            dut.set("put_byte", byte.into());
            dut.settle();
            match (offered, dut.get("put_ready")) {
                (true, 1) => sent.push(byte),
                (true, _) => refused += 1,
                _ => {}
            }
            receiver.sample(dut.get("tx") != 0);
            dut.edge();
        }
        dut.settle();
        assert_eq!(dut.get("busy"), 0);
        assert!(sent.len() > 100 && refused > 0, "{} bytes, {refused} refused", sent.len());
        assert_eq!((receiver.bytes(), receiver.errors()), (sent.as_slice(), 0));
    }
}

/// Runs a report: the core is busy for some cycles and says `console`, then it ends or faults.
fn report(console: &str, fault: bool) -> String {
    let mut dut = Dut::new(&library(ExitReport::new(), "ExitReport"));
    dut.set("exit_code", 0x0BAD_CAFE);
    dut.set("fault_pc", 0x8000_0123);
    let (mut said, mut left) = (Vec::new(), console.bytes().peekable());
    for cycle in 0..200u64 {
        let ending = cycle > 3 && left.peek().is_none();
        dut.set("core_busy", u64::from(cycle > 1 && (!ending || fault)));
        dut.set("fault_valid", u64::from(ending && fault));
        dut.set("console_valid", u64::from(cycle > 2 && left.peek().is_some()));
        dut.set("console_byte", left.peek().copied().unwrap_or(0).into());
        dut.set("put_ready", u64::from(cycle % 5 != 1));
        dut.settle();
        if dut.get("put_valid") == 1 && cycle % 5 != 1 {
            said.push(dut.get("put_byte") as u8);
        }
        if cycle > 2 && left.peek().is_some() && dut.get("console_ready") == 1 {
            left.next();
        }
        dut.edge();
    }
    dut.settle();
    assert_eq!((dut.get("ended"), dut.get("faulted")), (1, fault.into()));
    String::from_utf8(said).unwrap()
}

#[test]
fn the_last_line_says_how_it_ended() {
    assert_eq!(report("hi\n", false), "hi\nexit: 0badcafe\n");
    assert_eq!(report("no newline", false), "no newline\nexit: 0badcafe\n");
    assert_eq!(report("", true), "fault 80000123\n");
}

/// The reset is there from the first cycle on, without being asked for, and comes again with the button.
#[test]
fn the_reset_begins_by_itself() {
    let verilog = emit(&mut PowerOnReset::default(), "PowerOnReset", &[]).unwrap().concat();
    let library = compile(&verilog, "PowerOnReset", &simulators::options()).unwrap();
    let port = |name: &str| -> Port<u8> { library.port(name).unwrap() };
    let (clock, locked, released, reset) = (port("clock"), port("locked"), port("released"), port("reset"));
    let mut model = library.instance().unwrap();
    model.set(released, 1);
    model.eval().unwrap();
    assert_eq!(model.get(reset), 1);
    model.cycles(clock, 1000).unwrap();
    assert_eq!(model.get(reset), 1, "the clock is not steady");
    model.set(locked, 1);
    model.cycles(clock, 120).unwrap();
    assert_eq!(model.get(reset), 1);
    model.cycles(clock, 20).unwrap();
    assert_eq!(model.get(reset), 0);
    model.set(released, 0);
    model.cycles(clock, 4).unwrap();
    assert_eq!(model.get(reset), 1);
    model.set(released, 1);
    model.cycles(clock, 140).unwrap();
    assert_eq!(model.get(reset), 0);
}

/// The PLL's own oscillator keeps to the limits of the data sheet, and the clock to half a percent of the wish.
#[test]
fn possible_clocks_are_met_and_others_refused() {
    for mhz in [10.0, 25.0, 30.0, 40.0, 60.0, 62.5, 100.0] {
        let settings = PllSettings::for_mhz(mhz).unwrap();
        assert!((settings.mhz() - mhz).abs() < 1e-9, "{mhz}: {settings:?}");
        assert!((400.0..=800.0).contains(&settings.vco_mhz()), "{settings:?}");
    }
    let near = PllSettings::for_mhz(33.3).unwrap();
    assert!((near.mhz() / 33.3 - 1.0).abs() < 0.005, "{near:?}");
    assert_eq!((PllSettings::for_mhz(1.0), PllSettings::for_mhz(900.0)), (None, None));
    assert_eq!(PllSettings::for_mhz(40.0).map(|settings| settings.reference), Some(1));
}
