//! A load/store unit between scripted slices and a memory that answers out of order.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use cosim::verilator::ModelLib;
use rtl::unit::lsu::LoadStoreUnit;
use spec::config::{CoreConfig, MAX_MSHRS};

use crate::rtl_bench::{library_of, Dut, Random};

pub const LOCAL: u32 = 0xFFFF_0000;

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Load,
    Store,
    Fence,
    FenceI,
    /// By the upper five bits of the instruction.
    Atomic(u32),
}

/// The operations of atomic instructions.
pub const ATOMIC: [u32; 10] = [0, 1, 4, 5, 8, 12, 16, 20, 24, 28];

/// What an atomic instruction makes of a word (Unprivileged, Zaamo and Zacas).
fn combined(operation: u32, word: u32, operand: u32, compared: u32) -> u32 {
    match operation {
        0 => word.wrapping_add(operand),
        1 => operand,
        4 => word ^ operand,
        5 if word == compared => operand,
        5 => word,
        8 => word | operand,
        12 => word & operand,
        16 => (word as i32).min(operand as i32) as u32,
        20 => (word as i32).max(operand as i32) as u32,
        24 => word.min(operand),
        28 => word.max(operand),
        _ => panic!("there is no operation {operation}"),
    }
}

/// A memory instruction as a slice presents it.
#[derive(Clone, Debug)]
pub struct Instruction {
    pub kind: Kind,
    pub wid: usize,
    pub tmask: u32,
    pub rd: u8,
    pub funct3: u32,
    pub imm: u32,
    pub rs1: Vec<u32>,
    pub rs2: Vec<u32>,
    /// Of AMOCAS.
    pub compared: Vec<u32>,
}

impl Instruction {
    pub fn load(wid: usize, rd: u8, funct3: u32, tmask: u32, addresses: &[u32]) -> Self {
        let none = vec![0; addresses.len()];
        let (rs2, compared) = (none.clone(), none);
        Self { kind: Kind::Load, wid, tmask, rd, funct3, imm: 0, rs1: addresses.into(), rs2, compared }
    }

    pub fn store(wid: usize, funct3: u32, tmask: u32, addresses: &[u32], data: &[u32]) -> Self {
        Self { kind: Kind::Store, rs2: data.into(), ..Self::load(wid, 0, funct3, tmask, addresses) }
    }

    pub fn fence(kind: Kind, wid: usize, lanes: usize) -> Self {
        Self { kind, ..Self::load(wid, 0, 0, 1, &vec![0; lanes]) }
    }

    pub fn atomic(
        operation: u32,
        wid: usize,
        rd: u8,
        tmask: u32,
        addresses: &[u32],
        [data, compared]: [&[u32]; 2],
    ) -> Self {
        let kind = Kind::Atomic(operation);
        Self { kind, rs2: data.into(), compared: compared.into(), ..Self::load(wid, rd, 2, tmask, addresses) }
    }

    pub fn is_atomic(&self) -> bool {
        matches!(self.kind, Kind::Atomic(_))
    }

    /// Whether it has a result, though it may be for x0.
    fn loads(&self) -> bool {
        self.kind == Kind::Load || self.is_atomic()
    }

    fn address(&self, lane: usize) -> u32 {
        self.rs1[lane].wrapping_add(self.imm)
    }
}

/// How willing the surroundings are; percentages.
#[derive(Clone, Copy)]
pub struct Pace {
    pub issue: usize,
    pub request: usize,
    pub response: usize,
    pub result: usize,
    /// Cycles before a response at the earliest.
    pub latency: u64,
    /// Responses come in any order.
    pub shuffle: bool,
}

impl Pace {
    pub const IDEAL: Self =
        Self { issue: 100, request: 100, response: 100, result: 100, latency: 2, shuffle: false };
}

/// A load whose data is not complete.
struct Waiting {
    tmask: u32,
    values: Vec<u32>,
    returned: u32,
    /// Which of the instructions taken it is.
    number: usize,
}

