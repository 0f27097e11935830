//! The decoder: from a word to what the stages and units have to do, generated from the instruction table.
mod text;

use crate::config::CoreConfig;
use crate::isa::{self, csr, Format, Instr, Latency, Op, ISA};
use crate::rtl::op::{AluOp, Collector, FpuOp, Unit};
use rust_hdl::prelude::*;

/// Decodes one instruction.
///
/// Ports: `instr` in; the others say what it is, the last six only where there is a floating-point unit.
/// Latency: combinational. Reset: none.
/// Invariants: an illegal word has `legal` = 0, uses no register, and goes to the special unit to be reported.
/// Critical path: one 32-bit pattern match and two small tables.
/// Source: `isa::ISA`, whose lines are the lines of the Verilog `casez`. Mirror in the model: `isa::decode` and the
/// match on `Op`.
#[derive(LogicBlock, Default)]
pub struct Decoder {
    /// The word.
    pub instr: Signal<In, Bits<32>>,

    /// Unit that executes it, unless `fpu` is set.
    pub unit: Signal<Out, Unit>,
    /// Collector through which it gets there.
    pub collector: Signal<Out, Collector>,
    /// It is an instruction of the table.
    pub legal: Signal<Out, Bit>,

    /// Writes `rd`, which is not x0; instructions of a floating-point unit always do, for their flags' sake.
    pub use_rd: Signal<Out, Bit>,
    /// Reads `rs1` (perhaps x0).
    pub use_rs1: Signal<Out, Bit>,
    /// Reads `rs2` (perhaps x0).
    pub use_rs2: Signal<Out, Bit>,
    /// Destination register; bit 5 is set for those of the floating-point file.
    pub rd: Signal<Out, Bits<6>>,
    /// First source register.
    pub rs1: Signal<Out, Bits<6>>,
    /// Second source register.
    pub rs2: Signal<Out, Bits<6>>,
    /// Immediate operand of an instruction for the ALU or the load/store unit; of a shift amount bits 4..0 count; 4 for
    /// the instructions that jump to PC + 4. The other units read theirs from the word.
    pub imm: Signal<Out, Bits<32>>,
    /// Bits 14..12.
    pub funct3: Signal<Out, Bits<3>>,

    /// What the ALU does.
    pub alu_op: Signal<Out, AluOp>,
    /// Operand `a` is the PC (AUIPC, and jumps but JALR), else rs1.
    pub operand_a_pc: Signal<Out, Bit>,
    /// Operand `b` is the immediate, else rs2.
    pub operand_b_imm: Signal<Out, Bit>,
    /// Conditional branch; its target is PC + `imm`.
    pub branch: Signal<Out, Bit>,
    /// Unconditional jump, JALR among them.
    pub jump: Signal<Out, Bit>,
    /// JALR: the target is rs1 + `imm` with bit 0 cleared, not PC + `imm`.
    pub jalr: Signal<Out, Bit>,
    /// DIV, DIVU, REM, REMU: the divider, not the multiplier.
    pub muldiv_div: Signal<Out, Bit>,

    /// Reads memory.
    pub load: Signal<Out, Bit>,
    /// Writes memory.
    pub store: Signal<Out, Bit>,
    /// FENCE or FENCE.I.
    pub fence: Signal<Out, Bit>,
    /// FENCE.I.
    pub fence_i: Signal<Out, Bit>,

    /// CSR access.
    pub csr: Signal<Out, Bit>,
    /// CSR access whose operand is `imm`.
    pub csr_imm: Signal<Out, Bit>,
    /// TMC, WSPAWN, SPLIT, JOIN or PRED.
    pub wctl: Signal<Out, Bit>,
    /// BAR.
    pub barrier: Signal<Out, Bit>,

    /// Nothing younger of the warp issues until it is resolved: branches, jumps, warp control, barriers, fences,
    /// illegal instructions.
    pub blocks_issue: Signal<Out, Bit>,
    /// Nothing younger of the warp is fetched until it is resolved: warp control, FENCE.I (what follows may be stale),
    /// illegal instructions.
    pub stops_fetch: Signal<Out, Bit>,

    /// A floating-point unit executes it.
    pub fpu: Vec<Signal<Out, Bit>>,
    /// What that unit does.
    pub fpu_op: Vec<Signal<Out, FpuOp>>,
    /// The warp's `frm` is its rounding mode; else `funct3` is, if it has one.
    pub dynamic_rounding: Vec<Signal<Out, Bit>>,
    /// Reads `rs3`.
    pub use_rs3: Vec<Signal<Out, Bit>>,
    /// Third source register.
    pub rs3: Vec<Signal<Out, Bits<6>>>,
    /// Issues only when all older instructions of its warp have their results: access to a floating-point CSR.
    pub drains: Vec<Signal<Out, Bit>>,
    _fpu: bool,
}

