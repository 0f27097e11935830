/* Inverse functions of the circle, hyperbolic functions and their inverses, the error function, roots. Errors are at most three
 * units in the last place, of erfc and normcdf six. Coefficients of polynomials are Chebyshev's for the interval that stands beside them. */
#ifndef SIMT_CUDA_INVERSE_H
#define SIMT_CUDA_INVERSE_H

#define SIMT_HALF_PI 1.57079637f
/* What pi / 2 has less than this float. */
#define SIMT_HALF_PI_REST -4.37113883e-8f

static inline float simt_atan(float x)
{
    float distance = simt_abs(x);
    /* of a quotient up to tan(pi / 8), and so many eighths of a circle: atan x = pi / 4 + atan((x - 1) / (x + 1)) and so on */
    bool far = distance > 2.41421356f, middle = distance > 0.414213562f;
    float eighths = far ? 1.0f : middle ? 0.5f : 0.0f;
    float r = (far ? -1.0f : middle ? distance - 1.0f : distance) / (far ? distance : middle ? distance + 1.0f : 1.0f);
    float square = r * r, p;

    p = simt_fma(-0.0645192821f, square, 0.107437315f);
    p = simt_fma(p, square, -0.142639556f);
    p = simt_fma(p, square, 0.199995405f);
    p = simt_fma(p, square, -0.333333318f);
    p = simt_fma(p * square, r, r) + eighths * SIMT_HALF_PI_REST;
    return __builtin_copysignf(simt_fma(eighths, SIMT_HALF_PI, p), x);
}

static inline float simt_atan2(float y, float x)
{
    float over = simt_abs(y), along = simt_abs(x);

    if (x != x || y != y)
        return NAN;
    /* Neither 0 / 0 nor infinity / infinity. */
    float angle = over == along ? (over == 0.0f ? 0.0f : 0.5f * SIMT_HALF_PI) : simt_atan(over / along);
    if (simt_bits_of_float(x) >> 31)
        angle = 2.0f * SIMT_HALF_PI - (angle - 2.0f * SIMT_HALF_PI_REST);
    return __builtin_copysignf(angle, y);
}

/* The arc sine of x up to 0.5, whose square is known. */
static inline float simt_asin_small(float x, float square)
{
    float p = simt_fma(0.0380850236f, square, 0.0265545422f);

    p = simt_fma(p, square, 0.0450013801f);
    p = simt_fma(p, square, 0.0749885507f);
    p = simt_fma(p, square, 0.166666724f);
    return simt_fma(p * square, x, x);
}

/* asin x = pi / 2 - 2 asin(sqrt((1 - x) / 2)) */
static inline float simt_asin(float x)
{
    float distance = simt_abs(x);
    bool small = distance <= 0.5f;
    float square = small ? x * x : simt_fma(distance, -0.5f, 0.5f);
    float part = simt_asin_small(small ? distance : simt_sqrt(square), square);

    return __builtin_copysignf(small ? part : SIMT_HALF_PI - simt_fma(2.0f, part, -SIMT_HALF_PI_REST), x);
}

static inline float simt_acos(float x)
{
    float distance = simt_abs(x);
    bool small = distance <= 0.5f;
    float square = small ? x * x : simt_fma(distance, -0.5f, 0.5f);
    float part = simt_asin_small(small ? x : simt_sqrt(square), square);

    if (small)
        return SIMT_HALF_PI - (part - SIMT_HALF_PI_REST);
    return x > 0.0f ? 2.0f * part : 2.0f * (SIMT_HALF_PI - (part - SIMT_HALF_PI_REST));
}

/* The error function of x between -1 and 1. */
static inline float simt_erf_small(float x)
{
    float square = x * x, p = simt_fma(7.87587506e-5f, square, -8.01686429e-4f);

    p = simt_fma(p, square, 5.18908742e-3f);
    p = simt_fma(p, square, -0.0268542120f);
    p = simt_fma(p, square, 0.112835947f);
    p = simt_fma(p, square, -0.376126267f);
    /* 2 / sqrt(pi) in two parts */
    return simt_fma(x, 1.12837911f, x * simt_fma(p, square, 5.6e-8f));
}

/* 1 - erf(x + rest) for x from 0.5 on, where the rest is small: e^(-x^2) times a polynomial of 1 / (1 + x / 2). */
static inline float simt_erfc_large(float x, float rest)
{
    float t = 2.0f / (2.0f + x), p, square = x * x;

    p = simt_fma(-0.0259241656f, t, 0.0478329775f);
    p = simt_fma(p, t, 0.0982107525f);
    p = simt_fma(p, t, -0.308780057f);
    p = simt_fma(p, t, 0.176231118f);
    p = simt_fma(p, t, 8.44255071e-3f);
    p = simt_fma(p, t, 0.195741493f);
    p = simt_fma(p, t, 0.243773404f);
    p = simt_fma(p, t, 0.282363934f);
    p = simt_fma(p, t, 0.282084670f);
    /* Beyond, there is no such number. */
    return x > 10.1f ? 0.0f : p * t * simt_exp_whole(-square, -simt_fma(x, x, -square) - 2.0f * x * rest);
}

static inline float simt_erf(float x)
{
    float distance = simt_abs(x);

    if (x != x)
        return x;
    return distance < 1.0f ? simt_erf_small(x) : __builtin_copysignf(1.0f - simt_erfc_large(distance, 0.0f), x);
}

