/* Sum of two vectors, an element a task. */
#include "gpu.h"

extern const uint32_t a[N], b[N];
RESULT uint32_t c[N];

struct problem {
    const uint32_t *a, *b;
    uint32_t *c;
};

static void add(void *arg)
{
    struct problem *p = arg;
    p->c[block.x] = p->a[block.x] + p->b[block.x];
}

int main(void)
{
    struct problem problem = {a, b, c};
    return launch((struct index){N, 1, 1}, (struct index){1, 1, 1}, add, &problem);
}
