//! Functions of a number in C, run in every thread of a core and beside that on the host.

use std::path::{Path, PathBuf};
use std::process::Command;

use kernels::{Compiled, Compiler, Inputs, Source, Target};
use loader::Program;
use tools::{HOST_CXX, RISCV_CC};

/// Numbers that the functions are called with.
pub const THREADS: usize = 40;

/// A file for both: on the host `main` prints the results, on the core it leaves them in `results`.
fn whole(text: &str, names: &[String], target: Target) -> String {
    let calls = |of: &dyn Fn(usize, &String) -> String| -> String {
        names.iter().enumerate().map(|(number, name)| of(number, name)).collect()
    };
    let (head, parameters, thread) = match target {
        Target::Heddle => ("#include \"simt.h\"\nSIMT_OUTPUT", "uint32_t i, void *p", "i"),
        Target::Vortex => ("#include \"gpu.h\"\nRESULT", "void *p", "block.x"),
    };
    let tasks = calls(&|number, name| {
        let at = number * THREADS;
        format!(
            "static void task_{number}({parameters}) {{ (void)p; results[{at} + {thread}] = {name}({thread}); }}\n"
        )
    });
    let spawns = calls(&|number, _| match target {
        Target::Heddle => format!("simt_spawn({THREADS}, task_{number}, 0);\n"),
        Target::Vortex => format!(
            "launch((struct index){{{THREADS}, 1, 1}}, (struct index){{1, 1, 1}}, task_{number}, 0);\n"
        ),
    });
    let prints = calls(&|_, name| format!("for (i = 0; i < {THREADS}; i++) printf(\"%u\\n\", {name}(i));\n"));
    format!(
        "{text}\n#ifdef HOST\n#include <stdio.h>\nint main(void) {{ uint32_t i;\n{prints}return 0; }}\n#else\n{head} \
         uint32_t results[{}];\n{tasks}int main(void) {{\n{spawns}return 0; }}\n#endif\n",
        names.len() * THREADS
    )
}

/// What a program in the manner of Vortex is linked with: its start-up code and launcher, by a plain compiler, and the
/// linker's script.
fn linked(target: Target, directory: &Path) -> Vec<PathBuf> {
    if target == Target::Heddle {
        return vec![];
    }
    let launcher = directory.join("launch.o");
    let options = ["-march=rv32imf_zicsr", "-mabi=ilp32f", "-O2", "-ffreestanding", "-c", "-o"];
    let mut command = RISCV_CC.find().command();
    let output = command.args(options).arg(&launcher).arg(in_vortex("launch.c")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    vec![in_vortex("start.S"), launcher, in_vortex("link.ld")]
}

fn in_vortex(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/kernels/vortex").join(file)
}

/// What each function gives for each number, on the host and as the core's program.
pub struct Prepared {
    names: Vec<String>,
    expected: Vec<u32>,
    pub program: Program,
}

impl Prepared {
    /// Compiles a file for both.
    pub fn new(text: &str, names: &[String], compiler: Compiler, target: Target, options: &[&str]) -> Self {
        Self::unless_endless(text, names, compiler, target, options, &[])
            .expect("a program that ends on the host")
    }

    /// The same, with further options for the host's compiler; nothing if the program does not end there soon.
    pub fn unless_endless(
        text: &str,
        names: &[String],
        compiler: Compiler,
        target: Target,
        options: &[&str],
        on_host_alone: &[&str],
    ) -> Option<Self> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("program.c");
        std::fs::write(&file, whole(text, names, target)).unwrap();
        let expected = on_host(&file, directory.path(), on_host_alone)?;
        assert_eq!(expected.len(), names.len() * THREADS);
        let mut options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        options.extend(["-w".into(), format!("-I{}", in_vortex("").display())]);
        let linked = linked(target, directory.path());
        let inputs = Inputs { files: vec![file], compiler, options, target, linked, ..Inputs::default() };
        let made = Source::compile(&inputs).and_then(Source::compiled);
        let Compiled { program, .. } = made.unwrap_or_else(|error| panic!("{error}"));
        Some(Self { names: names.to_vec(), expected, program })
    }

    /// Whether one thread's results are others than another's.
    pub fn differ(&self) -> bool {
        self.expected.chunks(THREADS).any(|of_one| of_one.iter().any(|result| *result != of_one[0]))
    }

    /// Compares what a run has left.
    pub fn check(&self, at: &str, word: &dyn Fn(u32) -> u32) {
        let results = self.program.symbols["results"];
        for (index, &expected) in self.expected.iter().enumerate() {
            let found = word(results + 4 * index as u32);
            let (name, thread) = (&self.names[index / THREADS], index % THREADS);
            assert_eq!(found, expected, "{at}: {name}({thread})");
        }
    }
}

fn on_host(file: &Path, directory: &Path, further: &[&str]) -> Option<Vec<u32>> {
    const ENDLESS: Option<i32> = Some(124);
    let program = directory.join("host");
    // C, as the core's compiler takes it: signed numbers wrap, and products are not fused.
    let options = ["-x", "c", "-DHOST", "-O1", "-w", "-fwrapv", "-ffp-contract=off"];
    let mut command = HOST_CXX.find().command();
    let compiled = command.args(options).args(further).arg("-o").arg(&program).arg(file).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new("timeout").arg("4").arg(&program).output().unwrap();
    if output.status.code() == ENDLESS {
        return None;
    }
    assert!(output.status.success(), "the program fails on the host");
    Some(String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect())
}
