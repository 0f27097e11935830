//! C files of users: compiled as the kernels of the list are, but that warnings are no errors, and each time anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use super::compile::{at, options, run, BARE, GRID, RUNTIME};
use super::KernelError;
use cosim::verilator::{default_cache_dir, Key};
use cosim::{Program, ProgramError};
use files::{publish, scratch_path};
use tools::RISCV_CC;

/// A C file as it was compiled.
pub struct Source {
    /// Whether the core's dispatcher starts it, because it has `SIMT_KERNEL`; it starts at `main` if not.
    pub runs_as_grid: bool,
    /// Whether it computes with floating-point numbers, which not every core has.
    pub needs_fpu: bool,
    call: Call,
    made: Result<Compiled, KernelError>,
}

/// What the compiler makes of a C file.
pub struct Compiled {
    /// The program, of the file's name without extension.
    pub program: Program,
    /// What the compiler said all the same, and what it did not notice.
    pub warnings: String,
}

impl Source {
    /// Compiles a file, with macros defined as `NAME` or `NAME=VALUE`. What it needs is found by trying: the instructions of
    /// all cores first, then floating-point ones too.
    ///
    /// # Errors
    /// No compiler, no such file, one that cannot be preprocessed or has two ways to start, or a cache that cannot be written.
    pub fn compile(path: &Path, defines: &[String]) -> Result<Self, KernelError> {
        check_file(path)?;
        let cache = default_cache_dir().map_err(KernelError::Cache)?.join("kernels");
        let call = |grid, fpu| Call {
            path: path.into(),
            runtime: runtime_in(&cache),
            defines: defines.to_vec(),
            grid,
            fpu,
        };
        place_runtime(&runtime_in(&cache))?;

        let text = call(false, true).preprocess()?;
        let grid = text.contains(KERNEL_MARK);
        if grid && has_main(&text) {
            return Err(KernelError::TwoStarts(path.display().to_string()));
        }
        let integers = call(grid, false).compile(&cache);
        let needs_fpu = match &integers {
            Ok(Compiled { program, .. }) => in_software(program).any(|symbol| symbol.contains("sf")),
            Err(error) => matches!(error, KernelError::Compile { .. }),
        };
        let call = call(grid, needs_fpu);
        let made = if needs_fpu { call.compile(&cache) } else { integers };
        Ok(Self { runs_as_grid: grid, needs_fpu, call, made })
    }

    /// The compiler and its arguments, by which it leaves an executable beside the file. The runtime is in a folder of the
    /// cache, which they name.
    pub fn command(&self) -> Vec<String> {
        let executable = self.call.path.with_extension("elf");
        [RISCV_CC.find().words(), self.call.arguments(), vec!["-o".into(), shown(&executable)]].concat()
    }

    /// The program.
    ///
    /// # Errors
    /// What the compiler said of a file that does not compile, and what is to be done where that is known.
    pub fn compiled(self) -> Result<Compiled, KernelError> {
        self.made
    }
}

/// One way to compile a file.
struct Call {
    path: PathBuf,
    runtime: PathBuf,
    defines: Vec<String>,
    grid: bool,
    fpu: bool,
}

impl Call {
    /// All that stands before the name of the executable.
    fn arguments(&self) -> Vec<String> {
        let start = if self.grid { GRID } else { BARE };
        let placed = start.iter().map(|argument| match argument.strip_prefix("-T") {
            Some(script) => format!("-T{}", shown(&self.runtime.join(script))),
            None => shown(&self.runtime.join(argument)),
        });
        let mut all = self.options();
        all.extend(placed);
        all.extend([self.source(), "-lgcc".into()]);
        all
    }

    fn options(&self) -> Vec<String> {
        let options = options(self.grid, self.fpu).concat();
        let mut all: Vec<String> =
            options.into_iter().filter(|o| *o != "-Werror").map(str::to_owned).collect();
        all.push(format!("-I{}", shown(&self.runtime)));
        all.extend(self.defines.iter().map(|define| format!("-D{define}")));
        all
    }

