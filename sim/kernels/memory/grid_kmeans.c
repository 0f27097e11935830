/* The two grids of a round of k-means: points are turned from one after another to one dimension after another, then
 * each finds its nearest centre. */
#include "simt_grid.h"

#define FEATURES 32
#define CLUSTERS 5

extern const float points[N * FEATURES], centres[CLUSTERS * FEATURES];
SIMT_OUTPUT float turned[FEATURES * N];
SIMT_OUTPUT uint32_t members[N];

SIMT_KERNEL(turn)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        for (uint32_t f = 0; f < FEATURES; f++)
            turned[f * N + i] = points[i * FEATURES + f];
    }
}

SIMT_KERNEL(assign)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        float nearest = __builtin_inff();
        uint32_t member = 0;
        for (uint32_t cluster = 0; cluster < CLUSTERS; cluster++) {
            float distance = 0;
#pragma GCC unroll 1
            for (uint32_t f = 0; f < FEATURES; f++) {
                float difference = turned[f * N + i] - centres[cluster * FEATURES + f];
                distance = simt_fma(difference, difference, distance);
            }
            if (distance < nearest) {
                member = cluster;
                nearest = distance;
            }
        }
        members[i] = member;
    }
}
