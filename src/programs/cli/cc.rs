//! The program `cc`: compiles C, C++ and assembly, with divergence marked.

mod options;
mod report;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, ValueEnum};

use super::sim::job::{mistake, source};
use super::writable::check_files;
use super::{complain, print, start, UsageError};
use kernels::{parse_define, Compiled, Compiler, Inputs, Language, Source, Target};

const EXAMPLES: &str = "\
Examples:
  cc kernel.c                          kernel.elf, for sim, bench and fpga --board
  cc kernel.c helpers.cpp -o both.elf  several files are linked
  cc -D N=100 kernel.c -- -O3          another level of optimisation: what stands behind -- is the compiler's
  cc --report kernel.c                 which branches may part the lanes of a warp, and why
  cc --print kernel.c                  the assembly with what has been inserted
  cc --target vortex kernel.cpp libvortex.a link32.ld -o kernel.vxbin -- -Ikernel/include
                                       a program for Vortex 2.2, with its own library and linker's script

Functions with SPLIT, JOIN or PRED of their own, as SIMT_IF makes them, are left as they are.

Exit status: 0 compiled, 1 something cannot be written, 2 a mistake in the arguments or the sources.";

/// Compiles ordinary C for the core: where lanes may part, it inserts SPLIT, JOIN and PRED
#[derive(Parser, Debug)]
#[command(name = "cc", version, after_help = EXAMPLES)]
struct Args {
    /// Sources: C (.c), C++ (.cpp), CUDA (.cu), and what a compiler has made of them (.s). What is linked as it is:
    /// objects (.o), archives (.a), start-up code (.S), and for Vortex the linker's script (.ld)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The executable, or Vortex's image of it if the name ends in .vxbin [default: the first file's name with .elf]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Define a macro, as a compiler's -D does; once for each
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = parse_define)]
    defines: Vec<String>,
    /// What compiles C and C++
    #[arg(long, value_enum, default_value_t = Choice::Gcc)]
    compiler: Choice,
    /// Whose start-up code and conventions the program has
    #[arg(long, value_enum, default_value_t = Convention::Heddle)]
    target: Convention,
    /// Write no executable, but print the assembly with what has been inserted, and why
    #[arg(long, conflicts_with_all = ["output", "report"])]
    print: bool,
    /// Write no executable, but print what was found out of every branch, by source line
    #[arg(long, conflicts_with = "output")]
    report: bool,
    /// Options for the compiler, behind the usual ones
    #[arg(last = true, value_name = "OPTION")]
    options: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Choice {
    /// A RISC-V GCC, $RISCV_CC or riscv64-unknown-elf-gcc
    Gcc,
    /// $RISCV_CLANG or clang; GCC assembles and links
    Clang,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Convention {
    /// This project's, which is linked to it
    Heddle,
    /// Vortex 2.2's: its library, or start-up code like its own, and the linker's script are among the files
    Vortex,
}

/// Parses the command line and compiles.
pub fn main() -> ExitCode {
    start(run)
}

fn run(args: &Args) -> anyhow::Result<()> {
    let (files, linked): (Vec<PathBuf>, Vec<PathBuf>) =
        args.files.iter().cloned().partition(|file| Language::of(file).is_some());
    check(args, &files, &linked)?;
    options::check(&args.options)?;
    let output = args.output.clone().unwrap_or_else(|| files[0].with_extension("elf"));
    let writes = !args.print && !args.report;
    if writes {
        check_files(std::slice::from_ref(&output), &args.files)?;
    }
    let inputs = Inputs {
        files,
        linked,
        defines: args.defines.clone(),
        compiler: match args.compiler {
            Choice::Gcc => Compiler::Gcc,
            Choice::Clang => Compiler::Clang,
        },
        target: match args.target {
            Convention::Heddle => Target::Heddle,
            Convention::Vortex => Target::Vortex,
        },
        options: args.options.clone(),
        ..Inputs::default()
    };
    if !writes {
        let (marked, warnings) = Source::marked(&inputs).map_err(mistake)?;
        complain(warnings);
        return print(match args.print {
            true => marked.into_iter().map(|marked| marked.text).collect::<String>(),
            false => report::text(&marked),
        });
    }
    let Compiled { program, elf, warnings, .. } = source(&inputs)?.compiled().map_err(mistake)?;
    complain(warnings);
    let bytes = match output.extension().is_some_and(|extension| extension == "vxbin") {
        true => program.to_vxbin().map_err(UsageError::from_error)?,
        false => elf,
    };
    files::publish(&output, |scratch| fs::write(scratch, &bytes))
        .with_context(|| format!("cannot write {}", output.display()))
}

/// Whether each file is something that the target takes.
fn check(args: &Args, files: &[PathBuf], linked: &[PathBuf]) -> Result<(), UsageError> {
    let vortex = args.target == Convention::Vortex;
    let extension = |file: &PathBuf| file.extension().unwrap_or_default().to_string_lossy().into_owned();
    let script = |file: &&PathBuf| extension(file) == "ld";
    let is_linked = |file: &&PathBuf| ["o", "a", "S"].contains(&&*extension(file)) || script(file);
    if let Some(other) = linked.iter().find(|file| !is_linked(file)) {
        let rule =
            "has not the extension .c, .cpp, .cu or .s, nor .o, .a, .S or .ld of what is linked as it is";
        return Err(UsageError(format!("{} {rule}", other.display())));
    }
    if files.is_empty() {
        return Err(UsageError("there is nothing to compile: a file .c, .cpp, .cu or .s is needed".into()));
    }
    let cuda = files.iter().find(|file| Language::of(file) == Some(Language::Cuda));
    match (cuda, linked.iter().find(script)) {
        (Some(cuda), _) if vortex => Err(UsageError(format!(
            "{} has kernels of CUDA, which run as grids: Vortex 2.2 has none",
            cuda.display()
        ))),
        (_, Some(script)) if !vortex => Err(UsageError(format!(
            "{} is for --target vortex: there is one for this core",
            script.display()
        ))),
        (_, None) if vortex && !args.print && !args.report => Err(UsageError(
            "--target vortex needs the linker's script: Vortex 2.2's is kernel/scripts/link32.ld".into(),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }
}
