//! From sources to an executable: compiled to assembly, marked where lanes may part, assembled and linked.

mod command;

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Output;

use super::advice::advised;
use super::compiler::{at, options, run, said, version, BARE, GRID, VORTEX_START};
use super::cuda::{started, symbols_of, Device};
use super::entry::make_lean;
use super::inputs::{Compiler, Inputs, Language, Target};
use super::stack::deepest;
use super::KernelError;
use command::dialect;
pub(super) use command::CUDA_FOLDERS;
use divergence::{mark, Convention, Marked, Unreached};
use files::publish;
use files::Key;
use loader::Executable;
use model::memory::STACK_BYTES;
use tools::{Program, RISCV_CC};

/// What the start-up code is told: marked functions need a pointer to their frames.
const FRAMES: &str = "-DSIMT_FRAMES";

/// What is linked besides the runtime: functions that compilers call where there is no instruction.
const INTEGERS: &str = "integers.c";

/// A file, what is compiled of it, and whether it is of the runtime.
struct Unit<'a> {
    file: &'a Path,
    text: &'a Path,
    own: bool,
}

/// One way to translate the sources.
pub(super) struct Translation<'a> {
    pub(super) inputs: &'a Inputs,
    /// The folder of the runtime.
    pub(super) runtime: &'a Path,
    pub(super) grid: bool,
    pub(super) fpu: bool,
}

/// What has come of it.
#[derive(Default)]
pub(super) struct Translated {
    pub(super) elf: Vec<u8>,
    /// What the compiler said all the same.
    pub(super) said: String,
    /// What was made of each of the inputs, in their order.
    pub(super) marked: Vec<Marked>,
    /// As [`Device::dynamic`], of all files.
    pub(super) dynamic: BTreeSet<String>,
}

