/* Stress of the memory: each task adds up eight values at random places for each of its four results. */
#include "gpu.h"

#define RESULTS 4
#define LOADS 8

extern const uint32_t places[N + LOADS * RESULTS], values[N];
RESULT uint32_t sums[N * RESULTS];

struct problem {
    const uint32_t *places, *values;
    uint32_t *sums;
};

static void gather(void *arg)
{
    struct problem *p = arg;

    for (uint32_t i = 0; i < RESULTS; i++) {
        uint32_t sum = 0;
        for (uint32_t j = 0; j < LOADS; j++)
            sum += p->values[p->places[block.x + LOADS * i + j]];
        p->sums[block.x * RESULTS + i] = sum;
    }
}

int main(void)
{
    struct problem problem = {places, values, sums};
    return launch((struct index){N, 1, 1}, (struct index){1, 1, 1}, gather, &problem);
}
