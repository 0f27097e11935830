//! What an instruction asks of the hardware, as the decoder says it to the stages and units.
use hdl::bundle::Value;
use rust_hdl::prelude::*;

/// The collector through which an instruction goes to its unit (KAWS 3: SP, SFU, MEM).
#[derive(Copy, Clone, PartialEq, Eq, Debug, LogicState)]
pub enum Collector {
    /// Integer unit, floating-point pipeline.
    Sp,
    /// Divider, slow floating-point unit, CSRs, warp control, barriers.
    Sfu,
    /// Loads, stores, fences.
    Mem,
}

/// Operations of a unit, each with its control bits, the highest first; `-` where either value will do.
macro_rules! operations {
    ($(#[doc = $about:literal])* $name:ident; $(#[doc = $bits:literal])* control {
        $(#[doc = $doc:literal] $op:ident = $control:literal;)*
    }) => {
        $(#[doc = $about])*
        #[derive(Copy, Clone, PartialEq, Eq, Debug)]
        pub enum $name {
            $(#[doc = $doc] $op,)*
        }

        impl $name {
            /// Every operation.
            pub const ALL: &'static [Self] = &[$(Self::$op,)*];

            $(#[doc = $bits])*
            pub const fn control(self) -> &'static str {
                match self {
                    $(Self::$op => $control,)*
                }
            }

            /// Control bit `bit` of the operation; `None` if either value will do.
            pub fn control_bit(self, bit: usize) -> Option<bool> {
                control_bit(self.control(), bit)
            }
        }
    };
}

operations! {
    /// What the ALU does with its operands `a` and `b`; [`AluOp::control`] is how the hardware says it.
    AluOp;
    /// The control bits of [`AluLane`](super::unit::alu::AluLane) for this operation, the highest first; `-` where
    /// either value will do.
    ///
    /// The decoder makes each bit from the instruction, so that a lane has nothing to decode before it adds. From
    /// bit 10: `keep`; `unless_less`, `if_less`, `unless_zero`, `if_zero`, `as_unsigned`; `mixed`, `sum`; `mixing` 2 (0 `b`,
    /// 1 exclusive or, 2 or, 3 and); `carry`. Beside them [`inverts_b`](Self::inverts_b). The lane's result is an OR, so
    /// at most one of `keep`, `mixed` and `sum` is on.
    control {
        /// `a + b`.
        Add = "0 ----- 01 00 0";
        /// `a - b`.
        Sub = "0 ----- 01 00 1";
        /// `a < b`, signed, as 0 or 1.
        Slt = "0 01000 00 00 1";
        /// `a < b`, unsigned, as 0 or 1.
        Sltu = "0 01001 00 00 1";
        /// `a ^ b`.
        Xor = "0 ----- 10 01 -";
        /// `a | b`.
        Or = "0 ----- 10 10 -";
        /// `a & b`.
        And = "0 ----- 10 11 -";
        /// `b`.
        PassB = "0 ----- 10 00 -";
        /// 0 if `b` is 0, else `a`.
        CzeroEqz = "1 0010- 00 00 -";
        /// 0 if `b` is not 0, else `a`.
        CzeroNez = "1 0001- 00 00 -";
        /// Branch if `a == b`.
        Beq = "- 0001- -- 01 -";
        /// Branch if `a != b`.
        Bne = "- 0010- -- 01 -";
        /// Branch if `a < b`, signed.
        Blt = "- 01000 -- 00 1";
        /// Branch if `a >= b`, signed.
        Bge = "- 10000 -- 00 1";
        /// Branch if `a < b`, unsigned.
        Bltu = "- 01001 -- 00 1";
        /// Branch if `a >= b`, unsigned.
        Bgeu = "- 10001 -- 00 1";
        /// Jump; the result is PC + 4.
        Jump = "0 --11- 10 00 -";
    }
}

/// Number of control bits of a lane of the ALU.
pub const ALU_CONTROLS: usize = 11;

impl AluOp {
    /// Whether a lane gets the complement of `b`: to subtract and compare. The operand stage inverts where it selects,
    /// which costs no table more.
    pub const fn inverts_b(self) -> bool {
        use AluOp::*;
        matches!(self, Sub | Slt | Sltu | Blt | Bge | Bltu | Bgeu)
    }
}

operations! {
    /// What the multiplier does with its operands `a` and `b`; [`MultiplyOp::control`] is how the hardware says it.
    MultiplyOp;
    /// The control bits of [`MultiplyLane`](super::unit::alu::MultiplyLane) for this operation, the highest first:
    /// `shift`, `b_signed`, `a_signed`, `upper`; `-` where either value will do.
    control {
        /// The lower half of `a * b`.
        Mul = "0 - - 0";
        /// The upper half, both signed.
        Mulh = "0 1 1 1";
        /// The upper half, `a` signed.
        Mulhsu = "0 0 1 1";
        /// The upper half, both unsigned.
        Mulhu = "0 0 0 1";
        /// `a << b[4:0]`.
        Sll = "1 - - 0";
        /// `a >> b[4:0]`, zeros shifted in.
        Srl = "1 0 0 1";
        /// `a >> b[4:0]`, copies of the sign shifted in.
        Sra = "1 0 1 1";
    }
}

/// Number of control bits of a lane of the multiplier.
pub const MULTIPLY_CONTROLS: usize = 4;

/// Bit `bit` of control bits that are written with the highest first; `None` if either value will do.
fn control_bit(control: &str, bit: usize) -> Option<bool> {
    match control.bytes().rev().filter(|&c| c != b' ').nth(bit) {
        Some(b'0') => Some(false),
        Some(b'1') => Some(true),
        _ => None,
    }
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

impl Value for Collector {}
impl Value for FpuOp {}
