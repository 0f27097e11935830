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

#endif
