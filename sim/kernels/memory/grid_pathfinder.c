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

/* The argument is the number of the grid: the first begins with the first row of costs. Beside the field ways are without
 * end; what is loaded there is dropped. */
SIMT_KERNEL(descend)
{
    uint32_t threads = blockDim.x, cells = threads + 2 * STEPS;
    uint32_t left = blockIdx.x * threads - STEPS;
    const uint32_t *above = arg == 0 ? costs : &ways[(arg - 1) * N], *own = &costs[(arg * STEPS + 1) * N];
    uint32_t *from = rows, *to = &rows[cells];

    for (uint32_t i = threadIdx.x; i < cells; i += threads) {
        uint32_t way = above[smaller(left + i, N - 1)];
        from[i] = left + i < N ? way : ~0u;
    }
    for (uint32_t step = 0; step < STEPS; step++, own += N) {
        simt_block_barrier();
        for (uint32_t i = threadIdx.x; i < cells; i += threads) {
            uint32_t way = own[smaller(left + i, N - 1)];
            way += smaller(smaller(from[i - (i > 0)], from[i]), from[i + (i + 1 < cells)]);
            to[i] = left + i < N ? way : ~0u;
        }
        uint32_t *next = from;
        from = to;
        to = next;
    }
    simt_block_barrier();
    uint32_t i = STEPS + threadIdx.x;
    if (left + i < N) {
        ways[arg * N + left + i] = from[i];
    }
}
