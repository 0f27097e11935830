//! The `gen` program as its users meet it: what it prints, writes and returns.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::cosim_fuzz::random_core;
use crate::sample;
use crate::tool_cache::{answer, lint, version};
use cosim::verilator::Toolchain;
use cosim::Rng;
use rustix::process::{kill_process, Pid, Signal};
use serde_json::{json, Value};
use spec::config::{CoreConfig, PARAMETERS, PRESETS};
use spec::registry;

fn gen(directory: &Path, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_gen");
    Command::new(program).current_dir(directory).args(arguments).output().expect("gen runs")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Runs what must fail as a usage error, and gives the message.
fn usage_error(arguments: &[&str]) -> String {
    let directory = tempfile::tempdir().expect("a directory");
    let output = gen(directory.path(), arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}: {}", out(&output));
    assert_eq!(fs::read_dir(directory.path()).expect("readable").count(), 0, "{arguments:?} wrote something");
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = out(output);
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn verilog_is_written_and_reported() {
    let directory = tempfile::tempdir().expect("a directory");
    let report = json(&gen(directory.path(), &["--preset", "tiny", "--no-trace-port", "--json"]));
    assert_eq!(report["top"], "heddle");
    let mut cfg = CoreConfig::preset("tiny").expect("a preset");
    cfg.trace_port = false;
    assert_eq!(report["config"], serde_json::to_value(cfg).expect("a value"));
    assert!(report["milliseconds"].as_f64().expect("a number") > 0.0);

    let files: Vec<_> =
        report["files"].as_array().expect("a list").iter().map(|f| f.as_str().unwrap()).collect();
    let texts: Vec<_> =
        files.iter().map(|f| fs::read_to_string(directory.path().join(f)).expect(f)).collect();
    assert_eq!(report["bytes"], texts.iter().map(String::len).sum::<usize>());
    // The files, the list of them, and the description for FuseSoC.
    assert_eq!(fs::read_dir(directory.path().join("rtl_out")).expect("rtl_out").count(), files.len() + 2);
    let list = fs::read_to_string(directory.path().join("rtl_out/heddle.f")).expect("the list");
    assert!(list.lines().map(|name| format!("rtl_out/{name}")).eq(files.iter().copied()), "{list}");
    let modules: usize = texts.iter().map(|t| t.lines().filter(|l| l.starts_with("module ")).count()).sum();
    assert_eq!(modules, files.len(), "one module a file");
    assert!(texts.iter().any(|t| t.contains("module heddle")));
}

/// Writes a core and gives the directory and the names of its files.
fn generated(arguments: &[&str]) -> (tempfile::TempDir, Vec<String>) {
    let directory = tempfile::tempdir().expect("a directory");
    let output = gen(directory.path(), &[arguments, &["--out", "."]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let list = fs::read_to_string(directory.path().join("heddle.f")).expect("the list");
    let files = list.lines().map(String::from).collect();
    (directory, files)
}

/// The description is of the form that FuseSoC reads, and names the files that are there, leaves first.
#[test]
fn fusesoc_gets_a_description() {
    let (directory, files) = generated(&["--preset", "tiny"]);
    let text = fs::read_to_string(directory.path().join("heddle.core")).expect("the description");
    assert!(text.starts_with("CAPI=2:\nname: heddle:gpu:heddle:"), "{text}");
    let listed = text.lines().filter_map(|line| line.strip_prefix("      - ")).map(String::from);
    assert_eq!(listed.collect::<Vec<_>>(), files);
    for file in &files {
        assert!(directory.path().join(file).is_file(), "{file}");
    }
}

/// Cores of different policies have modules of the same names.
#[test]
fn two_cores_go_into_one_design() {
    let directory = tempfile::tempdir().expect("a directory");
    let mut files = vec![];
    for (prefix, sched) in [("a_", "gtlo"), ("b_", "swas")] {
        let arguments = ["--preset", "tiny", "--sched", sched, "--prefix", prefix, "--out", prefix, "--json"];
        let report = json(&gen(directory.path(), &arguments));
        assert_eq!(report["top"], format!("{prefix}heddle"));
        let own = report["files"].as_array().expect("a list");
        files.extend(own.iter().map(|file| file.as_str().expect("a path").to_owned()));
        let top =
            fs::read_to_string(directory.path().join(format!("{prefix}/{prefix}heddle.v"))).expect("the top");
        assert!(top.contains(&format!(" --prefix {prefix}\n")), "the command that makes it again");
        let description = fs::read_to_string(directory.path().join(prefix).join("heddle.core")).expect("it");
        assert!(description.contains(&format!("name: heddle:gpu:{prefix}heddle:")), "{description}");
    }
    let tops = ["-s", "a_heddle", "-s", "b_heddle", "-o", "both.vvp"];
    let output = Command::new("iverilog").current_dir(directory.path()).args(tops).args(&files).output();
    let output = output.expect("iverilog runs (apt package iverilog)");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for wrong in ["1a", "a-b", "_", " "] {
        let said = usage_error(&["--prefix", wrong]);
        assert!(said.contains("a letter, then letters, digits and _ are needed"), "{said}");
    }
}

/// Presets, and shapes whose masks and ids have unusual widths: no latch, no combinational loop, no mixed widths, nothing
/// undriven or driven twice. The simulators of `simulators.rs`, `small` and `medium` among them, are linted while they are
/// built, and `tiny`, as `counted`; of the large presets a short run takes one, and three of the shapes.
#[test]
fn what_is_written_passes_verilators_lint() {
    let tools = Toolchain::discover().expect("verilator");
    let shapes = [
        vec!["--warps", "1", "--threads", "1", "--queue", "2"],
        vec!["--warps", "6", "--threads", "4", "--slices", "2", "--sched", "fixed", "--icache", "4K:2"],
        vec!["--warps", "5", "--threads", "8", "--queue", "8", "--local-mem", "64", "--load-slots", "1"],
        vec!["--preset", "small", "--no-trace-port"],
        "--warps 8 --threads 2 --slices 4 --cache-banks 2 --lsu-accesses 2 --load-slots 3"
            .split(' ')
            .collect(),
    ];
    let (built, large): (Vec<_>, Vec<_>) =
        PRESETS.iter().map(|p| p.name).partition(|name| ["tiny", "small", "medium"].contains(name));
    assert_eq!(built.len(), 3);
    let shapes = sample::some(shapes.to_vec(), 3, 0);
    for arguments in sample::some(large, 1, 0).into_iter().map(|name| vec!["--preset", name]).chain(shapes) {
        let (directory, files) = generated(&arguments);
        let texts = files.iter().map(|file| fs::read_to_string(directory.path().join(file)).expect("a file"));
        let text: Vec<_> = texts.collect();
        lint(&tools, &text.concat(), "heddle").unwrap_or_else(|e| panic!("{arguments:?}: {e}"));
    }
}

/// Shapes that nobody thought of: the lint of a core costs a tenth of its simulator.
#[test]
fn random_cores_pass_verilators_lint() {
    let tools = Toolchain::discover().expect("verilator");
    for seed in sample::few(3, sample::seeds(900, 6)) {
        let cfg = random_core(&mut Rng::new(seed));
        let design = rtl::generate(&cfg, &[]).unwrap_or_else(|e| panic!("core {seed}: {cfg:?}: {e}"));
        lint(&tools, &design.concat(), "heddle").unwrap_or_else(|e| panic!("core {seed}: {cfg:?}: {e}"));
    }
}

/// The head of the files has a command that writes them again, which leaves out what has no effect.
#[test]
fn what_has_no_effect_changes_no_hardware() {
    for seed in sample::few(3, sample::seeds(950, 12)) {
        let cfg = random_core(&mut Rng::new(seed));
        let in_vain = PARAMETERS.iter().filter(|parameter| parameter.in_vain(&cfg).is_some());
        let without = in_vain.clone().fold(cfg.clone(), |core, parameter| parameter.reset(&core));
        let modules = |core| rtl::generate(core, &[]).unwrap_or_else(|e| panic!("{core:?}: {e}")).modules;
        let (with, without) = (modules(&cfg), modules(&without));
        let differing = with.iter().find(|module| !without.contains(module));
        let names: Vec<_> = in_vain.map(|parameter| parameter.name).collect();
        if let Some(module) = differing {
            panic!("core {seed}: {cfg:?}: one of {names:?} changes {}", module.name);
        }
        assert_eq!(with.len(), without.len(), "core {seed}: {cfg:?}: one of {names:?} takes modules away");
    }
}

/// Another reader than the simulator's: plain Verilog-2005, every module found, nothing driven twice.
#[test]
fn yosys_reads_what_is_written() {
    let slices = ["--warps", "8", "--threads", "2", "--slices", "4"].as_slice();
    let quad = ["--preset", "quad"].as_slice();
    for arguments in [&["--preset", "tiny"][..], if sample::is_full() { quad } else { slices }] {
        let (directory, files) = generated(&[arguments, &["--no-trace-port"][..]].concat());
        let script =
            format!("read_verilog {}; hierarchy -check -top heddle; proc; check -assert", files.join(" "));
        let text = |file| fs::read_to_string(directory.path().join(file)).expect("a file");
        let text: String = files.iter().map(text).collect();
        let reads = || {
            let yosys =
                Command::new("yosys").current_dir(directory.path()).args(["-q", "-p", &script]).output();
            let yosys = yosys.expect("yosys runs (apt package yosys)");
            let said = String::from_utf8_lossy(&yosys.stderr);
            yosys.status.success().then(String::new).ok_or_else(|| said.into_owned())
        };
        answer(&["yosys", &version("yosys", "-V"), &script, &text], reads)
            .unwrap_or_else(|e| panic!("{arguments:?}: {e}"));
    }
}

#[test]
fn the_same_core_gives_the_same_text() {
    let directory = tempfile::tempdir().expect("a directory");
    for out in ["one", "two"] {
        assert!(gen(directory.path(), &["--preset", "tiny", "--out", out]).status.success());
    }
    for file in fs::read_dir(directory.path().join("one")).expect("readable") {
        let name = file.expect("an entry").file_name();
        let read = |out: &str| fs::read(directory.path().join(out).join(&name)).expect("both have it");
        assert_eq!(read("one"), read("two"), "{name:?}");
    }
}

#[test]
fn everything_is_listed() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = out(&gen(directory.path(), &["--list"]));
    let list = json(&gen(directory.path(), &["--list", "--json"]));
    for (i, policy) in registry::all().enumerate() {
        for part in [policy.key, policy.summary, policy.source] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        assert_eq!(list["schedulers"][i]["key"], policy.key);
    }
    let line = |key: &str| text.lines().find(|line| line.split_whitespace().next() == Some(key));
    for (key, options) in
        [("lrr", "--sched, --fetch, --issue"), ("icount", "--fetch"), ("swas:lrr", "--sched")]
    {
        let of_key = line(key).expect("a line");
        assert!(of_key.contains(options), "{of_key}");
        assert_eq!(of_key.matches("--").count(), options.matches("--").count(), "{of_key}");
    }
    for (i, preset) in PRESETS.iter().enumerate() {
        assert!(text.contains(preset.name) && text.contains(preset.summary), "{text}");
        assert_eq!(list["presets"][i]["name"], preset.name);
    }
    assert_eq!(fs::read_dir(directory.path()).expect("readable").count(), 0);
}

#[test]
fn unknown_names_are_answered_with_the_valid_ones() {
    let message = usage_error(&["--preset", "huge"]);
    for preset in PRESETS {
        assert!(message.contains(preset.name), "{message}");
    }
    for option in ["--sched", "--fetch", "--issue"] {
        let message = usage_error(&[option, "nosuch"]);
        assert!(message.contains("lrr") && message.contains("fixed"), "{message}");
    }
    let message = usage_error(&["--sched", "icount"]);
    let valid = message.split_once("possible values").expect("the valid ones").1;
    assert!(valid.contains("swas:gtlo") && !valid.contains("icount"), "{message}");
    assert!(usage_error(&["--fetch", "nosuch"]).contains("icount"));
    usage_error(&["--nosuch"]);
    usage_error(&["--sched", "lrr", "--issue", "fixed"]);
}

#[test]
fn every_broken_rule_is_told() {
    let arguments = ["--warps", "0", "--threads", "3", "--slices", "5", "--queue", "3", "--load-slots", "99"];
    let message = usage_error(&arguments);
    for field in ["warps", "threads", "slices", "queue_depth", "load_slots"] {
        assert!(message.contains(&format!("{field} = ")), "{message}");
    }
    let message = usage_error(&["--sched", "swas", "--warps", "4", "--slices", "2", "--queue", "8"]);
    for said in ["slices = 2: must be 1 under swas", "queue_depth = 8: must be 4 under swas"] {
        assert!(message.contains(said), "{message}");
    }
    let message = usage_error(&["--oracle", "--issue", "srr", "--no-trace-port"]);
    for said in ["needs one of the issue policies fixed, lrr", "needs the trace port"] {
        assert!(message.contains(said), "{message}");
    }
    for (option, value) in
        [("--warps", "many"), ("--icache", "16K:x"), ("--local-mem", "-1"), ("--warps", "-1")]
    {
        assert!(usage_error(&[option, value]).contains(value), "{option} {value}");
    }
}

/// What the rest of the configuration leaves without effect is refused where it was asked for on the command line.
#[test]
fn options_without_effect_are_refused() {
    for (arguments, said) in [
        (&["--axi-data-bits", "128"][..], "--axi-data-bits has no effect on a core with the native bus"),
        (&["--axi-data-bits", "128"], "--bus axi4"),
        (&["--preset", "tiny", "--fpu-slow-lanes", "1"], "--fpu-slow-lanes has no effect on a core without"),
        (&["--mshrs", "4", "--no-dcache"], "--mshrs has no effect on a core without data cache"),
        (&["--mshrs", "4", "--dcache", "0"], "--mshrs has no effect on a core without data cache"),
        (&["--preset", "quad", "--lsu-accesses", "2"], "--cache-banks 2"),
    ] {
        let message = usage_error(arguments);
        assert!(message.contains(said), "{message}");
    }
    // All at once; and what a file says is no mistake.
    let message = usage_error(&["--preset", "tiny", "--no-dcache", "--mshrs", "4", "--fpu-slow-lanes", "1"]);
    assert!(message.contains("--mshrs") && message.contains("--fpu-slow-lanes"), "{message}");
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("core.toml");
    fs::write(&file, "axi_data_bits = 128\nfpu_slow_lanes = 2\nmshrs = 4\nfpu = false\n").expect("writable");
    let arguments = ["--config", file.to_str().expect("UTF-8"), "--no-dcache", "--json"];
    assert_eq!(json(&gen(directory.path(), &arguments))["config"]["mshrs"], 4);
    fs::write(&file, "bus = \"axi4\"").expect("writable");
    let arguments = [&arguments[..2], &["--axi-data-bits", "128", "--json"]].concat();
    assert_eq!(json(&gen(directory.path(), &arguments))["config"]["axi_data_bits"], 128);
}

/// What a file leaves out of a table is that of the preset.
#[test]
fn a_file_may_give_a_part_of_a_table() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("core.toml"), "[icache]\nways = 2\n[dcache]\nwrite_back = true\n")
        .expect("writable");
    let config = |more: &[&str]| {
        let arguments = [&["--preset", "medium", "--config", "core.toml", "--json"], more].concat();
        json(&gen(directory.path(), &arguments))["config"].clone()
    };
    assert_eq!(config(&[])["icache"], json!({"bytes": 16384, "ways": 2}));
    assert_eq!(config(&[])["dcache"], json!({"bytes": 16384, "ways": 1, "write_back": true}));
    assert_eq!(config(&["--icache", "4K"])["icache"], json!({"bytes": 4096, "ways": 2}));
}

#[test]
fn wrong_files_are_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("core.toml");
    let path = file.to_str().expect("UTF-8");
    assert!(usage_error(&["--config", path]).contains(path));
    for (text, said) in [
        ("warps = \"four\"", "warps"),
        ("lanes = 4", "lanes"),
        ("warps = ", "warps"),
        ("[icache]\nsets = 2", "unknown field `sets`"),
        ("[dcache]\nbytes = \"4K\"", "bytes"),
        ("threads = 5", "power of two"),
        // What was expected is said in words of the file, not of the sources.
        ("warps = \"four\"", "expected a whole number"),
        ("mshrs = -1", "expected a whole number"),
        ("[dcache]\nbytes = \"4K\"", "expected a whole number"),
        ("icache = 4096", "expected a table of bytes and ways"),
        ("dcache = false", "expected a table of bytes, ways and write_back"),
        ("fpu = 1", "expected a boolean"),
        ("bus = \"pci\"", "valid ones are native, axi4"),
        ("bus = 4", "expected a string"),
        ("lanes = 4", "expected one of `warps`, `threads`"),
    ] {
        fs::write(&file, text).expect("writable");
        let message = usage_error(&["--config", path]);
        assert!(message.contains(said), "{text}: {message}");
    }
}

