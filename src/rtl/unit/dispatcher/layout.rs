//! How the threads of a block lie on warps, and which warps of a core lie in which CTA slots.
use crate::prelude::*;

module! {
    /// Walks over the threads of a block, a lane a cycle, then over the warps of the core; with `--warp-dispatch`
    /// over the CTA slots instead, and remembers where each warp starts.
    ///
    /// Ports, from the dispatcher: `start` (a grid is taken whose lengths are not 0), `shape`, `starts` -> `busy`; `done` (the last cycle), `failed`
    /// (the block has more threads than the core, or than a block may have, or no CTA slot has room), `map` and `slots` (from the cycle after `done`
    /// on), `thread`. Latency: n T + W cycles for blocks of n warps. Reset: resting, `map.in_grid` 0. Invariants: neither
    /// multiplies nor divides, since each step is from a thread, or a warp, to the next.
    /// Critical path: an increment of a coordinate and its comparison, for three axes in a row.
    /// Source: docs/ISA.md, section 7.1. Mirror in the model: `model::grid`.
    pub struct BlockLayout(cfg: &CoreConfig) [clock, reset]
    let (w, t, wid, count) = (cfg.warps, cfg.threads, cfg.wid_bits(), cfg.warp_count_bits());
    {
        /// A grid is taken.
        pub start: Signal<In, Bit>,
        /// What it looks like.
        pub shape: GridShape<In> = GridShape::new(),
        /// At work.
        pub busy: Signal<Out, Bit>,
        /// The last cycle of it.
        pub done: Signal<Out, Bit>,
        /// A block cannot run on this core.
        pub failed: Signal<Out, Bit>,
        /// Where each warp belongs.
        pub map: CtaMap<Out> = CtaMap::new(cfg),
        /// With `--warp-dispatch`: a warp that starts, which is where it belongs from then on.
        pub starts: Opt<WarpStart<In>> = Opt::new(cfg.warp_dispatch, WarpStart::new(cfg)),
        /// CTA slots that there are.
        pub slots: Signal<Out, WarpCount> = signal(count),
        /// Where each thread belongs.
        pub thread: ThreadPlace<Out> = ThreadPlace::new(cfg),
        in_grid, on_threads: Reg<Bit>,
        lane: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        row: Pipe<WarpId> = Pipe::<WarpId>::width(wid),
        x, y, z: Pipe<Bits<11>>,
        beyond: Reg<Bit>,
        row_lanes, last_lanes: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        size: Pipe<WarpCount> = Pipe::<WarpCount>::width(count),
        on_warps: Reg<Bit>,
        warp: Pipe<WarpMask> = Pipe::<WarpMask>::width(w),
        slot: Opt<Pipe<WarpId>> = Opt::new(!cfg.warp_dispatch, Pipe::<WarpId>::width(cfg.cta_bits())),
        rank: Opt<Pipe<WarpId>> = Opt::new(!cfg.warp_dispatch, Pipe::<WarpId>::width(wid)),
        base: Pipe<Bits<16>>,
        full: Reg<Bit>,
        found: Reg<WarpCount> = Reg::<WarpCount>::width(count),
        warp_slot: Vec<Pipe<WarpId>> = pipes(w, cfg.cta_bits()),
        warp_rank: Vec<Pipe<WarpId>> = pipes(w, wid),
        warp_base: Vec<Pipe<Bits<14>>> = pipes(w, 14),
        start_base: Signal<Local, Bits<14>>,
        slot_base: Opt<Vec<Pipe<Bits<14>>>> = Opt::new(cfg.warp_dispatch, pipes(cfg.ctas(), 14)),
        last_warps: Opt<Pipe<WarpMask>> = Opt::new(!cfg.warp_dispatch, Pipe::<WarpMask>::width(w)),
        x_ends, y_ends, block_ends, row_ends, threads_end, too_many, cta_ends, fits,
        warps_end: Signal<Local, Bit>,
        lanes_now: Signal<Local, Bits<32>> = signal(t),
        behind: Signal<Local, Bits<16>>,
        first_lane: Const<Bits<32>> = constant(t, 1),
        first_warp: Const<WarpMask> = constant(w, 1),
        top_lane: Const<Bits<32>> = constant(t, 1 << (t - 1)),
        top_warp: Const<WarpMask> = constant(w, 1 << (w - 1)),
        last_row: Const<WarpId> = constant(wid, cfg.block_warps() as u64 - 1),
        room: Const<Bits<16>> = constant(16, cfg.local_mem_bytes as u64),
        one: Const<WarpId> = constant(wid, 1),
        one_slot: Const<WarpId> = constant(cfg.cta_bits(), 1),
        own_slot: Opt<Vec<Const<WarpId>>> = Opt::new(cfg.warp_dispatch, bare_ctas(cfg)),
        few_ctas: Const<Bit> = Const::new(cfg.ctas() < w),
        leaves_warps: Const<Bit> = Const::new(cfg.leaves_warps()),
        all_ctas: Const<WarpCount> = constant(count, cfg.ctas() as u64),
        last_slot: Const<WarpId> = constant(cfg.cta_bits(), cfg.ctas() as u64 - 1),
        placed: Opt<Pipe<WarpMask>> = Opt::new(cfg.leaves_warps(), Pipe::<WarpMask>::width(w)),
        by_warp: Const<Bit> = Const::new(cfg.warp_dispatch),
        _warps: usize = w,
        _ctas: usize = cfg.ctas(),
    }
}