impl Decoder {
    /// The decoder of a core of this configuration.
    pub fn new(cfg: &CoreConfig) -> Self {
        let fpu = usize::from(cfg.fpu);
        Self {
            fpu: vec![Signal::default(); fpu],
            fpu_op: vec![Signal::default(); fpu],
            dynamic_rounding: vec![Signal::default(); fpu],
            use_rs3: vec![Signal::default(); fpu],
            rs3: vec![Signal::default(); fpu],
            drains: vec![Signal::default(); fpu],
            _fpu: cfg.fpu,
            ..Self::default()
        }
    }
}

/// Whether a core with or without a floating-point unit has `op`: the one place where that is decided.
fn is_known(op: Op, fpu: bool) -> bool {
    fpu || !op.needs_fpu()
}

/// The rows of the table that the decoder knows.
fn rows(fpu: bool) -> impl Iterator<Item = &'static Instr> {
    ISA.iter().filter(move |row| is_known(row.op, fpu))
}

/// What the ALU does for `op`; `Add` where it does nothing.
fn alu_op(op: Op) -> AluOp {
    match op {
        Op::Sub => AluOp::Sub,
        Op::Sll | Op::Slli => AluOp::Sll,
        Op::Slt | Op::Slti => AluOp::Slt,
        Op::Sltu | Op::Sltiu => AluOp::Sltu,
        Op::Xor | Op::Xori => AluOp::Xor,
        Op::Srl | Op::Srli => AluOp::Srl,
        Op::Sra | Op::Srai => AluOp::Sra,
        Op::Or | Op::Ori => AluOp::Or,
        Op::And | Op::Andi => AluOp::And,
        Op::Lui => AluOp::PassB,
        Op::CzeroEqz => AluOp::CzeroEqz,
        Op::CzeroNez => AluOp::CzeroNez,
        Op::Beq => AluOp::Beq,
        Op::Bne => AluOp::Bne,
        Op::Blt => AluOp::Blt,
        Op::Bge => AluOp::Bge,
        Op::Bltu => AluOp::Bltu,
        Op::Bgeu => AluOp::Bgeu,
        _ if op.is_jump() => AluOp::Jump,
        _ => AluOp::Add,
    }
}

/// What a floating-point unit does for `op`; `None` if it is none of its instructions.
fn fpu_op(op: Op) -> Option<FpuOp> {
    Some(match op {
        Op::FmaddS => FpuOp::Madd,
        Op::FmsubS => FpuOp::Msub,
        Op::FnmsubS => FpuOp::Nmsub,
        Op::FnmaddS => FpuOp::Nmadd,
        Op::FaddS => FpuOp::Add,
        Op::FsubS => FpuOp::Sub,
        Op::FmulS => FpuOp::Mul,
        Op::FdivS => FpuOp::Div,
        Op::FsqrtS => FpuOp::Sqrt,
        Op::FsgnjS => FpuOp::Sgnj,
        Op::FsgnjnS => FpuOp::Sgnjn,
        Op::FsgnjxS => FpuOp::Sgnjx,
        Op::FminS => FpuOp::Min,
        Op::FmaxS => FpuOp::Max,
        Op::FcvtWS => FpuOp::CvtWS,
        Op::FcvtWuS => FpuOp::CvtWuS,
        Op::FmvXW => FpuOp::MvXW,
        Op::FclassS => FpuOp::Class,
        Op::FeqS => FpuOp::Eq,
        Op::FltS => FpuOp::Lt,
        Op::FleS => FpuOp::Le,
        Op::FcvtSW => FpuOp::CvtSW,
        Op::FcvtSWu => FpuOp::CvtSWu,
        Op::FmvWX => FpuOp::MvWX,
        _ => return None,
    })
}

fn unit(kind: Option<Latency>) -> Unit {
    use Latency::*;
    match kind {
        Some(Single | Branch | Jump) => Unit::Alu,
        Some(Mul | Div) => Unit::MulDiv,
        Some(Load | Store | Fence) => Unit::Lsu,
        // Those of a floating-point unit have none of these; the special unit reports what is illegal.
        Some(Csr | Warp | Fp | FpConvert | FpDiv) | None => Unit::Sfu,
    }
}

fn collector(kind: Option<Latency>) -> Collector {
    match (unit(kind), kind) {
        (Unit::Alu, _) | (_, Some(Latency::Mul | Latency::Fp)) => Collector::Sp,
        (Unit::Lsu, _) => Collector::Mem,
        _ => Collector::Sfu,
    }
}

/// Whether nothing younger issues before an instruction of this kind is resolved.
fn blocks_issue(kind: Option<Latency>) -> bool {
    matches!(kind, None | Some(Latency::Branch | Latency::Jump | Latency::Warp | Latency::Fence))
}

