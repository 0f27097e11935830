//! The whole front end, against a program order kept by hand.
//!
//! The issue stage, the units and the memory are played by the test: random issue, random branch outcomes, random warp
//! control, random memory latency and order. Whatever happens, each warp must issue exactly its own path through memory.
use super::bench::{drive, number, settle, tick};
use super::front_end::FrontEnd;
use super::shadow::Shadow;
use crate::sample;
use cosim::Rng;
use rtl::mem::icache::InstructionCache;
use rtl::stage::decode::Decoder;
use rtl::stage::ibuffer::InstructionBuffer;
use rtl::stage::schedule::WarpTable;
use spec::config::{CacheConfig, CoreConfig};

const ADDI: u32 = 0x0010_8093;
const LW: u32 = 0x0000_a103;
const BEQ: u32 = 0x0020_8463;
const SPLIT: u32 = 0x0000_a18b;
const FENCE_I: u32 = 0x0000_100f;

/// The program: a word for each address, the same every time it is asked.
fn word_at(pc: u32) -> u32 {
    let hash = (pc >> 2).wrapping_mul(0x9e37_79b1) >> 16;
    // the upper bits make words differ, so that a wrong address shows
    match hash % 16 {
        0..=1 => BEQ ^ (hash << 25),
        2 => SPLIT,
        3 if hash.is_multiple_of(5) => FENCE_I,
        3..=6 => LW | hash << 20,
        _ => ADDI | hash << 20,
    }
}

/// What a warp does beyond going on: known once it has issued.
#[derive(Clone, Copy, Debug)]
enum Pending {
    Branch { slice: usize, cycle: u64, taken: bool, target: u32 },
    Control { cycle: u64 },
    Fence { cycle: u64 },
}

struct Warp {
    active: bool,
    tmask: u32,
    pc: u32,
    pending: Option<Pending>,
    issued: u64,
}

struct Bench {
    rtl: FrontEnd,
    cfg: CoreConfig,
    rng: Rng,
    warps: Vec<Warp>,
    /// Line requests taken: slice, tag, line, first cycle of the response.
    lines: Vec<(usize, u32, u32, u64)>,
    cycle: u64,
    latency: u32,
    issue_percent: u32,
    met: Met,
    /// The Verilog of the four stages, if it runs along.
    shadows: Vec<Shadow>,
}

/// How often the interesting events happened.
#[derive(Debug, Default)]
struct Met {
    taken: u32,
    taken_while_suspended: u32,
    controls: u32,
    exits: u32,
    fences: u32,
    faults: u32,
    spawns: u32,
    misses: u32,
    full: u32,
    pairs: u32,
}

impl Bench {
    fn new(cfg: CoreConfig, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let latency = [1, 4, 40][rng.below(3) as usize];
        let idle = || Warp { active: false, tmask: 0, pc: 0, pending: None, issued: 0 };
        Self {
            rtl: FrontEnd::new(&cfg),
            warps: (0..cfg.warps).map(|_| idle()).collect(),
            cfg,
            rng,
            lines: vec![],
            cycle: 0,
            latency,
            issue_percent: 0,
            met: Met::default(),
            shadows: vec![],
        }
    }

    /// An address of the program: a few KB, so that small caches conflict.
    fn address(&mut self) -> u32 {
        0x8000_0000 + self.rng.below(1024) * 4
    }

    fn start(&mut self, wid: usize, pc: u32) {
        self.warps[wid] = Warp { active: true, tmask: 1, pc, pending: None, issued: self.warps[wid].issued };
    }

