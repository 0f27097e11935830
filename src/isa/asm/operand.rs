//! Names and immediate operands of assembly text.

use std::collections::HashMap;

use super::{hi, lo, AsmErrorKind, Assembler, Label, Reloc};

/// An immediate operand.
pub(super) enum Value {
    /// Known now.
    Const(u32),
    /// An address and an addend.
    Label(Label, u32),
    /// `%hi` or `%lo` of an address and an addend.
    Part(Reloc, Label, u32),
}

/// Every name the text has used so far.
#[derive(Default)]
pub(super) struct Names {
    constants: HashMap<String, u32>,
    labels: HashMap<String, Label>,
    /// `1:` may be bound again and again: its last binding, and the one a `1f` waits for.
    last: HashMap<String, Label>,
    next: HashMap<String, Label>,
}

fn bad<T>(expected: &'static str, found: &str) -> Result<T, AsmErrorKind> {
    Err(AsmErrorKind::Operand { expected, found: found.into() })
}

fn is_name(text: &str) -> bool {
    let ok = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    text.chars().all(ok) && !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit()) && text != "."
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// A decimal, `0x`, `0b` or character literal.
fn literal(text: &str) -> Option<i64> {
    if let Some(character) = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        return match character {
            "\\n" => Some(10),
            "\\0" => Some(0),
            _ if character.len() == 1 => Some(character.as_bytes()[0].into()),
            _ => None,
        };
    }
    let (digits, radix) = match (text.strip_prefix("0x"), text.strip_prefix("0b")) {
        (Some(hex), _) => (hex, 16),
        (_, Some(binary)) => (binary, 2),
        _ => (text, 10),
    };
    // The sign is the caller's: `from_str_radix` would take a second one.
    if digits.starts_with(['+', '-']) {
        return None;
    }
    i64::from_str_radix(digits, radix).ok()
}

impl Names {
    /// Binds label `name` here.
    pub fn define(&mut self, asm: &mut Assembler, name: &str) -> Result<(), AsmErrorKind> {
        if is_digits(name) {
            let label = self.next.remove(name).unwrap_or_else(|| asm.label());
            asm.bind(label);
            self.last.insert(name.into(), label);
        } else if is_name(name) && !self.constants.contains_key(name) {
            let label = self.label(asm, name);
            asm.bind(label);
        } else {
            return bad("a new label", name);
        }
        Ok(())
    }

    /// Defines constant `name`.
    pub fn constant(&mut self, name: &str, value: u32) -> Result<(), AsmErrorKind> {
        if !is_name(name) {
            return bad("a name", name);
        }
        if self.labels.contains_key(name) || self.constants.insert(name.into(), value).is_some() {
            return Err(AsmErrorKind::Redefined(name.into()));
        }
        Ok(())
    }

    fn label(&mut self, asm: &mut Assembler, name: &str) -> Label {
        *self.labels.entry(name.into()).or_insert_with(|| asm.named_label(name))
    }

    /// Reads an immediate operand: sums of numbers, constants and at most one label, perhaps inside
    /// `%hi( )` or `%lo( )`.
    pub fn value(&mut self, asm: &mut Assembler, text: &str) -> Result<Value, AsmErrorKind> {
        let part = |prefix| text.strip_prefix(prefix).and_then(|rest: &str| rest.trim().strip_suffix(')'));
        let (reloc, sum) = match (part("%hi("), part("%lo(")) {
            (Some(inner), _) => (Some(Reloc::Hi), inner),
            (_, Some(inner)) => (Some(Reloc::Lo), inner),
            _ => (None, text),
        };
        let (total, label) = self.sum(asm, sum)?;
        // Both readings of 32 bits are fine, anything wider is not.
        let number = match (i32::try_from(total), u32::try_from(total)) {
            (Ok(signed), _) => signed as u32,
            (_, Ok(unsigned)) => unsigned,
            _ => return bad("a 32-bit number", text),
        };
        Ok(match (reloc, label) {
            (None, None) => Value::Const(number),
            (Some(Reloc::Hi), None) => Value::Const(hi(number) >> 12),
            (Some(_), None) => Value::Const(lo(number)),
            (None, Some(label)) => Value::Label(label, number),
            (Some(reloc), Some(label)) => Value::Part(reloc, label, number),
        })
    }

    fn sum(&mut self, asm: &mut Assembler, text: &str) -> Result<(i64, Option<Label>), AsmErrorKind> {
        let (mut total, mut label) = (0i64, None);
        let mut rest = text.trim();
        let mut negative = false;
        if let Some(tail) = rest.strip_prefix('-') {
            (negative, rest) = (true, tail.trim_start());
        }
        loop {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            let term = rest[..end].trim();
            if let Some(value) = literal(term).or_else(|| self.constants.get(term).map(|&v| v.into())) {
                total = total.saturating_add(if negative { -value } else { value });
            } else if negative || label.is_some() {
                return bad("a number", term);
            } else {
                label = Some(self.place(asm, term)?);
            }
            if end == rest.len() {
                return Ok((total, label));
            }
            negative = rest.as_bytes()[end] == b'-';
            rest = rest[end + 1..].trim_start();
        }
    }

    fn place(&mut self, asm: &mut Assembler, term: &str) -> Result<Label, AsmErrorKind> {
        if term == "." {
            return Ok(asm.bound_label());
        }
        if let Some(digits) = term.strip_suffix('f').filter(|d| is_digits(d)) {
            return Ok(*self.next.entry(digits.into()).or_insert_with(|| asm.named_label(term)));
        }
        if let Some(digits) = term.strip_suffix('b').filter(|d| is_digits(d)) {
            return self.last.get(digits).copied().ok_or_else(|| AsmErrorKind::Undefined(term.into()));
        }
        if is_name(term) {
            return Ok(self.label(asm, term));
        }
        bad("a number or a name", term)
    }
}
