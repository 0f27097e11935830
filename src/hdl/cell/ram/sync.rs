//! Synchronous memory of one width.
use super::{address, cut, word, ADDRESS};
use crate::prelude::*;

/// Synchronous memory, one read and one write port; block RAM on an FPGA.
///
/// Ports: `read_enable`, `read_address` -> `read_data` one cycle later, held while `read_enable` is 0;
/// `write_enable`, `write_address`, `write_data`. A read of the word that is written in the same cycle
/// returns the old data. A memory made [`clearable`](SyncRam::clearable) has `clear` too: `read_data` is 0 in the next
/// cycle, whatever `read_enable` says; block RAMs have an input for it. Critical path: one block RAM access.
#[derive(LogicBlock)]
pub struct SyncRam<const N: usize> {
    /// Rising edge reads and writes.
    pub clock: Signal<In, Clock>,
    /// Loads `read_data` with the addressed word.
    pub read_enable: Signal<In, Bit>,
    /// Of a clearable memory: clears `read_data`.
    pub clear: Vec<Signal<In, Bit>>,
    /// Word to read.
    pub read_address: Signal<In, Bits<ADDRESS>>,
    /// The word last read.
    pub read_data: Signal<Out, Bits<N>>,
    /// Stores `write_data`.
    pub write_enable: Signal<In, Bit>,
    /// Word to write.
    pub write_address: Signal<In, Bits<ADDRESS>>,
    /// Data to write.
    pub write_data: Signal<In, Bits<N>>,
    _width: usize,
    _words: Vec<Bits<N>>,
    _collides: bool,
}

impl<const N: usize> SyncRam<N> {
    /// A memory of `depth` words of `width` bits, `width` at most `N`, `depth` at most 65,536.
    pub fn new(width: usize, depth: usize) -> Self {
        Self {
            clock: Signal::default(),
            read_enable: Signal::default(),
            clear: vec![],
            read_address: address(depth),
            read_data: signal(width),
            write_enable: Signal::default(),
            write_address: address(depth),
            write_data: signal(width),
            _width: width,
            _words: vec![Bits::default(); depth],
            _collides: true,
        }
    }

    /// A memory as [`new`](Self::new) makes it, for an owner that never uses what it read of a word in the cycle
    /// in which it wrote that word. It saves a comparator and a bypass beside each block RAM of an FPGA.
    pub fn without_collisions(width: usize, depth: usize) -> Self {
        Self { _collides: false, ..Self::new(width, depth) }
    }

    /// The same, and what was read can be cleared.
    pub fn clearable(width: usize, depth: usize) -> Self {
        Self { clear: vec![Signal::default()], ..Self::without_collisions(width, depth) }
    }
}

clocked!(SyncRam <const N: usize>);

impl<const N: usize> Logic for SyncRam<N> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self.read_enable.val() {
                self.read_data.next = word(&self._words, self.read_address.val());
            }
            if self.clear.iter().any(|clear| clear.val()) {
                self.read_data.next = Bits::default();
            }
            if self.write_enable.val() {
                let data = cut(self.write_data.val(), self._width);
                if let Some(word) = self._words.get_mut(self.write_address.val().index()) {
                    *word = data;
                }
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let (depth, width) = (self._words.len(), self._width);
        let (suffix, collision, attribute) = match self._collides {
            true => ("", "a read of the word being written gives the old data", ""),
            false => (
                "_no_collision",
                "what is read of a word while it is written is not used",
                "(* no_rw_check *)\n",
            ),
        };
        let (clearable, clear) = match self.clear.is_empty() {
            true => ("", ""),
            false => ("_clear", "if (clear) read_data <= 0;\n  else "),
        };
        Verilog::Custom(format!(
            "// module SyncRam_{depth}x{width}{suffix}{clearable}\n\
             // {depth} words of {width} bits, one read and one write port; {collision}.\n\
             {attribute}reg [{}:0] stored [0:{}];\n\n\
             always @(posedge clock) begin\n\
             \x20 {clear}if (read_enable) read_data <= stored[read_address];\n\
             \x20 if (write_enable) stored[write_address] <= write_data;\n\
             end\n",
            width - 1,
            depth - 1
        ))
    }
}
