/* How many of N words are in each of 16 classes. There are no atomic instructions: every thread counts for itself in
 * local memory, behind a barrier the block adds up a class a thread, and a second grid adds up the blocks. */
#include "simt_grid.h"

#define CLASSES 16
#define MOST_THREADS 128
#define MOST_BLOCKS 32

extern const uint32_t values[N];
SIMT_OUTPUT uint32_t counts[CLASSES];

/* For each block a count of each class. */
static uint32_t blocks[MOST_BLOCKS][CLASSES];
/* For each class a count of each thread of the block, side by side, so that lanes use different banks. */
static SIMT_SHARED uint32_t own_counts[CLASSES * MOST_THREADS];

SIMT_KERNEL(count)
{
    uint32_t threads = blockDim.x, width = gridDim.x * threads;
    uint32_t *own = own_counts + threadIdx.x;

    for (uint32_t class = 0; class < CLASSES; class++)
        own[class * threads] = 0;
    for (uint32_t first = blockIdx.x * threads; first < N; first += width) {
        uint32_t i = first + threadIdx.x;
        if (i < N) {
            own[values[i] % CLASSES * threads]++;
        }
    }
    simt_block_barrier();
    for (uint32_t first = 0; first < CLASSES; first += threads) {
        uint32_t class = first + threadIdx.x;
        if (class < CLASSES) {
            uint32_t total = 0;
            for (uint32_t thread = 0; thread < threads; thread++)
                total += own_counts[class * threads + thread];
            blocks[blockIdx.x][class] = total;
        }
    }
}

/* The argument is the number of blocks. */
SIMT_KERNEL(add_blocks)
{
    for (uint32_t first = 0; first < CLASSES; first += blockDim.x) {
        uint32_t class = first + threadIdx.x;
        if (class < CLASSES) {
            uint32_t total = 0;
            for (uint32_t block = 0; block < arg; block++)
                total += blocks[block][class];
            counts[class] = total;
        }
    }
}
