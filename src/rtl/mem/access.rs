//! First stage of the load/store unit: holds an instruction and knows what remains of it.
use crate::config::CoreConfig;
use crate::rtl::cell::{constant, pipes, signal, signals, Const, Pipe, Reg};
use crate::{comment, module};
use rust_hdl::prelude::*;

module! {
    /// Checks the addresses and holds the instruction until all its lanes are served.
    ///
    /// Ports, from the entrance: `arrive_*` -> `advance` (taken). From the rest of the unit: `serve` (the lanes `served` are
    /// served in this cycle), `fence_done` -> `access_*`: `access_valid` (a load or store without fault), `access_fence`, its fields,
    /// `access_lanes` (still to be served), `access_first` (none served yet), `access_discard` (a load to x0, which
    /// does nothing). `fault_*`, `busy`.
    /// Latency: one cycle. Reset: empty. Invariants: an instruction with a fault in any lane accesses nothing; the
    /// next instruction is taken in the cycle in which the last lanes of this one are served.
    /// Critical path: `serve` -> `advance` -> the slices' queues. Addresses are checked on their way in, behind the adders,
    /// where there is time.
    /// Source: docs/ISA.md, sections 2, 6 and 8. Mirror in the model: load, store.
    pub struct AccessStage(cfg: &CoreConfig) [clock, reset]
    let (t, wid_bits) = (cfg.threads, cfg.wid_bits());
    {
        /// An instruction arrives.
        pub arrive_valid: Signal<In, Bit>,
        /// Its warp.
        pub arrive_wid: Signal<In, Bits<5>> = signal(wid_bits),
        /// Its lanes.
        pub arrive_tmask: Signal<In, Bits<32>> = signal(t),
        /// Its own address.
        pub arrive_pc: Signal<In, Bits<32>>,
        /// Destination register.
        pub arrive_rd: Signal<In, Bits<6>>,
        /// It writes a register.
        pub arrive_use_rd: Signal<In, Bit>,
        /// Size and extension.
        pub arrive_funct3: Signal<In, Bits<3>>,
        /// It is a store.
        pub arrive_store: Signal<In, Bit>,
        /// It is FENCE or FENCE.I.
        pub arrive_fence: Signal<In, Bit>,
        /// It is FENCE.I.
        pub arrive_fence_i: Signal<In, Bit>,
        /// Byte address of each lane.
        pub arrive_address: Vec<Signal<In, Bits<32>>> = signals(t, 32),
        /// Value to store of each lane.
        pub arrive_data: Vec<Signal<In, Bits<32>>> = signals(t, 32),
        /// What arrives is taken.
        pub advance: Signal<Out, Bit>,
        /// Lanes are served in this cycle.
        pub serve: Signal<In, Bit>,
        /// Which ones are, if any.
        pub served: Signal<In, Bits<32>> = signal(t),
        /// The fence that waits is done.
        pub fence_done: Signal<In, Bit>,
        /// A load or store wants to be served.
        pub access_valid: Signal<Out, Bit>,
        /// A fence waits.
        pub access_fence: Signal<Out, Bit>,
        /// The fence is FENCE.I.
        pub access_fence_i: Signal<Out, Bit>,
        /// A load to x0 ends here.
        pub access_discard: Signal<Out, Bit>,
        /// No lane has been served yet.
        pub access_first: Signal<Out, Bit>,
        /// No lane remains behind `served`.
        pub access_last: Signal<Out, Bit>,
        /// Warp.
        pub access_wid: Signal<Out, Bits<5>> = signal(wid_bits),
        /// Lanes of the instruction.
        pub access_tmask: Signal<Out, Bits<32>> = signal(t),
        /// Lanes still to be served.
        pub access_lanes: Signal<Out, Bits<32>> = signal(t),
        /// Address of the instruction.
        pub access_pc: Signal<Out, Bits<32>>,
        /// Destination register.
        pub access_rd: Signal<Out, Bits<6>>,
        /// Size and extension.
        pub access_funct3: Signal<Out, Bits<3>>,
        /// It is a store.
        pub access_store: Signal<Out, Bit>,
        /// Byte address of each lane.
        pub access_address: Vec<Signal<Out, Bits<32>>> = signals(t, 32),
        /// Value to store of each lane.
        pub access_data: Vec<Signal<Out, Bits<32>>> = signals(t, 32),
        /// A lane must not access its address.
        pub fault_valid: Signal<Out, Bit>,
        /// 2 misaligned load, 3 misaligned store, 4 outside the local memory, 9 below 0x40.
        pub fault_cause: Signal<Out, Bits<4>>,
        /// Address of the first such lane.
        pub fault_addr: Signal<Out, Bits<32>>,
        /// An instruction is held.
        pub busy: Signal<Out, Bit>,
        valid: Reg<Bit>,
        first: Reg<Bit>,
        lanes: Reg<Bits<32>> = Reg::<Bits<32>>::width(t),
        tmask: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        wid: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(wid_bits),
        pc: Pipe<Bits<32>>,
        rd: Pipe<Bits<6>>,
        use_rd: Pipe<Bit>,
        funct3: Pipe<Bits<3>>,
        store: Pipe<Bit>,
        fence: Pipe<Bit>,
        fence_i: Pipe<Bit>,
        address: Vec<Pipe<Bits<32>>> = pipes(t, 32),
        data: Vec<Pipe<Bits<32>>> = pipes(t, 32),
        ends: Signal<Local, Bit>,
        room: Signal<Local, Bit>,
        size: Signal<Local, Bits<2>>,
        lane_address: Signal<Local, Bits<32>>,
        misaligned: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        arrive_misaligned: Signal<Local, Bits<32>> = signal(t),
        out_of_range: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        arrive_out_of_range: Signal<Local, Bits<32>> = signal(t),
        unmapped: Pipe<Bits<32>> = Pipe::<Bits<32>>::width(t),
        arrive_unmapped: Signal<Local, Bits<32>> = signal(t),
        failing: Signal<Local, Bits<32>> = signal(t),
        found: Signal<Local, Bit>,
        faulty: Signal<Local, Bit>,
        cause: Signal<Local, Bits<4>>,
        access: Signal<Local, Bit>,
        remaining: Signal<Local, Bits<32>> = signal(t),
        outside: Const<Bits<16>> = constant(16, 0x1_0000 - cfg.local_mem_bytes as u64),
        _t: usize = t,
    }
}

