//! Driving a block of hardware by hand.
use rust_hdl::prelude::*;

/// A block with a clock port.
pub trait Clocked: Block {
    /// Its clock.
    fn clock(&mut self) -> &mut Signal<In, Clock>;
}

/// Propagates the inputs until nothing changes.
pub fn settle(block: &mut impl Block) {
    assert!(simulate(block, 100), "the combinational logic does not settle");
}

/// Ends the cycle: the registers take what their inputs are now. The clock falls when the next inputs come, for nothing changes
/// at that edge.
pub fn tick(block: &mut impl Clocked) {
    settle(block);
    block.clock().next = true.into();
    settle(block);
    block.clock().next = false.into();
}

/// The number a port holds.
pub fn number<D: Direction, const N: usize>(signal: &Signal<D, Bits<N>>) -> u32
where
    Signal<D, Bits<N>>: Value,
{
    signal.value() as u32
}

/// Ports that can be read from outside.
pub trait Value {
    /// The value as a number.
    fn value(&self) -> u64;
}

impl<const N: usize> Value for Signal<In, Bits<N>> {
    fn value(&self) -> u64 {
        self.val().to_u64()
    }
}

impl<const N: usize> Value for Signal<Out, Bits<N>> {
    fn value(&self) -> u64 {
        self.val().to_u64()
    }
}

/// Drives a port with a number.
pub fn drive<const N: usize>(signal: &mut Signal<In, Bits<N>>, value: u32) {
    signal.next = u64::from(value).to_bits();
}

macro_rules! clocked {
    ($($block:ty),*) => {$(
        impl Clocked for $block {
            fn clock(&mut self) -> &mut Signal<In, Clock> {
                &mut self.clock
            }
        }
    )*};
}

clocked!(
    rtl::cell::AgeMatrix,
    hdl::cell::FreeNumber,
    hdl::cell::RoundRobinArbiter,
    rtl::mem::icache::InstructionCache,
    rtl::stage::ibuffer::InstructionBuffer,
    super::front_end::FrontEnd
);
