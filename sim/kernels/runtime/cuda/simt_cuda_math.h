/* Functions of float that CUDA has without a header. Errors are at most a few units in the last place. */
#ifndef SIMT_CUDA_MATH_H
#define SIMT_CUDA_MATH_H

#include "simt_math.h"

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define RAND_MAX 2147483647
#ifndef M_PI
#define M_PI 3.14159265f
#endif
#define SIMT_FLOAT(name, call) \
    static inline float name##f(float x) { return call; } \
    static inline float name(float x) { return call; }
#define SIMT_FLOAT2(name, call) \
    static inline float name##f(float x, float y) { return call; } \
    static inline float name(float x, float y) { return call; }

#include "simt_cuda_parts.h"

static inline float simt_infinite(bool minus) { return minus ? -INFINITY : INFINITY; }

/* e^(x + rest), where the rest is small. */
static inline float simt_exp_whole(float x, float rest)
{
    if (x != x)
        return x;
    if (x > 88.7228394f)
        return INFINITY;
    if (x < -103.972084f)
        return 0.0f;
    /* In two factors, of which the first is a normal number; the second rounds to a subnormal one. */
    float shift = x < -80.0f ? -23.0f : x > 80.0f ? 8.0f : 0.0f;
    float factor = x < -80.0f ? 1.02618796e-10f : x > 80.0f ? 2980.95799f : 1.0f;
    float near = simt_exp(x - shift);

    return simt_fma(near, rest, near) * factor;
}

/* The logarithm of a positive number, finite and normal, in two parts. */
static inline float simt_log_whole(float x, float *rest)
{
    uint32_t above = simt_bits_of_float(x) - 0x3f3504f3;
    float n = (float)((int32_t)above >> 23);
    float m = simt_float_of_bits((above & 0x007fffff) + 0x3f3504f3);
    /* s = (m - 1) / (m + 1) in two parts; what m + 1 loses too */
    float f = m - 1.0f, sum = m + 1.0f, lost = m - (sum - 1.0f);
    float s = f / sum, s_rest = (simt_fma(-s, sum, f) - s * lost) / sum;
    float square = s * s, p;

    p = 2.0f / 13;
    p = simt_fma(p, square, 2.0f / 11);
    p = simt_fma(p, square, 2.0f / 9);
    p = simt_fma(p, square, 2.0f / 7);
    p = simt_fma(p, square, 2.0f / 5);
    p = simt_fma(p, square, 2.0f / 3);
    p = p * square * s + 2.0f * s_rest;
    /* n ln 2 + 2 s, of which ln 2 in parts of few bits; each sum with what it loses */
    float big = n * 0.693359375f, small = simt_fma(n, -2.12194440e-4f, p);
    float first = big + 2.0f * s;
    float lost_first = big == 0.0f ? 0.0f : 2.0f * s - (first - big);
    float whole = first + (small + lost_first);

    *rest = (first - whole) + (small + lost_first);
    return whole;
}

static inline float simt_log_of(float x)
{
    float rest, scale = 0.0f;

    if (x != x || x < 0.0f)
        return NAN;
    if (x == 0.0f || x == INFINITY)
        return simt_infinite(x == 0.0f);
    if (x < FLT_MIN) {
        x *= 8388608.0f;
        scale = 15.9423847f; /* 23 ln 2 */
    }
    float whole = simt_log_whole(x, &rest);

    return scale == 0.0f ? whole : whole - scale;
}

/* x^y for any x and y, as C defines it. */
static inline float simt_power(float x, float y)
{
    float whole = simt_nearest(y), rest, log, product;
    bool integer = whole == y, odd = integer && simt_abs(y) < 16777216.0f && ((int32_t)y & 1);
    bool minus = (simt_bits_of_float(x) >> 31) && odd;

    if (y == 0.0f || x == 1.0f)
        return 1.0f;
    if (x != x || y != y)
        return NAN;
    x = x < 0.0f && !integer && x != -INFINITY ? NAN : simt_abs(x);
    if (x != x)
        return x;
    if (x == 0.0f || x == INFINITY)
        return (x == 0.0f) == (y < 0.0f) ? simt_infinite(minus) : minus ? -0.0f : 0.0f;
    if (simt_abs(y) == INFINITY)
        return x == 1.0f ? 1.0f : (x > 1.0f) == (y > 0.0f) ? INFINITY : 0.0f;
    float scale = x < FLT_MIN ? -15.9423847f : 0.0f;
    log = simt_log_whole(x < FLT_MIN ? x * 8388608.0f : x, &rest) + scale;
    product = y * log;
    rest = simt_abs(product) < 200.0f ? simt_fma(y, log, -product) + y * rest : 0.0f;
    product = simt_exp_whole(product, rest);
    return minus ? -product : product;
}

