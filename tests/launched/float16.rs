//! Floating-point numbers of 16 bits, half precision and bfloat16, against rustc_apfloat.

use rustc_apfloat::ieee::{BFloat, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

use super::{folder, sim};
use crate::sample;
use crate::sim_cli::expect;
use cosim::Rng;

const SOURCE: &str = r#"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef unsigned short word;
template <class T> __device__ word bits(T x) { return x.bits; }
template <class T> __global__ void kernel(const T *in, const float *floats, word *out, float *back)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2], kept = x;
    kept -= y;
    word found[] = {bits(__hadd(x, y)), bits(kept), bits(x * y), bits(__hdiv(x, y)), bits(__hfma(x, y, z)), bits(T(floats[i])),
                    (word)((x < y) + 2 * __hle(x, y) + 4 * (x == y) + 8 * __hisnan(x))};
    for (int k = 0; k < 7; k++)
        out[7 * i + k] = found[k];
    back[i] = __hisnan(x) ? NAN : (float)x;
}
__global__ void pairs(const __half2 *in, half2 *out, float2 *floats, bool *less)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __hfma2(in[i], __lowhigh2highlow(in[i]), __float2half2_rn(0.5f)) + __halves2half2(__ushort_as_half(i), __low2half(in[i]));
    floats[i] = __half22float2(in[i]);
    less[i] = __hblt2(in[i], __floats2half2_rn(0.25f, 0.75f));
}
void of_pairs(const half2 *in, half2 *out, float2 *floats, bool *less)
{
    for (int i = 0; i < 32; i++) {
        floats[i] = make_float2(in[i].x, in[i].y);
        half product = floats[i].x * floats[i].y + 0.5f;
        out[i] = half2(product + half::of_bits(i), product + in[i].x);
        less[i] = floats[i].x < 0.25f && floats[i].y < 0.75f;
    }
}
"#;

/// Threads of a launch.
const COUNT: usize = 512;

fn array(name: &str, of: &str, length: usize, rest: &str) -> String {
    format!("[[array]]\nname = \"{name}\"\ntype = \"{of}\"\nlength = {length}\n{rest}\n")
}

/// A number as CUDA has it: there is one NaN.
fn canonical(number: impl Float) -> u16 {
    if number.is_nan() {
        0x7fff
    } else {
        number.to_bits() as u16
    }
}

/// What the kernel computes for three numbers and a float.
fn expected<T: Float + FloatConvert<Single>>(words: [u16; 3], float: u32) -> ([u16; 7], u32)
where
    Single: FloatConvert<T>,
{
    let [x, y, z] = words.map(|word| T::from_bits(word.into()));
    let rounded: T = Single::from_bits(float.into()).convert(&mut false).value;
    let compared =
        u16::from(x < y) + 2 * u16::from(x <= y) + 4 * u16::from(x == y) + 8 * u16::from(x.is_nan());
    let sums = [(x + y).value, (x - y).value, (x * y).value, (x / y).value, x.mul_add(y, z).value, rounded];
    let [sum, difference, product, quotient, fused, rounded] = sums.map(canonical);
    let back: Single = x.convert(&mut false).value;
    let back = if back.is_nan() { 0x7fc0_0000 } else { back.to_bits() as u32 };
    ([sum, difference, product, quotient, fused, rounded, compared], back)
}

/// Corners, numbers of any size, and numbers of about the same.
fn words(rng: &mut Rng) -> [u16; 3] {
    const CORNERS: [u16; 12] =
        [0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x7e01, 0x7f7f, 0x7f80, 0x8000, 0x3f80];
    let all = [(); 3].map(|()| rng.next_u64() as u16);
    match rng.below(3) {
        0 => all.map(|word| CORNERS[usize::from(word) % CORNERS.len()] ^ (word & 0x8000)),
        1 => all,
        _ => all.map(|word| (0x3000 + word % 0x1000) | word & 0x8000),
    }
}

fn check<T: Float + FloatConvert<Single>>(of: &str, seed: u64)
where
    Single: FloatConvert<T>,
{
    let mut rng = Rng::new(seed);
    let (mut inputs, mut floats, mut out, mut back) = (vec![], vec![], vec![], vec![]);
    for _ in 0..COUNT {
        let three = words(&mut rng);
        // Also what lies half-way between two numbers.
        let float = match rng.below(3) {
            0 => rng.next_u64() as u32,
            1 => (0x3800_0000 + rng.below(0x1000_0000)) & 0xffff_f000,
            _ => (0x3300_0000 + rng.below(0x0600_0000)) & 0xffff_8000,
        };
        let (results, value) = expected::<T>(three, float);
        inputs.extend(three.iter().flat_map(|word| word.to_le_bytes()));
        floats.extend(float.to_le_bytes());
        out.extend(results.iter().flat_map(|word| word.to_le_bytes()));
        back.extend(value.to_le_bytes());
    }
    let arrays = [
        array("inputs", of, 3 * COUNT, "file = \"inputs.bin\""),
        array("floats", "float", COUNT, "file = \"floats.bin\""),
        array("found", "word", 7 * COUNT, ""),
        array("back", "unsigned", COUNT, ""),
    ];
    let launch = format!(
        "[[launch]]\nkernel = \"kernel<{of}>\"\ngrid = {}\nblock = 16\nargs = [\"inputs\", \"floats\", \"found\", \"(float *)back\"]\n\
         [[check]]\narray = \"found\"\nfile = \"found.bin\"\n[[check]]\narray = \"back\"\nfile = \"back.bin\"\n",
        COUNT / 16
    );
    let description = format!("sources = [\"k.cu\"]\n{}{launch}", arrays.concat());
    let folder = folder(&[("k.cu", SOURCE), ("k.toml", &description)]);
    for (name, bytes) in
        [("inputs.bin", inputs), ("floats.bin", floats), ("found.bin", out), ("back.bin", back)]
    {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    expect(&sim(folder.path(), &["k.toml"]), 0);
}

#[test]
fn half_precision_is_that_of_ieee_754() {
    sample::seeds(9100, 1).for_each(|seed| check::<Half>("half", seed));
}

#[test]
fn bfloat16_is_rounded_once() {
    sample::seeds(9200, 1).for_each(|seed| check::<BFloat>("__nv_bfloat16", seed));
}

#[test]
fn pairs_are_computed_side_by_side() {
    let arrays = [
        array("in", "half2", 32, "value = \"half2(random(-1, 1), i / 32.0)\""),
        array("out", "half2", 32, ""),
        array("floats", "float2", 32, ""),
        array("less", "bool", 32, ""),
    ];
    let arguments = "args = [\"in\", \"out\", \"floats\", \"less\"]\n";
    let calls = format!(
        "[[launch]]\nkernel = \"pairs\"\ngrid = 4\nblock = 8\n{arguments}[[reference]]\nfunction = \"of_pairs\"\n{arguments}"
    );
    let checks = ["out", "floats", "less"].map(|name| format!("[[check]]\narray = \"{name}\"\n"));
    let description = format!("sources = [\"k.cu\"]\n{}{calls}{}", arrays.concat(), checks.concat());
    expect(&sim(folder(&[("k.cu", SOURCE), ("k.toml", &description)]).path(), &["k.toml"]), 0);
}
