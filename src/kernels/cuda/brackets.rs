//! Where brackets close, and where what begins with them goes on.

use super::tokens::{Kind, Token};

/// The index of what closes a bracket, or the last one.
pub fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Sign(b'(' | b'[' | b'{') => depth += 1,
            Kind::Sign(b')' | b']' | b'}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    tokens.len() - 1
}

/// The index of what closes an angle bracket of a template; `None` if that cannot be told, as with a comparison in it.
pub fn closing_angle(tokens: &[Token], open: usize) -> Option<usize> {
    let (mut depth, mut at) = (0_usize, open);
    while let Some(token) = tokens.get(at) {
        // `<<`, `<=` and `->` are one sign each; `>>` closes two.
        let joined = |index: usize, sign: u8| tokens.get(index).is_some_and(|other| other.is(sign));
        let next_touches = tokens.get(at + 1).is_some_and(|next| next.begin == token.end());
        match token.kind {
            Kind::Sign(b'<') if next_touches && (joined(at + 1, b'<') || joined(at + 1, b'=')) => at += 1,
            Kind::Sign(b'-') if next_touches && joined(at + 1, b'>') => at += 1,
            Kind::Sign(b'<') => depth += 1,
            Kind::Sign(b'>') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            Kind::Sign(b'(' | b'[' | b'{') => at = closing(tokens, at),
            Kind::Sign(b')' | b']' | b'}' | b';') => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The first token from one on that is no marker, or the end.
pub fn plain(tokens: &[Token], from: usize) -> usize {
    let rest = tokens.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|token| token.kind == Kind::Marker).count()
}

/// Where a declaration goes on behind the parameters of templates, which may have defaults: `template <int N = 3>`.
pub fn behind_parameters(tokens: &[Token], begin: usize) -> usize {
    let mut at = begin;
    loop {
        let word = plain(tokens, at);
        let open = plain(tokens, word + 1);
        let is_template = tokens.get(word).is_some_and(|token| token.text == "template")
            && tokens.get(open).is_some_and(|token| token.is(b'<'));
        match is_template.then(|| closing_angle(tokens, open)).flatten() {
            Some(end) => at = end + 1,
            None => return at,
        }
    }
}

/// Where the parameters of an operator begin, or what else follows its name: `operator()`, `operator<=`, `operator int`.
pub fn behind_operator(tokens: &[Token], word: usize) -> usize {
    let mut at = plain(tokens, word + 1);
    if tokens.get(at).is_some_and(|token| token.is(b'(')) {
        at = closing(tokens, at) + 1;
    }
    let ends = |token: &&Token| !matches!(token.kind, Kind::Sign(b'(' | b';' | b'{' | b'}'));
    at + tokens.get(at..).unwrap_or_default().iter().take_while(ends).count()
}
