//! The program `fpga` from outside, with tools that only pretend.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// A directory with stand-ins for the tools, and a cache.
struct Tools {
    directory: tempfile::TempDir,
}

impl Tools {
    /// The design has `luts` look-up tables and runs at `mhz`.
    fn new(luts: u32, mhz: f64) -> Self {
        let tools = Self { directory: tempfile::tempdir().unwrap() };
        let stat = format!(
            r#"{{"design": {{"num_cells_by_type": {{"LUT4": {luts}, "TRELLIS_FF": 20, "DP16KD": 3}}}}}}"#
        );
        tools.script(
            "yosys",
            &format!("test \"$1\" = -V && exec echo fake yosys 1\necho synth >> {}\necho '{stat}' > stat.json\necho net > netlist.json", tools.log()),
        );
        let report = format!(
            r#"{{"fmax": {{"clock": {{"achieved": {mhz}}}}}, "critical_paths": [{{"from": "posedge clock", "to": "posedge clock",
               "path": [{{"from": {{"cell": "lsu.valid_TRELLIS_FF_Q"}}, "to": {{"cell": "lsu.ready_LUT4_Z"}}}}]}}]}}"#
        )
        .replace('\n', " ");
        tools.script(
            "nextpnr",
            &format!("test \"$1\" = --version && exec echo fake nextpnr 1\necho \"place $@\" >> {}\necho '{report}' > report.json", tools.log()),
        );
        tools
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    fn log(&self) -> String {
        self.path("log")
    }

    fn script(&self, name: &str, body: &str) {
        let path = self.path(name);
        std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_fpga"))
            .args(["--preset", "tiny"])
            .args(arguments)
            .env("YOSYS", self.path("yosys"))
            .env("NEXTPNR_ECP5", self.path("nextpnr"))
            .env("HEDDLE_CACHE", self.path("cache"))
            .output()
            .unwrap()
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn fails(output: &Output, code: i32, message: &str) {
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(message), "{stderr}");
}

#[test]
fn area_clock_and_path_are_told_to_people_and_machines() {
    let tools = Tools::new(1000, 51.237);
    let output = tools.run(&["--json", "--seed", "7"]);
    assert_eq!(output.status.code(), Some(0));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    for (field, value) in [("lut4", 1000), ("ff", 20), ("bram", 3), ("dsp", 0), ("seed", 7)] {
        assert_eq!(record[field], value, "{field}");
    }
    assert_eq!((record["fmax_mhz"].as_f64(), record["board"].as_str()), (Some(51.24), Some("ulx3s-85f")));
    assert_eq!(record["critical_path"], serde_json::json!(["lsu.valid", "lsu.ready"]));
    assert_eq!(record["config"]["trace_port"], false);
    let text = stdout(&tools.run(&["--seed", "7"]));
    assert!(text.contains("1000 LUT4") && text.contains("51.24 MHz, limited by\n  lsu.valid"), "{text}");
    // Nothing was done twice, another seed places again, and synthesis needs no placement.
    tools.run(&["--seed", "8"]);
    let alone = tools.run(&["--synth-only", "--json"]);
    assert!(stdout(&alone).contains(r#""fmax_mhz":null"#), "{}", stdout(&alone));
    let log = std::fs::read_to_string(tools.log()).unwrap();
    let steps: Vec<&str> = log.lines().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(steps, ["synth", "place", "place"], "{log}");
    assert!(!log.contains("--textcfg"), "nextpnr refuses to write one for a design without pins: {log}");
    assert!(log.contains("--seed 8") && log.contains("--out-of-context"), "{log}");
}

#[test]
fn what_does_not_work_is_said_with_its_exit_code() {
    let tools = Tools::new(1000, 40.0);
    fails(&tools.run(&["--board", "nosuch"]), 2, "ulx3s-85f");
    fails(&tools.run(&["--freq", "0"]), 2, "from 1 to 1000");
    fails(&tools.run(&["--threads", "3"]), 2, "threads = 3");
    fails(&tools.run(&["--freq", "40.5", "--json"]), 1, "40.5 MHz are not met: 40 MHz");
    assert_eq!(tools.run(&["--freq", "39"]).status.code(), Some(0));
    fails(&Tools::new(100_000, 40.0).run(&[]), 1, "100000 look-up tables are needed, there are 83640");

    tools.script("nextpnr", "echo some words; echo ERROR: no way; exit 3");
    fails(&tools.run(&["--seed", "2"]), 1, "ERROR: no way");
    std::fs::remove_file(tools.path("nextpnr")).unwrap();
    fails(&tools.run(&["--seed", "2"]), 1, "run scripts/setup.sh");
    tools.script("yosys", "test \"$1\" = -V && exit 0\necho nonsense > stat.json\ntouch netlist.json");
    fails(&tools.run(&[]), 1, "cannot be understood");
    let left = std::fs::read_dir(Path::new(&tools.path("cache")).join("fpga")).unwrap();
    let unfinished = left.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains('.'));
    assert_eq!(unfinished.count(), 0, "failed steps leave nothing behind");
}
