//! Verilator and the C++ compiler, with the cache around them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{absolute, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::cache::{cache_size, lock, trim, try_alone, ScratchDir};
use super::error::{at, Result};
use super::hash::Key;
use super::lint::{WAIVERS, WAIVERS_FILE};
use super::options::BuildOptions;
use super::place::default_cache_dir;
use super::sources::{port_table, Sources};
use super::toolchain::{run, Toolchain};
use files::{check_replaceable, is_whole, seal, Hold};

const SHIM: &str = include_str!("../../../sim/shim.cpp");

/// A model's shared object. While this lives, nobody removes the file.
#[derive(Debug)]
pub struct Built {
    /// Where it is in the cache.
    pub path: PathBuf,
    /// Whether this call built it; false when the cache had it.
    pub fresh: bool,
    /// Whether the cache had one that was damaged.
    pub damaged: bool,
    _in_use: File,
}

/// Builds the model of module `top`, unless the cache has one made from the same text (comments apart), options
/// and tool versions. Concurrent calls for one model, from threads or processes, build it once.
/// A cache that has grown beyond [`cache_size`] loses what was used least recently.
///
/// # Errors
/// A tool that is missing or refuses the Verilog text; a cache directory that cannot be written.
pub fn build(tools: &Toolchain, verilog: &str, top: &str, options: &BuildOptions) -> Result<Built> {
    let cache = match &options.cache {
        Some(cache) => absolute(cache).map_err(at(cache))?,
        None => default_cache_dir()?,
    };
    let cxx_flags = cxx_flags(tools, options);
    let mut key = Key::default();
    key.add(&tools.identity).add(SHIM).add(options.optimisation());
    cxx_flags.iter().for_each(|flag| {
        key.add(flag);
    });
    let runtime_key = key.hex();
    let named = |options: &BuildOptions| {
        let mut key = key.clone();
        options.verilator_flags().iter().for_each(|flag| {
            key.add(flag);
        });
        if options.lint {
            key.add(WAIVERS);
        }
        cache.join(format!("{top}-{}.so", key.add(top).add_verilog(verilog).hex()))
    };

    let limit = cache_size()?;
    fs::create_dir_all(&cache).map_err(at(&cache))?;
    // One without a warning serves also whoever does not ask for that.
    let linted = BuildOptions { lint: true, ..options.clone() };
    let options = if named(&linted).exists() { &linted } else { options };
    let path = named(options);
    let lock_path = path.with_extension("lock");
    let (mut fresh, mut damaged) = (false, false);
    loop {
        let in_use = lock(&lock_path, Hold::Shared)?;
        if is_whole(&path) {
            if fresh {
                trim(&cache, limit)?;
            }
            return Ok(Built { path, fresh, damaged, _in_use: in_use });
        }
        drop(in_use);
        // Nobody waits to be alone: whoever builds it meanwhile may go on to use it for long, and is then waited for as
        // another user, above.
        let Some(_alone) = try_alone(&lock_path)? else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        if !is_whole(&path) {
            check_replaceable(&path).map_err(at(&path))?;
            damaged |= path.exists();
            let runtime =
                Runtime { directory: cache.join(format!("{runtime_key}.runtime")), flags: &cxx_flags };
            make(tools, verilog, top, options, &runtime, &path)?;
            fresh = true;
        }
    }
}

