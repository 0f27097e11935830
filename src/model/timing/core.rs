//! The predictor: all parts, one clock cycle at a time.

use super::bus::{Bus, MemoryTiming, Response};
use super::dispatcher::Dispatcher;
use super::fetch::Decoded;
use super::front::{Front, Kind};
use super::icache::InstructionCache;
use super::instr::Collector;
use super::latencies::Latencies;
use super::lsu::LoadStoreUnit;
use super::record::{BusRecord, Issued, Loaded, Record, SliceRecord};
use super::scoreboard::{Room, Scoreboard};
use super::special::SpecialUnit;
use super::traffic::Traffic;
use super::units::{Port, Units, What};
use super::Result;
use crate::sched::{self, Ages, CoreView, Events, Oracles, SchedulerModel, StageView, View};
use crate::{Fault, GridLaunch, Machine, Memory, PerWarp, Started};
use spec::config::{CoreConfig, WarpMask};
use spec::registry::Stage;

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
    pub(super) threads: usize,
    pub(super) btfn: bool,
    /// One scheduler serves fetch and issue.
    unified: bool,
    /// The program has read a counter of events.
    pub(super) reads_counters: bool,
    pub(super) dispatcher: Dispatcher,
    pub(super) front: Front,
    icache: InstructionCache,
    scoreboard: Scoreboard,
    policy: Box<dyn SchedulerModel>,
    oracles: Option<Oracles>,
    view: View,
    ages: Ages,
    pub(super) units: Units,
    pub(super) special: SpecialUnit,
    lsu: LoadStoreUnit,
    bus: Bus,
    pub(super) cycle: u64,
    /// Thread instructions that `minstret` has counted, and those of the last two cycles, which it has not.
    pub(super) threads_issued: [u64; 3],
    pub(super) stop: Option<Stop>,
    record: Record,
    pub(super) traffic: Traffic,
}

impl Predictor {
    /// A core just out of reset; `None` for a core with several slices or with operand collectors. `start` are the first
    /// instruction's address and the word in `mscratch`, unless there are `launches` to run one after another.
    pub fn new(
        cfg: &CoreConfig,
        memory: Memory,
        start: (u32, u32),
        launches: &[GridLaunch],
        timing: Box<dyn MemoryTiming>,
        latencies: Latencies,
    ) -> Option<Self> {
        if !Self::covers(cfg) {
            return None;
        }
        Some(Self {
            machine: match launches {
                [] => Machine::new(cfg, memory, start.0, start.1),
                _ => Machine::at_rest(cfg, memory),
            },
            dispatcher: Dispatcher::new(cfg, launches),
            threads: cfg.threads,
            btfn: cfg.btfn,
            unified: cfg.unified().is_some(),
            reads_counters: false,
            front: Front::new(cfg)?,
            icache: InstructionCache::new(&cfg.icache),
            scoreboard: Scoreboard::new(),
            policy: sched::build(&cfg.issue, cfg, Stage::Issue)?,
            oracles: if cfg.oracle { Some(Oracles::new(cfg)?) } else { None },
            view: View {
                stage: StageView { own_warps: cfg.all_warps(), ..StageView::default() },
                core: CoreView {
                    older: *Ages::new(cfg.warps).older(),
                    cta: PerWarp(std::array::from_fn(|wid| wid as u8)),
                    ..CoreView::default()
                },
            },
            ages: Ages::new(cfg.warps),
            units: Units::new(latencies),
            special: SpecialUnit::new(cfg.barriers().next_power_of_two()),
            lsu: LoadStoreUnit::new(cfg),
            bus: Bus::new(timing),
            cycle: 0,
            threads_issued: [0; 3],
            stop: None,
            record: Record::default(),
            traffic: Traffic::default(),
        })
    }

