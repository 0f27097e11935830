//! Long lines: statements are broken where an expression is loosest, comments between words.

/// Longest line that stays as it is.
pub(super) const LONGEST: usize = 120;

/// The text with its long statements and comments on several lines; a comment behind a statement stays.
pub(super) fn wrapped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let mut rest = line.to_owned();
        let indent = line.len() - line.trim_start().len();
        let comment = line.trim_start().strip_prefix("// ").filter(|_| line.len() > LONGEST);
        if let Some(comment) = comment {
            let mark = format!("{:indent$}// ", "");
            rest = mark.clone() + &filled(comment, LONGEST - mark.len()).join(&format!("\n{mark}"));
        } else if !line.contains("//") {
            while let Some(at) = break_of(&rest) {
                out.extend([&rest[..at], "\n"]);
                rest = format!("{:1$}{2}", "", indent + 4, rest[at..].trim_start());
            }
        }
        out.extend([&rest, "\n"]);
    }
    out
}

/// The words of `text` in lines of at most `width` columns, unless a word is longer.
pub(super) fn filled(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.len() + 1 + word.len() <= width) {
            Some(line) => line.extend([" ", word]),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Where to break a line that is too long: behind an operator or a comma inside as few brackets as can be.
fn break_of(line: &str) -> Option<usize> {
    if line.len() <= LONGEST || !line.is_ascii() {
        return None;
    }
    let begin = line.len() - line.trim_start().len();
    let mut depth = 0;
    let mut best: Option<(usize, usize)> = None;
    for (at, letter) in line.char_indices().take(LONGEST) {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ' ' if at > begin + LONGEST / 3 => {
                let behind =
                    [" |", " &", " ^", " +", " ||", " &&", ","].iter().any(|end| line[..at].ends_with(end));
                if behind && best.is_none_or(|(least, _)| depth <= least) {
                    best = Some((depth, at));
                }
            }
            _ => {}
        }
    }
    best.map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn a_line_breaks_outside_of_brackets() {
        let term = |name: &str| format!("({} & ready)", name.repeat(12));
        let line = format!("  assign y = {} | {} | {};\n", term("abcd"), term("efgh"), term("ijkl"));
        let expected = line.replace("| (", "|\n      (");
        assert_eq!(wrapped(&line), expected);
        assert_eq!(wrapped("  short;\n"), "  short;\n");
        let words = "words ".repeat(40);
        let remark = format!("  x; // {}\n", words.trim());
        assert_eq!(wrapped(&remark), remark);
        let comment = wrapped(&format!("    // {}\n", words.trim()));
        assert_eq!(comment.lines().map(str::len).max(), Some(120));
        assert!(comment.lines().all(|line| line.starts_with("    // words")));
    }
}
