//! The board's memory behind the core's bus, with the console and the exit code in it.
use crate::bundles::LINE_WORDS as WORDS;
use crate::prelude::*;

use spec::config::{LOCAL_MEM_BASE, STACK_BYTES};

use super::loaded_ram::{banks, LoadedRam};

/// Bytes of stack that each thread really has: the upper end of the 8 KB that docs/ISA.md, section 6 sets aside for it.
pub const BOARD_STACK_BYTES: usize = 1024;

// Line addresses (byte address / 64) of docs/ISA.md, section 6.
const IMAGE: u64 = 0x8000_0000 >> 6;
const STACKS_END: u64 = LOCAL_MEM_BASE as u64 >> 6;
const CONSOLE: u64 = 0x40 >> 6;
const EXIT: u64 = 0x80 >> 6;
/// First line after the I/O region's part that programs write to.
const IO_END: u64 = 0x1000 >> 6;
/// Lines of a thread's 8 KB, and those of them that are there.
const STACK_LINES: u64 = STACK_BYTES as u64 / 64;
const KEPT_LINES: u64 = BOARD_STACK_BYTES as u64 / 64;

module! {
    /// Memory of a small system: block RAM for the program and the stacks, console, exit code.
    ///
    /// Ports, from and to the core's line bus: `req`, `rsp`. To the console: `console_valid`, `console_byte` ->
    /// `console_ready`. For all to see: `exit_code` (what was last stored at 0x88, 0 at first), `stray` (the program read or
    /// wrote what is not there, since reset).
    ///
    /// The map: from 0x80000000 on the program, below 0xFFFF0000 the stacks, of whose 8 KB each the upper 1 KB is there; both
    /// share one block RAM, the stacks at its end. Of stacks that lie side by side, `together` of them, the upper end is that
    /// of all. Bytes stored at 0x40..0x7F go to the console, one at a time, lowest
    /// address first. Everything else reads 0, and what is written there is lost: every request is answered. Instructions
    /// may be fetched from anywhere, because fetching runs ahead of the program.
    /// Latency: a request is accepted in its second cycle, one to the console after 64 and more; a line that is read arrives
    /// a cycle after its request was accepted. Reset: no request, exit code 0; the RAM keeps its contents.
    /// Invariants: the core holds a request until it is accepted, which is why its address is looked at in one cycle and
    /// its data taken in the next; responses come in the order of the requests.
    /// Critical path: from the choice of the request, in the core, to the comparison of its address.
    /// Source: docs/ISA.md, section 6. Deviation: console bytes of all threads go to one line of text.
    /// Mirror in the model: `model::Memory`, which reports what is missing instead.
    pub struct BoardMemory(bytes: usize, threads: usize, together: usize, image: &[u32]) [clock, reset]
    let lines = bytes / (4 * WORDS);
    let threads = threads.next_power_of_two() as u64;
    let together = together as u64;
    let image_lines = lines as u64 - threads * KEPT_LINES;
    let address = |value: u64| constant(26, value);
    {
        // From and to the core.
        /// A request; bit 7 of its tag marks instructions.
        pub req: LineRequest<In> = LineRequest::new(BUS_TAG_BITS),
        /// A line that was read.
        pub rsp: LineResponse<Out> = LineResponse::new(BUS_TAG_BITS),
        // To the console.
        /// The console.
        pub console: ByteStream<Out> = ByteStream::new(),
        // To the report and the LEDs.
        /// What the program stored as its exit code.
        pub exit_code: Signal<Out, Bits<32>>,
        /// The program used an address that is not there.
        pub stray: Signal<Out, Bit>,
        ram: Vec<LoadedRam> = banks(image, WORDS, lines),
        /// The request's address has been looked at; what it is:
        decoded: Reg<Bit>,
        in_ram, in_console, in_exit, nowhere: Reg<Bit>,
        /// Its line in the RAM.
        line: Pipe<Bits<26>>,
        is_image, is_stack: Signal<Local, Bit>,
        stack_line: Signal<Local, Bits<26>>,
        /// The request does its work in this cycle.
        act: Signal<Local, Bit>,
        read, write: Signal<Local, Bit>,
        /// The console's byte that is looked at.
        position: Reg<Bits<6>>,
        console_index: Signal<Local, Bits<4>>,
        console_word: Signal<Local, Bits<32>>,
        console_moves: Signal<Local, Bit>,
        byte_offset, word_index: Signal<Local, Bits<6>>,
        response: Reg<Bit>,
        response_tag: Pipe<Bits<16>> = Pipe::<Bits<16>>::width(BUS_TAG_BITS),
        response_zero: Pipe<Bit>,
        code: Reg<Bits<32>>,
        strayed: Reg<Bit>,
        image_first: Const<Bits<26>> = address(IMAGE),
        image_end: Const<Bits<26>> = address(IMAGE + image_lines),
        stacks_first: Const<Bits<26>> = address(STACKS_END - threads * STACK_LINES),
        stacks_end: Const<Bits<26>> = address(STACKS_END),
        stack_base: Const<Bits<26>> = address(image_lines),
        kept: Const<Bits<26>> = address(together * (STACK_LINES - KEPT_LINES)),
        line_mask: Const<Bits<26>> = address(together * KEPT_LINES - 1),
        thread_mask: Const<Bits<26>> = address((threads - together) * KEPT_LINES),
        console_line: Const<Bits<26>> = address(CONSOLE),
        exit_line: Const<Bits<26>> = address(EXIT),
        io_end: Const<Bits<26>> = address(IO_END),
        last_byte: Const<Bits<6>> = constant(6, 63),
        _words: usize = WORDS,
    }
}

