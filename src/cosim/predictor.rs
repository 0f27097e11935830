//! The timing model of a core with a program and its memory.

use model::timing::{Latencies, MemoryPort, MemoryTiming, Predictor};
use model::Memory;
use spec::config::{BusKind, CoreConfig};

use super::memory::axi::AxiSchedule;
use super::memory::{Disturbance, MemoryModel};
use super::options::RunOptions;
use super::program::Program;
use super::rng::Rng;

/// A memory model as the predictor asks it: without data, in the same order, disturbed by the same numbers.
struct Timing {
    memory: Box<dyn MemoryModel>,
    disturbance: Disturbance,
    rng: Rng,
}

impl MemoryTiming for Timing {
    fn due(&mut self, cycle: u64, line: u32, write: bool) -> u64 {
        let due = self.memory.due(cycle, line, write);
        match self.disturbance.jitter {
            jitter if jitter != 0 && !write => due + u64::from(self.rng.below(jitter + 1)),
            _ => due,
        }
    }

    fn accepts(&mut self, cycle: u64) -> bool {
        let refuses = self.rng.percent(self.disturbance.backpressure_percent);
        self.memory.accepts(cycle) && !refuses
    }

    fn rows(&self) -> Option<[u64; 3]> {
        self.memory.rows().map(Into::into)
    }
}

/// A predictor for a program and its memory.
///
/// ```
/// # use isa::asm::assemble;
/// # use spec::config::CoreConfig;
/// # use model::timing::Latencies;
/// # use cosim::{predictor, Program, RunOptions};
/// let cfg = CoreConfig { fetch: "swas:gtlo".into(), issue: "swas:gtlo".into(), ..CoreConfig::default() };
/// let image = assemble(0x8000_0000, "li a0, 1\nvx_tmc zero")?;
/// let program = Program::from_image("short", &image)?;
/// let mut predictor = predictor(&cfg, &program, &RunOptions::default(), Latencies::of(&cfg));
/// assert!(predictor.run(1000) < 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn predictor(
    cfg: &CoreConfig,
    program: &Program,
    options: &RunOptions,
    latencies: Latencies,
) -> Predictor {
    let mut memory = Memory::for_core(cfg);
    program.load(&mut memory);
    let RunOptions { disturbance, seed, .. } = *options;
    let port = match cfg.bus {
        BusKind::Native => {
            let timing = Timing { memory: options.memory.model(), disturbance, rng: Rng::new(seed) };
            MemoryPort::Native(Box::new(timing))
        }
        BusKind::Axi4 => {
            let bytes = cfg.axi_data_bits as u32 / 8;
            let schedule = AxiSchedule::new(options.memory, disturbance, seed, bytes);
            MemoryPort::Axi(Box::new(schedule), bytes)
        }
    };
    let start = (options.start_pc.unwrap_or(program.entry), options.start_arg);
    Predictor::new(cfg, memory, start, &options.launches, port, latencies)
}
