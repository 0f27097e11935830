//! The timing model of a core with a program and its memory.

use model::timing::{self, Latencies, MemoryPort, MemoryTiming, Reset, TimingModel};
use model::Memory;
use spec::config::{BusKind, CoreConfig};

use super::memory::axi::AxiSchedule;
use super::memory::{Disturbance, MemoryModel, RowStats};
use super::options::RunOptions;
use super::rng::Rng;
use loader::Program;

/// A memory model as the timing model asks it: without data, in the same order, disturbed by the same numbers.
struct Timing {
    memory: Box<dyn MemoryModel>,
    disturbance: Disturbance,
    rng: Rng,
    requests: u64,
    /// By how much those come late of which the memory has not said when they are due: their numbers, and that.
    late: Vec<(u64, u64)>,
}

impl MemoryTiming for Timing {
    fn due(&mut self, cycle: u64, line: u32, write: bool) -> Option<u64> {
        let due = self.memory.due(cycle, line, write);
        let late = match self.disturbance.jitter {
            jitter if jitter != 0 && !write => self.rng.below(jitter + 1).into(),
            _ => 0,
        };
        if due.is_none() {
            self.late.push((self.requests, late));
        }
        self.requests += 1;
        due.map(|due| due + late)
    }

    fn clock(&mut self, cycle: u64) -> Option<(u64, u64)> {
        let (number, due) = self.memory.clock(cycle)?;
        let place = self.late.iter().position(|&(other, _)| other == number)?;
        let (_, late) = self.late.remove(place);
        Some((number, due + late))
    }

    fn accepts(&mut self, cycle: u64) -> bool {
        let refuses = self.rng.percent(self.disturbance.backpressure_percent);
        self.memory.accepts(cycle) && !refuses
    }

    fn rests(&self) -> bool {
        self.disturbance.backpressure_percent == 0 && self.memory.rests()
    }

    fn rows(&self) -> Option<RowStats> {
        self.memory.rows()
    }
}

/// The timing model of a core with a program and its memory.
///
/// ```
/// # use isa::asm::assemble;
/// # use spec::config::CoreConfig;
/// # use model::timing::Latencies;
/// # use cosim::{timing_model, RunOptions};
/// # use loader::{Program};
/// let cfg = CoreConfig { fetch: "swas:gtlo".into(), issue: "swas:gtlo".into(), ..CoreConfig::default() };
/// let image = assemble(0x8000_0000, "li a0, 1\nvx_tmc zero")?;
/// let program = Program::from_image("short", &image)?;
/// let mut model = timing_model(&cfg, &program, &RunOptions::default(), Latencies::of(&cfg));
/// assert!(model.run(1000) < 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn timing_model(
    cfg: &CoreConfig,
    program: &Program,
    options: &RunOptions,
    latencies: Latencies,
) -> Box<dyn TimingModel> {
    let mut memory = Memory::for_core(cfg);
    program.load(&mut memory);
    let RunOptions { disturbance, seed, .. } = *options;
    let port = match cfg.bus {
        BusKind::Native => {
            let (memory, rng) = (options.memory.model(), Rng::new(seed));
            MemoryPort::Native(Box::new(Timing { memory, disturbance, rng, requests: 0, late: vec![] }))
        }
        BusKind::Axi4 => {
            let bytes = cfg.axi_data_bits as u32 / 8;
            let schedule = AxiSchedule::new(options.memory, disturbance, seed, bytes);
            MemoryPort::Axi(Box::new(schedule), bytes)
        }
    };
    let start = (options.start_pc_of(program), options.start_arg);
    timing::timing_model(Reset { cfg, memory, start, launches: &options.launches, port, latencies })
}
