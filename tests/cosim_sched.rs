//! Every pair of a fetch and an issue policy in the whole core, in lock step with the models of both.
//!
//! Building a simulator for each pair would take minutes. Here one core has all policies side by side: in its Verilog a
//! menu takes the scheduler's place and passes on the grant of the one that a run selects. The policies are the modules
//! that `gen` writes; the other tests run them alone in their place.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use heddle::config::{CacheConfig, CoreConfig};
use heddle::cosim::memory::{Disturbance, MemoryKind};
use heddle::cosim::verilator::BuildOptions;
use heddle::cosim::{Program, Report, RunOptions, Simulation};
use heddle::isa::random::{program, Shape};
use heddle::kernels;
use heddle::registry::{self, Stage};
use heddle::rtl;

/// The core and the menu's modules, by name.
struct Menu {
    modules: BTreeMap<String, String>,
    top: String,
}

/// The module that `stage` of a generated core has as its scheduler.
fn scheduler_of(modules: &BTreeMap<String, String>, stage: &str) -> String {
    let line = modules[stage].lines().find(|line| line.ends_with(" scheduler (")).expect(stage);
    line.split_whitespace().next().unwrap().to_owned()
}

fn generate(base: &CoreConfig, fetch: &str, issue: &str) -> (BTreeMap<String, String>, String) {
    let cfg = CoreConfig { fetch: fetch.into(), issue: issue.into(), ..base.clone() };
    let design = rtl::generate(&cfg, &[]).unwrap();
    (design.modules.into_iter().map(|module| (module.name, module.text)).collect(), design.top)
}

impl Menu {
    fn new(base: &CoreConfig) -> Self {
        let (modules, top) = generate(base, "lrr", "lrr");
        let mut menu = Self { modules, top };
        menu.serve("WarpTable", "FetchMenu", &registry::keys(Stage::Fetch), base, |key| (key, "lrr"), 0);
        menu.serve("IssueSlice", "IssueMenu", &registry::keys(Stage::Issue), base, |key| ("lrr", key), 8);
        menu
    }