impl Logic for AccessStage {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("module AccessStage: Checks the addresses and holds the instruction until all its lanes are served.");
        comment!("1. check every lane of what arrives");
        self.size.next = self.arrive_funct3.val().get_bits::<2>(0);
        self.arrive_misaligned.next = 0.into();
        self.arrive_out_of_range.next = 0.into();
        self.arrive_unmapped.next = 0.into();
        for i in 0..self._t {
            self.lane_address.next = self.arrive_address[i].val();
            if self.arrive_tmask.val().get_bit(i) {
                self.arrive_misaligned.next = self.arrive_misaligned.val().replace_bit(
                    i,
                    ((self.size.val() == 1) & self.lane_address.val().get_bit(0))
                        | ((self.size.val() == 2) & (self.lane_address.val().get_bits::<2>(0) != 0)),
                );
                self.arrive_out_of_range.next = self.arrive_out_of_range.val().replace_bit(
                    i,
                    (self.lane_address.val().get_bits::<16>(16) == 0xFFFF)
                        & ((self.lane_address.val().get_bits::<16>(0) & self.outside.val()) != 0),
                );
                self.arrive_unmapped.next =
                    self.arrive_unmapped.val().replace_bit(i, self.lane_address.val().get_bits::<26>(6) == 0);
            }
        }
        comment!("2. misalignment goes first, then local memory's size, then the first line; the first lane that fails gives the address");
        self.faulty.next =
            self.misaligned.q.val().any() | self.out_of_range.q.val().any() | self.unmapped.q.val().any();
        self.failing.next = self.unmapped.q.val();
        self.cause.next = 9.into();
        if self.out_of_range.q.val().any() {
            self.failing.next = self.out_of_range.q.val();
            self.cause.next = 4.into();
        }
        if self.misaligned.q.val().any() {
            self.failing.next = self.misaligned.q.val();
            self.cause.next = 2.into();
            if self.store.q.val() {
                self.cause.next = 3.into();
            }
        }
        self.found.next = false;
        self.fault_addr.next = 0.into();
        for i in 0..self._t {
            if self.failing.val().get_bit(i) & !self.found.val() {
                self.found.next = true;
                self.fault_addr.next = self.address[i].q.val();
            }
        }
        self.fault_cause.next = self.cause.val();
        self.fault_valid.next = self.valid.q.val() & !self.fence.q.val() & self.faulty.val();
        comment!("3. what the rest of the unit sees");
        self.access.next = self.valid.q.val() & !self.fence.q.val() & !self.faulty.val();
        self.access_discard.next = self.access.val() & !self.store.q.val() & !self.use_rd.q.val();
        self.access_valid.next = self.access.val() & (self.store.q.val() | self.use_rd.q.val());
        self.access_fence.next = self.valid.q.val() & self.fence.q.val();
        self.access_fence_i.next = self.fence_i.q.val();
        self.access_first.next = self.first.q.val();
        self.access_wid.next = self.wid.q.val();
        self.access_tmask.next = self.tmask.q.val();
        self.access_lanes.next = self.lanes.q.val();
        self.access_pc.next = self.pc.q.val();
        self.access_rd.next = self.rd.q.val();
        self.access_funct3.next = self.funct3.q.val();
        self.access_store.next = self.store.q.val();
        for i in 0..self._t {
            self.access_address[i].next = self.address[i].q.val();
            self.access_data[i].next = self.data[i].q.val();
        }
        self.busy.next = self.valid.q.val();
        comment!("4. what remains");
        self.remaining.next = self.lanes.q.val() & !self.served.val();
        self.access_last.next = self.remaining.val() == 0;
        if self.serve.val() {
            self.lanes.d.next = self.remaining.val();
            self.first.d.next = false;
        }
        // Whether lanes are served at all is known late, and so comes last.
        self.ends.next = (!self.fence.q.val()
            & (self.faulty.val() | !(self.store.q.val() | self.use_rd.q.val())))
            | self.fence_done.val()
            | (self.access_last.val() & self.serve.val());
        comment!("5. the next instruction");
        self.room.next = !self.valid.q.val() | self.ends.val();
        self.advance.next = self.room.val();
        if self.room.val() {
            self.valid.d.next = self.arrive_valid.val();
            self.first.d.next = true;
            self.lanes.d.next = self.arrive_tmask.val();
            self.wid.d.next = self.arrive_wid.val();
            self.tmask.d.next = self.arrive_tmask.val();
            self.pc.d.next = self.arrive_pc.val();
            self.rd.d.next = self.arrive_rd.val();
            self.use_rd.d.next = self.arrive_use_rd.val();
            self.funct3.d.next = self.arrive_funct3.val();
            self.store.d.next = self.arrive_store.val();
            self.fence.d.next = self.arrive_fence.val();
            self.fence_i.d.next = self.arrive_fence_i.val();
            self.misaligned.d.next = self.arrive_misaligned.val();
            self.out_of_range.d.next = self.arrive_out_of_range.val();
            self.unmapped.d.next = self.arrive_unmapped.val();
        }
        for i in 0..self._t {
            if self.room.val() {
                self.address[i].d.next = self.arrive_address[i].val();
                self.data[i].d.next = self.arrive_data[i].val();
            }
        }
    }
}
