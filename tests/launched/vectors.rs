//! `helper_math.h` of CUDA's samples, under its older name too, against the same written out number by number.

use super::{folder, sim};
use crate::sim_cli::expect;

const SOURCE: &str = r#"
#include "helper_math.h"
#define COUNT 34
__device__ void put(float *&to, float x) { *to++ = x; }
__device__ void put(float *&to, float2 a) { put(to, a.x), put(to, a.y); }
__device__ void put(float *&to, float3 a) { put(to, make_float2(a)), put(to, a.z); }
__device__ void put(float *&to, float4 a) { put(to, make_float3(a)), put(to, a.w); }

__global__ void vectors(const float4 *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 a = in[2 * i], b = in[2 * i + 1], c = a;
    float3 u = make_float3(a), v = make_float3(b.x, b.y, b.z);
    float *to = out + COUNT * i;

    c *= 2, c -= b, c /= 0.5f, c += 1;
    put(to, c);
    put(to, cross(u, v));
    put(to, normalize(u));
    put(to, reflect(v, normalize(u)));
    put(to, dot(a, b));
    put(to, length(make_float2(u)));
    put(to, clamp(a, -0.5f, b.w));
    put(to, lerp(u, -v, 0.25f));
    put(to, fminf(make_float2(u), make_float2(v)) + 1.0f / fmaxf(make_float2(u), make_float2(3)));
    put(to, floorf(4 * a));
    put(to, fabs(make_float2(v)) + fracf(make_float2(u)));
    put(to, make_float2(smoothstep(-1, 1, a.x), make_float2(make_int2(make_uint2(5, 6))).y));
}

__global__ void integers(const int4 *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int4 a = in[i];
    uint3 b = make_uint3(make_int3(a));

    b += 3u;
    b = max(b, make_uint3(7)) * make_uint3(2, 3, 4);
    a = clamp(-a, make_int4(-3), make_int4(1, 2, 3, 4));
    int2 c = abs(make_int2(a.x, a.y)) - 1;
    int *to = out + 9 * i;
    to[0] = b.x, to[1] = b.y, to[2] = b.z, to[3] = a.x, to[4] = a.y, to[5] = a.z, to[6] = a.w, to[7] = c.x, to[8] = dot(c, c);
}
"#;

const HOST: &str = r#"
#include <cutil_math.h>
#define COUNT 34
static float inside(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
void of_vectors(const float *in, float *out, int threads)
{
    for (int i = 0; i < threads; i++) {
        const float *a = in + 8 * i, *b = a + 4;
        float *to = out + COUNT * i, l3 = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), along = 0, t = (a[0] + 1) / 2;
        for (int k = 0; k < 4; k++)
            *to++ = (a[k] * 2 - b[k]) * 2 + 1;
        for (int k = 0; k < 3; k++)
            *to++ = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
        for (int k = 0; k < 3; k++)
            *to++ = a[k] / l3, along += a[k] / l3 * b[k];
        for (int k = 0; k < 3; k++)
            *to++ = b[k] - 2 * a[k] / l3 * along;
        *to++ = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        *to++ = sqrtf(a[0] * a[0] + a[1] * a[1]);
        for (int k = 0; k < 4; k++)
            *to++ = inside(a[k], -0.5f, b[3]);
        for (int k = 0; k < 3; k++)
            *to++ = a[k] + 0.25f * (-b[k] - a[k]);
        for (int k = 0; k < 2; k++)
            *to++ = (a[k] < b[k] ? a[k] : b[k]) + 1 / (a[k] > 3 ? a[k] : 3);
        for (int k = 0; k < 4; k++)
            *to++ = floorf(4 * a[k]);
        for (int k = 0; k < 2; k++)
            *to++ = fabsf(b[k]) + (a[k] - floorf(a[k]));
        *to++ = t * t * (3 - 2 * t);
        *to++ = length(make_float2(0, 6));
    }
}
void of_integers(const int *in, int *out, int threads)
{
    for (int i = 0; i < threads; i++) {
        const int *a = in + 4 * i;
        int *to = out + 9 * i;
        for (int k = 0; k < 3; k++)
            to[k] = ((unsigned)a[k] + 3 > 7 ? a[k] + 3 : 7) * (k + 2);
        for (int k = 0; k < 4; k++)
            to[3 + k] = inside(-a[k], -3, k + 1);
        to[7] = abs(to[3]) - 1, to[8] = to[7] * to[7] + (abs(to[4]) - 1) * (abs(to[4]) - 1);
    }
}
"#;

const DESCRIPTION: &str = r#"
sources = ["vec.cu"]
host = ["host.c"]
[[array]]
name = "in"
type = "float4"
length = 128
value = "make_float4(random(-1, 1), random(-1, 1), random(-1, 1), random(0, 1))"
[[array]]
name = "out"
type = "float"
length = "64 * 34"
[[array]]
name = "numbers"
type = "int4"
length = 64
value = "make_int4(random(-9, 9), random(-9, 9), random(-9, 9), random(-9, 9))"
[[array]]
name = "found"
type = "int"
length = "64 * 9"
[[launch]]
kernel = "vectors"
grid = 4
block = 16
args = ["in", "out"]
[[launch]]
kernel = "integers"
grid = 4
block = 16
args = ["numbers", "found"]
[[reference]]
function = "of_vectors"
args = ["(float *)in", "out", "64"]
[[reference]]
function = "of_integers"
args = ["(int *)numbers", "found", "64"]
[[check]]
array = "out"
tolerance = 1e-6
[[check]]
array = "found"
"#;

#[test]
fn vectors_have_their_arithmetic() {
    let folder = folder(&[("vec.cu", SOURCE), ("host.c", HOST), ("vec.toml", DESCRIPTION)]);
    expect(&sim(folder.path(), &["vec.toml"]), 0);
    // The check can fail.
    let other = HOST.replace("a[k] * 2 - b[k]", "a[k] * 3 - b[k]");
    std::fs::write(folder.path().join("host.c"), other).unwrap();
    expect(&sim(folder.path(), &["vec.toml"]), 1);
}
