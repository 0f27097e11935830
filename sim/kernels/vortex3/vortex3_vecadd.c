/* c = a + b, one element a thread, as Vortex 3.0's vecadd: the arrays' places are read when the kernel runs, and they hold
 * whole blocks, so that nobody asks where they end. */
#include "simt_grid.h"

/* A multiple of the threads of every core. */
#define ROOM ((N + 2047) / 2048 * 2048)

extern const uint32_t a[ROOM], b[ROOM];
SIMT_OUTPUT uint32_t c[ROOM];

struct problem {
    const uint32_t *a, *b;
    uint32_t *c;
} problem = {a, b, c};

SIMT_KERNEL(add)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    problem.c[i] = problem.a[i] + problem.b[i];
}
