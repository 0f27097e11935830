//! What the programs do to what is at the paths that they write to and read from.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{symlink, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

use isa::asm::assemble;

/// A core of the simulators, so that its simulator is there.
const TINY: [&str; 4] = ["--preset", "tiny", "--draft", "--json"];

/// A directory with a program that passes.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.program("good.elf");
        place
    }

    fn program(&self, name: &str) {
        let image = assemble(0x8000_0000, "sw x0, 0x88(x0)\n vx_tmc x0").unwrap();
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), image.to_elf()).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path());
        command
    }

    fn sim(&self, arguments: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_sim")).args(TINY).args(arguments).output().unwrap()
    }

    /// What is told before anything is built: there is nothing to build with.
    fn refused(&self, arguments: &[&str], code: i32, said: &str) {
        let sim = &mut self.command(env!("CARGO_BIN_EXE_sim"));
        let output =
            sim.args(TINY).args(arguments).env("VERILATOR", "/nonexistent/verilator").output().unwrap();
        expect(&output, code);
        assert!(stderr(&output).contains(said), "{arguments:?}: {}", stderr(&output));
    }

    fn pipe(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    /// A device of this number, as `null(4)` and `full(4)` have them, if whoever tests may make and open one.
    fn device(&self, name: &str, minor: &str) -> Option<PathBuf> {
        let path = self.path(name);
        let made =
            Command::new("mknod").arg(&path).args(["c", "1", minor]).output().unwrap().status.success();
        (made && File::options().write(true).open(&path).is_ok()).then_some(path)
    }

    /// Names of all that is there.
    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.0.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn expect(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().is_symlink()
}

/// A pipe needs no rights to be made; a device has its own errors.
#[test]
fn pipes_and_devices_are_written_to_and_stay() {
    let place = Place::new();
    let pipe = place.pipe("pipe");
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    expect(&place.sim(&["--kanata", "pipe", "good.elf"]), 0);
    assert!(reader.join().unwrap().starts_with("Kanata"));
    place.refused(&["--wave", "pipe", "good.elf"], 2, "name a file");
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    if let Some(null) = place.device("null", "3") {
        expect(&place.sim(&["--perfetto", "null", "--kanata", "null", "good.elf"]), 0);
        place.refused(&["--wave", "null", "good.elf"], 2, "name a file");
        assert!(fs::metadata(null).unwrap().file_type().is_char_device());
    }
    if let Some(full) = place.device("full", "7") {
        let output = place.sim(&["--phases", "full", "good.elf"]);
        expect(&output, 1);
        assert!(stderr(&output).contains("cannot write full: No space left"), "{}", stderr(&output));
        assert!(fs::metadata(full).unwrap().file_type().is_char_device());
    }
    assert!(place.names().iter().all(|name| ["full", "good.elf", "null", "pipe"].contains(&name.as_str())));
}

#[test]
fn links_are_followed() {
    let place = Place::new();
    fs::create_dir(place.path("to")).unwrap();
    fs::write(place.path("to/there"), "old").unwrap();
    for (name, target) in [("old", "to/there"), ("dangling", "to/missing")] {
        symlink(target, place.path(name)).unwrap();
        expect(&place.sim(&["--kanata", name, "good.elf"]), 0);
        assert!(is_link(&place.path(name)));
        assert!(fs::read_to_string(place.path(target)).unwrap().starts_with("Kanata"), "{target}");
    }
    // Verilator's writer of waves removes what it finds, and makes a second file beside it.
    fs::write(place.path("to/there.hier"), "mine").unwrap();
    let small = ["--warps", "1", "--threads", "1", "--no-dcache"];
    expect(&place.sim(&[&small[..], &["--wave", "old", "good.elf"]].concat()), 0);
    assert!(is_link(&place.path("old")) && fs::metadata(place.path("to/there")).unwrap().len() > 1000);
    assert_eq!(fs::read_to_string(place.path("to/there.hier")).unwrap(), "mine");
    assert_eq!(place.names(), ["dangling", "good.elf", "old", "to"]);
}

/// For root too, whom the system does not keep from it.
#[test]
fn what_is_write_protected_stays() {
    let place = Place::new();
    let file = place.path("file");
    fs::write(&file, "mine").unwrap();
    fs::set_permissions(&file, PermissionsExt::from_mode(0o444)).unwrap();
    for option in ["--kanata", "--wave"] {
        place.refused(&[option, "file", "good.elf"], 1, "cannot write file: it is write-protected");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    // A list of files that must stay keeps the whole directory as it is.
    let gen = |arguments: &[&str]| place.command(env!("CARGO_BIN_EXE_gen")).args(arguments).output().unwrap();
    fs::create_dir(place.path("out")).unwrap();
    fs::rename(&file, place.path("out/heddle.f")).unwrap();
    let output = gen(&["--preset", "tiny", "--out", "out"]);
    expect(&output, 1);
    assert!(stderr(&output).contains("heddle.f: it is write-protected"), "{}", stderr(&output));
    assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), 1);
}

