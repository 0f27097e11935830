//! What stands at the top level of a preprocessed file in C++: where it ends, and what it defines.

use std::collections::BTreeSet;
use std::ops::Range;

use super::brackets::{behind_operator, behind_parameters, closing, closing_angle, plain};
use super::names::{class_body, function_name, ATTRIBUTES, KEYWORDS};
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
    /// Whether it declares variables of a type that is named, and no texture.
    pub is_variable: bool,
    /// The name of a function as it is written, as `S::f`; of anything else it is empty.
    pub name: String,
    /// The namespaces around it, as `a::b`; those without a name do not count.
    pub scope: String,
    pub is_template: bool,
    /// Whether it is a case of a template, behind `template <>`.
    pub is_specialization: bool,
    pub needed_by: NeededBy,
}

/// What of the text makes an item needed whose name is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeededBy {
    /// Each place that has the name.
    Name,
    /// Calls; whatever else has the name is a variable of a function.
    Call,
    /// None: who wants it asks for it.
    Nothing,
    /// None, and nobody may ask for it.
    Never,
}

impl Item<'_> {
    /// The name of a function with the namespaces around it.
    pub fn path(&self) -> String {
        joined([self.scope.as_str(), &self.name])
    }
}

/// Words of what is no function, and declares no variable, or one whose type stands there.
const NO_VARIABLE: &[&str] = &[
    "asm",
    "class",
    "concept",
    "enum",
    "friend",
    "namespace",
    "static_assert",
    "struct",
    "template",
    "texture",
    "typedef",
    "union",
    "using",
];

/// Names one in another, as `a::b`, without those that are empty.
pub fn joined<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    names.into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join("::")
}

/// The file of a line marker, and whether that is a header of the system, as `# 1 "file" 1 3` says; nothing of a `#pragma`.
pub fn origin(marker: &str) -> Option<(&str, bool)> {
    let (number, name) = marker.strip_prefix("# ")?.split_once('"')?;
    number.trim().parse::<u32>().ok()?;
    // A quotation mark in the name stands behind a backslash, and a backslash behind another.
    let mut escaped = false;
    let ends = |c: char| {
        let end = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        end
    };
    let (file, flags) = name.split_once(ends)?;
    Some((file, flags.split_whitespace().any(|flag| flag == "3")))
}

/// Where the brace of a namespace or of `extern "C"` is, if one begins here, and the namespace's name if it has any.
pub fn opens_scope(tokens: &[Token]) -> Option<(usize, String)> {
    let plain: Vec<(usize, &Token)> =
        tokens.iter().enumerate().filter(|(_, token)| token.kind != Kind::Marker).take(24).collect();
    let first = plain.iter().position(|(_, token)| !(token.kind == Kind::Word && token.text == "inline"))?;
    let rest = &plain[first..];
    let brace = |at: usize| rest.get(at).filter(|(_, token)| token.is(b'{')).map(|(index, _)| *index);
    match (rest[0].1.text, rest.get(1)?.1.kind) {
        ("extern", Kind::Literal) => Some((brace(2)?, String::new())),
        ("namespace", _) => {
            let named = |(_, token): &&(usize, &Token)| token.kind == Kind::Word || token.is(b':');
            let name: Vec<&(usize, &Token)> = rest[1..].iter().take_while(named).collect();
            let words =
                name.iter().map(|(_, token)| token.text).filter(|&text| text != ":" && text != "inline");
            Some((brace(1 + name.len())?, joined(words)))
        }
        _ => None,
    }
}

/// The item that begins at a token.
pub fn item<'a>(tokens: &[Token<'a>], begin: usize) -> Item<'a> {
    // An initializer is looked for behind the parameters of a template, whose defaults look like one.
    let head = behind_parameters(tokens, begin);
    let mut at = head;
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
            Kind::Sign(b'=') => {
                let next = tokens.get(plain(tokens, at + 1)).map_or("", |token| token.text);
                initialized |= !["default", "delete"].contains(&next);
            }
            // Its signs are a name.
            Kind::Word if token.text == "operator" => {
                at = behind_operator(tokens, at);
                continue;
            }
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
    // A function or its declaration has its name, with that of its class.
    let function = name.filter(|_| !initialized && (is_function || !braced));
    let path = function.map(|open| function_name(&tokens[head..open])).unwrap_or_default();
    let declared_before =
        (head..at).find(|&index| tokens[index].is(b'=') || tokens[index].is(b'{')).unwrap_or(at);
    let defines = match function {
        Some(_) => path.iter().copied().collect(),
        // Not what it is initialized with, nor what is in a class: that has to be named with the class.
        None => {
            let body = class_body(tokens, head..at).unwrap_or(at..at);
            let outside =
                [head..body.start, body.end..at].into_iter().flat_map(|part| declared(tokens, part));
            let named = outside.flat_map(words);
            named.filter(|word| !KEYWORDS.contains(word) && !ATTRIBUTES.contains(word)).collect()
        }
    };
    Item {
        tokens: begin..at,
        file: "",
        defines,
        is_function,
        is_variable: function.is_none()
            && !words(head..declared_before).any(|word| NO_VARIABLE.contains(&word)),
        name: joined(path),
        scope: String::new(),
        is_template: head != begin,
        is_specialization: is_specialization(&tokens[begin..head]),
        needed_by: NeededBy::Name,
    }
}

/// The parts of a declaration that are not what its variables are initialized with: `int a` and `b` of `int a = f(c), b = 2;`.
fn declared(tokens: &[Token], range: Range<usize>) -> Vec<Range<usize>> {
    let mut parts = vec![];
    let (mut begin, mut at) = (Some(range.start), range.start);
    while at < range.end {
        match (begin, tokens[at].kind) {
            (Some(first), Kind::Sign(b'=')) => {
                parts.push(first..at);
                begin = None;
            }
            (None, Kind::Sign(b',')) => begin = Some(at),
            (None, Kind::Sign(b'(' | b'[' | b'{')) => at = closing(tokens, at),
            (None, Kind::Sign(b'<')) => at = closing_angle(tokens, at).unwrap_or(at),
            _ => {}
        }
        at += 1;
    }
    parts.extend(begin.map(|first| first..range.end));
    parts
}

/// Whether what stands before a declaration is `template <>`.
fn is_specialization(parameters: &[Token]) -> bool {
    let plain: Vec<&str> =
        parameters.iter().filter(|token| token.kind != Kind::Marker).map(|token| token.text).collect();
    plain == ["template", "<", ">"]
}
