//! The engine without hardware: everything that a run reports must be what the hardware's run reports.

use crate::cosim_grid::{grid_programs, random_grid};
use crate::cosim_predict::kernel;
use crate::rtl_bench::Random;
use crate::sample::{seeds, some};
use crate::simulators;
use cosim::memory::Disturbance;
use cosim::{timing_model, Engine, Report, RunOptions, SimError, Simulation, Window};
use isa::asm::assemble;
use isa::random::{program, Shape};
use loader::Program;
use model::memory::{HEAP_BASE, STARTUP_ADDR};
use model::timing::Latencies;
use spec::config::CoreConfig;
use spec::registry;

const MEMORIES: [&str; 5] =
    ["ideal", "fixed:20", "dram", "dram:frfcfs=1,banks=2,row=128", "dram:frfcfs=1,banks=2,l2=2048,l2hit=9"];

/// Memories in turns, every second one disturbed at random.
fn options(number: usize) -> RunOptions {
    let disturbed = Disturbance { backpressure_percent: 20, jitter: 15 };
    RunOptions {
        waits: true,
        memory: MEMORIES[number % MEMORIES.len()].parse().unwrap(),
        disturbance: if number.is_multiple_of(2) { disturbed } else { Disturbance::default() },
        seed: number as u64,
        mpm_class: number as u8 % 4,
        // Every third run is recorded from somewhere on.
        record: number.is_multiple_of(3).then(|| Window { from: 10 * number as u64, to: 5000 }),
        ..RunOptions::default()
    }
}

fn on_model(cfg: &CoreConfig, program: &Program, options: &RunOptions) -> Result<Report, SimError> {
    Engine::new(cfg).run(program, options, &mut |_| {})
}

/// In every cycle both engines do the same, and what they report of a run that passes is the same; gives the number of cycles.
pub fn assert_alike(core: &Simulation, program: &Program, options: &RunOptions) -> u64 {
    let CoreConfig { fetch, issue, .. } = core.config();
    let what =
        format!("{} under {fetch} and {issue}, {}, seed {}", program.name, options.memory, options.seed);
    let latencies = Latencies::of(core.config());
    let (hardware, comparison) = core.run_predicted(program, options, latencies, &mut |_| {}).unwrap();
    assert_eq!((&comparison.first, comparison.differing), (&None, 0), "{what}");
    let model = &comparison.modelled;
    assert_eq!((&hardware.failure, &model.failure), (&None, &None), "{what}");
    let counts = hardware.stats.counts.iter().zip(&model.stats.counts);
    for (counter, (here, there)) in isa::counter::COUNTERS.iter().zip(counts) {
        assert_eq!(here, there, "{what}: {}", counter.name);
    }
    assert_eq!(hardware.stats, model.stats, "{what}");
    assert_eq!(hardware.barriers, model.barriers, "{what}");
    assert_eq!(hardware.waits, model.waits, "{what}");
    assert_eq!(hardware.grids, model.grids, "{what}");
    assert_eq!(hardware.policy_phases, model.policy_phases, "{what}");
    assert_eq!(hardware.patterns, model.patterns, "{what}");
    assert_eq!(hardware.exit_code(), model.exit_code(), "{what}");
    assert_eq!(hardware.console(), model.console(), "{what}");
    assert_eq!(hardware.memory.first_difference(&model.memory), None, "{what}");
    assert!(hardware.recording == model.recording, "{what}: views differ");
    comparison.cycles
}

#[test]
fn kernels_are_alike_under_every_pair_of_policies() {
    let texts = ["psort:40", "sgemm_tiled:8", "vecadd:100", "diverge:16", "kmeans:8", "bfs:32", "reduce:64"];
    let cores = simulators::cores("pairs").iter().chain(simulators::cores("swas"));
    for (number, core) in cores.enumerate() {
        for text in some(texts.to_vec(), 1, number) {
            assert_alike(core, &kernel(text), &options(number));
        }
    }
}

