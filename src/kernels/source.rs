//! C files of users: compiled as the kernels of the list are, but that warnings are no errors, that divergence is marked
//! where they have not done so themselves, and each time anew.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::advice::IN_SOFTWARE;
use super::compiler::at;
use super::cuda::{Items, CUDA_HEADERS, STANDARD_HEADERS};
use super::inputs::{Inputs, Language, Target};
use super::runtime::{CUDA_RUNTIME, RUNTIME};
use super::translate::{shown, Translated, Translation, CUDA_FOLDERS};
use super::KernelError;
use divergence::Marked;
use files::{default_cache_dir, publish, Key, Scratch};
use isa::Extensions;
use loader::{Program, ProgramError};

/// Sources as they were compiled.
pub struct Source {
    /// Whether the core's dispatcher starts it, because it has `SIMT_KERNEL`; it starts at `main` if not.
    pub runs_as_grid: bool,
    /// Whether it computes with floating-point numbers, which not every core has.
    pub needs_fpu: bool,
    /// The `__global__` functions of its `.cu` files.
    pub kernels: Vec<String>,
    made: Result<Compiled, KernelError>,
}

/// What is made of sources.
pub struct Compiled {
    /// The program, of the first file's name without extension.
    pub program: Program,
    /// The executable.
    pub elf: Vec<u8>,
    /// What the compiler said all the same, and what it did not notice.
    pub warnings: String,
    /// The assembly of each source, and what was found out of its branches.
    pub marked: Vec<Marked>,
    /// What of a core its instructions need.
    pub needed: Extensions,
    /// Whether votes and shuffles in its `.cu` files are for warps of 32 threads, as CUDA's are: they do not ask for
    /// `warpSize`.
    pub of_32: bool,
    /// The `extern __shared__` variables of its `.cu` files, which are as long as a launch says.
    pub dynamic: BTreeSet<String>,
}

impl Source {
    /// Compiles sources. What they need is found by trying: the instructions of all cores first, then floating-point ones
    /// too.
    ///
    /// # Errors
    /// No compiler, no such file, one that cannot be preprocessed or has two ways to start, or a cache that cannot be written.
    pub fn compile(inputs: &Inputs) -> Result<Self, KernelError> {
        let cache = default_cache_dir().map_err(KernelError::Cache)?.join("kernels");
        let runtime = &runtime_in(&cache);
        let Start { grid, floats, kernels } = Start::of(inputs, runtime)?;
        let made = |fpu| compile(&Translation::new(inputs, runtime, grid, fpu)?, &cache);
        let integers = (!floats).then(|| made(false));
        let needs_fpu = match &integers {
            None | Some(Err(KernelError::Compile { .. })) => true,
            Some(Ok(Compiled { program, .. })) => in_software(program).any(|symbol| symbol.contains("sf")),
            Some(Err(_)) => false,
        };
        let made = match integers {
            Some(integers) if !needs_fpu => integers,
            _ => made(true),
        };
        Ok(Self { runs_as_grid: grid, needs_fpu, kernels, made })
    }

    /// The assembly of each source, and what was found out of its branches. Nothing is linked, so they may be part of a
    /// program. With it what the compiler said all the same, and what it did not notice.
    ///
    /// # Errors
    /// As [`Source::compile`] and [`Source::compiled`].
    pub fn marked(inputs: &Inputs) -> Result<(Vec<Marked>, String), KernelError> {
        let cache = default_cache_dir().map_err(KernelError::Cache)?.join("kernels");
        let runtime = &runtime_in(&cache);
        let Start { grid, floats, .. } = Start::of(inputs, runtime)?;
        let made = |fpu| {
            let scratch = Scratch::beside(&cache.join("source")).map_err(at(&cache))?;
            Translation::new(inputs, runtime, grid, fpu)?.mark_all(scratch.path())
        };
        let is_software = |word: &str| word.starts_with("__") && word.contains("sf");
        let calls = |file: &Marked| file.text.split_whitespace().any(is_software);
        let integers = (!floats).then(|| made(false));
        let made = match integers {
            Some(Ok((made, _))) if !made.marked.iter().any(calls) => made,
            Some(Err(error)) if !matches!(error, KernelError::Compile { .. }) => return Err(error),
            _ => made(true)?.0,
        };
        Ok((made.marked, made.said))
    }

    /// The program.
    ///
    /// # Errors
    /// What the compiler said of a file that does not compile, and what is to be done where that is known; what in it cannot
    /// be right where lanes part.
    pub fn compiled(self) -> Result<Compiled, KernelError> {
        self.made
    }
}

/// How sources start.
struct Start {
    grid: bool,
    /// Whether they need floating-point instructions whatever is in them.
    floats: bool,
    kernels: Vec<String>,
}

