//! `extern __shared__` variables that a launch gives no bytes: they would lie on those of other blocks.

use std::collections::{BTreeMap, BTreeSet};

use divergence::{symbols, Marked, BODY_OF};

use super::description::Description;
use super::host::{Answers, LaunchAnswer};
use crate::assembly::{pieces, Piece};

/// Looks for launches without `shared` whose kernels, as compiled, have such a variable. `entries` has the symbol of each
/// launch's entry, `variables` the names of all such variables.
///
/// # Errors
/// There is one. Where `shared` is given and is 0, that is a warning: the kernel's arguments may tell it not to use it.
pub(super) fn check(
    description: &Description,
    answers: &Answers,
    entries: &[String],
    compiled: &[Marked],
    variables: &BTreeSet<String>,
) -> Result<String, String> {
    if variables.is_empty() {
        return Ok(String::new());
    }
    let files: Vec<_> = compiled.iter().map(|file| functions(&file.text)).collect();
    let mut warnings = String::new();
    for (number, (launch, entry)) in description.launches.iter().zip(entries).enumerate() {
        let none = |launch: &LaunchAnswer| {
            launch.number == number && launch.sizes.last().is_some_and(|bytes| bytes == "0")
        };
        let is_none = answers.launches.iter().any(none);
        let Some(variable) = variables.iter().find(|name| is_none && uses(&files, entry, name)) else {
            continue;
        };
        let named = format!("launch {} ({})", number + 1, launch.kernel);
        if launch.shared.is_none() {
            return Err(format!(
                "{named}: the kernel has the extern __shared__ variable {variable}: give shared = \"...\", its bytes, or \
                 shared = 0 if the kernel does not use it"
            ));
        }
        warnings +=
            &format!("warning: {named}: shared is 0, and the kernel may use the variable {variable}\n");
    }
    Ok(warnings)
}

/// The instructions behind each label of an assembly file that is no local one.
fn functions(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut functions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Piece { label, lines, .. } in pieces(text) {
        functions.entry(label).or_default().extend(lines.into_iter().filter(|line| !line.starts_with('.')));
    }
    functions
}

/// Whether a kernel's code, or what it calls, has the address of a variable.
fn uses(files: &[BTreeMap<&str, Vec<&str>>], entry: &str, variable: &str) -> bool {
    let body = format!("{BODY_OF}{entry}");
    let mut seen = BTreeSet::new();
    let mut next: Vec<(usize, &str)> = (0..files.len()).map(|file| (file, body.as_str())).collect();
    while let Some((file, name)) = next.pop() {
        let lines = files[file].get(name);
        if !seen.insert((file, name)) {
            continue;
        }
        for line in lines.into_iter().flatten() {
            if addresses(line).any(|address| address == variable) {
                return true;
            }
            for word in symbols(line) {
                // A file's own function first: others may have static ones of that name.
                let others = (0..files.len()).filter(|&other| files[other].contains_key(word));
                let own = files[file].contains_key(word);
                next.extend(others.filter(|&other| !own || other == file).map(|other| (other, word)));
            }
        }
    }
    false
}

/// What an instruction takes the address of: `%hi(name+4)`, or `la a0, name`. A register may be called like a variable.
fn addresses(line: &str) -> impl Iterator<Item = &str> {
    let parts = line.split('%').skip(1).filter_map(|part| Some(part.split_once('(')?.1));
    let whole = line.starts_with("la") || line.starts_with("lla");
    let last = whole.then(|| line.rsplit([',', ' ', '\t']).next().unwrap_or(line));
    parts.chain(last).map(|address| address.split([')', '+', '-']).next().unwrap_or(address))
}

#[cfg(test)]
mod tests {
    use super::{functions, uses};

    const FILE: &str = "\
\t.text
simt_body_of_launch_own:
.LFB1:
\tlui\ta5,%hi(s1+4)
\tlw\ta0,%lo(s1+4)(a5)
\tret
simt_body_of_launch_called:
\ttail\t_Z6helperv
_Z6helperv:
\tla a0, s1
\tret
simt_body_of_launch_neither:
\tlw\ta0,0(s1)
\t.string\t\"s1\"
\tcall\t_Z5otherv
";

    #[test]
    fn variables_are_found_where_they_are_used() {
        let files = [functions(FILE), functions("_Z5otherv:\n\tcall _Z6helperv\n_Z6helperv:\n\tmv s1,a0\n")];
        for (entry, used) in [("own", true), ("called", true), ("neither", false), ("absent", false)] {
            assert_eq!(uses(&files, &format!("launch_{entry}"), "s1"), used, "{entry}");
        }
    }
}
