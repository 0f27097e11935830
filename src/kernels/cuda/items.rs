//! A preprocessed file in C++, taken apart into what stands at its top level, and what of that something else needs.

use std::collections::BTreeSet;
use std::ops::Range;

use super::tokens::{tokens, Kind, Token};

/// A function, a type, a variable, a declaration.
#[derive(Debug)]
pub struct Item<'a> {
    tokens: Range<usize>,
    /// The file that it is from.
    pub file: &'a str,
    /// The name of a function, with the class that it belongs to; of anything else all names in it.
    defines: BTreeSet<&'a str>,
    is_function: bool,
}

/// A file.
pub struct Items<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    pub items: Vec<Item<'a>>,
}

impl<'a> Items<'a> {
    /// The items of a text, but for those of the system's headers. Namespaces and `extern "C"` are opened: their braces belong
    /// to no item.
    pub fn of(text: &'a str) -> Self {
        let tokens = tokens(text);
        let mut items = vec![];
        let (mut file, mut of_system, mut at) = ("", false, 0);
        while at < tokens.len() {
            let token = tokens[at];
            if token.kind == Kind::Marker {
                (file, of_system) = origin(token.text).unwrap_or((file, of_system));
                at += 1;
            } else if of_system || token.is(b'}') || token.is(b';') {
                at += 1;
            } else if let Some(open) = opens_scope(&tokens[at..]) {
                at += open + 1;
            } else {
                let mut item = item(&tokens, at);
                item.file = file;
                at = item.tokens.end;
                let markers = tokens[item.tokens.clone()].iter().filter(|token| token.kind == Kind::Marker);
                (file, of_system) =
                    markers.filter_map(|marker| origin(marker.text)).next_back().unwrap_or((file, of_system));
                items.push(item);
            }
        }
        Self { text, tokens, items }
    }

    /// The names of all functions with that word before them, as `__global__`.
    pub fn functions_with(&self, word: &str) -> Vec<&'a str> {
        let with = |item: &&Item| item.is_function && self.words(item).any(|other| other == word);
        let mut found: Vec<&str> = vec![];
        for item in self.items.iter().filter(with) {
            found.extend(item.defines.iter().filter(|name| !found.contains(name)).collect::<Vec<_>>());
        }
        found
    }

    /// Whether there is a function of that name; `reduce<64>` is one of the name `reduce`.
    pub fn has_function(&self, name: &str) -> bool {
        let name = name.split('<').next().unwrap_or(name).trim();
        let last = name.rsplit("::").next().unwrap_or(name);
        self.items.iter().any(|item| item.is_function && item.defines.contains(last))
    }

    /// Whether something that is no function may define that name.
    pub fn has_variable(&self, name: &str) -> bool {
        self.items.iter().any(|item| !item.is_function && item.defines.contains(name))
    }

    /// The names of all functions.
    pub fn functions(&self) -> Vec<&'a str> {
        let all = self.items.iter().filter(|item| item.is_function);
        let mut names: Vec<&str> = all.flat_map(|item| item.defines.iter().copied()).collect();
        names.retain(|name| !name.starts_with("simt_"));
        names.dedup();
        names
    }

    /// The text with nothing but the items that are needed: by `roots`, those that `always` says, and by each other, and with
    /// the system's headers. Lines stay where they are.
    pub fn needed(&self, roots: &BTreeSet<String>, always: impl Fn(&Item) -> bool) -> String {
        let mut names: BTreeSet<&str> = roots.iter().map(String::as_str).collect();
        // Operators are called without a name.
        names.insert("operator");
        let mut kept = vec![false; self.items.len()];
        loop {
            let is_new = |(index, item): &(usize, &Item)| {
                !kept[*index] && (always(item) || item.defines.iter().any(|name| names.contains(name)))
            };
            let new: Vec<usize> =
                self.items.iter().enumerate().filter(is_new).map(|(index, _)| index).collect();
            if new.is_empty() {
                break;
            }
            for index in new {
                kept[index] = true;
                names.extend(self.words(&self.items[index]));
            }
        }
        let mut text = self.text.as_bytes().to_vec();
        for item in self.items.iter().zip(kept).filter(|(_, kept)| !kept).map(|(item, _)| item) {
            for token in self.tokens[item.tokens.clone()].iter().filter(|token| token.kind != Kind::Marker) {
                let bytes = &mut text[token.begin..token.end()];
                bytes.iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }

    /// All words of the text.
    pub fn all_words(&self) -> Vec<String> {
        let words = self.tokens.iter().filter(|token| token.kind == Kind::Word);
        words.map(|token| token.text.to_owned()).collect()
    }

    fn words<'s>(&'s self, item: &Item) -> impl Iterator<Item = &'a str> + 's {
        let tokens = self.tokens[item.tokens.clone()].iter();
        tokens.filter(|token| token.kind == Kind::Word).map(|token| token.text)
    }
}

