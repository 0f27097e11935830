//! Performance counters on the whole core: known programs, what programs read, and that the check of the harness
//! notices a wrong count.

use crate::simulators;
use cosim::memory::MemoryKind;
use cosim::{Check, FailureKind, Report, RunOptions, Simulation, Stats};
use isa::asm::assemble;
use isa::counter::{Index, COUNTERS};
use loader::Program;

fn program(text: &str) -> Program {
    Program::from_image("program", &assemble(0x8000_0000, text).unwrap()).unwrap()
}

fn run(core: &Simulation, text: &str, options: &RunOptions) -> Report {
    let report = core.run(&program(text), options).unwrap();
    if let Some(failure) = &report.failure {
        panic!("{failure}");
    }
    report
}

/// The word that the program left at an address.
fn word(report: &Report, address: u32) -> u64 {
    report.memory.read(address, 4).unwrap().into()
}

const PREPARE: &str = "li x10, -1\n vx_tmc x10\n lui x11, 0x10\n";

#[test]
fn known_programs_have_known_counts() {
    let core = simulators::core("counted");
    let memory = MemoryKind::Fixed(20);
    let options = RunOptions { memory, ..RunOptions::default() };

    // Two instructions by one thread, eight by two: among them three loads, one of them to x0, and two stores.
    let accesses = "sw x10, 0(x11)\n lw x1, 0(x11)\n lw x2, 4(x11)\n lw x0, 0(x11)\n sh x10, 8(x11)\n";
    let report = run(core, &format!("{PREPARE}{accesses} add x3, x1, x2\n vx_tmc x0"), &options);
    let stats = &report.stats;
    assert_eq!(stats.warp_instructions, 10);
    assert_eq!(stats.thread_instructions, 2 + 8 * 2);
    assert_eq!(stats.count(Index::Loads), 2 * 2);
    assert_eq!(stats.count(Index::Stores), 2 * 2);
    assert_eq!(stats.count(Index::MemoryWrites), 2);
    // A load waits for the memory; of its thread's cycles, 20 and more are the memory's.
    assert!((20.0..60.0).contains(&stats.load_latency().unwrap()), "{stats:?}");
    // The addition waits for the last of two loads, and nothing else can issue.
    assert!(stats.count(Index::ScoreboardLoad) >= 20, "{stats:?}");
    assert_eq!(stats.slots.total(), stats.cycles);

    // A division is no load: its successor waits for a register, and not for memory.
    let report = run(core, "li x1, -1\n divu x2, x1, x1\n addi x2, x2, 1\n vx_tmc x0", &options);
    assert_eq!(report.stats.count(Index::ScoreboardLoad), 0);
    assert!(report.stats.slots.scoreboard >= 18, "{:?}", report.stats);
    assert_eq!(report.stats.count(Index::Loads), 0);
    assert_eq!(report.stats.load_latency(), None);

    // Nine instructions in one line, one lookup each and one that misses: the queue is empty meanwhile.
    let report = run(core, &format!("{} vx_tmc x0", "nop\n".repeat(8)), &options);
    let stats = &report.stats;
    assert!(stats.count(Index::Fetches) >= 9 && stats.count(Index::IcacheMisses) >= 1, "{stats:?}");
    assert!(stats.count(Index::IdleIbuffer) >= 20 && stats.fetch_latency().unwrap() > 3.0, "{stats:?}");
}