/// A fence that has been taken.
struct Fence {
    kind: Kind,
    /// Which of the instructions taken it is.
    number: usize,
    /// Bytes as the program had left them before it.
    program: HashMap<u32, u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Request {
    store: bool,
    line: u32,
    byteen: u64,
    data: Vec<u32>,
    tag: u64,
}

struct Response {
    due: u64,
    tag: u64,
    data: Vec<u32>,
}

/// A fault that the unit reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub wid: usize,
    pub pc: u32,
    pub cause: u64,
    pub addr: u32,
}

pub struct Bench {
    pub cfg: CoreConfig,
    dut: Dut,
    pace: Pace,
    random: Random,
    /// Bytes as the program has left them, local ones too.
    program: HashMap<u32, u8>,
    /// Bytes outside the core as the bus has left them.
    memory: HashMap<u32, u8>,
    queues: Vec<VecDeque<Instruction>>,
    presented: Vec<bool>,
    waiting: HashMap<(usize, u8), Waiting>,
    responses: Vec<Response>,
    answering: Option<usize>,
    stalled: Option<Request>,
    fences: VecDeque<(usize, Fence)>,
    /// Instructions taken.
    taken: usize,
    /// Cycles since the last one was.
    since_taken: u64,
    accesses_due: VecDeque<Instruction>,
    done_due: Vec<usize>,
    /// Cycles in which a load of the warp ended, and perhaps a store too: one event for both.
    may_merge: Vec<usize>,
    pub cycle: u64,
    pub reads: usize,
    pub writes: usize,
    pub results: usize,
    pub flushes: usize,
    pub fault: Option<Fault>,
    /// Nothing more comes: what is dirty shall go to memory.
    drain: bool,
}

/// The model of one configuration.
pub fn build(cfg: &CoreConfig) -> Arc<ModelLib> {
    library_of(cfg, "LoadStoreUnit", LoadStoreUnit::new)
}

/// What an untouched byte of memory holds.
fn fresh(address: u32) -> u8 {
    (address.wrapping_mul(0x9E37_79B1) >> 24) as u8
}

fn byte(memory: &HashMap<u32, u8>, address: u32) -> u8 {
    memory.get(&address).copied().unwrap_or_else(|| fresh(address))
}

impl Bench {
    pub fn new(cfg: &CoreConfig, library: &Arc<ModelLib>, pace: Pace, seed: u64) -> Self {
        let mut bench = Self {
            cfg: cfg.clone(),
            dut: Dut::new(library),
            pace,
            random: Random::new(seed),
            program: HashMap::new(),
            memory: HashMap::new(),
            queues: vec![VecDeque::new(); cfg.slices],
            presented: vec![false; cfg.slices],
            waiting: HashMap::new(),
            responses: Vec::new(),
            answering: None,
            stalled: None,
            fences: VecDeque::new(),
            taken: 0,
            accesses_due: VecDeque::new(),
            done_due: vec![0; cfg.warps],
            may_merge: vec![0; cfg.warps],
            since_taken: 0,
            cycle: 0,
            reads: 0,
            writes: 0,
            results: 0,
            flushes: 0,
            fault: None,
            drain: false,
        };
        // Local memory has no initial contents: store into all of it first.
        let (t, words) = (cfg.threads as u32, cfg.local_mem_bytes as u32 / 4);
        for row in 0..(words / t).min(64) {
            let addresses: Vec<u32> = (0..t).map(|i| LOCAL + 4 * (row * t + i)).collect();
            let data: Vec<u32> = addresses.iter().map(|a| a.wrapping_mul(0x85EB_CA6B)).collect();
            bench.push(Instruction::store(0, 2, u32::MAX >> (32 - t), &addresses, &data));
        }
        let wanted = std::mem::replace(&mut bench.pace, Pace::IDEAL);
        bench.run();
        bench.pace = wanted;
        bench.cycle = 0;
        bench
    }

    /// Bytes of local memory that have been initialised.
    pub fn local_bytes(&self) -> usize {
        (64 * 4 * self.cfg.threads).min(self.cfg.local_mem_bytes)
    }

    pub fn push(&mut self, instruction: Instruction) {
        self.queues[instruction.wid % self.cfg.slices].push_back(instruction);
    }

