/* Floating-point numbers of 16 bits, on the core and on the host. They are stored as such and computed as float. A sum, product,
 * quotient or root that is rounded to float and then to 16 bits is the exact one rounded: float has more than twice the places.
 */
#ifndef SIMT_CUDA_FLOAT16_H
#define SIMT_CUDA_FLOAT16_H

/* IEEE 754's binary16: 5 bits of exponent. */
struct simt_binary16 {
    static float value(uint32_t bits)
    {
        /* The exponents differ by 112. What the multiplication makes of infinity and NaN is put right. */
        uint32_t magnitude = bits & 0x7fff;
        uint32_t word = simt_bits_of_float(simt_float_of_bits(magnitude << 13) * 5.19229686e33f);

        return simt_float_of_bits(word | (magnitude >= 0x7c00 ? 0x7f800000u : 0u) | (bits & 0x8000) << 16);
    }
    static uint16_t round(float x)
    {
        uint32_t sign = simt_bits_of_float(x) >> 16 & 0x8000, word = simt_bits_of_float(x) & 0x7fffffff;

        /* Half of the last place is added, less one if that is even. */
        uint32_t normal = (word + 0xc8000fff + (word >> 13 & 1)) >> 13;
        /* The sum with 0.5 has as many places as a subnormal number. */
        uint32_t subnormal = simt_bits_of_float(simt_float_of_bits(word) + 0.5f) - 0x3f000000;
        uint32_t finite = word < 0x38800000 ? subnormal : normal;

        return (uint16_t)(word > 0x7f800000 ? 0x7fff : sign | (word >= 0x47800000 ? 0x7c00 : finite));
    }
};

/* The upper half of a float. */
struct simt_bfloat16 {
    static float value(uint32_t bits) { return simt_float_of_bits(bits << 16); }
    static uint16_t round(float x)
    {
        uint32_t word = simt_bits_of_float(x);

        return (uint16_t)(x != x ? 0x7fff : (word + 0x7fff + (word >> 16 & 1)) >> 16);
    }
};

/* x y + z, rounded to odd: if it is not exact, its last bit is 1, so that it may be rounded again. The product is exact, unless
 * it underflows as float. */
static inline float simt_float16_fma(float x, float y, float z)
{
    float product = x * y, sum = fmaf(x, y, z), other = sum - product;
    float rest = (product - (sum - other)) + (z - other);
    uint32_t word = simt_bits_of_float(sum);
    bool to_odd = !(word & 1) && rest != 0.0f && rest == rest;

    return simt_float_of_bits(to_odd ? word + ((rest > 0.0f) == (sum > 0.0f) ? 1 : -1) : word);
}

#define SIMT_FLOAT16_OPERATION(name, sign)                                      \
    friend inline simt_float16 name(simt_float16 x, simt_float16 y) { return (float)x sign (float)y; } \
    friend inline simt_float16 name##_rn(simt_float16 x, simt_float16 y) { return (float)x sign (float)y; } \
    friend inline simt_float16 operator sign(simt_float16 x, simt_float16 y) { return (float)x sign (float)y; } \
    friend inline simt_float16 &operator sign##=(simt_float16 &x, simt_float16 y) { return x = x sign y; }
#define SIMT_FLOAT16_COMPARISON(name, sign)                                     \
    friend inline bool name(simt_float16 x, simt_float16 y) { return (float)x sign (float)y; } \
    friend inline bool operator sign(simt_float16 x, simt_float16 y) { return (float)x sign (float)y; }
#define SIMT_FLOAT16_FUNCTION(name, call)                                       \
    friend inline simt_float16 name(simt_float16 number) { float x = number; return call; }

