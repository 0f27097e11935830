//! What a compiler has written, taken apart by its labels.

/// What stands behind a label, or behind the beginning of a section.
#[derive(Debug, Default)]
pub(crate) struct Piece<'a> {
    pub section: &'a str,
    /// The one before it; none at the beginning of a section of data.
    pub label: &'a str,
    /// Instructions and directives; local labels and comments are none.
    pub lines: Vec<&'a str>,
}

/// The pieces of an assembly file in their order. Local labels begin none, and a function goes on behind the data that stands
/// in it.
pub(crate) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = vec![Piece::default()];
    let (mut section, mut function) = ("", "");
    for line in text.lines().map(str::trim) {
        let begun = match line.split_once(char::is_whitespace) {
            Some((".section", name)) => Some(name.trim()),
            _ => [".text", ".data", ".bss"].contains(&line).then_some(line),
        };
        let is_code = |section: &str| section.starts_with(".text");
        if let Some(name) = begun {
            section = name;
            let label = if is_code(section) { function } else { "" };
            pieces.push(Piece { section, label, lines: vec![] });
        } else if let Some(label) = line.strip_suffix(':') {
            if !label.starts_with(|c: char| c == '.' || c.is_ascii_digit()) {
                function = if is_code(section) { label } else { function };
                pieces.push(Piece { section, label, lines: vec![] });
            }
        } else if !line.starts_with('#') {
            pieces.last_mut().expect("there is one").lines.push(line);
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn labels_and_sections_begin_pieces() {
        let text = "\t.text\nf:\n.LFB1:\n#APP\n1:\n\tbnez a0, 1b\n\t.section\t.rodata\n.L1:\n\t.word .L2\n\t.text\n\tret\n\
                    \t.section\t.bss,\"aw\"\n\t.align 2\nv:\n\t.zero 4";
        let found: Vec<_> =
            pieces(text).into_iter().map(|p| (p.section, p.label, p.lines.join("; "))).collect();
        let bss = ".bss,\"aw\"";
        let expected = [
            ("", "", ""),
            (".text", "", ""),
            (".text", "f", "bnez a0, 1b"),
            (".rodata", "", ".word .L2"),
            (".text", "f", "ret"),
            (bss, "", ".align 2"),
            (bss, "v", ".zero 4"),
        ];
        assert_eq!(found, expected.map(|(section, label, lines)| (section, label, lines.to_owned())));
    }
}
