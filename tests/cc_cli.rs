//! The program `cc`, as someone meets it who has a folder and docs/COMMANDS.md.

use std::path::Path;
use std::process::{Command, Output};

use crate::build_cli::script;
use crate::sim_cli::{expect, stderr, stdout, TINY};

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn cc(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cc")).current_dir(folder).args(arguments).output().unwrap()
}

fn sim(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sim"))
        .current_dir(folder)
        .args(&TINY[..3])
        .args(arguments)
        .output()
        .unwrap()
}

/// What `cc` prints, if it ends with 0.
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = cc(folder, arguments);
    expect(&output, 0);
    stdout(&output)
}

fn expect_mistake(folder: &Path, arguments: &[&str], parts: &[&str]) {
    let output = cc(folder, arguments);
    expect(&output, 2);
    for part in parts {
        assert!(stderr(&output).contains(part), "{arguments:?}, {part}: {}", stderr(&output));
    }
    assert_eq!(stdout(&output), "");
}

/// Lanes part in a loop, and in it again; `main` does not.
const STEPS: &str = "#include \"simt.h\"
static uint32_t steps[16];
static void count(uint32_t i, void *limit)
{
    uint32_t n = i + 1;
    while (n != 1) {
        if (n & 1)
            n = 3 * n + 1;
        else {
            n >>= 1;
            *(volatile uint32_t *)&steps[i] += 0;
        }
        if (++steps[i] == *(uint32_t *)limit)
            return;
    }
}
int main(void)
{
    uint32_t limit = 15, sum = 0;
    simt_spawn(16, count, &limit);
    for (uint32_t i = 0; i < 16; i++)
        sum += steps[i];
    simt_print_unsigned(sum);
    simt_print(\"\\n\");
    return sum != 128;
}
";

#[test]
fn ordinary_c_runs() {
    let folder = folder(&[("steps.c", STEPS)]);
    assert_eq!(printed(folder.path(), &["steps.c"]), "");
    let output = sim(folder.path(), &["steps.elf"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("#0: 128\n"), "{}", stdout(&output));
    // Without a step between, and with the compiler's options behind the usual ones.
    expect(&sim(folder.path(), &["steps.c"]), 0);
    assert_eq!(printed(folder.path(), &["steps.c", "-o", "small.elf", "--", "-Os", "-funroll-loops"]), "");
    expect(&sim(folder.path(), &["small.elf"]), 0);
}

#[test]
fn the_report_says_which_branches_part_lanes_and_why() {
    let folder = folder(&[("steps.c", STEPS)]);
    let report = printed(folder.path(), &["--report", "steps.c"]);
    for part in [
        "steps.c:6: count: ",
        "steps.c:7: count: ",
        "divergent, SPLIT; lanes meet at steps.c:13",
        "divergent, PRED; lanes meet at steps.c:16",
        "the argument in a0 may differ",
        "steps.c:21: main: ",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let of = |line: &str| report.lines().filter(|found| found.contains(line)).collect::<Vec<_>>();
    assert!(of("main: ").iter().all(|line| line.ends_with(": uniform")), "{report}");
    assert!(!folder.path().join("steps.elf").exists());
    // A part of a program, whose other parts are elsewhere.
    std::fs::write(
        folder.path().join("part.c"),
        "int other(int);\nint f(int x) { return x ? other(x) : 1; }\n",
    )
    .unwrap();
    let report = printed(folder.path(), &["--report", "part.c"]);
    assert!(report.contains("part.c:2: f: ") && report.contains("branches: 1 "), "{report}");
    let text = printed(folder.path(), &["--print", "steps.c"]);
    assert!(text.contains("# SPLIT: lanes part") && text.contains("# JOIN: lanes meet"), "{text}");
}

/// One function has the macros of simt.h, the other one has not.
#[test]
fn what_is_marked_by_hand_is_left_as_it_is() {
    let text = STEPS.replace(
        "static void count",
        "static SIMT_FUNCTION void mine(uint32_t i)\n\
        { SIMT_IF (i & 1) { steps[i] += 0; } SIMT_END }\nstatic void count",
    );
    let text = text.replace("uint32_t n = i + 1;", "uint32_t n = i + 1; mine(i);");
    let folder = folder(&[("steps.c", &text)]);
    let report = printed(folder.path(), &["--report", "steps.c"]);
    assert!(report.contains("mine: has SPLIT, JOIN or PRED of its own, and is left as it is"), "{report}");
    expect(&sim(folder.path(), &["steps.c"]), 0);
}

#[test]
fn files_are_linked_in_cpp_and_assembly_too() {
    let cpp =
        "#include \"simt.h\"\ntemplate<class T> static T odd(T x) { if (x & 1) return x; return x / 2; }\n\
        extern \"C\" uint32_t half(uint32_t x) { return odd(x); }\n";
    let main =
        "#include \"simt.h\"\nuint32_t half(uint32_t);\nuint32_t twice(uint32_t);\nuint32_t halves[9];\n\
        static void task(uint32_t i, void *p) { (void)p; halves[i] = twice(half(i)); }\n\
        int main(void) { simt_spawn(9, task, 0); return !(halves[8] == 8 && halves[5] == 10); }\n";
    let folder = folder(&[("main.c", main), ("half.cpp", cpp)]);
    std::fs::write(
        folder.path().join("twice.s"),
        "\t.text\n\t.globl twice\n\t.type twice, @function\ntwice:\n\tadd a0, a0, a0\n\tret\n\t.size twice, .-twice\n",
    )
    .unwrap();
    assert_eq!(printed(folder.path(), &["main.c", "half.cpp", "twice.s", "-o", "all.elf"]), "");
    expect(&sim(folder.path(), &["all.elf"]), 0);
}

/// A grid, with a barrier in a loop that all lanes go through together.
const REDUCTION: &str = "#include \"simt_grid.h\"
static SIMT_SHARED uint32_t partial[64];
SIMT_OUTPUT uint32_t sums[64];
SIMT_KERNEL(reduce)
{
    uint32_t thread = threadIdx.x;
    partial[thread] = blockIdx.x * blockDim.x + thread;
    for (uint32_t half = blockDim.x / 2; half; half /= 2) {
        simt_block_barrier();
        if (thread < half)
            partial[thread] += partial[thread + half];
    }
    if (thread == 0)
        sums[blockIdx.x] = partial[0];
}
";

#[test]
fn barriers_must_be_reached_together() {
    let folder = folder(&[("reduce.c", REDUCTION)]);
    let output = cc(folder.path(), &["reduce.c"]);
    expect(&output, 0);
    assert_eq!(stderr(&output), "", "no warnings");
    expect(&sim(folder.path(), &["--grid", "3", "--block", "4", "reduce.c"]), 0);

    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    let both =
        "if (thread & 1) { partial[0]++; simt_block_barrier(); partial[1]++; } else simt_block_barrier();";
    write("both.c", REDUCTION.replace("simt_block_barrier();", both));
    expect_mistake(
        folder.path(),
        &["both.c"],
        &["both.c:9: in simt_body_of_reduce", "both sides", "simt_uniform"],
    );
    assert!(!folder.path().join("both.elf").exists());

    write("some.c", REDUCTION.replace("simt_block_barrier();", "if (thread & 1) simt_block_barrier();"));
    let output = cc(folder.path(), &["some.c"]);
    expect(&output, 0);
    assert!(stderr(&output).contains("some.c:9: warning: lanes of a warp may part"), "{}", stderr(&output));
    let uniform = "if (simt_uniform(thread >> 5 & 1)) simt_block_barrier();";
    write("same.c", REDUCTION.replace("simt_block_barrier();", uniform));
    let output = cc(folder.path(), &["same.c"]);
    expect(&output, 0);
    assert_eq!(stderr(&output), "", "the author has said that it is the same");
}

/// A kernel in the manner of Vortex, whose lanes part and recurse to a depth of their own.
const DEPTHS: &str = "#include \"gpu.h\"
RESULT uint32_t depths[48];
static __attribute__((noinline)) uint32_t depth(uint32_t n)
{
    if (n < 2)
        return n;
    return n & 1 ? depth(3 * n + 1) + 1 : depth(n / 2) + 1;
}
static void body(void *arg)
{
    if (block.x % 3 == *(uint32_t *)arg)
        depths[block.x] = depth(block.x + 1);
    else
        depths[block.x] = 100;
}
int main(void)
{
    uint32_t third = 1, sum = 0;
    launch((struct index){48, 1, 1}, (struct index){1, 1, 1}, body, &third);
    for (uint32_t i = 0; i < 48; i++)
        sum += depths[i];
    return sum != 3586;
}
";

#[test]
fn programs_for_vortex_are_made_with_what_its_users_have() {
    let folder = folder(&[("depths.c", DEPTHS), ("hello.c", "int main(void) { return 0; }\n")]);
    let vortex = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/kernels/vortex");
    let there = |file: &str| vortex.join(file).display().to_string();
    let launcher = folder.path().join("launch.o");
    let options = ["-march=rv32imf_zicsr", "-mabi=ilp32f", "-O2", "-ffreestanding", "-c", "-o"];
    let mut command = tools::RISCV_CC.find().command();
    let compiled = command.args(options).arg(launcher).arg(there("launch.c")).output().unwrap();
    assert!(compiled.status.success(), "{}", stderr(&compiled));

    let (start, script, include) = (there("start.S"), there("link.ld"), format!("-I{}", vortex.display()));
    let make = |output: &str| {
        let files =
            ["--target", "vortex", "depths.c", &start, "launch.o", &script, "-o", output, "--", &include];
        assert_eq!(printed(folder.path(), &files), "");
        expect(&sim(folder.path(), &["--fpu", output]), 0);
    };
    make("depths.elf");
    make("depths.vxbin");
    let image = std::fs::read(folder.path().join("depths.vxbin")).unwrap();
    assert_eq!(image[..16], [0, 0, 0, 0x80, 0, 0, 0, 0, image[8], image[9], 0, 0x80, 0, 0, 0, 0]);
    let text = printed(folder.path(), &["--target", "vortex", "--print", "depths.c", "--", &include]);
    assert!(text.contains("%tprel_lo(__simt_frames") && !text.contains("(tp)"), "{text}");
    // An image of a program for this core.
    assert_eq!(printed(folder.path(), &["hello.c", "-o", "hello.vxbin"]), "");
    expect(&sim(folder.path(), &["hello.vxbin"]), 0);

    let mistake = |arguments: &[&str], part: &str| expect_mistake(folder.path(), arguments, &[part]);
    mistake(&["--target", "vortex", "depths.c"], "kernel/scripts/link32.ld");
    mistake(&["depths.c", &script], "link.ld is for --target vortex");
    mistake(&["--target", "vortex", "kernel.cu", &script], "Vortex 2.2 has none");
    mistake(&["launch.o"], "there is nothing to compile");
    mistake(&["hello.c", "none.o"], "cannot read none.o");
}

#[test]
fn mistakes_end_with_2_and_advice() {
    let table = "\t.type f, @function\nf:\n\tjr a5\n\t.size f, .-f\n";
    let odd = "\t.type f, @function\nf:\n\tlr.w a0, (a1)\n\tret\n\t.size f, .-f\n";
    let wrong = "int main(void) { return x; }\n";
    let files = [("steps.c", STEPS), ("table.s", table), ("odd.s", odd), ("wrong.c", wrong)];
    let folder = folder(&files);
    let mistake = |arguments: &[&str], parts: &[&str]| expect_mistake(folder.path(), arguments, parts);
    mistake(&["steps.h"], &["steps.h has not the extension .c, .cpp, .cu or .s"]);
    mistake(&["none.c"], &["cannot read none.c"]);
    mistake(&["wrong.c"], &["wrong.c does not compile", "wrong.c:1:25: error: 'x' undeclared"]);
    mistake(&["steps.c", "-o", "steps.c"], &["steps.c"]);
    mistake(&["steps.c", "--", "-fno-such-option"], &["-fno-such-option"]);
    mistake(&["steps.c", "--", "-o", "zz"], &["-o behind -- names the compiler's file: write -o before --"]);
    mistake(&["steps.c", "--", "--version"], &["--version behind -- "]);
    std::fs::write(folder.path().join("options"), "-fsyntax-only").unwrap();
    mistake(&["steps.c", "--", "@options"], &["the compiler ended well, and made nothing"]);
    assert!(!folder.path().join("zz").exists());
    mistake(&["table.s", "steps.c"], &["table.s:3: in f: jr a5", "-fno-jump-tables"]);
    mistake(&["odd.s", "steps.c"], &["odd.s:3: in f: lr.w a0, (a1): an unknown instruction"]);
    mistake(&["steps.c", "--report", "--print"], &["cannot be used with"]);
    // A full disk is no mistake of the source.
    let gcc = folder.path().join("gcc");
    script(&gcc, "exec riscv64-unknown-elf-gcc \"$@\" -o /dev/full");
    let output = Command::new(env!("CARGO_BIN_EXE_cc"))
        .current_dir(folder.path())
        .args(["steps.c", "--", "-DFULL"])
        .env("RISCV_CC", &gcc)
        .output()
        .unwrap();
    expect(&output, 1);
    assert!(
        stderr(&output).contains("the compiler has no space: make room in $TMPDIR"),
        "{}",
        stderr(&output)
    );

    let output = Command::new(env!("CARGO_BIN_EXE_cc"))
        .current_dir(folder.path())
        .args(["--compiler", "clang", "steps.c"])
        .env("RISCV_CLANG", "/nonexistent/clang")
        .output()
        .unwrap();
    expect(&output, 2);
    assert!(stderr(&output).contains("$RISCV_CLANG names: set it to clang"), "{}", stderr(&output));
}
