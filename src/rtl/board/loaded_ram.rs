//! Block RAM that the bitstream fills.
use crate::prelude::*;

/// Synchronous memory of 32-bit words with byte enables on the write port and contents from the start.
///
/// Ports as [`SyncRamBe`](hdl::cell::SyncRamBe), but the addresses are 16 bits wide and their upper bits are not
/// looked at, so that a word is found at every multiple of the depth. Reset: none; the contents are those that the
/// bitstream gives, words that are not named start at 0. Its owner must not use what it read of a word in the cycle in
/// which it wrote that word. Critical path: one block RAM access. Source: none. Mirror in the model: `model::Memory`.
#[derive(LogicBlock)]
pub struct LoadedRam {
    /// Rising edge reads and writes.
    pub clock: Signal<In, Clock>,
    /// Loads `read_data` with the addressed word.
    pub read_enable: Signal<In, Bit>,
    /// Word to read or write.
    pub address: Signal<In, Bits<16>>,
    /// The word last read.
    pub read_data: Signal<Out, Bits<32>>,
    /// Bytes of `write_data` to store.
    pub write_enable: Signal<In, Bits<4>>,
    /// Data to write.
    pub write_data: Signal<In, Bits<32>>,
    _contents: Vec<u32>,
    _words: Vec<Bits<32>>,
}

impl LoadedRam {
    /// A memory of as many words as `contents` has, a power of two of at most 65,536.
    pub fn new(contents: Vec<u32>) -> Self {
        Self {
            clock: Signal::default(),
            read_enable: Signal::default(),
            address: Signal::default(),
            read_data: Signal::default(),
            write_enable: Signal::default(),
            write_data: Signal::default(),
            _words: contents.iter().map(|&word| Bits::from(u64::from(word))).collect(),
            _contents: contents,
        }
    }
}

clocked!(LoadedRam);

impl Logic for LoadedRam {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let at = self.address.val().index() % self._words.len();
            if self.read_enable.val() {
                self.read_data.next = self._words[at];
            }
            let (enable, data) = (self.write_enable.val(), self.write_data.val());
            for byte in (0..4).filter(|&byte| enable.get_bit(byte)) {
                self._words[at].set_bits::<8>(8 * byte, data.get_bits::<8>(8 * byte));
            }
        }
    }
    fn connect(&mut self) {
        self.read_data.connect();
    }
    fn hdl(&self) -> Verilog {
        let depth = self._contents.len();
        let word = format!("address[{}:0]", depth.trailing_zeros().max(1) - 1);
        let bytes: String = (0..4)
            .map(|byte| {
                let bits = format!("[{}:{}]", 8 * byte + 7, 8 * byte);
                format!("  if (write_enable[{byte}]) stored[{word}]{bits} <= write_data{bits};\n")
            })
            .collect();
        let named = self._contents.iter().enumerate().filter(|(_, &word)| word != 0);
        let contents: String =
            named.map(|(at, word)| format!("  stored[{at}] = 32'h{word:08x};\n")).collect();
        Verilog::Custom(format!(
            "// module LoadedRam_{depth}x32\n\
             // {depth} words of 32 bits with byte enables, filled by the bitstream; a word is not read while it is written.\n\
             (* no_rw_check *)\n\
             reg [31:0] stored [0:{last}];\n\
             integer i;\n\
             // Not read: addresses have 16 bits in every size.\n\
             wire unused_address = &{{1'b0, address}};\n\n\
             initial begin\n\
             \x20 for (i = 0; i < {depth}; i = i + 1) stored[i] = 32'h0;\n{contents}end\n\n\
             always @(posedge clock) begin\n\
             \x20 if (read_enable) read_data <= stored[{word}];\n{bytes}end\n",
            last = depth - 1
        ))
    }
}

/// Banks of words: bank `i` holds word `i` of each line of `image`, whose last line is filled up with zeros.
pub(super) fn banks(image: &[u32], words: usize, lines: usize) -> Vec<LoadedRam> {
    let word = |bank, line| image.get(line * words + bank).copied().unwrap_or(0);
    (0..words).map(|bank| LoadedRam::new((0..lines).map(|line| word(bank, line)).collect())).collect()
}
