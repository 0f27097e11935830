//! The instruction table: one line an instruction.
//!
//! The macro `isa!` turns each line into a variant of [`Op`] and a row of [`ISA`].
//! Patterns are checked, and checked for pairwise overlap, at compile time; adding a line makes every
//! exhaustive match over [`Op`] fail to compile until it handles the newcomer.

use super::format::{self, Format};

/// The functional unit that executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Integer arithmetic, branches and jumps.
    Alu,
    /// What exchanges values between the lanes of a warp: votes and shuffles.
    CrossLane,
    /// Multiplier, which shifts too, and divider.
    MulDiv,
    /// Loads, stores and fences.
    Lsu,
    /// CSR access and warp control.
    Sfu,
    /// Floating-point arithmetic, comparison and conversion.
    Fpu,
}

/// What decides how long an instruction takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Latency {
    /// One cycle in the integer unit.
    Single,
    /// Like [`Latency::Single`], and the warp's next PC is known only after it.
    Branch,
    /// An unconditional [`Latency::Branch`].
    Jump,
    /// The iterative divider.
    Div,
    /// Until the last lane's data is back.
    Load,
    /// No result; done when the memory system has taken it.
    Store,
    /// A load and a store of each lane's word that nothing comes between; until the last lane's word is back.
    Atomic,
    /// Until the memory system has drained.
    Fence,
    /// CSR read and write.
    Csr,
    /// Changes which lanes or warps are active, or waits for other warps.
    Warp,
    /// The floating-point pipeline: sums, products, comparisons, moves.
    Fp,
    /// Conversion between integer and floating point.
    FpConvert,
    /// The iterative floating-point divider and square root.
    FpDiv,
}

/// Suffixes of the names of atomic instructions, by their ordering.
pub(crate) const ORDERINGS: [&str; 4] = ["", ".rl", ".aq", ".aqrl"];

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Instr {
    /// The variant this row made.
    pub op: Op,
    /// Assembler mnemonic.
    pub mnemonic: &'static str,
    /// Operand layout.
    pub format: Format,
    /// Bits of the word that identify the instruction.
    pub mask: u32,
    /// Values of those bits.
    pub bits: u32,
    /// Unit that executes it.
    pub unit: Unit,
    /// What decides its latency.
    pub latency: Latency,
    /// Where it is specified.
    pub spec: &'static str,
}

/// Reads a pattern of `0`, `1`, `-` (operand or ignored) and spaces into mask and bits.
const fn parse(pattern: &str) -> (u32, u32) {
    let text = pattern.as_bytes();
    let (mut mask, mut bits, mut count, mut i) = (0u32, 0u32, 0, 0);
    while i < text.len() {
        let (m, b) = match text[i] {
            b' ' => {
                i += 1;
                continue;
            }
            b'-' => (0, 0),
            b'0' => (1, 0),
            b'1' => (1, 1),
            _ => panic!("a pattern holds 0, 1, - and spaces only"),
        };
        mask = mask << 1 | m;
        bits = bits << 1 | b;
        count += 1;
        i += 1;
    }
    assert!(count == 32, "a pattern has 32 bits");
    (mask, bits)
}

macro_rules! isa {
    ($($op:ident $mnemonic:literal $format:ident $pattern:literal $unit:ident $latency:ident $spec:literal;)*) => {
        /// Every instruction; the discriminant is its row in [`ISA`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Op {
            $(#[doc = concat!("`", $mnemonic, "` (", $spec, ").")] $op,)*
        }

        /// The table, in the order of [`Op`]'s variants.
        pub const ISA: &[Instr] = &[$(Instr {
            op: Op::$op,
            mnemonic: $mnemonic,
            format: Format::$format,
            mask: parse($pattern).0,
            bits: parse($pattern).1,
            unit: Unit::$unit,
            latency: Latency::$latency,
            spec: $spec,
        },)*];
    };
}

