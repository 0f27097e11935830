//! The predictor: all parts of a core. What they do in a cycle is in `cycle`.

use std::collections::VecDeque;

use super::bus::{Bus, MemoryTiming};
use super::dispatcher::Dispatcher;
use super::front::Front;
use super::latencies::Latencies;
use super::lsu::LoadStoreUnit;
use super::order::RoundRobin;
use super::record::Record;
use super::scoreboard::Scoreboard;
use super::sharing::WarpSharing;
use super::slice::Slice;
use super::special::SpecialUnit;
use super::traffic::Traffic;
use crate::sched::{Ages, CoreView, SchedulerModel, StageView, View};
use crate::{Fault, GridLaunch, Machine, Memory, PerWarp, Retire};
use spec::config::{CoreConfig, WarpMask};

/// Who has the issue slot of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The warp.
    pub wid: usize,
    /// Address of its instruction; `None` for a NOP.
    pub pc: Option<u32>,
}

/// Why a prediction ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The core is no longer busy.
    Finished,
    /// An instruction faults, and with it the run ends.
    Fault(Fault),
}

/// Computes the schedule of a program, cycle by cycle.
pub struct Predictor {
    pub(super) machine: Machine,
    /// By warp, the accesses that have issued and that the load-store unit has not taken.
    pub(super) accesses: Vec<VecDeque<Retire>>,
    pub(super) threads: usize,
    pub(super) btfn: bool,
    /// One scheduler serves fetch and issue.
    pub(super) unified: bool,
    /// The program has read a counter of events.
    pub(super) reads_counters: bool,
    pub(super) dispatcher: Dispatcher,
    pub(super) front: Front,
    pub(super) slices: Vec<Slice>,
    /// If the slices share warps.
    pub(super) sharing: Option<WarpSharing>,
    pub(super) all_warps: WarpMask,
    pub(super) latencies: Latencies,
    pub(super) scoreboard: Scoreboard,
    pub(super) view: View,
    pub(super) ages: Ages,
    pub(super) special: SpecialUnit,
    /// Which slice's instruction the special unit takes next.
    pub(super) special_turns: RoundRobin,
    pub(super) lsu: LoadStoreUnit,
    pub(super) bus: Bus,
    pub(super) cycle: u64,
    /// Thread instructions that `minstret` has counted, and those of the last two cycles, which it has not.
    pub(super) threads_issued: [u64; 3],
    pub(super) stop: Option<Stop>,
    pub(super) record: Record,
    pub(super) traffic: Traffic,
}

impl Predictor {
    /// A core just out of reset; `None` if a policy has no model. `start` are the first instruction's address and the word in
    /// `mscratch`, unless there are `launches` to run one after another.
    pub fn new(
        cfg: &CoreConfig,
        memory: Memory,
        start: (u32, u32),
        launches: &[GridLaunch],
        timing: Box<dyn MemoryTiming>,
        latencies: Latencies,
    ) -> Option<Self> {
        Some(Self {
            machine: match launches {
                [] => Machine::new(cfg, memory, start.0, start.1),
                _ => Machine::at_rest(cfg, memory),
            },
            accesses: vec![VecDeque::new(); cfg.warps],
            dispatcher: Dispatcher::new(cfg, launches),
            threads: cfg.threads,
            btfn: cfg.btfn,
            unified: cfg.unified().is_some(),
            reads_counters: false,
            front: Front::new(cfg)?,
            slices: (0..cfg.slices).map(|n| Slice::new(cfg, n, latencies)).collect::<Option<_>>()?,
            sharing: WarpSharing::new(cfg),
            all_warps: cfg.all_warps(),
            latencies,
            scoreboard: Scoreboard::new(),
            view: View {
                stage: StageView::default(),
                core: CoreView {
                    older: *Ages::new(cfg.warps).older(),
                    cta: PerWarp(std::array::from_fn(|wid| wid as u8)),
                    ..CoreView::default()
                },
            },
            ages: Ages::new(cfg.warps),
            special: SpecialUnit::new(cfg.barriers().next_power_of_two()),
            special_turns: RoundRobin::new(cfg.slices),
            lsu: LoadStoreUnit::new(cfg),
            bus: Bus::new(timing),
            cycle: 0,
            threads_issued: [0; 3],
            stop: None,
            record: Record::default(),
            traffic: Traffic::default(),
        })
    }

    /// Cycles so far, from the end of reset on.
    pub fn cycles(&self) -> u64 {
        self.cycle
    }

    /// Cycles in which the core was busy: all but those in which it waited for a grid or took one.
    pub fn busy_cycles(&self) -> u64 {
        self.cycle - self.dispatcher.rests
    }

    /// Why there is nothing more to predict, if so.
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// Whether the program has read a counter of events, whose value the predictor does not know.
    pub fn reads_counters(&self) -> bool {
        self.reads_counters
    }

    /// What happened in the last cycle.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// What all schedulers saw in it.
    pub fn core_view(&self) -> &CoreView {
        &self.view.core
    }

    /// What the issue policy of each slice does, and what it decided by.
    pub fn policies(&self) -> impl Iterator<Item = &dyn SchedulerModel> {
        self.slices.iter().map(|slice| &*slice.policy)
    }

    /// The machine, with memory, console and exit code.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What memory instructions have asked of the cache and of local memory.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// The memory behind the bus.
    pub fn memory_timing(&self) -> &dyn MemoryTiming {
        self.bus.timing()
    }

    /// Predicts to the end, or for `max_cycles`: gives the number of cycles.
    pub fn run(&mut self, max_cycles: u64) -> u64 {
        while self.stop.is_none() && self.cycle < max_cycles {
            self.cycle();
        }
        self.cycle
    }
}
