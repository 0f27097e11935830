//! The operand stage: register file read, full decode, operand selection.
use super::decode::Decoder;
use super::register_file::RegisterFile;
use crate::prelude::*;

module! {
    /// The cycle after issue: the registers arrive, the instruction is decoded in full, operands are selected.
    ///
    /// Ports: below; an instruction that is neither `issue_mem` nor `issue_sfu` is for the sp collector. Latency: one
    /// cycle. Reset: empty. Invariants: register 0 reads as 0, a register that the instruction does not have as 0
    /// too; the second operand of a jump is the link address, that of AUIPC the result; the third one is defined only
    /// where there is one. An instruction whose rounding mode is reserved is not legal (the issue slice sends it to
    /// the special unit). While `operand_stall` is 1 the stage holds and nothing may fire. Critical path: block RAM
    /// access, last-lane multiplexer, addition of the branch target; and decoding, what is added to the PC, addition,
    /// second operand. Source: none. Mirror in the model: operand fetch in `model::exec`.
    pub struct Operands(cfg: &CoreConfig) [clock, reset]
    let (threads, fpu) = (cfg.threads, usize::from(cfg.fpu));
    let float_warps = fpu * cfg.warps;
    // Operand collectors have read a shared warp's registers before.
    let visited = cfg.shares_warps() && !cfg.collects();
    {
        _threads: usize = threads,
        has_fpu: Const<Bit> = Const::new(cfg.fpu),
        btfn: Const<Bit> = Const::new(cfg.btfn),
        atomics: Const<Bit> = Const::new(cfg.atomics),
        cross_lane: Const<Bit> = Const::new(cfg.cross_lane),
        _atomic_threads: usize = usize::from(cfg.atomics) * threads,
        collects: Const<Bit> = Const::new(cfg.collects()),
        _float_warps: usize = float_warps,
        // From issue.
        /// The instruction that issues.
        pub issue: Issue<In> = Issue::new(cfg),
        /// Its registers.
        pub registers: Registers<In> = Registers::new(cfg),
        /// Its warp if it has a destination, as a mask; without regard to `operand_stall`.
        pub issue_write_warps: Signal<In, WarpMask> = signal(cfg.warps),
        /// It goes to the mem collector.
        pub issue_mem: Signal<In, Bit>,
        /// It goes to the sfu collector.
        pub issue_sfu: Signal<In, Bit>,
        // From commit.
        /// Register write.
        pub commit: RegisterWrite<In> = RegisterWrite::new(cfg),
        // Of a slice that shares warps.
        /// What issues is a warp of another slice.
        pub visit: Opt<Signal<In, Bit>> = Opt::new(visited, Signal::default()),
        /// The registers of the one that the stage holds.
        pub shared_words: Opt<OperandWords<In>> = Opt::new(visited, OperandWords::new(cfg)),
        // Of a slice with operand collectors.
        /// The words of what they hand over.
        pub collected: Opt<OperandWords<In>> = Opt::new(cfg.collects(), OperandWords::new(cfg)),
        /// The stage holds, and takes nothing from them.
        pub holds: Opt<Signal<Out, Bit>> = Opt::new(cfg.collects(), Signal::default()),
        // From the CSRs.
        /// With a floating-point unit: the dynamic rounding mode of each warp.
        pub frm: Vec<Signal<In, Bits<3>>> = signals(float_warps, 3),
        // From the sp collector.
        /// It has room.
        pub collector_ready: Signal<In, Bit>,
        // To the scoreboard.
        /// The stage holds: nothing may fire this cycle.
        pub operand_stall: Signal<Out, Bit>,
        // To the collectors.
        /// The warp of an instruction with a destination that the stage holds, or none.
        pub operand_write_warps: Signal<Out, WarpMask> = signal(cfg.warps),
        /// What the stage holds.
        pub operand: HeldOperands<Out> = HeldOperands::new(cfg),
        register_file: RegisterFile = RegisterFile::new(cfg, visited),
        decoder: Decoder = Decoder::new(cfg),
        held: Issue<Registered> = Issue::new(cfg),
        is_mem, is_sfu: Reg<Bit>,
        rd: Pipe<Bits<6>>,
        use_rd: Pipe<Bit>,
        head: InstructionHead<Local> = InstructionHead::new(cfg),
        write_warps: Reg<WarpMask> = Reg::<WarpMask>::width(cfg.warps),
        is_sp, advance, use_common, legal: Signal<Local, Bit>,
        common, from_pc, last_rs1, base: Signal<Local, Bits<32>>,
        offset: Opt<Signal<Local, Bits<32>>> = Opt::new(cfg.btfn, Signal::default()),
        /// The last active lane, found before the stage: a number that comes from registers selects with fewer LUTs.
        last: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(cfg.tid_bits()),
        last_now: Signal<Local, Bits<5>> = signal(cfg.tid_bits()),
        last_lane: Signal<Local, Bits<32>> = signal(threads),
        warp_frm, rounding: Opt<Signal<Local, Bits<3>>> = Opt::new(cfg.fpu, Signal::default()),
        reserved_rounding: Opt<Signal<Local, Bit>> = Opt::new(cfg.fpu, Signal::default()),
    }
}

