/* A cell and its four neighbours on an N x N grid with zeros around it: a block goes down ROWS rows of a strip, each row
 * with its halo in local memory between two barriers. */
#include "simt_grid.h"

#define ROWS 8
#define MOST_THREADS 512

extern const float cells[N * N], weights[2];
SIMT_OUTPUT float result[N * N];

static SIMT_SHARED float row[MOST_THREADS + 2];

/* The cell at (x, y); x = -1 and y = -1 are large numbers. */
static inline float cell(uint32_t x, uint32_t y)
{
    return x < N && y < N ? cells[y * N + x] : 0;
}

SIMT_KERNEL(strips)
{
    uint32_t threads = blockDim.x, thread = threadIdx.x;
    uint32_t x = blockIdx.x * threads + thread, y = blockIdx.y * ROWS;
    float above = cell(x, y - 1), own = cell(x, y);

    for (uint32_t i = 0; simt_uniform(i < ROWS); i++, y++) {
        float below = cell(x, y + 1);
        row[thread + 1] = own;
        if (thread == 0) {
            row[0] = cell(x - 1, y);
            row[threads + 1] = cell(x + threads, y);
        }
        simt_block_barrier();
        float around = row[thread] + row[thread + 2] + above + below;
        if (x < N && y < N) {
            result[y * N + x] = simt_fma(own, weights[0], around * weights[1]);
        }
        above = own;
        own = below;
        simt_block_barrier();
    }
}
