//! Where in memory the words of the threads' stacks are.
use crate::prelude::*;
use spec::config::{LOCAL_MEM_BASE, STACK_BYTES};

module! {
    /// Interleaves the words of the stacks of up to 8 lanes, so that lanes which use the same place of their stacks meet in a line.
    ///
    /// Of an address in the stacks the bits that number the lane change places with those that number the word:
    /// group, lane, word, byte become group, word, lane, byte.
    ///
    /// Ports: `address`, `size` -> `place`. A misaligned address, which is a fault, stays what the program said.
    /// Latency: combinational. Reset: none. Invariants: each byte of the stacks has a place of its own in them; other
    /// addresses stay. Critical path: 32-bit comparison, 2:1 selection. Source: docs/ISA.md, section 6.
    /// Mirror in the model: `model::memory::Stacks`.
    pub struct StackInterleaver(cfg: &CoreConfig)
    let lane_bits = clog2(cfg.interleaved_stacks());
    let lanes = (cfg.interleaved_stacks() - 1) as u64;
    let stack_bytes = u64::from(STACK_BYTES);
    let word = |value: u64| constant(32, value);
    {
        /// Address that the program has.
        pub address: Signal<In, Bits<32>>,
        /// Logarithm of the access's bytes.
        pub size: Signal<In, Bits<2>>,
        /// Address in memory.
        pub place: Signal<Out, Bits<32>>,
        interleaved: Signal<Local, Bits<32>>,
        /// How far the address is beside a multiple of the access's bytes.
        beside: Signal<Local, Bits<2>>,
        stacks_first: Const<Bits<32>> = word(u64::from(LOCAL_MEM_BASE - cfg.stacks_bytes())),
        stacks_end: Const<Bits<32>> = word(LOCAL_MEM_BASE.into()),
        word_mask: Const<Bits<32>> = word(stack_bytes - 4),
        lane_mask: Const<Bits<32>> = word(lanes * stack_bytes),
        word_shift: Const<Bits<4>> = constant(4, lane_bits as u64),
        lane_shift: Const<Bits<4>> = constant(4, clog2(STACK_BYTES as usize) as u64 - 2),
    }
}

impl Logic for StackInterleaver {
    #[hdl_gen]
    fn update(&mut self) {
        self.interleaved.next = (self.address.val() & !(self.lane_mask.val() | self.word_mask.val()))
            | ((self.address.val() & self.word_mask.val()) << self.word_shift.val())
            | ((self.address.val() & self.lane_mask.val()) >> self.lane_shift.val());
        self.beside.next = 0.into();
        if self.size.val() == 1 {
            self.beside.next = self.address.val().get_bits::<2>(0) & 1;
        }
        if self.size.val() == 2 {
            self.beside.next = self.address.val().get_bits::<2>(0);
        }
        self.place.next = self.address.val();
        if (self.address.val() >= self.stacks_first.val())
            & (self.address.val() < self.stacks_end.val())
            & (self.beside.val() == 0)
        {
            self.place.next = self.interleaved.val();
        }
    }
}