impl Logic for Operands {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. hold while the sp collector has no room; the other classes issue only into room");
        self.is_sp.next = !self.is_mem.q.val() & !self.is_sfu.q.val();
        self.operand_stall.next = self.held.valid.q.val() & self.is_sp.val() & !self.collector_ready.val();
        self.advance.next = !self.operand_stall.val();
        if self.collects.val() {
            comment!(
                "It is the operand collectors that wait, and they that have room for what issues or not."
            );
            self.holds.next = self.held.valid.q.val() & self.is_sp.val() & !self.collector_ready.val();
            self.operand_stall.next = false;
            self.advance.next = !self.holds.val();
        }
        self.last_now.next = 0.into();
        for i in 0..self._threads {
            if self.issue.tmask.val().get_bit(i) {
                self.last_now.next = i.to_bits::<5>();
            }
        }
        if self.advance.val() {
            Data::join(&mut self.issue, &mut self.held);
            self.is_mem.d.next = self.issue.valid.val() & self.issue_mem.val();
            self.is_sfu.d.next = self.issue.valid.val() & self.issue_sfu.val();
            self.rd.d.next = self.registers.number[0].val();
            self.use_rd.d.next = self.registers.used[0].val();
            self.write_warps.d.next = self.issue_write_warps.val();
            self.last.d.next = self.last_now.val();
        }
        self.operand_write_warps.next = self.write_warps.q.val();
        self.operand.sp.valid.next = self.held.valid.q.val() & self.is_sp.val();
        self.operand.mem.valid.next = self.is_mem.q.val();
        self.operand.sfu.its_.valid.next = self.is_sfu.q.val();
        comment!("2. registers");
        self.register_file.issue_wid.next = self.issue.wid.val();
        Wires::join(&mut self.registers, &mut self.register_file.registers);
        self.register_file.read_enable.next = self.advance.val();
        Wires::join(&mut self.commit, &mut self.register_file.commit);
        Wires::join(&mut self.visit, &mut self.register_file.visit);
        Wires::join(&mut self.shared_words, &mut self.register_file.shared_words);
        Wires::join(&mut self.collected, &mut self.register_file.collected);
        comment!("3. decode");
        self.decoder.instr.next = self.held.instr.q.val();
        self.legal.next = self.decoder.legal.val();
        self.operand.sp.multiplies.next = self.decoder.multiplies.val();
        self.operand.sp.alu_control.next = self.decoder.alu_control.val();
        self.operand.sp.multiply_control.next = self.decoder.multiply_control.val();
        self.operand.sp.resolves.next = self.decoder.branch.val() | self.decoder.jump.val();
        self.operand.mem.imm.next = self.decoder.imm.val();
        self.operand.mem.store.next = self.decoder.store.val();
        self.operand.mem.fence.next = self.decoder.fence.val();
        self.operand.mem.fence_i.next = self.decoder.fence_i.val();
        self.operand.sfu.its_.div.next = self.decoder.div.val();
        self.operand.sfu.its_.csr.next = self.decoder.csr.val();
        self.operand.sfu.its_.csr_imm.next = self.decoder.csr_imm.val();
        self.operand.sfu.its_.wctl.next = self.decoder.wctl.val();
        self.operand.sfu.its_.barrier.next = self.decoder.barrier.val();
        comment!(
            "4. what all lanes share: the immediate, the link address of a jump, or the result of AUIPC"
        );
        self.use_common.next = self.decoder.operand_b_imm.val() | self.decoder.jump.val();
        self.from_pc.next = 4.into();
        if self.decoder.auipc.val() {
            self.from_pc.next = self.held.instr.q.val() & 0xFFFF_F000_u64;
        }
        self.common.next = self.decoder.imm.val();
        if self.decoder.auipc.val() | self.decoder.jump.val() {
            self.common.next = self.held.pc.q.val() + self.from_pc.val();
        }
        comment!("5. registers and operands; register 0 is 0, for the register file is not asked for it");
        Wires::join(&mut self.register_file.words.rs1, &mut self.operand.sp.a);
        Wires::join(&mut self.register_file.words.rs1, &mut self.operand.mem.rs1);
        Wires::join(&mut self.register_file.words.rs2, &mut self.operand.mem.rs2);
        Wires::join(&mut self.register_file.words.rs1, &mut self.operand.sfu.rs1);
        Wires::join(&mut self.register_file.words.rs2, &mut self.operand.sfu.rs2);
        for i in 0..self._threads {
            self.operand.sp.b[i].next = self.register_file.words.rs2[i].val();
            if self.use_common.val() {
                self.operand.sp.b[i].next = self.common.val();
            }
            if self.decoder.operand_b_inverted.val() {
                self.operand.sp.b[i].next = !self.operand.sp.b[i].val();
            }
        }
        comment!("6. the last active lane");
        self.last_lane.next = 0.into();
        for i in 0..self._threads {
            self.last_lane.next = self.last_lane.val().replace_bit(i, self.last.q.val() == i.to_bits::<5>());
        }
        comment!("7. its registers, and the branch target: JALR takes the first one. The decoder's word on it comes last.");
        self.last_rs1.next = self.register_file.words.rs1[self.last.q.val().index()].val();
        self.operand.sfu.its_.last_rs1.next = self.last_rs1.val();
        self.operand.sfu.its_.last_rs2.next = self.register_file.words.rs2[self.last.q.val().index()].val();
        self.base.next = self.held.pc.q.val();
        if self.decoder.jalr.val() {
            self.base.next = self.last_rs1.val();
        }
        self.operand.sp.target.next = (self.base.val() + self.decoder.imm.val()) & 0xFFFF_FFFE_u64;
        if self.btfn.val() {
            comment!("Where a branch goes that was predicted to be taken and is not: behind itself.");
            self.operand.sp.ahead.next = self.decoder.predicts_taken.val();
            self.offset.next = self.decoder.imm.val();
            if self.decoder.predicts_taken.val() {
                self.offset.next = 4.into();
            }
            self.operand.sp.target.next = (self.base.val() + self.offset.val()) & 0xFFFF_FFFE_u64;
        }
        comment!("8. floating point: the rounding mode, which comes from the instruction or the warp");
        if self.has_fpu.val() {
            self.warp_frm.next = 0.into();
            for i in 0..self._float_warps {
                if self.held.wid.q.val() == i.to_bits::<WID_BITS>() {
                    self.warp_frm.next = self.frm[i].val();
                }
            }
            self.rounding.next = self.decoder.funct3.val();
            if self.decoder.decoded.facts_.dynamic_rounding.val() {
                self.rounding.next = self.warp_frm.val();
            }
            self.reserved_rounding.next =
                self.decoder.decoded.facts_.dynamic_rounding.val() & (self.warp_frm.val() > bits::<3>(4));
            self.operand.sp.rounding.next = self.rounding.val();
            self.operand.sp.fpu.next = self.decoder.fpu.val() & !self.reserved_rounding.val();
            self.operand.sp.fpu_op.next = self.decoder.fpu_op.val();
            self.operand.sfu.its_.rounding.next = self.rounding.val();
            self.operand.sfu.its_.fpu.next = self.decoder.fpu.val() & !self.reserved_rounding.val();
            self.operand.sfu.its_.fpu_op.next = self.decoder.fpu_op.val();
            if self.reserved_rounding.val() {
                self.legal.next = false;
            }
            Data::join(&mut self.register_file.words.rs3, &mut self.operand.c);
        }
        if self.atomics.val() {
            comment!("An atomic instruction: what it does, and the third operand of AMOCAS, which is its destination.");
            self.operand.mem.atomic.next = self.decoder.atomic.val();
            self.operand.mem.operation.next = self.held.instr.q.val().get_bits::<5>(27);
            for i in 0..self._atomic_threads {
                self.operand.mem.compared[i].next = self.register_file.words.rs3[i].val();
                if self.rd.q.val() == 0 {
                    self.operand.mem.compared[i].next = 0.into();
                }
            }
        }
        if self.cross_lane.val() {
            self.operand.sp.crosses.next = self.decoder.crosses.val();
        }
        comment!("9. what all classes have alike, and the rest");
        self.head.to_.wid.next = self.held.wid.q.val();
        self.head.to_.tmask.next = self.held.tmask.q.val();
        self.head.to_.rd.next = self.rd.q.val();
        self.head.use_rd.next = self.use_rd.q.val();
        self.head.funct3.next = self.decoder.funct3.val();
        self.operand.sfu.its_.legal.next = self.legal.val();
        self.operand.sp.last_lane.next = self.last_lane.val();
        Wires::join(&mut self.head, &mut self.operand.sp.head_);
        Wires::join(&mut self.head, &mut self.operand.mem.head_);
        Wires::join(&mut self.head, &mut self.operand.sfu.its_.head_);
        self.operand.mem.pc.next = self.held.pc.q.val();
        self.operand.sfu.its_.pc.next = self.held.pc.q.val();
        self.operand.sfu.its_.instr.next = self.held.instr.q.val();
    }
}
