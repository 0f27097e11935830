//! The cache key.

/// What names a file in a cache: FNV-1a with 128 bits over length-prefixed fields. Unlike the standard library's hasher its
/// value is the same in every Rust release, so a cache outlives a new compiler.
#[derive(Clone)]
pub struct Key(u128);

/// Of no field.
impl Default for Key {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Key {
    /// Adds one field; the length keeps ("ab", "c") and ("a", "bc") apart.
    pub fn add(&mut self, field: impl AsRef<[u8]>) -> &mut Self {
        let field = field.as_ref();
        for &byte in (field.len() as u64).to_le_bytes().iter().chain(field) {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
        self
    }

    /// Adds Verilog as one field, but not what is said of it: with another comment it is the same circuit. Comments that
    /// tools read, and lines with strings, count.
    pub fn add_verilog(&mut self, text: &str) -> &mut Self {
        let lines: Vec<&str> = text.lines().map(without_comment).filter(|line| !line.is_empty()).collect();
        self.add(lines.join("\n"))
    }

    /// The key as 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:032x}", self.0)
    }
}

/// A line without the comment that ends it, and without the blanks around. A line with a string, or with what may begin or end a
/// comment of several lines, keeps it.
fn without_comment(line: &str) -> &str {
    match line.split_once("//") {
        Some((code, comment)) if !line.contains(['"', '*']) && !comment.contains("verilator") => code.trim(),
        _ => line.trim(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_run_together() {
        let hex = |fields: &[&str]| {
            let mut key = Key::default();
            fields.iter().for_each(|f| {
                key.add(f);
            });
            key.hex()
        };
        assert_eq!(hex(&["ab", "c"]), hex(&["ab", "c"]));
        assert_ne!(hex(&["ab", "c"]), hex(&["a", "bc"]));
        assert_ne!(hex(&["ab"]), hex(&["ab", ""]));
    }

    #[test]
    fn comments_do_not_count() {
        let hex = |text: &str| Key::default().add_verilog(text).hex();
        let plain = hex("module a;\n  wire b; // what for\nendmodule\n");
        assert_eq!(plain, hex("// What it is.\n\nmodule a;\n  wire b;\nendmodule\n"));
        for other in [
            "module a;\n  wire c;\nendmodule\n",
            "module a;\n  // wire b;\nendmodule\n",
            "module a; wire b; endmodule\n",
            "module a;\n  wire b; // verilator public\nendmodule\n",
            "module a;\n  wire b;\n  initial $display(\"//\");\nendmodule\n",
        ] {
            assert_ne!(plain, hex(other), "{other}");
        }
        assert_ne!(hex("initial $display(\"// a\");"), hex("initial $display(\"// b\");"));
    }
}
