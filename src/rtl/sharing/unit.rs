//! What lets the slices of a core share warps, as one part beside them.
use super::{ClassOrder, GuestRegisters, ResultReturn, WarpSharingControl};
use crate::prelude::*;

module! {
    /// Warp sharing: control, order, registers and results of warps that issue through another slice than their own.
    ///
    /// Ports: below. Latency: of a visit combinational, see [`WarpSharingControl`]; registers a cycle later. Reset:
    /// nobody is away. Invariants: a head issues once, through its own slice or another; what a warp has of a class
    /// in several slices stays in order. Critical path: that of the control unit. Source: KAWS 3, Fig. 4(b). Mirror
    /// in the model: `model::sched::sharing`.
    pub struct WarpSharing(cfg: &CoreConfig) [clock, reset]
    let (warps, slices) = (cfg.warps, cfg.slices);
    {
        /// What the slices tell.
        pub states: Vec<SliceState<In>> = (0..slices).map(|_| SliceState::new(cfg)).collect(),
        /// What they are told.
        pub orders: Vec<SliceOrders<Out>> = (0..slices).map(|_| SliceOrders::new(cfg)).collect(),
        /// Results that their units have for warps of others.
        pub away: Vec<FloatResult<In>> = (0..slices).map(|_| FloatResult::new(cfg)).collect(),
        /// Results that they get.
        pub home: Vec<FloatResult<Out>> = (0..slices).map(|_| FloatResult::new(cfg)).collect(),
        // From the instruction queues.
        /// A bit a warp: heads that go to collector mem.
        pub mem_warps: Signal<In, WarpMask> = signal(warps),
        // From the warp table.
        /// W bits for each warp: the warps that are older.
        pub older: Vec<Signal<In, WarpMask>> = signals(warps, warps),
        // To the trace.
        /// What the choice goes by.
        pub view: SharingView<Out> = SharingView::new(cfg),
        control: WarpSharingControl = WarpSharingControl::new(cfg),
        mem_order, sfu_order: ClassOrder = ClassOrder::new(cfg),
        registers: GuestRegisters = GuestRegisters::new(cfg),
        results: ResultReturn = ResultReturn::new(cfg),
        own_warps: Vec<Const<WarpMask>> = own_warps(cfg),
        data_ready_warps, special_warps, fire_warps, visits_warps: Signal<Local, WarpMask> = signal(warps),
        resolved_warps: Signal<Local, WarpMask> = signal(warps),
        first_warp: Const<WarpMask> = constant(warps, 1),
        collecting_warps: Opt<Signal<Local, WarpMask>> = Opt::new(cfg.collects(), signal(warps)),
        collects: Const<Bit> = Const::new(cfg.collects()),
        idle, stalled, room, full: Signal<Local, Bits<32>> = signal(slices),
        _warps: usize = warps,
        _slices: usize = slices,
        _classes: usize = CLASSES,
    }
}

