//! Memory whose read takes no cycle.
use super::{address, cut, word, ADDRESS};
use crate::prelude::*;

/// Memory with an asynchronous read and a synchronous write; distributed (LUT) RAM on an FPGA.
///
/// Ports: `read_address` -> `read_data` in the same cycle; `write_enable`, `write_address`, `write_data`.
/// A word written is visible from the next cycle on. Critical path: one LUT RAM access and the word multiplexer.
#[derive(LogicBlock)]
pub struct LutRam<const N: usize> {
    /// Rising edge writes.
    pub clock: Signal<In, Clock>,
    /// Word to read.
    pub read_address: Signal<In, Bits<ADDRESS>>,
    /// The addressed word.
    pub read_data: Signal<Out, Bits<N>>,
    /// Stores `write_data`.
    pub write_enable: Signal<In, Bit>,
    /// Word to write.
    pub write_address: Signal<In, Bits<ADDRESS>>,
    /// Data to write.
    pub write_data: Signal<In, Bits<N>>,
    _width: usize,
    _words: Vec<Bits<N>>,
}

impl<const N: usize> LutRam<N> {
    /// A memory of `depth` words of `width` bits, `width` at most `N`, `depth` at most 65,536.
    pub fn new(width: usize, depth: usize) -> Self {
        Self {
            clock: Signal::default(),
            read_address: address(depth),
            read_data: signal(width),
            write_enable: Signal::default(),
            write_address: address(depth),
            write_data: signal(width),
            _width: width,
            _words: vec![Bits::default(); depth],
        }
    }
}

impl<const N: usize> Default for LutRam<N> {
    /// The smallest memory.
    fn default() -> Self {
        Self::new(N, 2)
    }
}

clocked!(LutRam <const N: usize>);

impl<const N: usize> Logic for LutRam<N> {
    fn update(&mut self) {
        if self.clock.pos_edge() && self.write_enable.val() {
            let data = cut(self.write_data.val(), self._width);
            if let Some(word) = self._words.get_mut(self.write_address.val().index()) {
                *word = data;
            }
        }
        self.read_data.next = word(&self._words, self.read_address.val());
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let (depth, width) = (self._words.len(), self._width);
        Verilog::Custom(format!(
            "// module LutRam_{depth}x{width}\n\
             // {depth} words of {width} bits, asynchronous read, synchronous write.\n\
             reg [{}:0] stored [0:{}];\n\n\
             assign read_data = stored[read_address];\n\
             always @(posedge clock) if (write_enable) stored[write_address] <= write_data;\n",
            width - 1,
            depth - 1
        ))
    }
}
