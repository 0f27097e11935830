//! What an issue slice connects to what.
use super::IssueSlice;
use crate::comment;
use rust_hdl::prelude::*;

impl Logic for IssueSlice {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module IssueSlice: One issue slice: scoreboard, warp scheduler, operand stage, collectors, integer units, commit.");
        comment!("1. the grant. A full operand stage is known late: it stops the grant, not the choice.");
        self.issue_slot_fire.next = self.scheduler.grant_valid.val() & !self.operands.operand_stall.val();
        self.issue_fire.next = self.issue_slot_fire.val();
        for k in 0..self._unified {
            // a NOP goes nowhere
            self.issue_fire.next = self.issue_slot_fire.val()
                & !(self.scheduler.grant_oh.val() & self.head_nop_warps[k].val()).any();
        }
        self.issue_wid.next = self.scheduler.grant_wid.val();
        self.issue_fire_warps.next = 0.into();
        if !self.operands.operand_stall.val() {
            self.issue_fire_warps.next = self.scheduler.grant_oh.val();
        }
        // The granted head is an OR of masked fields, for the grant is one hot.
        self.granted_rd.next = 0.into();
        self.granted_rs1.next = 0.into();
        self.granted_rs2.next = 0.into();
        self.issue_tmask.next = 0.into();
        for i in 0..self._warps {
            if self.scheduler.grant_oh.val().get_bit(i) {
                self.granted_rd.next = self.granted_rd.val() | self.head_rd[i].val();
                self.granted_rs1.next = self.granted_rs1.val() | self.head_rs1[i].val();
                self.granted_rs2.next = self.granted_rs2.val() | self.head_rs2[i].val();
                self.issue_tmask.next = self.issue_tmask.val() | self.tmask[i].val();
            }
        }
        self.granted_use_rd.next = (self.scheduler.grant_oh.val() & self.head_use_rd_warps.val()) != 0;
        for k in 0..self._fpu {
            self.granted_rs3[k].next = 0.into();
            for i in 0..self._float_warps {
                if self.scheduler.grant_oh.val().get_bit(i) {
                    self.granted_rs3[k].next = self.granted_rs3[k].val() | self.head_rs3[i].val();
                }
            }
        }
        comment!("2. who may issue. What a reserved rounding mode makes illegal is for the special unit, which reports it.");
        self.special_warps.next = self.head_sfu_warps.val();
        for i in 0..self._float_warps {
            for k in 0..self._fpu {
                if self.head_dynamic_rounding_warps[k].val().get_bit(i) & (self.frm[i].val() > bits::<3>(4)) {
                    self.special_warps.next = self.special_warps.val().replace_bit(i, true);
                }
                self.scoreboard.next_use_rs3_warps[k].next = self.next_use_rs3_warps[k].val();
                self.scoreboard.head_drains_warps[k].next = self.head_drains_warps[k].val();
            }
            self.scoreboard.head_rs3[i].next = self.head_rs3[i].val();
            self.scoreboard.next_rs3[i].next = self.next_rs3[i].val();
            self.operands.frm[i].next = self.frm[i].val();
        }
        self.scoreboard.own_warps.next = self.own_warps.val();
        self.scoreboard.active_warps.next = self.active_warps.val();
        self.scoreboard.start_warps.next = self.start_warps.val();
        self.scoreboard.barrier_warps.next = self.barrier_warps.val();
        self.scoreboard.resume_warps.next = self.resume_warps.val();
        self.scoreboard.ibuffer_valid_warps.next = self.ibuffer_valid_warps.val();
        self.scoreboard.head_use_rd_warps.next = self.head_use_rd_warps.val();
        self.scoreboard.head_enters_warps.next = self.head_enters_warps.val();
        self.scoreboard.next_use_rd_warps.next = self.next_use_rd_warps.val();
        self.scoreboard.next_use_rs1_warps.next = self.next_use_rs1_warps.val();
        self.scoreboard.next_use_rs2_warps.next = self.next_use_rs2_warps.val();
        self.scoreboard.flush_warps.next = self.flush_warps.val();
        self.scoreboard.head_mem_warps.next = self.head_mem_warps.val();
        self.scoreboard.head_sfu_warps.next = self.special_warps.val();
        self.scoreboard.head_blocks_warps.next = self.head_blocks_warps.val();
        for i in 0..self._warps {
            self.scoreboard.head_rd[i].next = self.head_rd[i].val();
            self.scoreboard.head_rs1[i].next = self.head_rs1[i].val();
            self.scoreboard.head_rs2[i].next = self.head_rs2[i].val();
            self.scoreboard.next_rd[i].next = self.next_rd[i].val();
            self.scoreboard.next_rs1[i].next = self.next_rs1[i].val();
            self.scoreboard.next_rs2[i].next = self.next_rs2[i].val();
        }
        // Registered state alone: what a unit does this cycle is known too late for the scheduler.
        self.scoreboard.mem_free.next = self.mem_collector.mem_free.val();
        self.scoreboard.sfu_free.next =
            !self.operands.operand_sfu_valid.val() & !self.sfu_collector.sfu_valid.val();
        self.scoreboard.operand_stall.next = self.operands.operand_stall.val();
        self.scoreboard.issue_fire_warps.next = self.issue_fire_warps.val();
        self.scoreboard.operand_write_warps.next = self.operands.operand_write_warps.val();
        self.scoreboard.operand_rd.next = self.operands.operand_rd.val();
        self.scoreboard.passed_valid.next = self.alu.passed_valid.val();
        self.scoreboard.passed_wid.next = self.sp_collector.sp_wid.val();
        self.scoreboard.branch_valid.next = self.alu.branch_valid.val();
        self.scoreboard.branch_taken.next = self.alu.branch_taken.val();
        self.scoreboard.branch_wid.next = self.alu.branch_wid.val();
        self.scoreboard.commit_valid.next = self.commit.commit_valid.val();
        self.scoreboard.commit_wid.next = self.commit.commit_wid.val();
        self.scoreboard.commit_rd.next = self.commit.commit_rd.val();
        self.scoreboard.commit_last.next = self.commit.commit_last.val();
        comment!("3. who does");
        self.scheduler.ready_warps.next = self.scoreboard.ready_warps.val();
        self.scheduler.data_ready_warps.next = self.scoreboard.data_ready_warps.val();
        self.scheduler.own_warps.next = self.own_warps.val();
        self.scheduler.active_warps.next = self.active_warps.val();
        self.scheduler.barrier_warps.next = self.barrier_warps.val();
        self.scheduler.fetch_fire_warps.next = self.fetch_fire_warps.val();
        self.scheduler.suspended_warps.next = self.suspended_warps.val();
        self.scheduler.icache_req_ready.next = self.icache_req_ready.val();
        self.scheduler.memory_done_warps.next = self.memory_done_warps.val();
        self.scheduler.barrier_arrive_warps.next = self.barrier_arrive_warps.val();
        self.scheduler.barrier_release_warps.next = self.barrier_release_warps.val();
        self.scheduler.start_warps.next = self.start_warps.val();
        self.scheduler.exit_warps.next = self.exit_warps.val();
        self.scheduler.cta_start.next = self.cta_start.val();
        self.scheduler.last_cta_dispatched.next = self.last_cta_dispatched.val();
        self.scheduler.kernel_start.next = self.kernel_start.val();
        self.scheduler.memory_warps.next = self.head_memory_warps.val();
        self.empty_warps.next = !self.ibuffer_valid_warps.val();
        self.scheduler.empty_warps.next = self.empty_warps.val();
        self.scheduler.fire.next = self.issue_slot_fire.val();
        self.scheduler.fired_oh.next = self.issue_fire_warps.val();
        self.scheduler.issue_fire_warps.next = self.core_issue_fire_warps.val();
        for i in 0..self._warps {
            self.scheduler.older[i].next = self.older[i].val();
            self.scheduler.unissued[i].next = 0.into();
            self.scheduler.cta[i].next = self.cta[i].val();
        }
        for k in 0..self._oracle {
            self.oracles[k].ready_warps.next = self.scoreboard.ready_warps.val();
            self.oracles[k].absent_warps.next = self.scoreboard.stall_on_ibuffer.val();
            self.oracles[k].active_warps.next = self.active_warps.val();
            self.oracles[k].suspended_warps.next = self.suspended_warps.val();
            self.oracles[k].kernel_start.next = self.kernel_start.val();
            self.oracles[k].branch_valid.next = self.alu.branch_valid.val();
            self.oracles[k].branch_wid.next = self.alu.branch_wid.val();
            self.oracles[k].branch_taken.next = self.alu.branch_taken.val();
            self.oracles[k].grant_oh.next = self.scheduler.grant_oh.val();
            self.oracles[k].stalled.next = self.operands.operand_stall.val();
            for _u in 0..self._unified {
                self.oracles[k].stalled.next =
                    self.operands.operand_stall.val() | !self.icache_req_ready.val();
            }
            for i in 0..self._warps {
                self.oracles[k].older[i].next = self.older[i].val();
            }
            self.discrepancy[k].next = self.oracles[k].discrepancy.val();
            self.error[k].next = self.oracles[k].error.val();
            self.discrepancies[k].next = self.oracles[k].discrepancies.val();
            self.errors[k].next = self.oracles[k].errors.val();
        }
        comment!("4. operand stage");
        self.operands.issue_fire.next = self.issue_fire.val();
        self.operands.issue_wid.next = self.issue_wid.val();
        self.operands.issue_tmask.next = self.issue_tmask.val();
        self.operands.issue_pc.next = self.issue_pc.val();
        self.operands.issue_instr.next = self.issue_instr.val();
        self.operands.issue_rd.next = self.granted_rd.val();
        self.operands.issue_use_rd.next = self.granted_use_rd.val();
        self.operands.issue_write_warps.next = self.scheduler.grant_oh.val() & self.head_use_rd_warps.val();
        self.operands.issue_rs1.next = self.granted_rs1.val();
        self.operands.issue_rs2.next = self.granted_rs2.val();
        self.operands.issue_use_rs1.next =
            (self.scheduler.grant_oh.val() & self.head_use_rs1_warps.val()) != 0;
        self.operands.issue_use_rs2.next =
            (self.scheduler.grant_oh.val() & self.head_use_rs2_warps.val()) != 0;
        self.operands.issue_mem.next = (self.scheduler.grant_oh.val() & self.head_mem_warps.val()) != 0;
        self.operands.issue_sfu.next = (self.scheduler.grant_oh.val() & self.special_warps.val()) != 0;
        self.operands.commit_valid.next = self.commit.commit_valid.val();
        self.operands.commit_wid.next = self.commit.commit_wid.val();
        self.operands.commit_rd.next = self.commit.commit_rd.val();
        self.operands.commit_tmask.next = self.commit.commit_tmask.val();
        self.operands.collector_ready.next = self.sp_collector.collector_ready.val();
        for k in 0..self._fpu {
            self.operands.issue_rs3[k].next = self.granted_rs3[k].val();
            self.operands.issue_use_rs3[k].next =
                (self.scheduler.grant_oh.val() & self.head_use_rs3_warps[k].val()) != 0;
        }
        comment!("5. collectors");
        self.sp_collector.operand_valid.next = self.operands.operand_sp_valid.val();
        self.sp_collector.operand_wid.next = self.operands.operand_wid.val();
        self.sp_collector.operand_tmask.next = self.operands.operand_tmask.val();
        self.sp_collector.operand_last_lane.next = self.operands.operand_last_lane.val();
        self.sp_collector.operand_rd.next = self.operands.operand_rd.val();
        self.sp_collector.operand_use_rd.next = self.operands.operand_use_rd.val();
        self.sp_collector.operand_funct3.next = self.operands.operand_funct3.val();
        self.sp_collector.operand_alu_control.next = self.operands.operand_alu_control.val();
        self.sp_collector.operand_mul.next = self.operands.operand_mul.val();
        self.sp_collector.operand_resolves.next = self.operands.operand_resolves.val();
        self.sp_collector.operand_target.next = self.operands.operand_target.val();
        self.sp_collector.sp_ready.next = self.alu.alu_ready.val();
        if self.sp_collector.sp_mul.val() {
            self.sp_collector.sp_ready.next = self.multiplier.mul_ready.val();
        }
        self.mem_collector.operand_valid.next = self.operands.operand_mem_valid.val();
        self.mem_collector.operand_wid.next = self.operands.operand_wid.val();
        self.mem_collector.operand_tmask.next = self.operands.operand_tmask.val();
        self.mem_collector.operand_pc.next = self.operands.operand_pc.val();
        self.mem_collector.operand_rd.next = self.operands.operand_rd.val();
        self.mem_collector.operand_use_rd.next = self.operands.operand_use_rd.val();
        self.mem_collector.operand_funct3.next = self.operands.operand_funct3.val();
        self.mem_collector.operand_store.next = self.operands.operand_store.val();
        self.mem_collector.operand_fence.next = self.operands.operand_fence.val();
        self.mem_collector.operand_fence_i.next = self.operands.operand_fence_i.val();
        self.mem_collector.operand_imm.next = self.operands.operand_imm.val();
        self.mem_collector.mem_ready.next = self.mem_ready.val();
        self.sfu_collector.operand_valid.next = self.operands.operand_sfu_valid.val();
        self.sfu_collector.operand_wid.next = self.operands.operand_wid.val();
        self.sfu_collector.operand_tmask.next = self.operands.operand_tmask.val();
        self.sfu_collector.operand_pc.next = self.operands.operand_pc.val();
        self.sfu_collector.operand_rd.next = self.operands.operand_rd.val();
        self.sfu_collector.operand_use_rd.next = self.operands.operand_use_rd.val();
        self.sfu_collector.operand_funct3.next = self.operands.operand_funct3.val();
        self.sfu_collector.operand_instr.next = self.operands.operand_instr.val();
        self.sfu_collector.operand_csr.next = self.operands.operand_csr.val();
        self.sfu_collector.operand_csr_imm.next = self.operands.operand_csr_imm.val();
        self.sfu_collector.operand_wctl.next = self.operands.operand_wctl.val();
        self.sfu_collector.operand_barrier.next = self.operands.operand_barrier.val();
        self.sfu_collector.operand_legal.next = self.operands.operand_legal.val();
        self.sfu_collector.operand_div.next = self.operands.operand_div.val();
        self.sfu_collector.operand_last_rs1.next = self.operands.operand_last_rs1.val();
        self.sfu_collector.operand_last_rs2.next = self.operands.operand_last_rs2.val();
        self.sfu_collector.sfu_ready.next = self.sfu_ready.val();
        if self.sfu_collector.sfu_div.val() {
            // A division without a destination is dropped.
            self.sfu_collector.sfu_ready.next =
                self.divider.div_ready.val() | !self.sfu_collector.sfu_use_rd.val();
        }
        for k in 0..self._fpu {
            self.sp_collector.operand_fpu[k].next = self.operands.operand_fpu[k].val();
            self.sp_collector.operand_fpu_op[k].next = self.operands.operand_fpu_op[k].val();
            self.sp_collector.operand_rounding[k].next = self.operands.operand_rounding[k].val();
            self.sfu_collector.operand_fpu[k].next = self.operands.operand_fpu[k].val();
            self.sfu_collector.operand_fpu_op[k].next = self.operands.operand_fpu_op[k].val();
            self.sfu_collector.operand_rounding[k].next = self.operands.operand_rounding[k].val();
            if self.sp_collector.sp_fpu[k].val() {
                self.sp_collector.sp_ready.next = self.fpu[k].sp_ready.val();
            }
            if self.sfu_collector.sfu_fpu[k].val() {
                self.sfu_collector.sfu_ready.next = self.fpu[k].sfu_ready.val();
            }
        }
        for i in 0..self._float_threads {
            self.sp_collector.operand_c[i].next = self.operands.operand_c[i].val();
        }
        for i in 0..self._threads {
            self.sp_collector.operand_a[i].next = self.operands.operand_rs1[i].val();
            self.sp_collector.operand_b[i].next = self.operands.operand_b[i].val();
            self.mem_collector.operand_rs1[i].next = self.operands.operand_rs1[i].val();
            self.mem_collector.operand_rs2[i].next = self.operands.operand_rs2[i].val();
            self.sfu_collector.operand_rs1[i].next = self.operands.operand_rs1[i].val();
            self.sfu_collector.operand_rs2[i].next = self.operands.operand_rs2[i].val();
        }
        for k in 0..self._ordered {
            self.access_order[k].operand_access.next = self.operands.operand_mem_valid.val();
            self.access_order[k].operand_control.next = self.operands.operand_sfu_valid.val()
                & (self.operands.operand_wctl.val() | self.operands.operand_barrier.val());
            self.access_order[k].operand_funct3.next = self.operands.operand_funct3.val();
            self.access_order[k].mem_leaves.next = self.mem_collector.mem_valid.val() & self.mem_ready.val();
        }
        comment!("6. units of the slice");
        self.alu.sp_valid.next = self.sp_collector.sp_valid.val() & !self.sp_collector.sp_mul.val();
        self.alu.sp_control.next = self.sp_collector.sp_alu_control.val();
        self.alu.sp_wid.next = self.sp_collector.sp_wid.val();
        self.alu.sp_tmask.next = self.sp_collector.sp_tmask.val();
        self.alu.sp_last_lane.next = self.sp_collector.sp_last_lane.val();
        self.alu.sp_rd.next = self.sp_collector.sp_rd.val();
        self.alu.sp_use_rd.next = self.sp_collector.sp_use_rd.val();
        self.alu.sp_resolves.next = self.sp_collector.sp_resolves.val();
        self.alu.sp_target.next = self.sp_collector.sp_target.val();
        self.alu.alu_result_ready.next = self.commit.alu_result_ready.val();
        self.multiplier.mul_valid.next = self.sp_collector.sp_valid.val() & self.sp_collector.sp_mul.val();
        self.multiplier.mul_funct3.next = self.sp_collector.sp_funct3.val();
        self.multiplier.mul_wid.next = self.sp_collector.sp_wid.val();
        self.multiplier.mul_tmask.next = self.sp_collector.sp_tmask.val();
        self.multiplier.mul_rd.next = self.sp_collector.sp_rd.val();
        self.multiplier.mul_result_ready.next = self.commit.mul_result_ready.val();
        self.divider.div_valid.next = self.sfu_collector.sfu_valid.val()
            & self.sfu_collector.sfu_div.val()
            & self.sfu_collector.sfu_use_rd.val();
        self.divider.div_funct3.next = self.sfu_collector.sfu_funct3.val();
        self.divider.div_wid.next = self.sfu_collector.sfu_wid.val();
        self.divider.div_tmask.next = self.sfu_collector.sfu_tmask.val();
        self.divider.div_rd.next = self.sfu_collector.sfu_rd.val();
        self.divider.div_result_ready.next = self.commit.div_result_ready.val();
        for k in 0..self._fpu {
            self.fpu[k].sp_valid.next = self.sp_collector.sp_valid.val() & self.sp_collector.sp_fpu[k].val();
            self.fpu[k].sp_op.next = self.sp_collector.sp_fpu_op[k].val();
            self.fpu[k].sp_rounding.next = self.sp_collector.sp_rounding[k].val();
            self.fpu[k].sp_wid.next = self.sp_collector.sp_wid.val();
            self.fpu[k].sp_tmask.next = self.sp_collector.sp_tmask.val();
            self.fpu[k].sp_rd.next = self.sp_collector.sp_rd.val();
            self.fpu[k].sfu_valid.next =
                self.sfu_collector.sfu_valid.val() & self.sfu_collector.sfu_fpu[k].val();
            self.fpu[k].sfu_op.next = self.sfu_collector.sfu_fpu_op[k].val();
            self.fpu[k].sfu_rounding.next = self.sfu_collector.sfu_rounding[k].val();
            self.fpu[k].sfu_wid.next = self.sfu_collector.sfu_wid.val();
            self.fpu[k].sfu_tmask.next = self.sfu_collector.sfu_tmask.val();
            self.fpu[k].sfu_rd.next = self.sfu_collector.sfu_rd.val();
            for i in 0..self._float_threads {
                self.fpu[k].sp_a[i].next = self.sp_collector.sp_a[i].val();
                self.fpu[k].sp_b[i].next = self.sp_collector.sp_b[i].val();
                self.fpu[k].sp_c[i].next = self.sp_collector.sp_c[i].val();
                self.fpu[k].sfu_a[i].next = self.sfu_collector.sfu_rs1[i].val();
                self.fpu[k].sfu_b[i].next = self.sfu_collector.sfu_rs2[i].val();
                self.commit.fpu_result_data[i].next = self.fpu[k].fpu_result_data[i].val();
            }
            // They share their collectors with the other units, and commit.
            if self.sp_collector.sp_fpu[k].val() {
                self.alu.sp_valid.next = false;
            }
            self.fpu[k].fpu_result_ready.next = self.commit.fpu_result_ready[k].val();
            self.commit.fpu_result_valid[k].next = self.fpu[k].fpu_result_valid.val();
            self.commit.fpu_result_wid[k].next = self.fpu[k].fpu_result_wid.val();
            self.commit.fpu_result_rd[k].next = self.fpu[k].fpu_result_rd.val();
            self.commit.fpu_result_tmask[k].next = self.fpu[k].fpu_result_tmask.val();
            self.commit.fpu_result_flags[k].next = self.fpu[k].fpu_result_flags.val();
            self.commit_flags[k].next = self.commit.commit_flags[k].val();
        }
        comment!("7. commit");
        self.commit.lsu_result_valid.next = self.lsu_result_valid.val();
        self.commit.lsu_result_wid.next = self.lsu_result_wid.val();
        self.commit.lsu_result_rd.next = self.lsu_result_rd.val();
        self.commit.lsu_result_tmask.next = self.lsu_result_tmask.val();
        self.commit.lsu_result_last.next = self.lsu_result_last.val();
        self.commit.sfu_result_valid.next = self.sfu_result_valid.val();
        self.commit.sfu_result_wid.next = self.sfu_result_wid.val();
        self.commit.sfu_result_rd.next = self.sfu_result_rd.val();
        self.commit.sfu_result_tmask.next = self.sfu_result_tmask.val();
        self.commit.div_result_valid.next = self.divider.div_result_valid.val();
        self.commit.div_result_wid.next = self.divider.div_result_wid.val();
        self.commit.div_result_rd.next = self.divider.div_result_rd.val();
        self.commit.div_result_tmask.next = self.divider.div_result_tmask.val();
        self.commit.mul_result_valid.next = self.multiplier.mul_result_valid.val();
        self.commit.mul_result_wid.next = self.multiplier.mul_result_wid.val();
        self.commit.mul_result_rd.next = self.multiplier.mul_result_rd.val();
        self.commit.mul_result_tmask.next = self.multiplier.mul_result_tmask.val();
        self.commit.alu_result_valid.next = self.alu.alu_result_valid.val();
        self.commit.alu_result_wid.next = self.alu.alu_result_wid.val();
        self.commit.alu_result_rd.next = self.alu.alu_result_rd.val();
        self.commit.alu_result_tmask.next = self.alu.alu_result_tmask.val();
        self.lsu_result_ready.next = self.commit.lsu_result_ready.val();
        self.sfu_result_ready.next = self.commit.sfu_result_ready.val();
        for i in 0..self._threads {
            self.alu.sp_a[i].next = self.sp_collector.sp_a[i].val();
            self.alu.sp_b[i].next = self.sp_collector.sp_b[i].val();
            self.multiplier.mul_a[i].next = self.sp_collector.sp_a[i].val();
            self.multiplier.mul_b[i].next = self.sp_collector.sp_b[i].val();
            self.divider.div_a[i].next = self.sfu_collector.sfu_rs1[i].val();
            self.divider.div_b[i].next = self.sfu_collector.sfu_rs2[i].val();
            self.commit.lsu_result_data[i].next = self.lsu_result_data[i].val();
            self.commit.sfu_result_data[i].next = self.sfu_result_data[i].val();
            self.commit.div_result_data[i].next = self.divider.div_result_data[i].val();
            self.commit.mul_result_data[i].next = self.multiplier.mul_result_data[i].val();
            self.commit.alu_result_data[i].next = self.alu.alu_result_data[i].val();
            self.operands.commit_data[i].next = self.commit.commit_data[i].val();
            self.commit_data[i].next = self.commit.commit_data[i].val();
            self.mem_rs1[i].next = self.mem_collector.mem_rs1[i].val();
            self.mem_rs2[i].next = self.mem_collector.mem_rs2[i].val();
        }
        comment!("8. to the outside");
        self.branch_valid.next = self.alu.branch_valid.val();
        self.branch_taken.next = self.alu.branch_taken.val();
        self.branch_wid.next = self.alu.branch_wid.val();
        self.branch_target.next = self.alu.branch_target.val();
        self.mem_valid.next = self.mem_collector.mem_valid.val();
        self.mem_wid.next = self.mem_collector.mem_wid.val();
        self.mem_tmask.next = self.mem_collector.mem_tmask.val();
        self.mem_pc.next = self.mem_collector.mem_pc.val();
        self.mem_rd.next = self.mem_collector.mem_rd.val();
        self.mem_use_rd.next = self.mem_collector.mem_use_rd.val();
        self.mem_funct3.next = self.mem_collector.mem_funct3.val();
        self.mem_store.next = self.mem_collector.mem_store.val();
        self.mem_fence.next = self.mem_collector.mem_fence.val();
        self.mem_fence_i.next = self.mem_collector.mem_fence_i.val();
        self.mem_imm.next = self.mem_collector.mem_imm.val();
        self.sfu_rs1.next = self.sfu_collector.sfu_rs1[0].val();
        self.sfu_flags.next = 0.into();
        for i in 0..self._threads {
            self.sfu_flags.next =
                self.sfu_flags.val().replace_bit(i, self.sfu_collector.sfu_rs1[i].val().get_bit(0));
        }
        self.sfu_last_rs1.next = self.sfu_collector.sfu_last_rs1.val();
        self.sfu_last_rs2.next = self.sfu_collector.sfu_last_rs2.val();
        self.sfu_valid.next = self.sfu_collector.sfu_valid.val() & !self.sfu_collector.sfu_div.val();
        self.sfu_wid.next = self.sfu_collector.sfu_wid.val();
        self.sfu_tmask.next = self.sfu_collector.sfu_tmask.val();
        self.sfu_pc.next = self.sfu_collector.sfu_pc.val();
        self.sfu_instr.next = self.sfu_collector.sfu_instr.val();
        self.sfu_rd.next = self.sfu_collector.sfu_rd.val();
        self.sfu_use_rd.next = self.sfu_collector.sfu_use_rd.val();
        self.sfu_funct3.next = self.sfu_collector.sfu_funct3.val();
        self.sfu_csr.next = self.sfu_collector.sfu_csr.val();
        self.sfu_csr_imm.next = self.sfu_collector.sfu_csr_imm.val();
        self.sfu_wctl.next = self.sfu_collector.sfu_wctl.val();
        self.sfu_barrier.next = self.sfu_collector.sfu_barrier.val();
        self.sfu_legal.next = self.sfu_collector.sfu_legal.val();
        self.commit_valid.next = self.commit.commit_valid.val();
        self.commit_wid.next = self.commit.commit_wid.val();
        self.commit_rd.next = self.commit.commit_rd.val();
        self.commit_tmask.next = self.commit.commit_tmask.val();
        self.commit_last.next = self.commit.commit_last.val();
        self.ready_warps.next = self.scoreboard.ready_warps.val();
        self.data_ready_warps.next = self.scoreboard.data_ready_warps.val();
        self.stall_on_ibuffer.next = self.scoreboard.stall_on_ibuffer.val();
        self.stall_on_control.next = self.scoreboard.stall_on_control.val();
        self.stall_on_scoreboard.next = self.scoreboard.stall_on_scoreboard.val();
        self.stall_on_unit.next = self.scoreboard.stall_on_unit.val();
        self.operand_stall.next = self.operands.operand_stall.val();
        self.grant_oh.next = self.scheduler.grant_oh.val();
        comment!("9. what is under way here; the units outside have signals of their own");
        self.busy.next = self.operands.operand_sp_valid.val()
            | self.operands.operand_mem_valid.val()
            | self.operands.operand_sfu_valid.val()
            | self.sp_collector.sp_valid.val()
            | self.mem_collector.mem_valid.val()
            | self.sfu_collector.sfu_valid.val()
            | self.alu.alu_result_valid.val()
            | self.multiplier.mul_busy.val()
            | self.divider.div_busy.val();
        for k in 0..self._fpu {
            self.busy.next = self.busy.val() | self.fpu[k].fpu_busy.val();
            if self.sfu_collector.sfu_fpu[k].val() {
                self.sfu_valid.next = false;
            }
        }
        for k in 0..self._ordered {
            if self.access_order[k].waits.val() {
                self.sfu_valid.next = false;
            }
        }
    }
}
