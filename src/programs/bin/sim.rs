//! `sim`: runs kernels and programs on the generated core, each instruction checked.

use std::process::ExitCode;

fn main() -> ExitCode {
    heddle::cli::sim::main()
}