#[test]
fn nothing_is_lost_to_an_output() {
    let place = Place::new();
    fs::write(place.path("core.toml"), "queue_depth = 2\n").unwrap();
    fs::hard_link(place.path("good.elf"), place.path("hard")).unwrap();
    fs::create_dir(place.path("sub")).unwrap();
    symlink("../good.elf", place.path("sub/soft")).unwrap();
    let before = fs::read(place.path("good.elf")).unwrap();
    for output in ["good.elf", "hard", "sub/soft", "sub/../good.elf"] {
        for option in ["--kanata", "--wave"] {
            place.refused(&[option, output, "good.elf"], 2, "is the input good.elf, which would be lost");
        }
    }
    place.refused(
        &["--config", "core.toml", "--kanata", "core.toml", "good.elf"],
        2,
        "is the input core.toml",
    );
    place.refused(
        &["--kanata", "k", "--phases", "sub/../k", "good.elf"],
        2,
        "two outputs cannot be written to one",
    );
    place.refused(
        &["--kanata", "w", "--wave", "w", "good.elf"],
        2,
        "two outputs cannot be written to one file",
    );
    // The number of a second x is the name of another program.
    let programs = ["x.elf", "sub/x.elf", "x-2.elf"];
    programs.iter().for_each(|name| place.program(name));
    place.refused(
        &[&["--kanata", "k"], &programs[..]].concat(),
        2,
        "two outputs cannot be written to one file",
    );
    // Standard output is an output too.
    let records = place.path("records");
    let sim = &mut place.command(env!("CARGO_BIN_EXE_sim"));
    let status =
        sim.args(TINY).args(["--kanata", "records", "good.elf"]).stdout(File::create(&records).unwrap());
    expect(&status.output().unwrap(), 2);
    assert_eq!(fs::metadata(records).unwrap().len(), 0);

    fs::create_dir(place.path("out")).unwrap();
    fs::rename(place.path("core.toml"), place.path("out/heddle.v")).unwrap();
    let gen = &mut place.command(env!("CARGO_BIN_EXE_gen"));
    let output = gen.args(["--config", "out/heddle.v", "--out", "out"]).output().unwrap();
    expect(&output, 2);
    fs::copy(place.path("good.elf"), place.path("out/sweep.csv")).unwrap();
    for arguments in [
        &["bench", "--sched", "lrr", "--kernels", "out/sweep.csv", "--out", "out"][..],
        &["fpga", "--board", "ulx3s-85f", "--kernel", "good.elf", "--out", "hard"],
    ] {
        let program = match arguments[0] {
            "bench" => env!("CARGO_BIN_EXE_bench"),
            _ => env!("CARGO_BIN_EXE_fpga"),
        };
        let output = place.command(program).args(&arguments[1..]).output().unwrap();
        expect(&output, 2);
        assert!(stderr(&output).contains("which would be lost"), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(fs::read(place.path("good.elf")).unwrap(), before);
    assert_eq!(fs::read_dir(place.path("out")).unwrap().count(), 2);
}

#[test]
fn programs_of_one_name_have_views_of_their_own() {
    let place = Place::new();
    ["a/x.elf", "b/x.elf"].iter().for_each(|name| place.program(name));
    expect(&place.sim(&["--kanata", "k.log", "a/x.elf", "good.elf", "b/x.elf"]), 0);
    assert_eq!(place.names(), ["a", "b", "good.elf", "k-good.log", "k-x-2.log", "k-x.log"]);
}

/// Where names tell runs apart, two programs of one name are a mistake.
#[test]
fn comparisons_refuse_programs_of_one_name() {
    let place = Place::new();
    ["a/x.elf", "b/x.elf"].iter().for_each(|name| place.program(name));
    for what in [["--experiment", "swas"], ["--experiment", "baws"], ["--sched", "lrr"]] {
        let bench = &mut place.command(env!("CARGO_BIN_EXE_bench"));
        let output = bench.args(what).args(["--kernels", "a/x.elf,b/x.elf"]).output().unwrap();
        expect(&output, 2);
        assert!(stderr(&output).contains("two programs are called x: rename one"), "{}", stderr(&output));
    }
}

/// A configuration that never ends, or all but: no more of it is read than one can have.
#[test]
fn a_file_without_end_is_refused() {
    let place = Place::new();
    let pipe = place.pipe("endless.toml");
    for (program, arguments) in [
        (env!("CARGO_BIN_EXE_gen"), &["--out", "out"][..]),
        (env!("CARGO_BIN_EXE_sim"), &["good.elf"]),
        (env!("CARGO_BIN_EXE_bench"), &["--sched", "lrr", "--kernels", "good.elf"]),
        (env!("CARGO_BIN_EXE_fpga"), &["--synth-only"]),
    ] {
        let writer = thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut pipe = File::options().write(true).open(pipe).unwrap();
                let comment = [b'#'; 1 << 16];
                (0..1 << 10).take_while(|_| pipe.write_all(&comment).is_ok()).count()
            }
        });
        let output =
            place.command(program).args(["--config", "endless.toml"]).args(arguments).output().unwrap();
        expect(&output, 2);
        assert!(stderr(&output).contains("longer than 1048576 bytes"), "{program}: {}", stderr(&output));
        assert!(writer.join().unwrap() < 1 << 6, "{program} reads on");
    }
    assert_eq!(place.names(), ["endless.toml", "good.elf"]);
}

