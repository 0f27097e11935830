//! Register names of the RISC-V calling convention.

/// Number of registers of either file.
pub const COUNT: usize = 32;
/// Registers of both files, as masks and tables number them: the integer ones first.
pub const REGISTERS: usize = 2 * COUNT;

const NAMES: [&str; COUNT] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6",
    "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];

const FLOAT_NAMES: [&str; COUNT] = [
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0", "fa1", "fa2", "fa3", "fa4",
    "fa5", "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8",
    "ft9", "ft10", "ft11",
];

/// The calling-convention name of integer register `number`.
///
/// # Panics
/// If `number` is 32 or more; a register field of a word never is.
pub const fn name(number: usize) -> &'static str {
    NAMES[number]
}

/// The calling-convention name of floating-point register `number`.
///
/// # Panics
/// If `number` is 32 or more.
pub const fn float_name(number: usize) -> &'static str {
    FLOAT_NAMES[number]
}

/// The integer register called `text`: `x7`, `t2`, or `fp` for `s0`.
pub fn parse(text: &str) -> Option<usize> {
    if text == "fp" {
        return Some(8);
    }
    find(&NAMES, 'x', text)
}

/// The floating-point register called `text`: `f10` or `fa0`.
pub fn parse_float(text: &str) -> Option<usize> {
    find(&FLOAT_NAMES, 'f', text)
}

fn find(names: &[&str], letter: char, text: &str) -> Option<usize> {
    if let Some(number) = names.iter().position(|&name| name == text) {
        return Some(number);
    }
    let digits = text.strip_prefix(letter)?;
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
            assert_eq!(parse_float(float_name(number)), Some(number));
            assert_eq!(parse_float(&format!("f{number}")), Some(number));
            assert_eq!(parse_float(name(number)), None);
        }
        assert_eq!(parse("fp"), parse("s0"));
        for wrong in ["x32", "x-1", "x01", "x+1", "x", "a8", "", "ft0"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
