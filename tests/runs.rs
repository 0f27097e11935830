//! Kernels on whole cores: what a run has to leave behind.

use cosim::{Engine, Report, RunOptions, Simulation};
use kernels::{self, Outcome};
use loader::Program;
use spec::config::CoreConfig;

/// The program of a kernel, `NAME` or `NAME:SIZE`.
pub fn kernel(name: &str) -> Program {
    Program::from_path(&kernels::select(name).unwrap().build().unwrap()).unwrap()
}

/// The run ended without a mismatch, and the program says that it passed.
pub fn assert_passed(report: &Report) {
    if let Some(failure) = &report.failure {
        panic!("{}: {failure}", report.program);
    }
    assert!(report.passed(), "{}: exit code {:?}", report.program, report.exit_code());
}

/// Runs a kernel, `NAME` or `NAME:SIZE`, in lock step: what it leaves behind is what the host computes.
pub fn assert_kernel_passes(core: &Simulation, name: &str, options: &RunOptions) -> Report {
    passes(core.config(), name, options, |program, options| core.run(program, options).unwrap())
}

/// The same on the timing model of such a core.
pub fn assert_kernel_passes_on_model(cfg: &CoreConfig, name: &str, options: &RunOptions) -> Report {
    let engine = Engine::new(cfg);
    passes(cfg, name, options, |program, options| engine.run(program, options, &mut |_| {}).unwrap())
}

fn passes(
    cfg: &CoreConfig,
    name: &str,
    options: &RunOptions,
    run: impl Fn(&Program, &RunOptions) -> Report,
) -> Report {
    let workload = kernels::select(name).unwrap();
    let program = kernel(name);
    let launches = workload.launches(cfg, &program.symbols).unwrap();
    let report = run(&program, &RunOptions { launches, ..options.clone() });
    assert_passed(&report);
    let outcome = Outcome {
        config: cfg,
        symbols: &program.symbols,
        word: &|address| report.memory.read(address, 4).unwrap(),
        console: report.console(),
    };
    let RunOptions { memory, seed, .. } = options;
    let (fetch, issue) = (&cfg.fetch, &cfg.issue);
    workload
        .check(&outcome)
        .unwrap_or_else(|e| panic!("{name} with {fetch} and {issue}, {memory}, seed {seed}: {e}"));
    report
}
