//! The program `cc`: compiles C, C++ and assembly, with divergence marked.

mod report;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, ValueEnum};

use super::sim::job::{mistake, source};
use super::sim::source::parse_define;
use super::writable::check_files;
use super::{complain, print, start, UsageError};
use kernels::{Compiled, Compiler, Inputs, Language};

const EXAMPLES: &str = "\
Examples:
  cc kernel.c                          kernel.elf, for sim, bench and fpga --board
  cc kernel.c helpers.cpp -o both.elf  several files are linked
  cc -D N=100 kernel.c -- -O3          another level of optimisation: what stands behind -- is the compiler's
  cc --report kernel.c                 which branches may part the lanes of a warp, and why
  cc --print kernel.c                  the assembly with what has been inserted

Functions with SPLIT, JOIN or PRED of their own, as SIMT_IF makes them, are left as they are.

Exit status: 0 compiled, 1 something cannot be written, 2 a mistake in the arguments or the sources.";

/// Compiles ordinary C for the core: where lanes may part, it inserts SPLIT, JOIN and PRED
#[derive(Parser, Debug)]
#[command(name = "cc", version, after_help = EXAMPLES)]
struct Args {
    /// Sources: C (.c), C++ (.cpp), CUDA (.cu), and what a compiler has made of them (.s)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The executable [default: the first file's name with .elf]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Define a macro, as a compiler's -D does; once for each
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = parse_define)]
    defines: Vec<String>,
    /// What compiles C and C++
    #[arg(long, value_enum, default_value_t = Choice::Gcc)]
    compiler: Choice,
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

/// Parses the command line and compiles.
pub fn main() -> ExitCode {
    start(run)
}

fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(other) = args.files.iter().find(|file| Language::of(file).is_none()) {
        let rule = "has not the extension .c, .cpp, .cu or .s";
        return Err(UsageError(format!("{} {rule}", other.display())).into());
    }
    let output = args.output.clone().unwrap_or_else(|| args.files[0].with_extension("elf"));
    let writes = !args.print && !args.report;
    if writes {
        check_files(std::slice::from_ref(&output), &args.files)?;
    }
    let source = source(&Inputs {
        files: args.files.clone(),
        defines: args.defines.clone(),
        compiler: match args.compiler {
            Choice::Gcc => Compiler::Gcc,
            Choice::Clang => Compiler::Clang,
        },
        options: args.options.clone(),
        ..Inputs::default()
    })?;
    let Compiled { elf, warnings, marked, .. } = source.compiled().map_err(mistake)?;
    complain(warnings);
    if args.print {
        return print(marked.into_iter().map(|marked| marked.text).collect::<String>());
    }
    if args.report {
        return print(report::text(&marked));
    }
    files::publish(&output, |scratch| fs::write(scratch, &elf))
        .with_context(|| format!("cannot write {}", output.display()))
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
