//! The names of what a cache holds.

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

    /// The key as 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:032x}", self.0)
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
}