/// Whether a floating-point unit executes instructions of this kind.
fn is_float(kind: Option<Latency>) -> bool {
    matches!(kind, Some(Latency::Fp | Latency::FpConvert | Latency::FpDiv))
}

/// Whether operand `b` of a format is its immediate.
fn b_is_imm(format: Format) -> bool {
    use Format::*;
    matches!(format, I | Shift | S | U | J | Bare)
}

impl Logic for Decoder {
    fn update(&mut self) {
        let word = self.instr.val().to_u32();
        let op = isa::decode(word).filter(|&op| is_known(op, self._fpu));
        let kind = op.map(|op| op.info().latency);
        let format = op.map_or(Format::Bare, Op::format);
        let is = |latency| kind == Some(latency);
        let field = |number: usize, is_float: bool| {
            (number as u64 + u64::from(is_float) * isa::format::FLOAT as u64).to_bits::<6>()
        };

        self.unit.next = unit(kind);
        self.collector.next = collector(kind);
        self.legal.next = op.is_some();
        self.use_rd.next = format.writes_rd() && (isa::format::rd(word) != 0 || format.names_float());
        self.use_rs1.next = format.reads_rs1();
        self.use_rs2.next = format.reads_rs2();
        self.rd.next = field(isa::format::rd(word), format.rd_is_float());
        self.rs1.next = field(isa::format::rs1(word), format.rs1_is_float());
        self.rs2.next = field(isa::format::rs2(word), format.rs2_is_float());
        let imm = match format {
            Format::Bare => 4,
            Format::S | Format::FpStore | Format::B | Format::U | Format::J => format.imm(word),
            _ => Format::I.imm(word),
        };
        self.imm.next = u64::from(imm).to_bits();
        self.funct3.next = u64::from(word >> 12 & 7).to_bits();
        self.alu_op.next = op.map_or(AluOp::Add, alu_op);
        self.operand_a_pc.next = op == Some(Op::Auipc) || matches!(format, Format::J | Format::Bare);
        self.operand_b_imm.next = b_is_imm(format);
        self.branch.next = is(Latency::Branch);
        self.jump.next = is(Latency::Jump);
        self.jalr.next = op == Some(Op::Jalr);
        self.muldiv_div.next = is(Latency::Div);
        self.load.next = is(Latency::Load);
        self.store.next = is(Latency::Store);
        self.fence.next = is(Latency::Fence);
        self.fence_i.next = op == Some(Op::FenceI);
        self.csr.next = is(Latency::Csr);
        self.csr_imm.next = format == Format::CsrImm;
        let wctl = op.is_some_and(Op::changes_mask);
        self.wctl.next = wctl;
        self.barrier.next = op == Some(Op::Bar);
        self.stops_fetch.next = wctl || op.is_none() || op == Some(Op::FenceI);
        let drains = self._fpu && is(Latency::Csr) && csr::needs_fpu(isa::format::csr(word));
        self.blocks_issue.next = blocks_issue(kind) || drains;
        for k in 0..self.fpu.len() {
            self.fpu[k].next = is_float(kind);
            self.fpu_op[k].next = op.and_then(fpu_op).unwrap_or(FpuOp::Add);
            self.dynamic_rounding[k].next =
                format.has_rounding() && isa::format::rm(word) == isa::rounding::DYNAMIC;
            self.use_rs3[k].next = format.reads_rs3();
            self.rs3[k].next = field(isa::format::rs3(word), true);
            self.drains[k].next = drains;
        }
    }

    fn connect(&mut self) {
        self.unit.connect();
        self.collector.connect();
        self.legal.connect();
        self.use_rd.connect();
        self.use_rs1.connect();
        self.use_rs2.connect();
        self.rd.connect();
        self.rs1.connect();
        self.rs2.connect();
        self.imm.connect();
        self.funct3.connect();
        self.alu_op.connect();
        self.operand_a_pc.connect();
        self.operand_b_imm.connect();
        self.branch.connect();
        self.jump.connect();
        self.jalr.connect();
        self.muldiv_div.connect();
        self.load.connect();
        self.store.connect();
        self.fence.connect();
        self.fence_i.connect();
        self.csr.connect();
        self.csr_imm.connect();
        self.wctl.connect();
        self.barrier.connect();
        self.blocks_issue.connect();
        self.stops_fetch.connect();
        for k in 0..self.fpu.len() {
            self.fpu[k].connect();
            self.fpu_op[k].connect();
            self.dynamic_rounding[k].connect();
            self.use_rs3[k].connect();
            self.rs3[k].connect();
            self.drains[k].connect();
        }
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(text::verilog(self._fpu))
    }
}
