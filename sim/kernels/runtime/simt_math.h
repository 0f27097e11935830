/* Elementary functions without branches, so that they can be used in any lane. Accurate to a few units in the
 * last place; arguments must be finite, those of the logarithm normal and positive. */
#ifndef SIMT_MATH_H
#define SIMT_MATH_H

#include "simt.h"

/* e^x, for results that are normal numbers: x is kept between -87 and 88. */
static inline float simt_exp(float x)
{
    float n, r, p;
    int32_t exponent;

    x = simt_min(simt_max(x, -87.0f), 88.0f);
    /* x = n ln 2 + r with |r| <= (ln 2) / 2; ln 2 in two parts, the first of few bits, so that r is exact */
    __asm__("fcvt.w.s %0, %1, rne" : "=r"(exponent) : "f"(x * 1.44269504f));
    n = (float)exponent;
    r = simt_fma(n, -0.693359375f, x);
    r = simt_fma(n, 2.12194440e-4f, r);
    /* the exponential series */
    p = 1.0f / 5040;
    p = simt_fma(p, r, 1.0f / 720);
    p = simt_fma(p, r, 1.0f / 120);
    p = simt_fma(p, r, 1.0f / 24);
    p = simt_fma(p, r, 1.0f / 6);
    p = simt_fma(p, r, 0.5f);
    p = simt_fma(p, r, 1.0f);
    p = simt_fma(p, r, 1.0f);
    return p * simt_float_of_bits((uint32_t)(exponent + 127) << 23);
}

/* The natural logarithm. */
static inline float simt_log(float x)
{
    /* x = m 2^n with m between sqrt(1/2), whose bits these are, and sqrt(2) */
    uint32_t above = simt_bits_of_float(x) - 0x3f3504f3;
    float n = (float)((int32_t)above >> 23);
    float m = simt_float_of_bits((above & 0x007fffff) + 0x3f3504f3);
    /* ln m = 2 artanh s, a series of odd powers */
    float s = (m - 1.0f) / (m + 1.0f), square = s * s, p;

    p = 1.0f / 11;
    p = simt_fma(p, square, 1.0f / 9);
    p = simt_fma(p, square, 1.0f / 7);
    p = simt_fma(p, square, 1.0f / 5);
    p = simt_fma(p, square, 1.0f / 3);
    p = simt_fma(p * square, s, s);
    p = simt_fma(n, -1.06097220e-4f, p); /* half of n times the small part of ln 2 */
    return simt_fma(n, 0.693359375f, 2.0f * p);
}

/* The normal distribution's integral up to x (Abramowitz and Stegun, 26.2.17). */
static inline __attribute__((always_inline)) float simt_normal(float x)
{
    float distance = simt_abs(x);
    float k = 1.0f / (1.0f + 0.2316419f * distance);
    float density = 0.39894228f * simt_exp(-0.5f * distance * distance);
    float series = 1.330274429f;

    series = series * k - 1.821255978f;
    series = series * k + 1.781477937f;
    series = series * k - 0.356563782f;
    series = series * k + 0.319381530f;
    float beyond = density * series * k;
    return simt_select_float(x < 0.0f, beyond, 1.0f - beyond);
}

/* The cosine of that many turns of a circle, up to 2^22. */
static inline float simt_cos_of_turns(float turns)
{
    int32_t whole;
    float rest, square, p;

    __asm__("fcvt.w.s %0, %1, rne" : "=r"(whole) : "f"(turns));
    /* within pi / 2 of a quarter turn, where the series is short */
    rest = (simt_abs(turns - (float)whole) - 0.25f) * 6.28318531f;
    square = rest * rest;
    /* cos(b + pi / 2) = -sin b */
    p = -1.0f / 39916800;
    p = simt_fma(p, square, 1.0f / 362880);
    p = simt_fma(p, square, -1.0f / 5040);
    p = simt_fma(p, square, 1.0f / 120);
    p = simt_fma(p, square, -1.0f / 6);
    p = simt_fma(p * square, rest, rest);
    return -p;
}

#endif
