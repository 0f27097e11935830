//! Launch descriptions and CUDA's dialect, on the timing model: the hardware is not the subject here.

mod atomics;
mod checks;
mod cross_lane;
mod cub;
mod errors;
mod float16;
mod given;
mod language;
mod stacks;
mod vectors;

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

/// Neither a source's folder nor the cache's is taken for code, whatever signs its name has.
#[test]
fn any_folder_will_do() {
    let folder = folder(&[]);
    let strange = folder.path().join("a#b \"c\" '$e");
    std::fs::create_dir(&strange).unwrap();
    SMOOTH.iter().for_each(|(name, text)| std::fs::write(strange.join(name), text).unwrap());
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    let description = strange.join("smooth.toml");
    command
        .args(["--engine", "model", "-D", "N=20"])
        .arg(description)
        .env("HEDDLE_CACHE", strange.join("cache"))
        // Clang takes no file whose path has a quotation mark.
        .env("CXX", "g++");
    expect(&command.output().unwrap(), 0);
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

/// A program of the same form as one of Rodinia's, by ourselves.
#[test]
fn published_programs_are_found_and_checked() {
    let source = "#include <vector>\nstruct LatLong { float lat, lng; };\n__global__ void euclid(LatLong *places, float *out, int n, \
                  float lat, float lng) {\n int i = blockIdx.x * blockDim.x + threadIdx.x;\n if (i < n) out[i] = \
                  sqrt((lat - places[i].lat) * (lat - places[i].lat) + (lng - places[i].lng) * (lng - places[i].lng)); }\n\
                  int main() { std::vector<int> v; euclid<<<1, 2>>>(0, 0, 0, 0, 0); }\n";
    let run = |arguments: &[&str]| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/suites.sh");
        Command::new(script).env("SIM", env!("CARGO_BIN_EXE_sim")).args(arguments).output().unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    // Another suite may have a file of that name.
    for (path, source) in [("other/cuda/nn", "#error\n"), ("rodinia_3.1/cuda/nn", source)] {
        let cuda = folder.path().join(path);
        std::fs::create_dir_all(&cuda).unwrap();
        std::fs::write(cuda.join("nn_cuda.cu"), source).unwrap();
    }
    let shown = folder.path().to_str().unwrap();
    let output = run(&[shown, "--preset", "large", "--engine", "model"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("passed: nn\nnot in"), "{}", stdout(&output));
    // On a core that is too small, and without a folder.
    let output = run(&[shown, "--preset", "tiny", "--fpu", "--engine", "model"]);
    expect(&output, 1);
    assert!(stdout(&output).ends_with("failed: nn\n"), "{}", stdout(&output));
    let output = run(&[]);
    expect(&output, 2);
    assert!(stderr(&output).contains("scripts/suites.sh FOLDER"), "{}", stderr(&output));
}

/// A paper's programs themselves, of which one is there, and one of another suite that the paper does not have.
#[test]
fn a_papers_own_programs_run_in_its_experiment() {
    let sum = "__global__ void vectorAdd(const float *a, const float *b, float *c, int n)\n\
               { int i = blockDim.x * blockIdx.x + threadIdx.x; if (i < n) c[i] = a[i] + b[i]; }\n";
    let suites = folder(&[("vectorAdd.cu", sum)]);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let bench = |prepared: &str, engine: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
        command.current_dir(folder.path()).env("VERILATOR", "/nonexistent/verilator");
        let more = ["--suites", prepared, "--engine", engine, "--out", "kept", "--json"];
        command.args(["--experiment", "ipaws"]).args(more).output().unwrap()
    };
    std::fs::create_dir(path("none")).unwrap();
    let output = bench("none", "model");
    expect(&output, 2);
    assert!(stderr(&output).contains("none has none of the programs KMN, SPMV"), "{}", stderr(&output));
    assert!(stderr(&output).contains("scripts/suites.sh --prepare none SUITES"), "{}", stderr(&output));

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/suites.sh");
    let prepare =
        |to: &str| Command::new(&script).args(["--prepare", to]).arg(suites.path()).output().unwrap();
    let inside = prepare(suites.path().join("some").to_str().unwrap());
    expect(&inside, 2);
    assert!(stderr(&inside).contains("choose another folder"), "{}", stderr(&inside));
    // Twice, for it may be there already.
    for _ in 0..2 {
        let output = prepare(&path("some"));
        expect(&output, 0);
        assert!(stdout(&output).contains("\nprepared: vectorAdd\n"), "{}", stdout(&output));
    }
    let output = bench("some", "model");
    expect(&output, 0);
    assert!(stderr(&output).contains("without KMN, SPMV, BFS"), "{}", stderr(&output));
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let runs = json["machines"][0]["runs"].as_array().unwrap();
    assert!(
        runs.len() == 5 && runs.iter().all(|run| run["kernel"] == "vectorAdd" && run["result"] == "pass")
    );
    // It counts as the paper's program of that name: in the claim on neutral ones, with no other.
    let claims = json["machines"][0]["published"].as_array().unwrap();
    let neutral = claims.iter().find(|claim| claim["what"] == "neutral: RR to GTO").unwrap();
    assert_eq!(neutral["programs"], 1);
    expect(&bench("some", "rtl"), 1);
}

/// Without the suites nothing else is missing.
#[test]
fn descriptions_of_suites_are_complete() {
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/kernels/suites");
    let mut count = 0;
    for suite in ["ispass2009", "parboil", "polybench", "rodinia", "samples"] {
        let files = std::fs::read_dir(suites.join(suite)).unwrap().map(|file| file.unwrap().path());
        for path in files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
            let message = kernels::Launched::from_path(&path, &[]).err().expect("no suite").to_string();
            assert!(message.contains(".cu does not exist"), "{message}");
            count += 1;
        }
    }
    assert_eq!(count, 79);
}
