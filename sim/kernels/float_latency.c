/* One warp: cycles from a floating-point operation to the next one that needs it, for each kind of operation. */
#include "measure.h"

/* In the order of `names`. */
SIMT_OUTPUT uint32_t cycles[8];
SIMT_OUTPUT float result;

static const char *const names[] = {
    "fadd", "fmul", "fmadd", "fmin", "move_pair", "convert_pair", "fdiv", "fsqrt",
};

static void run(void *unused)
{
    (void)unused;
    uint32_t elapsed = 0;
    float x = 1.0f;

    MEASURE_FLOAT(elapsed, x, "fadd.s %[x], %[x], %[y]", [y] "f"(0.5f));
    cycles[0] = elapsed;
    MEASURE_FLOAT(elapsed, x, "fmul.s %[x], %[x], %[y]", [y] "f"(1.0f));
    cycles[1] = elapsed;
    MEASURE_FLOAT(elapsed, x, "fmadd.s %[x], %[x], %[y], %[z]", [y] "f"(1.0f), [z] "f"(0.25f));
    cycles[2] = elapsed;
    MEASURE_FLOAT(elapsed, x, "fmin.s %[x], %[x], %[y]", [y] "f"(1000.0f));
    cycles[3] = elapsed;
    MEASURE_FLOAT(elapsed, x, "fmv.x.w t0, %[x]\n fmv.w.x %[x], t0", : "t0");
    cycles[4] = elapsed;
    MEASURE_FLOAT(elapsed, x, "fcvt.w.s t0, %[x], rtz\n fcvt.s.w %[x], t0", : "t0");
    cycles[5] = elapsed;
    MEASURE_FLOAT(elapsed, x, "fdiv.s %[x], %[x], %[y]", [y] "f"(1.0f));
    cycles[6] = elapsed;
    MEASURE_FLOAT(elapsed, x, "fsqrt.s %[x], %[x]", : );
    cycles[7] = elapsed;
    result = x;
}

int main(void)
{
    simt_run(1, run, 0);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        simt_measure_ratio(names[i], cycles[i], MEASURE_REPEATS);
    return 0;
}
