//! CUDA's atomic functions: beside the same on the host, where one thread comes after the other.

use std::path::Path;

use super::{folder, sim};
use crate::sim_cli::{stderr, stdout};

/// Each function on a word of its own, to which all threads come, and some on words that a few share.
const SOURCE: &str = r#"
__global__ void all(const unsigned *data, unsigned *out, unsigned *few, float *sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = data[i];
    int *with_sign = (int *)out;
    atomicMax(&out[0], x);
    atomicMin(&out[1], x);
    atomicMax(&with_sign[2], (int)x);
    atomicMin(&with_sign[3], (int)x);
    atomicXor(&out[4], x);
    atomicOr(&out[5], x & 0xff00);
    atomicAnd(&out[6], x | 0xff);
    atomicInc(&out[7], 5u);
    atomicDec(&out[8], 7);
    atomicSub(&out[9], 3);
    if (atomicExch(&out[10], 1) == 0)
        atomicAdd_block(&out[11], 1);
    if (atomicCAS(&out[12], 0, 77) == 0)
        atomicAdd_system(&with_sign[13], -1);
    atomicAdd(&few[x % 5], x >> 8);
    atomicAdd(&sums[x % 3], 0.5f);
    if (atomicExch(&sums[3], 2.5f) == 0.0f)
        atomicAdd(&sums[4], 1.0);
    /* A critical section: whoever finds the lock free lets go of it before it asks for others. */
    for (bool done = false; !done;) {
        if (atomicCAS(&out[14], 0, 1) == 0) {
            out[15] = 3 * out[15] - 2 * out[15] + 1;
            __threadfence();
            atomicExch(&out[14], 0);
            done = true;
        }
    }
}
void host(const unsigned *data, unsigned *out, unsigned *few, float *sums, int n)
{
    int *with_sign = (int *)out;
    for (int i = 0; i < n; i++) {
        unsigned x = data[i];
        out[0] = x > out[0] ? x : out[0];
        out[1] = x < out[1] ? x : out[1];
        with_sign[2] = (int)x > with_sign[2] ? (int)x : with_sign[2];
        with_sign[3] = (int)x < with_sign[3] ? (int)x : with_sign[3];
        out[4] ^= x;
        out[5] |= x & 0xff00;
        out[6] &= x | 0xff;
        out[7] = out[7] >= 5 ? 0 : out[7] + 1;
        out[8] = out[8] == 0 || out[8] > 7 ? 7 : out[8] - 1;
        out[9] -= 3;
        few[x % 5] += x >> 8;
        sums[x % 3] += 0.5f;
    }
    out[10] = out[11] = 1;
    out[12] = 77;
    with_sign[13] = -1;
    out[15] = n;
    sums[3] = 2.5f;
    sums[4] = 1;
}
"#;

const DESCRIPTION: &str = r#"
sources = ["k.cu"]
defines = ["N=90"]
array = [
    { name = "data", type = "uint", length = "N", value = "i * 2654435761 & 0xffffffff" },
    { name = "out", type = "uint", length = 16, value = "i == 1 || i == 6 ? 0xffffffff : 0" },
    { name = "few", type = "uint", length = 5, value = "0" },
    { name = "sums", type = "float", length = 5, value = "0" },
]
launch = [{ kernel = "all", grid = "(N + 15) / 16", block = 16, args = ["data", "out", "few", "sums", "N"] }]
reference = [{ function = "host", args = ["data", "out", "few", "sums", "N"] }]
check = [{ array = "out" }, { array = "few" }, { array = "sums" }]
"#;

#[test]
fn threads_take_turns_at_a_word() {
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", DESCRIPTION)]);
    for core in [
        &["--preset", "medium"][..],
        &["--preset", "small", "--no-dcache", "--mem", "dram"],
        &["--preset", "dual", "--sched", "gtlo", "--mem", "fixed:50", "--dcache", "1K:2:wb"],
        &["--preset", "pascal", "--sched", "kaws"],
    ] {
        let output = sim(folder.path(), &[core, &["--atomics", "k.toml"]].concat());
        assert_eq!(output.status.code(), Some(0), "{core:?}: {}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn the_example_counts() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/kernels/examples/histogram.toml");
    let example = example.to_str().expect("a path");
    let output = sim(Path::new("."), &["--preset", "medium", "--atomics", example]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    let output = sim(Path::new("."), &["--preset", "medium", example]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let said = stderr(&output);
    assert!(said.contains("histogram has atomic instructions; a core has them with --atomics"), "{said}");
}
