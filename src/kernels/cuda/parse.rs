//! What stands at the top level of a preprocessed file in C++: where it ends, and what it defines.

use std::collections::BTreeSet;
use std::ops::Range;

use super::tokens::{Kind, Token};

/// A function, a type, a variable, a declaration.
#[derive(Debug)]
pub struct Item<'a> {
    pub tokens: Range<usize>,
    /// The file that it is from.
    pub file: &'a str,
    /// The name of a function, with the class that it belongs to; of anything else all names in it, but for those in a class.
    pub defines: BTreeSet<&'a str>,
    pub is_function: bool,
}

/// The file of a line marker, and whether that is a header of the system, as `# 1 "file" 1 3` says; nothing of a `#pragma`.
pub fn origin(marker: &str) -> Option<(&str, bool)> {
    let mut parts = marker.strip_prefix("# ")?.splitn(3, '"');
    parts.next()?.trim().parse::<u32>().ok()?;
    let file = parts.next()?;
    Some((file, parts.next().is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "3"))))
}

/// Where the brace of a namespace or of `extern "C"` is, if one begins here.
pub fn opens_scope(tokens: &[Token]) -> Option<usize> {
    let plain: Vec<(usize, &Token)> =
        tokens.iter().enumerate().filter(|(_, token)| token.kind != Kind::Marker).take(8).collect();
    let first = plain.iter().position(|(_, token)| !(token.kind == Kind::Word && token.text == "inline"))?;
    let rest = &plain[first..];
    let brace = |at: usize| rest.get(at).filter(|(_, token)| token.is(b'{')).map(|(index, _)| *index);
    match (rest[0].1.text, rest.get(1)?.1.kind) {
        ("extern", Kind::Literal) => brace(2),
        ("namespace", _) => {
            let named = |(_, token): &&(usize, &Token)| token.kind == Kind::Word || token.is(b':');
            brace(1 + rest[1..].iter().take_while(named).count())
        }
        _ => None,
    }
}

/// Words before parentheses that are no parameters.
const ATTRIBUTES: &[&str] = &[
    "__attribute__",
    "__launch_bounds__",
    "__align__",
    "alignas",
    "decltype",
    "__declspec",
    "noexcept",
    "throw",
];

/// Words of the language, which nothing defines.
const KEYWORDS: &[&str] = &[
    "auto",
    "bool",
    "char",
    "class",
    "const",
    "constexpr",
    "double",
    "enum",
    "extern",
    "float",
    "inline",
    "int",
    "long",
    "private",
    "protected",
    "public",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "template",
    "this",
    "true",
    "false",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "void",
    "volatile",
    "return",
    "__attribute__",
    "__device__",
    "__host__",
    "__constant__",
    "__global__",
    "__shared__",
    "__inline__",
    "__forceinline__",
    "__restrict__",
];

/// The item that begins at a token.
pub fn item<'a>(tokens: &[Token<'a>], begin: usize) -> Item<'a> {
    let mut at = begin;
    // The word before the first parentheses, an initializer before a brace, and whether that brace is of a function.
    let (mut name, mut initialized, mut is_function) = (None, false, false);
    while at < tokens.len() {
        let token = tokens[at];
        let previous = tokens[begin..at].iter().rev().find(|token| token.kind != Kind::Marker);
        match token.kind {
            Kind::Sign(b';') => {
                at += 1;
                break;
            }
            // Of the namespace around it: something is missing here.
            Kind::Sign(b'}') => break,
            Kind::Sign(b'=') if previous.is_none_or(|token| token.text != "operator") => initialized = true,
            Kind::Sign(b'(') => {
                let attribute = previous.is_some_and(|token| ATTRIBUTES.contains(&token.text));
                if name.is_none() && !attribute {
                    name = Some(at);
                }
                at = closing(tokens, at);
            }
            Kind::Sign(b'[') => at = closing(tokens, at),
            Kind::Sign(b'{') => {
                at = closing(tokens, at);
                if name.is_some() && !initialized {
                    is_function = true;
                    at += 1;
                    break;
                }
            }
            _ => {}
        }
        at += 1;
    }
    let at = at.min(tokens.len()).max(begin + 1);
    let words = |range: Range<usize>| {
        tokens[range].iter().filter(|token| token.kind == Kind::Word).map(|token| token.text)
    };
    let braced = tokens[begin..at].iter().any(|token| token.is(b'{'));
    let defines = match name {
        // A function or its declaration: its name, with that of its class.
        Some(open) if !initialized && (is_function || !braced) => function_name(&tokens[begin..open]),
        // Not what it is initialized with, nor what is in a class: that has to be named with the class.
        _ => {
            let body = class_body(tokens, begin..at).unwrap_or(at..at);
            let is_end = |index: &usize| tokens[*index].is(b'=') && !body.contains(index);
            let end = (begin..at).find(is_end).unwrap_or(at);
            let outside = words(begin..end.min(body.start)).chain(words(body.end.min(end)..end));
            outside.filter(|word| !KEYWORDS.contains(word) && !ATTRIBUTES.contains(word)).collect()
        }
    };
    Item { tokens: begin..at, file: "", defines, is_function }
}

/// The braces in an item that is a class, struct or union with a name.
fn class_body(tokens: &[Token], item: Range<usize>) -> Option<Range<usize>> {
    let open = item.clone().find(|&index| tokens[index].is(b'{'))?;
    let mut depth = 0_usize;
    // Neither the parameters of a template nor those of attributes.
    let mut head = tokens[item.start..open].iter().filter(|token| {
        depth += usize::from(token.is(b'<') || token.is(b'('));
        let outside = depth == 0;
        depth = depth.saturating_sub(usize::from(token.is(b'>') || token.is(b')')));
        outside
    });
    head.find(|token| ["class", "struct", "union"].contains(&token.text))?;
    head.find(|token| token.kind == Kind::Word && !ATTRIBUTES.contains(&token.text))?;
    Some(open..closing(tokens, open))
}

/// The names at the end of what stands before a function's parameters: `a::b` of `int a::b`.
fn function_name<'a>(tokens: &[Token<'a>]) -> BTreeSet<&'a str> {
    let plain: Vec<&Token> = tokens.iter().rev().filter(|token| token.kind != Kind::Marker).collect();
    if plain.iter().any(|token| token.text == "operator") {
        return BTreeSet::from(["operator"]);
    }
    let mut names = BTreeSet::new();
    let mut rest = without_arguments(&plain);
    loop {
        names.extend(rest.first().map(|token| token.text));
        match rest {
            [_, a, b, tail @ ..] if a.is(b':') && b.is(b':') => rest = without_arguments(tail),
            _ => return names,
        }
    }
}

/// The tokens, last first, without the arguments of a template that is specialized: `f` of `f<3>`.
fn without_arguments<'s, 't, 'a>(tokens: &'s [&'t Token<'a>]) -> &'s [&'t Token<'a>] {
    let mut depth = 0_usize;
    let inside = |token: &&&Token| {
        depth += usize::from(token.is(b'>'));
        depth -= usize::from(depth != 0 && token.is(b'<'));
        depth != 0
    };
    match tokens.iter().take_while(inside).count() {
        0 => tokens,
        // The `<` is behind them.
        count => tokens.get(count + 1..).unwrap_or_default(),
    }
}

/// The index of what closes a bracket, or the last one.
fn closing(tokens: &[Token], open: usize) -> usize {
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
