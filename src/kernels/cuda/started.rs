//! Variables that begin with what code computes. No code runs before the blocks of a grid: they would begin with 0.

use std::collections::BTreeSet;

use super::tokens::{tokens, Kind, Token};
use super::{brackets::closing, names::ATTRIBUTES};
use crate::assembly::pieces;
use divergence::symbols;

/// Variables of compiled code that other code uses, and that a function would have to fill before it, as `int v = f(7)` at the
/// top level.
pub fn started(assembly: &str) -> BTreeSet<String> {
    let pieces = pieces(assembly);
    let of_list = pieces.iter().filter(|piece| piece.section.starts_with(".init_array"));
    let starters: Vec<&str> = of_list.flat_map(|piece| &piece.lines).filter_map(word).collect();
    // Whether a function begins there that only the list calls.
    let is_starter = |label: &str| {
        starters.contains(&label)
            || ["_Z41__static_init", "__cxx_global_var_init"].iter().any(|begin| label.starts_with(begin))
    };
    let (mut filled, mut used, mut zeros) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for piece in &pieces {
        if [".bss", ".sbss"].iter().any(|begin| piece.section.starts_with(begin)) {
            zeros.insert(piece.label);
        }
        used.extend(piece.lines.iter().filter_map(word).flat_map(symbols));
        let instructions = piece.lines.iter().filter(|line| !line.starts_with('.'));
        let operands = instructions.filter_map(|line| Some(line.split_once(char::is_whitespace)?.1));
        if is_starter(piece.label) { &mut filled } else { &mut used }.extend(operands.flat_map(symbols));
    }
    let of_both = filled.intersection(&used).filter(|name| zeros.contains(*name));
    of_both.map(|name| plain(name)).collect()
}

/// What a line puts into memory, as an address does.
fn word<'a>(line: &&'a str) -> Option<&'a str> {
    let (directive, value) = line.split_once(char::is_whitespace)?;
    [".word", ".4byte", ".long"].contains(&directive).then(|| value.trim())
}

/// The name of a variable as it is in the source: `n::v` of `_ZN1n1vE`.
fn plain(symbol: &str) -> String {
    let mut rest = symbol.strip_prefix("_Z").unwrap_or("");
    let mut names = vec![];
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[at..].bytes().take_while(u8::is_ascii_digit).count();
        let begin = at + digits;
        let end = rest[at..begin].parse::<usize>().ok().and_then(|length| begin.checked_add(length));
        let Some(name) = end.and_then(|end| rest.get(begin..end)) else { break };
        rest = &rest[begin + name.len()..];
        names.push(name);
    }
    names.retain(|name| !name.starts_with("_GLOBAL__N"));
    if names.is_empty() {
        symbol.into()
    } else {
        names.join("::")
    }
}

/// What assembly calls variables that are declared alone: by their names, or with those of namespaces around them.
pub fn symbols_of(declared: &BTreeSet<String>, assembly: &str) -> BTreeSet<String> {
    let within = |symbol: &&str| {
        symbol.starts_with("_ZN")
            && plain(symbol).rsplit_once("::").is_some_and(|(_, name)| declared.contains(name))
    };
    let mut found: BTreeSet<String> = declared.clone();
    found.extend(assembly.lines().flat_map(symbols).filter(within).map(str::to_owned));
    found
}

/// The first variable in local memory that has an initializer, as `__shared__ int s = 3`; it would begin with what the last
/// block has left.
pub fn shared_with_initializer(text: &str) -> Option<String> {
    let all = tokens(text);
    let begins = (0..all.len()).filter(|&at| all[at].text == "__shared__");
    begins.into_iter().find_map(|at| initialized(&all, at + 1)).map(str::to_owned)
}

/// The variable that is initialized in the declaration from a token on.
fn initialized<'a>(all: &[Token<'a>], begin: usize) -> Option<&'a str> {
    let (mut at, mut name, mut is_class, mut angles) = (begin, None, false, 0_usize);
    while let Some(token) = all.get(at) {
        match token.kind {
            Kind::Sign(b';' | b'}' | b')') => return None,
            Kind::Sign(b'=') if angles == 0 => return name,
            // Behind it the variables of an unnamed type follow.
            Kind::Sign(b'{') if !is_class => return name,
            Kind::Sign(b'{') => (at, is_class) = (closing(all, at), false),
            Kind::Sign(b'(' | b'[') => at = closing(all, at),
            Kind::Sign(b'<') => angles += 1,
            Kind::Sign(b'>') => angles = angles.saturating_sub(1),
            Kind::Word if ["struct", "union", "class", "enum"].contains(&token.text) => is_class = true,
            Kind::Word if angles == 0 && !ATTRIBUTES.contains(&token.text) => name = Some(token.text),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What GCC makes of `namespace n { int w = f(1); } int v = f(table[1]); static int unread = f(2);`, and of a use of both.
    const ASSEMBLY: &str = "
_Z1ki:
\tlui\ta5,%hi(v)
\tlw\ta5,%lo(v)(a5)
\tlui\ta4,%hi(_ZN1nL1wE)
\tlw\ta0,%lo(table)(a4)
\t.size\t_Z1ki, .-_Z1ki
_GLOBAL__sub_I_v:
\tlw\ta0,%lo(table)(a5)
\tsw\ta4,%lo(_ZN1nL1wE)(a5)
\tsw\ta4,%lo(v)(a5)
\tsw\ta4,%lo(_ZL6unread)(a5)
\t.size\t_GLOBAL__sub_I_v, .-_GLOBAL__sub_I_v
\t.section\t.init_array,\"aw\"
\t.word\t_GLOBAL__sub_I_v
\t.section\t.sbss.v,\"aw\",@nobits
v:
_ZN1nL1wE:
_ZL6unread:
\t.zero\t4
\t.section\t.rodata.table,\"a\"
table:
\t.word\t3
";

    #[test]
    fn variables_that_code_would_fill_are_named() {
        assert_eq!(started(ASSEMBLY).into_iter().collect::<Vec<_>>(), ["n::w", "v"]);
        assert!(started(&ASSEMBLY.replace(".init_array", ".other")).is_empty());
    }

    #[test]
    fn what_is_declared_in_namespaces_is_found() {
        let declared = BTreeSet::from(["w".to_owned()]);
        let found: Vec<String> = symbols_of(&declared, ASSEMBLY).into_iter().collect();
        assert_eq!(found, ["_ZN1nL1wE", "w"]);
    }

    #[test]
    fn variables_in_local_memory_have_no_initializers() {
        for text in [
            "int s = 3;",
            "int s[2] = {1, 2};",
            "A<int, 3> s{};",
            "struct { int a; } s = {1};",
            "int t, s = 0;",
        ] {
            assert_eq!(
                shared_with_initializer(&format!("__shared__ {text}")).as_deref(),
                Some("s"),
                "{text}"
            );
        }
        for text in [
            "int s; int t = 3;",
            "A<(3 >= 2)> s[N == 2 ? 1 : 2];",
            "struct S { int a; } s;",
            "alignas(8) int s; t = s;",
        ] {
            assert_eq!(shared_with_initializer(&format!("__shared__ {text}")), None, "{text}");
        }
    }
}
