/* A' r and A p for an N x N matrix, the products of a step of BiCG: a grid down columns, a grid along rows. */
#include "simt_grid.h"

extern const float a[N * N], r[N], p[N];
SIMT_OUTPUT float s[N], q[N];

SIMT_KERNEL(columns)
{
    uint32_t j = blockIdx.x * blockDim.x + threadIdx.x;

    if (j < N) {
        float sum = 0;
        for (uint32_t i = 0; i < N; i++)
            sum = simt_fma(a[i * N + j], r[i], sum);
        s[j] = sum;
    }
}

SIMT_KERNEL(rows)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        float sum = 0;
        for (uint32_t j = 0; j < N; j++)
            sum = simt_fma(a[i * N + j], p[j], sum);
        q[i] = sum;
    }
}
