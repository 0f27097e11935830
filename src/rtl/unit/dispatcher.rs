//! The dispatcher of thread blocks: starts the blocks of a grid on the warps of the core.
mod layout;
mod placer;

use crate::prelude::*;
use layout::BlockLayout;
use placer::WarpPlacer;

module! {
    /// Takes a grid, lays out its blocks, and starts one a cycle while CTA slots are free; with `--warp-dispatch` one warp a cycle,
    /// where [`WarpPlacer`] says.
    ///
    /// Ports: below; `launch` must be stable until the core is no longer busy. Latency: docs/ISA.md, section 7.1,
    /// "Time". Reset: no grid. Invariants: a CTA slot is given away only while none of its warps is active or
    /// starting, so that a block never meets another's warps; every block is started once, in order. Critical path:
    /// slot that starts -> its warps -> free slots -> the smallest. Source: docs/ISA.md, section 7.1; BAWS 2.2, KAWS
    /// 3 (order of dispatch and age). Mirror in the model: `model::grid`.
    pub struct CtaDispatcher(cfg: &CoreConfig) [clock, reset]
    let (w, ctas) = (cfg.warps, cfg.ctas());
    {
        /// The launch port.
        pub launch: GridLaunch<In> = GridLaunch::new(),
        /// The core rests.
        pub may_launch: Signal<In, Bit>,
        /// Where the warps of a grid start.
        pub start_pc: Signal<In, Bits<32>>,
        /// Warps that are active.
        pub active_warps: Signal<In, WarpMask> = signal(w),
        /// A grid is taken.
        pub taken: Signal<Out, Bit>,
        /// Blocks have yet to be started.
        pub busy: Signal<Out, Bit>,
        /// What the others see of the grid.
        pub grid: GridView<Out> = GridView::new(cfg),
        /// All blocks have started.
        pub last_dispatched: Signal<Out, Bit>,
        /// The grid cannot run.
        pub fault: Fault<Out> = Fault::new(cfg),
        layout: BlockLayout = BlockLayout::new(cfg),
        ctas: Opt<CtaMembers> = Opt::new(!cfg.warp_dispatch, CtaMembers::new(cfg)),
        placer: Opt<WarpPlacer> = Opt::new(cfg.warp_dispatch, WarpPlacer::new(cfg)),
        by_warp: Const<Bit> = Const::new(cfg.warp_dispatch),
        running, exhausted: Reg<Bit>,
        /// The CTA slot whose block starts, one-hot; with `--warp-dispatch` whose block's last warp does.
        starting: Reg<WarpMask> = Reg::<WarpMask>::width(ctas),
        x, y, z, id: Pipe<Bits<32>>,
        empty, x_ends, y_ends, grid_ends: Signal<Local, Bit>,
        number: Opt<OneHotIndex> = Opt::new(!cfg.warp_dispatch, OneHotIndex::new(ctas)),
        taken_warps: Opt<Signal<Local, WarpMask>> = Opt::new(!cfg.warp_dispatch, signal(w)),
        free_slots: Opt<Signal<Local, WarpMask>> = Opt::new(!cfg.warp_dispatch, signal(ctas)),
        one: Opt<Const<WarpMask>> = Opt::new(!cfg.warp_dispatch, constant(ctas, 1)),
        leaves_warps: Const<Bit> = Const::new(cfg.leaves_warps()),
        cause: Const<Bits<4>> = constant(4, 11),
        _ctas: usize = ctas,
    }
}