/// All files of a comparison or none: its last one cannot be written. What is no file is not read as a run.
#[test]
fn the_files_of_a_comparison_come_together() {
    let place = Place::new();
    let bench =
        |arguments: &[&str]| place.command(env!("CARGO_BIN_EXE_bench")).args(arguments).output().unwrap();
    fs::create_dir_all(place.path("sweep/runs")).unwrap();
    let run = r#"{"machine": "tiny", "sched": "lrr", "kernel": "k", "memory": "ideal", "result": "pass", "ipc": 1.0}"#;
    fs::write(place.path("sweep/runs/one.json"), run).unwrap();
    place.pipe("sweep/runs/pipe.json");
    // Two ways back to where one has been: followed without looking they never end.
    for link in ["sweep/runs/up", "sweep/runs/again"] {
        symlink("..", place.path(link)).unwrap();
    }
    expect(&bench(&["--collect", "sweep"]), 0);
    let files =
        ["sweep.html", "sweep.svg", "sweep.json", "sweep.csv"].map(|name| place.path("sweep").join(name));
    let numbers = || files.each_ref().map(|file| fs::metadata(file).unwrap().ino());
    let before = numbers();
    fs::write(place.path("sweep/runs/one.json"), run.replace("1.0", "2.0")).unwrap();
    fs::set_permissions(&files[3], PermissionsExt::from_mode(0o444)).unwrap();
    expect(&bench(&["--collect", "sweep"]), 1);
    assert_eq!(numbers(), before);
    fs::set_permissions(&files[3], PermissionsExt::from_mode(0o644)).unwrap();
    expect(&bench(&["--collect", "sweep"]), 0);
    assert!(numbers().iter().zip(before).any(|(now, before)| *now != before));
    assert_eq!(fs::read_dir(place.path("sweep")).unwrap().count(), files.len() + 1, "nothing else is left");
}
