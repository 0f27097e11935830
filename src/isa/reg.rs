//! Integer register names of the RISC-V calling convention.

/// Number of integer registers.
pub const COUNT: usize = 32;

const NAMES: [&str; COUNT] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6",
    "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];

/// The calling-convention name of register `number`.
///
/// # Panics
/// If `number` is 32 or more; a register field of a word never is.
pub const fn name(number: usize) -> &'static str {
    NAMES[number]
}

/// The register called `text`: `x7`, `t2`, or `fp` for `s0`.
pub fn parse(text: &str) -> Option<usize> {
    if text == "fp" {
        return Some(8);
    }
    if let Some(number) = NAMES.iter().position(|&name| name == text) {
        return Some(number);
    }
    let digits = text.strip_prefix('x')?;
    let number = digits.parse().ok().filter(|&n: &usize| n < COUNT)?;
    (number.to_string() == digits).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for number in 0..COUNT {
            assert_eq!(parse(name(number)), Some(number));
            assert_eq!(parse(&format!("x{number}")), Some(number));
        }
        assert_eq!(parse("fp"), parse("s0"));
        for wrong in ["x32", "x-1", "x01", "x+1", "x", "a8", "", "ft0"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
