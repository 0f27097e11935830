//! How the parts of the load/store unit are connected.
use super::LoadStoreUnit;
use crate::comment;
use crate::rtl::bundle::Wires;
use rust_hdl::prelude::*;

impl Logic for LoadStoreUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module LoadStoreUnit: Performs the memory instructions of all slices, in the order it takes them, one line or one local pass a cycle.");
        comment!("1. the instruction");
        for s in 0..self._slices {
            Wires::join(&mut self.mem[s], &mut self.entrance.mem[s]);
        }
        self.entrance.advance.next = self.access.advance.val();
        self.access.arrive_valid.next = self.entrance.arrive_valid.val();
        self.access.arrive_wid.next = self.entrance.arrive_wid.val();
        self.access.arrive_tmask.next = self.entrance.arrive_tmask.val();
        self.access.arrive_pc.next = self.entrance.arrive_pc.val();
        self.access.arrive_rd.next = self.entrance.arrive_rd.val();
        self.access.arrive_use_rd.next = self.entrance.arrive_use_rd.val();
        self.access.arrive_funct3.next = self.entrance.arrive_funct3.val();
        self.access.arrive_store.next = self.entrance.arrive_store.val();
        self.access.arrive_fence.next = self.entrance.arrive_fence.val();
        self.access.arrive_fence_i.next = self.entrance.arrive_fence_i.val();
        for i in 0..self._t {
            self.access.arrive_address[i].next = self.entrance.arrive_address[i].val();
            self.access.arrive_data[i].next = self.entrance.arrive_data[i].val();
        }
        self.load.next = !self.access.access_store.val();
        comment!("2. lanes that go to one line, or to local memory, are a group");
        self.coalescer.lanes.next = self.access.access_lanes.val();
        for i in 0..self._t {
            self.coalescer.address[i].next = self.access.access_address[i].val();
        }
        self.push.next = self.access.access_valid.val()
            & self.pass.pass_ready.val()
            & (self.access.access_store.val()
                | self.tracker.group_ready.val()
                | !self.access.access_first.val());
        self.access.serve.next = self.push.val();
        self.access.served.next = self.coalescer.joined.val();
        comment!("3. a load's groups have a number in common");
        self.tracker.open.next = self.push.val() & self.load.val() & self.access.access_first.val();
        self.tracker.open_lanes.next = self.access.access_tmask.val();
        self.group.next = self.held_group.q.val();
        if self.access.access_first.val() {
            self.group.next = self.tracker.group.val();
        }
        self.held_group.d.next = self.group.val();
        comment!("4. the group goes to the banks");
        self.pass.push.next = self.push.val();
        self.pass.push_lanes.next = self.coalescer.joined.val();
        self.pass.push_local.next = self.coalescer.in_local.val();
        self.pass.push_line.next = self.coalescer.line.val();
        self.pass.push_store.next = self.access.access_store.val();
        self.pass.push_final.next = self.access.access_last.val();
        self.pass.push_wid.next = self.access.access_wid.val();
        self.pass.push_rd.next = self.access.access_rd.val();
        self.pass.push_funct3.next = self.access.access_funct3.val();
        self.pass.push_group.next = self.group.val();
        for i in 0..self._t {
            self.lane_address.next = self.access.access_address[i].val();
            self.aligners[i].size.next = self.access.access_funct3.val().get_bits::<2>(0);
            self.aligners[i].offset.next = self.lane_address.val().get_bits::<2>(0);
            self.aligners[i].register.next = self.access.access_data[i].val();
            self.pass.push_offset[i].next = self.lane_address.val().get_bits::<14>(0);
            self.conflicts.word[i].next = bit_cast::<12, 12>(self.lane_address.val().get_bits::<12>(2));
        }
        for i in 0..self._t {
            self.pass.push_word[i].next = self.aligners[i].word.val();
            self.pass.push_bytes[i].next = self.aligners[i].bytes.val();
            self.pass.push_same_bank[i].next = self.conflicts.same_bank[i].val();
            self.pass.push_same_word[i].next = self.conflicts.same_word[i].val();
        }
        self.pass.request_ready.next = self.request.request_ready.val();
        self.pass.slot_ready.next = self.loads.slot_ready.val();
        self.pass.local_ready.next = self.returns.local_ready.val();
        comment!("5. local memory, or a step of a bus request");
        self.local_memory.read.next = self.pass.to_local.val() & self.pass.pass_load.val();
        self.local_memory.write.next = self.pass.to_local.val() & !self.pass.pass_load.val();
        self.local_memory.bank_valid.next = self.pass.bank_valid.val();
        self.request.put.next = self.pass.to_bus.val();
        self.request.put_store.next = !self.pass.pass_load.val();
        self.request.put_last.next = self.pass.pass_last.val();
        self.request.put_line.next = self.pass.pass_line.val();
        self.request.put_tag.next = self.loads.slot.val();
        self.request.bank_valid.next = self.pass.bank_valid.val();
        for b in 0..self._t {
            self.local_memory.bank_word[b].next = self.pass.bank_word[b].val();
            self.local_memory.bank_bytes[b].next = self.pass.bank_bytes[b].val();
            self.local_memory.bank_data[b].next = self.pass.bank_data[b].val();
            self.request.bank_word[b].next = self.pass.bank_word[b].val();
            self.request.bank_bytes[b].next = self.pass.bank_bytes[b].val();
            self.request.bank_data[b].next = self.pass.bank_data[b].val();
            self.returns.local_data[b].next = self.local_memory.read_data[b].val();
        }
        comment!("6. what to do with the line when it comes, or with the words that local memory reads");
        self.loads.allocate.next = self.pass.to_bus.val() & self.pass.pass_load.val();
        self.loads.allocate_wid.next = self.pass.pass_wid.val();
        self.loads.allocate_rd.next = self.pass.pass_rd.val();
        self.loads.allocate_funct3.next = self.pass.pass_funct3.val();
        self.loads.allocate_group.next = self.pass.pass_group.val();
        self.loads.allocate_single.next = self.pass.pass_single.val();
        self.loads.allocate_lanes.next = self.pass.pass_lanes.val();
        self.returns.local_read.next = self.pass.to_local.val() & self.pass.pass_load.val();
        self.returns.local_wid.next = self.pass.pass_wid.val();
        self.returns.local_rd.next = self.pass.pass_rd.val();
        self.returns.local_funct3.next = self.pass.pass_funct3.val();
        self.returns.local_group.next = self.pass.pass_group.val();
        self.returns.local_lanes.next = self.pass.pass_lanes.val();
        for i in 0..self._t {
            self.lane_offset.next = self.pass.pass_offset[i].val();
            self.loads.allocate_offset[i].next = self.lane_offset.val().get_bits::<6>(0);
            self.returns.local_offset[i].next = self.lane_offset.val().get_bits::<7>(0);
        }
        comment!("7. data come back");
        self.loads.free.next = self.returns.rsp_taken.val();
        self.returns.entry_wid.next = self.loads.entry_wid.val();
        self.returns.entry_rd.next = self.loads.entry_rd.val();
        self.returns.entry_funct3.next = self.loads.entry_funct3.val();
        self.returns.entry_group.next = self.loads.entry_group.val();
        self.returns.entry_single.next = self.loads.entry_single.val();
        self.returns.entry_lanes.next = self.loads.entry_lanes.val();
        self.tracker.returned.next = self.returns.returned.val();
        self.tracker.returned_group.next = self.returns.returned_group.val();
        self.tracker.returned_lanes.next = self.returns.returned_lanes.val();
        self.returns.last.next = self.tracker.last.val();
        for i in 0..self._t {
            self.returns.entry_offset[i].next = self.loads.entry_offset[i].val();
            self.lsu_result_data[i].next = self.returns.result_data[i].val();
        }
        comment!("8. through the data cache to the bus, or straight");
        self.rests.next = !(self.pass.busy.val()
            | self.request.pending.val()
            | self.loads.in_flight.val()
            | self.tracker.in_flight.val()
            | self.returns.in_flight.val());
        self.cache_busy.next = false;
        self.flushed.next = true;
        self.dcache_read.next = false;
        self.dcache_write.next = false;
        self.dcache_read_miss.next = false;
        self.dcache_write_miss.next = false;
        self.dcache_stall_on_mshr.next = false;
        self.dcache_stall_on_bank.next = false;
        self.dcache_mshrs_in_use.next = 0.into();
        if self.cached.val() {
            Wires::join(&mut self.pass.look, &mut self.cache.look);
            Wires::join(&mut self.request.lsu_req, &mut self.cache.lsu_req);
            Wires::join(&mut self.cache.lsu_rsp, &mut self.returns.lsu_rsp);
            self.loads.lookup_slot.next = self.cache.lsu_rsp.tag.val().get_bits::<5>(0);
            self.cache.flush.next = self.access.access_fence.val() & self.rests.val();
            self.cache.drain.next = self.drain.val() & self.rests.val() & !self.access.busy.val();
            self.flushed.next = self.cache.flush_done.val();
            self.cache_busy.next = self.cache.busy.val();
            Wires::join(&mut self.cache.mem_req, &mut self.lsu_req);
            Wires::join(&mut self.lsu_rsp, &mut self.cache.mem_rsp);
            self.dcache_read.next = self.cache.dcache_read.val();
            self.dcache_write.next = self.cache.dcache_write.val();
            self.dcache_read_miss.next = self.cache.dcache_read_miss.val();
            self.dcache_write_miss.next = self.cache.dcache_write_miss.val();
            self.dcache_stall_on_mshr.next = self.cache.dcache_stall_on_mshr.val();
            self.dcache_stall_on_bank.next = self.cache.dcache_stall_on_bank.val();
            self.dcache_mshrs_in_use.next = self.cache.dcache_mshrs_in_use.val();
        } else {
            Wires::join(&mut self.request.lsu_req, &mut self.lsu_req);
            Wires::join(&mut self.lsu_rsp, &mut self.returns.lsu_rsp);
            self.loads.lookup_slot.next = self.lsu_rsp.tag.val().get_bits::<5>(0);
        }
        comment!("9. results");
        self.result_taken.next = false;
        self.result_slice.next = self.returns.result_wid.val() & self.slice_mask.val();
        for s in 0..self._slices {
            self.lsu_result_valid[s].next =
                self.returns.result_valid.val() & (self.result_slice.val() == s.to_bits::<5>());
            if self.lsu_result_ready[s].val() & (self.result_slice.val() == s.to_bits::<5>()) {
                self.result_taken.next = self.returns.result_valid.val();
            }
        }
        self.returns.result_taken.next = self.result_taken.val();
        self.lsu_result_wid.next = self.returns.result_wid.val();
        self.lsu_result_rd.next = self.returns.result_rd.val();
        self.lsu_result_tmask.next = self.returns.result_tmask.val();
        self.lsu_result_last.next = self.returns.result_last.val();
        comment!("10. fences wait until nothing is in flight and memory has all stores");
        self.fence_done.next = self.access.access_fence.val()
            & self.rests.val()
            & self.flushed.val()
            & !self.writes_pending.val();
        self.access.fence_done.next = self.fence_done.val();
        self.flush_icache.next = self.fence_done.val() & self.access.access_fence_i.val();
        self.lsu_busy.next =
            self.access.busy.val() | !self.rests.val() | self.cache_busy.val() | self.writes_pending.val();
        comment!("11. events");
        self.local_read.next = self.pass.to_local.val() & self.pass.pass_load.val();
        self.local_write.next = self.pass.to_local.val() & !self.pass.pass_load.val();
        self.local_lanes.next = self.pass.pass_lanes.val();
        self.local_stall.next = self.pass.to_local.val() & !self.pass.pass_last.val();
        self.load_started.next = self.tracker.open.val();
        self.load_done.next = self.result_taken.val() & self.returns.result_last.val();
        self.fence_done_warps.next = 0.into();
        self.memory.done_warps.next = 0.into();
        for w in 0..self._warps {
            if self.fence_done.val() & (self.access.access_wid.val() == w.to_bits::<5>()) {
                self.fence_done_warps.next = self.fence_done_warps.val().replace_bit(w, true);
            }
            if self.access.access_discard.val() & (self.access.access_wid.val() == w.to_bits::<5>()) {
                self.memory.done_warps.next = self.memory.done_warps.val().replace_bit(w, true);
            }
            if self.pass.store_done.val() & (self.pass.pass_wid.val() == w.to_bits::<5>()) {
                self.memory.done_warps.next = self.memory.done_warps.val().replace_bit(w, true);
            }
            if self.result_taken.val()
                & self.returns.result_last.val()
                & (self.returns.result_wid.val() == w.to_bits::<5>())
            {
                self.memory.done_warps.next = self.memory.done_warps.val().replace_bit(w, true);
            }
        }
        self.fault_valid.next = self.access.fault_valid.val();
        self.fault_wid.next = self.access.access_wid.val();
        self.fault_pc.next = self.access.access_pc.val();
        self.fault_cause.next = self.access.fault_cause.val();
        self.fault_addr.next = self.access.fault_addr.val();
        self.access_valid.next = self.push.val() & self.access.access_first.val();
        self.access_store.next = self.access.access_store.val();
        self.access_wid.next = self.access.access_wid.val();
        self.access_pc.next = self.access.access_pc.val();
        self.access_tmask.next = self.access.access_tmask.val();
        self.access_funct3.next = self.access.access_funct3.val();
        for i in 0..self._t {
            self.access_addr[i].next = self.access.access_address[i].val();
            self.access_data[i].next = self.access.access_data[i].val();
        }
    }
}
