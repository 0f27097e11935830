/* Breadth-first search from node 0, a grid a level: each node of the level marks its unseen neighbours. */
#include "simt_grid.h"

#define UNSEEN 0xffffffff

extern const uint32_t edge_start[N + 1], edges[];
SIMT_OUTPUT uint32_t levels[N];

SIMT_KERNEL(forget)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N) {
        levels[i] = i == 0 ? 0 : UNSEEN;
    }
}

/* The argument is the level. */
SIMT_KERNEL(expand)
{
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < N && levels[i] == arg) {
        uint32_t at = edge_start[i], end = edge_start[i + 1];
        while (at < end) {
            uint32_t neighbour = edges[at++];
            if (levels[neighbour] == UNSEEN) { /* all that mark it write the same */
                levels[neighbour] = arg + 1;
            }
        }
    }
}
