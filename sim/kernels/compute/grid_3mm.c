/* (A B) (C D) for N x N matrices: three grids, a cell a thread, a row of a block a warp. */
#include "simt_grid.h"

extern const float a[N * N], b[N * N], c[N * N], d[N * N];
SIMT_OUTPUT float ab[N * N], cd[N * N], product[N * N];

static inline __attribute__((always_inline)) void multiply(const float *left, const float *right, float *to)
{
    uint32_t x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < N && y < N) {
        const float *row = &left[y * N], *column = &right[x];
        float sum = 0;
        for (uint32_t k = 0; k < N; k++)
            sum = simt_fma(row[k], column[k * N], sum);
        to[y * N + x] = sum;
    }
}

SIMT_KERNEL(first)
{
    multiply(a, b, ab);
}

SIMT_KERNEL(second)
{
    multiply(c, d, cd);
}

SIMT_KERNEL(third)
{
    multiply(ab, cd, product);
}
