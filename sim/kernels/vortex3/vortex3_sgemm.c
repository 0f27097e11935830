/* C = A * B, one element a thread, as Vortex 3.0's sgemm: places and sides are read when the kernel runs. The sides are N or
 * the next multiple of 32, so that all blocks are whole. */
#include "simt_grid.h"

#define SIDE ((N + 31) / 32 * 32)

extern const float a[SIDE * SIDE], b[SIDE * SIDE];
SIMT_OUTPUT float c[SIDE * SIDE];

struct problem {
    uint32_t n;
    const float *a, *b;
    float *c;
} problem = {SIDE, a, b, c};

SIMT_KERNEL(multiply)
{
    uint32_t n = problem.n;
    uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    const float *left = problem.a + row * n, *right = problem.b + column;
    float sum = 0;

    for (uint32_t k = 0; k < n; k++)
        sum = simt_fma(left[k], right[k * n], sum);
    problem.c[row * n + column] = sum;
}

/* Eight rounds of the loop at a time. */
SIMT_KERNEL(multiply_unrolled)
{
    uint32_t n = problem.n;
    uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    const float *left = problem.a + row * n, *right = problem.b + column;
    float sum = 0;

#pragma GCC unroll 8
    for (uint32_t k = 0; k < n; k++)
        sum = simt_fma(left[k], right[k * n], sum);
    problem.c[row * n + column] = sum;
}

static SIMT_SHARED float tiles[2 * 32 * 32];

/* By tiles in local memory, between barriers. As there, the lanes of a warp are in a column: they meet in the banks. */
SIMT_KERNEL(multiply_tiles)
{
    uint32_t n = problem.n, tile = blockDim.x, x = threadIdx.y, y = threadIdx.x;
    uint32_t column = blockIdx.y * tile + x, row = blockIdx.x * tile + y;
    float *left = tiles, *right = tiles + tile * tile;
    float sum = 0;

    for (uint32_t k = 0; k < n; k += tile) {
        left[y * tile + x] = problem.a[row * n + k + x];
        right[y * tile + x] = problem.b[(k + y) * n + column];
        simt_block_barrier();
        for (uint32_t i = 0; i < tile; i++)
            sum = simt_fma(left[y * tile + i], right[i * tile + x], sum);
        simt_block_barrier();
    }
    problem.c[row * n + column] = sum;
}
