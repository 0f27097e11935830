//! The decoder: from a word to what the stages and units have to do, generated from the instruction table.
mod cover;
mod facts;
mod text;

use crate::config::CoreConfig;
use crate::isa::{self, csr, Format, Instr, Latency, Op, ISA};
use crate::rtl::cell::signal;
use crate::rtl::module::Part;
use crate::rtl::op::{AluOp, Collector, FpuOp, ALU_CONTROLS};
use facts::Facts;
use rust_hdl::prelude::*;

/// Decodes one instruction.
///
/// Ports: `instr` in; the others say what it is, the last six only where there is a floating-point unit.
/// Latency: combinational. Reset: none.
/// Invariants: an illegal word has `legal` = 0, uses no register, is neither for the divider nor for a floating-point unit,
/// blocks and stops fetching, and goes to the special unit to be reported. What else is said of it means nothing,
/// nor does what concerns another collector's instructions than the one it is for: each fact comes from as few bits of the
/// word as it takes (`Facts`), for the operand stage has little time.
/// Critical path: `legal`, one 32-bit pattern match.
/// Source: `isa::ISA`, whose lines are the lines of the Verilog `casez`. Mirror in the model: `isa::decode` and the
/// match on `Op`.
#[derive(LogicBlock, Default)]
pub struct Decoder {
    /// The word.
    pub instr: Signal<In, Bits<32>>,

    /// Collector through which it gets to its unit.
    pub collector: Signal<Out, Collector>,
    /// It is an instruction of the table.
    pub legal: Signal<Out, Bit>,

    /// Writes `rd`, which is not x0; instructions of a floating-point unit always do, for their flags' sake.
    pub use_rd: Signal<Out, Bit>,
    /// Reads `rs1`, which is not x0.
    pub use_rs1: Signal<Out, Bit>,
    /// Reads `rs2`, which is not x0.
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

    /// What the ALU does: [`AluOp::control`].
    pub alu_control: Signal<Out, Bits<16>>,
    /// Of the collector `sp`: operand `b` is the immediate or made with it, else rs2.
    pub operand_b_imm: Signal<Out, Bit>,
    /// Of those: it is PC + `imm`.
    pub auipc: Signal<Out, Bit>,
    /// Of the collector `sp`: conditional branch; its target is PC + `imm`.
    pub branch: Signal<Out, Bit>,
    /// Of the collector `sp`: unconditional jump, JALR among them.
    pub jump: Signal<Out, Bit>,
    /// Of branches and jumps: JALR, whose target is rs1 + `imm` with bit 0 cleared, not PC + `imm`.
    pub jalr: Signal<Out, Bit>,
    /// Of the collector `sp`: it is for the multiplier.
    pub mul: Signal<Out, Bit>,
    /// Of the collector `sfu`: it is for the divider.
    pub div: Signal<Out, Bit>,

    /// Reads or writes memory.
    pub memory: Signal<Out, Bit>,
    /// Of the collector `mem`: writes it.
    pub store: Signal<Out, Bit>,
    /// Of the collector `mem`: FENCE or FENCE.I.
    pub fence: Signal<Out, Bit>,
    /// FENCE.I.
    pub fence_i: Signal<Out, Bit>,

