/* The host's side of a launch description. A program that is made of the description (src/kernels/launched/host.rs) fills
 * the arrays, evaluates sizes and arguments, calls what computes the expected results, and leaves all that in files. */
#ifndef SIMT_CUDA_HOST_H
#define SIMT_CUDA_HOST_H

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>

/* __global__ stays, so that kernels can be left out. */
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __CUDACC__ 1

#include "simt_cuda_elements.h"
#include "simt_cuda_vectors.h"

template <class A, class B> static inline auto min(A x, B y) -> decltype(x < y, x + y) { return x < y ? x : y; }
template <class A, class B> static inline auto max(A x, B y) -> decltype(x < y, x + y) { return x < y ? y : x; }

/* As in simt_math.h. */
static inline uint32_t simt_bits_of_float(float x)
{
    uint32_t word;

    __builtin_memcpy(&word, &x, sizeof word);
    return word;
}
static inline float simt_float_of_bits(uint32_t word)
{
    float x;

    __builtin_memcpy(&x, &word, sizeof x);
    return x;
}

/* Kernels alone use what is in it, but files make it known. */
namespace cooperative_groups {}

int simt_main();

namespace simt {

struct array_record {
    const char *name;
    char kind;
    size_t size, length;
    char *at;
    size_t bytes() const { return size * length; }
};
static array_record arrays[1000];
static size_t array_count, launch_count, argument_count, total;
/* What arrays may take together, and how much may be launched. */
static double most_bytes, most_rounds;
static size_t most_launches;
/* The answers, in JSON. */
static FILE *answers;

/* What is wrong stands in a file: functions of the host may print, and end the program, as they like. */
[[noreturn]] static void fail(const char *format, ...)
{
    va_list all;
    FILE *file = fopen("problem", "w");

    va_start(all, format);
    vfprintf(file ? file : stderr, format, all);
    if (file)
        fclose(file);
    exit(3);
}

/* Numbers that look random and are the same on every machine (splitmix64). */
static uint64_t state;
static uint64_t random_bits()
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void *new_array(const char *name, char kind, size_t size, double length)
{
    static const unsigned char unwritten[] = {0x0d, 0xf0, 0xad, 0xba};
    double bytes = length * size;

    if (!(length >= 1) || length != floor(length))
        fail("array %s: its length is %.17g: a whole number from 1 on is needed", name, length);
    if (bytes > most_bytes || total + bytes > most_bytes)
        fail("array %s: with its %.0f bytes the arrays take more than the %.0f that there are for them: choose a smaller length",
             name, bytes, most_bytes);
    if (array_count == sizeof arrays / sizeof *arrays)
        fail("array %s: at most %zu arrays are possible", name, array_count);
    total += ((size_t)bytes + 63) / 64 * 64;
    array_record &record = arrays[array_count++] = {name, kind, size, (size_t)length, nullptr};
    /* With room behind it: what points there points to no other array. */
    record.at = (char *)aligned_alloc(64, (record.bytes() + 63) / 64 * 64 + 64);
    if (!record.at)
        fail("array %s: the host has no memory for its %.0f bytes", name, bytes);
    for (size_t i = 0; i < record.bytes(); i++)
        record.at[i] = unwritten[i % 4];
    state = array_count;
    return record.at;
}

template <class T>
constexpr bool is_floats = std::is_same<T, float1>() || std::is_same<T, float2>() || std::is_same<T, float3>()
    || std::is_same<T, float4>();

/* An array with what memory holds that nobody has written. */
template <class T> T *array(const char *name, double length)
{
    char kind = std::is_pointer<T>() ? 'p' : std::is_floating_point<T>() ? 'f' : std::is_signed<T>() ? 'i'
        : std::is_unsigned<T>() ? 'u' : is_floats<T> ? 'v' : 's';

    return (T *)new_array(name, kind, sizeof(T), length);
}

#include "simt_cuda_host_files.h"

static void save_inputs()
{
    for (size_t i = 0; i < array_count; i++) {
        char path[40];
        snprintf(path, sizeof path, "array%zu", i);
        save(path, arrays[i].at, arrays[i].bytes());
    }
    answers = fopen("answers.part", "w");
    if (!answers)
        fail("cannot write answers");
    fprintf(answers, "{\"launches\":[");
}

/* Writes where in which array a pointer points; the place behind an array belongs to it. */
static bool place(const void *pointer)
{
    for (size_t i = 0; pointer && i < array_count; i++) {
        size_t offset = (const char *)pointer - arrays[i].at;
        if (offset <= arrays[i].bytes())
            return fprintf(answers, "[%zu,%zu]", i, offset) > 0;
    }
    return fprintf(answers, "null") < 0;
}

static long rounds(double count)
{
    if (!(count >= 1 && count <= most_rounds) || count != floor(count))
        fail("rounds is %.17g: a whole number from 1 to %.0f is needed", count, most_rounds);
    return (long)count;
}

/* A launch: its number, the lengths of grid and block, bytes of local memory; then its arguments. */
static void launch(int number, const double (&sizes)[7])
{
    if (launch_count == most_launches)
        fail("launch %d: in all rounds together at most %zu launches are possible", number + 1, most_launches);
    fprintf(answers, "%s{\"number\":%d,\"sizes\":[", launch_count++ ? "," : "", number);
    for (int i = 0; i < 7; i++)
        fprintf(answers, "%s\"%.17g\"", i ? "," : "", sizes[i]);
    fprintf(answers, "],\"arguments\":[");
    argument_count = 0;
}
static void launch_end() { fprintf(answers, "]}"); }
template <class T> void argument(const T &value)
{
    fprintf(answers, "%s{", argument_count++ ? "," : "");
    if constexpr (std::is_null_pointer<T>())
        fprintf(answers, "\"pointer\":null");
    else if constexpr (std::is_pointer<T>()) {
        fprintf(answers, "\"pointer\":");
        if (!place((const void *)value) && value)
            fprintf(answers, ",\"stranger\":true");
        typedef simt_element<std::remove_pointer_t<T>> element;
        fprintf(answers, ",\"element\":{\"kind\":\"%c\",\"bytes\":%u}", element::kind, element::bytes);
    } else if constexpr ((std::is_integral<T>() || std::is_enum<T>()) && sizeof(T) <= 8) {
        if (value < T())
            fprintf(answers, "\"whole\":%lld", (long long)value);
        else
            fprintf(answers, "\"whole\":%llu", (unsigned long long)value);
    } else if constexpr (std::is_arithmetic<T>())
        fprintf(answers, "\"number\":\"%.17g\"", (double)value);
    else {
        fprintf(answers, "\"bytes\":[");
        for (size_t i = 0; i < sizeof value; i++)
            fprintf(answers, "%s%d", i ? "," : "", ((const unsigned char *)&value)[i]);
        fprintf(answers, "]");
    }
    fprintf(answers, "}");
}

/* What a function of the host gets: a pointer as one to arrays too, so that float * fits float (*)[N]. */
template <class E> struct pointer {
    E *at;
    template <class T> operator T *() const
    {
        typedef simt_element<E> given;
        typedef simt_element<T> taken;
        static_assert(!given::bytes || !taken::bytes || (given::bytes == taken::bytes && (given::kind == 'f') == (taken::kind == 'f')),
                      "the elements of the array have another type than those of the function's parameter: change one of them, "
                      "or cast the argument, as (float4 *)a");
        return (T *)at;
    }
};
template <class T> auto given(const T &value)
{
    if constexpr (std::is_pointer<T>())
        return pointer<std::remove_pointer_t<T>>{value};
    else
        return value;
}

static void report()
{
    fprintf(answers, "],\"arrays\":[");
    for (size_t i = 0; i < array_count; i++) {
        const array_record &record = arrays[i];
        fprintf(answers, "%s{\"kind\":\"%c\",\"size\":%zu,\"pointers\":[", i ? "," : "", record.kind, record.size);
        for (size_t j = 0; record.kind == 'p' && j < record.length; j++) {
            fprintf(answers, "%s", j ? "," : "");
            place(((void **)record.at)[j]);
        }
        fprintf(answers, "]}");
    }
    fprintf(answers, "]}");
    if (fclose(answers) || rename("answers.part", "answers"))
        fail("cannot write answers");
}

} /* namespace simt */

/* A number from `from` on, below `to`. */
static inline double random(double from, double to)
{
    return from + (to - from) * (double)(simt::random_bits() >> 11) / 9007199254740992.0;
}

int main() { return simt_main(); }

#endif