#[test]
fn an_output_directory_that_cannot_be_written_is_an_error() {
    let directory = tempfile::tempdir().expect("a directory");
    fs::write(directory.path().join("occupied"), "mine").expect("writable");
    for out in ["occupied", "occupied/inside", "/proc/no/such"] {
        let output = gen(directory.path(), &["--preset", "tiny", "--out", out]);
        assert_eq!(output.status.code(), Some(1), "{out}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(out), "{message}");
    }
    assert_eq!(fs::read_to_string(directory.path().join("occupied")).expect("still there"), "mine");
    assert_eq!(fs::read_dir(directory.path()).expect("readable").count(), 1);
}

/// A kernel gives a reason why something is unread: one that no core prints is about nothing, or about what is read.
#[test]
fn every_reason_to_be_unread_is_needed() {
    let cores = [
        "--threads 1 --warps 1 --queue 2 --sched motrr-recency",
        "--sched swas --cross-lane",
        "--sched fixed --no-fpu --register-banks 4",
        "--register-banks 2",
        "--slices 2 --sched kaws --no-fpu --cache-banks 2 --lsu-accesses 2",
        "--bus axi4",
        "--fetch-width 2",
        "--preset medium --dcache 16K:2:wb --cache-banks 2",
        "--preset tiny --no-grid --no-counters --no-dcache",
        "--preset tiny --warps 1 --fetch-width 2 --queue 4",
    ];
    let text: String = cores
        .iter()
        .map(|core| {
            let (directory, files) = generated(&core.split(' ').collect::<Vec<_>>());
            let text = |file| fs::read_to_string(directory.path().join(file)).expect("a file");
            files.iter().map(text).collect::<String>()
        })
        .chain([crate::board::verilog()])
        .collect();
    let source = |path: &std::path::PathBuf| fs::read_to_string(path).expect("a source");
    let (mut open, mut sources) = (vec!["src/rtl".into()], vec![]);
    while let Some(directory) = open.pop() {
        let entries = fs::read_dir::<std::path::PathBuf>(directory).expect("a directory");
        let (below, here): (Vec<_>, Vec<_>) =
            entries.map(|entry| entry.expect("an entry").path()).partition(|path| path.is_dir());
        open.extend(below);
        sources.extend(here);
    }
    let mut reasons = 0;
    for path in sources {
        let source = source(&path);
        for reason in source.split("comment!(\"unread ").skip(1) {
            let (names, rest) = reason.split_once(": ").expect("a name");
            let why = rest.split('"').next().expect("a reason");
            for name in names.split(", ") {
                let wire = format!("  wire unused_{name} = ");
                let head = format!("// Not read: {why}.\n");
                let lists = text.split(&head).skip(1);
                let mut wires =
                    lists.flat_map(|list| list.lines().take_while(|line| line.starts_with("  wire")));
                let variable = format!("// Not read as a whole: {why}.\n");
                let is_there = wires.any(|line| line.starts_with(&wire)) || text.contains(&variable);
                assert!(is_there, "{}: {name}", path.display());
                reasons += 1;
            }
        }
    }
    assert!(reasons > 0);
}

/// Ended while it writes, it leaves the design that was there or the new one, and nothing besides.
#[test]
fn a_signal_leaves_one_design_whole() {
    let directory = tempfile::tempdir().unwrap();
    let files = |name: &str| {
        let all = fs::read_dir(directory.path().join(name)).unwrap().map(|entry| entry.unwrap().path());
        let file =
            |path: std::path::PathBuf| (path.file_name().unwrap().to_owned(), fs::read(&path).unwrap());
        all.map(file).collect::<BTreeMap<_, _>>()
    };
    let arguments = |preset, out| ["--preset", preset, "--out", out];
    for (preset, out) in [("tiny", "whole"), ("tiny", "ended")] {
        assert!(gen(directory.path(), &arguments(preset, out)).status.success());
    }
    let before = files("whole");
    assert!(gen(directory.path(), &arguments("small", "whole")).status.success());
    let after = files("whole");
    let lock = directory.path().join("ended/.heddle.lock");
    for _ in 0..8 {
        // Ended between taking the lock and writing, it leaves the lock's file, which disturbs nobody.
        let _ = fs::remove_file(&lock);
        let mut command = Command::new(env!("CARGO_BIN_EXE_gen"));
        command.current_dir(directory.path()).args(arguments("small", "ended")).stdout(Stdio::null());
        let mut gen = command.spawn().unwrap();
        while gen.try_wait().unwrap().is_none() && !lock.exists() {}
        // It may be at its end by now.
        let _ = kill_process(Pid::from_child(&gen), Signal::TERM);
        gen.wait().unwrap();
        let mut left = files("ended");
        left.remove(lock.file_name().unwrap());
        assert!(left == before || left == after, "{:?}", left.keys());
    }
}
