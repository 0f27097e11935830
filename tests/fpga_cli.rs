//! The program `fpga` from outside: with tools that only pretend, and once with the real synthesis.

use std::path::Path;
use std::process::{Command, Output};

use crate::build_cli::script;
use crate::sample;

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
            &format!("test \"$1\" = -V && exec echo fake yosys 1\necho synth >> \"{}\"\necho '{stat}' > stat.json\necho net > netlist.json", tools.log()),
        );
        let report = format!(
            r#"{{"fmax": {{"clock": {{"achieved": {mhz}}}}}, "critical_paths": [{{"from": "posedge clock", "to": "posedge clock",
               "path": [{{"from": {{"cell": "lsu.valid_TRELLIS_FF_Q"}}, "to": {{"cell": "lsu.ready_LUT4_Z"}}}}]}}]}}"#
        )
        .replace('\n', " ");
        tools.script(
            "nextpnr",
            &format!("test \"$1\" = --version && exec echo fake nextpnr 1\necho \"place $@\" >> \"{}\"\ncat pins.lpf >> \"{}\" 2>/dev/null\n
                 echo config > design.config\necho '{report}' > report.json", tools.log(), tools.log()),
        );
        tools.script("ecppack", &format!("echo \"pack $@\" >> \"{}\"\necho bits > \"$3\"", tools.log()));
        tools
    }

    fn path(&self, name: &str) -> String {
        self.directory.path().join(name).to_str().unwrap().to_owned()
    }

    fn log(&self) -> String {
        self.path("log")
    }

    fn script(&self, name: &str, body: &str) {
        script(Path::new(&self.path(name)), body);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_as_is(&[&["--preset", "tiny"], arguments].concat())
    }

    fn run_as_is(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_fpga"))
            .args(arguments)
            .env("YOSYS", self.path("yosys"))
            .env("NEXTPNR_ECP5", self.path("nextpnr"))
            .env("ECPPACK", self.path("ecppack"))
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
    fails(&tools.run(&["--freq", "50", "--synth-only"]), 2, "--synth-only knows no clock");
    fails(&tools.run(&["--threads", "3"]), 2, "threads = 3");
    fails(&tools.run(&["--freq", "40.5", "--json"]), 1, "40.5 MHz are not met: 40 MHz");
    assert_eq!(tools.run(&["--freq", "39"]).status.code(), Some(0));
    fails(&Tools::new(100_000, 40.0).run(&[]), 1, "100000 look-up tables are needed, there are 83640");

    let nowhere = Command::new(env!("CARGO_BIN_EXE_fpga"))
        .env("YOSYS", tools.path("yosys"))
        .env("HEDDLE_CACHE", "/dev/null/cache")
        .args(["--preset", "tiny", "--synth-only"])
        .output()
        .unwrap();
    fails(&nowhere, 1, "cannot use /dev/null/cache/fpga");
    assert_eq!(String::from_utf8_lossy(&nowhere.stderr).matches("os error").count(), 1, "the reason once");

    // What a tool leaves where temporary files go is its own, and goes with it.
    let fails_late =
        "test \"$1\" = --version && exit 0\ncd \"$TMPDIR\"; touch left; pwd; echo ERROR: no way; exit 3";
    tools.script("nextpnr", fails_late);
    fails(&tools.run(&["--seed", "2"]), 1, "ERROR: no way");
    let said = String::from_utf8(tools.run(&["--seed", "2"]).stderr).unwrap();
    let place =
        said.lines().find(|line| line.starts_with(&tools.path("cache"))).expect("a place in the cache");
    assert!(!Path::new(place).exists(), "{place}");
    std::fs::remove_file(tools.path("nextpnr")).unwrap();
    fails(&tools.run(&["--seed", "2"]), 1, "run scripts/setup.sh");
    tools.script("yosys", "test \"$1\" = -V && exit 0\necho nonsense > stat.json\ntouch netlist.json");
    fails(&tools.run(&[]), 1, "cannot be understood");
    // Nor is a place without results kept in the cache, where every later run would find it.
    tools.script("yosys", "test \"$1\" != -V || echo something else");
    for _ in 0..2 {
        fails(&tools.run(&[]), 1, "no netlist.json was written, and no error reported: do $YOSYS,");
    }
    let left = std::fs::read_dir(Path::new(&tools.path("cache")).join("fpga")).unwrap();
    let unfinished = left.filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains('.'));
    assert_eq!(unfinished.count(), 0, "failed steps leave nothing behind");
}

