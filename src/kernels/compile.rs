//! Compiling a kernel, once for each text and size.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use super::inputs::Inputs;
use super::reference::Array;
use super::source::{place_runtime, runtime_in};
use super::translate::{Translated, Translation};
use super::{Kernel, KernelError, Workload};
use cosim::verilator::{default_cache_dir, Key, Removed};
use files::{check_replaceable, is_whole, scratch_path, seal};
use spec::config::CoreConfig;
use tools::{children, Program, RISCV_CC};

/// The runtime that every kernel is linked with.
pub(super) const RUNTIME: &[(&str, &str)] = &[
    ("simt.h", include_str!("../../sim/kernels/runtime/simt.h")),
    ("simt_math.h", include_str!("../../sim/kernels/runtime/simt_math.h")),
    ("measure.h", include_str!("../../sim/kernels/runtime/measure.h")),
    ("start.S", include_str!("../../sim/kernels/runtime/start.S")),
    ("runtime.c", include_str!("../../sim/kernels/runtime/runtime.c")),
    ("integers.c", include_str!("../../sim/kernels/runtime/integers.c")),
    ("link.ld", include_str!("../../sim/kernels/runtime/link.ld")),
    ("simt_grid.h", include_str!("../../sim/kernels/runtime/simt_grid.h")),
    ("grid.ld", include_str!("../../sim/kernels/runtime/grid.ld")),
];

/// What `.cu` files have besides.
pub(super) const CUDA_RUNTIME: &[(&str, &str)] = &[
    ("simt_cuda.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda.h")),
    ("simt_cuda_vectors.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_vectors.h")),
    ("simt_cuda_math.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_math.h")),
    ("simt_cuda_inverse.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_inverse.h")),
    ("simt_cuda_print.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_print.h")),
    ("simt_cuda_host.h", include_str!("../../sim/kernels/runtime/cuda/simt_cuda_host.h")),
];

/// The runtime of programs in the manner of Vortex.
const VORTEX_RUNTIME: &[(&str, &str)] = &[
    ("gpu.h", include_str!("../../sim/kernels/vortex/gpu.h")),
    ("start.S", include_str!("../../sim/kernels/vortex/start.S")),
    ("launch.c", include_str!("../../sim/kernels/vortex/launch.c")),
    ("link.ld", include_str!("../../sim/kernels/vortex/link.ld")),
];

/// Options that say what the core has: kernels that need no floating-point unit run on every core.
const INTEGER: &[&str] = &["-march=rv32im_zicsr", "-mabi=ilp32"];
/// Products and sums are fused only where the kernel says so, so that the host can compute the same.
const FLOAT: &[&str] = &["-march=rv32imf_zicsr", "-mabi=ilp32f", "-ffp-contract=off", "-fno-math-errno"];

/// Options of every build.
const FLAGS: &[&str] = &[
    "-O2",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Werror",
    // memcpy and memset are ours: they must not be compiled into calls of themselves.
    "-fno-tree-loop-distribute-patterns",
    "-ffreestanding",
    "-nostdlib",
    "-ffunction-sections",
    "-fdata-sections",
    "-Wl,--gc-sections,--build-id=none,--no-warn-rwx-segments",
];

/// Options of a build in the manner of Vortex: a plain GCC, but for what there is no library for. None of these
/// programs diverges, so nothing has to keep GCC from copying code.
const VORTEX_FLAGS: &[&str] = &[
    "-O2",
    "-std=gnu11",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fno-tree-loop-distribute-patterns",
    "-ffreestanding",
    "-nostdlib",
    "-Wl,--build-id=none,--no-warn-rwx-segments",
];

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
const VORTEX: &[&str] = &["-Tlink.ld", "start.S", "launch.c"];

/// The compiler's options, what it links left out: of a kernel that the dispatcher starts, or one that starts warps itself,
/// with floating-point instructions or without.
pub(super) fn options(grid: bool, fpu: bool) -> [&'static [&'static str]; 4] {
    let integers = if grid { GRID_FLAGS } else { &[] };
    let floats = if fpu { FLOAT_FLAGS } else { &[] };
    [FLAGS, extensions(fpu), integers, floats]
}

fn extensions(fpu: bool) -> &'static [&'static str] {
    if fpu {
        FLOAT
    } else {
        INTEGER
    }
}

impl Workload {
    /// Compiles the kernel, or finds it in the cache of [`default_cache_dir`]; the path of the ELF file.
    ///
    /// # Errors
    /// No compiler, a source that does not compile, or a cache that cannot be written.
    pub fn build(&self) -> Result<PathBuf, KernelError> {
        self.build_in(&default_cache_dir().map_err(KernelError::Cache)?.join("kernels"))
    }

    /// [`Workload::build`] with the cache in a directory of the caller's choice.
    ///
    /// # Errors
    /// As there.
    pub fn build_in(&self, cache: &Path) -> Result<PathBuf, KernelError> {
        let compiler = RISCV_CC.find();
        // The inputs are the same on every core; only results may depend on its shape.
        let inputs = (self.kernel.reference)(self.n, &CoreConfig::default()).inputs;
        let mut key = Key::default();
        key.add(version(&compiler)?).add(divergence::VERSION).add(self.kernel.source).add(self.n.to_string());
        key.add(include_str!("entry.rs"));
        for (symbol, values) in &inputs {
            key.add(symbol).add(bytes(values));
        }
        self.runtime().iter().for_each(|(name, text)| {
            key.add(name).add(text);
        });
        self.options().for_each(|flag| {
            key.add(flag);
        });
        compiler.arguments().iter().for_each(|argument| {
            key.add(argument.as_bytes());
        });

        let path = cache.join(format!("{}-{}.elf", self.kernel.name, key.hex()));
        if !is_whole(&path) {
            check_replaceable(&path).map_err(at(&path))?;
            // Compiled in a directory of its own and then renamed: another process or thread may be at the same kernel.
            let scratch = scratch_path(&path);
            let made = self.compile(&compiler, cache, &scratch, &inputs);
            let moved = made.and_then(|elf| {
                seal(&elf).map_err(at(&elf))?;
                fs::rename(&elf, &path).map_err(at(&path))
            });
            let _ = fs::remove_dir_all(&scratch);
            moved?;
        }
        Ok(path)
    }

