/* Scalar products of VECTORS pairs of vectors with LENGTH elements each, a block a pair: sums of threads, then a tree in
 * local memory. */
#include "simt_grid.h"

#define LENGTH 128
#define VECTORS ((N + LENGTH - 1) / LENGTH)

extern const float a[VECTORS * LENGTH], b[VECTORS * LENGTH];
SIMT_OUTPUT float products[VECTORS];

static SIMT_SHARED float sums[LENGTH];

SIMT_KERNEL(multiply)
{
    uint32_t thread = threadIdx.x, threads = blockDim.x;

    for (uint32_t vector = blockIdx.x; vector < VECTORS; vector += gridDim.x) {
        float sum = 0;
        for (uint32_t first = 0; first < LENGTH; first += threads) {
            uint32_t at = vector * LENGTH + first + thread;
            if (first + thread < LENGTH)
                sum = simt_fma(a[at], b[at], sum);
        }
        sums[thread] = sum;
        for (uint32_t live = threads; live > 1;) {
            uint32_t half = (live + 1) / 2;
            simt_block_barrier();
            if (thread + half < live) {
                sums[thread] += sums[thread + half];
            }
            live = half;
        }
        if (thread == 0) {
            products[vector] = sums[0];
        }
        simt_block_barrier();
    }
}