/// The board's design goes through all tools, with its pins, and its clock is the one that must be met.
#[test]
fn a_board_gets_its_bitstream() {
    let tools = Tools::new(1000, 31.5);
    let bitstream = tools.path("my.bit");
    let board = ["--board", "ulx3s-85f", "--memory", "16K"];
    let arguments = [board.as_slice(), &["--freq", "30", "--json", "--out", &bitstream]].concat();
    let output = tools.run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    for (field, value) in [("lut4", 1000), ("baud", 115_200), ("memory_bytes", 16 << 10)] {
        assert_eq!(record[field], value, "{field}");
    }
    assert_eq!((record["clock_mhz"].as_f64(), record["kernel"].as_str()), (Some(30.0), Some("hello")));
    assert_eq!(record["bitstream"], bitstream.as_str());
    assert_eq!(std::fs::read_to_string(&bitstream).unwrap(), "bits\n");
    let log = std::fs::read_to_string(tools.log()).unwrap();
    for said in [
        "--lpf pins.lpf --textcfg design.config",
        "LOCATE COMP \"clk_25mhz\" SITE \"G2\";",
        "FREQUENCY PORT \"clk_25mhz\" 25 MHz;",
        "LOCATE COMP \"btn_pwr_n\" SITE \"D6\";",
        "LOCATE COMP \"ftdi_rxd\" SITE \"L4\";",
        "IOBUF PORT \"ftdi_rxd\" IO_TYPE=LVCMOS33;",
        "LOCATE COMP \"led[0]\" SITE \"B2\";",
        "LOCATE COMP \"led[7]\" SITE \"H3\";",
        "IOBUF PORT \"led[7]\" PULLMODE=NONE DRIVE=4;",
        "pack --compress design.config heddle.bit",
    ] {
        assert!(log.contains(said), "{said}: {log}");
    }
    assert!(!log.contains("width=") && !log.contains("--out-of-context"), "{log}");

    // Without --out, the place in the cache is told; synthesis alone makes none.
    let text = stdout(&tools.run(&[board.as_slice(), &["--freq", "30"]].concat()));
    assert!(text.contains("at 30.00 MHz and 115200 baud") && text.contains("bitstream: "), "{text}");
    let alone = stdout(&tools.run(&[board.as_slice(), &["--synth-only"]].concat()));
    assert!(alone.contains("1000 LUT4") && !alone.contains("bitstream"), "{alone}");
}

#[test]
fn a_board_that_cannot_be_says_why() {
    let tools = Tools::new(1000, 31.5);
    let board = |more: &[&str]| tools.run(&[&["--board", "ulx3s-85f", "--memory", "16K"], more].concat());
    let bitstream = tools.path("my.bit");
    fails(&board(&["--freq", "40", "--out", &bitstream]), 1, "40 MHz are not met: 31.5 MHz");
    assert!(!Path::new(&bitstream).exists(), "a bitstream that misses its clock");
    fails(&board(&["--freq", "2"]), 2, "no clock of 2 MHz");
    fails(&board(&["--baud", "20000000"]), 2, "20000000 baud cannot be made");
    fails(&board(&["--bus", "axi4"]), 2, "native bus");
    fails(&board(&["--kernel", "vecadd:4096"]), 2, "--memory makes it larger");
    fails(&board(&["--kernel", "nosuch"]), 2, "unknown kernel nosuch");
    fails(&board(&["--kernel", "saxpy"]), 2, "floating-point");
    fails(&board(&["--kernel", "reduce", "--local-mem", "64", "--threads", "8"]), 2, "--local-mem 128");
    fails(&tools.run(&["--board", "ulx3s-85f", "--memory", "5000"]), 2, "a memory of 5000 bytes");
    fails(&tools.run(&["--board", "ulx3s-85f", "--memory", "4096"]), 2, "leaves nothing");
    fails(&tools.run(&["--kernel", "hello"]), 2, "--board");
    std::fs::remove_file(tools.path("ecppack")).unwrap();
    fails(&board(&["--freq", "30", "--seed", "9"]), 1, "run scripts/setup.sh");
    fails(&tools.run(&["--verify", "psort:16"]), 2, "at most 1024 bytes");
}

#[test]
fn a_place_that_cannot_be_written_is_told_before_the_tools_run() {
    let tools = Tools::new(1000, 31.5);
    let board = ["--board", "ulx3s-85f", "--memory", "16K", "--freq", "30", "--out"];
    for nowhere in [tools.path("no/such/my.bit"), tools.path("yosys/my.bit"), tools.path(".")] {
        fails(&tools.run(&[&board[..], &[nowhere.as_str()]].concat()), 1, &nowhere);
        fails(&tools.run_as_is(&["--table", "--quick", "--csv", &nowhere]), 1, &nowhere);
    }
    assert!(!Path::new(&tools.log()).exists(), "no tool has run");
}

