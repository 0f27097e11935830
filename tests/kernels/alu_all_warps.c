/* Independent additions in every warp at once, from a common barrier on: how full are the issue slots? */
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
                         "add t0, %0, %1\n sub t1, %0, %1\n xor t2, %0, %1\n and t3, %0, %1\n"
                         "or t4, %0, %1\n sll t5, %0, %1\n srl t6, %0, %1\n addi a5, %0, 5\n"
                         ".endr"
                         : : "r"(0x80000123), "r"(7) : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a5");
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
