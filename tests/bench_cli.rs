//! The program `bench` from outside.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::sample::some;
use heddle::report::grouped;
use serde_json::Value;

fn bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bench")).args(arguments).output().unwrap()
}

/// With the words of a line, and behind them others: paths, which may have spaces.
fn bench_line(line: &str, others: &[&str]) -> Output {
    bench(&line.split_whitespace().chain(others.iter().copied()).collect::<Vec<_>>())
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
            "invalid value 'nosuch' for '--experiment <PAPER>'\n  [possible values: swas, baws, motrr, ipaws, kaws]",
        ),
        (&["--compare", "vortex", "--experiment", "swas"], "cannot be used with"),
        (
            &["--compare", "vortex", "--only", "nosuch"],
            "--only nosuch: nothing that is measured on these cores has that in its name; names are vortex_vecadd:4096, vortex_sgemm:32",
        ),
        (&["--compare", "vortex", "--only", "vecadd,nosuch"], "--only nosuch"),
        (&["--compare", "vortex", "--only", "taken branch", "--presets", "medium"], "--only taken branch"),
        (&["--compare", "vortex", "--only", "FMADD", "--no-fpu"], "--only FMADD"),
        (&[], "<--compare <PEER>|--experiment <PAPER>|--speed|--builds|--sched <LIST|all>|--collect <DIR>|--results <FILES>...|--list>"),
        (&["--compare", "vortex", "--presets", "huge"], "invalid value 'huge'"),
        (&["--compare", "vortex", "--json", "--markdown"], "cannot be used with"),
        (&["--compare", "vortex", "--draft", "--quick"], "cannot be used with"),
        (
            &["--sched", "lrr", "--engine", "model", "--quick"],
            "--quick has no effect with --engine model, which builds no simulator: leave it out",
        ),
        (&["--compare", "vortex", "--kernels", "psort"], "vortex does not take --kernels"),
        (&["--compare", "vortex", "--warps", "8"], "other options of the core than --no-fpu"),
        (&["--builds", "--kernels", "psort"], "--builds does not take --kernels"),
        (&["--builds", "--mem", "ideal"], "--builds does not take --mem"),
        (&["--experiment", "swas", "--presets", "small"], "swas does not take --presets"),
        (&["--experiment", "swas", "--sched", "lrr"], "cannot be used with"),
        (&["--experiment", "swas", "--issue", "lrr"], "the experiment chooses the schedulers"),
        (&["--experiment", "swas", "--slices", "2"], "must be 1 under swas: one selection a cycle"),
        (&["--experiment", "swas", "--no-trace-port"], "leave out --no-trace-port"),
        (&["--experiment", "swas", "--queue", "8"], "swas:lrr cannot be built into this core"),
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
    let into = |what: &str, out: &str| {
        let arguments = format!("{what} {SMALLEST} --kernels empty --out");
        without_verilator(&arguments.split(' ').chain([out]).collect::<Vec<_>>())
    };
    let each = ["--experiment swas", "--sched lrr"];
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("occupied"), "mine").unwrap();
    std::fs::create_dir_all(path("taken/swas.json")).unwrap();
    std::fs::create_dir_all(path("taken/sweep.json")).unwrap();
    std::fs::create_dir(path("kept")).unwrap();
    std::fs::write(path("kept/runs"), "mine").unwrap();
    for (whose, out, reason) in [
        (&each[..], path("occupied"), "cannot write into "),
        (&each[..], path("occupied/inside"), "cannot write into "),
        (&each[..1], path("taken"), "swas.json: "),
        (&each[1..], path("taken"), "sweep.json: "),
        (&each[..], path("kept"), "runs"),
        (&each[..], "/proc/no/such".into(), "cannot write into "),
    ] {
        for what in whose {
            let output = into(what, &out);
            let message = text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{what}: {message}");
            assert!(message.contains(reason) && message.contains(&out), "{what}: {message}");
        }
    }
    for file in ["occupied", "kept/runs"] {
        assert_eq!(std::fs::read_to_string(path(file)).unwrap(), "mine");
    }
    // What can be written is not made before there is something to write.
    for what in each {
        let output = into(what, &path("a/b"));
        assert!(text(&output.stderr).contains("apt install verilator"), "{}", text(&output.stderr));
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 3);
}

