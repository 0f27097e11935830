//! What the compilers are called with.

use std::path::Path;

use super::{shown, Translation};
use crate::compiler::options;
use crate::inputs::{Compiler, Language, Target};
use divergence::{
    Convention, CLANG_OPTIONS, CLANG_THREAD_LOCAL_OPTIONS, GCC_OPTIONS, GCC_THREAD_LOCAL_OPTIONS,
};
use tools::{Program, RISCV_CC, RISCV_CLANG};

/// What C++ has in place of C's options.
const C_STANDARD: &str = "-std=gnu11";
const CPP: &[&str] = &["-std=gnu++17", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"];
/// How those of the usual options begin that clang has too.
const CLANG_TOO: &[&str] = &["-O", "-std", "-W", "-m", "-ff", "-fno-math", "-fdata", "-nostdlib"];
/// What stands before a `.cu` file: first what it may ask for, its host's system too, then the dialect. Its literals are of
/// the type float, and its char has a sign, as in CUDA; that of C has none on RISC-V. Of NVIDIA's GPUs those of the
/// architecture 6.0 have what this core can have, and are the last whose warps run in lock step.
const CUDA: &[&str] = &[
    "-D__CUDACC__=1",
    "-D__CUDA_ARCH__=600",
    "-DCUDART_VERSION=12000",
    "-D_POSIX_VERSION=200809L",
    "-fsigned-char",
    "-Wno-narrowing",
];
const DIALECT: &[&str] = &["-include", "simt_cuda.h", "-fsingle-precision-constant"];
/// Kernels are compiled as nvcc does unless it is told otherwise (-O3): functions become part of their callers (those of any
/// size, for a call has a thread use its stack), and short loops are none, so that arrays of a thread's own are in registers.
/// No loop is copied for a condition that is known before it: lanes would meet at barriers in two copies. What is computed is
/// not moved ahead before registers are given out: warps hide latencies, and more of a thread would be on its stack.
const CUDA_BY_GCC: &[&str] = &[
    "-O3",
    "-fno-schedule-insns",
    "-fno-unswitch-loops",
    "-fno-version-loops-for-strides",
    "-fno-split-loops",
    "-fno-split-paths",
    "-fno-ipa-cp-clone",
    "--param=max-inline-insns-auto=2000",
    "--param=max-inline-insns-single=4000",
    "--param=early-inlining-insns=500",
    "--param=inline-unit-growth=1000",
    "--param=large-function-growth=1000",
    "--param=large-stack-frame-growth=10000",
];
/// Where threads take locks. A lane that has found a lock free goes through the critical section, lets go of the lock, and only
/// then leaves the loop that asks for it. This pass sees that it will leave, and puts the critical section behind the loop,
/// where the lane would wait for the others of its warp, which wait for the lock. (-fno-thread-jumps, which all files have,
/// keeps another pass from the same.)
pub(super) const LOCKS_BY_GCC: &[&str] = &["-fno-gcse"];
/// The lines of the sources in the assembly, and no more than that.
const LINES: &str = "-g1";
/// The folders below that of the runtime that have the headers of the dialect, and those that a `.cu` file includes.
pub(crate) const CUDA_FOLDERS: [&str; 3] = ["cuda", "cuda/headers", "cuda/standard"];

impl Translation<'_> {
    /// How functions call one another where `tp` may be taken.
    pub(super) fn on_target(&self, convention: Convention) -> Convention {
        match self.inputs.target {
            Target::Heddle => convention,
            Target::Vortex => convention.with_thread_local_variables(),
        }
    }

    /// What compiles a file, with all options.
    pub(super) fn compiler(&self, file: &Path, compiler: Compiler) -> (Program, Vec<String>) {
        let usual = options(self.grid, self.fpu).concat();
        let (program, usual, further): (_, Vec<&str>, _) = match compiler {
            Compiler::Gcc => (RISCV_CC.find(), usual, GCC_OPTIONS),
            Compiler::Clang => {
                let both = |option: &&str| CLANG_TOO.iter().any(|begin| option.starts_with(begin));
                (RISCV_CLANG.find(), usual.into_iter().filter(both).collect(), CLANG_OPTIONS)
            }
        };
        let cuda = Language::of(file) == Some(Language::Cuda);
        let cpp = cuda || Language::of(file) == Some(Language::Cpp);
        // Published CUDA gets many warnings that do not matter.
        let misfits: &[&str] = match (cuda, cpp) {
            (true, _) => &[C_STANDARD, "-W"],
            (_, true) => &[C_STANDARD, "-Werror", "-Wl,"],
            _ => &["-Werror", "-Wl,"],
        };
        let fits = |option: &&str| !misfits.iter().any(|misfit| option.starts_with(misfit));
        let mut all: Vec<&str> = usual.into_iter().filter(fits).collect();
        all.extend(if cpp { CPP } else { &[] });
        all.extend(further);
        match (self.inputs.target, compiler) {
            (Target::Heddle, _) => {}
            (Target::Vortex, Compiler::Gcc) => all.extend(GCC_THREAD_LOCAL_OPTIONS),
            (Target::Vortex, Compiler::Clang) => all.extend(CLANG_THREAD_LOCAL_OPTIONS),
        }
        let known = |option: &str| {
            let option = match self.inputs.target {
                Target::Heddle => option.to_owned(),
                Target::Vortex => option.replace("rv32ima", "rv32im"),
            };
            match compiler {
                Compiler::Gcc => option,
                // clang 14 has this in all extensions, and no name for it.
                Compiler::Clang => option.replace("_zicsr", ""),
            }
        };
        let mut all: Vec<String> = all.into_iter().map(known).collect();
        all.extend(self.stack_defines());
        all.push(format!("-I{}", shown(self.runtime)));
        if cuda {
            let by_gcc = CUDA_BY_GCC.iter().filter(|_| compiler == Compiler::Gcc);
            all.extend(CUDA.iter().chain(by_gcc).map(|&option| option.into()));
            let folders =
                CUDA_FOLDERS.iter().flat_map(|folder| ["-isystem".into(), shown(&self.runtime.join(folder))]);
            all.extend(folders);
        }
        if !file.starts_with(self.runtime) {
            all.extend(self.inputs.defines.iter().map(|define| format!("-D{define}")));
            all.extend(self.inputs.options.iter().cloned());
        }
        all.push(LINES.into());
        (program, all)
    }
}

/// What a `.cu` file is compiled with besides, as far as the compiler has it.
pub(super) fn dialect(compiler: Compiler) -> impl Iterator<Item = &'static str> {
    let known = move |option: &&str| compiler == Compiler::Gcc || !option.starts_with("-f");
    DIALECT.iter().copied().filter(known)
}