impl Logic for WarpSharing {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. what the slices say together");
        self.data_ready_warps.next = 0.into();
        self.special_warps.next = 0.into();
        self.fire_warps.next = 0.into();
        self.visits_warps.next = 0.into();
        self.idle.next = 0.into();
        self.stalled.next = 0.into();
        if self.collects.val() {
            self.collecting_warps.next = 0.into();
        }
        for s in 0..self._slices {
            self.data_ready_warps.next = self.data_ready_warps.val() | self.states[s].data_ready_warps.val();
            self.special_warps.next =
                self.special_warps.val() | (self.states[s].special_warps.val() & self.own_warps[s].val());
            self.fire_warps.next = self.fire_warps.val() | self.states[s].fire_warps.val();
            self.idle.next = self.idle.val().replace_bit(s, self.states[s].ready_warps.val() == 0);
            self.stalled.next = self.stalled.val().replace_bit(s, self.states[s].stalled.val());
            if self.collects.val() {
                self.collecting_warps.next =
                    self.collecting_warps.val() | self.states[s].collecting_warps.val();
            }
            if self.control.visits[s].valid.val() {
                self.visits_warps.next = self.visits_warps.val() | self.control.visits[s].oh.val();
            }
        }
        self.control.idle.next = self.idle.val();
        self.control.stalled.next = self.stalled.val();
        if self.collects.val() {
            comment!("A warp with an instruction in an operand collector issues no other.");
            self.data_ready_warps.next = self.data_ready_warps.val() & !self.collecting_warps.val();
        }
        comment!("2. the choice, of heads whose order it keeps");
        for u in 0..self._classes {
            self.room.next = 0.into();
            self.full.next = 0.into();
            for s in 0..self._slices {
                self.room.next = self.room.val().replace_bit(s, self.states[s].room[u].val());
                self.full.next = self.full.val().replace_bit(s, self.states[s].full[u].val());
            }
            self.control.room[u].next = self.room.val();
            self.control.full[u].next = self.full.val();
            self.view.room[u].next = self.room.val();
            self.view.full[u].next = self.full.val();
        }
        self.control.candidates[0].next =
            self.data_ready_warps.val() & self.mem_warps.val() & !self.mem_order.waiting_warps.val();
        self.control.candidates[1].next =
            self.data_ready_warps.val() & self.special_warps.val() & !self.sfu_order.waiting_warps.val();
        self.control.candidates[2].next =
            self.data_ready_warps.val() & !self.mem_warps.val() & !self.special_warps.val();
        self.view.waiting_warps[0].next = self.mem_order.waiting_warps.val();
        self.view.waiting_warps[1].next = self.sfu_order.waiting_warps.val();
        Wires::join(&mut self.older, &mut self.control.older);
        comment!("3. order");
        self.mem_order.enters_warps.next = self.fire_warps.val() & self.mem_warps.val();
        self.mem_order.visits_warps.next = self.visits_warps.val() & self.mem_warps.val();
        self.sfu_order.enters_warps.next = self.fire_warps.val() & self.special_warps.val();
        self.sfu_order.visits_warps.next = self.visits_warps.val() & self.special_warps.val();
        for s in 0..self._slices {
            self.mem_order.leaves[s].next = self.states[s].mem_leaves.val();
            self.mem_order.leaves_wid[s].next = self.states[s].mem_leaves_wid.val();
            self.sfu_order.leaves[s].next = self.states[s].sfu_leaves.val();
            self.sfu_order.leaves_wid[s].next = self.states[s].sfu_leaves_wid.val();
        }
        comment!("4. branches, wherever they are resolved");
        self.resolved_warps.next = 0.into();
        for s in 0..self._slices {
            if self.states[s].passed_valid.val() {
                self.resolved_warps.next =
                    self.resolved_warps.val() | (self.first_warp.val() << self.states[s].passed_wid.val());
            }
            if self.states[s].taken_valid.val() {
                self.resolved_warps.next =
                    self.resolved_warps.val() | (self.first_warp.val() << self.states[s].taken_wid.val());
            }
        }
        comment!("5. registers and results");
        for s in 0..self._slices {
            Wires::join(&mut self.control.visits[s], &mut self.registers.visits[s]);
            Wires::join(&mut self.states[s].registers, &mut self.registers.registers[s]);
            Wires::join(&mut self.states[s].commit, &mut self.registers.commits[s]);
            Wires::join(&mut self.away[s], &mut self.results.away[s]);
            Wires::join(&mut self.results.home[s], &mut self.home[s]);
        }
        comment!("6. orders");
        for s in 0..self._slices {
            Wires::join(&mut self.control.visits[s], &mut self.orders[s].visit);
            Wires::join(&mut self.registers.words[s], &mut self.orders[s].words);
            self.orders[s].absent.departs_warps.next = self.visits_warps.val() & self.own_warps[s].val();
            self.orders[s].absent.departs_rd.next = 0.into();
            for x in 0..self._slices {
                if (self.control.visits[x].oh.val() & self.own_warps[s].val()) != 0 {
                    self.orders[s].absent.departs_rd.next =
                        self.orders[s].absent.departs_rd.val() | self.states[x].registers.number[0].val();
                }
            }
            self.orders[s].absent.mem_warps.next = self.mem_order.away_warps.val();
            self.orders[s].absent.sfu_warps.next = self.sfu_order.away_warps.val();
            Wires::join(&mut self.collecting_warps, &mut self.orders[s].absent.collecting_warps);
            self.orders[s].absent.resolved_warps.next = self.resolved_warps.val();
            self.orders[s].accessing_warps.next = self.mem_order.waiting_warps.val();
        }
    }
}
