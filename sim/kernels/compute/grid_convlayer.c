/* A layer of a convolutional network: FILTERS filters of 3 x 3 over CHANNELS images of N x N with zeros around them, and
 * what is negative cut off; blocks of a filter each. */
#include "simt_grid.h"

#define CHANNELS 4
#define FILTERS 8
#define SIDE (N + 2)

extern const float images[CHANNELS * SIDE * SIDE], weights[FILTERS * CHANNELS * 9], biases[FILTERS];
SIMT_OUTPUT float layer[FILTERS * N * N];

SIMT_KERNEL(convolve)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, filter = blockIdx.y;

    if (i < N * N) {
        const float *weight = &weights[filter * CHANNELS * 9], *at = &images[i / N * SIDE + i % N];
        float sum = biases[filter];
#pragma GCC unroll 1
        for (uint32_t channel = 0; channel < CHANNELS; channel++, at += SIDE * SIDE)
            for (uint32_t y = 0; y < 3; y++)
                for (uint32_t x = 0; x < 3; x++)
                    sum = simt_fma(at[y * SIDE + x], *weight++, sum);
        layer[filter * N * N + i] = simt_max(sum, 0);
    }
}
