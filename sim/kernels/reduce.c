/* Sum and maximum of N words: every thread folds its share, then a tree in local memory with a barrier a level. */
#include "simt.h"

extern const uint32_t values[N];
SIMT_OUTPUT uint32_t sum, maximum;

struct partial {
    uint32_t sum, maximum;
};

static inline uint32_t larger(uint32_t a, uint32_t b)
{
    return a < b ? b : a;
}

static void reduce(void *unused)
{
    (void)unused;
    struct partial *partials = simt_local_memory();
    uint32_t thread = simt_thread(), width = simt_width(), warps = simt_warps();
    struct partial own = {0, 0};

    for (uint32_t first = 0; first < N; first += width) {
        uint32_t i = first + thread;
        uint32_t value = i < N ? values[i] : 0;
        own.sum += value;
        own.maximum = larger(own.maximum, value);
    }
    partials[thread] = own;

    /* Each level folds the upper part onto the lower; an odd element in the middle waits for the next level. */
    for (uint32_t live = width; live > 1;) {
        uint32_t half = (live + 1) / 2;
        simt_barrier(0, warps);
        if (thread + half < live) {
            partials[thread].sum += partials[thread + half].sum;
            partials[thread].maximum = larger(partials[thread].maximum, partials[thread + half].maximum);
        }
        live = half;
    }
    if (thread == 0) {
        sum = partials[0].sum;
        maximum = partials[0].maximum;
    }
}

int main(void)
{
    simt_run(simt_warps(), reduce, 0);
    return 0;
}
