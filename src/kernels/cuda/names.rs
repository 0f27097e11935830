//! The names in what stands at the top level of a file, and words that are none.

use std::ops::Range;

use super::brackets::closing;
use super::tokens::{Kind, Token};

/// Words before parentheses that are no parameters.
pub const ATTRIBUTES: &[&str] = &[
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
pub const KEYWORDS: &[&str] = &[
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

/// The braces in an item that is a class, struct or union with a name.
pub fn class_body(tokens: &[Token], item: Range<usize>) -> Option<Range<usize>> {
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

/// The names at the end of what stands before a function's parameters, in their order: `a` and `b` of `int a::b`.
pub fn function_name<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let plain: Vec<&Token> = tokens.iter().rev().filter(|token| token.kind != Kind::Marker).collect();
    // An operator has the name of its class, if it is a member.
    let named = match plain.iter().position(|token| token.text == "operator") {
        None => &plain[..],
        Some(at) => match &plain[at + 1..] {
            [a, b, class @ ..] if a.is(b':') && b.is(b':') => class,
            _ => return vec!["operator"],
        },
    };
    let mut names = vec![];
    let mut rest = without_arguments(named);
    loop {
        names.extend(rest.first().map(|token| token.text));
        match rest {
            [_, a, b, tail @ ..] if a.is(b':') && b.is(b':') => rest = without_arguments(tail),
            _ => break,
        }
    }
    names.reverse();
    names
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
