/* Functions of libgcc that compilers call for integers: there is no libgcc for this core. Divergence is marked in them as
 * in any other C, so that each lane may have numbers of its own. */
#include <stdint.h>

typedef int64_t wide;
typedef uint64_t unsigned_wide;

struct division {
    unsigned_wide quotient, rest;
};

/* Bit by bit. Division by zero gives what M gives for 32 bits: all ones, and the dividend. */
static struct division divide(unsigned_wide dividend, unsigned_wide divisor)
{
    struct division d = {0, 0};

    for (int bit = 0; bit < 64; bit++) {
        /* The bit that is shifted out makes it larger than any divisor. */
        uint32_t larger = d.rest >> 63;

        d.rest = d.rest << 1 | dividend >> 63;
        dividend <<= 1;
        d.quotient <<= 1;
        if (larger | (d.rest >= divisor)) {
            d.rest -= divisor;
            d.quotient |= 1;
        }
    }
    return d;
}

static unsigned_wide absolute(wide a) { return a < 0 ? -(unsigned_wide)a : (unsigned_wide)a; }

unsigned_wide __udivdi3(unsigned_wide a, unsigned_wide b) { return divide(a, b).quotient; }
unsigned_wide __umoddi3(unsigned_wide a, unsigned_wide b) { return divide(a, b).rest; }

wide __divdi3(wide a, wide b)
{
    unsigned_wide quotient = divide(absolute(a), absolute(b)).quotient;

    return (a < 0) != (b < 0) ? -quotient : quotient;
}

wide __moddi3(wide a, wide b)
{
    unsigned_wide rest = divide(absolute(a), absolute(b)).rest;

    return a < 0 ? -rest : rest;
}

static unsigned_wide of_halves(uint32_t low, uint32_t high) { return (unsigned_wide)high << 32 | low; }

unsigned_wide __ashldi3(unsigned_wide a, int by)
{
    uint32_t low = a, high = a >> 32;

    if (by & 32)
        return of_halves(0, low << (by & 31));
    return by ? of_halves(low << by, high << by | low >> (32 - by)) : a;
}

unsigned_wide __lshrdi3(unsigned_wide a, int by)
{
    uint32_t low = a, high = a >> 32;

    if (by & 32)
        return of_halves(high >> (by & 31), 0);
    return by ? of_halves(low >> by | high << (32 - by), high >> by) : a;
}

wide __ashrdi3(wide a, int by)
{
    uint32_t low = a;
    int32_t high = a >> 32;

    if (by & 32)
        return of_halves(high >> (by & 31), high >> 31);
    return by ? of_halves(low >> by | (uint32_t)high << (32 - by), high >> by) : (unsigned_wide)a;
}

int __popcountsi2(uint32_t a)
{
    a -= a >> 1 & 0x55555555;
    a = (a & 0x33333333) + (a >> 2 & 0x33333333);
    a = (a + (a >> 4)) & 0x0f0f0f0f;
    return a * 0x01010101 >> 24;
}

/* 32 for 0, as for the other one. */
int __clzsi2(uint32_t a)
{
    for (int by = 1; by < 32; by *= 2)
        a |= a >> by;
    return __popcountsi2(~a);
}

int __ctzsi2(uint32_t a) { return __popcountsi2(~a & (a - 1)); }
int __ffssi2(uint32_t a) { return a ? __ctzsi2(a) + 1 : 0; }

#ifdef __riscv_flen
/* The nearest float: that of the 32 bits from the highest one on, the last of which is set if one behind it is. */
float __floatundisf(unsigned_wide a)
{
    uint32_t high = a >> 32;
    int by = __clzsi2(high);
    unsigned_wide shifted = __ashldi3(a, by & 31);
    union { uint32_t bits; float value; } scale = {(uint32_t)(127 + 32 - by) << 23};

    if (!high)
        return (float)(uint32_t)a;
    return (float)((uint32_t)(shifted >> 32) | ((uint32_t)shifted != 0)) * scale.value;
}

float __floatdisf(wide a)
{
    float distance = __floatundisf(absolute(a));

    return a < 0 ? -distance : distance;
}

/* What does not fit gives the largest number, and what is below 0 gives 0. */
unsigned_wide __fixunssfdi(float x)
{
    union { float value; uint32_t bits; } of = {x};
    int exponent = (int)(of.bits >> 23) - 150;
    uint32_t significand = (of.bits & 0x7fffff) | 0x800000;

    if (!(x >= 1.0f))
        return 0;
    if (exponent > 40)
        return ~(unsigned_wide)0;
    return exponent < 0 ? significand >> -exponent : __ashldi3(significand, exponent);
}

wide __fixsfdi(float x)
{
    unsigned_wide distance = __fixunssfdi(x < 0.0f ? -x : x), most = ~(unsigned_wide)0 >> 1;

    if (x < 0.0f)
        return distance > most ? -(wide)most - 1 : -(wide)distance;
    return distance > most ? (wide)most : (wide)distance;
}
#endif