    /// Replaces the scheduler of `stage` by a menu of `keys`, selected by eight bits of `start_arg` from `low` on.
    fn serve<'k>(
        &mut self,
        stage: &str,
        name: &str,
        keys: &[&'k str],
        base: &CoreConfig,
        pair: impl Fn(&'k str) -> (&'k str, &'k str),
        low: usize,
    ) {
        let (w, wid) = (base.warps, base.wid_bits());
        let mut head = String::new();
        let mut body = format!(
            "  wire [{count}*{w}-1:0] oh;\n  wire [{count}*{wid}-1:0] wid;\n  wire [{count}-1:0] valid;\n  \
             wire [7:0] dish = {}.start_arg[{low} +: 8];\n",
            self.top,
            count = keys.len()
        );
        for (i, key) in keys.iter().enumerate() {
            let (fetch, issue) = pair(key);
            let (modules, _) = generate(base, fetch, issue);
            let policy = scheduler_of(&modules, stage);
            let text = modules[&policy].split_once(&format!("module {policy} (")).expect("its module").1;
            let ports = text.split_once(");").expect("its ports").0;
            head = format!("module {name} ({ports});\n");
            let _ = write!(body, "  {policy} dish_{i} (");
            for port in ports.split(',') {
                let port = port.split_whitespace().last().unwrap();
                let wire = match port {
                    "grant_oh" => format!("oh[{i}*{w} +: {w}]"),
                    "grant_wid" => format!("wid[{i}*{wid} +: {wid}]"),
                    "grant_valid" => format!("valid[{i}]"),
                    input => input.into(),
                };
                let _ = write!(body, "{}.{port}({wire})", if port == "clock" { "" } else { ", " });
            }
            body.push_str(");\n");
            self.add(&policy, &modules);
        }
        let _ = write!(
            body,
            "  assign grant_oh = oh[dish*{w} +: {w}];\n  assign grant_wid = wid[dish*{wid} +: {wid}];\n  \
             assign grant_valid = valid[dish];\nendmodule\n"
        );
        // Slices that differ are modules of their own, with a number behind the name.
        for (_, text) in self.modules.iter_mut().filter(|(module, _)| module.starts_with(stage)) {
            let line = text.lines().find(|line| line.ends_with(" scheduler (")).unwrap().to_owned();
            *text = text.replace(&line, &format!("  {name} scheduler ("));
        }
        self.modules.insert(name.into(), head + &body);
    }

    /// Takes over a module and what it contains.
    fn add(&mut self, name: &str, from: &BTreeMap<String, String>) {
        let text = &from[name];
        let had = self.modules.insert(name.into(), text.clone());
        assert!(had.is_none_or(|had| had == *text), "{name} is another module here");
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let parts: BTreeSet<_> = words.filter(|word| *word != name && from.contains_key(*word)).collect();
        parts.into_iter().for_each(|part| self.add(part, from));
    }

    fn verilog(&self) -> String {
        self.modules.values().cloned().collect::<Vec<_>>().join("\n")
    }
}

/// A core of every pair of policies; all share one simulator.
fn pairs(base: &CoreConfig) -> Vec<(Simulation, u32)> {
    let verilog = Menu::new(base).verilog();
    let (fetches, issues) = (registry::keys(Stage::Fetch), registry::keys(Stage::Issue));
    let mut cores = vec![];
    for (f, fetch) in fetches.iter().enumerate() {
        for (i, issue) in issues.iter().enumerate() {
            let cfg = CoreConfig { fetch: (*fetch).into(), issue: (*issue).into(), ..base.clone() };
            let core = Simulation::from_verilog(&cfg, &verilog, &BuildOptions::quick()).unwrap();
            cores.push((core, (f | i << 8) as u32));
        }
    }
    cores
}

fn run(core: &Simulation, program: &Program, options: &RunOptions) -> Report {
    let cfg = core.config();
    let report = core.run(program, options).unwrap();
    if let Some(failure) = &report.failure {
        panic!("{} with {} and {}: {failure}", report.program, cfg.fetch, cfg.issue);
    }
    report
}

fn kernel(name: &str) -> Program {
    Program::from_path(&kernels::select(name).unwrap().build().unwrap()).unwrap()
}

fn small_caches(warps: usize, threads: usize, slices: usize) -> CoreConfig {
    let icache = CacheConfig { bytes: 1024, ways: 1 };
    CoreConfig { warps, threads, slices, icache, fpu: false, ..CoreConfig::default() }
}

#[test]
fn every_pair_runs_random_programs_in_lock_step() {
    for cfg in [small_caches(3, 2, 1), small_caches(6, 1, 2)] {
        for (core, start_arg) in pairs(&cfg) {
            for seed in 0..6 {
                let image = program(seed, &Shape::core(&cfg, 60));
                let program = Program::from_image(&format!("random program {seed}"), &image).unwrap();
                let memory = [MemoryKind::Ideal, MemoryKind::Fixed(20)][seed as usize % 2];
                let disturbance = Disturbance { backpressure_percent: 10, jitter: 5 };
                let options = RunOptions { memory, disturbance, seed, start_arg, ..RunOptions::default() };
                assert!(run(&core, &program, &options).passed(), "seed {seed}");
            }
        }
    }
}

/// Kernels with even work, divergence, and barriers. No pair may take much longer than the best: a loose policy that
/// leaves ready warps alone, or a strict one whose turns never meet the warps, would.
#[test]
fn every_pair_runs_kernels_in_reasonable_time() {
    let cores = pairs(&small_caches(3, 2, 1));
    for name in ["vecadd:32", "psort_split:8", "reduce:32"] {
        let program = kernel(name);
        let cycles: Vec<_> = cores
            .iter()
            .map(|(core, start_arg)| {
                let memory = MemoryKind::Fixed(10);
                let options = RunOptions { memory, start_arg: *start_arg, ..RunOptions::default() };
                let report = run(core, &program, &options);
                assert_eq!(report.exit_code(), Some(0), "{name}");
                report.stats.cycles
            })
            .collect();
        let best = *cycles.iter().min().unwrap();
        for ((core, _), cycles) in cores.iter().zip(&cycles) {
            let cfg = core.config();
            println!("{name} {} {} {cycles}", cfg.fetch, cfg.issue);
            assert!(*cycles < 2 * best, "{name} with {} and {}: {cycles}, best {best}", cfg.fetch, cfg.issue);
        }
        assert!(
            cycles.iter().collect::<BTreeSet<_>>().len() > 8,
            "{name}: the policies hardly differ: {cycles:?}"
        );
    }
}
