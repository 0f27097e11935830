//! How the parts of the load/store unit are connected.
use super::LoadStoreUnit;
use crate::prelude::*;

impl Logic for LoadStoreUnit {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread lane_address: the aligner needs the place in a word");
        comment!("unread lane_offset: banks hold whole words");
        comment!("1. the instruction");
        for s in 0..self._together {
            Wires::join(&mut self.mem[s], &mut self.entrance[0].mem[s]);
        }
        for k in 0..self._apart {
            Wires::join(&mut self.mem[k], &mut self.entrance[k].mem[0]);
        }
        for k in 0..self._halves {
            for j in 0..self._halves {
                Wires::join(&mut self.mem[j * 2 + k], &mut self.entrance[k].mem[j]);
            }
        }
        for k in 0..self._accesses {
            self.entrance[k].advance.next = self.stage[k].advance.val();
            Wires::join(&mut self.entrance[k].arrive, &mut self.stage[k].arrive);
            Wires::join(&mut self.map, &mut self.stage[k].map);
            self.load[k].next = !self.stage[k].instruction.access_.store.val();
        }
        if self.among_others.val() {
            comment!("Which one was taken before which: of those taken together, that of the lower number.");
            self.ages.start_warps.next = 0.into();
            self.held.next = 0.into();
            self.held_fences.next = 0.into();
            for k in 0..self._accesses {
                self.taken.next = self.entrance[k].arrive.access_.valid.val() & self.stage[k].advance.val();
                self.fresh[k].d.next = self.taken.val();
                self.ages.start_warps.next = self.ages.start_warps.val().replace_bit(k, self.taken.val());
                self.held.next =
                    self.held.val().replace_bit(k, self.stage[k].instruction.access_.valid.val());
                self.held_fences.next =
                    self.held_fences.val().replace_bit(k, self.stage[k].access_fence.val());
                if self.atomics.val() && self.stage[k].access_atomic.val() {
                    self.held_fences.next = self.held_fences.val().replace_bit(k, true);
                }
            }
        }
        comment!("2. lanes that go to one line, or to local memory, are a group; each path takes one");
        for k in 0..self._accesses {
            self.starts[k].next = self.stage[k].access_valid.val()
                & (self.stage[k].instruction.access_.store.val()
                    | self.tracker.group_ready[k].val()
                    | !self.stage[k].access_first.val());
            if self.among_others.val() {
                self.earlier.next = self.ages.older[k].val() & self.held.val();
                self.first_held[k].next = self.earlier.val() == 0;
                self.stage[k].oldest.next = self.first_held[k].val();
                if (self.earlier.val() & self.held_fences.val()) != 0 {
                    self.starts[k].next = false;
                }
            }
            if (self.atomics.val() && self.among_others.val())
                && self.stage[k].access_atomic.val() & !self.first_held[k].val()
            {
                self.starts[k].next = false;
            }
            self.pushed[k].next = false;
            for p in 0..self._paths {
                self.coalescers[k][p].lanes.next = self.stage[k].access_lanes[p].val();
                Wires::join(&mut self.stage[k].instruction.access_.addr, &mut self.coalescers[k][p].address);
                self.push[k][p].next = self.starts[k].val()
                    & self.paths[p].push.ready.val()
                    & (self.stage[k].access_lanes[p].val() != 0);
                if self.among_others.val() {
                    for q in 0..self._accesses {
                        if (k.to_bits::<3>() != q.to_bits::<3>())
                            & self.ages.older[k].val().get_bit(q)
                            & self.stage[q].access_valid.val()
                            & (self.stage[q].access_lanes[p].val() != 0)
                        {
                            self.push[k][p].next = false;
                        }
                    }
                }
                self.pushed[k].next = self.pushed[k].val() | self.push[k][p].val();
                self.stage[k].serve[p].next = self.push[k][p].val();
                self.stage[k].served[p].next = self.coalescers[k][p].joined.val();
            }
        }
        if self.atomics.val() {
            comment!(
                "An atomic instruction sees which lanes want one word, and its words when they are shown."
            );
            for k in 0..self._accesses {
                Data::join(&mut self.conflicts[k].same_word, &mut self.stage[k].same_word);
                for p in 0..self._paths {
                    self.stage[k].result_valid[p].next = self.paths[p].result.offer_.valid.val();
                    Data::join(&mut self.paths[p].result.offer_.result_, &mut self.stage[k].result[p]);
                }
            }
        }
        comment!("3. a load's groups have a number in common");
        for k in 0..self._accesses {
            self.tracker.open[k].next =
                self.pushed[k].val() & self.load[k].val() & self.stage[k].access_first.val();
            self.tracker.open_lanes[k].next = self.stage[k].instruction.access_.tmask.val();
            self.group[k].next = self.held_group[k].q.val();
            if self.stage[k].access_first.val() {
                self.group[k].next = self.tracker.group[k].val();
            }
            self.held_group[k].d.next = self.group[k].val();
        }
        comment!("4. the group goes to the banks of its path");
        for k in 0..self._accesses {
            self.conflicts[k].active.next = self.stage[k].instruction.access_.valid.val();
            for i in 0..self._t {
                self.lane_address.next = self.stage[k].instruction.access_.addr[i].val();
                self.aligners[k][i].size.next =
                    self.stage[k].instruction.access_.funct3.val().get_bits::<2>(0);
                self.aligners[k][i].offset.next = self.lane_address.val().get_bits::<2>(0);
                self.aligners[k][i].register.next = self.stage[k].instruction.access_.data[i].val();
                self.lane_offset.next = self.stage[k].offset[i].val();
                self.conflicts[k].word[i].next = bit_cast::<12, 12>(self.lane_offset.val().get_bits::<12>(2));
            }
        }
        for p in 0..self._paths {
            for k in 0..self._accesses {
                if (k.to_bits::<3>() == 0) | self.push[k][p].val() {
                    self.paths[p].push.valid.next = self.push[k][p].val();
                    self.paths[p].push.lanes.next = self.coalescers[k][p].joined.val();
                    self.paths[p].push.in_local.next = self.coalescers[k][p].in_local.val();
                    self.paths[p].push.line.next = self.coalescers[k][p].line.val();
                    self.paths[p].push.store.next = self.stage[k].instruction.access_.store.val();
                    comment!(
                        "If several groups end an instruction, the group of the last path counts as its end."
                    );
                    self.paths[p].push.ends.next = self.stage[k].access_last.val();
                    for q in 0..self._paths {
                        if (p.to_bits::<2>() < q.to_bits::<2>()) & self.push[k][q].val() {
                            self.paths[p].push.ends.next = false;
                        }
                    }
                    if self.atomics.val() && self.stage[k].access_atomic.val() {
                        self.paths[p].push.store.next = self.stage[k].access_stores.val();
                        comment!("It ends with its last result.");
                        self.paths[p].push.ends.next = false;
                    }
                    self.paths[p].push.load.wid.next = self.stage[k].instruction.access_.wid.val();
                    self.paths[p].push.load.rd.next = self.stage[k].instruction.rd.val();
                    self.paths[p].push.load.funct3.next = self.stage[k].instruction.access_.funct3.val();
                    self.paths[p].push.load.group.next = self.group[k].val();
                    for i in 0..self._t {
                        self.paths[p].push.offset[i].next = self.stage[k].offset[i].val();
                        self.paths[p].push.word[i].next = self.aligners[k][i].word.val();
                        if self.atomics.val() && self.stage[k].access_atomic.val() {
                            self.paths[p].push.word[i].next = self.stage[k].access_word[i].val();
                        }
                        self.paths[p].push.bytes[i].next = self.aligners[k][i].bytes.val();
                        self.paths[p].push.same_bank[i].next = self.conflicts[k].same_bank[i].val();
                        self.paths[p].push.same_word[i].next = self.conflicts[k].same_word[i].val();
                    }
                }
            }
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
            self.paths[p].flush.next = self.stage[0].access_fence.val() & self.rests.val();
            self.paths[p].drain.next =
                self.drain.val() & self.rests.val() & !self.stage[0].instruction.access_.valid.val();
        }
        if self.among_others.val() {
            comment!("A fence waits until all that were taken before it have been served.");
            self.fence_waits.next = false;
            for k in 0..self._accesses {
                if self.stage[k].access_fence.val() & self.first_held[k].val() {
                    self.fence_waits.next = true;
                }
            }
            self.holds.next = self.held.val() != 0;
            for p in 0..self._paths {
                self.paths[p].flush.next = self.fence_waits.val() & self.rests.val();
                self.paths[p].drain.next = self.drain.val() & self.rests.val() & !self.holds.val();
            }
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
        if self.among_others.val() {
            comment!("Each slice takes a result of its own.");
            for p in 0..self._paths {
                self.paths[p].result.offer_.ready.next = false;
                self.result_slice.next =
                    self.paths[p].result.offer_.result_.to_.wid.val() & self.slice_mask.val();
                for s in 0..self._results {
                    Data::join(&mut self.paths[p].result, &mut self.merge[s].parts[p]);
                    self.merge[s].parts[p].offer_.valid.next = self.paths[p].result.offer_.valid.val()
                        & (self.result_slice.val() == s.to_bits::<WID_BITS>());
                    if self.merge[s].parts[p].offer_.ready.val() {
                        self.paths[p].result.offer_.ready.next = true;
                    }
                }
            }
            for s in 0..self._results {
                Data::join(&mut self.merge[s].result, &mut self.result[s]);
                self.lsu_result_valid[s].next = self.result[s].offer_.valid.val();
                self.result[s].offer_.ready.next =
                    self.result[s].offer_.valid.val() & self.lsu_result_ready[s].val();
                self.merge[s].result.offer_.ready.next = self.result[s].offer_.ready.val();
            }
        } else {
            if self.several.val() {
                Data::join(&mut self.merge[0].result, &mut self.result[0]);
                for p in 0..self._paths {
                    Wires::join(&mut self.paths[p].result, &mut self.merge[0].parts[p]);
                }
            } else {
                Data::join(&mut self.paths[0].result, &mut self.result[0]);
            }
            self.result[0].offer_.ready.next = false;
            self.result_slice.next = self.result[0].offer_.result_.to_.wid.val() & self.slice_mask.val();
            for s in 0..self._slices {
                self.lsu_result_valid[s].next =
                    self.result[0].offer_.valid.val() & (self.result_slice.val() == s.to_bits::<WID_BITS>());
                if self.lsu_result_ready[s].val() & (self.result_slice.val() == s.to_bits::<WID_BITS>()) {
                    self.result[0].offer_.ready.next = self.result[0].offer_.valid.val();
                }
            }
            if self.several.val() {
                self.merge[0].result.offer_.ready.next = self.result[0].offer_.ready.val();
            } else {
                self.paths[0].result.offer_.ready.next = self.result[0].offer_.ready.val();
            }
        }
        for s in 0..self._results {
            Data::join(&mut self.result[s].offer_.result_, &mut self.lsu_result[s]);
            self.lsu_result_last[s].next = self.result[s].last.val();
        }
        comment!("8. fences wait until nothing is in flight and memory has all stores");
        self.flush_icache.next = false;
        for k in 0..self._accesses {
            self.fence_done[k].next = self.stage[k].access_fence.val()
                & self.rests.val()
                & self.flushed.val()
                & !self.writes_pending.val();
            if self.among_others.val() {
                comment!("What was taken before it goes first.");
                if !self.first_held[k].val() {
                    self.fence_done[k].next = false;
                }
            }
            self.stage[k].fence_done.next = self.fence_done[k].val();
            self.flush_icache.next = self.flush_icache.val()
                | (self.fence_done[k].val() & self.stage[k].instruction.fence_i.val());
        }
        self.lsu_busy.next = self.stage[0].instruction.access_.valid.val()
            | !self.rests.val()
            | self.cache_busy.val()
            | self.writes_pending.val();
        if self.among_others.val() {
            comment!("Any instruction that is held counts.");
            if self.holds.val() {
                self.lsu_busy.next = true;
            }
        }
        comment!("9. events");
        for p in 0..self._paths {
            Wires::join(&mut self.paths[p].events, &mut self.events.dcache[p]);
        }
        for k in 0..self._accesses {
            self.load_started[k].next = self.tracker.open[k].val();
        }
        for s in 0..self._results {
            self.load_done[s].next = self.result[s].offer_.ready.val() & self.result[s].last.val();
        }
        self.fence_done_warps.next = 0.into();
        self.memory.done_warps.next = 0.into();
        for k in 0..self._accesses {
            self.done_oh.next = self.first_warp.val() << self.stage[k].instruction.access_.wid.val();
            if self.fence_done[k].val() {
                self.fence_done_warps.next = self.fence_done_warps.val() | self.done_oh.val();
            }
            if self.stage[k].access_discard.val() {
                self.memory.done_warps.next = self.memory.done_warps.val() | self.done_oh.val();
            }
        }
        for p in 0..self._paths {
            self.done_oh.next = self.first_warp.val() << self.paths[p].wid.val();
            if self.paths[p].store_done.val() {
                self.memory.done_warps.next = self.memory.done_warps.val() | self.done_oh.val();
            }
        }
        for s in 0..self._results {
            self.done_oh.next = self.first_warp.val() << self.result[s].offer_.result_.to_.wid.val();
            if self.load_done[s].val() {
                self.memory.done_warps.next = self.memory.done_warps.val() | self.done_oh.val();
            }
        }
        Data::join(&mut self.stage[0].fault, &mut self.fault);
        for k in 1..self._accesses {
            if self.stage[k].fault.valid.val() {
                Data::join(&mut self.stage[k].fault, &mut self.fault);
            }
        }
        for k in 0..self._accesses {
            Data::join(&mut self.stage[k].instruction.access_, &mut self.access[k]);
            self.access[k].valid.next = self.pushed[k].val() & self.stage[k].access_first.val();
            if self.among_others.val() {
                self.access[k].valid.next = self.fresh[k].q.val() & self.stage[k].access_valid.val();
            }
        }
    }
}
