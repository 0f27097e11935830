//! One bank of a slice's registers.
use crate::bundles::bank_bits;
use crate::prelude::*;

module! {
    /// A part of the registers of every warp and lane, in block RAM with one read port and one write port.
    ///
    /// The row of a register is its warp, and of its number all but the lowest bits, which with the warp say the bank. Ports: `read`,
    /// `read_wid`, `read_number` -> `words` a cycle later; `write` (the register of `commit` is in this bank). Latency: one cycle.
    /// Reset: none, so a register holds garbage until it is written. Invariants: a register is not read while it is written, for the
    /// scoreboard holds back who would. Critical path: block RAM access. Source: ARCHITECTURE.md, "Operand collectors".
    /// Mirror in the model: the warp's registers.
    pub struct RegisterBank(cfg: &CoreConfig) [clock]
    let (threads, wid, number) = (cfg.threads, cfg.wid_bits(), cfg.register_bits());
    let low = bank_bits(cfg);
    let rows = 1 << (wid + number - low);
    {
        /// Reads.
        pub read: Signal<In, Bit>,
        /// The warp whose register is read.
        pub read_wid: Signal<In, WarpId> = signal(wid),
        /// Its number.
        pub read_number: Signal<In, Bits<6>>,
        /// What was read in the cycle before.
        pub words: LaneWords<Out> = LaneWords::new(cfg),
        /// Takes what commit writes.
        pub write: Signal<In, Bit>,
        /// What commit writes.
        pub commit: RegisterWrite<In> = RegisterWrite::new(cfg),
        lanes: Vec<SyncRam<32>> = (0..threads).map(|_| SyncRam::without_collisions(32, rows)).collect(),
        low: Const<Bits<4>> = constant(4, low as u64),
        high: Const<Bits<4>> = constant(4, (number - low) as u64),
        read_index, write_index: Signal<Local, Bits<6>> = signal(number),
        read_row, write_row: Signal<Local, Bits<16>> = signal(wid + number - low),
        _threads: usize = threads,
    }
}

impl Logic for RegisterBank {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread read_number: bit 5 names the floating-point registers");
        comment!("unread commit_rd: bit 5 names the floating-point registers");
        comment!("unread read_index: the low bits chose the bank");
        comment!("unread write_index: the low bits chose the bank");
        comment!("1. rows");
        self.read_index.next = bit_cast::<6, 6>(self.read_number.val());
        self.write_index.next = bit_cast::<6, 6>(self.commit.write_.to_.rd.val());
        self.read_row.next = (bit_cast::<16, WID_BITS>(self.read_wid.val()) << self.high.val())
            | (bit_cast::<16, 6>(self.read_index.val()) >> self.low.val());
        self.write_row.next = (bit_cast::<16, WID_BITS>(self.commit.write_.to_.wid.val()) << self.high.val())
            | (bit_cast::<16, 6>(self.write_index.val()) >> self.low.val());
        comment!("2. a memory for each lane");
        for i in 0..self._threads {
            self.lanes[i].read_enable.next = self.read.val();
            self.lanes[i].read_address.next = self.read_row.val();
            self.lanes[i].write_enable.next =
                self.write.val() & self.commit.write_.to_.tmask.val().get_bit(i);
            self.lanes[i].write_address.next = self.write_row.val();
            self.lanes[i].write_data.next = self.commit.data[i].val();
            self.words.data[i].next = self.lanes[i].read_data.val();
        }
    }
}
