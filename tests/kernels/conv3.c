/* 3 x 3 convolution of an N x N image that carries a border of zeros, one pixel a task. */
#include "simt.h"

extern const uint32_t image[(N + 2) * (N + 2)], weights[9];
SIMT_OUTPUT uint32_t result[N * N];

static void pixel(uint32_t i, void *unused)
{
    (void)unused;
    const uint32_t *corner = &image[i / N * (N + 2) + i % N];
    uint32_t sum = 0;

    for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 3; x++)
            sum += corner[y * (N + 2) + x] * weights[y * 3 + x];
    result[i] = sum;
}

int main(void)
{
    simt_spawn(N * N, pixel, 0);
    return 0;
}
