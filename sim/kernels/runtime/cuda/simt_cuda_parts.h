/* Whole numbers, exponents and remainders of float: exact, as C defines them. */
#ifndef SIMT_CUDA_PARTS_H
#define SIMT_CUDA_PARTS_H

/* The integer below, and the nearest one, of two the even one. */
static inline float simt_floor(float x)
{
    /* Larger numbers have no places behind the point. */
    if (!(simt_abs(x) < 8388608.0f))
        return x;
    float whole = (float)(int32_t)x;

    return __builtin_copysignf(whole > x ? whole - 1.0f : whole, x);
}

static inline float simt_nearest(float x)
{
    float whole;
    int32_t integer;

    if (!(simt_abs(x) < 8388608.0f))
        return x;
    __asm__("fcvt.w.s %0, %1, rne" : "=r"(integer) : "f"(x));
    whole = (float)integer;
    return __builtin_copysignf(whole, x);
}

/* Halves go away from 0. */
static inline float simt_round(float x)
{
    float whole = simt_floor(simt_abs(x));

    return __builtin_copysignf(simt_abs(x) - whole >= 0.5f ? whole + 1.0f : whole, x);
}

/* Whatever is subnormal before the last step is 0 behind it, so nothing is rounded twice. */
static inline float simt_scale(float x, int exponent)
{
    int left = exponent > 400 ? 400 : exponent < -400 ? -400 : exponent;

    for (; left > 127; left -= 127)
        x *= 1.70141183e38f; /* 2^127 */
    for (; left < -126; left += 102)
        x *= 1.97215226e-31f; /* 2^-102 */
    return x * simt_float_of_bits((uint32_t)(127 + left) << 23);
}

/* The number between 1/2 and 1, or 0, that is x without its exponent. */
static inline float simt_split(float x, int *exponent)
{
    bool is_subnormal = simt_abs(x) < FLT_MIN;
    uint32_t bits = simt_bits_of_float(is_subnormal ? x * 16777216.0f : x);

    *exponent = 0;
    if (x == 0.0f || !(simt_abs(x) < INFINITY))
        return x;
    *exponent = (int)(bits >> 23 & 0xff) - 126 - (is_subnormal ? 24 : 0);
    return simt_float_of_bits((bits & 0x807fffff) | 0x3f000000);
}

/* x less the whole multiple of y that is next towards 0. */
static inline float simt_remainder(float x, float y)
{
    if (x != x || y != y || y == 0.0f || simt_abs(x) == INFINITY)
        return NAN;
    float rest = simt_abs(x), by = simt_abs(y);
    int of_rest, of_by;

    simt_split(by, &of_by);
    /* Each step is exact: it takes off y times a power of two that is at most half too small. */
    while (rest >= by) {
        simt_split(rest, &of_rest);
        float part = simt_scale(by, of_rest - of_by);
        rest -= part > rest ? part * 0.5f : part;
    }
    return __builtin_copysignf(rest, x);
}

#endif
