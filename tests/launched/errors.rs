//! Mistakes in a launch description: each says what is wrong, and what to do.

use std::path::Path;

use super::folder;
use kernels::Launched;

const SOURCE: &str = "__global__ void fill(float *a, int n) { a[threadIdx.x] = n; }\n\
                      void on_host(float *a, int n) { for (int i = 0; i < n; i++) a[i] = n; }\n";
const DESCRIPTION: &str = "\
sources = [\"k.cu\"]
[[array]]
name = \"a\"
type = \"float\"
length = 8
[[launch]]
kernel = \"fill\"
grid = 1
block = 8
args = [\"a\", 8]
[[reference]]
function = \"on_host\"
args = [\"a\", 8]
[[check]]
array = \"a\"
";

fn message(folder: &Path) -> String {
    Launched::from_path(&folder.join("k.toml"), &[]).err().expect("a mistake").to_string()
}

/// The message about the description with something replaced has all parts.
fn wrong(from: &str, to: &str, parts: &[&str]) {
    wrong_source(SOURCE, from, to, parts);
}

fn wrong_source(source: &str, from: &str, to: &str, parts: &[&str]) {
    assert!(DESCRIPTION.contains(from), "{from}");
    let folder = folder(&[("k.cu", source), ("k.toml", &DESCRIPTION.replacen(from, to, 1))]);
    let message = message(folder.path());
    for part in parts {
        assert!(message.contains(part), "{to}: {part}: {message}");
    }
}

#[test]
fn what_the_text_shows() {
    wrong(
        "grid = 1",
        "grids = 1",
        &["k.toml: ", "line 8", "unknown field `grids`", "expected one of", "`grid`"],
    );
    wrong("kernel = \"fill\"\n", "", &["missing field `kernel`"]);
    wrong("grid = 1", "grid = []", &["grid of fill", "one to three lengths"]);
    wrong("grid = 1", "grid = {}", &["line 8", "expected a length"]);
    wrong("length = 8", "length = [8]", &["expected a number, or an expression"]);
    wrong("\"k.cu\"", "\"none.cu\"", &["none.cu does not exist", "relative to the description"]);
    wrong("\"k.cu\"", "", &["sources is empty"]);
    for define in ["", "=3", "N N"] {
        let line = format!("defines = [\"{define}\"]\nsources");
        wrong("sources", &line, &["defines: ", "expected the name of a macro"]);
    }
    wrong("k.cu", "k.toml", &["sources: k.toml has not the extension .cu"]);
    wrong("length = 8", "length = 8\nfile = \"no.bin\"", &["no.bin does not exist"]);
    wrong("length = 8", "length = 8\nvalue = 1\nfile = \"k.cu\"", &["value and file"]);
    wrong("name = \"a\"", "name = \"a b\"", &["the name must be one of C"]);
    for (name, part) in [("i", "element"), ("round", "a round"), ("random", "function")] {
        let parts = [&*format!("an array is called {name}, which is the "), part, "rename it"];
        wrong("name = \"a\"", &format!("name = \"{name}\""), &parts);
    }
    let twice =
        "length = 8\nsymbol = \"v\"\n[[array]]\nname = \"b\"\ntype = \"int\"\nlength = 1\nsymbol = \"v\"";
    wrong("length = 8", twice, &["arrays a and b are the same variable"]);
    wrong("array = \"a\"", "array = \"b\"", &["check of b: there is no such array; the arrays are a"]);
    for tolerance in ["-1", "inf", "nan"] {
        let check = format!("array = \"a\"\ntolerance = {tolerance}");
        wrong("array = \"a\"", &check, &["tolerance is a finite number from 0 on"]);
    }
    wrong(
        "[[reference]]\nfunction = \"on_host\"\nargs = [\"a\", 8]\n",
        "",
        &["nothing says what is expected", "[[reference]]"],
    );
    let empty = tempfile::tempdir().unwrap();
    assert!(message(empty.path()).contains("cannot be read"));
}

#[test]
fn kernels_that_are_not_there() {
    wrong("\"fill\"", "\"full\"", &["there is no kernel full in k.cu; their kernels are fill"]);
}

#[test]
fn arguments_that_do_not_fit() {
    wrong(
        "args = [\"a\", 8]",
        "args = [\"a\"]",
        &["launch 1 (fill): the kernel has 2 parameters, and args has 1"],
    );
    let source = SOURCE
        .replace("int n) { a[threadIdx.x]", "Two n) { *n.from")
        .replace(" = n; }\nvoid", " = 1; }\nvoid");
    let source = format!("struct Two {{ float *from; double by; }};\n{source}");
    let parts = ["a class that has 8 bytes on the core, and what is written has 16", "int for pointers"];
    wrong_source(&source, "args = [\"a\", 8]", "args = [\"a\", \"Two{a, 1}\"]", &parts);
}

#[test]
fn expressions_that_mean_nothing() {
    wrong("length = 8", "length = \"M\"", &["k.toml, type and length of array a", "'M'"]);
    let call = "[[reference]]\nfunction = \"on_host\"\nargs = [\"a\", 8]";
    wrong(call, &call.replace(", 8", ""), &["k.toml, call of on_host:1:", "arguments"]);
    wrong("\"on_host\"", "\"of_host\"", &["there is no function of_host", "on_host"]);
    wrong("length = 8", "length = 1e8", &["400000000 bytes", "choose a smaller length"]);
}

/// More than anybody means, and less than one.
#[test]
fn numbers_that_are_not_possible() {
    let line = "sources = [\"k.cu\"]";
    for rounds in ["0", "2.5", "\"1e300\"", "1000001"] {
        wrong(line, &format!("{line}\nrounds = {rounds}"), &["rounds is ", "from 1 to 1000000 is needed"]);
    }
    let many = format!("{line}\nrounds = 100001");
    wrong(line, &many, &["launch 1: in all rounds together at most 100000 launches"]);
    for length in ["0", "2.5", "\"0.0 / 0.0\""] {
        wrong("length = 8", &format!("length = {length}"), &["array a: its length is "]);
    }
}

/// Nobody gets none of it by oversight, or because it wraps around to none.
#[test]
fn shared_memory_that_a_launch_gives() {
    let source = SOURCE.replace("{ a[threadIdx.x] = n;", "{ extern __shared__ int s[]; a[s[0] & 7] = n;");
    let needed = ["launch 1 (fill): the kernel has the extern __shared__ variable s", "give shared ="];
    wrong_source(&source, "block = 8", "block = 8", &needed);
    let more = "block = 8\nshared = 4294967295";
    wrong_source(&source, "block = 8", more, &["launch 1 (fill): shared: 4294967295 bytes", "too many"]);
    // Another kernel of the file has such a variable; the kernel does not use what it says that it has not.
    let other = "__global__ void other(int *a) { extern __shared__ int s[]; a[0] = s[0]; }\n";
    let warned = |source: &str, description: &str| {
        let folder = folder(&[("k.cu", source), ("k.toml", description)]);
        Launched::from_path(&folder.path().join("k.toml"), &[]).map(|made| made.warnings).unwrap()
    };
    let both = DESCRIPTION.to_owned()
        + "[[launch]]\nkernel = \"other\"\ngrid = 1\nblock = 1\nshared = 4\nargs = [\"(int *)a\"]\n";
    assert_eq!(warned(&format!("{other}{SOURCE}"), &both), "");
    let said = warned(&source, &DESCRIPTION.replace("block = 8", "block = 8\nshared = 0"));
    assert_eq!(said, "warning: launch 1 (fill): shared is 0, and the kernel may use the variable s\n");
}

/// The host's double is no float, and its long has 64 bits.
#[test]
fn elements_of_another_size() {
    let of = |kernel: &str, host: &str, parts: &[&str]| {
        let source = SOURCE.replacen("float *a", &format!("{kernel} *a"), 1).replacen("= n;", "= {};", 1);
        let source = source.replacen("void on_host(float", &format!("void on_host({host}"), 1);
        wrong_source(&source, "type = \"float\"", &format!("type = \"{host}\""), parts);
    };
    let advice = "or cast the argument, as (float4 *)a";
    for (kernel, host, bytes) in
        [("double", "double", "8 bytes, and 4"), ("float4", "float", "4 bytes, and 16")]
    {
        let said = format!("launch 1 (fill): argument 1: on the host its elements have {bytes} on the core");
        of(kernel, host, &[&said, advice]);
    }
    of(
        "int",
        "float",
        &["its elements are floating-point numbers on the host, and whole numbers on the core", advice],
    );
    // A function of the host gets what it reads.
    let source = SOURCE.replace("on_host(float *a", "on_host(double *a");
    wrong_source(
        &source,
        "grid = 1",
        "grid = 1",
        &["have another type than those of the function's parameter"],
    );
    let source = format!("__constant__ double table[8];\n{}", SOURCE.replacen("= n;", "= table[n & 7];", 1));
    let variable = "length = 8\n[[array]]\nname = \"t\"\ntype = \"double\"\nlength = 4\nsymbol = \"table\"";
    wrong_source(
        &source,
        "length = 8",
        variable,
        &["array t: on the host its elements have 8 bytes, and 4 on the core"],
    );
}

/// A stack of at most 512 KB a thread, of which nobody else's is overwritten.
#[test]
fn what_a_thread_has_no_stack_for() {
    let helper = "__device__ __noinline__ float of(float *a) { float t[1200]; for (int i = 0; i < 1200; i++) t[i] = a[i]; \
                  return t[(int)a[0]]; }\n";
    let array = |length: u32| {
        let own = format!(
            "float t[{length}]; for (int i = 0; i < n; i++) t[i & 1023] = a[i]; a[n] = t[n] + of(a);"
        );
        format!("{helper}{}", SOURCE.replacen("a[threadIdx.x] = n;", &own, 1))
    };
    wrong_source(
        &array(132_000),
        "grid = 1",
        "grid = 1",
        &["k.cu: a thread needs 53", "(launch_fill 528", ", _Z2ofPf 4", "can have 524288"],
    );
    wrong_source(
        &array(130_000),
        "grid = 1",
        "grid = 1",
        &["a thread needs 52", "can have 524288: make arrays smaller"],
    );
    let folder = folder(&[("k.cu", &array(129_000)), ("k.toml", DESCRIPTION)]);
    Launched::from_path(&folder.path().join("k.toml"), &[]).expect("it fits");
}

/// Nothing is written behind a variable, or into memory that blocks do not have yet.
#[test]
fn variables_that_cannot_be_filled() {
    let source = format!(
        "__constant__ float first[2], second[4];\n__shared__ float mine[8];\n{}",
        SOURCE.replace(
            "a[threadIdx.x] = n;",
            "a[threadIdx.x] = n + first[threadIdx.x & 1] + second[3] + mine[threadIdx.x];"
        )
    );
    for (symbol, parts) in [
        ("first", ["array a: it has 32 bytes, and the variable first 8", "choose a smaller length"]),
        ("mine", ["array a: the variable mine is __shared__", "__device__ or __constant__"]),
        ("nothing", ["the sources have no variable nothing", "__device__"]),
    ] {
        wrong_source(&source, "length = 8", &format!("length = 8\nsymbol = \"{symbol}\""), &parts);
    }
}

/// A function of the host ends the program, or dies.
#[test]
fn the_host_does_not_come_to_its_end() {
    let ends = |statement: &str, parts: &[&str]| {
        let source = SOURCE.replace("{ for", &format!("{{ {statement} for"));
        wrong_source(&source, "grid = 1", "grid = 1", parts);
    };
    ends("exit(0);", &["a function of the host ends the program with exit code 0;", "have to return"]);
    ends("exit(3);", &["with exit code 3;"]);
    ends("fputs(\"no file\", stderr); _Exit(1);", &["with exit code 1: no file;"]);
    ends(
        "static volatile int none; n /= none;",
        &["signal: 8", "does one of them, or an expression, divide by 0?"],
    );
    ends("abort();", &["its functions of the host end with signal: 6", "lengths"]);
}

/// The core has no atomics of other than words, no shuffles of other than numbers, and no barrier of a grid.
#[test]
fn what_the_core_lacks() {
    for (instead, why) in [
        ("atomicAdd((unsigned long long *)a, 1ull);", "the core has atomic instructions for int and unsigned"),
        ("atomicMin((float *)a, 1.0f);", "the core has atomic instructions for int and unsigned"),
        (
            "a[0] = (int)__shfl_down_sync(0xffffffff, make_float2(1, 2), 1).x;",
            "shuffles are of numbers: int, float, long long and their like",
        ),
        ("cooperative_groups::this_grid().sync();", "blocks of a grid do not wait for each other"),
        ("__shared__ int s = 3; a[0] = s;", "the __shared__ variable s has an initializer"),
        (
            "extern __device__ int v; a[0] = v; } __device__ int g(int x) { return x; } __device__ int v = g(7); void h() {",
            "what these variables begin with: v;",
        ),
        ("} __global__ void fill(int *a) {", "the kernel fill is overloaded"),
    ] {
        let source = SOURCE.replace("a[threadIdx.x] = n;", instead);
        wrong_source(&source, "grid = 1", "grid = 1", &[why]);
    }
}
