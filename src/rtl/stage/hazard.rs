//! One warp's row of the scoreboard.
use super::super::cell::{signal, Reg};
use super::register_file::REGISTERS;
use crate::comment;
use rust_hdl::prelude::*;

/// The registers of one warp that wait for a result, and what that means for the head of its queue.
///
/// Ports, from the scoreboard: `operand_valid` (an instruction of the warp with a destination is in the operand
/// stage), `operand_rd` 6, `taken_mask` 32 (the same, as a mask), `freed_mask` 32 (registers that have their value
/// now); from the queue the head's `head_rd`, `head_rs1`, `head_rs2` (6 bits each) and `head_use_*`. To the scoreboard
/// `raw`, `waw`. Latency: combinational; the masks show in the next cycle, and until then the destination in the
/// operand stage is compared directly, so that the scheduler's grant need not reach the masks in its own cycle.
/// Reset: nothing waits. Invariants: a register has one writer in flight, so it is never taken and freed at once.
/// Critical path: 32-to-1 multiplexer. Source: none. Mirror in the model: `model::timing`.
#[derive(LogicBlock, Default)]
pub struct HazardRow {
    /// Rising edge.
    pub clock: Signal<In, Clock>,
    /// Synchronous, active high.
    pub reset: Signal<In, Bit>,
    /// The instruction in the operand stage is of this warp and has a destination.
    pub operand_valid: Signal<In, Bit>,
    /// That destination.
    pub operand_rd: Signal<In, Bits<6>>,
    /// The same as a mask.
    pub taken_mask: Signal<In, Bits<32>>,
    /// Registers that have their value.
    pub freed_mask: Signal<In, Bits<32>>,
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
    /// A source waits for its value.
    pub raw: Signal<Out, Bit>,
    /// The destination waits for an older one.
    pub waw: Signal<Out, Bit>,
    registers: Reg<Bits<32>>,
    rd: Signal<Local, Bits<5>>,
    rs1: Signal<Local, Bits<5>>,
    rs2: Signal<Local, Bits<5>>,
    rd_waits: Signal<Local, Bit>,
    rs1_waits: Signal<Local, Bit>,
    rs2_waits: Signal<Local, Bit>,
}

impl HazardRow {
    /// A row.
    pub fn new() -> Self {
        Self {
            taken_mask: signal(REGISTERS),
            freed_mask: signal(REGISTERS),
            registers: Reg::<Bits<32>>::width(REGISTERS),
            ..Self::default()
        }
    }
}

impl Logic for HazardRow {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module HazardRow: The registers of one warp that wait for a result, and what that means for the head of its queue.");
        dff_setup!(self, clock, registers);
        self.rd.next = self.head_rd.val().get_bits::<5>(0);
        self.rs1.next = self.head_rs1.val().get_bits::<5>(0);
        self.rs2.next = self.head_rs2.val().get_bits::<5>(0);
        // 1. read after write, write after write
        self.rd_waits.next = self.registers.q.val().get_bit(self.rd.val().index())
            | (self.operand_valid.val() & (self.head_rd.val() == self.operand_rd.val()));
        self.rs1_waits.next = self.registers.q.val().get_bit(self.rs1.val().index())
            | (self.operand_valid.val() & (self.head_rs1.val() == self.operand_rd.val()));
        self.rs2_waits.next = self.registers.q.val().get_bit(self.rs2.val().index())
            | (self.operand_valid.val() & (self.head_rs2.val() == self.operand_rd.val()));
        self.raw.next = (self.head_use_rs1.val() & self.rs1_waits.val())
            | (self.head_use_rs2.val() & self.rs2_waits.val());
        self.waw.next = self.head_use_rd.val() & self.rd_waits.val();
        // 2. remember
        self.registers.d.next = (self.registers.q.val() & !self.freed_mask.val()) | self.taken_mask.val();
    }
}
