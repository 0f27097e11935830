/* 3 x 3 convolution of an N x N image that carries a border of zeros, one pixel a task. */
#include "simt.h"

extern const uint32_t image[(N + 2) * (N + 2)], weights[9];
SIMT_OUTPUT uint32_t result[N * N];

static void pixel(uint32_t i, void *unused)
{
    (void)unused;
    const uint32_t *row = &image[i / N * (N + 2) + i % N], *weight = weights;
    uint32_t sum = 0;

    for (int y = 0; y < 3; y++, row += N + 2, weight += 3)
        sum += row[0] * weight[0] + row[1] * weight[1] + row[2] * weight[2];
    result[i] = sum;
}

int main(void)
{
    simt_spawn(N * N, pixel, 0);
    return 0;
}