template <class Format> struct simt_float16 {
    uint16_t bits;

    simt_float16() = default;
    simt_float16(float x) : bits(Format::round(x)) {}
    template <class Number> simt_float16(Number x) : simt_float16((float)x) {}
    operator float() const { return Format::value(bits); }
    static simt_float16 of_bits(uint16_t bits)
    {
        simt_float16 number;

        number.bits = bits;
        return number;
    }

    SIMT_FLOAT16_OPERATION(__hadd, +)
    SIMT_FLOAT16_OPERATION(__hsub, -)
    SIMT_FLOAT16_OPERATION(__hmul, *)
    SIMT_FLOAT16_OPERATION(__hdiv, /)
    SIMT_FLOAT16_COMPARISON(__heq, ==)
    SIMT_FLOAT16_COMPARISON(__hne, !=)
    SIMT_FLOAT16_COMPARISON(__hlt, <)
    SIMT_FLOAT16_COMPARISON(__hle, <=)
    SIMT_FLOAT16_COMPARISON(__hgt, >)
    SIMT_FLOAT16_COMPARISON(__hge, >=)
    SIMT_FLOAT16_FUNCTION(operator+, x)
    SIMT_FLOAT16_FUNCTION(operator-, -x)
    SIMT_FLOAT16_FUNCTION(__hneg, -x)
    SIMT_FLOAT16_FUNCTION(__habs, fabsf(x))
    SIMT_FLOAT16_FUNCTION(hsqrt, sqrtf(x))
    SIMT_FLOAT16_FUNCTION(hrsqrt, 1.0f / sqrtf(x))
    SIMT_FLOAT16_FUNCTION(hrcp, 1.0f / x)
    SIMT_FLOAT16_FUNCTION(hexp, expf(x))
    SIMT_FLOAT16_FUNCTION(hexp2, exp2f(x))
    SIMT_FLOAT16_FUNCTION(hlog, logf(x))
    SIMT_FLOAT16_FUNCTION(hlog2, log2f(x))
    SIMT_FLOAT16_FUNCTION(hlog10, log10f(x))
    SIMT_FLOAT16_FUNCTION(hsin, sinf(x))
    SIMT_FLOAT16_FUNCTION(hcos, cosf(x))
    SIMT_FLOAT16_FUNCTION(htanh, tanhf(x))
    SIMT_FLOAT16_FUNCTION(hfloor, floorf(x))
    SIMT_FLOAT16_FUNCTION(hceil, ceilf(x))
    SIMT_FLOAT16_FUNCTION(htrunc, truncf(x))
    SIMT_FLOAT16_FUNCTION(hrint, rintf(x))
    friend inline bool __hisnan(simt_float16 x) { return x != x; }
    friend inline simt_float16 __hmin(simt_float16 x, simt_float16 y) { return fminf(x, y); }
    friend inline simt_float16 __hmax(simt_float16 x, simt_float16 y) { return fmaxf(x, y); }
    friend inline simt_float16 __hfma(simt_float16 x, simt_float16 y, simt_float16 z) { return simt_float16_fma(x, y, z); }
};

#define SIMT_FLOAT16_PAIR_OPERATION(name, sign)                                 \
    friend inline simt_float16_pair name(simt_float16_pair p, simt_float16_pair q) { return {p.x sign q.x, p.y sign q.y}; } \
    friend inline simt_float16_pair name##_rn(simt_float16_pair p, simt_float16_pair q) { return {p.x sign q.x, p.y sign q.y}; } \
    friend inline simt_float16_pair operator sign(simt_float16_pair p, simt_float16_pair q) { return {p.x sign q.x, p.y sign q.y}; } \
    friend inline simt_float16_pair &operator sign##=(simt_float16_pair &p, simt_float16_pair q) { return p = p sign q; }
/* 1 or 0 in each place; and whether it is so in both. */
#define SIMT_FLOAT16_PAIR_COMPARISON(name, sign)                                \
    friend inline simt_float16_pair __h##name##2(simt_float16_pair p, simt_float16_pair q) { return {p.x sign q.x, p.y sign q.y}; } \
    friend inline bool __hb##name##2(simt_float16_pair p, simt_float16_pair q) { return p.x sign q.x && p.y sign q.y; }
#define SIMT_FLOAT16_PAIR_FUNCTION(name, call)                                  \
    friend inline simt_float16_pair name(simt_float16_pair p) { return {call(p.x), call(p.y)}; }

