/* y = A' (A x) for an N x N matrix: a grid whose threads go along rows, one whose threads go down columns. */
#include "simt_grid.h"

extern const float a[N * N], x[N];
SIMT_OUTPUT float product[N], result[N];

SIMT_KERNEL(rows)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        float sum = 0;
        for (uint32_t j = 0; j < N; j++)
            sum = simt_fma(a[i * N + j], x[j], sum);
        product[i] = sum;
    }
}

SIMT_KERNEL(columns)
{
    uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;

    if (j < N) {
        float sum = 0;
        for (uint32_t i = 0; i < N; i++)
            sum = simt_fma(a[i * N + j], product[i], sum);
        result[j] = sum;
    }
}
