//! The C++ of a model: the files that Verilator wrote, and its run-time library, which all models share.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::cache::{lock, ScratchDir};
use super::error::{at, Result};
use super::options::{BuildOptions, SLOW};
use super::sources::Sources;
use super::toolchain::{run, Toolchain};
use files::{Hold, Lock};
use tools::parallel::in_parallel;

/// The header that every file of a model includes.
const HEADER: &str = "verilated.h";

/// One C++ file to compile.
struct Job<'a> {
    source: PathBuf,
    object: PathBuf,
    pass: &'a Pass,
    /// Whether it includes the header that is compiled already.
    includes_header: bool,
}

/// How models are compiled, and what all of them have in common that are compiled so: Verilator's run-time library, and its
/// header as the compiler has understood it, which takes up to half of the compiling of a small core.
pub(super) struct Compiler<'a> {
    pub(super) tools: &'a Toolchain,
    pub(super) options: &'a BuildOptions,
    /// For every file.
    pub(super) flags: &'a [String],
    /// Where the run-time library is kept.
    pub(super) runtime: PathBuf,
}

/// How some files are compiled.
pub(super) struct Pass {
    pub(super) optimisation: &'static str,
    /// Flags of these files alone.
    pub(super) flags: Vec<String>,
}

impl Pass {
    pub(super) fn plain(optimisation: &'static str) -> Self {
        Self { optimisation, flags: vec![] }
    }
}

/// The compiled library. While this lives, nobody removes it.
pub(super) struct Objects {
    pub(super) objects: Vec<PathBuf>,
    _in_use: Lock,
}

impl Compiler<'_> {
    /// Compiles a model: one job a file if it is in pieces, else one file that includes all the others. What a file costs before
    /// its first line is then paid once. `pass` is for the code that runs every cycle.
    pub(super) fn model(&self, scratch: &ScratchDir, sources: &Sources, pass: &Pass) -> Result<Vec<PathBuf>> {
        let Sources { mut fast, mut slow, .. } = sources.clone();
        if !self.options.in_pieces() {
            // GCC takes the compiled header only if it is the first that the file itself includes.
            let all = [HEADER].into_iter().chain(fast.iter().chain(&slow).map(String::as_str));
            scratch.write("all.cpp", &all.map(|f| format!("#include \"{f}\"\n")).collect::<String>())?;
            (fast, slow) = (vec!["all.cpp".into()], Vec::new());
        }
        let job = |file: &String, pass| {
            let source = scratch.path().join(file);
            Job { object: source.with_extension("o"), source, pass, includes_header: true }
        };
        let rare = Pass::plain(SLOW);
        let fast: Vec<_> = fast.iter().map(|file| job(file, pass)).collect();
        let slow: Vec<_> = slow.iter().map(|file| job(file, &rare)).collect();
        // The same in every pass.
        let missing = slow.iter().filter(|job| !job.object.exists());
        self.compile(scratch.path(), &fast.iter().chain(missing).collect::<Vec<_>>())?;
        Ok(fast.into_iter().chain(slow).map(|job| job.object).collect())
    }

    /// The library of those files, of which it compiles what is not there yet. The lock is held alone no longer than that,
    /// for other models want them too.
    pub(super) fn runtime(&self, files: &[String]) -> Result<Objects> {
        let directory = &self.runtime;
        let lock_path = directory.with_extension("lock");
        let include = self.tools.root.join("include");
        let objects: Vec<_> = files.iter().map(|file| directory.join(file).with_extension("o")).collect();
        let header = directory.join(HEADER);
        let [pass, slow] = self.passes();
        let job = |source, object, pass| Job { source, object, pass, includes_header: false };
        let mut jobs: Vec<_> = files
            .iter()
            .zip(&objects)
            .map(|(file, object)| job(include.join(file), object.clone(), &pass))
            .collect();
        jobs.push(job(header.clone(), self.header(&pass), &pass));
        if self.tools.is_clang() && pass.optimisation != SLOW {
            jobs.push(job(header.clone(), self.header(&slow), &slow));
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
            self.compile(directory, &missing)?;
        }
    }

    /// Makes a shared object at `path` of a model's objects and the library.
    pub(super) fn link(
        &self,
        objects: &[PathBuf],
        library: &Objects,
        flags: &[&str],
        path: &Path,
    ) -> Result<()> {
        let &Self { tools, options, .. } = self;
        let mut link = tools.cxx.command();
        link.args(["-shared", "-Wl,-Bsymbolic", "-pthread"]).args(flags).arg("-o").arg(path);
        link.args(objects).args(&library.objects);
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
        run(&tools.cxx, &mut link).map(drop)
    }

    /// Where the compiled header is. GCC takes it where it would find the header itself, but no more than once a file: so the
    /// header must be there too. Clang is told of it, and refuses one of another optimisation.
    fn header(&self, pass: &Pass) -> PathBuf {
        self.runtime.join(match self.tools.is_clang() {
            true => format!("{HEADER}{}.pch", pass.optimisation),
            false => format!("{HEADER}.gch"),
        })
    }

    /// When the compiled headers were written.
    pub(super) fn headers_written(&self) -> [Option<SystemTime>; 2] {
        self.passes().map(|pass| fs::metadata(self.header(&pass)).ok()?.modified().ok())
    }

    /// Removes a compiled header that clang refuses, as it does once a header of the system is another one than when it was
    /// compiled. (GCC passes over such a one.)
    pub(super) fn remove_stale_headers(&self, scratch: &ScratchDir) -> Result<()> {
        if !self.tools.is_clang() {
            return Ok(());
        }
        let _alone = lock(&self.runtime.with_extension("lock"), Hold::Alone)?;
        scratch.write("nothing.cpp", "")?;
        let source = scratch.path().join("nothing.cpp");
        for pass in self.passes() {
            let header = self.header(&pass);
            let object = source.with_extension("o");
            let job = Job { source: source.clone(), object, pass: &pass, includes_header: true };
            if header.exists() && self.compile(scratch.path(), &[&job]).is_err() {
                fs::remove_file(&header).map_err(at(&header))?;
            }
        }
        Ok(())
    }

    /// Those of the code that runs every cycle, and of the rest.
    fn passes(&self) -> [Pass; 2] {
        [self.options.optimisation(), SLOW].map(Pass::plain)
    }

    /// Runs the jobs, as many at a time as the options say.
    fn compile(&self, directory: &Path, jobs: &[&Job]) -> Result<()> {
        let done = in_parallel(self.options.jobs, jobs, |_, job| {
            let Job { source, object, pass, includes_header } = job;
            let unfinished = object.with_extension("tmp");
            let language = if source.ends_with(HEADER) { "c++-header" } else { "c++" };
            let mut compiler = self.tools.cxx.command();
            if *includes_header && self.tools.is_clang() {
                compiler.arg("-include-pch").arg(self.header(pass));
            }
            compiler
                .current_dir(directory)
                .args([pass.optimisation, "-I.", "-c"])
                .arg(format!("-I{}", self.runtime.display()))
                .args(self.flags)
                .args(&pass.flags)
                .args(["-x", language])
                .args([source.as_os_str(), OsStr::new("-o"), unfinished.as_os_str()]);
            run(&self.tools.cxx, &mut compiler)?;
            fs::rename(&unfinished, object).map_err(at(object))
        });
        done.map(drop)
    }
}
