//! The script that builds the programs by a profile, with stand-ins for the tools: the real ones work for ten minutes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::build_cli::script;

/// A copy of the script in a folder with a space in its name, and tools that write down what they are asked.
struct Tree {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Tree {
    fn new(bench: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("a tree");
        for part in ["scripts", "tools/lib/bin"] {
            fs::create_dir_all(root.join(part)).unwrap();
        }
        fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/pgo.sh"), root.join("scripts/pgo.sh"))
            .unwrap();
        let tree = Self { folder, root };
        tree.tool("rustup", "echo rustup: no network >&2; exit 1");
        tree.tool("rustc", "[ $1 = -vV ] && echo LLVM version: 7.0.1 || echo \"$TOOLS/lib/lib\"");
        fs::create_dir(tree.root.join("tools/lib/lib")).unwrap();
        let bench = format!("#!/bin/sh\\n{bench}\\n");
        tree.tool(
            "cargo",
            &format!(
                "echo \"cargo $CARGO_ENCODED_RUSTFLAGS $*\" | tr '\\037' + >>log\n\
                 mkdir -p target/counting/release\nprintf '{bench}' >target/counting/release/bench\n\
                 chmod +x target/counting/release/bench"
            ),
        );
        tree
    }

    fn tool(&self, name: &str, commands: &str) {
        script(&self.root.join("tools").join(name), commands);
    }

    fn run(&self) -> Output {
        let tools = self.root.join("tools");
        Command::new(self.root.join("scripts/pgo.sh"))
            .env("PATH", format!("{}:/usr/bin:/bin", tools.display()))
            .env("TOOLS", tools)
            .env("RUSTFLAGS", "-C target-cpu=native")
            .current_dir(self.folder.path())
            .output()
            .unwrap()
    }
}

const COUNTS: &str = "target/guided/counts";

#[test]
fn programs_are_built_by_the_counts_of_a_run() {
    let tree = Tree::new(&format!("touch {COUNTS}/1.profraw"));
    tree.tool("lib/bin/llvm-profdata", "echo llvm-profdata \"$*\" >>log");
    let output = tree.run();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let root = tree.root.canonicalize().unwrap();
    let guided = format!("{}/target/guided", root.display());
    let said = fs::read_to_string(root.join("log")).unwrap();
    let asked = [
        format!(
            "cargo -Clto=off+-C+target-cpu=native+-Cprofile-generate={guided}/counts \
             build --release --bin bench --target-dir target/counting"
        ),
        format!("llvm-profdata merge -o {guided}/engine.profdata {guided}/counts/1.profraw"),
        format!(
            "cargo -Clto=off+-C+target-cpu=native+-Cprofile-use={guided}/engine.profdata \
             build --release --bins --target-dir {guided}"
        ),
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), asked);
    assert!(!root.join(COUNTS).exists(), "the counts stay");
}

#[test]
fn what_goes_wrong_is_said_and_nothing_is_built_by_it() {
    let tree = Tree::new("echo no compiler >&2; exit 3");
    let complaint = |output: Output| {
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = complaint(tree.run());
    assert!(said.contains("rustup component add llvm-tools, or install llvm-profdata-7"), "{said}");
    assert!(!tree.root.join("log").exists(), "built without a reader of the counts");
    tree.tool("llvm-profdata-7", "echo llvm-profdata >>log");
    let said = complaint(tree.run());
    assert!(said.contains("no compiler\npgo: error: the program with counters has failed"), "{said}");
    assert!(!fs::read_to_string(tree.root.join("log")).unwrap().contains("profile-use"));
    assert!(!tree.root.join(COUNTS).exists(), "the counts stay");
}
