/* One warp, operations none of which waits for another: how many cycles apart can one warp issue? */
#include "measure.h"

#define BODY_LENGTH 8

SIMT_OUTPUT uint32_t cycles, result[BODY_LENGTH];

static void run(void *unused)
{
    (void)unused;
    uint32_t start = 0, end = 0;

    MEASURE_TWICE { /* as in MEASURE, and with the registers stored in the same breath */
        __asm__ volatile("csrr %0, mcycle\n"
                         ".rept 64\n"
                         "add t0, %2, %3\n sub t1, %2, %3\n xor t2, %2, %3\n and t3, %2, %3\n"
                         "or t4, %2, %3\n sll t5, %2, %3\n sra t6, %2, %3\n sltu a5, %2, %3\n"
                         ".endr\n"
                         "csrr %1, mcycle\n"
                         "sw t0, 0(%4)\n sw t1, 4(%4)\n sw t2, 8(%4)\n sw t3, 12(%4)\n"
                         "sw t4, 16(%4)\n sw t5, 20(%4)\n sw t6, 24(%4)\n sw a5, 28(%4)"
                         : "=&r"(start), "=&r"(end)
                         : "r"(0x80000123), "r"(7), "r"(result)
                         : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a5", "memory");
    }
    cycles = end - start;
}

int main(void)
{
    simt_run(1, run, 0);
    simt_measure("instructions", MEASURE_REPEATS * BODY_LENGTH);
    simt_measure("cycles", cycles);
    simt_measure_ratio("cycles_per_instruction", cycles, MEASURE_REPEATS * BODY_LENGTH);
    return 0;
}
