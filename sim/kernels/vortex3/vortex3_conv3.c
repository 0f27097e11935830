/* 3 x 3 convolution of an image that carries a border of zeros, one pixel a thread, as Vortex 3.0's conv3: places and sides
 * are read when the kernel runs. The sides are N or the next multiple of 32, so that all blocks are whole. */
#include "simt_grid.h"

#define SIDE ((N + 31) / 32 * 32)

extern const float image[(SIDE + 2) * (SIDE + 2)], weights[9];
SIMT_OUTPUT float result[SIDE * SIDE];

struct problem {
    uint32_t n;
    const float *image, *weights;
    float *result;
} problem = {SIDE, image, weights, result};

SIMT_KERNEL(convolve)
{
    uint32_t n = problem.n, width = n + 2;
    uint32_t column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    const float *pixels = problem.image + row * width + column, *weight = problem.weights;
    float sum = 0;

#pragma GCC unroll 9
    for (uint32_t k = 0; k < 9; k++)
        sum = simt_fma(pixels[k / 3 * width + k % 3], weight[k], sum);
    problem.result[row * n + column] = sum;
}