impl Start {
    fn of(inputs: &Inputs, runtime: &Path) -> Result<Self, KernelError> {
        inputs.files.iter().try_for_each(|file| check_file(file))?;
        inputs.linked.iter().try_for_each(|file| check_file(file))?;
        place_runtime(runtime)?;
        if inputs.target == Target::Vortex {
            // Whatever else it is linked with has main, and passes floating-point numbers in registers.
            return Ok(Self { grid: false, floats: true, kernels: vec![] });
        }
        let translation = Translation::new(inputs, runtime, false, true)?;
        let mut kernels = vec![];
        let starts = |file: &PathBuf| {
            let text = translation.preprocess(file)?;
            if Language::of(file) == Some(Language::Cuda) {
                kernels.extend(Items::of(&text).kernels().into_iter().map(|kernel| kernel.name));
                return Ok((true, false));
            }
            let main = match Language::of(file) {
                Some(Language::Assembly) => text.lines().any(|line| line.starts_with("main:")),
                _ => has_main(&text),
            };
            Ok((text.contains(KERNEL_MARK), main))
        };
        let starts = inputs.files.iter().map(starts).collect::<Result<Vec<_>, KernelError>>()?;
        let (grid, main) = (starts.iter().any(|start| start.0), starts.iter().any(|start| start.1));
        if grid && main {
            let files: Vec<String> = inputs.files.iter().map(|file| shown(file)).collect();
            return Err(KernelError::TwoStarts(files.join(" ")));
        }
        let cuda_file = inputs.files.iter().find(|file| Language::of(file) == Some(Language::Cuda));
        if let (Some(file), true) = (cuda_file, kernels.is_empty()) {
            let problem = "it has no kernels: no function is __global__".into();
            return Err(KernelError::Launches { file: shown(file), problem });
        }
        // The header of CUDA's dialect has floating point in it.
        Ok(Self { grid, floats: cuda_file.is_some(), kernels })
    }
}

fn compile(translation: &Translation, cache: &Path) -> Result<Compiled, KernelError> {
    let scratch = Scratch::beside(&cache.join("source")).map_err(at(cache))?;
    let Translated { elf, said, marked, dynamic, needed, of_32 } = translation.translate(scratch.path())?;
    let first = translation.inputs.files.first().map(PathBuf::as_path).unwrap_or(Path::new(""));
    let program = Program::from_elf(&first.file_stem().unwrap_or_default().to_string_lossy(), &elf)?;
    let mut warnings = said;
    let called: Vec<_> = in_software(&program).collect();
    if !called.is_empty() {
        warnings += &format!("note: {} calls {}: {IN_SOFTWARE}\n", first.display(), called.join(", "));
    }
    Ok(Compiled { program, elf, warnings, marked, needed, of_32, dynamic })
}

/// What `SIMT_KERNEL` leaves in a preprocessed file.
const KERNEL_MARK: &str = ".pushsection .text.kernel.";

/// Whether a preprocessed file defines `main`.
fn has_main(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices("main").any(|(at, main)| {
        let (before, behind) = (&text[..at], &text[at + main.len()..]);
        // Behind a type: neither a call nor the end of another name.
        !before.ends_with(is_name)
            && before.trim_end().ends_with(is_name)
            && behind.trim_start().starts_with('(')
    })
}

/// The functions of the compiler's own library that compute numbers the core has no instructions for, with branches that
/// depend on them.
fn in_software(program: &Program) -> impl Iterator<Item = &str> {
    let is = |symbol: &&str| {
        let has = |kind: &str| symbol.contains(kind);
        // Conversions between float and integers of 64 bits are the runtime's.
        symbol.starts_with("__") && (has("df") || has("sf") && !has("di"))
    };
    program.symbols.keys().map(String::as_str).filter(is)
}

fn check_file(path: &Path) -> Result<(), ProgramError> {
    let shown = path.display().to_string();
    match fs::File::open(path) {
        Ok(_) if !path.is_file() => Err(ProgramError::NotFile(shown)),
        Ok(_) => Ok(()),
        Err(source) => Err(ProgramError::Io { path: shown, source }),
    }
}

/// All files of the runtime below its folder.
fn runtime_files() -> impl Iterator<Item = (String, &'static str)> {
    let [dialect, cuda, standard] = CUDA_FOLDERS;
    let own = RUNTIME.iter().map(|&(name, text)| (name.to_owned(), text));
    let of_cuda = CUDA_RUNTIME.iter().map(move |&(name, text)| (format!("{dialect}/{name}"), text));
    let empty = move |(folder, names): (&'static str, &'static [&str])| {
        names.iter().map(move |name| {
            (format!("{folder}/{name}"), "/* What kernels have of it is in simt_cuda.h. */\n")
        })
    };
    own.chain(of_cuda).chain([(cuda, CUDA_HEADERS), (standard, STANDARD_HEADERS)].into_iter().flat_map(empty))
}

/// The folder of the runtime, of another name for another runtime.
pub(super) fn runtime_in(cache: &Path) -> PathBuf {
    let mut key = Key::default();
    runtime_files().for_each(|(name, text)| {
        key.add(name).add(text);
    });
    cache.join(format!("runtime-{}", &key.hex()[..8]))
}

/// Writes what is missing of the runtime, or is not as it should be.
pub(super) fn place_runtime(folder: &Path) -> Result<(), KernelError> {
    for (name, text) in runtime_files() {
        let file = folder.join(name);
        let folder = file.parent().unwrap_or(folder);
        if !fs::read(&file).is_ok_and(|there| there == text.as_bytes()) {
            fs::create_dir_all(folder).map_err(at(folder))?;
            publish(&file, |scratch| fs::write(scratch, text)).map_err(at(&file))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::has_main;

    #[test]
    fn main_is_found_where_it_is_defined() {
        for text in ["int main(void) {}", "int\nmain (void)", "static int x; void main()"] {
            assert!(has_main(text), "{text}");
        }
        for text in [
            "int domain(void);",
            "int main_sum(int);",
            "x = main;",
            "return f(main());",
            "uint32_t remain = 3;",
        ] {
            assert!(!has_main(text), "{text}");
        }
    }
}
