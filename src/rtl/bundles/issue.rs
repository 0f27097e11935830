//! What a slice's issue says to the operand stage, the counters and the trace.
use crate::prelude::*;
use crate::sched::{CoreView, CtaTables};

bundle! {
    /// An instruction that issues.
    pub struct Issue(cfg: &CoreConfig) {
        forward {
            /// There is one, which a NOP is not.
            valid: reset Bit,
            /// Its warp.
            wid: WarpId = cfg.wid_bits(),
            /// Its address.
            pc: Bits<32>,
            /// Its word.
            instr: Bits<32>,
            /// Its active lanes.
            tmask: Bits<32> = cfg.threads,
        }
    }
}

bundle! {
    /// Why warps do not issue, W bits each.
    pub struct Stalls(cfg: &CoreConfig) {
        forward {
            /// The queue is empty.
            ibuffer: WarpMask = cfg.warps,
            /// A branch, warp control, fence or barrier is unresolved.
            control: WarpMask = cfg.warps,
            /// A register of the head waits for its value.
            scoreboard: WarpMask = cfg.warps,
            /// The collector of the head's class is not free.
            pipeline: WarpMask = cfg.warps,
        }
    }
}

bundle! {
    /// What the operand stage holds.
    pub struct HeldOperands(cfg: &CoreConfig) {
        forward {
            /// An instruction of class sp.
            sp: bundle SpInstruction(cfg),
            /// With a floating-point unit: its third operand of each lane.
            c: if (cfg.fpu) [Bits<32>; cfg.threads],
            /// One of class mem.
            mem: bundle MemInstruction(cfg),
            /// One of class sfu.
            sfu: bundle SfuEntry(cfg),
        }
    }
}

bundle! {
    /// What the back half of a slice says to the front half.
    pub struct BackState(cfg: &CoreConfig) {
        forward {
            /// The sp collector takes what the operand stage holds.
            sp_free: Bit,
            /// What issues in this cycle will find room in the mem collector.
            mem_free: Bit,
            /// What issues in this cycle will find room in the sfu collector.
            sfu_free: Bit,
            /// The branch in the sp collector leaves it and is not taken.
            passed_valid: Bit,
            /// Its warp.
            passed_wid: WarpId = cfg.wid_bits(),
            /// A branch or jump was resolved in the cycle before.
            branch: bundle Branch(cfg),
            /// What is written to the register file.
            commit: bundle RegisterWrite(cfg),
        }
    }
}

bundle! {
    /// What the front half of a slice hears of the rest of the core.
    pub struct SliceInputs(cfg: &CoreConfig) {
        let (warps, threads) = (cfg.warps, cfg.threads);
        forward {
            /// The warps that the slice owns.
            own_warps: WarpMask = warps,
            /// The heads of the instruction queues.
            heads: bundle QueueHeads(cfg),
            /// The queue is emptied (SWaS: filled with NOPs).
            flush_warps: WarpMask = warps,
            /// The instruction at the head of the granted queue.
            head_instr: Bits<32>,
            /// Its address.
            head_pc: Bits<32>,
            /// What all schedulers see alike.
            core: bundle CoreView(cfg),
            /// What they see of CTAs, if a policy orders these.
            tables: bundle CtaTables(cfg),
            /// Active lanes of each warp.
            tmask: [Bits<32>; warps] = threads,
            /// With a floating-point unit: the dynamic rounding mode of each warp.
            frm: if (cfg.fpu) [Bits<3>; warps],
            /// Event: warp control, barrier or fence done; of the special and the load-store unit.
            resume_warps: WarpMask = warps,
        }
    }
}

bundle! {
    /// What a slice shows of its issue.
    pub struct IssueView(cfg: &CoreConfig) {
        forward {
            /// A bit a warp: the warp whose head is granted issue through this slice.
            issue_oh: WarpMask = cfg.warps,
            /// A bit a warp: the warp whose head leaves its queue, if one does.
            issue_fire_warps: WarpMask = cfg.warps,
            /// The granted head, an instruction that issues if it leaves its queue and is no NOP (which only SWaS has).
            issue: bundle Issue(cfg),
            /// What the scheduler sees of the slice, and chooses; `fire`: the granted head leaves its queue.
            sched: bundle TraceSched(cfg),
            /// The operand stage holds: whatever is chosen, nothing issues.
            operand_stall: Bit,
            /// With operand collectors: what they do.
            collect: if (cfg.collects()) bundle CollectView(cfg),
            /// Why the others do not issue.
            stall_on: bundle Stalls(cfg),
            /// With oracles: what they say.
            oracle: if (cfg.oracle) bundle OracleView(),
        }
    }
}