    /// Whether a load of that register is on its way.
    pub fn in_flight(&self, wid: usize, rd: u8) -> bool {
        self.waiting.contains_key(&(wid, rd))
            || self.queues.iter().flatten().any(|i| i.loads() && (i.wid, i.rd) == (wid, rd))
    }

    /// A byte in memory changes, and the program is to see it.
    pub fn another_master_stores(&mut self, address: u32, value: u8) {
        self.memory.insert(address, value);
        self.program.insert(address, value);
    }

    pub fn queued(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }

    /// Until everything is done; returns the cycles that took.
    pub fn run(&mut self) -> u64 {
        let start = self.cycle;
        self.drain = true;
        while self.step() {
            assert!(self.cycle - start < 200_000, "the unit hangs");
        }
        self.drain = false;
        for wid in 0..self.cfg.warps {
            let missing = std::mem::take(&mut self.done_due[wid]);
            let merged = std::mem::take(&mut self.may_merge[wid]);
            assert!(missing <= merged, "memory_done_warps of warp {wid} is missing {missing} times");
        }
        assert!(self.accesses_due.is_empty(), "an access was not traced");
        for (address, value) in &self.program {
            if *address < LOCAL {
                assert_eq!(byte(&self.memory, *address), *value, "memory at {address:#x}");
            }
        }
        self.cycle - start
    }

    /// One cycle; false when nothing was left to do before it.
    pub fn step(&mut self) -> bool {
        self.drive();
        self.dut.settle();
        let busy = self.dut.get("lsu_busy") != 0;
        let left = self.queued() != 0 || busy;
        assert!(self.queued() == 0 || self.since_taken < 50_000, "no instruction is taken");
        if !busy {
            assert!(self.waiting.is_empty() && self.responses.is_empty(), "idle with loads in flight");
        }
        self.take_instructions();
        self.take_request();
        self.take_response();
        self.take_results();
        self.take_events();
        self.dut.edge();
        self.cycle += 1;
        self.since_taken += 1;
        left
    }

    fn drive(&mut self) {
        let t = self.cfg.threads;
        for s in 0..self.cfg.slices {
            if !self.presented[s] && !self.queues[s].is_empty() && self.random.chance(self.pace.issue) {
                self.presented[s] = true;
            }
            self.dut.set_at("mem_valid", s, 1, self.presented[s].into());
            let Some(i) = self.queues[s].front().filter(|_| self.presented[s]).cloned() else { continue };
            self.dut.set_at("mem_wid", s, self.cfg.wid_bits(), i.wid as u32);
            self.dut.set_at("mem_tmask", s, t, i.tmask);
            self.dut.set_at("mem_pc", s, 32, 0x8000_0000u32.wrapping_add(i.imm));
            self.dut.set_at("mem_rd", s, 6, i.rd.into());
            self.dut.set_at("mem_use_rd", s, 1, (i.loads() && (i.rd != 0 || i.is_atomic())).into());
            self.dut.set_at("mem_funct3", s, 3, i.funct3);
            self.dut.set_at("mem_store", s, 1, (i.kind == Kind::Store).into());
            self.dut.set_at("mem_fence", s, 1, matches!(i.kind, Kind::Fence | Kind::FenceI).into());
            self.dut.set_at("mem_fence_i", s, 1, (i.kind == Kind::FenceI).into());
            self.dut.set_at("mem_imm", s, 32, i.imm);
            for lane in 0..t {
                self.dut.set_at("mem_rs1", s * t + lane, 32, i.rs1[lane]);
                self.dut.set_at("mem_rs2", s * t + lane, 32, i.rs2[lane]);
                if self.cfg.atomics {
                    self.dut.set_at("mem_compared", s * t + lane, 32, i.compared[lane]);
                }
            }
            if self.cfg.atomics {
                let operation = if let Kind::Atomic(operation) = i.kind { operation } else { 0 };
                self.dut.set_at("mem_atomic", s, 1, i.is_atomic().into());
                self.dut.set_at("mem_operation", s, 5, operation);
            }
        }
        for s in 0..self.cfg.slices {
            let ready = self.random.chance(self.pace.result);
            self.dut.set_at("lsu_result_ready", s, 1, ready.into());
        }
        self.dut.set("drain", (self.drain && self.queued() == 0).into());
        let ready = self.random.chance(self.pace.request);
        self.dut.set("lsu_req_ready", ready.into());
        if self.answering.is_none() && self.random.chance(self.pace.response) {
            let due: Vec<usize> =
                (0..self.responses.len()).filter(|&r| self.responses[r].due <= self.cycle).collect();
            let pick = if self.pace.shuffle { self.random.below(due.len().max(1)) } else { 0 };
            self.answering = due.get(pick).copied();
        }
        self.dut.set("lsu_rsp_valid", self.answering.is_some().into());
        if let Some(r) = self.answering {
            self.dut.set("lsu_rsp_tag", self.responses[r].tag);
            for w in 0..16 {
                self.dut.set_at("lsu_rsp_data", w, 32, self.responses[r].data[w]);
            }
        }
    }

