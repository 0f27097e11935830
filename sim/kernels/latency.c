/* One warp: cycles from an operation to the next one that needs it, for each kind of operation. */
#include "measure.h"

/* Each lane's word holds its own address, so that a load's result is the address of the next load. */
SIMT_OUTPUT uint32_t chain[32];
/* In the order of `names`. */
SIMT_OUTPUT uint32_t cycles[9];

static const char *const names[] = {
    "alu", "mul", "div", "div_12_bits", "load", "load_local", "jump", "split_join", "barrier_of_one",
};

static void run(void *unused)
{
    (void)unused;
    uint32_t elapsed = 0, x = 1;
    uint32_t *global = &chain[simt_lane()];
    uint32_t *local = (uint32_t *)simt_local_memory() + simt_lane();
    *global = (uint32_t)global;
    *local = (uint32_t)local;

    MEASURE(elapsed, x, "add %[x], %[x], %[x]", : );
    cycles[0] = elapsed;
    MEASURE(elapsed, x, "mul %[x], %[x], %[x]", : );
    cycles[1] = elapsed;
    /* A division takes as long as its dividend is. */
    x = 0xffffffff;
    MEASURE(elapsed, x, "divu %[x], %[x], %[one]", [one] "r"(1) : );
    cycles[2] = elapsed;
    x = 0xfff;
    MEASURE(elapsed, x, "divu %[x], %[x], %[one]", [one] "r"(1) : );
    cycles[3] = elapsed;
    MEASURE(elapsed, global, "lw %[x], 0(%[x])", : "memory");
    cycles[4] = elapsed;
    MEASURE(elapsed, local, "lw %[x], 0(%[x])", : "memory");
    cycles[5] = elapsed;
    MEASURE(elapsed, x, "j 1f\n 1:", : "memory");
    cycles[6] = elapsed;
    MEASURE(elapsed, x, ".insn r 0x0b, 2, 0, %[x], %[one], x0\n .insn r 0x0b, 3, 0, x0, %[x], x0", [one] "r"(1) : "memory");
    cycles[7] = elapsed;
    MEASURE(elapsed, x, ".insn r 0x0b, 4, 0, x0, x0, %[one]", [one] "r"(1) : "memory");
    cycles[8] = elapsed;
}

int main(void)
{
    simt_run(1, run, 0);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        simt_measure_ratio(names[i], cycles[i], MEASURE_REPEATS);
    return 0;
}
