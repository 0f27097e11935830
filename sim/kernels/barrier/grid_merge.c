/* Merge sort of tiles of TILE keys in local memory: a key's place in the merged run is its place in its own run and its
 * rank in the other one, by binary search. */
#include "simt_grid.h"

#define TILE 128
#define TILES ((N + TILE - 1) / TILE)

extern const uint32_t keys[TILES * TILE];
SIMT_OUTPUT uint32_t sorted[TILES * TILE];

/* Two halves: a stage goes from one to the other. */
static SIMT_SHARED uint32_t buffers[2 * TILE];

/* How many of `length` keys, a power of two, go before `key`; of equal ones those of the left run do. */
static inline uint32_t rank(const uint32_t *run, uint32_t length, uint32_t key, uint32_t is_right)
{
    uint32_t before = 0;

    for (uint32_t step = length; step > 0; step /= 2) {
        uint32_t next = before + step;
        if (next <= length && (run[next - 1] < key || (run[next - 1] == key && is_right)))
            before = next;
    }
    return before;
}

SIMT_KERNEL(sort_tiles)
{
    uint32_t thread = threadIdx.x, threads = blockDim.x, from = 0, tile = blockIdx.x * TILE;

    for (uint32_t i = thread; i < TILE; i += threads)
        buffers[i] = keys[tile + i];
    for (uint32_t length = 1; length < TILE; length *= 2) {
        simt_block_barrier();
        for (uint32_t i = thread; i < TILE; i += threads) {
            uint32_t key = buffers[from + i], is_right = (i & length) != 0;
            uint32_t in_other = rank(&buffers[from + ((i ^ length) & -length)], length, key, is_right);
            buffers[(from ^ TILE) + (i & -(2 * length)) + (i & (length - 1)) + in_other] = key;
        }
        from ^= TILE;
    }
    simt_block_barrier();
    for (uint32_t i = thread; i < TILE; i += threads)
        sorted[tile + i] = buffers[from + i];
}
