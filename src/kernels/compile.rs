//! Compiling a kernel, once for each text and size.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::compiler::{at, extensions, options, run, said, version, BARE, FLAGS, GRID, VORTEX};
use super::inputs::Inputs;
use super::reference::Array;
use super::runtime::{RUNTIME, VORTEX_RUNTIME};
use super::source::{place_runtime, runtime_in};
use super::translate::{Translated, Translation};
use super::{Kernel, KernelError, Workload};
use files::{check_replaceable, default_cache_dir, is_whole, seal, Key, Scratch};
use spec::config::CoreConfig;
use tools::{Program, RISCV_CC};

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
            let scratch = Scratch::beside(&path).map_err(at(&path))?;
            let elf = self.compile(&compiler, cache, scratch.path(), &inputs)?;
            seal(&elf).map_err(at(&elf))?;
            fs::rename(&elf, &path).map_err(at(&path))?;
        }
        Ok(path)
    }

    /// What the compiler is called with for this kind of kernel.
    fn options(&self) -> impl Iterator<Item = &'static str> {
        let Kernel { needs_fpu, like_vortex, .. } = *self.kernel;
        let options = match like_vortex {
            true => [FLAGS, extensions(needs_fpu), &[], &[], &[]],
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
        let Translated { elf, said, .. } = Translation::new(inputs, runtime, grid, fpu)?.translate(dir)?;
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
            return Err(KernelError::Compile { kernel: self.kernel.name.into(), output: said(&output) });
        }
        Ok(dir.join("kernel.elf"))
    }
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
