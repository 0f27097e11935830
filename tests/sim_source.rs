//! The program `sim` with C files, as someone meets it who has a folder and docs/COMMANDS.md.

use std::path::Path;
use std::process::{Command, Output};

use crate::sim_cli::{expect, stderr, stdout, TINY};

/// A folder with a C file in it.
fn folder(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    folder
}

/// The program in a folder, on a core that is soon built.
fn sim(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    command.current_dir(folder).args(&TINY[..3]).args(arguments).output().unwrap()
}

/// The same, which has to end with 2 and a message that has all these parts.
fn expect_mistake(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let output = sim(folder, arguments);
    expect(&output, 2);
    for part in parts {
        assert!(stderr(&output).contains(part), "{arguments:?}, {part}: {}", stderr(&output));
    }
    assert_eq!(stdout(&output), "");
}

/// The C file of docs/COMMANDS.md that begins with its name.
fn documented(name: &str) -> &'static str {
    let text = include_str!("../docs/COMMANDS.md");
    let mut blocks = text.split("```c\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.find(|block| block.starts_with(&format!("/* {name}: "))).expect("an example of that name")
}

#[test]
fn the_documented_kernel_runs() {
    let folder = folder("squares.c", documented("squares.c"));
    let output = sim(folder.path(), &["squares.c"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("#0: sum of squares: 328350\n"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "", "no warnings");
    // With a macro, beside a kernel of the list.
    let output = sim(folder.path(), &["-D", "N=10", "squares.c", "hello"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("#0: sum of squares: 285\n"), "{}", stdout(&output));
    assert!(stdout(&output).contains("hello from"), "{}", stdout(&output));
    expect_mistake(
        folder.path(),
        &["squares.c", "--grid", "2", "--block", "2"],
        &["squares has no SIMT_KERNEL"],
    );
}

/// Its blocks need local memory of their own, which nobody asks for.
#[test]
fn the_documented_grid_runs() {
    let folder = folder("sums.c", documented("sums.c"));
    let output = sim(folder.path(), &["--grid", "3", "--block", "4", "sums.c", "--json"]);
    expect(&output, 0);
    let record: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let console = stderr(&output);
    for line in ["block 0: 6\n", "block 1: 22\n", "block 2: 38\n"] {
        assert!(console.contains(line), "{console}");
    }
    assert_eq!(record["launches"][0]["local_bytes"], 256);
    expect_mistake(folder.path(), &["sums.c"], &["sums has SIMT_KERNEL", "--grid 4 --block 8"]);
    let other = ["sums.c", "--grid", "1", "--block", "2", "--entry", "products"];
    expect_mistake(folder.path(), &other, &["sums has no symbol products"]);
}

/// The printed command works as it is, in a file whose name a shell would take apart too.
#[test]
fn the_printed_command_compiles() {
    let folder = folder("it's mine.c", documented("squares.c"));
    let output = sim(folder.path(), &["--print-compile", "it's mine.c", "-DN=7"]);
    expect(&output, 0);
    assert_eq!(stdout(&output).lines().count(), 1);
    let compiled = Command::new("sh").current_dir(folder.path()).arg("-c").arg(stdout(&output)).output();
    expect(&compiled.unwrap(), 0);
    let output = sim(folder.path(), &["it's mine.elf"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("#0: sum of squares: 91\n"), "{}", stdout(&output));
    expect_mistake(
        folder.path(),
        &["--print-compile", "hello"],
        &["hello has not the extension .c, .cpp, .cu or .s"],
    );
}

/// Divergence between barriers, of which GCC makes two copies with the options that come to mind first.
const COLLATZ: &str = "
#include \"simt_grid.h\"
static SIMT_SHARED uint32_t steps[16];
SIMT_OUTPUT uint32_t longest;
SIMT_KERNEL(collatz)
{
    uint32_t thread = threadIdx.x, n = thread + 1, count = 0;
    SIMT_WHILE (n != 1) {
        SIMT_IF_ELSE (n & 1) { n = 3 * n + 1; } SIMT_ELSE { n /= 2; } SIMT_END
        count++;
    } SIMT_WHILE_END
    steps[thread] = count;
    for (uint32_t half = blockDim.x / 2; half; half /= 2) {
        simt_block_barrier();
        SIMT_IF (thread < half) {
            uint32_t a = steps[thread], b = steps[thread + half];
            steps[thread] = simt_select(a < b, b, a);
        } SIMT_END
    }
    SIMT_IF (thread == 0) { longest = steps[0]; simt_print_unsigned(longest); } SIMT_END
}
";

#[test]
fn a_kernel_that_a_plain_compiler_breaks_runs() {
    let folder = folder("collatz.c", COLLATZ);
    let plain = ["collatz.c", "--", "-ftree-ch", "-fthread-jumps", "-freorder-blocks-algorithm=stc"];
    let mut cc = Command::new(env!("CARGO_BIN_EXE_cc"));
    let broken = cc.current_dir(folder.path()).args(plain).output().unwrap();
    expect(&broken, 2);
    assert!(stderr(&broken).contains("is already defined"), "{}", stderr(&broken));
    let output = sim(folder.path(), &["collatz.c", "--grid", "1", "--block", "4"]);
    expect(&output, 0);
    // Of 1, 2, 3 and 4, that from 3 on.
    assert!(stdout(&output).contains("#0: 7\n"), "{}", stdout(&output));
}

#[test]
fn mistakes_in_c_files_end_with_2_and_advice() {
    let start = "#include \"simt.h\"\nstatic uint32_t a[64];\n";
    let copied = "static inline __attribute__((always_inline)) void f(uint32_t i)\n\
        { SIMT_IF (i & 1) { a[i]++; } SIMT_END }\n\
        static void body(void *p) { (void)p; f(simt_thread()); f(simt_lane()); }\n\
        int main(void) { simt_run(1, body, 0); return 0; }\n";
    for (text, parts) in [
        (
            "int main(void) { return x; }\n",
            &["wrong.c does not compile", "wrong.c:3:25: error: 'x' undeclared"][..],
        ),
        ("void f(void) {}\n", &["undefined reference to `main'", "int main(void)", "SIMT_KERNEL(name)"]),
        ("#include <stdio.h>\n", &["wrong.c:3:10", "there is no C library"]),
        (copied, &["wrong.c:4", "symbol `.Lsimt_0' is already defined", "SIMT_FUNCTION"]),
        (
            "#include \"simt_grid.h\"\nSIMT_KERNEL(k) {}\nint main(void) { return 0; }\n",
            &["has main and SIMT_KERNEL"],
        ),
        (
            "static void f(uint32_t i, void *p) { (void)p; ((float *)a)[i] = simt_sqrt(i); }\n\
             int main(void) { simt_spawn(9, f, 0); return a[3]; }\n",
            &["wrong needs a floating-point unit"],
        ),
    ] {
        let folder = folder("wrong.c", &format!("{start}{text}"));
        expect_mistake(folder.path(), &["wrong.c"], parts);
    }
    let empty = tempfile::tempdir().unwrap();
    expect_mistake(empty.path(), &["none.c"], &["cannot read none.c"]);
    expect_mistake(empty.path(), &["-D", "N=4", "hello"], &["-D is for C files"]);
    expect_mistake(empty.path(), &["-D", "4=N", "none.c"], &["the name of a macro"]);
}

#[test]
fn a_file_without_a_compiler_says_what_to_install() {
    let folder = folder("squares.c", documented("squares.c"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_sim"));
    let output =
        command.current_dir(folder.path()).arg("squares.c").env("RISCV_CC", "/nonexistent/gcc").output();
    let output = output.unwrap();
    expect(&output, 2);
    assert!(stderr(&output).contains("install gcc-riscv64-unknown-elf"), "{}", stderr(&output));
}
