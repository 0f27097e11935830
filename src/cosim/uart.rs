//! The other end of a serial line.

/// Reads bytes off a line that is sampled once a clock cycle: one start bit, eight data bits, one stop bit.
///
/// It knows nothing of the transmitter but the length of a bit, and samples each bit in its middle.
#[derive(Clone, Debug)]
pub struct UartReceiver {
    divider: u32,
    /// Cycles until the next sample, while a byte arrives.
    wait: Option<u32>,
    /// The samples so far, the latest highest.
    bits: u32,
    count: u32,
    bytes: Vec<u8>,
    errors: u32,
}

impl UartReceiver {
    /// A receiver for bits of `divider` cycles.
    pub fn new(divider: u32) -> Self {
        Self { divider, wait: None, bits: 0, count: 0, bytes: Vec::new(), errors: 0 }
    }

    /// The line's level in the next cycle.
    pub fn sample(&mut self, level: bool) {
        match &mut self.wait {
            None if level => {}
            None => (self.wait, self.bits, self.count) = (Some((self.divider / 2).saturating_sub(1)), 0, 0),
            Some(1..) => self.wait = self.wait.map(|cycles| cycles - 1),
            Some(0) => {
                self.bits |= u32::from(level) << self.count;
                self.count += 1;
                self.wait = (self.count < 10).then_some(self.divider - 1);
                if self.count == 10 {
                    self.end_of_frame();
                }
            }
        }
    }

    fn end_of_frame(&mut self) {
        let (start, stop) = (self.bits & 1, self.bits >> 9);
        match (start, stop) {
            (0, 1) => self.bytes.push((self.bits >> 1) as u8),
            _ => self.errors += 1,
        }
    }

    /// What has been received.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Frames whose start or stop bit was wrong.
    pub fn errors(&self) -> u32 {
        self.errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(receiver: &mut UartReceiver, cycles: u32, bits: u32) {
        for bit in 0..10 {
            (0..cycles).for_each(|_| receiver.sample(bits >> bit & 1 == 1));
        }
    }

    #[test]
    fn bytes_are_read_and_broken_frames_counted() {
        for divider in [2, 3, 16] {
            let mut receiver = UartReceiver::new(divider);
            (0..9).for_each(|_| receiver.sample(true));
            for byte in [0x00u8, 0xFF, 0x55, 0xA7] {
                send(&mut receiver, divider, 1 << 9 | u32::from(byte) << 1);
            }
            (0..20).for_each(|_| receiver.sample(true));
            assert_eq!((receiver.bytes(), receiver.errors()), ([0x00, 0xFF, 0x55, 0xA7].as_slice(), 0));
            send(&mut receiver, divider, 0x55 << 1);
            assert_eq!((receiver.bytes().len(), receiver.errors()), (4, 1));
        }
    }
}
