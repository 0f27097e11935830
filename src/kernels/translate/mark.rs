//! From a source to assembly that is marked where lanes may part.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::command::{dialect, LOCKS_BY_GCC};
use super::{argument, made, shown, Translated, Translation};
use crate::compiler::at;
use crate::cuda::{separated, started, symbols_of, Device};
use crate::inputs::{Compiler, Inputs, Language};
use crate::KernelError;
use divergence::{mark, Convention, Marked, Unreached};

/// The functions of CUDA with which threads take a lock.
const LOCKING: [&str; 2] = ["atomicCAS", "atomicExch"];
/// How the names of those begin, or of what has them, with which the lanes of a warp exchange values.
const CROSSING: &[&str] = &[
    "__shfl",
    "__ballot",
    "__any",
    "__all",
    "__match_",
    "__reduce_",
    "tiled_partition",
    "coalesced_threads",
];

/// A file, what is compiled of it, and whether it is of the runtime.
pub(super) struct Unit<'a> {
    pub(super) file: &'a Path,
    pub(super) text: &'a Path,
    pub(super) own: bool,
    /// Its lanes may wait for one another.
    pub(super) locks: bool,
}

impl Translation<'_> {
    /// The assembly of the sources, marked, and what the linker is to be told of it. There is no executable yet.
    pub(crate) fn mark_all(&self, directory: &Path) -> Result<(Translated, Vec<String>), KernelError> {
        let mut translated = Translated::default();
        let mut link = vec![];
        let assembly = |index| directory.join(format!("{index}.s"));
        for (index, file) in self.inputs.files.iter().enumerate() {
            let (mut dynamic, mut locks) = (BTreeSet::new(), false);
            let whole = match Language::of(file) {
                Some(Language::Cuda) => {
                    let Inputs { kernels, variables, .. } = self.inputs;
                    let wrong = |problem| KernelError::Launches { file: shown(file), problem };
                    let device = Device::of(&self.preprocess(file)?, kernels, variables).map_err(wrong)?;
                    let left_out = device.warnings.iter();
                    translated.said += &left_out
                        .map(|what| format!("{}: warning: {what}\n", shown(file)))
                        .collect::<String>();
                    dynamic = device.dynamic;
                    let has = |names: &[&str]| names.iter().any(|name| device.text.contains(name));
                    locks = has(&LOCKING);
                    translated.of_32 |= has(CROSSING) && !has(&["warpSize"]);
                    let whole = directory.join(format!("{index}.cpp"));
                    fs::write(&whole, &device.text).map_err(at(&whole))?;
                    Some(whole)
                }
                _ => None,
            };
            let compiled = Unit { file, text: whole.as_deref().unwrap_or(file), own: false, locks };
            let marked = self.marked(&compiled, &assembly(index), &mut translated.said)?;
            let symbols = symbols_of(&dynamic, &marked.text);
            link.extend(symbols.iter().map(|symbol| format!("-Wl,--defsym={symbol}=__simt_shared_end")));
            translated.dynamic.extend(symbols);
            link.push(shown(&assembly(index)));
            translated.said += &warnings(&marked);
            translated.marked.push(marked);
        }
        self.separate(&mut translated.marked)?;
        for (index, marked) in translated.marked.iter().enumerate() {
            let path = assembly(index);
            fs::write(&path, &marked.text).map_err(at(&path))?;
        }
        Ok((translated, link))
    }

    /// Keeps apart what several `.cu` files call by one name.
    fn separate(&self, all: &mut [Marked]) -> Result<(), KernelError> {
        let is_cuda = |file: &PathBuf| Language::of(file) == Some(Language::Cuda);
        let cuda: Vec<usize> = (0..all.len()).filter(|&index| is_cuda(&self.inputs.files[index])).collect();
        let Some(&first) = cuda.first().filter(|_| cuda.len() > 1) else { return Ok(()) };
        let texts: Vec<String> = cuda.iter().map(|&index| all[index].text.clone()).collect();
        let named = |problem| KernelError::Launches { file: shown(&self.inputs.files[first]), problem };
        for (text, index) in separated(&texts).map_err(named)?.into_iter().zip(cuda) {
            all[index].text = text;
        }
        Ok(())
    }

    /// A file with its divergence marked. Where the assembly is going to be, there is the compiler's till then.
    pub(super) fn marked(
        &self,
        unit: &Unit,
        assembly: &Path,
        said: &mut String,
    ) -> Result<Marked, KernelError> {
        let (text, convention) = self.assembly(unit, assembly, said)?;
        Ok(mark(&shown(unit.file), &text, convention)?)
    }

    /// The assembly of a file, and the calling convention of its functions.
    fn assembly(
        &self,
        &Unit { file, text, own, locks }: &Unit,
        assembly: &Path,
        said: &mut String,
    ) -> Result<(String, Convention), KernelError> {
        if Language::of(file) == Some(Language::Assembly) {
            return Ok((
                fs::read_to_string(file).map_err(at(file))?,
                self.on_target(Convention::of_any_compiler()),
            ));
        }
        let compiler = if own { Compiler::Gcc } else { self.inputs.compiler };
        let (program, mut arguments) = self.compiler(file, compiler);
        let convention = match compiler {
            Compiler::Gcc => Convention::of_options(arguments.iter().map(String::as_str)),
            Compiler::Clang => Convention::of_any_compiler(),
        };
        let convention = self.on_target(convention);
        if Language::of(file) == Some(Language::Cuda) {
            arguments.extend(dialect(compiler).map(str::to_owned));
        }
        if locks && compiler == Compiler::Gcc {
            arguments.extend(LOCKS_BY_GCC.iter().map(|&option| option.into()));
        }
        arguments.extend(["-S".into(), argument(text), "-o".into(), shown(assembly)]);
        *said += &String::from_utf8_lossy(&self.call(file, &program, &arguments)?.stderr);
        let made = String::from_utf8_lossy(&made(file, assembly)?).into_owned();
        if Language::of(file) != Some(Language::Cuda) {
            return Ok((made, convention));
        }
        let started: Vec<String> = started(&made).into_iter().collect();
        if !started.is_empty() {
            let problem = format!(
                "no code runs before the kernels, which would compute what these variables begin with: {}; make it a constant \
                 (constexpr), or let a kernel or the launch description (symbol) fill them",
                started.join(", ")
            );
            return Err(KernelError::Launches { file: shown(file), problem });
        }
        Ok((with_shared(&made), convention))
    }
}

/// Assembly in which static variables of functions are in local memory: in CUDA they are `__shared__`, and compilers forget
/// their section where a template is instantiated.
fn with_shared(assembly: &str) -> String {
    let line = |line: &str| match line.trim_start().strip_prefix(".section") {
        Some(rest) if [".bss._ZZ", ".sbss._ZZ"].iter().any(|begin| rest.trim_start().starts_with(begin)) => {
            let flags = rest.split_once(',').map_or("", |(_, flags)| flags);
            format!("\t.section\t.shared,{}\n", flags.replace("@nobits", "@progbits"))
        }
        _ => format!("{line}\n"),
    };
    assembly.lines().map(line).collect()
}

/// Barriers that work, but not as their author may think.
fn warnings(marked: &Marked) -> String {
    let warning = |found: &Unreached| {
        let Unreached { at, branch } = found;
        format!(
            "{branch}: warning: lanes of a warp may part here, and only some of them reach the barrier at {at}: in a grid \
             that is a fault (barrier in divergent code), without one the warp arrives all the same, once\n"
        )
    };
    marked.unreached.iter().map(warning).collect()
}
