//! A special unit with a warp table around it.

use std::sync::Arc;

use cosim::verilator::ModelLib;
use rtl::unit::sfu::SpecialUnit;
use spec::config::CoreConfig;

use crate::rtl_bench::{library_of, Dut};

pub const START_ARG: u32 = 0x1234_5678;

/// The model of one configuration.
pub fn build(cfg: &CoreConfig) -> Arc<ModelLib> {
    library_of(cfg, "SpecialUnit", SpecialUnit::new)
}

/// A special instruction as a slice presents it.
#[derive(Clone, Debug)]
pub struct Instruction {
    pub wid: usize,
    pub raw: u32,
    pub kind: Kind,
    pub rs1: Vec<u32>,
    pub rs2: Vec<u32>,
}

/// What the decoder says of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Csr,
    Control,
    Barrier,
    Illegal,
}

/// What the unit did with an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub rd: Option<u32>,
    pub values: Vec<u32>,
    /// The warp goes on: with this mask, and if it jumps, there.
    pub resumed: bool,
    pub fault: Option<(u64, u32)>,
}

pub struct Bench {
    pub cfg: CoreConfig,
    pub dut: Dut,
    /// Lanes of each warp, as the unit's outputs say.
    pub tmask: Vec<u32>,
    /// Where each warp goes on if the last control instruction jumped.
    pub jumped: Vec<Option<u32>>,
    pub resumed: Vec<bool>,
    pub spawned: Vec<Option<u32>>,
    pub faults: Vec<(usize, u32, u64, u32)>,
    pub results: Vec<(usize, u32, u32, Vec<u32>)>,
    pub released: u64,
    pub arrived: u64,
    pub cycle: u64,
}

impl Bench {
    /// Warp 0 active with lane 0.
    pub fn new(cfg: &CoreConfig, library: &Arc<ModelLib>) -> Self {
        let w = cfg.warps;
        let mut bench = Self {
            cfg: cfg.clone(),
            dut: Dut::new(library),
            tmask: vec![0; w],
            jumped: vec![None; w],
            resumed: vec![false; w],
            spawned: vec![None; w],
            faults: Vec::new(),
            results: Vec::new(),
            released: 0,
            arrived: 0,
            cycle: 0,
        };
        bench.tmask[0] = 1;
        bench.dut.set("start_arg", START_ARG.into());
        for s in 0..cfg.slices {
            bench.dut.set_at("sfu_result_ready", s, 1, 1);
        }
        bench.step();
        bench.dut.set("start_arg", 0);
        bench
    }

    pub fn all_lanes(&self) -> u32 {
        u32::MAX >> (32 - self.cfg.threads)
    }

    /// Presents an instruction from now on.
    pub fn present(&mut self, i: &Instruction) {
        let (s, t) = (i.wid % self.cfg.slices, self.cfg.threads);
        let rd = i.raw >> 7 & 31;
        let split = i.kind == Kind::Control && i.raw >> 12 & 7 == 2;
        self.dut.set_at("sfu_valid", s, 1, 1);
        self.dut.set_at("sfu_wid", s, self.cfg.wid_bits(), i.wid as u32);
        self.dut.set_at("sfu_tmask", s, t, self.tmask[i.wid]);
        self.dut.set_at("sfu_pc", s, 32, 0x8000_0100);
        self.dut.set_at("sfu_instr", s, 32, i.raw);
        self.dut.set_at("sfu_rd", s, 6, rd);
        self.dut.set_at("sfu_use_rd", s, 1, (rd != 0 && (i.kind == Kind::Csr || split)).into());
        self.dut.set_at("sfu_funct3", s, 3, i.raw >> 12 & 7);
        self.dut.set_at("sfu_csr", s, 1, (i.kind == Kind::Csr).into());
        self.dut.set_at("sfu_csr_imm", s, 1, (i.kind == Kind::Csr) as u32 & i.raw >> 14);
        self.dut.set_at("sfu_wctl", s, 1, (i.kind == Kind::Control).into());
        self.dut.set_at("sfu_barrier", s, 1, (i.kind == Kind::Barrier).into());
        self.dut.set_at("sfu_legal", s, 1, (i.kind != Kind::Illegal).into());
        let flags = (0..t).map(|lane| (i.rs1[lane] & 1) << lane).sum();
        let last = self.tmask[i.wid].checked_ilog2().unwrap_or(0) as usize;
        self.dut.set_at("sfu_rs1", s, 32, i.rs1[0]);
        self.dut.set_at("sfu_flags", s, t, flags);
        self.dut.set_at("sfu_last_rs1", s, 32, i.rs1[last]);
        self.dut.set_at("sfu_last_rs2", s, 32, i.rs2[last]);
    }

