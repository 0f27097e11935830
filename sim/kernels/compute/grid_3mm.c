/* (A B) (C D) for N x N matrices: three grids, a cell a thread. */
#include "simt_grid.h"

extern const float a[N * N], b[N * N], c[N * N], d[N * N];
SIMT_OUTPUT float ab[N * N], cd[N * N], product[N * N];

static void multiply(const float *left, const float *right, float *to)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N * N) {
        const float *row = &left[i / N * N], *column = &right[i % N];
        float sum = 0;
        for (uint32_t k = 0; k < N; k++)
            sum = simt_fma(row[k], column[k * N], sum);
        to[i] = sum;
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