#[test]
fn experiments_are_listed() {
    let output = bench(&["--list"]);
    assert!(output.status.success());
    let stdout = text(&output.stdout);
    let keys: Vec<_> = stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(keys, ["vortex", "speed", "builds", "swas", "baws", "motrr", "ipaws", "kaws"]);
}

#[test]
fn figures_stand_beside_vortexs() {
    let arguments = "--compare vortex --presets tiny,small --no-fpu --draft --only empty --json";
    let output = bench_line(arguments, &[]);
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

#[test]
fn every_engine_has_a_speed() {
    let arguments = "--speed --presets tiny --no-fpu --draft --kernels vecadd:64 --json";
    let output = bench_line(arguments, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let row: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!((&row["core"], &row["kernel"]), (&"2x2".into(), &"vecadd:64".into()));
    for speed in ["functional_minstructions", "model_kilocycles", "rtl_kilocycles", "lockstep_kilocycles"] {
        assert!(row[speed].as_f64().unwrap() > 0.0, "{row}");
    }
}

#[test]
fn the_tools_work_some_seconds_on_a_simulator() {
    let output = bench(&["--builds", "--presets", "tiny", "--no-fpu", "--draft", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let rows: Vec<Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = rows.iter().map(|row| row["core"].as_str().unwrap()).collect();
    assert_eq!(names, ["Verilator's library, once", "2x2"]);
    // What the cache has would take nothing.
    assert!(rows.iter().all(|row| row["cpu_seconds"].as_f64().unwrap() > 0.5), "{rows:?}");
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
    let output = bench_line(&arguments, &[out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: Value = serde_json::from_str(&text(&output.stdout)).unwrap();

    // The file has the same; the page is whole.
    let file: Value = serde_json::from_str(&std::fs::read_to_string(out.join("swas.json")).unwrap()).unwrap();
    assert_eq!(file, result);
    let [result] = &result["machines"].as_array().unwrap()[..] else { panic!("one machine") };
    let page = std::fs::read_to_string(out.join("swas.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert_eq!(std::fs::read_dir(out.join("runs")).unwrap().count(), 12 * 2);
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 3);

    // Nine baselines and three of SWaS, two kernels each; the runs are those of sim.
    let runs = result["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 12 * 2);
    for sched in some(vec!["--fetch gtlo --issue lrr", "--sched swas:gtlrr"], 1, 0) {
        let arguments = format!("{SMALLEST} --oracle {sched} --mem fixed:9 --json psort:16 vecadd:9");
        let sim = Command::new(env!("CARGO_BIN_EXE_sim")).args(arguments.split(' ')).output().unwrap();
        assert!(sim.status.success(), "{}", text(&sim.stderr));
        for line in text(&sim.stdout).lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let is = |run: &&Value| {
                let mut run = without_times(run);
                run.as_object_mut().unwrap().retain(|field, _| record.get(field).is_some());
                run == without_times(&record)
            };
            assert_eq!(runs.iter().filter(is).count(), 1, "{line}");
        }
    }

    // The tables are computed from them: of the kernels in each, ours and what was published.
    let part = |kernel: &str, sched: &str| {
        runs.iter().find(|run| run["kernel"] == kernel && run["sched"] == sched).unwrap()["parallel"].clone()
    };
    let table = |list: &str, field: &str, value: &str| {
        result[list].as_array().unwrap().iter().find(|table| table[field] == value).unwrap()
    };
    let cell = |table: &Value, kernel: &str, column: &str| {
        let place =
            |list: &Value, is: &dyn Fn(&Value) -> bool| list.as_array().unwrap().iter().position(is).unwrap();
        let column = place(&table["columns"], &|name| name == column);
        let row = &table["rows"][place(&table["rows"], &|row| row["kernel"] == kernel)];
        (row["here"][column].as_f64().unwrap(), row["published"][column].as_f64())
    };
    let policies = ["lrr", "gtlrr", "gtlo"];
    for (kernel, fetch, issue) in ["psort:16", "vecadd:9"].iter().flat_map(|kernel| {
        policies.iter().flat_map(move |fetch| policies.map(|issue| (kernel, fetch, issue)))
    }) {
        let (pair, swas) = (format!("{fetch}-{issue}"), format!("swas:{issue}"));
        let number = |sched: &str, field: &str| part(kernel, sched)[field].as_f64().unwrap();
        for (title, field, unit) in [
            ("IPC", "ipc", 1.0),
            ("scheduling errors", "errors", 1.0),
            ("discrepancies", "discrepancies", 1.0),
            ("scheduling error rate, percent", "error_rate", 100.0),
        ] {
            let (here, _) = cell(table("metrics", "title", title), kernel, &pair);
            assert!((here - unit * number(&pair, field)).abs() < 1e-5, "{title}: {kernel} {pair}");
        }
        let ipc = number(&pair, "thread_instructions") / number(&pair, "cycles");
        assert!((number(&pair, "ipc") - ipc).abs() < 1e-5);
        let (ratio, _) = cell(table("comparisons", "of", &swas), kernel, &pair);
        assert!((ratio - number(&swas, "ipc") / number(&pair, "ipc")).abs() < 1e-4, "{kernel} {pair}");
        assert_eq!(cell(table("metrics", "title", "scheduling errors"), kernel, &swas).0, 0.0);
    }
    let best = |list: &str, field: &str, value: &str, kernel: &str| {
        cell(table(list, field, value), kernel, "lrr-gtlrr")
    };
    let (errors, published) = best("metrics", "title", "scheduling errors", "psort:16");
    assert!(errors > 0.0, "the baseline departs from its policy");
    assert_eq!(published, Some(165_011.0));
    assert_eq!(best("comparisons", "of", "swas:gtlrr", "psort:16").1, Some(0.66));
    assert_eq!(best("comparisons", "of", "swas:gtlrr", "vecadd:9").1, None, "the paper has no vecadd");

    // Where another comparison has the same runs it takes them, and calls them its own.
    let arguments = format!(
        "{SMALLEST} --oracle --sched lrr,swas:lrr --kernels psort:16,vecadd:9 --mem fixed:9 --json --out"
    );
    let output = bench_line(&arguments, &[out.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(out.join("runs")).unwrap().count(), 12 * 2);
    let sweep: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let names: Vec<_> = sweep["runs"].as_array().unwrap().iter().map(|run| run["sched"].clone()).collect();
    assert_eq!(names, ["lrr", "swas:lrr", "lrr", "swas:lrr"]);
    assert_eq!(sweep["settings"].as_array().unwrap().len(), 1, "one machine");
}

/// Of the experiments that are data one is as good as another: three schedulers in one simulator, one that shares warps in another.
#[test]
fn the_evaluation_of_a_paper_is_that_of_its_runs() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("new");
    let arguments =
        "--experiment kaws --engine model --warps 4 --threads 2 --slices 2 --no-dcache --mem fixed:9 --kernels \
                     grid_hotspot:4,grid_vecadd:40 --json --out";
    let run = || bench_line(arguments, &[out.to_str().unwrap()]);
    let output = run();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let page = std::fs::read_to_string(out.join("kaws.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("HS grid_hotspot:4"));
    let [machine] = &result["machines"].as_array().unwrap()[..] else { panic!("one machine") };
    assert_eq!(machine["core"]["warps"], 4);

    let runs = machine["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4 * 2);
    let of = |kernel: &str, variant: &str| {
        runs.iter().find(|run| run["kernel"] == kernel && run["sched"] == variant).unwrap()
    };
    assert_eq!(of("grid_hotspot:4", "KAWS")["issue"], "kaws");
    assert_eq!(of("grid_hotspot:4", "GTO")["fetch"], "lrr");
    // What was published stands beside ours where the paper has the program.
    let here = |what: &str, programs: u32| {
        let row = machine["published"].as_array().unwrap().iter().find(|row| row["what"] == what).unwrap();
        assert_eq!(row["programs"], programs, "{what}");
        row["here"].as_f64()
    };
    let ipc = |variant| of("grid_hotspot:4", variant)["ipc"].as_f64().unwrap();
    assert!((here("HS: KAWS to LRR", 1).unwrap() - ipc("KAWS") / ipc("LRR")).abs() < 1e-5);
    assert_eq!(here("RN: KAWS to LRR", 0), None);
    // Two grids, one step each: the time of their last blocks.
    let last = |variant| {
        let grids = of("grid_hotspot:4", variant)["grids"].as_array().unwrap();
        assert_eq!(grids.len(), 2);
        let time = |grid: &Value| {
            let at = |field: &str| grid[field].as_f64().unwrap();
            at("last_block_ended") - at("last_dispatched")
        };
        grids.iter().map(time).sum::<f64>()
    };
    assert!((here("HS", 1).unwrap() - last("KAWS") / last("GTO")).abs() < 1e-5);

    // Nothing is made twice.
    let again: Value = serde_json::from_str(&text(&run().stdout)).unwrap();
    assert_eq!(again, result);
}

#[test]
fn mistakes_in_a_comparison_end_with_2() {
    for (arguments, message) in [
        ("--sched nosuch --kernels psort", "unknown policy `nosuch`; valid ones are all, fixed, "),
        ("--sched lrr,icount --kernels psort", "unknown policy `icount`"),
        ("--sched lrr", "--kernels LIST, or all"),
        ("--sched lrr --kernels nosuch", "unknown kernel nosuch"),
        ("--sched lrr --kernels psort no/such.elf", "no/such.elf"),
        ("--sched lrr --kernels psort --presets huge", "invalid value 'huge'"),
        ("--sched lrr --kernels psort --presets tiny --preset tiny", "leave --preset out"),
        ("--sched lrr --kernels psort --mem slow", "unknown memory model"),
        ("--sched lrr --kernels psort --mem ideal,slow", "unknown memory model `slow`"),
        ("--sched lrr --kernels psort --seeds 3", "--seeds without --jitter"),
        ("--sched gtlo --kernels psort", "--baseline lrr is not among the schedulers of small"),
        ("--sched lrr --kernels psort --baseline nosuch", "invalid value 'nosuch'"),
        ("--sched lrr --kernels sgemm:8 --presets small,tiny", "tiny: sgemm needs a floating-point unit"),
        ("--sched lrr --kernels grid_vecadd --no-grid", "this core runs no grids"),
        ("--sched lrr --kernels scan --preset paper --local-mem 256", "--local-mem 8192"),
        ("--sched swas --kernels psort --slices 2", "swas:gtlrr is left out on 4x4-"),
        ("--sched lrr --kernels psort --warps 0", "this core cannot be built"),
        ("--sched lrr --kernels psort --no-trace-port", "leave out --no-trace-port"),
        ("--sched lrr --kernels psort --ipaws-recover off", "no effect without ipaws"),
        ("--sched lrr --kernels psort --fetch lrr", "cannot be used with"),
        ("--sched lrr --kernels psort --only psort", "--sched does not take --only"),
        ("--sched lrr --kernels psort --csv --json", "cannot be used with"),
        ("--collect /nonexistent --kernels psort", "--collect does not take --kernels"),
        ("--experiment swas --seeds 2", "swas does not take --seeds"),
        ("--experiment swas --mem ideal,dram", "swas does not take more than one memory"),
        ("--compare vortex --plan", "vortex does not take --plan"),
        ("--experiment baws --seeds 2", "baws does not take --seeds"),
        ("--experiment baws --issue lrr", "the experiment chooses the schedulers"),
        ("--experiment motrr --no-grid", "this core runs no grids"),
        ("--experiment motrr --kernels nosuch", "unknown kernel nosuch"),
        ("--experiment ipaws --no-trace-port", "leave out --no-trace-port"),
        ("--experiment kaws --warps 3", "this core cannot be built"),
    ] {
        let output = without_verilator(&arguments.split(' ').collect::<Vec<_>>());
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {stderr}");
        assert!(stderr.contains(message), "{arguments}: {stderr}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_run_that_fails_leaves_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("new");
    let program = directory.path().join("broken.bin");
    // No instruction.
    std::fs::write(&program, [0; 4]).unwrap();
    let arguments = format!("{SMALLEST} --sched lrr --mem fixed:9 --kernels vecadd:9");
    let output = bench_line(&arguments, &[program.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("broken on 2x2-") && stderr.contains("error: 1 of 2 runs failed"), "{stderr}");
    let result: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("sweep.json")).unwrap()).unwrap();
    let of = |kernel: &str| {
        let runs = result["runs"].as_array().unwrap();
        runs.iter().find(|run| run["kernel"] == kernel).unwrap()["result"].clone()
    };
    assert_eq!([of("vecadd:9"), of("broken")], ["pass", "fail"]);
    let page = std::fs::read_to_string(out.join("sweep.html")).unwrap();
    assert!(page.contains("broken on 2x2-"), "the page tells it too");
}

#[test]
fn a_comparison_that_was_killed_goes_on() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("new");
    let program = directory.path().join("endless.bin");
    // A jump to itself: whatever is done before the end is done in the middle.
    std::fs::write(&program, 0x0000_006f_u32.to_le_bytes()).unwrap();
    let arguments = |last: &str| {
        let all = format!("{SMALLEST} --engine both --sched lrr --mem fixed:9 --kernels vecadd:9 empty");
        let paths = [last, "--out", out.to_str().unwrap()];
        all.split(' ').chain(paths).map(str::to_owned).collect::<Vec<_>>()
    };
    let kept = || -> BTreeMap<PathBuf, Vec<u8>> {
        let files =
            std::fs::read_dir(out.join("runs")).into_iter().flatten().map(|file| file.unwrap().path());
        let whole = files.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
        whole.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
    };
    let mut first = Command::new(env!("CARGO_BIN_EXE_bench"))
        .args(arguments(program.to_str().unwrap()))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while kept().len() < 2 {
        assert_eq!(first.try_wait().unwrap(), None, "it ended too early");
        std::thread::sleep(Duration::from_millis(20));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(!out.join("sweep.json").exists());

    let before = kept();
    let output = bench(&arguments("psort:16").iter().map(String::as_str).collect::<Vec<_>>());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let after = kept();
    assert_eq!((before.len(), after.len()), (2, 3));
    // Each has its time of running in it, which another run would not repeat.
    assert!(before.iter().all(|(path, run)| after[path] == *run));
    // Every cycle on both engines, those before the interruption included.
    let cycles = |run: &Vec<u8>| {
        let run: Value = serde_json::from_slice(run).unwrap();
        run["prediction"]["cycles_compared"].as_u64().unwrap()
    };
    let all = grouped(after.values().map(cycles).sum());
    let told = format!("\nHardware and model: 3 runs, {all} cycles compared, 0 differ.\n");
    assert!(text(&output.stdout).ends_with(&told), "{}{told}", text(&output.stdout));
}

/// Three schedulers in two simulators, two kernels, one interruption.
#[test]
fn a_comparison_is_that_of_its_runs_and_goes_on_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("new").to_str().unwrap().to_owned();
    let all = format!("{SMALLEST} --sched lrr,mto,swas --kernels psort:16 vecadd:9 --mem fixed:9");
    let output = bench_line(&all, &["--json", "--out", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let runs = result["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 6);
    let of = |kernel: &str, sched: &str| {
        runs.iter().find(|run| run["kernel"] == kernel && run["sched"] == sched).unwrap()
    };

    // The runs are those of sim, with the scheduler that --sched means there: one of a simulator.
    for sched in some(vec!["mto", "swas"], 1, 1) {
        let arguments = format!("{SMALLEST} --sched {sched} --mem fixed:9 --json psort:16 vecadd:9");
        let sim = Command::new(env!("CARGO_BIN_EXE_sim")).args(arguments.split(' ')).output().unwrap();
        assert!(sim.status.success(), "{}", text(&sim.stderr));
        for line in text(&sim.stdout).lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let key = if sched == "swas" { "swas:gtlrr" } else { sched };
            let mut run = of(record["kernel"].as_str().unwrap(), key).clone();
            run.as_object_mut().unwrap().retain(|field, _| record.get(field).is_some());
            assert_eq!(without_times(&run), without_times(&record));
        }
    }

    // The figures are computed from them.
    let setting = &result["settings"][0];
    let ratio = |kernel: &str, sched: &str| {
        let ipc = |sched: &str| of(kernel, sched)["ipc"].as_f64().unwrap();
        ipc(sched) / ipc("lrr")
    };
    let cells = setting["cells"].as_array().unwrap();
    assert_eq!(cells.len(), 6);
    for cell in cells {
        let expected = ratio(cell["kernel"].as_str().unwrap(), cell["sched"].as_str().unwrap());
        assert!((cell["normalised"].as_f64().unwrap() - expected).abs() < 1e-5, "{cell}");
        let parts: f64 = cell["split"].as_object().unwrap().values().map(|part| part.as_f64().unwrap()).sum();
        assert!((parts - 1.0).abs() < 1e-5, "{cell}");
    }
    let mean = setting["geometric_means"].as_array().unwrap().iter().find(|m| m["sched"] == "mto").unwrap();
    let expected = (ratio("psort:16", "mto") * ratio("vecadd:9", "mto")).sqrt();
    assert!((mean["mean"].as_f64().unwrap() - expected).abs() < 1e-5);

    // Interrupted: one run is missing, one is half written. Only these are made again.
    let mut kept: Vec<_> =
        std::fs::read_dir(format!("{out}/runs")).unwrap().map(|file| file.unwrap().path()).collect();
    kept.sort();
    assert_eq!(kept.len(), 6);
    let before = kept.iter().map(|path| std::fs::read(path).unwrap()).collect::<Vec<_>>();
    std::fs::remove_file(&kept[0]).unwrap();
    std::fs::write(&kept[1], &before[1][..before[1].len() / 2]).unwrap();
    let page = std::fs::read_to_string(format!("{out}/sweep.html")).unwrap();
    let output = bench_line(&all, &["--csv", "--out", &out]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (number, (path, before)) in kept.iter().zip(&before).enumerate() {
        let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap();
        let after = std::fs::read(path).unwrap();
        assert_eq!(without_times(&read(&after)), without_times(&read(before)));
        assert!(number < 2 || after == *before, "{} was made again", path.display());
    }
    assert_eq!(std::fs::read_to_string(format!("{out}/sweep.html")).unwrap(), page);
    assert_eq!(text(&output.stdout), std::fs::read_to_string(format!("{out}/sweep.csv")).unwrap());
    assert_eq!(text(&output.stdout).lines().count(), 7);

    // Nothing is missing now: the page comes of the runs alone, whoever collects them.
    let elsewhere = directory.path().join("page").to_str().unwrap().to_owned();
    let output = without_verilator(&["--collect", &out, "--out", &elsewhere, "--markdown"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("| lrr | 1.000 | 1.000 | 1.000 |"), "{}", text(&output.stdout));
    assert_eq!(std::fs::read_to_string(format!("{elsewhere}/sweep.html")).unwrap(), page);

    // Part of a run is not passed over.
    std::fs::write(&kept[2], &before[2][..40]).unwrap();
    let output = without_verilator(&["--collect", &out]);
    assert_eq!(output.status.code(), Some(2));
    let message = format!("{} is not a whole run: delete it", kept[2].display());
    assert!(text(&output.stderr).contains(&message), "{}", text(&output.stderr));

    // A run that failed is told, and ends with 1.
    let damaged =
        text(&before[2]).replace("\"result\":\"pass\"", "\"result\":\"fail\",\"failure\":\"it broke\"");
    std::fs::write(&kept[2], damaged).unwrap();
    let output = without_verilator(&["--collect", &out]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("it broke\nerror: 1 of 6 runs failed"), "{}", text(&output.stderr));
}

#[test]
fn a_plan_has_a_command_for_each_run() {
    let output = without_verilator(
        &"--sched lrr,swas:lrr --kernels vecadd:9,psort:9 --mem ideal,dram --presets tiny --draft --plan --out x"
            .split(' ')
            .collect::<Vec<_>>(),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let stdout = text(&output.stdout);
    assert_eq!(stdout.lines().count(), 8);
    assert!(stdout.lines().all(|line| line.starts_with("bench --warps 2 --threads 2 ")), "{stdout}");
    assert_eq!(stdout.lines().filter(|line| line.contains(" --sched swas:lrr ")).count(), 4, "{stdout}");
    // Each is a command that this program takes, of one run.
    for line in stdout.lines() {
        let arguments: Vec<_> = line.split(' ').skip(1).chain(["--plan"]).collect();
        let again = without_verilator(&arguments);
        assert!(again.status.success(), "{}", text(&again.stderr));
        assert_eq!(text(&again.stdout).lines().count(), 1);
    }
}

#[test]
fn a_plan_leaves_out_what_the_core_cannot_have() {
    let arguments = "--sched lrr,swas --slices 2 --kernels vecadd:9,psort:9 --plan";
    let output = without_verilator(&arguments.split(' ').collect::<Vec<_>>());
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.starts_with("note: swas:gtlrr is left out on 4x4-"), "{stderr}");
    assert!(stderr.contains("one selection a cycle serves both stages"), "{stderr}");
    assert_eq!(stdout.lines().count(), 2, "{stdout}");
    assert!(stdout.lines().all(|line| line.contains(" --slices 2 ") && line.contains(" --sched lrr ")));
}