/// The file of a line marker, and whether that is a header of the system, as `# 1 "file" 1 3` says; nothing of a `#pragma`.
fn origin(marker: &str) -> Option<(&str, bool)> {
    let mut parts = marker.strip_prefix("# ")?.splitn(3, '"');
    parts.next()?.trim().parse::<u32>().ok()?;
    let file = parts.next()?;
    Some((file, parts.next().is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "3"))))
}

/// Where the brace of a namespace or of `extern "C"` is, if one begins here.
fn opens_scope(tokens: &[Token]) -> Option<usize> {
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
fn item<'a>(tokens: &[Token<'a>], begin: usize) -> Item<'a> {
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
        // Not what it is initialized with.
        _ => {
            let end =
                tokens[begin..at].iter().position(|token| token.is(b'=')).map_or(at, |equals| begin + equals);
            words(begin..end).filter(|word| !KEYWORDS.contains(word)).collect()
        }
    };
    Item { tokens: begin..at, file: "", defines, is_function }
}

/// The names at the end of what stands before a function's parameters: `a::b` of `int a::b`.
fn function_name<'a>(tokens: &[Token<'a>]) -> BTreeSet<&'a str> {
    let plain: Vec<&Token> = tokens.iter().rev().filter(|token| token.kind != Kind::Marker).collect();
    if plain.iter().any(|token| token.text == "operator") {
        return BTreeSet::from(["operator"]);
    }
    let mut names = BTreeSet::new();
    let mut rest = plain.as_slice();
    loop {
        names.extend(rest.first().map(|token| token.text));
        match rest {
            [_, a, b, tail @ ..] if a.is(b':') && b.is(b':') => rest = tail,
            _ => return names,
        }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Items;

    const FILE: &str = "\
# 1 \"a.cu\"
typedef struct point { float lat, lng; } Point;
FILE *log_file;
extern \"C\" { int twice(int x) { return 2 * x; } }
namespace a { struct S { int f(); }; int S::f() { return twice(3); } }
template <int N> __global__ void tile(Point *p) { p->lat = N; }
__attribute__((noinline)) float table[] = {1, 2}; const int limit = count();
__global__ void
# 7 \"a.cu\"
k(int n) { if (n) helper(n, table[0], '}'); }
static void helper(int, float, char);
void helper(int a, float b, char c) { S s; s.f(); }
Point operator+(Point a, Point b) { return a; }
int main() { k<<<1, 2>>>(3); tile<2><<<1, 1>>>(0); fprintf(log_file, \"}\"); }
";

    fn needed(roots: &[&str]) -> String {
        let roots: BTreeSet<String> = roots.iter().map(|&root| root.into()).collect();
        Items::of(FILE).needed(&roots, |_| false)
    }

    #[test]
    fn kernels_are_found() {
        assert_eq!(Items::of(FILE).functions_with("__global__"), ["tile", "k"]);
    }

    #[test]
    fn what_is_needed_stays_where_it_is() {
        let text = needed(&["k"]);
        assert_eq!(text.lines().count(), FILE.lines().count());
        for kept in [
            "table[]",
            "void\n# 7 \"a.cu\"\nk(int n)",
            "void helper(int a",
            "int S::f()",
            "int twice",
            "operator+",
        ] {
            assert!(text.contains(kept), "{kept}: {text}");
        }
        // `Point` is needed by the operator.
        assert!(text.contains("typedef"), "{text}");
        for gone in ["main", "tile", "log_file", "limit"] {
            assert!(!text.contains(gone), "{gone}: {text}");
        }
    }

    #[test]
    fn code_of_the_host_comes_with_all_that_it_needs() {
        let text = needed(&["main"]);
        assert!(text.contains("log_file;") && text.contains("tile(Point"), "{text}");
    }

    #[test]
    fn unfinished_text_is_taken_as_it_is() {
        for text in ["int f(", "struct {", "}", "} ) int x", "namespace", "extern \"C\"", "a ( ) }"] {
            Items::of(text).needed(&BTreeSet::new(), |_| true);
        }
    }
}
