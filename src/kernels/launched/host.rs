//! The program of the host that a description becomes: it fills the arrays, evaluates sizes and arguments, and computes what
//! is expected (`sim/kernels/runtime/cuda/simt_cuda_host.h`).

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use super::description::Description;
use super::driver::{sources, text, DRIVER};
use super::entry::Element;
use crate::compiler::{at, run, said};
use crate::cuda::Items;
use crate::translate::{shown, CUDA_FOLDERS};
use crate::KernelError;
use tools::HOST_CXX;

/// The signal of a division of integers by 0.
const SIGFPE: i32 = 8;

/// What the program has found out.
#[derive(Debug, Deserialize)]
pub(super) struct Answers {
    pub arrays: Vec<ArrayAnswer>,
    pub launches: Vec<LaunchAnswer>,
}

/// An array.
#[derive(Debug, Deserialize)]
pub(super) struct ArrayAnswer {
    /// `f`, `i`, `u`, `v` for vectors of `float`, `p` for pointers, `s` for anything else.
    pub kind: char,
    /// Bytes of an element on the host.
    pub size: usize,
    /// For each element of an array of pointers the array and the byte to which it points.
    pub pointers: Vec<Option<(usize, u32)>>,
}

impl ArrayAnswer {
    /// What it consists of.
    pub fn element(&self) -> Element {
        match self.kind {
            'p' => Element { kind: 'p', bytes: 4 },
            'u' => Element { kind: 'i', bytes: self.size as u32 },
            'v' => Element { kind: 's', bytes: self.size as u32 },
            kind => Element { kind, bytes: self.size as u32 },
        }
    }
}

/// A launch that is made.
#[derive(Debug, Deserialize)]
pub(super) struct LaunchAnswer {
    /// Its number in the description.
    pub number: usize,
    /// Grid and block along x, y, z, and bytes of dynamic local memory.
    pub sizes: Vec<String>,
    pub arguments: Vec<Argument>,
}

/// An argument of a launch: one of these.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Argument {
    /// An integer.
    pub whole: Option<i128>,
    /// A floating-point number, with all digits.
    pub number: Option<String>,
    /// A byte of an array.
    pub pointer: Option<(usize, u32)>,
    /// What a pointer points to.
    pub element: Option<Element>,
    /// Whether it is an address that is in no array.
    pub stranger: bool,
    /// A value of a class, byte by byte.
    pub bytes: Option<Vec<u8>>,
}

/// Runs the program in a directory, which it leaves `array0` and so on in, and `check0` and so on.
///
/// # Errors
/// No compiler; what it says of the description's expressions; what the program finds wrong.
pub(super) fn ask(
    name: &str,
    description: &Description,
    defines: &[String],
    runtime: &Path,
    directory: &Path,
) -> Result<Answers, KernelError> {
    let driver = directory.join("driver.cpp");
    write(&driver, &text(name, description))?;
    let compiler = HOST_CXX.find();
    let call = |arguments: &[String]| {
        let mut command = compiler.command();
        let output = run(&compiler, command.args(arguments))?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => {
                let kernel = format!("the host's part of {name}");
                Err(KernelError::Compile { kernel, output: said(&output) })
            }
        }
    };
    let mut preprocess: Vec<String> =
        ["-E", "-x", "c++", "-std=gnu++17", "-fsigned-char", "-w"].map(str::to_owned).into();
    preprocess.extend(
        CUDA_FOLDERS[..2].iter().flat_map(|folder| ["-isystem".into(), shown(&runtime.join(folder))]),
    );
    preprocess.push(format!("-I{}", shown(runtime)));
    preprocess.extend(description.include.iter().map(|folder| format!("-I{}", shown(folder))));
    preprocess.extend(defines.iter().map(|define| format!("-D{define}")));
    // By options, which take the names of files as they are.
    let sources = sources(description).map(|file| shown(file));
    let included = ["simt_cuda_host.h".into()].into_iter().chain(sources);
    preprocess.extend(included.flat_map(|file| ["-include".into(), file]));
    preprocess.push(shown(&driver));
    let whole = String::from_utf8_lossy(&call(&preprocess)?).into_owned();
    if whole.trim().is_empty() {
        let nothing = std::io::Error::other("it makes nothing of C++");
        return Err(KernelError::CompilerMissing(compiler.unusable(&nothing)));
    }

    let items = Items::of(&whole);
    let called = description.prepare.iter().chain(&description.reference).map(|call| &call.function);
    for function in called {
        if !items.has_function(function) {
            let known = items.functions().join(", ");
            return Err(KernelError::Launches {
                file: name.into(),
                problem: format!(
                    "there is no function {function} in the sources; those of the host are {known}"
                ),
            });
        }
    }
    // What the program itself needs, and what makes names visible (using namespace).
    let roots = BTreeSet::from(["namespace".to_owned()]);
    let text = items.needed(&roots, |item| item.file == DRIVER);
    let needed = directory.join("needed.ii");
    // A class may declare a kernel as its friend.
    write(&needed, &text.replace("__global__", ""))?;
    let program = directory.join("host");
    let options = ["-x", "c++-cpp-output", "-std=gnu++17", "-fsigned-char", "-O1", "-ffp-contract=off", "-w"]
        .map(str::to_owned);
    call(&[&options[..], &[shown(&needed), "-o".into(), shown(&program)]].concat())?;

    let output =
        tools::children::output(Command::new(&program).current_dir(directory)).map_err(at(&program))?;
    let wrong = |problem: String| Err(KernelError::Launches { file: name.into(), problem });
    if let Ok(problem) = fs::read_to_string(directory.join("problem")) {
        return wrong(problem);
    }
    let answers = directory.join("answers");
    // They have this name when they are complete: functions of the host may end the program, with whatever code.
    if !output.status.success() || !answers.exists() {
        let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        let said = if said.is_empty() { said } else { format!(": {said}") };
        return wrong(match output.status.code() {
            Some(code) => format!(
                "a function of the host ends the program with exit code {code}{said}; prepare, reference and what \
                 expressions call have to return"
            ),
            None => {
                let why = match output.status.signal() {
                    Some(SIGFPE) => "does one of them, or an expression, divide by 0?",
                    _ => "do all arrays have the lengths that they need?",
                };
                format!("its functions of the host end with {}{said}; {why}", output.status)
            }
        });
    }
    let answers = fs::read(&answers).map_err(at(&answers))?;
    serde_json::from_slice(&answers).or_else(|error| wrong(format!("the host's program: {error}")))
}

fn write(path: &Path, text: &str) -> Result<(), KernelError> {
    fs::write(path, text).map_err(at(path))
}
