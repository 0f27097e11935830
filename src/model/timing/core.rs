//! The predictor: all parts of a core. What they do in a cycle is in `cycle`.

use std::collections::VecDeque;

use super::access::Banks;
use super::bus::Bus;
use super::dispatcher::Dispatcher;
use super::front::Front;
use super::latencies::Latencies;
use super::lsu::LoadStoreUnit;
use super::now::Now;
use super::order::RoundRobin;
use super::port::MemoryPort;
use super::record::Record;
use super::scoreboard::Scoreboard;
use super::sharing::WarpSharing;
use super::skip::Skip;
use super::slice::Slice;
use super::special::SpecialUnit;
use crate::sched::{Ages, CoreView, SchedulerModel, StageView, View};
use crate::{Fault, GridLaunch, Machine, Memory, PerWarp, Retire};
use spec::config::{CoreConfig, WarpMask};

/// Why a prediction ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The core is no longer busy.
    Finished,
    /// An instruction faults, and with it the run ends.
    Fault(Fault),
}

/// A read of a counter of events.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterRead {
    /// Of the CSR.
    pub number: u16,
    /// Where its value goes.
    pub wid: usize,
    pub rd: u8,
    pub tmask: u32,
}

/// Computes the schedule of a program, cycle by cycle.
pub struct Predictor {
    pub(super) machine: Machine,
    /// By warp, the accesses that have issued and that the load-store unit has not taken.
    pub(super) accesses: Vec<VecDeque<Retire>>,
    pub(super) threads: usize,
    pub(super) banks: Banks,
    pub(super) btfn: bool,
    /// One scheduler serves fetch and issue.
    pub(super) unified: bool,
    /// The program reads a counter of events in this cycle.
    pub(super) counter_read: Option<CounterRead>,
    pub(super) dispatcher: Dispatcher,
    pub(super) front: Front,
    pub(super) slices: Vec<Slice>,
    /// If the slices share warps.
    pub(super) sharing: Option<WarpSharing>,
    pub(super) all_warps: WarpMask,
    pub(super) latencies: Latencies,
    pub(super) scoreboard: Scoreboard,
    pub(super) view: View,
    /// Ages or blocks are others from the next cycle on.
    pub(super) view_changes: bool,
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
    /// The last cycle, over which the next one is written; `None` while that happens.
    pub(super) now: Option<Box<Now>>,
    /// Of the last cycle, and of the one before.
    pub(super) records: [Box<Record>; 2],
    /// Whether nothing can happen.
    pub(super) skip: Skip,
    /// The instruction that was executed last.
    pub(super) retire: Box<Retire>,
}

impl Predictor {
    /// A core just out of reset. `start` are the first instruction's address and the word in `mscratch`, unless there are
    /// `launches` to run one after another.
    pub fn new(
        cfg: &CoreConfig,
        memory: Memory,
        start: (u32, u32),
        launches: &[GridLaunch],
        port: MemoryPort,
        latencies: Latencies,
    ) -> Self {
        Self {
            machine: match launches {
                [] => Machine::new(cfg, memory, start.0, start.1),
                _ => Machine::at_rest(cfg, memory),
            },
            accesses: vec![VecDeque::new(); cfg.warps],
            dispatcher: Dispatcher::new(cfg, launches),
            threads: cfg.threads,
            banks: Banks::new(cfg),
            btfn: cfg.btfn,
            unified: cfg.unified().is_some(),
            counter_read: None,
            front: Front::new(cfg),
            slices: (0..cfg.slices).map(|n| Slice::new(cfg, n, latencies)).collect(),
            sharing: WarpSharing::new(cfg),
            all_warps: cfg.all_warps(),
            latencies,
            scoreboard: Scoreboard::new(),
            view: View {
                stage: StageView::default(),
                core: CoreView {
                    older: *Ages::new(cfg.warps).older(),
                    cta: PerWarp(std::array::from_fn(|wid| {
                        if wid < cfg.warps {
                            cfg.bare_cta(wid) as u8
                        } else {
                            0
                        }
                    })),
                    ..CoreView::default()
                },
            },
            view_changes: false,
            ages: Ages::new(cfg.warps),
            special: SpecialUnit::new(cfg.barriers().next_power_of_two()),
            special_turns: RoundRobin::new(cfg.slices),
            lsu: LoadStoreUnit::new(cfg),
            bus: Bus::new(port),
            cycle: 0,
            threads_issued: [0; 3],
            stop: None,
            now: Some(Box::default()),
            records: Default::default(),
            skip: Skip::new(cfg),
            retire: Box::new(Retire::blank()),
        }
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

    /// The number of the CSR if the program has read a counter of events in the last cycle: the predictor counts nothing.
    pub fn counter_read(&self) -> Option<u16> {
        self.counter_read.map(|read| read.number)
    }

    /// Says what it has read, before the next cycle.
    pub fn answer(&mut self, value: u32) {
        if let Some(CounterRead { wid, rd, tmask, .. }) = self.counter_read.take() {
            self.machine.patch(wid, rd, tmask, &[value; 32]);
        }
    }

    /// What happened in the last cycle.
    pub fn record(&self) -> &Record {
        &self.records[0]
    }

    /// What happened in the cycle before it.
    pub fn record_before(&self) -> &Record {
        &self.records[1]
    }

    /// What all schedulers saw in the last cycle.
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

    /// Requests that memory has accepted.
    pub fn memory_requests(&self) -> u64 {
        self.bus.port().accepted()
    }

    /// Accesses that found a row open, another one open, or none; `None` for a memory without rows.
    pub fn memory_rows(&self) -> Option<[u64; 3]> {
        self.bus.port().rows()
    }

    /// Predicts to the end, or for `max_cycles`: gives the number of cycles.
    pub fn run(&mut self, max_cycles: u64) -> u64 {
        while self.stop.is_none() && self.cycle < max_cycles {
            self.cycle();
        }
        self.cycle
    }
}
