//! The program `bench` from outside.

use std::process::{Command, Output};

use serde_json::Value;

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench")).args(arguments).output().unwrap()
}

/// A simulator takes long to build: here there is none, and whoever begins with it says so.
fn without_verilator(arguments: &[&str]) -> Output {
    let bench = &mut Command::new(env!("CARGO_BIN_EXE_bench"));
    bench.args(arguments).env("VERILATOR", "/nonexistent/verilator").output().unwrap()
}

/// A core that is built in moments.
const SMALLEST: &str = "--warps 2 --threads 2 --no-fpu --no-dcache --icache 256 --draft";

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn mistakes_end_with_2() {
    for (arguments, message) in [
        (
            &["--compare", "nosuch"][..],
            "invalid value 'nosuch' for '--compare <PEER>'\n  [possible values: vortex]",
        ),
        (
            &["--experiment", "nosuch"],
            "invalid value 'nosuch' for '--experiment <PAPER>'\n  [possible values: swas]",
        ),
        (&["--compare", "vortex", "--experiment", "swas"], "cannot be used with"),
        (
            &["--compare", "vortex", "--only", "nosuch"],
            "--only nosuch: nothing that is measured on these cores has that in its name; names are vortex_vecadd:4096, vortex_sgemm:32",
        ),
        (&["--compare", "vortex", "--only", "vecadd,nosuch"], "--only nosuch"),
        (&["--compare", "vortex", "--only", "taken branch", "--presets", "medium"], "--only taken branch"),
        (&["--compare", "vortex", "--only", "FMADD", "--no-fpu"], "--only FMADD"),
        (&[], "<--compare <PEER>|--experiment <PAPER>|--list>"),
        (&["--compare", "vortex", "--presets", "huge"], "invalid value 'huge'"),
        (&["--compare", "vortex", "--json", "--markdown"], "cannot be used with"),
        (&["--compare", "vortex", "--draft", "--quick"], "cannot be used with"),
        (&["--compare", "vortex", "--kernels", "psort"], "vortex does not take --kernels"),
        (&["--compare", "vortex", "--warps", "8"], "other options of the core than --no-fpu"),
        (&["--experiment", "swas", "--presets", "small"], "swas does not take --presets"),
        (&["--experiment", "swas", "--sched", "lrr"], "the experiment chooses the schedulers"),
        (&["--experiment", "swas", "--slices", "2"], "one slice"),
        (&["--experiment", "swas", "--no-trace-port"], "leave out --no-trace-port"),
        (&["--experiment", "swas", "--queue", "8"], "SWaS cannot be built into this core"),
        (&["--experiment", "swas", "--kernels", "nosuch"], "unknown kernel nosuch"),
        (
            &["--experiment", "swas", "--preset", "tiny", "--kernels", "sgemm:8"],
            "needs a floating-point unit",
        ),
        (&["--experiment", "swas", "--mem", "slow"], "unknown memory model"),
        (&["--experiment", "swas", "--kernels", "scan", "--local-mem", "256"], "--local-mem 8192"),
    ] {
        let output = without_verilator(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_anything_runs() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = format!("--experiment swas {SMALLEST} --kernels empty --out");
    let swas_into = |out: &str| without_verilator(&arguments.split(' ').chain([out]).collect::<Vec<_>>());
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("occupied"), "mine").unwrap();
    std::fs::create_dir_all(path("taken/swas.json")).unwrap();
    for (out, reason) in [
        (path("occupied"), "cannot write into "),
        (path("occupied/inside"), "cannot write into "),
        (path("taken"), "swas.json: "),
        ("/proc/no/such".into(), "cannot write into "),
    ] {
        let output = swas_into(&out);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains(reason) && message.contains(&out), "{message}");
    }
    assert_eq!(std::fs::read_to_string(path("occupied")).unwrap(), "mine");
    // What can be written is not made before there is something to write.
    let output = swas_into(&path("a/b"));
    assert!(text(&output.stderr).contains("apt install verilator"), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[test]
fn experiments_are_listed() {
    let output = bench(&["--list"]);
    assert!(output.status.success());
    let stdout = text(&output.stdout);
    let keys: Vec<_> = stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(keys, ["vortex", "swas"]);
}

#[test]
fn figures_stand_beside_vortexs() {
    let arguments = "--compare vortex --presets tiny,small --no-fpu --draft --only empty --json";
    let output = bench(&arguments.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    for (line, shape) in lines.iter().zip(["2x2", "4x4"]) {
        assert_eq!((&line["figure"], &line["shape"]), (&"empty".into(), &shape.into()));
        assert_eq!(line["unit"], "cycles");
        assert!(line["heddle"].as_f64().unwrap() > 50.0);
    }
    assert!(lines[0]["vortex"].is_null(), "nobody has measured it at 2x2");
    assert_eq!(lines[1]["vortex"], 1969.0);
    let faster = 1969.0 / lines[1]["heddle"].as_f64().unwrap();
    assert!((lines[1]["times_faster"].as_f64().unwrap() - faster).abs() < 0.001);
}

/// What is not the same in every run.
fn without_times(record: &Value) -> Value {
    let mut record = record.clone();
    let fields = record.as_object_mut().unwrap();
    for time in ["wall_seconds", "kilocycles_per_second"] {
        fields.remove(time).unwrap();
    }
    record
}

#[test]
fn the_evaluation_of_swas_is_that_of_its_runs() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("new");
    let arguments =
        format!("--experiment swas {SMALLEST} --kernels psort:16,vecadd:9 --mem fixed:9 --json --out");
    let output = bench(&arguments.split(' ').chain([out.to_str().unwrap()]).collect::<Vec<_>>());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: Value = serde_json::from_str(&text(&output.stdout)).unwrap();

    // The file has the same; the page is whole.
    let file: Value = serde_json::from_str(&std::fs::read_to_string(out.join("swas.json")).unwrap()).unwrap();
    assert_eq!(file, result);
    let page = std::fs::read_to_string(out.join("swas.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 2);

    // Nine baselines and three of SWaS, two kernels each; the runs are those of sim.
    let runs = result["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 12 * 2);
    for sched in ["--fetch gtlo --issue lrr", "--sched swas:gtlrr"] {
        let arguments = format!("{SMALLEST} --oracle {sched} --mem fixed:9 --json psort:16 vecadd:9");
        let sim = Command::new(env!("CARGO_BIN_EXE_sim")).args(arguments.split(' ')).output().unwrap();
        assert!(sim.status.success(), "{}", text(&sim.stderr));
        for line in text(&sim.stdout).lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let same = runs.iter().filter(|run| without_times(run) == without_times(&record));
            assert_eq!(same.count(), 1, "{line}");
        }
    }

    // The tables and figures are computed from them.
    let part = |kernel: &str, fetch: &str, issue: &str| -> &Value {
        let is = |run: &&Value| run["kernel"] == kernel && run["fetch"] == fetch && run["issue"] == issue;
        &runs.iter().find(is).unwrap()["parallel"]
    };
    let bars = result["figures_4_and_5"].as_array().unwrap();
    assert_eq!(bars.len(), 9 * 2);
    for bar in bars {
        let name = |field: &str| bar[field].as_str().unwrap();
        let part = part(name("kernel"), name("fetch"), name("issue"));
        for field in ["ipc", "errors", "error_rate"] {
            assert_eq!(bar[field], part[field], "{bar}");
        }
        let [instructions, cycles] = ["thread_instructions", "cycles"].map(|f| part[f].as_f64().unwrap());
        assert!((bar["ipc"].as_f64().unwrap() - instructions / cycles).abs() < 1e-5);
    }
    let ratios = result["figures_6_to_8"].as_array().unwrap();
    assert_eq!(ratios.len(), 9 * 2);
    for bar in ratios {
        let name = |field: &str| bar[field].as_str().unwrap();
        let swas = format!("swas:{}", name("issue"));
        let ipc = |fetch: &str, issue: &str| part(name("kernel"), fetch, issue)["ipc"].as_f64().unwrap();
        let ratio = ipc(&swas, &swas) / ipc(name("fetch"), name("issue"));
        assert!((bar["ratio"].as_f64().unwrap() - ratio).abs() < 1e-4, "{bar}");
    }
    let table = result["table_2"].as_array().unwrap();
    assert_eq!((&table[0]["paper_ratio"], &table[0]["paper_errors"]), (&0.66.into(), &165_011.into()));
    assert!(table[1]["paper_ratio"].is_null(), "the paper has no vecadd");
    for row in table {
        assert_eq!(row["errors"], part(row["kernel"].as_str().unwrap(), "lrr", "gtlrr")["errors"]);
        assert_eq!(row["swas_errors"], 0);
    }
    assert!(table[0]["errors"].as_u64().unwrap() > 0, "the baseline departs from its policy");
}
