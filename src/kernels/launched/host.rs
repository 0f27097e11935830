//! The program of the host that a description becomes: it fills the arrays, evaluates sizes and arguments, and computes what
//! is expected (`sim/kernels/runtime/cuda/simt_cuda_host.h`).

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::description::{Call, Description, Expression};
use super::MOST_BYTES;
use crate::compiler::{at, run};
use crate::cuda::Items;
use crate::translate::{shown, CUDA_FOLDERS};
use crate::{KernelError, Language};
use tools::HOST_CXX;

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
    /// Whether it is an address that is in no array.
    pub stranger: bool,
    /// A value of a class, byte by byte.
    pub bytes: Option<Vec<u8>>,
}

/// The name that the program's own code has in the preprocessed text.
const DRIVER: &str = "simt_driver.cpp";

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
        let output = run(&compiler, command.args(arguments).env("LC_ALL", "C"))?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => {
                let output = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
                Err(KernelError::Compile { kernel: format!("the host's part of {name}"), output })
            }
        }
    };
    let mut preprocess: Vec<String> = ["-E", "-x", "c++", "-std=gnu++17", "-w"].map(str::to_owned).into();
    preprocess.extend(
        CUDA_FOLDERS[..2].iter().flat_map(|folder| ["-isystem".into(), shown(&runtime.join(folder))]),
    );
    preprocess.push(format!("-I{}", shown(runtime)));
    preprocess.extend(description.include.iter().map(|folder| format!("-I{}", shown(folder))));
    preprocess.extend(defines.iter().map(|define| format!("-D{define}")));
    preprocess.extend(["-include".into(), "simt_cuda_host.h".into(), shown(&driver)]);
    let whole = String::from_utf8_lossy(&call(&preprocess)?).into_owned();

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
    let needed = directory.join("needed.ii");
    write(&needed, &items.needed(&roots, |item| item.file == DRIVER))?;
    let program = directory.join("host");
    let options =
        ["-x", "c++-cpp-output", "-std=gnu++17", "-O1", "-ffp-contract=off", "-w"].map(str::to_owned);
    call(&[&options[..], &[shown(&needed), "-o".into(), shown(&program)]].concat())?;

    let output =
        tools::children::output(Command::new(&program).current_dir(directory)).map_err(at(&program))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
        let problem = match output.status.code() {
            Some(3) => said,
            _ => format!(
                "its functions of the host end with {}: {said}; do all arrays have the lengths that they need?",
                output.status
            ),
        };
        return Err(KernelError::Launches { file: name.into(), problem });
    }
    let answers = directory.join("answers");
    let answers = fs::read(&answers).map_err(at(&answers))?;
    serde_json::from_slice(&answers).map_err(|error| KernelError::Launches {
        file: name.into(),
        problem: format!("the host's program: {error}"),
    })
}

fn write(path: &Path, text: &str) -> Result<(), KernelError> {
    fs::write(path, text).map_err(at(path))
}

/// The program: the sources, and what the description says behind them.
fn text(name: &str, description: &Description) -> String {
    let mut text = String::new();
    // A string takes no failure.
    let mut line = |of: std::fmt::Arguments| {
        let _ = writeln!(text, "{of}");
    };
    let in_c = |source: &&PathBuf| Language::of(source) != Some(Language::Assembly);
    for source in description.sources.iter().filter(in_c).chain(&description.host) {
        line(format_args!("#include {}", quoted(&shown(source))));
    }
    line(format_args!("#line 1 \"{DRIVER}\"\nint simt_main() {{ simt::most_bytes = {MOST_BYTES};"));
    let place = |what: &str| format!("#line 1 {}", quoted(&format!("{name}, {what}")));
    for array in &description.arrays {
        let (array_name, element) = (&array.name, &array.element);
        let element = if element == "pointer" { "void *" } else { element };
        line(format_args!("{}", place(&format!("type and length of array {array_name}"))));
        line(format_args!(
            "typedef {element} simt_type_{array_name}; const long simt_length_{array_name} = ({});",
            array.length
        ));
        line(format_args!(
            "auto *{array_name} = simt::array<simt_type_{array_name}>(\"{array_name}\", simt_length_{array_name});"
        ));
        if let Some(value) = &array.value {
            line(format_args!("for (long i = 0; i < simt_length_{array_name}; i++) {array_name}[i] ="));
            line(format_args!(
                "{}\n(simt_type_{array_name})({value});",
                place(&format!("value of array {array_name}"))
            ));
        }
        if let Some(file) = &array.file {
            let file = quoted(&shown(file));
            line(format_args!("simt::read({array_name}, simt_length_{array_name}, {file});"));
        }
    }
    for call in &description.prepare {
        line(format_args!("{}", called(name, call)));
    }
    line(format_args!("simt::save_inputs();"));
    let rounds = description.rounds.as_ref().map_or("1".into(), ToString::to_string);
    line(format_args!("{}", place("rounds")));
    line(format_args!(
        "const long simt_rounds = ({rounds});\nfor (long round = 0; round < simt_rounds; round++) {{"
    ));
    for (number, launch) in description.launches.iter().enumerate() {
        let of = format!("of launch {} ({})", number + 1, launch.kernel);
        let when = launch.when.as_ref().map_or("true".into(), ToString::to_string);
        line(format_args!("{}\nif ({when}) {{ simt::launch({number}, {{", place(&format!("when {of}"))));
        for (what, lengths) in [("grid", &launch.grid), ("block", &launch.block)] {
            let one = &Expression::Integer(1);
            let given = lengths.all();
            for axis in 0..3 {
                let length = given.get(axis).unwrap_or(one);
                line(format_args!("{}\n(double)({length}),", place(&format!("{what} {of}"))));
            }
        }
        let shared = launch.shared.as_ref().map_or("0".into(), ToString::to_string);
        line(format_args!("{}\n(double)({shared})}});", place(&format!("shared {of}"))));
        for (index, argument) in launch.args.iter().enumerate() {
            line(format_args!(
                "{}\nsimt::argument(({argument}));",
                place(&format!("argument {} {of}", index + 1))
            ));
        }
        line(format_args!("simt::launch_end(); }}"));
    }
    line(format_args!("}}"));
    for call in &description.reference {
        line(format_args!("{}", called(name, call)));
    }
    for (index, check) in description.checks.iter().enumerate() {
        let array = &check.array;
        if let Some(file) = &check.file {
            let file = quoted(&shown(file));
            line(format_args!("simt::read({array}, simt_length_{array}, {file});"));
        }
        line(format_args!("simt::save(\"check{index}\", {array}, simt_length_{array} * sizeof *{array});"));
    }
    line(format_args!("simt::report();\nreturn 0; }}"));
    text
}

/// A call of a function of the host.
fn called(name: &str, Call { function, args }: &Call) -> String {
    let arguments = args.iter().enumerate().map(|(index, argument)| {
        let place = quoted(&format!("{name}, argument {} of {function}", index + 1));
        format!("\n#line 1 {place}\nsimt::given({argument})")
    });
    let place = quoted(&format!("{name}, call of {function}"));
    format!("#line 1 {place}\n{function}({});", arguments.collect::<Vec<_>>().join(","))
}

/// A string of C.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
