//! Drives one of the two units in Verilator, two lanes at a time.
use std::collections::VecDeque;

use crate::{sample, simulators};
use cosim::verilator::{compile, BuildOptions, Model, Port};
use cosim::Rng;
use hdl::verilog::emit;
use rtl::op::FpuOp;
use rtl::unit::fpu::{FpuPipeline, FpuSlow};
use spec::config::CoreConfig;

use super::reference::reference;

/// Lanes of the units under test.
pub const LANES: usize = 2;

/// An instruction: operands of each lane.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    pub op: FpuOp,
    pub mode: u8,
    pub tmask: u8,
    pub operands: [[u32; 3]; LANES],
}

/// What commit must see of it.
struct Expected {
    instruction: Instruction,
    tag: u8,
    lanes: [(u32, u8); LANES],
}

/// A unit and what is on its way through it.
pub struct Unit {
    model: Model,
    clock: Port<u8>,
    valid: Port<u8>,
    op: Port<u8>,
    mode: Port<u8>,
    wid: Port<u8>,
    tmask: Port<u8>,
    rd: Port<u8>,
    operands: Vec<Port<u64>>,
    result_ready: Port<u8>,
    ready: Port<u8>,
    result_valid: Port<u8>,
    result_wid: Port<u8>,
    result_rd: Port<u8>,
    result_tmask: Port<u8>,
    result_data: Port<u64>,
    result_flags: Port<u8>,
    busy: Port<u8>,
    expected: VecDeque<Expected>,
    /// An instruction is being worked on whose last lanes the unit has yet to take.
    begun: bool,
    sent: u8,
    pub cycles: u64,
    /// Cycles in a row in which an instruction or a result waited, and nothing came of it.
    still: u64,
}

/// Long runs are worth a better model.
fn options() -> BuildOptions {
    if sample::is_full() {
        BuildOptions::fast()
    } else {
        simulators::options()
    }
}

impl Unit {
    pub fn pipeline() -> Self {
        let mut block = FpuPipeline::new(&config());
        let verilog = emit(&mut block, "fpu_pipeline", &[]).expect("printable").concat();
        Self::new(&verilog, "fpu_pipeline", ["sp", "fp"], &["sp_a", "sp_b", "sp_c"])
    }

    pub fn slow() -> Self {
        Self::slow_serving(LANES)
    }

    /// A slow unit that serves so many lanes at a time.
    pub fn slow_serving(fpu_slow_lanes: usize) -> Self {
        let mut block = FpuSlow::new(&CoreConfig { fpu_slow_lanes, ..config() });
        let verilog = emit(&mut block, "fpu_slow", &[]).expect("printable").concat();
        Self::new(&verilog, "fpu_slow", ["sfu", "fs"], &["sfu_rs1", "sfu_rs2"])
    }

    /// `from` and `own` begin the names of the instruction's ports and of the unit's.
    fn new(verilog: &str, top: &str, [from, own]: [&str; 2], operands: &[&str]) -> Self {
        let library = compile(verilog, top, &options()).expect("a model");
        let byte = |name: &str| library.port::<u8>(&format!("{own}_{name}")).expect(name);
        let given = |name: &str| library.port::<u8>(&format!("{from}_{name}")).expect(name);
        let lanes = |name: &str| library.port::<u64>(name).expect(name);
        let clock = library.port("clock").expect("clock");
        let mut unit = Self {
            model: library.instance().expect("an instance"),
            clock,
            valid: given("valid"),
            op: given("fpu_op"),
            mode: given("rounding"),
            wid: given("wid"),
            tmask: given("tmask"),
            rd: given("rd"),
            operands: operands.iter().map(|name| lanes(name)).collect(),
            result_ready: byte("result_ready"),
            ready: byte("ready"),
            result_valid: byte("result_valid"),
            result_wid: byte("result_wid"),
            result_rd: byte("result_rd"),
            result_tmask: byte("result_tmask"),
            result_data: lanes(&format!("{own}_result_data")),
            result_flags: byte("result_flags"),
            busy: byte("busy"),
            expected: VecDeque::new(),
            begun: false,
            sent: 0,
            cycles: 0,
            still: 0,
        };
        let reset = library.port("reset").expect("reset");
        unit.model.set(reset, 1u8);
        unit.model.cycles(clock, 2).expect("reset");
        unit.model.set(reset, 0u8);
        unit
    }

