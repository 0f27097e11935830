//! Faults of a single operator in the emitted Verilog that programs with correct results do not show: each must be
//! noticed all the same. A short run tries one of them.
//!
//! Without effect, so that nothing can notice it, is what `FillTable` holds in `waiting` after a reset: an entry is
//! written when it is taken, and read only while it is. The order that `AgeMatrix` has after a reset is proved, with a
//! mutation of just that (`formal/`). That a load is done is an event that no policy uses yet: `rtl_lsu/` counts those
//! of every warp.

use crate::{sample, simulators};
use cosim::memory::MemoryKind;
use cosim::verilator::BuildOptions;
use cosim::{FailureKind, RunOptions, Simulation};
use isa::asm::assemble;
use isa::random::{program, Shape};
use loader::Program;
use model::timing::Latencies;
use spec::config::{CacheConfig, CoreConfig, DataCacheConfig};

/// A module, a text that it has once, and what a fault makes of it.
const FAULTS: [(&str, &str, &str); 20] = [
    // Which lines of instructions may be on their way at the same time: seen in the cycles.
    ("FillTable", "& SET_MASK) == (wanted_line & SET_MASK)", "| SET_MASK) == (wanted_line & SET_MASK)"),
    ("FillTable", "& SET_MASK) == (wanted_line & SET_MASK)", "& SET_MASK) == (wanted_line | SET_MASK)"),
    // The order of an access's lines: seen in what a small cache holds afterwards, by the cycles.
    ("Coalescer", "if (lanes[i] & !found)", "if (lanes[i] | !found)"),
    ("MissTable", "<= line;", "<= ~line;"),
    // Seen by programs that are wrong.
    ("FaultLatch", "reported_cause = sfu_fault_cause;", "reported_cause = lsu_fault_cause;"),
    ("AccessStage", "& ((lane_address[15:0] & OUTSIDE) != ", "& ((lane_address[15:0] | OUTSIDE) != "),
    ("AccessStage", "if (|out_of_range)", "if (&out_of_range)"),
    // Seen by the signs of quotients.
    ("DivideLane", "invert <= negate | by_zero;", "invert <= by_zero;"),
    // Seen in the cycles alone, for what is computed stays right. Room that is there and not used:
    ("MemCollector", "held < 3'd3", "held < 3'd2"),
    ("SpCollector", "free = !sp_valid | sp_ready", "free = !sp_valid"),
    ("BankStage", "room = !busy | finishes", "room = !busy"),
    ("RequestBuffer", "request_ready = !lsu_req_valid | lsu_req_ready", "request_ready = !lsu_req_valid"),
    ("LoadReturn", "rsp_room = !rsp_held | (take_rsp & rsp_single)", "rsp_room = !rsp_held"),
    ("Replay", "waiting & (!serve_valid | ends)", "waiting & !serve_valid"),
    // A line that is asked for twice.
    ("MissTable", "joinable = |same", "joinable = 1'b0"),
    // Lanes that are not active count.
    ("DivideLength", "if (tmask[i])", "if (tmask[i] | 1'b1)"),
    // Another one is chosen.
    ("MemoryArbiter", "takes = turn[1] | !asked", "takes = !asked"),
    ("UnifiedScheduler", "stage_ready_warps & ~core_held_warps", "stage_ready_warps"),
    ("LooseRoundRobin", "last_fired <= stage_fired_oh", "last_fired <= TOP"),
    ("NextInTurn", "~(last_oh | (last_oh - ONE))", "~(last_oh - ONE)"),
];

/// Small caches, so that lines meet in them; SWaS, so that every cycle is predicted.
fn config() -> CoreConfig {
    let swas = "swas:lrr".to_owned();
    CoreConfig {
        fpu: false,
        grid: false,
        icache: CacheConfig { bytes: 128, ways: 1 },
        dcache: DataCacheConfig { bytes: 256, ways: 1, write_back: false },
        mshrs: 2,
        local_mem_bytes: 256,
        fetch: swas.clone(),
        issue: swas,
        ..CoreConfig::default()
    }
}

/// Wrong programs, and what is said of them.
const WRONG: [(&str, &str); 3] = [
    ("csrw 0xcc0, x0\n vx_tmc x0", "illegal CSR access"),
    ("lui x1, 0xffff0\n lw x2, 0(x1)\n lw x2, 256(x1)\n vx_tmc x0", "beyond the local memory at 0xffff0100"),
    ("li x1, 3\n lw x2, 0(x1)\n vx_tmc x0", "misaligned load at 0x00000003"),
];

/// What differs from the model in one of these random programs, or in what is said of a wrong one, if anything does.
fn noticed(core: &Simulation, programs: u64) -> Option<String> {
    for (text, expected) in WRONG {
        let wrong = Program::from_image("wrong", &assemble(0x8000_0000, text).unwrap()).unwrap();
        let failure = core.run(&wrong, &RunOptions::default()).unwrap().failure;
        let said = failure.as_ref().map_or("nothing".to_owned(), ToString::to_string);
        let agreed = failure.is_some_and(|failure| matches!(failure.kind, FailureKind::Fault { .. }));
        if !agreed || !said.contains(expected) {
            return Some(format!("{expected}: {said}"));
        }
    }
    for seed in sample::seeds(0, programs) {
        let image = program(seed, &Shape::core(core.config(), 120));
        let random = Program::from_image(&format!("random program {seed}"), &image).unwrap();
        let memory = [MemoryKind::Fixed(17), "dram".parse().unwrap()][seed as usize % 2];
        let options = RunOptions { memory, seed, ..RunOptions::default() };
        let latencies = Latencies::of(core.config());
        let (report, comparison) = core.run_predicted(&random, &options, latencies, &mut |_| {}).unwrap();
        if let Some(failure) = report.failure {
            return Some(failure.to_string());
        }
        if !comparison.equal() {
            return Some(format!("seed {seed}: {:x?}", comparison.first));
        }
    }
    None
}

#[test]
fn every_fault_is_noticed() {
    let cfg = config();
    let design = rtl::generate(&cfg, &[]).unwrap();
    // Also those that a short run leaves out: the hardware may have been described anew.
    for (module, from, _) in FAULTS {
        let text = &design.modules.iter().find(|m| m.name == module).expect("a module of the core").text;
        assert_eq!(text.matches(from).count(), 1, "{from} in {module}");
    }
    let core = |module: &str, from: &str, to: &str| {
        let text =
            |name: &str, text: &str| if name == module { text.replace(from, to) } else { text.to_owned() };
        let texts: Vec<_> = design.modules.iter().map(|m| text(&m.name, &m.text)).collect();
        // Not linted: a fault may leave something unused.
        let options = BuildOptions { lint: false, ..simulators::options() };
        Simulation::from_verilog(&cfg, &texts.concat(), &options).unwrap()
    };
    assert_eq!(noticed(&core("", "", ""), 30), None, "the core as it is");
    for (module, from, to) in sample::some(FAULTS.to_vec(), 1, 0) {
        // Room that is not used shows in few programs; the others are noticed by the first ones.
        let how = noticed(&core(module, from, to), 400);
        let how = how.unwrap_or_else(|| panic!("{module}: {from} -> {to} is not noticed"));
        println!("{module}: {from} -> {to}\n  {}", how.lines().next().unwrap_or(""));
    }
}