#[test]
fn the_table_has_every_policy_with_the_area_and_clock_of_its_core() {
    let tools = Tools::new(1000, 51.237);
    let csv = tools.path("results.csv");
    let table = |more: &[&str]| tools.run_as_is(&[&["--table", "--csv", &csv], more].concat());
    let output = table(&["--quick"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let quick = std::fs::read_to_string(&csv).unwrap();
    assert!(quick.contains("\ntiny,lrr,1000,20,1000,20,3,0,0,\n"), "{quick}");
    assert!(quick.contains("\nissue swas:gtlo,swas:gtlo,1000,20,,,,,,\n"), "{quick}");
    // The policy and the table of CTAs that the core keeps for it.
    assert!(quick.contains("\nissue mwf-gto,mwf-gto,2000,40,,,,,,\n"), "{quick}");
    assert!(
        stdout(&output).contains("| BAWS: warp priority table | BAWS, abstract: 6 bytes | 48 | 20 | 1,000 |")
    );
    let placed =
        || std::fs::read_to_string(tools.log()).unwrap().lines().filter(|l| l.starts_with("place")).count();
    assert_eq!(placed(), 0);

    let output = table(&["--place", "--seeds", "2", "--jobs", "1"]);
    assert!(stdout(&output).contains("| small | 51.2 | 51.2, 51.2 |"), "{}", stdout(&output));
    let whole = std::fs::read_to_string(&csv).unwrap();
    let names =
        |text: &str| text.lines().map(|l| l.split(',').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&whole), names(&quick));
    assert!(whole.contains("\npart FpuLane,lrr,1000,20,,,,,,\n"), "{whole}");
    let is_module = |line: &&str| ["state ", "part "].iter().any(|name| line.starts_with(name));
    let of_cores = || whole.lines().skip(1).filter(|line| !is_module(line));
    assert!(of_cores().all(|line| line.ends_with(",1000,20,3,0,0,51.24")), "{whole}");
    // Two placements of each core; two of the rows are the same core.
    assert_eq!(placed(), 2 * (of_cores().count() - 1));
    // Several at a time give the same rows in the same order.
    let at_once = table(&["--place", "--seeds", "2", "--jobs", "3", "--only", "issue"]);
    assert_eq!(at_once.status.code(), Some(0));
    let of_issue =
        whole.lines().filter(|line| ["configuration", "issue"].iter().any(|name| line.starts_with(name)));
    let rows = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(rows.lines().collect::<Vec<_>>(), of_issue.collect::<Vec<_>>());

    assert_eq!(table(&["--quick", "--only", "issue lrr,tiny"]).status.code(), Some(0));
    assert_eq!(names(&std::fs::read_to_string(&csv).unwrap()), ["configuration", "tiny", "issue lrr"]);
    let exact = table(&["--quick", "--exact", "--only", "small,issue lrr"]);
    assert_eq!(exact.status.code(), Some(0));
    assert_eq!(names(&std::fs::read_to_string(&csv).unwrap()), ["configuration", "small", "issue lrr"]);
    fails(&table(&["--only", "issue lrr,nosuch"]), 2, "no row has that in its name; rows are tiny, ");
    fails(
        &table(&["--exact", "--only", "small,smal"]),
        2,
        "--only smal: no row has that name; rows are tiny, ",
    );
    fails(&table(&["--exact"]), 2, "--only");

    fails(&table(&["--preset", "tiny"]), 2, "cannot be used with");
    fails(&table(&["--seeds", "2"]), 2, "--place");
    fails(&table(&["--place", "--seeds", "0"]), 2, "expected a whole number from 1 to 99");
    tools.script("nextpnr", "test \"$1\" = --version && exit 0\necho ERROR: no way; exit 3");
    std::fs::remove_file(&csv).unwrap();
    fails(&table(&["--place"]), 1, "ERROR: no way");
    assert!(!Path::new(&csv).exists(), "a table of half of the rows");
}

/// The real yosys maps the smallest core: block RAMs for its memories, multipliers for its products. In full, the
/// smallest preset. It works in a folder with spaces, which its ABC would not read from.
#[test]
fn a_small_core_is_synthesised() {
    let smallest = "--warps 1 --threads 1 --no-fpu --no-dcache --icache 128 --load-slots 1 --no-counters \
                    --no-grid --queue 2 --local-mem 64 --div-bits 1";
    let core = if sample::is_full() { "--preset tiny" } else { smallest };
    let output = Command::new(env!("CARGO_BIN_EXE_fpga"))
        .args(core.split(' '))
        .args(["--synth-only", "--json"])
        .env("HEDDLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("synthesis with spaces"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let count = |field: &str| record[field].as_u64().unwrap();
    assert!((1000..20_000).contains(&count("lut4")), "{record}");
    assert!((1000..20_000).contains(&count("ff")), "{record}");
    assert!(count("bram") > 0 && count("dsp") > 0, "{record}");
}
