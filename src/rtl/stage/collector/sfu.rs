//! The collector in front of the special unit, the divider and the slow floating-point unit.
use super::super::super::cell::{pipes, signal, signals, Pipe, Reg};
use super::super::super::op::FpuOp;
use crate::config::CoreConfig;
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// One entry for the class `sfu`: CSR access, warp control, barriers, illegal instructions, divisions, and what
    /// the slow floating-point unit does.
    ///
    /// Ports, from the operand stage: `operand_valid` (an instruction of this class is there) and its fields
    /// `operand_*`; from the units `sfu_ready` (the entry leaves). To the units `sfu_valid` and
    /// the entry `sfu_*`. Latency: one cycle. Reset: empty. Invariants: the scoreboard issues this class only when
    /// the entry and the operand stage are empty of it, so what arrives always finds room.
    /// Critical path: none of its own. Source: none. Mirror in the model: none.
    pub struct SfuCollector(cfg: &CoreConfig) [clock, reset]
    let (threads, wid, fpu) = (cfg.threads, cfg.wid_bits(), usize::from(cfg.fpu));
    {
        _threads: usize = threads,
        _fpu: usize = fpu,
        // From the operand stage.
        /// An instruction of this class is in the operand stage.
        pub operand_valid: Signal<In, Bit>,
        /// Its warp.
        pub operand_wid: Signal<In, Bits<5>> = signal(wid),
        /// Its active lanes.
        pub operand_tmask: Signal<In, Bits<32>> = signal(threads),
        /// Its address.
        pub operand_pc: Signal<In, Bits<32>>,
        /// Destination.
        pub operand_rd: Signal<In, Bits<6>>,
        /// There is a destination.
        pub operand_use_rd: Signal<In, Bit>,
        /// Minor opcode.
        pub operand_funct3: Signal<In, Bits<3>>,
        /// The instruction.
        pub operand_instr: Signal<In, Bits<32>>,
        /// It is a CSR access.
        pub operand_csr: Signal<In, Bit>,
        /// Its CSR operand is the immediate in the instruction.
        pub operand_csr_imm: Signal<In, Bit>,
        /// It is warp control.
        pub operand_wctl: Signal<In, Bit>,
        /// It is a barrier.
        pub operand_barrier: Signal<In, Bit>,
        /// It is a legal instruction.
        pub operand_legal: Signal<In, Bit>,
        /// It is for the divider.
        pub operand_div: Signal<In, Bit>,
        /// With a floating-point unit: it is for the slow one.
        pub operand_fpu: Vec<Signal<In, Bit>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: operation for it.
        pub operand_fpu_op: Vec<Signal<In, FpuOp>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: rounding mode.
        pub operand_rounding: Vec<Signal<In, Bits<3>>> = signals(fpu, 3),
        /// First register of each lane.
        pub operand_rs1: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// Second register of each lane.
        pub operand_rs2: Vec<Signal<In, Bits<32>>> = signals(threads, 32),
        /// First register of the last active lane.
        pub operand_last_rs1: Signal<In, Bits<32>>,
        /// Second register of the last active lane.
        pub operand_last_rs2: Signal<In, Bits<32>>,
        // From the units.
        /// The unit that the entry is for takes the entry this cycle.
        pub sfu_ready: Signal<In, Bit>,
        // To the units.
        /// There is an entry.
        pub sfu_valid: Signal<Out, Bit>,
        /// Its warp.
        pub sfu_wid: Signal<Out, Bits<5>> = signal(wid),
        /// Its active lanes.
        pub sfu_tmask: Signal<Out, Bits<32>> = signal(threads),
        /// Its address.
        pub sfu_pc: Signal<Out, Bits<32>>,
        /// Destination.
        pub sfu_rd: Signal<Out, Bits<6>>,
        /// There is a destination.
        pub sfu_use_rd: Signal<Out, Bit>,
        /// Minor opcode.
        pub sfu_funct3: Signal<Out, Bits<3>>,
        /// The instruction.
        pub sfu_instr: Signal<Out, Bits<32>>,
        /// It is a CSR access.
        pub sfu_csr: Signal<Out, Bit>,
        /// Its CSR operand is the immediate in the instruction.
        pub sfu_csr_imm: Signal<Out, Bit>,
        /// It is warp control.
        pub sfu_wctl: Signal<Out, Bit>,
        /// It is a barrier.
        pub sfu_barrier: Signal<Out, Bit>,
        /// It is a legal instruction.
        pub sfu_legal: Signal<Out, Bit>,
        /// It is for the divider.
        pub sfu_div: Signal<Out, Bit>,
        /// With a floating-point unit: it is for the slow one.
        pub sfu_fpu: Vec<Signal<Out, Bit>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: operation for it.
        pub sfu_fpu_op: Vec<Signal<Out, FpuOp>> = vec![Signal::default(); fpu],
        /// With a floating-point unit: rounding mode.
        pub sfu_rounding: Vec<Signal<Out, Bits<3>>> = signals(fpu, 3),
        /// First register of each lane.
        pub sfu_rs1: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// Second register of each lane.
        pub sfu_rs2: Vec<Signal<Out, Bits<32>>> = signals(threads, 32),
        /// First register of the last active lane.
        pub sfu_last_rs1: Signal<Out, Bits<32>>,
        /// Second register of the last active lane.
        pub sfu_last_rs2: Signal<Out, Bits<32>>,
        valid: Reg<Bit>,
        wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid),
        tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(threads),
        pc: Pipe<Bits<32>>,
        rd: Pipe<Bits<6>>,
        use_rd: Pipe<Bit>,
        funct3: Pipe<Bits<3>>,
        instr: Pipe<Bits<32>>,
        csr: Pipe<Bit>,
        csr_imm: Pipe<Bit>,
        wctl: Pipe<Bit>,
        barrier: Pipe<Bit>,
        legal: Pipe<Bit>,
        div: Pipe<Bit>,
        fpu: Vec<Pipe<Bit>> = vec![Pipe::new(); fpu],
        fpu_op: Vec<Pipe<FpuOp>> = vec![Pipe::new(); fpu],
        rounding: Vec<Pipe<Bits<3>>> = pipes(fpu, 3),
        rs1: Vec<Pipe<Bits<32>>> = pipes(threads, 32),
        rs2: Vec<Pipe<Bits<32>>> = pipes(threads, 32),
        last_rs1: Pipe<Bits<32>>,
        last_rs2: Pipe<Bits<32>>,
    }
}