    /// One cycle: offers `instruction`, takes a result if `take`. Whether the unit took the instruction, and whether a
    /// result came out.
    pub fn cycle(&mut self, instruction: Option<&Instruction>, take: bool) -> (bool, bool) {
        let model = &mut self.model;
        model.set(self.valid, instruction.is_some().into());
        if let Some(instruction) = instruction {
            model.set(self.op, instruction.op as u8);
            model.set(self.mode, instruction.mode);
            model.set(self.tmask, instruction.tmask);
            model.set(self.wid, self.sent & 3);
            model.set(self.rd, self.sent & 63);
            for (i, &port) in self.operands.iter().enumerate() {
                let [low, high] = instruction.operands.map(|lane| u64::from(lane[i]));
                model.set(port, low | high << 32);
            }
        }
        model.set(self.result_ready, take.into());
        model.set(self.clock, 0);
        model.eval().expect("running");
        let taken = instruction.is_some() && model.get(self.ready) == 1;
        let came = take && model.get(self.result_valid) == 1;
        let waits = instruction.is_some() || !self.expected.is_empty();
        self.still = if waits && !taken && !came { self.still + 1 } else { 0 };
        assert!(self.still < 1000, "the unit hangs");
        let busy = model.get(self.busy) == 1;
        assert_eq!(busy, self.begun || !self.expected.is_empty(), "busy");
        self.begun = !taken && (self.begun || (instruction.is_some() && !busy));
        if came {
            let expected = self.expected.pop_front().expect("a result without an instruction");
            self.check(&expected);
        }
        if let (true, Some(instruction)) = (taken, instruction) {
            let lanes =
                instruction.operands.map(|operands| reference(instruction.op, instruction.mode, operands));
            self.expected.push_back(Expected { instruction: *instruction, tag: self.sent, lanes });
            self.sent = self.sent.wrapping_add(1);
        }
        self.model.set(self.clock, 1);
        self.model.eval().expect("running");
        self.cycles += 1;
        (taken, came)
    }

    fn check(&self, expected: &Expected) {
        let model = &self.model;
        let Instruction { op, mode, tmask, operands } = expected.instruction;
        assert_eq!(model.get(self.result_wid), expected.tag & 3, "wid");
        assert_eq!(model.get(self.result_rd), expected.tag & 63, "rd");
        assert_eq!(model.get(self.result_tmask), tmask, "tmask");
        let data = model.get(self.result_data);
        let mut flags = 0;
        for (lane, (value, raised)) in expected.lanes.into_iter().enumerate() {
            let got = (data >> (32 * lane)) as u32;
            assert_eq!(
                got, value,
                "{op:?} mode {mode} {:x?}: {got:#x} instead of {value:#x}",
                operands[lane]
            );
            if tmask >> lane & 1 == 1 {
                flags |= raised;
            }
        }
        let got = model.get(self.result_flags);
        assert_eq!(
            got, flags,
            "{op:?} mode {mode} {operands:x?} tmask {tmask}: flags {got:#x} not {flags:#x}"
        );
    }

    /// Sends all operand sets through the unit, two at a time, and checks every result; the last is repeated if odd.
    /// Mostly one lane is active, so that its flags show; commit is ready in `ready_percent` of the cycles.
    pub fn run(&mut self, op: FpuOp, sets: impl Iterator<Item = (u8, [u32; 3])>, ready_percent: u32) -> u64 {
        let mut rng = Rng::new(op as u64 + 1);
        let mut sets = sets.peekable();
        let mut count = 0;
        while let Some((mode, first)) = sets.next() {
            // The lanes share the rounding mode.
            let second = sets.next_if(|(other, _)| *other == mode).map_or(first, |(_, set)| set);
            let tmask = [1, 2, 3, 1, 2, 0][rng.below(6) as usize];
            let instruction = Instruction { op, mode, tmask, operands: [first, second] };
            while !self.cycle(Some(&instruction), rng.percent(ready_percent)).0 {}
            count += 2;
        }
        while !self.expected.is_empty() {
            self.cycle(None, true);
        }
        count
    }

    /// Cycles from taking an instruction to its result, in an idle unit.
    pub fn latency(&mut self, op: FpuOp) -> u64 {
        let one = [0x3f80_0000; 3];
        let instruction = Instruction { op, mode: 0, tmask: 3, operands: [one, one] };
        let start = self.cycles;
        while !self.cycle(Some(&instruction), true).0 {}
        while !self.cycle(None, true).1 {}
        self.cycles - 1 - start
    }
}

fn config() -> CoreConfig {
    CoreConfig { warps: 4, threads: LANES, ..CoreConfig::default() }
}
