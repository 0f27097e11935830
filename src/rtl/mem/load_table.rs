//! Line reads in flight, by the tag that memory returns.
use crate::prelude::*;

module! {
    /// What to do with a line when it comes: one entry for each line read in flight.
    ///
    /// Ports: below. Latency: look-up combinational; a slot that is freed is not in use two cycles later. Reset: no
    /// entry in use. Invariants: `allocate` only while `slot_ready`; a slot is looked up only while in use. Critical
    /// path: LUT RAM read. Source: none. Mirror in the model: `model::timing`.
    pub struct LoadTable(cfg: &CoreConfig) [clock, reset]
    let (t, slots) = (cfg.threads, cfg.load_slots);
    let slot_bits = clog2(slots.max(2));
    {
        /// A line read leaves for memory.
        pub allocate: Signal<In, Bit>,
        /// What to do with it.
        pub allocation: LoadEntry<In> = LoadEntry::new(cfg),
        /// A slot is free.
        pub slot_ready: Signal<Out, Bit>,
        /// The slot that an allocation takes.
        pub slot: Signal<Out, Bits<5>>,
        /// Slot of the response.
        pub lookup_slot: Signal<In, Bits<5>>,
        /// The response is taken: its slot is free again.
        pub free: Signal<In, Bit>,
        /// What to do with the line of that slot.
        pub entry: LoadEntry<Out> = LoadEntry::new(cfg),
        /// Some slot is in use.
        pub in_flight: Signal<Out, Bit>,
        in_use: Reg<Bits<16>> = Reg::<Bits<16>>::width(slots),
        freed: Reg<Bit>,
        freed_slot: Pipe<Bits<5>> = Pipe::<Bits<5>>::width(slot_bits),
        wid: LutRam<WID_BITS> = LutRam::new(cfg.wid_bits(), slots),
        rd: LutRam<6> = LutRam::new(6, slots),
        funct3: LutRam<3> = LutRam::new(3, slots),
        group: LutRam<5> = LutRam::new(5, slots),
        single: LutRam<1> = LutRam::new(1, slots),
        lanes: LutRam<32> = LutRam::new(t, slots),
        offset: Vec<LutRam<6>> = (0..t).map(|_| LutRam::new(6, slots)).collect(),
        read_address, write_address: Signal<Local, Bits<16>> = signal(slot_bits),
        next_slot: FreeNumber = FreeNumber::new(slots),
        in_use_now: Signal<Local, Bits<16>> = signal(slots),
        one: Const<Bits<16>> = constant(slots, 1),
        _t: usize = t,
    }
}

impl Logic for LoadTable {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread lookup_slot: tags have room for more slots");
        comment!("1. a free slot");
        self.next_slot.in_use.next = bit_cast::<32, 16>(self.in_use.q.val());
        self.next_slot.take.next = self.allocate.val();
        self.slot.next = bit_cast::<5, 5>(self.next_slot.number.val());
        self.slot_ready.next = self.next_slot.ready.val();
        self.in_flight.next = self.in_use.q.val() != 0;
        comment!("2. slots come into use, and are released a cycle after their line, since a hit of the cache is known late");
        self.freed.d.next = self.free.val();
        self.freed_slot.d.next = bit_cast::<5, 5>(self.lookup_slot.val());
        self.in_use_now.next = self.in_use.q.val();
        if self.freed.q.val() {
            self.in_use_now.next = self.in_use.q.val() & !(self.one.val() << self.freed_slot.q.val());
        }
        self.in_use.d.next = self.in_use_now.val();
        if self.allocate.val() {
            self.in_use.d.next = self.in_use_now.val() | (self.one.val() << self.next_slot.number.val());
        }
        comment!("3. the entries");
        self.read_address.next = bit_cast::<16, 5>(self.lookup_slot.val());
        self.write_address.next = bit_cast::<16, 5>(self.slot.val());
        self.wid.write_enable.next = self.allocate.val();
        self.wid.write_address.next = self.write_address.val();
        self.wid.write_data.next = self.allocation.load.wid.val();
        self.wid.read_address.next = self.read_address.val();
        self.entry.load.wid.next = self.wid.read_data.val();
        self.rd.write_enable.next = self.allocate.val();
        self.rd.write_address.next = self.write_address.val();
        self.rd.write_data.next = self.allocation.load.rd.val();
        self.rd.read_address.next = self.read_address.val();
        self.entry.load.rd.next = self.rd.read_data.val();
        self.funct3.write_enable.next = self.allocate.val();
        self.funct3.write_address.next = self.write_address.val();
        self.funct3.write_data.next = self.allocation.load.funct3.val();
        self.funct3.read_address.next = self.read_address.val();
        self.entry.load.funct3.next = self.funct3.read_data.val();
        self.group.write_enable.next = self.allocate.val();
        self.group.write_address.next = self.write_address.val();
        self.group.write_data.next = self.allocation.load.group.val();
        self.group.read_address.next = self.read_address.val();
        self.entry.load.group.next = self.group.read_data.val();
        self.single.write_enable.next = self.allocate.val();
        self.single.write_address.next = self.write_address.val();
        self.single.write_data.next = 0.into();
        if self.allocation.single.val() {
            self.single.write_data.next = 1.into();
        }
        self.single.read_address.next = self.read_address.val();
        self.entry.single.next = self.single.read_data.val().any();
        self.lanes.write_enable.next = self.allocate.val();
        self.lanes.write_address.next = self.write_address.val();
        self.lanes.write_data.next = self.allocation.lanes.val();
        self.lanes.read_address.next = self.read_address.val();
        self.entry.lanes.next = self.lanes.read_data.val();
        for i in 0..self._t {
            self.offset[i].write_enable.next = self.allocate.val();
            self.offset[i].write_address.next = self.write_address.val();
            self.offset[i].write_data.next = self.allocation.offset[i].val();
            self.offset[i].read_address.next = self.read_address.val();
            self.entry.offset[i].next = self.offset[i].read_data.val();
        }
    }
}
