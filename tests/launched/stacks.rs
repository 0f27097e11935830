//! Stacks of threads: as large as functions need them, up to a limit.

use super::{folder, sim};
use crate::sim_cli::{expect, stderr};

/// All threads fill arrays of 10 KB, meet at a barrier, and only then read them: one that lay in another's stack would show.
/// Where lanes part in a recursive function, what brings them together again is kept at the other end of the stack.
const LARGE: &str = r#"
#define WORDS 2500
#define THREADS 48
__device__ __noinline__ int sum(const int *t, int from, int to)
{
    if (to - from < 2)
        return from < to ? t[from] : 0;
    int half = from + (to - from) / 2 - (t[from] & 1);
    return half <= from ? t[from] + sum(t, from + 1, to) : sum(t, from, half) + sum(t, half, to);
}
__global__ void fill(int *out)
{
    int t[WORDS], i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < WORDS; k++)
        t[(k * 7 + i) % WORDS] = i + k;
    __syncthreads();
    out[i] = sum(t, i, i + 20) + t[WORDS - 1] - t[0];
}
void on_host(int *out)
{
    for (int i = 0; i < THREADS; i++) {
        int t[WORDS];
        for (int k = 0; k < WORDS; k++)
            t[(k * 7 + i) % WORDS] = i + k;
        out[i] = t[WORDS - 1] - t[0];
        for (int k = i; k < i + 20; k++)
            out[i] += t[k];
    }
}
"#;
const DESCRIPTION: &str = r#"
sources = ["k.cu"]
[[array]]
name = "out"
type = "int"
length = "THREADS"
[[launch]]
kernel = "fill"
grid = 4
block = "THREADS / 4"
args = ["out"]
[[reference]]
function = "on_host"
args = ["out"]
[[check]]
array = "out"
"#;

#[test]
fn kernels_have_the_stack_that_they_need() {
    let folder = folder(&[("k.cu", LARGE), ("k.toml", DESCRIPTION)]);
    for options in [&[][..], &["--stack-interleave"], &["--preset", "medium", "--stack-interleave"]] {
        expect(&sim(folder.path(), &[&["k.toml"], options].concat()), 0);
    }
}

#[test]
fn programs_have_the_stack_that_they_need() {
    let source = "#include \"simt.h\"\n\
        static uint32_t wrong;\n\
        static void task(uint32_t i, void *arg) {\n\
            volatile uint32_t own[3000];\n\
            for (uint32_t k = 0; k < 3000; k += 64) own[k] = i + k;\n\
            for (uint32_t k = 0; k < 3000; k += 64) if (own[k] != i + k) *(uint32_t *)arg = 1;\n\
        }\n\
        int main(void) { simt_spawn(64, task, &wrong); return wrong; }\n";
    let folder = folder(&[("k.c", source)]);
    expect(&sim(folder.path(), &["k.c"]), 0);
}

/// How deep a recursion goes nobody sees before: each call keeps 100 words here.
const DEEP: &str = "
__device__ int deep(int n, int x)
{
    volatile int own[100];
    for (int k = 0; k < 100; k++)
        own[k] = x + k;
    int below = n ? deep(n - 1, x + 1) : 0;
    for (int k = 0; k < 100; k++)
        below += own[k] == x + k;
    return below;
}
__global__ void fill(int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = deep(40, i);
}
void on_host(int *out)
{
    for (int i = 0; i < THREADS; i++)
        out[i] = 4100;
}
";

#[test]
fn recursion_has_the_stack_that_it_is_given() {
    let description =
        DESCRIPTION.replace("sources", "defines = [\"THREADS=16\", \"SIMT_STACK_BYTES=32768\"]\nsources");
    let folder = folder(&[("k.cu", DEEP), ("k.toml", &description)]);
    expect(&sim(folder.path(), &["k.toml"]), 0);
    expect(&sim(folder.path(), &["-D", "SIMT_STACK_BYTES=8192", "k.toml"]), 1);
    for size in ["", "=16K", "=4096", "=20000", "=1048576"] {
        let output = sim(folder.path(), &["-D", &format!("SIMT_STACK_BYTES{size}"), "k.toml"]);
        expect(&output, 2);
        assert!(
            stderr(&output).contains("a power of two of bytes, from 8192 to 524288"),
            "{}",
            stderr(&output)
        );
    }
}
