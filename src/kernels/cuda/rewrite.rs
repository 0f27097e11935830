//! What CUDA writes in its own way, in words that the compiler has.

use std::collections::BTreeSet;

use super::tokens::{tokens, Kind, Token};

/// The text with another word for `extern __shared__`, which C++ has no place for, and the variables that it is said of; and
/// without `static` beside `__shared__`, which says it already.
pub fn with_dynamic(text: &str) -> (String, BTreeSet<String>) {
    let all = tokens(text);
    let (mut result, mut names, mut copied) = (String::new(), BTreeSet::new(), 0);
    for (index, first) in all.iter().enumerate() {
        // The type may stand between the two words.
        let is_of_type = |token: &&Token| token.kind == Kind::Word && token.text != "__shared__";
        let between = match first.text {
            "extern" | "static" => all[index + 1..].iter().take_while(is_of_type).count(),
            _ => 0,
        };
        let Some(second) = all.get(index + 1 + between) else { continue };
        let (word, is_dynamic) = match [first.text, second.text] {
            ["extern", "__shared__"] | ["__shared__", "extern"] => ("SIMT_DYNAMIC_SHARED", true),
            ["static", "__shared__"] | ["__shared__", "static"] => ("__shared__", false),
            _ => continue,
        };
        result += &text[copied..first.begin];
        result += word;
        if between > 0 {
            result += &format!(" {}", &text[all[index + 1].begin..all[index + between].end()]);
        }
        copied = second.end();
        if is_dynamic {
            let declarator = all[index..].iter().take_while(|token| !token.is(b'[') && !token.is(b';'));
            names.extend(declarator.last().map(|token| token.text.to_owned()));
        }
    }
    (result + &text[copied..], names)
}

/// How often a loop is unrolled of which nothing says how often: with so many turns or fewer it is gone.
const UNROLLED: &str = "16";
/// GCC takes smaller numbers only.
const MOST_UNROLLED: u16 = 65535;

/// The text with GCC's pragma for CUDA's `#pragma unroll`, with or without a number, where a loop follows.
pub fn with_unrolled(text: &str) -> String {
    let all = tokens(text);
    let (mut result, mut copied) = (String::new(), 0);
    for (index, pragma) in all.iter().enumerate().filter(|(_, token)| token.kind == Kind::Marker) {
        let Some(often) = pragma.text.strip_prefix("#pragma unroll") else { continue };
        let next = all[index + 1..].iter().find(|token| token.kind != Kind::Marker);
        let is_loop = next.is_some_and(|token| ["for", "while", "do"].contains(&token.text));
        let often = often.trim().trim_matches(['(', ')']).trim();
        let often = if often.is_empty() { UNROLLED } else { often };
        if is_loop && often.parse().is_ok_and(|often: u16| often < MOST_UNROLLED) {
            result += &format!("{}#pragma GCC unroll {often}", &text[copied..pragma.begin]);
            copied = pragma.end();
        }
    }
    result + &text[copied..]
}

#[cfg(test)]
mod tests {
    use super::with_unrolled;

    #[test]
    fn loops_are_unrolled_as_the_source_says() {
        let unrolled = |text: &str| with_unrolled(text).replace('\n', "|");
        for (pragma, gcc) in [
            ("#pragma unroll", "#pragma GCC unroll 16"),
            ("#pragma unroll 4", "#pragma GCC unroll 4"),
            ("#pragma unroll (4)", "#pragma GCC unroll 4"),
            ("#pragma unroll N", "#pragma unroll N"),
            ("#pragma unroll 65535", "#pragma unroll 65535"),
        ] {
            let text = format!("void k() {{\n{pragma}\n# 3 \"a.cu\"\nfor (;;) {{}} }}");
            let expected = format!("void k() {{|{gcc}|# 3 \"a.cu\"|for (;;) {{}} }}");
            assert_eq!(unrolled(&text), expected);
        }
        assert_eq!(unrolled("#pragma unroll\nif (x) f();"), "#pragma unroll|if (x) f();");
    }
}
