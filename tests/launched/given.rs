//! What a description gives arrives in the kernel as it is written.

use super::{folder, sim};
use crate::sim_cli::expect;

const SOURCE: &str = "\
__global__ void k(unsigned long long *in, long long *out, long long a, unsigned long long b, float c)
{
    out[0] = a;
    out[1] = (long long)b;
    out[2] = __float_as_uint(c);
    out[3] = (long long)in[0];
}
void given(unsigned long long *in, long long *out, long long a, unsigned long long b, unsigned c)
{
    out[0] = a;
    out[1] = (long long)b;
    out[2] = c;
    out[3] = -2;
}
";
const DESCRIPTION: &str = r#"
sources = ["k.cu"]
[[array]]
name = "out"
type = "long long"
length = 4
[[array]]
name = "in"
type = "unsigned long long"
length = 1
file = "in.txt"
[[launch]]
kernel = "k"
grid = 1
block = 1
args = ["in", "out", "0x123456789abcdef1LL", "0xffffffffffffffffULL", "0x100000100000001LL"]
[[reference]]
function = "given"
args = ["in", "out", "0x123456789abcdef1LL", "0xffffffffffffffffULL", 0x5b800001]
[[check]]
array = "out"
"#;

/// No number is rounded on its way, and to a `float` only once.
#[test]
fn numbers_keep_their_digits() {
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", DESCRIPTION), ("in.txt", "18446744073709551614")]);
    expect(&sim(folder.path(), &["k.toml"]), 0);
}

/// An allocator that gives each array the place right before the one that it gave before.
const PACKED: &str = "\
extern \"C\" void *aligned_alloc(size_t, size_t bytes) noexcept
{
    static char all[4096] __attribute__((aligned(64)));
    static size_t left = sizeof all;
    return all + (left -= bytes);
}
__global__ void k(const int *in, int *behind) { behind[(int)threadIdx.x - 16] = in[threadIdx.x]; }
void copied(const int *in, int *behind)
{
    aligned_alloc(64, 0); // What no function needs is left out.
    for (int i = 0; i < 16; i++)
        behind[i - 16] = in[i];
}
";
const BESIDE: &str = r#"
sources = ["k.cu"]
[[array]]
name = "in"
type = "int"
length = 16
value = "i + 1"
[[array]]
name = "out"
type = "int"
length = 16
[[launch]]
kernel = "k"
grid = 1
block = 16
args = ["in", "out + 16"]
[[reference]]
function = "copied"
args = ["in", "out + 16"]
[[check]]
array = "out"
"#;

#[test]
fn a_pointer_behind_an_array_belongs_to_it() {
    let folder = folder(&[("k.cu", PACKED), ("k.toml", BESIDE)]);
    expect(&sim(folder.path(), &["k.toml"]), 0);
}
