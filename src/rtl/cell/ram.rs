//! Memories with one read and one write port and a run-time width and depth.
//!
//! No memory has a reset or an initial value. An address at or beyond `depth` reads 0 in the Rust model and an
//! unknown value in Verilog; a write there is lost. The address ports are declared `clog2(depth)` bits wide.
use super::width::signal;
use crate::clocked;
use rust_hdl::prelude::*;

/// Widest address port: memories have at most 65,536 words.
const ADDRESS: usize = 16;

fn address<D: Direction>(depth: usize) -> Signal<D, Bits<ADDRESS>> {
    signal(clog2(depth.max(2)))
}

/// The word at an address; 0 beyond the last.
fn word<const N: usize>(words: &[Bits<N>], address: Bits<ADDRESS>) -> Bits<N> {
    words.get(address.index()).copied().unwrap_or_default()
}

/// The bits of `value` that a word of `width` bits keeps.
fn cut<const N: usize>(value: Bits<N>, width: usize) -> Bits<N> {
    value & (Bits::<N>::mask() >> (N - width.clamp(1, N)) as u64)
}

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
            false => ("_no_collision", "a word is not read while it is written", "(* no_rw_check *)\n"),
        };
        let (clearable, clear) = match self.clear.is_empty() {
            true => ("", ""),
            false => ("_clear", "if (clear) read_data <= 0;\n  else "),
        };
        Verilog::Custom(format!(
            "// module SyncRam_{depth}x{width}{suffix}{clearable}\n\
             // {depth} words of {width} bits, one read and one write port; {collision}.\n\
             {attribute}reg [{}:0] words [0:{}];\n\n\
             always @(posedge clock) begin\n\
             \x20 {clear}if (read_enable) read_data <= words[read_address];\n\
             \x20 if (write_enable) words[write_address] <= write_data;\n\
             end\n",
            width - 1,
            depth - 1
        ))
    }
}

/// Synchronous memory of 32-bit words with byte enables on the write port; block RAM on an FPGA.
///
/// Ports as [`SyncRam`], but `write_enable` has one bit a byte (bit 0: bits 7..0).
/// Its owner must not use what it read of a word in the cycle in which it wrote that word: as with
/// [`SyncRam::without_collisions`], that saves a comparator and a bypass beside each block RAM.
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
                format!("  if (write_enable[{byte}]) words[write_address]{bits} <= write_data{bits};\n")
            })
            .collect();
        Verilog::Custom(format!(
            "// module SyncRamBe_{depth}x32\n\
             // {depth} words of 32 bits with byte enables; a word is not read while it is written.\n\
             (* no_rw_check *)\n\
             reg [31:0] words [0:{}];\n\n\
             always @(posedge clock) begin\n\
             \x20 if (read_enable) read_data <= words[read_address];\n{bytes}end\n",
            depth - 1
        ))
    }
}

/// Synchronous memory of 32-bit words, written a line of words at a time and read a word at a time; block RAM on an FPGA.
///
/// Block RAMs whose ports differ in width choose the word by themselves, so that it costs no multiplexer.
/// Ports as [`SyncRam`], but `write_address` is a line and `write_data` its words.
/// Its owner must not use what it read of a line in the cycle in which it wrote that line, as with
/// [`SyncRam::without_collisions`].
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
             reg [31:0] words [0:{}];\n\
             integer i;\n\n\
             always @(posedge clock) begin\n\
             \x20 if (read_enable) read_data <= words[read_address];\n\
             \x20 if (write_enable)\n\
             \x20   for (i = 0; i < {words}; i = i + 1) words[{{{line}i[{}:0]}}] <= write_data[i*32 +: 32];\n\
             end\n",
            depth - 1,
            bits - 1
        ))
    }
}

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
             reg [{}:0] words [0:{}];\n\n\
             assign read_data = words[read_address];\n\
             always @(posedge clock) if (write_enable) words[write_address] <= write_data;\n",
            width - 1,
            depth - 1
        ))
    }
}