    /// Of those taken in a cycle the accesses of the first stage are first.
    fn take_instructions(&mut self) {
        let accesses = self.cfg.accesses();
        let mut slices: Vec<_> = (0..self.cfg.slices).collect();
        slices.sort_by_key(|s| s % accesses);
        let mut of_stage = vec![0; accesses];
        for s in slices {
            if self.dut.get_at("mem_ready", s, 1) == 0 || !self.presented[s] {
                continue;
            }
            self.presented[s] = false;
            of_stage[s % accesses] += 1;
            assert_eq!(of_stage[s % accesses], 1, "a stage takes one instruction a cycle");
            let i = self.queues[s].pop_front().unwrap();
            self.taken += 1;
            self.since_taken = 0;
            let faulty = (0..self.cfg.threads).any(|lane| {
                let a = i.address(lane);
                i.tmask >> lane & 1 != 0
                    && (a & ((1 << (i.funct3 & 3)) - 1) != 0
                        || a < 0x40
                        || a >= LOCAL && (a - LOCAL) as usize >= self.cfg.local_mem_bytes)
            });
            match i.kind {
                Kind::Fence | Kind::FenceI => {
                    let program = self.program.clone();
                    self.fences.push_back((i.wid, Fence { kind: i.kind, number: self.taken, program }));
                }
                _ if faulty => {}
                Kind::Load => self.perform_load(&i),
                Kind::Store => self.perform_store(&i),
                Kind::Atomic(operation) => self.perform_atomic(&i, operation),
            }
        }
    }

    /// Where in memory a program's byte is (docs/ISA.md, section 6): group, stack, word and byte of an address in the stacks
    /// become group, word, stack and byte.
    fn place(&self, address: u32) -> u32 {
        let (lanes, threads) = (self.cfg.threads.min(8) as u32, (self.cfg.warps * self.cfg.threads) as u32);
        let is_on_stack = (1..=8192 * threads).contains(&LOCAL.wrapping_sub(address));
        if !self.cfg.stack_interleave || !is_on_stack {
            return address;
        }
        let (byte, word, stack) = (address % 4, address / 4 % 2048, address / 8192 % lanes);
        let group = address / (8192 * lanes);
        ((group * 2048 + word) * lanes + stack) * 4 + byte
    }

    fn perform_load(&mut self, i: &Instruction) {
        self.done_due[i.wid] += 1;
        if i.rd == 0 {
            return;
        }
        self.accesses_due.push_back(i.clone());
        let values = (0..self.cfg.threads)
            .map(|lane| {
                let b = |k: u32| u32::from(byte(&self.program, self.place(i.address(lane)).wrapping_add(k)));
                match i.funct3 {
                    0 => b(0) as u8 as i8 as u32,
                    1 => (b(0) | b(1) << 8) as u16 as i16 as u32,
                    2 => b(0) | b(1) << 8 | b(2) << 16 | b(3) << 24,
                    4 => b(0),
                    _ => b(0) | b(1) << 8,
                }
            })
            .collect();
        let waiting = Waiting { tmask: i.tmask, values, returned: 0, number: self.taken };
        assert!(self.waiting.insert((i.wid, i.rd), waiting).is_none(), "the test reuses a register");
    }

