//! Synchronous memory of words with byte enables.
use super::{address, word, ADDRESS};
use crate::prelude::*;

/// Synchronous memory of 32-bit words with byte enables on the write port; block RAM on an FPGA.
///
/// Ports as [`SyncRam`](super::SyncRam), but `write_enable` has one bit a byte (bit 0: bits 7..0).
/// Its owner must not use what it read of a word in the cycle in which it wrote that word: as with
/// [`SyncRam::without_collisions`](super::SyncRam::without_collisions), that saves a comparator and a bypass beside each block RAM.
#[derive(LogicBlock)]
pub struct SyncRamBe {
    /// Rising edge reads and writes.
    pub clock: Signal<In, Clock>,
    /// Loads `read_data` with the addressed word.
    pub read_enable: Signal<In, Bit>,
    /// Word to read.
    pub read_address: Signal<In, Bits<ADDRESS>>,
    /// The word last read.
    pub read_data: Signal<Out, Bits<32>>,
    /// Bytes of `write_data` to store.
    pub write_enable: Signal<In, Bits<4>>,
    /// Word to write.
    pub write_address: Signal<In, Bits<ADDRESS>>,
    /// Data to write.
    pub write_data: Signal<In, Bits<32>>,
    _words: Vec<Bits<32>>,
}

impl SyncRamBe {
    /// A memory of `depth` words of 32 bits, `depth` at most 65,536.
    pub fn new(depth: usize) -> Self {
        Self {
            clock: Signal::default(),
            read_enable: Signal::default(),
            read_address: address(depth),
            read_data: Signal::default(),
            write_enable: Signal::default(),
            write_address: address(depth),
            write_data: Signal::default(),
            _words: vec![Bits::default(); depth],
        }
    }
}

clocked!(SyncRamBe);

impl Logic for SyncRamBe {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            if self.read_enable.val() {
                self.read_data.next = word(&self._words, self.read_address.val());
            }
            let (enable, data) = (self.write_enable.val(), self.write_data.val());
            if let Some(word) = self._words.get_mut(self.write_address.val().index()) {
                for byte in (0..4).filter(|&byte| enable.get_bit(byte)) {
                    word.set_bits::<8>(8 * byte, data.get_bits::<8>(8 * byte));
                }
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let depth = self._words.len();
        let bytes: String = (0..4)
            .map(|byte| {
                let bits = format!("[{}:{}]", 8 * byte + 7, 8 * byte);
                format!("    if (write_enable[{byte}]) stored[write_address]{bits} <= write_data{bits};\n")
            })
            .collect();
        Verilog::Custom(format!(
            "// module SyncRamBe_{depth}x32\n\
             // {depth} words of 32 bits with byte enables; a word is not read while it is written.\n\
             (* no_rw_check *)\n\
             reg [31:0] stored [0:{}];\n\n\
             always @(posedge clock) begin\n\
             \x20 if (read_enable) read_data <= stored[read_address];\n\
             \x20 if (write_enable != 4'd0) begin\n{bytes}  end\nend\n",
            depth - 1
        ))
    }
}
