//! Between the slices' collectors, the units and commit.
use crate::op::{ALU_CONTROLS, MULTIPLY_CONTROLS};
use crate::prelude::*;

bundle! {
    /// Where a result goes.
    pub struct Destination(cfg: &CoreConfig) {
        forward {
            /// Its warp.
            wid: WarpId = cfg.wid_bits(),
            /// Destination register.
            rd: Bits<6>,
            /// Its lanes.
            tmask: Bits<32> = cfg.threads,
        }
    }
}

bundle! {
    /// What an instruction has, whatever its class.
    pub struct InstructionHead(cfg: &CoreConfig) {
        forward {
            /// Where its result goes.
            to_: fields Destination(cfg),
            /// There is a destination.
            use_rd: Bit,
            /// Minor opcode.
            funct3: Bits<3>,
        }
    }
}

bundle! {
    /// A load, store, atomic instruction or fence, from a slice's collector to the load-store unit.
    pub struct MemInstruction(cfg: &CoreConfig) {
        forward {
            /// A load, store or fence is there.
            valid: reset Bit,
            /// Its head, of which the minor opcode says width and sign.
            head_: fields InstructionHead(cfg),
            /// Its address.
            pc: Bits<32>,
            /// It is a store.
            store: Bit,
            /// It is FENCE.
            fence: Bit,
            /// It is FENCE.I.
            fence_i: Bit,
            /// Offset.
            imm: Bits<32>,
            /// Base address of each lane.
            rs1: [Bits<32>; cfg.threads],
            /// Value to store of each lane, or operand.
            rs2: [Bits<32>; cfg.threads],
            /// It is an atomic instruction.
            atomic: if (cfg.atomics) Bit,
            /// What that does: the upper five bits of the instruction.
            operation: if (cfg.atomics) Bits<5>,
            /// What AMOCAS compares each lane's word with.
            compared: if (cfg.atomics) [Bits<32>; cfg.threads],
        }
        backward {
            /// It is taken in this cycle.
            ready: Bit,
        }
    }
}

bundle! {
    /// An instruction for the integer unit or the floating-point pipeline, with its operands. The third
    /// operand of a lane, which only that pipeline needs, stands beside it.
    pub struct SpInstruction(cfg: &CoreConfig) {
        forward {
            /// An instruction is there.
            valid: reset Bit,
            /// Its head.
            head_: fields InstructionHead(cfg),
            /// The last active lane, one hot.
            last_lane: Bits<32> = cfg.threads,
            /// Operation of the ALU.
            alu_control: Bits<16> = ALU_CONTROLS,
            /// It is for the multiplier.
            multiplies: Bit,
            /// It is a vote or a shuffle.
            crosses: if (cfg.cross_lane) Bit,
            /// Operation of the multiplier.
            multiply_control: Bits<4> = MULTIPLY_CONTROLS,
            /// It is a branch or a jump.
            resolves: Bit,
            /// It is predicted to go to its target; `target` is what lies behind it then.
            ahead: if (cfg.btfn) Bit,
            /// Where it branches to.
            target: Bits<32>,
            /// First operand of each lane.
            a: [Bits<32>; cfg.threads],
            /// Second operand of each lane, or its complement, for operations that subtract or compare.
            b: [Bits<32>; cfg.threads],
            /// It is for the floating-point pipeline.
            fpu: if (cfg.fpu) Bit,
            /// Operation of that pipeline.
            fpu_op: if (cfg.fpu) FpuOp,
            /// Rounding mode.
            rounding: if (cfg.fpu) Bits<3>,
        }
    }
}

bundle! {
    /// An instruction for the special unit, the divider or the slow floating-point unit. The registers of each lane stand
    /// beside it.
    pub struct SfuInstruction(cfg: &CoreConfig) {
        forward {
            /// An instruction is there.
            valid: reset Bit,
            /// Its head.
            head_: fields InstructionHead(cfg),
            /// Its address.
            pc: Bits<32>,
            /// The instruction.
            instr: Bits<32>,
            /// It is a CSR access.
            csr: Bit,
            /// Its CSR operand is the immediate in the instruction.
            csr_imm: Bit,
            /// It is TMC, WSPAWN, SPLIT, JOIN or PRED.
            wctl: Bit,
            /// It is BAR.
            barrier: Bit,
            /// It is a legal instruction.
            legal: Bit,
            /// It is for the divider.
            div: Bit,
            /// First register of the last active lane.
            last_rs1: Bits<32>,
            /// Second register of the last active lane.
            last_rs2: Bits<32>,
            /// It is for the slow floating-point unit.
            fpu: if (cfg.fpu) Bit,
            /// Operation of that unit.
            fpu_op: if (cfg.fpu) FpuOp,
            /// Rounding mode.
            rounding: if (cfg.fpu) Bits<3>,
        }
    }
}

