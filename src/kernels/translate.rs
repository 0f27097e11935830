//! From sources to an executable: compiled to assembly, marked where lanes may part, assembled and linked.

mod command;
mod mark;

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Output;

use super::advice::advised;
use super::compiler::{at, options, run, said, version, BARE, GRID, VORTEX_START};
use super::entry::make_lean;
use super::inputs::{Compiler, Inputs, Language, Target};
use super::stack::deepest;
use super::KernelError;
pub(super) use command::CUDA_FOLDERS;
use divergence::Marked;
use files::publish;
use files::Key;
use isa::Extensions;
use loader::{Executable, STACK_SYMBOL};
use mark::Unit;
use model::memory::STACK_BYTES;
use tools::{Program, RISCV_CC};

/// What the start-up code is told: marked functions need a pointer to their frames.
const FRAMES: &str = "-DSIMT_FRAMES";

/// What is linked besides the runtime: functions that compilers call where there is no instruction.
const INTEGERS: &str = "integers.c";

/// One way to translate the sources.
#[derive(Clone, Copy)]
pub(super) struct Translation<'a> {
    pub(super) inputs: &'a Inputs,
    /// The folder of the runtime.
    runtime: &'a Path,
    grid: bool,
    fpu: bool,
    /// Bytes of stack of each thread, a power of two.
    stack_bytes: u32,
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
    /// What of a core its instructions need.
    pub(super) needed: Extensions,
    /// As [`Compiled::of_32`](super::source::Compiled::of_32), of all files.
    pub(super) of_32: bool,
}

impl<'a> Translation<'a> {
    /// Of sources for grids or not, with floating-point instructions or without; `runtime` is its folder.
    ///
    /// # Errors
    /// Stacks that cannot be.
    pub(super) fn new(
        inputs: &'a Inputs,
        runtime: &'a Path,
        grid: bool,
        fpu: bool,
    ) -> Result<Self, KernelError> {
        Ok(Self { inputs, runtime, grid, fpu, stack_bytes: inputs.stack_bytes()? })
    }

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
    ///
    /// Threads have a larger stack than they are given if functions need it, which shows when all is linked.
    pub(super) fn translate(&self, directory: &Path) -> Result<Translated, KernelError> {
        match self.linked(directory) {
            Err(KernelError::Stack { bytes, .. }) if bytes <= self.inputs.most_stack_bytes() => {
                Self { stack_bytes: bytes.next_power_of_two(), ..*self }.linked(directory)
            }
            result => result,
        }
    }

    /// What start-up code and the entries of kernels are told of the threads' stacks.
    fn stack_defines(&self) -> impl Iterator<Item = String> {
        let larger = self.larger_stacks();
        let log2 = larger.map(|bytes| format!("-DSIMT_STACK_LOG2={}", bytes.trailing_zeros()));
        [FRAMES.to_owned()].into_iter().chain(log2)
    }

    /// Bytes of stack of each thread, where they are more than is usual.
    fn larger_stacks(&self) -> Option<u32> {
        Some(self.stack_bytes).filter(|&bytes| bytes > STACK_BYTES)
    }

    /// The executable with stacks of this size.
    fn linked(&self, directory: &Path) -> Result<Translated, KernelError> {
        let (mut translated, sources) = self.mark_all(directory)?;
        let start = match (self.inputs.target, self.grid) {
            (Target::Vortex, _) => VORTEX_START,
            (Target::Heddle, true) => GRID,
            (Target::Heddle, false) => BARE,
        };
        let (runtime, start): (Vec<&str>, Vec<&str>) = start.iter().partition(|file| file.ends_with(".c"));
        let mut link: Vec<String> =
            options(self.grid, self.fpu).concat().into_iter().map(str::to_owned).collect();
        link.extend(self.stack_defines());
        link.extend(self.larger_stacks().map(|bytes| format!("-Wl,--defsym={STACK_SYMBOL}={bytes}")));
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
        if stack.bytes > self.stack_bytes {
            let (file, functions, most) = (shown(named), stack.to_string(), self.inputs.most_stack_bytes());
            return Err(KernelError::Stack { file, bytes: stack.bytes, functions, most });
        }
        translated.needed = Extensions { fpu: self.fpu, ..Extensions::needed_by(file.code()) };
        make_lean(&mut file);
        translated.elf = file.bytes().to_vec();
        Ok(translated)
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
            let marked = self.marked(
                &Unit { file, text: file, own: true, locks: false },
                &assembly,
                &mut String::new(),
            )?;
            fs::write(&assembly, &marked.text).map_err(at(&assembly))?;
            let made = directory.join("runtime.o");
            let usual = options(self.grid, self.fpu).concat().into_iter().map(str::to_owned);
            let steps = ["-c".into(), shown(&assembly), "-o".into(), shown(&made)];
            self.call(file, &compiler, &usual.chain(steps).collect::<Vec<_>>())?;
            publish(&object, |scratch| fs::copy(&made, scratch).map(drop)).map_err(at(&object))?;
        }
        Ok(object)
    }

    /// Calls a compiler.
    fn call(&self, file: &Path, compiler: &Program, arguments: &[String]) -> Result<Output, KernelError> {
        let output = run(compiler, compiler.command().args(arguments))?;
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
