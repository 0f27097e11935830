//! Functions of a number in C, run in every thread of a core and beside that on the host.

use std::path::Path;
use std::process::Command;

use cosim::Program;
use kernels::{Compiled, Compiler, Inputs, Source};
use tools::CXX;

/// Numbers that the functions are called with.
pub const THREADS: usize = 40;

/// A file for both: on the host `main` prints the results, on the core it leaves them in `results`.
fn whole(text: &str, names: &[String]) -> String {
    let calls = |of: &dyn Fn(usize, &String) -> String| -> String {
        names.iter().enumerate().map(|(number, name)| of(number, name)).collect()
    };
    let tasks = calls(&|number, name| {
        let at = number * THREADS;
        format!(
            "static void task_{number}(uint32_t i, void *p) {{ (void)p; results[{at} + i] = {name}(i); }}\n"
        )
    });
    let spawns = calls(&|number, _| format!("simt_spawn({THREADS}, task_{number}, 0);\n"));
    let prints = calls(&|_, name| format!("for (i = 0; i < {THREADS}; i++) printf(\"%u\\n\", {name}(i));\n"));
    format!(
        "{text}\n#ifdef HOST\n#include <stdio.h>\nint main(void) {{ uint32_t i;\n{prints}return 0; }}\n#else\n#include \
         \"simt.h\"\nSIMT_OUTPUT uint32_t results[{}];\n{tasks}int main(void) {{\n{spawns}return 0; }}\n#endif\n",
        names.len() * THREADS
    )
}

/// What each function gives for each number, on the host and as the core's program.
pub struct Prepared {
    names: Vec<String>,
    expected: Vec<u32>,
    pub program: Program,
}

impl Prepared {
    /// Compiles a file for both.
    pub fn new(text: &str, names: &[String], compiler: Compiler, options: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("program.c");
        std::fs::write(&file, whole(text, names)).unwrap();
        let expected = on_host(&file, directory.path());
        assert_eq!(expected.len(), names.len() * THREADS);
        let mut options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        options.push("-w".into());
        let inputs = Inputs { files: vec![file], compiler, options, ..Inputs::default() };
        let made = Source::compile(&inputs).and_then(Source::compiled);
        let Compiled { program, .. } = made.unwrap_or_else(|error| panic!("{error}"));
        Self { names: names.to_vec(), expected, program }
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

fn on_host(file: &Path, directory: &Path) -> Vec<u32> {
    let program = directory.join("host");
    // C, as the core's compiler takes it: signed numbers wrap, and products are not fused.
    let options = ["-x", "c", "-DHOST", "-O1", "-w", "-fwrapv", "-ffp-contract=off", "-o"];
    let compiled = CXX.find().command().args(options).arg(&program).arg(file).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).output().unwrap();
    assert!(output.status.success(), "the program fails on the host");
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}
