/* C = A * B for N x N matrices: a block has a square tile of C, fetches tiles of A and B into its local memory, and
 * each thread adds to its own cell. */
#include "simt_grid.h"

#define LARGEST 8

extern const float a[N * N], b[N * N];
SIMT_OUTPUT float c[N * N];

/* First the block's tile of A, then that of B. */
static SIMT_SHARED float tiles[2 * LARGEST * LARGEST];

/* Element (row, column) of an N x N matrix; 0 outside of it. */
static inline float element(const float *matrix, uint32_t row, uint32_t column)
{
    return row < N && column < N ? matrix[row * N + column] : 0;
}

SIMT_KERNEL(multiply)
{
    uint32_t tile = blockDim.x, x = threadIdx.x, y = threadIdx.y;
    uint32_t row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
    float *left = tiles, *right = tiles + tile * tile;
    float sum = 0;

    for (uint32_t k = 0; k < N; k += tile) {
        left[y * tile + x] = element(a, row, k + x);
        right[y * tile + x] = element(b, k + y, column);
        simt_block_barrier();
        for (uint32_t i = 0; i < tile; i++)
            sum = simt_fma(left[y * tile + i], right[i * tile + x], sum);
        /* The next tile must not overtake a slow warp. */
        simt_block_barrier();
    }
    if (row < N && column < N) {
        c[row * N + column] = sum;
    }
}
