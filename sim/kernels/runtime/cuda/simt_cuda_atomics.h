/* CUDA's atomic functions, on words of 32 bits. The core has instructions for those of whole numbers, and AMOCAS for all
 * others: a lane that finds another word than it has computed with computes anew. */
#ifndef SIMT_CUDA_ATOMICS_H
#define SIMT_CUDA_ATOMICS_H

SIMT_ABSENT(simt_no_such_atomic, "the core has atomic instructions for int and unsigned; float has atomicAdd and atomicExch")

/* A type that is not deduced, as of arguments that are converted. */
template <class T> struct simt_given {
    using type = T;
};
template <class T> using simt_value = typename simt_given<T>::type;

/* Whether a type is a whole number of 32 bits, which the smallest number tells whether it has a sign. */
template <class T> constexpr bool simt_is_word = sizeof(T) == 4 && __is_literal_type(T) && !__is_class(T);
template <> inline constexpr bool simt_is_word<float> = false;

#define SIMT_ATOMIC_BUILTIN(name, builtin)                                      \
    template <class T> static inline T name(T *at, simt_value<T> value)         \
    {                                                                           \
        if constexpr (simt_is_word<T>)                                          \
            return builtin(at, value, __ATOMIC_RELAXED);                        \
        return simt_no_such_atomic(at);                                         \
    }
SIMT_ATOMIC_BUILTIN(atomicAdd, __atomic_fetch_add)
SIMT_ATOMIC_BUILTIN(atomicSub, __atomic_fetch_sub)
SIMT_ATOMIC_BUILTIN(atomicAnd, __atomic_fetch_and)
SIMT_ATOMIC_BUILTIN(atomicOr, __atomic_fetch_or)
SIMT_ATOMIC_BUILTIN(atomicXor, __atomic_fetch_xor)
SIMT_ATOMIC_BUILTIN(atomicExch, __atomic_exchange_n)
#undef SIMT_ATOMIC_BUILTIN

#define SIMT_ATOMIC_ORDERED(name, of_signed, of_unsigned)                       \
    template <class T> static inline T name(T *at, simt_value<T> value)         \
    {                                                                           \
        T found;                                                                \
        if constexpr (!simt_is_word<T>)                                         \
            return simt_no_such_atomic(at);                                     \
        else if constexpr ((T)-1 < (T)0)                                        \
            __asm__ volatile(of_signed " %0, %2, (%1)" : "=r"(found) : "r"(at), "r"(value) : "memory"); \
        else                                                                    \
            __asm__ volatile(of_unsigned " %0, %2, (%1)" : "=r"(found) : "r"(at), "r"(value) : "memory"); \
        return found;                                                           \
    }
SIMT_ATOMIC_ORDERED(atomicMin, "amomin.w", "amominu.w")
SIMT_ATOMIC_ORDERED(atomicMax, "amomax.w", "amomaxu.w")
#undef SIMT_ATOMIC_ORDERED

template <class T> static inline T atomicCAS(T *at, simt_value<T> compared, simt_value<T> value)
{
    if constexpr (simt_is_word<T>)
        return (T)simt_compare_and_swap((uint32_t *)at, (uint32_t)compared, (uint32_t)value);
    return simt_no_such_atomic(at);
}

/* Puts what `combined` makes of the word there, which is returned. */
template <class Combined> static inline uint32_t simt_atomically(uint32_t *at, Combined combined)
{
    uint32_t found = *(volatile uint32_t *)at, expected;

    do {
        expected = found;
        found = simt_compare_and_swap(at, expected, combined(expected));
    } while (found != expected);
    return found;
}

static inline float atomicAdd(float *at, float value)
{
    auto sum = [=](uint32_t word) { return simt_bits_of_float(simt_float_of_bits(word) + value); };
    return simt_float_of_bits(simt_atomically((uint32_t *)at, sum));
}
static inline float atomicExch(float *at, float value)
{
    return simt_float_of_bits(atomicExch((uint32_t *)at, simt_bits_of_float(value)));
}
static inline unsigned atomicInc(unsigned *at, unsigned most)
{
    return simt_atomically((uint32_t *)at, [=](uint32_t word) { return word >= most ? 0 : word + 1; });
}
static inline unsigned atomicDec(unsigned *at, unsigned most)
{
    return simt_atomically((uint32_t *)at, [=](uint32_t word) { return word == 0 || word > most ? most : word - 1; });
}

/* There is no other block, and no other device, that would see less. */
#define atomicAdd_block atomicAdd
#define atomicSub_block atomicSub
#define atomicAnd_block atomicAnd
#define atomicOr_block atomicOr
#define atomicXor_block atomicXor
#define atomicExch_block atomicExch
#define atomicMin_block atomicMin
#define atomicMax_block atomicMax
#define atomicCAS_block atomicCAS
#define atomicInc_block atomicInc
#define atomicDec_block atomicDec
#define atomicAdd_system atomicAdd
#define atomicSub_system atomicSub
#define atomicAnd_system atomicAnd
#define atomicOr_system atomicOr
#define atomicXor_system atomicXor
#define atomicExch_system atomicExch
#define atomicMin_system atomicMin
#define atomicMax_system atomicMax
#define atomicCAS_system atomicCAS
#define atomicInc_system atomicInc
#define atomicDec_system atomicDec

#endif
