//! What the schedule stage does in a cycle.
use super::WarpTable;
use crate::prelude::*;

impl Logic for WarpTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread decode_stops_fetch: under the unified scheduler fetching does not stop");
        comment!("1. events, as masks of the warps they happen to");
        self.booted.d.next = true;
        self.boot.next = !self.booted.q.val() & !self.reset.val();
        self.begun_warps.next = self.spawn_warps.val();
        self.boots_bare.next = self.boot.val();
        if self.has_grid.val() {
            self.boots_bare.next = self.boot.val() & !self.launch.val();
            self.begun_warps.next = self.spawn_warps.val() | self.cta.warps.val();
        }
        self.begun_warps.next =
            self.begun_warps.val().replace_bit(0, self.begun_warps.val().get_bit(0) | self.boots_bare.val());
        self.branch_warps.next = 0.into();
        for s in 0..self._slices {
            self.branch_warp[s].valid.next = self.branch[s].valid.val() & self.branch[s].taken.val();
            self.branch_warp[s].index.next = self.branch[s].wid.val();
            self.branch_warps.next = self.branch_warps.val() | self.branch_warp[s].mask_oh.val();
        }
        self.control_warp.valid.next = self.wctl.valid.val();
        self.control_warp.index.next = self.wctl.wid.val();
        self.fault_warp.valid.next = self.fault_valid.val();
        self.fault_warp.index.next = self.fault_wid.val();
        self.ended_warps.next = self.fault_warp.mask_oh.val();
        if !self.wctl.tmask.val().any() {
            self.ended_warps.next = self.fault_warp.mask_oh.val() | self.control_warp.mask_oh.val();
        }
        self.flushed_warps.next = self.branch_warps.val() | self.ended_warps.val();
        self.stop_warps.next = 0.into();
        for s in 0..self._slices {
            self.stop_warp[s].valid.next = false;
            if !self.unified.val() {
                self.stop_warp[s].valid.next = self.decode[s].valid.val() & self.decode_stops_fetch[s].val();
            }
            if self.btfn.val() && self.predicted[s].valid.val() {
                self.stop_warp[s].valid.next = self.decode[s].valid.val();
            }
            self.stop_warp[s].index.next = self.decode[s].wid.val();
            self.stop_warps.next = self.stop_warps.val() | self.stop_warp[s].mask_oh.val();
        }
        if self.unified.val() {
            comment!("SWaS: what was fetched behind a mask change or FENCE.I is void when that is done");
            self.resumed_warps.next = self.control_warp.mask_oh.val() | self.fence_i_done_warps.val();
            self.flushed_warps.next =
                self.branch_warps.val() | self.ended_warps.val() | self.resumed_warps.val();
        }
        self.stop_warps.next = self.stop_warps.val() & (!self.flushed_warps.val());
        comment!(
            "The tags are late: a miss suspends its warp, and brings its address back, in the cycle after."
        );
        self.unfetched_warps.next = 0.into();
        for s in 0..self._slices {
            self.missed_warp[s].valid.next = self.icache[s].missed.valid.val();
            self.missed_warp[s].index.next = self.icache[s].missed.wid.val();
            self.unfetched_warps.next = self.unfetched_warps.val() | self.missed_warp[s].mask_oh.val();
        }
        self.unserved_warps.next = self.suspended.q.val() | self.unfetched_warps.val();
        self.flush_warps.next = self.flushed_warps.val();
        self.kill_warps.next = self.flushed_warps.val() | self.stop_warps.val();
        comment!("2. who may fetch, and whose queue is full");
        self.full_warps.next = 0.into();
        for i in 0..self._warps {
            comment!("what is queued and what is in flight; never more than the depth, so full means equal");
            self.occupancy[i].next = self.ibuffer_count[i].val();
            for s in 0..self._slices {
                if self.own_warps[s].val().get_bit(i) {
                    for k in 0..2 {
                        if self.icache[s].stage_valid[k].val()
                            & (self.icache[s].stage_wid[k].val() == i.to_bits::<WID_BITS>())
                        {
                            self.occupancy[i].next = self.occupancy[i].val() + self.one.val();
                            if self.pairs.val() && self.icache[s].stage_pair.val().get_bit(k) {
                                self.occupancy[i].next = self.occupancy[i].val() + self.one.val();
                            }
                        }
                    }
                    if self.decode[s].valid.val() & (self.decode[s].wid.val() == i.to_bits::<WID_BITS>()) {
                        self.occupancy[i].next = self.occupancy[i].val() + self.one.val();
                        if self.pairs.val() && self.decode_pair[s].val() {
                            self.occupancy[i].next = self.occupancy[i].val() + self.one.val();
                        }
                    }
                }
            }
            self.full_warps.next =
                self.full_warps.val().replace_bit(i, self.occupancy[i].val() == self.depth.val());
            if self.pairs.val() {
                comment!("Pairs of words come into empty queues alone.");
                self.full_warps.next = self.full_warps.val().replace_bit(i, self.occupancy[i].val().any());
            }
        }
        self.able_warps.next = self.active.q.val() & (!self.unserved_warps.val()) & (!self.waiting.q.val());
        self.full_queue_warps.next = self.full_warps.val();
        comment!("3. one of each slice fetches");
        self.fire_warps.next = 0.into();
        for s in 0..self._slices {
            self.select[s].own_warps.next = self.own_warps[s].val();
            self.select[s].able_warps.next = self.able_warps.val();
            self.select[s].full_warps.next = self.full_warps.val();
            self.select[s].issue_grant_warps.next = self.issue_grant_warps.val();
            self.select[s].issue_fire_warps.next = self.issue_fire_warps.val();
            self.select[s].head_memory_warps.next = self.head_memory_warps.val();
            Data::join(&mut self.occupancy, &mut self.select[s].occupancy);
            Data::join(&mut self.pc, &mut self.select[s].pc);
            self.select[s].icache_req_ready.next = self.icache_req_ready[s].val();
            Wires::join(&mut self.select[s].fetch, &mut self.fetch[s]);
            Wires::join(&mut self.select[s].sched, &mut self.sched[s]);
            self.fire_warps.next = self.fire_warps.val() | self.select[s].fire_warps.val();
        }
        self.age.start_warps.next = self.begun_warps.val();
        comment!("4. where each warp fetches next: what comes later here wins");
        for s in 0..self._slices {
            self.behind_decode_pc[s].next = self.decode[s].pc.val() + 4;
            if self.btfn.val() && self.predicted[s].valid.val() {
                self.behind_decode_pc[s].next = self.decode[s].pc.val() + self.predicted[s].offset.val();
            }
        }
        comment!("The first warp, those of WSPAWN and what JOIN sends back share one address, for WSPAWN's caller is alone when they start. A block may start in the cycle of a JOIN.");
        self.jump_warps.next = 0.into();
        self.control_pc.next = self.spawn_pc.val();
        if self.boot.val() {
            self.control_pc.next = self.start_pc.val();
        }
        if self.wctl.valid.val() & self.wctl.jump.val() {
            self.jump_warps.next = self.control_warp.mask_oh.val();
            self.control_pc.next = self.wctl.pc.val();
        }
        self.control_warps.next = self.begun_warps.val() | self.jump_warps.val();
        self.sharing_warps.next = self.control_warps.val();
        if self.has_grid.val() {
            self.sharing_warps.next = self.control_warps.val() & !self.cta.warps.val();
        }
        self.void_warps.next = self.control_warps.val() | self.branch_warps.val();
        if self.unified.val() {
            self.void_warps.next =
                self.control_warps.val() | self.branch_warps.val() | self.resumed_warps.val();
        }
        comment!("Which warp fetches is known late, so it only lets the address be written.");
        self.sent_warps.next = self.unfetched_warps.val() | self.stop_warps.val() | self.void_warps.val();
        for i in 0..self._warps {
            comment!("A number selects one of four addresses with fewer LUTs than masks do.");
            self.way.next = 0.into();
            if self.unfetched_warps.val().get_bit(i) {
                self.way.next = 1.into();
            }
            if self.stop_warps.val().get_bit(i) {
                self.way.next = 2.into();
            }
            if self.branch_warps.val().get_bit(i) {
                self.way.next = 3.into();
            }
            self.missed_pc.next = self.icache[0].missed.pc.val();
            self.stop_pc.next = self.behind_decode_pc[0].val();
            self.branch_pc.next = self.branch[0].target.val();
            for s in 1..self._slices {
                if self.own_warps[s].val().get_bit(i) {
                    self.missed_pc.next = self.icache[s].missed.pc.val();
                    self.stop_pc.next = self.behind_decode_pc[s].val();
                }
                if self.branch_warp[s].mask_oh.val().get_bit(i) {
                    self.branch_pc.next = self.branch[s].target.val();
                }
            }
            self.target[i].next = self.pc[i].q.val() + 4;
            if self.pairs.val() && self.pc[i].q.val().get_bits::<4>(2) != self.last_word.val() {
                self.target[i].next = self.pc[i].q.val() + 8;
            }
            if self.way.val().get_bit(0) {
                self.target[i].next = self.missed_pc.val();
            }
            if self.way.val().get_bit(1) {
                self.target[i].next = self.stop_pc.val();
                if self.way.val().get_bit(0) {
                    self.target[i].next = self.branch_pc.val();
                }
            }
            if self.unified.val() && self.resumed_warps.val().get_bit(i) & !self.branch_warps.val().get_bit(i)
            {
                self.target[i].next = self.behind[i].q.val();
            }
            if self.sharing_warps.val().get_bit(i) {
                self.target[i].next = self.control_pc.val();
            }
            if self.has_grid.val() && self.cta.warps.val().get_bit(i) {
                self.target[i].next = self.start_pc.val();
            }
            if self.fire_warps.val().get_bit(i) | self.sent_warps.val().get_bit(i) {
                self.pc[i].d.next = self.target[i].val();
            }
        }

        if self.unified.val() {
            for i in 0..self._warps {
                if self.issue_fire_warps.val().get_bit(i) {
                    self.behind[i].d.next = self.issue_pc.val() + 4;
                }
            }
        }
        comment!("5. why a warp does not fetch");
        self.wake_warps.next = 0.into();
        for s in 0..self._slices {
            self.wake_warps.next = self.wake_warps.val() | self.icache[s].wake_warps.val();
        }
        self.suspended.d.next = self.unserved_warps.val()
            & (!self.wake_warps.val())
            & (!(self.flushed_warps.val() | self.stop_warps.val() | self.begun_warps.val()));
        self.halted_warps.next = self.stop_warps.val();
        if self.btfn.val() {
            comment!("Behind a branch that is predicted to be taken fetching goes on elsewhere, and does not wait.");
            for s in 0..self._slices {
                if self.predicted[s].valid.val() {
                    self.halted_warps.next = self.halted_warps.val() & !self.stop_warp[s].mask_oh.val();
                }
            }
        }
        self.waiting.d.next = ((self.waiting.q.val()
            & (!(self.control_warp.mask_oh.val() | self.fence_i_done_warps.val())))
            | self.halted_warps.val())
            & (!(self.flushed_warps.val() | self.begun_warps.val()));

        comment!("6. active warps and lanes");
        self.active.d.next = (self.active.q.val() & (!self.ended_warps.val())) | self.begun_warps.val();
        for i in 0..self._warps {
            if self.control_warp.mask_oh.val().get_bit(i) {
                self.lanes[i].d.next = self.wctl.tmask.val();
            }
            if self.fault_warp.mask_oh.val().get_bit(i) {
                self.lanes[i].d.next = 0.into();
            }
            if self.begun_warps.val().get_bit(i) {
                self.lanes[i].d.next = self.first_lane.val();
                if self.has_grid.val() && self.map.in_grid.val() {
                    self.lanes[i].d.next = self.all_lanes.val();
                    if self.map.last_warps.val().get_bit(i) {
                        self.lanes[i].d.next = self.map.last_lanes.val();
                    }
                }
            }
        }
        comment!("7. what the others see, all schedulers among them");
        self.waiting_warps.next = self.waiting.q.val();
        self.core.active_warps.next = self.active.q.val();
        self.core.start_warps.next = self.begun_warps.val();
        self.core.exit_warps.next = self.ended_warps.val();
        if self.few_ctas.val() {
            self.core.cta_start.next = 0.into();
            for i in 0..self._warps {
                if self.begun_warps.val().get_bit(i) {
                    self.core.cta_start.next = self.core.cta_start.val() | self.own_cta_oh[i].val();
                }
            }
        } else {
            self.core.cta_start.next = self.begun_warps.val();
        }
        self.core.last_cta_dispatched.next = false;
        self.core.kernel_start.next = self.boot.val();
        self.core.held_warps.next = self.unserved_warps.val();
        self.core.icache_req_ready.next = self.icache_req_ready[0].val();
        self.core.fetch_fire_warps.next = self.fire_warps.val();
        self.core.issue_fire_warps.next = self.issue_fire_warps.val();
        self.core.blocked_warps.next = self.blocked_warps.val();
        Wires::join(&mut self.barrier, &mut self.core.barrier);
        Wires::join(&mut self.memory, &mut self.core.memory);
        Data::join(&mut self.lanes, &mut self.tmask);
        Wires::join(&mut self.age.older, &mut self.core.older);
        Wires::join(&mut self.own_cta, &mut self.core.cta);
        if self.has_grid.val() {
            self.core.kernel_start.next = self.boot.val() | self.launch.val();
            self.core.last_cta_dispatched.next = self.last_dispatched.val();
            if self.map.in_grid.val() {
                self.core.cta_start.next = self.cta.slot_oh.val();
                Data::join(&mut self.map.slot, &mut self.core.cta);
            }
        }
        if self.orders_ctas.val() {
            Wires::join(&mut self.core, &mut self.tracker.core);
            Wires::join(&mut self.tracker.tables, &mut self.tables);
        }
        for s in 0..self._slices {
            Wires::join(&mut self.core, &mut self.select[s].core);
            Wires::join(&mut self.tables, &mut self.select[s].tables);
        }
    }
}