    /// CSR access.
    pub csr: Signal<Out, Bit>,
    /// Of those: the operand is the immediate.
    pub csr_imm: Signal<Out, Bit>,
    /// TMC, WSPAWN, SPLIT, JOIN or PRED.
    pub wctl: Signal<Out, Bit>,
    /// Of the collector `sfu`: BAR.
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
    _facts: Facts,
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
            alu_control: signal(ALU_CONTROLS),
            _facts: Facts::new(cfg.fpu),
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
        // The operand stage adds up what AUIPC asks for.
        Op::Lui | Op::Auipc => AluOp::PassB,
        Op::Sub => AluOp::Sub,
        Op::Sll | Op::Slli => AluOp::Sll,
        Op::Slt | Op::Slti => AluOp::Slt,
        Op::Sltu | Op::Sltiu => AluOp::Sltu,
        Op::Xor | Op::Xori => AluOp::Xor,
        Op::Srl | Op::Srli => AluOp::Srl,
        Op::Sra | Op::Srai => AluOp::Sra,
        Op::Or | Op::Ori => AluOp::Or,
        Op::And | Op::Andi => AluOp::And,
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

fn collector(kind: Option<Latency>) -> Collector {
    use Latency::*;
    match kind {
        Some(Single | Branch | Jump | Mul | Fp) => Collector::Sp,
        Some(Load | Store | Fence) => Collector::Mem,
        // The special unit reports what is illegal.
        Some(Div | Csr | Warp | FpConvert | FpDiv) | None => Collector::Sfu,
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

impl Part for Decoder {}

impl Logic for Decoder {
    fn update(&mut self) {
        let word = self.instr.val().to_u32();
        let op = isa::decode(word).filter(|&op| is_known(op, self._fpu));
        let is = |fact| self._facts.hold(fact, word);
        let legal = op.is_some();
        let field = |number: usize, is_float: bool| {
            (number as u64 + u64::from(is_float) * isa::format::FLOAT as u64).to_bits::<6>()
        };

        self.collector.next = match (legal && is("for_sp"), legal && is("for_mem")) {
            (true, _) => Collector::Sp,
            (_, true) => Collector::Mem,
            _ => Collector::Sfu,
        };
        self.legal.next = legal;
        let named = isa::format::rd(word) != 0 || is("names_float");
        self.use_rd.next = legal && is("writes_rd") && named;
        let named = isa::format::rs1(word) != 0 || is("rs1_is_float");
        self.use_rs1.next = legal && is("reads_rs1") && named;
        let named = isa::format::rs2(word) != 0 || is("rs2_is_float");
        self.use_rs2.next = legal && is("reads_rs2") && named;
        self.rd.next = field(isa::format::rd(word), is("rd_is_float"));
        self.rs1.next = field(isa::format::rs1(word), is("rs1_is_float"));
        self.rs2.next = field(isa::format::rs2(word), is("rs2_is_float"));
        self.imm.next = u64::from(facts::immediate(word, self._fpu)).to_bits();
        self.funct3.next = u64::from(word >> 12 & 7).to_bits();
        self.alu_control.next = u64::from(self._facts.alu_control(word)).into();
        self.operand_b_imm.next = is("operand_b_imm");
        self.auipc.next = is("auipc");
        self.branch.next = is("branch");
        self.jump.next = is("jump");
        self.jalr.next = is("jalr");
        self.mul.next = is("mul");
        self.div.next = legal && is("divides");
        self.memory.next = legal && is("accesses");
        self.store.next = is("store");
        self.fence.next = is("fence");
        self.fence_i.next = is("fence_i");
        self.csr.next = is("csr");
        self.csr_imm.next = is("csr_imm");
        self.wctl.next = is("wctl");
        self.barrier.next = is("barrier");
        self.stops_fetch.next = !legal || is("wctl") || is("fence_i");
        let drains = self._fpu && legal && is("csr") && csr::needs_fpu(isa::format::csr(word));
        self.blocks_issue.next = !legal || is("blocks") || drains;
        for k in 0..self.fpu.len() {
            self.fpu[k].next = legal && is("floats");
            self.fpu_op[k].next = op.and_then(fpu_op).unwrap_or(FpuOp::Add);
            self.dynamic_rounding[k].next = is("rounds") && isa::format::rm(word) == isa::rounding::DYNAMIC;
            self.use_rs3[k].next = legal && is("reads_rs3");
            self.rs3[k].next = field(isa::format::rs3(word), true);
            self.drains[k].next = drains;
        }
    }

    fn connect(&mut self) {
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
        self.alu_control.connect();
        self.auipc.connect();
        self.operand_b_imm.connect();
        self.branch.connect();
        self.jump.connect();
        self.jalr.connect();
        self.mul.connect();
        self.div.connect();
        self.memory.connect();
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
        Verilog::Custom(text::verilog(&self._facts, self._fpu))
    }
}
