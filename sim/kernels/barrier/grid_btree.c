/* Searches in a B+ tree of N keys, ORDER a node: a block a query, whose threads compare all keys of a node at a time and
 * meet at a barrier on each level. */
#include "simt_grid.h"

#define ORDER 32
#define QUERIES ((N + 3) / 4)

/* levels: how many there are, then where in the nodes each begins, the root first. A node holds the smallest key of each
 * of its children, or keys of the tree; what is not used is the largest number. */
extern const uint32_t levels[], nodes[], queries[QUERIES];
SIMT_OUTPUT uint32_t places[QUERIES];

static SIMT_SHARED uint32_t child;

SIMT_KERNEL(search)
{
    uint32_t thread = threadIdx.x, threads = blockDim.x;

    for (uint32_t query = blockIdx.x; query < QUERIES; query += gridDim.x) {
        uint32_t key = queries[query], node = 0;
        for (uint32_t level = 1; level <= levels[0]; level++) {
            const uint32_t *keys = &nodes[levels[level] + node * ORDER];
            for (uint32_t i = thread; i < ORDER; i += threads) {
                if (keys[i] <= key && (i == ORDER - 1 || key < keys[i + 1]))
                    child = i;
            }
            simt_block_barrier();
            node = node * ORDER + child;
            simt_block_barrier();
        }
        if (thread == 0) {
            places[query] = node;
        }
    }
}