/* x less the nearest multiple of pi / 2, and the last two bits of that multiple. */
static inline float simt_quadrant(float x, uint32_t *quadrant)
{
    if (simt_abs(x) < 10000.0f) {
        int32_t n;

        __asm__("fcvt.w.s %0, %1, rne" : "=r"(n) : "f"(x * 0.636619772f));
        *quadrant = (uint32_t)n;
        /* pi / 2 in parts of few bits, so that the first products are exact */
        float m = (float)n, r = simt_fma(m, -1.5703125f, x);
        r = simt_fma(m, -4.83751297e-4f, r);
        return simt_fma(m, -7.5497901264e-8f, r);
    }
    /* The mantissa times the digits of 2 / pi that matter for the exponent (Payne and Hanek): those whose products are
     * multiples of 4 do not. 32 zeros stand before the digits. */
    static const uint32_t two_over_pi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                           0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
    uint32_t bits = simt_bits_of_float(simt_abs(x)), mantissa = (bits & 0x7fffff) | 0x800000;
    uint32_t first = (bits >> 23) - 150 + 30, at = first / 32, shift = first % 32;
    uint32_t high = two_over_pi[at], middle = two_over_pi[at + 1], low = two_over_pi[at + 2];
    if (shift) {
        high = high << shift | middle >> (32 - shift);
        middle = middle << shift | low >> (32 - shift);
        low = low << shift | two_over_pi[at + 3] >> (32 - shift);
    }
    /* Two bits before the point, 62 behind it. */
    uint64_t product = ((uint64_t)(mantissa * high) << 32) + (uint64_t)mantissa * middle + ((uint64_t)mantissa * low >> 32);
    uint32_t nearest = (uint32_t)((product >> 32) + 0x20000000) >> 30;
    product -= (uint64_t)(nearest << 30) << 32;
    /* pi / 2 in units of the last bit */
    float r = ((float)(int32_t)(product >> 32) * 4294967296.0f + (float)(uint32_t)product) * 3.40612158e-19f;
    *quadrant = x < 0.0f ? -nearest : nearest;
    return x < 0.0f ? -r : r;
}

/* The sine of x and so many quarters of a circle. */
static inline float simt_circle(float x, uint32_t quarters)
{
    uint32_t quadrant;

    if (!(simt_abs(x) < INFINITY))
        return NAN;
    float r = simt_quadrant(x, &quadrant), square = r * r, sine, cosine;
    quadrant += quarters;
    sine = simt_fma(-1.9515295891e-4f, square, 8.3321608736e-3f);
    sine = simt_fma(sine, square, -1.6666654611e-1f);
    sine = simt_fma(sine * square, r, r);
    cosine = simt_fma(2.443315711809948e-5f, square, -1.388731625493765e-3f);
    cosine = simt_fma(cosine, square, 4.166664568298827e-2f);
    cosine = simt_fma(cosine * square, square, simt_fma(square, -0.5f, 1.0f));
    float value = quadrant & 1 ? cosine : sine;
    return quadrant & 2 ? -value : value;
}

/* The same of pi x: whole quarters are taken off before pi comes in. */
static inline float simt_circle_of_pi(float x, uint32_t quarters)
{
    float whole = simt_abs(x) < 16777216.0f ? simt_nearest(2.0f * x) : 2.0f * x;

    quarters += simt_abs(x) < 16777216.0f ? (uint32_t)(int32_t)whole : 0;
    return simt_circle((x - 0.5f * whole) * 3.14159265f, quarters);
}

