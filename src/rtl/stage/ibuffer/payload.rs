//! Words and addresses of the queued instructions, for one slice.
use crate::prelude::*;

/// Width of the address of an instruction in a memory: {rank of the warp, slot}, or with `--fetch-width 2`, where each slot has
/// a memory, the rank alone.
pub(super) fn address_bits(cfg: &CoreConfig) -> usize {
    (slot_bits(cfg) + rank_bits(cfg)).max(1)
}

/// Of which the lowest bits are the slot.
pub(super) fn slot_bits(cfg: &CoreConfig) -> usize {
    if cfg.fetches_pairs() {
        0
    } else {
        bits_for(cfg.queue_depth)
    }
}

/// Width of a warp's number among those of its slice.
fn rank_bits(cfg: &CoreConfig) -> usize {
    cfg.wid_bits() - clog2(cfg.slices).min(cfg.wid_bits())
}

module! {
    /// What a slice reads of the instruction that it issues: its word and its address.
    ///
    /// A bank for its own warps, or, if slices share warps, for those of every slice, since each slice's decoder writes one.
    /// Ports: `write_enable`, `write_address`, `write_data` a bank, `read_address`, `read_bank` -> `word`. Latency: none for reads; what is
    /// written shows in the next cycle. Reset: none. Invariants: one bank is read. Critical path: LUT RAM, choice of the bank.
    /// Source: none. Mirror in the model: none.
    pub struct Payload(cfg: &CoreConfig) [clock]
    let banks = if cfg.shares_warps() { cfg.slices } else { 1 };
    let address = address_bits(cfg);
    let pairs = cfg.fetches_pairs();
    {
        /// Writes a bank.
        pub write_enable: Vec<Signal<In, Bit>> = vec![Signal::default(); banks],
        /// At {rank of the warp, slot}, or with `--fetch-width 2` at the rank alone.
        pub write_address: Vec<Signal<In, Bits<16>>> = signals(banks, address),
        /// Address and word of the instruction.
        pub write_data: Vec<Signal<In, Bits<64>>> = signals(banks, 64),
        /// The same.
        pub read_address: Signal<In, Bits<16>> = signal(address),
        /// With `--fetch-width 2`: writes the second of two instructions, at the address of the first.
        pub write_second: Opt<Vec<Signal<In, Bit>>> = Opt::new(pairs, vec![Signal::default(); banks]),
        /// Its address and word.
        pub second_data: Opt<Vec<Signal<In, Bits<64>>>> = Opt::new(pairs, signals(banks, 64)),
        /// Reads the second.
        pub read_second: Opt<Signal<In, Bit>> = Opt::new(pairs, Signal::default()),
        /// B bits, one-hot: the slice of the warp; without effect with one bank.
        pub read_bank: Signal<In, Bits<32>> = signal(banks),
        /// Address and word.
        pub word: Signal<Out, Bits<64>>,
        memories: Vec<LutRam<64>> = (0..banks).map(|_| LutRam::new(64, 1 << address)).collect(),
        seconds: Opt<Vec<LutRam<64>>> = Opt::new(pairs, (0..banks).map(|_| LutRam::new(64, 1 << address)).collect()),
        read: Signal<Local, Bits<64>>,
        pairs: Const<Bit> = Const::new(pairs),
        single: Const<Bit> = Const::new(banks == 1),
        _banks: usize = banks,
    }
}

impl Logic for Payload {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread read_bank: a single bank is always the one");
        self.word.next = 0.into();
        for b in 0..self._banks {
            self.memories[b].write_enable.next = self.write_enable[b].val();
            self.memories[b].write_address.next = self.write_address[b].val();
            self.memories[b].write_data.next = self.write_data[b].val();
            self.memories[b].read_address.next = self.read_address.val();
            self.read.next = self.memories[b].read_data.val();
            if self.pairs.val() {
                self.seconds[b].write_enable.next = self.write_second[b].val();
                self.seconds[b].write_address.next = self.write_address[b].val();
                self.seconds[b].write_data.next = self.second_data[b].val();
                self.seconds[b].read_address.next = self.read_address.val();
                if self.read_second.val() {
                    self.read.next = self.seconds[b].read_data.val();
                }
            }
            if self.single.val() | self.read_bank.val().get_bit(b) {
                self.word.next = self.word.val() | self.read.val();
            }
        }
    }
}
