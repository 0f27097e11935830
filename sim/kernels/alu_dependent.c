/* One warp, each addition waits for the one before: the latency of an ALU operation. */
#include "measure.h"

#define BODY_LENGTH 8

SIMT_OUTPUT uint32_t cycles, result;

static void run(void *unused)
{
    (void)unused;
    uint32_t elapsed = 0, x = 1;

    MEASURE(elapsed, x,
            "add %[x], %[x], %[a]\n xor %[x], %[x], %[b]\n add %[x], %[x], %[a]\n sub %[x], %[x], %[b]\n"
            "add %[x], %[x], %[b]\n xor %[x], %[x], %[a]\n add %[x], %[x], %[x]\n add %[x], %[x], %[b]",
            [a] "r"(0x1234567), [b] "r"(0x89ab) : );
    result = x;
    cycles = elapsed;
}

int main(void)
{
    simt_run(1, run, 0);
    simt_measure("instructions", MEASURE_REPEATS * BODY_LENGTH);
    simt_measure("cycles", cycles);
    simt_measure_ratio("cycles_per_instruction", cycles, MEASURE_REPEATS * BODY_LENGTH);
    return 0;
}
