//! Words and addresses of the queued instructions, for one slice.
use crate::prelude::*;

/// Width of a warp's number among those of its slice.
pub(super) fn rank_bits(cfg: &CoreConfig) -> usize {
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
    let address = bits_for(cfg.queue_depth) + rank_bits(cfg);
    {
        /// Writes a bank.
        pub write_enable: Vec<Signal<In, Bit>> = vec![Signal::default(); banks],
        /// At {rank of the warp, slot}.
        pub write_address: Vec<Signal<In, Bits<16>>> = signals(banks, address),
        /// Address and word of the instruction.
        pub write_data: Vec<Signal<In, Bits<64>>> = signals(banks, 64),
        /// {rank of the warp, slot}.
        pub read_address: Signal<In, Bits<16>> = signal(address),
        /// B bits, one-hot: the slice of the warp; without effect with one bank.
        pub read_bank: Signal<In, Bits<32>> = signal(banks),
        /// Address and word.
        pub word: Signal<Out, Bits<64>>,
        memories: Vec<LutRam<64>> = (0..banks).map(|_| LutRam::new(64, 1 << address)).collect(),
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
            if self.single.val() | self.read_bank.val().get_bit(b) {
                self.word.next = self.word.val() | self.memories[b].read_data.val();
            }
        }
    }
}
