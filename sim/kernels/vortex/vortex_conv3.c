/* 3 x 3 convolution of an image that has a border of one pixel, a pixel a task. */
#include "gpu.h"

extern const float image[(N + 2) * (N + 2)], weights[9];
RESULT float result[N * N];

struct problem {
    uint32_t width;
    const float *image, *weights;
    float *result;
};

static void convolve(void *arg)
{
    struct problem *p = arg;
    uint32_t side = p->width + 2;
    float sum = 0;

    for (uint32_t y = 0; y < 3; y++)
        for (uint32_t x = 0; x < 3; x++)
            sum = __builtin_fmaf(p->image[(block.y + y) * side + block.x + x], p->weights[3 * y + x], sum);
    p->result[block.y * p->width + block.x] = sum;
}

int main(void)
{
    struct problem problem = {N, image, weights, result};
    return launch((struct index){N, N, 1}, (struct index){1, 1, 1}, convolve, &problem);
}
