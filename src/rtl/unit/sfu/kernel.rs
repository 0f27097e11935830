//! What the special unit does in a cycle.
use super::SpecialUnit;
use crate::comment;
use rust_hdl::prelude::*;

impl Logic for SpecialUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module SpecialUnit: Executes the special instructions of all slices, one a cycle, straight from the slices' collectors.");
        comment!("1. choose a slice; the result register must be free");
        self.waiting.next = 0.into();
        for s in 0..self._slices {
            self.waiting.next = self.waiting.val().replace_bit(s, self.sfu_valid[s].val());
        }
        self.arbiter.requests.next = self.waiting.val();
        self.take.next = self.waiting.val().any() & !self.result_held.q.val();
        self.arbiter.advance.next = self.take.val();
        self.wid.next = self.sfu_wid[0].val();
        self.tmask.next = self.sfu_tmask[0].val();
        self.pc.next = self.sfu_pc[0].val();
        self.instr.next = self.sfu_instr[0].val();
        self.rd.next = self.sfu_rd[0].val();
        self.use_rd.next = self.sfu_use_rd[0].val();
        self.funct3.next = self.sfu_funct3[0].val();
        self.is_csr.next = self.sfu_csr[0].val();
        self.csr_imm.next = self.sfu_csr_imm[0].val();
        self.is_wctl.next = self.sfu_wctl[0].val();
        self.is_barrier.next = self.sfu_barrier[0].val();
        self.legal.next = self.sfu_legal[0].val();
        self.rs1.next = self.sfu_rs1[0].val();
        self.flags.next = self.sfu_flags[0].val();
        self.rs1_last.next = self.sfu_last_rs1[0].val();
        self.rs2_last.next = self.sfu_last_rs2[0].val();
        for s in 1..self._slices {
            if self.arbiter.grant_oh.val().get_bit(s) {
                self.wid.next = self.sfu_wid[s].val();
                self.tmask.next = self.sfu_tmask[s].val();
                self.pc.next = self.sfu_pc[s].val();
                self.instr.next = self.sfu_instr[s].val();
                self.rd.next = self.sfu_rd[s].val();
                self.use_rd.next = self.sfu_use_rd[s].val();
                self.funct3.next = self.sfu_funct3[s].val();
                self.is_csr.next = self.sfu_csr[s].val();
                self.csr_imm.next = self.sfu_csr_imm[s].val();
                self.is_wctl.next = self.sfu_wctl[s].val();
                self.is_barrier.next = self.sfu_barrier[s].val();
                self.legal.next = self.sfu_legal[s].val();
                self.rs1.next = self.sfu_rs1[s].val();
                self.flags.next = self.sfu_flags[s].val();
                self.rs1_last.next = self.sfu_last_rs1[s].val();
                self.rs2_last.next = self.sfu_last_rs2[s].val();
            }
        }
        for s in 0..self._slices {
            self.sfu_ready[s].next = self.arbiter.grant_oh.val().get_bit(s) & !self.result_held.q.val();
        }
        comment!("2. the condition of each lane");
        self.negate.next = self.instr.val().get_bit(7);
        if self.funct3.val() == 2 {
            self.negate.next = self.instr.val().get_bit(20);
        }
        self.condition.next = self.flags.val();
        if self.negate.val() {
            self.condition.next = !self.flags.val();
        }
        self.warp_oh.next = 0.into();
        for w in 0..self._warps {
            self.warp_oh.next = self.warp_oh.val().replace_bit(w, self.wid.val() == w.to_bits::<5>());
        }
        comment!("3. CSR");
        self.csrs.access.next = self.take.val() & self.legal.val() & self.is_csr.val();
        self.csrs.number.next = self.instr.val().get_bits::<12>(20);
        self.csrs.funct3.next = self.funct3.val();
        self.csrs.operand.next = self.rs1.val();
        if self.csr_imm.val() {
            self.csrs.operand.next = bit_cast::<32, 5>(self.instr.val().get_bits::<5>(15));
        }
        self.csrs.wid.next = self.wid.val();
        self.csrs.tmask.next = self.tmask.val();
        self.csrs.active_warps.next = self.active_warps.val();
        self.csrs.start_arg.next = self.start_arg.val();
        self.csrs.busy.next = self.busy.val();
        self.counter_select.next = self.instr.val().get_bits::<5>(20);
        self.csrs.counter_value.next = self.counter_value.val();
        for s in 0..self._slices {
            self.csrs.issue_fire[s].next = self.issue_fire[s].val();
            self.csrs.issue_tmask[s].next = self.issue_tmask[s].val();
        }
        for s in 0..self._float_slices {
            self.csrs.commit_wid[s].next = self.commit_wid[s].val();
            self.csrs.commit_flags[s].next = self.commit_flags[s].val();
        }
        for w in 0..self._float_warps {
            self.frm[w].next = self.csrs.frm[w].val();
        }
        comment!("4. warp control");
        self.is_spawn.next = self.is_wctl.val() & (self.funct3.val() == 1);
        self.control.go.next = self.take.val() & self.legal.val() & self.is_wctl.val();
        self.control.funct3.next = self.funct3.val();
        self.control.wid.next = self.wid.val();
        self.control.tmask.next = self.tmask.val();
        self.control.pc.next = self.pc.val();
        self.control.condition.next = self.condition.val();
        self.control.rs1_last.next = self.rs1_last.val();
        self.control.rs2_last.next = self.rs2_last.val();
        comment!("5. barrier");
        self.barriers.arrive.next = self.take.val() & self.legal.val() & self.is_barrier.val();
        self.barriers.arrive_warp_oh.next = self.warp_oh.val();
        self.barriers.barrier_id.next = self.rs1_last.val();
        self.barriers.barrier_count.next = self.rs2_last.val();
        self.barrier_warps.next = self.barriers.waiting_warps.val();
        self.barrier_release_warps.next = self.barriers.release_warps.val();
        self.barrier_arrive_warps.next = 0.into();
        if self.take.val() & self.legal.val() & self.is_barrier.val() & !self.barriers.too_many.val() {
            self.barrier_arrive_warps.next = self.warp_oh.val();
        }
        comment!("6. faults");
        self.cause.next = 0.into();
        self.cause_value.next = 0.into();
        if !self.legal.val() {
            self.cause.next = 1.into();
            self.cause_value.next = self.instr.val();
            // The instruction cache answers such a fetch with an illegal word.
            if self.pc.val().get_bits::<2>(0) != 0 {
                self.cause.next = 10.into();
                self.cause_value.next = self.pc.val();
            }
        } else if self.is_csr.val() {
            if self.csrs.illegal.val() {
                self.cause.next = 7.into();
                self.cause_value.next = bit_cast::<32, 12>(self.instr.val().get_bits::<12>(20));
            }
        } else if self.is_barrier.val() {
            if self.barriers.too_many.val() {
                self.cause.next = 6.into();
                self.cause_value.next = self.rs2_last.val();
            }
        } else if self.is_wctl.val() {
            if self.control.overflow.val() {
                self.cause.next = 5.into();
            }
            if self.control.join_empty.val() {
                self.cause.next = 8.into();
            }
        }
        // The same without the causes' numbers, which take longer.
        self.refused.next = !self.legal.val()
            | (self.is_csr.val() & self.csrs.illegal.val())
            | (self.is_barrier.val() & self.barriers.too_many.val())
            | (self.is_wctl.val() & (self.control.overflow.val() | self.control.join_empty.val()));
        self.fault_held.d.next = self.take.val() & self.refused.val();
        self.faulty_wid.d.next = self.wid.val();
        self.faulty_pc.d.next = self.pc.val();
        self.faulty_cause.d.next = self.cause.val();
        self.faulty_value.d.next = self.cause_value.val();
        self.fault_valid.next = self.fault_held.q.val();
        self.fault_wid.next = self.faulty_wid.q.val();
        self.fault_pc.next = self.faulty_pc.q.val();
        self.fault_cause.next = self.faulty_cause.q.val();
        self.fault_addr.next = self.faulty_value.q.val();
        self.does_csr.next =
            self.take.val() & self.legal.val() & self.is_csr.val() & !self.csrs.illegal.val();
        self.does_wctl.next = self.take.val()
            & self.legal.val()
            & self.is_wctl.val()
            & !self.control.overflow.val()
            & !self.control.join_empty.val();
        comment!("7. WSPAWN waits until its caller is alone");
        self.spawn_count.next = self.rs1_last.val().get_bits::<6>(0) & self.spawn_count_mask.val();
        self.spawn_below.next = 0.into();
        self.caller_oh.next = 0.into();
        for w in 0..self._warps {
            self.spawn_below.next =
                self.spawn_below.val().replace_bit(w, self.spawn_count.val() > w.to_bits::<6>());
            self.caller_oh.next =
                self.caller_oh.val().replace_bit(w, self.spawn_caller.q.val() == w.to_bits::<5>());
        }
        self.spawn_go.next = self.spawn_held.q.val() & (self.active_warps.val() == self.caller_oh.val());
        if self.spawn_go.val() {
            self.spawn_held.d.next = false;
        }
        // Nothing can be wrong with it.
        self.holds_spawn.next = self.take.val() & self.legal.val() & self.is_spawn.val();
        if self.holds_spawn.val() {
            self.spawn_held.d.next = true;
            self.spawn_caller.d.next = self.wid.val();
            self.spawn_tmask.d.next = self.tmask.val();
            self.spawn_mask.d.next = self.spawn_below.val() & !self.warp_oh.val();
            self.spawn_target.d.next = self.rs2_last.val();
        }
        self.spawning.d.next = 0.into();
        if self.spawn_go.val() {
            self.spawning.d.next = self.spawn_mask.q.val();
        }
        self.spawn_warps.next = self.spawning.q.val();
        self.spawn_pc.next = self.spawn_target.q.val();
        comment!("8. the new mask, and who may go on");
        self.control_done.d.next = self.spawn_go.val() | (self.does_wctl.val() & !self.is_spawn.val());
        self.resolved_wid.d.next = self.wid.val();
        self.resolved_tmask.d.next = self.control.next_tmask.val();
        self.resolved_jump.d.next = self.control.jump.val();
        self.resolved_pc.d.next = self.control.jump_pc.val();
        self.resume.next = self.barriers.release_warps.val();
        if self.does_wctl.val() & !self.is_spawn.val() {
            self.resume.next = self.resume.val() | self.warp_oh.val();
        }
        for k in 0..self._fpu {
            if self.does_csr.val() & self.csrs.resumes[k].val() {
                self.resume.next = self.resume.val() | self.warp_oh.val();
            }
        }
        if self.spawn_go.val() {
            self.resolved_wid.d.next = self.spawn_caller.q.val();
            self.resolved_tmask.d.next = self.spawn_tmask.q.val();
            self.resolved_jump.d.next = false;
            self.resume.next = self.resume.val() | self.caller_oh.val();
        }
        self.resuming.d.next = self.resume.val();
        self.wctl_valid.next = self.control_done.q.val();
        self.wctl_wid.next = self.resolved_wid.q.val();
        self.wctl_tmask.next = self.resolved_tmask.q.val();
        self.wctl_jump.next = self.resolved_jump.q.val();
        self.wctl_pc.next = self.resolved_pc.q.val();
        self.resume_warps.next = self.resuming.q.val();
        comment!("9. the result");
        self.result_slice.next = self.result_wid.q.val() & self.slice_mask.val();
        for s in 0..self._slices {
            self.sfu_result_valid[s].next =
                self.result_held.q.val() & (self.result_slice.val() == s.to_bits::<5>());
            if self.sfu_result_ready[s].val() & (self.result_slice.val() == s.to_bits::<5>()) {
                self.result_held.d.next = false;
            }
        }
        if self.use_rd.val() & (self.does_csr.val() | self.does_wctl.val()) {
            self.result_held.d.next = true;
        }
        // Whether there is one comes late; the registers follow the instruction while they are free.
        if !self.result_held.q.val() {
            self.result_wid.d.next = self.wid.val();
            self.result_rd.d.next = self.rd.val();
            self.result_tmask.d.next = self.tmask.val();
            self.result_value.d.next = self.control.token.val();
            self.result_per_lane.d.next = false;
            if self.is_csr.val() {
                self.result_value.d.next = self.csrs.value.val();
                self.result_per_lane.d.next = self.csrs.per_lane.val();
            }
        }
        self.sfu_result_wid.next = self.result_wid.q.val();
        self.sfu_result_rd.next = self.result_rd.q.val();
        self.sfu_result_tmask.next = self.result_tmask.q.val();
        for i in 0..self._t {
            self.sfu_result_data[i].next = self.result_value.q.val();
            if self.result_per_lane.q.val() {
                self.sfu_result_data[i].next = self.result_value.q.val() | i.to_bits::<32>();
            }
        }
        self.sfu_busy.next = self.result_held.q.val()
            | self.control_done.q.val()
            | self.spawn_held.q.val()
            | self.fault_held.q.val()
            | self.resuming.q.val().any();
    }
}
