//! The options of `sim` for C files, and the commands that compile them.

use std::env;
use std::path::Path;

use clap::Args;
use kernels::{parse_define, Inputs};

use super::job::{has_macros, is_source, source};
use crate::cli::{print, quoted, UsageError};

/// How C files are compiled.
#[derive(Args, Debug)]
pub(super) struct SourceArgs {
    /// Define a macro in the C files, as a compiler's -D does; once for each
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = parse_define, help_heading = "C files")]
    pub(super) defines: Vec<String>,
    /// Do not run the C files, but print for each the command that compiles it, to an .elf file beside it
    #[arg(long, requires = "programs", help_heading = "C files")]
    pub(super) print_compile: bool,
}

impl SourceArgs {
    /// # Errors
    /// Options for C files where there is none.
    pub(super) fn check(&self, programs: &[String]) -> Result<(), UsageError> {
        let other = programs.iter().find(|program| !is_source(program));
        match other {
            Some(other) if self.print_compile => Err(UsageError(format!(
                "--print-compile is for C files, and {other} has not the extension .c, .cpp, .cu or .s"
            ))),
            _ if self.defines.is_empty() || programs.iter().any(|program| has_macros(program)) => Ok(()),
            _ => Err(UsageError(
                "-D is for C files and launch descriptions, and there is none: kernels take a size, as vecadd:100".into(),
            )),
        }
    }

    /// A command for each file, one a line.
    ///
    /// # Errors
    /// No compiler, no such file, or one of which it cannot be seen how it starts.
    pub(super) fn print_commands(&self, programs: &[String]) -> anyhow::Result<()> {
        let command = |program: &String| {
            // Mistakes are said now.
            source(&Inputs {
                files: vec![program.into()],
                defines: self.defines.clone(),
                ..Inputs::default()
            })?;
            let cc = env::current_exe()?.with_file_name("cc");
            let executable = Path::new(program).with_extension("elf");
            let mut words = vec![cc.display().to_string(), program.clone()];
            words.extend(self.defines.iter().flat_map(|define| ["-D".into(), define.clone()]));
            words.extend(["-o".into(), executable.display().to_string()]);
            Ok(words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ") + "\n")
        };
        print(programs.iter().map(command).collect::<anyhow::Result<String>>()?)
    }
}
