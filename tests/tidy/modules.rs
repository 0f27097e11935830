//! Whoever changes a module finds its test by its name.

use std::collections::BTreeSet;

use super::{files, none, read, rust_files};
use spec::registry::POLICIES;

/// The code of a text without line comments.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The names behind `struct` in the declarations of modules of a text.
fn modules(text: &str) -> Vec<String> {
    let marks = ["module! {", "scheduler! {", "LogicBlock"];
    let declared = marks.iter().flat_map(|mark| text.split(mark).skip(1));
    let names = declared.filter_map(|rest| words(rest.split_once("struct ")?.1).next());
    names.map(str::to_owned).collect()
}

/// Each module of the hardware is named, in code, by a test that drives it or a whole of which it is a part. Policies
/// are so by the registry, of which every entry is driven (`tests/sched_contract/`).
#[test]
fn every_module_is_named_by_a_test() {
    let tests = files("tests").into_iter().filter(|path| {
        path.extension().is_some_and(|e| e == "rs" || e == "sv") && !path.starts_with("tests/tidy")
    });
    let mut text: String = tests.map(|path| code(&read(path))).collect();
    for path in rust_files("src") {
        text += &read(path).split("#[cfg(test)]").skip(1).map(code).collect::<String>();
    }
    let mut named: BTreeSet<_> = words(&text).collect();
    let registry = code(&read("src/spec/registry.rs"));
    let policies = registry.split("=> ").skip(1).filter_map(|entry| words(entry.split_once("::")?.1).next());
    let policies: BTreeSet<_> = policies.collect();
    assert!(policies.len() >= POLICIES.len(), "{policies:?}");
    named.extend(policies);
    let mut found = Vec::new();
    let mut count = 0;
    for path in rust_files("src/rtl").into_iter().chain(rust_files("src/hdl/cell")) {
        let all = modules(&code(read(&path).split("#[cfg(test)]").next().unwrap_or("")));
        count += all.len();
        let unnamed = all.into_iter().filter(|module| !named.contains(module.as_str()));
        found.extend(unnamed.map(|module| format!("{module} ({})", path.display())));
    }
    assert!(count > 140, "only {count} modules");
    none(&found, "no test names these modules: drive them, or say with assert_parts in the test of what whole they are parts");
}
