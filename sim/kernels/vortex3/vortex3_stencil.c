/* Mean of a cell and its 26 neighbours in a cube whose border cells repeat outside, one cell a thread, as Vortex 3.0's
 * stencil3d but without its branches: place and side are read when the kernel runs. The side is N or the next multiple of
 * eight, so that all blocks are whole. */
#include "simt_grid.h"

#define SIDE ((N + 7) / 8 * 8)

extern const float grid[SIDE * SIDE * SIDE];
SIMT_OUTPUT float result[SIDE * SIDE * SIDE];

struct problem {
    uint32_t n;
    const float *grid;
    float *result;
} problem = {SIDE, grid, result};

/* A step of -1, 0 or 1 that does not leave 0 to n - 1. */
static inline uint32_t near(uint32_t at, int step, uint32_t n)
{
    return at + ((step > 0) & (at + 1 < n)) - ((step < 0) & (at > 0));
}

SIMT_KERNEL(average)
{
    uint32_t n = problem.n;
    uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    uint32_t plane = blockIdx.z * blockDim.z + threadIdx.z;
    float sum = 0;

    for (int dz = -1; dz <= 1; dz++) {
        const float *cells = problem.grid + near(plane, dz, n) * n * n;

        for (int dy = -1; dy <= 1; dy++) {
            const float *line = cells + near(row, dy, n) * n;

#pragma GCC unroll 3
            for (int dx = -1; dx <= 1; dx++)
                sum += line[near(column, dx, n)];
        }
    }
    problem.result[(plane * n + row) * n + column] = sum / 27.0f;
}
