/* Product of two matrices, an element a task. */
#include "gpu.h"

extern const float a[N * N], b[N * N];
RESULT float c[N * N];

struct problem {
    uint32_t n;
    const float *a, *b;
    float *c;
};

static void multiply(void *arg)
{
    struct problem *p = arg;
    uint32_t n = p->n, row = block.y, column = block.x;
    float sum = 0;

    for (uint32_t k = 0; k < n; k++)
        sum = __builtin_fmaf(p->a[row * n + k], p->b[k * n + column], sum);
    p->c[row * n + column] = sum;
}

int main(void)
{
    struct problem problem = {N, a, b, c};
    return launch((struct index){N, N, 1}, (struct index){1, 1, 1}, multiply, &problem);
}
