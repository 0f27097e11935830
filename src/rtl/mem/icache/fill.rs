//! The table of lines on their way to the instruction cache.
use crate::prelude::*;

/// Entries of the table, and so lines that may be on their way at once; 2 bits number them.
const ENTRIES: usize = 4;

module! {
    /// Remembers which lines were asked for and which warps wait for them.
    ///
    /// A miss on a line that is on its way joins its entry. A line that has arrived stays guarded: until it has been hit, or
    /// no warp that waited for it wants it any more, no other line of its set is asked for. Without that, warps on two lines of
    /// one set could replace each other's line for ever, each before the other has fetched from it. A miss that finds no free
    /// entry, or an entry of its set, waits until a line arrives or a guard ends, and is tried again then. Entries are used in
    /// rotation, so requests leave in the order of the misses.
    ///
    /// Ports: below. Latency: a lookup is taken into registers, because the cache's memory and the comparison of the tags have
    /// used up its cycle; a miss raises `mem_req` two cycles later. A response wakes its warps in the same cycle.
    /// Reset: empty. Invariants: no two live entries hold lines of one set; every line that arrives for a warp is fetched from at
    /// least once, so the core makes progress; every warp whose miss was taken is woken by a later (or the present) response or
    /// end of a guard. An entry that was on its way when `clear` came installs nothing, its warps just try again.
    /// Critical path: the line looked up -> four comparisons of 26 bits -> entry registers. Source: none. Mirror in the model:
    /// `model::timing` (fills), under SWaS.
    pub struct FillTable(warps: usize, wid_bits: usize, sets: usize, unified: bool) [clock, reset] {
        // From the lookup.
        /// A warp missed.
        pub miss_valid: Signal<In, Bit>,
        /// The warp.
        pub miss_wid: Signal<In, WarpId> = signal(wid_bits),
        /// The line it wants.
        pub miss_line: Signal<In, Bits<26>>,
        /// `miss_line` was found: a warp fetches from it.
        pub hit_valid: Signal<In, Bit>,
        /// A bit a warp: warps whose fetches in flight are dropped, so that they wait for no line.
        pub kill_warps: Signal<In, WarpMask> = signal(warps),
        /// A bit a warp: warps that cannot fetch until another warp lets them (SWaS only): a guard does not wait for them.
        pub parked_warps: Opt<Signal<In, WarpMask>> = Opt::new(unified, signal(warps)),
        /// What is on its way must not be installed (FENCE.I).
        pub clear: Signal<In, Bit>,
        // To and from the memory bus.
        /// A line that is wanted.
        pub mem_req: LineRequest<Out> = LineRequest::new(MASTER_TAG_BITS),
        /// A line arrives.
        pub mem_rsp_valid: Signal<In, Bit>,
        /// Its entry.
        pub mem_rsp_tag: Signal<In, Bits<3>>,
        // To the ways and the warp table.
        /// The line that arrives is to be installed.
        pub fill_valid: Signal<Out, Bit>,
        /// Its address.
        pub fill_line: Signal<Out, Bits<26>>,
        /// A bit a warp: warps to fetch again.
        pub wake_warps: Signal<Out, WarpMask> = signal(warps),
        busy, unasked, stale, guarded: Reg<Bits<ENTRIES>>,
        /// The lookup of the cycle before, and what was guarded then.
        missed: Reg<Bit>,
        found: Reg<Bit>,
        looked_wid: Pipe<WarpId> = Pipe::<WarpId>::width(wid_bits),
        looked_line: Pipe<Bits<26>>,
        guarded_then: Pipe<Bits<ENTRIES>>,
        /// The lines, all at once to compare with them; and in two memories, where one of them is wanted.
        line: Vec<Pipe<Bits<26>>> = pipes(ENTRIES, 26),
        requested_line, arriving_line: LutRam<26> = LutRam::new(26, ENTRIES),
        waiting: Vec<Reg<WarpMask>> = regs(ENTRIES, warps),
        awaited: Vec<Signal<Local, WarpMask>> = signals(ENTRIES, warps),
        overflow: Reg<WarpMask> = Reg::<WarpMask>::width(warps),
        free_pointer, request_pointer: Reg<Bits<2>>,
        miss_warp: IndexOneHot = IndexOneHot::new(warps),
        wanted_line: Signal<Local, Bits<26>>,
        same_line, same_set, join_oh, release_oh, allocate_oh, request_oh,
        arrive_oh: Signal<Local, Bits<ENTRIES>>,
        left_over, refused, freed, request: Signal<Local, Bit>,
        set_mask: Const<Bits<26>> = constant(26, sets as u64 - 1),
        unified: Const<Bit> = Const::new(unified),
        no_request: LineRequest<Zero> = LineRequest::new(MASTER_TAG_BITS),
    }
}

