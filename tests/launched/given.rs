//! What a description gives arrives in the kernel as it is written.

use super::{folder, sim};
use crate::sim_cli::expect;

const SOURCE: &str = "\
__global__ void k(long long *out, long long a, unsigned long long b, float c)
{
    out[0] = a;
    out[1] = (long long)b;
    out[2] = __float_as_uint(c);
}
void given(long long *out, long long a, unsigned long long b, unsigned c)
{
    out[0] = a;
    out[1] = (long long)b;
    out[2] = c;
}
";
const DESCRIPTION: &str = r#"
sources = ["k.cu"]
[[array]]
name = "out"
type = "long long"
length = 3
[[launch]]
kernel = "k"
grid = 1
block = 1
args = ["out", "0x123456789abcdef1LL", "0xffffffffffffffffULL", "0x100000100000001LL"]
[[reference]]
function = "given"
args = ["out", "0x123456789abcdef1LL", "0xffffffffffffffffULL", 0x5b800001]
[[check]]
array = "out"
"#;

/// No number is rounded on its way, and to a `float` only once.
#[test]
fn numbers_keep_their_digits() {
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", DESCRIPTION)]);
    expect(&sim(folder.path(), &["k.toml"]), 0);
}