/// Caches of a few lines, one warp of one lane, warps in odd numbers, SWaS, a larger core, several slices, branch prediction,
/// operand collectors, shared warps in large numbers; write-back data caches, also of several banks; AXI4.
const CORES: [&str; 21] = [
    "small",
    "medium",
    "alone",
    "swas alone",
    "swas slow lanes",
    "swas one line",
    "swas four lines",
    "swas two ways",
    "slices",
    "slices uncached",
    "banked",
    "many",
    "odd",
    "counted write-back",
    "grid",
    "axi",
    "axi 512",
    "counted axi",
    "counted axi alone",
    "slices write-back axi",
    "wide",
];

/// Those, and cores of several policies, at another `place` of the sample: some with one slice, some that share warps between
/// two slices with operand collectors, and all that share them between four.
fn cores(place: usize) -> impl Iterator<Item = &'static Simulation> {
    let several = |name, count| some(simulators::cores(name).iter().collect(), count, place);
    let unified = several("swas", 4);
    let shared = several("pairs of slices", 6).into_iter().chain(simulators::cores("four slices"));
    CORES.map(simulators::core).into_iter().chain(several("pairs", 6)).chain(unified).chain(shared)
}

/// Where all wait for memory nothing is computed, and nothing is to be seen of that.
#[test]
fn what_waits_for_a_slow_memory_is_alike() {
    for (number, name) in some(CORES.into_iter().enumerate().collect(), 7, 0) {
        let core = simulators::core(name);
        let options =
            RunOptions { memory: "fixed:200".parse().unwrap(), seed: number as u64, ..RunOptions::default() };
        let program = kernel(["vecadd:64", "bfs:16", "reduce:32"][number % 3]);
        let cycles = assert_alike(core, &program, &options);
        let mut model = timing_model(core.config(), &program, &options, Latencies::of(core.config()));
        assert_eq!(model.run(u64::MAX), cycles, "{name}");
        let skipped = model.skipped_cycles();
        let CoreConfig { fetch, issue, oracle, .. } = core.config();
        let moves = |key: &str| registry::find(key).unwrap().moves_every_cycle;
        let expected = !oracle && !moves(fetch) && !moves(issue);
        assert_eq!(skipped > cycles / 8, expected, "{name}: {skipped} of {cycles} cycles");
    }
}

#[test]
fn random_programs_are_alike() {
    for (number, core) in some(cores(0).enumerate().collect(), 20, 0) {
        for seed in seeds(10 * number as u64, 1) {
            let image = program(seed, &Shape::core(core.config(), 60));
            let random = Program::from_image(&format!("random program {seed}"), &image).unwrap();
            assert_alike(core, &random, &options(seed as usize));
        }
    }
}

/// Blocks that come and go, and meet at barriers that the end of a warp opens too.
#[test]
fn random_grids_are_alike() {
    for (number, core) in cores(1).enumerate().filter(|(_, core)| core.config().grid) {
        for seed in seeds(10 * number as u64, 1) {
            let mut rng = Random::new(seed);
            let launches = (0..2).map(|_| random_grid(core, &mut rng, HEAP_BASE)).collect();
            let options = RunOptions { launches, ..options(seed as usize) };
            for program in grid_programs() {
                assert_alike(core, &program, &options);
            }
        }
    }
}

