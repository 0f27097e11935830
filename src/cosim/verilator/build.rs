//! Verilator and the C++ compiler, with the cache around them.

use std::fs;
use std::path::{absolute, Path, PathBuf};
use std::time::Duration;

use super::cache::{cache_size, lock, trim, ScratchDir};
use super::circuit::circuit;
use super::cplusplus::{Compiler, Pass};
use super::error::{at, Error, Result};
use super::guided::{profile, Training};
use super::lint::{WAIVERS, WAIVERS_FILE};
use super::options::BuildOptions;
use super::sources::{port_table, Sources};
use super::toolchain::{run, Toolchain};
use files::{check_replaceable, is_whole, seal, try_lock, Hold, Lock};
use files::{default_cache_dir, Key};

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
    _in_use: Lock,
}

/// Builds the model of module `top`, unless the cache has one made from the same text (comments apart), options
/// and tool versions. Concurrent calls for one model, from threads or processes, build it once.
/// A cache that has grown beyond [`cache_size`] loses what was used least recently.
///
/// # Errors
/// A tool that is missing or refuses the Verilog text; a cache directory that cannot be written; options for a guided
/// model.
pub fn build(tools: &Toolchain, verilog: &str, top: &str, options: &BuildOptions) -> Result<Built> {
    build_trained(tools, verilog, top, options, &|_| Err(Error::Untrained))
}

/// [`build`], with the run that shows what is usual in a guided model. It is made only if such a model is built.
///
/// # Errors
/// As there, and those of the run; a guided model needs clang, its run-time library and `llvm-profdata`.
pub fn build_trained(
    tools: &Toolchain,
    verilog: &str,
    top: &str,
    options: &BuildOptions,
    training: Training,
) -> Result<Built> {
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
        if options.guided {
            key.add("guided");
        }
        cache.join(format!("{top}-{}.so", key.add(top).add(circuit(verilog)).hex()))
    };

    if options.guided && !tools.is_clang() {
        return Err(Error::NotClang(tools.cxx.words().join(" ")));
    }
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
        let Some(_alone) = try_lock(&lock_path).map_err(at(&lock_path))? else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        if !is_whole(&path) {
            check_replaceable(&path).map_err(at(&path))?;
            damaged |= path.exists();
            let runtime = cache.join(format!("{runtime_key}.runtime"));
            make(&Compiler { tools, options, flags: &cxx_flags, runtime }, verilog, top, &path, training)?;
            fresh = true;
        }
    }
}

/// Runs Verilator, the compiler and the linker, and puts the shared object at `path`.
fn make(compiler: &Compiler, verilog: &str, top: &str, path: &Path, training: Training) -> Result<()> {
    let &Compiler { tools, options, .. } = compiler;
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
    // Linked under another name and renamed, so that the final name never holds half a file.
    let linked = scratch.path().join("model.so");
    let headers = compiler.headers_written();
    if let Err(error) = translate(compiler, &scratch, &sources, &linked, training) {
        compiler.remove_stale_headers(&scratch)?;
        // This build or another one has replaced what the compiler refused.
        if compiler.headers_written() == headers {
            return Err(error);
        }
        translate(compiler, &scratch, &sources, &linked, training)?;
    }
    seal(&linked).map_err(at(&linked))?;
    fs::rename(&linked, path).map_err(at(path))
}

/// Makes a shared object of the C++ files.
fn translate(
    compiler: &Compiler,
    scratch: &ScratchDir,
    sources: &Sources,
    linked: &Path,
    training: Training,
) -> Result<()> {
    let options = compiler.options;
    let library = compiler.runtime(&sources.global)?;
    let mut pass = Pass::plain(options.optimisation());
    if options.guided {
        pass.flags.push(profile(compiler, scratch, sources, &library, training)?);
    }
    compiler.link(&compiler.model(scratch, sources, &pass)?, &library, &[], linked)
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
