//! The operands of a statement of the assembly.

use super::places::{parse, Register};

/// Mnemonic and operands of a statement.
pub fn split(text: &str) -> (&str, Vec<String>) {
    let (mnemonic, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let operands = rest.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty());
    (mnemonic, operands.collect())
}

/// Offset and base register of `offset(base)`; of anything else no base.
pub fn address(word: &str) -> (&str, Option<Register>) {
    let parts = word.strip_suffix(')').and_then(|word| word.rsplit_once('('));
    match parts {
        // %lo(symbol) has parentheses too, and no base.
        Some((offset, base)) if !offset.starts_with('%') || offset.ends_with(')') => {
            (offset.trim(), parse(base.trim()))
        }
        _ => (word, None),
    }
}

/// A number in decimal or hexadecimal, negative or not; nothing stands for 0.
pub fn number(text: &str) -> Option<i32> {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None if text.is_empty() => 0,
        None => digits.parse().ok()?,
    };
    i32::try_from(sign * value).ok().or(u32::try_from(sign * value).ok().map(|value| value as i32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places::SP;

    #[test]
    fn operands_are_read() {
        assert_eq!(split("ret"), ("ret", vec![]));
        assert_eq!(split("lw\ta0, 4(sp)"), ("lw", vec!["a0".into(), "4(sp)".into()]));
        assert_eq!(address("4(sp)"), ("4", Some(SP)));
        assert_eq!(address("%lo(table)(a5)"), ("%lo(table)", Some(15)));
        assert_eq!(address("%lo(a5)"), ("%lo(a5)", None), "a symbol of that name");
        assert_eq!(address("table"), ("table", None));
        assert_eq!(number("-0x10"), Some(-16));
        assert_eq!(number("0xffffffff"), Some(-1));
        assert_eq!(number(""), Some(0));
        assert_eq!(number("%lo(x)"), None);
    }
}
