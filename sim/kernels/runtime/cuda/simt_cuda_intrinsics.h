/* CUDA's intrinsics: functions of float that are fast or of one operation, conversions, bits, and accesses with hints. Those of
 * double are those of float.
 */
#ifndef SIMT_CUDA_INTRINSICS_H
#define SIMT_CUDA_INTRINSICS_H

#include "simt_cuda_math.h"

/* Fast: for finite arguments. */
static inline float __expf(float x) { return simt_exp(x); }
static inline float __logf(float x) { return simt_log(x); }
static inline float __log2f(float x) { return simt_log(x) * 1.44269504f; }
static inline float __log10f(float x) { return simt_log(x) * 0.434294482f; }
static inline float __powf(float x, float y) { return simt_exp(y * simt_log(x)); }
static inline float __sinf(float x) { return sinf(x); }
static inline float __cosf(float x) { return cosf(x); }
static inline float __tanf(float x) { return tanf(x); }
static inline void __sincosf(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __saturatef(float x) { return simt_min(simt_max(x, 0.0f), 1.0f); }

/* One operation each: the compiler may not make one of two of them. */
#define SIMT_OPERATION(name, instruction)                                       \
    static inline float __f##name##_rn(float x, float y)                        \
    {                                                                           \
        float result;                                                           \
                                                                                \
        __asm__(instruction " %0, %1, %2" : "=f"(result) : "f"(x), "f"(y));     \
        return result;                                                          \
    }                                                                           \
    static inline float __d##name##_rn(float x, float y) { return __f##name##_rn(x, y); }
SIMT_OPERATION(add, "fadd.s")
SIMT_OPERATION(sub, "fsub.s")
SIMT_OPERATION(mul, "fmul.s")
SIMT_OPERATION(div, "fdiv.s")
static inline float __fmaf_rn(float x, float y, float z) { return simt_fma(x, y, z); }
static inline float __fma_rn(float x, float y, float z) { return simt_fma(x, y, z); }
static inline float __fsqrt_rn(float x) { return simt_sqrt(x); }
static inline float __dsqrt_rn(float x) { return simt_sqrt(x); }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline float __drcp_rn(float x) { return 1.0f / x; }
static inline float __frsqrt_rn(float x) { return 1.0f / simt_sqrt(x); }

/* To the nearest integer, towards 0, down and up; NaN becomes 0, and what is too large the largest. */
#define SIMT_TO_INTEGER(name, type, instruction, ending, mode)                  \
    static inline type __float2##name##ending(float x)                          \
    {                                                                           \
        type result;                                                            \
                                                                                \
        __asm__(instruction " %0, %1, " mode : "=r"(result) : "f"(x));          \
        return x == x ? result : 0;                                             \
    }                                                                           \
    static inline type __double2##name##ending(float x) { return __float2##name##ending(x); }
#define SIMT_TO_INTEGERS(ending, mode)                                          \
    SIMT_TO_INTEGER(int, int, "fcvt.w.s", ending, mode)                         \
    SIMT_TO_INTEGER(uint, unsigned, "fcvt.wu.s", ending, mode)
SIMT_TO_INTEGERS(_rn, "rne")
SIMT_TO_INTEGERS(_rz, "rtz")
SIMT_TO_INTEGERS(_rd, "rdn")
SIMT_TO_INTEGERS(_ru, "rup")
static inline float __int2float_rn(int x) { return (float)x; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __int2double_rn(int x) { return (float)x; }
static inline float __uint2double_rn(unsigned x) { return (float)x; }
static inline float __int_as_float(int x) { return simt_float_of_bits((uint32_t)x); }
static inline int __float_as_int(float x) { return (int)simt_bits_of_float(x); }
static inline float __uint_as_float(uint32_t x) { return simt_float_of_bits(x); }
static inline uint32_t __float_as_uint(float x) { return simt_bits_of_float(x); }

static inline int __mulhi(int x, int y) { return (int)((int64_t)x * y >> 32); }
static inline uint32_t __umulhi(uint32_t x, uint32_t y) { return (uint32_t)((uint64_t)x * y >> 32); }
static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    uint32_t x_low = (uint32_t)x, x_high = (uint32_t)(x >> 32), y_low = (uint32_t)y, y_high = (uint32_t)(y >> 32);
    uint64_t middle = (uint64_t)x_high * y_low + __umulhi(x_low, y_low);
    uint64_t other = (uint64_t)x_low * y_high + (uint32_t)middle;

    return (uint64_t)x_high * y_high + (middle >> 32) + (other >> 32);
}
static inline int __mul24(int x, int y) { return (x << 8 >> 8) * (y << 8 >> 8); }
static inline unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffff) * (y & 0xffffff); }
static inline unsigned umin(unsigned x, unsigned y) { return x < y ? x : y; }
static inline unsigned umax(unsigned x, unsigned y) { return x < y ? y : x; }
static inline unsigned __sad(int x, int y, unsigned z) { return z + (x < y ? (unsigned)y - x : (unsigned)x - y); }
static inline unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }

static inline int __popcll(uint64_t x) { return __popc((uint32_t)(x >> 32)) + __popc((uint32_t)x); }
static inline int __clzll(long long x) { return x >> 32 ? __clz((int)(x >> 32)) : 32 + __clz((int)x); }
static inline int __ffsll(long long x) { return (int)x ? __ffs((int)x) : x ? 32 + __ffs((int)(x >> 32)) : 0; }
static inline unsigned __brev(unsigned x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return x >> 24 | (x >> 8 & 0xff00) | (x & 0xff00) << 8 | x << 24;
}
static inline unsigned long long __brevll(unsigned long long x)
{
    return (uint64_t)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}
/* Four of the eight bytes of x and y, or each one's sign, as the digits of the selector say. */
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    uint64_t bytes = (uint64_t)y << 32 | x;
    unsigned result = 0;

    for (int i = 0; i < 4; i++) {
        unsigned digit = selector >> 4 * i & 15, byte = (unsigned)(bytes >> 8 * (digit & 7)) & 0xff;

        result |= (digit < 8 ? byte : byte < 128 ? 0 : 0xff) << 8 * i;
    }
    return result;
}

/* Of two words, the high one before the low one, those bits that are left when they are shifted: by an amount modulo 32, or
 * of at most 32. */
static inline uint32_t __funnelshift_l(uint32_t low, uint32_t high, uint32_t by)
{
    return by & 31 ? high << (by & 31) | low >> (32 - (by & 31)) : high;
}
static inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t by)
{
    return by & 31 ? high << (32 - (by & 31)) | low >> (by & 31) : low;
}
static inline uint32_t __funnelshift_lc(uint32_t low, uint32_t high, uint32_t by)
{
    return by < 32 ? __funnelshift_l(low, high, by) : low;
}
static inline uint32_t __funnelshift_rc(uint32_t low, uint32_t high, uint32_t by)
{
    return by < 32 ? __funnelshift_r(low, high, by) : high;
}
/* The products of four pairs of bytes, and a sum with them. */
static inline int __dp4a(int x, int y, int sum)
{
    for (int i = 0; i < 32; i += 8)
        sum += (signed char)(x >> i) * (signed char)(y >> i);
    return sum;
}
static inline unsigned __dp4a(unsigned x, unsigned y, unsigned sum)
{
    for (int i = 0; i < 32; i += 8)
        sum += (unsigned char)(x >> i) * (unsigned char)(y >> i);
    return sum;
}
/* Means that do not overflow, rounded down, and up. */
static inline int __hadd(int x, int y) { return (int)(((int64_t)x + y) >> 1); }
static inline int __rhadd(int x, int y) { return (int)(((int64_t)x + y + 1) >> 1); }
static inline unsigned __uhadd(unsigned x, unsigned y) { return (unsigned)(((uint64_t)x + y) >> 1); }
static inline unsigned __urhadd(unsigned x, unsigned y) { return (unsigned)(((uint64_t)x + y + 1) >> 1); }

/* Accesses with a hint for caches, which there is no use for here. */
#define SIMT_HINTED_LOAD(name) template <class T> static inline T name(const T *from) { return *from; }
SIMT_HINTED_LOAD(__ldg)
SIMT_HINTED_LOAD(__ldca)
SIMT_HINTED_LOAD(__ldcg)
SIMT_HINTED_LOAD(__ldcs)
SIMT_HINTED_LOAD(__ldlu)
#undef SIMT_HINTED_LOAD
#define SIMT_HINTED_STORE(name) template <class T> static inline void name(T *to, T value) { *to = value; }
SIMT_HINTED_STORE(__stcg)
SIMT_HINTED_STORE(__stcs)
SIMT_HINTED_STORE(__stwb)
SIMT_HINTED_STORE(__stwt)
#undef SIMT_HINTED_STORE

#endif