impl Logic for BoardMemory {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread line: rows are the low bits, what is above decides which memory it is");
        comment!("unread ram_write_enable_wide: a word has four bytes");
        comment!("1. what the request is about");
        self.is_image.next =
            (self.req.addr.val() >= self.image_first.val()) & (self.req.addr.val() < self.image_end.val());
        comment!("The upper eighth of a stack's lines, or of those that lie side by side.");
        self.is_stack.next = (self.req.addr.val() >= self.stacks_first.val())
            & (self.req.addr.val() < self.stacks_end.val())
            & ((self.req.addr.val() & self.kept.val()) == self.kept.val());
        self.in_ram.d.next = self.is_image.val() | self.is_stack.val();
        self.in_console.d.next = self.req.addr.val() == self.console_line.val();
        self.in_exit.d.next = self.req.addr.val() == self.exit_line.val();
        self.nowhere.d.next =
            !self.is_image.val() & !self.is_stack.val() & (self.req.addr.val() >= self.io_end.val());
        comment!("Consecutive stacks are eight times as far apart in the map as in the RAM.");
        self.stack_line.next = ((self.req.addr.val() >> 3) & self.thread_mask.val())
            | (self.req.addr.val() & self.line_mask.val())
            | self.stack_base.val();
        self.line.d.next = self.req.addr.val();
        if self.is_stack.val() {
            self.line.d.next = self.stack_line.val();
        }
        comment!("2. the console's bytes");
        self.console_index.next = self.position.q.val().get_bits::<4>(2);
        self.console_word.next = self.req.data[self.console_index.val().index()].val();
        self.console.byte.next = self.console_word.val().get_bits::<8>(0);
        if self.position.q.val().get_bits::<2>(0) == 1 {
            self.console.byte.next = self.console_word.val().get_bits::<8>(8);
        }
        if self.position.q.val().get_bits::<2>(0) == 2 {
            self.console.byte.next = self.console_word.val().get_bits::<8>(16);
        }
        if self.position.q.val().get_bits::<2>(0) == 3 {
            self.console.byte.next = self.console_word.val().get_bits::<8>(24);
        }
        self.console.valid.next = self.decoded.q.val()
            & self.in_console.q.val()
            & self.req.rw.val()
            & self.req.byteen.val().get_bit(self.position.q.val().index());
        self.console_moves.next = !self.console.valid.val() | self.console.ready.val();
        if self.decoded.q.val() & self.in_console.q.val() & self.req.rw.val() & self.console_moves.val() {
            self.position.d.next = self.position.q.val() + 1;
        }
        comment!("3. when it is done: a read as soon as there is room for the line, the console's bytes one by one");
        self.act.next = self.decoded.q.val();
        if !self.req.rw.val() & self.response.q.val() {
            self.act.next = false;
        }
        if self.req.rw.val() & self.in_console.q.val() {
            self.act.next = self.decoded.q.val()
                & self.console_moves.val()
                & (self.position.q.val() == self.last_byte.val());
        }
        self.req.ready.next = self.act.val();
        self.decoded.d.next = self.req.valid.val() & !self.act.val();
        self.read.next = self.act.val() & !self.req.rw.val();
        self.write.next = self.act.val() & self.req.rw.val();
        comment!("4. the RAM, a bank for each word of a line");
        for w in 0..self._words {
            self.ram[w].address.next = self.line.q.val().get_bits::<16>(0);
            self.ram[w].read_enable.next = self.read.val();
            self.ram[w].write_data.next = self.req.data[w].val();
            self.word_index.next = w.to_bits::<6>();
            self.byte_offset.next = self.word_index.val() << 2;
            self.ram[w].write_enable.next = 0.into();
            if self.write.val() & self.in_ram.q.val() {
                self.ram[w].write_enable.next =
                    self.req.byteen.val().get_bits::<4>(self.byte_offset.val().index());
            }
        }
        comment!("5. the line that was read");
        if self.response.q.val() & self.rsp.ready.val() {
            self.response.d.next = false;
        }
        if self.read.val() {
            self.response.d.next = true;
            self.response_tag.d.next = self.req.tag.val();
            self.response_zero.d.next = !self.in_ram.q.val();
        }
        self.rsp.valid.next = self.response.q.val();
        self.rsp.tag.next = self.response_tag.q.val();
        for w in 0..self._words {
            self.rsp.data[w].next = self.ram[w].read_data.val();
            if self.response_zero.q.val() {
                self.rsp.data[w].next = 0.into();
            }
        }
        comment!("6. the exit code, and addresses that are not there");
        if self.write.val() & self.in_exit.q.val() & (self.req.byteen.val().get_bits::<4>(8) == 0xF) {
            self.code.d.next = self.req.data[2].val();
        }
        self.exit_code.next = self.code.q.val();
        if self.act.val() & self.nowhere.q.val() & !self.req.tag.val().get_bit(7) {
            self.strayed.d.next = true;
        }
        self.stray.next = self.strayed.q.val();
    }
}
