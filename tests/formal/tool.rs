//! Proofs of emitted Verilog: yosys turns it and its properties into a transition system, yosys-smtbmc asks Yices about it.
use crate::tool_cache::{answer, version};
use ::tools::on_path;
use hdl::verilog::Design;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use tools::wheel;

/// Cycles from reset in which a counterexample is looked for, unless a line `// depth: N` of the properties' file says how many
/// show all that there is to see.
const DEPTH: usize = 6;
/// Longest stretch of cycles that an induction step assumes to be right. Its base is one cycle longer.
const INDUCTION: usize = 2;
/// Modules that the properties of several designs are made of.
const PARTS: [&str; 3] = ["scheduler", "total_order", "waiting"];

/// The solver and its program. Yices takes a hundredth of Z3's time, which is for where there is none.
static SOLVER: LazyLock<Option<(&str, PathBuf)>> = LazyLock::new(|| {
    let yices = on_path("yices-smt2").or_else(|| wheel("yices-smt2"));
    yices.map(|yices| ("yices", yices)).or_else(|| Some(("z3", on_path("z3")?)))
});

fn solver() -> &'static (&'static str, PathBuf) {
    SOLVER.as_ref().expect("a solver: scripts/setup.sh installs Yices or says why not; Z3 will do")
}

/// Of the tools that decide; yosys-smtbmc is a part of yosys.
static VERSIONS: LazyLock<String> =
    LazyLock::new(|| version("yosys", "-V") + &version(&solver().1.to_string_lossy(), "--version"));

/// Where the tools are: the path, with the solver's place.
fn path() -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let places = env::split_paths(&path).chain(solver().1.parent().map(Into::into));
    env::join_paths(places).expect("no colon in the cache's path")
}

/// Properties of a design.
pub struct Proof {
    /// Names the files it leaves in the target directory.
    pub name: String,
    /// The Verilog that is spoken of; its top module is what the properties instantiate.
    pub design: Design,
    /// `tests/formal/<properties>.sv` holds them, in a module `<properties>_properties` whose only input is `clock`.
    pub properties: String,
    /// Parameters of that module.
    pub parameters: Vec<(&'static str, usize)>,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// In every reachable state of every length of run.
    Proved,
    /// There is a run from reset that breaks a property: the log.
    Refuted(String),
    /// No such run is short, but the induction fails: the log.
    Open(String),
}

/// Where the properties of that name are.
fn file(properties: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/formal/{properties}.sv"))
}

/// Whether there are properties of that name.
pub fn exists(properties: &str) -> bool {
    file(properties).exists()
}

/// A port as the Verilog has it.
struct Port {
    output: bool,
    range: String,
    name: String,
}

impl Port {
    fn parse(line: &str) -> Option<Self> {
        let words: Vec<_> =
            line.split("//").next()?.trim().trim_end_matches(',').split_whitespace().collect();
        let output = match *words.first()? {
            "input" => false,
            "output" => true,
            _ => return None,
        };
        let range = words.iter().find(|word| word.starts_with('[')).copied().unwrap_or_default();
        Some(Self { output, range: range.into(), name: (*words.last()?).into() })
    }
}

/// Signals for the ports that properties connect by `.*` to modules of the design: an output of one of them, or else anything.
fn ports(properties: &str, design: &Design, text: &str) -> String {
    let mut found: Vec<Port> = vec![];
    for module in &design.modules {
        let between =
            |text: &'_ str, from: &str, to: &str| Some(text.split_once(from)?.1.split_once(to)?.0.to_owned());
        let Some(instance) = between(properties, &format!("\n  {} ", module.name), ");") else { continue };
        let ports = between(text, &format!("module {} (", module.name), "\n);").expect("the ports");
        for port in ports.lines().filter_map(Port::parse).filter(|_| instance.ends_with(".*\n  ")) {
            let named =
                ["clock", "reset"].contains(&&*port.name) || instance.contains(&format!(".{}(", port.name));
            match found.iter_mut().find(|other| other.name == port.name) {
                _ if named => {}
                Some(other) => other.output |= port.output,
                None => found.push(port),
            }
        }
    }
    let any = |port: &Port| if port.output { "" } else { "(* anyseq *) " };
    found.iter().map(|port| format!("  {}wire {} {};\n", any(port), port.range, port.name)).collect()
}

impl Proof {
    /// The faults that the file of the properties names, in lines `// fault: text => its replacement`.
    pub fn faults(&self) -> Vec<(String, String)> {
        let text = fs::read_to_string(file(&self.properties)).unwrap();
        let faults = text.lines().filter_map(|line| line.strip_prefix("// fault: ")?.split_once(" => "));
        faults.map(|(from, to)| (from.to_owned(), to.to_owned())).collect()
    }

    /// What lines `// key: word` of the properties' file say. Of modules of the design that are `free` the outputs are anything
    /// in the proof: what holds then holds whatever they do.
    fn says(&self, key: &str) -> Vec<String> {
        let text = fs::read_to_string(file(&self.properties)).unwrap();
        let prefix = format!("// {key}: ");
        text.lines().filter_map(|line| Some(line.strip_prefix(&*prefix)?.to_owned())).collect()
    }

