//! A bench around one issue slice: queues, memory and special unit played by the reference model.
//!
//! The model executes every instruction at its issue; what the slice then hands to the units, how it resolves
//! branches and what it commits is compared with what the model did.

mod front;
mod ports;
mod units;

use std::collections::VecDeque;

use front::Front;
use isa::random::Rng;
use isa::{Image, Op};
use model::{Machine, Memory, Retire};
use ports::Ports;
use spec::config::CoreConfig;
use units::Units;

/// How the surroundings behave. A number `n` means that something happens in one cycle out of `n`.
#[derive(Clone, Copy)]
pub struct Surroundings {
    /// An instruction arrives in a warp's queue.
    pub fetch: usize,
    /// A unit takes an instruction, a load or special result arrives, a fence ends.
    pub units: usize,
    /// Load results come lane by lane instead of whole.
    pub partial_loads: bool,
}

impl Surroundings {
    /// Everything at once.
    pub const IDEAL: Self = Self { fetch: 1, units: 1, partial_loads: false };
}

/// An instruction between issue and commit.
#[derive(Clone, Copy)]
pub struct InFlight {
    pub retire: Retire,
    pub issued: u64,
    /// Registers that it read: the lanes' values before it.
    pub rs1: [u32; 32],
    pub rs2: [u32; 32],
    /// Lanes still to be committed.
    pub lanes: u32,
}

/// One line of the bench's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub cycle: u64,
    pub wid: usize,
    pub op: Op,
}

pub struct Bench {
    pub threads: usize,
    pub warps: usize,
    pub machine: Machine,
    pub cycle: u64,
    pub issues: Vec<Event>,
    pub commits: Vec<Event>,
    pub branches: Vec<Event>,
    /// Whether each of `branches` was taken.
    pub taken: Vec<bool>,
    /// Cycles in which a warp was ready and nothing fired.
    pub lost: u64,
    ports: Ports,
    fronts: Vec<Front>,
    units: Units,
    /// What has issued and will write a register.
    writes: Vec<InFlight>,
    /// What has issued and must resolve in the slice, one for each warp.
    unresolved: Vec<Option<InFlight>>,
    rng: Rng,
    surroundings: Surroundings,
}

/// Everything the slice shows in one cycle that concerns issue and commit.
struct Seen {
    fire: bool,
    wid: usize,
    fire_warps: u32,
    tmask: u32,
}

impl Bench {
    pub fn new(cfg: &CoreConfig, image: &Image, seed: u64, surroundings: Surroundings) -> Self {
        let mut memory = Memory::for_core(cfg);
        memory.load(image.base, &image.bytes);
        let machine = Machine::new(cfg, memory, image.base, 0);
        let mut ports = Ports::new(cfg, seed);
        ports.write("reset", 1u32);
        ports.edge();
        ports.write("reset", 0u32);
        Self {
            threads: cfg.threads,
            warps: cfg.warps,
            machine,
            cycle: 0,
            issues: vec![],
            commits: vec![],
            branches: vec![],
            taken: vec![],
            lost: 0,
            ports,
            fronts: (0..cfg.warps).map(|_| Front::default()).collect(),
            units: Units::default(),
            writes: vec![],
            unresolved: vec![None; cfg.warps],
            rng: Rng::new(seed),
            surroundings,
        }
    }

    /// Runs until every warp has exited and the slice is empty.
    pub fn run(&mut self, limit: u64) {
        while !(self.machine.finished() && self.fronts.iter().all(|front| !front.active) && self.drained()) {
            assert!(self.cycle < limit, "does not end: {}", self.state());
            self.step();
        }
        assert_eq!(self.ports.read("busy"), 0);
    }

    fn drained(&self) -> bool {
        self.writes.is_empty() && self.units.idle() && self.ports.read("busy") == 0
    }

    fn state(&self) -> String {
        let ready = self.ports.read("sched_ready_warps");
        format!("cycle {}, ready {ready:b}, {} writes to come", self.cycle, self.writes.len())
    }

    fn once_in(&mut self, n: usize) -> bool {
        n == 1 || self.rng.one_in(n)
    }

    /// One clock cycle.
    pub fn step(&mut self) {
        self.present_front();
        self.present_units();
        self.ports.eval();
        let seen = self.present_payload();
        self.check_masks(&seen);
        self.commit();
        self.resolve();
        self.collect();
        if seen.fire {
            self.issue(seen.wid, seen.tmask);
        }
        self.ports.edge();
        self.cycle += 1;
        self.settle_warps();
    }

    /// The queue's payload follows the grant in the same cycle.
    fn present_payload(&mut self) -> Seen {
        let wid = self.ports.read("issue_wid") as usize;
        let (pc, raw) = self.fronts[wid].queue.front().copied().unwrap_or_default();
        self.ports.write("head_instr", raw);
        self.ports.write("head_pc", pc);
        let fire_warps = self.ports.read("issue_fire_warps");
        self.ports.write("core_issue_fire_warps", fire_warps);
        self.ports.eval();
        let seen = Seen {
            fire: self.ports.read("issue_valid") != 0,
            wid,
            fire_warps,
            tmask: self.ports.read("issue_tmask"),
        };
        assert_eq!(self.ports.read("issue_wid") as usize, wid, "the grant hangs on the payload");
        assert_eq!(seen.fire_warps, u32::from(seen.fire) << wid);
        seen
    }