impl Logic for BlockLayout {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. this lane's thread, and whether it is the last of its block");
        self.x_ends.next = self.x.q.val() + 1 == self.shape.block_x.val();
        self.y_ends.next = self.y.q.val() + 1 == self.shape.block_y.val();
        self.block_ends.next = !self.beyond.q.val()
            & self.x_ends.val()
            & self.y_ends.val()
            & (self.z.q.val() + 1 == self.shape.block_z.val());
        self.thread.valid.next = self.on_threads.q.val();
        self.thread.rank.next = self.row.q.val();
        self.thread.lane_oh.next = self.lane.q.val();
        self.thread.x.next = 0.into();
        self.thread.y.next = 0.into();
        self.thread.z.next = 0.into();
        self.lanes_now.next = self.row_lanes.q.val();
        if !self.beyond.q.val() {
            self.thread.x.next = self.x.q.val().get_bits::<10>(0);
            self.thread.y.next = self.y.q.val().get_bits::<10>(0);
            self.thread.z.next = self.z.q.val().get_bits::<10>(0);
            self.lanes_now.next = self.row_lanes.q.val() | self.lane.q.val();
        }
        comment!("2. the next lane; behind the last thread the warp's upper lanes are walked over too");
        self.row_ends.next = (self.lane.q.val() & self.top_lane.val()).any();
        self.threads_end.next =
            self.on_threads.q.val() & self.row_ends.val() & (self.beyond.q.val() | self.block_ends.val());
        self.too_many.next = self.on_threads.q.val()
            & self.row_ends.val()
            & !(self.beyond.q.val() | self.block_ends.val())
            & (self.row.q.val() == self.last_row.val());
        if self.on_threads.q.val() {
            self.x.d.next = self.x.q.val() + 1;
            if self.x_ends.val() {
                self.x.d.next = 0.into();
                self.y.d.next = self.y.q.val() + 1;
                if self.y_ends.val() {
                    self.y.d.next = 0.into();
                    self.z.d.next = self.z.q.val() + 1;
                }
            }
            self.beyond.d.next = self.beyond.q.val() | self.block_ends.val();
            self.lane.d.next = self.lane.q.val() << 1;
            self.row_lanes.d.next = self.lanes_now.val();
            if self.row_ends.val() {
                self.lane.d.next = self.first_lane.val();
                self.row_lanes.d.next = 0.into();
                self.row.d.next = self.row.q.val() + self.one.val();
            }
        }
        if self.threads_end.val() {
            self.on_threads.d.next = false;
            self.on_warps.d.next = true;
            self.size.d.next = bit_cast::<WARP_COUNT_BITS, WID_BITS>(self.row.q.val()) + 1;
            self.last_lanes.d.next = self.lanes_now.val();
        }
        if self.by_warp.val() {
            comment!("3. this CTA slot: its local memory is behind that of the one before");
            self.cta_ends.next = true;
        } else {
            comment!(
                "3. this warp: it is of the same block as the one before, or the first of the next CTA slot"
            );
            self.cta_ends.next =
                bit_cast::<WARP_COUNT_BITS, WID_BITS>(self.rank.q.val()) + 1 == self.size.q.val();
        }
        self.behind.next = self.base.q.val() + bit_cast::<16, 15>(self.shape.local_bytes.val());
        self.fits.next = self.cta_ends.val() & !self.full.q.val() & (self.behind.val() <= self.room.val());
        if self.few_ctas.val() && self.found.q.val() == self.all_ctas.val() {
            self.fits.next = false;
        }
        self.warps_end.next = self.on_warps.q.val() & (self.warp.q.val() & self.top_warp.val()).any();
        if self.on_warps.q.val() {
            if self.by_warp.val() {
                for i in 0..self._ctas {
                    if self.warp.q.val().get_bit(i) {
                        self.slot_base[i].d.next = self.base.q.val().get_bits::<14>(0);
                    }
                }
            } else {
                for i in 0..self._warps {
                    if self.warp.q.val().get_bit(i) {
                        self.warp_slot[i].d.next = self.slot.q.val();
                        self.warp_rank[i].d.next = self.rank.q.val();
                        self.warp_base[i].d.next = self.base.q.val().get_bits::<14>(0);
                    }
                }
            }
            if self.leaves_warps.val() && (self.found.q.val() != self.all_ctas.val()) {
                self.placed.d.next = self.placed.q.val() | self.warp.q.val();
            }
            if !self.by_warp.val() {
                self.last_warps.d.next = self.last_warps.q.val() & !self.warp.q.val();
            }
            self.warp.d.next = self.warp.q.val() << 1;
            if !self.by_warp.val() {
                self.rank.d.next = self.rank.q.val() + self.one.val();
            }
            if self.cta_ends.val() {
                if !self.by_warp.val() {
                    self.last_warps.d.next = self.last_warps.q.val() | self.warp.q.val();
                    self.rank.d.next = 0.into();
                    if self.few_ctas.val() {
                        comment!("Warps behind the last CTA slot count to it, and never start.");
                        if self.slot.q.val() != self.last_slot.val() {
                            self.slot.d.next = self.slot.q.val() + self.one_slot.val();
                        }
                    } else {
                        self.slot.d.next = self.slot.q.val() + self.one.val();
                    }
                }
                self.base.d.next = self.behind.val();
                self.full.d.next = !self.fits.val();
            }
            if self.fits.val() {
                self.found.d.next = self.found.q.val() + 1;
            }
        }
        if self.warps_end.val() {
            self.on_warps.d.next = false;
        }
        comment!("4. a grid of which no block can run ends here");
        self.failed.next =
            self.too_many.val() | (self.warps_end.val() & !self.fits.val() & (self.found.q.val() == 0));
        if self.too_many.val() {
            self.on_threads.d.next = false;
        }
        self.done.next = self.warps_end.val();
        self.busy.next = self.on_threads.q.val() | self.on_warps.q.val();
        comment!("5. start");
        if self.start.val() {
            self.in_grid.d.next = true;
            self.on_threads.d.next = true;
            self.lane.d.next = self.first_lane.val();
            self.row.d.next = 0.into();
            self.x.d.next = 0.into();
            self.y.d.next = 0.into();
            self.z.d.next = 0.into();
            self.beyond.d.next = false;
            self.row_lanes.d.next = 0.into();
            self.warp.d.next = self.first_warp.val();
            if !self.by_warp.val() {
                self.slot.d.next = 0.into();
                self.rank.d.next = 0.into();
            }
            self.base.d.next = 0.into();
            self.full.d.next = false;
            if self.leaves_warps.val() {
                self.placed.d.next = 0.into();
            }
            self.found.d.next = 0.into();
        }
        if self.by_warp.val() {
            comment!("A warp that has not been in the grid is in no block's CTA slot.");
            self.start_base.next = 0.into();
            for c in 0..self._ctas {
                if self.starts.slot.val() == c.to_bits::<WID_BITS>() {
                    self.start_base.next = self.slot_base[c].q.val();
                }
            }
            for i in 0..self._warps {
                if self.start.val() {
                    self.warp_slot[i].d.next = self.own_slot[i].val();
                }
                if self.starts.warp_oh.val().get_bit(i) {
                    self.warp_slot[i].d.next = self.starts.slot.val();
                    self.warp_rank[i].d.next = self.starts.rank.val();
                    self.warp_base[i].d.next = self.start_base.val();
                }
            }
        }
        comment!("6. what the others see");
        self.slots.next = self.found.q.val();
        self.map.in_grid.next = self.in_grid.q.val();
        self.map.size.next = self.size.q.val();
        Data::join(&mut self.warp_slot, &mut self.map.slot);
        Data::join(&mut self.warp_rank, &mut self.map.rank);
        Data::join(&mut self.warp_base, &mut self.map.local_base);
        if self.by_warp.val() {
            self.map.last_warps.next = 0.into();
            if self.starts.last.val() {
                self.map.last_warps.next = self.starts.warp_oh.val();
            }
            self.map.partial.next = self.starts.partial.val();
            self.map.partial_slot.next = self.starts.slot.val();
        } else {
            self.map.last_warps.next = self.last_warps.q.val();
        }
        if self.leaves_warps.val() {
            self.map.placed_warps.next = self.placed.q.val();
        }
        self.map.last_lanes.next = self.last_lanes.q.val();
        self.map.local_bytes.next = self.shape.local_bytes.val();
    }
}
