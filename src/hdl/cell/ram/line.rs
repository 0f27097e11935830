//! Synchronous memory that is written by lines and read by words.
use super::{address, word, ADDRESS};
use crate::prelude::*;

/// Synchronous memory of 32-bit words, written a line of words at a time and read a word at a time; block RAM on an FPGA.
///
/// Block RAMs whose ports differ in width choose the word by themselves, so that it costs no multiplexer.
/// Ports as [`SyncRam`](super::SyncRam), but `write_address` is a line and `write_data` its words.
/// Its owner must not use what it read of a line in the cycle in which it wrote that line, as with
/// [`SyncRam::without_collisions`](super::SyncRam::without_collisions).
#[derive(LogicBlock)]
pub struct LineRam {
    /// Rising edge reads and writes.
    pub clock: Signal<In, Clock>,
    /// Loads `read_data` with the addressed word.
    pub read_enable: Signal<In, Bit>,
    /// Word to read: the line, and in the low bits the word in it.
    pub read_address: Signal<In, Bits<ADDRESS>>,
    /// The word last read.
    pub read_data: Signal<Out, Bits<32>>,
    /// Stores `write_data`.
    pub write_enable: Signal<In, Bit>,
    /// Line to write.
    pub write_address: Signal<In, Bits<ADDRESS>>,
    /// Its words.
    pub write_data: Vec<Signal<In, Bits<32>>>,
    _words: Vec<Bits<32>>,
}

impl LineRam {
    /// A memory of `lines` lines of `words` words, a power of two from 2 on; at most 65,536 words in all.
    pub fn new(lines: usize, words: usize) -> Self {
        Self {
            clock: Signal::default(),
            read_enable: Signal::default(),
            read_address: address(lines * words),
            read_data: Signal::default(),
            write_enable: Signal::default(),
            write_address: address(lines),
            write_data: vec![Signal::default(); words],
            _words: vec![Bits::default(); lines * words],
        }
    }
}

clocked!(LineRam);

impl Logic for LineRam {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self.read_enable.val() {
                self.read_data.next = word(&self._words, self.read_address.val());
            }
            if self.write_enable.val() {
                let first = self.write_address.val().index() * self.write_data.len();
                for (i, data) in self.write_data.iter().enumerate() {
                    if let Some(word) = self._words.get_mut(first + i) {
                        *word = data.val();
                    }
                }
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let (depth, words) = (self._words.len(), self.write_data.len());
        let (lines, bits) = (depth / words, words.trailing_zeros());
        // The only line has a number of one bit, which is 0.
        let line = if lines == 1 { String::new() } else { "write_address, ".to_owned() };
        Verilog::Custom(format!(
            "// module LineRam_{lines}x{words}x32\n\
             // {lines} lines of {words} words of 32 bits, written a line and read a word at a time; a line is not read while it is written.\n\
             (* no_rw_check *)\n\
             reg [31:0] stored [0:{}];\n\
             integer i;\n\n\
             always @(posedge clock) begin\n\
             \x20 if (read_enable) read_data <= stored[read_address];\n\
             \x20 if (write_enable)\n\
             \x20   for (i = 0; i < {words}; i = i + 1) stored[{{{line}i[{}:0]}}] <= write_data[i*32 +: 32];\n\
             end\n",
            depth - 1,
            bits - 1
        ))
    }
}
