//! What an instruction asks of the hardware, as the decoder says it to the stages and units.
use rust_hdl::prelude::*;

/// The functional unit that executes an instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug, LogicState)]
pub enum Unit {
    /// Integer arithmetic, branches and jumps.
    Alu,
    /// Multiplier and divider.
    MulDiv,
    /// Loads, stores and fences.
    Lsu,
    /// CSR access, warp control, barriers; illegal instructions too, which it reports.
    Sfu,
}

/// The operand collector through which an instruction goes to its unit (KAWS 3: SP, SFU, MEM).
#[derive(Copy, Clone, PartialEq, Eq, Debug, LogicState)]
pub enum Collector {
    /// ALU and multiplier.
    Sp,
    /// Divider, CSRs, warp control, barriers.
    Sfu,
    /// Loads, stores, fences.
    Mem,
}

/// What the ALU does with its operands `a` and `b`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, LogicState)]
pub enum AluOp {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a << b[4:0]`.
    Sll,
    /// `a < b`, signed, as 0 or 1.
    Slt,
    /// `a < b`, unsigned, as 0 or 1.
    Sltu,
    /// `a ^ b`.
    Xor,
    /// `a >> b[4:0]`, zeros shifted in.
    Srl,
    /// `a >> b[4:0]`, copies of the sign shifted in.
    Sra,
    /// `a | b`.
    Or,
    /// `a & b`.
    And,
    /// `b`.
    PassB,
    /// 0 if `b` is 0, else `a`.
    CzeroEqz,
    /// 0 if `b` is not 0, else `a`.
    CzeroNez,
    /// Branch if `a == b`.
    Beq,
    /// Branch if `a != b`.
    Bne,
    /// Branch if `a < b`, signed.
    Blt,
    /// Branch if `a >= b`, signed.
    Bge,
    /// Branch if `a < b`, unsigned.
    Bltu,
    /// Branch if `a >= b`, unsigned.
    Bgeu,
    /// Jump; the result is PC + 4.
    Jump,
}