    /// Proves the design as it is.
    pub fn run(&self) -> Verdict {
        self.run_on("", &self.design.concat(), INDUCTION + 1)
    }

    /// Proves the design with a piece of its text replaced.
    pub fn run_mutated(&self, from: &str, to: &str) -> Verdict {
        let text = self.design.concat();
        assert!(
            text.contains(from),
            "{}: nothing to mutate, the design does not say `{from}`:\n{text}",
            self.name
        );
        // That it is no longer proved is not enough: a run from reset is wanted.
        self.run_on("-mutant", &text.replace(from, to), DEPTH)
    }

    /// `base`: cycles from reset in which a counterexample is looked for before the induction.
    fn run_on(&self, suffix: &str, text: &str, base: usize) -> Verdict {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("formal-{}{suffix}", self.name));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("design.v"), text).unwrap();
        let top = format!("{}_properties", self.properties);
        let mut parts = vec![&*self.properties];
        let mut properties = fs::read_to_string(file(&self.properties)).unwrap();
        for part in PARTS.into_iter().filter(|part| *part != self.properties) {
            if [part.to_owned(), format!("{part}_properties")]
                .iter()
                .any(|it| properties.contains(&format!("{it} #(")))
            {
                parts.push(part);
                properties += &fs::read_to_string(file(part)).unwrap();
            }
        }
        let ports = ports(&properties, &self.design, text);
        fs::write(directory.join("ports.vh"), &ports).unwrap();
        let mut script = String::from("read_verilog -sv -formal -I . design.v");
        parts.iter().for_each(|part| script += &format!(" \"{}\"", file(part).display()));
        script += "\n";
        for (name, value) in &self.parameters {
            script += &format!("chparam -set {name} {value} {top}\n");
        }
        let free = self.says("free");
        if !free.is_empty() {
            // What is in them need not be understood first.
            script += &format!("blackbox {}\nhierarchy -top {top}\nproc\n", free.join(" "));
            free.iter().for_each(|module| script += &format!("cutpoint t:{module}\n"));
        }
        // Memories as registers: write_smt2 fails on those of a single word.
        script +=
            &format!("prep -flatten -top {top}\nmemory_map\ncheck -assert\nwrite_smt2 -wires system.smt2\n");
        fs::write(directory.join("script.ys"), script).unwrap();
        // This file says what is asked of the tools. Of what cannot be decided nothing is kept.
        let parameters = format!("{top} {:?}", self.parameters);
        let question = [include_str!("tool.rs"), &*VERSIONS, text, &ports, &properties, &parameters];
        let said = answer(&question, || match self.decide(&directory, base) {
            Verdict::Proved => Ok("proved".into()),
            Verdict::Refuted(log) => Ok(format!("refuted\n{log}")),
            Verdict::Open(log) => Err(log),
        });
        match said.as_deref().map(|said| said.split_once('\n')) {
            Ok(None) => Verdict::Proved,
            Ok(Some((_, log))) => Verdict::Refuted(log.to_owned()),
            Err(log) => Verdict::Open(log.clone()),
        }
    }

    /// Runs the tools on the files of a directory.
    fn decide(&self, directory: &Path, base: usize) -> Verdict {
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            let output = command.args(arguments).current_dir(directory).env("PATH", path()).output();
            let output = output.unwrap_or_else(|e| panic!("{program}: {e}; scripts/setup.sh installs it"));
            let log = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            (output.status.success(), log.into_owned())
        };
        let (read, log) = run("yosys", &["-q", "script.ys"]);
        assert!(read, "{}: {log}", self.name);
        // Unrolled: with a function for each register solvers take far longer.
        // A solver that cannot answer must not pass for a counterexample.
        let solve = |arguments: &[&str]| {
            let (passed, log) = run(
                "yosys-smtbmc",
                &[&["--unroll", "--timeout", "60", "-s", solver().0], arguments, &["system.smt2"]].concat(),
            );
            let said = |what| log.lines().any(|line| line.ends_with(what));
            assert!(
                passed && said("Status: PASSED") || !passed && said("Status: FAILED"),
                "{}: {log}",
                self.name
            );
            (passed, log)
        };
        let refuted_within = |cycles: usize| {
            let (safe, log) = solve(&["-t", &cycles.to_string()]);
            assert!(safe || log.contains("Assert failed"), "{}: {log}", self.name);
            (!safe).then_some(Verdict::Refuted(log))
        };
        let depth = self.says("depth").pop().map_or(DEPTH, |depth| depth.parse().expect("a number"));
        let base = depth.min(base);
        if let Some(refuted) = refuted_within(base) {
            return refuted;
        }
        let (inductive, log) = solve(&["-i", "-t", &INDUCTION.to_string()]);
        if inductive {
            return Verdict::Proved;
        }
        // A longer run from reset may show why.
        (depth > base).then(|| refuted_within(depth)).flatten().unwrap_or(Verdict::Open(log))
    }
}
