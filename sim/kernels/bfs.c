/* Breadth-first search from node 0, a launch a level: each node of the level marks its unseen neighbours. */
#include "simt.h"

#define UNSEEN 0xffffffff

extern const uint32_t edge_start[N + 1], edges[];
SIMT_OUTPUT uint32_t levels[N];
static uint32_t reached;

static void forget(uint32_t i, void *unused)
{
    (void)unused;
    levels[i] = i == 0 ? 0 : UNSEEN;
}

static void expand(uint32_t i, void *level)
{
    uint32_t own = *(const uint32_t *)level;

    if (levels[i] == own) {
        uint32_t at = edge_start[i], end = edge_start[i + 1];
        while (at < end) {
            uint32_t neighbour = edges[at++];
            if (levels[neighbour] == UNSEEN) { /* all that mark it write the same */
                levels[neighbour] = own + 1;
                reached = 1;
            }
        }
    }
}

int main(void)
{
    simt_spawn(N, forget, 0);
    for (uint32_t level = 0, more = 1; more; level++) {
        reached = 0;
        simt_spawn(N, expand, &level);
        more = reached;
    }
    return 0;
}