impl Logic for CtaDispatcher {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. take a grid");
        self.launch.ready.next = self.may_launch.val();
        self.taken.next = self.launch.valid.val() & self.may_launch.val();
        self.empty.next = (self.launch.shape_.grid_x.val() == 0)
            | (self.launch.shape_.grid_y.val() == 0)
            | (self.launch.shape_.grid_z.val() == 0)
            | (self.launch.shape_.block_x.val() == 0)
            | (self.launch.shape_.block_y.val() == 0)
            | (self.launch.shape_.block_z.val() == 0);
        self.layout.start.next = self.taken.val() & !self.empty.val();
        Wires::join(&mut self.launch.shape_, &mut self.layout.shape);
        Wires::join(&mut self.launch.shape_, &mut self.grid.shape);
        Wires::join(&mut self.layout.map, &mut self.grid.map);
        Wires::join(&mut self.layout.thread, &mut self.grid.thread);
        comment!("2. whether this block is the last");
        self.x_ends.next = self.x.q.val() + 1 == self.launch.shape_.grid_x.val();
        self.y_ends.next = self.y.q.val() + 1 == self.launch.shape_.grid_y.val();
        self.grid_ends.next =
            self.x_ends.val() & self.y_ends.val() & (self.z.q.val() + 1 == self.launch.shape_.grid_z.val());
        comment!(
            "3. the block that starts: given its slot a cycle ago, so that it starts far from the choice"
        );
        if self.by_warp.val() {
            Wires::join(&mut self.placer.start, &mut self.layout.starts);
            self.grid.start.valid.next = self.placer.begins.val();
            self.grid.start.slot.next = self.placer.start.slot.val();
            self.grid.start.slot_oh.next = 0.into();
            if self.placer.begins.val() {
                self.grid.start.slot_oh.next = self.placer.slot_oh.val();
            }
            self.grid.start.warps.next = self.placer.start.warp_oh.val();
        } else {
            self.grid.start.valid.next = self.starting.q.val().any();
            self.number.mask_oh.next = self.starting.q.val();
            self.grid.start.slot.next = self.number.index.val();
            self.grid.start.slot_oh.next = self.starting.q.val();
            self.grid.start.warps.next = 0.into();
            Wires::join(&mut self.layout.map.slot, &mut self.ctas.cta);
            for c in 0..self._ctas {
                if self.starting.q.val().get_bit(c) {
                    self.grid.start.warps.next = self.grid.start.warps.val() | self.ctas.members[c].val();
                }
            }
            if self.leaves_warps.val() {
                self.grid.start.warps.next = self.grid.start.warps.val() & self.layout.map.placed_warps.val();
            }
        }
        self.grid.start.id.next = self.id.q.val();
        self.grid.start.x.next = self.x.q.val();
        self.grid.start.y.next = self.y.q.val();
        self.grid.start.z.next = self.z.q.val();
        if self.by_warp.val() {
            comment!("4. who starts next");
            self.placer.more.next =
                self.running.q.val() & !(self.starting.q.val().any() & self.grid_ends.val());
            self.placer.size.next = self.layout.map.size.val();
            self.placer.slots.next = self.layout.slots.val();
            self.placer.active_warps.next = self.active_warps.val();
            Wires::join(&mut self.layout.map.slot, &mut self.placer.slot_of);
            self.starting.d.next = self.placer.completes_oh.val();
        } else {
            comment!("4. the next block gets the smallest free CTA slot: none of its warps is active or about to be started");
            self.taken_warps.next = self.active_warps.val() | self.grid.start.warps.val();
            self.free_slots.next = 0.into();
            for c in 0..self._ctas {
                self.free_slots.next = self.free_slots.val().replace_bit(
                    c,
                    !(self.taken_warps.val() & self.ctas.members[c].val()).any()
                        & (self.layout.slots.val() > c.to_bits::<WARP_COUNT_BITS>()),
                );
            }
            self.starting.d.next = 0.into();
            if self.running.q.val() & !(self.starting.q.val().any() & self.grid_ends.val()) {
                self.starting.d.next = self.free_slots.val() & ((!self.free_slots.val()) + self.one.val());
            }
        }
        comment!("5. on to the next block: x first, then y, then z");
        if self.starting.q.val().any() {
            self.id.d.next = self.id.q.val() + 1;
            self.x.d.next = self.x.q.val() + 1;
            if self.x_ends.val() {
                self.x.d.next = 0.into();
                self.y.d.next = self.y.q.val() + 1;
                if self.y_ends.val() {
                    self.y.d.next = 0.into();
                    self.z.d.next = self.z.q.val() + 1;
                }
            }
            if self.grid_ends.val() {
                self.running.d.next = false;
                self.exhausted.d.next = true;
            }
        }
        if self.layout.done.val() & !self.layout.failed.val() {
            self.running.d.next = true;
        }
        if self.taken.val() {
            self.exhausted.d.next = false;
            self.id.d.next = 0.into();
            self.x.d.next = 0.into();
            self.y.d.next = 0.into();
            self.z.d.next = 0.into();
        }
        self.last_dispatched.next = self.exhausted.q.val();
        self.busy.next = self.layout.busy.val() | self.running.q.val();
        comment!("6. a grid that cannot run");
        self.fault.valid.next = (self.taken.val() & self.empty.val()) | self.layout.failed.val();
        self.fault.wid.next = 0.into();
        self.fault.pc.next = self.start_pc.val();
        self.fault.cause.next = self.cause.val();
        self.fault.addr.next = 0.into();
    }
}