// funct7 rs2 rs1 funct3 rd opcode. Fields that software must leave zero but hardware ignores (the
// register fields of the fences) are `-` without being operands.
isa! {
    // RV32I
    Lui    "lui"    U      "-------------------- ----- 0110111"         Alu Single "Unprivileged 2.4.1";
    Auipc  "auipc"  U      "-------------------- ----- 0010111"         Alu Single "Unprivileged 2.4.1";
    Jal    "jal"    J      "-------------------- ----- 1101111"         Alu Jump   "Unprivileged 2.5.1";
    Jalr   "jalr"   I      "------- ----- ----- 000 ----- 1100111"      Alu Jump   "Unprivileged 2.5.1";
    Beq    "beq"    B      "------- ----- ----- 000 ----- 1100011"      Alu Branch "Unprivileged 2.5.2";
    Bne    "bne"    B      "------- ----- ----- 001 ----- 1100011"      Alu Branch "Unprivileged 2.5.2";
    Blt    "blt"    B      "------- ----- ----- 100 ----- 1100011"      Alu Branch "Unprivileged 2.5.2";
    Bge    "bge"    B      "------- ----- ----- 101 ----- 1100011"      Alu Branch "Unprivileged 2.5.2";
    Bltu   "bltu"   B      "------- ----- ----- 110 ----- 1100011"      Alu Branch "Unprivileged 2.5.2";
    Bgeu   "bgeu"   B      "------- ----- ----- 111 ----- 1100011"      Alu Branch "Unprivileged 2.5.2";
    Lb     "lb"     I      "------- ----- ----- 000 ----- 0000011"      Lsu Load   "Unprivileged 2.6";
    Lh     "lh"     I      "------- ----- ----- 001 ----- 0000011"      Lsu Load   "Unprivileged 2.6";
    Lw     "lw"     I      "------- ----- ----- 010 ----- 0000011"      Lsu Load   "Unprivileged 2.6";
    Lbu    "lbu"    I      "------- ----- ----- 100 ----- 0000011"      Lsu Load   "Unprivileged 2.6";
    Lhu    "lhu"    I      "------- ----- ----- 101 ----- 0000011"      Lsu Load   "Unprivileged 2.6";
    Sb     "sb"     S      "------- ----- ----- 000 ----- 0100011"      Lsu Store  "Unprivileged 2.6";
    Sh     "sh"     S      "------- ----- ----- 001 ----- 0100011"      Lsu Store  "Unprivileged 2.6";
    Sw     "sw"     S      "------- ----- ----- 010 ----- 0100011"      Lsu Store  "Unprivileged 2.6";
    Addi   "addi"   I      "------- ----- ----- 000 ----- 0010011"      Alu Single "Unprivileged 2.4.1";
    Slti   "slti"   I      "------- ----- ----- 010 ----- 0010011"      Alu Single "Unprivileged 2.4.1";
    Sltiu  "sltiu"  I      "------- ----- ----- 011 ----- 0010011"      Alu Single "Unprivileged 2.4.1";
    Xori   "xori"   I      "------- ----- ----- 100 ----- 0010011"      Alu Single "Unprivileged 2.4.1";
    Ori    "ori"    I      "------- ----- ----- 110 ----- 0010011"      Alu Single "Unprivileged 2.4.1";
    Andi   "andi"   I      "------- ----- ----- 111 ----- 0010011"      Alu Single "Unprivileged 2.4.1";
    Slli   "slli"   Shift  "0000000 ----- ----- 001 ----- 0010011"      MulDiv Single "Unprivileged 2.4.1";
    Srli   "srli"   Shift  "0000000 ----- ----- 101 ----- 0010011"      MulDiv Single "Unprivileged 2.4.1";
    Srai   "srai"   Shift  "0100000 ----- ----- 101 ----- 0010011"      MulDiv Single "Unprivileged 2.4.1";
    Add    "add"    R      "0000000 ----- ----- 000 ----- 0110011"      Alu Single "Unprivileged 2.4.2";
    Sub    "sub"    R      "0100000 ----- ----- 000 ----- 0110011"      Alu Single "Unprivileged 2.4.2";
    Sll    "sll"    R      "0000000 ----- ----- 001 ----- 0110011"      MulDiv Single "Unprivileged 2.4.2";
    Slt    "slt"    R      "0000000 ----- ----- 010 ----- 0110011"      Alu Single "Unprivileged 2.4.2";
    Sltu   "sltu"   R      "0000000 ----- ----- 011 ----- 0110011"      Alu Single "Unprivileged 2.4.2";
    Xor    "xor"    R      "0000000 ----- ----- 100 ----- 0110011"      Alu Single "Unprivileged 2.4.2";
    Srl    "srl"    R      "0000000 ----- ----- 101 ----- 0110011"      MulDiv Single "Unprivileged 2.4.2";
    Sra    "sra"    R      "0100000 ----- ----- 101 ----- 0110011"      MulDiv Single "Unprivileged 2.4.2";
    Or     "or"     R      "0000000 ----- ----- 110 ----- 0110011"      Alu Single "Unprivileged 2.4.2";
    And    "and"    R      "0000000 ----- ----- 111 ----- 0110011"      Alu Single "Unprivileged 2.4.2";
    Fence  "fence"  Fence  "---- ---- ---- ----- 000 ----- 0001111"     Lsu Fence  "Unprivileged 2.7";
    // Traps do not exist on this core: these six jump to PC + 4, as on Vortex.
    Ecall  "ecall"  Bare   "0000000 00000 00000 000 00000 1110011"      Alu Jump   "Unprivileged 2.8";
    Ebreak "ebreak" Bare   "0000000 00001 00000 000 00000 1110011"      Alu Jump   "Unprivileged 2.8";
    Uret   "uret"   Bare   "0000000 00010 00000 000 00000 1110011"      Alu Jump   "Unprivileged 20191213, N";
    Sret   "sret"   Bare   "0001000 00010 00000 000 00000 1110011"      Alu Jump   "Privileged 3.3.2";
    Mret   "mret"   Bare   "0011000 00010 00000 000 00000 1110011"      Alu Jump   "Privileged 3.3.2";
    Wfi    "wfi"    Bare   "0001000 00101 00000 000 00000 1110011"      Alu Jump   "Privileged 3.3.3";
    // Zifencei
    FenceI "fence.i" Bare  "------- ----- ----- 001 ----- 0001111"      Lsu Fence  "Unprivileged, Zifencei";
    // Zicsr
    Csrrw  "csrrw"  Csr    "------------ ----- 001 ----- 1110011"       Sfu Csr    "Unprivileged, Zicsr";
    Csrrs  "csrrs"  Csr    "------------ ----- 010 ----- 1110011"       Sfu Csr    "Unprivileged, Zicsr";
    Csrrc  "csrrc"  Csr    "------------ ----- 011 ----- 1110011"       Sfu Csr    "Unprivileged, Zicsr";
    Csrrwi "csrrwi" CsrImm "------------ ----- 101 ----- 1110011"       Sfu Csr    "Unprivileged, Zicsr";
    Csrrsi "csrrsi" CsrImm "------------ ----- 110 ----- 1110011"       Sfu Csr    "Unprivileged, Zicsr";
    Csrrci "csrrci" CsrImm "------------ ----- 111 ----- 1110011"       Sfu Csr    "Unprivileged, Zicsr";
    // M
    Mul    "mul"    R      "0000001 ----- ----- 000 ----- 0110011"      MulDiv Single "Unprivileged, M: multiplication";
    Mulh   "mulh"   R      "0000001 ----- ----- 001 ----- 0110011"      MulDiv Single "Unprivileged, M: multiplication";
    Mulhsu "mulhsu" R      "0000001 ----- ----- 010 ----- 0110011"      MulDiv Single "Unprivileged, M: multiplication";
    Mulhu  "mulhu"  R      "0000001 ----- ----- 011 ----- 0110011"      MulDiv Single "Unprivileged, M: multiplication";
    Div    "div"    R      "0000001 ----- ----- 100 ----- 0110011"      MulDiv Div "Unprivileged, M: division";
    Divu   "divu"   R      "0000001 ----- ----- 101 ----- 0110011"      MulDiv Div "Unprivileged, M: division";
    Rem    "rem"    R      "0000001 ----- ----- 110 ----- 0110011"      MulDiv Div "Unprivileged, M: division";
    Remu   "remu"   R      "0000001 ----- ----- 111 ----- 0110011"      MulDiv Div "Unprivileged, M: division";
    // Zicond
    CzeroEqz "czero.eqz" R "0000111 ----- ----- 101 ----- 0110011"      Alu Single "Unprivileged, Zicond";
    CzeroNez "czero.nez" R "0000111 ----- ----- 111 ----- 0110011"      Alu Single "Unprivileged, Zicond";
    // Zaamo, and of Zacas the comparison of words. Two bits of funct7, the ordering, are the immediate.
    AmoswapW "amoswap.w" Amo "00001-- ----- ----- 010 ----- 0101111"   Lsu Atomic "Unprivileged, Zaamo";
    AmoaddW  "amoadd.w"  Amo "00000-- ----- ----- 010 ----- 0101111"   Lsu Atomic "Unprivileged, Zaamo";
    AmoxorW  "amoxor.w"  Amo "00100-- ----- ----- 010 ----- 0101111"   Lsu Atomic "Unprivileged, Zaamo";
    AmoandW  "amoand.w"  Amo "01100-- ----- ----- 010 ----- 0101111"   Lsu Atomic "Unprivileged, Zaamo";
    AmoorW   "amoor.w"   Amo "01000-- ----- ----- 010 ----- 0101111"   Lsu Atomic "Unprivileged, Zaamo";
    AmominW  "amomin.w"  Amo "10000-- ----- ----- 010 ----- 0101111"   Lsu Atomic "Unprivileged, Zaamo";
    AmomaxW  "amomax.w"  Amo "10100-- ----- ----- 010 ----- 0101111"   Lsu Atomic "Unprivileged, Zaamo";
    AmominuW "amominu.w" Amo "11000-- ----- ----- 010 ----- 0101111"   Lsu Atomic "Unprivileged, Zaamo";
    AmomaxuW "amomaxu.w" Amo "11100-- ----- ----- 010 ----- 0101111"   Lsu Atomic "Unprivileged, Zaamo";
    AmocasW  "amocas.w"  AmoCas "00101-- ----- ----- 010 ----- 0101111" Lsu Atomic "Unprivileged, Zacas";
    // SIMT, opcode CUSTOM-0. The negate flag of SPLIT is bit 0 of the rs2 field, that of PRED bit 0
    // of the rd field; the other bits of those fields are zero.
    Tmc    "vx_tmc"    Rs1    "0000000 00000 ----- 000 00000 0001011"   Sfu Warp "Vortex 2.2, vx_intrinsics.h";
    Wspawn "vx_wspawn" Rs1Rs2 "0000000 ----- ----- 001 00000 0001011"   Sfu Warp "Vortex 2.2, vx_intrinsics.h";
    Split  "vx_split"  Split  "0000000 0000- ----- 010 ----- 0001011"   Sfu Warp "Vortex 2.2, vx_intrinsics.h";
    Join   "vx_join"   Rs1    "0000000 00000 ----- 011 00000 0001011"   Sfu Warp "Vortex 2.2, vx_intrinsics.h";
    Bar    "vx_bar"    Rs1Rs2 "0000000 ----- ----- 100 00000 0001011"   Sfu Warp "Vortex 2.2, vx_intrinsics.h";
    Pred   "vx_pred"   Pred   "0000000 ----- ----- 101 0000- 0001011"   Sfu Warp "Vortex 2.2, vx_intrinsics.h";
    // Votes and shuffles of a warp's active lanes.
    VoteAll    "vx_vote_all"    RdRs1 "0000001 00000 ----- 000 ----- 0001011" CrossLane Single "Vortex 3.0, vx_intrinsics.h";
    VoteAny    "vx_vote_any"    RdRs1 "0000001 00000 ----- 001 ----- 0001011" CrossLane Single "Vortex 3.0, vx_intrinsics.h";
    VoteUni    "vx_vote_uni"    RdRs1 "0000001 00000 ----- 010 ----- 0001011" CrossLane Single "Vortex 3.0, vx_intrinsics.h";
    VoteBallot "vx_vote_ballot" RdRs1 "0000001 00000 ----- 011 ----- 0001011" CrossLane Single "Vortex 3.0, vx_intrinsics.h";
    ShflUp     "vx_shfl_up"     R     "0000001 ----- ----- 100 ----- 0001011" CrossLane Single "Vortex 3.0, vx_intrinsics.h";
    ShflDown   "vx_shfl_down"   R     "0000001 ----- ----- 101 ----- 0001011" CrossLane Single "Vortex 3.0, vx_intrinsics.h";
    ShflBfly   "vx_shfl_bfly"   R     "0000001 ----- ----- 110 ----- 0001011" CrossLane Single "Vortex 3.0, vx_intrinsics.h";
    ShflIdx    "vx_shfl_idx"    R     "0000001 ----- ----- 111 ----- 0001011" CrossLane Single "Vortex 3.0, vx_intrinsics.h";
    // F. Fused products first; their funct7 is rs3 and a format field that is 00 for binary32.
    Flw     "flw"      FpLoad    "------- ----- ----- 010 ----- 0000111"    Lsu Load      "Unprivileged, F: loads and stores";
    Fsw     "fsw"      FpStore   "------- ----- ----- 010 ----- 0100111"    Lsu Store     "Unprivileged, F: loads and stores";
    FmaddS  "fmadd.s"  FpFused   "-----00 ----- ----- --- ----- 1000011"    Fpu Fp        "Unprivileged, F: computation";
    FmsubS  "fmsub.s"  FpFused   "-----00 ----- ----- --- ----- 1000111"    Fpu Fp        "Unprivileged, F: computation";
    FnmsubS "fnmsub.s" FpFused   "-----00 ----- ----- --- ----- 1001011"    Fpu Fp        "Unprivileged, F: computation";
    FnmaddS "fnmadd.s" FpFused   "-----00 ----- ----- --- ----- 1001111"    Fpu Fp        "Unprivileged, F: computation";
    FaddS   "fadd.s"   FpRound   "0000000 ----- ----- --- ----- 1010011"    Fpu Fp        "Unprivileged, F: computation";
    FsubS   "fsub.s"   FpRound   "0000100 ----- ----- --- ----- 1010011"    Fpu Fp        "Unprivileged, F: computation";
    FmulS   "fmul.s"   FpRound   "0001000 ----- ----- --- ----- 1010011"    Fpu Fp        "Unprivileged, F: computation";
    FdivS   "fdiv.s"   FpRound   "0001100 ----- ----- --- ----- 1010011"    Fpu FpDiv     "Unprivileged, F: computation";
    FsqrtS  "fsqrt.s"  FpUnary   "0101100 00000 ----- --- ----- 1010011"    Fpu FpDiv     "Unprivileged, F: computation";
    FsgnjS  "fsgnj.s"  Fp        "0010000 ----- ----- 000 ----- 1010011"    Fpu Fp        "Unprivileged, F: conversion and move";
    FsgnjnS "fsgnjn.s" Fp        "0010000 ----- ----- 001 ----- 1010011"    Fpu Fp        "Unprivileged, F: conversion and move";
    FsgnjxS "fsgnjx.s" Fp        "0010000 ----- ----- 010 ----- 1010011"    Fpu Fp        "Unprivileged, F: conversion and move";
    FminS   "fmin.s"   Fp        "0010100 ----- ----- 000 ----- 1010011"    Fpu Fp        "Unprivileged, F: computation";
    FmaxS   "fmax.s"   Fp        "0010100 ----- ----- 001 ----- 1010011"    Fpu Fp        "Unprivileged, F: computation";
    FcvtWS  "fcvt.w.s"  FpToIntRound "1100000 00000 ----- --- ----- 1010011" Fpu FpConvert "Unprivileged, F: conversion and move";
    FcvtWuS "fcvt.wu.s" FpToIntRound "1100000 00001 ----- --- ----- 1010011" Fpu FpConvert "Unprivileged, F: conversion and move";
    FmvXW   "fmv.x.w"  FpToInt   "1110000 00000 ----- 000 ----- 1010011"    Fpu Fp        "Unprivileged, F: conversion and move";
    FclassS "fclass.s" FpToInt   "1110000 00000 ----- 001 ----- 1010011"    Fpu Fp        "Unprivileged, F: classify";
    FeqS    "feq.s"    FpCompare "1010000 ----- ----- 010 ----- 1010011"    Fpu Fp        "Unprivileged, F: compare";
    FltS    "flt.s"    FpCompare "1010000 ----- ----- 001 ----- 1010011"    Fpu Fp        "Unprivileged, F: compare";
    FleS    "fle.s"    FpCompare "1010000 ----- ----- 000 ----- 1010011"    Fpu Fp        "Unprivileged, F: compare";
    FcvtSW  "fcvt.s.w"  IntToFpRound "1101000 00000 ----- --- ----- 1010011" Fpu FpConvert "Unprivileged, F: conversion and move";
    FcvtSWu "fcvt.s.wu" IntToFpRound "1101000 00001 ----- --- ----- 1010011" Fpu FpConvert "Unprivileged, F: conversion and move";
    FmvWX   "fmv.w.x"  IntToFp   "1111000 00000 ----- 000 ----- 1010011"    Fpu Fp        "Unprivileged, F: conversion and move";
}