    /// One cycle: inputs from what was decided earlier, checks, decisions, clock edge.
    fn step(&mut self) {
        let slices = self.cfg.slices;
        let tmask_all = (1u64 << self.cfg.threads) as u32 - 1;
        self.quiet();
        if self.cycle.is_multiple_of(128) {
            self.issue_percent = [10, 70, 100][self.rng.below(3) as usize];
        }

        // units: what completes this cycle
        let mut control_done = false;
        for wid in 0..self.cfg.warps {
            match self.warps[wid].pending {
                Some(Pending::Branch { slice, cycle, taken, target }) if cycle == self.cycle => {
                    let table = &mut self.rtl.table;
                    let suspended = number(&table.core.held_warps) >> wid & 1 != 0;
                    self.met.taken += u32::from(taken);
                    self.met.taken_while_suspended += u32::from(taken && suspended);
                    table.branch[slice].valid.next = true;
                    drive(&mut table.branch[slice].wid, wid as u32);
                    table.branch[slice].taken.next = taken;
                    drive(&mut table.branch[slice].target, target);
                }
                Some(Pending::Control { cycle }) if cycle <= self.cycle && !control_done => {
                    control_done = true;
                    self.met.controls += 1;
                    let exit = self.rng.percent(20);
                    self.met.exits += u32::from(exit);
                    let mask = if exit { 0 } else { 1 + self.rng.below(tmask_all) };
                    let jump = self.rng.percent(30);
                    let target = self.address();
                    let table = &mut self.rtl.table;
                    table.wctl.valid.next = true;
                    drive(&mut table.wctl.wid, wid as u32);
                    drive(&mut table.wctl.tmask, mask);
                    table.wctl.jump.next = jump;
                    drive(&mut table.wctl.pc, target);
                    self.warps[wid].tmask = mask;
                    self.warps[wid].active = !exit;
                    if jump {
                        self.warps[wid].pc = target;
                    }
                }
                Some(Pending::Fence { cycle }) if cycle == self.cycle => {
                    self.met.fences += 1;
                    drive(&mut self.rtl.table.fence_i_done_warps, 1 << wid);
                    self.rtl.icaches.iter_mut().for_each(|icache| icache.flush_icache.next = true);
                }
                _ => {}
            }
        }
        // spawn, and at times a fault
        let mut spawned = None;
        if self.cycle > 3 && !control_done && self.rng.percent(5) {
            let idle = |w: &usize| !self.warps[*w].active && self.warps[*w].pending.is_none();
            spawned = (0..self.cfg.warps).find(idle);
        }
        let mut spawn_pc = 0;
        if let Some(wid) = spawned {
            self.met.spawns += 1;
            spawn_pc = self.address();
            drive(&mut self.rtl.table.spawn_warps, 1 << wid);
            drive(&mut self.rtl.table.spawn_pc, spawn_pc);
        }
        let running = |w: &usize| self.warps[*w].active && self.warps[*w].pending.is_none();
        let faulted = if self.rng.percent(1) { (0..self.cfg.warps).find(running) } else { None };
        if let Some(wid) = faulted {
            self.met.faults += 1;
            self.rtl.table.fault_valid.next = true;
            drive(&mut self.rtl.table.fault_wid, wid as u32);
        }
        // memory: one response at most, in any order
        for icache in &mut self.rtl.icaches {
            icache.mem_req.ready.next = self.rng.percent(80);
        }
        let ready: Vec<usize> = (0..self.lines.len()).filter(|&i| self.lines[i].3 <= self.cycle).collect();
        if !ready.is_empty() {
            let (slice, tag, line, _) = self.lines.remove(ready[self.rng.below(ready.len() as u32) as usize]);
            let response = &mut self.rtl.icaches[slice].mem_rsp;
            response.valid.next = true;
            drive(&mut response.tag, tag);
            for (i, word) in response.data.iter_mut().enumerate() {
                drive(word, word_at(line * 64 + i as u32 * 4));
            }
        }
        settle(&mut self.rtl);

        // issue: any warp whose head is valid and which waits for nothing
        let valid = number(&self.rtl.ibuffer.heads.valid_warps);
        let mut fire = 0;
        for slice in 0..slices {
            let may =
                |w: &usize| w % slices == slice && valid >> w & 1 != 0 && self.warps[*w].pending.is_none();
            let candidates: Vec<usize> =
                (0..self.cfg.warps).filter(may).filter(|w| Some(*w) != faulted).collect();
            if candidates.is_empty() || !self.rng.percent(self.issue_percent) {
                continue;
            }
            let wid = candidates[self.rng.below(candidates.len() as u32) as usize];
            drive(&mut self.rtl.ibuffer.read_oh[slice], 1 << wid);
            settle(&mut self.rtl);
            fire |= 1 << wid;
            self.issue(wid, slice);
        }
        drive(&mut self.rtl.ibuffer.issue_fire_warps, fire);
        drive(&mut self.rtl.table.issue_fire_warps, fire);
        // A slice that issues nothing may have granted a head that is held up.
        let valid = number(&self.rtl.ibuffer.heads.valid_warps);
        let mut granted = fire;
        for slice in 0..slices {
            let own: Vec<usize> = (slice..self.cfg.warps).step_by(slices).collect();
            let wid = own[self.rng.below(own.len() as u32) as usize];
            if own.iter().all(|w| fire >> w & 1 == 0) && self.rng.percent(50) {
                granted |= valid & 1 << wid;
            }
        }
        drive(&mut self.rtl.table.issue_grant_warps, granted);
        settle(&mut self.rtl);
        self.check();

        let missed = self.rtl.icaches.iter().filter(|icache| icache.icache.miss.val());
        self.met.misses += missed.count() as u32;
        let depth = self.cfg.queue_depth as u32;
        self.met.full +=
            self.rtl.ibuffer.ibuffer_count.iter().filter(|count| number(*count) == depth).count() as u32;

        // what fetching into empty queues alone brings
        for icache in self.rtl.icaches.iter().filter(|icache| icache.fetched.valid.val()) {
            self.met.pairs += u32::from(self.words(number(&icache.fetched.pc)) == 2);
        }
        // requests taken
        for (slice, icache) in self.rtl.icaches.iter().enumerate() {
            if icache.mem_req.valid.val() && icache.mem_req.ready.val() {
                let (tag, line) = (number(&icache.mem_req.tag), number(&icache.mem_req.addr));
                let due = self.cycle + 1 + u64::from(self.rng.below(self.latency));
                self.lines.push((slice, tag, line, due));
            }
        }
        // what completed is over
        for warp in &mut self.warps {
            match warp.pending {
                Some(Pending::Branch { cycle, .. } | Pending::Fence { cycle }) if cycle == self.cycle => {
                    warp.pending = None;
                }
                _ => {}
            }
        }
        if control_done {
            let wid = number(&self.rtl.table.wctl.wid) as usize;
            self.warps[wid].pending = None;
        }
        if let Some(wid) = faulted {
            self.warps[wid].active = false;
            self.warps[wid].tmask = 0;
        }
        if let Some(wid) = spawned {
            self.start(wid, spawn_pc);
        }
        if self.cycle == 0 {
            self.start(0, 0x8000_0000);
        }
        if let [table, icache, decoder, ibuffer] = &mut self.shadows[..] {
            let context = format!("cycle {}", self.cycle);
            table.check(&self.rtl.table, &context);
            icache.check(&self.rtl.icaches[0], &context);
            decoder.check(&self.rtl.decoders[0], &context);
            ibuffer.check(&self.rtl.ibuffer, &context);
        }
        self.shadows.iter_mut().for_each(Shadow::tick);
        tick(&mut self.rtl);
        self.cycle += 1;
        self.check_state();
    }

