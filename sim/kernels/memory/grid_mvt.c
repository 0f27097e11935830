/* x1 + A y1 and x2 + A' y2 for an N x N matrix, a grid each: along rows, then down columns. */
#include "simt_grid.h"

extern const float a[N * N], x1[N], x2[N], y1[N], y2[N];
SIMT_OUTPUT float result1[N], result2[N];

SIMT_KERNEL(rows)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        float sum = x1[i];
        for (uint32_t j = 0; j < N; j++)
            sum = simt_fma(a[i * N + j], y1[j], sum);
        result1[i] = sum;
    }
}

SIMT_KERNEL(columns)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        float sum = x2[i];
        for (uint32_t j = 0; j < N; j++)
            sum = simt_fma(a[j * N + i], y2[j], sum);
        result2[i] = sum;
    }
}
