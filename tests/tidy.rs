//! What ARCHITECTURE.md and CONTRIBUTING.md promise about the sources, checked on the sources.

mod citations;
mod core;
mod modules;
mod steps;
mod tables;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use kernels::KERNELS;
use spec::config::{PARAMETERS, PRESETS};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The files below a directory of the package, with paths relative to the package.
fn files(directory: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![root().join(directory)];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a readable directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(root()).expect("below the package").to_owned());
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "{directory} is empty");
    found
}

fn rust_files(directory: &str) -> Vec<PathBuf> {
    files(directory).into_iter().filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

/// The lines of a Rust file that are code: no line comments, and nothing from its unit tests on.
fn code(path: &Path) -> Vec<(usize, String)> {
    let text = read(path);
    let lines = text.lines().take_while(|line| line.trim() != "#[cfg(test)]").enumerate();
    lines.map(|(i, line)| (i + 1, line.split("//").next().unwrap_or("").to_owned())).collect()
}

/// `path:line: text` of every line of code that the predicate finds.
fn offences(paths: impl IntoIterator<Item = PathBuf>, is_offence: impl Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for path in paths {
        let lines = code(&path).into_iter().filter(|(_, line)| is_offence(line));
        found.extend(lines.map(|(number, line)| format!("{}:{number}: {}", path.display(), line.trim())));
    }
    found
}

fn none(found: &[String], rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn unsafe_code_is_where_the_simulator_is_driven() {
    let elsewhere = rust_files("src").into_iter().filter(|p| !p.starts_with("src/cosim/verilator"));
    none(
        &offences(elsewhere, |line| line.contains("unsafe ")),
        "unsafe code belongs into src/cosim/verilator",
    );
}

/// The crates, each after those that it may import (ARCHITECTURE.md, "Map").
const CRATES: [&str; 12] = [
    "spec",
    "files",
    "tools",
    "isa",
    "hdl",
    "rtl",
    "model",
    "loader",
    "cosim",
    "divergence",
    "kernels",
    "programs",
];

#[test]
fn every_folder_of_the_sources_is_a_crate_and_imports_those_above_it() {
    let folders: BTreeSet<_> = std::fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap())
        .collect::<Vec<_>>()
        .iter()
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert_eq!(folders, CRATES.iter().map(|name| name.to_string()).collect());
    let imports = |manifest: &str, name: &str| read(manifest).contains(&format!("\nheddle-{name} = "));
    for (place, name) in CRATES.iter().enumerate().take(CRATES.len() - 1) {
        let own = format!("src/{name}/");
        let manifest = format!("{own}Cargo.toml");
        let later: Vec<_> = CRATES[place..].iter().filter(|other| imports(&manifest, other)).collect();
        assert!(later.is_empty(), "{name} imports {later:?}, which come later");
        let strangers = |line: &str| line.contains("#[path");
        none(&offences(rust_files(&own), strangers), "no file of one crate lies in another's folder");
    }
    let models = ["rtl", "hdl"].iter().filter(|hardware| imports("src/model/Cargo.toml", hardware)).count();
    assert_eq!(models, 0, "the model imports the hardware");
    assert!(!imports("src/rtl/Cargo.toml", "model"), "the hardware imports the model");
}

/// What everything else may import is plain data: facts of schedulers, and configurations, which ask for them.
#[test]
fn registry_and_configuration_know_nothing_above_them() {
    let imports = |line: &str| line.contains("crate::") || line.contains("super::");
    none(&offences([PathBuf::from("src/spec/registry.rs")], imports), "the registry imports nothing");
    let others = |line: &str| imports(line) && !line.contains("crate::registry");
    none(&offences([PathBuf::from("src/spec/config.rs")], others), "a configuration asks the registry alone");
}

/// The groups of modules in `src/cosim/lib.rs` are an order: nothing imports from a later one, or in a circle.
#[test]
fn the_parts_of_the_co_simulation_are_in_an_order() {
    // 1. the groups: each module's place
    let text = read("src/cosim/lib.rs");
    let mut group_of = BTreeMap::new();
    for (number, group) in text.split("\n\n").enumerate() {
        let modules = group.lines().filter_map(|line| line.split("mod ").nth(1)?.strip_suffix(';'));
        group_of.extend(modules.map(|module| (module, number)));
    }
    assert!(group_of.len() > 20, "{group_of:?}");
    // 2. the imports between them
    let mut imports = BTreeMap::new();
    for &module in group_of.keys() {
        let own = [format!("src/cosim/{module}.rs"), format!("src/cosim/{module}/mod.rs")];
        let file = own.iter().map(PathBuf::from).find(|path| root().join(path).exists()).expect("its file");
        let lines: Vec<_> = code(&file).into_iter().map(|(_, line)| line).collect();
        let paths = lines.iter().flat_map(|line| line.split("super::").skip(1));
        let names = paths.filter_map(|path| path.split(|c: char| !c.is_alphanumeric() && c != '_').next());
        let known = names.filter_map(|name| group_of.get_key_value(name).map(|(name, _)| *name));
        imports.insert(module, known.filter(|name| *name != module).collect::<BTreeSet<_>>());
    }
    for (module, imported) in &imports {
        let later: Vec<_> = imported.iter().filter(|other| group_of[*other] > group_of[module]).collect();
        assert!(later.is_empty(), "src/cosim: {module} imports {later:?}, which come later");
    }
    // 3. what imports nothing that is left goes, until nothing is left
    while !imports.is_empty() {
        let left: BTreeSet<_> = imports.keys().copied().collect();
        imports.retain(|_, imported| !imported.is_disjoint(&left));
        assert!(imports.len() < left.len(), "src/cosim: a circle among {imports:?}");
    }
}

/// rust-hdl accepts `for i in 0..=n` and leaves out the last round in Verilog.
#[test]
fn hardware_has_no_inclusive_ranges() {
    none(&offences(rust_files("src/rtl"), |line| line.contains("..=")), "write an exclusive range");
}

#[test]
fn nothing_is_left_unfinished() {
    let unfinished =
        |line: &str| ["todo!(", "unimplemented!(", "#[ignore"].iter().any(|word| line.contains(word));
    none(&offences(rust_files("src"), unfinished), "unfinished");
    let others = rust_files("tests").into_iter().filter(|p| p != Path::new("tests/tidy.rs"));
    none(&offences(others, unfinished), "unfinished");
}

/// `println!` and its like panic where nothing can be printed: on a full disk, into a pipe that nobody reads.
#[test]
fn everything_is_printed_by_what_does_not_panic() {
    // The build script speaks to cargo.
    let own = ["src/programs/cli/print.rs", "src/divergence/build.rs"].map(Path::new);
    let elsewhere = rust_files("src").into_iter().filter(|p| !own.contains(&p.as_path()));
    let prints = |line: &str| {
        ["print!(", "println!(", "dbg!(", "stdout()", "stderr()"].iter().any(|word| line.contains(word))
    };
    none(&offences(elsewhere, prints), "programs print by cli::print and cli::complain");
}

/// Whoever prints an error prints its causes too: a message that has them in it says them twice.
#[test]
fn errors_leave_their_causes_to_who_prints_them() {
    let twice = |line: &str| line.contains("#[error(") && line.contains("{source}");
    none(&offences(rust_files("src"), twice), "the source of an error has its own message");
}

/// Schedulers are not asked for: their list is what `gen --list` says, and what documents say of them is held against it.
#[test]
fn what_the_registries_list_is_documented() {
    let documented = |document: &str, name: &str| {
        assert!(read(document).contains(&format!("`{name}`")), "{document} does not mention {name}");
    };
    PRESETS.iter().for_each(|preset| documented("README.md", preset.name));
    KERNELS.iter().for_each(|kernel| documented("docs/COMMANDS.md", kernel.name));
    let commands = read("docs/COMMANDS.md");
    for option in PARAMETERS.iter().flat_map(|parameter| parameter.options) {
        let named = [format!("`{}`", option.option), format!("`{} ", option.option)];
        assert!(
            named.iter().any(|text| commands.contains(text)),
            "docs/COMMANDS.md does not mention {}",
            option.option
        );
    }
}

/// Every path that a document quotes exists.
#[test]
fn the_map_is_of_this_tree() {
    let top = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"].map(PathBuf::from);
    for document in top.into_iter().chain(files("docs")) {
        let text = read(&document);
        let quoted = text.split('`').skip(1).step_by(2);
        let places = ["src/", "sim/", "tests/", "scripts/", "docs/", "fpga/"];
        for path in quoted.filter(|q| places.iter().any(|p| q.starts_with(p)) && !q.contains(['<', '*', ' ']))
        {
            assert!(root().join(path).exists(), "{} names {path}, which is not there", document.display());
        }
    }
}

/// A file's name without what stands behind the dot.
fn name(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

#[test]
fn every_kernel_source_is_registered() {
    let others = ["sim/kernels/runtime", "sim/kernels/vortex", "sim/kernels/examples", "sim/kernels/suites"];
    let ours = |path: &&PathBuf| !others.iter().any(|other| path.starts_with(other));
    let alike =
        |path: &&PathBuf| path.starts_with("sim/kernels/vortex/") && name(path).starts_with("vortex_");
    let (kernels, programs) = (files("sim/kernels"), files("sim/kernels/vortex"));
    for path in kernels.iter().filter(ours).chain(programs.iter().filter(alike)) {
        let name = name(path);
        assert!(KERNELS.iter().any(|k| k.name == name), "{} is not in the registry", path.display());
    }
}
