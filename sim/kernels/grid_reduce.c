/* Sum and maximum of N words: a first grid leaves those of each block, a second one folds them. */
#include "simt_grid.h"

#define MOST_THREADS 1024
#define MOST_BLOCKS 32

struct partial {
    uint32_t sum, maximum;
};

extern const uint32_t values[N];
SIMT_OUTPUT uint32_t sum, maximum;

/* Of each block of the first grid. */
static struct partial blocks[MOST_BLOCKS];
/* Of each thread. */
static SIMT_SHARED struct partial partials[MOST_THREADS];

static inline uint32_t larger(uint32_t a, uint32_t b)
{
    return a < b ? b : a;
}

static inline struct partial both(struct partial a, struct partial b)
{
    return (struct partial){a.sum + b.sum, larger(a.maximum, b.maximum)};
}

/* What all threads of the block have together, for thread 0. Each level folds the upper part onto the lower; an odd
 * element in the middle waits for the next level. */
static struct partial fold(struct partial own)
{
    uint32_t thread = threadIdx.x;

    partials[thread] = own;
    for (uint32_t live = blockDim.x; live > 1;) {
        uint32_t half = (live + 1) / 2;
        simt_block_barrier();
        if (thread + half < live) {
            partials[thread] = both(partials[thread], partials[thread + half]);
        }
        live = half;
    }
    return partials[thread];
}

SIMT_KERNEL(fold_values)
{
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, width = gridDim.x * blockDim.x;
    struct partial own = {0, 0};

    for (uint32_t first = 0; first < N; first += width) {
        uint32_t value = first + thread < N ? values[first + thread] : 0;
        own = both(own, (struct partial){value, value});
    }
    own = fold(own);
    if (threadIdx.x == 0) {
        blocks[blockIdx.x] = own;
    }
}

/* The argument is the number of blocks. */
SIMT_KERNEL(fold_blocks)
{
    struct partial own = {0, 0};

    for (uint32_t first = 0; first < arg; first += blockDim.x) {
        uint32_t i = first + threadIdx.x;
        if (i < arg) {
            own = both(own, blocks[i]);
        }
    }
    own = fold(own);
    if (threadIdx.x == 0) {
        sum = own.sum;
        maximum = own.maximum;
    }
}
