//! `bench`: experiments that run many programs on many cores and print one table.

use std::process::ExitCode;

fn main() -> ExitCode {
    heddle::cli::bench::main()
}
