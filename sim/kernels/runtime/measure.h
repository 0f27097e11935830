/* Timing of straight-line code. A run is made of MEASURE_REPEATS copies of a body between two reads of mcycle;
 * it is made twice, and the second counts, so that the instruction cache is warm. */
#ifndef MEASURE_H
#define MEASURE_H

#include "simt.h"

#define MEASURE_REPEATS 64

/* Unrolled, the second time would be another, cold piece of code. */
#define MEASURE_TWICE _Pragma("GCC unroll 1") for (int warm = 0; warm < 2; warm++)

/* Times MEASURE_REPEATS copies of the assembler text `body`, which may update the variable `x` as %[x], into
 * `cycles`; further arguments are the inputs of the asm statement and its clobbers. */
#define MEASURE(cycles, x_variable, body, ...) MEASURE_IN("r", cycles, x_variable, body, __VA_ARGS__)
/* The same for a float `x`. */
#define MEASURE_FLOAT(cycles, x_variable, body, ...) MEASURE_IN("f", cycles, x_variable, body, __VA_ARGS__)

#define MEASURE_IN(file, cycles, x_variable, body, ...)                         \
    MEASURE_TWICE {                                                             \
        uint32_t before, after;                                                 \
        __asm__ volatile("csrr %[before], mcycle\n"                             \
                         ".rept 64\n" body "\n.endr\n"                          \
                         "csrr %[after], mcycle"                                \
                         : [before] "=&r"(before), [after] "=&r"(after), [x] "+&" file(x_variable) \
                         : __VA_ARGS__);                                        \
        (cycles) = after - before;                                              \
    }

/* The kernel of a measurement in all warps at once: from a common barrier on, every warp runs MEASURE_REPEATS copies
 * of `body`, assembler text of `length` instructions; further arguments are the inputs of the asm statement and its
 * clobbers. `prepare` is done before, in every warp. Prints how many warp instructions issued in a cycle. */
#define MEASURE_ALL_WARPS(length, prepare, body, ...)                           \
    SIMT_OUTPUT uint32_t cycles, starts[64], ends[64];                          \
                                                                                \
    static void run(void *unused)                                               \
    {                                                                           \
        (void)unused;                                                           \
        uint32_t start = 0, end = 0, warps = simt_warps();                      \
                                                                                \
        prepare;                                                                \
        MEASURE_TWICE {                                                         \
            simt_barrier(0, warps);                                             \
            start = simt_cycles();                                              \
            __asm__ volatile(".rept 64\n" body "\n.endr" : : __VA_ARGS__);      \
            end = simt_cycles();                                                \
        }                                                                       \
        starts[simt_warp()] = start;                                            \
        ends[simt_warp()] = end;                                                \
    }                                                                           \
                                                                                \
    int main(void)                                                              \
    {                                                                           \
        uint32_t warps = simt_warps();                                          \
                                                                                \
        simt_run(warps, run, 0);                                                \
        cycles = measured_span(starts, ends, warps);                            \
        simt_measure("instructions", warps * MEASURE_REPEATS * (length));       \
        simt_measure("cycles", cycles);                                         \
        simt_measure_ratio("instructions_per_cycle", warps * MEASURE_REPEATS * (length), cycles); \
        return 0;                                                               \
    }

/* From the first start to the last end. */
static inline uint32_t measured_span(const uint32_t *starts, const uint32_t *ends, uint32_t warps)
{
    uint32_t start = starts[0], end = ends[0];

    for (uint32_t w = 1; w < warps; w++) {
        if ((int32_t)(starts[w] - start) < 0)
            start = starts[w];
        if ((int32_t)(ends[w] - end) > 0)
            end = ends[w];
    }
    return end - start;
}

#endif
