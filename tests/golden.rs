//! The Verilog of the tiny preset, as `gen --preset tiny` writes it: `rtl_out/golden/`; and the modules that are different
//! with `--sched swas --oracle`: `rtl_out/golden_swas/`. Both are compared with their files byte by byte.
//!
//! A change shows as a difference to review; `HEDDLE_GOLDEN=write cargo test --test suite` with the name of a test, such as
//! `golden`, writes its files anew.

use std::fs;
use std::path::Path;

use hdl::verilog::{Design, CORE_FILE, FILE_LIST};
use heddle::cli;
use spec::config::CoreConfig;
use spec::registry::SWAS_DEFAULT;

fn generate(cfg: &CoreConfig) -> Design {
    rtl::generate(cfg, &cli::header(cfg)).unwrap()
}

/// What to do where a golden file differs.
const ADVICE: &str =
    "`HEDDLE_GOLDEN=write cargo test --test suite -- golden verilog_bundles verilog_traps` writes the files, `git diff` then \
                      shows all that changes";

/// Whether golden files are to be written instead of compared.
fn writes() -> bool {
    std::env::var("HEDDLE_GOLDEN").is_ok_and(|what| what == "write")
}

/// Compares a text with the file at `path` in the package, or writes it there.
pub fn verbatim(path: impl AsRef<Path>, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if writes() {
        fs::write(&path, text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap();
    let mut pairs = golden.lines().zip(text.lines()).enumerate();
    let first = pairs.find(|(_, (before, now))| before != now);
    let line = first.map(|(at, (before, now))| format!("line {}:\n- {before}\n+ {now}\n", at + 1));
    assert!(golden == text, "{} differs; {}{ADVICE}", path.display(), line.unwrap_or_default());
}

/// Compares a design with the files in `directory` of `rtl_out`, or writes it there.
fn compare(directory: &str, design: &Design) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl_out").join(directory);
    if writes() {
        design.write(&directory).unwrap();
    }
    let entries = fs::read_dir(&directory).unwrap();
    let found: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut files = design.files();
    files.extend([FILE_LIST, CORE_FILE].map(String::from));
    let without = |all: &[String], some: &[String]| {
        all.iter().filter(|file| !some.contains(file)).cloned().collect::<Vec<_>>()
    };
    let (new, gone) = (without(&files, &found), without(&found, &files));
    assert!(
        new.is_empty() && gone.is_empty(),
        "{}: {new:?} are new, {gone:?} are gone; {ADVICE}",
        directory.display()
    );
    for (file, module) in design.files().iter().zip(&design.modules) {
        verbatim(directory.join(file), &module.text);
    }
    verbatim(directory.join(FILE_LIST), &(design.files().join("\n") + "\n"));
    verbatim(directory.join(CORE_FILE), &design.core_file());
}

#[test]
fn the_tiny_preset_is_printed_as_before() {
    compare("golden", &generate(&CoreConfig::preset("tiny").unwrap()));
}

#[test]
fn what_the_unified_scheduler_and_the_oracles_change_is_printed_as_before() {
    let tiny = CoreConfig::preset("tiny").unwrap();
    let swas =
        CoreConfig { fetch: SWAS_DEFAULT.into(), issue: SWAS_DEFAULT.into(), oracle: true, ..tiny.clone() };
    let (mut with, without) = (generate(&swas), generate(&tiny));
    with.modules.retain(|module| !without.modules.contains(module));
    compare("golden_swas", &with);
}