static inline float simt_tanh(float x)
{
    float square = x * x;

    if (simt_abs(x) < 0.25f)
        return x * simt_fma(square, simt_fma(square, simt_fma(square, -17.0f / 315, 2.0f / 15), -1.0f / 3), 1.0f);
    return __builtin_copysignf(1.0f - 2.0f / (simt_exp_whole(2.0f * simt_abs(x), 0.0f) + 1.0f), x);
}

SIMT_FLOAT(sqrt, simt_sqrt(x))
SIMT_FLOAT(rsqrt, 1.0f / simt_sqrt(x))
SIMT_FLOAT(fabs, simt_abs(x))
SIMT_FLOAT(exp, simt_exp_whole(x, 0.0f))
SIMT_FLOAT(exp2, simt_power(2.0f, x))
SIMT_FLOAT(exp10, simt_power(10.0f, x))
SIMT_FLOAT(log, simt_log_of(x))
SIMT_FLOAT(log2, simt_log_of(x) * 1.44269504f)
SIMT_FLOAT(log10, simt_log_of(x) * 0.434294482f)
SIMT_FLOAT(sin, simt_circle(x, 0))
SIMT_FLOAT(cos, simt_circle(x, 1))
SIMT_FLOAT(tan, simt_circle(x, 0) / simt_circle(x, 1))
SIMT_FLOAT(tanh, simt_tanh(x))
SIMT_FLOAT(floor, simt_floor(x))
SIMT_FLOAT(ceil, -simt_floor(-x))
SIMT_FLOAT(trunc, __builtin_copysignf(simt_floor(simt_abs(x)), x))
SIMT_FLOAT(rint, simt_nearest(x))
SIMT_FLOAT(nearbyint, simt_nearest(x))
SIMT_FLOAT(round, simt_round(x))
SIMT_FLOAT(sinpi, simt_circle_of_pi(x, 0))
SIMT_FLOAT(cospi, simt_circle_of_pi(x, 1))
SIMT_FLOAT2(pow, simt_power(x, y))
SIMT_FLOAT2(fmod, simt_remainder(x, y))
SIMT_FLOAT2(fmin, simt_min(x, y))
SIMT_FLOAT2(fmax, simt_max(x, y))
SIMT_FLOAT2(copysign, __builtin_copysignf(x, y))
#include "simt_cuda_inverse.h"
static inline float fmaf(float x, float y, float z) { return simt_fma(x, y, z); }
static inline float fma(float x, float y, float z) { return simt_fma(x, y, z); }
static inline void sincosf(float x, float *sine, float *cosine)
{
    *sine = sinf(x);
    *cosine = cosf(x);
}
static inline void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }

static inline float ldexpf(float x, int exponent) { return simt_scale(x, exponent); }
static inline float ldexp(float x, int exponent) { return simt_scale(x, exponent); }
static inline float frexpf(float x, int *exponent) { return simt_split(x, exponent); }
static inline float frexp(float x, int *exponent) { return simt_split(x, exponent); }
static inline float modff(float x, float *whole)
{
    *whole = truncf(x);
    return __builtin_copysignf(simt_abs(x) < INFINITY ? x - *whole : x == x ? 0.0f : x, x);
}
static inline float modf(float x, float *whole) { return modff(x, whole); }
static inline long lrintf(float x) { return (long)simt_nearest(x); }
static inline long lrint(float x) { return (long)simt_nearest(x); }
static inline long lroundf(float x) { return (long)simt_round(x); }
static inline long lround(float x) { return (long)simt_round(x); }

static inline int abs(int x) { return x < 0 ? -x : x; }
static inline float abs(float x) { return simt_abs(x); }
static inline long abs(long x) { return x < 0 ? -x : x; }
static inline long long abs(long long x) { return x < 0 ? -x : x; }
static inline bool signbit(float x) { return simt_bits_of_float(x) >> 31; }
static inline bool isnan(float x) { return x != x; }
static inline bool isinf(float x) { return simt_abs(x) == INFINITY; }
static inline bool isfinite(float x) { return simt_abs(x) < INFINITY; }
static inline float min(float x, float y) { return simt_min(x, y); }
static inline float max(float x, float y) { return simt_max(x, y); }
template <class A, class B> static inline auto min(A x, B y) -> decltype(x < y, x + y) { return x < y ? x : y; }
template <class A, class B> static inline auto max(A x, B y) -> decltype(x < y, x + y) { return x < y ? y : x; }

#endif