/// What a program reads from the counters is what the model has counted, also while the hardware's memory of the totals is
/// still being filled.
#[test]
fn programs_read_the_same_counts() {
    let read = |at: u32, n: u32, high: u32| {
        format!("csrr x2, {:#x}\n sw x2, {}(x11)\n", 0xB00 + n + high, at + 4 * n + 2 * high)
    };
    let all = |at| -> String { (3..32).map(|n| read(at, n, 0) + &read(at, n, 0x80)).collect() };
    let work = "lw x1, 0(x11)\n lui x6, 0xffff0\n sw x1, 64(x11)\n sw x6, 0(x6)\n lw x7, 0(x6)\n \
                addi x12, x12, -1\n bnez x12, again\n";
    let text = format!(
        "lui x11, 0x10\n csrr x3, 0xb03\n csrr x4, 0xb0e\n csrr x5, 0xb0f\n sw x3, 0(x11)\n sw x4, 4(x11)\n \
         sw x5, 8(x11)\n {}li x12, 20\n again: {work}{}vx_tmc x0",
        all(0x100),
        all(0x300)
    );
    let program = Program::from_image("counters", &assemble(STARTUP_ADDR, &text).unwrap()).unwrap();
    for (number, core) in ["counted", "counted slices", "without counters", "small"].into_iter().enumerate() {
        for class in 0..4 {
            let options = RunOptions { mpm_class: class, ..options(number + usize::from(class)) };
            assert_alike(simulators::core(core), &program, &options);
        }
    }
}

/// Behind a jump lies data that the program changes, from words that stop fetching to others and back. It never executes, but
/// it is fetched: as the instruction cache has it.
#[test]
fn what_is_fetched_ahead_may_be_data() {
    let text = "lui x5, 0x80000\n addi x5, x5, 0x180\n li x6, 30\n li x7, 0x13\n \
                again: sw x7, 0(x5)\n sw x7, 8(x5)\n xori x7, x7, 0x13\n jal x1, back\n sw x7, 4(x5)\n \
                sw x6, 64(x5)\n jal x1, back\n addi x6, x6, -1\n bnez x6, again\n vx_tmc x0\n \
                .align 6\n .space 0x138\n back: nop\n jalr x0, 0(x1)\n .space 0x100";
    let program = Program::from_image("data", &assemble(STARTUP_ADDR, text).unwrap()).unwrap();
    for (number, core) in CORES.into_iter().enumerate() {
        assert_alike(simulators::core(core), &program, &options(number));
    }
}

/// A failed run says what the hardware's says.
#[test]
fn faults_and_endless_programs_are_told() {
    for (core, text, max_cycles) in [
        ("small", "li x5, 2\n lw x6, 1(x5)", 1000),
        ("small", ".word 0", 1000),
        ("small", "here: j here", 3000),
        ("small", "li x5, 2\n li x6, 2\n vx_bar x5, x6\n vx_tmc x0", 1_000_000),
        ("small", "amoadd.w x6, x5, (x5)", 1000),
        ("odd", "li x5, 0x20002\n amoadd.w x0, x5, (x5)", 1000),
        ("odd", "lui x5, 0x20000\n amoswap.w x6, x5, (x5)\n amoswap.w x6, x5, (x5)", 1000),
        ("odd", "li x5, -4\n amocas.w x6, x5, (x5)", 1000),
    ] {
        let core = simulators::core(core);
        let program = Program::from_image(text, &assemble(STARTUP_ADDR, text).unwrap()).unwrap();
        let options = RunOptions { max_cycles, ..RunOptions::default() };
        let told = |report: Report| report.failure.unwrap().to_string();
        let hardware = told(core.run(&program, &options).unwrap());
        let model = told(on_model(core.config(), &program, &options).unwrap());
        let first = |text: &str| {
            let line = text.lines().next().unwrap();
            // The hardware tells a fault some cycles after the instruction has issued.
            line.split(" in cycle ").map(|part| part.trim_start_matches(char::is_numeric)).collect::<String>()
        };
        assert_eq!(first(&hardware), first(&model), "{hardware}\n{model}");
        assert_eq!(hardware.lines().nth(1), model.lines().nth(1), "{hardware}\n{model}");
        assert!(model.ends_with("the model alone"), "{model}");
    }
}

#[test]
fn what_the_model_lacks_is_said() {
    let options = RunOptions { random_reset: true, ..RunOptions::default() };
    let error = on_model(&CoreConfig::default(), &kernel("empty"), &options).unwrap_err().to_string();
    assert!(error.contains("--random-reset"), "{error}");
}
