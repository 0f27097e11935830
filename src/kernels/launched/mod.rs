//! Launch descriptions: kernels of a user's files with their arrays, arguments and grids, and what should come of them.

mod arguments;
mod description;
mod driver;
mod dynamic;
mod entry;
mod expected;
mod host;
mod memory;

use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::at;
use crate::cuda::{entry_of, function_of, is_called};
use crate::source::{place_runtime, runtime_in};
use crate::{check_extensions, Compiled, Inputs, KernelError, Language, Source};
use description::Description;
use entry::Entry;
use expected::Expected;
use files::{default_cache_dir, Scratch};
use isa::Extensions;
use loader::Program;
use memory::Placed;
use model::memory::{HEAP_BASE, HEAP_END};
use model::GridLaunch;
use spec::config::CoreConfig;

/// Bytes that arrays may take together; the rest of the memory is for arguments.
const MOST_BYTES: u32 = HEAP_END - HEAP_BASE - (1 << 20);

/// Rounds, and launches of all rounds together: more are an oversight, which would fill the disk first.
const MOST_ROUNDS: u32 = 1_000_000;
const MOST_LAUNCHES: u32 = 100_000;

/// What a launch description describes, ready to run.
pub struct Launched {
    /// The kernels, with arrays and arguments in memory.
    pub program: Program,
    /// What the compiler said all the same.
    pub warnings: String,
    launches: Vec<GridLaunch>,
    expected: Vec<Expected>,
    needed: Extensions,
    of_32: bool,
}

impl Launched {
    /// Reads a description, compiles what it names, and computes on the host what it says. `defines` are macros that replace
    /// those of the same names.
    ///
    /// # Errors
    /// A description that cannot be right, sources that do not compile, no compiler.
    pub fn from_path(path: &Path, defines: &[String]) -> Result<Self, KernelError> {
        let shown = path.display().to_string();
        let wrong = |problem: String| KernelError::Launches { file: shown.clone(), problem };
        let text = fs::read_to_string(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let description = Description::parse(&text, folder).map_err(wrong)?;
        let defines = with(&description.defines, defines);

        let cache = default_cache_dir().map_err(KernelError::Cache)?.join("kernels");
        let runtime = runtime_in(&cache);
        place_runtime(&runtime)?;
        let scratch = Scratch::beside(&cache.join("launched")).map_err(at(&cache))?;
        let made = Self::make(&shown, &description, defines, &runtime, scratch.path())?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { program: Program { name, ..made.program }, ..made })
    }