    /// Presents an instruction until it is taken.
    pub fn give(&mut self, i: &Instruction) {
        let s = i.wid % self.cfg.slices;
        self.resumed[i.wid] = false;
        self.jumped[i.wid] = None;
        self.present(i);
        for _ in 0..20 {
            if self.step() >> s & 1 != 0 {
                self.dut.set_at("sfu_valid", s, 1, 0);
                return;
            }
        }
        panic!("not taken: {i:?}");
    }

    /// Presents an instruction and waits some cycles for what becomes of it.
    pub fn execute(&mut self, i: &Instruction) -> Outcome {
        self.results.clear();
        self.faults.clear();
        self.give(i);
        self.idle(4);
        let result = self.results.pop();
        assert!(self.results.is_empty(), "more than one result");
        if let Some((wid, _, tmask, _)) = &result {
            assert_eq!((*wid, *tmask != 0), (i.wid, true));
        }
        let fault = self.faults.pop();
        if let Some((wid, pc, ..)) = fault {
            assert_eq!((wid, pc), (i.wid, 0x8000_0100));
        }
        Outcome {
            rd: result.as_ref().map(|r| r.1),
            values: result.map(|r| r.3).unwrap_or_default(),
            resumed: self.resumed[i.wid],
            fault: fault.map(|f| (f.2, f.3)),
        }
    }

    pub fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.step();
        }
    }

    fn active(&self) -> u64 {
        (0..self.cfg.warps).filter(|&w| self.tmask[w] != 0).map(|w| 1 << w).sum()
    }

    /// One cycle; returns the slices whose instruction was taken.
    pub fn step(&mut self) -> u32 {
        let active = self.active();
        self.dut.set("active_warps", active);
        self.dut.settle();
        let taken = self.dut.get("sfu_ready") as u32;
        self.released |= self.dut.get("barrier_release_warps");
        self.arrived |= self.dut.get("barrier_arrive_warps");
        let valid = self.dut.get("sfu_result_valid");
        if valid != 0 {
            let wid = self.dut.get("sfu_result_wid") as usize;
            assert_eq!(valid, 1 << (wid % self.cfg.slices), "the slice of warp {wid}");
            let values = (0..self.cfg.threads).map(|l| self.dut.get_at("sfu_result_data", l, 32)).collect();
            let (rd, tmask) = (self.dut.get("sfu_result_rd") as u32, self.dut.get("sfu_result_tmask") as u32);
            self.results.push((wid, rd, tmask, values));
        }
        if self.dut.get("fault_valid") != 0 {
            let (wid, pc) = (self.dut.get("fault_wid") as usize, self.dut.get("fault_pc") as u32);
            self.faults.push((wid, pc, self.dut.get("fault_cause"), self.dut.get("fault_addr") as u32));
        }
        let resume = self.dut.get("resume_warps");
        for wid in 0..self.cfg.warps {
            self.resumed[wid] |= resume >> wid & 1 != 0;
        }
        let spawn = self.dut.get("spawn_warps");
        let wctl = (self.dut.get("wctl_valid") != 0).then(|| self.dut.get("wctl_wid") as usize);
        if let Some(wid) = wctl {
            assert_eq!(resume >> wid & 1, 1, "warp control without resume");
            self.tmask[wid] = self.dut.get("wctl_tmask") as u32;
            if self.dut.get("wctl_jump") != 0 {
                self.jumped[wid] = Some(self.dut.get("wctl_pc") as u32);
            }
        }
        for wid in (0..self.cfg.warps).filter(|wid| spawn >> wid & 1 != 0) {
            assert_eq!(self.tmask[wid], 0, "an active warp is started");
            self.tmask[wid] = 1;
            self.spawned[wid] = Some(self.dut.get("spawn_pc") as u32);
        }
        self.dut.edge();
        self.cycle += 1;
        taken
    }
}