    /// All inputs to idle.
    fn quiet(&mut self) {
        let table = &mut self.rtl.table;
        drive(&mut table.start_pc, 0x8000_0000);
        table.branch.iter_mut().for_each(|branch| branch.valid.next = false);
        table.wctl.valid.next = false;
        table.fault_valid.next = false;
        drive(&mut table.spawn_warps, 0);
        drive(&mut table.fence_i_done_warps, 0);
        drive(&mut table.issue_fire_warps, 0);
        drive(&mut table.issue_grant_warps, 0);
        drive(&mut self.rtl.ibuffer.issue_fire_warps, 0);
        for icache in &mut self.rtl.icaches {
            icache.mem_rsp.valid.next = false;
            icache.flush_icache.next = false;
        }
    }

    /// Warp `wid` issues its head through `slice`: it must be the next instruction of its path.
    fn issue(&mut self, wid: usize, slice: usize) {
        let (pc, instr) =
            (number(&self.rtl.ibuffer.issue_pc[slice]), number(&self.rtl.ibuffer.issue_instr[slice]));
        let context = format!("cycle {} warp {wid}", self.cycle);
        assert!(self.warps[wid].active, "{context}: an inactive warp issues");
        assert_eq!(format!("{pc:08x}"), format!("{:08x}", self.warps[wid].pc), "{context}");
        assert_eq!(instr, word_at(pc), "{context}");
        let memory = number(&self.rtl.ibuffer.heads.memory_warps) >> wid & 1 != 0;
        assert_eq!(memory, instr & 0x7f == 3, "{context}");
        let blocks = number(&self.rtl.ibuffer.heads.blocks_warps) >> wid & 1 != 0;
        let writes = number(&self.rtl.ibuffer.heads.write_warps) >> wid & 1 != 0;
        assert!(
            !writes || number(&self.rtl.ibuffer.heads.registers[wid].number[0]) == instr >> 7 & 31,
            "{context}"
        );
        let cycle = self.cycle + 2;
        let target = self.address();
        let later = u64::from(self.rng.below(20));
        let taken = self.rng.percent(50);
        let warp = &mut self.warps[wid];
        warp.issued += 1;
        warp.pc = pc.wrapping_add(4);
        warp.pending = match instr & 0x7f {
            0x63 => {
                if taken {
                    warp.pc = target;
                }
                Some(Pending::Branch { slice, cycle, taken, target })
            }
            0x0b => Some(Pending::Control { cycle: cycle + later }),
            0x0f => Some(Pending::Fence { cycle: cycle + later }),
            _ => None,
        };
        assert_eq!(blocks, warp.pending.is_some(), "{context}");
    }

