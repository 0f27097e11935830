//! Views of a run from outside: what `sim` writes is in the form that its readers publish, and says what the run did.

mod kanata;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// A core of the simulators, so that its simulator is there.
const TINY: [&str; 4] = ["--preset", "tiny", "--draft", "--json"];

fn sim(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sim")).args(TINY).args(arguments).output().unwrap()
}

/// The record of a run that passes.
fn passes(arguments: &[&str]) -> Value {
    let output = sim(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// A directory and the path of a file in it.
fn place(name: &str) -> (tempfile::TempDir, std::path::PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    (dir, path)
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no count"))
}

/// The slices of a trace by their tracks, in the order of time.
fn tracks(trace: &Value) -> BTreeMap<u64, Vec<(u64, u64, &Value)>> {
    let mut tracks = BTreeMap::<_, Vec<_>>::new();
    for event in trace["traceEvents"].as_array().expect("events").iter().filter(|event| event["ph"] == "X") {
        let (begin, length) = (number(&event["ts"]), number(&event["dur"]));
        assert!(length > 0, "{event}");
        tracks.entry(number(&event["tid"])).or_default().push((begin, begin + length, event));
    }
    tracks.values_mut().for_each(|slices| slices.sort_by_key(|slice| slice.0));
    tracks
}

/// As many slices of issue as instructions, none over another; all that a warp does adds up to its time.
#[test]
fn a_perfetto_trace_has_every_instruction_once() {
    let (_dir, path) = place("run.json");
    let run = passes(&["--perfetto", path.to_str().unwrap(), "--mem", "fixed:9", "reduce:64"]);
    let trace: Value = serde_json::from_str(&read(&path)).unwrap();
    let tracks = tracks(&trace);
    let slices = || tracks.values().flatten();
    for slices in tracks.values() {
        assert!(slices.windows(2).all(|pair| pair[0].1 <= pair[1].0), "slices overlap");
    }
    let of = |category: &str| slices().filter(|slice| slice.2["cat"] == category).count() as u64;
    assert_eq!(of("issue"), number(&run["warp_instructions"]));
    assert!(of("stall") > 0 && of("memory") > 0);
    let causes = ["control", "ibuffer", "load", "scoreboard", "pipeline", "ready", "nop"];
    for (_, _, slice) in slices() {
        let name = slice["name"].as_str().unwrap();
        let known = match slice["cat"].as_str().unwrap() {
            "stall" => causes.contains(&name),
            "barrier" => name == "barrier",
            category => ["issue", "memory"].contains(&category),
        };
        assert!(known, "{slice}");
    }
    // The cycles at barriers are those that the run counts.
    let at_barriers: u64 = slices().filter(|s| s.2["cat"] == "barrier").map(|s| s.1 - s.0).sum();
    let stalled: u64 = run["barriers"]["stalled"].as_array().unwrap().iter().map(number).sum();
    assert_eq!(at_barriers, stalled);
    assert!(stalled > 0, "{run}");
    let names: Vec<_> = trace["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "M").collect();
    for name in ["warp 0", "warp 1", "memory in flight"] {
        assert!(names.iter().any(|event| event["args"]["name"] == name), "{name}");
    }
}

/// The rate of issue, over the cycles for which it holds, is the number of instructions; of a part too, whose first and
/// last cycles are within buckets.
#[test]
fn the_rate_of_issue_adds_up() {
    let (_dir, path) = place("run.json");
    for window in [&[][..], &["--wave-from", "301", "--wave-to", "470"]] {
        passes(&[&["--perfetto", path.to_str().unwrap(), "reduce:64"], window].concat());
        let trace: Value = serde_json::from_str(&read(&path)).unwrap();
        let events = trace["traceEvents"].as_array().unwrap().iter();
        // Names have no time.
        let rate = events.filter_map(|e| Some((e["ts"].as_u64()?, e["args"]["issued a cycle"].as_f64()?)));
        let mut rate: Vec<_> = rate.collect();
        rate.push((number(&trace["otherData"]["end"]), 0.0));
        assert_eq!(rate[0].0, number(&trace["otherData"]["first_cycle"]));
        let total: f64 = rate.windows(2).map(|pair| pair[0].1 * (pair[1].0 - pair[0].0) as f64).sum();
        let issued = tracks(&trace).into_values().flatten().filter(|slice| slice.2["cat"] == "issue").count();
        assert!(issued > 0 && (total - issued as f64).abs() < 1e-6, "{total}, not {issued}");
    }
}

/// A part of a run is the part of the whole.
#[test]
fn a_window_shows_its_cycles() {
    let (_dir, path) = place("run.json");
    let trace = |more: &[&str]| {
        passes(&[&["--perfetto", path.to_str().unwrap(), "reduce:64"], more].concat());
        serde_json::from_str::<Value>(&read(&path)).unwrap()
    };
    let (whole, part) = (trace(&[]), trace(&["--wave-from", "300", "--wave-to", "499"]));
    let issued = |trace: &Value, from: u64, to: u64| {
        let of_all: Vec<_> = tracks(trace).into_values().flatten().map(|(b, _, e)| (b, e.clone())).collect();
        let of_issue = of_all.into_iter().filter(|(_, event)| event["cat"] == "issue");
        of_issue.filter(|(begin, _)| (from..to).contains(begin)).map(|(_, event)| event).collect::<Vec<_>>()
    };
    assert_eq!(issued(&part, 0, u64::MAX), issued(&whole, 300, 500));
    assert!(!issued(&part, 0, u64::MAX).is_empty());
    assert!(tracks(&part).values().flatten().all(|slice| slice.0 >= 300 && slice.1 <= 500));
}

/// A row an instruction; those that were still under way at the end of the window are closed as flushed.
#[test]
fn a_kanata_log_is_in_the_published_form() {
    let (_dir, path) = place("run.log");
    let run = passes(&["--kanata", path.to_str().unwrap(), "--mem", "fixed:9", "reduce:64"]);
    let rows = kanata::rows(&read(&path));
    assert_eq!(rows.len() as u64, number(&run["warp_instructions"]));
    assert!(rows.iter().all(|row| !row.flushed));
    let loads: Vec<_> = rows.iter().filter(|row| row.text.contains(": lw ")).collect();
    let stages = |row: &kanata::Row| row.stages.iter().map(|(name, _)| name.clone()).collect::<String>();
    assert!(!loads.is_empty() && loads.iter().all(|row| stages(row).trim_start_matches('H') == "IXMW"));
    // A view that ends just before the first load does.
    let slow = ["--kanata", path.to_str().unwrap(), "--mem", "fixed:90", "reduce:64"];
    passes(&slow);
    let whole = kanata::rows(&read(&path));
    let end = whole.iter().find(|row| row.text.contains(": lw ")).unwrap().end - 1;
    passes(&[&slow[..], &["--wave-to", &(end - 1).to_string()]].concat());
    let rows = kanata::rows(&read(&path));
    assert!(rows.iter().all(|row| row.end <= end));
    assert!(rows.iter().any(|row| row.flushed && row.end == end && row.text.contains(": lw ")));
}

/// Whether every element that begins ends, in their order.
fn well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) if open.pop() != Some(name) => return false,
            (false, false) => open.push(name),
            _ => {}
        }
    }
    open.is_empty() && svg.matches('<').count() == svg.matches('>').count()
}

