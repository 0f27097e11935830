//! The divergence (immediate post-dominator) stacks of all warps.
use crate::prelude::*;

module! {
    /// One stack a warp; an entry is what SPLIT leaves for its JOINs.
    ///
    /// Ports: below. Latency: combinational reads; a push is on top in the next cycle. Reset: all stacks empty.
    /// Invariants: `push` only if not `full`, `pop` and `start_other` only if `depth` is not 0, one of the three a
    /// cycle. Critical path: pointer (W:1), LUT RAM read. Source: docs/ISA.md, section 3. Mirror in the model:
    /// `Warp::divergence`.
    pub struct IpdomStack(cfg: &CoreConfig) [clock, reset]
    let (w, t) = (cfg.warps, cfg.threads);
    let pointer_bits = bits_for(cfg.ipdom_depth() + 1);
    // Each warp has a power of two of entries, so that an address is a concatenation.
    let entries = w << cfg.tid_bits();
    let address_bits = clog2(entries);
    {
        /// Whose stack.
        pub wid: Signal<In, WarpId> = signal(cfg.wid_bits()),
        /// SPLIT diverges.
        pub push: Signal<In, Bit>,
        /// Lanes after both sides.
        pub push_restore: Signal<In, Bits<32>> = signal(t),
        /// Lanes of the side that waits.
        pub push_other: Signal<In, Bits<32>> = signal(t),
        /// Where that side starts.
        pub push_pc: Signal<In, Bits<32>>,
        /// The first JOIN.
        pub start_other: Signal<In, Bit>,
        /// The second JOIN.
        pub pop: Signal<In, Bit>,
        /// Entries in use.
        pub depth: Signal<Out, Bits<6>> = signal(pointer_bits),
        /// No entry is free.
        pub full: Signal<Out, Bit>,
        /// Lanes after both sides of the top entry.
        pub top_restore: Signal<Out, Bits<32>> = signal(t),
        /// Lanes of its other side.
        pub top_other: Signal<Out, Bits<32>> = signal(t),
        /// Where its other side starts.
        pub top_pc: Signal<Out, Bits<32>>,
        /// Its other side has started.
        pub top_started: Signal<Out, Bit>,
        /// With a dispatcher: warps of a block that starts, whose stacks begin empty.
        pub start_warps: Opt<Signal<In, WarpMask>> = Opt::new(cfg.grid, signal(w)),
        pointer: Vec<Reg<Bits<6>>> = regs(w, pointer_bits),
        restore, other: LutRam<32> = LutRam::new(t, entries),
        pc: LutRam<32> = LutRam::new(32, entries),
        started: LutRam<1> = LutRam::new(1, entries),
        used, below: Signal<Local, Bits<6>> = signal(pointer_bits),
        base, top_address, push_address: Signal<Local, Bits<16>> = signal(address_bits),
        limit: Const<Bits<6>> = constant(pointer_bits, cfg.ipdom_depth() as u64),
        shift: Const<Bits<3>> = constant(3, cfg.tid_bits() as u64),
        has_grid: Const<Bit> = Const::new(cfg.grid),
        _warps: usize = w,
    }
}

impl Logic for IpdomStack {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the stack pointer");
        self.used.next = 0.into();
        for w in 0..self._warps {
            if self.wid.val() == w.to_bits::<WID_BITS>() {
                self.used.next = self.pointer[w].q.val();
            }
        }
        self.depth.next = self.used.val();
        self.full.next = self.used.val() == self.limit.val();
        comment!("2. the top entry");
        self.below.next = self.used.val() - 1;
        self.base.next = bit_cast::<16, WID_BITS>(self.wid.val()) << self.shift.val();
        self.top_address.next = self.base.val() | bit_cast::<16, 6>(self.below.val());
        self.push_address.next = self.base.val() | bit_cast::<16, 6>(self.used.val());
        self.restore.read_address.next = self.top_address.val();
        self.other.read_address.next = self.top_address.val();
        self.pc.read_address.next = self.top_address.val();
        self.started.read_address.next = self.top_address.val();
        self.top_restore.next = self.restore.read_data.val();
        self.top_other.next = self.other.read_data.val();
        self.top_pc.next = self.pc.read_data.val();
        self.top_started.next = self.started.read_data.val().get_bit(0);
        comment!("3. changes");
        self.restore.write_enable.next = self.push.val();
        self.restore.write_address.next = self.push_address.val();
        self.restore.write_data.next = self.push_restore.val();
        self.other.write_enable.next = self.push.val();
        self.other.write_address.next = self.push_address.val();
        self.other.write_data.next = self.push_other.val();
        self.pc.write_enable.next = self.push.val();
        self.pc.write_address.next = self.push_address.val();
        self.pc.write_data.next = self.push_pc.val();
        self.started.write_enable.next = self.push.val() | self.start_other.val();
        self.started.write_address.next = self.top_address.val();
        self.started.write_data.next = 1.into();
        if self.push.val() {
            self.started.write_address.next = self.push_address.val();
            self.started.write_data.next = 0.into();
        }
        for w in 0..self._warps {
            if self.wid.val() == w.to_bits::<WID_BITS>() {
                if self.push.val() {
                    self.pointer[w].d.next = self.used.val() + 1;
                } else if self.pop.val() {
                    self.pointer[w].d.next = self.below.val();
                }
            }
            if self.has_grid.val() && self.start_warps.val().get_bit(w) {
                self.pointer[w].d.next = 0.into();
            }
        }
    }
}