    /// What must hold in every cycle.
    fn check(&self) {
        let table = &self.rtl.table;
        let ready = table.sched.iter().fold(0, |warps, sched| warps | number(&sched.view_.ready_warps));
        for (slice, sched) in table.sched.iter().enumerate() {
            let grant = number(&sched.grant_oh);
            assert!(grant.count_ones() <= 1 && grant & !number(&sched.view_.ready_warps) == 0);
            assert_eq!(grant != 0, number(&sched.view_.ready_warps) != 0);
            if grant != 0 {
                assert_eq!(number(&table.fetch[slice].wid), grant.trailing_zeros());
                assert_eq!(grant.trailing_zeros() as usize % self.cfg.slices, slice, "another slice's warp");
            }
        }
        let idle = number(&table.core.held_warps) | number(&table.waiting_warps);
        assert_eq!(ready & idle, 0, "a stopped warp is fetch-ready");
        assert_eq!(idle & !number(&table.core.active_warps), 0, "an inactive warp is stopped");
        for wid in 0..self.cfg.warps {
            let icache = &self.rtl.icaches[wid % self.cfg.slices];
            let pairs = self.cfg.fetches_pairs();
            let in_stage = |k: usize| {
                let events = &icache.events;
                let there = events.stage_valid[k].val() && number(&events.stage_wid[k]) == wid as u32;
                u32::from(there) * (1 + u32::from(pairs && number(&events.stage_pair) >> k & 1 != 0))
            };
            let fetched = &icache.fetched;
            let in_decode = u32::from(fetched.valid.val() && number(&fetched.wid) == wid as u32)
                * self.words(number(&fetched.pc));
            let held = number(&self.rtl.ibuffer.ibuffer_count[wid]) + in_stage(0) + in_stage(1) + in_decode;
            assert_eq!(
                number(&table.sched[0].view_.unissued[wid]),
                held,
                "warp {wid}: what the fetch scheduler sees"
            );
            assert!(held <= self.cfg.queue_depth as u32, "warp {wid} holds {held}");
            assert!(!pairs || ready >> wid & 1 == 0 || held == 0, "warp {wid} fetches and holds {held}");
        }
    }

    /// How many words an access to this address fetches: no two lines at once.
    fn words(&self, pc: u32) -> u32 {
        1 + u32::from(self.cfg.fetches_pairs() && pc % 64 != 60)
    }

    /// The warp table against the warps as they must be, after the clock edge: these outputs come from registers.
    fn check_state(&self) {
        for (wid, warp) in self.warps.iter().enumerate() {
            let active = number(&self.rtl.table.core.active_warps) >> wid & 1 != 0;
            assert_eq!(active, warp.active, "cycle {} warp {wid}", self.cycle);
            assert_eq!(number(&self.rtl.table.tmask[wid]), warp.tmask, "cycle {} warp {wid}", self.cycle);
        }
    }
}

fn run(cfg: CoreConfig, seed: u64, cycles: u64) -> Met {
    let mut bench = Bench::new(cfg, seed);
    for _ in 0..cycles {
        bench.step();
    }
    let issued: u64 = bench.warps.iter().map(|warp| warp.issued).sum();
    println!("{issued} instructions in {cycles} cycles, {:?}", bench.met);
    assert!(issued > cycles / 40, "only {issued} instructions in {cycles} cycles: the front end hangs");
    bench.met
}

/// Runs the Verilog of all four stages along with them and compares every output in every cycle.
#[test]
fn the_verilog_does_the_same() {
    let cfg = config(6, 2, 4, 512, 2, "lrr");
    let mut bench = Bench::new(cfg.clone(), 11);
    bench.shadows = vec![
        Shadow::new(WarpTable::new(&cfg), "warp_table"),
        Shadow::new(InstructionCache::new(&cfg), "icache"),
        Shadow::new(Decoder::new(&cfg), "decoder"),
        Shadow::new(InstructionBuffer::new(&cfg), "ibuffer"),
    ];
    let cycles = if sample::is_full() { 3000 } else { 300 };
    (0..cycles).for_each(|_| bench.step());
    assert!(bench.warps.iter().all(|warp| warp.issued > cycles / 150));
}