#[test]
fn phases_have_a_row_a_warp_and_a_line_a_barrier() {
    let (_dir, path) = place("phases.svg");
    let run = passes(&["--phases", path.to_str().unwrap(), "reduce:64"]);
    let svg = read(&path);
    assert!(well_formed(&svg), "{svg}");
    assert_eq!(svg.matches("class=\"warp\"").count(), 2);
    let intervals = run["barriers"]["intervals"].as_array().unwrap();
    assert!(!intervals.is_empty());
    assert_eq!(svg.matches("class=\"barrier\"").count(), intervals.len());
    for interval in intervals {
        assert!(svg.contains(&format!("opens in cycle {};", interval["end"])), "{interval}");
    }
}

/// Of each decision that the run tells of.
#[test]
fn a_pattern_shows_each_decision() {
    let (_dir, path) = place("pattern.svg");
    let run = passes(&["--sched", "ipaws", "--pattern", path.to_str().unwrap(), "grid_reduce:64"]);
    let svg = read(&path);
    assert!(well_formed(&svg), "{svg}");
    let changes = run["policy_phases"].as_array().unwrap();
    let decided: Vec<_> = changes.windows(2).filter(|pair| pair[0]["phase"] == "decide").collect();
    assert!(!decided.is_empty(), "{run}");
    for mark in ["interest", "threshold"] {
        assert_eq!(svg.matches(&format!("class=\"{mark}\"")).count(), decided.len());
    }
    for pair in decided {
        let shape = if pair[1]["phase"] == "concave" { "concave" } else { "convex" };
        assert!(svg.contains(&format!("decided before cycle {}: {shape}", pair[1]["cycle"])), "{pair:?}");
    }
}

#[test]
fn what_cannot_be_shown_is_told() {
    let (dir, path) = place("view");
    let (file, directory) = (path.to_str().unwrap(), dir.path().to_str().unwrap());
    for (arguments, code, message) in [
        (vec!["hello", "--pattern", file], 2, "choose it with --sched ipaws"),
        (vec!["hello", "--sched", "ipaws", "--check", "off", "--pattern", file], 2, "leave out --check off"),
        (vec!["hello", "--phases", file, "--kanata", file], 2, "two outputs cannot be written to one file"),
        (vec!["hello", "--phases", file, "--wave-from", "3", "--wave-to", "2"], 2, "--wave-from 3 is after"),
        (vec!["hello", "--perfetto", directory], 1, "cannot write"),
        (vec!["hello", "--kanata", "/dev/null/x"], 1, "cannot write /dev/null/x"),
        (vec!["hello", "--kanata", file, "--wave-from", "90000000"], 1, "choose an earlier --wave-from"),
        (
            vec!["hello", "--sched", "ipaws", "--pattern", file, "--wave-to", "9"],
            1,
            "choose a later --wave-to",
        ),
    ] {
        let output = sim(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
        assert!(std::fs::read_dir(dir.path()).unwrap().next().is_none(), "{arguments:?} leaves a file");
    }
}

/// Several programs: a file each.
#[test]
fn several_programs_have_a_file_each() {
    let (dir, path) = place("run.svg");
    let output = sim(&["hello", "reduce:64", "--phases", path.to_str().unwrap()]);
    assert!(output.status.success());
    let mut names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["run-hello.svg", "run-reduce-64.svg"]);
}
