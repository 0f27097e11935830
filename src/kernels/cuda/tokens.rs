//! Preprocessed C++, cut into tokens.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// A number, a string, a character.
    Literal,
    /// Anything else, one character.
    Sign(u8),
    /// A line of the preprocessor, as `# 12 "file.cu"`.
    Marker,
}

/// A token, and where in the text it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub begin: usize,
}

impl Token<'_> {
    pub fn is(&self, sign: u8) -> bool {
        self.kind == Kind::Sign(sign)
    }

    pub fn end(&self) -> usize {
        self.begin + self.text.len()
    }
}

/// All tokens. What is no C++ becomes some tokens or other, and the compiler says what is wrong with it.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let (mut tokens, mut at, mut begins_line) = (vec![], 0, true);
    while at < bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            begins_line |= byte == b'\n';
            at += 1;
            continue;
        }
        let (kind, mut end) = token(text, at, begins_line);
        while !text.is_char_boundary(end) {
            end += 1;
        }
        tokens.push(Token { kind, text: &text[at..end], begin: at });
        (at, begins_line) = (end, false);
    }
    tokens
}

/// The kind and the end of the token that begins there.
fn token(text: &str, at: usize, begins_line: bool) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let while_is = |mut end: usize, is: &dyn Fn(usize) -> bool| {
        while end < bytes.len() && is(end) {
            end += 1;
        }
        end
    };
    let in_word = |i: usize| is_word(bytes[i]);
    match bytes[at] {
        b'#' if begins_line => (Kind::Marker, while_is(at, &|i| bytes[i] != b'\n')),
        quote @ (b'"' | b'\'') => (Kind::Literal, quoted(bytes, at, quote)),
        b'0'..=b'9' => {
            let part = |i: usize| is_word(bytes[i]) || bytes[i] == b'.' || separates(bytes, i);
            let signed = |i: usize| b"+-".contains(&bytes[i]) && b"eEpP".contains(&bytes[i - 1]);
            (Kind::Literal, while_is(at, &|i| part(i) || signed(i)))
        }
        first if is_word(first) => {
            let end = while_is(at, &in_word);
            match bytes.get(end) {
                Some(b'"') if text[at..end].ends_with('R') => (Kind::Literal, raw(text, end)),
                _ => (Kind::Word, end),
            }
        }
        other => (Kind::Sign(other), at + 1),
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// A quote between digits, as in `1'000`.
fn separates(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'\'' && bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
}

/// The end of a string or character.
fn quoted(bytes: &[u8], at: usize, quote: u8) -> usize {
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != quote && bytes[end] != b'\n' {
        end += 1 + usize::from(bytes[end] == b'\\');
    }
    (end + 1).min(bytes.len())
}

/// The end of a raw string, whose quote is there.
fn raw(text: &str, at: usize) -> usize {
    let rest = &text[at + 1..];
    let closing = rest.split_once('(').map(|(mark, _)| format!("){mark}\""));
    closing.and_then(|mark| Some(at + 1 + rest.find(&mark)? + mark.len())).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::{tokens, Kind};

    #[test]
    fn strings_numbers_and_markers_are_one_token() {
        let text = "# 1 \"a.cu\"\nx = 1'000e-3f + \"a } \\\" b\" R\"x(\" { )x\" '}' ü;";
        let found: Vec<&str> = tokens(text).iter().map(|token| token.text).collect();
        let expected =
            ["# 1 \"a.cu\"", "x", "=", "1'000e-3f", "+", "\"a } \\\" b\"", "R\"x(\" { )x\"", "'}'", "ü", ";"];
        assert_eq!(found, expected);
        assert_eq!(tokens("a # b").iter().filter(|token| token.kind == Kind::Marker).count(), 0);
    }

    #[test]
    fn nothing_unfinished_goes_beyond_the_end() {
        for text in ["\"abc", "'\\", "R\"x(", "R\"", "1e", "\"ü\\"] {
            let all = tokens(text);
            assert_eq!(all.last().map(|token| token.end()), Some(text.len()), "{text}");
        }
    }
}
