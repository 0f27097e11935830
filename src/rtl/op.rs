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
    /// ALU, multiplier, floating-point pipeline.
    Sp,
    /// Divider, slow floating-point unit, CSRs, warp control, barriers.
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

/// What the floating-point units do; the last six belong to the slow one, the others to the pipeline.
#[derive(Copy, Clone, PartialEq, Eq, Debug, LogicState)]
pub enum FpuOp {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a * b + c`.
    Madd,
    /// `a * b - c`.
    Msub,
    /// `-(a * b) + c`.
    Nmsub,
    /// `-(a * b) - c`.
    Nmadd,
    /// `a` with the sign of `b`.
    Sgnj,
    /// `a` with the opposite sign of `b`.
    Sgnjn,
    /// `a` with its sign inverted if `b` is negative.
    Sgnjx,
    /// The smaller operand (minimumNumber).
    Min,
    /// The larger operand (maximumNumber).
    Max,
    /// `a == b`, quiet, as 0 or 1.
    Eq,
    /// `a < b`, signalling, as 0 or 1.
    Lt,
    /// `a <= b`, signalling, as 0 or 1.
    Le,
    /// Class of `a`, as a mask with one of ten bits.
    Class,
    /// The bits of `a`, to an integer register.
    MvXW,
    /// The bits of `a`, to a floating-point register.
    MvWX,
    /// `a` as a signed integer.
    CvtWS,
    /// `a` as an unsigned integer.
    CvtWuS,
    /// The signed integer `a` as a floating-point number.
    CvtSW,
    /// The unsigned integer `a` as a floating-point number.
    CvtSWu,
    /// `a / b`.
    Div,
    /// The square root of `a`.
    Sqrt,
}