    /// What the compiler is called with for this kind of kernel.
    fn options(&self) -> impl Iterator<Item = &'static str> {
        let Kernel { needs_fpu, like_vortex, .. } = *self.kernel;
        let options = match like_vortex {
            true => [VORTEX_FLAGS, extensions(needs_fpu), &[], &[]],
            false => options(self.kernel.runs_as_grids(), needs_fpu),
        };
        options.into_iter().chain([self.start()]).flatten().copied()
    }

    fn runtime(&self) -> &'static [(&'static str, &'static str)] {
        if self.kernel.like_vortex {
            VORTEX_RUNTIME
        } else {
            RUNTIME
        }
    }

    fn start(&self) -> &'static [&'static str] {
        match (self.kernel.like_vortex, self.kernel.runs_as_grids()) {
            (true, _) => VORTEX,
            (_, true) => GRID,
            _ => BARE,
        }
    }

    /// Compiles in a directory, with the runtime in the cache.
    fn compile(
        &self,
        compiler: &Program,
        cache: &Path,
        dir: &Path,
        inputs: &[Array],
    ) -> Result<PathBuf, KernelError> {
        fs::create_dir_all(dir).map_err(at(dir))?;
        let write = |name: &str, content: &[u8]| {
            let file = dir.join(name);
            fs::write(&file, content).map_err(at(&file))?;
            Ok(file)
        };
        let source = write(&format!("{}.c", self.kernel.name), self.kernel.source.as_bytes())?;
        let data = write("inputs.S", inputs_text(inputs, dir).as_bytes())?;
        for (symbol, values) in inputs {
            write(&format!("{symbol}.bin"), &bytes(values))?;
        }
        let define = format!("N={}", self.n);
        if self.kernel.like_vortex {
            for (name, text) in VORTEX_RUNTIME {
                write(name, text.as_bytes())?;
            }
            return self.compile_plainly(compiler, dir, &define);
        }
        let runtime = &runtime_in(cache);
        place_runtime(runtime)?;
        let inputs =
            &Inputs { files: vec![source], defines: vec![define], linked: vec![data], ..Inputs::default() };
        let (grid, fpu) = (self.kernel.runs_as_grids(), self.kernel.needs_fpu);
        let Translated { elf, said, .. } = Translation { inputs, runtime, grid, fpu }.translate(dir)?;
        if !said.is_empty() {
            return Err(KernelError::Compile { kernel: self.kernel.name.into(), output: said });
        }
        write("kernel.elf", &elf)
    }

    /// The same by a plain compiler alone.
    fn compile_plainly(&self, compiler: &Program, dir: &Path, define: &str) -> Result<PathBuf, KernelError> {
        let mut command = compiler.command();
        command.current_dir(dir).args(self.options()).args([
            &format!("-D{define}"),
            &format!("{}.c", self.kernel.name),
            "inputs.S",
            "-lgcc",
            "-o",
            "kernel.elf",
        ]);
        let output = run(compiler, &mut command)?;
        if !output.status.success() {
            let output = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(KernelError::Compile { kernel: self.kernel.name.into(), output });
        }
        Ok(dir.join("kernel.elf"))
    }
}

/// How long nobody compiles a kernel.
const ABANDONED: Duration = Duration::from_secs(600);

/// Removes all that [`Workload::build_in`] has left in a cache, and what it had begun when it was killed.
///
/// # Errors
/// The directory cannot be read. What cannot be removed stays, and is in [`Removed::kept`].
pub fn remove_built(cache: &Path) -> Result<Removed, KernelError> {
    let mut removed = Removed::default();
    let entries = match fs::read_dir(cache) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(removed),
        other => other.map_err(at(cache))?,
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let Ok(meta) = path.metadata() else { continue };
        let age = meta.modified().ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        let (bytes, gone) = match meta.is_dir() {
            true if age < ABANDONED => continue,
            true => (0, fs::remove_dir_all(&path)),
            false => (meta.len(), fs::remove_file(&path)),
        };
        removed.count(&path, bytes, gone);
    }
    Ok(removed)
}

/// The assembler text that places the input arrays, whose bytes stand in files of their names in a directory.
fn inputs_text(inputs: &[Array], dir: &Path) -> String {
    let place = |(symbol, _): &Array| {
        let file = dir.join(format!("{symbol}.bin"));
        format!(".globl {symbol}\n.balign 64\n{symbol}: .incbin {file:?}\n")
    };
    format!(".section .input, \"a\"\n{}", inputs.iter().map(place).collect::<String>())
}

fn bytes(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub(super) fn at(path: &Path) -> impl FnOnce(std::io::Error) -> KernelError + '_ {
    move |source| KernelError::Io { path: path.into(), source }
}

pub(super) fn run(program: &Program, command: &mut Command) -> Result<Output, KernelError> {
    children::output(command).map_err(|source| KernelError::CompilerMissing(program.unusable(&source)))
}

pub(super) fn version(compiler: &Program) -> Result<Vec<u8>, KernelError> {
    Ok(run(compiler, compiler.command().arg("--version"))?.stdout)
}
