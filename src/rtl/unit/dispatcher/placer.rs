//! Which warp of which block starts next, and in which warp slot.
use crate::prelude::*;

module! {
    /// Starts one warp a cycle: the next one of the block that has begun, in the smallest free warp slot; behind its last warp
    /// the next block begins, in the smallest CTA slot without active warps.
    ///
    /// Ports: `more` (a block has yet to begin), `size`, `slots`, `active_warps`, `slot_of` (the CTA slot of each
    /// warp) -> `start`, `begins` (it is the first warp of its block), `completes_oh`, `slot_oh` (the CTA
    /// slot of its block). Latency: a warp starts in the cycle after its choice, so
    /// that it starts far from it. Reset: no block. Invariants: a warp slot is given away only while its warp is not active; a
    /// CTA slot only while none of its warps is, and none has yet to start. Blocks begin one after the other. Critical path:
    /// `active_warps` -> an OR over each CTA slot's -> the smallest.
    /// Source: docs/ISA.md, section 7.1. Mirror in the model: `model::grid`.
    pub struct WarpPlacer(cfg: &CoreConfig) [clock, reset]
    let (w, wid, ctas) = (cfg.warps, cfg.wid_bits(), cfg.ctas());
    {
        /// A block has yet to begin.
        pub more: Signal<In, Bit>,
        /// Warps of a block.
        pub size: Signal<In, WarpCount> = signal(cfg.warp_count_bits()),
        /// CTA slots that there are.
        pub slots: Signal<In, WarpCount> = signal(cfg.warp_count_bits()),
        /// Warps that are active.
        pub active_warps: Signal<In, WarpMask> = signal(w),
        /// CTA slot of each warp.
        pub slot_of: Vec<Signal<In, WarpId>> = signals(w, cfg.cta_bits()),
        /// The warp that starts.
        pub start: WarpStart<Out> = WarpStart::new(cfg),
        /// It is the first of its block.
        pub begins: Signal<Out, Bit>,
        /// The last warp of this CTA slot's block starts in the next cycle.
        pub completes_oh: Signal<Out, WarpMask> = signal(ctas),
        /// The block's CTA slot, one-hot.
        pub slot_oh: Signal<Out, WarpMask> = signal(ctas),
        ctas: CtaMembers = CtaMembers::new(cfg),
        number: OneHotIndex = OneHotIndex::new(ctas),
        /// The warp that was chosen last starts; warps of its block remain.
        starts, unfinished: Reg<Bit>,
        warp_oh: Pipe<WarpMask> = Pipe::<WarpMask>::width(w),
        chosen_slot: Pipe<WarpMask> = Pipe::<WarpMask>::width(ctas),
        rank: Pipe<WarpId> = Pipe::<WarpId>::width(wid),
        starting_warps, free_warps: Signal<Local, WarpMask> = signal(w),
        free_slots: Signal<Local, WarpMask> = signal(ctas),
        next_oh: Signal<Local, WarpMask> = signal(w),
        may_start, ends: Signal<Local, Bit>,
        slot: Signal<Local, WarpMask> = signal(ctas),
        next_rank: Signal<Local, WarpId> = signal(wid),
        one: Const<WarpMask> = constant(w, 1),
        one_slot: Const<WarpMask> = constant(ctas, 1),
        few_ctas: Const<Bit> = Const::new(ctas < w),
        one_rank: Const<WarpId> = constant(wid, 1),
        _ctas: usize = ctas,
    }
}

impl Logic for WarpPlacer {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. the warp that was chosen in the last cycle");
        self.starting_warps.next = 0.into();
        if self.starts.q.val() {
            self.starting_warps.next = self.warp_oh.q.val();
        }
        self.number.mask_oh.next = self.chosen_slot.q.val();
        self.start.warp_oh.next = self.starting_warps.val();
        self.start.slot.next = self.number.index.val();
        self.start.rank.next = self.rank.q.val();
        self.slot_oh.next = self.chosen_slot.q.val();
        self.begins.next = self.starts.q.val() & (self.rank.q.val() == 0);
        self.start.last.next = !self.unfinished.q.val();
        self.start.partial.next = self.starts.q.val() | self.unfinished.q.val();
        comment!(
            "2. free CTA slots: no warp is active, and none of the block that began last is still to come"
        );
        Wires::join(&mut self.slot_of, &mut self.ctas.cta);
        self.free_slots.next = 0.into();
        for c in 0..self._ctas {
            self.free_slots.next = self.free_slots.val().replace_bit(
                c,
                !(self.active_warps.val() & self.ctas.members[c].val()).any()
                    & (self.slots.val() > c.to_bits::<WARP_COUNT_BITS>()),
            );
        }
        if self.start.partial.val() {
            self.free_slots.next = self.free_slots.val() & !self.chosen_slot.q.val();
        }
        comment!("3. the smallest free warp slot");
        self.free_warps.next = !self.active_warps.val() & !self.starting_warps.val();
        self.next_oh.next = self.free_warps.val() & ((!self.free_warps.val()) + self.one.val());
        comment!("4. the next warp of the block, or the first of another");
        self.next_rank.next = self.rank.q.val() + self.one_rank.val();
        self.may_start.next = self.free_warps.val().any();
        if !self.unfinished.q.val() {
            self.may_start.next = self.more.val() & self.free_slots.val().any() & self.free_warps.val().any();
            self.next_rank.next = 0.into();
        }
        comment!("5. it starts in the next cycle");
        self.slot.next = self.chosen_slot.q.val();
        if !self.unfinished.q.val() {
            if self.few_ctas.val() {
                self.slot.next = self.free_slots.val() & ((!self.free_slots.val()) + self.one_slot.val());
            } else {
                self.slot.next = self.free_slots.val() & ((!self.free_slots.val()) + self.one.val());
            }
        }
        self.ends.next = bit_cast::<WARP_COUNT_BITS, WID_BITS>(self.next_rank.val()) + 1 == self.size.val();
        self.starts.d.next = self.may_start.val();
        self.completes_oh.next = 0.into();
        if self.may_start.val() {
            self.warp_oh.d.next = self.next_oh.val();
            self.rank.d.next = self.next_rank.val();
            self.chosen_slot.d.next = self.slot.val();
            self.unfinished.d.next = !self.ends.val();
            if self.ends.val() {
                self.completes_oh.next = self.slot.val();
            }
        }
    }
}