/// Lines and misses of the data cache, threads and conflicts of local memory, from programs that can be counted by hand.
#[test]
fn caches_and_local_memory_are_counted() {
    let options = RunOptions { memory: MemoryKind::Fixed(20), ..RunOptions::default() };
    // Two lanes, two lines 256 bytes apart, twice: first they miss, then they hit. A store to one that is there, and one
    // to a third line. The I/O region is not cached, a load to x0 asks for nothing.
    let lanes = "csrr x12, 0xcc0\n slli x13, x12, 8\n add x13, x13, x11\n";
    let text = format!(
        "{PREPARE}{lanes} lw x1, 0(x13)\n lw x2, 4(x11)\n add x3, x1, x2\n lw x4, 8(x13)\n add x4, x4, x4\n \
         sw x4, 12(x11)\n sw x4, 1024(x11)\n li x14, 0x100\n sw x4, 0(x14)\n lw x0, 0(x13)\n vx_tmc x0"
    );
    for core in ["counted", "counted one MSHR", "counted write-back"].map(simulators::core) {
        let mshrs = core.config().mshrs;
        let stats = run(core, &text, &options).stats;
        // With one MSHR the third load waits until its line is there.
        let read_misses = if mshrs == 1 { 2 } else { 3 };
        let counts = [
            (Index::DcacheReads, 5),
            (Index::DcacheReadMisses, read_misses),
            (Index::DcacheWrites, 2),
            (Index::DcacheWriteMisses, 1),
        ];
        for (index, count) in counts {
            assert_eq!(stats.count(index), count, "{index:?} with {mshrs} MSHRs: {stats:?}");
        }
        assert_eq!((stats.dcache.hits, stats.dcache.misses), (6 - read_misses, read_misses + 1));
        // Two lines under way at once for some twenty cycles, or one after the other.
        let occupancy = stats.count(Index::DcacheMshrs);
        assert!((40..70).contains(&occupancy), "{stats:?}");
        assert_eq!(stats.count(Index::DcacheMshrStalls) > 10, mshrs == 1, "{stats:?}");
        assert_eq!(stats.count(Index::LocalReads) + stats.count(Index::LocalWrites), 0);
    }

    // Two banks: words 0 and 1 at once, words 0 and 2 one after the other, one word for both lanes at once in a load
    // and not in a store.
    let text = format!(
        "li x10, -1\n vx_tmc x10\n lui x11, 0xffff0\n csrr x12, 0xcc0\n slli x13, x12, 2\n add x13, x13, x11\n \
         slli x14, x12, 3\n add x14, x14, x11\n {} vx_tmc x0",
        "sw x10, 0(x13)\n sw x10, 0(x14)\n sw x10, 0(x11)\n lw x1, 0(x13)\n lw x1, 0(x14)\n lw x1, 0(x11)\n"
    );
    let core = simulators::core("counted");
    for check in [Check::Lockstep, Check::Off] {
        let stats = run(core, &text, &RunOptions { check, ..options.clone() }).stats;
        let counts = [Index::LocalReads, Index::LocalWrites, Index::LocalBankStalls].map(|i| stats.count(i));
        assert_eq!(counts, [6, 6, 3], "{check:?}");
        assert_eq!(stats.dcache.hits + stats.dcache.misses, 0);
    }
}

/// Behind AXI4, too, the core's counts are the simulator's, with data cache and without.
#[test]
fn the_bus_is_counted_on_axi4() {
    for core in ["counted axi", "counted axi alone"].map(simulators::core) {
        let text =
            format!("{PREPARE} sw x10, 0(x11)\n lw x1, 0(x11)\n add x1, x1, x1\n sw x1, 64(x11)\n vx_tmc x0");
        let options = RunOptions { memory: MemoryKind::Fixed(20), ..RunOptions::default() };
        let stats = run(core, &text, &options).stats;
        assert_eq!(stats.count(Index::MemoryWrites), 2);
        assert!((2..9).contains(&stats.count(Index::MemoryReads)), "{stats:?}");
        let latency = stats.count(Index::MemoryLatency) / stats.count(Index::MemoryReads);
        assert!((20..60).contains(&latency), "{stats:?}");
    }
}

#[test]
fn idle_slots_know_their_cause() {
    let core = simulators::core("counted slices");
    let options = RunOptions::default();
    // Warp 0 waits at a barrier, alone in its slice, while warp 1 divides twice.
    let text = "li x1, 2\n la x2, other\n vx_wspawn x1, x2\n vx_bar x0, x1\n vx_tmc x0\n \
                other: li x1, 2\n li x3, -1\n divu x4, x3, x3\n divu x4, x3, x4\n mv x4, x4\n vx_bar x0, x1\n vx_tmc x0";
    let report = run(core, text, &options);
    let stats = &report.stats;
    assert!(stats.count(Index::IdleBarrier) >= 36, "{stats:?}");
    assert!(stats.slots.scoreboard >= 36, "{stats:?}");
    assert_eq!(stats.slots.total(), 2 * stats.cycles);
    let causes = [Index::IdleControl, Index::IdleIbuffer, Index::IdleBarrier];
    assert!(causes.iter().map(|&c| stats.count(c)).sum::<u64>() <= stats.slots.idle);

    // Taken branches: the slots after each are idle because of it, until its target is fetched.
    let report = run(core, "li x1, 50\n again: addi x1, x1, -1\n bnez x1, again\n vx_tmc x0", &options);
    assert!(report.stats.count(Index::IdleControl) >= 50, "{:?}", report.stats);
    assert!(report.stats.count(Index::IdleIbuffer) >= 50, "{:?}", report.stats);
    assert_eq!(report.stats.count(Index::IdleBarrier), 0);
}

