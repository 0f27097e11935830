//! The decoder: from a word to what the stages and units have to do, generated from the instruction table.
pub mod cover;
mod facts;
mod second;
mod text;

use crate::op::{ALU_CONTROLS, MULTIPLY_CONTROLS};
use crate::prelude::*;
use facts::Facts;
use hdl::bundle::Joined;
use isa::{self, csr, Extensions, Format, Instr, Latency, Op, ISA};

pub use second::SecondDecoder;

module! {
    /// Decodes one instruction.
    ///
    /// Ports: below. Latency: combinational. Reset: none. Invariants: an illegal word has `legal` = 0, uses no
    /// register, is neither for the divider nor for a floating-point unit, blocks and stops fetching, and goes to the
    /// special unit to be reported. What else is said of it means nothing, nor does what concerns another collector's
    /// instructions than the one it is for: each fact comes from as few bits of the word as it takes (`Facts`), for
    /// the operand stage has little time. Critical path: `legal`, one 32-bit pattern match. Source: `isa::ISA`, whose
    /// lines are the lines of the Verilog `casez`. Mirror in the model: `isa::decode` and the match on `Op`.
    pub struct Decoder(cfg: &CoreConfig)
    {
        /// The word.
        pub instr: Signal<In, Bits<32>>,
        /// For the instruction queues.
        pub decoded: DecodedInstruction<Out> = DecodedInstruction::new(cfg),
        /// It is an instruction of the table.
        pub legal: Signal<Out, Bit>,
        /// Immediate operand of an instruction for the ALU, of a shift or for the load/store unit; of a shift amount bits 4..0 count; 4 for
        /// the instructions that jump to PC + 4. The other units read theirs from the word.
        pub imm: Signal<Out, Bits<32>>,
        /// Bits 14..12.
        pub funct3: Signal<Out, Bits<3>>,
        /// What the ALU does: [`AluOp::control`].
        pub alu_control: Signal<Out, Bits<16>> = signal(ALU_CONTROLS),
        /// What the multiplier does: [`MultiplyOp::control`].
        pub multiply_control: Signal<Out, Bits<4>> = signal(MULTIPLY_CONTROLS),
        /// Of the collector `sp`: operand `b` is the immediate or made with it, else rs2.
        pub operand_b_imm: Signal<Out, Bit>,
        /// Of the collector `sp`: its complement is the operand.
        pub operand_b_inverted: Signal<Out, Bit>,
        /// Of those with the immediate: it is PC + `imm`.
        pub auipc: Signal<Out, Bit>,
        /// Of the collector `sp`: conditional branch; its target is PC + `imm`.
        pub branch: Signal<Out, Bit>,
        /// Of the collector `sp`: unconditional jump, JALR among them.
        pub jump: Signal<Out, Bit>,
        /// Of branches and jumps: JALR, whose target is rs1 + `imm` with bit 0 cleared, not PC + `imm`.
        pub jalr: Signal<Out, Bit>,
        /// Of the collector `sp`: it is for the multiplier.
        pub multiplies: Signal<Out, Bit>,
        /// Of the collector `sfu`: it is for the divider.
        pub div: Signal<Out, Bit>,
        /// Of the collector `mem`: writes it.
        pub store: Signal<Out, Bit>,
        /// Of the collector `mem`: FENCE or FENCE.I.
        pub fence: Signal<Out, Bit>,
        /// Of the collector `mem`: an atomic instruction.
        pub atomic: Opt<Signal<Out, Bit>> = Opt::new(cfg.atomics, Signal::default()),
        /// Of the collector `sp`: a vote or a shuffle.
        pub crosses: Opt<Signal<Out, Bit>> = Opt::new(cfg.cross_lane, Signal::default()),
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
        /// Nothing younger of the warp is fetched until it is resolved: warp control, FENCE.I (what follows may be stale),
        /// illegal instructions; with branch prediction also JALR, whose target nobody knows.
        pub stops_fetch: Signal<Out, Bit>,
        /// With branch prediction: a branch that goes back, or JAL. It is predicted to go to PC + `imm`.
        pub predicts_taken: Opt<Signal<Out, Bit>> = Opt::new(cfg.btfn, Signal::default()),
        /// A floating-point unit executes it.
        pub fpu: Opt<Signal<Out, Bit>> = Opt::new(cfg.fpu, Signal::default()),
        /// What that unit does.
        pub fpu_op: Opt<Signal<Out, FpuOp>> = Opt::new(cfg.fpu, Signal::default()),
        _facts: Facts = Facts::new(cfg.into()),
        _btfn: bool = cfg.btfn,
    }
}

/// The rows of the table that the decoder knows.
fn rows(extensions: Extensions) -> impl Iterator<Item = &'static Instr> {
    ISA.iter().filter(move |row| row.op.is_in(extensions))
}