    fn perform_store(&mut self, i: &Instruction) {
        self.done_due[i.wid] += 1;
        // Two paths may end a store of the warp each in one cycle.
        self.may_merge[i.wid] += usize::from(self.cfg.line_paths() > 1);
        for lane in (0..self.cfg.threads).filter(|lane| i.tmask >> lane & 1 != 0) {
            let place = self.place(i.address(lane));
            for k in 0..1 << i.funct3 {
                self.program.insert(place + k, (i.rs2[lane] >> (8 * k)) as u8);
            }
        }
        self.accesses_due.push_back(i.clone());
    }

    /// Lane by lane; the words that they have found are the result, even if that is for x0.
    fn perform_atomic(&mut self, i: &Instruction, operation: u32) {
        self.done_due[i.wid] += 1;
        let mut values = vec![0; self.cfg.threads];
        for lane in (0..self.cfg.threads).filter(|lane| i.tmask >> lane & 1 != 0) {
            let place = self.place(i.address(lane));
            let places = (0..4).map(|k| place + k);
            let word =
                places.clone().rev().fold(0, |word, at| word << 8 | u32::from(byte(&self.program, at)));
            values[lane] = word;
            let stored = combined(operation, word, i.rs2[lane], i.compared[lane]);
            self.program.extend(places.zip(stored.to_le_bytes()));
        }
        self.accesses_due.push_back(i.clone());
        let waiting = Waiting { tmask: i.tmask, values, returned: 0, number: self.taken };
        assert!(self.waiting.insert((i.wid, i.rd), waiting).is_none(), "the test reuses a register");
    }

    fn take_request(&mut self) {
        let request = (self.dut.get("lsu_req_valid") != 0).then(|| Request {
            store: self.dut.get("lsu_req_rw") != 0,
            line: self.dut.get("lsu_req_addr") as u32,
            byteen: self.dut.get("lsu_req_byteen"),
            data: (0..16).map(|w| self.dut.get_at("lsu_req_data", w, 32)).collect(),
            tag: self.dut.get("lsu_req_tag"),
        });
        if let Some(stalled) = self.stalled.take() {
            assert_eq!(request.as_ref(), Some(&stalled), "a request changed before it was accepted");
        }
        let Some(request) = request else { return };
        if self.dut.get("lsu_req_ready") == 0 {
            self.stalled = Some(request);
            return;
        }
        let base = request.line * 64;
        assert!(base < LOCAL, "local memory on the bus");
        if request.store {
            self.writes += 1;
            assert_ne!(request.byteen, 0, "a store of nothing");
            for k in (0..64).filter(|k| request.byteen >> k & 1 != 0) {
                let value = (request.data[k / 4] >> (8 * (k % 4))) as u8;
                self.memory.insert(base + k as u32, value);
            }
        } else {
            self.reads += 1;
            assert!(self.responses.iter().all(|r| r.tag != request.tag), "tag {} is in use", request.tag);
            let numbers = if self.cfg.dcache.bytes == 0 { self.cfg.load_slots } else { self.cfg.mshrs };
            let (paths, tag) = (self.cfg.line_paths(), request.tag as usize);
            assert!(tag % (MAX_MSHRS / paths) < numbers, "tag {tag}");
            let path = tag / (MAX_MSHRS / paths);
            let of_line = match paths {
                _ if request.line < 0x1_0000 / 64 => 0,
                1 => 0,
                2 => request.line.count_ones() as usize % 2,
                _ => (0..2).map(|j| ((request.line >> j & 0x0155_5555).count_ones() as usize % 2) << j).sum(),
            };
            assert_eq!(path, of_line, "line {:#x} has its path", request.line);
            let word =
                |w: u32| (0..4).map(|k| u32::from(byte(&self.memory, base + 4 * w + k)) << (8 * k)).sum();
            let data = (0..16).map(word).collect();
            self.responses.push(Response { due: self.cycle + self.pace.latency, tag: request.tag, data });
        }
    }

    fn take_response(&mut self) {
        if self.dut.get("lsu_rsp_ready") != 0 {
            if let Some(r) = self.answering.take() {
                self.responses.remove(r);
            }
        }
    }