    /// Whether it knows the timing of such a core.
    pub fn covers(cfg: &CoreConfig) -> bool {
        cfg.slices == 1 && !cfg.collects()
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

    /// What the issue policy does, and what it decided by.
    pub fn policy(&self) -> &dyn SchedulerModel {
        &*self.policy
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

    /// The next cycle, and who has its issue slot. Nobody once there is nothing more to predict.
    pub fn cycle(&mut self) -> Option<Slot> {
        if self.stop.is_some() {
            return None;
        }
        let first = self.cycle == 0;
        let rests = self.dispatcher.rests;
        let launched = if self.busy() { None } else { self.dispatcher.take() };
        let boot = first && launched.is_none();
        if let Some(Err(fault)) = launched.as_ref().map(|launch| self.machine.launch(launch)) {
            self.stop = Some(Stop::Fault(fault));
            return None;
        }
        if !boot && launched.is_none() && !self.busy() && !self.dispatcher.has_more() {
            self.stop = Some(Stop::Finished);
            return None;
        }
        // 1. what the registers show: responses of memory, results, room
        let (arrived, data) = match self.bus.response() {
            Some(Response::Icache(tag)) => (Some(tag), None),
            Some(Response::Data(tag)) => (None, Some(tag)),
            None => (None, None),
        };
        let written = self.lsu.result;
        let written_lanes = self.lsu.result_lanes;
        let outlook = self.units.outlook(self.cycle, written.is_some(), self.special.result.is_some());
        let arriving = self.units.holds(Collector::Mem);
        let room = Room { sfu: self.units.sfu_room(), mem: self.lsu.room(arriving) };
        let shown = self.special.shown;
        let barrier_warps = self.special.barrier_warps();
        let active = self.front.active_warps;
        let fetch_request = self.icache.request();
        let data_request = self.lsu.request();
        let grants = self.bus.grants(fetch_request.is_some(), data_request.is_some());

        // 2. the special unit takes its next instruction
        let task = self.units.sfu.as_ref().and_then(|work| match work.what {
            What::Special(task) => Some((work.wid, work.rd, task)),
            _ => None,
        });
        let special_written = self.special.result.filter(|_| outlook.port == Some(Port::Special));
        let (special_taken, barriers) =
            self.special.cycle(task, active, self.dispatcher.placement(), special_written.is_some());
        if special_taken {
            self.read_csr(task);
        }

        // 3. memory instructions
        let arriving = self.units.leaving_memory();
        let memory = self.lsu.cycle(arriving, data, grants);
        let flush_icache = memory.fence.is_some_and(|(_, fence_i)| fence_i);

        // 4. warps that go on elsewhere, end, begin
        let block = if launched.is_some() { Started::default() } else { self.dispatcher.cycle(active) };
        if let Some(slot) = block.slot {
            self.machine.start_block(slot);
        }
        let control_warp = shown.control.map_or(0, |(wid, _)| 1 << wid);
        let ended_warps = shown.control.map_or(0, |(wid, ends)| WarpMask::from(ends) << wid);
        let begun_warps = shown.spawn_warps | block.warps | WarpMask::from(boot);
        let taken_warp = outlook.taken.map_or(0, |wid| 1 << wid);
        let fence_warp = memory.fence.map_or(0, |(wid, _)| 1 << wid);
        let fence_i_warp = if flush_icache { fence_warp } else { 0 };
        let flush_icache = flush_icache || launched.is_some();
        let redirected = control_warp | taken_warp | fence_i_warp;

        // 5. a miss of the last cycle holds its warp; the request of that cycle may miss in turn
        let missed = self.icache.missed();
        if let Some((wid, followed)) = missed {
            self.front.miss(wid, followed);
        }

        // 6. who issues and, unless that is one selection, who fetches
        let held_warps = self.front.suspended_warps | missed.map_or(0, |(wid, _)| 1 << wid);
        let unblocked = active & !barrier_warps;
        let parked_warps = active & (self.scoreboard.unresolved_warps | barrier_warps);
        let filled_warps = self.front.filled_warps();
        let (data_ready, ready) = self.scoreboard.ready(unblocked & filled_warps, &self.front.heads, room);
        let free_warps = unblocked & !self.scoreboard.unresolved_warps;
        let stall_ibuffer = free_warps & !filled_warps;
        let stall_scoreboard = free_warps & filled_warps & !data_ready;
        let fetch_waits = self.front.waiting_warps();
        let stall_pipeline = if outlook.stall { data_ready } else { data_ready & !ready };
        let view = &mut self.view;
        view.core.active_warps = active;
        view.core.barrier.warps = barrier_warps;
        view.core.held_warps = held_warps;
        view.core.icache_req_ready = arrived.is_none();
        view.core.memory.done_warps = memory.done_warps;
        view.core.barrier.arrive_warps = barriers.arrive_warps;
        view.core.barrier.release_warps = barriers.release_warps;
        view.core.start_warps = begun_warps;
        view.core.exit_warps = ended_warps;
        view.core.kernel_start = first || launched.is_some();
        view.core.cta_start = block.slot.map_or(begun_warps, |slot| 1 << slot);
        view.core.last_cta_dispatched = block.was_last;
        let own_warps = view.stage.own_warps;
        view.stage = StageView {
            ready_warps: ready,
            data_ready_warps: data_ready,
            own_warps,
            memory_warps: self.front.memory_warps,
            empty_warps: if self.unified { 0 } else { own_warps & !filled_warps },
            ..StageView::default()
        };
        let choice = self.policy.pick(view);
        let selected = choice.filter(|_| !outlook.stall);
        let at_issue = view.stage;
        let fetching = match &self.front.kind {
            Kind::Unified(_) => None,
            Kind::Decoupled(fetch) => fetch.pick(active & !held_warps, self.front.memory_warps, choice, view),
        };
        let can_fetch = if self.unified { choice.is_some() } else { view.stage.ready_warps != 0 };
        let has_room = |&(wid, full): &(usize, bool)| !full || selected == Some(wid);
        let fetches = fetching.filter(has_room).filter(|_| arrived.is_none()).map(|(wid, _)| wid);
        view.core.issue_fire_warps = selected.map_or(0, |wid| 1 << wid);
        view.core.fetch_fire_warps = if self.unified { selected } else { fetches }.map_or(0, |wid| 1 << wid);
        let mut fetched = None;
        if let Kind::Decoupled(fetch) = &mut self.front.kind {
            fetched = fetch.clock(view, fetching.map(|(wid, _)| wid), fetches);
        }
        view.stage = at_issue;
        let departs = self.oracles.as_mut().map_or([false; 2], |oracles| {
            let sent_warps = if self.unified { redirected } else { taken_warp };
            let events = Events {
                absent_warps: stall_ibuffer,
                taken_warps: sent_warps & !ended_warps,
                granted: choice,
                stalled: outlook.stall || self.unified && arrived.is_some(),
            };
            oracles.cycle(view, &events)
        });
        view.stage.fire = selected.is_some();
        view.stage.fired_oh = view.core.issue_fire_warps;
        self.policy.clock(view, choice);
        if begun_warps != 0 {
            self.ages.start(begun_warps);
            self.view.core.older = *self.ages.older();
        }

        // 7. the edge: issue
        let resumed = shown.resume_warps | fence_warp | begun_warps;
        let resolved = resumed | outlook.resolved_warps();
        self.scoreboard.unresolved_warps &= !resolved;
        let mut slot = None;
        let mut issued = None;
        let mut issued_threads = 0;
        let mut issued_instr = None;
        if let Some(wid) = selected {
            let head = self.front.heads[wid];
            let pc = head.map(|_| self.front.head_pc(wid));
            issued_instr = head.zip(pc).map(|(head, pc)| {
                let tmask = self.machine.warp(wid).tmask();
                Issued { wid, pc, raw: head.raw, tmask }
            });
            slot = Some(Slot { wid, pc });
            if let Some(instr) = head {
                issued_threads = u64::from(self.machine.warp(wid).tmask().count_ones());
                self.scoreboard.issue(wid, &instr);
                issued = self.issue(wid, &instr);
            }
            if let Some(pc) = self.front.issue(wid, &self.machine) {
                fetched = Some((wid, pc));
            }
        }
        let [counted, summed, last] = self.threads_issued;
        self.threads_issued = [counted + summed, last, issued_threads];

        // 8. the edge: units and their results
        let result = self.units.cycle(self.cycle, &outlook, special_taken, issued);
        let loaded = written.filter(|(_, last)| *last).map(|(result, _)| result);
        for result in [loaded, special_written, result].into_iter().flatten() {
            self.scoreboard.written(result);
        }

        // 9. the edge: front end and bus
        let decoded = self.decoded(taken_warp | ended_warps);
        let killed_warps = redirected | decoded.stops_warps;
        let request = fetched.filter(|&(wid, _)| killed_warps >> wid & 1 == 0);
        let parked_warps = if self.unified { parked_warps } else { 0 };
        let wake =
            self.icache.cycle(request, killed_warps, parked_warps, arrived, grants.icache, flush_icache);
        if let Kind::Decoupled(fetch) = &mut self.front.kind {
            let request = request.filter(|_| self.icache.looks_up());
            let found = self.icache.outcome();
            let changed = fetch.advance(request, found, selected, decoded, killed_warps);
            self.front.look_at_heads(changed, &self.machine);
        }
        if flush_icache {
            self.front.forget();
        }
        self.front.suspended_warps = (held_warps & !wake) & !(killed_warps | begun_warps);
        self.front.redirect(redirected | begun_warps, &self.machine);
        self.front.active_warps = active & !ended_warps | begun_warps;
        let response_taken = arrived.is_some() || memory.response_taken;
        self.bus.clock(self.cycle, fetch_request, data_request, response_taken);
        let stores = data_request.is_some_and(|request| request.store);
        self.record = Record {
            busy: self.dispatcher.rests == rests,
            stall_control: active & !free_warps,
            stall_ibuffer,
            stall_scoreboard,
            stall_pipeline,
            fetch_waits,
            cache: memory.cache,
            bus: BusRecord {
                read: grants.icache || grants.data && !stores,
                write: grants.data && stores,
                response: response_taken,
            },
            ..Record::default()
        };
        let loaded = |(Result { wid, rd }, last): (Result, bool)| Loaded {
            wid: wid.into(),
            rd,
            lanes: written_lanes,
            last,
        };
        self.record.slices[0] = SliceRecord {
            issued: issued_instr,
            fires: selected.is_some(),
            can_fetch,
            fetches: if self.unified { selected.is_some() } else { fetches.is_some() },
            icache: self.icache.outcome(),
            loaded: written.map(loaded),
            departs,
        };
        if launched.is_some() {
            self.show_placement();
        }
        self.cycle += 1;
        slot
    }

    /// What the decoder has, if fetching has a scheduler of its own.
    fn decoded(&mut self, flushed_warps: WarpMask) -> Decoded {
        let Kind::Decoupled(fetch) = &self.front.kind else { return Decoded::default() };
        let Some(request) = fetch.in_decoder() else { return Decoded::default() };
        let instr = self.front.decode(request.1, &self.machine);
        match &self.front.kind {
            Kind::Decoupled(fetch) => fetch.look_behind(request, &instr, flushed_warps),
            Kind::Unified(_) => Decoded::default(),
        }
    }

    /// From now on warps are of the CTA slots of the grid that was taken.
    fn show_placement(&mut self) {
        let Some(blocks) = self.dispatcher.placement() else { return };
        let slots = &mut self.view.core.cta;
        slots.iter_mut().enumerate().for_each(|(wid, slot)| *slot = blocks.slot_of(wid) as u8);
    }

    fn busy(&self) -> bool {
        self.front.active_warps != 0
            || self.dispatcher.busy()
            || self.special.shown.spawn_warps != 0
            || self.units.busy()
            || self.special.busy()
            || self.lsu.busy()
    }
}