    /// The file, so that it is no option.
    fn source(&self) -> String {
        match shown(&self.path) {
            path if path.starts_with('-') => format!("./{path}"),
            path => path,
        }
    }

    fn preprocess(&self) -> Result<String, KernelError> {
        let output = self.run([self.options(), vec!["-E".into(), self.source()]].concat())?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn compile(&self, cache: &Path) -> Result<Compiled, KernelError> {
        let elf = scratch_path(&cache.join("source.elf"));
        let output = self.run([self.arguments(), vec!["-o".into(), shown(&elf)]].concat())?;
        let content = fs::read(&elf).map_err(at(&elf))?;
        let _ = fs::remove_file(&elf);
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let program = Program::from_elf(&name, &content)?;
        let mut warnings = String::from_utf8_lossy(&output.stderr).into_owned();
        let called: Vec<_> = in_software(&program).collect();
        if !called.is_empty() {
            warnings +=
                &format!("note: {} calls {}: {IN_SOFTWARE}\n", self.path.display(), called.join(", "));
        }
        Ok(Compiled { program, warnings })
    }

    /// Calls the compiler, which speaks English so that what it says can be explained.
    fn run(&self, arguments: Vec<String>) -> Result<Output, KernelError> {
        let compiler = RISCV_CC.find();
        let output = run(&compiler, compiler.command().args(arguments).env("LC_ALL", "C"))?;
        if output.status.success() {
            return Ok(output);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let advice = ADVICE
            .iter()
            .filter(|(sign, _)| said.contains(sign))
            .map(|(_, advice)| format!("advice: {advice}"));
        let output = [said.trim_end().to_owned()].into_iter().chain(advice).collect::<Vec<_>>().join("\n");
        Err(KernelError::Compile { kernel: self.path.display().to_string(), output })
    }
}

/// What is wrong with functions of the compiler's own library.
const IN_SOFTWARE: &str =
    "the core has no instructions for double (write float, and 1.0f for 1.0) and quotients of 64 bits, and functions that \
     compute them branch, where lanes whose numbers differ get wrong ones";

/// What the compiler says, and what is to be done.
const ADVICE: &[(&str, &str)] = &[
    (
        "symbol `.Lsimt_",
        "GCC has copied a SIMT_IF, SIMT_WHILE or their end, and lanes would wait for one another at two places: mark \
         the function that has it SIMT_FUNCTION, or write `#pragma GCC unroll 1` before the loop around it",
    ),
    (
        "undefined reference to `main'",
        "a file needs a place to start: int main(void), which launches warps (simt.h), or SIMT_KERNEL(name), which \
         runs as a grid (simt_grid.h)",
    ),
    ("undefined reference to `__", IN_SOFTWARE),
    ("#include <", "there is no C library; simt.h has what prints, simt_math.h exponential and logarithm"),
    ("undefined reference to `printf'", "there is no C library; simt.h has simt_print, simt_print_unsigned, simt_print_hex"),
];

/// What `SIMT_KERNEL` leaves in a preprocessed file.
const KERNEL_MARK: &str = ".pushsection .text.kernel,";

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
        let quotient = ["__divdi3", "__moddi3", "__udivdi3", "__umoddi3"].contains(symbol);
        quotient || symbol.starts_with("__") && ["sf", "df"].iter().any(|kind| symbol.contains(kind))
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

/// The folder of the runtime, of another name for another runtime.
fn runtime_in(cache: &Path) -> PathBuf {
    let mut key = Key::default();
    RUNTIME.iter().for_each(|(name, text)| {
        key.add(name).add(text);
    });
    cache.join(format!("runtime-{}", &key.hex()[..8]))
}

/// Writes what is missing of the runtime, or is not as it should be.
fn place_runtime(folder: &Path) -> Result<(), KernelError> {
    fs::create_dir_all(folder).map_err(at(folder))?;
    for (name, text) in RUNTIME {
        let file = folder.join(name);
        if !fs::read(&file).is_ok_and(|there| there == text.as_bytes()) {
            publish(&file, |scratch| fs::write(scratch, text)).map_err(at(&file))?;
        }
    }
    Ok(())
}

fn shown(path: &Path) -> String {
    path.display().to_string()
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
