/* The host's side of a launch description. A program that is made of the description (src/kernels/launched/host.rs) fills
 * the arrays, evaluates sizes and arguments, calls what computes the expected results, and leaves all that in files. */
#ifndef SIMT_CUDA_HOST_H
#define SIMT_CUDA_HOST_H

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <type_traits>
#include <vector>

#define __global__
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

#include "simt_cuda_vectors.h"

template <class A, class B> static inline auto min(A x, B y) -> decltype(x + y) { return x < y ? x : y; }
template <class A, class B> static inline auto max(A x, B y) -> decltype(x + y) { return x < y ? y : x; }

int simt_main();

namespace simt {

struct array_record {
    std::string name, kind;
    size_t size, length;
    char *at;
    size_t bytes() const { return size * length; }
};
struct launch_record {
    int number;
    std::vector<double> sizes;
    std::vector<std::string> arguments;
};
inline std::vector<array_record> arrays;
/* What arrays may take together. */
inline double most_bytes;
inline std::vector<launch_record> launches;

[[noreturn]] inline void fail(const std::string &what)
{
    fprintf(stderr, "%s\n", what.c_str());
    exit(3);
}

template <class T> std::string kind_of()
{
    return std::is_pointer<T>() ? "p" : std::is_floating_point<T>() ? "f" : std::is_signed<T>() ? "i"
        : std::is_unsigned<T>() ? "u" : "s";
}

/* Numbers that look random and are the same on every machine (splitmix64). */
inline uint64_t state;
inline uint64_t random_bits()
{
    uint64_t z = state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* An array with what memory holds that nobody has written. */
template <class T> T *array(const char *name, double length)
{
    static size_t total;
    double bytes = length * sizeof(T);

    if (!(length >= 1) || length != floor(length))
        fail("array " + std::string(name) + ": its length is " + std::to_string(length) + ": a whole number from 1 on is needed");
    if (bytes > most_bytes || total + bytes > most_bytes)
        fail("array " + std::string(name) + ": with its " + std::to_string((uint64_t)bytes) + " bytes the arrays take more than the "
             + std::to_string((uint64_t)most_bytes) + " that there are for them: choose a smaller length");
    total += ((size_t)bytes + 63) / 64 * 64;
    array_record record = {name, kind_of<T>(), sizeof(T), (size_t)length, nullptr};
    record.at = (char *)aligned_alloc(64, (record.bytes() + 63) / 64 * 64);
    static const unsigned char unwritten[] = {0x0d, 0xf0, 0xad, 0xba};
    for (size_t i = 0; i < record.bytes(); i++)
        record.at[i] = unwritten[i % 4];
    arrays.push_back(record);
    state = arrays.size();
    return (T *)record.at;
}

inline std::string whole_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    std::string bytes;
    char part[4096];

    if (!file)
        fail("cannot read " + std::string(path));
    for (size_t count; (count = fread(part, 1, sizeof part, file)) != 0;)
        bytes.append(part, count);
    fclose(file);
    return bytes;
}

/* The elements of a file, one after the other as in memory, or of a .txt file, numbers between spaces. */
template <class T> void read(T *to, size_t length, const char *path)
{
    std::string bytes = whole_file(path), name = path;
    size_t found = bytes.size() / sizeof(T);

    if (name.size() > 4 && name.substr(name.size() - 4) == ".txt") {
        if constexpr (std::is_arithmetic<T>()) {
            char *at = &bytes[0], *end;
            for (found = 0; found < length; found++, at = end) {
                double number = strtod(at, &end);
                if (end == at)
                    break;
                to[found] = (T)number;
            }
            if (found == length)
                return;
        }
    } else if (bytes.size() == length * sizeof(T)) {
        memcpy((void *)to, bytes.data(), bytes.size());
        return;
    }
    fail(name + " has " + std::to_string(found) + " elements, and the array " + std::to_string(length));
}

inline void save(const std::string &path, const void *from, size_t bytes)
{
    FILE *file = fopen(path.c_str(), "wb");

    if (!file || fwrite(from, 1, bytes, file) != bytes || fclose(file))
        fail("cannot write " + path);
}

inline void save_inputs()
{
    for (size_t i = 0; i < arrays.size(); i++)
        save("array" + std::to_string(i), arrays[i].at, arrays[i].bytes());
}

/* Where in which array a pointer points; the place behind an array belongs to it. */
inline std::string place(const void *pointer)
{
    for (size_t i = 0; i < arrays.size(); i++) {
        size_t offset = (const char *)pointer - arrays[i].at;
        if (offset <= arrays[i].bytes())
            return "[" + std::to_string(i) + "," + std::to_string(offset) + "]";
    }
    return "null";
}

inline void launch(int number) { launches.push_back({number, {}, {}}); }
inline void size(double value) { launches.back().sizes.push_back(value); }
template <class T> void argument(const T &value)
{
    std::string text;

    if constexpr (std::is_null_pointer<T>())
        text = "{\"pointer\":null}";
    else if constexpr (std::is_pointer<std::decay_t<T>>()) {
        text = "{\"pointer\":" + place(value) + "}";
        if (value && place(value) == "null")
            text = "{\"stranger\":null}";
    } else if constexpr (std::is_arithmetic<T>() || std::is_enum<T>()) {
        char digits[40];
        snprintf(digits, sizeof digits, "%.17g", (double)value);
        text = "{\"number\":\"" + std::string(digits) + "\"}";
    } else {
        for (size_t i = 0; i < sizeof value; i++)
            text += (i ? "," : "{\"bytes\":[") + std::to_string(((const unsigned char *)&value)[i]);
        text += "]}";
    }
    launches.back().arguments.push_back(text);
}

/* What a function of the host gets: a pointer as one of any type, so that float * fits float (*)[N]. */
struct pointer {
    void *at;
    template <class T> operator T *() const { return (T *)at; }
};
template <class T> auto given(const T &value)
{
    if constexpr (std::is_pointer<T>())
        return pointer{(void *)value};
    else
        return value;
}

inline std::string joined(const std::vector<std::string> &all)
{
    std::string text;
    for (const std::string &one : all)
        text += (text.empty() ? "" : ",") + one;
    return "[" + text + "]";
}

inline void report()
{
    std::vector<std::string> shown, started;

    for (const array_record &record : arrays) {
        std::vector<std::string> pointers;
        for (size_t i = 0; record.kind == "p" && i < record.length; i++)
            pointers.push_back(place(((void **)record.at)[i]));
        shown.push_back("{\"kind\":\"" + record.kind + "\",\"size\":" + std::to_string(record.size) + ",\"length\":"
                        + std::to_string(record.length) + ",\"pointers\":" + joined(pointers) + "}");
    }
    for (const launch_record &record : launches) {
        std::vector<std::string> sizes;
        for (double size : record.sizes) {
            char digits[40];
            snprintf(digits, sizeof digits, "\"%.17g\"", size);
            sizes.push_back(digits);
        }
        started.push_back("{\"number\":" + std::to_string(record.number) + ",\"sizes\":" + joined(sizes) + ",\"arguments\":"
                          + joined(record.arguments) + "}");
    }
    std::string text = "{\"arrays\":" + joined(shown) + ",\"launches\":" + joined(started) + "}";
    save("answers", text.data(), text.size());
}

} /* namespace simt */

/* A number from `from` on, below `to`. */
static inline double random(double from, double to)
{
    return from + (to - from) * (double)(simt::random_bits() >> 11) / 9007199254740992.0;
}

int main() { return simt_main(); }

#endif
