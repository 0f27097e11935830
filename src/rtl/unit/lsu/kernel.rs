//! How the parts of the load/store unit are connected.
use super::LoadStoreUnit;
use crate::rtl::prelude::*;

impl Logic for LoadStoreUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread drain: only a data cache has something to send");
        comment!("unread lane_address: the aligner needs the place in a word");
        comment!("unread lane_offset: a line is read by the place in it");
        comment!("1. the instruction");
        Wires::join(&mut self.mem, &mut self.entrance.mem);
        self.entrance.advance.next = self.stage.advance.val();
        Wires::join(&mut self.entrance.arrive, &mut self.stage.arrive);
        Wires::join(&mut self.map, &mut self.stage.map);
        self.load.next = !self.stage.instruction.access_.store.val();
        comment!("2. lanes that go to one line, or to local memory, are a group");
        self.coalescer.lanes.next = self.stage.access_lanes.val();
        Wires::join(&mut self.stage.instruction.access_.addr, &mut self.coalescer.address);
        self.push.next = self.stage.access_valid.val()
            & self.pass.push.ready.val()
            & (self.stage.instruction.access_.store.val()
                | self.tracker.group_ready.val()
                | !self.stage.access_first.val());
        self.stage.serve.next = self.push.val();
        self.stage.served.next = self.coalescer.joined.val();
        comment!("3. a load's groups have a number in common");
        self.tracker.open.next = self.push.val() & self.load.val() & self.stage.access_first.val();
        self.tracker.open_lanes.next = self.stage.instruction.access_.tmask.val();
        self.group.next = self.held_group.q.val();
        if self.stage.access_first.val() {
            self.group.next = self.tracker.group.val();
        }
        self.held_group.d.next = self.group.val();
        comment!("4. the group goes to the banks");
        self.pass.push.valid.next = self.push.val();
        self.pass.push.lanes.next = self.coalescer.joined.val();
        self.pass.push.in_local.next = self.coalescer.in_local.val();
        self.pass.push.line.next = self.coalescer.line.val();
        self.pass.push.store.next = self.stage.instruction.access_.store.val();
        self.pass.push.ends.next = self.stage.access_last.val();
        self.pass.push.load.wid.next = self.stage.instruction.access_.wid.val();
        self.pass.push.load.rd.next = self.stage.instruction.rd.val();
        self.pass.push.load.funct3.next = self.stage.instruction.access_.funct3.val();
        self.pass.push.load.group.next = self.group.val();
        for i in 0..self._t {
            self.lane_address.next = self.stage.instruction.access_.addr[i].val();
            self.aligners[i].size.next = self.stage.instruction.access_.funct3.val().get_bits::<2>(0);
            self.aligners[i].offset.next = self.lane_address.val().get_bits::<2>(0);
            self.aligners[i].register.next = self.stage.instruction.access_.data[i].val();
            self.lane_offset.next = self.stage.offset[i].val();
            self.pass.push.offset[i].next = self.lane_offset.val();
            self.conflicts.word[i].next = bit_cast::<12, 12>(self.lane_offset.val().get_bits::<12>(2));
        }
        for i in 0..self._t {
            self.pass.push.word[i].next = self.aligners[i].word.val();
            self.pass.push.bytes[i].next = self.aligners[i].bytes.val();
            self.pass.push.same_bank[i].next = self.conflicts.same_bank[i].val();
            self.pass.push.same_word[i].next = self.conflicts.same_word[i].val();
        }
        self.pass.request_ready.next = self.request.request_ready.val();
        self.pass.slot_ready.next = self.loads.slot_ready.val();
        self.pass.local_ready.next = self.returns.local_ready.val();
        comment!("5. local memory, or a step of a bus request");
        self.local_memory.read.next = self.pass.to_local.val() & self.pass.look.load.val();
        self.local_memory.write.next = self.pass.to_local.val() & !self.pass.look.load.val();
        Wires::join(&mut self.pass.bank, &mut self.local_memory.bank);
        self.request.put.next = self.pass.to_bus.val();
        self.request.put_store.next = !self.pass.look.load.val();
        self.request.put_last.next = self.pass.pass_last.val();
        self.request.put_line.next = self.pass.look.line.val();
        self.request.put_tag.next = self.loads.slot.val();
        Wires::join(&mut self.pass.bank, &mut self.request.bank);
        Wires::join(&mut self.local_memory.read_data, &mut self.returns.local_data);
        comment!("6. what to do with the line when it comes, or with the words that local memory reads");
        self.loads.allocate.next = self.pass.to_bus.val() & self.pass.look.load.val();
        Wires::join(&mut self.pass.load, &mut self.loads.allocation.load);
        self.loads.allocation.single.next = self.pass.pass_single.val();
        self.loads.allocation.lanes.next = self.pass.pass_lanes.val();
        self.returns.local_read.next = self.pass.to_local.val() & self.pass.look.load.val();
        Wires::join(&mut self.pass.load, &mut self.returns.local_load);
        self.returns.local_lanes.next = self.pass.pass_lanes.val();
        for i in 0..self._t {
            self.lane_offset.next = self.pass.pass_offset[i].val();
            self.loads.allocation.offset[i].next = self.lane_offset.val().get_bits::<6>(0);
            self.returns.local_offset[i].next = self.lane_offset.val().get_bits::<7>(0);
        }
        comment!("7. data come back");
        self.loads.free.next = self.returns.rsp_taken.val();
        Wires::join(&mut self.loads.entry, &mut self.returns.entry);
        Wires::join(&mut self.returns.part, &mut self.tracker.part);
        comment!("8. through the data cache to the bus, or straight");
        self.rests.next = !(self.pass.busy.val()
            | self.request.pending.val()
            | self.loads.in_flight.val()
            | self.tracker.in_flight.val()
            | self.returns.in_flight.val());
        self.cache_busy.next = false;
        self.flushed.next = true;
        if self.cached.val() {
            Wires::join(&mut self.pass.look, &mut self.cache.look);
            Wires::join(&mut self.request.lsu_req, &mut self.cache.lsu_req);
            Wires::join(&mut self.cache.lsu_rsp, &mut self.returns.lsu_rsp);
            self.loads.lookup_slot.next = self.cache.lsu_rsp.tag.val().get_bits::<5>(0);
            self.cache.flush.next = self.stage.access_fence.val() & self.rests.val();
            self.cache.drain.next =
                self.drain.val() & self.rests.val() & !self.stage.instruction.access_.valid.val();
            self.flushed.next = self.cache.flush_done.val();
            self.cache_busy.next = self.cache.busy.val();
            Wires::join(&mut self.cache.mem_req, &mut self.lsu_req);
            Wires::join(&mut self.lsu_rsp, &mut self.cache.mem_rsp);
            Wires::join(&mut self.cache.events, &mut self.events.dcache);
        } else {
            Wires::join(&mut self.request.lsu_req, &mut self.lsu_req);
            Wires::join(&mut self.lsu_rsp, &mut self.returns.lsu_rsp);
            self.loads.lookup_slot.next = self.lsu_rsp.tag.val().get_bits::<5>(0);
            Data::join(&mut self.no_events, &mut self.events.dcache);
        }
        comment!("9. results");
        self.result_taken.next = false;
        self.result_slice.next = self.returns.result.to_.wid.val() & self.slice_mask.val();
        for s in 0..self._slices {
            self.lsu_result_valid[s].next =
                self.returns.result_valid.val() & (self.result_slice.val() == s.to_bits::<WID_BITS>());
            if self.lsu_result_ready[s].val() & (self.result_slice.val() == s.to_bits::<WID_BITS>()) {
                self.result_taken.next = self.returns.result_valid.val();
            }
        }
        self.returns.result_taken.next = self.result_taken.val();
        Wires::join(&mut self.returns.result, &mut self.lsu_result);
        self.lsu_result_last.next = self.returns.result_last.val();
        comment!("10. fences wait until nothing is in flight and memory has all stores");
        self.fence_done.next = self.stage.access_fence.val()
            & self.rests.val()
            & self.flushed.val()
            & !self.writes_pending.val();
        self.stage.fence_done.next = self.fence_done.val();
        self.flush_icache.next = self.fence_done.val() & self.stage.instruction.fence_i.val();
        self.lsu_busy.next = self.stage.instruction.access_.valid.val()
            | !self.rests.val()
            | self.cache_busy.val()
            | self.writes_pending.val();
        comment!("11. events");
        self.events.local.read.next = self.pass.to_local.val() & self.pass.look.load.val();
        self.events.local.write.next = self.pass.to_local.val() & !self.pass.look.load.val();
        self.events.local.lanes.next = self.pass.pass_lanes.val();
        self.events.local.stall.next = self.pass.to_local.val() & !self.pass.pass_last.val();
        self.load_started.next = self.tracker.open.val();
        self.load_done.next = self.result_taken.val() & self.returns.result_last.val();
        self.fence_done_warps.next = 0.into();
        self.memory.done_warps.next = 0.into();
        for w in 0..self._warps {
            if self.fence_done.val() & (self.stage.instruction.access_.wid.val() == w.to_bits::<WID_BITS>()) {
                self.fence_done_warps.next = self.fence_done_warps.val().replace_bit(w, true);
            }
            if self.stage.access_discard.val()
                & (self.stage.instruction.access_.wid.val() == w.to_bits::<WID_BITS>())
            {
                self.memory.done_warps.next = self.memory.done_warps.val().replace_bit(w, true);
            }
            if self.pass.store_done.val() & (self.pass.load.wid.val() == w.to_bits::<WID_BITS>()) {
                self.memory.done_warps.next = self.memory.done_warps.val().replace_bit(w, true);
            }
            if self.result_taken.val()
                & self.returns.result_last.val()
                & (self.returns.result.to_.wid.val() == w.to_bits::<WID_BITS>())
            {
                self.memory.done_warps.next = self.memory.done_warps.val().replace_bit(w, true);
            }
        }
        Wires::join(&mut self.stage.fault, &mut self.fault);
        Data::join(&mut self.stage.instruction.access_, &mut self.access);
        self.access.valid.next = self.push.val() & self.stage.access_first.val();
    }
}