bundle! {
    /// What the special unit is told of an instruction.
    pub struct SfuRequest(cfg: &CoreConfig) {
        forward {
            /// The instruction.
            its_: fields SfuInstruction(cfg),
            /// First register of lane 0.
            rs1: Bits<32>,
            /// Bit 0 of each lane's first register.
            flags: Bits<32> = cfg.threads,
        }
        backward {
            /// It is taken in this cycle.
            ready: Bit,
        }
    }
}

bundle! {
    /// An instruction of this class with the registers of each lane.
    pub struct SfuEntry(cfg: &CoreConfig) {
        forward {
            /// The instruction.
            its_: fields SfuInstruction(cfg),
            /// First register of each lane.
            rs1: [Bits<32>; cfg.threads],
            /// Second register of each lane.
            rs2: [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// What commit writes to the register file, but for the data.
    pub struct Writeback(cfg: &CoreConfig) {
        forward {
            /// A register is written.
            valid: Bit,
            /// Which, of which warp and lanes.
            to_: fields Destination(cfg),
            /// The instruction has now written all its lanes.
            last: Bit,
            /// Exceptions of a floating-point instruction, 0 for any other.
            flags: if (cfg.fpu) Bits<5>,
        }
    }
}

bundle! {
    /// A result, or a part of one, that is written to the register file.
    pub struct RegisterWrite(cfg: &CoreConfig) {
        forward {
            /// Where to.
            write_: fields Writeback(cfg),
            /// Value of each lane.
            data: [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// What a unit writes to the register file.
    pub struct UnitResult(cfg: &CoreConfig) {
        forward {
            /// Where it goes.
            to_: fields Destination(cfg),
            /// Value of each lane.
            data: [Bits<32>; cfg.threads],
        }
    }
}

bundle! {
    /// A result that a unit offers to commit. One that several slices share says to which, so the result stands alone there.
    pub struct OfferedResult(cfg: &CoreConfig) {
        forward {
            /// A result is offered.
            valid: Bit,
            /// The result.
            result_: fields UnitResult(cfg),
        }
        backward {
            /// It is taken in this cycle.
            ready: Bit,
        }
    }
}

bundle! {
    /// A result with the exceptions that it raises.
    pub struct FloatResult(cfg: &CoreConfig) {
        forward {
            /// The result.
            offer_: fields OfferedResult(cfg),
            /// Exceptions of a floating-point instruction, 0 for any other.
            flags: if (cfg.fpu) Bits<5>,
        }
    }
}

bundle! {
    /// A branch or jump that is resolved, from a slice's ALU to the warp table.
    pub struct Branch(cfg: &CoreConfig) {
        forward {
            /// A branch or jump is resolved.
            valid: reset Bit,
            /// Its warp.
            wid: WarpId = cfg.wid_bits(),
            /// It is taken.
            taken: Bit,
            /// Where to.
            target: Bits<32>,
        }
    }
}

bundle! {
    /// A warp-control instruction that is done, from the special unit to the warp table.
    pub struct MaskChange(cfg: &CoreConfig) {
        forward {
            /// Such an instruction is done.
            valid: reset Bit,
            /// Its warp.
            wid: WarpId = cfg.wid_bits(),
            /// The warp's lanes from now on; 0 ends it.
            tmask: Bits<32> = cfg.threads,
            /// The warp goes on at `pc` (JOIN), else behind the instruction.
            jump: Bit,
            /// Where, if `jump`.
            pc: Bits<32>,
        }
    }
}

bundle! {
    /// What CSRs show of the core, or count. Slices are elements.
    pub struct CsrSources(cfg: &CoreConfig) {
        let slices = cfg.slices;
        forward {
            /// Slices that issue.
            issue_fire: [Bit; slices],
            /// Lanes of the instruction that each slice issues.
            issue_tmask: [Bits<32>; slices] = cfg.threads,
            /// With a floating-point unit: the warp whose result each slice writes.
            commit_wid: if (cfg.fpu) [WarpId; slices] = cfg.wid_bits(),
            /// With a floating-point unit: exceptions of that result.
            commit_flags: if (cfg.fpu) [Bits<5>; slices],
            /// Warps that are active.
            active_warps: WarpMask = cfg.warps,
            /// Reset value of mscratch.
            start_arg: Bits<32>,
            /// The core runs.
            running: Bit,
            /// With a dispatcher: a grid is taken.
            launch: if (cfg.grid) Bit,
            /// With a dispatcher: the grid.
            grid: if (cfg.grid) bundle GridView(cfg),
            /// With a dispatcher: where its warps start.
            start_pc: if (cfg.grid) Bits<32>,
        }
    }
}
