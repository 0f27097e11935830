//! What assembly calls the variables of a file.

use std::collections::BTreeSet;

fn symbols(operands: &str) -> impl Iterator<Item = &str> {
    operands.split(|c: char| !(c.is_ascii_alphanumeric() || "_.$".contains(c)))
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
    fn what_is_declared_in_namespaces_is_found() {
        let declared = BTreeSet::from(["w".to_owned()]);
        let found: Vec<String> = symbols_of(&declared, ASSEMBLY).into_iter().collect();
        assert_eq!(found, ["_ZN1nL1wE", "w"]);
    }
}