static inline float simt_erfc(float x, float rest)
{
    if (x != x)
        return x;
    if (simt_abs(x) < 0.5f)
        return 1.0f - simt_erf_small(x);
    float above = simt_erfc_large(simt_abs(x), x < 0.0f ? -rest : rest);
    return x < 0.0f ? 2.0f - above : above;
}

/* The normal distribution's integral up to x: half of erfc(-x / sqrt(2)), with what that product loses. */
static inline float simt_normal_integral(float x)
{
    float product = x * -0.707106769f, rest = simt_fma(x, -0.707106769f, -product) + x * -1.21016175e-8f;

    return 0.5f * simt_erfc(product, simt_abs(x) < 20.0f ? rest : 0.0f);
}

static inline float simt_expm1(float x)
{
    float p = simt_fma(1.99448744e-4f, x, 1.39821860e-3f);

    p = simt_fma(p, x, 8.33323613e-3f);
    p = simt_fma(p, x, 0.0416657912f);
    p = simt_fma(p, x, 0.166666668f);
    p = simt_fma(p, x, 0.5f);
    return simt_abs(x) < 0.5f ? simt_fma(p * x, x, x) : simt_exp_whole(x, 0.0f) - 1.0f;
}

static inline float simt_log1p(float x)
{
    float sum = 1.0f + x;

    if (!(sum > 0.0f) || sum == INFINITY)
        return simt_log_of(sum);
    /* with what the sum loses */
    return sum == 1.0f ? x : simt_log_of(sum) + (x - (sum - 1.0f)) / sum;
}

static inline float simt_sinh(float x)
{
    float distance = simt_abs(x), square = x * x;
    float p = simt_fma(simt_fma(2.80628026e-6f, square, 1.98381020e-4f), square, 8.33333968e-3f);

    if (distance < 1.0f)
        return simt_fma(simt_fma(p, square, 0.166666666f) * square, x, x);
    float half = simt_exp_whole(distance > 80.0f ? 0.5f * distance : distance, 0.0f);
    return __builtin_copysignf(distance > 80.0f ? 0.5f * half * half : 0.5f * half - 0.5f / half, x);
}

static inline float simt_cosh(float x)
{
    float distance = simt_abs(x);
    float half = simt_exp_whole(distance > 80.0f ? 0.5f * distance : distance, 0.0f);

    return distance > 80.0f ? 0.5f * half * half : 0.5f * half + 0.5f / half;
}

static inline float simt_asinh(float x)
{
    float distance = simt_abs(x), square = x * x;
    float log = distance > 1e9f ? simt_log_of(distance) + 0.693147181f
                                : simt_log1p(distance + square / (1.0f + simt_sqrt(1.0f + square)));

    return __builtin_copysignf(log, x);
}

static inline float simt_acosh(float x)
{
    float above = x - 1.0f;

    return x > 1e9f ? simt_log_of(x) + 0.693147181f : simt_log1p(above + simt_sqrt(simt_fma(above, above, 2.0f * above)));
}

static inline float simt_atanh(float x)
{
    float distance = simt_abs(x);

    return __builtin_copysignf(0.5f * simt_log1p(2.0f * distance / (1.0f - distance)), x);
}

static inline float simt_cbrt(float x)
{
    float distance = simt_abs(x);

    if (!(distance > 0.0f && distance < INFINITY))
        return x;
    bool subnormal = distance < FLT_MIN;
    distance = subnormal ? distance * 16777216.0f : distance;
    /* A third of the exponent, and Newton's steps. */
    float root = simt_float_of_bits(simt_bits_of_float(distance) / 3 + 0x2a5119f2);
    for (int step = 0; step < 4; step++)
        root -= simt_fma(root * root, root, -distance) / (3.0f * root * root);
    return __builtin_copysignf(subnormal ? root * 0.00390625f : root, x);
}

static inline float simt_hypot(float x, float y)
{
    float large = simt_max(simt_abs(x), simt_abs(y)), small = simt_min(simt_abs(x), simt_abs(y));

    if (large == INFINITY || x != x || y != y)
        return large == INFINITY ? large : NAN;
    float scale = large > 1e18f ? 0x1p-64f : large < 1e-18f ? 0x1p100f : 1.0f;
    float unscale = large > 1e18f ? 0x1p64f : large < 1e-18f ? 0x1p-100f : 1.0f;
    large *= scale;
    small *= scale;
    return simt_sqrt(simt_fma(large, large, small * small)) * unscale;
}

SIMT_FLOAT(asin, simt_asin(x))
SIMT_FLOAT(acos, simt_acos(x))
SIMT_FLOAT(atan, simt_atan(x))
SIMT_FLOAT2(atan2, simt_atan2(x, y))
SIMT_FLOAT(sinh, simt_sinh(x))
SIMT_FLOAT(cosh, simt_cosh(x))
SIMT_FLOAT(asinh, simt_asinh(x))
SIMT_FLOAT(acosh, simt_acosh(x))
SIMT_FLOAT(atanh, simt_atanh(x))
SIMT_FLOAT(erf, simt_erf(x))
SIMT_FLOAT(erfc, simt_erfc(x, 0.0f))
SIMT_FLOAT(normcdf, simt_normal_integral(x))
SIMT_FLOAT(expm1, simt_expm1(x))
SIMT_FLOAT(log1p, simt_log1p(x))
SIMT_FLOAT(cbrt, simt_cbrt(x))
SIMT_FLOAT2(hypot, simt_hypot(x, y))
SIMT_FLOAT2(fdim, x <= y ? 0.0f : x - y)

#endif
