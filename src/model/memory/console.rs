//! The console: 64 byte-wide ports, each with a line buffer of its own (docs/ISA.md, section 7).

/// Text that a program wrote to the console.
///
/// Harts write to port `hartid & 63`, so that their lines don't mix; a line appears in the text,
/// prefixed with its port, once its newline has been written.
#[derive(Clone, Debug)]
pub struct Console {
    lines: [Vec<u8>; Self::PORTS],
    text: String,
}

impl Default for Console {
    fn default() -> Self {
        Self { lines: [const { Vec::new() }; Self::PORTS], text: String::new() }
    }
}

impl Console {
    /// Number of ports.
    pub const PORTS: usize = 64;

    /// Appends a byte to the line buffer of `port` (modulo 64).
    pub fn put(&mut self, port: usize, byte: u8) {
        let line = &mut self.lines[port % Self::PORTS];
        if byte == b'\n' {
            let finished = std::mem::take(line);
            self.push_line(port, &finished);
        } else {
            line.push(byte);
        }
    }

    /// Ends every unfinished line, lowest port first: for the end of a run.
    pub fn flush(&mut self) {
        for port in 0..Self::PORTS {
            let rest = std::mem::take(&mut self.lines[port]);
            if !rest.is_empty() {
                self.push_line(port, &rest);
            }
        }
    }

    /// All finished lines so far, `#port: text` each.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn push_line(&mut self, port: usize, bytes: &[u8]) {
        self.text.push_str(&format!("#{}: {}\n", port % Self::PORTS, String::from_utf8_lossy(bytes)));
    }
}

#[cfg(test)]
mod tests {
    use super::Console;

    #[test]
    fn ports_do_not_mix() {
        let mut console = Console::default();
        for (a, b) in b"one\n".iter().zip(b"two\n") {
            console.put(63, *a);
            console.put(0, *b);
        }
        console.put(5, b'!');
        assert_eq!(console.text(), "#63: one\n#0: two\n");
        console.flush();
        console.flush();
        assert_eq!(console.text(), "#63: one\n#0: two\n#5: !\n");
    }
}
