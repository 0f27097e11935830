/* A Jacobi step of the seven-point stencil in PLANES planes of N x N cells whose border stays: a block goes up the planes
 * with a tile. The cells of the tile are in local memory between two barriers, those beside it come from memory. */
#include "simt_grid.h"

#define PLANES 18
#define MOST_THREADS 512

extern const float cells[PLANES * N * N], weights[2];
SIMT_OUTPUT float result[PLANES * N * N];

static SIMT_SHARED float tile[MOST_THREADS];

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

SIMT_KERNEL(relax)
{
    uint32_t across = threadIdx.x, along = threadIdx.y;
    uint32_t width = blockDim.x, right = width - 1, last = blockDim.y - 1;
    uint32_t x = blockIdx.x * width + across, y = blockIdx.y * blockDim.y + along;
    float *own = &tile[along * width + across];
    /* Beyond the border is the border, which nobody uses. */
    uint32_t row = smaller(y, N - 1) * N, column = smaller(x, N - 1), at = row + column;
    uint32_t west = row + smaller(x - (x > 0), N - 1), east = row + smaller(x + 1, N - 1);
    uint32_t north = smaller(y - (y > 0), N - 1) * N + column, south = smaller(y + 1, N - 1) * N + column;
    uint32_t inside = x < N && y < N, inner = x > 0 && x + 1 < N && y > 0 && y + 1 < N;
    const float *plane = cells;
    float below = 0, here = plane[at];

    for (uint32_t z = 0; z < PLANES; z++, plane += N * N) {
        uint32_t next = z + 1 < PLANES ? N * N : 0;
        float above = plane[next + at];
        *own = here;
        simt_block_barrier();
        float around = below + above;
        around += along > 0 ? *(own - width) : plane[north];
        around += along < last ? own[width] : plane[south];
        around += across > 0 ? own[-1] : plane[west];
        around += across < right ? own[1] : plane[east];
        float relaxed = inner && z > 0 && z + 1 < PLANES ? simt_fma(here, weights[0], around * weights[1]) : here;
        if (inside) {
            result[z * (N * N) + at] = relaxed;
        }
        below = here;
        here = above;
        simt_block_barrier();
    }
}
