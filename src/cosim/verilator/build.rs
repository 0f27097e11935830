//! Verilator and the C++ compiler, with the cache around them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::cache::{lock, ScratchDir};
use super::error::{at, Result};
use super::hash::Key;
use super::options::BuildOptions;
use super::sources::{port_table, Sources};
use super::toolchain::{run, Toolchain};

const SHIM: &str = include_str!("../../../sim/shim.cpp");

/// A model's shared object.
#[derive(Clone, Debug)]
pub struct Built {
    /// Where it is in the cache.
    pub path: PathBuf,
    /// Whether this call built it; false when the cache had it.
    pub fresh: bool,
}

/// Builds the model of module `top`, unless the cache has one made from the same text, options
/// and tool versions. Concurrent calls for one model, from threads or processes, build it once.
///
/// # Errors
/// A tool that is missing or refuses the Verilog text; a cache directory that cannot be written.
pub fn build(tools: &Toolchain, verilog: &str, top: &str, options: &BuildOptions) -> Result<Built> {
    let verilator_flags = options.verilator_flags();
    let cxx_flags = cxx_flags(tools, options);
    let mut key = Key::new();
    key.add(&tools.identity).add(SHIM).add(options.optimisation());
    cxx_flags.iter().for_each(|flag| {
        key.add(flag);
    });
    let runtime_key = key.hex();
    verilator_flags.iter().for_each(|flag| {
        key.add(flag);
    });
    let key = key.add(top).add(verilog).hex();

    let cache = &options.cache;
    let path = cache.join(format!("{top}-{key}.so"));
    if path.exists() {
        return Ok(Built { path, fresh: false });
    }
    fs::create_dir_all(cache).map_err(at(cache))?;
    let _lock = lock(&cache.join(format!("{top}-{key}.lock")))?;
    if path.exists() {
        // Someone else built it while this call waited for the lock.
        return Ok(Built { path, fresh: false });
    }

    let scratch = ScratchDir::new(cache.join(format!("{top}-{key}.build")))?;
    scratch.write("top.v", verilog)?;
    run(Command::new(&tools.verilator)
        .current_dir(scratch.path())
        .args([
            "--cc",
            "--prefix",
            "Vm",
            "--Mdir",
            ".",
            "-Wno-fatal",
            "-Wno-lint",
            "-Wno-style",
            "--no-timing",
        ])
        .args(["--top-module", top])
        .args(&verilator_flags)
        .arg("top.v"))?;
    scratch.write("heddle_ports.inc", &port_table(&scratch.read("Vm.h")?))?;
    scratch.write("heddle_shim.cpp", SHIM)?;

    let mut sources = Sources::parse(&scratch.read("Vm_classes.mk")?);
    sources.fast.push("heddle_shim.cpp".into());
    let runtime = cache.join(format!("runtime-{runtime_key}"));
    let library = runtime_library(&runtime, &sources.global, tools, options, &cxx_flags)?;
    let jobs = compile_jobs(&scratch, sources, options)?;
    compile_all(tools, scratch.path(), &jobs, &cxx_flags, options.jobs)?;

    // Linked under another name and renamed, so that the final name never holds half a file.
    let linked = scratch.path().join("model.so");
    let mut link = Command::new(&tools.cxx);
    link.args(["-shared", "-Wl,-Bsymbolic", "-pthread", "-o"]).arg(&linked);
    link.args(jobs.iter().map(|job| &job.object)).args(&library);
    if options.trace {
        link.arg("-lz");
        if tools.root.join("include/fstcpp").exists() {
            // Verilator releases with the C++ wave writer compress with lz4 as well.
            link.arg("-llz4");
        }
    }
    if tools.is_clang() {
        link.arg("-latomic");
    }
    run(&mut link)?;
    fs::rename(&linked, &path).map_err(at(&path))?;
    Ok(Built { path, fresh: true })
}

/// Flags of every C++ file: what Verilator's own makefile would define, and position independence.
fn cxx_flags(tools: &Toolchain, options: &BuildOptions) -> Vec<String> {
    let mut flags: Vec<String> = [
        "-std=gnu++17 -fPIC -fvisibility=hidden -w -pthread -DVERILATOR=1 -DVL_TIME_CONTEXT",
        "-DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TIMING=0",
        "-DVM_TRACE_VCD=0 -DVM_TRACE_SAIF=0",
    ]
    .iter()
    .flat_map(|line| line.split(' ').map(str::to_owned))
    .collect();
    for name in ["VM_TRACE", "VM_TRACE_FST"] {
        flags.push(format!("-D{name}={}", u8::from(options.trace)));
    }
    for directory in ["include", "include/vltstd"] {
        flags.push(format!("-I{}", tools.root.join(directory).display()));
    }
    if !tools.is_clang() {
        // Otherwise the linker merges static data of all loaded models, process-wide.
        flags.push("-fno-gnu-unique".into());
    }
    flags
}

/// One C++ file to compile.
struct Job {
    source: PathBuf,
    object: PathBuf,
    optimisation: &'static str,
}

/// One job a file when Verilator split its output, else one file that includes all of a kind:
/// small models compile faster in one piece.
fn compile_jobs(scratch: &ScratchDir, sources: Sources, options: &BuildOptions) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    for (unity, optimisation, files) in
        [("all_fast.cpp", options.optimisation(), sources.fast), ("all_slow.cpp", "-O0", sources.slow)]
    {
        let files = if sources.split || files.is_empty() {
            files
        } else {
            let text: String = files.iter().map(|f| format!("#include \"{f}\"\n")).collect();
            scratch.write(unity, &text)?;
            vec![unity.to_owned()]
        };
        jobs.extend(files.iter().map(|f| {
            let source = scratch.path().join(f);
            Job { object: source.with_extension("o"), source, optimisation }
        }));
    }
    Ok(jobs)
}

/// The objects of Verilator's run-time library, compiled once for all models with the same flags; the lock is
/// held no longer than that, for other models want them too.
fn runtime_library(
    runtime: &Path,
    files: &[String],
    tools: &Toolchain,
    options: &BuildOptions,
    flags: &[String],
) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(runtime).map_err(at(runtime))?;
    let objects: Vec<_> = files.iter().map(|file| runtime.join(file).with_extension("o")).collect();
    let _lock = lock(&runtime.join("lock"))?;
    let missing = files.iter().zip(&objects).filter(|(_, object)| !object.exists());
    let jobs: Vec<_> = missing
        .map(|(file, object)| Job {
            source: tools.root.join("include").join(file),
            object: object.clone(),
            optimisation: options.optimisation(),
        })
        .collect();
    compile_all(tools, runtime, &jobs, flags, options.jobs)?;
    Ok(objects)
}

/// Runs the jobs, `parallel` at a time; the first failure ends the worker that met it.
fn compile_all(
    tools: &Toolchain,
    directory: &Path,
    jobs: &[Job],
    flags: &[String],
    parallel: usize,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let worker = || -> Result<()> {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let unfinished = job.object.with_extension("o.tmp");
            run(Command::new(&tools.cxx)
                .current_dir(directory)
                .args([job.optimisation, "-I.", "-c"])
                .args(flags)
                .args([job.source.as_os_str(), OsStr::new("-o"), unfinished.as_os_str()]))?;
            fs::rename(&unfinished, &job.object).map_err(at(&job.object))?;
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..parallel.max(1)).map(|_| scope.spawn(worker)).collect();
        // A worker has nothing that panics; if it ever does, its panic is this call's panic.
        workers.into_iter().try_for_each(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p)))
    })
}
