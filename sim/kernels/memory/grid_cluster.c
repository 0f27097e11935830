/* The distances of streamcluster: what each point would save if it left its centre for a candidate, a grid a candidate.
 * The coordinates of the candidate are read by all threads. */
#include "simt_grid.h"

#define CANDIDATES 2

extern const float points[], weights[N], costs[N];
extern const uint32_t candidates[CANDIDATES];
SIMT_OUTPUT float savings[CANDIDATES * N];

/* The argument is CANDIDATES times the number of dimensions, and the number of the candidate. */
SIMT_KERNEL(weigh)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x, number = arg % CANDIDATES, candidate = candidates[number];

    if (i < N) {
        float distance = 0;
#pragma GCC unroll 1
        for (uint32_t d = 0; d < arg / CANDIDATES; d++) {
            float difference = points[d * N + i] - points[d * N + candidate];
            distance = simt_fma(difference, difference, distance);
        }
        savings[number * N + i] = simt_max(costs[i] - distance * weights[i], 0);
    }
}
