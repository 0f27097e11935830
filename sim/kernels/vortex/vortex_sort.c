/* Sort by rank, a key a task: the rank counts smaller keys, and equal ones before, without a branch. */
#include "gpu.h"

extern const uint32_t keys[N];
RESULT uint32_t sorted[N];

struct problem {
    uint32_t n;
    const uint32_t *keys;
    uint32_t *sorted;
};

static void place(void *arg)
{
    struct problem *p = arg;
    uint32_t own = p->keys[block.x], rank = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t key = p->keys[i];
        rank += (key < own) | ((key == own) & (i < block.x));
    }
    p->sorted[rank] = own;
}

int main(void)
{
    struct problem problem = {N, keys, sorted};
    return launch((struct index){N, 1, 1}, (struct index){1, 1, 1}, place, &problem);
}
