/* Independent fused multiply-adds in every warp at once, from a common barrier on. */
#include "measure.h"

#define BODY_LENGTH 8

SIMT_OUTPUT uint32_t cycles, starts[32], ends[32];

static void run(void *unused)
{
    (void)unused;
    uint32_t start = 0, end = 0, warps = simt_warps();

    MEASURE_TWICE {
        simt_barrier(0, warps);
        start = simt_cycles();
        __asm__ volatile(".rept 64\n"
                         "fmadd.s ft0, %0, %1, %2\n fmadd.s ft1, %0, %1, %2\n"
                         "fmadd.s ft2, %0, %1, %2\n fmadd.s ft3, %0, %1, %2\n"
                         "fmadd.s ft4, %0, %1, %2\n fmadd.s ft5, %0, %1, %2\n"
                         "fmadd.s ft6, %0, %1, %2\n fmadd.s ft7, %0, %1, %2\n"
                         ".endr"
                         : : "f"(1.5f), "f"(-2.25f), "f"(3.0f)
                         : "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7");
        end = simt_cycles();
    }
    starts[simt_warp()] = start;
    ends[simt_warp()] = end;
}

int main(void)
{
    uint32_t warps = simt_warps();

    simt_run(warps, run, 0);
    uint32_t start = starts[0], end = ends[0];
    for (uint32_t w = 1; w < warps; w++) {
        if ((int32_t)(starts[w] - start) < 0)
            start = starts[w];
        if ((int32_t)(ends[w] - end) > 0)
            end = ends[w];
    }
    cycles = end - start;
    simt_measure("instructions", warps * MEASURE_REPEATS * BODY_LENGTH);
    simt_measure("cycles", cycles);
    simt_measure_ratio("instructions_per_cycle", warps * MEASURE_REPEATS * BODY_LENGTH, cycles);
    return 0;
}