impl Op {
    /// This instruction's row of the table.
    #[inline]
    pub const fn info(self) -> &'static Instr {
        &ISA[self as usize]
    }

    /// The number of the CSR that `word`, an instruction of this kind, accesses.
    pub fn csr(self, word: u32) -> Option<u16> {
        matches!(self.format(), Format::Csr | Format::CsrImm).then(|| format::csr(word))
    }

    /// The instruction that the assembler calls `mnemonic`.
    pub fn named(mnemonic: &str) -> Option<Self> {
        ISA.iter().find(|row| row.mnemonic == mnemonic).map(|row| row.op)
    }

    /// The atomic instruction that the assembler calls `mnemonic`, and its ordering, which may be a suffix of the name
    /// ([`Format::Amo`]).
    pub fn ordered(mnemonic: &str) -> Option<(Self, u32)> {
        ORDERINGS.iter().zip(0..).find_map(|(suffix, ordering)| {
            let op = Self::named(mnemonic.strip_suffix(suffix)?).filter(|op| op.is_atomic())?;
            Some((op, ordering))
        })
    }

    /// Operand layout.
    #[inline]
    pub const fn format(self) -> Format {
        self.info().format
    }

    /// Whether the instruction writes register `rd` (which may be x0).
    #[inline]
    pub const fn writes_rd(self) -> bool {
        self.format().writes_rd()
    }

    /// Whether the instruction reads register `rs1`.
    #[inline]
    pub const fn reads_rs1(self) -> bool {
        self.format().reads_rs1()
    }

    /// Whether the instruction reads register `rs2`.
    #[inline]
    pub const fn reads_rs2(self) -> bool {
        self.format().reads_rs2()
    }

    /// Whether the instruction reads a third register; see [`Format::rs3`].
    #[inline]
    pub const fn reads_rs3(self) -> bool {
        self.format().reads_rs3()
    }

    /// Whether the instruction has a rounding mode.
    #[inline]
    pub const fn has_rounding(self) -> bool {
        self.format().has_rounding()
    }

    /// Whether the instruction belongs to F, which a core without a floating-point unit lacks.
    #[inline]
    pub const fn needs_fpu(self) -> bool {
        self.format().names_float()
    }

    /// The immediate operand in `word`, sign-extended; see [`Format::imm`].
    #[inline]
    pub const fn imm(self, word: u32) -> u32 {
        self.format().imm(word)
    }

    /// What an access to memory by `word` adds to its base register: nothing if it is atomic, whose immediate is an ordering.
    pub const fn offset(self, word: u32) -> u32 {
        if self.is_atomic() {
            0
        } else {
            self.imm(word)
        }
    }

    /// Whether this is a conditional branch.
    #[inline]
    pub const fn is_branch(self) -> bool {
        matches!(self.info().latency, Latency::Branch)
    }

    /// Whether this is JAL or JALR, or an environment call or trap return, which jump to PC + 4.
    #[inline]
    pub const fn is_jump(self) -> bool {
        matches!(self.info().latency, Latency::Jump)
    }

    /// Whether this reads memory.
    #[inline]
    pub const fn is_load(self) -> bool {
        matches!(self.info().latency, Latency::Load)
    }

    /// Whether this writes memory.
    #[inline]
    pub const fn is_store(self) -> bool {
        matches!(self.info().latency, Latency::Store)
    }

    /// Whether this reads and writes memory at once: an instruction of Zaamo or Zacas.
    #[inline]
    pub const fn is_atomic(self) -> bool {
        matches!(self.info().latency, Latency::Atomic)
    }

    /// Whether this exchanges values between the lanes of a warp: a vote or a shuffle.
    #[inline]
    pub const fn is_cross_lane(self) -> bool {
        matches!(self.info().unit, Unit::CrossLane)
    }

    /// Whether a result for x0 goes all the way to the registers: that of a floating-point unit, for its flags, and that of an
    /// atomic instruction.
    #[inline]
    pub const fn writes_x0(self) -> bool {
        matches!(self.info().unit, Unit::Fpu) || self.is_atomic()
    }

    /// Whether this reads or writes memory.
    #[inline]
    pub const fn accesses_memory(self) -> bool {
        self.is_load() || self.is_store() || self.is_atomic()
    }

    /// Whether this changes, or may change, which lanes or warps are active.
    #[inline]
    pub const fn changes_mask(self) -> bool {
        matches!(self.info().latency, Latency::Warp) && !self.is_barrier()
    }

    /// Whether this is the barrier.
    #[inline]
    pub const fn is_barrier(self) -> bool {
        matches!(self, Op::Bar)
    }
}

// No two rows may claim one word, and no pattern may leave the 32-bit instruction space.
const _: () = {
    let mut i = 0;
    while i < ISA.len() {
        assert!(ISA[i].op as usize == i && ISA[i].mask & 3 == 3 && ISA[i].bits & 3 == 3);
        let mut j = 0;
        while j < i {
            assert!((ISA[i].bits ^ ISA[j].bits) & ISA[i].mask & ISA[j].mask != 0, "two encodings overlap");
            j += 1;
        }
        i += 1;
    }
};
