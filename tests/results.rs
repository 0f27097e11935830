//! Tables of documents, which `bench --results` measures: on a document of its own, and the project's documents.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn bench(directory: &Path, arguments: &[&str]) -> Output {
    let bench = &mut Command::new(env!("CARGO_BIN_EXE_bench"));
    bench.args(["--results"]).args(arguments).current_dir(directory).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What it prints, if it succeeds.
fn says(directory: &Path, arguments: &[&str]) -> String {
    let output = bench(directory, arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn git(directory: &Path, arguments: &str) -> String {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    let git = &mut Command::new("git");
    let output = git.args(identity).args(arguments.split(' ')).current_dir(directory).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout).trim().to_owned()
}

/// Of a core that is built in moments, and of one that is not built.
const DOCUMENT: &str = "# Figures

<!-- table cycles
bench --sched lrr,mto --warps 2 --threads 2 --no-fpu --no-dcache --icache 256 --draft --mem fixed:9 --kernels psort:16 vecadd:9
-->
<!-- end of table -->

<!-- table patience, by hand
gen --preset tiny
-->
| a | b |
|---|---|
| 1 | 2 |
<!-- end of table -->
";

#[test]
fn tables_are_measured_once_and_again_when_the_hardware_has_changed() {
    let directory = tempfile::tempdir().unwrap();
    let directory = directory.path();
    let document = directory.join("a.md");
    let read = || fs::read_to_string(&document).unwrap();
    fs::write(&document, DOCUMENT).unwrap();
    let output = bench(directory, &["a.md"]);
    assert!(text(&output.stderr).contains("git"), "no commit, no figures: {}", text(&output.stderr));
    assert_eq!((output.status.code(), read().as_str()), (Some(1), DOCUMENT));

    git(directory, "init --quiet");
    git(directory, "add a.md");
    git(directory, "commit --quiet --message a");
    let commit = git(directory, "rev-parse --short=7 HEAD");
    let plan = says(directory, &["a.md", "--plan"]);
    assert_eq!(plan, "a.md:3: cycles: not measured\na.md:8: patience, by hand: not measured\n");
    assert_eq!(says(directory, &["a.md"]), "a.md: cycles\n");
    let measured = read();
    let table = "-->\n| kernel | lrr | mto |\n|---|---|---|\n| vecadd:9 | ";
    assert!(measured.contains(table), "{measured}");
    assert!(
        measured.contains(&format!("vecadd:9` at {commit}.\n<!-- end of table, commit {commit}, hardware "))
    );
    assert!(
        measured.contains(&format!("| 1 | 2 |\n\nMeasured by hand at {commit}.\n<!-- end")),
        "{measured}"
    );
    assert_eq!(says(directory, &["a.md"]), "", "all is there");
    assert_eq!(read(), measured);

    // As if the hardware had been another one.
    let hardware = |text: &str| text.split("hardware ").nth(1).unwrap()[..8].to_owned();
    let older = measured.replace(&hardware(&measured), "00000000");
    fs::write(&document, &older).unwrap();
    let plan = bench(directory, &["a.md", "--plan"]);
    assert_eq!(plan.status.code(), Some(1));
    assert!(text(&plan.stdout).starts_with("a.md:3: cycles: older than the hardware, and does not say so\n"));
    assert!(text(&plan.stderr).contains("1 tables are older than the hardware"), "{}", text(&plan.stderr));
    assert_eq!(says(directory, &["a.md", "--mark"]), "notes changed under tables: 1\n");
    assert_eq!(
        read(),
        older.replacen(
            &format!("at {commit}."),
            &format!("at {commit}, on hardware that has changed since."),
            1
        )
    );
    assert!(says(directory, &["a.md", "--plan"]).starts_with("a.md:3: cycles: older than the hardware\n"));
    assert_eq!(says(directory, &["a.md", "--only", "patience"]), "", "only others are measured");
    assert_eq!(says(directory, &["a.md", "--only", "psort"]), "a.md: cycles\n");
    assert_eq!(read(), measured, "the same figures");
}

#[test]
fn mistakes_end_with_2_and_change_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let table = |command: &str| format!("<!-- table a\n{command}\n-->\n<!-- end of table -->\n");
    for (document, arguments, message) in [
        (table("sim psort"), &["a.md"][..], "a.md:1: no program sim: tables are made by bench and fpga"),
        (table("bench --list"), &["a.md"], "no simulations follow from this"),
        (table("bench --sched lrr --nosuch"), &["a.md"], "unexpected argument '--nosuch'"),
        (table("bench --sched lrr --only x --kernels a"), &["a.md"], "--sched does not take --only"),
        (table("fpga --table --only nosuch"), &["a.md"], "no row has that in its name"),
        ("<!-- table a\n".into(), &["a.md"], "a.md:1: no line with -->"),
        (table("gen"), &["nosuch.md"], "nosuch.md: No such file"),
        (table("gen"), &["/dev/zero"], "/dev/zero: it is longer than"),
        (table("gen"), &["a.md", "--kernels", "psort"], "--results does not take --kernels"),
        (table("gen"), &["a.md", "--warps", "8"], "--results does not take"),
        (table("gen"), &["a.md", "--json"], "--results does not take --json"),
        (table("gen"), &["a.md", "--mark", "--plan"], "cannot be used with"),
    ] {
        fs::write(directory.path().join("a.md"), &document).unwrap();
        let output = bench(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{document}{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
        assert_eq!(fs::read_to_string(directory.path().join("a.md")).unwrap(), document);
    }
}

#[test]
fn the_documents_say_which_tables_are_older_than_the_hardware() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let plan = says(root, &["README.md", "docs/RESULTS.md", "docs/FPGA.md", "--plan"]);
    assert!(plan.lines().count() > 10, "{plan}");
}