#[test]
fn programs_read_the_counters_of_the_chosen_class() {
    let core = simulators::core("counted");
    let work =
        "li x12, 40\n again: lw x1, 0(x11)\n sw x1, 64(x11)\n addi x12, x12, -1\n bne x12, x0, again\n";
    for class in 0..=3 {
        let reads: String = (3..32)
            .map(|n| format!("csrr x2, {}\n sw x2, {}(x11)\n", 0xB00 + n, 256 + 4 * n))
            .chain((3..32).map(|n| format!("csrr x2, {}\n sw x2, {}(x11)\n", 0xB80 + n, 512 + 4 * n)))
            .collect();
        let text = format!("{PREPARE}{work}{reads} vx_tmc x0");
        let options = RunOptions { mpm_class: class, memory: MemoryKind::Fixed(5), ..RunOptions::default() };
        let report = run(core, &text, &options);
        for n in 3..32 {
            let (read, high) = (word(&report, 0x1_0100 + 4 * n), word(&report, 0x1_0200 + 4 * n));
            assert_eq!(high, 0, "the high half of mhpmcounter{n}");
            let place = (class, n as u8);
            let index = COUNTERS.iter().position(|c| c.places().any(|p| p == place));
            let last = index.map_or(0, |index| report.stats.counts[index]);
            // The program reads it in the course of its last part, the simulator at the end.
            assert!(read <= last, "class {class}, mhpmcounter{n}: read {read}, at the end {last}");
            let after_the_loop = index.is_some_and(|i| last > 200 && COUNTERS[i].name != "pipeline");
            assert!(!after_the_loop || read > 0, "class {class}, mhpmcounter{n}: 0 of {last}");
            if index == Some(Index::Loads as usize) {
                assert_eq!(read, 40 * 2);
            }
        }
    }
}

#[test]
fn without_counters_their_csrs_read_zero() {
    let core = simulators::core("without counters");
    let text = "lui x11, 0x10\n lw x1, 0(x11)\n csrr x2, 0xb0f\n sw x2, 0(x11)\n vx_tmc x0";
    let report = run(core, text, &RunOptions { mpm_class: 1, ..RunOptions::default() });
    assert_eq!(word(&report, 0x1_0000), 0);
    assert_eq!(report.stats.count(Index::Loads), 1, "the simulator counts all the same");
}

/// The comparison at the end of each run must notice a counter that counts wrongly.
#[test]
fn a_wrong_count_is_a_mismatch() {
    let cfg = simulators::core("counted").config();
    let verilog = rtl::generate(cfg, &[]).unwrap().concat();
    let right = "loads = lanes;";
    assert!(verilog.contains(right), "the text to damage is gone");
    let damaged = verilog.replace(right, "loads = lanes >> 1;");
    let core = Simulation::from_verilog(cfg, &damaged, &simulators::options()).unwrap();
    let text = format!("{PREPARE} lw x1, 0(x11)\n addi x1, x1, 1\n vx_tmc x0");
    let failure = core.run(&program(&text), &RunOptions::default()).unwrap().failure.expect("a failure");
    let FailureKind::Mismatch(mismatch) = &failure.kind else { panic!("{failure}") };
    assert_eq!(mismatch.what, "performance counter loads at the end");
    assert_eq!((mismatch.expected.as_str(), mismatch.got.as_str()), ("2", "1"));
}

/// A warp alone in a loop: behind a branch that is predicted to be taken fetching goes on where issuing does.
#[test]
fn predicted_branches_save_fetches_and_cycles() {
    let text = "li x1, 100\n again: addi x1, x1, -1\n bnez x1, again\n vx_tmc x0";
    let [plain, predicted] = ["small", "grid"].map(|name| {
        let core = simulators::core(name);
        assert_eq!(core.config().btfn, name == "grid");
        run(core, text, &RunOptions::default()).stats
    });
    let in_vain = |stats: &Stats| stats.count(Index::Fetches) - stats.warp_instructions;
    assert!(in_vain(&plain) >= 100 && in_vain(&predicted) <= 10, "{plain:?}, {predicted:?}");
    assert!(predicted.cycles + 300 <= plain.cycles, "{} and {} cycles", predicted.cycles, plain.cycles);
}
