/* Prices of N call options by simulation, a block an option: all go through the same PATHS random numbers, add up in
 * local memory, and leave the mean of what the option pays. */
#include "simt_grid.h"
#include "simt_math.h"

#define PATHS 4096
#define MOST_THREADS 512

/* For each option price, strike, drift and volatility over its life. */
extern const float options[4 * N], samples[PATHS];
SIMT_OUTPUT float means[N];

static SIMT_SHARED float sums[MOST_THREADS];

SIMT_KERNEL(simulate)
{
    uint32_t thread = threadIdx.x, threads = blockDim.x;
    const float *option = &options[4 * blockIdx.x];
    float price = option[0], strike = option[1], drift = option[2], volatility = option[3], sum = 0;

    for (uint32_t first = 0; first < PATHS; first += threads) {
        if (first + thread < PATHS) {
            float sample = samples[first + thread];
            sum += simt_max(price * simt_exp(simt_fma(volatility, sample, drift)) - strike, 0);
        }
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
        means[blockIdx.x] = sums[0] * (1.0f / PATHS);
    }
}
