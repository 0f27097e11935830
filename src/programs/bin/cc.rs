//! `cc`: compiles ordinary C for the core.

use std::process::ExitCode;

fn main() -> ExitCode {
    heddle::cli::cc::main()
}
