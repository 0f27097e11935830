/* A 3 x 3 x 3 convolution of PLANES + 2 planes of N x N cells, a grid a plane; the border of a plane stays as it is. */
#include "simt_grid.h"

#define PLANES 4

extern const float volume[(PLANES + 2) * N * N], weights[27];
SIMT_OUTPUT float result[PLANES * N * N];

/* The argument is the number of the plane. */
SIMT_KERNEL(convolve)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, x = i % N, y = i / N;

    if (i < N * N) {
        const float *own = &volume[(arg + 1) * N * N + i];
        if (x > 0 && x + 1 < N && y > 0 && y + 1 < N) {
            const float *weight = weights;
            float sum = 0;
#pragma GCC unroll 1
            for (int32_t dz = -1; dz <= 1; dz++)
                for (int32_t dy = -1; dy <= 1; dy++)
                    for (int32_t dx = -1; dx <= 1; dx++)
                        sum = simt_fma(own[(dz * N + dy) * N + dx], *weight++, sum);
            result[arg * N * N + i] = sum;
        } else {
            result[arg * N * N + i] = own[0];
        }
    }
}
