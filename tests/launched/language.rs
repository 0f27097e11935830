//! What kernels may be written in: each beside the same on the host.

use super::{folder, sim};
use crate::sim_cli::{expect, stderr, stdout};

fn passes(source: &str, description: &str, parts: &[&str]) {
    let folder = folder(&[("k.cu", source), ("k.toml", description)]);
    let output = sim(folder.path(), &["k.toml"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    for part in parts {
        assert!(stdout(&output).contains(part), "{part}: {}", stdout(&output));
    }
}

/// Templates, variables in constant and local memory, textures, vectors, pointers to pointers, a class as an argument.
#[test]
fn the_dialect() {
    let source = r#"
#include <stdio.h>
#include <iostream>
#include <cuda_runtime.h>
using namespace std;
struct Pair { short a; int b; };
__device__ Pair &operator+=(Pair &to, int by) { to.b += by; return to; }
namespace deep { __constant__ float scale[4]; }
__device__ static int shift;
texture<float, 1, cudaReadModeElementType> input;
FILE *unused;
namespace deep { template <class T> __host__ __device__ T twice(T x) { return x + x; } }
namespace deep { namespace outer {
template <int N, class T = float, int BY = 0>
__global__ void __launch_bounds__(64, 2) kernel(float4 *out, T **rows, Pair pair, bool odd, dim3 size, unsigned char c)
{
    extern __shared__ float mine[];
    __shared__ float other[N];
    int i = blockIdx.y * blockDim.x + threadIdx.x;
    pair += BY;
    mine[threadIdx.x] = tex1Dfetch(input, i);
    other[threadIdx.x] = rows[i & 1][i] * 0.5;
    __syncthreads();
    float a = mine[N - 1 - threadIdx.x], b = other[N - 1 - threadIdx.x];
    out[i] = make_float4(twice(a), b * scale[i & 3], max(a, pair.a), odd ? pair.b + shift + (int)size.y + c : 0);
    if (i == 5)
        printf("%s %d|%5.2f|%04x|%c %u%%\n", "thread", -i, 2.345, 255, 'x', 7u);
    if (i == 6)
        printf("%-4d|%+d|%X|%o|%lld|%5s|%-3c|%.0f|%+.1e|%g|%hhd|%y|%d\n", -i, i, 255, 15, -5000000000ll, "ab", 'c', 2.5, 1e10, 0.1,
               -1, 0);
}
} }
void expect(float4 *out, const float *x, const float *even, const float *odd, const float *scale)
{
    for (int i = 0; i < 16; i++) {
        int j = i / 8 * 8 + 7 - i % 8;
        float b = (j & 1 ? odd : even)[j] * 0.5f;
        out[i] = make_float4(deep::twice(x[j]), b * scale[i & 3], max(x[j], -3.0f), 1000 + 20 + 6 + 200);
    }
}
int main() { deep::outer::kernel<8, float><<<dim3(1, 2), 8>>>(0, 0, Pair(), true, dim3(), 0); cout << "done"; }
"#;
    let array = |name: &str, of: &str, length: u32, rest: &str| {
        format!("[[array]]\nname = \"{name}\"\ntype = \"{of}\"\nlength = {length}\n{rest}\n")
    };
    let arrays = [
        array("x", "float", 16, "value = \"random(-10, 10)\""),
        array("even", "float", 16, "value = \"i * 0.25f\""),
        array("odd", "float", 16, "value = \"even[15 - i]\""),
        array("rows", "pointer", 2, "value = \"i ? odd : even\""),
        array("bound", "pointer", 1, "value = \"x\"\nsymbol = \"input\""),
        array("factors", "float", 4, "value = \"i + 1\"\nsymbol = \"deep::scale\""),
        array("by", "int", 1, "value = 20\nsymbol = \"shift\""),
        array("out", "float4", 16, ""),
    ];
    let rest = r#"
[[launch]]
kernel = "outer::kernel<8>"
grid = [1, 2]
block = 8
shared = "8 * sizeof(float)"
args = ["out", "(float **)rows", "Pair{-3, 1000}", true, "dim3(5, 6)", 200]
[[reference]]
function = "expect"
args = ["out", "x", "even", "odd", "factors"]
[[check]]
array = "out"
"#;
    let description = format!("sources = [\"k.cu\"]\n{}{rest}", arrays.concat());
    passes(
        source,
        &description,
        &[
            "#5: thread -5| 2.35|00ff|x 7%\n",
            "#6: -6  |+6|FF|17|-5000000000|   ab|c  |2|+1.0e+10|0.1|-1|%y|%d\n",
        ],
    );
}

/// Each file has its own copy of what the device has in a header.
#[test]
fn files_share_a_header() {
    let header = "template <class T> __device__ __noinline__ T twice(T x) { return x + x; }\n\
                  __device__ __noinline__ int plus(int x) { return x + 1; }\n__constant__ int table[4] = {1, 2, 3, 4};\n";
    let source = |kernel: &str, sign: &str| {
        format!(
            "#include \"h.cuh\"\n__global__ void {kernel}(int *a) {{ int i = threadIdx.x; a[i] = twice(plus(a[i])) {sign} table[i & 3]; }}\n"
        )
    };
    let host = "void expect(int *a) { for (int i = 0; i < 8; i++) a[i] = ((i + 1) * 2 + i % 4 + 1 + 1) * 2 - (i % 4 + 1); }\n";
    let description = r#"
sources = ["a.cu", "b.cu"]
host = ["host.cpp"]
array = [{ name = "v", type = "int", length = 8, value = "i" }]
launch = [{ kernel = "ka", grid = 1, block = 8, args = ["v"] }, { kernel = "kb", grid = 1, block = 8, args = ["v"] }]
reference = [{ function = "expect", args = ["v"] }]
check = [{ array = "v" }]
"#;
    let header = format!("#pragma once\n{header}");
    let files =
        [("h.cuh", &*header), ("a.cu", &source("ka", "+")), ("b.cu", &source("kb", "-")), ("host.cpp", host)];
    let folder = folder(&[&files[..], &[("k.toml", description)]].concat());
    expect(&sim(folder.path(), &["k.toml"]), 0);
    let filled = "array = [{ name = \"t\", type = \"int\", length = 4, symbol = \"table\" }, {";
    std::fs::write(folder.path().join("k.toml"), description.replace("array = [{", filled)).unwrap();
    let output = sim(folder.path(), &["k.toml"]);
    expect(&output, 2);
    assert!(
        stderr(&output).contains("several files have a variable table of their own"),
        "{}",
        stderr(&output)
    );
    // What nothing is compared with is told.
    std::fs::write(folder.path().join("k.toml"), description.replace("check", "#")).unwrap();
    assert!(stderr(&sim(folder.path(), &["k.toml"])).contains("k.toml has no [[check]]: nothing but faults"));
}

/// What the host alone has is not compiled for the kernels, and the other way round, whatever has its name; loops are
/// unrolled, also those whose lanes go around unequally often.
#[test]
fn code_of_the_other_side_is_left_out() {
    let source = r#"
#include <vector>
std::vector<float> data;
__device__ __forceinline__ int one(int x) { return x + 1; }
__device__ __forceinline__ int next(int x)
{
#pragma GCC unroll 2
    for (int i = 0; i < 3; i++)
        x = one(x);
    return x;
}
void sum(int *to) { to[0] = data.size(); }
__global__ void total(int *out) { out[0] = __any_sync(1, 1); }
__global__ void k(int *out, int *data)
{
    int sum = 0, total = data[threadIdx.x];
#pragma unroll
    for (int i = 0; i < 4; i++)
        sum += i * total;
#pragma unroll 4
    for (int i = 0; i < total; i++) {
        if (i == 9)
            break;
        sum += i & 1 ? next(i) : -i;
    }
    out[threadIdx.x] = sum;
}
void expect(int *out, const int *data)
{
    for (int t = 0; t < 8; t++) {
        int total = data[t];
        out[t] = 6 * total;
        for (int i = 0; i < total && i < 9; i++)
            out[t] += i & 1 ? i + 3 : -i;
    }
}
"#;
    let description = r#"
sources = ["k.cu"]
array = [{ name = "out", type = "int", length = 8 }, { name = "in", type = "int", length = 8, value = "i * 5 % 12" }]
launch = [{ kernel = "k", grid = 1, block = 8, args = ["out", "in"] }]
reference = [{ function = "expect", args = ["out", "in"] }]
check = [{ array = "out" }]
"#;
    passes(source, description, &[]);
}

/// What is in std, in headers of C, and in other places than most programs have it.
#[test]
fn the_libraries() {
    let source = r#"
#include <stddef.h>
#include <stdint.h>
#include <getopt.h>
#include <cmath>
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <ostream>
#include <cublas_v2.h>
#include <thrust/sort.h>
#include <cub/cub.cuh>
struct Square {
    uint32_t side;
    // Host code, in a class that a kernel uses.
    friend std::ostream &operator<<(std::ostream &to, const Square &square) { return to << square.side << "²"; }
};
template <class F, class... T> __host__ __device__ float call(F &&f, T &&...x) { return f(std::forward<T>(x)...); }
__host__ __device__ std::pair<float, int> ordered(std::pair<float, int> a, std::pair<float, int> b)
{
    std::pair<float, int> none;
    return none == a || a < b ? std::move(a) : b;
}
template <int N> __host__ __device__ std::uint32_t power(std::uint32_t x);
template <> __host__ __device__ std::uint32_t power<2>(std::uint32_t x) { return x * Square{x}.side; }
__host__ __device__ float of_std(float x)
{
    float y = std::sqrt(std::abs(x)), z = std::numeric_limits<float>::max();
    std::size_t bytes = sizeof y;
    char below = (char)-bytes;
    std::swap(x, y);
    std::pair<float, int> p = ordered(std::make_pair(z, 2), std::pair<float, int>(x, 3));
    float was = std::exchange(p.first, 1.5f);
    y += call([](float a, const int &b) { return a * b; }, p.first, p.second) + (was != x && p != std::make_pair(1.5f, 3));
    static_assert(std::is_same_v<std::conditional_t<true, int, float>, int>, "as in C++");
    static_assert(ULLONG_MAX == 0 - 1ull && LLONG_MIN == -LLONG_MAX - 1, "of C");
    static_assert(std::is_integral<int>::value && std::is_integral_v<const bool> && !std::is_integral_v<Square>, "by type");
    static_assert(std::is_floating_point_v<double> && !std::is_floating_point<long>::value, "by type");
    static_assert(std::is_unsigned_v<unsigned char> && std::is_signed<long long>::value && !std::is_signed_v<bool>, "by type");
    static_assert(std::is_pointer<int *const>::value && !std::is_pointer_v<int> && !std::is_arithmetic_v<Square>, "by type");
    static_assert(std::is_same_v<std::common_type_t<const int, float>, std::remove_cv_t<const volatile float>>, "by type");
    static_assert(std::is_same_v<std::remove_reference_t<int &&>, int>, "by type");
    static_assert(std::is_same_v<uint32_t, unsigned> && std::is_same_v<int32_t, int>, "as on the host");
    return std::max(x, std::min(y, z)) + std::pow(x, 2.0f) + power<2>(3) + bytes + below
        + std::numeric_limits<char>::min();
}
// Each lane has numbers of another size.
__host__ __device__ void wide(uint64_t x, float *of, uint64_t *back)
{
    of[0] = (float)x;
    of[1] = (float)-(int64_t)x;
    back[0] = (uint64_t)(of[0] * 0.5f);
    back[1] = (uint64_t)(int64_t)(of[1] * 0.25f);
}
__global__ void kernel(const float *x, const uint64_t *bits, float *of, uint64_t *back)
{
    __shared__ extern float mine[];
    int warpSize = 1;
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    double3 p = make_double3(1, 2, 3);
    mine[threadIdx.x] = of_std(__ldg(x + i)) + (float)p.y * warpSize;
    __syncthreads();
    of[3 * i] = mine[threadIdx.x ^ 1];
    wide(bits[i], of + 3 * i + 1, back + 2 * i);
}
__global__ void lanes(int *out)
{
    clock_t begun = clock();
    out[threadIdx.x] = threadIdx.x / warpSize;
    __threadfence();
    if (clock() <= begun)
        out[threadIdx.x] = -1;
}
void no_warp(int *out)
{
    for (int i = 0; i < 4; i++)
        out[i] = 0;
}
void expect(const float *x, const uint64_t *bits, float *of, uint64_t *back)
{
    for (int i = 0; i < 64; i++) {
        of[3 * i] = of_std(x[i ^ 1]) + 2;
        wide(bits[i], of + 3 * i + 1, back + 2 * i);
    }
}
"#;
    let description = r#"
sources = ["k.cu"]
[[array]]
name = "x"
type = "float"
length = 64
value = "random(-10, 10)"
[[array]]
name = "bits"
type = "uint64_t"
length = 64
value = "((uint64_t)random(0, 4294967296.0) << 32 | (uint64_t)random(0, 4294967296.0)) >> (i + 1) % 64"
[[array]]
name = "of"
type = "float"
length = 192
[[array]]
name = "back"
type = "uint64_t"
length = 128
[[array]]
name = "warps"
type = "int"
length = 4
[[launch]]
kernel = "kernel"
grid = 8
block = 8
shared = "8 * sizeof(float)"
args = ["x", "bits", "of", "back"]
[[launch]]
kernel = "lanes"
grid = 1
block = 4
args = ["warps"]
[[reference]]
function = "expect"
args = ["x", "bits", "of", "back"]
[[check]]
array = "of"
tolerance = 1e-6
[[check]]
array = "back"
[[reference]]
function = "no_warp"
args = ["warps"]
[[check]]
array = "warps"
"#;
    passes(source, description, &[]);
}

/// Cooperative groups by both their names, and a class of the host with members that are called like a kernel's variables.
#[test]
fn the_groups() {
    let source = r#"
#include <cooperative_groups.h>
#include <string>
#include <vector>
namespace cg = cooperative_groups;
using namespace cooperative_groups;
class Log { std::string cta, grid; std::vector<int> mine; public: Log() { cta = "log"; } };
__device__ int bits(uint64_t x) { return 100 * __popcll(x) + 10 * __clzll(x) + __ffsll(x); }
__device__ void turn(thread_block cta, int *mine)
{
    unsigned from = cta.num_threads() - 1 - cta.thread_rank();
    int other = mine[from];
    cta.sync();
    mine[cta.thread_rank()] = other;
    sync(cta);
}
__global__ void kernel(int *out, long long *when)
{
    __shared__ int mine[12];
    cg::thread_block cta = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    dim3 at = cta.thread_index(), all(blockDim);
    uint3 place = threadIdx;
    mine[cta.thread_rank()] = 100 * cta.group_index().y + at.x + all.x * (at.y + all.y * at.z);
    cg::sync(cta);
    turn(cta, mine);
    int copy[2], zeros[2];
    memcpy(copy, mine + (cta.thread_rank() & ~1u), sizeof copy);
    memset(zeros, 0, sizeof zeros);
    out[grid.thread_rank()] = copy[cta.thread_rank() & 1] + zeros[at.x & 1] + __umul24(0xff000002, grid.size())
        + umin(at.x, 1) + umax(at.y, 2) + bits((uint64_t)place.x << (35 * place.z));
    when[grid.thread_rank()] = clock64() > 0 && grid.num_blocks() == 4;
}
void expect(int *out, long long *when)
{
    for (int i = 0; i < 48; i++) {
        int x = i % 2, y = i / 2 % 3, block = i / 12;
        out[i] = 100 * (block / 2) + 11 - i % 12 + 2 * 48 + (x < 1 ? x : 1) + (y < 2 ? 2 : y)
            + (x ? 100 + 10 * (i % 12 < 6 ? 63 : 28) + (i % 12 < 6 ? 1 : 36) : 640);
        when[i] = 1;
    }
}
int main() { Log log; kernel<<<dim3(2, 2), dim3(2, 3, 2)>>>(0, 0); }
"#;
    let description = r#"
sources = ["k.cu"]
[[array]]
name = "out"
type = "int"
length = 48
[[array]]
name = "when"
type = "long long"
length = 48
[[launch]]
kernel = "kernel"
grid = [2, 2]
block = [2, 3, 2]
args = ["out", "when"]
[[reference]]
function = "expect"
args = ["out", "when"]
[[check]]
array = "out"
[[check]]
array = "when"
"#;
    passes(source, description, &[]);
}

/// Functions of float, at random arguments and at their edges.
#[test]
fn mathematics() {
    let names = [
        ("sqrtf(fabsf(x))", "random(0, 1e6)"),
        ("expf(x)", "random(-110, 95)"),
        ("logf(fabsf(x))", "random(0, 20)"),
        ("powf(fabsf(x), y)", "random(0, 50)"),
        ("powf(x, 3)", "random(-50, 50)"),
        ("sinf(x)", "random(-20, 20)"),
        ("cosf(x * 1e6f)", "random(-2e5, 2e5)"),
        ("tanhf(x)", "random(-3, 3)"),
        ("floorf(x) + 2 * ceilf(x) + 4 * truncf(x) + 8 * roundf(x)", "random(-9, 9)"),
        ("rintf(x) + fmodf(x, 0.7f) + fminf(x, y) + fmaxf(x, y)", "random(-9, 9)"),
        ("asinf(x) + 2 * acosf(x)", "random(-1, 1)"),
        ("atanf(x) + 2 * atan2f(y, x)", "random(-9, 9)"),
        ("erff(x)", "random(-4, 4)"),
        ("erfcf(x) * expf(x * x)", "random(0, 9)"),
        ("sinhf(x) / coshf(x) + coshf(x)", "random(-4, 4)"),
        ("asinhf(x) + acoshf(fabsf(x) + 1) + atanhf(y / 6)", "random(-9, 9)"),
        ("expm1f(x) + 3 * log1pf(fabsf(x)) + cbrtf(x)", "random(-2, 2)"),
        ("hypotf(x, y) + fdimf(x, y)", "random(-9, 9)"),
        ("ldexpf(x, (int)(y * 60)) + (frexpf(x, &n) + n) + modff(x, &w) * w", "random(-9, 9)"),
        ("nearbyintf(x) + 3 * lrintf(y) + 5 * lroundf(y) + 7 * roundf(x * 0.49999997f)", "random(-2, 2)"),
        ("fmodf(x, y * 1e-40f) * 1e38f", "random(-1, 1)"),
        ("exp2f(x) + log10f(fabsf(x) + 1) + rsqrt(x)", "random(1, 9)"),
    ];
    let mut source = String::from("#include <math.h>\n#define rsqrt(x) (1 / sqrtf(x))\n");
    let mut description = String::from("sources = [\"k.cu\"]\n");
    for (number, (call, arguments)) in names.iter().enumerate() {
        source += &format!(
            "__host__ __device__ float f{number}(float x, float y) {{ int n = 0; float w = 0; return {call}; }}\n\
             __global__ void k{number}(const float *x, const float *y, float *z) {{ int i = blockIdx.x * blockDim.x + \
             threadIdx.x; z[i] = f{number}(x[i], y[i]); }}\n\
             void h{number}(const float *x, const float *y, float *z) {{ for (int i = 0; i < 64; i++) z[i] = f{number}(x[i], \
             y[i]); }}\n"
        );
        // Edges first.
        let value = |random: &str| {
            format!("i == 0 ? 0 : i == 1 ? -0.0f : i == 2 ? INFINITY : i == 3 ? 1 : i == 4 ? 1e-40f : i == 5 ? 88.5f : {random}")
        };
        let exact = |random: &str| {
            if [8, 9, names.len() - 1].contains(&number) {
                random.to_owned()
            } else {
                value(random)
            }
        };
        description += &format!(
            "[[array]]\nname = \"x{number}\"\ntype = \"float\"\nlength = 64\nvalue = \"{}\"\n\
             [[array]]\nname = \"y{number}\"\ntype = \"float\"\nlength = 64\nvalue = \"random(-5, 5)\"\n\
             [[array]]\nname = \"z{number}\"\ntype = \"float\"\nlength = 64\n\
             [[launch]]\nkernel = \"k{number}\"\ngrid = 4\nblock = 16\nargs = [\"x{number}\", \"y{number}\", \"z{number}\"]\n\
             [[reference]]\nfunction = \"h{number}\"\nargs = [\"x{number}\", \"y{number}\", \"z{number}\"]\n\
             [[check]]\narray = \"z{number}\"\ntolerance = 1e-6\n",
            exact(arguments)
        );
    }
    passes(&source, &description, &[]);
}

/// Intrinsics, beside what CUDA's guide says that they do.
#[test]
fn the_intrinsics() {
    let source = r#"
#include <math.h>
__global__ void kernel(const unsigned *in, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = in[2 * i], y = in[2 * i + 1], *o = out + 24 * i;
    float f = __uint_as_float(x), g = __uint_as_float(y), small = (int)x * 1e-7f, sine, cosine;
    unsigned long long wide = (unsigned long long)x << 32 | y;
    o[0] = __float_as_uint(__fadd_rn(__fmul_rn(small, small), -0.5f));
    o[1] = __float2int_rn(small);
    o[2] = __float2int_rz(small) + 10 * __float2int_rd(small) + 100 * __float2int_ru(small);
    o[3] = __float2uint_rz(f != f ? f : small);
    o[4] = __byte_perm(x, y, 0x1a6f) ^ __byte_perm(y, x, x);
    o[5] = __brev(x) + (unsigned)(__brevll(wide) >> 32);
    o[6] = (unsigned)__umul64hi(wide, wide ^ x);
    o[7] = (unsigned)(__umul64hi(wide, ~wide) >> 32);
    o[8] = __mulhi(x, y) + __umulhi(x, y);
    o[9] = __sad(x, y, 3) + 5 * __usad(x, y, 7);
    o[10] = __float_as_uint(__int2float_rn(x) + __uint2float_rn(y));
    __sincosf(small, &sine, &cosine);
    o[11] = fabsf(sine * sine + cosine * cosine - 1) < 1e-6f && fabsf(__frsqrt_rn(4 + small * small) * sqrtf(4 + small * small) - 1) < 1e-6f;
    o[12] = fabsf(sinpif(small) - sinf(small * 3.14159265f)) < 1e-4f && fabsf(cospif(small) - cosf(small * 3.14159265f)) < 1e-4f;
    o[13] = sinpif(x & 0xffffff) == 0 && cospif((x & 0xffff) + 0.5f) == 0 && cospif(x & 0xffffff) == (x & 1 ? -1 : 1);
    o[14] = __float_as_uint(__fdiv_rn(f, g)) == __float_as_uint(f / g) || f != f || g != g;
    o[15] = __float_as_uint(__fsub_rn(small, (int)y * 1e-7f));
    o[16] = __funnelshift_l(x, y, x >> 3) ^ __funnelshift_l(x, y, 0);
    o[17] = __funnelshift_r(x, y, y >> 5) ^ __funnelshift_r(x, y, 32);
    o[18] = __funnelshift_lc(x, y, x & 63) + __funnelshift_rc(x, y, y & 63);
    o[19] = __dp4a((int)x, (int)y, 5) ^ __dp4a(x, y, 9u);
    o[20] = __hadd(x, y) ^ __rhadd(x, y);
    o[21] = __uhadd(x, y) ^ __urhadd(x, y);
    o[22] = __popc(x) + 100 * __clz(x) + 10000 * __ffs(y) + 1000000 * (__clz(0) + __ffs(0) + __popc(~0u));
    o[23] = __ldcg(in + i) + __ldlu(in + i);
}
static unsigned word(float x) { union { float x; unsigned word; } of = {x}; return of.word; }
static unsigned permuted(unsigned x, unsigned y, unsigned selector)
{
    unsigned char bytes[8], result[4];
    memcpy(bytes, &x, 4);
    memcpy(bytes + 4, &y, 4);
    for (int i = 0; i < 4; i++) {
        unsigned digit = selector >> 4 * i & 15;
        result[i] = digit & 8 ? (signed char)bytes[digit & 7] >> 7 : bytes[digit];
    }
    memcpy(&x, result, 4);
    return x;
}
static unsigned long long reversed(unsigned long long x, int bits)
{
    unsigned long long result = 0;
    for (int i = 0; i < bits; i++)
        result |= (x >> i & 1) << (bits - 1 - i);
    return result;
}
static int whole(double x) { return x >= 2147483647.0 ? 2147483647 : x <= -2147483648.0 ? -2147483647 - 1 : (int)x; }
void expect(const unsigned *in, unsigned *out)
{
    for (int i = 0; i < 64; i++) {
        unsigned x = in[2 * i], y = in[2 * i + 1], *o = out + 24 * i;
        float small = (int)x * 1e-7f, other = (int)y * 1e-7f, f;
        unsigned long long wide = (unsigned long long)x << 32 | y;
        memcpy(&f, &x, 4);
        volatile float square = small * small;
        o[0] = word(square + -0.5f);
        o[1] = whole(rint(small));
        o[2] = whole(trunc(small)) + 10 * whole(floor(small)) + 100 * whole(ceil(small));
        o[3] = f != f || small < 0 ? 0 : (unsigned)small;
        o[4] = permuted(x, y, 0x1a6f) ^ permuted(y, x, x);
        o[5] = (unsigned)reversed(x, 32) + (unsigned)(reversed(wide, 64) >> 32);
        o[6] = (unsigned)((unsigned __int128)wide * (wide ^ x) >> 64);
        o[7] = (unsigned)((unsigned __int128)wide * ~wide >> 96);
        o[8] = (unsigned)((long long)(int)x * (int)y >> 32) + (unsigned)((unsigned long long)x * y >> 32);
        o[9] = (unsigned)llabs((long long)(int)x - (int)y) + 3 + 5 * ((x < y ? y - x : x - y) + 7);
        o[10] = word((float)(int)x + (float)y);
        o[11] = o[12] = o[13] = o[14] = 1;
        o[15] = word(small - other);
        unsigned long long both = (unsigned long long)y << 32 | x;
        unsigned l = x >> 3 & 31, r = y >> 5 & 31, lc = (x & 63) < 32 ? x & 63 : 32, rc = (y & 63) < 32 ? y & 63 : 32;
        o[16] = (unsigned)(both << l >> 32) ^ y;
        o[17] = (unsigned)(both >> r) ^ x;
        o[18] = (unsigned)(both << lc >> 32) + (unsigned)(both >> rc);
        int products = 5;
        unsigned without_sign = 9;
        for (int k = 0; k < 4; k++) {
            products += ((const signed char *)&x)[k] * ((const signed char *)&y)[k];
            without_sign += ((const unsigned char *)&x)[k] * ((const unsigned char *)&y)[k];
        }
        o[19] = (unsigned)products ^ without_sign;
        o[20] = (unsigned)(int)floor(((double)(int)x + (int)y) / 2) ^ (unsigned)(int)ceil(((double)(int)x + (int)y) / 2);
        o[21] = (unsigned)floor(((double)x + y) / 2) ^ (unsigned)ceil(((double)x + y) / 2);
        o[22] = __builtin_popcount(x) + 100 * (x ? __builtin_clz(x) : 32) + 10000 * __builtin_ffs((int)y) + 1000000 * (32 + 0 + 32);
        o[23] = 2 * in[i];
    }
}
"#;
    let description = r#"
sources = ["k.cu"]
[[array]]
name = "in"
type = "unsigned"
length = 128
value = "i < 8 ? 0x7fc00000 - i * 0x20000000 : (unsigned)random(0, 4294967296.0) >> i % 9"
[[array]]
name = "out"
type = "unsigned"
length = 1536
[[launch]]
kernel = "kernel"
grid = 4
block = 16
args = ["in", "out"]
[[reference]]
function = "expect"
args = ["in", "out"]
[[check]]
array = "out"
"#;
    passes(source, description, &[]);
}

/// A C file for this core has no parameters, but one word; its arrays are variables.
#[test]
fn kernels_for_this_core() {
    let source = "#include \"simt_grid.h\"\nuint32_t in[8] = {1}, out[8];\n\
                  SIMT_KERNEL(k) { out[threadIdx.x] = in[threadIdx.x] + arg; }\n";
    let description = "sources = [\"k.c\"]\n\
        [[array]]\nname = \"i_n\"\ntype = \"unsigned\"\nlength = 8\nfile = \"in.txt\"\nsymbol = \"in\"\n\
        [[array]]\nname = \"o_ut\"\ntype = \"unsigned\"\nlength = 8\nsymbol = \"out\"\n\
        [[launch]]\nkernel = \"k\"\ngrid = 1\nblock = 8\nargs = [7]\n\
        [[check]]\narray = \"o_ut\"\nfile = \"out.bin\"\n";
    let bytes: Vec<u8> = (0..8_u32).flat_map(|i| (i * i + 7).to_le_bytes()).collect();
    let folder = folder(&[("k.c", source), ("k.toml", description), ("in.txt", "0 1 4 9\n16 25 36 49\n")]);
    std::fs::write(folder.path().join("out.bin"), bytes).unwrap();
    expect(&sim(folder.path(), &["k.toml"]), 0);
}
