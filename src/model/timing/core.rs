//! All parts of a core. What they do in a cycle is in `cycle`; what is asked of them from outside, in `interface`.

use std::collections::VecDeque;

use super::access::Banks;
use super::bus::Bus;
use super::dispatcher::Dispatcher;
use super::few::Few;
use super::front::Front;
use super::latencies::Latencies;
use super::lsu::LoadStoreUnit;
use super::now::Now;
use super::order::RoundRobin;
use super::port::MemoryPort;
use super::record::Record;
use super::sharing::WarpSharing;
use super::skip::Skip;
use super::slice::Slice;
use super::special::SpecialUnit;
use crate::sched::{Ages, CoreView};
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

/// A core just out of reset.
pub struct Reset<'a> {
    /// Its configuration.
    pub cfg: &'a CoreConfig,
    /// What is in memory.
    pub memory: Memory,
    /// The first instruction's address and the word in `mscratch`, unless there are grids.
    pub start: (u32, u32),
    /// Grids, to run one after another.
    pub launches: &'a [GridLaunch],
    /// When memory answers.
    pub port: MemoryPort,
    /// How long the units take.
    pub latencies: Latencies,
}

/// A core of at most `MOST` slices and as many paths to memory.
pub(super) struct Core<const MOST: usize> {
    pub(super) machine: Machine,
    /// By warp, the accesses that have issued and that the load-store unit has not taken.
    pub(super) accesses: Vec<VecDeque<Box<Retire>>>,
    pub(super) threads: usize,
    pub(super) banks: Banks,
    /// One scheduler serves fetch and issue.
    pub(super) unified: bool,
    /// The program reads a counter of events in this cycle.
    pub(super) counter_read: Option<CounterRead>,
    pub(super) dispatcher: Dispatcher,
    pub(super) front: Front<MOST>,
    pub(super) slices: Few<Slice, MOST>,
    /// If the slices share warps.
    pub(super) sharing: Option<WarpSharing>,
    pub(super) all_warps: WarpMask,
    pub(super) latencies: Latencies,
    /// What all schedulers see alike.
    pub(super) seen: CoreView,
    /// Ages or blocks are others from the next cycle on.
    pub(super) view_changes: bool,
    pub(super) ages: Ages,
    pub(super) special: SpecialUnit,
    /// Which slice's instruction the special unit takes next.
    pub(super) special_turns: RoundRobin,
    pub(super) lsu: LoadStoreUnit<MOST>,
    pub(super) bus: Bus,
    pub(super) cycle: u64,
    /// Thread instructions that `minstret` has counted, and those of the last two cycles, which it has not.
    pub(super) threads_issued: [u64; 3],
    pub(super) stop: Option<Stop>,
    /// The last cycle, over which the next one is written; `None` while that happens.
    pub(super) now: Option<Box<Now<MOST>>>,
    /// Of the last cycle, and of the one before.
    pub(super) records: [Box<Record>; 2],
    /// Whether nothing can happen.
    pub(super) skip: Skip<MOST>,
    /// The instruction that was executed last.
    pub(super) retire: Box<Retire>,
    /// Records to be written over.
    #[expect(clippy::vec_box, reason = "half a kilobyte each: their addresses move, not they")]
    pub(super) spare_retires: Vec<Box<Retire>>,
}

impl<const MOST: usize> Core<MOST> {
    /// What lets slices share warps, if any do: one slice has nobody to share with, and the compiler then knows it.
    pub(super) fn sharing(&self) -> Option<&WarpSharing> {
        self.sharing.as_ref().filter(|_| MOST > 1)
    }

    pub fn new(Reset { cfg, memory, start, launches, port, latencies }: Reset) -> Self {
        Self {
            machine: match launches {
                [] => Machine::new(cfg, memory, start.0, start.1),
                _ => Machine::at_rest(cfg, memory),
            },
            accesses: vec![VecDeque::new(); cfg.warps],
            dispatcher: Dispatcher::new(cfg, launches),
            threads: cfg.threads,
            banks: Banks::new(cfg),
            unified: cfg.unified().is_some(),
            counter_read: None,
            front: Front::new(cfg),
            slices: Few::new(cfg.slices, |number| Slice::new(cfg, number, latencies)),
            sharing: WarpSharing::new(cfg),
            all_warps: cfg.all_warps(),
            latencies,
            seen: CoreView {
                older: *Ages::new(cfg.warps).older(),
                cta: PerWarp(std::array::from_fn(|wid| match wid < cfg.warps {
                    true => cfg.bare_cta(wid) as u8,
                    false => 0,
                })),
                ..CoreView::default()
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
            now: Some(Box::new(Now::new(cfg.slices))),
            records: Default::default(),
            skip: Skip::new(cfg),
            retire: Box::new(Retire::blank()),
            spare_retires: vec![],
        }
    }
}