fn config(
    warps: usize,
    slices: usize,
    queue_depth: usize,
    bytes: usize,
    ways: usize,
    fetch: &str,
) -> CoreConfig {
    let icache = CacheConfig { bytes, ways };
    CoreConfig { warps, slices, queue_depth, icache, fetch: fetch.into(), ..CoreConfig::default() }
}

#[test]
fn every_warp_issues_its_own_path() {
    // A quarter of the cycles has a quarter of the events.
    let parts = if sample::is_full() { 4 } else { 1 };
    let met = run(config(4, 1, 4, 1024, 1, "lrr"), 1, 2000 * parts as u64);
    assert!(met.taken > 25 * parts && met.taken_while_suspended > 2 * parts, "{met:?}");
    assert!(met.controls > 25 * parts && met.exits > 5 * parts && met.spawns > 5 * parts, "{met:?}");
    assert!(met.fences > 2 * parts && met.faults > 2 * parts, "{met:?}");
    assert!(met.misses > 25 * parts && met.full > 25 * parts, "{met:?}");
}

#[test]
fn every_warp_issues_its_own_path_in_other_shapes() {
    let shapes = vec![
        config(2, 1, 2, 64, 1, "lrr"),
        config(1, 1, 4, 256, 2, "fixed"),
        config(6, 2, 8, 512, 4, "lrr"),
        config(8, 4, 4, 16 * 1024, 1, "fixed"),
    ];
    let cycles = if sample::is_full() { 3000 } else { 500 };
    for (shape, seed) in sample::some(shapes.into_iter().zip(2..).collect(), 1, 0) {
        run(shape, seed, cycles);
    }
}

/// With `--fetch-width 2`: two words of a line, for empty queues only.
#[test]
fn every_warp_issues_its_own_path_from_pairs_of_words() {
    let shapes = vec![
        config(4, 1, 4, 1024, 1, "lrr"),
        config(1, 1, 2, 64, 1, "fixed"),
        config(6, 2, 8, 512, 4, "lrr"),
        config(8, 4, 2, 16 * 1024, 1, "fixed"),
    ];
    let cycles = if sample::is_full() { 3000 } else { 1000 };
    for (shape, seed) in sample::some(shapes.into_iter().zip(2..).collect(), 1, 1) {
        let met = run(CoreConfig { fetch_width: 2, ..shape }, seed, cycles);
        assert!(met.pairs > 20 && met.taken > 5 && met.controls > 5, "{met:?}");
    }
}

#[test]
fn one_warp_alone_issues_every_cycle() {
    let mut bench = Bench::new(config(4, 1, 4, 16 * 1024, 1, "lrr"), 7);
    bench.quiet();
    // a loop of plain instructions, played as if all words were ADDI
    let mut issued = 0;
    for cycle in 0..400u64 {
        bench.quiet();
        let rtl = &mut bench.rtl;
        rtl.icaches[0].mem_req.ready.next = true;
        settle(rtl);
        rtl.icaches[0].mem_rsp.valid.next = rtl.icaches[0].mem_req.valid.val();
        rtl.icaches[0].mem_rsp.tag.next = rtl.icaches[0].mem_req.tag.val();
        rtl.icaches[0].mem_rsp.data.iter_mut().for_each(|word| drive(word, ADDI));
        settle(rtl);
        let fire = number(&rtl.ibuffer.heads.valid_warps);
        drive(&mut rtl.table.issue_fire_warps, fire);
        drive(&mut rtl.table.issue_grant_warps, fire);
        drive(&mut rtl.ibuffer.issue_fire_warps, fire);
        if cycle == 300 {
            // back to lines that are there by now
            rtl.table.branch[0].valid.next = true;
            rtl.table.branch[0].taken.next = true;
            drive(&mut rtl.table.branch[0].target, 0x8000_0000);
            drive(&mut rtl.table.issue_fire_warps, 0);
            drive(&mut rtl.table.issue_grant_warps, 0);
            drive(&mut rtl.ibuffer.issue_fire_warps, 0);
        }
        // the first fetch at the target is made in the cycle after the redirect and issues t_F + 1 later
        if cycle > 300 + 4 {
            assert_eq!(fire, 1, "cycle {cycle}");
            issued += 1;
        }
        tick(rtl);
    }
    assert_eq!(issued, 95);
}
