//! Functions and variables of the device are of their file alone, as in CUDA, where a header with them may be in several.

use std::collections::BTreeMap;

use crate::Inputs;

/// The assembly of several files, in which what more than one of them defines is no global symbol any more.
///
/// # Errors
/// A variable that the launch fills: each file would have its own.
pub fn separated(files: &[String]) -> Result<Vec<String>, String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for symbol in files.iter().flat_map(|file| file.lines()).filter_map(global) {
        *count.entry(symbol).or_default() += 1;
    }
    let is_own = |symbol: &str| count[symbol] > 1 && !symbol.starts_with(ENTRY);
    let address = Inputs::address_of("");
    if let Some(variable) =
        count.keys().filter(|symbol| is_own(symbol)).find_map(|symbol| symbol.strip_prefix(&*address))
    {
        return Err(format!(
            "several files have a variable {variable} of their own, of which the launch would fill one: put their kernels into \
             one file"
        ));
    }
    let stays = |line: &&str| !global(line).is_some_and(is_own);
    Ok(files
        .iter()
        .map(|file| file.lines().filter(stays).map(|line| format!("{line}\n")).collect())
        .collect())
}

/// How the symbols of kernels' entries begin, of which a launch means one.
const ENTRY: &str = "launch_";

/// The symbol that a line makes global.
fn global(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix(".globl").map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_files_have_is_of_each_alone() {
        let file = |kernel: &str| {
            format!("\t.globl\tf\nf:\n\tret\n.globl launch_{kernel}\nlaunch_{kernel}:\n\t.weak\tt\n")
        };
        let both = separated(&[file("a"), file("b")]).unwrap();
        assert_eq!(both[1], "f:\n\tret\n.globl launch_b\nlaunch_b:\n\t.weak\tt\n");
        let alone = [file("a"), "g:\n".to_owned()];
        assert_eq!(separated(&alone).unwrap(), alone);
        let same = [file("a"), file("a")];
        assert!(
            separated(&same).unwrap().iter().all(|file| file.contains(".globl launch_a")),
            "the linker refuses it"
        );
        let filled = "\t.globl\tsimt_address_v\n".to_owned();
        assert!(separated(&[filled.clone(), filled]).unwrap_err().contains("a variable v of their own"));
    }
}