/* Two of them in a word. */
template <class Small> struct alignas(4) simt_float16_pair {
    Small x, y;

    simt_float16_pair() = default;
    simt_float16_pair(Small x, Small y) : x(x), y(y) {}

    SIMT_FLOAT16_PAIR_OPERATION(__hadd2, +)
    SIMT_FLOAT16_PAIR_OPERATION(__hsub2, -)
    SIMT_FLOAT16_PAIR_OPERATION(__hmul2, *)
    SIMT_FLOAT16_PAIR_OPERATION(__h2div, /)
    SIMT_FLOAT16_PAIR_COMPARISON(eq, ==)
    SIMT_FLOAT16_PAIR_COMPARISON(ne, !=)
    SIMT_FLOAT16_PAIR_COMPARISON(lt, <)
    SIMT_FLOAT16_PAIR_COMPARISON(le, <=)
    SIMT_FLOAT16_PAIR_COMPARISON(gt, >)
    SIMT_FLOAT16_PAIR_COMPARISON(ge, >=)
    SIMT_FLOAT16_PAIR_FUNCTION(operator-, -)
    SIMT_FLOAT16_PAIR_FUNCTION(__hneg2, -)
    SIMT_FLOAT16_PAIR_FUNCTION(__habs2, __habs)
    SIMT_FLOAT16_PAIR_FUNCTION(h2sqrt, hsqrt)
    SIMT_FLOAT16_PAIR_FUNCTION(h2rsqrt, hrsqrt)
    SIMT_FLOAT16_PAIR_FUNCTION(h2rcp, hrcp)
    SIMT_FLOAT16_PAIR_FUNCTION(h2exp, hexp)
    SIMT_FLOAT16_PAIR_FUNCTION(h2exp2, hexp2)
    SIMT_FLOAT16_PAIR_FUNCTION(h2log, hlog)
    SIMT_FLOAT16_PAIR_FUNCTION(h2log2, hlog2)
    SIMT_FLOAT16_PAIR_FUNCTION(h2sin, hsin)
    SIMT_FLOAT16_PAIR_FUNCTION(h2cos, hcos)
    SIMT_FLOAT16_PAIR_FUNCTION(h2tanh, htanh)
    SIMT_FLOAT16_PAIR_FUNCTION(h2floor, hfloor)
    SIMT_FLOAT16_PAIR_FUNCTION(h2ceil, hceil)
    friend inline simt_float16_pair __hmin2(simt_float16_pair p, simt_float16_pair q) { return {__hmin(p.x, q.x), __hmin(p.y, q.y)}; }
    friend inline simt_float16_pair __hmax2(simt_float16_pair p, simt_float16_pair q) { return {__hmax(p.x, q.x), __hmax(p.y, q.y)}; }
    friend inline simt_float16_pair __hfma2(simt_float16_pair p, simt_float16_pair q, simt_float16_pair r)
    {
        return {__hfma(p.x, q.x, r.x), __hfma(p.y, q.y, r.y)};
    }
    friend inline simt_float16_pair __lowhigh2highlow(simt_float16_pair p) { return {p.y, p.x}; }
    friend inline float __low2float(simt_float16_pair p) { return p.x; }
    friend inline float __high2float(simt_float16_pair p) { return p.y; }
};

/* What CUDA calls the conversions of such numbers and of pairs of them. */
#define SIMT_FLOAT16_CONVERSIONS(Small, Pair, small, pair)                      \
    static inline Small __float2##small(float x) { return x; }                  \
    static inline Small __float2##small##_rn(float x) { return x; }             \
    static inline Small __double2##small(double x) { return (float)x; }         \
    static inline Small __int2##small##_rn(int x) { return (float)x; }          \
    static inline Small __uint2##small##_rn(unsigned x) { return (float)x; }    \
    static inline float __##small##2float(Small x) { return x; }                \
    static inline int __##small##2int_rz(Small x) { return (int)(float)x; }     \
    static inline int __##small##2int_rn(Small x) { return (int)rintf(x); }     \
    static inline unsigned __##small##2uint_rz(Small x) { return (unsigned)(float)x; } \
    static inline unsigned short __##small##_as_ushort(Small x) { return x.bits; } \
    static inline short __##small##_as_short(Small x) { return (short)x.bits; } \
    static inline Small __ushort_as_##small(unsigned short x) { return Small::of_bits(x); } \
    static inline Small __short_as_##small(short x) { return Small::of_bits((uint16_t)x); } \
    static inline Pair make_##pair(Small x, Small y) { return {x, y}; }         \
    static inline Pair __halves2##pair(Small x, Small y) { return {x, y}; }     \
    static inline Pair __##small##2##pair(Small x) { return {x, x}; }           \
    static inline Pair __float2##pair##_rn(float x) { return {x, x}; }          \
    static inline Pair __floats2##pair##_rn(float x, float y) { return {x, y}; } \
    static inline Pair __float22##pair##_rn(float2 x) { return {x.x, x.y}; }    \
    static inline float2 __##pair##2float2(Pair p) { return {p.x, p.y}; }       \
    static inline Small __low2##small(Pair p) { return p.x; }                   \
    static inline Small __high2##small(Pair p) { return p.y; }                  \
    static inline Pair __low2##pair(Pair p) { return {p.x, p.x}; }              \
    static inline Pair __high2##pair(Pair p) { return {p.y, p.y}; }             \
    static inline Pair __lows2##pair(Pair p, Pair q) { return {p.x, q.x}; }     \
    static inline Pair __highs2##pair(Pair p, Pair q) { return {p.y, q.y}; }

#endif