/// Runs Verilator, the compiler and the linker, and puts the shared object at `path`.
fn make(
    tools: &Toolchain,
    verilog: &str,
    top: &str,
    options: &BuildOptions,
    runtime: &Runtime,
    path: &Path,
) -> Result<()> {
    let scratch = ScratchDir::new(path.with_extension("build"))?;
    scratch.write("top.v", verilog)?;
    scratch.write(WAIVERS_FILE, WAIVERS)?;
    let mut verilator = tools.verilator.command();
    verilator
        .current_dir(scratch.path())
        .args(["--cc", "--prefix", "Vm", "--Mdir", ".", "--no-timing", "--top-module", top])
        .args(options.verilator_flags())
        .arg("top.v");
    run(&tools.verilator, &mut verilator)?;
    scratch.write("heddle_ports.inc", &port_table(&scratch.read("Vm.h")?))?;
    scratch.write("heddle_shim.cpp", SHIM)?;

    let mut sources = Sources::parse(&scratch.read("Vm_classes.mk")?);
    sources.fast.push("heddle_shim.cpp".into());
    let library = runtime.objects(&sources.global, tools, options)?;
    let jobs = compile_jobs(&scratch, sources, options)?;
    runtime.compile(tools, scratch.path(), &jobs.iter().collect::<Vec<_>>(), options.jobs)?;

    // Linked under another name and renamed, so that the final name never holds half a file.
    let linked = scratch.path().join("model.so");
    let mut link = tools.cxx.command();
    link.args(["-shared", "-Wl,-Bsymbolic", "-pthread", "-o"]).arg(&linked);
    link.args(jobs.iter().map(|job| &job.object)).args(&library.objects);
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
    run(&tools.cxx, &mut link)?;
    seal(&linked).map_err(at(&linked))?;
    fs::rename(&linked, path).map_err(at(path))
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

/// The optimisation of code that runs once.
const SLOW: &str = "-O0";

/// One C++ file to compile.
struct Job {
    source: PathBuf,
    object: PathBuf,
    optimisation: &'static str,
}

/// One job a file if the model is in pieces, else one file that includes all that are optimised alike: what a file costs
/// before its first line, half a second where it includes another header first, is then paid once.
fn compile_jobs(scratch: &ScratchDir, sources: Sources, options: &BuildOptions) -> Result<Vec<Job>> {
    let Sources { mut fast, mut slow, .. } = sources;
    let split = options.in_pieces();
    if options.optimisation() == SLOW {
        fast.append(&mut slow);
    }
    let mut jobs = Vec::new();
    for (unity, optimisation, files) in
        [("all_fast.cpp", options.optimisation(), fast), ("all_slow.cpp", SLOW, slow)]
    {
        let files = if split || files.is_empty() {
            files
        } else {
            // GCC takes the compiled header only if it is the first that the file itself includes.
            let all = [HEADER].into_iter().chain(files.iter().map(String::as_str));
            scratch.write(unity, &all.map(|f| format!("#include \"{f}\"\n")).collect::<String>())?;
            vec![unity.to_owned()]
        };
        jobs.extend(files.iter().map(|f| {
            let source = scratch.path().join(f);
            Job { object: source.with_extension("o"), source, optimisation }
        }));
    }
    Ok(jobs)
}

/// What all models have in common that are compiled with the same flags: Verilator's run-time library, and its header
/// as the compiler has understood it, which takes a quarter of the compiling of a small core.
struct Runtime<'a> {
    directory: PathBuf,
    flags: &'a [String],
}

/// The compiled library. While this lives, nobody removes it.
struct Objects {
    objects: Vec<PathBuf>,
    _in_use: File,
}

/// The header that every file of a model includes.
const HEADER: &str = "verilated.h";

impl Runtime<'_> {
    /// Compiles what is not there yet. The lock is held alone no longer than that, for other models want them too.
    fn objects(&self, files: &[String], tools: &Toolchain, options: &BuildOptions) -> Result<Objects> {
        let directory = &self.directory;
        let lock_path = directory.with_extension("lock");
        let include = tools.root.join("include");
        let objects: Vec<_> = files.iter().map(|file| directory.join(file).with_extension("o")).collect();
        let optimisation = options.optimisation();
        let mut jobs: Vec<_> = (files.iter().zip(&objects))
            .map(|(file, object)| Job { source: include.join(file), object: object.clone(), optimisation })
            .collect();
        let header = directory.join(HEADER);
        if !tools.is_clang() {
            // GCC takes the compiled header where it would find the header itself, but no more than once a file: so
            // the header must be there too.
            let object = directory.join(format!("{HEADER}.gch"));
            jobs.push(Job { source: header.clone(), object, optimisation });
        }
        loop {
            let in_use = lock(&lock_path, Hold::Shared)?;
            if jobs.iter().all(|job| job.object.exists()) {
                return Ok(Objects { objects, _in_use: in_use });
            }
            drop(in_use);
            let _alone = lock(&lock_path, Hold::Alone)?;
            fs::create_dir_all(directory).map_err(at(directory))?;
            let text = format!("#include \"{}\"\n", include.join(HEADER).display());
            fs::write(&header, text).map_err(at(&header))?;
            let missing: Vec<_> = jobs.iter().filter(|job| !job.object.exists()).collect();
            self.compile(tools, directory, &missing, options.jobs)?;
        }
    }

    /// Runs the jobs, `parallel` at a time; the first failure ends the worker that met it.
    fn compile(&self, tools: &Toolchain, directory: &Path, jobs: &[&Job], parallel: usize) -> Result<()> {
        let next = AtomicUsize::new(0);
        let worker = || -> Result<()> {
            while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let unfinished = job.object.with_extension("tmp");
                let language = if job.source.ends_with(HEADER) { "c++-header" } else { "c++" };
                let mut compiler = tools.cxx.command();
                compiler
                    .current_dir(directory)
                    .args([job.optimisation, "-I.", "-c"])
                    .arg(format!("-I{}", self.directory.display()))
                    .args(self.flags)
                    .args(["-x", language])
                    .args([job.source.as_os_str(), OsStr::new("-o"), unfinished.as_os_str()]);
                run(&tools.cxx, &mut compiler)?;
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
}