/// What the ALU does for `op`; `Add` where it does nothing.
fn alu_op(op: Op) -> AluOp {
    match op {
        // The operand stage adds up what AUIPC asks for.
        Op::Lui | Op::Auipc => AluOp::PassB,
        Op::Sub => AluOp::Sub,
        Op::Slt | Op::Slti => AluOp::Slt,
        Op::Sltu | Op::Sltiu => AluOp::Sltu,
        Op::Xor | Op::Xori => AluOp::Xor,
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

/// What the multiplier does for `op`; `None` if it is none of its instructions.
fn multiply_op(op: Op) -> Option<MultiplyOp> {
    Some(match op {
        Op::Mul => MultiplyOp::Mul,
        Op::Mulh => MultiplyOp::Mulh,
        Op::Mulhsu => MultiplyOp::Mulhsu,
        Op::Mulhu => MultiplyOp::Mulhu,
        Op::Sll | Op::Slli => MultiplyOp::Sll,
        Op::Srl | Op::Srli => MultiplyOp::Srl,
        Op::Sra | Op::Srai => MultiplyOp::Sra,
        _ => return None,
    })
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
        Some(Single | Branch | Jump | Fp) => Collector::Sp,
        Some(Load | Store | Atomic | Fence) => Collector::Mem,
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

/// Of the destination and the first two sources: the facts that an instruction names it, that it means it even by the
/// number 0, and that it is in the floating-point file. Atomic instructions mean a destination of number 0 too.
const NAMED: [[&str; 3]; 3] = [
    ["writes_rd", "names_float", "rd_is_float"],
    ["reads_rs1", "rs1_is_float", "rs1_is_float"],
    ["reads_rs2", "rs2_is_float", "rs2_is_float"],
];

impl Part for Facts {}

impl Logic for Decoder {
    fn update(&mut self) {
        let word = self.instr.val().to_u32();
        let extensions = self._facts.extensions;
        let Extensions { fpu, atomics, cross_lane } = extensions;
        let op = isa::decode_in(word, extensions);
        let is = |fact| self._facts.hold(fact, word);
        let legal = op.is_some();
        let field = |number: usize, is_float: bool| {
            (number as u64 + u64::from(is_float) * isa::format::FLOAT as u64).to_bits::<6>()
        };

        self.decoded.collector.next = match (legal && is("for_sp"), legal && is("for_mem")) {
            (true, _) => Collector::Sp,
            (_, true) => Collector::Mem,
            _ => Collector::Sfu,
        };
        self.legal.next = legal;
        let numbers = [isa::format::rd(word), isa::format::rs1(word), isa::format::rs2(word)];
        for (k, [names, even_0, is_float]) in NAMED.into_iter().enumerate() {
            let means = numbers[k] != 0 || is(even_0) || (k == 0 && atomics && is("atomic"));
            self.decoded.facts_.registers.number[k].next = field(numbers[k], is(is_float));
            self.decoded.facts_.registers.used[k].next = legal && is(names) && means;
        }
        self.imm.next = u64::from(self._facts.immediate(word)).to_bits();
        self.funct3.next = u64::from(word >> 12 & 7).to_bits();
        self.alu_control.next = u64::from(self._facts.alu_control(word)).into();
        self.multiply_control.next = u64::from(self._facts.multiply_control(word)).into();
        self.operand_b_imm.next = is("operand_b_imm");
        self.operand_b_inverted.next = is("operand_b_inverted");
        self.auipc.next = is("auipc");
        self.branch.next = is("branch");
        self.jump.next = is("jump");
        self.jalr.next = is("jalr");
        self.multiplies.next = is("multiplies");
        self.div.next = legal && is("divides");
        self.decoded.facts_.memory.next = legal && is("accesses");
        self.store.next = is("store");
        self.fence.next = is("fence");
        self.fence_i.next = is("fence_i");
        self.csr.next = is("csr");
        self.csr_imm.next = is("csr_imm");
        self.wctl.next = is("wctl");
        self.barrier.next = is("barrier");
        let arithmetic = legal && is("for_sp");
        let waits = self._btfn && arithmetic && is("jump") && is("jalr");
        self.stops_fetch.next = !legal || is("wctl") || is("fence_i") || waits;
        if self._btfn {
            let back = word >> 31 != 0;
            self.predicts_taken.next = arithmetic && (is("jump") && !is("jalr") || is("branch") && back);
        }
        let drains = fpu && legal && is("csr") && csr::needs_fpu(isa::format::csr(word));
        self.decoded.facts_.blocks_issue.next = !legal || is("blocks") || drains;
        if fpu || atomics {
            let compares = atomics && is("atomic");
            let number = if compares { isa::format::rd(word) } else { isa::format::rs3(word) };
            self.decoded.facts_.registers.number[3].next = field(number, !compares);
            self.decoded.facts_.registers.used[3].next =
                legal && is("reads_rs3") && !(compares && number == 0);
        }
        if atomics {
            self.atomic.next = is("atomic");
        }
        if cross_lane {
            self.crosses.next = is("crosses");
        }
        if fpu {
            self.fpu.next = legal && is("floats");
            self.fpu_op.next = op.and_then(fpu_op).unwrap_or(FpuOp::Add);
            self.decoded.facts_.dynamic_rounding.next =
                is("rounds") && isa::format::rm(word) == isa::rounding::DYNAMIC;
            self.decoded.facts_.drains.next = drains;
        }
    }

    fn connect(&mut self) {
        macro_rules! connect {
            ($($port:ident)*) => { $(self.$port.connect();)* };
        }
        self.decoded.join_connect();
        connect!(legal imm funct3 alu_control multiply_control auipc operand_b_imm operand_b_inverted branch jump jalr multiplies div);
        connect!(store fence atomic fence_i csr csr_imm wctl barrier stops_fetch predicts_taken crosses fpu fpu_op);
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(text::verilog(&self._facts, self._btfn))
    }
}
