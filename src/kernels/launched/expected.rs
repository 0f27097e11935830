//! What an array should hold in the end, and whether it does.

/// What an array should hold in the end.
pub(super) struct Expected {
    pub array: String,
    pub address: u32,
    /// As [`super::host::ArrayAnswer`] has it.
    pub kind: char,
    pub size: usize,
    pub bytes: Vec<u8>,
    pub tolerance: f64,
}

impl Expected {
    /// # Errors
    /// The array cannot be compared, or not so.
    pub fn possible(&self) -> Result<(), String> {
        let Self { array, kind, size, tolerance, .. } = self;
        match (kind, size) {
            ('p', _) => Err(format!("check of {array}: pointers of the core and the host differ")),
            ('f', 4) | ('v', _) => Ok(()),
            _ if *tolerance == 0.0 => Ok(()),
            _ => Err(format!(
                "check of {array}: a tolerance is for float and its vectors, and the array has another type, whose \
                 elements have to be equal: leave tolerance out"
            )),
        }
    }

    /// # Errors
    /// The first difference.
    pub fn check(&self, word: &dyn Fn(u32) -> u32) -> Result<(), String> {
        let byte = |at: usize| {
            let address = self.address + at as u32;
            (word(address & !3) >> (8 * (address & 3))) as u8
        };
        // Of a vector each number is compared by itself.
        let (kind, size, members) = match self.kind {
            'v' => ('f', 4, self.size / 4),
            kind => (kind, self.size, 1),
        };
        for (index, expected) in self.bytes.chunks_exact(size).enumerate() {
            let found: Vec<u8> = (0..size).map(|i| byte(index * size + i)).collect();
            if found == expected {
                continue;
            }
            let member = if self.kind == 'v' { [".x", ".y", ".z", ".w"][index % members % 4] } else { "" };
            let place = format!("{}[{}]{member}", self.array, index / members);
            match (kind, <[u8; 4]>::try_from(&found[..]), <[u8; 4]>::try_from(expected)) {
                ('f', Ok(found), Ok(expected)) => {
                    let (found, expected) = (f32::from_le_bytes(found), f32::from_le_bytes(expected));
                    if let Some(instead) = instead_of(found, expected, self.tolerance) {
                        return Err(format!("{place} is {found:?}, expected {instead}"));
                    }
                }
                ('i', ..) => {
                    return Err(format!("{place} is {}, expected {}", signed(&found), signed(expected)))
                }
                ('u', ..) => {
                    return Err(format!("{place} is {}, expected {}", unsigned(&found), unsigned(expected)))
                }
                _ => return Err(format!("{place} has the bytes {found:02x?}, expected {expected:02x?}")),
            }
        }
        Ok(())
    }
}

/// What is said to be expected, if a number is not near enough. A NaN is as good as another; an infinity is near to itself
/// alone, whatever the tolerance.
fn instead_of(found: f32, expected: f32, tolerance: f64) -> Option<String> {
    if found == expected || found.is_nan() && expected.is_nan() {
        return None;
    }
    if !expected.is_finite() {
        return Some(format!("{expected:?}"));
    }
    let tolerance = tolerance * f64::from(expected.abs().max(1.0));
    let near = found.is_finite() && (f64::from(found) - f64::from(expected)).abs() <= tolerance;
    (!near).then(|| format!("{expected:?} within {tolerance:.3e}"))
}

fn unsigned(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).rev().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

fn signed(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len().min(8) as u32;
    ((unsigned(bytes) << unused) as i64) >> unused
}