    /// Each active warp is ready or has one reason not to be.
    fn check_masks(&mut self, seen: &Seen) {
        let ready = self.ports.read("sched_ready_warps");
        let (mut union, mut count) = (0, 0);
        for cause in ["ibuffer", "control", "scoreboard", "pipeline"] {
            let mask = self.ports.read(&format!("stall_on_{cause}"));
            count += mask.count_ones();
            union |= mask;
        }
        let active = self.active_warps();
        assert_eq!(union | ready, active, "a warp without a state");
        assert_eq!(count, union.count_ones(), "a warp with two causes");
        assert_eq!(seen.fire_warps & (union | !ready), 0, "a stalled warp fires");
        self.lost += u64::from(ready != 0 && !seen.fire);
    }

    fn issue(&mut self, wid: usize, tmask: u32) {
        let what = format!("cycle {} warp {wid}", self.cycle);
        let (pc, raw) = self.fronts[wid].queue.pop_front().expect("a queue without a head does not issue");
        let before = self.machine.warp(wid).clone();
        assert!(self.unresolved[wid].is_none() && !self.fronts[wid].blocked, "{what}: issues past a branch");
        assert_eq!((pc, tmask), (before.pc(), before.tmask()), "{what}");
        let retire = self.machine.step(wid).unwrap_or_else(|fault| panic!("{what}: {fault}"));
        assert_eq!(retire.raw, raw, "{what}");
        let op = retire.op;
        let (rs1, rs2) = (raw as usize >> 15 & 31, raw as usize >> 20 & 31);
        // A value must have been committed before its register is read, or written again.
        for write in self.writes.iter().filter(|write| write.retire.wid == wid) {
            let busy = write.retire.rd.map(usize::from);
            assert!(!op.reads_rs1() || busy != Some(rs1), "{what}: {op:?} reads x{rs1} too early");
            assert!(!op.reads_rs2() || busy != Some(rs2), "{what}: {op:?} reads x{rs2} too early");
            assert_ne!(retire.rd, write.retire.rd, "{what}: {op:?} overtakes");
        }
        let flight = InFlight {
            retire,
            issued: self.cycle,
            rs1: *before.register(rs1),
            rs2: *before.register(rs2),
            lanes: tmask,
        };
        if retire.rd.is_some() {
            self.writes.push(flight);
        }
        if op.is_branch() || op.is_jump() {
            self.unresolved[wid] = Some(flight);
        } else if flight.for_mem() || flight.for_sfu() {
            self.units.expect(flight);
            self.fronts[wid].blocked = flight.blocks();
        }
        self.issues.push(Event { cycle: self.cycle, wid, op });
    }

    fn commit(&mut self) {
        if self.ports.read("commit_valid") == 0 {
            return;
        }
        let wid = self.ports.read("commit_wid") as usize;
        let rd = self.ports.read("commit_rd") as u8;
        let tmask = self.ports.read("commit_tmask");
        let what = format!("cycle {} warp {wid} x{rd}", self.cycle);
        let found = |write: &InFlight| write.retire.wid == wid && write.retire.rd == Some(rd);
        let at = self.writes.iter().position(found).unwrap_or_else(|| panic!("{what}: nobody writes it"));
        let write = &mut self.writes[at];
        let op = write.retire.op;
        assert!(
            tmask != 0 && tmask & !write.lanes == 0,
            "{what}: {op:?} lanes {tmask:b} of {:b}",
            write.lanes
        );
        for lane in (0..self.threads).filter(|lane| tmask >> lane & 1 != 0) {
            let value = self.ports.lane("commit_data", lane);
            assert_eq!(value, write.retire.values[lane], "{what}: {op:?} lane {lane}");
        }
        write.lanes &= !tmask;
        let last = write.lanes == 0;
        assert_eq!(self.ports.read("commit_last") != 0, last, "{what}");
        if last {
            self.writes.remove(at);
            self.commits.push(Event { cycle: self.cycle, wid, op });
        }
    }

    fn resolve(&mut self) {
        if self.ports.read("branch_valid") == 0 {
            return;
        }
        let wid = self.ports.read("branch_wid") as usize;
        let what = format!("cycle {} warp {wid}", self.cycle);
        let flight = self.unresolved[wid].take().unwrap_or_else(|| panic!("{what}: no branch to resolve"));
        let target = self.ports.read("branch_target");
        let taken = self.ports.read("branch_taken") != 0;
        let next = if taken { target } else { flight.retire.pc.wrapping_add(4) };
        assert_eq!(
            next,
            self.machine.warp(wid).pc(),
            "{what}: {:?} at {:#x}",
            flight.retire.op,
            flight.retire.pc
        );
        self.branches.push(Event { cycle: self.cycle, wid, op: flight.retire.op });
        self.taken.push(taken);
        if taken {
            self.fronts[wid].redirect(target);
        }
    }
}

impl InFlight {
    pub fn for_mem(&self) -> bool {
        let op = self.retire.op;
        op.accesses_memory() || matches!(op, Op::Fence | Op::FenceI)
    }

    pub fn for_sfu(&self) -> bool {
        use isa::{Latency, Unit};
        self.retire.op.info().unit == Unit::Sfu || self.retire.op.info().latency == Latency::Div
    }

    /// Nothing younger issues until the unit says so.
    pub fn blocks(&self) -> bool {
        let op = self.retire.op;
        op.changes_mask() || op.is_barrier() || matches!(op, Op::Fence | Op::FenceI)
    }
}

/// Instructions that a unit will be offered, in issue order for each warp.
type Expected = Vec<VecDeque<InFlight>>;
