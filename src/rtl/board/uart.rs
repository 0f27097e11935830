//! Serial transmitter.
use crate::prelude::*;

/// Bytes that may wait.
const DEPTH: usize = 64;

module! {
    /// Sends bytes as asynchronous serial data: one start bit, eight data bits, lowest first, one stop bit, no parity.
    ///
    /// Ports: below. Latency: a byte's start bit begins two cycles after it was put if nothing waits; a byte takes
    /// ten bits. Reset: nothing waits, the line rests. Invariants: bytes leave in the order in which they came, none
    /// is lost: 64 wait, then `put_ready` is 0. Critical path: the counter of a bit's cycles. Source: none. Mirror in
    /// the model: `cosim::uart` reads the line.
    pub struct UartTransmitter(divider: u32) [clock, reset] {
        /// What is to be sent.
        pub put: ByteStream<In> = ByteStream::new(),
        /// The serial line.
        pub tx: Signal<Out, Bit>,
        /// Something is being sent.
        pub busy: Signal<Out, Bit>,
        queue: LutRam<8> = LutRam::new(8, DEPTH),
        head, tail: Reg<Bits<6>>,
        count: Reg<Bits<7>>,
        enters, take: Signal<Local, Bit>,
        /// What is left of the frame, the bit on the line excluded.
        frame: Reg<Bits<9>>,
        bits_left: Reg<Bits<4>>,
        timer: Reg<Bits<16>>,
        line: Reg<Bit> = Reg::resetting_to(true),
        bit_ends: Signal<Local, Bit>,
        full: Const<Bits<7>> = constant(7, DEPTH as u64),
        last_cycle: Const<Bits<16>> = constant(16, u64::from(divider) - 1),
    }
}

impl Logic for UartTransmitter {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("1. bytes that wait: one leaves when the line is free");
        self.take.next = (self.bits_left.q.val() == 0) & (self.count.q.val() != 0);
        self.put.ready.next = self.count.q.val() != self.full.val();
        self.enters.next = self.put.valid.val() & self.put.ready.val();
        self.queue.write_enable.next = self.enters.val();
        self.queue.write_address.next = bit_cast::<16, 6>(self.head.q.val());
        self.queue.write_data.next = self.put.byte.val();
        self.queue.read_address.next = bit_cast::<16, 6>(self.tail.q.val());
        if self.enters.val() {
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.enters.val() & !self.take.val() {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.take.val() & !self.enters.val() {
            self.count.d.next = self.count.q.val() - 1;
        }
        comment!("2. the bit on the line");
        self.bit_ends.next = self.timer.q.val() == self.last_cycle.val();
        self.timer.d.next = self.timer.q.val() + 1;
        if self.bit_ends.val() | (self.bits_left.q.val() == 0) {
            self.timer.d.next = 0.into();
        }
        if self.bit_ends.val() & (self.bits_left.q.val() != 0) {
            self.bits_left.d.next = self.bits_left.q.val() - 1;
            self.line.d.next = self.frame.q.val().get_bit(0);
            self.frame.d.next = (self.frame.q.val() >> 1) | 0x100;
        }
        comment!("3. the next byte: its start bit now, its data and stop bit to follow");
        if self.take.val() {
            self.tail.d.next = self.tail.q.val() + 1;
            self.line.d.next = false;
            self.frame.d.next = bit_cast::<9, 8>(self.queue.read_data.val()) | 0x100;
            self.bits_left.d.next = 10.into();
        }
        self.tx.next = self.line.q.val();
        self.busy.next = (self.bits_left.q.val() != 0) | (self.count.q.val() != 0);
    }
}
