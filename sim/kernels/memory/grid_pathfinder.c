/* The cheapest ways down a field of ROWS + 1 rows of N cells, a step straight or aslant: a grid for STEPS rows, whose
 * blocks compute the columns beside their own that they need, less of them each row. */
#include "simt_grid.h"

#define ROWS 16
#define STEPS 4
#define MOST_THREADS 512

extern const uint32_t costs[(ROWS + 1) * N];
SIMT_OUTPUT uint32_t ways[ROWS / STEPS * N];

/* Two rows of a block's columns and STEPS more on each side: a step goes from one to the other. */
static SIMT_SHARED uint32_t rows[2 * (MOST_THREADS + 2 * STEPS)];

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* The argument is the number of the grid: the first begins with the first row of costs. */
SIMT_KERNEL(descend)
{
    uint32_t thread = threadIdx.x, threads = blockDim.x, cells = threads + 2 * STEPS, from = 0;
    uint32_t left = blockIdx.x * threads - STEPS;
    const uint32_t *above = arg == 0 ? costs : &ways[(arg - 1) * N];

    for (uint32_t i = thread; i < cells; i += threads)
        rows[i] = left + i < N ? above[left + i] : ~0u;
    for (uint32_t row = arg * STEPS + 1; row <= (arg + 1) * STEPS; row++) {
        simt_block_barrier();
        for (uint32_t i = thread; i < cells; i += threads) {
            const uint32_t *at = &rows[from + i];
            uint32_t best = smaller(smaller(at[i > 0 ? -1 : 0], at[0]), at[i + 1 < cells ? 1 : 0]);
            rows[cells - from + i] = left + i < N ? best + costs[row * N + left + i] : ~0u;
        }
        from = cells - from;
    }
    simt_block_barrier();
    if (left + STEPS + thread < N) {
        ways[arg * N + left + STEPS + thread] = rows[from + STEPS + thread];
    }
}
