/* CUDA's device language for grids of this core. A .cu file is compiled as C++ behind this header; what its kernels do not
 * use of it, as the code of the host, is left out before (src/kernels/cuda/). double is float here, and so are literals:
 * the core has no other numbers with a point.
 */
#ifndef SIMT_CUDA_H
#define SIMT_CUDA_H

#include <float.h>
#include <limits.h>
#include <stddef.h>

#include "simt_grid.h"

/* The compiler's limits.h has these for C alone. */
#ifndef LLONG_MAX
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX (2ull * LLONG_MAX + 1)
#endif

/* Where code runs, and where variables are. A kernel is part of its entry, whose arguments are known to be uniform. */
#define __global__ inline __attribute__((always_inline))
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define __align__(n) __attribute__((aligned(n)))
/* Each in a section of its own: GCC takes no variables of inline functions and of others into one. */
#define SIMT_SECTION(number) SIMT_SECTION_(number)
#define SIMT_SECTION_(number) ".shared." #number
#define __shared__ static __attribute__((section(SIMT_SECTION(__COUNTER__))))
/* extern __shared__: behind all other variables there, as many bytes as the launch says. */
#define SIMT_DYNAMIC_SHARED extern
#define __CUDACC__ 1

/* Of cutil.h: it counts conflicts of banks only where it is told to. */
#define CUT_BANK_CHECKER(array, index) (array)[index]
#define assert(condition) ((condition) ? (void)0 : simt_assert(#condition, __FILE__, __LINE__))

#include "simt_cuda_vectors.h"

/* threadIdx and the others have a type of CUDA. */
#undef SIMT_PLACE
#define SIMT_PLACE(x, y, z) (uint3{SIMT_READ_CSR(x), SIMT_READ_CSR(y), SIMT_READ_CSR(z)})

/* No macro: programs have variables of that name too. */
static constexpr struct {
    operator int() const { return (int)simt_lanes(); }
} warpSize;

/* One copy in each place, as it is written: lanes that came to another copy would not meet the others. No function, so that
 * what is said of a barrier names its line. */
#define __syncthreads() ({ SIMT_BARRIER(0, 0); })
/* Accesses act in the order of the program already. */
static inline void __threadfence(void) { __asm__ volatile("" ::: "memory"); }
static inline void __threadfence_block(void) { __threadfence(); }
static inline void __threadfence_system(void) { __threadfence(); }

/* Of the runtime. */
extern "C" void *memcpy(void *to, const void *from, size_t bytes);
extern "C" void *memset(void *to, int byte, size_t bytes);

/* Cycles of the core. */
typedef long clock_t;
static inline clock_t clock(void) { return (clock_t)simt_cycles(); }
static inline long long clock64(void)
{
    uint32_t high, low;

    do {
        high = SIMT_READ_CSR_NOW(mcycleh);
        low = simt_cycles();
    } while (high != SIMT_READ_CSR_NOW(mcycleh));
    return (long long)((uint64_t)high << 32 | low);
}

/* Functions of the host that templates of a file name. */
extern "C" __attribute__((noreturn, error("a kernel does not end the program: use assert()"))) void abort(void);
extern "C" __attribute__((noreturn, error("a kernel does not end the program: return"))) void exit(int);

/* What the core has no instructions for; whoever calls it is told so. */
#define SIMT_ABSENT(name, why)                                                  \
    template <class... Any> __attribute__((error(why))) int name(Any...);

#include "simt_cuda_atomics.h"
#include "simt_cuda_warp.h"
#include "simt_cuda_groups.h"
#include "simt_cuda_math.h"
#include "simt_cuda_intrinsics.h"
#include "simt_cuda_print.h"
#include "simt_cuda_standard.h"
#include "simt_cuda_elements.h"

/* Names that the C library of Linux has for types. */
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define double float
#define double1 float1
#define double2 float2
#define double3 float3
#define double4 float4
#define make_double1 make_float1
#define make_double2 make_float2
#define make_double3 make_float3
#define make_double4 make_float4

/* A parameter of a kernel, for whoever fills its block of arguments, and what it points to if it is a pointer. */
struct simt_parameter {
    uint32_t kind, bytes, alignment, element_kind, element_bytes;
};
template <class T> struct simt_behind : simt_element<void> {};
template <class T> struct simt_behind<T *> : simt_element<T> {};
/* All of them, and one of zeros behind them. */
template <class... All> struct simt_parameters {
    simt_parameter all[sizeof...(All) + 1];
};
template <class... All> constexpr simt_parameters<All...> simt_parameters_of(void (*)(All...))
{
    return {{{simt_kind<All>, sizeof(All), alignof(All), simt_behind<All>::kind, simt_behind<All>::bytes}..., {}}};
}
/* A variable that the launch fills, and what it consists of. */
struct simt_variable {
    const void *at;
    uint32_t kind, bytes;
};
template <class T> constexpr simt_variable simt_variable_of(T &variable)
{
    return {(const void *)&variable, simt_element<T>::kind, simt_element<T>::bytes};
}

/* An entry that calls a kernel, whose arguments stand one after the other at the address that the launch passes. */
struct simt_arguments {
    uint32_t at;
    template <class T> const T &next()
    {
        uint32_t begin = (at + alignof(T) - 1) & -alignof(T);

        at = begin + sizeof(T);
        return *(const T *)begin;
    }
};
template <class... All>
static inline __attribute__((always_inline)) void simt_call(void (*kernel)(All...), uint32_t at)
{
    struct whole {
        void (*kernel)(All...);
        whole(void (*kernel)(All...), const All &...all) { kernel(all...); }
    };
    simt_arguments from = {at};

    /* Braces, so that they are read in their order. */
    whole{kernel, from.next<All>()...};
}
#define SIMT_CUDA_ENTRY(entry, ...)                                             \
    extern "C" __attribute__((section(".rodata.launch"), used))                 \
    const auto entry##_parameters = simt_parameters_of(__VA_ARGS__);            \
    SIMT_KERNEL(entry) { simt_call(__VA_ARGS__, arg); }
/* Its value is not what it begins with. */
#define SIMT_CUDA_VARIABLE(address, variable)                                   \
    extern "C" __attribute__((section(".rodata.launch"), used))                 \
    const simt_variable address = simt_variable_of(variable);

#endif
