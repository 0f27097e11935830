//! A line of assembly.

/// Its statements, and its comment. What stands in strings, as the names of files do, divides nothing.
pub fn divided(line: &str) -> (Vec<&str>, &str) {
    let (mut statements, mut begin, mut in_string, mut escaped) = (vec![], 0, false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            '#' if !in_string => {
                statements.push(&line[begin..at]);
                return (statements, &line[at + 1..]);
            }
            ';' if !in_string => {
                statements.push(&line[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    statements.push(&line[begin..]);
    (statements, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_whole() {
        for (line, statements, comment) in [
            ("a; b # c; # d", &["a", " b "][..], " c; # d"),
            (".file 1 \"a#b;c\" # d", &[".file 1 \"a#b;c\" "], " d"),
            (".file 1 \"a\\\"#b\"", &[".file 1 \"a\\\"#b\""], ""),
            (".string \"\\\\\";x", &[".string \"\\\\\"", "x"], ""),
            ("# only", &[""], " only"),
            ("", &[""], ""),
            ("\"no end # ;", &["\"no end # ;"], ""),
        ] {
            assert_eq!(divided(line), (statements.to_vec(), comment), "{line}");
        }
    }
}