    fn take_results(&mut self) {
        for s in 0..self.cfg.slices {
            if self.dut.get_at("lsu_result_valid", s, 1) == 0
                || self.dut.get_at("lsu_result_ready", s, 1) == 0
            {
                continue;
            }
            self.results += 1;
            let number = if self.cfg.load_results() == 1 { 0 } else { s };
            let of = |name: &str, width: usize| self.dut.get_at(name, number, width);
            let wid = of("lsu_result_wid", self.cfg.wid_bits()) as usize;
            let rd = of("lsu_result_rd", 6) as u8;
            assert_eq!(wid % self.cfg.slices, s, "result for another slice's warp");
            let lanes = of("lsu_result_tmask", self.cfg.threads);
            let waiting =
                self.waiting.get_mut(&(wid, rd)).unwrap_or_else(|| panic!("no load of {wid} x{rd}"));
            assert!(lanes != 0 && lanes & !(waiting.tmask & !waiting.returned) == 0, "lanes {lanes:#x}");
            for lane in (0..self.cfg.threads).filter(|lane| lanes >> lane & 1 != 0) {
                let value = self.dut.get_at("lsu_result_data", number * self.cfg.threads + lane, 32);
                assert_eq!(value, waiting.values[lane], "warp {wid} x{rd} lane {lane}");
            }
            waiting.returned |= lanes;
            let last = waiting.returned == waiting.tmask;
            assert_eq!(of("lsu_result_last", 1) != 0, last, "last of warp {wid} x{rd}");
            if last {
                self.may_merge[wid] += 1;
                self.waiting.remove(&(wid, rd));
            }
        }
    }

    fn take_events(&mut self) {
        let done = self.dut.get("memory_done_warps");
        for wid in (0..self.cfg.warps).filter(|wid| done >> wid & 1 != 0) {
            // A load and a store of one warp may end in one cycle.
            assert!(self.done_due[wid] > 0, "memory_done_warps of warp {wid} without an access");
            self.done_due[wid] -= 1;
        }
        for number in (0..self.cfg.accesses()).filter(|n| self.dut.get("access_valid") >> n & 1 != 0) {
            let i = self.accesses_due.pop_front().expect("an access is traced that was not taken");
            let store = i.kind == Kind::Store;
            let threads = self.cfg.threads;
            let of = |name: &str, width: usize| self.dut.get_at(name, number, width);
            assert_eq!(of("access_store", 1) != 0, store);
            assert_eq!(of("access_wid", self.cfg.wid_bits()) as usize, i.wid);
            assert_eq!(of("access_tmask", threads), i.tmask);
            assert_eq!(of("access_funct3", 3), i.funct3);
            for lane in 0..threads {
                let of_lane = |name: &str| self.dut.get_at(name, number * threads + lane, 32);
                assert_eq!(of_lane("access_addr"), self.place(i.address(lane)));
                assert!(!(store || i.is_atomic()) || of_lane("access_data") == i.rs2[lane]);
            }
        }
        let fenced = self.dut.get("fence_done_warps");
        let flush = self.dut.get("flush_icache") != 0;
        if fenced != 0 {
            let wid = fenced.trailing_zeros() as usize;
            assert_eq!(fenced, 1 << wid, "two fences at once");
            let (taken, fence) = self.fences.pop_front().expect("a fence ended that had not begun");
            assert_eq!(wid, taken, "fences end in order");
            assert_eq!(flush, fence.kind == Kind::FenceI);
            let passed = self.waiting.values().any(|waiting| waiting.number < fence.number);
            assert!(!passed, "a fence passed a load");
            for (address, value) in fence.program.iter().filter(|(a, _)| **a < LOCAL) {
                assert_eq!(byte(&self.memory, *address), *value, "a fence passed a store to {address:#x}");
            }
            self.flushes += usize::from(flush);
        } else {
            assert!(!flush);
        }
        if self.dut.get("fault_valid") != 0 {
            assert!(self.fault.is_none(), "a fault was reported twice");
            self.fault = Some(Fault {
                wid: self.dut.get("fault_wid") as usize,
                pc: self.dut.get("fault_pc") as u32,
                cause: self.dut.get("fault_cause"),
                addr: self.dut.get("fault_addr") as u32,
            });
        }
    }
}
