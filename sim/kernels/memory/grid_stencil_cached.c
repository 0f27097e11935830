/* A Jacobi step of the seven-point stencil in PLANES planes of N x N cells whose border stays: a thread goes up the planes
 * with its column. The cells beside it come through the data cache, where other warps have loaded them. */
#include "simt_grid.h"

#define PLANES 18

extern const float cells[PLANES * N * N], weights[2];
SIMT_OUTPUT float result[PLANES * N * N];

SIMT_KERNEL(relax)
{
    uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= N || y >= N) {
        return;
    }

    uint32_t at = y * N + x, inner = x > 0 && x + 1 < N && y > 0 && y + 1 < N;
    /* Distances to the neighbours: beyond the border is the border, which nobody uses. */
    uint32_t west = x > 0, east = x + 1 < N, north = y > 0 ? N : 0, south = y + 1 < N ? N : 0;
    const float *cell = &cells[at];
    float *out = &result[at];
    float below = 0, here = *cell;

    for (uint32_t z = 0; z < PLANES; z++, cell += N * N, out += N * N) {
        float above = cell[z + 1 < PLANES ? N * N : 0];
        float around = below + above + *(cell - north) + cell[south] + *(cell - west) + cell[east];
        *out = inner && z > 0 && z + 1 < PLANES ? simt_fma(here, weights[0], around * weights[1]) : here;
        below = here;
        here = above;
    }
}
