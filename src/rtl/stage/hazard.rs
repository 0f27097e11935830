//! One warp's row of the scoreboard.
use super::super::cell::{signal, Reg};
use crate::comment;
use crate::config::CoreConfig;
use rust_hdl::prelude::*;

/// The registers of one warp that wait for a result, and what that means for the head of its queue.
///
/// Ports, from the scoreboard: `operand_valid` (an instruction of the warp with a destination is in the operand
/// stage), `operand_rd` 6, `taken_mask` R (the same, as a mask), `freed_mask` R (registers that have their value
/// now); from the queue the head's `head_rd`, `head_rs1`, `head_rs2` (6 bits each) and `head_use_*`, and with a
/// floating-point unit `head_rs3`, `head_use_rs3` and `head_drains`. R is the number of a lane's registers, 32 or 64.
/// To the scoreboard `raw`, `waw`. Latency: combinational; the masks show in the next cycle, and until then the destination in the
/// operand stage is compared directly, so that the scheduler's grant need not reach the masks in its own cycle.
/// Reset: nothing waits. Invariants: a register has one writer in flight, so it is never taken and freed at once.
/// Critical path: R-to-1 multiplexer. Source: none. Mirror in the model: `model::timing`.
#[derive(LogicBlock, Default)]
pub struct HazardRow {
    _fpu: usize,
    /// Rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// The instruction in the operand stage is of this warp and has a destination.
    pub operand_valid: Signal<In, Bit>,
    /// That destination.
    pub operand_rd: Signal<In, Bits<6>>,
    /// The same as a mask.
    pub taken_mask: Signal<In, Bits<64>>,
    /// Registers that have their value.
    pub freed_mask: Signal<In, Bits<64>>,
    /// The head's destination.
    pub head_rd: Signal<In, Bits<6>>,
    /// Its first register.
    pub head_rs1: Signal<In, Bits<6>>,
    /// Its second register.
    pub head_rs2: Signal<In, Bits<6>>,
    /// It has a destination.
    pub head_use_rd: Signal<In, Bit>,
    /// It reads its first register.
    pub head_use_rs1: Signal<In, Bit>,
    /// It reads its second register.
    pub head_use_rs2: Signal<In, Bit>,
    /// With a floating-point unit: its third register.
    pub head_rs3: Vec<Signal<In, Bits<6>>>,
    /// With a floating-point unit: it reads its third register.
    pub head_use_rs3: Vec<Signal<In, Bit>>,
    /// With a floating-point unit: it waits for all registers of its warp.
    pub head_drains: Vec<Signal<In, Bit>>,
    /// A source waits for its value, or any register of a warp that drains.
    pub raw: Signal<Out, Bit>,
    /// The destination waits for an older one.
    pub waw: Signal<Out, Bit>,
    registers: Reg<Bits<64>>,
    rd_waits: Signal<Local, Bit>,
    rs1_waits: Signal<Local, Bit>,
    rs2_waits: Signal<Local, Bit>,
    rs3_waits: Vec<Signal<Local, Bit>>,
}

impl HazardRow {
    /// A row of a core of this configuration.
    pub fn new(cfg: &CoreConfig) -> Self {
        let (registers, fpu) = (cfg.registers(), usize::from(cfg.fpu));
        Self {
            _fpu: fpu,
            taken_mask: signal(registers),
            freed_mask: signal(registers),
            head_rs3: vec![Signal::default(); fpu],
            head_use_rs3: vec![Signal::default(); fpu],
            head_drains: vec![Signal::default(); fpu],
            registers: Reg::<Bits<64>>::width(registers),
            rs3_waits: vec![Signal::default(); fpu],
            ..Self::default()
        }
    }
}

impl Logic for HazardRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module HazardRow: The registers of one warp that wait for a result, and what that means for the head of its queue.");
        dff_setup!(self, clock, registers);
        comment!("1. read after write, write after write");
        self.rd_waits.next = self.registers.q.val().get_bit(self.head_rd.val().index())
            | (self.operand_valid.val() & (self.head_rd.val() == self.operand_rd.val()));
        self.rs1_waits.next = self.registers.q.val().get_bit(self.head_rs1.val().index())
            | (self.operand_valid.val() & (self.head_rs1.val() == self.operand_rd.val()));
        self.rs2_waits.next = self.registers.q.val().get_bit(self.head_rs2.val().index())
            | (self.operand_valid.val() & (self.head_rs2.val() == self.operand_rd.val()));
        self.raw.next = (self.head_use_rs1.val() & self.rs1_waits.val())
            | (self.head_use_rs2.val() & self.rs2_waits.val());
        for k in 0..self._fpu {
            self.rs3_waits[k].next = self.registers.q.val().get_bit(self.head_rs3[k].val().index())
                | (self.operand_valid.val() & (self.head_rs3[k].val() == self.operand_rd.val()));
            self.raw.next = self.raw.val()
                | (self.head_use_rs3[k].val() & self.rs3_waits[k].val())
                | (self.head_drains[k].val() & (self.operand_valid.val() | self.registers.q.val().any()));
        }
        self.waw.next = self.head_use_rd.val() & self.rd_waits.val();
        comment!("2. remember");
        self.registers.d.next = (self.registers.q.val() & !self.freed_mask.val()) | self.taken_mask.val();
    }
}
