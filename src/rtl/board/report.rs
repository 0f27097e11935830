//! What a board says when its program has ended.
use crate::prelude::*;

module! {
    /// Passes the console's bytes on to the serial line, and adds a last line when the core has come to rest: `exit: ` and
    /// the exit code, or `fault ` and the address of the faulting instruction, as eight hexadecimal digits.
    ///
    /// Ports: below. Latency: none for the console's bytes. Reset: the program has not begun. Invariants: the last
    /// line is said once and begins a line of its own; after a fault nothing more is taken from the console before it
    /// is complete. Critical path: choice of the digit. Source: docs/ISA.md, section 7 (busy, exit code). Mirror in
    /// the model: none.
    pub struct ExitReport() [clock, reset] {
        /// The core works.
        pub core_busy: Signal<In, Bit>,
        /// It has faulted.
        pub fault_valid: Signal<In, Bit>,
        /// Where.
        pub fault_pc: Signal<In, Bits<32>>,
        /// What the program stored as its exit code.
        pub exit_code: Signal<In, Bits<32>>,
        /// The console.
        pub console: ByteStream<In> = ByteStream::new(),
        /// What is to be sent.
        pub put: ByteStream<Out> = ByteStream::new(),
        /// The program has ended, or faulted.
        pub ended: Signal<Out, Bit>,
        /// It has faulted.
        pub faulted: Signal<Out, Bit>,
        begun, over, fault, said, mid_line: Reg<Bit>,
        /// Of the last line: 0..5 the word, 6..13 the digits, 14 the end.
        position: Reg<Bits<4>>,
        value: Pipe<Bits<32>>,
        speaks, moves: Signal<Local, Bit>,
        text: Signal<Local, Bits<64>>,
        digit: Signal<Local, Bits<4>>,
        letter: Signal<Local, Bits<8>>,
        exit_text: Const<Bits<64>> = constant(64, text("exit: ")),
        fault_text: Const<Bits<64>> = constant(64, text("fault ")),
        newline: Const<Bits<8>> = constant(8, u64::from(b'\n')),
    }
}

/// Characters, the first one lowest.
fn text(characters: &str) -> u64 {
    characters.bytes().rev().fold(0, |text, byte| text << 8 | u64::from(byte))
}

impl Logic for ExitReport {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("unread letter_wide: a letter is a byte");
        comment!("1. whether the program has ended");
        self.begun.d.next = self.begun.q.val() | self.core_busy.val();
        if self.fault_valid.val() & !self.over.q.val() {
            self.over.d.next = true;
            self.fault.d.next = true;
            self.value.d.next = self.fault_pc.val();
        } else if self.begun.q.val() & !self.core_busy.val() & !self.over.q.val() {
            self.over.d.next = true;
            self.value.d.next = self.exit_code.val();
        }
        self.ended.next = self.over.q.val();
        self.faulted.next = self.fault.q.val();
        comment!("2. the last line's characters");
        self.speaks.next = self.over.q.val() & !self.said.q.val();
        self.text.next = self.exit_text.val();
        if self.fault.q.val() {
            self.text.next = self.fault_text.val();
        }
        comment!("The highest digit comes first.");
        self.digit.next = self.value.q.val().get_bits::<4>(28);
        self.letter.next = self.text.val().get_bits::<8>(self.position.q.val().index() * 8);
        if self.position.q.val() >= 6 {
            self.letter.next = bit_cast::<8, 4>(self.digit.val()) | 0x30;
            if self.digit.val() >= 10 {
                self.letter.next = bit_cast::<8, 4>(self.digit.val()) + 0x57;
            }
        }
        if self.mid_line.q.val() | (self.position.q.val() == 14) {
            self.letter.next = self.newline.val();
        }
        comment!("3. to the line");
        Data::join(&mut self.console, &mut self.put);
        if self.speaks.val() {
            self.put.valid.next = true;
            self.put.byte.next = self.letter.val();
        }
        self.console.ready.next = self.put.ready.val() & !self.speaks.val();
        self.moves.next = self.put.valid.val() & self.put.ready.val();
        if self.moves.val() {
            self.mid_line.d.next = self.put.byte.val() != self.newline.val();
        }
        if self.moves.val() & self.speaks.val() {
            self.mid_line.d.next = false;
            if !self.mid_line.q.val() {
                self.position.d.next = self.position.q.val() + 1;
                if self.position.q.val() >= 6 {
                    self.value.d.next = self.value.q.val() << 4;
                }
                if self.position.q.val() == 14 {
                    self.said.d.next = true;
                }
            }
        }
    }
}
