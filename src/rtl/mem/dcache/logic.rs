//! What the data cache does in a cycle.
use super::DataCache;
use crate::prelude::*;

impl Logic for DataCache {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread drain: without write-back nothing is dirty");
        comment!("unread fill_fold: the set is the low bits of the folded address");
        comment!("unread look_line: its lowest bits number the bank");
        comment!("unread look_fold: the set is the low bits of the folded address");
        comment!("unread req_fold: the set is the low bits of the folded address");
        comment!("unread partial: only write-back has lines that lack bytes");
        comment!("unread victim_dirty: only write-back has dirty bytes");
        comment!("unread was_dirty: only write-back has dirty bytes");
        comment!("unread known_hit: with write-back a load goes by the lookup itself");
        comment!("1. what the memories know of the request");
        comment!("Lines that are a power of two apart, like the threads' stacks, are in different sets.");
        self.req_fold.next = (self.lsu_req.addr.val() >> self.bank_bits.val())
            ^ (self.lsu_req.addr.val() >> self.fold.val())
            ^ (self.lsu_req.addr.val() >> self.fold_again.val());
        self.look_fold.next = (self.look.line.val() >> self.bank_bits.val())
            ^ (self.look.line.val() >> self.fold.val())
            ^ (self.look.line.val() >> self.fold_again.val());
        self.fill_fold.next = (self.misses.filled_line.val() >> self.bank_bits.val())
            ^ (self.misses.filled_line.val() >> self.fold.val())
            ^ (self.misses.filled_line.val() >> self.fold_again.val());
        self.req_set.next = 0.into();
        self.look_set.next = 0.into();
        self.fill_set.next = 0.into();
        for i in 0..self._set_bits {
            self.req_set.next = self.req_set.val().replace_bit(i, self.req_fold.val().get_bit(i));
            self.look_set.next = self.look_set.val().replace_bit(i, self.look_fold.val().get_bit(i));
            self.fill_set.next = self.fill_set.val().replace_bit(i, self.fill_fold.val().get_bit(i));
        }
        self.uncached.next = self.lsu_req.addr.val().get_bits::<16>(10) == 0;
        self.present_ways.next = 0.into();
        self.dirty_ways.next = 0.into();
        self.any_full.next = false;
        for w in 0..self._ways {
            self.ways[w].lookup_line.next = self.lsu_req.addr.val();
            self.ways[w].ignore.next = self.unswept.q.val();
            self.present_ways.next = self.present_ways.val().replace_bit(w, self.ways[w].present.val());
            self.dirty_ways.next = self.dirty_ways.val().replace_bit(w, self.ways[w].dirty.val());
            self.any_full.next = self.any_full.val() | (self.ways[w].present.val() & self.ways[w].full.val());
        }
        self.hit.next = self.any_full.val();
        self.partial.next = self.present_ways.val().any() & !self.any_full.val();
        self.victim_dirty.next = (self.dirty_ways.val() & self.victim.q.val()).any();
        self.misses.line.next = self.lsu_req.addr.val();
        self.misses.slot.next = self.lsu_req.tag.val().get_bits::<5>(0);
        comment!("2. a line that comes is written at once; with write-back its victim is looked at first");
        self.misses.filled_mshr.next = self.mem_rsp.tag.val().get_bits::<5>(0);
        self.fill_ready.next = self.replay.replay_ready.val();
        self.fill_alone.next = self.misses.filled_alone.val();
        if self.write_back.val() {
            comment!("A line never waits for the bus to take another one: rather it is not kept.");
            self.fill_ready.next = self.replay.replay_ready.val() & self.fill_looked.q.val();
            self.fill_alone.next =
                self.misses.filled_alone.val() | (self.victim_dirty.val() & !self.out.put.ready.val());
        }
        self.mem_rsp.ready.next = self.fill_ready.val();
        self.fill.next = self.mem_rsp.valid.val() & self.fill_ready.val();
        self.misses.filled.next = self.fill.val();
        self.fill_way.next = self.victim.q.val();
        self.fill_row.next = bit_cast::<16, 16>(self.fill_set.val());
        if self.fill_alone.val() {
            self.fill_way.next = self.first_way.val();
            self.fill_row.next = self.spare_row.val();
        }
        self.replay.filled.next = self.fill.val();
        self.replay.filled_loads.next = self.misses.filled_loads.val();
        self.replay.filled_row.next = self.fill_row.val();
        self.replay.filled_way.next = self.fill_way.val();
        comment!("3. the request acts, if the memories show its set and nothing else happens to them");
        self.act.next = self.lsu_req.valid.val() & self.looked.q.val() & !self.fill.val();
        if self.write_back.val() {
            self.act.next = self.lsu_req.valid.val()
                & self.looked.q.val()
                & !self.fill.val()
                & !self.flush_control.sweeping.val();
        }
        self.load.next = self.act.val() & !self.lsu_req.rw.val();
        self.store.next = self.act.val() & self.lsu_req.rw.val();
        comment!("As for a line of its own: comparing with the lines on their way would come late.");
        self.miss_room.next = self.misses.mshr_ready.val() & self.out.put.ready.val();
        self.through.next = true;
        self.accept.next =
            (self.load.val() & self.lsu_rsp.ready.val() & (self.known_hit.q.val() | self.miss_room.val()))
                | (self.store.val() & self.out.put.ready.val());
        self.evict.next = false;
        self.evict_way.next = self.victim.q.val();
        if self.write_back.val() {
            comment!("A load of a line of which only stored bytes are here: they go to memory first. A store that misses takes the victim's place.");
            self.through.next = self.uncached.val();
            self.accept.next = (self.load.val()
                & self.lsu_rsp.ready.val()
                & (self.hit.val() | (!self.partial.val() & self.miss_room.val())))
                | (self.store.val() & self.uncached.val() & self.out.put.ready.val())
                | (self.store.val()
                    & !self.uncached.val()
                    & (self.present_ways.val().any() | !self.victim_dirty.val()));
            self.evict.next = self.out.put.ready.val()
                & ((self.load.val() & self.partial.val())
                    | (self.store.val()
                        & !self.uncached.val()
                        & !self.present_ways.val().any()
                        & self.victim_dirty.val())
                    | (self.fill.val() & !self.fill_alone.val() & self.victim_dirty.val())
                    | (self.flush_control.walk_looked.val() & self.dirty_ways.val().any()));
            if self.load.val() {
                self.evict_way.next = self.present_ways.val();
            }
            if self.flush_control.walk_looked.val() {
                self.evict_way.next = self.dirty_ways.val() & ((!self.dirty_ways.val()) + 1);
            }
        }
        self.lsu_req.ready.next = self.accept.val();
        self.allocate.next =
            self.accept.val() & !self.lsu_req.rw.val() & !self.hit.val() & !self.misses.joinable.val();
        self.misses.allocate.next = self.allocate.val();
        self.misses.allocate_alone.next = self.uncached.val();
        comment!("What is on its way is not here: this needs no look at the tags.");
        self.misses.joins.next = self.accept.val() & !self.lsu_req.rw.val() & self.misses.joinable.val();
        self.misses.part.next = self.accept.val() & self.lsu_req.rw.val();
        self.pass_store.next = self.accept.val() & self.lsu_req.rw.val() & self.through.val();
        comment!("A store changes the line where it is; with write-back it takes the victim's place if it is nowhere.");
        self.store_way.next = self.present_ways.val();
        self.keep_store.next = self.accept.val() & self.lsu_req.rw.val() & self.present_ways.val().any();
        if self.write_back.val() {
            self.keep_store.next = self.accept.val() & self.lsu_req.rw.val() & !self.uncached.val();
            if !self.present_ways.val().any() {
                self.store_way.next = self.victim.q.val();
            }
        }
        self.known_hit.d.next = self.load.val() & self.hit.val() & !self.accept.val();
        comment!("4. answers: a line that came goes first");
        self.lsu_rsp.valid.next =
            self.replay.serve_valid.val() | (self.accept.val() & !self.lsu_req.rw.val() & self.hit.val());
        self.lsu_rsp.tag.next = self.lsu_req.tag.val();
        self.response_ways.next = self.present_ways.val();
        if self.replay.serve_valid.val() {
            self.lsu_rsp.tag.next = bit_cast::<16, 5>(self.replay.serve_slot.val());
            self.response_ways.next = self.replay.serve_way.val();
        }
        self.replay.serve_taken.next = self.lsu_rsp.ready.val();
        for i in 0..self._words {
            self.lsu_rsp.data[i].next = 0.into();
            for w in 0..self._ways {
                if self.response_ways.val().get_bit(w) {
                    self.lsu_rsp.data[i].next = self.lsu_rsp.data[i].val() | self.ways[w].words[i].val();
                }
            }
        }
        comment!("5. to the bus: a store, a line that is wanted, or dirty bytes");
        self.evict_line.next = 0.into();
        self.evict_mask.next = 0.into();
        self.old_mask.next = 0.into();
        for w in 0..self._ways {
            if self.evict_way.val().get_bit(w) {
                self.evict_line.next = self.evict_line.val() | self.ways[w].line.val();
                self.evict_mask.next = self.evict_mask.val() | self.ways[w].mask.val();
            }
            if self.present_ways.val().get_bit(w) {
                self.old_mask.next = self.old_mask.val() | self.ways[w].mask.val();
            }
        }
        Data::join(&mut self.lsu_req, &mut self.out.put);
        self.out.put.valid.next = self.pass_store.val() | self.allocate.val();
        self.out.put.tag.next = bit_cast::<16, 5>(self.misses.mshr.val());
        self.out.evict.next = self.evict.val();
        self.out.evict_line.next = self.evict_line.val();
        self.out.evict_mask.next = self.evict_mask.val();
        for i in 0..self._evict_words {
            self.evict_words[i].next = 0.into();
            for w in 0..self._ways {
                if self.evict_way.val().get_bit(w) {
                    self.evict_words[i].next = self.evict_words[i].val() | self.ways[w].words[i].val();
                }
            }
            self.out.evict_words[i].next = self.evict_words[i].val();
        }
        Wires::join(&mut self.out.mem_req, &mut self.mem_req);
        comment!("6. fences and the end: dirty lines go to memory, set after set; after a fence all lines are forgotten");
        self.idle.next = !self.lsu_req.valid.val()
            & !self.out.pending.val()
            & !self.replay.busy.val()
            & (self.misses.mshrs_in_use.val() == 0);
        self.flushed.next = self.flush.val() & self.idle.val() & (self.dirty_lines.q.val() == 0);
        self.flush_done.next = self.flushed.val();
        self.walking.next = (self.flush.val() | self.drain.val()) & (self.dirty_lines.q.val() != 0);
        self.flush_control.walk.next = self.walking.val();
        self.flush_control.walk_dirty.next = self.dirty_ways.val().any();
        self.flush_control.walk_written.next = self.evict.val();
        self.flush_control.sweep.next = self.flushed.val();
        self.busy.next = self.out.pending.val()
            | self.replay.busy.val()
            | (self.misses.mshrs_in_use.val() != 0)
            | (self.dirty_lines.q.val() != 0);
        comment!("7. writes");
        self.write_set.next = self.req_set.val();
        self.write_row.next = bit_cast::<16, 16>(self.req_set.val());
        if self.flush_control.walk_looked.val() {
            self.write_set.next = self.flush_control.walk_set.val();
        }
        if self.fill.val() {
            self.write_set.next = self.fill_set.val();
            self.write_row.next = self.fill_row.val();
        }
        self.writes.next = self.fill.val() | self.evict.val() | self.keep_store.val();
        comment!("A line that comes changes a tag; with write-back stores and evictions do too.");
        self.writes_tag.next = self.fill.val();
        if self.write_back.val() {
            self.writes_tag.next = self.writes.val();
        }
        self.new_mask.next = self.old_mask.val() | self.lsu_req.byteen.val();
        self.new_full.next = self.fill.val() | self.hit.val() | (self.new_mask.val() == self.all_bytes.val());
        if self.fill.val() {
            self.new_mask.next = 0.into();
        }
        for w in 0..self._ways {
            self.ways[w].write_words.next = (self.fill.val() & self.fill_way.val().get_bit(w))
                | (self.keep_store.val() & self.store_way.val().get_bit(w));
            self.ways[w].write_row.next = self.write_row.val();
            self.ways[w].write_bytes.next = self.lsu_req.byteen.val();
            if self.fill.val() {
                self.ways[w].write_bytes.next = self.all_bytes.val();
            }
            for i in 0..self._words {
                self.ways[w].write_data[i].next = self.lsu_req.data[i].val();
                if self.fill.val() {
                    self.ways[w].write_data[i].next = self.mem_rsp.data[i].val();
                }
            }
            self.ways[w].write_full.next = self.new_full.val();
            self.ways[w].write_mask.next = self.new_mask.val();
            self.ways[w].write_line.next = self.lsu_req.addr.val();
            self.ways[w].write_valid.next = false;
            self.ways[w].write_tag.next = self.flush_control.sweeping.val();
            self.ways[w].write_set.next = self.flush_control.sweep_set.val();
            if self.writes_tag.val() {
                self.ways[w].write_tag.next = self.evict.val() & self.evict_way.val().get_bit(w);
                self.ways[w].write_set.next = self.write_set.val();
            }
            if self.write_back.val() && self.keep_store.val() & self.store_way.val().get_bit(w) {
                self.ways[w].write_tag.next = true;
                self.ways[w].write_valid.next = true;
            }
            if self.fill.val() & !self.fill_alone.val() & self.fill_way.val().get_bit(w) {
                self.ways[w].write_tag.next = true;
                self.ways[w].write_valid.next = true;
                self.ways[w].write_line.next = self.misses.filled_line.val();
            }
        }
        self.was_dirty.next = (self.dirty_ways.val() & self.store_way.val()).any();
        if self.write_back.val() {
            if self.evict.val() {
                self.dirty_lines.d.next = self.dirty_lines.q.val() - self.one_line.val();
            } else if self.keep_store.val() & !self.was_dirty.val() {
                self.dirty_lines.d.next = self.dirty_lines.q.val() + self.one_line.val();
            }
        }
        if (self.fill.val() & !self.fill_alone.val())
            | (self.keep_store.val() & !self.present_ways.val().any())
        {
            self.victim.d.next = self.victim.q.val() << bits::<2>(1);
            if self.victim.q.val() == self.last_way.val() {
                self.victim.d.next = self.first_way.val();
            }
        }
        self.flush_control.paused.next = self.writes_tag.val();
        comment!("8. what the memories read next: a line that came, a victim, a request that has not been looked up, the next one");
        self.waits.next = self.lsu_req.valid.val() & !self.accept.val();
        self.retry.next = self.lsu_req.valid.val() & !self.looked.q.val();
        self.read_fill.next = false;
        if self.write_back.val() {
            self.read_fill.next = self.mem_rsp.valid.val()
                & !self.fill_looked.q.val()
                & self.replay.replay_ready.val()
                & !self.replay.holds.val();
        }
        self.free.next = !self.replay.replay_read.val()
            & !self.replay.holds.val()
            & !self.read_fill.val()
            & !self.fill_looked.q.val()
            & !self.walking.val();
        self.read_set.next = self.look_set.val();
        self.read_words.next = self.look.load.val() | self.write_back.val();
        if self.retry.val() {
            self.read_set.next = self.req_set.val();
            self.read_words.next = true;
        }
        if self.read_fill.val() {
            self.read_set.next = self.fill_set.val();
            self.read_words.next = true;
        }
        if self.flush_control.walk_read.val() {
            self.read_set.next = self.flush_control.walk_set.val();
            self.read_words.next = true;
        }
        self.read.next = self.read_fill.val()
            | self.flush_control.walk_read.val()
            | (self.free.val() & (self.retry.val() | (self.look.valid.val() & !self.waits.val())));
        self.read_row.next = bit_cast::<16, 16>(self.read_set.val());
        if self.replay.replay_read.val() {
            self.read_row.next = self.replay.replay_row.val();
        }
        for w in 0..self._ways {
            self.ways[w].read.next = self.read.val();
            self.ways[w].read_set.next = self.read_set.val();
            self.ways[w].read_words.next =
                self.replay.replay_read.val() | (self.read.val() & self.read_words.val());
            self.ways[w].read_row.next = self.read_row.val();
        }
        if self.read.val() {
            self.unswept.d.next = self.flush_control.sweeping.val()
                & (self.read_set.val() >= self.flush_control.sweep_set.val());
        }
        comment!("What is read of a set that is written now is not to be used: look again. A store without write-back changes no tag, and a store behind it needs nothing else.");
        self.kept_set.next = self.read_set.val();
        if self.waits.val() {
            self.kept_set.next = self.req_set.val();
        }
        self.collides.next = self.writes.val() & (self.write_set.val() == self.kept_set.val());
        if !self.waits.val() & self.keep_store.val() & !self.look.load.val() & !self.write_back.val() {
            self.collides.next = false;
        }
        self.looked.d.next = self.free.val() & !self.collides.val();
        self.fill_looked.d.next = (self.read_fill.val()
            & !(self.writes.val() & (self.write_set.val() == self.fill_set.val())))
            | (self.fill_looked.q.val() & !self.fill.val());
        comment!("9. for the counters");
        self.events.read.next = self.accept.val() & !self.lsu_req.rw.val() & !self.uncached.val();
        self.events.write.next = self.accept.val() & self.lsu_req.rw.val() & !self.uncached.val();
        self.events.read_miss.next = self.events.read.val() & !self.hit.val();
        self.events.write_miss.next = self.events.write.val() & !self.present_ways.val().any();
        self.events.mshr_stall.next = self.load.val() & !self.hit.val() & !self.misses.mshr_ready.val();
        self.events.bank_stall.next = self.waits.val() & !self.events.mshr_stall.val();
        self.events.mshrs_in_use.next = self.misses.mshrs_in_use.val();
    }
}