impl Logic for FillTable {
    #[hdl_gen]
    fn update(&mut self) {
        self.missed.d.next = self.miss_valid.val();
        self.found.d.next = self.hit_valid.val();
        self.looked_wid.d.next = self.miss_wid.val();
        self.looked_line.d.next = self.miss_line.val();
        self.guarded_then.d.next = self.guarded.q.val();
        comment!("1. a miss joins the entry of its line, if that was still on its way then");
        comment!("A warp that is sent elsewhere just now does not wait, but its line comes: who is killed is known too late.");
        self.miss_warp.valid.next = self.missed.q.val();
        self.miss_warp.index.next = self.looked_wid.q.val();
        self.wanted_line.next = self.looked_line.q.val();
        self.same_line.next = 0.into();
        self.same_set.next = 0.into();
        self.join_oh.next = 0.into();
        for i in 0..4 {
            if self.busy.q.val().get_bit(i) & !self.stale.q.val().get_bit(i) {
                self.same_line.next =
                    self.same_line.val().replace_bit(i, self.line[i].q.val() == self.wanted_line.val());
                self.same_set.next = self.same_set.val().replace_bit(
                    i,
                    (self.line[i].q.val() & self.set_mask.val())
                        == (self.wanted_line.val() & self.set_mask.val()),
                );
            }
            if self.missed.q.val()
                & self.same_line.val().get_bit(i)
                & !(self.guarded.q.val().get_bit(i) & self.guarded_then.q.val().get_bit(i))
            {
                self.join_oh.next = self.join_oh.val().replace_bit(i, true);
            }
        }
        comment!(
            "2. a guard ends with a fetch from its line, found or lost again, or when nobody waits any more"
        );
        self.release_oh.next = 0.into();
        for i in 0..4 {
            self.awaited[i].next = self.waiting[i].q.val();
            if self.unified.val() {
                self.awaited[i].next = self.waiting[i].q.val() & !self.parked_warps.val();
            }
            self.release_oh.next = self.release_oh.val().replace_bit(
                i,
                self.guarded.q.val().get_bit(i)
                    & (self.clear.val()
                        | !self.awaited[i].val().any()
                        | (self.same_line.val().get_bit(i)
                            & (self.found.q.val()
                                | (self.missed.q.val() & self.guarded_then.q.val().get_bit(i))))),
            );
        }
        comment!("3. or takes the next entry; refused, it waits for any change");
        self.left_over.next = self.missed.q.val() & !self.join_oh.val().any();
        self.refused.next = self.left_over.val()
            & (self.busy.q.val().get_bit(self.free_pointer.q.val().index()) | self.same_set.val().any());
        self.allocate_oh.next = 0.into();
        if self.left_over.val() & !self.refused.val() {
            self.free_pointer.d.next = self.free_pointer.q.val() + 1;
            for i in 0..4 {
                if self.free_pointer.q.val() == i.to_bits::<2>() {
                    self.allocate_oh.next = self.allocate_oh.val().replace_bit(i, true);
                }
            }
        }
        for i in 0..4 {
            self.waiting[i].d.next = self.waiting[i].q.val() & (!self.kill_warps.val());
            if self.join_oh.val().get_bit(i) {
                self.waiting[i].d.next =
                    (self.waiting[i].q.val() | self.miss_warp.mask_oh.val()) & (!self.kill_warps.val());
            }
            if self.allocate_oh.val().get_bit(i) {
                self.line[i].d.next = self.wanted_line.val();
                self.waiting[i].d.next = self.miss_warp.mask_oh.val() & (!self.kill_warps.val());
            }
        }
        self.requested_line.write_enable.next = self.allocate_oh.val().any();
        self.requested_line.write_address.next = bit_cast::<16, 2>(self.free_pointer.q.val());
        self.requested_line.write_data.next = self.wanted_line.val();
        self.arriving_line.write_enable.next = self.allocate_oh.val().any();
        self.arriving_line.write_address.next = bit_cast::<16, 2>(self.free_pointer.q.val());
        self.arriving_line.write_data.next = self.wanted_line.val();
        comment!("4. request the lines in the order of their misses");
        comment!("Entries are taken in rotation, so if any has yet to be asked for, that is the one whose turn it is.");
        self.request.next = self.unasked.q.val().any();
        Data::join(&mut self.no_request, &mut self.mem_req);
        self.mem_req.valid.next = self.request.val();
        self.requested_line.read_address.next = bit_cast::<16, 2>(self.request_pointer.q.val());
        self.mem_req.addr.next = self.requested_line.read_data.val();
        self.mem_req.tag.next = bit_cast::<16, 2>(self.request_pointer.q.val());
        self.request_oh.next = 0.into();
        if self.request.val() & self.mem_req.ready.val() {
            self.request_pointer.d.next = self.request_pointer.q.val() + 1;
            for i in 0..4 {
                if self.request_pointer.q.val() == i.to_bits::<2>() {
                    self.request_oh.next = self.request_oh.val().replace_bit(i, true);
                }
            }
        }
        comment!("5. a line that arrives wakes those who wait for it, a miss that joins now included; any change wakes the refused");
        self.freed.next = self.mem_rsp_valid.val() | self.release_oh.val().any();
        self.arrive_oh.next = 0.into();
        self.fill_valid.next = false;
        self.arriving_line.read_address.next = bit_cast::<16, 2>(self.mem_rsp_tag.val().get_bits::<2>(0));
        self.fill_line.next = self.arriving_line.read_data.val();
        self.wake_warps.next = 0.into();
        self.overflow.d.next = self.overflow.q.val() & (!self.kill_warps.val());
        if self.refused.val() {
            self.overflow.d.next =
                (self.overflow.q.val() | self.miss_warp.mask_oh.val()) & (!self.kill_warps.val());
        }
        if self.freed.val() {
            self.overflow.d.next = 0.into();
            self.wake_warps.next = self.overflow.q.val();
            if self.refused.val() {
                self.wake_warps.next = self.overflow.q.val() | self.miss_warp.mask_oh.val();
            }
        }
        for i in 0..4 {
            if self.mem_rsp_valid.val() & (self.mem_rsp_tag.val() == i.to_bits::<3>()) {
                self.arrive_oh.next = self.arrive_oh.val().replace_bit(i, true);
                self.fill_valid.next = !self.stale.q.val().get_bit(i);
                self.wake_warps.next = self.wake_warps.val() | self.waiting[i].q.val();
                if self.join_oh.val().get_bit(i) {
                    self.wake_warps.next =
                        self.wake_warps.val() | self.waiting[i].q.val() | self.miss_warp.mask_oh.val();
                }
            }
            comment!("The line came between the lookup and now.");
            if self.join_oh.val().get_bit(i) & self.guarded.q.val().get_bit(i) {
                self.wake_warps.next = self.wake_warps.val() | self.miss_warp.mask_oh.val();
            }
        }
        comment!("6. what the entries are next: a stale line is not installed and needs no guard");
        self.busy.d.next = (self.busy.q.val() | self.allocate_oh.val())
            & (!self.release_oh.val())
            & (!(self.arrive_oh.val() & self.stale.q.val()));
        self.guarded.d.next = (self.guarded.q.val() & (!self.release_oh.val()))
            | (self.arrive_oh.val() & (!self.stale.q.val()));
        self.unasked.d.next = (self.unasked.q.val() | self.allocate_oh.val()) & (!self.request_oh.val());
        self.stale.d.next = self.stale.q.val() & (!self.arrive_oh.val());
        if self.clear.val() {
            self.stale.d.next = (self.busy.q.val() | self.allocate_oh.val())
                & (!self.arrive_oh.val())
                & (!self.guarded.q.val());
        }
    }
}
