//! How the parts of the load/store unit are connected.
use super::LoadStoreUnit;
use crate::prelude::*;

impl Logic for LoadStoreUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread lane_address: the aligner needs the place in a word");
        comment!("unread lane_offset: banks hold whole words");
        comment!("1. the instruction");
        Wires::join(&mut self.mem, &mut self.entrance.mem);
        self.entrance.advance.next = self.stage.advance.val();
        Wires::join(&mut self.entrance.arrive, &mut self.stage.arrive);
        Wires::join(&mut self.map, &mut self.stage.map);
        self.load.next = !self.stage.instruction.access_.store.val();
        comment!("2. lanes that go to one line, or to local memory, are a group; each path takes one");
        self.starts.next = self.stage.access_valid.val()
            & (self.stage.instruction.access_.store.val()
                | self.tracker.group_ready.val()
                | !self.stage.access_first.val());
        self.pushed.next = false;
        for p in 0..self._paths {
            self.coalescers[p].lanes.next = self.stage.access_lanes[p].val();
            Wires::join(&mut self.stage.instruction.access_.addr, &mut self.coalescers[p].address);
            self.push[p].next =
                self.starts.val() & self.paths[p].push.ready.val() & (self.stage.access_lanes[p].val() != 0);
            self.pushed.next = self.pushed.val() | self.push[p].val();
            self.stage.serve[p].next = self.push[p].val();
            self.stage.served[p].next = self.coalescers[p].joined.val();
        }
        comment!("3. a load's groups have a number in common");
        self.tracker.open.next = self.pushed.val() & self.load.val() & self.stage.access_first.val();
        self.tracker.open_lanes.next = self.stage.instruction.access_.tmask.val();
        self.group.next = self.held_group.q.val();
        if self.stage.access_first.val() {
            self.group.next = self.tracker.group.val();
        }
        self.held_group.d.next = self.group.val();
        comment!("4. the group goes to the banks of its path");
        for i in 0..self._t {
            self.lane_address.next = self.stage.instruction.access_.addr[i].val();
            self.aligners[i].size.next = self.stage.instruction.access_.funct3.val().get_bits::<2>(0);
            self.aligners[i].offset.next = self.lane_address.val().get_bits::<2>(0);
            self.aligners[i].register.next = self.stage.instruction.access_.data[i].val();
            self.lane_offset.next = self.stage.offset[i].val();
            self.conflicts.word[i].next = bit_cast::<12, 12>(self.lane_offset.val().get_bits::<12>(2));
        }
        for p in 0..self._paths {
            self.paths[p].push.valid.next = self.push[p].val();
            self.paths[p].push.lanes.next = self.coalescers[p].joined.val();
            self.paths[p].push.in_local.next = self.coalescers[p].in_local.val();
            self.paths[p].push.line.next = self.coalescers[p].line.val();
            self.paths[p].push.store.next = self.stage.instruction.access_.store.val();
            comment!("Of several groups that end an instruction that of the last path does.");
            self.paths[p].push.ends.next = self.stage.access_last.val();
            for q in 0..self._paths {
                if (p.to_bits::<2>() < q.to_bits::<2>()) & self.push[q].val() {
                    self.paths[p].push.ends.next = false;
                }
            }
            self.paths[p].push.load.wid.next = self.stage.instruction.access_.wid.val();
            self.paths[p].push.load.rd.next = self.stage.instruction.rd.val();
            self.paths[p].push.load.funct3.next = self.stage.instruction.access_.funct3.val();
            self.paths[p].push.load.group.next = self.group.val();
            Wires::join(&mut self.stage.offset, &mut self.paths[p].push.offset);
            for i in 0..self._t {
                self.paths[p].push.word[i].next = self.aligners[i].word.val();
                self.paths[p].push.bytes[i].next = self.aligners[i].bytes.val();
            }
            Wires::join(&mut self.conflicts.same_bank, &mut self.paths[p].push.same_bank);
            Wires::join(&mut self.conflicts.same_word, &mut self.paths[p].push.same_word);
        }
        comment!("5. local memory is path 0's");
        self.local_memory.read.next = self.paths[0].local.read.val();
        self.local_memory.write.next = self.paths[0].local.write.val();
        Wires::join(&mut self.paths[0].bank, &mut self.local_memory.bank);
        Wires::join(&mut self.paths[0].local, &mut self.events.local);
        for p in 0..self._paths {
            Wires::join(&mut self.local_memory.read_data, &mut self.paths[p].local_data);
        }
        comment!("6. to the bus and back");
        self.rests.next = !self.tracker.in_flight.val();
        self.flushed.next = true;
        self.cache_busy.next = false;
        for p in 0..self._paths {
            self.rests.next = self.rests.val() & self.paths[p].rests.val();
            self.flushed.next = self.flushed.val() & self.paths[p].flush_done.val();
            self.cache_busy.next = self.cache_busy.val() | self.paths[p].cache_busy.val();
        }
        for p in 0..self._paths {
            self.paths[p].flush.next = self.stage.access_fence.val() & self.rests.val();
            self.paths[p].drain.next =
                self.drain.val() & self.rests.val() & !self.stage.instruction.access_.valid.val();
        }
        if self.several.val() {
            for p in 0..self._paths {
                Wires::join(&mut self.paths[p].mem_req, &mut self.arbiter.requests[p]);
                Wires::join(&mut self.arbiter.responses[p], &mut self.paths[p].mem_rsp);
            }
            Wires::join(&mut self.arbiter.mem_req, &mut self.lsu_req);
            Wires::join(&mut self.lsu_rsp, &mut self.arbiter.mem_rsp);
        } else {
            Wires::join(&mut self.paths[0].mem_req, &mut self.lsu_req);
            Wires::join(&mut self.lsu_rsp, &mut self.paths[0].mem_rsp);
        }
        comment!("7. results");
        for p in 0..self._paths {
            Wires::join(&mut self.paths[p].part, &mut self.tracker.part[p]);
        }
        if self.several.val() {
            Data::join(&mut self.merge.result, &mut self.result);
            for p in 0..self._paths {
                Wires::join(&mut self.paths[p].result, &mut self.merge.parts[p]);
            }
        } else {
            Data::join(&mut self.paths[0].result, &mut self.result);
        }
        self.result.offer_.ready.next = false;
        self.result_slice.next = self.result.offer_.result_.to_.wid.val() & self.slice_mask.val();
        for s in 0..self._slices {
            self.lsu_result_valid[s].next =
                self.result.offer_.valid.val() & (self.result_slice.val() == s.to_bits::<WID_BITS>());
            if self.lsu_result_ready[s].val() & (self.result_slice.val() == s.to_bits::<WID_BITS>()) {
                self.result.offer_.ready.next = self.result.offer_.valid.val();
            }
        }
        if self.several.val() {
            self.merge.result.offer_.ready.next = self.result.offer_.ready.val();
        } else {
            self.paths[0].result.offer_.ready.next = self.result.offer_.ready.val();
        }
        Data::join(&mut self.result.offer_.result_, &mut self.lsu_result);
        self.lsu_result_last.next = self.result.last.val();
        comment!("8. fences wait until nothing is in flight and memory has all stores");
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
        comment!("9. events");
        for p in 0..self._paths {
            Wires::join(&mut self.paths[p].events, &mut self.events.dcache[p]);
        }
        self.load_started.next = self.tracker.open.val();
        self.load_done.next = self.result.offer_.ready.val() & self.result.last.val();
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
            for p in 0..self._paths {
                if self.paths[p].store_done.val() & (self.paths[p].wid.val() == w.to_bits::<WID_BITS>()) {
                    self.memory.done_warps.next = self.memory.done_warps.val().replace_bit(w, true);
                }
            }
            if self.load_done.val() & (self.result.offer_.result_.to_.wid.val() == w.to_bits::<WID_BITS>()) {
                self.memory.done_warps.next = self.memory.done_warps.val().replace_bit(w, true);
            }
        }
        Wires::join(&mut self.stage.fault, &mut self.fault);
        Data::join(&mut self.stage.instruction.access_, &mut self.access);
        self.access.valid.next = self.pushed.val() & self.stage.access_first.val();
    }
}