impl Translation<'_> {
    /// The text of a file with its headers and macros; assembly as it is.
    pub(super) fn preprocess(&self, file: &Path) -> Result<String, KernelError> {
        if Language::of(file) == Some(Language::Assembly) {
            return fs::read_to_string(file).map_err(at(file));
        }
        let (compiler, mut arguments) = self.compiler(file, self.inputs.compiler);
        if Language::of(file) == Some(Language::Cuda) {
            arguments.extend(["-x".into(), "c++".into()]);
        }
        arguments.extend(["-E".into(), argument(file)]);
        Ok(String::from_utf8_lossy(&self.call(file, &compiler, &arguments)?.stdout).into_owned())
    }

    /// The executable. Files on the way are in a directory that the caller removes.
    pub(super) fn translate(&self, directory: &Path) -> Result<Translated, KernelError> {
        let (mut translated, sources) = self.mark_all(directory)?;
        let start = match (self.inputs.target, self.grid) {
            (Target::Vortex, _) => VORTEX_START,
            (Target::Heddle, true) => GRID,
            (Target::Heddle, false) => BARE,
        };
        let (runtime, start): (Vec<&str>, Vec<&str>) = start.iter().partition(|file| file.ends_with(".c"));
        let mut link: Vec<String> =
            options(self.grid, self.fpu).concat().into_iter().map(str::to_owned).collect();
        link.push(FRAMES.into());
        link.extend(start.into_iter().map(|argument| match argument.strip_prefix("-T") {
            Some(script) => format!("-T{}", shown(&self.runtime.join(script))),
            None if argument.starts_with('-') => argument.into(),
            None => shown(&self.runtime.join(argument)),
        }));
        link.extend(sources);
        for file in runtime.into_iter().chain([INTEGERS]) {
            link.push(shown(&self.object(&self.runtime.join(file), directory)?));
        }
        // Archives may need one another.
        link.push("-Wl,--start-group".into());
        link.extend(self.inputs.linked.iter().map(
            |file| match file.extension().is_some_and(|e| e == "ld") {
                true => format!("-T{}", shown(file)),
                false => argument(file),
            },
        ));
        let elf = directory.join("program.elf");
        link.extend(["-lgcc".into(), "-Wl,--end-group".into(), "-o".into(), shown(&elf)]);
        let named = self.inputs.files.first().map_or(Path::new(""), PathBuf::as_path);
        let linked = self.call(named, &RISCV_CC.find(), &link)?;
        // grid.ld wants the zeros of variables to be in the file, and the linker says so if there is nothing else in it.
        let said = String::from_utf8_lossy(&linked.stderr);
        let news = said.lines().filter(|line| !line.ends_with("type changed to PROGBITS"));
        translated.said += &news.map(|line| format!("{line}\n")).collect::<String>();
        let mut file = Executable::new(&shown(named), made(named, &elf)?)?;
        let stack = deepest(&file);
        if stack.bytes > STACK_BYTES {
            let (file, functions) = (shown(named), stack.to_string());
            return Err(KernelError::Stack { file, bytes: stack.bytes, functions });
        }
        make_lean(&mut file);
        translated.elf = file.bytes().to_vec();
        Ok(translated)
    }

    /// The assembly of the sources, marked, and what the linker is to be told of it. There is no executable yet.
    pub(super) fn mark_all(&self, directory: &Path) -> Result<(Translated, Vec<String>), KernelError> {
        let mut translated = Translated::default();
        let mut link = vec![];
        for (index, file) in self.inputs.files.iter().enumerate() {
            let assembly = directory.join(format!("{index}.s"));
            let mut dynamic = BTreeSet::new();
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
                    let whole = directory.join(format!("{index}.cpp"));
                    fs::write(&whole, &device.text).map_err(at(&whole))?;
                    Some(whole)
                }
                _ => None,
            };
            let compiled = Unit { file, text: whole.as_deref().unwrap_or(file), own: false };
            let marked = self.marked(&compiled, &assembly, &mut translated.said)?;
            let symbols = symbols_of(&dynamic, &marked.text);
            link.extend(symbols.iter().map(|symbol| format!("-Wl,--defsym={symbol}=__simt_shared_end")));
            translated.dynamic.extend(symbols);
            link.push(shown(&assembly));
            translated.said += &warnings(&marked);
            translated.marked.push(marked);
        }
        Ok((translated, link))
    }

    /// A file of the runtime, compiled once for all programs.
    fn object(&self, file: &Path, directory: &Path) -> Result<PathBuf, KernelError> {
        let (compiler, arguments) = self.compiler(file, Compiler::Gcc);
        let mut key = Key::default();
        key.add(version(&compiler)?).add(divergence::VERSION).add(format!("{:?}", self.inputs.target));
        arguments.iter().for_each(|argument| {
            key.add(argument);
        });
        let object = file.with_extension(format!("{}.o", &key.hex()[..16]));
        if !object.exists() {
            let assembly = directory.join("runtime.s");
            self.marked(&Unit { file, text: file, own: true }, &assembly, &mut String::new())?;
            let made = directory.join("runtime.o");
            let usual = options(self.grid, self.fpu).concat().into_iter().map(str::to_owned);
            let steps = ["-c".into(), shown(&assembly), "-o".into(), shown(&made)];
            self.call(file, &compiler, &usual.chain(steps).collect::<Vec<_>>())?;
            publish(&object, |scratch| fs::copy(&made, scratch).map(drop)).map_err(at(&object))?;
        }
        Ok(object)
    }

    /// A file with its divergence marked, and the assembly of that.
    fn marked(&self, unit: &Unit, assembly: &Path, said: &mut String) -> Result<Marked, KernelError> {
        let (text, convention) = self.assembly(unit, assembly, said)?;
        let marked = mark(&shown(unit.file), &text, convention)?;
        fs::write(assembly, &marked.text).map_err(at(assembly))?;
        Ok(marked)
    }

    /// The assembly of a file, and the calling convention of its functions.
    fn assembly(
        &self,
        &Unit { file, text, own }: &Unit,
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

    /// Calls a compiler, which speaks English so that what it says can be explained.
    fn call(&self, file: &Path, compiler: &Program, arguments: &[String]) -> Result<Output, KernelError> {
        let output = run(compiler, compiler.command().args(arguments).env("LC_ALL", "C"))?;
        if output.status.success() {
            return Ok(output);
        }
        let output = advised(&said(&output));
        Err(KernelError::Compile { kernel: shown(file), output })
    }
}

/// What a compiler has made of a file, which it may have been told not to make.
fn made(file: &Path, output: &Path) -> Result<Vec<u8>, KernelError> {
    fs::read(output).map_err(|error| match error.kind() {
        ErrorKind::NotFound => KernelError::Compile {
            kernel: shown(file),
            output:
                "the compiler ended well, and made nothing: is it told to by its options, those behind --?"
                    .into(),
        },
        _ => at(output)(error),
    })
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

pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// A file, so that it is no option.
fn argument(path: &Path) -> String {
    match shown(path) {
        path if path.starts_with('-') => format!("./{path}"),
        path => path,
    }
}
