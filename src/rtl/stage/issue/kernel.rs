//! What an issue slice connects to what.
use super::IssueSlice;
use crate::rtl::prelude::*;

impl Logic for IssueSlice {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the grant. A full operand stage is known late: it stops the grant, not the choice.");
        self.sched.view_.fire.next = self.scheduler.grant.valid.val() & !self.operands.operand_stall.val();
        self.issue.valid.next = self.sched.view_.fire.val();
        if self.unified.val() {
            comment!("a NOP goes nowhere");
            self.issue.valid.next = self.sched.view_.fire.val()
                & !(self.scheduler.grant.oh.val() & self.heads.nop_warps.val()).any();
        }
        self.issue.wid.next = self.scheduler.grant.wid.val();
        self.issue_oh.next = self.scheduler.grant.oh.val();
        self.issue.pc.next = self.head_pc.val();
        self.issue.instr.next = self.head_instr.val();
        self.sched.view_.fired_oh.next = 0.into();
        if !self.operands.operand_stall.val() {
            self.sched.view_.fired_oh.next = self.scheduler.grant.oh.val();
        }
        self.issue_fire_warps.next = self.sched.view_.fired_oh.val();
        if self.shares.val() {
            comment!("A warp of another slice, if no own warp is ready.");
            self.issue_oh.next = self.scheduler.grant.oh.val() | self.orders.visit.oh.val();
            self.issue.wid.next = self.scheduler.grant.wid.val() | self.orders.visit.wid.val();
            if self.orders.visit.valid.val() {
                self.issue.valid.next = true;
                self.issue_fire_warps.next = self.orders.visit.oh.val();
            }
        }
        comment!("The granted head is an OR of masked fields, for the grant is one hot.");
        self.issue.tmask.next = 0.into();
        for i in 0..self._warps {
            if self.issue_oh.val().get_bit(i) {
                self.issue.tmask.next = self.issue.tmask.val() | self.tmask[i].val();
            }
        }
        for k in 0..self._named {
            self.granted.number[k].next = 0.into();
            self.used_warps[k].next = 0.into();
            for i in 0..self._warps {
                self.used_warps[k].next =
                    self.used_warps[k].val().replace_bit(i, self.heads.registers[i].used[k].val());
                if self.issue_oh.val().get_bit(i) {
                    self.granted.number[k].next =
                        self.granted.number[k].val() | self.heads.registers[i].number[k].val();
                }
            }
            self.granted.used[k].next = (self.issue_oh.val() & self.used_warps[k].val()) != 0;
        }
        comment!("2. who may issue. What a reserved rounding mode makes illegal is for the special unit, which reports it.");
        self.special_warps.next = self.heads.sfu_warps.val();
        for i in 0..self._float_warps {
            if self.has_fpu.val()
                && self.heads.dynamic_rounding_warps.val().get_bit(i) & (self.frm[i].val() > bits::<3>(4))
            {
                self.special_warps.next = self.special_warps.val().replace_bit(i, true);
            }
            self.operands.frm[i].next = self.frm[i].val();
        }
        self.scoreboard.own_warps.next = self.own_warps.val();
        self.scoreboard.active_warps.next = self.core.active_warps.val();
        self.scoreboard.start_warps.next = self.core.start_warps.val();
        self.scoreboard.barrier_warps.next = self.core.barrier.warps.val();
        self.scoreboard.resume_warps.next = self.resume_warps.val();
        Wires::join(&mut self.heads, &mut self.scoreboard.heads);
        self.scoreboard.heads.sfu_warps.next = self.special_warps.val();
        self.scoreboard.flush_warps.next = self.flush_warps.val();
        self.scoreboard.mem_free.next = self.back.mem_free.val();
        self.scoreboard.sfu_free.next = self.back.sfu_free.val();
        self.scoreboard.operand_stall.next = self.operands.operand_stall.val();
        self.scoreboard.issue_fire_warps.next = self.sched.view_.fired_oh.val();
        self.scoreboard.operand_write_warps.next = self.operands.operand_write_warps.val();
        self.scoreboard.operand_rd.next = self.operands.sp.rd.val();
        self.scoreboard.passed_valid.next = self.back.passed_valid.val();
        self.scoreboard.passed_wid.next = self.back.passed_wid.val();
        Wires::join(&mut self.back.branch, &mut self.scoreboard.branch);
        Wires::join(&mut self.back.commit.write_, &mut self.scoreboard.commit);
        comment!("3. who does");
        self.sched.view_.ready_warps.next = self.scoreboard.ready_warps.val();
        self.sched.view_.data_ready_warps.next = self.scoreboard.data_ready_warps.val();
        self.sched.view_.own_warps.next = self.own_warps.val();
        self.sched.view_.memory_warps.next = self.heads.memory_warps.val();
        self.sched.view_.empty_warps.next = !self.heads.valid_warps.val();
        for i in 0..self._warps {
            self.sched.view_.unissued[i].next = 0.into();
        }
        Wires::join(&mut self.sched.view_, &mut self.scheduler.stage);
        Wires::join(&mut self.core, &mut self.scheduler.core);
        if self.has_oracles.val() {
            Wires::join(&mut self.sched.view_, &mut self.oracles.stage);
            Wires::join(&mut self.core, &mut self.oracles.core);
            self.oracles.absent_warps.next = self.scoreboard.stall_on.ibuffer.val();
            Wires::join(&mut self.back.branch, &mut self.oracles.branch);
            self.oracles.grant_oh.next = self.scheduler.grant.oh.val();
            self.oracles.stalled.next = self.operands.operand_stall.val();
            if self.unified.val() {
                self.oracles.stalled.next =
                    self.operands.operand_stall.val() | !self.core.icache_req_ready.val();
            }
            Wires::join(&mut self.oracles.view, &mut self.oracle);
        }
        comment!("4. operand stage");
        Wires::join(&mut self.issue, &mut self.operands.issue);
        Wires::join(&mut self.granted, &mut self.operands.registers);
        self.operands.issue_write_warps.next = self.issue_oh.val() & self.heads.write_warps.val();
        self.operands.issue_mem.next = (self.issue_oh.val() & self.heads.mem_warps.val()) != 0;
        self.operands.issue_sfu.next = (self.issue_oh.val() & self.special_warps.val()) != 0;
        Wires::join(&mut self.back.commit, &mut self.operands.commit);
        self.operands.collector_ready.next = self.back.sp_free.val();
        if self.collects.val() {
            comment!("With operand collectors between issue and the operand stage.");
            Wires::join(&mut self.issue, &mut self.banked.issue);
            Wires::join(&mut self.granted, &mut self.banked.registers);
            self.banked.issue_mem.next = (self.issue_oh.val() & self.heads.mem_warps.val()) != 0;
            self.banked.issue_sfu.next = (self.issue_oh.val() & self.special_warps.val()) != 0;
            self.banked.issue_write_warps.next =
                self.sched.view_.fired_oh.val() & self.heads.write_warps.val();
            Wires::join(&mut self.back.commit, &mut self.banked.commit);
            self.banked.room[0].next = self.back.mem_free.val() & !self.operands.holds.val();
            self.banked.room[1].next = self.back.sfu_free.val() & !self.operands.holds.val();
            self.banked.room[2].next = !self.operands.holds.val();
            self.scoreboard.mem_free.next = self.banked.free[0].val();
            self.scoreboard.sfu_free.next = self.banked.free[1].val();
            self.scoreboard.sp_free.next = self.banked.free[2].val();
            self.scoreboard.collecting_warps.next = self.banked.held_warps.val();
            self.scoreboard.operand_write_warps.next = self.banked.entered_write_warps.val();
            self.scoreboard.operand_rd.next = self.banked.entered_rd.val();
            Wires::join(&mut self.banked.collected, &mut self.operands.issue);
            for k in 0..self._named {
                self.operands.registers.number[k].next = 0.into();
                self.operands.registers.used[k].next = false;
            }
            self.operands.registers.number[0].next = self.banked.collected_rd.val();
            self.operands.registers.used[0].next = self.banked.collected_use_rd.val();
            self.operands.issue_write_warps.next = 0.into();
            self.operands.issue_mem.next = self.banked.collected_mem.val();
            self.operands.issue_sfu.next = self.banked.collected_sfu.val();
            Wires::join(&mut self.banked.view, &mut self.collect);
        }
        for i in 0..self._collected_threads {
            self.operands.collected.rs1[i].next = self.banked.words[0].data[i].val();
            self.operands.collected.rs2[i].next = self.banked.words[1].data[i].val();
        }
        for i in 0..self._collected_float_threads {
            self.operands.collected.rs3[i].next = self.banked.words[2].data[i].val();
        }
        comment!("5. collectors, units and commit");
        Wires::join(&mut self.operands.sp, &mut self.back.operand_sp);
        Wires::join(&mut self.operands.mem, &mut self.back.operand_mem);
        Wires::join(&mut self.operands.sfu, &mut self.back.operand_sfu);
        for i in 0..self._threads {
            self.back.operand_rs1[i].next = self.operands.sfu_rs1[i].val();
            self.back.operand_rs2[i].next = self.operands.sfu_rs2[i].val();
        }
        for i in 0..self._float_threads {
            self.back.operand_c[i].next = self.operands.sp_c[i].val();
        }
        Wires::join(&mut self.lsu_result, &mut self.back.lsu_result);
        self.back.lsu_result_last.next = self.lsu_result_last.val();
        Wires::join(&mut self.sfu_result, &mut self.back.sfu_result);
        self.back.sfu_ready.next = self.sfu_ready.val();
        comment!("6. to the outside");
        Wires::join(&mut self.back.branch, &mut self.branch);
        Wires::join(&mut self.back.mem, &mut self.mem);
        Wires::join(&mut self.back.sfu, &mut self.sfu);
        Wires::join(&mut self.back.commit, &mut self.commit);
        self.sfu_rs1.next = self.back.sfu_rs1.val();
        self.sfu_flags.next = self.back.sfu_flags.val();
        self.busy.next = self.back.busy.val();
        if self.collects.val() {
            self.busy.next = self.back.busy.val() | self.banked.held_warps.val().any();
        }
        Wires::join(&mut self.scoreboard.stall_on, &mut self.stall_on);
        self.operand_stall.next = self.operands.operand_stall.val();
        self.sched.grant_oh.next = self.scheduler.grant.oh.val();
        if self.shares.val() {
            comment!("7. warp sharing: what it is told, and what is told");
            Wires::join(&mut self.orders.absent, &mut self.scoreboard.absent);
            self.operands.visit.next = self.orders.visit.valid.val();
            Wires::join(&mut self.orders.words, &mut self.operands.visitor);
            self.back.own_warps.next = self.own_warps.val();
            self.back.accessing_warps.next = self.orders.accessing_warps.val();
            Wires::join(&mut self.home, &mut self.back.home);
            Wires::join(&mut self.back.away, &mut self.away);
            self.held.d.next = self.operands.operand_stall.val();
            self.state.room[0].next = self.back.mem_free.val();
            self.state.room[1].next = self.back.sfu_free.val();
            self.state.room[2].next = self.back.sp_empty.val();
            self.state.full[0].next = !self.back.mem_free.val();
            self.state.full[1].next = !self.back.sfu_free.val();
            self.state.full[2].next = self.held.q.val();
            self.state.ready_warps.next = self.scoreboard.ready_warps.val();
            self.state.data_ready_warps.next = self.scoreboard.data_ready_warps.val();
            self.state.special_warps.next = self.special_warps.val();
            self.state.stalled.next = self.operands.operand_stall.val();
            self.state.fire_warps.next = self.issue_fire_warps.val();
            Wires::join(&mut self.granted, &mut self.state.registers);
            self.state.mem_leaves.next = self.back.mem_leaves.val();
            self.state.mem_leaves_wid.next = self.back.mem.wid.val();
            self.state.sfu_leaves.next = self.back.sfu_leaves.val();
            self.state.sfu_leaves_wid.next = self.back.sfu.wid.val();
            self.state.passed_valid.next = self.back.passed_valid.val();
            self.state.passed_wid.next = self.back.passed_wid.val();
            self.state.taken_valid.next = self.back.branch.valid.val() & self.back.branch.taken.val();
            self.state.taken_wid.next = self.back.branch.wid.val();
            Wires::join(&mut self.back.commit, &mut self.state.commit);
        }
    }
}
