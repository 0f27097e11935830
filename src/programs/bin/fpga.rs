//! `fpga`: how large a core is on an FPGA, and how fast.

use std::process::ExitCode;

fn main() -> ExitCode {
    heddle::cli::fpga::main()
}
