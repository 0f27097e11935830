//! Launch descriptions and CUDA's dialect, on the timing model: the hardware is not the subject here.

mod errors;
mod language;

use std::path::Path;
use std::process::{Command, Output};

use crate::sim_cli::{expect, stderr, stdout};

/// A folder with files.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The program `sim` in a folder, on the model.
pub fn sim(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    command.current_dir(folder).args(["--engine", "model"]).args(arguments).output().unwrap()
}

const SMOOTH: [(&str, &str); 2] = [
    ("smooth.cu", include_str!("../../sim/kernels/examples/smooth.cu")),
    ("smooth.toml", include_str!("../../sim/kernels/examples/smooth.toml")),
];

#[test]
fn the_example_runs() {
    assert!(
        include_str!("../../docs/COMMANDS.md").contains(SMOOTH[1].1),
        "docs/COMMANDS.md shows another description"
    );
    let folder = folder(&SMOOTH);
    let output = sim(folder.path(), &["--json", "-D", "N=37", "smooth.toml"]);
    expect(&output, 0);
    assert_eq!(stderr(&output), "", "no warnings");
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&json["kernel"], &json["result"]), (&"smooth".into(), &"pass".into()));
    // Four rounds of one kernel, and the other one in the last; three blocks.
    let grids: Vec<_> =
        json["launches"].as_array().unwrap().iter().map(|launch| launch["grid"].to_string()).collect();
    assert_eq!(grids, ["[3,1,1]"; 5]);
}

/// A kernel that is wrong in one element, an expectation that is.
#[test]
fn a_wrong_result_is_found() {
    let wrong = SMOOTH[0].1.replace("to[i] = sum / weights;", "to[i] = i == 29 ? 0.0f : sum / weights;");
    let folder = folder(&[("smooth.cu", &wrong), SMOOTH[1]]);
    let output = sim(folder.path(), &["-D", "N=33", "smooth.toml"]);
    expect(&output, 1);
    let said = stdout(&output) + &stderr(&output);
    assert!(said.contains("wrong result: values[") && said.contains("within 1"), "{said}");
}

/// Schedulers are compared on it, and what was kept is not taken for another expectation.
#[test]
fn schedulers_are_compared() {
    let bench = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
        let options =
            ["--engine", "model", "--sched", "lrr,gtlo", "--csv", "--out", "out", "--kernels", "s.toml"];
        command.current_dir(folder).args(options).output().unwrap()
    };
    let description = "sources = [\"s.cu\"]\n[[array]]\nname = \"a\"\ntype = \"int\"\nlength = 40\n[[launch]]\nkernel = \"s\"\n\
                       grid = 5\nblock = 8\nargs = [\"a\"]\n[[reference]]\nfunction = \"h\"\nargs = [\"a\", 3]\n[[check]]\n\
                       array = \"a\"\n";
    let source = "__global__ void s(int *a) { int i = blockIdx.x * 8 + threadIdx.x; a[i] = i * 3; }\n\
                  void h(int *a, int k) { for (int i = 0; i < 40; i++) a[i] = i * k; }\n";
    let folder = folder(&[("s.cu", source), ("s.toml", description)]);
    let output = bench(folder.path());
    expect(&output, 0);
    assert_eq!(stdout(&output).lines().count(), 3, "{}", stdout(&output));
    std::fs::write(folder.path().join("s.toml"), description.replace("\"a\", 3]", "\"a\", 4]")).unwrap();
    let output = bench(folder.path());
    expect(&output, 1);
    assert!(stderr(&output).contains("a[1] is 3, expected 4"), "{}", stderr(&output));
}
