//! `gen`: generates the Verilog of a core.

use std::process::ExitCode;

fn main() -> ExitCode {
    heddle::cli::generate::main()
}