impl Logic for SfuCollector {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SfuCollector: One entry for the class sfu: CSR access, warp control, barriers, illegal instructions, and divisions.");
        comment!("1. load");
        self.valid.d.next = self.operand_valid.val() | (self.valid.q.val() & !self.sfu_ready.val());
        if self.operand_valid.val() {
            self.wid.d.next = self.operand_wid.val();
            self.tmask.d.next = self.operand_tmask.val();
            self.pc.d.next = self.operand_pc.val();
            self.rd.d.next = self.operand_rd.val();
            self.use_rd.d.next = self.operand_use_rd.val();
            self.funct3.d.next = self.operand_funct3.val();
            self.instr.d.next = self.operand_instr.val();
            self.csr.d.next = self.operand_csr.val();
            self.csr_imm.d.next = self.operand_csr_imm.val();
            self.wctl.d.next = self.operand_wctl.val();
            self.barrier.d.next = self.operand_barrier.val();
            self.legal.d.next = self.operand_legal.val();
            self.div.d.next = self.operand_div.val();
            self.last_rs1.d.next = self.operand_last_rs1.val();
            self.last_rs2.d.next = self.operand_last_rs2.val();
        }
        for i in 0..self._threads {
            if self.operand_valid.val() {
                self.rs1[i].d.next = self.operand_rs1[i].val();
                self.rs2[i].d.next = self.operand_rs2[i].val();
            }
            self.sfu_rs1[i].next = self.rs1[i].q.val();
            self.sfu_rs2[i].next = self.rs2[i].q.val();
        }
        for k in 0..self._fpu {
            if self.operand_valid.val() {
                self.fpu[k].d.next = self.operand_fpu[k].val();
                self.fpu_op[k].d.next = self.operand_fpu_op[k].val();
                self.rounding[k].d.next = self.operand_rounding[k].val();
            }
            self.sfu_fpu[k].next = self.fpu[k].q.val();
            self.sfu_fpu_op[k].next = self.fpu_op[k].q.val();
            self.sfu_rounding[k].next = self.rounding[k].q.val();
        }
        comment!("2. entry");
        self.sfu_valid.next = self.valid.q.val();
        self.sfu_wid.next = self.wid.q.val();
        self.sfu_tmask.next = self.tmask.q.val();
        self.sfu_pc.next = self.pc.q.val();
        self.sfu_rd.next = self.rd.q.val();
        self.sfu_use_rd.next = self.use_rd.q.val();
        self.sfu_funct3.next = self.funct3.q.val();
        self.sfu_instr.next = self.instr.q.val();
        self.sfu_csr.next = self.csr.q.val();
        self.sfu_csr_imm.next = self.csr_imm.q.val();
        self.sfu_wctl.next = self.wctl.q.val();
        self.sfu_barrier.next = self.barrier.q.val();
        self.sfu_legal.next = self.legal.q.val();
        self.sfu_div.next = self.div.q.val();
        self.sfu_last_rs1.next = self.last_rs1.q.val();
        self.sfu_last_rs2.next = self.last_rs2.q.val();
    }
}
