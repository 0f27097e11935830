//! What the special unit does in a cycle.
use super::SpecialUnit;
use crate::prelude::*;

impl Logic for SpecialUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. choose a slice; the result register must be free");
        self.waiting.next = 0.into();
        for s in 0..self._slices {
            self.waiting.next = self.waiting.val().replace_bit(s, self.sfu[s].its_.valid.val());
        }
        self.arbiter.requests.next = self.waiting.val();
        self.take.next = self.waiting.val().any() & !self.result_held.q.val();
        self.arbiter.advance.next = self.take.val();
        Data::join(&mut self.sfu[0], &mut self.picked);
        for s in 1..self._slices {
            if self.arbiter.grant_oh.val().get_bit(s) {
                Data::join(&mut self.sfu[s], &mut self.picked);
            }
        }
        for s in 0..self._slices {
            self.sfu[s].ready.next = self.arbiter.grant_oh.val().get_bit(s) & !self.result_held.q.val();
        }
        self.is_spawn.next = self.picked.its_.wctl.val() & (self.picked.its_.head_.funct3.val() == 1);
        self.legal.next = self.picked.its_.legal.val();
        self.diverged.next = false;
        if self.has_grid.val() && self.core_.grid.map.in_grid.val() {
            comment!("The warps of a grid are the dispatcher's to start, and a barrier is for whole warps.");
            self.legal.next = self.picked.its_.legal.val() & !self.is_spawn.val();
            self.diverged.next = self.picked.its_.barrier.val() & (self.control.token.val() != 0);
        }
        comment!("2. the condition of each lane");
        self.negate.next = self.picked.its_.instr.val().get_bit(7);
        if self.picked.its_.head_.funct3.val() == 2 {
            self.negate.next = self.picked.its_.instr.val().get_bit(20);
        }
        self.condition.next = self.picked.flags.val();
        if self.negate.val() {
            self.condition.next = !self.picked.flags.val();
        }
        self.warp_oh.next = self.first_warp.val() << self.picked.its_.head_.to_.wid.val();
        comment!("3. CSR");
        self.csrs.access.next = self.take.val() & self.legal.val() & self.picked.its_.csr.val();
        self.csrs.active.next = self.picked.its_.valid.val() & self.picked.its_.csr.val();
        self.csrs.number.next = self.picked.its_.instr.val().get_bits::<12>(20);
        self.csrs.operand.next = self.picked.rs1.val();
        if self.picked.its_.csr_imm.val() {
            self.csrs.operand.next = bit_cast::<32, 5>(self.picked.its_.instr.val().get_bits::<5>(15));
        }
        self.counter_select.next = self.picked.its_.instr.val().get_bits::<5>(20);
        self.counter_upper.next = self.picked.its_.instr.val().get_bit(27);
        comment!("Its result is held in the next cycle, in which nothing else is taken and the counter's value comes.");
        self.counter_read.next =
            self.csrs.access.val() & self.picked.its_.head_.use_rd.val() & self.csrs.reads_counter.val();
        Wires::join(&mut self.picked.its_.head_, &mut self.csrs.head_);
        Wires::join(&mut self.core_, &mut self.csrs.core_);
        Wires::join(&mut self.csrs.frm, &mut self.frm);
        Wires::join(&mut self.core_.grid.start.warps, &mut self.control.start_warps);
        comment!("4. warp control");
        self.control.go.next = self.take.val() & self.legal.val() & self.picked.its_.wctl.val();
        Wires::join(&mut self.picked.its_.head_, &mut self.control.head_);
        self.control.pc.next = self.picked.its_.pc.val();
        self.control.condition.next = self.condition.val();
        self.control.rs1_last.next = self.picked.its_.last_rs1.val();
        self.control.rs2_last.next = self.picked.its_.last_rs2.val();
        comment!("5. barrier");
        self.barriers.arrive.next =
            self.take.val() & self.legal.val() & self.picked.its_.barrier.val() & !self.diverged.val();
        self.barriers.arrive_warp_oh.next = self.warp_oh.val();
        self.barriers.barrier_id.next = self.picked.its_.last_rs1.val();
        self.barriers.barrier_count.next = self.picked.its_.last_rs2.val();
        if self.has_grid.val() {
            Wires::join(&mut self.core_.grid.map, &mut self.barriers.map);
            self.barriers.active_warps.next = self.core_.active_warps.val();
            if self.resolved.valid.q.val() & (self.resolved.tmask.q.val() == 0) {
                self.ended_wid.d.next = self.resolved.wid.q.val();
            }
            self.barriers.ended_wid.next = self.ended_wid.q.val();
        }
        self.barrier.warps.next = self.barriers.waiting_warps.val();
        self.barrier.release_warps.next = self.barriers.release_warps.val();
        self.barrier.arrive_warps.next = 0.into();
        if self.barriers.arrive.val() & !self.barriers.too_many.val() {
            self.barrier.arrive_warps.next = self.warp_oh.val();
        }
        comment!("6. faults");
        self.cause.next = 0.into();
        self.cause_value.next = 0.into();
        if !self.legal.val() {
            self.cause.next = 1.into();
            self.cause_value.next = self.picked.its_.instr.val();
            comment!("The instruction cache answers such a fetch with an illegal word.");
            if self.picked.its_.pc.val().get_bits::<2>(0) != 0 {
                self.cause.next = 10.into();
                self.cause_value.next = self.picked.its_.pc.val();
            }
        } else if self.picked.its_.csr.val() {
            if self.csrs.illegal.val() {
                self.cause.next = 7.into();
                self.cause_value.next = bit_cast::<32, 12>(self.picked.its_.instr.val().get_bits::<12>(20));
            }
        } else if self.picked.its_.barrier.val() {
            if self.barriers.too_many.val() {
                self.cause.next = 6.into();
                self.cause_value.next = self.picked.its_.last_rs2.val();
            }
            if self.diverged.val() {
                self.cause.next = 12.into();
                self.cause_value.next = 0.into();
            }
        } else if self.picked.its_.wctl.val() {
            if self.control.overflow.val() {
                self.cause.next = 5.into();
            }
            if self.control.join_empty.val() {
                self.cause.next = 8.into();
            }
        }
        comment!("The same without the causes' numbers, which take longer.");
        self.refused.next = !self.legal.val()
            | (self.picked.its_.csr.val() & self.csrs.illegal.val())
            | (self.picked.its_.barrier.val() & self.barriers.too_many.val())
            | self.diverged.val()
            | (self.picked.its_.wctl.val() & (self.control.overflow.val() | self.control.join_empty.val()));
        self.faulty.valid.d.next = self.take.val() & self.refused.val();
        self.faulty.wid.d.next = self.picked.its_.head_.to_.wid.val();
        self.faulty.pc.d.next = self.picked.its_.pc.val();
        self.faulty.cause.d.next = self.cause.val();
        self.faulty.addr.d.next = self.cause_value.val();
        Data::join(&mut self.faulty, &mut self.fault);
        self.does_csr.next =
            self.take.val() & self.legal.val() & self.picked.its_.csr.val() & !self.csrs.illegal.val();
        self.does_wctl.next = self.take.val()
            & self.legal.val()
            & self.picked.its_.wctl.val()
            & !self.control.overflow.val()
            & !self.control.join_empty.val();
        comment!("7. WSPAWN waits until its caller is alone");
        self.spawn_count.next =
            bit_cast::<WARP_COUNT_BITS, 32>(self.picked.its_.last_rs1.val()) & self.spawn_count_mask.val();
        self.spawn_below.next = 0.into();
        self.caller_oh.next = self.first_warp.val() << self.spawn_caller.q.val();
        for w in 0..self._warps {
            self.spawn_below.next = self
                .spawn_below
                .val()
                .replace_bit(w, self.spawn_count.val() > w.to_bits::<WARP_COUNT_BITS>());
        }
        self.spawn_go.next =
            self.spawn_held.q.val() & (self.core_.active_warps.val() == self.caller_oh.val());
        if self.spawn_go.val() {
            self.spawn_held.d.next = false;
        }
        comment!("Nothing can be wrong with it.");
        self.holds_spawn.next = self.take.val() & self.legal.val() & self.is_spawn.val();
        if self.holds_spawn.val() {
            self.spawn_held.d.next = true;
            self.spawn_caller.d.next = self.picked.its_.head_.to_.wid.val();
            self.spawn_tmask.d.next = self.picked.its_.head_.to_.tmask.val();
            self.spawn_mask.d.next = self.spawn_below.val() & !self.warp_oh.val();
            self.spawn_target.d.next = self.picked.its_.last_rs2.val();
        }
        self.spawning.d.next = 0.into();
        if self.spawn_go.val() {
            self.spawning.d.next = self.spawn_mask.q.val();
        }
        self.spawn_warps.next = self.spawning.q.val();
        self.spawn_pc.next = self.spawn_target.q.val();
        comment!("8. the new mask, and who may go on");
        self.resolved.valid.d.next = self.spawn_go.val() | (self.does_wctl.val() & !self.is_spawn.val());
        self.resolved.wid.d.next = self.picked.its_.head_.to_.wid.val();
        self.resolved.tmask.d.next = self.control.next_tmask.val();
        self.resolved.jump.d.next = self.control.jump.val();
        self.resolved.pc.d.next = self.control.jump_pc.val();
        self.resume.next = self.barriers.release_warps.val();
        if self.does_wctl.val() & !self.is_spawn.val() {
            self.resume.next = self.resume.val() | self.warp_oh.val();
        }
        if self.has_fpu.val() && (self.does_csr.val() & self.csrs.resumes.val()) {
            self.resume.next = self.resume.val() | self.warp_oh.val();
        }
        if self.spawn_go.val() {
            self.resolved.wid.d.next = self.spawn_caller.q.val();
            self.resolved.tmask.d.next = self.spawn_tmask.q.val();
            self.resolved.jump.d.next = false;
            self.resume.next = self.resume.val() | self.caller_oh.val();
        }
        self.resuming.d.next = self.resume.val();
        Data::join(&mut self.resolved, &mut self.wctl);
        self.resume_warps.next = self.resuming.q.val();
        comment!("9. the result");
        self.result_slice.next = self.result_to.wid.q.val() & self.slice_mask.val();
        for s in 0..self._slices {
            self.sfu_result_valid[s].next =
                self.result_held.q.val() & (self.result_slice.val() == s.to_bits::<WID_BITS>());
            if self.sfu_result_ready[s].val() & (self.result_slice.val() == s.to_bits::<WID_BITS>()) {
                self.result_held.d.next = false;
            }
        }
        if self.picked.its_.head_.use_rd.val() & (self.does_csr.val() | self.does_wctl.val()) {
            self.result_held.d.next = true;
        }
        comment!("What a performance counter shows comes a cycle after all else, and may have to wait.");
        self.late_value.next = self.result_value.q.val() | self.counter_value.val();
        self.result_value.d.next = self.late_value.val();
        comment!(
            "Whether there is one comes late; the registers follow the instruction while they are free."
        );
        if !self.result_held.q.val() {
            Data::join(&mut self.picked.its_.head_.to_, &mut self.result_to);
            self.result_value.d.next = self.control.token.val();
            self.result_per_lane.d.next = false;
            if self.picked.its_.csr.val() {
                self.result_value.d.next = self.csrs.value.val();
                self.result_per_lane.d.next = self.csrs.per_lane.val();
            }
            if self.has_grid.val() {
                for i in 0..self._t {
                    self.result_coordinate[i].d.next = 0.into();
                    if self.picked.its_.csr.val() {
                        self.result_coordinate[i].d.next = self.csrs.coordinate[i].val();
                    }
                }
            }
        }
        Data::join(&mut self.result_to, &mut self.sfu_result.to_);
        for i in 0..self._t {
            self.sfu_result.data[i].next = self.late_value.val();
            if self.result_per_lane.q.val() {
                self.sfu_result.data[i].next = self.late_value.val() | i.to_bits::<32>();
            }
            if self.has_grid.val() {
                self.coordinate.next = self.result_coordinate[i].q.val();
                self.sfu_result.data[i].next =
                    self.sfu_result.data[i].val() | bit_cast::<32, 10>(self.coordinate.val());
            }
        }
        self.sfu_busy.next = self.result_held.q.val()
            | self.resolved.valid.q.val()
            | self.spawn_held.q.val()
            | self.faulty.valid.q.val()
            | self.resuming.q.val().any();
    }
}