    fn make(
        shown: &str,
        description: &Description,
        defines: Vec<String>,
        runtime: &Path,
        scratch: &Path,
    ) -> Result<Self, KernelError> {
        let wrong = |problem: String| KernelError::Launches { file: shown.into(), problem };
        // The host's part first, because its mistakes show sooner.
        let answers = host::ask(shown, description, &defines, runtime, scratch)?;
        let kernels: Vec<String> = description.launches.iter().map(|launch| launch.kernel.clone()).collect();
        let source = Source::compile(&Inputs {
            files: description.sources.clone(),
            kernels: kernels.clone(),
            variables: description.arrays.iter().filter_map(|array| array.symbol.clone()).collect(),
            defines: defines.clone(),
            options: description.include.iter().map(|folder| format!("-I{}", folder.display())).collect(),
            ..Inputs::default()
        })?;
        if !source.runs_as_grid {
            return Err(wrong(format!(
                "{} have no kernels: __global__ functions in a .cu file, or SIMT_KERNEL",
                names(&description.sources)
            )));
        }
        let known = source.kernels.clone();
        let Compiled { mut program, mut warnings, elf, marked, needed, of_32, dynamic } =
            source.compiled()?;
        let sizes = memory::sizes(shown, elf)?;
        let is_cuda = |kernel: &String| known.iter().any(|known| is_called(known, function_of(kernel)));
        let symbol = |kernel: &String| if is_cuda(kernel) { entry_of(kernel) } else { kernel.clone() };
        let symbols: Vec<String> = kernels.iter().map(symbol).collect();
        let entries = kernels.iter().zip(&symbols).map(|(kernel, symbol)| {
            let entry = Entry::find(&program, symbol).ok_or_else(|| {
                let sources = names(&description.sources);
                wrong(format!(
                    "there is no kernel {kernel} in {sources}; their kernels are {}",
                    known.join(", ")
                ))
            });
            Ok((kernel.as_str(), entry?))
        });
        let entries = entries.collect::<Result<Vec<_>, KernelError>>()?;
        warnings += &dynamic::check(description, &answers, &symbols, &marked, &dynamic).map_err(wrong)?;

        let read = |name: String| fs::read(scratch.join(&name)).map_err(at(&scratch.join(&name)));
        let arrays = 0..description.arrays.len();
        let contents = arrays.map(|index| read(format!("array{index}"))).collect::<Result<Vec<_>, _>>()?;
        let symbols: Vec<_> =
            description.arrays.iter().map(|array| (array.name.as_str(), array.symbol.as_deref())).collect();
        let placed = memory::place(&mut program, &answers, &symbols, &sizes, contents, &entries);
        let Placed { addresses, launches } = placed.map_err(wrong)?;
        if launches.is_empty() {
            return Err(wrong("nothing is launched: no launch has a round in which it is made".into()));
        }
        if description.checks.is_empty() {
            warnings += &format!("note: {shown} has no [[check]]: nothing but faults is looked for\n");
        }
        let mut expected = vec![];
        for (index, check) in description.checks.iter().enumerate() {
            let number = description.arrays.iter().position(|array| array.name == check.array).unwrap_or(0);
            let array = &answers.arrays[number];
            let one = Expected {
                array: check.array.clone(),
                address: addresses[number],
                kind: array.kind,
                size: array.size,
                bytes: read(format!("check{index}"))?,
                tolerance: check.tolerance,
            };
            one.possible().map_err(wrong)?;
            expected.push(one);
        }
        Ok(Self { program, warnings, launches, expected, needed, of_32 })
    }

    /// The grids, one after another.
    pub fn launches(&self) -> &[GridLaunch] {
        &self.launches
    }

    /// Whether a core can run them.
    ///
    /// # Errors
    /// If the core lacks something.
    pub fn check_core(&self, config: &CoreConfig) -> Result<(), KernelError> {
        let name = || self.program.name.clone();
        check_extensions(&name(), self.needed, config)?;
        if self.needed.cross_lane && self.of_32 && config.threads != 32 {
            return Err(KernelError::WarpSize(name(), config.threads));
        }
        let checked = self.launches.iter().try_for_each(|launch| launch.check(config));
        checked.map_err(|error| KernelError::Launch(name(), error))
    }

    /// Compares what is in memory with what should be.
    ///
    /// # Errors
    /// The first difference.
    pub fn check(&self, word: &dyn Fn(u32) -> u32) -> Result<(), KernelError> {
        self.expected.iter().try_for_each(|expected| expected.check(word)).map_err(KernelError::Different)
    }

    /// All that the results are compared with, so that two descriptions with the same memory can be told apart.
    pub fn expectations(&self) -> Vec<u8> {
        let of = |expected: &Expected| {
            let head = format!("{} {} {}", expected.array, expected.kind, expected.tolerance);
            [head.as_bytes(), &expected.bytes].concat()
        };
        self.expected.iter().flat_map(of).collect()
    }
}

/// The macros of a description, but for those that others replace.
fn with(own: &[String], others: &[String]) -> Vec<String> {
    let name = |define: &String| define.split('=').next().unwrap_or_default().to_owned();
    let stays = |define: &&String| !others.iter().any(|other| name(other) == name(define));
    own.iter().filter(stays).chain(others).cloned().collect()
}

fn names(files: &[PathBuf]) -> String {
    let name = |file: &PathBuf| file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    files.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Whether a file is a launch description.
pub fn is_description(path: &Path) -> bool {
    Language::of(path).is_none() && path.extension().is_some_and(|extension| extension == "toml")
}
