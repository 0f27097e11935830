/* The distances of streamcluster: what each point would save if it left its centre for a candidate, a grid a candidate.
 * The coordinates of the candidate are read by all threads. */
#include "simt_grid.h"

#define DIMENSIONS 32
#define CANDIDATES 4

extern const float points[DIMENSIONS * N], weights[N], costs[N];
extern const uint32_t candidates[CANDIDATES];
SIMT_OUTPUT float savings[CANDIDATES * N];

/* The argument is the number of the candidate. */
SIMT_KERNEL(weigh)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, candidate = candidates[arg];

    if (i < N) {
        float distance = 0;
#pragma GCC unroll 1
        for (uint32_t d = 0; d < DIMENSIONS; d++) {
            float difference = points[d * N + i] - points[d * N + candidate];
            distance = simt_fma(difference, difference, distance);
        }
        savings[arg * N + i] = simt_max(costs[i] - distance * weights[i], 0);
    }
}
