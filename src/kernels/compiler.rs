//! The RISC-V compiler: with which options kernels are compiled and linked, and how it is called.

use std::path::Path;
use std::process::{Command, Output};

use super::KernelError;
use tools::{Program, NO_SPACE};

/// Options that say what the core has: kernels that need no floating-point unit run on every core. Atomic instructions are
/// in a program only where it asks for them.
const INTEGER: &[&str] = &["-march=rv32ima_zicsr", "-mabi=ilp32"];
/// Products and sums are fused only where the kernel says so, so that the host can compute the same.
const FLOAT: &[&str] = &["-march=rv32imaf_zicsr", "-mabi=ilp32f", "-ffp-contract=off", "-fno-math-errno"];

/// Options of every build. One in the manner of Vortex has no others: a plain GCC, but for what there is no library for. None
/// of those programs diverges, so nothing has to keep GCC from copying code.
pub(super) const FLAGS: &[&str] = &[
    "-O2",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Werror",
    // memcpy and memset are ours: they must not be compiled into calls of themselves.
    "-fno-tree-loop-distribute-patterns",
    "-ffreestanding",
    "-nostdlib",
    "-Wl,--build-id=none,--no-warn-rwx-segments",
];
/// Of a kernel's runtime only what it uses is linked.
const SECTIONS: &[&str] = &["-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"];

/// Options of a kernel for the dispatcher, so that it leaves the stack alone: nobody needs what registers held before it,
/// and what it could compute once for a whole loop would need more of them than there are. (s0 must be kept: it is what
/// GCC takes last.) On a stack each thread has a line of its own, and a warp as many as it has lanes.
const GRID_FLAGS: &[&str] = &[
    "-fno-move-loop-invariants",
    "-fcall-used-s1",
    "-fcall-used-s2",
    "-fcall-used-s3",
    "-fcall-used-s4",
    "-fcall-used-s5",
    "-fcall-used-s6",
    "-fcall-used-s7",
    "-fcall-used-s8",
    "-fcall-used-s9",
    "-fcall-used-s10",
    "-fcall-used-s11",
];
/// The same of floating-point registers, in a kernel of either kind: none keeps a number in one across a call of a task.
const FLOAT_FLAGS: &[&str] = &[
    "-fcall-used-fs0",
    "-fcall-used-fs1",
    "-fcall-used-fs2",
    "-fcall-used-fs3",
    "-fcall-used-fs4",
    "-fcall-used-fs5",
    "-fcall-used-fs6",
    "-fcall-used-fs7",
    "-fcall-used-fs8",
    "-fcall-used-fs9",
    "-fcall-used-fs10",
    "-fcall-used-fs11",
];

/// What a kernel that starts warps itself is linked with.
pub(super) const BARE: &[&str] = &["-Tlink.ld", "start.S", "runtime.c"];
/// What a kernel is linked with whose warps the dispatcher starts.
pub(super) const GRID: &[&str] = &["-Tgrid.ld", "runtime.c"];
/// What a program with Vortex's start-up code is linked with: its linker's scripts want an address, and of the runtime they
/// take what is called.
pub(super) const VORTEX_START: &[&str] = &["-Wl,--defsym=STARTUP_ADDR=0x80000000", "runtime.c"];
/// What a program in the manner of Vortex is linked with.
pub(super) const VORTEX: &[&str] = &["-Tlink.ld", "start.S", "launch.c"];

/// The compiler's options, what it links left out: of a kernel that the dispatcher starts, or one that starts warps itself,
/// with floating-point instructions or without.
pub(super) fn options(grid: bool, fpu: bool) -> [&'static [&'static str]; 5] {
    let integers = if grid { GRID_FLAGS } else { &[] };
    let floats = if fpu { FLOAT_FLAGS } else { &[] };
    [FLAGS, SECTIONS, extensions(fpu), integers, floats]
}

pub(super) fn extensions(fpu: bool) -> &'static [&'static str] {
    if fpu {
        FLOAT
    } else {
        INTEGER
    }
}

pub(super) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> KernelError + '_ {
    move |source| KernelError::Io { path: path.into(), source }
}

/// What a program has said that has failed, or how it has ended.
pub(super) fn said(output: &Output) -> String {
    match String::from_utf8_lossy(&output.stderr).trim_end() {
        "" => format!("the compiler has said nothing, and ended with {}", output.status),
        said => said.to_owned(),
    }
}

/// Runs a compiler. Whatever it refuses on a full disk is not the source's mistake.
pub(super) fn run(program: &Program, command: &mut Command) -> Result<Output, KernelError> {
    let output = program.output(command).map_err(KernelError::CompilerMissing)?;
    if !output.status.success() && said(&output).contains(NO_SPACE) {
        return Err(KernelError::DiskFull(said(&output)));
    }
    Ok(output)
}

pub(super) fn version(compiler: &Program) -> Result<Vec<u8>, KernelError> {
    Ok(run(compiler, compiler.command().arg("--version"))?.stdout)
}
